//! Clocks in the dialects of the protocol, of KGS and of KataGo.

use std::time::Duration;

use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::{Engine, input};
use crate::clock::{Clock, TimeSystem, seconds};

/// The time systems of `kata-time_settings`; those of KGS are the first four.
const SYSTEMS: [&str; 6] = ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "time_settings",
            "MAIN BYOYOMI STONES",
            "Seconds of main time, seconds of byo-yomi and the number of stones to play in it; seconds for 0 stones: no limit.",
            time_settings,
        ),
        Entry::new(
            "time_left",
            "COLOUR SECONDS STONES",
            "Seconds left of the main time (0 stones), or for the number of stones given, or in the first of the periods given.",
            time_left,
        ),
        Entry::new(
            "kgs-time_settings",
            "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES",
            "Clocks as on KGS.",
            |engine: &mut Engine, args, _| engine.read_system(args, &SYSTEMS[..4]),
        ),
        Entry::new(
            "kata-time_settings",
            "SYSTEM … as kgs-time_settings | fischer MAIN INCREMENT | fischer-capped MAIN INCREMENT CAP TURN",
            "Clocks as for KataGo; CAP and TURN (the longest time for one move) may be -1 for none.",
            |engine, args, _| engine.read_system(args, &SYSTEMS),
        ),
        Entry::new("kata-list_time_settings", "", "The time systems of kata-time_settings.", |_, _, _| {
            Ok(SYSTEMS.join(" "))
        }),
    ];
    registry.group("timing", &commands).map(|_| ())
}

fn time_settings(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let main = args.float("main time", 0.0..)?;
    let period = args.float("byo-yomi time", 0.0..)?;
    let stones = args.int("number of stones", 0..)?;
    engine.set_system(TimeSystem::from_gtp(main, period, stones));
    Ok(String::new())
}

fn time_left(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let color = input::color(args)?;
    // Lag can leave a client with less than nothing, and it is still our move.
    let left = args.float("time left", ..)?;
    let overtime = if args.is_empty() { 0 } else { args.int("number of stones", 0..)? };
    engine.clocks[color.idx()].set_left(left, overtime);
    Ok(String::new())
}

impl Engine {
    fn set_system(&mut self, system: TimeSystem) {
        self.clocks = [Clock::new(system); 2];
        self.turn_limit = None;
    }

    /// Reads a time system by name, of those that are `known`.
    fn read_system(&mut self, args: &mut Args<'_>, known: &[&'static str]) -> Response {
        let choices: Vec<(&str, &str)> = known.iter().map(|&name| (name, name)).collect();
        let name = args.choice("time system", &choices)?;
        let system = match name {
            "none" => TimeSystem::Unlimited,
            "absolute" => TimeSystem::Absolute { main: time(args, "main time")? },
            "byoyomi" => {
                let (main, period) = (time(args, "main time")?, time(args, "time of a period")?);
                match args.int("number of periods", 0..)? {
                    0 => TimeSystem::Absolute { main },
                    periods => TimeSystem::ByoYomi { main, period, periods },
                }
            }
            "canadian" => {
                let (main, period) = (time(args, "main time")?, time(args, "time of a period")?);
                match args.int("number of stones", 0..)? {
                    0 => TimeSystem::Absolute { main },
                    stones => TimeSystem::Canadian { main, period, stones },
                }
            }
            _ => {
                let (main, increment) = (time(args, "main time")?, time(args, "increment")?);
                let cap = if name == "fischer" { None } else { limit(args, "cap of the main time")? };
                TimeSystem::Fischer { main, increment, cap }
            }
        };
        let turn_limit =
            if name == "fischer-capped" { limit(args, "longest time for a move")? } else { None };
        self.set_system(system);
        self.turn_limit = turn_limit;
        Ok(String::new())
    }
}

fn time(args: &mut Args<'_>, what: &str) -> Result<Duration, GtpError> {
    Ok(seconds(args.float(what, 0.0..)?))
}

/// A time that may be missing, or negative for none.
fn limit(args: &mut Args<'_>, what: &str) -> Result<Option<Duration>, GtpError> {
    if args.is_empty() {
        return Ok(None);
    }
    let limit = args.float(what, ..)?;
    Ok((limit >= 0.0).then(|| seconds(limit)))
}
