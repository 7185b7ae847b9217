//! Counting area: stones and the empty points that only one colour reaches.

use super::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// Area of Black and of White on the board as it stands: every stone is alive.
    #[inline]
    pub fn area(&self) -> (usize, usize) {
        let mut area = [self.n_on_board(Color::Black), self.n_on_board(Color::White)];
        for point in self.empties() {
            let code = self.code(point);
            if code.empty_neighbours() != 0 {
                // Regions of several points need the slow way; a playout leaves hardly any.
                return self.area_by_flood();
            }
            area[0] += usize::from(code.is_surrounded_by(Color::Black));
            area[1] += usize::from(code.is_surrounded_by(Color::White));
        }
        (area[0], area[1])
    }

    fn area_by_flood(&self) -> (usize, usize) {
        let mut area = [0, 0];
        self.each_owner(|_, owner| {
            if let Some(color) = owner {
                area[color.idx()] += 1;
            }
        });
        (area[0], area[1])
    }

    /// Calls `f` with every point and who owns it: the colour of its stone, or the only colour that its empty
    /// region touches, or nobody.
    pub fn each_owner(&self, mut f: impl FnMut(Point, Option<Color>)) {
        let [black, white] = [self.stones(Color::Black), self.stones(Color::White)];
        black.iter().for_each(|point| f(point, Some(Color::Black)));
        white.iter().for_each(|point| f(point, Some(Color::White)));
        let mut rest = self.state.empty;
        while let Some(first) = rest.first() {
            let mut seed = C::Set::EMPTY;
            seed.insert(first);
            let region = C::flood(&seed, &self.state.empty);
            rest = rest.difference(&region);
            let border = C::dilate(&region);
            let owner = match (!border.is_disjoint(&black), !border.is_disjoint(&white)) {
                (true, false) => Some(Color::Black),
                (false, true) => Some(Color::White),
                _ => None,
            };
            region.iter().for_each(|point| f(point, owner));
        }
    }
}
