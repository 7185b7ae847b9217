//! Counts all legal positions of small boards, against the known numbers (Tromp and Farnebäck 2006).

use goban::{Board, Color, PointSet, Setup, Size, Upto9, Vertex};

/// Counts by drawing the points row by row, each empty, black or white, on real boards.
///
/// Points not drawn yet are empty, so a chain is without liberties only when everything around it is drawn: at
/// the stone that captures it or is suicide. Any other stone can stand.
fn count_by_playing(width: usize, height: usize) -> u64 {
    let size = Size::new(width, height).unwrap();
    let vertices: Vec<Vertex> = size.vertices().collect();
    draw(&Board::new(size), &vertices)
}

fn draw(board: &Board<Upto9>, rest: &[Vertex]) -> u64 {
    let Some((&vertex, rest)) = rest.split_first() else { return 1 };
    let mut n_legal = draw(board, rest);
    for color in Color::BOTH {
        if !can_stand(board, color, vertex) {
            continue;
        }
        if rest.is_empty() {
            n_legal += 1;
            continue;
        }
        let mut after = *board;
        after.play(color, after.to_move(vertex));
        n_legal += draw(&after, rest);
    }
    n_legal
}

/// True if a stone neither captures nor is suicide.
fn can_stand(board: &Board<Upto9>, color: Color, vertex: Vertex) -> bool {
    let point = board.point(vertex);
    let takes = |near| board.stone(near) == Some(!color) && board.liberties(near).len() == 1;
    !board.neighbours(point).any(takes) && !board.is_suicide_for(color, point)
}

/// Counts by trying every arrangement of stones.
fn count_by_setup(width: usize, height: usize) -> usize {
    let size = Size::new(width, height).unwrap();
    let contents = [None, Some(Color::Black), Some(Color::White)];
    let is_legal = |number: &usize| {
        let mut setup = Setup::new(size);
        let mut rest = *number;
        for vertex in size.vertices() {
            setup.set(vertex, contents[rest % 3]).unwrap();
            rest /= 3;
        }
        setup.check().is_ok()
    };
    (0..3usize.pow(size.area() as u32)).filter(is_legal).count()
}

#[test]
fn boards_have_the_known_numbers_of_legal_positions() {
    assert_eq!(count_by_playing(2, 2), 57);
    assert_eq!(count_by_playing(2, 3), 489);
    assert_eq!(count_by_playing(3, 2), 489);
    assert_eq!(count_by_playing(3, 3), 12_675);
    assert_eq!(count_by_playing(3, 4), 321_689);
    assert_eq!(count_by_playing(4, 4), 24_318_165);
}

#[test]
fn setups_have_the_known_numbers_of_legal_positions() {
    assert_eq!(count_by_setup(2, 2), 57);
    assert_eq!(count_by_setup(3, 2), 489);
    assert_eq!(count_by_setup(3, 3), 12_675);
    assert_eq!(count_by_setup(4, 3), 321_689);
}
