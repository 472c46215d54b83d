//! Results of commands: exit codes, and the only place that prints errors.
//!
//! A wrong command line is a `UsageError` (status 2); any other failure has status 1. A closed
//! standard output (`homi ...
//! | head`) is not a failure.

use super::wrong_value::wrong_value;
use std::io::IsTerminal;
use std::process::ExitCode;

/// Result of a command that did not fail with an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Status 0.
    Done,
    /// Status 1: homi could not complete the command, and has already reported why.
    Failure,
    /// Status 3: the run found bugs, and `--error-exit-code` was given.
    BugsFound,
    /// Status 4: no bug was found, but the native program does something else than homi predicts.
    Diverged,
}

impl Exit {
    pub fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Exit::Done => 0,
            Exit::Failure => 1,
            Exit::BugsFound => 3,
            Exit::Diverged => 4,
        })
    }
}

/// Command line that parses but is inconsistent; status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Command whose work is already done; status 0.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NothingToDo(pub String);

/// Prints an error and returns its exit status.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        if let Some(text) = wrong_value(error) {
            eprintln!("homi: error: {text}");
            return ExitCode::from(2);
        }
        // Help and version are clap "errors" with status 0, printed to the standard output.
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let closed_output = error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if closed_output {
        return ExitCode::SUCCESS;
    }
    if let Some(done) = error.downcast_ref::<NothingToDo>() {
        eprintln!("homi: {done}");
        return ExitCode::SUCCESS;
    }
    eprintln!("homi: error: {}", with_causes(error));
    if error.downcast_ref::<UsageError>().is_some() {
        ExitCode::from(2)
    } else {
        ExitCode::from(1)
    }
}

/// Returns an error and its causes as one line. A cause that the error's text already contains is
/// not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match (text.is_empty(), text.contains(&cause)) {
            (true, _) => cause,
            (_, true) => text,
            (_, false) => format!("{text}: {cause}"),
        }
    })
}

/// Prints an error and ends the process with the status of a failure, from any thread.
pub(super) fn end_at_once(why: &str) -> ! {
    // The live line has no line end yet.
    let line_end = if std::io::stderr().is_terminal() {
        "\n"
    } else {
        ""
    };
    eprintln!("{line_end}homi: error: {why}");
    // SAFETY: has no preconditions. Destructors of other threads' values do not run; the end of the
    // process frees their memory.
    unsafe { libc::_exit(1) }
}

/// Installs a panic hook that reports a bug of homi and its position in one line, without a trace.
pub(super) fn install_panic_report() {
    if std::env::var_os("RUST_BACKTRACE").is_some() {
        return;
    }
    std::panic::set_hook(Box::new(|info| {
        let message = info
            .payload()
            .downcast_ref::<&str>()
            .map(|text| (*text).to_string())
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown".to_string());
        let place = info
            .location()
            .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        eprintln!("homi: internal error{place}: {message}");
        eprintln!("homi: this is a bug of homi, please report it with the command line");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_printed_once() {
        let cause = || std::io::Error::other("no such thing");
        let plain = anyhow::Error::new(cause()).context("cannot read x");
        assert_eq!(with_causes(&plain), "cannot read x: no such thing");
        let named =
            anyhow::Error::new(cause()).context("cannot read x: no such thing (is it there?)");
        let expected = "cannot read x: no such thing (is it there?)";
        assert_eq!(with_causes(&named), expected);
    }
}
