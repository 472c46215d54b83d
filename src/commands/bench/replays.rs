//! Branches that the tests of a run cover on the program built for gcov, counted by `homi replay`.
//! Engines are compared by this count.

use super::measure::{after, in_order};
use super::process::{self, Limits};
use super::sides::Sides;
use super::study_run::{Covered, Row, thinned};
use homi_native::testcase::{read_coverage, tests_in};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

/// Minimum time limit of a run's replays; the job's own limit applies if it is longer.
const LEAST_TIME: Duration = Duration::from_secs(600);
/// Memory limit of the replay processes in bytes, including tests.
const MEMORY: u64 = 6 << 30;

/// Tests to replay and the program to replay them on.
pub(super) struct Replays<'r> {
    pub(super) homi: &'r Path,
    pub(super) program: &'r Path,
    /// Suffixes of the paths of the program's main sources.
    pub(super) main: &'r [String],
    /// Directory of the run.
    pub(super) place: &'r Path,
    /// Directory of the tests.
    pub(super) tests: PathBuf,
    /// Start of the job.
    pub(super) began: SystemTime,
    pub(super) timeout: Duration,
}

#[derive(Deserialize)]
struct Report {
    branches_covered: Option<u64>,
    branches_total: Option<u64>,
    files: BTreeMap<String, File>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct File {
    covered: u64,
    total: u64,
}

#[derive(Deserialize)]
struct Test {
    test: PathBuf,
    new: Option<u64>,
}

impl Replays<'_> {
    /// Replays the tests and fills in the counts, or the reason why there are none.
    pub(super) fn count(&self, row: &mut Row, interrupt: &AtomicBool) {
        match self.counted(interrupt) {
            Ok(covered) => row.gcov = Some(covered),
            Err(reason) => row.replay_failed = Some(reason),
        }
    }

    fn counted(&self, interrupt: &AtomicBool) -> Result<Covered, String> {
        if !self.has_tests() {
            // No tests: the coverage is empty.
            return Ok(Covered::default());
        }
        let (json, lcov) = (
            self.place.join("replay.json"),
            self.place.join("replay.info"),
        );
        let log = self.place.join("replay.txt");
        let mut command = Command::new(self.homi);
        command
            .args(["replay", "--quiet", "--jobs", "1", "--gcov", "--json"])
            .arg(&json)
            .arg("--lcov")
            .arg(&lcov)
            .arg(self.program)
            .arg(&self.tests)
            .current_dir(self.place);
        let limits = Limits {
            time: LEAST_TIME.max(self.timeout),
            memory: MEMORY,
        };
        let ended = process::run(&mut command, &log, limits, interrupt);
        let ended = ended.map_err(|error| error.to_string())?;
        let Ok(text) = std::fs::read_to_string(&json) else {
            let said = super::measure::last_lines(&log).pop();
            return Err(said.unwrap_or_else(|| format!("homi replay: {}", ended.status)));
        };
        let report: Report = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let (Some(branches), Some(total)) = (report.branches_covered, report.branches_total) else {
            return Err("the program has no gcov counters; compile it with --coverage".to_string());
        };
        let [by_time, by_work] = self.curves(&report.tests);
        let counts = std::fs::read_to_string(&lcov).map_err(|error| error.to_string())?;
        Ok(Covered {
            branches,
            total,
            sides: sides(&counts),
            by_time,
            by_work,
            main: self.in_main(&report.files),
        })
    }

    fn has_tests(&self) -> bool {
        tests_in(&self.tests).is_ok_and(|tests| !tests.is_empty())
    }

    /// Returns growth by time, and by work if the run reports it. Tests are replayed in the order
    /// in which they were written.
    fn curves(&self, tests: &[Test]) -> [Vec<(u64, u64)>; 2] {
        let work = works(&self.tests);
        let mut covered = 0;
        let (mut by_time, mut by_work) = (Vec::new(), Vec::new());
        for test in tests {
            let new = test.new.unwrap_or_default();
            if new > 0 {
                covered += new;
                by_time.push((after(&self.place.join(&test.test), self.began), covered));
                let name = test.test.file_stem().and_then(|name| name.to_str());
                by_work.extend(
                    name.and_then(|name| work.get(name))
                        .map(|work| (*work, covered)),
                );
            }
        }
        let is_whole = by_work.len() == by_time.len();
        let by_work = if is_whole {
            in_order(by_work)
        } else {
            Vec::new()
        };
        [by_time, by_work].map(thinned)
    }

    fn in_main(&self, files: &BTreeMap<String, File>) -> Option<(u64, u64)> {
        let is_main = |name: &str| {
            let ends = |end: &String| name == end || name.ends_with(&format!("/{end}"));
            self.main.iter().any(ends)
        };
        let main: Vec<&File> = files
            .iter()
            .filter(|(name, _)| is_main(name))
            .map(|(_, file)| file)
            .collect();
        let sum = |of: fn(&File) -> u64| main.iter().map(|file| of(file)).sum();
        (!main.is_empty()).then(|| (sum(|file| file.covered), sum(|file| file.total)))
    }
}

/// Returns the work at which each test was written, by the test's name.
fn works(tests: &Path) -> BTreeMap<String, u64> {
    let log = read_coverage(tests).unwrap_or_default().into_iter();
    log.filter_map(|test| Some((test.test, test.work?)))
        .collect()
}

/// Returns the branches that a tracefile counts, numbered in its order, which is the order of the
/// program.
fn sides(counts: &str) -> Sides {
    let branches = counts.lines().filter_map(|line| line.strip_prefix("BRDA:"));
    let taken = branches.map(|branch| branch.rsplit(',').next().unwrap_or_default());
    let taken = taken
        .enumerate()
        .filter(|(_, count)| !matches!(*count, "-" | "0"));
    taken.map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_of_a_tracefile_are_numbered_in_order() {
        let counts = "SF:a.c\nBRDA:3,0,0,1\nBRDA:3,0,1,0\nBRDA:4,0,0,-\nend_of_record\nSF:b.c\nBRDA:1,0,0,7\n";
        assert_eq!(sides(counts), [0, 3].into_iter().collect());
    }
}
