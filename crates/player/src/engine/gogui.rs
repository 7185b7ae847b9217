//! The commands of GoGui: set-up, sequences, and the list of commands for its menu.

use goban::{Color, Vertex};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::{Engine, basic, input};
use crate::dead;

/// The menu: how GoGui shows the answer, the label, the command.
const MENU: &str = "\
gfx/Search/tengen-gfx %m
string/Value/tengen-value %m
varc/Expected Line/tengen-pv %c
pspairs/Policy in Percent/tengen-policy %m
pspairs/Win Rates in Percent/tengen-winrate %m
param/Settings/tengen-param
dboard/Ownership/tengen-ownership
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Legal Moves/all_legal %m
plist/Liberties/findlib %p
string/Status of Stone/final_status %p
string/Final Score/final_score
string/Explain Last Move/gomill-explain_last_move
string/Show Rules/kata-get-rules
none/Change Rules/kata-set-rules %s
none/Clear Cache/clear_cache
string/CPU Time/cputime";

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("gogui-analyze_commands", "", "The commands for GoGui's menu.", |_: &mut Engine, _, _| {
            Ok(MENU.to_string())
        }),
        // That it is there says that the comment "# interrupt" ends a running command.
        Entry::new("gogui-interrupt", "", "Nothing; see the comment \"# interrupt\".", |_, _, _| {
            Ok(String::new())
        }),
        Entry::new("gogui-version", "VERSION", "Says which GoGui is asking.", |_, _, _| Ok(String::new())),
        Entry::new("gogui-title", "", "The title of GoGui's window.", |engine, _, _| {
            Ok(format!("{} {}", engine.options.name, engine.options.version))
        }),
        Entry::new("gogui-play_sequence", "COLOUR VERTEX…", "Plays all these moves, or none.", play_sequence),
        Entry::new("gogui-setup", "COLOUR VERTEX…", "Puts stones on a board without moves.", setup),
        Entry::new("gogui-setup_player", "COLOUR", "Sets who is to play.", |engine, args, _| {
            engine.position.set_to_play(input::color(args)?);
            Ok(String::new())
        }),
        Entry::new(
            "tengen-ownership",
            "",
            "Who owns each point when the game is played out at random: 1 Black, -1 White.",
            ownership,
        ),
    ];
    registry.group("gogui", &commands).map(|_| ())
}

fn play_sequence(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let mut moves = Vec::new();
    while !args.is_empty() {
        moves.push((input::color(args)?, input::vertex(args, &engine.position)?));
    }
    basic::play_all(&mut engine.position, &moves)?;
    Ok(String::new())
}

fn setup(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    if !engine.position.plays().is_empty() {
        return Err("stones can be set up only before the first move: clear_board first".into());
    }
    let mut stones: Vec<(Vertex, Option<Color>)> = Vec::new();
    while !args.is_empty() {
        let color = input::color(args)?;
        stones.push((input::point(args, &engine.position)?, Some(color)));
    }
    let to_play = engine.position.to_play();
    engine.position.setup(&stones, to_play).map_err(|error| GtpError(error.to_string()))?;
    Ok(String::new())
}

fn ownership(engine: &mut Engine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let owners = dead::ownership(&engine.position);
    let row = |row: &[f32]| row.iter().map(|owner| format!("{owner:.2}")).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = owners.chunks(engine.position.size().width()).map(row).collect();
    Ok(format!("\n{}", rows.join("\n")))
}
