//! `homi serve`: arguments and the server.
//!
//! Invariant: the server answers this machine only, and no request names a file.

use super::report::{SourceArgs, make_report};
use super::run::install_signals;
use super::status::{Exit, UsageError};
use anyhow::Context;
use homi_output::html_report::{SourceRoots, fingerprint};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Interval at which the server checks for a stop request.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Serve the live HTML report of a run, a campaign or a study
///
/// The report is the one that `homi report` writes, updated while the run continues. homi serves it
/// to browsers on this machine only and never changes the run. Stop the server with Ctrl-C.
#[derive(clap::Args, Debug)]
pub(super) struct ServeArgs {
    /// Output directory of `homi run`, `homi test` or `homi bench`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Listen on this port; 0 selects a free one
    #[arg(long, short, value_name = "PORT", default_value_t = 0)]
    port: u16,
    #[command(flatten)]
    sources: SourceArgs,
}

pub(super) fn execute(args: &ServeArgs) -> anyhow::Result<Exit> {
    let roots = args.sources.roots();
    let mut shown = Shown::new(&args.directory, &roots)?;
    let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, args.port);
    let server = Server::http(address)
        .map_err(|error| UsageError(format!("cannot listen on {address}: {error}")))?;
    let signals = install_signals().context("cannot install signal handlers")?;
    super::print(&format!("http://{}/\n", server.server_addr()))?;
    eprintln!(
        "homi: serving {} (stop with Ctrl-C)",
        args.directory.display()
    );
    serve(&server, &mut shown, &signals.stop_requested)?;
    Ok(Exit::Done)
}

fn serve(server: &Server, shown: &mut Shown<'_>, stop: &AtomicBool) -> anyhow::Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let request = server
            .recv_timeout(POLL_INTERVAL)
            .context("cannot receive a request")?;
        if let Some(request) = request {
            answer(request, shown);
        }
    }
    Ok(())
}

/// Report as last built.
struct Shown<'a> {
    directory: &'a Path,
    roots: &'a SourceRoots,
    /// Fingerprint of the output files when the report was built.
    version: String,
    text: String,
}

impl<'a> Shown<'a> {
    fn new(directory: &'a Path, roots: &'a SourceRoots) -> anyhow::Result<Self> {
        let mut shown = Self {
            directory,
            roots,
            version: String::new(),
            text: String::new(),
        };
        shown.refresh()?;
        Ok(shown)
    }

    /// Rebuilds the report if the files have changed.
    fn refresh(&mut self) -> anyhow::Result<()> {
        let version = fingerprint(self.directory);
        if version != self.version || self.text.is_empty() {
            let mut page = make_report(self.directory, self.roots)?;
            page.document.is_live = true;
            self.text = page.document.html();
            self.version = version;
        }
        Ok(())
    }
}

fn answer(request: Request, shown: &mut Shown<'_>) {
    let path = request
        .url()
        .split('?')
        .next()
        .unwrap_or_default()
        .to_string();
    let is_read = matches!(request.method(), Method::Get | Method::Head);
    let (status, kind, text) = match path.as_str() {
        _ if !is_read => (405, "text/plain", "only GET\n".to_string()),
        // A foreign site may use a host name that resolves to this machine; it must not read the
        // report.
        _ if !is_for_this_machine(&request) => (403, "text/plain", "not from here\n".to_string()),
        "/" => match shown.refresh() {
            Ok(()) => (200, "text/html", shown.text.clone()),
            Err(error) => (500, "text/plain", format!("{error:#}\n")),
        },
        "/favicon.ico" => (204, "image/x-icon", String::new()),
        "/version" => (200, "text/plain", fingerprint(shown.directory)),
        _ => (404, "text/plain", "there is only /\n".to_string()),
    };
    let mut response = Response::from_string(text).with_status_code(status);
    let kind = format!("{kind}; charset=utf-8");
    for (name, value) in [
        ("Content-Type", kind.as_str()),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
    ] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A failed response is harmless: the client closed the connection.
    let _ = request.respond(response);
}

/// True if a request names this machine as its host.
fn is_for_this_machine(request: &Request) -> bool {
    let mut headers = request.headers().iter();
    let host = headers.find(|header| header.field.equiv("Host"));
    let Some(host) = host.map(|header| header.value.as_str()) else {
        return true;
    };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "localhost")
}
