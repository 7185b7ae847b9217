//! The commands of CGOS's client.

use gtp::{Entry, Registry, RegistryError, stderr};

use super::{Engine, analyze, info};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("cgos-opponent_name", "NAME", "Who we play against.", |engine: &mut Engine, args, _| {
            engine.opponent = Some(args.rest().to_string());
            Ok(String::new())
        }),
        Entry::new("cgos-opponent_rating", "RATING", "How strong the opponent is.", |_, _, _| {
            Ok(String::new())
        }),
        Entry::new("cgos-gameover", "RESULT", "How the game has ended.", |engine, args, _| {
            engine.seat.stop();
            let opponent = engine.opponent.as_deref().unwrap_or("an unknown opponent");
            stderr::log(&format!("game against {opponent}: {}", args.rest()));
            Ok(String::new())
        }),
        Entry::new(
            "cgos-genmove_analyze",
            "[COLOUR] [INTERVAL] [KEY VALUE]…",
            "As genmove, with the analysis as JSON before the move.",
            |engine, args, cx| analyze::genmove(engine, args, cx, info::InfoDialect::Cgos),
        ),
    ];
    registry.group("cgos", &commands).map(|_| ())
}
