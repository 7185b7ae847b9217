//! The commands of gomill's ringmaster, for its tables and records.

use gtp::{Args, Context, Entry, Registry, RegistryError, Response};

use super::think::Purpose;
use super::{Engine, input, session};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "gomill-cpu_time",
            "",
            "Seconds of processor time used so far.",
            |_: &mut Engine, _, _| Ok(format!("{:.3}", session::cpu_seconds()?)),
        ),
        Entry::new("gomill-describe_engine", "", "Recipe and settings of the engine.", describe),
        Entry::new("gomill-explain_last_move", "", "Why our last move was played.", |engine, _, _| {
            Ok(engine.comment.clone().unwrap_or_default())
        }),
        Entry::new(
            "gomill-genmove_ex",
            "[COLOUR KEYWORD…]",
            "As genmove; we know no keywords. Without arguments: the list of keywords.",
            genmove_ex,
        ),
    ];
    registry.group("gomill", &commands).map(|_| ())
}

fn describe(engine: &mut Engine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let options = &engine.options;
    let mut lines = vec![format!("{} {}", options.name, options.version)];
    if !options.description.is_empty() {
        lines.push(options.description.clone());
    }
    lines.extend(options.playouts.map(|n| format!("{n} playouts per move")));
    lines.extend(options.time.map(|time| format!("{} s per move", time.as_secs_f64())));
    lines.push(format!("rules: {}", engine.position.rules()));
    Ok(lines.join("\n"))
}

fn genmove_ex(engine: &mut Engine, args: &mut Args<'_>, cx: &mut Context<'_>) -> Response {
    if args.is_empty() {
        return Ok(String::new());
    }
    engine.genmove(input::color(args)?, Purpose::Play, cx.interrupt())
}
