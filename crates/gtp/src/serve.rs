//! The loop of an engine: lines in, replies out, strictly in order.

use crate::bounded::{Length, read_line, skip_line};
use crate::inbox::Inbox;
use crate::{Command, Context, GtpError, Registry, Response, line, stderr};
use std::any::Any;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 64 << 20;

/// What is kept of a longer line, in bytes: enough for the id that its reply repeats.
const N_ID: usize = 100;

/// Why the loop ended.
#[derive(Debug)]
pub enum End {
    /// The controller said `quit`.
    Quit,
    /// The input ended.
    Eof,
    /// The replies can no longer be written: the controller is gone.
    OutputClosed(io::Error),
}

/// Answers commands until `quit`, the end of the input, or an output that nobody reads any more.
///
/// The input is read in a thread of its own, which is left behind when the loop ends on `quit`. For the standard
/// input pass `BufReader::new(io::stdin())`: its lock cannot move to a thread.
///
/// A handler that panics fails its command and nothing else; that the engine state stays usable is the
/// business of the handlers.
pub fn serve<E>(
    registry: &Registry<E>,
    engine: &mut E,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> End {
    let inbox = Arc::new(Inbox::default());
    let reader = Arc::clone(&inbox);
    thread::spawn(move || read(input, &reader));
    let end = answer(registry, engine, &inbox, &mut output);
    inbox.abandon();
    end
}

/// Answers what comes into the inbox.
fn answer<E>(registry: &Registry<E>, engine: &mut E, inbox: &Arc<Inbox>, output: &mut impl Write) -> End {
    while let Some(line) = inbox.pop() {
        let command = line::parse(&line.text);
        if command.is_none() && !line.is_cut {
            continue;
        }
        let id = command.as_ref().and_then(|command| command.id);
        let mut cx = Context::new(id, registry.catalog(), inbox.handle(line.number), output);
        let response = match command {
            Some(command) if !line.is_cut => run(registry, engine, command, &mut cx),
            _ => Err(GtpError(format!("line too long: expected at most {MAX_LINE} bytes"))),
        };
        match cx.finish(&response) {
            Ok(false) => {}
            Ok(true) => return End::Quit,
            Err(error) => return End::OutputClosed(error),
        }
    }
    End::Eof
}

/// The reader thread: moves lines to the inbox and says how the input ended.
fn read(mut input: impl BufRead, inbox: &Inbox) {
    let mut quit_seen = false;
    let mut raw = Vec::new();
    while let Some(length) = read_line(&mut input, &mut raw, MAX_LINE) {
        // Where only a comment is too long, the command before it is whole.
        let is_cut = length == Length::Cut && !raw.contains(&b'#');
        if is_cut {
            raw.truncate(N_ID);
        }
        let text = line::clean(&raw);
        quit_seen |= !is_cut && line::parse(&text).is_some_and(|command| command.name == "quit");
        if line::is_interrupt(&raw) {
            inbox.interrupt();
        }
        if !inbox.push(text, is_cut) {
            return;
        }
        if length == Length::Cut {
            skip_line(&mut input);
        }
    }
    // After a `quit` the end is as planned, and what was asked before it is answered in full. Without one
    // the controller has died, and the engine must not think on for nobody.
    if quit_seen { inbox.end() } else { inbox.hang_up() }
}

fn run<E>(
    registry: &Registry<E>,
    engine: &mut E,
    mut command: Command<'_>,
    cx: &mut Context<'_>,
) -> Response {
    let handler = registry.handler(command.name).ok_or_else(|| GtpError::from("unknown command"))?;
    let attempt = catch_unwind(AssertUnwindSafe(|| handler(engine, &mut command.args, cx)));
    attempt.unwrap_or_else(|panic| {
        let error = GtpError(format!("internal error: {}", panic_text(&*panic)));
        stderr::log(&format!("command {}: {error}", command.name));
        Err(error)
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a text")
}
