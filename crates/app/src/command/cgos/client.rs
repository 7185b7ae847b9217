//! The talk with the server: logging on, playing what it arranges, and starting again when the line is cut.
//!
//! Whenever we and the server may not be at the same position (a line that could not be read, a move that does not fit), the
//! connection is made anew: the server then sends the whole game.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use goban::{Color, Vertex};
use player::ponder::PonderSeat;
use player::study::{Onlooker, StudyQuestion};
use player::{Budget, Decision, Player, SearchPlayer, Survey, cgos};

use super::link::{CgosEvent, Link};
use super::message::CgosMessage;
use super::table::CgosGame;
use super::{Login, Options};
use crate::interrupt;

/// How often in a row we may find ourselves at another position than the server.
const MAX_RESYNCS: u32 = 5;

/// How long after an unreadable line the next one may take.
const DOUBT: Duration = Duration::from_secs(2);

/// The remark on a game that ended without us.
const UNSEEN: &str = "the end of the game was not seen";

/// How a connection ended.
enum SessionEnd {
    /// As we wanted.
    Left,
    /// Otherwise; it may be taken up again.
    Lost(String),
}

/// A client of the server.
pub(super) struct CgosClient {
    options: Options,
    login: Login,
    seat: PonderSeat<SearchPlayer>,
    table: Option<CgosGame>,
    /// Set by Ctrl-C: no further game.
    leave: Arc<AtomicBool>,
    start: Instant,
    n_games: u64,
    /// Whether the server has let us in since the connection was made.
    is_in: bool,
    /// How often in a row the connection was made anew because the positions differed.
    n_resyncs: u32,
    has_analysis: bool,
    /// When a line came that could not be read: it may have been the one that we wait for.
    doubt: Option<Instant>,
}

impl CgosClient {
    pub(super) fn new(options: Options, login: Login) -> Result<Self> {
        fs::create_dir_all(&options.out).with_context(|| format!("--out {}", options.out.display()))?;
        let player = options.think.player()?.with_manners(options.manners.manners());
        Ok(Self {
            options,
            login,
            seat: PonderSeat::new(Box::new(player)),
            table: None,
            leave: Arc::default(),
            start: Instant::now(),
            n_games: 0,
            is_in: false,
            n_resyncs: 0,
            has_analysis: false,
            doubt: None,
        })
    }

    /// Plays until there is nothing more to play.
    pub(super) fn run(mut self) -> Result<ExitCode> {
        leave_on_ctrl_c(Arc::clone(&self.leave))?;
        let played = self.play();
        // A game that we have to leave is kept as far as it went.
        self.keep("", "", UNSEEN)?;
        played?;
        self.log(&format!("left after {}", crate::words::counted(self.n_games, "game")));
        Ok(ExitCode::SUCCESS)
    }

    /// One connection after the other.
    fn play(&mut self) -> Result<()> {
        // Attempts without a login, after which we give up; and attempts soon lost, which make the pause longer.
        let (mut n_failed, mut n_short) = (0, 0);
        loop {
            (self.is_in, self.doubt) = (false, None);
            let start = Instant::now();
            let why = match self.connect()? {
                SessionEnd::Left => return Ok(()),
                SessionEnd::Lost(why) => why,
            };
            n_failed = if self.is_in { 1 } else { n_failed + 1 };
            // A server that lets us in and drops us at once is not to be asked in haste either.
            let was_good = self.is_in && start.elapsed() > self.wait(n_short);
            n_short = if was_good { 1 } else { n_short + 1 };
            self.seat.stop();
            if n_failed > self.options.reconnect {
                let attempts = crate::words::counted(u64::from(self.options.reconnect), "attempt");
                bail!("{}: {why}; gave up after {attempts}", self.place());
            }
            let wait = self.wait(n_short);
            self.log(&format!("{why}; the next attempt is in {:.1} s", wait.as_secs_f64()));
            if !self.sleep(wait) {
                return Ok(());
            }
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.login.server, self.login.port)
    }

    /// The time before an attempt: it doubles from one to the next.
    fn wait(&self, n_short: u32) -> Duration {
        let factor = f64::from(2_u32.saturating_pow(n_short.saturating_sub(1).min(20)));
        Duration::from_secs_f64((self.options.wait * factor).min(self.options.max_wait))
    }

    /// Waits; false if nobody wants to play any more by then. A game under way is worth waiting for.
    fn sleep(&self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        while Instant::now() < end {
            if self.leave.load(Ordering::Relaxed) && self.table.is_none() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20).min(end.saturating_duration_since(Instant::now())));
        }
        true
    }

    /// One connection from its start to its end.
    fn connect(&mut self) -> Result<SessionEnd> {
        let mut link = match Link::open(&self.login.server, self.login.port) {
            Ok(link) => link,
            Err(error) => return Ok(SessionEnd::Lost(format!("{}: {error}", self.place()))),
        };
        self.log(&format!("connected to {}", self.place()));
        let silence = Duration::from_secs_f64(self.options.silence);
        let mut last = Instant::now();
        loop {
            if self.leave.load(Ordering::Relaxed) && self.table.is_none() {
                // That the server has gone already is no trouble any more.
                let _ = link.say("quit");
                return Ok(SessionEnd::Left);
            }
            match link.hear() {
                CgosEvent::Quiet if last.elapsed() > silence => {
                    return Ok(SessionEnd::Lost(format!(
                        "nothing was heard for {:.0} s",
                        silence.as_secs_f64()
                    )));
                }
                CgosEvent::Quiet if self.waits_in_vain() => {
                    return self.resync("after a line that could not be read nothing came");
                }
                CgosEvent::Quiet => {}
                CgosEvent::Gone(why) => return Ok(SessionEnd::Lost(why)),
                CgosEvent::Line(line) => {
                    last = Instant::now();
                    if let Some(end) = self.line(&line, &mut link)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Does what a line of the server wants.
    fn line(&mut self, line: &str, link: &mut Link) -> Result<Option<SessionEnd>> {
        let message = match CgosMessage::parse(line) {
            Ok(message) => message,
            Err(why) => {
                let shown: String = line.chars().take(120).collect();
                self.log(&format!("a line that cannot be read is passed over: {shown:?}: {why}"));
                self.doubt = Some(Instant::now());
                return Ok(None);
            }
        };
        if !matches!(message, CgosMessage::Info(_)) {
            self.doubt = None;
        }
        let answer = match message {
            CgosMessage::Protocol { has_analysis } => {
                self.has_analysis = has_analysis && !self.options.no_analysis;
                let version = env!("CARGO_PKG_VERSION");
                Some(format!(
                    "e1 Tengen {version}{}",
                    if self.has_analysis { " genmove_analyze" } else { "" }
                ))
            }
            CgosMessage::Username => Some(self.login.user.clone()),
            CgosMessage::Password => Some(self.login.password.clone()),
            CgosMessage::Info(text) => {
                self.is_in = true;
                self.log(&format!("the server says: {text}"));
                None
            }
            CgosMessage::Refusal(text) => return self.refused(&text).map(Some),
            CgosMessage::Setup(setup) => return self.sit_down(*setup),
            CgosMessage::Play { color, vertex, left } => {
                self.opponent(color, &vertex, left);
                None
            }
            CgosMessage::Genmove { color, left } => match self.think(color, left)? {
                Ok(answer) => Some(answer),
                Err(end) => return Ok(Some(end)),
            },
            CgosMessage::Gameover { date, result, remark } => {
                self.game_over(&date, &result, &remark)?;
                if self.is_enough() {
                    let _ = link.say("quit");
                    return Ok(Some(SessionEnd::Left));
                }
                Some("ready".to_owned())
            }
        };
        let Some(answer) = answer else { return Ok(None) };
        Ok(link.say(&answer).err().map(|error| SessionEnd::Lost(error.to_string())))
    }

    /// Whether an unreadable line was the one that we wait for: our turn, the end of the game, a step of the login.
    fn waits_in_vain(&self) -> bool {
        let is_long_ago = self.doubt.is_some_and(|since| since.elapsed() > DOUBT);
        let is_our_turn =
            |table: &CgosGame| table.position.is_over() || table.position.to_play() == table.color;
        is_long_ago && self.table.as_ref().map_or(!self.is_in, is_our_turn)
    }

    fn is_enough(&self) -> bool {
        self.leave.load(Ordering::Relaxed) || self.options.games.is_some_and(|n| self.n_games >= n)
    }

    /// The server does not want us. Our own login of a moment ago may still count for a while; all else is for people.
    fn refused(&self, text: &str) -> Result<SessionEnd> {
        if text.contains("already logged on") {
            return Ok(SessionEnd::Lost(text.to_owned()));
        }
        let Login { user, .. } = &self.login;
        let hint = if text.to_lowercase().contains("password") {
            "; expected the password that this name was registered with, in the first line of --password-file"
        } else {
            ""
        };
        bail!("{} refuses {user}: {text}{hint}", self.place())
    }

    fn sit_down(&mut self, setup: super::message::CgosSetup) -> Result<Option<SessionEnd>> {
        self.is_in = true;
        if self.table.as_ref().is_some_and(|table| table.id() != setup.id) {
            // It ended while we were away.
            self.n_games += 1;
            self.keep("", "", UNSEEN)?;
        }
        let before = self.table.take();
        if before.is_none() {
            self.seat.player().forget();
        }
        match CgosGame::new(setup, &self.login.user, before) {
            Ok(table) => {
                self.log(&table.describe());
                self.table = Some(table);
                Ok(None)
            }
            Err(why) => self.resync(&format!("the game cannot be set up: {why}")).map(Some),
        }
    }

    /// The positions differ: the server is to send the game again.
    fn resync(&mut self, why: &str) -> Result<SessionEnd> {
        self.n_resyncs += 1;
        if self.n_resyncs > MAX_RESYNCS {
            bail!("{}: {why}, even after {MAX_RESYNCS} new connections", self.place());
        }
        Ok(SessionEnd::Lost(format!("{why}; asking for the game again")))
    }

    fn opponent(&mut self, color: Color, vertex: &str, left: i64) {
        self.seat.stop();
        let played = match &mut self.table {
            None => Err("a move came without a game".to_owned()),
            Some(table) => {
                table.set_left(color, left);
                let vertex = table.position.size().parse_vertex(vertex).map_err(|error| error.to_string());
                vertex.and_then(|vertex| table.play(color, vertex, None).map_err(|error| error.to_string()))
            }
        };
        // Whether it matters shows at our next move.
        if let Err(why) = played {
            self.log(&format!("a move that does not fit is passed over: {why}"));
        }
    }

    /// Our move, as it is sent.
    fn think(&mut self, color: Color, left: i64) -> Result<Result<String, SessionEnd>> {
        let is_ours = |table: &CgosGame| table.color == color && table.position.to_play() == color;
        let Some(table) = self.table.as_mut().filter(|table| is_ours(table)) else {
            return self
                .resync(&format!("the server asks for a move of {color} that we cannot place"))
                .map(Err);
        };
        table.set_left(color, left - (self.options.lag * 1000.0) as i64);
        let budget = Budget {
            playouts: self.options.think.playouts,
            time: self.options.think.time.map(Duration::from_secs_f64),
            clocks: Some(table.clocks),
            may_resign: !self.options.no_resign,
            ..Budget::default()
        };
        let mut player = self.seat.player();
        let mut told = None;
        let mut tell = |survey: &Survey| {
            told = (survey.visits > 0).then(|| cgos::object(survey, usize::MAX));
        };
        let decision = if self.has_analysis {
            // The last look is what counts: the one when the thinking has ended.
            let mut onlooker = Onlooker::new(StudyQuestion::default(), Duration::MAX, &mut tell);
            player.choose_watched(&table.position, color, &budget, &mut onlooker)?
        } else {
            player.choose(&table.position, color, &budget)?
        };
        let comment = player.explain();
        drop(player);
        self.n_resyncs = 0;
        let size = table.position.size();
        let word = match decision {
            Decision::Resign => "resign".to_owned(),
            Decision::Play(vertex) => {
                // A pass is always legal, should the search have erred.
                let vertex = if table.position.is_legal(color, vertex) { vertex } else { Vertex::PASS };
                table.play(color, vertex, comment)?;
                if self.options.ponder && !table.position.is_over() {
                    self.seat.ponder(table.position.clone(), !color);
                }
                size.show(vertex).to_lowercase()
            }
        };
        Ok(Ok(match told {
            Some(object) => format!("{word} {object}"),
            None => word,
        }))
    }

    fn game_over(&mut self, date: &str, result: &str, remark: &str) -> Result<()> {
        self.seat.stop();
        if self.table.is_some() {
            self.n_games += 1;
        }
        self.keep(date, result, remark)
    }

    /// Writes the game down and leaves the table.
    fn keep(&mut self, date: &str, result: &str, remark: &str) -> Result<()> {
        let Some(table) = self.table.take() else { return Ok(()) };
        let path = table.save(&self.options.out, date, result, remark)?;
        self.log(&format!("game {}: {result} {remark} {}", table.id(), path.display()));
        Ok(())
    }

    /// A line for people, with the time since the start. That nobody may be reading there is no reason to stop.
    fn log(&self, text: &str) {
        let s = self.start.elapsed().as_secs();
        let _ = writeln!(io::stderr(), "[{}:{:02}:{:02}] {text}", s / 3600, s / 60 % 60, s % 60);
    }
}

/// The first Ctrl-C plays the game to its end, the second ends the program.
fn leave_on_ctrl_c(leave: Arc<AtomicBool>) -> Result<()> {
    let handler = move || {
        if leave.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = writeln!(io::stderr(), "\ntengen: leaving after this game; Ctrl-C again leaves at once");
    };
    interrupt::on_ctrl_c(handler)
}
