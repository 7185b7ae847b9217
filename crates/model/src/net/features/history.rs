//! Planes 9..=13 and globals 0..=4 and 14: the last five moves, and whether a pass ends the game.

use goban::SizeClass;

use super::globals::own_komi;
use super::{N_GLOBALS, NetPosition, PlaneWriter, global, plane};

/// Writes the last moves and returns how many are shown. `area` is the player's area on the board minus the other's,
/// tax paid; `None` where the rules do not count the board as it stands.
pub(super) fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    area: Option<i32>,
    planes: &mut PlaneWriter<'_>,
    globals: &mut [f32; N_GLOBALS],
) -> usize {
    let is_lost = |area| area as f32 + own_komi(position) <= 0.0;
    if position.pass_ends && position.hides_lost_pass && area.is_some_and(is_lost) {
        return 0;
    }
    globals[global::PASS_ENDS] = f32::from(u8::from(position.pass_ends));
    let mut n_shown = 0;
    for mv in position.recent.iter().map_while(|mv| *mv) {
        match mv.point() {
            Some(point) => planes.set::<C>(plane::MOVES + n_shown, point),
            None => globals[global::PASSES + n_shown] = 1.0,
        }
        n_shown += 1;
    }
    n_shown
}
