//! The text of the status line, and how often it is shown: every second on a terminal, every 10 s
//! elsewhere.
//!
//! Invariant: each statistic is one row, with its text on a wide terminal and on a narrow one.

use super::events::{Event, Listener, RunStatus};
use super::live_line::LiveLine;
use std::io;
use std::time::Duration;

/// A statistic of the line.
struct Part {
    /// On a wide terminal; empty if there is nothing to say.
    whole: fn(&Shown) -> String,
    /// On a narrow one; empty if it is left out.
    short: fn(&Shown) -> String,
    /// Priority on a narrow line: the lowest ranks get room first.
    rank: fn(&RunStatus) -> u32,
}

/// The parts in the order of the wide line. A campaign's run and what it reaches have room before
/// speeds.
const PARTS: [Part; 10] = [
    Part {
        whole: |shown| shown.run(),
        short: |shown| shown.run().trim_start().to_string(),
        rank: |_| 0,
    },
    Part {
        whole: |shown| {
            let [speed, _] = shown.speeds();
            format!("{} instr ({speed}/s)", short(shown.now.instructions))
        },
        short: |shown| format!("{}i/s", shown.speeds()[0]),
        rank: speeds_rank,
    },
    Part {
        whole: |shown| {
            let ([_, speed], paths) = (shown.speeds(), short(shown.now.paths));
            format!("{paths} {} ({speed}/s)", shown.path_label())
        },
        short: |shown| format!("{} paths/s", shown.speeds()[1]),
        rank: speeds_rank,
    },
    Part {
        whole: |shown| format!("{} states", shown.now.states),
        short: |shown| format!("{} states", shown.now.states),
        rank: |_| 2,
    },
    Part {
        whole: |shown| format!("{} tests", shown.now.tests),
        short: |shown| format!("{} tests", shown.now.tests),
        rank: |_| 2,
    },
    Part {
        whole: |shown| match shown.now.bugs {
            0 => String::new(),
            1 => "1 bug".to_string(),
            bugs => format!("{bugs} bugs"),
        },
        short: |_| String::new(),
        rank: |_| 4,
    },
    Part {
        whole: |shown| {
            shown
                .now
                .negated
                .map_or(String::new(), |(possible, refuted)| {
                    format!("negated {possible}+{refuted}")
                })
        },
        short: |_| String::new(),
        rank: |_| 4,
    },
    Part {
        whole: |shown| {
            let (covered, all) = (shown.now.branches, shown.now.branches_total);
            let share = 100.0 * covered as f64 / all.max(1) as f64;
            format!("branches {covered}/{all} ({share:.1} %)")
        },
        short: |shown| format!("{}/{} br", shown.now.branches, shown.now.branches_total),
        rank: |_| 2,
    },
    Part {
        whole: |shown| format!("solver {:.0} %", 100.0 * shown.now.solver_ratio),
        short: |shown| format!("solver {:.0} %", 100.0 * shown.now.solver_ratio),
        rank: |_| 4,
    },
    Part {
        whole: |shown| format!("{} MiB", shown.now.memory_bytes >> 20),
        short: |shown| format!("{} MiB", shown.now.memory_bytes >> 20),
        rank: |_| 4,
    },
];

fn speeds_rank(status: &RunStatus) -> u32 {
    match status.run {
        None => 1,
        Some(_) => 3,
    }
}

/// Data of a line: the run's progress now, and when the last line was shown.
struct Shown<'s> {
    now: &'s RunStatus,
    earlier: Earlier,
}

/// Progress when a line was shown.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Earlier {
    time_s: f64,
    instructions: u64,
    paths: u64,
}

impl Shown<'_> {
    /// Returns the line's text for this width in columns, abbreviated if the whole does not fit.
    fn line(&self, width: usize) -> String {
        let whole = self.whole_line();
        if whole.chars().count() <= width {
            return whole;
        }
        self.short_line(width)
    }

    fn whole_line(&self) -> String {
        let seconds = self.now.time_s as u64;
        let time = format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        );
        let parts = PARTS.iter().map(|part| (part.whole)(self));
        let parts = parts.filter(|text| !text.is_empty());
        std::iter::once(time)
            .chain(parts)
            .collect::<Vec<_>>()
            .join("  ")
    }

    /// For terminals of 80 columns: as many of the statistics as fit.
    fn short_line(&self, width: usize) -> String {
        let seconds = self.now.time_s as u64;
        let mut line = format!("{}:{:02}", seconds / 60, seconds % 60);
        let mut parts: Vec<&Part> = PARTS.iter().collect();
        parts.sort_by_key(|part| (part.rank)(self.now));
        for text in parts.into_iter().map(|part| (part.short)(self)) {
            if text.is_empty() {
                continue;
            }
            if line.chars().count() + 1 + text.chars().count() > width {
                break;
            }
            line = format!("{line} {text}");
        }
        line
    }

    /// Speeds of instructions and paths since the last line.
    fn speeds(&self) -> [String; 2] {
        let passed = (self.now.time_s - self.earlier.time_s).max(1e-3);
        let speed =
            |now: u64, earlier: u64| short((now.saturating_sub(earlier) as f64 / passed) as u64);
        [
            speed(self.now.instructions, self.earlier.instructions),
            speed(self.now.paths, self.earlier.paths),
        ]
    }

    /// A path that follows an input is an execution.
    fn path_label(&self) -> &'static str {
        match self.now.negated {
            Some(_) => "executions",
            None => "paths",
        }
    }

    /// Returns the number of a campaign's run.
    fn run(&self) -> String {
        let (Some((run, policy)), Some(campaign)) = (&self.now.run, &self.now.campaign) else {
            return String::new();
        };
        let budget = match campaign.budget_unit.as_str() {
            "s" => format!("{:.1}s", campaign.budget),
            unit => format!("{}{unit}", campaign.budget as u64),
        };
        let pruned = campaign
            .pruned
            .map_or(String::new(), |(ratio, before, after)| {
                format!(" r={ratio:.2} {before}->{after}")
            });
        format!("run {run} {policy} N'={budget}{pruned}")
    }
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

/// Shows the line when it is time to.
#[derive(Debug)]
pub struct StatusLine {
    line: LiveLine,
    next: Duration,
    earlier: Earlier,
}

impl StatusLine {
    /// Returns a status that shows nothing before the first interval is over.
    pub fn new(line: LiveLine) -> Self {
        Self {
            next: interval(&line),
            line,
            earlier: Earlier::default(),
        }
    }

    /// True if it is time to show a new line.
    pub fn is_due(&self, now: Duration) -> bool {
        self.line.is_enabled() && now >= self.next
    }

    fn show(&mut self, now: &RunStatus) {
        let earlier = self.earlier;
        let text = Shown { now, earlier }.line(self.line.width());
        self.earlier = Earlier {
            time_s: now.time_s,
            instructions: now.instructions,
            paths: now.paths,
        };
        self.next = time(now) + interval(&self.line);
        self.line.draw(&text);
    }

    /// Shows a line of another form, `time` after the start.
    pub fn show_text(&mut self, time: Duration, line: &str) {
        self.next = time + interval(&self.line);
        let line: String = line.chars().take(self.line.width()).collect();
        self.line.draw(&line);
    }
}

/// Time between two lines.
fn interval(line: &LiveLine) -> Duration {
    if line.is_terminal() {
        // Half a second and not a whole one: events arrive about every second, some a little early.
        Duration::from_millis(500)
    } else {
        Duration::from_secs(10)
    }
}

fn time(status: &RunStatus) -> Duration {
    Duration::try_from_secs_f64(status.time_s).unwrap_or_default()
}

impl Listener for StatusLine {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Status(status) if self.is_due(time(status)) => self.show(status),
            Event::Finished(_) => self.line.clear(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignStatus;

    fn status() -> RunStatus {
        RunStatus {
            time_s: 3_725.0,
            instructions: 12_345_678,
            paths: 310,
            states: 42,
            tests: 7,
            bugs: 2,
            branches: 30,
            branches_total: 120,
            solver_ratio: 0.256,
            memory_bytes: 300 << 20,
            ..RunStatus::default()
        }
    }

    #[test]
    fn the_line_names_everything() {
        let (now, earlier) = (
            &status(),
            Earlier {
                time_s: 3_723.0,
                instructions: 2_345_678,
                paths: 300,
            },
        );
        let shown = Shown { now, earlier };
        assert_eq!(
            shown.line(200),
            "1:02:05  12.3 M instr (5.0 M/s)  310 paths (5/s)  42 states  7 tests  2 bugs  branches 30/120 (25.0 %)  solver 26 %  300 MiB"
        );
        let expected = "62:05 5.0 Mi/s 5 paths/s 42 states 7 tests 30/120 br solver 26 % 300 MiB";
        assert_eq!(shown.line(79), expected);
        assert_eq!(shown.line(20), "62:05 5.0 Mi/s");
    }

    #[test]
    fn a_campaign_reports_the_number_of_its_run() {
        let campaign = CampaignStatus {
            budget: 13.333,
            budget_unit: "s".to_string(),
            pruned: Some((0.4, 1000, 600)),
        };
        let mut now = RunStatus {
            run: Some((12, "reverse".to_string())),
            campaign: Some(campaign),
            ..status()
        };
        let line = |now: &RunStatus, width: usize| {
            let earlier = Earlier::default();
            Shown { now, earlier }.line(width)
        };
        let whole = line(&now, 200);
        assert!(
            whole.starts_with(
                "1:02:05  run 12 reverse N'=13.3s r=0.40 1000->600  12.3 M instr (3314/s)  310 paths (0/s)"
            ),
            "{whole}"
        );
        assert_eq!(
            line(&now, 79),
            "62:05 run 12 reverse N'=13.3s r=0.40 1000->600 42 states 7 tests 30/120 br"
        );
        now.campaign = now.campaign.map(|campaign| CampaignStatus {
            budget: 5_000_000.0,
            budget_unit: "w".to_string(),
            ..campaign
        });
        assert!(line(&now, 200).contains(" N'=5000000w "));
    }
}
