//! The review as one page: the course of the game as a graph, the worst moves with boards, and all moves in a table.

use goban::{Color, Vertex};
use lab::picture::{Mark, Picture};
use lab::plot::{Curve, MeasuredPoint, PlotAxis, Reference, Series, Svg, Unit};
use lab::report::{Figure, Page, PageBlock, ReportTable, TableCell, Text, Tone};

use player::review::thresholds::{BLUNDER, MISTAKE};
use player::review::{Grade, MoveReview, Review};

use super::game::Reviewed;
use super::store::ReviewTerms;
use super::text::{self, percent, points_lost, win_lost};
use lab::report::written_by;

/// Boards that are large enough to read numbers on their stones, side by side where there is room.
const STYLE: &str =
    "<style>.gallery figure{flex:1 1 19rem;max-width:27rem}.gallery{margin:0 0 1.5rem}</style>\n";

/// Moves of a better line that are drawn.
const MAX_LINE: usize = 10;

/// The page as a file of HTML that needs nothing else.
pub(super) fn html(game: &Reviewed, review: &Review, terms: &ReviewTerms, n_worst: usize) -> String {
    page(game, review, terms, n_worst).html().replacen("</head>", &format!("{STYLE}</head>"), 1)
}

fn page(game: &Reviewed, review: &Review, terms: &ReviewTerms, n_worst: usize) -> Page {
    let mut page = Page::new(game.title());
    page.lead = lead(game).into();
    page.figure(Figure::new(
        "win-rate",
        win_rate(game, review, n_worst),
        "How often Black is expected to win, move by move, smoothed over three neighbouring positions. Point at a mark to see \
         the move.",
    ));
    page.table(players(game, review));
    let worst = worst_of(review, n_worst);
    page.heading(if worst.is_empty() {
        "No move is a mistake beyond doubt"
    } else {
        "The moves that cost most"
    });
    if !worst.is_empty() {
        page.paragraph(
            "The first board has the stone that was played, with a red ring, and with a green one what the search would have played. \
             The second one shows how the game might have gone on, its moves numbered.",
        );
    }
    for one in worst {
        mistake(&mut page, game, one);
    }
    let unsure: Vec<String> =
        review.unsure().map(|one| format!("{} ({})", one.number, win_lost(&one.loss))).collect();
    if !unsure.is_empty() {
        page.paragraph(format!(
            "Unsure: the interval of what they cost touches zero, and a longer review would tell. Moves {}.",
            unsure.join(", ")
        ));
    }
    page.heading("All moves");
    page.figure(Figure::new(
        "score",
        score(review),
        "The mean result of the playouts in points, with komi; above 0 Black is ahead. It says less than the win rate: playouts go on where players would stop.",
    ));
    page.blocks.push(PageBlock::Details(
        "Cost of each move".into(),
        vec![PageBlock::Table(all_moves(game, review))],
    ));
    page.heading("How it was done");
    page.blocks.push(PageBlock::Facts(facts(game, terms)));
    page.footer = written_by().into();
    page
}

/// The facts of the game in a line.
fn lead(game: &Reviewed) -> String {
    let header = &game.header;
    let result = header.result.to_string();
    let parts =
        [header.event.clone(), header.place.clone(), header.date.clone(), (result != "?").then_some(result)];
    let said: Vec<String> = parts.into_iter().flatten().filter(|text| !text.trim().is_empty()).collect();
    let n_moves = crate::words::counted(game.line.plays().len() as u64, "move");
    let size = game.last().size();
    format!(
        "{}{}{n_moves} on {size}, komi {}, {}",
        said.join(", "),
        if said.is_empty() { "" } else { ". " },
        game.last().komi(),
        rules(game)
    )
}

fn rules(game: &Reviewed) -> String {
    format!("{} rules", game.last().rules())
}

/// The mistakes that are shown, the most costly one first.
fn worst_of(review: &Review, n: usize) -> Vec<&MoveReview> {
    let mut moves = review.mistakes();
    moves.truncate(n);
    moves
}

fn win_rate(game: &Reviewed, review: &Review, n_worst: usize) -> Svg {
    let at = |n: usize| f64::from(review.black[n]);
    let line = (0..review.black.len()).map(|n| MeasuredPoint::new(n as f64, at(n))).collect();
    let mut series = vec![Series { smooth: true, ..Series::ours("Black's win rate", line) }];
    for color in Color::BOTH {
        let worst = worst_of(review, n_worst);
        let marks = worst.iter().filter(|one| one.play.color == color).map(|one| {
            // Where the move has brought the game.
            let note = text::line(game, one);
            MeasuredPoint { note, ..MeasuredPoint::new(one.number as f64, at(one.number)) }
        });
        let marks: Vec<MeasuredPoint> = marks.collect();
        if !marks.is_empty() {
            series.push(Series { loose: true, ..Series::ours(format!("worst moves of {color}"), marks) });
        }
    }
    let x = PlotAxis {
        range: Some([0.0, (review.black.len() - 1) as f64]),
        ..PlotAxis::linear("move", Unit::Plain)
    };
    let y = PlotAxis { range: Some([0.0, 1.0]), ..PlotAxis::linear("Black wins", Unit::Percent) };
    let references = vec![Reference { y: 0.5, name: "even".to_owned() }];
    Curve { x, y, series, references, ..Curve::default() }.svg()
}

fn score(review: &Review) -> Svg {
    let line = review
        .score
        .iter()
        .enumerate()
        .map(|(n, &score)| MeasuredPoint::new(n as f64, f64::from(score)))
        .collect();
    let series = vec![Series { smooth: true, ..Series::ours("Black's mean score", line) }];
    let x = PlotAxis {
        range: Some([0.0, (review.score.len() - 1) as f64]),
        ..PlotAxis::linear("move", Unit::Plain)
    };
    let references = vec![Reference { y: 0.0, name: "even".to_owned() }];
    Curve { x, y: PlotAxis::linear("points for Black", Unit::Points), series, references, ..Curve::default() }
        .svg()
}

fn players(game: &Reviewed, review: &Review) -> ReportTable {
    let columns = ["player", "#moves", "#as the search", "#mistakes", "#of them blunders", "#unsure"];
    let caption = format!(
        "A mistake costs {:.0} % of the win rate or more, a blunder {:.0} %, both beyond doubt; of an unsure move the interval \
         touches zero.",
        100.0 * MISTAKE,
        100.0 * BLUNDER
    );
    let mut table = ReportTable::new(caption, &columns);
    let names = [&game.header.black, &game.header.white];
    for (color, player) in Color::BOTH.into_iter().zip(names) {
        let sum = review.summary(color);
        let name = player.name.as_ref().map_or(color.to_string(), |name| format!("{color}: {name}"));
        let share = match sum.n_moves {
            0 => String::new(),
            n => format!("{:.0} %", 100.0 * sum.n_choices as f32 / n as f32),
        };
        let counts = [sum.n_mistakes, sum.n_blunders, sum.n_unsure].map(|n| n.to_string());
        let cells = [name, sum.n_moves.to_string(), share].into_iter().chain(counts);
        table.row(cells.map(TableCell::from).collect());
    }
    table
}

/// A move that cost much: words, the board before it, and what would have been better.
fn mistake(page: &mut Page, game: &Reviewed, one: &MoveReview) {
    let MoveReview { number, play, best, left, .. } = *one;
    let point = game.show(play);
    page.blocks.push(PageBlock::Heading(3, format!("Move {number}: {} {point}", play.color).into()));
    let instead = one.better_move().map_or("another move".to_owned(), |to| game.show_point(to));
    let text = Text::new()
        .plain(format!("{} wins {} with ", play.color, percent(best)))
        .strong(instead.clone())
        .plain(format!(" and {} after {point}: the move costs ", percent(left)))
        .strong(win_lost(&one.loss))
        .plain(format!(" and {}.", points_lost(&one.points)));
    page.paragraph(text);
    let mut figures = vec![Figure::new(
        &format!("move {number}"),
        before(game, one),
        format!("Before move {number}: played {point}, better {instead}."),
    )];
    if let Some((svg, moves)) = line(game, one) {
        figures.push(Figure::new(&format!("move {number} better"), svg, format!("Better: {moves}")));
    }
    page.blocks.push(PageBlock::Gallery(figures));
}

/// The board before a move with what was played and what would have been better.
fn before(game: &Reviewed, one: &MoveReview) -> Svg {
    let position = game.line.position(one.number - 1);
    let mut picture = Picture::new(position.board());
    picture.last = position.last().map(|play| play.vertex);
    picture.title = format!("The board before move {}", one.number);
    let color = one.play.color;
    picture.marks.push((one.play.vertex, Mark::Answer { color, is_right: false }));
    if let Some(vertex) = better(game, one).first() {
        picture.marks.push((*vertex, Mark::Answer { color, is_right: true }));
    }
    picture.svg()
}

/// The moves of the better line; a review is a file, and a file may be damaged.
fn better(game: &Reviewed, one: &MoveReview) -> Vec<Vertex> {
    let size = game.last().size();
    let line = one.better.iter().flat_map(|better| &better.line).copied();
    line.take_while(|&vertex| vertex.is_pass() || size.contains(vertex)).take(MAX_LINE).collect()
}

/// The better line on the board, and in words. A stone that was taken since is named in words alone.
fn line(game: &Reviewed, one: &MoveReview) -> Option<(Svg, String)> {
    let moves = better(game, one);
    if moves.is_empty() {
        return None;
    }
    let mut board = game.line.position(one.number - 1).board().clone();
    let (mut color, mut words, mut labels) = (one.play.color, Vec::new(), Vec::new());
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
    picture.title = format!("The better line at move {}", one.number);
    picture.marks = labels;
    Some((picture.svg(), words.join(", ")))
}

fn all_moves(game: &Reviewed, review: &Review) -> ReportTable {
    let mut table = ReportTable::new(
        "Costs are those of the player who moves, with intervals of 95 %. A move that was compared by no searches of its own \
         seemed to cost nothing at first glance.",
        &[
            "#move",
            "player",
            "played",
            "#win rate lost",
            "#points lost",
            "#comparisons",
            "the search's choice",
        ],
    );
    for one in &review.moves {
        let tone = match one.grade {
            Grade::Mistake | Grade::Blunder => Tone::Bad,
            Grade::Choice => Tone::Quiet,
            _ => Tone::Plain,
        };
        let choice = match &one.better {
            _ if one.grade == Grade::Choice => "the same".to_owned(),
            Some(better) => {
                better.line.iter().take(4).map(|&to| game.show_point(to)).collect::<Vec<_>>().join(" ")
            }
            None => String::new(),
        };
        let word = text::word(one.grade).map_or(String::new(), |word| format!(" ({word})"));
        let [win, points] = match one.grade {
            Grade::Choice | Grade::Unknown => [String::new(), String::new()],
            _ => [win_lost(&one.loss), points_lost(&one.points)],
        };
        table.row(vec![
            one.number.to_string().into(),
            one.play.color.to_string().into(),
            TableCell::from(game.show(one.play) + &word).toned(tone),
            TableCell::from(win).toned(tone),
            points.into(),
            one.n_duels.to_string().into(),
            choice.into(),
        ]);
    }
    table
}

fn facts(game: &Reviewed, terms: &ReviewTerms) -> Vec<(String, Text)> {
    let mut facts = vec![
        ("record".to_owned(), game.name.clone().into()),
        ("recipe".to_owned(), Text::new().code(terms.recipe.clone())),
        ("simulations for each position".to_owned(), terms.playouts.to_string().into()),
        ("seed".to_owned(), terms.seed.to_string().into()),
        (
            "cost of a move".to_owned(),
            "the mean difference of the win rates in the positions after the move that the search would play and after the one that \
             was played, over independent searches of both; the interval says how far another, longer one may differ"
                .into(),
        ),
    ];
    if let Some(net) = &terms.net {
        facts.insert(2, ("network, with the hash of its file".to_owned(), Text::new().code(net.clone())));
    }
    facts
}
