//! Globals 5..=11, 17 and 18: komi and the rules.

use goban::{Color, Ko, Scoring, SizeClass, Tax};

use super::{N_GLOBALS, NetPosition, global};

/// Komi beyond the area of the board by more than this is cut.
const MAX_EXCESS: f32 = 20.0;
/// Points of komi in one unit of its global.
const KOMI_UNIT: f32 = 20.0;

pub(super) fn fill<C: SizeClass>(position: &NetPosition<'_, C>, globals: &mut [f32; N_GLOBALS]) {
    let area = position.board.size().area();
    let limit = area as f32 + MAX_EXCESS;
    let komi = own_komi(position).clamp(-limit, limit);
    let rules = &position.rules;
    globals[global::KOMI] = komi / KOMI_UNIT;
    (globals[global::SUPERKO], globals[global::KO_KIND]) = match rules.ko {
        Ko::Simple => (0.0, 0.0),
        Ko::Positional => (1.0, 0.5),
        Ko::Situational => (1.0, -0.5),
    };
    let flag = |is_set: bool| f32::from(u8::from(is_set));
    globals[global::SUICIDE] = flag(rules.suicide);
    globals[global::TERRITORY] = flag(rules.scoring == Scoring::Territory);
    globals[global::SEKI_TAX] = flag(rules.tax != Tax::None);
    globals[global::GROUP_TAX] = flag(rules.tax == Tax::All);
    globals[global::BUTTON] = flag(position.has_button);
    if rules.scoring == Scoring::Area {
        globals[global::KOMI_WAVE] = komi_wave(komi, area);
    }
}

/// Points that the player to move is given before the board is counted. Territory scoring is told as area scoring in which
/// each player pays a point for each stone he has placed.
pub(super) fn own_komi<C: SizeClass>(position: &NetPosition<'_, C>) -> f32 {
    let n_placed = |color| position.board.n_on_board(color) as f32 + position.board.n_captured(color) as f32;
    let paid = match position.rules.scoring {
        Scoring::Area => 0.0,
        Scoring::Territory => n_placed(Color::Black) - n_placed(Color::White),
    };
    let white = position.komi + paid;
    // Adding zero spares the network the negative one.
    if position.to_play == Color::White { white } else { 0.0 - white }
}

/// A wave of period 2 in komi that rises from -0.5 to 0.5 around each komi that allows a draw and falls between them: on a
/// board without neutral points at its end, half a point matters around those and nowhere else. They are the whole numbers
/// as even or odd as `area`, the number of points.
pub fn komi_wave(komi: f32, area: usize) -> f32 {
    let parity = (area % 2) as f32;
    let drawable = ((komi - parity) / 2.0).floor() * 2.0 + parity;
    match (komi - drawable).clamp(0.0, 2.0) {
        above if above < 0.5 => above,
        above if above < 1.5 => 1.0 - above,
        above => above - 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::features::tests::Told;
    use goban::{Position, Rules, Size};

    fn told(rules: Rules, side: usize, komi: f32) -> [f32; N_GLOBALS] {
        let mut game = Position::new(Size::square(side).unwrap(), rules);
        game.set_komi(komi).unwrap();
        Told::of(&game).globals
    }

    #[test]
    fn rules_are_told() {
        let of = |rules| told(rules, 9, 7.5)[5..12].to_vec();
        assert_eq!(of(Rules::TROMP_TAYLOR), [-0.375, 1.0, 0.5, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(Rules::CHINESE), [-0.375, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(Rules::AGA), [-0.375, 1.0, -0.5, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(Rules::NEW_ZEALAND), [-0.375, 1.0, -0.5, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(Rules::JAPANESE), [-0.375, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(of(Rules::STONE_SCORING), [-0.375, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn komi_is_cut_beyond_the_board() {
        assert_eq!(told(Rules::CHINESE, 9, 1e6)[global::KOMI], -101.0 / 20.0);
        assert_eq!(told(Rules::CHINESE, 9, -1e6)[global::KOMI], 101.0 / 20.0);
    }

    #[test]
    fn the_wave_rises_at_komis_that_allow_a_draw() {
        // 81 points are shared as an odd difference, 64 as an even one.
        let odd = [6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0].map(|komi| komi_wave(komi, 81));
        assert_eq!(odd, [0.0, -0.5, 0.0, 0.5, 0.0, -0.5, 0.0]);
        let even = [6.0, 6.5, 7.0, 7.5, -0.5, -1.0, -1.5].map(|komi| komi_wave(komi, 64));
        assert_eq!(even, [0.0, 0.5, 0.0, -0.5, -0.5, 0.0, 0.5]);
        assert_eq!(komi_wave(6.75, 81), -0.25);
        // Black's komi of -7.5: as far below the draw at -7 as White is above it.
        assert_eq!(told(Rules::CHINESE, 9, 7.5)[global::KOMI_WAVE], -0.5);
        assert_eq!(told(Rules::JAPANESE, 9, 7.5)[global::KOMI_WAVE], 0.0);
    }
}
