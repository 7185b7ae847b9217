//! The games themselves: where their records are, and which of them ended by a failure.

use std::path::Path;

use super::super::page::{Page, ReportTable, TableCell};
use super::super::text::Text;
use super::study::{ExperimentResults, MeetingResults};

/// Failed games that are listed one by one.
const MOST_LISTED: usize = 100;
/// Letters of an engine's last words that are shown.
const MOST_WORDS: usize = 200;

/// Adds the section. `records` is the address of the folder with the exported records, relative to the page.
pub(super) fn section(page: &mut Page, study: &ExperimentResults, records: Option<&str>) {
    if study.meetings().next().is_none() {
        return;
    }
    page.heading("Games");
    match records {
        Some(records) => {
            let mut table = ReportTable::new(
                "Records of all games, a folder for each pairing.",
                &["A", "B", "#games", "records"],
            );
            for meeting in study.meetings() {
                let [a, b] = meeting.players.map(|player| study.players[player].name.as_str());
                let link = Text::new().link("SGF", format!("{records}/{}/", address(&meeting.folder)));
                table.row(vec![
                    a.into(),
                    b.into(),
                    meeting.lines.len().to_string().into(),
                    TableCell::from(link),
                ]);
            }
            page.table(table);
        }
        None => page.paragraph(
            Text::new()
                .plain("The experiment’s folder holds the record of every game. ")
                .code("tengen lab export DIR --sgf")
                .plain(" writes them as SGF files, ")
                .code("--csv")
                .plain(" as tables with every move."),
        ),
    }
    failures(page, study, records);
}

fn failures(page: &mut Page, study: &ExperimentResults, records: Option<&str>) {
    let all: Vec<_> = study
        .meetings()
        .flat_map(|meeting| meeting.lines.iter().map(move |line| (meeting, line)))
        .filter_map(|(meeting, line)| Some((meeting, line, line.failed()?)))
        .collect();
    if all.is_empty() {
        return;
    }
    let more = match all.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        n => format!(" {n} more are in the records."),
    };
    let caption = format!("Games that were lost by something no player should do.{more}");
    let mut table = ReportTable::new(caption, &["lost by", "against", "#game", "reason", "what is known"]);
    for (meeting, line, loser) in all.into_iter().take(MOST_LISTED) {
        let name = |side: crate::game::PairSide| study.players[meeting.players[side.idx()]].name.as_str();
        let known: Vec<&str> =
            [&line.details, &line.note].into_iter().flatten().map(String::as_str).collect();
        table.row(vec![
            name(loser).into(),
            name(loser.other()).into(),
            TableCell::from(game_link(meeting, line.game, records)),
            line.reason.word().into(),
            shortened(&known.join("; ")).into(),
        ]);
    }
    page.table(table);
}

/// The number of a game, with a link to its record if there is one.
fn game_link(meeting: &MeetingResults, game: u64, records: Option<&str>) -> Text {
    match records {
        None => game.to_string().into(),
        Some(records) => Text::new()
            .link(game.to_string(), format!("{records}/{}/game-{game:04}.sgf", address(&meeting.folder))),
    }
}

/// The beginning of what may be long.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_WORDS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A relative path as an address: slashes between its parts, everything odd in them as `%XX`.
pub(super) fn address(path: &Path) -> String {
    let part = |part: std::path::Component<'_>| -> String {
        let mut out = String::new();
        for byte in part.as_os_str().to_string_lossy().bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    out.push(char::from(byte));
                }
                byte => out += &format!("%{byte:02X}"),
            }
        }
        out
    };
    path.components().map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_addresses() {
        assert_eq!(
            address(Path::new("main/007 bma mixer.prior=10 against β")),
            "main/007%20bma%20mixer.prior%3D10%20against%20%CE%B2"
        );
        assert_eq!(address(Path::new("a#b/c?d:e%")), "a%23b/c%3Fd%3Ae%25");
    }

    #[test]
    fn last_words_are_shortened() {
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened(&"é".repeat(300)).chars().count(), MOST_WORDS + 1);
    }
}
