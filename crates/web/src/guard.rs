//! Who may come in. Another web page must not drive this server through the visitor's browser, whatever name it makes
//! resolve to this machine: so the name in `Host` must be one of ours, and the page that a request comes from (`Origin`),
//! where the browser tells it, must be ours as well. Where others than this machine may come a token is asked for, too.

use std::net::{IpAddr, SocketAddr};

use crate::http::{Headers, Status};

/// The cookie that holds the token.
pub(crate) const COOKIE_NAME: &str = "tengen-token";

/// Who may come in.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    listen: SocketAddr,
    names: Vec<String>,
    token: Option<String>,
}

/// Why somebody may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Denial {
    fn forbidden(message: String) -> Self {
        Self { status: Status::FORBIDDEN, message }
    }
}

impl Guard {
    /// A guard of a server that listens here; `names` are further names of it.
    pub(crate) fn new(listen: SocketAddr, names: &[String], token: Option<String>) -> Self {
        Self { listen, names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), token }
    }

    /// Looks at a request; `given` is the token in its address, if there is one.
    pub(crate) fn admit(&self, headers: &Headers, given: Option<&str>) -> Result<(), Denial> {
        let host = headers.text("host").unwrap_or_default();
        if !self.is_ours(host) {
            let message = format!("Host {host:?} is no name of this server; expected {}", self.listen);
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
        self.check_token(headers, given)
    }

    fn check_token(&self, headers: &Headers, given: Option<&str>) -> Result<(), Denial> {
        let Some(token) = &self.token else { return Ok(()) };
        let cookies = headers.all("cookie").filter_map(|value| std::str::from_utf8(value).ok());
        let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == COOKIE_NAME).then_some(value)
        });
        if given.is_some_and(|given| is_same(given, token)) || cookies.any(|value| is_same(value, token)) {
            return Ok(());
        }
        let message = "this server asks for its token: open the address that it printed, with ?token=…";
        Err(Denial { status: Status::UNAUTHORIZED, message: message.to_string() })
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
        Guard::new(listen.parse().unwrap(), &["go.example.org".to_string()], token.map(str::to_string))
    }

    #[test]
    fn only_our_names_are_hosts() {
        let local = guard("127.0.0.1:7777", None);
        for host in ["127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777", "go.example.org"] {
            assert!(local.admit(&headers(&[("host", host)]), None).is_ok(), "{host}");
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
            let denial = local.admit(&headers(&[("host", host)]), None).unwrap_err();
            assert!(denial.status == Status::FORBIDDEN && denial.message.contains("Host"), "{host}");
        }
        let open = guard("0.0.0.0:7777", Some("t"));
        assert!(open.admit(&headers(&[("host", "192.168.1.5:7777")]), Some("t")).is_ok());
        assert!(open.admit(&headers(&[("host", "evil.example:7777")]), Some("t")).is_err());
    }

    #[test]
    fn other_pages_are_refused() {
        let local = guard("127.0.0.1:7777", None);
        let from =
            |origin: &str| local.admit(&headers(&[("host", "localhost:7777"), ("origin", origin)]), None);
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
        assert!(local.admit(&headers(&cross), None).is_err());
        let visit = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        assert!(local.admit(&headers(&[&cross[..], &visit[..]].concat()), None).is_ok());
    }

    #[test]
    fn the_token_is_asked_for() {
        let open = guard("127.0.0.1:7777", Some("secret"));
        let host = ("host", "127.0.0.1:7777");
        assert_eq!(open.admit(&headers(&[host]), None).unwrap_err().status, Status::UNAUTHORIZED);
        assert!(open.admit(&headers(&[host]), Some("secret")).is_ok());
        assert!(open.admit(&headers(&[host]), Some("Secret")).is_err());
        assert!(open.admit(&headers(&[host, ("cookie", "a=b; tengen-token=secret")]), None).is_ok());
        assert!(open.admit(&headers(&[host, ("cookie", "tengen-token=secre")]), None).is_err());
    }
}
