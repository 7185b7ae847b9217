//! Who may come in. Another web page must not drive this server through the visitor's browser, whatever name it makes
//! resolve to this machine: so the name in `Host` must be one of ours, and the page that a request comes from (`Origin`),
//! where the browser tells it, must be ours as well. Where others than this machine may come a token is asked for, too.
//!
//! The token is exchanged for a cookie, which nobody can guess: it is made with a key of 128 bits. So only tokens are
//! guessed at, and guesses are throttled; whoever has the cookie never waits for those who guess.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use crate::http::{Headers, Status};
use crate::token::Throttle;

/// The cookie that the token is exchanged for.
pub(crate) const COOKIE_NAME: &str = "tengen-token";

/// Who may come in.
#[derive(Debug)]
pub(crate) struct Guard {
    listen: SocketAddr,
    names: Vec<String>,
    token: Option<TokenCheck>,
}

/// The token that visitors must show.
#[derive(Debug)]
struct TokenCheck {
    token: String,
    cookie: String,
    throttle: Throttle,
}

/// A request's credentials beside its headers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    /// The token in its address, if there is one.
    pub(crate) token: Option<&'a str>,
    /// Where it comes from.
    pub(crate) address: IpAddr,
}

/// Why somebody may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) status: Status,
    pub(crate) message: String,
    /// When it may be tried again.
    pub(crate) retry: Option<Duration>,
}

impl Denial {
    fn forbidden(message: String) -> Self {
        Self { status: Status::FORBIDDEN, message, retry: None }
    }
}

impl Guard {
    /// A guard of a server that listens here; `names` are further names of it. A token comes with the key of its cookies.
    pub(crate) fn new(listen: SocketAddr, names: &[String], token: Option<(String, &str)>) -> Self {
        let token = token.map(|(token, key)| TokenCheck {
            cookie: sha1_smol::Sha1::from(format!("{key} {token}")).digest().to_string(),
            token,
            throttle: Throttle::default(),
        });
        Self { listen, names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), token }
    }

    /// What the token is exchanged for.
    pub(crate) fn cookie(&self) -> Option<&str> {
        self.token.as_ref().map(|check| check.cookie.as_str())
    }

    /// Looks at a request.
    pub(crate) fn admit(&self, headers: &Headers, shown: Shown<'_>) -> Result<(), Denial> {
        let host = headers.text("host").unwrap_or_default();
        if !self.is_ours(host) {
            let message = format!("Host {host:?} is not a name of this server; expected {}", self.listen);
            return Err(Denial::forbidden(message));
        }
        if headers.count("origin") > 1 || headers.count("host") > 1 {
            return Err(Denial::forbidden("Origin or Host is given twice".to_string()));
        }
        if headers.count("origin") > 0 {
            let origin = headers.text("origin").unwrap_or("?");
            let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            // The page that asks must be the one that this server gave under the same name.
            if from.is_none_or(|from| !from.eq_ignore_ascii_case(host)) {
                return Err(Denial::forbidden(format!("Origin {origin:?} is not a page of this server")));
            }
        }
        if headers.text("sec-fetch-site") == Some("cross-site") && !is_visit(headers) {
            return Err(Denial::forbidden("the request comes from a page of another server".to_string()));
        }
        self.check_token(headers, shown)
    }

    fn check_token(&self, headers: &Headers, shown: Shown<'_>) -> Result<(), Denial> {
        let Some(TokenCheck { token, cookie, throttle }) = &self.token else { return Ok(()) };
        let cookies = headers.all("cookie").filter_map(|value| std::str::from_utf8(value).ok());
        let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == COOKIE_NAME).then_some(value)
        });
        if cookies.any(|value| is_same(value, cookie)) {
            return Ok(());
        }
        if let Some(given) = shown.token {
            let now = Instant::now();
            if let Some(wait) = throttle.wait(shown.address, now) {
                let seconds = wait.as_secs() + 1;
                let message = format!("too many wrong tokens; the next is looked at in {seconds} s");
                return Err(Denial { status: Status::TOO_MANY, message, retry: Some(wait) });
            }
            if is_same(given, token) {
                return Ok(());
            }
            let n_wrong = throttle.wrong(shown.address, now);
            log::warn!("a wrong token from {}, the {n_wrong}. by now", shown.address);
        }
        let message = "this server asks for its token: open the address that it printed, with ?token=…";
        Err(Denial { status: Status::UNAUTHORIZED, message: message.to_string(), retry: None })
    }

    /// Whether a `Host` is a name of this server.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = split(host);
        // A page behind a proxy may have another port; by our own names the port is ours.
        if self.names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return true;
        }
        if port.unwrap_or(80) != self.listen.port() {
            return false;
        }
        let address: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        match address {
            // Whoever writes an address was not sent here by a name that somebody else made resolve to us.
            Some(address) if self.listen.ip().is_unspecified() => !address.is_unspecified(),
            Some(address) => address == self.listen.ip() || (address.is_loopback() && self.is_local()),
            None => {
                name.eq_ignore_ascii_case("localhost")
                    && (self.is_local() || self.listen.ip().is_unspecified())
            }
        }
    }

    fn is_local(&self) -> bool {
        self.listen.ip().is_loopback()
    }
}

/// Whether somebody simply follows a link to the page itself, which shows nothing to the page with the link.
fn is_visit(headers: &Headers) -> bool {
    headers.text("sec-fetch-mode") == Some("navigate") && headers.text("sec-fetch-dest") == Some("document")
}

/// A name and a port, `[::1]:80` included. What is no port makes the name strange, which is refused then.
fn split(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (host, None),
        },
        _ => (host, None),
    }
}

/// Compares in a time that does not tell where the first difference is.
fn is_same(given: &str, token: &str) -> bool {
    let (given, token) = (given.as_bytes(), token.as_bytes());
    given.len() == token.len() && given.iter().zip(token).fold(0, |acc, (a, b)| acc | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> Headers {
        let pair = |&(name, value): &(&str, &str)| (name.to_string(), value.as_bytes().to_vec());
        Headers(pairs.iter().map(pair).collect())
    }

    fn guard(listen: &str, token: Option<&str>) -> Guard {
        let token = token.map(|token| (token.to_string(), "key"));
        Guard::new(listen.parse().unwrap(), &["go.example.org".to_string()], token)
    }

    fn shown(token: Option<&str>) -> Shown<'_> {
        Shown { token, address: "10.0.0.1".parse().unwrap() }
    }

    #[test]
    fn only_our_names_are_hosts() {
        let local = guard("127.0.0.1:7777", None);
        for host in ["127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777", "go.example.org"] {
            assert!(local.admit(&headers(&[("host", host)]), shown(None)).is_ok(), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7777",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "10.0.0.1:7777",
            "",
            "localhost:7777.evil.example",
            "localhost:7777@evil.example",
            "[::1",
            "::1:7777",
            "localhost.:7777",
        ] {
            let denial = local.admit(&headers(&[("host", host)]), shown(None)).unwrap_err();
            assert!(denial.status == Status::FORBIDDEN && denial.message.contains("Host"), "{host}");
        }
        let open = guard("0.0.0.0:7777", Some("t"));
        assert!(open.admit(&headers(&[("host", "192.168.1.5:7777")]), shown(Some("t"))).is_ok());
        assert!(open.admit(&headers(&[("host", "evil.example:7777")]), shown(Some("t"))).is_err());
    }

    #[test]
    fn other_pages_are_refused() {
        let local = guard("127.0.0.1:7777", None);
        let from = |origin: &str| {
            local.admit(&headers(&[("host", "localhost:7777"), ("origin", origin)]), shown(None))
        };
        assert!(from("http://localhost:7777").is_ok());
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost",
            "http://localhost:7778",
            "http://127.0.0.1:7777",
            "file://",
            "http://localhost:7777.evil.example",
            "chrome-extension://x",
            "",
        ] {
            assert!(from(origin).unwrap_err().message.contains("Origin"), "{origin}");
        }
        let cross = [("host", "localhost:7777"), ("sec-fetch-site", "cross-site")];
        assert!(local.admit(&headers(&cross), shown(None)).is_err());
        let visit = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        assert!(local.admit(&headers(&[&cross[..], &visit[..]].concat()), shown(None)).is_ok());
    }

    #[test]
    fn the_token_is_asked_for() {
        let open = guard("127.0.0.1:7777", Some("secret"));
        let host = ("host", "127.0.0.1:7777");
        assert_eq!(open.admit(&headers(&[host]), shown(None)).unwrap_err().status, Status::UNAUTHORIZED);
        assert!(open.admit(&headers(&[host]), shown(Some("secret"))).is_ok());
        assert!(open.admit(&headers(&[host]), shown(Some("Secret"))).is_err());
        let cookie = format!("a=b; {COOKIE_NAME}={}", open.cookie().unwrap());
        assert!(open.admit(&headers(&[host, ("cookie", &cookie)]), shown(None)).is_ok());
        // The token itself is no cookie, or cookies could be guessed at.
        assert!(open.admit(&headers(&[host, ("cookie", "tengen-token=secret")]), shown(None)).is_err());
    }

    #[test]
    fn who_guesses_too_often_waits_and_who_was_in_does_not() {
        let open = guard("127.0.0.1:7777", Some("secret"));
        let host = ("host", "127.0.0.1:7777");
        let statuses: Vec<u16> = (0..20)
            .map(|_| open.admit(&headers(&[host]), shown(Some("wrong"))).unwrap_err().status.code)
            .collect();
        assert!(statuses.starts_with(&[401; 5]) && statuses.ends_with(&[429; 10]), "{statuses:?}");
        let denial = open.admit(&headers(&[host]), shown(Some("secret"))).unwrap_err();
        assert!(denial.status.code == 429 && denial.retry.is_some(), "not even the right one is looked at");
        let cookie = format!("{COOKIE_NAME}={}", open.cookie().unwrap());
        assert!(open.admit(&headers(&[host, ("cookie", &cookie)]), shown(None)).is_ok());
        let elsewhere = Shown { token: Some("secret"), address: "10.0.0.2".parse().unwrap() };
        assert!(open.admit(&headers(&[host]), elsewhere).is_ok());
    }
}
