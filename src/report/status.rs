//! The live status line: one line that is drawn over on a terminal, plain lines every 10 s
//! elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Numbers for the status line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snapshot {
    pub time: Duration,
    pub instructions: u64,
    /// Paths that are over.
    pub paths: u64,
    pub states: usize,
    pub tests: u64,
    pub bugs: usize,
    pub branches: u64,
    pub branches_total: u64,
    /// Share of the wall time spent in the solver, 0 to 1.
    pub solver_share: f64,
    /// Bytes of resident memory of all homi processes.
    pub memory: u64,
    /// Of a concolic run: branches negated so far that were possible, and that were not.
    pub negated: Option<(u64, u64)>,
    /// Present if the run is one of several.
    pub run: Option<RunSnapshot>,
}

/// Which of several runs it is: its part of the status line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunSnapshot {
    /// Number of the run, from 1.
    pub run: u64,
    /// `initial`, `explore`, `exploit`, `reverse`, `random` or `divide`.
    pub policy: &'static str,
    /// N' of the run, and the suffix of its unit: `s`, `i` or `w`.
    pub budget: f64,
    pub unit: &'static str,
    /// r of the last prune event of the run, and |S| before and after it.
    pub pruned: Option<(f64, usize, usize)>,
}

impl RunSnapshot {
    fn text(&self) -> String {
        let budget = match self.unit {
            "s" => format!("{:.1}s", self.budget),
            unit => format!("{}{unit}", self.budget as u64),
        };
        let pruned = self.pruned.map_or(String::new(), |(ratio, before, after)| {
            format!(" r={ratio:.2} {before}->{after}")
        });
        format!("  run {} {} N'={budget}{pruned}", self.run, self.policy)
    }
}

impl Snapshot {
    /// The line's text for so many columns, with fewer words where the whole does not fit; speeds
    /// are those since `earlier`.
    pub fn line(&self, earlier: Shown, width: usize) -> String {
        let whole = self.whole_line(earlier);
        if whole.chars().count() <= width {
            return whole;
        }
        self.short_line(earlier, width)
    }

    /// Speeds of instructions and paths since `earlier`.
    fn speeds(&self, earlier: Shown) -> [String; 2] {
        let passed = self.time.saturating_sub(earlier.time).as_secs_f64();
        let speed = |now: u64, earlier: u64| {
            short((now.saturating_sub(earlier) as f64 / passed.max(1e-3)) as u64)
        };
        [
            speed(self.instructions, earlier.instructions),
            speed(self.paths, earlier.paths),
        ]
    }

    /// For terminals of 80 columns: as many of the figures as fit, a campaign's and what it reaches
    /// before speeds.
    fn short_line(&self, earlier: Shown, width: usize) -> String {
        let seconds = self.time.as_secs();
        let mut line = format!("{}:{:02}", seconds / 60, seconds % 60);
        let [instructions, paths] = self.speeds(earlier);
        let speeds = [format!(" {instructions}i/s"), format!(" {paths} paths/s")];
        let reached = [
            format!(" {} states", self.states),
            format!(" {} tests", self.tests),
            format!(" {}/{} br", self.branches, self.branches_total),
        ];
        let costs = [
            format!(" solver {:.0} %", 100.0 * self.solver_share),
            format!(" {} MiB", self.memory >> 20),
        ];
        let parts: Vec<String> = match self.run {
            None => [&speeds[..], &reached, &costs].concat(),
            Some(campaign) => {
                let campaign = [campaign.text()[1..].to_string()];
                [&campaign[..], &reached, &speeds, &costs].concat()
            }
        };
        for part in parts {
            if line.chars().count() + part.chars().count() > width {
                break;
            }
            line += &part;
        }
        line
    }

    /// A path that follows an input is an execution.
    fn path_word(&self) -> &'static str {
        match self.negated {
            Some(_) => "executions",
            None => "paths",
        }
    }

    fn whole_line(&self, earlier: Shown) -> String {
        let seconds = self.time.as_secs();
        let [instructions, paths] = self.speeds(earlier);
        format!(
            "{}:{:02}:{:02}{}  {} instr ({}/s)  {} {} ({}/s)  {} states  {} tests{}{}  branches {}/{} ({:.1} %)  solver {:.0} %  {} MiB",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            self.run.map_or(String::new(), |campaign| campaign.text()),
            short(self.instructions),
            instructions,
            short(self.paths),
            self.path_word(),
            paths,
            self.states,
            self.tests,
            match self.bugs {
                0 => String::new(),
                1 => "  1 bug".to_string(),
                bugs => format!("  {bugs} bugs"),
            },
            self.negated.map_or(String::new(), |(possible, refuted)| {
                format!("  negated {possible}+{refuted}")
            }),
            self.branches,
            self.branches_total,
            100.0 * self.branches as f64 / self.branches_total.max(1) as f64,
            100.0 * self.solver_share,
            self.memory >> 20
        )
    }
}

/// Where a run was when a line was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    time: Duration,
    instructions: u64,
    paths: u64,
}

/// A number with a unit, three digits or more.
fn short(number: u64) -> String {
    match number {
        0..=99_999 => number.to_string(),
        100_000..=999_999 => format!("{} k", number / 1_000),
        1_000_000..=999_999_999 => format!("{:.1} M", number as f64 / 1e6),
        _ => format!("{:.1} G", number as f64 / 1e9),
    }
}

/// Where and how often the line is shown.
#[derive(Debug)]
pub struct StatusLine {
    enabled: bool,
    terminal: bool,
    next: Duration,
    /// The line on the terminal, while there is one.
    bar: Option<ProgressBar>,
    /// When the last line was shown.
    earlier: Shown,
}

impl StatusLine {
    /// A line on standard error, or none.
    pub fn new(enabled: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            enabled,
            terminal,
            next: Self::interval(terminal),
            bar: None,
            earlier: Shown::default(),
        }
    }

    fn interval(terminal: bool) -> Duration {
        if terminal {
            Duration::from_millis(500)
        } else {
            Duration::from_secs(10)
        }
    }

    /// True if it is time to show a new line.
    pub fn is_due(&self, now: Duration) -> bool {
        self.enabled && now >= self.next
    }

    /// Shows a line.
    pub fn show(&mut self, snapshot: &Snapshot) {
        self.next = snapshot.time + Self::interval(self.terminal);
        let width = if self.terminal {
            terminal_width()
        } else {
            usize::MAX
        };
        let line = snapshot.line(self.earlier, width);
        self.earlier = Shown {
            time: snapshot.time,
            instructions: snapshot.instructions,
            paths: snapshot.paths,
        };
        self.draw(&line);
    }

    /// Shows a line of another form, `time` after the start.
    pub fn show_text(&mut self, time: Duration, line: &str) {
        self.next = time + Self::interval(self.terminal);
        let width = if self.terminal {
            terminal_width()
        } else {
            usize::MAX
        };
        let line: String = line.chars().take(width).collect();
        self.draw(&line);
    }

    fn draw(&mut self, line: &str) {
        match self.terminal {
            true => {
                let bar = self.bar.get_or_insert_with(live_line);
                bar.set_message(line.to_string());
            }
            false => print(&format!("homi: {line}")),
        }
    }

    /// Prints another line in between.
    pub fn interrupt(&mut self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(line)),
            None => print(line),
        }
    }

    /// Takes the live line away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A line that is drawn over on the terminal behind standard error.
fn live_line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg}") {
        bar.set_style(style);
    }
    bar
}

/// A closed standard error is no reason to stop a run.
fn print(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Columns of the terminal behind standard error, but for the last one: a line that fills it wraps.
fn terminal_width() -> usize {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((width, _)) if width.0 > 1 => usize::from(width.0) - 1,
        _ => 120,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_everything() {
        let snapshot = Snapshot {
            time: Duration::from_secs(3_725),
            instructions: 12_345_678,
            paths: 310,
            states: 42,
            tests: 7,
            bugs: 2,
            branches: 30,
            branches_total: 120,
            solver_share: 0.256,
            memory: 300 << 20,
            negated: None,
            run: None,
        };
        let earlier = Shown {
            time: Duration::from_secs(3_723),
            instructions: 2_345_678,
            paths: 300,
        };
        assert_eq!(
            snapshot.line(earlier, 200),
            "1:02:05  12.3 M instr (5.0 M/s)  310 paths (5/s)  42 states  7 tests  2 bugs  branches 30/120 (25.0 %)  solver 26 %  300 MiB"
        );
        let short = snapshot.line(earlier, 79);
        let expected = "62:05 5.0 Mi/s 5 paths/s 42 states 7 tests 30/120 br solver 26 % 300 MiB";
        assert_eq!(short, expected);
        assert_eq!(snapshot.line(earlier, 20), "62:05 5.0 Mi/s");
        let campaign = RunSnapshot {
            run: 12,
            policy: "reverse",
            budget: 13.333,
            unit: "s",
            pruned: Some((0.4, 1000, 600)),
        };
        let line = Snapshot {
            run: Some(campaign),
            ..snapshot
        }
        .line(Shown::default(), 200);
        assert!(
            line.starts_with(
                "1:02:05  run 12 reverse N'=13.3s r=0.40 1000->600  12.3 M instr (3314/s)  310 paths (0/s)"
            ),
            "{line}"
        );
        let in_work = RunSnapshot {
            budget: 5_000_000.0,
            unit: "w",
            ..campaign
        };
        assert!(
            in_work.text().contains(" N'=5000000w "),
            "{}",
            in_work.text()
        );
        let line = Snapshot {
            run: Some(campaign),
            ..snapshot
        }
        .line(Shown::default(), 79);
        assert_eq!(
            line,
            "62:05 run 12 reverse N'=13.3s r=0.40 1000->600 42 states 7 tests 30/120 br"
        );
    }
}
