//! Loading in a child process (`homi __lower`), so that a crash of LLVM is an error of the load.
//!
//! Protocol: the parent writes the options as JSON to the child's standard input and reads one
//! image from its standard output: a header (magic and version), a byte that says "program" or
//! "error", and the postcard form of the one or the other. Before each file the child names it on
//! its standard error, so that the parent knows which one it died on. An image without its whole
//! header is a crash.

use super::cache::Cache;
use super::load::{Event, LoadOptions, load_reporting};
use super::read::error::LoadError;
use super::read::inputs::find_modules;
use homi_ir::program::Program;
use homi_ir::util::installation;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// Starts every image; the number is the version of the IR's binary form and of this protocol.
pub(crate) const HEADER: &[u8; 12] = b"homi-prog\x00\x00\x01";

const PROGRAM: u8 = b'p';
const ERROR: u8 = b'e';

/// Starts each line on which the child names the file it reads next.
const READING: &str = "homi-reading: ";

/// Address space of the child, in bytes: far above any real program's need.
const MEMORY_LIMIT: u64 = 16 << 30;

/// Bytes of a file that add a second to the time that LLVM has for it.
const READING_BYTES: u64 = 1 << 20;

/// Loads a program by a child process running `executable __lower`, or from the cache.
pub fn load_in_child(options: &LoadOptions, executable: &Path) -> Result<Program, LoadError> {
    let inputs = find_modules(&options.inputs)?;
    let cache = Cache::open(options, &inputs, executable)?;
    if let Some(program) = cache.as_ref().and_then(|cache| {
        let image = cache.read()?;
        decode(&image).and_then(Result::ok)
    }) {
        return Ok(program);
    }
    let output = run_child(options, executable)?;
    match decode(&output.stdout) {
        Some(Ok(program)) if output.status.success() => {
            if let Some(cache) = cache {
                cache.write(&output.stdout);
            }
            Ok(program)
        }
        Some(Err(error)) => Err(error),
        _ => Err(explain_crash(options, &output)),
    }
}

fn run_child(options: &LoadOptions, executable: &Path) -> Result<Output, LoadError> {
    let process_error = |error: std::io::Error| LoadError::Process {
        reason: format!("{}: {error}", executable.display()),
    };
    let request = serde_json::to_vec(options).map_err(|error| LoadError::Process {
        reason: error.to_string(),
    })?;
    let mut child = installation::command(executable)
        .arg("__lower")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(process_error)?;
    if let Some(mut input) = child.stdin.take() {
        // A child that died early shows in its output; a broken pipe says nothing more.
        let _ = input.write_all(&request);
    }
    child.wait_with_output().map_err(process_error)
}

/// The file being read when the child died, and its last words.
fn explain_crash(options: &LoadOptions, output: &Output) -> LoadError {
    let messages = String::from_utf8_lossy(&output.stderr);
    let path = messages
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(READING))
        .map(PathBuf::from)
        .or_else(|| options.inputs.first().cloned())
        .unwrap_or_default();
    let words = messages
        .lines()
        .find(|line| !line.starts_with(READING) && !line.trim().is_empty());
    let status = match output.status.signal() {
        // Ctrl-C reaches the child too.
        Some(libc::SIGINT | libc::SIGTERM | libc::SIGHUP) => {
            return LoadError::Interrupted { path };
        }
        Some(libc::SIGXCPU) => "LLVM did not terminate".to_string(),
        Some(signal) => format!("signal {signal}"),
        None => format!("exit status {}", output.status.code().unwrap_or(-1)),
    };
    let reason = match words {
        Some(words) => format!("{status}: {words}"),
        None => status,
    };
    match super::read::identification::producer_of_file(&path) {
        Some(producer) if super::read::modules::is_newer(&producer) => LoadError::TooNew {
            path,
            producer,
            supported: super::read::modules::LLVM_VERSION.to_string(),
        },
        _ => LoadError::Crashed { path, reason },
    }
}

/// The program or error in an image; `None` if it is cut off, of another version or damaged.
fn decode(image: &[u8]) -> Option<Result<Program, LoadError>> {
    let body = image.strip_prefix(HEADER)?;
    let (kind, body) = body.split_first()?;
    match *kind {
        PROGRAM => {
            let program: Program = postcard::from_bytes(body).ok()?;
            Some(Ok(program))
        }
        ERROR => Some(Err(postcard::from_bytes(body).ok()?)),
        _ => None,
    }
}

/// The image of a load's outcome.
pub(crate) fn encode(outcome: &Result<Program, LoadError>) -> Result<Vec<u8>, postcard::Error> {
    let mut image = HEADER.to_vec();
    match outcome {
        Ok(program) => {
            image.push(PROGRAM);
            postcard::to_extend(program, image)
        }
        Err(error) => {
            image.push(ERROR);
            postcard::to_extend(error, image)
        }
    }
}

/// The body of `homi __lower`: options from standard input, image to standard output.
pub fn child_main() -> Result<(), LoadError> {
    let process_error = |error: &dyn std::fmt::Display| LoadError::Process {
        reason: error.to_string(),
    };
    limit_resources();
    let mut request = Vec::new();
    std::io::stdin()
        .read_to_end(&mut request)
        .map_err(|error| process_error(&error))?;
    let options: LoadOptions =
        serde_json::from_slice(&request).map_err(|error| process_error(&error))?;
    let outcome = load_reporting(&options, &mut |event| match event {
        Event::Reading(path) => {
            eprintln!("{READING}{}", path.display());
            limit_cpu_time(path, options.reading_time);
        }
        Event::Read => unlimit_cpu_time(),
    });
    let image = encode(&outcome).map_err(|error| process_error(&error))?;
    let mut output = std::io::stdout().lock();
    output
        .write_all(&image)
        .and_then(|()| output.flush())
        .map_err(|error| process_error(&error))
}

/// Limits the CPU time of this process from now on to the time that reading a file may take.
fn limit_cpu_time(path: &Path, seconds: u64) {
    use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else {
        return;
    };
    let used = usage.user_time().tv_sec() + usage.system_time().tv_sec();
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let limit = used.unsigned_abs() + seconds + bytes / READING_BYTES;
    let _ = setrlimit(Resource::RLIMIT_CPU, limit, libc::RLIM_INFINITY);
}

fn unlimit_cpu_time() {
    use nix::sys::resource::{Resource, setrlimit};
    let _ = setrlimit(
        Resource::RLIMIT_CPU,
        libc::RLIM_INFINITY,
        libc::RLIM_INFINITY,
    );
}

/// No core files from crashes that are expected, no damaged size that eats the machine.
fn limit_resources() {
    use nix::sys::resource::{Resource, setrlimit};
    // Best effort: without the limits a load works as well.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    let _ = setrlimit(Resource::RLIMIT_AS, MEMORY_LIMIT, MEMORY_LIMIT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitStatus;

    #[test]
    fn a_child_that_was_asked_to_exit_has_not_crashed() {
        let options = LoadOptions::new("a.bc");
        let ended_by = |signal| Output {
            status: ExitStatus::from_raw(signal),
            stdout: Vec::new(),
            stderr: Vec::new(),
        };
        let interrupted = explain_crash(&options, &ended_by(libc::SIGINT));
        assert!(
            matches!(interrupted, LoadError::Interrupted { .. }),
            "{interrupted}"
        );
        let crashed = explain_crash(&options, &ended_by(libc::SIGSEGV));
        assert!(matches!(crashed, LoadError::Crashed { .. }), "{crashed}");
    }
}
