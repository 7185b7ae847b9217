//! The rectangles of a board and the shapes in them, as numbers.
//!
//! What a rectangle shows is a number in base 3: 0 empty, 1 black, 2 white, the point at the top left having the lowest digit, row
//! by row. The shapes of all rectangles are numbered through: those of the first rectangle, then those of the second, and so on.

use goban::{Board, Color, Content, Keep, Point, Size, SizeClass};

/// Width and height of a kind of rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RectKind {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl RectKind {
    /// All kinds, from the smallest.
    pub const ALL: [RectKind; 7] = [
        RectKind::of(1, 1),
        RectKind::of(1, 2),
        RectKind::of(2, 1),
        RectKind::of(2, 2),
        RectKind::of(2, 3),
        RectKind::of(3, 2),
        RectKind::of(3, 3),
    ];

    const fn of(width: usize, height: usize) -> RectKind {
        RectKind { width, height }
    }

    /// The number of different shapes.
    pub const fn n_shapes(self) -> usize {
        POWERS[self.width * self.height] as usize
    }
}

/// Powers of 3, up to the number of shapes of the largest rectangle.
pub const POWERS: [u16; 10] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683];

/// A rectangle of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeRect {
    /// Its index in [`RectKind::ALL`].
    pub kind_idx: usize,
    /// The column of its left edge, from 0.
    pub col: usize,
    /// The row of its top edge, from 0.
    pub row: usize,
}

impl ShapeRect {
    /// Width and height.
    pub const fn kind(self) -> RectKind {
        RectKind::ALL[self.kind_idx]
    }
}

/// All rectangles of a board, kind by kind, then row by row.
pub fn rects(size: Size) -> impl Iterator<Item = ShapeRect> {
    RectKind::ALL.into_iter().enumerate().flat_map(move |(kind_idx, kind)| {
        let (cols, rows) = (size.width() + 1, size.height() + 1);
        let n_cols = cols.saturating_sub(kind.width);
        let n_rows = rows.saturating_sub(kind.height);
        (0..n_rows).flat_map(move |row| (0..n_cols).map(move |col| ShapeRect { kind_idx, col, row }))
    })
}

/// The number of each rectangle's empty shape among the shapes of all, and the number of all shapes.
pub fn first_shapes(rects: &[ShapeRect]) -> (Vec<u32>, usize) {
    let mut n_shapes = 0;
    let mut first = Vec::with_capacity(rects.len());
    for rect in rects {
        first.push(n_shapes as u32);
        n_shapes += rect.kind().n_shapes();
    }
    (first, n_shapes)
}

/// A rectangle with a point in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The rectangle's number.
    pub rect: u16,
    /// What a black stone on the point adds to the rectangle's number in base 3; a white one adds twice as much.
    pub power: u16,
}

/// The rectangles of a board of one size, by number and by point.
#[derive(Clone, Debug)]
pub struct ShapeGrid {
    size: Size,
    /// By rectangle: the number of its empty shape.
    first: Vec<u32>,
    /// By point: where its rectangles begin in `touches`; one more at the end.
    starts: Vec<u32>,
    touches: Vec<Touch>,
}

impl ShapeGrid {
    /// The rectangles of a board of `size` whose points are those of class `C`.
    pub fn new<C: SizeClass>(size: Size) -> ShapeGrid {
        let rects: Vec<ShapeRect> = rects(size).collect();
        let mut of_point = vec![Vec::new(); C::POINTS];
        for (number, rect) in rects.iter().enumerate() {
            let kind = rect.kind();
            for (at, &power) in POWERS.iter().enumerate().take(kind.width * kind.height) {
                let (col, row) = (rect.col + at % kind.width, rect.row + at / kind.width);
                of_point[row * C::STRIDE + col].push(Touch { rect: number as u16, power });
            }
        }
        let (first, _) = first_shapes(&rects);
        let mut starts = vec![0];
        let mut touches = Vec::new();
        for list in of_point {
            touches.extend(list);
            starts.push(touches.len() as u32);
        }
        ShapeGrid { size, first, starts, touches }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of rectangles.
    pub fn n_rects(&self) -> usize {
        self.first.len()
    }

    /// By rectangle: the number of its empty shape among those of all rectangles.
    pub fn first_shapes(&self) -> &[u32] {
        &self.first
    }

    /// The rectangles with a point in them; at most 30.
    #[inline(always)]
    pub fn touches(&self, point: Point) -> &[Touch] {
        let (start, end) = (self.starts[point.idx()], self.starts[point.idx() + 1]);
        &self.touches[start as usize..end as usize]
    }
}

/// What stands on a point, as a digit: 0 empty, 1 black, 2 white.
#[inline(always)]
pub fn digit(content: Content) -> u8 {
    match content {
        Content::Empty => 0,
        Content::Stone(color) => stone_digit(color),
    }
}

/// The digit of a stone.
#[inline(always)]
pub fn stone_digit(color: Color) -> u8 {
    1 + color.idx() as u8
}

/// The shape of every rectangle of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeCodes {
    /// By rectangle: the number of its shape among those of all rectangles.
    pub shapes: Vec<u32>,
    /// By point: its digit.
    digits: Vec<u8>,
}

impl ShapeCodes {
    /// The shapes of the empty board.
    pub fn new<C: SizeClass>(grid: &ShapeGrid) -> ShapeCodes {
        ShapeCodes { shapes: grid.first.clone(), digits: vec![0; C::POINTS] }
    }

    /// Becomes the same as another of the same board, without new memory.
    pub fn copy_from(&mut self, other: &ShapeCodes) {
        self.shapes.copy_from_slice(&other.shapes);
        self.digits.copy_from_slice(&other.digits);
    }

    /// The digit of a point.
    #[inline(always)]
    pub fn digit(&self, point: Point) -> u8 {
        self.digits[point.idx()]
    }

    /// Puts `to` on a point and shows each rectangle with it, with the number of its new shape.
    #[inline(always)]
    pub fn set(&mut self, grid: &ShapeGrid, point: Point, to: u8, mut each: impl FnMut(usize, u32)) {
        let from = std::mem::replace(&mut self.digits[point.idx()], to);
        let step = i32::from(to) - i32::from(from);
        for touch in grid.touches(point) {
            let rect = usize::from(touch.rect);
            let shape = self.shapes[rect].wrapping_add_signed(step * i32::from(touch.power));
            self.shapes[rect] = shape;
            each(rect, shape);
        }
    }

    /// The points whose digit is not what the board holds, with what it holds.
    pub fn differences<'a, C: SizeClass, K: Keep>(
        &'a self,
        board: &'a Board<C, K>,
    ) -> impl Iterator<Item = (Point, u8)> + 'a {
        let vertices = board.size().vertices();
        vertices.filter_map(move |vertex| {
            let point = C::point(vertex);
            let there = digit(board.at(point));
            (there != self.digit(point)).then_some((point, there))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Move, Upto9};

    #[test]
    fn rectangles_of_a_board_are_counted() {
        // 81 points, 2·72 pairs, 64 squares of four, 2·56 of six, 49 of nine.
        let grid = ShapeGrid::new::<Upto9>(Size::square(9).unwrap());
        assert_eq!(grid.n_rects(), 81 + 144 + 64 + 112 + 49);
        let board = Board::<Upto9>::new(Size::square(9).unwrap());
        let n_touches = |text: &str| {
            let mv = board.to_move(board.size().parse_vertex(text).unwrap());
            grid.touches(mv.point().unwrap()).len()
        };
        // In the corner one of each kind; in the middle every place of the point in the rectangle.
        assert_eq!((n_touches("a1"), n_touches("e5")), (7, 1 + 4 + 4 + 12 + 9));
        assert_eq!(ShapeGrid::new::<Upto9>(Size::square(2).unwrap()).n_rects(), 4 + 4 + 1);
    }

    #[test]
    fn a_stone_changes_the_numbers_of_its_rectangles_only() {
        let size = Size::square(3).unwrap();
        let (grid, mut board) = (ShapeGrid::new::<Upto9>(size), Board::<Upto9>::new(size));
        let mut codes = ShapeCodes::new::<Upto9>(&grid);
        let empty = codes.clone();
        board.play(Color::White, board.to_move(size.parse_vertex("b3").unwrap()));
        let changes: Vec<(Point, u8)> = codes.differences(&board).collect();
        assert_eq!(changes.len(), 1);
        let mut n_changed = 0;
        codes.set(&grid, changes[0].0, changes[0].1, |_, _| n_changed += 1);
        // The 3×3 is the last; its second point from the left in the top row has the digit 3.
        assert_eq!(codes.shapes.last().unwrap() - empty.shapes.last().unwrap(), 2 * 3);
        let n_different = codes.shapes.iter().zip(&empty.shapes).filter(|(a, b)| a != b).count();
        assert_eq!((n_different, codes.differences(&board).count()), (n_changed, 0));
        codes.set(&grid, changes[0].0, 0, |_, _| {});
        assert_eq!(codes, empty);
        assert!(board.to_move(goban::Vertex::PASS) == Move::PASS);
    }
}
