//! The review as one page: the course of the game as a graph, the worst moves with boards, and all moves in a table.

use goban::{Color, Vertex};
use lab::picture::{Mark, Picture};
use lab::plot::{Axis, Curve, Point, Reference, Series, Svg, Unit};
use lab::report::{Block, Cell, Figure, Page, Table, Text, Tone};

use super::game::Reviewed;
use super::store::Terms;
use super::verdict::{BLUNDER, MISTAKE, Verdict, Verdicts};

/// Boards that are large enough to read numbers on their stones, side by side where there is room.
const STYLE: &str =
    "<style>.gallery figure{flex:1 1 19rem;max-width:27rem}.gallery{margin:0 0 1.5rem}</style>\n";

/// Moves of a better line that are drawn.
const MAX_LINE: usize = 10;

/// The page as a file of HTML that needs nothing else.
pub(super) fn html(game: &Reviewed, verdicts: &Verdicts, terms: &Terms, n_worst: usize) -> String {
    page(game, verdicts, terms, n_worst).html().replacen("</head>", &format!("{STYLE}</head>"), 1)
}

fn page(game: &Reviewed, verdicts: &Verdicts, terms: &Terms, n_worst: usize) -> Page {
    let mut page = Page::new(game.title());
    page.lead = lead(game).into();
    page.figure(Figure::new(
        "win-rate",
        win_rate(game, verdicts, n_worst),
        "How often Black is expected to win, move by move, smoothed over three neighbouring positions. Point at a mark to see \
         the move.",
    ));
    page.table(players(game, verdicts));
    let worst = verdicts.worst(n_worst);
    page.heading(if worst.is_empty() { "No mistakes were found" } else { "The moves that cost most" });
    if !worst.is_empty() {
        page.paragraph(
            "The first board has the stone that was played, with a red ring, and with a green one what the search would have played. \
             The second one shows how the game might have gone on, its moves numbered.",
        );
    }
    for verdict in worst {
        mistake(&mut page, game, verdict);
    }
    page.heading("All moves");
    page.figure(Figure::new(
        "score",
        score(verdicts),
        "The mean result of the playouts in points, with komi; above 0 Black is ahead. It says less than the win rate: playouts go on where players would stop.",
    ));
    page.blocks
        .push(Block::Details("What each move cost".into(), vec![Block::Table(all_moves(game, verdicts))]));
    page.heading("How it was done");
    page.blocks.push(Block::Facts(facts(game, terms)));
    page.footer = format!("Written by Tengen {}", env!("CARGO_PKG_VERSION")).into();
    page
}

/// What the record says of the game, in a line.
fn lead(game: &Reviewed) -> String {
    let header = &game.header;
    let result = header.result.to_string();
    let parts =
        [header.event.clone(), header.place.clone(), header.date.clone(), (result != "?").then_some(result)];
    let said: Vec<String> = parts.into_iter().flatten().filter(|text| !text.trim().is_empty()).collect();
    let n_moves = crate::words::counted(game.moves().len() as u64, "move");
    let size = game.position(0).size();
    format!(
        "{}{}{n_moves} on {size}, komi {}, {}",
        said.join(", "),
        if said.is_empty() { "" } else { ". " },
        game.komi(),
        rules(game)
    )
}

fn rules(game: &Reviewed) -> String {
    format!("{} rules", game.rules())
}

fn win_rate(game: &Reviewed, verdicts: &Verdicts, n_worst: usize) -> Svg {
    let at = |n: usize| f64::from(verdicts.black[n]);
    let line = (0..verdicts.black.len()).map(|n| Point::new(n as f64, at(n))).collect();
    let mut series = vec![Series { smooth: true, ..Series::ours("Black's win rate", line) }];
    for color in Color::BOTH {
        let worst = verdicts.worst(n_worst);
        let marks = worst.iter().filter(|one| one.play.color == color).map(|one| {
            // Where the move has brought the game.
            let note = one.line(game);
            Point { note, ..Point::new(one.number as f64, at(one.number)) }
        });
        let marks: Vec<Point> = marks.collect();
        if !marks.is_empty() {
            series.push(Series { loose: true, ..Series::ours(format!("worst moves of {color}"), marks) });
        }
    }
    let x =
        Axis { range: Some([0.0, (verdicts.black.len() - 1) as f64]), ..Axis::linear("move", Unit::Plain) };
    let y = Axis { range: Some([0.0, 1.0]), ..Axis::linear("Black wins", Unit::Percent) };
    let references = vec![Reference { y: 0.5, name: "even".to_owned() }];
    Curve { x, y, series, references, ..Curve::default() }.svg()
}

fn score(verdicts: &Verdicts) -> Svg {
    let line =
        verdicts.score.iter().enumerate().map(|(n, &score)| Point::new(n as f64, f64::from(score))).collect();
    let series = vec![Series { smooth: true, ..Series::ours("Black's mean score", line) }];
    let x =
        Axis { range: Some([0.0, (verdicts.score.len() - 1) as f64]), ..Axis::linear("move", Unit::Plain) };
    let references = vec![Reference { y: 0.0, name: "even".to_owned() }];
    Curve { x, y: Axis::linear("points for Black", Unit::Points), series, references, ..Curve::default() }
        .svg()
}

fn players(game: &Reviewed, verdicts: &Verdicts) -> Table {
    let columns = ["player", "#moves", "#as the search", "#mistakes", "#blunders", "#mean cost"];
    let caption = format!(
        "What the players' moves cost, in per cent of the win rate. A mistake costs {:.0} % or more, a blunder {:.0} %.",
        100.0 * MISTAKE,
        100.0 * BLUNDER
    );
    let mut table = Table::new(caption, &columns);
    let names = [&game.header.black, &game.header.white];
    for (color, player) in Color::BOTH.into_iter().zip(names) {
        let (mean, n, n_choices) = verdicts.mean(color);
        let count = |from: f32| verdicts.of(color).filter(|one| one.loss >= from).count();
        let name = player.name.as_ref().map_or(color.to_string(), |name| format!("{color}: {name}"));
        let share =
            if n == 0 { String::new() } else { format!("{:.0} %", 100.0 * n_choices as f32 / n as f32) };
        let cells = [
            name,
            n.to_string(),
            share,
            count(MISTAKE).to_string(),
            count(BLUNDER).to_string(),
            format!("{:.1} %", 100.0 * mean),
        ];
        table.row(cells.into_iter().map(Cell::from).collect());
    }
    table
}

/// A move that cost much: words, the board before it, and what would have been better.
fn mistake(page: &mut Page, game: &Reviewed, verdict: &Verdict) {
    let Verdict { number, play, best, left, loss, .. } = *verdict;
    let point = game.show(play);
    page.blocks.push(Block::Heading(3, format!("Move {number}: {} {point}", play.color).into()));
    let better = verdict.better.as_ref();
    let instead = better.and_then(|one| one.line.first()).map_or("another move", String::as_str);
    let text = Text::new()
        .plain(format!("{} wins {:.1} % with ", play.color, 100.0 * best))
        .strong(instead)
        .plain(format!(" and {:.1} % after {point}: the move costs ", 100.0 * left))
        .strong(format!("{:.1} %", 100.0 * loss))
        .plain(".");
    page.paragraph(text);
    let mut figures = vec![Figure::new(
        &format!("move {number}"),
        before(game, verdict),
        format!("Before move {number}: played {point}, better {instead}."),
    )];
    if let Some((svg, moves)) = line(game, verdict) {
        figures.push(Figure::new(&format!("move {number} better"), svg, format!("Better: {moves}")));
    }
    page.blocks.push(Block::Gallery(figures));
}

/// The board before a move with what was played and what would have been better.
fn before(game: &Reviewed, verdict: &Verdict) -> Svg {
    let position = game.position(verdict.number - 1);
    let mut picture = Picture::new(position.board());
    picture.last = position.last().map(|play| play.vertex);
    picture.title = format!("The board before move {}", verdict.number);
    let color = verdict.play.color;
    picture.marks.push((verdict.play.vertex, Mark::Answer { color, is_right: false }));
    if let Some(vertex) = better(game, verdict).first() {
        picture.marks.push((*vertex, Mark::Answer { color, is_right: true }));
    }
    picture.svg()
}

/// The moves of the better line.
fn better(game: &Reviewed, verdict: &Verdict) -> Vec<Vertex> {
    let size = game.position(0).size();
    let line = verdict.better.iter().flat_map(|one| &one.line);
    line.map_while(|word| size.parse_vertex(word).ok()).take(MAX_LINE).collect()
}

/// The better line on the board, and in words. A stone that was taken since is named in words alone.
fn line(game: &Reviewed, verdict: &Verdict) -> Option<(Svg, String)> {
    let moves = better(game, verdict);
    if moves.is_empty() {
        return None;
    }
    let mut board = game.position(verdict.number - 1).board().clone();
    let (mut color, mut words, mut labels) = (verdict.play.color, Vec::new(), Vec::new());
    for (n, &vertex) in moves.iter().enumerate() {
        // A review is a file, and a file may be damaged.
        if !vertex.is_pass() && !board.is_empty(vertex) {
            break;
        }
        words.push(format!("{} {}", n + 1, board.size().show(vertex)));
        if !vertex.is_pass() {
            board.play(color, vertex);
            labels.push((vertex, Mark::Label((n + 1).to_string())));
        }
        color = !color;
    }
    if words.is_empty() {
        return None;
    }
    // Of two moves at one point the first is the one that is drawn.
    let mut seen = Vec::new();
    labels.retain(|(vertex, _)| {
        board.stone(*vertex).is_some() && !seen.contains(vertex) && {
            seen.push(*vertex);
            true
        }
    });
    let mut picture = Picture::new(&board);
    picture.title = format!("What would have been better at move {}", verdict.number);
    picture.marks = labels;
    Some((picture.svg(), words.join(", ")))
}

fn all_moves(game: &Reviewed, verdicts: &Verdicts) -> Table {
    let mut table = Table::new(
        "Win rates are those of the player who moves: after the move that the search would play, and after the one he played.",
        &["#move", "player", "played", "#best", "#left", "#cost", "the search's choice"],
    );
    for one in &verdicts.moves {
        let percent = |share: f32| format!("{:.1} %", 100.0 * share);
        let tone = match one.loss {
            loss if loss >= MISTAKE => Tone::Bad,
            _ if one.is_choice => Tone::Quiet,
            _ => Tone::Plain,
        };
        let choice = match &one.better {
            _ if one.is_choice => "the same".to_owned(),
            Some(better) => better.line.iter().take(4).cloned().collect::<Vec<_>>().join(" "),
            None => String::new(),
        };
        let word = one.word().map_or(String::new(), |word| format!(" ({word})"));
        table.row(vec![
            one.number.to_string().into(),
            one.play.color.to_string().into(),
            Cell::from(game.show(one.play) + &word).toned(tone),
            percent(one.best).into(),
            percent(one.left).into(),
            Cell::from(percent(one.loss)).toned(tone),
            choice.into(),
        ]);
    }
    table
}

fn facts(game: &Reviewed, terms: &Terms) -> Vec<(String, Text)> {
    let mut facts = vec![
        ("record".to_owned(), game.name.clone().into()),
        ("recipe".to_owned(), Text::new().code(terms.recipe.clone())),
        ("simulations for each position".to_owned(), terms.playouts.to_string().into()),
        ("seed".to_owned(), terms.seed.to_string().into()),
        (
            "cost of a move".to_owned(),
            "the win rate in the position after the move that the search would play, less the win rate in the position after the \
             one that was played; nought where they are the same"
                .into(),
        ),
    ];
    if let Some(net) = &terms.net {
        facts.insert(2, ("network, with the hash of its file".to_owned(), Text::new().code(net.clone())));
    }
    facts
}
