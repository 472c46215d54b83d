//! The SMT process: reads queries from standard input and answers them on standard output, until
//! the input ends. Its memory is limited by the kernel, it ignores Ctrl-C (the engine decides when
//! to stop) and dies with the engine.

use super::z3::Z3Backend;
use super::{GREETING, status};
use crate::backend::{Answer, Backend};
use crate::oracle::UnknownReason;
use std::io::{self, Read, Write};
use std::time::Duration;

/// Serves queries; the body of `homi __solver`.
pub fn child_main() -> io::Result<()> {
    serve(&mut io::stdin().lock(), &mut io::stdout().lock())
}

fn word(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn serve(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    if word(input)? != GREETING {
        return Err(io::Error::other("not a query"));
    }
    let megabytes = word(input)?;
    limit_process(u64::from(megabytes) << 20);
    let mut backend = Z3Backend::new(megabytes);
    loop {
        let count = match word(input) {
            Ok(count) if count >= 3 => count,
            Ok(_) => return Err(io::Error::other("a query that is too short")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        };
        let limit = Duration::from_millis(word(input)?.into());
        let units = word(input)?;
        let bytes = word(input)? as usize;
        let mut raw = vec![0; (count as usize - 3) * 4];
        input.read_exact(&mut raw)?;
        let words: Vec<u32> = raw
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        backend.set_limits(limit, units);
        let answer = backend.solve(&words, bytes);
        let reply = reply(&answer, backend.units());
        let mut message = (reply.len() as u32).to_le_bytes().to_vec();
        for word in reply {
            message.extend(word.to_le_bytes());
        }
        output.write_all(&message)?;
        output.flush()?;
    }
}

fn reply(answer: &Answer, units: u32) -> Vec<u32> {
    let (status, values) = match answer {
        Answer::Sat(values) => (status::SAT, values.as_slice()),
        Answer::Unsat => (status::UNSAT, &[][..]),
        Answer::Unknown(reason) => (status_of(reason), &[][..]),
    };
    let values = values.iter().map(|&value| value.into());
    [status, units].into_iter().chain(values).collect()
}

fn status_of(reason: &UnknownReason) -> u32 {
    match reason {
        UnknownReason::Timeout => status::TIMEOUT,
        UnknownReason::Memory => status::MEMORY,
        UnknownReason::Incomplete => status::INCOMPLETE,
        UnknownReason::BackendFailure(_) => status::FAILED,
    }
}

/// Limits of this process: address space beyond what is mapped now, signals, lifetime.
fn limit_process(memory: u64) {
    use nix::sys::resource::{Resource, setrlimit};
    use nix::sys::signal::{SigHandler, Signal, signal};
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let mapped = pages
        .as_deref()
        .and_then(|text| text.split_whitespace().next())
        .and_then(|word| word.parse::<u64>().ok())
        .map_or(1 << 30, |pages| pages * 4096);
    // Z3's own limit acts first and leaves the process alive; this one is the backstop.
    let limit = mapped + memory + memory / 4 + (64 << 20);
    // Without a limit the process still works; the parent watches its time.
    let _ = setrlimit(Resource::RLIMIT_AS, limit, limit);
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    // SAFETY: ignoring a signal installs no handler, so no code runs in signal context.
    let _ = unsafe { signal(Signal::SIGINT, SigHandler::SigIgn) };
}
