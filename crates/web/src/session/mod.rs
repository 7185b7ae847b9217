//! The session of one visitor: a game against Tengen, a study, and the windows that look on.
//!
//! In reading order: [`house`] (all sessions), [`keeper`] (games on disk), `eviction` (which of them make room), `news` (what
//! all windows are told), `place` (what sessions share, and the place of one among them), this file (what is asked, and done),
//! `shelf` (the visitor's games), `think` (Tengen's moves, hints and counting as jobs), `teach` (what a move of the visitor's
//! cost).

mod eviction;
pub(crate) mod house;
mod keeper;
pub(crate) mod news;
mod place;
mod shelf;
mod teach;
mod think;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Instant, SystemTime};

use goban::Vertex;
use player::nets::NetFile;
use player::{Decision, SearchPlayer};

use crate::pool::{Key, lock};
use crate::problems;
use crate::protocol::spot::vertex;
use crate::protocol::tell::{self, GameCard, Lesson, Record};
use crate::protocol::{Answer, Ask, Kind, Refusal, Tell, ask};
use crate::record;
use crate::study::{self, LiveStudy, StudyJob, StudyPlan};
use crate::survey::{Allowed, SurveyJob};
use crate::table::Table;
use keeper::game_name;
use news::{News, WindowInbox};
use place::Origin;
pub(crate) use place::SessionMeans;
use player::levels::NET_RECIPE;
use player::review::{self, GameLine};
use teach::forget_lesson;

/// Simulations of a review for each position, at most.
const MAX_SURVEY: u64 = 20_000;
/// Seconds of a review, at most.
const MAX_SURVEY_TIME: f64 = 3600.0;
/// Moves that are watched at most.
const MAX_WATCH: usize = 40;

/// With a network the recipe that asks it stands in for `default`.
fn strongest<'a>(recipe: &'a str, net: Option<&NetFile>) -> &'a str {
    if net.is_some() && recipe.trim() == "default" { NET_RECIPE } else { recipe }
}

/// One visitor.
pub(crate) struct Session {
    key: Key,
    id: String,
    means: Arc<SessionMeans>,
    desk: Mutex<Desk>,
    news: News,
    n_windows: AtomicUsize,
    origin: Origin,
    /// When it was made.
    made: SystemTime,
    /// Whether it was put away, so that there may be another session of this name.
    is_put_away: AtomicBool,
    /// Whether somebody looks for networks.
    is_listing: AtomicBool,
}

/// The state of a session that changes.
struct Desk {
    table: Table,
    /// The number of the game on the table among the visitor's.
    number: u32,
    /// What is known of the visitor's other games, and of which time.
    cards: HashMap<u32, (SystemTime, GameCard)>,
    /// Whether the visitor's last move is still to be compared with the best.
    is_unchecked: bool,
    /// What is wrong with it; Tengen waits meanwhile.
    lesson: Option<Lesson>,
    /// Set to end Tengen's thinking about its move.
    thinking: Option<Arc<AtomicBool>>,
    /// Set to end a hint.
    hint: Option<Arc<AtomicBool>>,
    /// Who plays for Tengen, with what it knows of the game.
    engine: Option<SearchPlayer>,
    /// Why there is nobody to play for Tengen.
    trouble: Option<String>,
    study: Option<Arc<Mutex<LiveStudy>>>,
    /// Set to end the study or survey.
    study_stop: Arc<AtomicBool>,
    seen: Instant,
}

impl Desk {
    /// Ends what is done only while somebody looks on, and forgets the trees.
    fn end_looking(&mut self) {
        self.study_stop.store(true, Ordering::Relaxed);
        self.study = None;
        self.engine = None;
        end(&mut self.hint);
    }
}

impl Session {
    fn new(
        key: Key,
        id: String,
        means: Arc<SessionMeans>,
        (number, table): (u32, Table),
        origin: Origin,
    ) -> Self {
        let desk = Desk {
            table,
            number,
            cards: HashMap::new(),
            is_unchecked: false,
            lesson: None,
            thinking: None,
            hint: None,
            engine: None,
            trouble: None,
            study: None,
            study_stop: Arc::default(),
            seen: Instant::now(),
        };
        Self {
            key,
            id,
            means,
            desk: Mutex::new(desk),
            news: News::default(),
            n_windows: AtomicUsize::new(0),
            origin,
            made: SystemTime::now(),
            is_put_away: AtomicBool::new(false),
            is_listing: AtomicBool::new(false),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn means(&self) -> &Arc<SessionMeans> {
        &self.means
    }

    /// What all windows are told.
    pub(crate) fn listen(&self) -> Arc<WindowInbox> {
        self.news.listen()
    }

    /// What changes, to be read or changed by one at a time.
    ///
    /// # Errors
    /// The session was put away: another one may have its games by now, so nothing of this one is changed or kept any more.
    fn desk(&self) -> Answer<MutexGuard<'_, Desk>> {
        let desk = lock(&self.desk);
        // It is put away by somebody who holds the desk, so this stays true for as long as the desk is held.
        if self.is_put_away() {
            return Err(Refusal::state("this window is no longer connected to its game; reload the page"));
        }
        Ok(desk)
    }

    /// A window opens.
    ///
    /// # Errors
    /// There are too many windows, or the session was put away meanwhile.
    fn enter(self: &Arc<Self>) -> Answer<()> {
        let mut desk = self.desk()?;
        let max = self.means.bounds.connections_of_session;
        let n_before =
            self.n_windows.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| (n < max).then_some(n + 1));
        if n_before.is_err() {
            return Err(Refusal::new(Kind::Busy, "too many windows show this game; close one"));
        }
        if n_before == Ok(0) {
            self.means.n_visitors.fetch_add(1, Ordering::Relaxed);
        }
        desk.seen = Instant::now();
        // A game that was restored may wait for Tengen's move.
        let waits = desk.thinking.is_none() && desk.lesson.is_none();
        if waits && (desk.table.is_ours() || desk.table.is_unjudged()) {
            self.set_to_work(&mut desk);
        }
        Ok(())
    }

    /// A window closes. The last one takes the studies with it, and what Tengen remembers of the tree.
    pub(crate) fn leave(&self) {
        if self.n_windows.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.means.n_visitors.fetch_sub(1, Ordering::Relaxed);
            let mut desk = lock(&self.desk);
            desk.seen = Instant::now();
            desk.end_looking();
        }
    }

    fn n_windows(&self) -> usize {
        self.n_windows.load(Ordering::Acquire)
    }

    fn seen(&self) -> Instant {
        lock(&self.desk).seen
    }

    /// How the game stands.
    pub(crate) fn game(&self) -> Tell {
        game_of(&lock(&self.desk))
    }

    /// Tells all windows; false if there is none.
    fn tell(&self, tell: &Tell) -> bool {
        self.news.tell(&tell.text().into())
    }

    /// Does what is asked; what only the asker is told is returned.
    pub(crate) fn handle(self: &Arc<Self>, ask: Ask) -> Answer<Option<Tell>> {
        let lab = &self.means.laboratory;
        match ask {
            Ask::Hello(_) => Err(Refusal::state("hello was said already")),
            Ask::Hint(_) => self.hint().map(|()| None),
            Ask::SaveGame(_) => self.save_game().map(Some),
            Ask::MyGames(_) => Ok(Some(self.my_games(&mut *self.desk()?))),
            Ask::OpenGame(ask) => self.open_game(ask.id).map(|()| None),
            Ask::NameGame(ask) => self.name_game(&ask).map(|()| None),
            Ask::DeleteGame(ask) => self.delete_game(ask.id).map(|()| None),
            Ask::Teach(ask) => self.teach(ask.on).map(|()| None),
            Ask::PlayOn(_) => self.play_on().map(|()| None),
            Ask::ReadRecord(ask) => {
                let tree = record::read(&record::bytes(&ask.sgf)?)?;
                Ok(Some(Tell::Tree(Box::new(tell::Tree { number: ask.number, ..tree }))))
            }
            Ask::EditRecord(ask) => {
                let (name, sgf) = ("analysis.sgf".to_string(), record::write(&ask)?);
                Ok(Some(Tell::Edited(Record { name, sgf })))
            }
            Ask::Problems(_) => Ok(Some(Tell::Problems(tell::Problems { sets: problems::sets() }))),
            Ask::ReadProblems(ask) => {
                let (problems, is_cut) = record::read_all(&record::bytes(&ask.sgf)?)?;
                Ok(Some(Tell::ProblemFile(tell::ProblemFile { number: ask.number, problems, is_cut })))
            }
            Ask::Nets(_) => self.list_nets().map(|()| None),
            Ask::Study(ask) => self.study(&ask).map(|()| None),
            Ask::Survey(ask) => self.survey(&ask).map(|()| None),
            Ask::Stop(_) => {
                lock(&self.desk).study_stop.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Ask::Open(ask) => self.open(&ask).map(Some),
            Ask::Experiments(_) => Ok(Some(Tell::Experiments(lab.list()))),
            Ask::Standings(ask) => Ok(Some(Tell::Standings(lab.standings(&ask.experiment)?))),
            Ask::Games(ask) => Ok(Some(Tell::Games(lab.games(&ask.experiment, ask.pairing, ask.skip)?))),
            Ask::Replay(ask) => {
                Ok(Some(Tell::Tree(Box::new(lab.replay(&ask.experiment, ask.pairing, ask.game)?))))
            }
            Ask::Runs(_) => Ok(Some(Tell::Runs(self.means.runs.list()))),
            Ask::Run(ask) => Ok(Some(Tell::Run(Box::new(self.means.runs.run(&ask.run)?)))),
            Ask::RunGame(ask) => Ok(Some(Tell::RunGame(self.means.runs.game(&ask.run, ask.game)?))),
            ask => self.change_game(ask).map(|()| None),
        }
    }

    /// Whatever changes the game.
    fn change_game(self: &Arc<Self>, ask: Ask) -> Answer<()> {
        let mut desk = self.desk()?;
        let size = desk.table.position().size();
        match ask {
            Ask::NewGame(terms) => {
                self.net(terms.net.as_deref())?;
                self.put_new(&mut desk, Table::new(terms)?)?;
            }
            Ask::LoadGame(ask) => {
                self.net(ask.net.as_deref())?;
                let table = Table::from_sgf(&record::bytes(&ask.sgf)?, ask.color, ask.level, ask.net)?;
                self.put_new(&mut desk, table)?;
            }
            Ask::PlayFrom(ask) => {
                let table = desk.table.branch_at(ask.ply)?;
                self.put_new(&mut desk, table)?;
            }
            Ask::Move(ask) => {
                let to = vertex(size, ask.point)?;
                desk.table.visitor_plays(to, ask.ply)?;
                desk.is_unchecked = desk.table.teaches() && !to.is_pass();
            }
            Ask::Undo(_) => {
                desk.table.undo()?;
                forget_lesson(&mut desk);
            }
            Ask::Resign(_) => {
                let visitor = desk.table.visitor();
                desk.table.resign(visitor)?;
                forget_lesson(&mut desk);
            }
            Ask::ToggleDead(ask) => {
                desk.table.toggle_dead(vertex(size, ask.point)?)?;
                // Whoever still judges is too late.
                end(&mut desk.thinking);
                return self.changed(&mut desk, false);
            }
            Ask::Accept(_) => desk.table.accept()?,
            Ask::Resume(_) => desk.table.resume()?,
            // Whoever is too early is told how much time there is, and disturbs nobody's thinking.
            Ask::Flag(_) if !desk.table.flag() => {
                self.tell(&game_of(&desk));
                return Ok(());
            }
            Ask::Flag(_) => {}
            _ => return Err(Refusal::new(Kind::Internal, "a message without an answer")),
        }
        self.changed(&mut desk, true)
    }

    /// Keeps the changed game, sets Tengen to work where it is its turn, and tells everybody.
    fn changed(self: &Arc<Self>, desk: &mut Desk, is_turn: bool) -> Answer<()> {
        desk.seen = Instant::now();
        end(&mut desk.hint);
        if is_turn {
            end(&mut desk.thinking);
            self.set_to_work(desk);
        }
        // First on disk, then told: whoever has heard of a move finds it again, whatever happens.
        let text = desk.table.to_kept();
        let name = game_name(&self.id, desk.number);
        let kept = text.and_then(|text| self.means.keeper.keep(&name, &text, self.origin.network));
        self.tell(&game_of(desk));
        kept
    }

    /// Tengen's move, as it was decided in the position of this serial.
    fn decided(self: &Arc<Self>, serial: u64, decision: Decision, engine: SearchPlayer) {
        let Ok(mut desk) = self.desk() else { return };
        if desk.table.serial() != serial {
            return;
        }
        desk.engine = (self.n_windows() > 0).then_some(engine);
        desk.thinking = None;
        let color = desk.table.position().to_play();
        let done = match decision {
            Decision::Play(vertex) => desk.table.play(vertex),
            Decision::Resign => desk.table.resign(color),
        };
        if let Err(refusal) = done {
            log::error!("{}: the search chose {decision:?}, which cannot be: {refusal}", self.short_id());
            // A move that the rules forbid is no move: pass instead of hanging.
            let _ = desk.table.play(Vertex::PASS);
        }
        // A game that cannot be kept is still played.
        let _ = self.changed(&mut desk, true);
    }

    fn judged(self: &Arc<Self>, serial: u64, dead: Vec<Vertex>) {
        let Ok(mut desk) = self.desk() else { return };
        if desk.table.serial() == serial {
            desk.thinking = None;
            desk.table.judge(dead);
            let _ = self.changed(&mut desk, false);
        }
    }

    fn save_game(&self) -> Answer<Tell> {
        let desk = lock(&self.desk);
        let n = desk.table.position().plays().len();
        let size = desk.table.position().size();
        Ok(Tell::Record(Record { name: format!("tengen-{size}-{n}.sgf"), sgf: desk.table.to_sgf()? }))
    }

    /// The network that a message names, if it names one.
    fn net(&self, name: Option<&str>) -> Answer<Option<NetFile>> {
        name.map(|name| self.means.nets.find(name)).transpose()
    }

    /// Looks for networks in a thread of its own: files may be large, and a game goes on meanwhile.
    fn list_nets(self: &Arc<Self>) -> Answer<()> {
        if self.is_listing.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let session = Arc::clone(self);
        let list = move || {
            let nets = session.means.nets.list();
            session.is_listing.store(false, Ordering::Release);
            session.tell(&Tell::Nets(tell::Nets { nets }));
        };
        let thread = std::thread::Builder::new().name("nets".to_string()).spawn(list);
        thread.map(|_| ()).map_err(|error| {
            self.is_listing.store(false, Ordering::Release);
            Refusal::new(Kind::Internal, format!("networks cannot be looked for: {error}"))
        })
    }

    /// Ends what is studied and makes a new flag for what comes.
    fn renew_stop(desk: &mut Desk) -> Arc<AtomicBool> {
        desk.study_stop.store(true, Ordering::Relaxed);
        desk.study_stop = Arc::default();
        Arc::clone(&desk.study_stop)
    }

    fn study(self: &Arc<Self>, ask: &ask::AskStudy) -> Answer<()> {
        let bounds = &self.means.bounds;
        let position = ask.spot.position(bounds.steps)?;
        if ask.watch.len() > MAX_WATCH {
            return Err(Refusal::invalid(format!("watch: expected at most {MAX_WATCH} moves")));
        }
        let size = position.size();
        let net = self.net(ask.net.as_deref())?;
        // Whoever looks at details has named the recipe that is meant.
        let read = |text: &str| study::recipe(if ask.detail { text } else { strongest(text, net.as_ref()) });
        let plan = StudyPlan {
            number: ask.number,
            recipes: ask.recipes.iter().take(8).map(|text| read(text)).collect::<Answer<_>>()?,
            net: net.as_ref().map(NetFile::loaded),
            playouts: playouts(ask.playouts.unwrap_or(bounds.playouts), bounds.playouts)?,
            time: bounds.study_time,
            detail: ask.detail,
            watch: ask.watch.iter().map(|&to| vertex(size, to)).collect::<Answer<_>>()?,
            memory: self.means.tree_memory(bounds.memory / 2),
            // Whoever looks at details compares searches, which must not depend on chance.
            threads: if ask.detail { 1 } else { self.means.pool.spare() },
            position,
        };
        plan.check()?;
        // The old trees go before the new ones come.
        let stop = {
            let mut desk = self.desk()?;
            desk.study = None;
            Self::renew_stop(&mut desk)
        };
        let study = Arc::new(Mutex::new(LiveStudy::new(&plan)?));
        if let Some(net) = &net {
            self.tell(&Tell::Raw(study::raw(net, &plan)?));
        }
        let session = Arc::clone(self);
        let job = StudyJob::new(Arc::clone(&study), &plan, stop, move |tell| session.tell(tell));
        self.desk()?.study = Some(study);
        self.means.pool.submit(self.key, Box::new(job));
        Ok(())
    }

    fn survey(self: &Arc<Self>, ask: &ask::AskSurvey) -> Answer<()> {
        let bounds = &self.means.bounds;
        let game = ask.spot.position(bounds.steps)?;
        let allowed = match (ask.playouts, ask.time) {
            (Some(n), None) => Allowed::Playouts(playouts(n, MAX_SURVEY)?),
            (None, Some(seconds)) if (1.0..=MAX_SURVEY_TIME).contains(&seconds) => Allowed::Seconds(seconds),
            (None, Some(seconds)) => {
                return Err(Refusal::invalid(format!("{seconds} seconds: expected 1 to {MAX_SURVEY_TIME}")));
            }
            _ => return Err(Refusal::invalid("expected either playouts or time")),
        };
        let net = self.net(ask.net.as_deref())?;
        let means = review::ReviewMeans {
            recipe: study::recipe(strongest("default", net.as_ref()))?,
            net: net.as_ref().map(NetFile::loaded),
            memory: self.means.tree_memory(bounds.memory / 8),
            seed: 1,
        };
        let stop = Self::renew_stop(&mut *self.desk()?);
        let session = Arc::clone(self);
        let tell = move |tell: &Tell| session.tell(tell);
        let job = SurveyJob::new(ask.number, GameLine::new(game), means, allowed, stop, tell);
        self.means.pool.submit(self.key, Box::new(job));
        Ok(())
    }

    fn open(&self, ask: &ask::Open) -> Answer<Tell> {
        let study = lock(&self.desk).study.clone();
        let study = study.ok_or_else(|| Refusal::state("there is no study; start one first"))?;
        let branch = lock(&study).branch(ask.number, ask.search, &ask.line)?;
        Ok(Tell::Branch(branch))
    }
}

/// Sets a flag that ends something, if there is one.
fn end(stop: &mut Option<Arc<AtomicBool>>) {
    if let Some(stop) = stop.take() {
        stop.store(true, Ordering::Relaxed);
    }
}

fn game_of(desk: &Desk) -> Tell {
    let is_thinking = desk.thinking.is_some();
    Tell::Game(Box::new(tell::Game {
        id: desk.number,
        checking: is_thinking && desk.is_unchecked,
        lesson: desk.lesson.clone(),
        trouble: desk.trouble.clone(),
        ..desk.table.view(is_thinking)
    }))
}

fn playouts(wanted: u64, max: u64) -> Answer<u64> {
    if (1..=max).contains(&wanted) {
        return Ok(wanted);
    }
    Err(Refusal::invalid(format!("{wanted} playouts: expected 1 to {max}")))
}

/// Letters of what went wrong; it may repeat what was asked, which nobody needs whole.
const MAX_FAULT: usize = 400;

/// The error message for whoever asked.
pub(crate) fn error(ask: Option<String>, refusal: Refusal) -> Tell {
    let mut message = refusal.message;
    if let Some((end, _)) = message.char_indices().nth(MAX_FAULT) {
        message.truncate(end);
        message.push('…');
    }
    Tell::Error(tell::ErrorMessage { ask, kind: refusal.kind, message })
}
