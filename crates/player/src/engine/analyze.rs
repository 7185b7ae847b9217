//! Searches that are watched: `lz-analyze` and `kata-analyze`, which go on until a further line arrives, and moves that are
//! thought about in the open.
//!
//! `avoid` and `allow` hold for the moves of the position itself; that a client names a depth for them is read, but deeper
//! moves are not barred.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goban::{Color, Position, Vertex};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response, stderr};

use super::info::{self, Contents, InfoDialect};
use super::think::{Purpose, strict, watched};
use super::{Engine, graphics, input, raw_net};
use crate::player::PlayerError;
use crate::study::{Onlooker, StudyQuestion, StudyStep, after};
use crate::survey::{Survey, Wants};

/// How often a client is told that does not say how often, in hundredths of a second.
const INTERVAL: u64 = 100;
/// The first report comes after so long at most.
const FIRST: Duration = Duration::from_millis(100);
/// Simulations after which no analysis goes on.
const MAX_SIMULATIONS: u64 = 1_000_000_000;
/// How long an analysis that has nothing left to do sleeps between looks at the input.
const IDLE: Duration = Duration::from_secs(60);

const SYNOPSIS: &str = "[COLOUR] [INTERVAL] [KEY VALUE]…";

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "lz-analyze",
            SYNOPSIS,
            "Reports every INTERVAL hundredths of a second what the search thinks, until a further line; KEY: interval, \
             minmoves, maxmoves, avoid, allow.",
            |engine: &mut Engine, args, cx| analyze(engine, args, cx, InfoDialect::Leela),
        ),
        Entry::new(
            "kata-analyze",
            SYNOPSIS,
            "As lz-analyze, with scores; KEY also: ownership, movesOwnership, pvVisits, rootInfo.",
            |engine, args, cx| analyze(engine, args, cx, InfoDialect::Kata),
        ),
        Entry::new(
            "lz-genmove_analyze",
            SYNOPSIS,
            "As genmove, with reports as of lz-analyze, then the move: play VERTEX.",
            |engine, args, cx| genmove(engine, args, cx, InfoDialect::Leela),
        ),
        Entry::new(
            "kata-genmove_analyze",
            SYNOPSIS,
            "As genmove, with reports as of kata-analyze, then the move: play VERTEX.",
            |engine, args, cx| genmove(engine, args, cx, InfoDialect::Kata),
        ),
    ];
    registry.group("analysis", &commands).map(|_| ())
}

/// The arguments of an analysis command.
#[derive(Clone, Debug, PartialEq)]
struct AnalyzeRequest {
    color: Color,
    every: Duration,
    contents: Contents,
    question: StudyQuestion,
}

impl AnalyzeRequest {
    /// Reads the words after the command: a colour and an interval, both optional, then keys with their values in any order.
    fn read(args: &mut Args<'_>, position: &Position, dialect: InfoDialect) -> Result<Self, GtpError> {
        let is_color =
            |word: &str| ["b", "w", "black", "white"].iter().any(|name| name.eq_ignore_ascii_case(word));
        let color = if args.peek().is_some_and(is_color) { input::color(args)? } else { position.to_play() };
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let mut every = INTERVAL;
        if args.peek().is_some_and(is_number) {
            every = args.int("interval in hundredths of a second", 0..)?;
        }
        let mut contents = Contents {
            dialect,
            min_moves: 0,
            max_moves: usize::MAX,
            ownership: false,
            moves_ownership: false,
            pv_visits: false,
            root_info: false,
        };
        let mut question = StudyQuestion::default();
        while let Some(key) = args.next() {
            match key.to_ascii_lowercase().as_str() {
                "interval" => every = args.int("interval in hundredths of a second", 0..)?,
                "minmoves" => contents.min_moves = args.int("least number of moves", 0..)?,
                "maxmoves" => contents.max_moves = args.int("largest number of moves", 1..)?,
                "ownership" => contents.ownership = args.flag("ownership")?,
                "movesownership" => contents.moves_ownership = args.flag("movesOwnership")?,
                "pvvisits" => contents.pv_visits = args.flag("pvVisits")?,
                "rootinfo" => contents.root_info = args.flag("rootInfo")?,
                "avoid" => {
                    let (whose, moves) = named_moves(args, position)?;
                    question.avoid.extend(moves.into_iter().filter(|_| whose == color));
                }
                "allow" => {
                    let (whose, moves) = named_moves(args, position)?;
                    if whose == color {
                        question.allow.get_or_insert_default().extend(moves);
                    }
                }
                // Clients end a session at the first error, and newer ones know newer keys.
                _ => {
                    let value = args.next().unwrap_or_default();
                    stderr::log(&format!(
                        "analysis: unknown key {key:.40?} with value {value:.40?} is passed over"
                    ));
                }
            }
        }
        if dialect == InfoDialect::Leela {
            (contents.ownership, contents.moves_ownership, contents.root_info) = (false, false, false);
        }
        question.wants = Wants {
            ownership: contents.ownership || contents.moves_ownership,
            arm_ownership: contents.moves_ownership,
            line_visits: contents.pv_visits,
        };
        Ok(Self { color, every: Duration::from_millis(every.clamp(1, 1 << 40) * 10), contents, question })
    }
}

/// `COLOUR VERTEX[,VERTEX…] DEPTH` after `avoid` or `allow`.
fn named_moves(args: &mut Args<'_>, position: &Position) -> Result<(Color, Vec<Vertex>), GtpError> {
    let color = input::color(args)?;
    let words = args.word("list of vertices")?;
    let read = |word: &str| {
        position.size().parse_vertex(word).map_err(|error| GtpError(format!("syntax error: {error}")))
    };
    let moves = words.split(',').filter(|word| !word.is_empty()).map(read).collect::<Result<_, _>>()?;
    // Clients that leave the depth out mean the next move.
    if args.peek().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
        let _: u64 = args.int("depth", 1..)?;
    }
    Ok((color, moves))
}

/// Reports until a further line arrives.
fn analyze(engine: &mut Engine, args: &mut Args<'_>, cx: &mut Context<'_>, dialect: InfoDialect) -> Response {
    let request = AnalyzeRequest::read(args, &engine.position, dialect)?;
    let position = strict(&engine.position);
    let stdev = raw_net::score_stdev(engine);
    let is_live = engine.is_live;
    let mut player = engine.seat.player();
    let mut study = player
        .study(&position, request.color, &request.question)
        .map_err(|error| GtpError(format!("cannot analyze: {}", reason(&error))))?;
    cx.begin();
    let interrupt = cx.interrupt().clone();
    let stop = Arc::new(AtomicBool::new(false));
    let mut until = after(request.every.min(FIRST));
    watched(&|| interrupt.input_waiting(), &stop, || {
        loop {
            let survey =
                study.step(&StudyStep { simulations: MAX_SIMULATIONS, until, stop: Arc::clone(&stop) });
            let survey = survey.spread_at_least(stdev);
            cx.line(&info::line(&survey, &request.contents));
            if is_live {
                graphics::show_live(&survey);
            }
            if survey.is_done {
                while !cx.wait_for_input(IDLE) {}
            }
            if cx.input_waiting() {
                return;
            }
            until = after(request.every);
        }
    });
    Ok(String::new())
}

/// Why a player does not study, without saying that it does not play.
fn reason(error: &PlayerError) -> String {
    match error {
        PlayerError::Unable { why, .. } => why.clone(),
        error => error.to_string(),
    }
}

/// Thinks of a move in the open and plays it.
pub(super) fn genmove(
    engine: &mut Engine,
    args: &mut Args<'_>,
    cx: &mut Context<'_>,
    dialect: InfoDialect,
) -> Response {
    let AnalyzeRequest { color, every, contents, question } =
        AnalyzeRequest::read(args, &engine.position, dialect)?;
    let interrupt = cx.interrupt().clone();
    let is_live = engine.is_live;
    let stdev = raw_net::score_stdev(engine);
    let mut last = None;
    let mut tell = |survey: &Survey| {
        let survey = &survey.clone().spread_at_least(stdev);
        if dialect == InfoDialect::Cgos {
            last = Some(info::line(survey, &contents));
        } else {
            cx.line(&info::line(survey, &contents));
        }
        if is_live {
            graphics::show_live(survey);
        }
    };
    let mut onlooker = Onlooker::new(question, every, &mut tell);
    let vertex = engine.genmove_watched(color, Purpose::Play, &interrupt, Some(&mut onlooker))?;
    last.iter().for_each(|line| cx.line(line));
    cx.line(&format!("play {vertex}"));
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    fn read(text: &str, dialect: InfoDialect) -> Result<AnalyzeRequest, String> {
        let mut position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        position.play(Color::Black, Vertex::new(4, 4)).unwrap();
        AnalyzeRequest::read(&mut Args::new(text), &position, dialect).map_err(|error| error.to_string())
    }

    #[test]
    fn colour_and_interval_may_be_left_out() {
        for (text, color, ms) in [
            ("", Color::White, 1000),
            ("20", Color::White, 200),
            ("B 50", Color::Black, 500),
            ("black", Color::Black, 1000),
            ("white interval 7 maxmoves 3", Color::White, 70),
            ("0", Color::White, 10),
        ] {
            let request = read(text, InfoDialect::Leela).unwrap();
            assert_eq!((request.color, request.every), (color, Duration::from_millis(ms)), "{text}");
        }
    }

    #[test]
    fn keys_come_in_any_order() {
        let request = read("10 ownership true avoid w D4,q16pass 1", InfoDialect::Kata);
        assert!(request.unwrap_err().contains("q16pass"));
        let request = read(
            "w 10 pvVisits true avoid w D4,c3 1 rootInfo true avoid w pass 20 minmoves 2 avoid b A1 1 \
             movesOwnership true allow b B2 3 newKey 7",
            InfoDialect::Kata,
        )
        .unwrap();
        let at = |text: &str| Size::square(9).unwrap().parse_vertex(text).unwrap();
        assert_eq!(request.question.avoid, [at("D4"), at("C3"), Vertex::PASS]);
        assert_eq!(request.question.allow, None, "that is for Black");
        let contents = request.contents;
        assert!(contents.pv_visits && contents.moves_ownership && contents.root_info && !contents.ownership);
        assert_eq!((contents.min_moves, contents.max_moves), (2, usize::MAX));
        let wants = Wants { ownership: true, arm_ownership: true, line_visits: true };
        assert_eq!(request.question.wants, wants);
        // Leela's clients do not know owners.
        assert!(!read("ownership true", InfoDialect::Leela).unwrap().contents.ownership);
        let request = read("allow white d4 1 allow white E3 1", InfoDialect::Leela).unwrap();
        assert_eq!(request.question.allow, Some(vec![at("D4"), at("E3")]));
    }

    #[test]
    fn bad_values_are_named() {
        for (text, part) in [
            ("interval soon", "\"soon\""),
            ("avoid green D4 1", "\"green\""),
            ("avoid b", "missing list of vertices"),
            ("avoid b Z99 1", "Z99"),
            ("maxmoves 0", "at least 1"),
            ("ownership perhaps", "\"perhaps\""),
            ("99999999999999999999", "interval"),
        ] {
            let error = read(text, InfoDialect::Kata).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
