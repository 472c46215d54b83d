//! `info` in KLEE's format: command line, times, searcher, statistics.
//!
//! Invariant: the first line is the command as typed. The file has everything known so far while
//! the run continues.

use super::texts::{SEARCHER, details, totals};
use homi_report::{Event, Listener};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes `info` whenever more is known.
pub(super) struct Info {
    path: Option<PathBuf>,
    text: String,
}

impl Info {
    pub(super) fn new() -> Self {
        Self {
            path: None,
            text: String::new(),
        }
    }

    fn add(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        match &self.path {
            Some(path) => fs::write(path, &self.text),
            None => Ok(()),
        }
    }
}

impl Listener for Info {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                self.path = Some(Path::new(&started.directory).join("info"));
                self.add(&format!(
                    "{}\nPID: {}\nUsing monotonic steady clock with 1/1000000000s resolution\n\
                     Started: {}\n",
                    started.command,
                    std::process::id(),
                    local_time(started.started_unix_s)
                ))
            }
            Event::SearchChosen(chosen) => {
                let (begin, end) = SEARCHER;
                self.add(&format!("{begin}\n{}\n{end}\n", chosen.search.trim_end()))
            }
            Event::Finished(finished) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                let now = now.map_or(0, |since| since.as_secs());
                let run = &finished.summary;
                self.add(&format!(
                    "Finished: {}\nElapsed: {}\n{}{}",
                    local_time(now),
                    clock(run.wall_s),
                    details(run),
                    totals(run)
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Returns a time as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Returns a time such as `2026-11-27 14:05:09`, in the machine's time zone.
fn local_time(unix_seconds: u64) -> String {
    let time = unix_seconds as libc::time_t;
    // SAFETY: all-zero bytes are a valid value of this plain C struct.
    let mut parts: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers refer to live values of this function; the call keeps neither.
    unsafe { libc::localtime_r(&time, &mut parts) };
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        parts.tm_year + 1900,
        parts.tm_mon + 1,
        parts.tm_mday,
        parts.tm_hour,
        parts.tm_min,
        parts.tm_sec
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_digits_each() {
        assert_eq!(clock(3725.9), "01:02:05");
        let shown = local_time(0);
        assert_eq!(shown.len(), "1970-01-01 00:00:00".len());
    }
}
