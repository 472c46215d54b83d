//! `homi serve`: a page that follows a run.

use super::browser::Browser;
use crate::support::TestDir;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'a'; }\n";

struct Served {
    child: Child,
    /// `127.0.0.1:PORT`.
    address: String,
}

impl Served {
    fn start(place: &TestDir, directory: &str) -> Self {
        let mut command = place.homi();
        let command = command.args(["serve", directory]).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
        said.read_line(&mut line).expect("it says where it is");
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/');
        Self {
            child,
            address: address.to_string(),
        }
    }

    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    /// Sends Ctrl-C; returns the exit status.
    fn interrupt(mut self) -> Option<i32> {
        let number = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &number]).status();
        assert!(status.expect("kill runs").success());
        self.child.wait().expect("it ends").code()
    }
}

fn run(place: &TestDir) {
    place.compile("p", PROGRAM);
    place.run_into("out", &["p.bc", "--", "--sym-arg", "1"]);
}

#[test]
fn the_page_is_served_to_this_machine_only() {
    let place = TestDir::new();
    run(&place);
    let served = Served::start(&place, "out");
    assert!(
        served.address.starts_with("127.0.0.1:"),
        "{}",
        served.address
    );
    let page = served.get("/", &served.address);
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("homi: p.bc"),
        "{page}"
    );
    let version = served.get("/version", &served.address);
    assert!(version.contains("coverage.jsonl"), "{version}");
    assert!(
        served
            .get("/../../etc/passwd", &served.address)
            .starts_with("HTTP/1.1 404")
    );
    // A page of another site whose name leads here may not read it.
    assert!(served.get("/", "evil.example").starts_with("HTTP/1.1 403"));
    assert_eq!(served.interrupt(), Some(0));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    place.fails(
        &["serve", "out", "--port", &port],
        2,
        &["cannot listen", &port],
    );
}

#[test]
fn a_browser_sees_what_is_new() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = TestDir::new();
    run(&place);
    let served = Served::start(&place, "out");
    browser.open(&format!("http://{}/", served.address));
    let count = "document.getElementById('test-table').tBodies[0].rows.length";
    let before = browser.value(count).as_u64().expect("a number");
    browser.value("document.querySelector('details.file').open = true");
    // The page has to have asked once for what there is.
    let wait = |seconds: u32| format!("new Promise(done => setTimeout(done, {seconds}000))");
    browser.value(&wait(3));
    let line = json!({"test": "test000099", "ended": true, "sides": [], "new": []});
    let log = place.path("out/coverage.jsonl");
    let more = fs::read_to_string(&log).expect("a log") + &line.to_string() + "\n";
    fs::write(&log, more).expect("written");
    let mut after = before;
    for _ in 0..20 {
        browser.value(&wait(1));
        after = browser.value(count).as_u64().expect("a number");
        if after != before {
            break;
        }
    }
    assert_eq!(after, before + 1);
    assert_eq!(
        browser.value("document.querySelector('details.file').open"),
        json!(true)
    );
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    assert_eq!(served.interrupt(), Some(0));
}
