//! Who the engine says it is, and what it says it can do.

use super::CheckLevel::{May, Must, Want};
use super::ClientProgram::{Cgos, Every, GoGui, Kgs, Lizzie, LizzieYzy, Ogs, Q5Go, Sabaki};
use super::{Check, CheckResult, CheckSession, fail, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(Must, "name answers", &[Every], "nobody knows what to call the engine", name),
    Check::new(Must, "version answers", &[GoGui, Sabaki, Kgs], "the engine is not accepted", version),
    Check::new(
        Want,
        "version is N.M with M at least 15, or the name begins with KataGo",
        &[Lizzie],
        "Lizzie reads the number behind the dot: it warns below 15 and its reader dies without a dot",
        lizzie_version,
    ),
    Check::new(Must, "list_commands has one command in each line", &[Every], "commands are not found", list),
    Check::new(
        Want,
        "list_commands begins with protocol_version",
        &[LizzieYzy],
        "LizzieYzy reads the list only if it begins so",
        list_start,
    ),
    Check::new(Want, "kgs-chat is not listed", &[Kgs], "kgsGtp 3.5.20 and later are said to crash", no_chat),
    Check::new(
        Must,
        "known_command answers true or false",
        &[Q5Go, GoGui],
        "they ask before they use a command",
        known,
    ),
    Check::new(
        Want,
        "known_command knows everything that is listed",
        &[Q5Go, Ogs, Cgos],
        "one of the two is wrong",
        agree,
    ),
    Check::new(May, "no command is listed twice", &[], "a list of commands names each once", once),
];

fn name(session: &mut CheckSession<'_>) -> CheckResult {
    let text = session.accept("name")?;
    session.introduce(0, &text);
    require(!text.is_empty(), "a name", "nothing")
}

fn version(session: &mut CheckSession<'_>) -> CheckResult {
    let text = session.accept("version")?;
    session.introduce(1, &text);
    Ok(())
}

fn lizzie_version(session: &mut CheckSession<'_>) -> CheckResult {
    let (name, version) = (session.accept("name")?, session.accept("version")?);
    let is_fine = name.starts_with("KataGo") || minor(&version).is_some_and(|minor| minor >= 15);
    require(is_fine, "a version such as 0.17", format!("{version:?} of {name:?}"))
}

/// What Lizzie reads: of the first word what stands between the first dot and the next, which must be a number.
fn minor(version: &str) -> Option<u32> {
    let mut parts = version.split_whitespace().next()?.split('.');
    parts.next()?.parse::<u32>().ok()?;
    parts.next()?.parse().ok()
}

fn list(session: &mut CheckSession<'_>) -> CheckResult {
    let commands = session.commands()?.to_vec();
    if let Some(odd) = commands.iter().find(|line| line.is_empty() || line.contains(char::is_whitespace)) {
        return fail("one command in each line", format!("the line {odd:?}"));
    }
    require(commands.len() > 10, "the commands that every engine has", format!("{} lines", commands.len()))
}

fn list_start(session: &mut CheckSession<'_>) -> CheckResult {
    let first = session.commands()?.first().cloned().unwrap_or_default();
    require(first == "protocol_version", "protocol_version in the first line", format!("{first:?}"))
}

fn no_chat(session: &mut CheckSession<'_>) -> CheckResult {
    require(!session.lists("kgs-chat")?, "no kgs-chat unless it is wanted", "kgs-chat is listed")
}

fn known(session: &mut CheckSession<'_>) -> CheckResult {
    for (command, answer) in [("genmove", "true"), ("no_such", "false")] {
        let text = session.accept(&format!("known_command {command}"))?;
        require(text == answer, format!("= {answer} to known_command {command}"), format!("= {text}"))?;
    }
    Ok(())
}

fn agree(session: &mut CheckSession<'_>) -> CheckResult {
    let commands = session.commands()?.to_vec();
    for command in commands.iter().take(500) {
        let text = session.accept(&format!("known_command {command}"))?;
        require(text == "true", format!("= true to known_command {command}"), format!("= {text}"))?;
    }
    Ok(())
}

fn once(session: &mut CheckSession<'_>) -> CheckResult {
    let mut commands = session.commands()?.to_vec();
    commands.sort_unstable();
    match commands.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => fail("each command once", format!("{} twice", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_lizzie_reads() {
        let versions = ["0.17", "0.100", "1.16.3", "0.17 (x)", "3.8", "0.17-dev", "17", "v0.17", ""];
        let expected = [Some(17), Some(100), Some(16), Some(17), Some(8), None, None, None, None];
        assert_eq!(versions.map(minor), expected);
    }
}
