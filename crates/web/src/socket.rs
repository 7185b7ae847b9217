//! One connection: messages in, messages out, and what is done with somebody who sends too many.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use player::recipes::SHELF;
use recipe::Recipe;

use crate::config::Bounds;
use crate::http::HttpWire;
use crate::http::websocket::{Listener, Message, Speaker};
use crate::pool::lock;
use crate::protocol::tell::{LevelView, RecipeView, Welcome};
use crate::protocol::{self, Ask, Kind, Refusal, Tell};
use crate::rate::Bucket;
use crate::server::Caller;
use crate::session::news::{Told, WindowInbox};
use crate::session::{self, Session};
use player::levels::{LEVELS, Level, NET_LEVELS};

/// How long the first message may take.
const GREETING: Duration = Duration::from_secs(20);
/// How long a message out may take before the reader counts as gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a message before anybody is known.
const MAX_GREETING: usize = 4 << 10;
/// The code for whoever does not keep to the rules.
const POLICY: u16 = 1008;

/// What to do after a message.
enum Next {
    Go,
    Close(&'static str),
}

/// Serves a connection to its end.
pub(crate) fn serve(visit: &Caller, wire: HttpWire) {
    let bounds = &visit.hub.house.means().bounds;
    let Ok(stream) = wire.stream().try_clone() else { return };
    let mut socket = Socket {
        listener: Listener::new(wire, MAX_GREETING.min(bounds.message), Arc::clone(&visit.hub.gate)),
        speaker: Speaker::new(stream, PATIENCE),
    };
    let mut door = Door::new(bounds);
    socket.listener.set_deadline(Some(Instant::now() + GREETING));
    let Some(session) = greet(visit, &mut socket, &mut door) else {
        let _ = socket.speaker.close(Some(POLICY), "expected hello");
        return;
    };
    log::info!("{} is in as {}", visit.address, session.short_id());
    socket.listener.set_deadline(None);
    socket.listener.set_max(bounds.message);
    let Socket { listener, speaker } = socket;
    let speaker = Mutex::new(speaker);
    let reason = converse(&session, listener, &speaker, &mut door, bounds.silence);
    session.leave();
    let reason =
        if session.is_put_away() { Some("others who were here before need the place") } else { reason };
    log::info!(
        "{} leaves {}: {}",
        visit.address,
        session.short_id(),
        reason.unwrap_or("the window is closed")
    );
    if let Some(reason) = reason {
        let _ = lock(&speaker).close(Some(POLICY), reason);
    }
}

/// Both ends while one thread has them.
struct Socket {
    listener: Listener,
    speaker: Speaker,
}

/// Counts messages.
struct Door {
    bucket: Bucket,
    n_refused: u32,
    patience: u32,
}

impl Door {
    fn new(bounds: &Bounds) -> Self {
        let bucket = Bucket::new(bounds.burst, bounds.messages_per_second, Instant::now());
        Self { bucket, n_refused: 0, patience: bounds.patience }
    }

    /// Whether the time of another message or control frame has come.
    fn admit(&mut self) -> bool {
        let is_time = self.bucket.take(Instant::now());
        self.n_refused += u32::from(!is_time);
        is_time
    }

    /// Reads a message if its time has come.
    fn read(&mut self, text: &str) -> Result<Ask, Tell> {
        if !self.admit() {
            let refusal = Refusal::new(Kind::Rate, "too many messages; send fewer a second");
            return Err(session::error(None, refusal));
        }
        protocol::read(text).map_err(|refusal| session::error(protocol::name_of(text), refusal))
    }

    /// What comes of a message that was refused.
    fn next(&self) -> Next {
        if self.is_patient() { Next::Go } else { Next::Close("too many messages") }
    }

    fn is_patient(&self) -> bool {
        self.n_refused < self.patience
    }
}

/// Waits for `hello` and answers it.
fn greet(visit: &Caller, socket: &mut Socket, door: &mut Door) -> Option<Arc<Session>> {
    let Socket { listener, speaker } = socket;
    loop {
        let text = match listener.hear().ok()? {
            Message::Text(text) => text,
            other => {
                reply(speaker, door, &other)?;
                if door.is_patient() {
                    continue;
                }
                return None;
            }
        };
        let ask = match door.read(&text) {
            Ok(Ask::Hello(hello)) => hello,
            Ok(other) => {
                let refusal = Refusal::state("expected hello first");
                send(speaker, &session::error(Some(other.name().to_string()), refusal))?;
                continue;
            }
            Err(error) if door.is_patient() => {
                send(speaker, &error)?;
                continue;
            }
            Err(_) => return None,
        };
        let enter = || {
            let session = visit.hub.house.enter(ask.session.as_deref(), visit.address)?;
            if !visit.hub.connections.become_window(visit.number, session.is_back()) {
                session.leave();
                return Err(Refusal::new(Kind::Busy, "too many windows are open; try again later"));
            }
            Ok(session)
        };
        match catch_unwind(AssertUnwindSafe(enter)).ok()? {
            Ok(session) => {
                let welcome = Tell::Welcome(Box::new(welcome(&session)));
                if send(speaker, &welcome).is_none() || send(speaker, &session.game()).is_none() {
                    session.leave();
                    return None;
                }
                return Some(session);
            }
            Err(refusal) => send(speaker, &session::error(Some("hello".to_string()), refusal))?,
        }
    }
}

/// Messages in both directions until one side has enough; the reason, if it is us. This thread hears, another one tells the
/// news; whoever has the speaker says all that belongs together.
fn converse(
    session: &Arc<Session>,
    mut listener: Listener,
    speaker: &Mutex<Speaker>,
    door: &mut Door,
    silence: Duration,
) -> Option<&'static str> {
    let inbox = session.listen();
    let heard = Mutex::new(Instant::now());
    // What happened between the greeting and now.
    send(&lock(speaker), &session.game())?;
    std::thread::scope(|scope| {
        let tell = || {
            let reason = tell_news(session, &inbox, speaker, &heard, silence);
            lock(speaker).hear_no_more();
            reason
        };
        let teller = std::thread::Builder::new().name("news".to_string()).spawn_scoped(scope, tell).ok()?;
        let reason = loop {
            let Ok(message) = listener.hear() else { break None };
            *lock(&heard) = Instant::now();
            if let Message::Text(text) = &message
                && is_heavy(text)
            {
                listener.claim();
            }
            match answer(session, &lock(speaker), door, message) {
                Some(Next::Go) => {}
                Some(Next::Close(reason)) => break Some(reason),
                None => break None,
            }
        };
        inbox.close();
        reason.or(teller.join().ok().flatten())
    })
}

/// Tells what is new, and asks now and then whether somebody is there, until the window closes; the reason, if we have enough.
fn tell_news(
    session: &Session,
    inbox: &WindowInbox,
    speaker: &Mutex<Speaker>,
    heard: &Mutex<Instant>,
    silence: Duration,
) -> Option<&'static str> {
    let mut pulse = Instant::now();
    loop {
        match inbox.next(pulse) {
            Told::Text(text) => lock(speaker).say(&text).ok()?,
            // A slow window is told how things stand instead of how they came about.
            Told::Missed => send(&lock(speaker), &session.game())?,
            Told::Over => return None,
            Told::Nothing => {}
        }
        if Instant::now() >= pulse {
            if lock(heard).elapsed() > silence {
                return Some("nothing was heard for too long");
            }
            lock(speaker).ping().ok()?;
            pulse = Instant::now() + silence / 3;
        }
    }
}

/// Does what a message asks; none when the conversation is over. News wait until the answer is given.
fn answer(session: &Arc<Session>, speaker: &Speaker, door: &mut Door, message: Message) -> Option<Next> {
    let text = match message {
        Message::Text(text) => text,
        Message::Binary => {
            // No page of ours sends any: it counts as one too many.
            door.n_refused += 1;
            let refusal = Refusal::new(Kind::Malformed, "expected text, not bytes");
            send(speaker, &session::error(None, refusal))?;
            return Some(door.next());
        }
        other => return reply(speaker, door, &other).map(|()| door.next()),
    };
    let ask = match door.read(&text) {
        Ok(ask) => ask,
        Err(error) => {
            send(speaker, &error)?;
            return Some(door.next());
        }
    };
    let name = ask.name();
    let refuse = |refusal| Some(session::error(Some(name.to_string()), refusal));
    let answer = match catch_unwind(AssertUnwindSafe(|| session.handle(ask))) {
        Ok(answer) => answer.unwrap_or_else(refuse),
        Err(_) => {
            log::error!("{name} of {} failed", session.short_id());
            refuse(Refusal::new(Kind::Internal, "something went wrong here; the game is still kept"))
        }
    };
    if let Some(tell) = answer {
        send(speaker, &tell)?;
    }
    Some(Next::Go)
}

/// Whether the answer to a message may be large, whatever the size of the message.
fn is_heavy(text: &str) -> bool {
    ["read-record", "edit-record", "read-problems", "load-game", "replay"]
        .iter()
        .any(|name| text.contains(name))
}

/// Answers what the protocol itself asks, if its time has come; none when that was the last word.
fn reply(speaker: &Speaker, door: &mut Door, message: &Message) -> Option<()> {
    match message {
        Message::Ping(_) | Message::Pong if !door.admit() => Some(()),
        Message::Ping(bytes) => speaker.pong(bytes).ok(),
        Message::Close(code) => {
            let _ = speaker.close(*code, "");
            None
        }
        Message::Binary => {
            door.n_refused += 1;
            Some(())
        }
        Message::Pong | Message::Text(_) => Some(()),
    }
}

fn send(speaker: &Speaker, tell: &Tell) -> Option<()> {
    speaker.say(&tell.text()).ok()
}

fn welcome(session: &Session) -> Welcome {
    let level = |level: &Level| LevelView {
        name: level.name,
        playouts: level.playouts,
        seconds: level.time.as_secs_f64(),
        wavers: level.wavers(),
    };
    let recipes = SHELF.recipes.iter().map(|&(name, text)| {
        let recipe = Recipe::parse(&mcts::ROOT, &SHELF, name).ok();
        RecipeView {
            name,
            about: about(text),
            brief: recipe.as_ref().map(Recipe::brief).unwrap_or_default(),
            asks_net: recipe.as_ref().is_some_and(player::recipes::asks_net),
        }
    });
    Welcome {
        session: session.id().to_string(),
        version: env!("CARGO_PKG_VERSION"),
        levels: LEVELS.iter().map(level).collect(),
        net_levels: NET_LEVELS.iter().map(level).collect(),
        net: session.means().nets.given(),
        recipes: recipes.collect(),
        rules: goban::Rules::NAMED.iter().map(|(name, _)| *name).collect(),
        max_playouts: session.means().bounds.playouts,
    }
}

/// The first line of a recipe's file says what it is.
fn about(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_string()
}
