//! HTTP: the page's files, the reports of experiments, and the door to the WebSocket.
//!
//! Every connection has a thread that waits for its requests; a WebSocket keeps that thread, and has another for news.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::assets;
use crate::config::Config;
use crate::connections::Connections;
use crate::gate::{Gate, Permit};
use crate::guard::{COOKIE_NAME, Guard, Shown};
use crate::http::websocket::handshake;
use crate::http::{HttpWire, Refused, Request, Response, Status};
use crate::pool::lock;
use crate::protocol::Answer;
use crate::session::SessionMeans;
use crate::session::house::House;
use crate::{socket, token};

/// How long a request may take to come, counted from the answer to the one before it, and how long its answer may take to go.
const PATIENCE: Duration = Duration::from_secs(20);
/// Large messages and reports that are at work at once, on their way in and out included. Whoever asks for one more waits.
const MAX_LARGE: usize = 8;

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Others could come in without being asked who they are.
    #[error(
        "{listen} can be reached from other machines; expected a token, so that not everybody may come in"
    )]
    Open {
        /// The address.
        listen: SocketAddr,
    },
    /// A token that is soon guessed.
    #[error("the token has {n} letters; expected at least 8, of letters, digits, - and _")]
    ShortToken {
        /// Its letters.
        n: usize,
    },
    /// A token with a letter that no address may hold.
    #[error("the token holds {letter:?}; expected letters, digits, - and _, at least 8 of them")]
    Token {
        /// The letter.
        letter: char,
    },
    /// The address is taken or not ours.
    #[error("cannot listen on {listen}: {why}")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// What the system says.
        why: std::io::Error,
    },
    /// The folder for games cannot be used, or there are no threads.
    #[error("cannot keep games in the folder {folder}: {why}; --state DIR names another")]
    State {
        /// The folder.
        folder: String,
        /// What the system says.
        why: std::io::Error,
    },
    /// The system does not let us serve.
    #[error("the server stopped: {0}")]
    Serve(std::io::Error),
}

/// The state that requests share.
pub(crate) struct Hub {
    pub(crate) house: House,
    guard: Guard,
    config: Config,
    /// One report is made at a time, however many are asked for: the other core is for those who play.
    reports: Mutex<()>,
    /// Where large messages wait.
    pub(crate) gate: Arc<Gate>,
    pub(crate) connections: Connections,
    is_over: AtomicBool,
}

/// A server that listens and has yet to serve.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
}

/// Ends a server from another thread.
pub struct Ending {
    address: SocketAddr,
    hub: Arc<Hub>,
}

impl Ending {
    /// Lets [`Server::serve`] return.
    pub fn end(&self) {
        self.hub.is_over.store(true, Ordering::Release);
        // Whoever waits for visitors gets one more.
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
    }
}

impl Server {
    /// Opens the address and the folder for games.
    ///
    /// # Errors
    /// An address that is taken, or open to others without a token; a folder that cannot be used.
    pub fn bind(config: Config) -> Result<Self, ServerError> {
        let listen = config.listen;
        match &config.token {
            None if !listen.ip().is_loopback() => return Err(ServerError::Open { listen }),
            Some(token) => check_token(token)?,
            None => {}
        }
        let why = |why| ServerError::Listen { listen, why };
        let listener = TcpListener::bind(listen).map_err(why)?;
        let address = listener.local_addr().map_err(why)?;
        let state = |why| ServerError::State { folder: config.state.display().to_string(), why };
        let house = House::new(&config).map_err(state)?;
        let token = match &config.token {
            Some(token) => Some((token.clone(), token::cookie_key(&config.state).map_err(state)?)),
            None => None,
        };
        let guard =
            Guard::new(address, &config.names, token.as_ref().map(|(token, key)| (token.clone(), &**key)));
        let hub = Hub {
            house,
            guard,
            connections: Connections::new(config.bounds.connections),
            config,
            reports: Mutex::default(),
            gate: Arc::new(Gate::new(MAX_LARGE)),
            is_over: AtomicBool::new(false),
        };
        Ok(Self { listener, address, hub: Arc::new(hub) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a browser on this machine finds the page, without the token.
    pub fn plain_link(&self) -> String {
        match self.address {
            address if address.ip().is_unspecified() => format!("http://127.0.0.1:{}/", address.port()),
            address => format!("http://{address}/"),
        }
    }

    /// What to open in a browser on this machine.
    pub fn link(&self) -> String {
        let plain = self.plain_link();
        self.hub.config.token.as_ref().map_or(plain.clone(), |token| format!("{plain}?token={token}"))
    }

    /// What ends it.
    pub fn ending(&self) -> Ending {
        Ending { address: self.address, hub: Arc::clone(&self.hub) }
    }

    /// Serves until it is ended.
    ///
    /// # Errors
    /// When the system takes the address away.
    pub fn serve(self) -> Result<(), ServerError> {
        let hub = self.hub;
        for number in 0.. {
            let accepted = self.listener.accept();
            if hub.is_over.load(Ordering::Acquire) {
                break;
            }
            match accepted {
                Ok((stream, from)) => welcome(&hub, stream, number, from.ip()),
                Err(error) if error.kind() == ErrorKind::InvalidInput => {
                    return Err(ServerError::Serve(error));
                }
                Err(error) if is_visitors_fault(error.kind()) => {}
                // Too many files are open, for example: some of them will be closed.
                Err(error) => {
                    log::error!("cannot accept connections now: {error}");
                    std::thread::sleep(Duration::from_secs(1));
                }
            }
        }
        hub.close();
        Ok(())
    }
}

/// Serves until the program ends; `ready` is called when browsers can come.
///
/// # Errors
/// As for [`Server::bind`] and [`Server::serve`].
pub fn run(config: Config, ready: impl FnOnce(&Server)) -> Result<(), ServerError> {
    let server = Server::bind(config)?;
    ready(&server);
    server.serve()
}

fn is_visitors_fault(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
    )
}

/// Gives a connection a thread of its own, if there are not too many; else it ends at once.
fn welcome(hub: &Arc<Hub>, stream: TcpStream, number: u64, address: IpAddr) {
    let Ok(kept) = stream.try_clone() else { return };
    if !hub.connections.enter(number, kept, address) {
        log::warn!("too many windows are open: {address} is sent away");
        return;
    }
    // A panic ends the thread, and the connection with it.
    let visit = Caller { hub: Arc::clone(hub), number, address };
    let work = move || visit.serve(stream);
    // Without a thread `work` is dropped, and the visit with it.
    if let Err(error) = std::thread::Builder::new().name("visitor".to_string()).spawn(work) {
        log::error!("no thread for {address}: {error}");
    }
}

/// A connection for as long as it is open.
pub(crate) struct Caller {
    pub(crate) hub: Arc<Hub>,
    pub(crate) number: u64,
    pub(crate) address: IpAddr,
}

impl Drop for Caller {
    fn drop(&mut self) {
        self.hub.connections.leave(self.number);
    }
}

impl Caller {
    /// Answers the requests of a connection until one side has enough.
    fn serve(&self, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let mut wire = HttpWire::new(stream);
        loop {
            wire.deadline = Some(Instant::now() + PATIENCE);
            let request = match Request::read(&mut wire) {
                Ok(request) => request,
                Err(Refused::Gone) => return,
                Err(Refused::Bad(status)) => {
                    let _ = Response::new(status).send(wire.stream(), true, false, Instant::now() + PATIENCE);
                    return;
                }
            };
            self.hub.connections.touch(self.number);
            let Reply { response, is_socket, _permit } = self.hub.admit(&request, self.address);
            log::debug!("{} {} {}: {}", self.address, request.method, request.path, response.status.code);
            let with_body = request.method != "HEAD";
            let stays = request.stays || is_socket;
            let sent = response.send(wire.stream(), with_body, stays, Instant::now() + PATIENCE);
            drop(response);
            if is_socket {
                return sent.map_or((), |()| socket::serve(self, wire));
            }
            if sent.is_err() || !stays {
                return;
            }
        }
    }
}

/// An answer, and what comes of it.
struct Reply {
    response: Response,
    /// Whether it opens a WebSocket.
    is_socket: bool,
    /// Held until a large answer is sent.
    _permit: Option<Permit>,
}

impl From<Response> for Reply {
    fn from(response: Response) -> Self {
        Self { response, is_socket: false, _permit: None }
    }
}

/// Refuses what is no token.
///
/// # Errors
/// Names what is wrong with it.
pub fn check_token(token: &str) -> Result<(), ServerError> {
    match token.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
        Some(letter) => Err(ServerError::Token { letter }),
        None if token.len() < 8 => Err(ServerError::ShortToken { n: token.len() }),
        None => Ok(()),
    }
}

impl Hub {
    /// Looks at every request before anything else does, and says in every answer what pages of ours may do.
    fn admit(&self, request: &Request, address: IpAddr) -> Reply {
        let given = request.given("token");
        let shown = Shown { token: given.as_deref(), address };
        if let Err(denial) = self.guard.admit(&request.headers, shown) {
            let mut response = Response::words(denial.status, denial.message);
            if let Some(retry) = denial.retry {
                response = response.with("retry-after", (retry.as_secs() + 1).to_string());
            }
            return response.into();
        }
        if request.method != "GET" && request.method != "HEAD" {
            return Response::words(Status::METHOD_NOT_ALLOWED, "expected GET").into();
        }
        // A token in the address becomes a cookie, so that it does not stay in the address.
        if let (Some(_), Some(cookie), "/") = (&given, self.guard.cookie(), request.path.as_str()) {
            let cookie =
                format!("{COOKIE_NAME}={cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
            return Response::new(Status::SEE_OTHER).with("set-cookie", cookie).with("location", "/").into();
        }
        let Reply { mut response, is_socket, _permit } = match request.path.as_str() {
            "/ws" => match handshake(request) {
                Ok(response) => Reply { is_socket: true, ..response.into() },
                Err(refusal) => refusal.into(),
            },
            "/lab/report" => self.report(request, |means, name| means.laboratory.report(name)),
            "/runs/report" => self.report(request, |means, name| means.runs.report(name)),
            _ => self.asset(request).into(),
        };
        response = response.with("x-content-type-options", "nosniff").with("referrer-policy", "no-referrer");
        if !response.has("cache-control") {
            response = response.with("cache-control", "no-store");
        }
        if !response.has("content-security-policy") {
            let host = request.headers.text("host").unwrap_or_default();
            let policy = format!(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                 connect-src 'self' ws://{host} wss://{host}; frame-src 'self'; manifest-src 'self'; base-uri 'none'; \
                 form-action 'none'; frame-ancestors 'none'"
            );
            response = response.with("content-security-policy", policy);
        }
        Reply { response, is_socket, _permit }
    }

    /// A file of the page.
    fn asset(&self, request: &Request) -> Response {
        let name = match request.path.as_str() {
            "/" => "index.html",
            path => path.trim_start_matches('/'),
        };
        let Some(asset) = assets::get(self.config.assets.as_deref(), name) else {
            return Response::words(Status::NOT_FOUND, "there is no such file");
        };
        let tag = format!("\"{}\"", asset.tag);
        let is_known = self.config.assets.is_none()
            && request.headers.all("if-none-match").next().is_some_and(|known| known == tag.as_bytes());
        let status = if is_known { Status::NOT_MODIFIED } else { Status::OK };
        let response = Response::new(status).with("cache-control", "no-cache").with("etag", tag);
        if is_known { response } else { response.with_body(asset.kind, asset.bytes) }
    }

    /// The report of an experiment or a run: a page without scripts. It may be large, so only a few are on their way.
    fn report(&self, request: &Request, make: impl Fn(&SessionMeans, &str) -> Answer<String>) -> Reply {
        let name = request.given("name").unwrap_or_default();
        // First the turn: whoever waits for it takes no place of others.
        let _turn = lock(&self.reports);
        let permit = self.gate.enter();
        let response = match catch_unwind(AssertUnwindSafe(|| make(self.house.means(), &name))) {
            Ok(Ok(html)) => {
                let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";
                let response = Response::new(Status::OK).with("content-security-policy", policy);
                response.with_body("text/html; charset=utf-8", html.into_bytes())
            }
            Ok(Err(refusal)) => Response::words(Status::NOT_FOUND, refusal.message),
            Err(_) => {
                log::error!("the report of {name:?} could not be made");
                Response::words(Status::INTERNAL_ERROR, "the report could not be made")
            }
        };
        Reply { _permit: Some(permit), ..response.into() }
    }

    /// Ends all connections and all work, and waits a moment for those who are at it.
    fn close(&self) {
        self.connections.shut_down();
        self.house.close();
        let start = Instant::now();
        while !self.connections.is_empty() && start.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
