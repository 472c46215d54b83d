//! Data of an output directory; missing files are left out.

use super::sources::{SourceRoots, Sources};
use super::untaken::{Untaken, read_untaken};
use crate::export::earlier_findings;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{
    BRANCH_TABLE, BranchEntry, RunEnvironment, TestCoverage, read_branches, read_coverage,
};
use homi_report::{
    BugFound, Event, LEARNING_LOG, RunLine, STATS_FILE, StatsHistory, Summary, TestEnding,
    read_learning, read_stats,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of a run or a campaign, read.
#[derive(Debug, Default)]
pub struct RunData {
    pub(super) directory: PathBuf,
    /// Command line of the run.
    pub(super) command: Option<String>,
    /// Stop reason, in words.
    pub(super) stopped: Option<String>,
    /// Summary of the run; `None` during the run, and if it was killed.
    pub(super) summary: Option<Summary>,
    pub(super) runs: Vec<RunLine>,
    pub(super) stats: Option<StatsHistory>,
    pub(super) branches: Vec<BranchEntry>,
    /// The files of branches, numbered.
    pub(super) files: BTreeMap<String, usize>,
    pub(super) tests: Vec<TestCoverage>,
    pub(super) endings: BTreeMap<String, TestEnding>,
    pub(super) bugs: Vec<BugFound>,
    pub(super) untaken: Untaken,
    pub(super) sources: Sources,
    /// Files that could not be read, with the reason.
    pub(super) unread: Vec<String>,
}

/// True if a directory looks like the output directory of a run.
pub fn is_output_directory(directory: &Path) -> bool {
    let files = [LEARNING_LOG, STATS_FILE, BRANCH_TABLE, "summary.json"];
    files.iter().any(|file| directory.join(file).is_file())
}

impl RunData {
    /// Reads the files of a directory. Missing files are left out (a current run has some); for
    /// unreadable files the reason is kept.
    pub fn read(directory: &Path, roots: &SourceRoots) -> Self {
        let mut data = Self {
            directory: directory.to_path_buf(),
            ..Self::default()
        };
        data.read_info();
        data.summary = data.part("summary.json", |path| {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            serde_json::from_str(&text).map_err(|error| error.to_string())
        });
        let read = data.part(LEARNING_LOG, |_| with_message(read_learning(directory)));
        data.runs = read.unwrap_or_default();
        data.stats = data.part(STATS_FILE, |_| with_message(read_stats(directory)));
        let read = data.part(BRANCH_TABLE, |_| with_message(read_branches(directory)));
        data.branches = read.unwrap_or_default();
        data.number_files();
        let read = data.part("coverage.jsonl", |_| with_message(read_coverage(directory)));
        data.tests = read.unwrap_or_default();
        let read = data.part("findings.jsonl", |_| {
            with_message(earlier_findings(directory))
        });
        data.on_event(read.unwrap_or_default());
        data.untaken = read_untaken(directory).unwrap_or_default();
        data.sources = Sources::find(&data.branches, &data.roots(roots));
        data
    }

    /// Returns the program's name from the summary, or from a test.
    fn program_name(&self) -> Option<String> {
        if let Some(summary) = &self.summary {
            return Some(summary.program.clone());
        }
        let test = self.tests.first()?;
        let file = self.directory.join(format!("{}.ktest", test.test));
        let test = KTest::read(&file).ok()?;
        let word = test.args.first()?;
        Some(String::from_utf8_lossy(word).into_owned())
    }

    /// The program as the run was given it: the word of the command with its name.
    fn program(&self) -> Option<PathBuf> {
        let name = self.program_name()?;
        let mut words = self.command.as_ref()?.split_whitespace();
        let named =
            |word: &&str| Path::new(word.trim_matches('\'')).file_name() == Some(name.as_ref());
        let word = words.find(named)?;
        Some(PathBuf::from(word.trim_matches('\'')))
    }

    /// Returns the directories that may hold source files: the given ones, the current one, the
    /// run's directory, and those above the program.
    fn roots(&self, given: &SourceRoots) -> SourceRoots {
        let mut roots = given.clone();
        roots.add(Path::new("."));
        let start = RunEnvironment::read(&self.directory).ok().flatten();
        let start = start.map(|run_environment| run_environment.directory);
        if let Some(start) = &start {
            roots.add(start);
        }
        if let Some(program) = self.program() {
            roots.add_above(&program);
            if let Some(start) = &start {
                roots.add_above(&start.join(&program));
            }
        }
        roots
    }

    fn number_files(&mut self) {
        for branch in &self.branches {
            self.files.entry(branch.file.clone()).or_default();
        }
        for (number, place) in self.files.values_mut().enumerate() {
            *place = number;
        }
    }

    fn read_info(&mut self) {
        let Ok(text) = std::fs::read_to_string(self.directory.join("info")) else {
            return;
        };
        self.command = text.lines().next().map(str::to_string);
        let stopped = text.lines().find_map(|line| line.strip_prefix("stopped: "));
        self.stopped = stopped.map(str::to_string);
    }

    /// A file's content, if the file is there and can be read.
    fn part<T>(&mut self, name: &str, read: impl FnOnce(&Path) -> Result<T, String>) -> Option<T> {
        let path = self.directory.join(name);
        if !path.exists() {
            return None;
        }
        match read(&path) {
            Ok(content) => Some(content),
            Err(why) => {
                self.unread.push(format!("{name}: {why}"));
                None
            }
        }
    }

    fn on_event(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::BugFound(bug) => self.bugs.push(bug),
                Event::TestWritten(test) => {
                    self.endings.insert(test.test, test.ending);
                }
                _ => {}
            }
        }
    }
}

fn with_message<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}
