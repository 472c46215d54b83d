//! The line at the end of a terminal that is redrawn during a run; elsewhere plain lines.
//!
//! Invariant: what else is printed to the standard error in between goes through `interrupt`, so
//! that it does not tear the line apart.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The line; clones are the same line.
#[derive(Clone, Debug, Default)]
pub struct LiveLine {
    enabled: bool,
    terminal: bool,
    /// The line on the terminal, while there is one.
    bar: Arc<Mutex<Option<ProgressBar>>>,
}

impl LiveLine {
    /// Creates a line on standard error; without `enabled` it is never drawn.
    pub fn new(enabled: bool) -> Self {
        Self {
            enabled,
            terminal: std::io::stderr().is_terminal(),
            bar: Arc::default(),
        }
    }

    /// True if it is drawn.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// True if it is drawn over: standard error is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        // A bar has no state that a panic could leave half done.
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Redraws the line.
    pub(super) fn draw(&self, line: &str) {
        match (self.enabled, self.terminal) {
            (false, _) => {}
            (true, true) => {
                let mut bar = self.bar();
                bar.get_or_insert_with(live_bar)
                    .set_message(line.to_string());
            }
            (true, false) => print(&format!("homi: {line}")),
        }
    }

    /// A line on standard error that is drawn if that is a terminal.
    pub fn on_terminal(enabled: bool) -> Self {
        let line = Self::new(enabled);
        Self {
            enabled: enabled && line.terminal,
            ..line
        }
    }

    /// Redraws the line, cut to the columns of the terminal.
    pub fn draw_cut(&self, line: &str) {
        let cut: String = line.chars().take(self.width()).collect();
        self.draw(&cut);
    }

    /// Prints another line in between.
    pub fn interrupt(&self, line: &str) {
        match &*self.bar() {
            Some(bar) => bar.suspend(|| print(line)),
            None => print(line),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }

    /// Width of the line in columns: one less than the terminal's, since a full line wraps.
    pub(super) fn width(&self) -> usize {
        match terminal_size::terminal_size_of(std::io::stderr()) {
            _ if !self.terminal => usize::MAX,
            Some((width, _)) if width.0 > 1 => usize::from(width.0) - 1,
            _ => 120,
        }
    }
}

/// A line that is drawn over on the terminal behind standard error.
fn live_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg}") {
        bar.set_style(style);
    }
    bar
}

/// A closed standard error is not a reason to stop a run.
fn print(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
