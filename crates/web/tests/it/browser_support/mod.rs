//! A small client of the DevTools protocol: a real Chromium that does what a visitor does.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    _profile: tempfile::TempDir,
    socket: WebSocket<TcpStream>,
    session: String,
    next_id: u64,
    /// What the browser told by itself.
    pub(crate) events: Vec<Value>,
}

/// The browser's program, if there is one.
pub(crate) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

impl Browser {
    /// Starts a browser without a window.
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .args(["--no-first-run", "--disable-background-networking", "--remote-debugging-port=0"])
            // The page speaks the browser's language, and the tests read English.
            .arg("--lang=en-US")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let file = profile.path().join("DevToolsActivePort");
        let start = Instant::now();
        let (port, path) = loop {
            assert!(start.elapsed() < PATIENCE, "the browser does not start");
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            match text.trim().split_once('\n') {
                Some((port, path)) => break (port.parse::<u16>().unwrap(), path.to_string()),
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        let events = Vec::new();
        let mut browser =
            Self { child, _profile: profile, socket, session: String::new(), next_id: 0, events };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_string();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// One command and its answer.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// One command and its answer, or what the browser has against it.
    fn try_call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.next_id += 1;
        let mut message = json!({"id": self.next_id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.next_id {
                let error = answer["error"].take();
                return if error.is_null() { Ok(answer["result"].take()) } else { Err(error) };
            }
            self.events.push(answer);
        }
    }

    /// The value of an expression in the page; promises are waited for.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of an expression, or what the browser has against it, such as a page that goes just then.
    fn try_eval(&mut self, expression: &str) -> Result<Value, Value> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.try_call("Runtime.evaluate", &params)?;
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        Ok(result["result"]["value"].take())
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let value = self.eval(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        value.as_str().unwrap_or_default().to_string()
    }

    /// Waits until an expression is true; returns how long that took.
    pub(crate) fn wait(&mut self, expression: &str) -> Duration {
        let start = Instant::now();
        while self.try_eval(&format!("Boolean({expression})")) != Ok(json!(true)) {
            if start.elapsed() > PATIENCE {
                let status = self.text("main");
                panic!("never true: {expression}; the page says: {status}");
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        start.elapsed()
    }

    /// Opens an address and waits for the board.
    pub(crate) fn open(&mut self, address: &str) {
        self.call("Page.navigate", &json!({"url": address}));
        self.wait("document.querySelector('main')?.childElementCount");
    }

    /// A window of this size, dark or light; a narrow one is a phone.
    pub(crate) fn resize(&mut self, width: u32, height: u32, dark: bool) {
        let is_phone = width < 600;
        self.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": if is_phone { 2 } else { 1 }, "mobile": is_phone}),
        );
        let scheme = if dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
    }

    /// A picture of the window, kept under this name.
    pub(crate) fn picture(&mut self, folder: &Path, name: &str) {
        // Two frames, so that what was changed just now is drawn.
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
        let shot = self.call("Page.captureScreenshot", &json!({"format": "png"}));
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        assert!(bytes.len() > 10_000, "an empty picture");
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    fn mouse(&mut self, at: &Value) {
        let (x, y) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        for (kind, n) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)] {
            let params =
                json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": n, "clickCount": n});
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    /// The pointer comes to rest on an element.
    pub(crate) fn hover(&mut self, selector: &str) {
        let at = self.place(selector);
        self.call("Input.dispatchMouseEvent", &json!({"type": "mouseMoved", "x": at[0], "y": at[1]}));
    }

    /// A click as people make it, who need a while between down and up.
    pub(crate) fn click_slowly(&mut self, selector: &str) {
        let at = self.place(selector);
        for (kind, n) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)] {
            let params = json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": n, "clickCount": n});
            self.call("Input.dispatchMouseEvent", &params);
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// A real click in the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        let at = self.place(selector);
        self.mouse(&at);
    }

    /// The middle of an element that can be clicked, once it stands still.
    fn place(&mut self, selector: &str) -> Value {
        self.wait(&format!(
            "document.querySelector({selector:?}) && !document.querySelector({selector:?}).disabled"
        ));
        // Twice at the same place, and nothing above it: what is drawn meanwhile may push it away.
        let place = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(), at = [r.x + r.width / 2, r.y + r.height / 2]; \
             return e.contains(document.elementFromPoint(...at)) ? at : null; }})()"
        );
        let start = Instant::now();
        let mut at = self.eval(&place);
        loop {
            std::thread::sleep(Duration::from_millis(80));
            let before = std::mem::replace(&mut at, self.eval(&place));
            if at == before && !at.is_null() {
                return at;
            }
            assert!(start.elapsed() < PATIENCE, "{selector} does not stand still");
        }
    }

    /// A real click on the button with this text.
    pub(crate) fn press(&mut self, label: &str) {
        let found = self.eval(&format!(
            "(() => {{ document.querySelectorAll('.test-target').forEach(e => e.classList.remove('test-target')); \
             const e = [...document.querySelectorAll('button')].find(b => b.textContent.trim() === {label:?} && b.offsetParent); \
             e?.classList.add('test-target'); return Boolean(e); }})()"
        ));
        assert_eq!(found, json!(true), "there is no button {label:?}");
        self.click("button.test-target");
    }

    /// A real click on a point of the first board.
    pub(crate) fn click_point(&mut self, point: usize) {
        let at = self.point(point);
        self.mouse(&at);
    }

    /// A tap of a finger on a point of the first board.
    pub(crate) fn tap_point(&mut self, point: usize) {
        let at = self.point(point);
        let finger = json!([{"x": at[0], "y": at[1]}]);
        self.call("Input.dispatchTouchEvent", &json!({"type": "touchStart", "touchPoints": finger}));
        self.call("Input.dispatchTouchEvent", &json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// Where a point of the first board is on the screen.
    fn point(&mut self, point: usize) -> Value {
        self.eval(&format!(
            "(() => {{ const b = document.querySelector('.goban'); b.scrollIntoView({{block: 'nearest'}}); \
             const e = Number(b.dataset.edge), v = b.viewBox.baseVal, n = Math.round((v.width - 2 * e) / 40) + 1; \
             const p = new DOMPoint(e + ({point} % n) * 40, e + Math.floor({point} / n) * 40).matrixTransform(b.getScreenCTM()); \
             return [p.x, p.y]; }})()"
        ))
    }

    /// The middle of an element that is in sight already, once it stands still.
    pub(crate) fn resting_place(&mut self, selector: &str) -> Value {
        let place = format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let mut at = self.eval(&place);
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let before = std::mem::replace(&mut at, self.eval(&place));
            if at == before {
                return at;
            }
        }
    }

    /// A real click at a place that was found before, by a pointer that rests there.
    pub(crate) fn click_at(&mut self, at: &Value) {
        for (kind, n) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let params = json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": n, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    pub(crate) fn key(&mut self, key: &str) {
        // What a key does by itself, such as pressing the button that has the focus, hangs on its number and text.
        let (number, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            " " => (32, " "),
            _ => (0, ""),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key, "code": key});
            if number != 0 {
                params["windowsVirtualKeyCode"] = json!(number);
            }
            if !text.is_empty() && kind == "keyDown" {
                params["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", &params);
        }
    }

    /// Goes to an element as somebody without a mouse does.
    pub(crate) fn tab_to(&mut self, selector: &str) {
        for _ in 0..150 {
            self.key("Tab");
            if self.eval(&format!("document.activeElement.matches({selector:?})")) == json!(true) {
                return;
            }
        }
        panic!("{selector} is not reached by Tab");
    }

    /// Loads the page again.
    pub(crate) fn reload(&mut self) {
        self.eval("window.isOld = true");
        self.call("Page.reload", &json!({}));
        self.wait("!window.isOld && document.querySelector('main')?.childElementCount");
    }

    /// Text as somebody types it.
    pub(crate) fn write(&mut self, text: &str) {
        self.call("Input.insertText", &json!({"text": text}));
    }

    /// What the console complained of, and requests that went to anybody else.
    pub(crate) fn complaints(&mut self, origin: &str) -> Vec<String> {
        self.eval("1");
        let host = origin.trim_start_matches("http://").trim_end_matches('/').to_string();
        let ours = [
            format!("http://{host}/"),
            format!("ws://{host}/"),
            "data:".into(),
            "blob:".into(),
            "about:".into(),
        ];
        let is_ours = |url: &str| ours.iter().any(|start| url.starts_with(start));
        let complaint = |event: &Value| {
            let params = &event["params"];
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" => Some(params.to_string()),
                "Runtime.consoleAPICalled" if params["type"] == "error" => Some(params.to_string()),
                "Log.entryAdded" if params["entry"]["level"] == "error" => Some(params.to_string()),
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str()?;
                    (!is_ours(url)).then(|| format!("a request to {url}"))
                }
                "Network.webSocketCreated" => {
                    let url = params["url"].as_str()?;
                    (!is_ours(url)).then(|| format!("a WebSocket to {url}"))
                }
                _ => None,
            }
        };
        self.events.iter().filter_map(complaint).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.socket.send(Message::text(r#"{"id":0,"method":"Browser.close"}"#));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Chooses a file as a visitor does.
pub(crate) fn choose_file(browser: &mut Browser, file: &Path) {
    let input = browser
        .call("Runtime.evaluate", &json!({"expression": "document.querySelector('main input[type=file]')"}));
    let files = json!({"files": [file.display().to_string()], "objectId": input["result"]["objectId"]});
    browser.call("DOM.setFileInputFiles", &files);
}
