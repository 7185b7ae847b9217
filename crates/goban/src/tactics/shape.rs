//! Shapes of up to six points: which of them make only one eye, and where their vital point is.

use crate::class::SizeClass;
use crate::point::Point;
use crate::set::PointSet;

/// Shapes of more points than this are taken to make two eyes.
pub const MAX_DEAD: usize = 6;

/// The degrees of a shape's points: a point's degree is its number of neighbours within the shape, 0 to 4.
struct Degrees {
    /// Number of points by degree.
    n: [u8; 5],
    /// The point of the highest degree.
    center: Point,
}

fn degrees<C: SizeClass>(shape: &C::Set) -> Option<Degrees> {
    let mut found = Degrees { n: [0; 5], center: shape.first()? };
    let mut most = 0;
    for point in shape.iter() {
        let degree = C::NEIGHBOURS[point.idx()].intersection(shape).len();
        found.n[degree] += 1;
        if degree > most {
            most = degree;
            found.center = point;
        }
    }
    Some(found)
}

/// The point of a connected eye space at which one stone makes the difference between one eye and two: the middle of
/// three, the middle of the T of four, of the cross and the bulky five, and of the rabbity six.
#[inline]
pub fn vital_point<C: SizeClass>(space: &C::Set) -> Option<Point> {
    let n_points = space.len();
    if !(3..=MAX_DEAD).contains(&n_points) {
        return None;
    }
    let found = degrees::<C>(space)?;
    let has_vital = match n_points {
        3 => true,
        4 => found.n[3] == 1,
        // The cross, or a square with a tail.
        5 => found.n[4] == 1 || (found.n[3] == 1 && found.n[2] == 3),
        // The cross with one of its corners filled.
        _ => found.n[4] == 1 && found.n[2] == 3,
    };
    has_vital.then_some(found.center)
}

/// True if connected stones of this shape, once taken, leave only one eye, provided their owner moves next: two and
/// three stones, the square, and the shapes with a vital point.
#[inline]
pub fn is_dead<C: SizeClass>(stones: &C::Set) -> bool {
    match stones.len() {
        2 | 3 => true,
        4 => degrees::<C>(stones).is_some_and(|found| found.n[3] == 1 || found.n[2] == 4),
        _ => vital_point::<C>(stones).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Upto9;
    use crate::vertex::Vertex;

    /// The points drawn as `X`, and the vertex drawn as `V`, which is one of them too.
    fn drawn(text: &str) -> (<Upto9 as SizeClass>::Set, Option<Point>) {
        let (mut set, mut vital) = (<Upto9 as SizeClass>::Set::EMPTY, None);
        for (row, line) in text.split('/').enumerate() {
            for (col, sign) in line.bytes().enumerate().filter(|(_, sign)| *sign != b'.') {
                let point = Upto9::point(Vertex::new(col, row));
                set.insert(point);
                vital = vital.or((sign == b'V').then_some(point));
            }
        }
        (set, vital)
    }

    #[test]
    fn vital_points_of_the_named_shapes() {
        let with = ["XVX", "XV/.X", "XVX/.X", "XX/XV/.X", "XVX/XX.", ".X/XVX/.X", ".X./XVX/.XX", "XX/VX/X."];
        for text in with {
            let (set, vital) = drawn(text);
            assert!(vital.is_some());
            assert_eq!(vital_point::<Upto9>(&set), vital, "{text}");
            assert!(is_dead::<Upto9>(&set), "{text}");
        }
    }

    #[test]
    fn other_shapes_have_none() {
        let alive = [
            "XXXX",
            "XXX/..X",
            "XX./.XX",
            "XXXXX",
            "XXX/X.X",
            "XXX/XXX",
            "XXXX/.XX",
            "XXXX/.X.",
            "XXX/X../X..",
        ];
        for text in alive {
            let (set, _) = drawn(text);
            assert_eq!(vital_point::<Upto9>(&set), None, "{text}");
            assert!(!is_dead::<Upto9>(&set), "{text}");
        }
        for (text, is_dead_shape) in [("XX/XX", true), ("XX", true), ("X", false)] {
            let (set, _) = drawn(text);
            assert_eq!(vital_point::<Upto9>(&set), None, "{text}");
            assert_eq!(is_dead::<Upto9>(&set), is_dead_shape, "{text}");
        }
    }
}
