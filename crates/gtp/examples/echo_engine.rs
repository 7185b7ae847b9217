//! The smallest engine: it remembers a number, echoes text, and can count aloud until it is
//! told anything else. `cargo run -p tengen-gtp --example echo_engine`, then type `help`.

use gtp::{Args, Context, Entry, Registry, Response, serve};
use std::io::{self, BufReader};
use std::time::Duration;

#[derive(Default)]
struct Engine {
    number: i32,
}

fn echo(_: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    Ok(args.rest().to_owned())
}

fn set(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    engine.number = args.int("number", -100..=100)?;
    args.finish()?;
    Ok(String::new())
}

fn count(engine: &mut Engine, _: &mut Args<'_>, cx: &mut Context<'_>) -> Response {
    cx.begin();
    while !cx.wait_for_input(Duration::from_millis(10)) {
        engine.number += 1;
        cx.line(&format!("info number {}", engine.number));
    }
    Ok(String::new())
}

fn main() -> Result<(), gtp::RegistryError> {
    gtp::stderr::install_panic_hook();
    let mut registry = Registry::new();
    registry.group(
        "echo",
        &[
            Entry::new("name", "", "The engine's name.", |_, _, _| Ok("Echo".to_owned())),
            Entry::new("version", "", "The engine's version.", |_, _, _| Ok("1.0".to_owned())),
            Entry::new("echo", "TEXT", "Says it back.", echo),
            Entry::new("set", "NUMBER", "Remembers a number from -100 to 100.", set),
            Entry::new("count", "", "Counts up until the next line.", count),
        ],
    )?;
    serve(&registry, &mut Engine::default(), BufReader::new(io::stdin()), io::stdout());
    Ok(())
}
