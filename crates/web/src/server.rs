//! HTTP: the page's files, the reports of experiments, and the door to the WebSocket.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, LOCATION,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::assets;
use crate::config::Config;
use crate::guard::{COOKIE_NAME, Guard};
use crate::session::house::House;
use crate::socket;

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
    /// A token that cannot be part of an address.
    #[error("the token holds {letter:?}; expected letters, digits, - and _, at least 8 of them")]
    Token {
        /// What it may not hold; a blank if it is merely too short.
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
    #[error("cannot use the folder {folder}: {why}")]
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

/// What requests share.
pub(crate) struct Hub {
    pub(crate) house: House,
    guard: Guard,
    config: Config,
    connections: Arc<Semaphore>,
    /// One report is made at a time, however many are asked for: the other core is for those who play.
    reports: Semaphore,
}

/// A server that listens and has yet to serve.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
}

impl Server {
    /// Opens the address and the folder for games.
    ///
    /// # Errors
    /// An address that is taken, or open to others without a token; a folder that cannot be used.
    pub async fn bind(config: Config) -> Result<Self, ServerError> {
        let listen = config.listen;
        match &config.token {
            None if !listen.ip().is_loopback() => return Err(ServerError::Open { listen }),
            Some(token) => check_token(token)?,
            None => {}
        }
        let why = |why| ServerError::Listen { listen, why };
        let listener = TcpListener::bind(listen).await.map_err(why)?;
        let address = listener.local_addr().map_err(why)?;
        let house = House::new(&config)
            .map_err(|why| ServerError::State { folder: config.state.display().to_string(), why })?;
        let guard = Guard::new(address, &config.names, config.token.clone());
        let connections = Arc::new(Semaphore::new(config.bounds.connections));
        let reports = Semaphore::new(1);
        Ok(Self { listener, address, hub: Arc::new(Hub { house, guard, config, connections, reports }) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser on this machine.
    pub fn link(&self) -> String {
        let host = match self.address {
            address if address.ip().is_unspecified() => format!("127.0.0.1:{}", address.port()),
            address => address.to_string(),
        };
        match &self.hub.config.token {
            Some(token) => format!("http://{host}/?token={token}"),
            None => format!("http://{host}/"),
        }
    }

    /// Serves until `end` comes about.
    ///
    /// # Errors
    /// When the system takes the address away.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let hub = Arc::clone(&self.hub);
        let served = tokio::select! {
            served = async { axum::serve(self.listener, router(self.hub)).await } => served,
            () = end => Ok(()),
        };
        hub.house.close();
        served.map_err(ServerError::Serve)
    }
}

/// Serves until the program ends; `ready` is called when browsers can come.
///
/// # Errors
/// As for [`Server::bind`] and [`Server::serve`].
pub fn run(config: Config, ready: impl FnOnce(&Server)) -> Result<(), ServerError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let builder = builder.worker_threads(2).max_blocking_threads(32).enable_all();
    builder.build().map_err(ServerError::Serve)?.block_on(async {
        let server = Server::bind(config).await?;
        ready(&server);
        server.serve(std::future::pending()).await
    })
}

fn check_token(token: &str) -> Result<(), ServerError> {
    match token.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
        Some(letter) => Err(ServerError::Token { letter }),
        None if token.len() < 8 => Err(ServerError::Token { letter: ' ' }),
        None => Ok(()),
    }
}

fn router(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/ws", get(open_socket))
        .route("/lab/report", get(report))
        .fallback(asset)
        .layer(middleware::from_fn_with_state(Arc::clone(&hub), admit))
        .with_state(hub)
}

/// What may stand after the `?`.
#[derive(Deserialize)]
struct Given {
    token: Option<String>,
    name: Option<String>,
}

/// Looks at every request before anything else does, and says in every answer what pages of ours may do.
async fn admit(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let given = Query::<Given>::try_from_uri(request.uri()).ok().and_then(|Query(given)| given.token);
    if let Err(denial) = hub.guard.admit(request.headers(), given.as_deref()) {
        return (denial.status, denial.message).into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, "expected GET").into_response();
    }
    // A token in the address becomes a cookie, so that it does not stay in the address.
    if let (Some(given), Some(_), "/") = (&given, &hub.config.token, request.uri().path()) {
        let cookie = format!("{COOKIE_NAME}={given}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
        return (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, "/".to_string())]).into_response();
    }
    let host = request.headers().get(HOST).cloned();
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        let host = host.as_ref().and_then(|host| host.to_str().ok()).unwrap_or_default();
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self' ws://{host} wss://{host}; frame-src 'self'; manifest-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'"
        );
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
    }
    response
}

/// A file of the page.
async fn asset(State(hub): State<Arc<Hub>>, headers: HeaderMap, uri: Uri) -> Response {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(asset) = assets::get(hub.config.assets.as_deref(), name) else {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let tag = format!("\"{}\"", asset.tag);
    let fresh = [(CACHE_CONTROL, "no-cache".to_string()), (ETAG, tag.clone())];
    let is_known = hub.config.assets.is_none()
        && headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    if is_known {
        return (StatusCode::NOT_MODIFIED, fresh).into_response();
    }
    (fresh, [(CONTENT_TYPE, asset.kind)], asset.bytes.into_owned()).into_response()
}

/// The report of an experiment: a page without scripts.
async fn report(State(hub): State<Arc<Hub>>, Query(given): Query<Given>) -> Response {
    let name = given.name.unwrap_or_default();
    let maker = Arc::clone(&hub);
    let work = move || maker.house.means().laboratory.report(&name);
    // The semaphore is never closed.
    let _turn = hub.reports.acquire().await;
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(html)) => {
            let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";
            let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)];
            (headers, html).into_response()
        }
        Ok(Err(refusal)) => (StatusCode::NOT_FOUND, refusal.message).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the report could not be made").into_response(),
    }
}

/// The door to the WebSocket.
async fn open_socket(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = Arc::clone(&hub.connections).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many connections; try again later").into_response();
    };
    let max = hub.config.bounds.message;
    upgrade.max_message_size(max).max_frame_size(max).on_upgrade(async move |socket| {
        socket::serve(&hub, socket).await;
        drop(permit);
    })
}
