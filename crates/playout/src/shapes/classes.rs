//! Which shapes share a weight.
//!
//! A *class* is a weight that several shapes share. The location-dependent classes hold the shapes that the eight symmetries of
//! the board carry into one another; the location-independent ones hold all translations of such a shape as well. Exchanging the
//! colours gives a shape of the same class with the opposite sign. A shape that a symmetry of its own rectangle turns into its
//! opposite would have to be worth as much as minus itself: it has no weight.

use goban::{Size, Symmetry, Vertex};

use super::grid::{POWERS, RectKind, ShapeRect, first_shapes, rects};

/// A class and a sign in one number: twice the number of the class, one more where the weight counts with the opposite sign. Class
/// 0 is that of shapes without a weight.
pub type Entry = u32;

/// Not yet known.
const UNSET: Entry = Entry::MAX;

/// The classes of the shapes of a square board.
#[derive(Clone, Debug)]
pub struct ShapeClasses {
    side: usize,
    /// By number of a shape among those of all rectangles.
    placed: Vec<Entry>,
    /// By kind of rectangle, then by shape.
    anywhere: Vec<Vec<Entry>>,
    n_placed: usize,
    n_classes: usize,
}

impl ShapeClasses {
    /// The classes of boards of `size`, which must be square to be used by its name in a file; others have four symmetries only.
    ///
    /// Their order is fixed: files of weights rely on it.
    pub fn new(size: Size) -> ShapeClasses {
        let turned = TurnedShapes::new();
        let mut next = 1;
        let placed = placed(size, &turned, &mut next);
        let n_placed = next as usize - 1;
        let anywhere = anywhere(&turned, &mut next);
        ShapeClasses { side: size.width(), placed, anywhere, n_placed, n_classes: next as usize }
    }

    /// The side of the board.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Number of classes, that of shapes without a weight included.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Number of location-dependent classes. They have the numbers from 1 on; the location-independent ones follow.
    pub fn n_placed(&self) -> usize {
        self.n_placed
    }

    /// The location-dependent class of a shape, by its number among those of all rectangles.
    #[inline(always)]
    pub fn placed(&self, shape: u32) -> Entry {
        self.placed[shape as usize]
    }

    /// The location-dependent classes of all shapes.
    pub fn all_placed(&self) -> &[Entry] {
        &self.placed
    }

    /// The location-independent classes of the shapes of a kind of rectangle.
    #[inline(always)]
    pub fn anywhere(&self, kind_idx: usize) -> &[Entry] {
        &self.anywhere[kind_idx]
    }
}

/// What the symmetries make of every shape.
struct TurnedShapes {
    /// By kind, symmetry and shape: the shape that it becomes, in the kind of [`TurnedShapes::kind`].
    shapes: Vec<[Vec<u16>; 8]>,
    /// By shape: the one with exchanged colours. The same for all kinds, since it works digit by digit.
    exchanged: Vec<u16>,
}

impl TurnedShapes {
    fn new() -> TurnedShapes {
        let shapes = RectKind::ALL.iter().map(|&kind| Symmetry::ALL.map(|symmetry| turn(kind, symmetry)));
        let exchange = |shape: u16| {
            (0..9).map(|at| [0, 2, 1][usize::from(shape / POWERS[at] % 3)] * POWERS[at]).sum::<u16>()
        };
        TurnedShapes { shapes: shapes.collect(), exchanged: (0..POWERS[9]).map(exchange).collect() }
    }

    /// The kind that a kind of rectangle becomes.
    fn kind(kind_idx: usize, symmetry: Symmetry) -> usize {
        // Those after the fourth exchange rows and columns.
        let is_transposed = symmetry.idx() >= 4;
        if is_transposed { [0, 2, 1, 3, 5, 4, 6][kind_idx] } else { kind_idx }
    }

    /// Gives the shapes of a rectangle their classes; `own` are the symmetries that leave the rectangle in its place. A new class
    /// takes the number `next`.
    fn classify(&self, kind_idx: usize, own: &[Symmetry], next: &mut u32, entries: &mut [Entry]) {
        for shape in 0..entries.len() {
            if entries[shape] != UNSET {
                continue;
            }
            let images = |symmetry: &Symmetry| usize::from(self.shapes[kind_idx][symmetry.idx()][shape]);
            let exchanged = |image: usize| usize::from(self.exchanged[image]);
            if own.iter().any(|symmetry| exchanged(images(symmetry)) == shape) {
                own.iter().for_each(|symmetry| entries[images(symmetry)] = 0);
                continue;
            }
            for symmetry in own {
                let image = images(symmetry);
                entries[image] = 2 * *next;
                entries[exchanged(image)] = 2 * *next + 1;
            }
            *next += 1;
        }
    }
}

/// By shape of a kind of rectangle: what a symmetry makes of it.
fn turn(kind: RectKind, symmetry: Symmetry) -> Vec<u16> {
    // On a board of 3×3 the rectangle at the top left goes to some rectangle.
    let Ok(board) = Size::square(3) else { return Vec::new() };
    let cells = (0..kind.width * kind.height).map(|at| Vertex::new(at % kind.width, at / kind.width));
    let images: Vec<Vertex> = cells.map(|vertex| symmetry.apply(board, vertex)).collect();
    let left = images.iter().map(|vertex| vertex.col()).min().unwrap_or(0);
    let top = images.iter().map(|vertex| vertex.row()).min().unwrap_or(0);
    let width = if symmetry.idx() >= 4 { kind.height } else { kind.width };
    let places: Vec<usize> =
        images.iter().map(|vertex| (vertex.row() - top) * width + vertex.col() - left).collect();
    let image =
        |shape: u16| places.iter().zip(POWERS).map(|(&to, power)| shape / power % 3 * POWERS[to]).sum();
    (0..kind.n_shapes() as u16).map(image).collect()
}

/// The classes of all shapes at their places.
fn placed(size: Size, turned: &TurnedShapes, next: &mut u32) -> Vec<Entry> {
    let all: Vec<ShapeRect> = rects(size).collect();
    let (firsts, n_shapes) = first_shapes(&all);
    let mut entries = vec![UNSET; n_shapes];
    for (rect, &first) in all.iter().zip(&firsts) {
        if entries[first as usize] != UNSET {
            continue;
        }
        let image = |symmetry: &Symmetry| turned_rect(size, *rect, *symmetry);
        let symmetries = Symmetry::of(size);
        let own: Vec<Symmetry> =
            symmetries.iter().filter(|symmetry| image(symmetry) == *rect).copied().collect();
        let mut classes = vec![UNSET; rect.kind().n_shapes()];
        turned.classify(rect.kind_idx, &own, next, &mut classes);
        for symmetry in symmetries {
            let Some(to) = all.iter().position(|other| *other == image(symmetry)) else { continue };
            let shapes = &turned.shapes[rect.kind_idx][symmetry.idx()];
            for (&shape, &entry) in shapes.iter().zip(&classes) {
                entries[firsts[to] as usize + usize::from(shape)] = entry;
            }
        }
    }
    entries
}

/// Where a rectangle goes.
fn turned_rect(size: Size, rect: ShapeRect, symmetry: Symmetry) -> ShapeRect {
    let kind = rect.kind();
    let corner = |col: usize, row: usize| symmetry.apply(size, Vertex::new(col, row));
    let (a, b) = (corner(rect.col, rect.row), corner(rect.col + kind.width - 1, rect.row + kind.height - 1));
    ShapeRect {
        kind_idx: TurnedShapes::kind(rect.kind_idx, symmetry),
        col: a.col().min(b.col()),
        row: a.row().min(b.row()),
    }
}

/// The classes of all shapes wherever they stand, by kind.
fn anywhere(turned: &TurnedShapes, next: &mut u32) -> Vec<Vec<Entry>> {
    let mut kinds: Vec<Vec<Entry>> = RectKind::ALL.iter().map(|kind| vec![UNSET; kind.n_shapes()]).collect();
    for kind_idx in 0..RectKind::ALL.len() {
        if kinds[kind_idx][0] != UNSET {
            continue;
        }
        let keeps = |symmetry: &Symmetry| TurnedShapes::kind(kind_idx, *symmetry) == kind_idx;
        let own: Vec<Symmetry> = Symmetry::ALL.into_iter().filter(keeps).collect();
        let mut classes = vec![UNSET; RectKind::ALL[kind_idx].n_shapes()];
        turned.classify(kind_idx, &own, next, &mut classes);
        for symmetry in Symmetry::ALL {
            let to = &mut kinds[TurnedShapes::kind(kind_idx, symmetry)];
            for (&shape, &entry) in turned.shapes[kind_idx][symmetry.idx()].iter().zip(&classes) {
                to[usize::from(shape)] = entry;
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{ShapeCodes, ShapeGrid};
    use goban::{AnyBoard, Board, Color, Position, Rng, Rules, Upto9};

    fn classes(side: usize) -> ShapeClasses {
        ShapeClasses::new(Size::square(side).unwrap())
    }

    /// How often each class counts on a board, with its sign.
    fn counts(classes: &ShapeClasses, board: &AnyBoard) -> Vec<i32> {
        let size = board.size();
        let grid = ShapeGrid::new::<Upto9>(size);
        let mut codes = ShapeCodes::new::<Upto9>(&grid);
        let mut copy = Board::<Upto9>::new(size);
        for color in Color::BOTH {
            board.stones(color).into_iter().for_each(|vertex| {
                copy.play(color, copy.to_move(vertex));
            });
        }
        let changes: Vec<_> = codes.differences(&copy).collect();
        changes.into_iter().for_each(|(point, digit)| codes.set(&grid, point, digit, |_, _| {}));
        let empty = ShapeCodes::new::<Upto9>(&grid);
        let mut found = vec![0; classes.n_classes()];
        let mut count =
            |entry: Entry| found[entry as usize / 2] += if entry.is_multiple_of(2) { 1 } else { -1 };
        for (rect, (&shape, &first)) in rects(size).zip(codes.shapes.iter().zip(&empty.shapes)) {
            count(classes.placed(shape));
            count(classes.anywhere(rect.kind_idx)[(shape - first) as usize]);
        }
        found[0] = 0;
        found
    }

    #[test]
    fn single_points_of_three_by_three_have_four_weights() {
        let classes = classes(3);
        // Corner, edge, middle, and a stone wherever it stands.
        let entries =
            |digit: u32| -> Vec<Entry> { (0..9).map(|at| classes.placed(3 * at + digit)).collect() };
        assert_eq!(entries(0), [0; 9], "an empty point is its own opposite");
        assert_eq!(entries(1), [2, 4, 2, 4, 6, 4, 2, 4, 2]);
        assert_eq!(entries(2), [3, 5, 3, 5, 7, 5, 3, 5, 3]);
        let any = 2 * (classes.n_placed() as u32 + 1);
        assert_eq!(classes.anywhere(0), [0, any, any + 1]);
        // A black and a white stone side by side: worth nothing anywhere, for the mirror shows the opposite.
        assert_eq!(classes.anywhere(2)[1 + 2 * 3], 0);
        assert_eq!(classes.anywhere(1), classes.anywhere(2), "standing and lying pairs are the same");
    }

    #[test]
    fn symmetric_boards_count_the_same_and_exchanged_ones_the_opposite() {
        let classes = classes(5);
        let size = Size::square(5).unwrap();
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            let mut game = Position::new(size, Rules::TROMP_TAYLOR);
            let mut opposite = Position::new(size, Rules::TROMP_TAYLOR);
            for _ in 0..10 {
                let moves = game.legal_moves(game.to_play());
                let vertex = moves[rng.below(moves.len() as u32) as usize];
                let color = game.to_play();
                game.play(color, vertex).unwrap();
                opposite.play(!color, vertex).unwrap();
            }
            let found = counts(&classes, game.board());
            let negated: Vec<i32> = counts(&classes, opposite.board()).iter().map(|n| -n).collect();
            assert_eq!(found, negated);
            for &symmetry in Symmetry::of(size) {
                assert_eq!(counts(&classes, game.transformed(symmetry).board()), found, "{symmetry:?}");
            }
        }
    }

    #[test]
    fn the_classes_of_nine_by_nine_are_those_that_files_rely_on() {
        let classes = classes(9);
        assert_eq!((classes.n_placed(), classes.n_classes()), (67_124, 68_654));
        assert!(classes.all_placed().iter().all(|&entry| entry != UNSET));
    }
}
