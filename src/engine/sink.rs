//! Which ended paths become tests, and what each test holds.
//!
//! A path becomes a test if it covered something of the user's code that no test before it shows,
//! or shows a bug that no test before it shows (bugs are the same if kind, location and message
//! are), or if all are wanted. Objects stand in the order of their creation; their bytes are the
//! canonical model's.

use super::harvest::Harvest;
use super::prover::Prover;
use crate::config::TestConfig;
use crate::coverage::Coverage;
use crate::exec::{Bug, BugKind, EarlyReason, Executor, Gap, Host, Observer, Termination};
use crate::expr::{Model, Terms, kquery, smtlib};
use crate::program::{LocId, Program};
use crate::report::{ErrorSummary, GapSummary, PathSummary};
use crate::solver::Check;
use crate::state::State;
use crate::testcase::ktest::KTest;
use crate::testcase::{
    BranchEntry, CoverageLog, SideFile, TestCoverage, TestWriter, WriteError, bug_report,
};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Paths by how they ended.
pub type PathCounts = PathSummary;

/// What the sinks of all threads share besides the numbers of the tests.
struct Findings {
    log: CoverageLog,
    bugs: IndexMap<(BugKind, LocId, String), ErrorSummary>,
}

/// Turns ended paths into tests.
pub struct TestSink {
    config: TestConfig,
    /// `args` of every test: the bitcode's name and the program's arguments as typed.
    arguments: Vec<Vec<u8>>,
    writer: TestWriter,
    log_path: PathBuf,
    findings: Arc<Mutex<Findings>>,
    pub paths: PathCounts,
    /// Of the completed paths, those that the program ended without a test.
    pub(super) silent: u64,
    /// Of the early ones, those that the solver gave up on.
    pub(super) solver_ended: u64,
    /// Of those with a bug, those that misused klee.h.
    pub(super) user_errors: u64,
    /// Completed paths by exit status.
    pub exit_statuses: BTreeMap<i32, u64>,
    gaps: IndexMap<(String, LocId), u64>,
    /// Own sides and lines that a state covered first, until its test is written.
    credit: FxHashMap<u64, Credit>,
    /// In a campaign: what every test teaches.
    pub harvest: Option<Harvest>,
}

/// What a live state covered as the first of the run.
#[derive(Clone, Default, Debug)]
pub(super) struct Credit {
    pub(super) sides: Vec<u32>,
    pub(super) segments: Vec<u32>,
    pub(super) lines: BTreeSet<(u32, u32)>,
}

/// What `finish` did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Finished {
    /// Name of the test written, if any.
    pub(super) test: Option<String>,
    /// The bug had not been seen before.
    pub(super) new_bug: bool,
}

/// What an ended path deserves.
struct Verdict {
    /// A test; in a campaign it enters D.
    wanted: bool,
    /// A file, whatever the tests before it show.
    always: bool,
    new_bug: bool,
    /// What is told beside the test.
    sides: Vec<SideFile>,
}

impl TestSink {
    pub fn new(
        directory: &Path,
        config: TestConfig,
        arguments: Vec<Vec<u8>>,
    ) -> Result<Self, WriteError> {
        let log_path = directory.join(crate::testcase::COVERAGE_LOG);
        let log = CoverageLog::create(directory).map_err(|source| WriteError {
            path: log_path.clone(),
            source,
        })?;
        Ok(Self::with_log(directory, config, arguments, log))
    }

    fn with_log(
        directory: &Path,
        config: TestConfig,
        arguments: Vec<Vec<u8>>,
        log: CoverageLog,
    ) -> Self {
        let findings = Findings {
            log,
            bugs: IndexMap::new(),
        };
        let writer = TestWriter::new(directory);
        let log_path = directory.join(crate::testcase::COVERAGE_LOG);
        let findings = Arc::new(Mutex::new(findings));
        Self::without_counts(config, arguments, writer, log_path, findings)
    }

    /// A sink for another thread: the same files and bugs, counts of its own.
    pub fn for_thread(&self) -> Self {
        Self::without_counts(
            self.config.clone(),
            self.arguments.clone(),
            self.writer.clone(),
            self.log_path.clone(),
            Arc::clone(&self.findings),
        )
    }

    fn without_counts(
        config: TestConfig,
        arguments: Vec<Vec<u8>>,
        writer: TestWriter,
        log_path: PathBuf,
        findings: Arc<Mutex<Findings>>,
    ) -> Self {
        Self {
            config,
            arguments,
            writer,
            log_path,
            findings,
            paths: PathCounts::default(),
            silent: 0,
            solver_ended: 0,
            user_errors: 0,
            exit_statuses: BTreeMap::new(),
            gaps: IndexMap::new(),
            credit: FxHashMap::default(),
            harvest: None,
        }
    }

    /// Adds the counts of another thread's sink.
    pub fn add_counts(&mut self, other: &TestSink) {
        self.paths.add(other.paths);
        self.silent += other.silent;
        self.solver_ended += other.solver_ended;
        self.user_errors += other.user_errors;
        for (status, count) in &other.exit_statuses {
            *self.exit_statuses.entry(*status).or_insert(0) += count;
        }
        for (key, count) in &other.gaps {
            *self.gaps.entry(key.clone()).or_insert(0) += count;
        }
    }

    fn findings(&self) -> MutexGuard<'_, Findings> {
        // Each change is one insertion: nothing is half done if its thread panics.
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with the directory of an earlier session, whose last test has the number `tests`.
    pub fn reopen(
        directory: &Path,
        config: TestConfig,
        arguments: Vec<Vec<u8>>,
        tests: u64,
    ) -> Result<Self, WriteError> {
        let log_path = directory.join(crate::testcase::COVERAGE_LOG);
        let log = CoverageLog::append_to(directory).map_err(|source| WriteError {
            path: log_path.clone(),
            source,
        })?;
        let mut sink = Self::with_log(directory, config, arguments, log);
        sink.writer.continue_from(tests);
        Ok(sink)
    }

    /// The credit of the states of a run that is put aside.
    pub(super) fn take_credit(&mut self) -> FxHashMap<u64, Credit> {
        std::mem::take(&mut self.credit)
    }

    /// The credit of the states of a run that goes on.
    pub(super) fn put_credit(&mut self, credit: FxHashMap<u64, Credit>) {
        self.credit = credit;
    }

    /// Forgets the states of a run that ended; a campaign's next run numbers its states anew.
    pub fn forget_states(&mut self) {
        self.credit.clear();
    }

    /// Tests written so far.
    pub fn tests(&self) -> u64 {
        self.writer.count()
    }

    /// Number of different bugs found.
    pub fn bug_count(&self) -> usize {
        self.findings().bugs.len()
    }

    pub fn errors(&self) -> Vec<ErrorSummary> {
        self.findings().bugs.values().cloned().collect()
    }

    pub fn gaps(&self, program: &Program) -> Vec<GapSummary> {
        self.gaps
            .iter()
            .map(|((what, location), count)| GapSummary {
                what: what.clone(),
                location: program.describe_location(*location),
                count: *count,
            })
            .collect()
    }

    /// Number of different gaps met.
    pub(super) fn gap_kinds(&self) -> usize {
        self.gaps.len()
    }

    /// What a state covered first, for the thread that goes on with it.
    pub(super) fn remove_credit(&mut self, state: u64) -> Option<Credit> {
        self.credit.remove(&state)
    }

    /// The same of a state that came from another thread.
    pub(super) fn insert_credit(&mut self, state: u64, credit: Credit) {
        self.credit.insert(state, credit);
    }

    /// Notes what a state covered first.
    pub(super) fn credit(&mut self, state: u64) -> &mut Credit {
        self.credit.entry(state).or_default()
    }

    pub(super) fn wants_lines(&self) -> bool {
        self.config.cov
    }

    /// Whether a state that leaves like this has something to show.
    pub(super) fn wants(&self, state: &State, termination: &Termination) -> bool {
        self.config.all || state.metrics.covered_new || is_bug(termination)
    }

    /// Counts an ended path, and writes its test if it deserves one.
    pub(super) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        run: &mut Finishing<'_, '_>,
    ) -> Result<Finished, WriteError> {
        let credit = self.credit.remove(&state.sequence).unwrap_or_default();
        if !run.probe {
            self.count(termination);
        }
        let verdict = self.judge(state, termination, run.executor.program());
        let new_bug = verdict.new_bug;
        let test = match verdict.wanted {
            true => self.make_test(state, termination, verdict, &credit, run)?,
            false => None,
        };
        if let Termination::Bug(bug) = termination
            && new_bug
            && let Some(summary) = self.findings().bugs.get_mut(&bug_key(bug))
        {
            summary.test = test.clone().unwrap_or_default();
        }
        Ok(Finished { test, new_bug })
    }

    /// Whether an ended path deserves a test; lists its bug.
    fn judge(&mut self, state: &State, termination: &Termination, program: &Program) -> Verdict {
        let following = matches!(&self.harvest, Some(harvest) if harvest.following);
        let mut verdict = Verdict {
            wanted: self.config.all || (state.metrics.covered_new && !following),
            always: self.config.all || (self.config.all_errors && is_bug(termination)),
            new_bug: false,
            sides: Vec::new(),
        };
        match termination {
            Termination::Exit(_) => {}
            Termination::Silent => verdict.wanted = false,
            Termination::Bug(bug) => {
                let new_bug = self.note_bug(bug, program);
                // A campaign's runs start afresh: a bug of an earlier run is new to this one.
                let new_in_run = match &mut self.harvest {
                    Some(harvest) => harvest.bugs.insert(bug_key(bug)),
                    None => new_bug,
                };
                verdict.new_bug = new_bug;
                verdict.always |= new_bug;
                verdict.wanted |= (new_in_run && !following) || verdict.always;
                if new_in_run || self.config.all_errors {
                    verdict.sides.push(SideFile {
                        suffix: bug.kind.suffix(),
                        contents: bug_report(program, bug, state.sequence).into_bytes(),
                    });
                }
            }
            Termination::Gap(gap) => verdict.sides.push(early_file(&gap_message(program, gap))),
            Termination::Early(reason) => verdict.sides.push(early_file(reason.message())),
        }
        verdict
    }

    /// Makes the test of a path. In a campaign it enters D, and is written only if it shows what no
    /// written one does; returns its name if it was.
    fn make_test(
        &mut self,
        state: &State,
        termination: &Termination,
        verdict: Verdict,
        credit: &Credit,
        run: &mut Finishing<'_, '_>,
    ) -> Result<Option<String>, WriteError> {
        let model = run.model(state);
        let Some(harvest) = &mut self.harvest else {
            let bytes = self.objects(state, &model).to_bytes();
            let ended = has_ended(termination);
            let taken = own_sides(state, run.coverage);
            let name = self.write(state, &bytes, verdict.sides, credit, run)?;
            self.log_coverage(&name, ended, &taken, credit, run)?;
            return Ok(Some(name));
        };
        let mut test = harvest.test(state, termination, &model, run);
        test.segments.clone_from(&credit.segments);
        let keep = verdict.always || harvest.is_new(&test.sides, &test.segments);
        let keeps_bytes = harvest.keep_bytes;
        if keep || keeps_bytes {
            let bytes = self.objects(state, &model).to_bytes();
            if keep {
                let name = self.write(state, &bytes, verdict.sides, credit, run)?;
                // The campaign has followed the test to its end: that is what a native run takes.
                self.log_coverage(&name, !test.endless, &test.sides, credit, run)?;
                test.file = Some(name);
            }
            test.ktest = keeps_bytes.then_some(bytes);
        }
        let name = test.file.clone();
        if let Some(harvest) = &mut self.harvest {
            if keep {
                harvest.show(&test.sides, &test.segments);
            }
            harvest.tests.push(test);
        }
        Ok(name)
    }

    /// Writes a test and the files beside it.
    fn write(
        &mut self,
        state: &State,
        bytes: &[u8],
        mut sides: Vec<SideFile>,
        credit: &Credit,
        run: &Finishing<'_, '_>,
    ) -> Result<String, WriteError> {
        self.add_formats(state, credit, run, &mut sides);
        self.writer.write(bytes, &sides)
    }

    /// Counts paths that wait at the end of the run without anything to show.
    pub(super) fn count_early(&mut self, paths: u64) {
        self.paths.early += paths;
    }

    /// Counts an ended path by how it ended.
    fn count(&mut self, termination: &Termination) {
        match termination {
            Termination::Exit(status) => {
                self.paths.completed += 1;
                *self.exit_statuses.entry(*status).or_insert(0) += 1;
            }
            Termination::Silent => {
                self.paths.completed += 1;
                self.silent += 1;
            }
            Termination::Bug(bug) => {
                self.paths.error += 1;
                self.user_errors += u64::from(bug.kind == BugKind::User);
            }
            Termination::Gap(gap) => {
                self.paths.gap += 1;
                let key = (gap.what.clone(), gap.location);
                *self.gaps.entry(key).or_insert(0) += 1;
            }
            Termination::Early(EarlyReason::Pruned) => self.paths.pruned += 1,
            Termination::Early(reason) => {
                self.paths.early += 1;
                self.solver_ended += u64::from(*reason == EarlyReason::SolverTimeout);
            }
        }
    }

    /// Lists a bug, its test still to be named; false if it is known.
    fn note_bug(&self, bug: &Bug, program: &Program) -> bool {
        let mut findings = self.findings();
        let key = bug_key(bug);
        if findings.bugs.contains_key(&key) {
            return false;
        }
        let summary = ErrorSummary {
            kind: bug.kind.name().to_string(),
            message: bug.message.clone(),
            location: program.describe_location(bug.location),
            test: String::new(),
        };
        findings.bugs.insert(key, summary);
        true
    }

    /// The test: every symbolic object with its bytes.
    fn objects(&self, state: &State, model: &Model) -> KTest {
        let mut test = KTest::new(self.arguments.iter().cloned());
        for object in state.symbolics.iter() {
            test.push(object.name.as_bytes(), object.bytes(model));
        }
        test
    }

    /// Files that stand beside a test on request.
    fn add_formats(
        &self,
        state: &State,
        credit: &Credit,
        run: &Finishing<'_, '_>,
        sides: &mut Vec<SideFile>,
    ) {
        let mut add = |suffix: &str, contents: String| {
            sides.push(SideFile {
                suffix: suffix.to_string(),
                contents: contents.into_bytes(),
            });
        };
        let program = run.executor.program();
        if self.config.cov {
            let lines = credit.lines.iter();
            let text = lines
                .map(|(file, line)| format!("{}:{line}\n", program.files[*file as usize]))
                .collect();
            add("cov", text);
        }
        if self.config.kquery || self.config.smt2 {
            let constraints: Vec<_> = state.path.iter().collect();
            if self.config.kquery {
                add("kquery", kquery::print(run.terms, &constraints));
            }
            if self.config.smt2 {
                add("smt2", smtlib::print(run.terms, &constraints));
            }
        }
        if self.config.path {
            let decisions = state.decisions.to_vec();
            let text = decisions
                .iter()
                .map(|decision| format!("{decision:?}\n"))
                .collect();
            add("path", text);
        }
    }

    fn log_coverage(
        &mut self,
        name: &str,
        ended: bool,
        sides: &[u32],
        credit: &Credit,
        run: &Finishing<'_, '_>,
    ) -> Result<(), WriteError> {
        let segments = run.executor.segments();
        let pair = |side: u32| {
            let (branch, side) = segments.branch_of_side(side);
            (branch.0, side)
        };
        let mut new: Vec<(u32, u32)> = credit.sides.iter().map(|side| pair(*side)).collect();
        new.sort_unstable();
        let entry = TestCoverage {
            test: name.to_string(),
            ended,
            sides: sides.iter().map(|side| pair(*side)).collect(),
            new,
        };
        self.findings()
            .log
            .append(&entry)
            .map_err(|source| WriteError {
                path: self.log_path.clone(),
                source,
            })
    }
}

/// What `finish` needs of the run.
pub(super) struct Finishing<'r, 'p> {
    pub(super) executor: &'r Executor<'p>,
    pub(super) terms: &'r Terms,
    pub(super) coverage: &'r Coverage,
    pub(super) prover: &'r mut dyn Prover,
    pub(super) host: &'r dyn Host,
    pub(super) observer: &'r Observer,
    /// Take the state's own model instead of asking for a canonical one.
    pub(super) hurry: bool,
    /// The path is a probe's, which is not counted.
    pub(super) probe: bool,
}

impl Finishing<'_, '_> {
    /// The bytes of a state's test.
    fn model(&mut self, state: &State) -> Model {
        if self.hurry {
            return state.model.clone();
        }
        let arrays: Vec<_> = state.symbolics.iter().map(|object| object.array).collect();
        let mut path = state.path.clone();
        let mut model = state.model.clone();
        for preference in state.preferences.iter() {
            if let Check::Sat(better) = self.prover.check(self.terms, &path, &model, *preference) {
                path.add(self.terms, *preference);
                model = better;
            }
        }
        self.prover
            .canonical_model(self.terms, &path, &arrays, &model)
    }
}

fn is_bug(termination: &Termination) -> bool {
    matches!(termination, Termination::Bug(_))
}

/// The sides of the program's own branches that a path took, ascending.
pub(super) fn own_sides(state: &State, coverage: &Coverage) -> Vec<u32> {
    let sides = state.sides.iter();
    sides.filter(|side| coverage.is_own_side(*side)).collect()
}

/// The program came to an end.
pub(super) fn has_ended(termination: &Termination) -> bool {
    matches!(termination, Termination::Exit(_) | Termination::Bug(_))
}

fn bug_key(bug: &Bug) -> (BugKind, LocId, String) {
    (bug.kind.clone(), bug.location, bug.message.clone())
}

fn gap_message(program: &Program, gap: &Gap) -> String {
    format!(
        "homi cannot do this yet: {} at {}",
        gap.what,
        program.describe_location(gap.location)
    )
}

fn early_file(message: &str) -> SideFile {
    SideFile {
        suffix: "early".to_string(),
        contents: format!("{message}\n").into_bytes(),
    }
}

/// The table of the user's own branches, for readers of the coverage log.
pub fn branch_table(program: &Program, is_own: impl Fn(u32) -> bool) -> Vec<BranchEntry> {
    let entries = program.branches.iter().enumerate();
    entries
        .filter(|(index, _)| is_own(*index as u32))
        .map(|(index, site)| {
            let location = program.location(site.location);
            BranchEntry {
                branch: index as u32,
                sides: site.sides,
                function: site.function.clone(),
                file: program
                    .files
                    .get(location.file as usize)
                    .filter(|_| location.line != 0)
                    .cloned()
                    .unwrap_or_default(),
                line: location.line,
            }
        })
        .collect()
}
