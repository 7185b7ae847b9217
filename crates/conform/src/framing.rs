//! How replies look and what a line may look like.

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{Cgos, Every, GoGui, Gomill, Kgs, Lizzie, Ogs, Pachi, Q5Go, Sabaki};
use super::{Check, CheckResult, CheckSession, fail, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(Must, "protocol_version is exactly 2", &[Q5Go], "q5Go refuses every other answer", protocol),
    Check::new(
        Must,
        "a space follows = even before nothing",
        &[Pachi],
        "Pachi's checker refuses \"=\" alone",
        space,
    ),
    Check::new(
        Must,
        "ids are repeated: =17",
        &[Lizzie, Q5Go],
        "the reader dies at a reply without its number",
        id,
    ),
    Check::new(
        Must,
        "a refusal repeats the id too: ?18",
        &[Lizzie, Q5Go],
        "the reader waits for its number",
        refusal_id,
    ),
    Check::new(
        Want,
        "ids of 31 bits",
        &[GoGui, Gomill],
        "the protocol allows them, and a long session needs large ones",
        large_id,
    ),
    Check::new(
        Must,
        "an unknown command: ? unknown command",
        &[Every],
        "clients try commands to learn what there is",
        unknown,
    ),
    Check::new(
        Must,
        "blank lines and comments get no reply",
        &[GoGui, Gomill],
        "every later reply would be off by one",
        comments,
    ),
    Check::new(Must, "lines may end in CR LF", &[Ogs], "gtp2ogs ends every line so", crlf),
    Check::new(
        Must,
        "spaces and tabs anywhere between words",
        &[Q5Go],
        "q5Go puts two spaces after the id",
        spaces,
    ),
    Check::new(
        Must,
        "commands sent at once are answered in order",
        &[Sabaki, Lizzie],
        "they never wait for replies",
        pipeline,
    ),
    Check::new(
        Must,
        "200 commands sent at once are all answered",
        &[Sabaki],
        "it sends a whole game at once",
        whole_game,
    ),
    Check::new(
        Want,
        "a line of 4000 characters is one line",
        &[GoGui],
        "gogui-play_sequence holds a whole game",
        long_line,
    ),
    Check::new(
        Must,
        "no empty line within showboard",
        &[Ogs, Cgos, Gomill, Kgs],
        "the rest would be taken for the next reply",
        showboard,
    ),
    Check::new(
        Must,
        "no empty line within list_commands",
        &[Every],
        "the rest would be taken for the next reply",
        list,
    ),
];

fn protocol(session: &mut CheckSession<'_>) -> CheckResult {
    let reply = session.ask("protocol_version")?;
    require(reply.is_ok() && reply.text == "2" && reply.id.is_empty(), "= 2", reply.show())
}

fn space(session: &mut CheckSession<'_>) -> CheckResult {
    for command in
        ["protocol_version".to_owned(), format!("boardsize {}", session.size()), "clear_board".to_owned()]
    {
        let reply = session.ask(&command)?;
        require(
            reply.has_space,
            "\"= \" and then the text, if any",
            format!("{:?} to {command}", reply.head),
        )?;
    }
    Ok(())
}

fn id(session: &mut CheckSession<'_>) -> CheckResult {
    let reply = session.ask("17 name")?;
    require(reply.is_ok() && reply.id == "17" && !reply.text.is_empty(), "=17 and a name", reply.show())
}

fn refusal_id(session: &mut CheckSession<'_>) -> CheckResult {
    let reply = session.ask("18 no_such_thing")?;
    require(reply.status == '?' && reply.id == "18", "?18 unknown command", reply.show())
}

fn large_id(session: &mut CheckSession<'_>) -> CheckResult {
    let reply = session.ask("2147483647 name")?;
    require(reply.is_ok() && reply.id == "2147483647", "=2147483647 and a name", reply.show())
}

fn unknown(session: &mut CheckSession<'_>) -> CheckResult {
    let reply = session.ask("no_such_thing")?;
    require(
        reply.status == '?' && reply.text.starts_with("unknown command"),
        "? unknown command",
        reply.show(),
    )
}

fn comments(session: &mut CheckSession<'_>) -> CheckResult {
    session.send_raw("\n  \n# a comment\n")?;
    numbered(session, "5 name # a comment behind it\n", "5")
}

fn crlf(session: &mut CheckSession<'_>) -> CheckResult {
    numbered(session, "8 name\r\n", "8")
}

fn spaces(session: &mut CheckSession<'_>) -> CheckResult {
    numbered(session, "9  name \t\n", "9")
}

/// Sends a text with one command in it, whose reply must carry this id.
fn numbered(session: &mut CheckSession<'_>, text: &str, id: &str) -> CheckResult {
    session.send_raw(text)?;
    let reply = session.reply(session.patience())?;
    require(reply.is_ok() && reply.id == id, format!("={id} and a name"), reply.show())
}

fn pipeline(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.send_raw("clear_board\nkomi 6.5\nplay B C3\nplay W D4\n10 name\n")?;
    for n in 0..5 {
        let reply = session.reply(session.patience())?;
        require(
            reply.is_ok() && (n < 4 || reply.id == "10"),
            "five replies =, the last one =10",
            reply.show(),
        )?;
    }
    Ok(())
}

fn whole_game(session: &mut CheckSession<'_>) -> CheckResult {
    let text: String = (1001..=1200).map(|n| format!("{n} komi 6.5\n")).collect();
    session.send_raw(&text)?;
    for n in 1001..=1200 {
        let reply = session.reply(session.patience())?;
        require(reply.is_ok() && reply.id == n.to_string(), format!("={n}"), reply.show())?;
    }
    Ok(())
}

fn long_line(session: &mut CheckSession<'_>) -> CheckResult {
    session.send_raw(&format!("# {}\n", "x".repeat(4000)))?;
    numbered(session, "12 name\n", "12")
}

fn showboard(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["showboard"])?;
    session.clear()?;
    one_reply(session, "showboard")
}

fn list(session: &mut CheckSession<'_>) -> CheckResult {
    one_reply(session, "list_commands")
}

/// A command whose reply must end where the next one begins.
fn one_reply(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    let first = session.ask(&format!("20 {command}"))?;
    if first.id != "20" {
        return fail("=20", first.show());
    }
    session.send("21 name")?;
    let expected = "=21 right after the empty line that ends the reply before";
    let head = session.line(session.patience(), expected)?;
    if !head.starts_with("=21") {
        return fail(expected, format!("the line {head:?}"));
    }
    while !session.line(session.patience(), "an empty line")?.trim_end().is_empty() {}
    Ok(())
}
