//! The report of a run: its curves, its networks, and how its latest games ended.

use lab::plot::{Curve, MeasuredPoint, PlotAxis, Reference, Series, Unit};
use lab::report::{Figure, Page, PageBlock, ReportTable, Text};
use lab::text_picture;

use crate::Result;
use crate::curves::RunPoint;
use crate::folder::RunFolder;
use crate::status::RunStatus;

/// Networks in the table: the newest ones.
const N_NETS: usize = 15;
/// Games whose end is shown.
const N_GAMES: usize = 6;
/// First moves that have a curve.
const N_FIRST: usize = 5;

/// The page of a run.
///
/// # Errors
/// A damaged file of games.
pub fn page(folder: &RunFolder, status: &RunStatus) -> Result<Page> {
    let mut page = Page::new(title(status));
    page.lead = lead(status).into();
    page.prose(&status.settings.text);
    if status.curve.is_empty() {
        page.paragraph(
            "Only the network of random weights exists so far; curves begin with the first trained one.",
        );
    } else {
        figures(&mut page, &status.curve);
        page.heading("The newest networks");
        page.table(nets(&status.curve));
    }
    games(&mut page, folder, status)?;
    page.heading("Settings");
    page.blocks.push(PageBlock::Details(
        "The file of the run".into(),
        vec![PageBlock::Code(status.settings.to_toml())],
    ));
    page.footer = Text::new().plain("Reported by ").code("tengen train zero FOLDER --report").plain(".");
    Ok(page)
}

/// The run's title, or its game if it has none.
pub fn title(status: &RunStatus) -> String {
    let settings = &status.settings;
    if settings.title.is_empty() { settings.game.name.clone() } else { settings.title.clone() }
}

fn lead(status: &RunStatus) -> String {
    let RunStatus { settings, state, sums, is_running, .. } = status;
    let at_work = if *is_running { "at work now" } else { "not at work" };
    let plain = |n: u64| Unit::Plain.bare(n as f64);
    format!(
        "{} with a network {}: network {:04} plays after {} games and {} learned positions, {:.1} hours at work, {:.1} hours of processor time; {at_work}.",
        settings.game.name,
        settings.net,
        state.playing,
        plain(sums.games),
        plain(sums.positions),
        state.seconds / 3600.0,
        state.cpu_seconds / 3600.0,
    )
}

/// The value of a network that a curve shows.
type Value = fn(&RunPoint) -> f64;

/// A picture of some numbers over the hours of processor time.
fn figure(
    page: &mut Page,
    name: &str,
    caption: &str,
    axis: PlotAxis,
    curve: &[RunPoint],
    values: &[(&str, Value)],
) {
    let series = values.iter().map(|(name, value)| {
        let points = curve.iter().map(|point| MeasuredPoint {
            note: format!("network {:04}", point.net),
            ..MeasuredPoint::new(point.cpu_hours, value(point))
        });
        Series { smooth: true, ..Series::ours(*name, points.collect()) }
    });
    let half = Reference { y: 0.5, name: "half".into() };
    let references = if axis.unit == Unit::Percent && values.len() == 1 { vec![half] } else { Vec::new() };
    let x = PlotAxis::linear("hours of processor time", Unit::Plain);
    let plot = Curve { x, y: axis, series: series.collect(), references, ..Curve::default() };
    page.figure(Figure::new(name, plot.svg(), caption));
}

fn figures(page: &mut Page, curve: &[RunPoint]) {
    let plain = |label: &str| PlotAxis::linear(label, Unit::Plain);
    let share = |label: &str| PlotAxis { range: Some([0.0, 1.0]), ..PlotAxis::linear(label, Unit::Percent) };
    page.heading("Strength");
    let caption = "Each network's difference from the one that played before it, added up. Each is measured in few games, so the sum drifts: \
        a claim needs a match between two networks.";
    figure(
        page,
        "elo",
        caption,
        PlotAxis::linear("Elo above random weights", Unit::Elo),
        curve,
        &[("", |point| point.elo)],
    );
    page.heading("Training");
    let caption = "The policy's loss cannot fall below the entropy of what the search plays; the value's is 0.69 for a network that knows nothing.";
    figure(
        page,
        "losses",
        caption,
        plain("nats"),
        curve,
        &[
            ("loss of the policy", |point| point.policy_loss),
            ("entropy of the search", |point| point.policy_entropy),
            ("loss of the value", |point| point.value_loss),
        ],
    );
    let caption = "Positions in which the policy's first choice is that of the search.";
    figure(page, "agreement", caption, share("agreement"), curve, &[("", |point| point.policy_top1)]);
    page.heading("Self-play");
    figure(
        page,
        "results",
        "Results of the games of self-play.",
        share("games"),
        curve,
        &[
            ("Black's points", |point| point.black_rate),
            ("draws", |point| point.draw_rate),
            ("resigned", |point| point.resign_rate),
        ],
    );
    figure(
        page,
        "length",
        "The mean length of a game.",
        plain("moves"),
        curve,
        &[("", |point| point.mean_length)],
    );
    figure(
        page,
        "speed",
        "How fast games are played.",
        plain("games an hour"),
        curve,
        &[("", |point| point.games_an_hour)],
    );
    first_moves(page, curve, share("games that begin so"));
}

/// The share of a first move in the games before a network.
fn share_of(point: &RunPoint, mv: &str) -> f64 {
    let shares = point.first_moves.split_whitespace().filter_map(|entry| entry.rsplit_once(':'));
    shares.filter(|(known, _)| *known == mv).find_map(|(_, share)| share.parse().ok()).unwrap_or(0.0)
}

/// The first moves on the empty board over time: the first moves that ever had the largest shares.
fn first_moves(page: &mut Page, curve: &[RunPoint], axis: PlotAxis) {
    let mut best: Vec<(String, f64)> = Vec::new();
    for point in curve {
        for (mv, _) in point.first_moves.split_whitespace().filter_map(|entry| entry.rsplit_once(':')) {
            let share = share_of(point, mv);
            match best.iter_mut().find(|(known, _)| known == mv) {
                Some((_, most)) => *most = most.max(share),
                None => best.push((mv.to_string(), share)),
            }
        }
    }
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    best.truncate(N_FIRST);
    let series = best.iter().map(|(mv, _)| {
        let points = curve.iter().map(|point| MeasuredPoint::new(point.cpu_hours, share_of(point, mv)));
        Series { smooth: true, ..Series::ours(mv.as_str(), points.collect()) }
    });
    let x = PlotAxis::linear("hours of processor time", Unit::Plain);
    let plot = Curve { x, y: axis, series: series.collect(), ..Curve::default() };
    page.figure(Figure::new(
        "first-moves",
        plot.svg(),
        "First moves of the games that did not begin blindly.",
    ));
}

fn nets(curve: &[RunPoint]) -> ReportTable {
    let columns = [
        "#network",
        "#hours",
        "#games",
        "#steps",
        "#policy",
        "#value",
        "#Elo",
        "#trial",
        "#games an hour",
        "first moves",
    ];
    let mut table = ReportTable::new(
        "Hours are of processor time; the trial is the share of points against the network before.",
        &columns,
    );
    for point in curve.iter().rev().take(N_NETS) {
        let trial = match (point.trial_games, point.accepted) {
            (0, _) => String::new(),
            (n, 1) => format!("{} of {n}", Unit::Percent.show(point.trial_rate)),
            (n, _) => format!("{} of {n}, refused", Unit::Percent.show(point.trial_rate)),
        };
        table.row(vec![
            format!("{:04}", point.net).into(),
            format!("{:.2}", point.cpu_hours).into(),
            Unit::Plain.bare(point.games as f64).into(),
            Unit::Plain.bare(point.steps as f64).into(),
            format!("{:.3}", point.policy_loss).into(),
            format!("{:.3}", point.value_loss).into(),
            Unit::Elo.bare(point.elo).into(),
            trial.into(),
            Unit::Plain.bare(point.games_an_hour.round()).into(),
            point.first_moves.clone().into(),
        ]);
    }
    table
}

/// How the latest games ended, as pictures.
fn games(page: &mut Page, folder: &RunFolder, status: &RunStatus) -> Result<()> {
    let start = status.settings.board()?;
    let mut pictures = Vec::new();
    for game in status.latest_games(folder, N_GAMES)? {
        if let Some(end) = game.frames(start.as_ref())?.pop() {
            let caption = format!(
                "Game {} by network {:04}: {} in {} moves.",
                game.game,
                game.net,
                game.result_text(),
                game.n_moves()
            );
            let svg = text_picture::svg(&end.board, &caption);
            pictures.push(Figure::new(&format!("game-{}", game.game), svg, caption));
        }
    }
    if !pictures.is_empty() {
        page.heading("The latest games");
        page.blocks.push(PageBlock::Gallery(pictures));
    }
    Ok(())
}
