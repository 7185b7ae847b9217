//! One connection: messages in, messages out, and what is done with somebody who sends too many.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use player::recipes::SHELF;
use recipe::Recipe;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{self, MissedTickBehavior};

use crate::config::Bounds;
use crate::levels::{LEVELS, Level, NET_LEVELS};
use crate::protocol::tell::{LevelView, RecipeView, Welcome};
use crate::protocol::{self, Ask, Kind, Refusal, Tell};
use crate::rate::Bucket;
use crate::server::Hub;
use crate::session::{self, Session};

/// How long the first message may take.
const GREETING: Duration = Duration::from_secs(20);
/// How long a message out may take before the reader counts as gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// The code for whoever does not keep to the rules.
const POLICY: u16 = 1008;

/// What comes of looking at one message.
enum Next {
    Go,
    Close(&'static str),
}

/// Serves a connection to its end.
pub(crate) async fn serve(hub: &Arc<Hub>, mut socket: WebSocket) {
    let bounds = hub.house.means().bounds.clone();
    let mut door = Door::new(&bounds);
    let Ok(Some(session)) = time::timeout(GREETING, greet(hub, &mut socket, &mut door)).await else {
        let _ = close(&mut socket, "expected hello").await;
        return;
    };
    let reason = converse(&session, &mut socket, &mut door, bounds.silence).await;
    session.leave();
    if let Some(reason) = reason {
        let _ = close(&mut socket, reason).await;
    }
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

    /// Reads a message if its time has come.
    fn read(&mut self, text: &str) -> Result<Ask, Tell> {
        if !self.bucket.take(Instant::now()) {
            self.n_refused += 1;
            let refusal = Refusal::new(Kind::Rate, "too many messages; send fewer a second");
            return Err(session::error(None, refusal));
        }
        protocol::read(text).map_err(|refusal| session::error(protocol::name_of(text), refusal))
    }

    fn is_patient(&self) -> bool {
        self.n_refused < self.patience
    }
}

/// Waits for `hello` and answers it.
async fn greet(hub: &Arc<Hub>, socket: &mut WebSocket, door: &mut Door) -> Option<Arc<Session>> {
    loop {
        let Message::Text(text) = socket.recv().await?.ok()? else { continue };
        let ask = match door.read(&text) {
            Ok(Ask::Hello(hello)) => hello,
            Ok(other) => {
                let refusal = Refusal::state("expected hello first");
                send(socket, &session::error(Some(other.name().to_string()), refusal)).await?;
                continue;
            }
            Err(error) if door.is_patient() => {
                send(socket, &error).await?;
                continue;
            }
            Err(_) => return None,
        };
        let hub = Arc::clone(hub);
        let found = tokio::task::spawn_blocking(move || {
            let session = hub.house.session(ask.session.as_deref())?;
            match session.enter() {
                true => Ok(session),
                false => Err(Refusal::new(Kind::Busy, "too many windows show this game; close one")),
            }
        });
        match found.await.ok()? {
            Ok(session) => {
                let welcome = Tell::Welcome(Box::new(welcome(&session)));
                if send(socket, &welcome).await.is_none() || send(socket, &session.game()).await.is_none() {
                    session.leave();
                    return None;
                }
                return Some(session);
            }
            Err(refusal) => send(socket, &session::error(Some("hello".to_string()), refusal)).await?,
        }
    }
}

/// Messages in both directions until one side has enough; the reason, if it is us.
async fn converse(
    session: &Arc<Session>,
    socket: &mut WebSocket,
    door: &mut Door,
    silence: Duration,
) -> Option<&'static str> {
    let mut news = session.listen();
    // What happened between the greeting and now.
    send(socket, &session.game()).await?;
    let mut heard = Instant::now();
    let mut pulse = time::interval(silence / 3);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message?.ok()? {
                    Message::Text(text) => match answer(session, socket, door, &text).await? {
                        Next::Go => {}
                        Next::Close(reason) => return Some(reason),
                    },
                    Message::Binary(_) => {
                        door.n_refused += 1;
                        let refusal = Refusal::new(Kind::Malformed, "expected text, not bytes");
                        send(socket, &session::error(None, refusal)).await?;
                        if !door.is_patient() {
                            return Some("too many messages");
                        }
                    }
                    Message::Close(_) => return None,
                    Message::Ping(_) | Message::Pong(_) => {}
                }
            }
            told = news.recv() => match told {
                Ok(text) => send_text(socket, text).await?,
                // A slow window is told how things stand instead of how they came about.
                Err(RecvError::Lagged(_)) => send(socket, &session.game()).await?,
                Err(RecvError::Closed) => return Some("the server ends"),
            },
            _ = pulse.tick() => {
                if heard.elapsed() > silence {
                    return Some("nothing was heard for too long");
                }
                time::timeout(PATIENCE, socket.send(Message::Ping(Vec::new().into()))).await.ok()?.ok()?;
            }
        }
    }
}

/// Does what a message asks. Work is done in another thread, one message after the other.
async fn answer(session: &Arc<Session>, socket: &mut WebSocket, door: &mut Door, text: &str) -> Option<Next> {
    let ask = match door.read(text) {
        Ok(ask) => ask,
        Err(error) => {
            send(socket, &error).await?;
            return Some(if door.is_patient() { Next::Go } else { Next::Close("too many messages") });
        }
    };
    let name = ask.name();
    let worker = Arc::clone(session);
    let answer = match tokio::task::spawn_blocking(move || worker.handle(ask)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(refusal)) => Some(session::error(Some(name.to_string()), refusal)),
        Err(_) => {
            let refusal = Refusal::new(Kind::Internal, "something went wrong here; the game is still kept");
            Some(session::error(Some(name.to_string()), refusal))
        }
    };
    if let Some(tell) = answer {
        send(socket, &tell).await?;
    }
    Some(Next::Go)
}

async fn send(socket: &mut WebSocket, tell: &Tell) -> Option<()> {
    send_text(socket, Utf8Bytes::from(tell.text())).await
}

async fn send_text(socket: &mut WebSocket, text: Utf8Bytes) -> Option<()> {
    time::timeout(PATIENCE, socket.send(Message::Text(text))).await.ok()?.ok()
}

async fn close(socket: &mut WebSocket, reason: &'static str) -> Option<()> {
    let frame = CloseFrame { code: POLICY, reason: Utf8Bytes::from_static(reason) };
    time::timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await.ok()?.ok()
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
