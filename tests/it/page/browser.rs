//! Headless Chromium, controlled over a pipe by its protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Descriptors 3 and 4 are what the protocol is spoken over; its standard error says much that is
/// of no interest.
const START: &str = "exec \"$0\" --headless --disable-gpu --no-first-run --no-sandbox \
    --disable-dev-shm-usage --remote-debugging-pipe --user-data-dir=\"$1\" about:blank 3<&0 4>&1 2>/dev/null";

pub(super) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    session: String,
    /// Errors of the page.
    pub(super) complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// None, and said, if there is no Chromium.
    pub(super) fn start() -> Option<Self> {
        let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
        let Some(name) = NAMES.iter().find(is_there) else {
            eprintln!("chromium is not installed: the page was not tried in a browser");
            return None;
        };
        let profile = tempfile::tempdir().expect("a directory");
        let mut command = Command::new("sh");
        command.args(["-c", START, name]).arg(profile.path());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped
            .env("HOME", profile.path())
            .spawn()
            .expect("it starts");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Self {
            child,
            to,
            from,
            next: 0,
            session: String::new(),
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", &json!({"url": "about:blank"}));
        let params = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.ask("Target.attachToTarget", &params);
        browser.session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_string();
        for part in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{part}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let number = self.next;
        let mut message = json!({"id": number, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let text = format!("{message}\0");
        self.to.write_all(text.as_bytes()).expect("it listens");
        loop {
            let answer = self.on_event();
            if answer["id"] == number {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn on_event(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("it speaks");
        assert_eq!(bytes.pop(), Some(0), "the browser is gone");
        let message: Value = serde_json::from_slice(&bytes).expect("JSON");
        let is_bad = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => message["params"]["type"] == "error",
            _ => false,
        };
        if is_bad {
            self.complaints.push(message["params"].to_string());
        }
        message
    }

    /// Opens a page and waits until it is there.
    pub(super) fn open(&mut self, address: &str) {
        self.ask("Page.navigate", &json!({"url": address}));
        while self.on_event()["method"] != "Page.loadEventFired" {}
    }

    pub(super) fn open_file(&mut self, file: &Path) {
        self.open(&format!("file://{}", file.display()));
    }

    /// The size of the window, as a phone has it or not.
    pub(super) fn resize(&mut self, width: u32, height: u32, mobile: bool) {
        let params =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.ask("Emulation.setDeviceMetricsOverride", &params);
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.ask("Runtime.evaluate", &params);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub(super) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Space" => (32, " "),
            other => panic!("no such key: {other}"),
        };
        let name = if key == "Space" { " " } else { key };
        for kind in ["keyDown", "keyUp"] {
            let mut params =
                json!({"type": kind, "key": name, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", &params);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
