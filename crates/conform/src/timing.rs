//! Clocks in the forms that clients send.

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{Cgos, GoGui, Kgs, Lizzie, LizzieYzy, Ogs, Q5Go};
use super::{Check, CheckResult, CheckSession, require};

const CLOCK: &str = "a refusal ends the game, or the clock is not known";

pub(super) const CHECKS: &[Check] = &[
    Check::accepts(Must, "time_settings 60 0 0", &[GoGui, Cgos, Ogs], CLOCK),
    Check::accepts(Must, "time_settings 0 1 0", &[Q5Go], "means no limit"),
    Check::accepts(Must, "time_settings 1 1 0", &[Q5Go], "means no limit"),
    Check::accepts(Must, "time_settings 0 20 1", &[Ogs, Lizzie, LizzieYzy], CLOCK),
    Check::accepts(Must, "time_settings 300 60 10", &[Ogs, Kgs], CLOCK),
    Check::accepts(Must, "time_left b 59 0", &[GoGui, Cgos, Ogs], CLOCK),
    Check::accepts(Must, "time_left white 30 1", &[Ogs, Kgs, Q5Go], CLOCK),
    Check::accepts(Must, "time_left black 0 0", &[Ogs, Cgos], CLOCK),
    Check::accepts(Want, "time_left b 12.34 0", &[LizzieYzy], "LizzieYzy sends parts of seconds"),
    Check::new(Want, "kgs-time_settings in all four forms", &[Kgs, Ogs], CLOCK, kgs),
    Check::new(
        Want,
        "kata-list_time_settings names fischer-capped",
        &[Ogs],
        "Fischer time is folded into something else",
        kata_list,
    ),
    Check::new(Want, "kata-time_settings fischer-capped", &[Ogs], CLOCK, kata),
];

fn kgs(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kgs-time_settings"])?;
    for form in ["none", "absolute 300", "byoyomi 600 30 5", "canadian 300 60 10"] {
        session.accept(&format!("kgs-time_settings {form}"))?;
    }
    session.accept("kgs-time_settings none").map(|_| ())
}

fn kata_list(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kata-list_time_settings"])?;
    let text = session.accept("kata-list_time_settings")?;
    require(
        text.split_whitespace().any(|word| word == "fischer-capped"),
        "fischer-capped among them",
        format!("= {text}"),
    )
}

fn kata(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kata-time_settings"])?;
    session.accept("kata-time_settings fischer-capped 120 10 300 -1")?;
    session.accept("kata-time_settings none").map(|_| ())
}
