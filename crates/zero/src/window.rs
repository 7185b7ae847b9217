//! The rows of the latest games, from which training draws.

use std::collections::VecDeque;
use std::sync::Arc;

use goban::Rng;
use train::net::Row;

/// The rows in the order in which they came.
#[derive(Debug, Default)]
pub struct Window {
    rows: VecDeque<Arc<Row>>,
}

impl Window {
    /// Takes rows in, and lets the oldest go beyond `most` of them.
    pub fn add(&mut self, rows: impl IntoIterator<Item = Row>, most: usize) {
        self.rows.extend(rows.into_iter().map(Arc::new));
        let n_old = self.rows.len().saturating_sub(most);
        self.rows.drain(..n_old);
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Draws `n` rows, each as likely; none from an empty window.
    pub fn draw(&self, n: usize, rng: &mut Rng) -> Vec<Arc<Row>> {
        let draw = |_| self.rows.get(rng.below(self.rows.len().max(1) as u32) as usize).cloned();
        (0..n).filter_map(draw).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_rows_go_first_and_all_others_are_drawn() {
        let mut window = Window::default();
        assert!(window.draw(5, &mut Rng::new(1)).is_empty());
        let rows = |range: std::ops::Range<u8>| range.map(|n| Row { weight: f32::from(n), ..Row::default() });
        window.add(rows(0..10), 8);
        window.add(rows(10..14), 8);
        let drawn = window.draw(500, &mut Rng::new(1));
        let mut drawn: Vec<u8> = drawn.iter().map(|row| row.weight as u8).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!((window.len(), drawn), (8, (6..14).collect()));
    }
}
