//! Requests.

use std::borrow::Cow;

use super::response::Status;
use super::wire::HttpWire;

/// Bytes of a request at most.
const MAX_BYTES: usize = 64 << 10;
/// Lines of a request at most.
const MAX_HEADERS: usize = 100;

/// A request without its body, for which there is no use here.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    query: String,
    pub(crate) headers: Headers,
    /// Whether another request may follow on this connection.
    pub(crate) stays: bool,
}

/// Why there is no request.
pub(crate) enum Refused {
    /// Nobody is there any longer.
    Gone,
    /// What came is none.
    Bad(Status),
}

impl Request {
    /// Waits for a request.
    pub(crate) fn read(wire: &mut HttpWire) -> Result<Self, Refused> {
        loop {
            let mut lines = [httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut parsed = httparse::Request::new(&mut lines);
            match parsed.parse(wire.pending()) {
                Ok(httparse::Status::Complete(n)) => {
                    let request = Self::of(&parsed);
                    wire.take(n).map_err(|_| Refused::Gone)?;
                    return request.ok_or(Refused::Bad(Status::BAD_REQUEST));
                }
                Ok(httparse::Status::Partial) if wire.pending().len() >= MAX_BYTES => {
                    return Err(Refused::Bad(Status::TOO_LARGE));
                }
                Ok(httparse::Status::Partial) => wire.fill().map_err(|_| Refused::Gone)?,
                Err(httparse::Error::TooManyHeaders) => return Err(Refused::Bad(Status::TOO_LARGE)),
                Err(_) => return Err(Refused::Bad(Status::BAD_REQUEST)),
            }
        }
    }

    fn of(parsed: &httparse::Request<'_, '_>) -> Option<Self> {
        let target = parsed.path.filter(|target| target.starts_with('/'))?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pair = |header: &httparse::Header<'_>| (header.name.to_ascii_lowercase(), header.value.to_vec());
        let headers = Headers(parsed.headers.iter().map(pair).collect());
        // Whatever follows a request with a body would be read as another request: the connection ends with the answer.
        let has_body = headers.count("transfer-encoding") > 0
            || headers.all("content-length").any(|length| length.trim_ascii() != b"0");
        let stays = parsed.version? == 1 && !headers.has_word("connection", "close") && !has_body;
        Some(Self {
            method: parsed.method?.to_string(),
            path: path.to_string(),
            query: query.to_string(),
            headers,
            stays,
        })
    }

    /// What the address gives under a name after its `?`; none if it is given twice.
    pub(crate) fn given(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut values = form_urlencoded::parse(self.query.as_bytes()).filter(|(known, _)| known == name);
        let value = values.next()?.1;
        values.next().is_none().then_some(value)
    }
}

/// The lines of a request, their names in small letters.
pub(crate) struct Headers(pub(crate) Vec<(String, Vec<u8>)>);

impl Headers {
    /// All values of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// How often a name stands there.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.all(name).count()
    }

    /// The first value of a name, if it is plain text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).next().and_then(plain)
    }

    /// Whether a list of words, such as `keep-alive, Upgrade`, has this one.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let mut words = self.all(name).filter_map(plain).flat_map(|value| value.split(','));
        words.any(|known| known.trim().eq_ignore_ascii_case(word))
    }
}

/// Letters that can be seen, blanks and tabs.
pub(crate) fn plain(value: &[u8]) -> Option<&str> {
    let is_plain = value.iter().all(|&c| c == b'\t' || (b' '..=b'~').contains(&c));
    std::str::from_utf8(value).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    /// What is read when this is sent and nothing follows.
    fn read(sent: &[u8]) -> Result<Request, Option<u16>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(sent).unwrap();
        drop(client);
        let mut wire = HttpWire::new(listener.accept().unwrap().0);
        Request::read(&mut wire).map_err(|refused| match refused {
            Refused::Gone => None,
            Refused::Bad(status) => Some(status.code),
        })
    }

    #[test]
    fn a_request_is_taken_apart() {
        let request =
            read(b"GET /lab/report?name=a%2Fb+c&token=t HTTP/1.1\r\nHost: h\r\nX: 1\r\nx: 2\r\n\r\n");
        let request = request.unwrap_or_else(|_| panic!("refused"));
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/lab/report"));
        assert_eq!(request.given("name").as_deref(), Some("a/b c"));
        assert_eq!(request.given("token").as_deref(), Some("t"));
        assert!(request.given("other").is_none() && request.stays);
        assert!(request.headers.text("host") == Some("h") && request.headers.count("x") == 2);
    }

    #[test]
    fn what_is_given_twice_is_not_given() {
        let request = read(b"GET /?token=a&token=b HTTP/1.1\r\n\r\n").unwrap_or_else(|_| panic!("refused"));
        assert!(request.given("token").is_none());
    }

    #[test]
    fn a_connection_ends_where_the_next_request_cannot_be_found() {
        for (lines, stays) in [
            ("", true),
            ("Content-Length: 0\r\n", true),
            ("Content-Length: 5\r\n", false),
            ("Content-Length: 0\r\nContent-Length: 5\r\n", false),
            ("Transfer-Encoding: chunked\r\n", false),
            ("Connection: keep-alive, Close\r\n", false),
        ] {
            let request = read(format!("GET / HTTP/1.1\r\n{lines}\r\n").as_bytes());
            assert_eq!(request.ok().map(|request| request.stays), Some(stays), "{lines}");
        }
        assert!(!read(b"GET / HTTP/1.0\r\n\r\n").unwrap_or_else(|_| panic!("refused")).stays);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for sent in
            [&b"\x16\x03\x01 no HTTP\r\n\r\n"[..], b"GET evil HTTP/1.1\r\n\r\n", b"GET / HTTP/7\r\n\r\n"]
        {
            assert_eq!(read(sent).err(), Some(Some(400)));
        }
        assert_eq!(read(b"GET / HTTP/1.1\r\nHost: h\r\n").err(), Some(None));
        let many = "a: b\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(read(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()).err(), Some(Some(431)));
        let long = "a".repeat(MAX_BYTES);
        assert_eq!(read(format!("GET /{long}").as_bytes()).err(), Some(Some(431)));
    }
}
