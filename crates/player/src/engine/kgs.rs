//! The commands of KGS's client; its clocks and rules stand in their own groups.

use gtp::{Args, Context, Entry, Registry, RegistryError, Response};

use super::think::Purpose;
use super::{Engine, input};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "kgs-genmove_cleanup",
            "COLOUR",
            "As genmove, but passes only when all dead enemy stones are captured.",
            |engine: &mut Engine, args, cx| {
                engine.genmove(input::color(args)?, Purpose::Cleanup, cx.interrupt())
            },
        ),
        // The game may be resumed, so the board stays.
        Entry::new("kgs-game_over", "", "Says that the game has ended.", |engine, _, _| {
            engine.seat.stop();
            Ok(String::new())
        }),
    ];
    registry.group("kgs", &commands).map(|_| ())
}

/// Apart from the rest, since some versions of kgsGtp do not survive an engine that can talk.
pub(super) fn register_chat(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let synopsis = "game|private USER TEXT";
    registry.group("chat", &[Entry::new("kgs-chat", synopsis, "Answers a chat message.", chat)]).map(|_| ())
}

fn chat(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    args.choice("kind of chat", &[("game", ()), ("private", ())])?;
    args.word("user")?;
    let asks_why = args.any(|word| word.trim_matches(['?', '!', '.']).eq_ignore_ascii_case("why"));
    Ok(match &engine.comment {
        Some(comment) if asks_why => comment.replace('\n', " "),
        _ => format!(
            "I am {} {}, a program, and know one word: ask me why I played my last move.",
            engine.options.name, engine.options.version
        ),
    })
}
