//! Progress of long work with a known number of parts, and the time left.
//!
//! Invariant: it is on a terminal only, behind standard error, and goes when the work is over. What
//! is printed meanwhile is printed by [`Progress::print`], so that nothing is torn apart.

use super::{Event, Listener};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io;

/// A bar with what is done and the time that the rest will take; clones are the same bar.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// True if the bar may be drawn.
    shown: bool,
}

impl Progress {
    /// `what` is done with each part, such as `replayed`. Nothing is drawn before parts are
    /// expected.
    pub fn new(what: &str) -> Self {
        let bar = ProgressBar::hidden();
        let style = ProgressStyle::with_template("{msg} {pos} of {len} {bar:30} {eta} left");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("## "));
        }
        bar.set_message(what.to_string());
        Self { bar, shown: true }
    }

    /// One that is never seen.
    pub fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            shown: false,
        }
    }

    /// Raises the number of expected parts.
    pub fn expect(&self, parts: u64) {
        self.bar
            .set_length(self.bar.length().unwrap_or_default() + parts);
        if self.shown && self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// One more is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Prints something while the bar is out of the way.
    pub fn print<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Progress of a replay.
impl Listener for Progress {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::ReplayStarted(started) => self.expect(started.tests),
            Event::TestReplayed(_) => self.advance(),
            Event::ReplayFinished(_) => self.end(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReplayFinished;

    #[test]
    fn a_replay_counts_its_tests() {
        let mut progress = Progress::hidden();
        progress.expect(2);
        progress.advance();
        assert_eq!(
            (progress.bar.length(), progress.bar.position()),
            (Some(2), 1)
        );
        assert_eq!(progress.print(|| 7), 7);
        let finished = ReplayFinished {
            interrupted: false,
            coverage: None,
        };
        progress.on_event(&Event::ReplayFinished(finished)).unwrap();
        assert!(progress.bar.is_finished());
    }
}
