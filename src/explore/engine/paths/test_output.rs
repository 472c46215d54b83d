//! Writes a test, the `.ktest` and its additional files, and emits its event.
//!
//! Objects are in the order of their creation; their bytes come from the model that the caller
//! found for the path.

use super::event_data::{test_ending, underapproximation_summary};
use homi_config::{Dialect, TestConfig};
use homi_ir::program::Program;
use homi_machine::exec::{
    Bug, EarlyReason, Executor, Termination, Underapproximations, Unsupported,
};
use homi_machine::state::{Decision, State};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{BranchEntry, SideFile, TestWriter, WriteError, bug_report};
use homi_report::{Event, EventStream, TestWritten};
use homi_solver::term::{Model, Terms, kquery, smtlib};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A test to be written.
pub(super) struct WrittenTest<'a> {
    pub(super) state: &'a State,
    /// The contents of its `.ktest`.
    pub(super) bytes: &'a [u8],
    /// Additional files that are always written.
    pub(super) beside: Vec<SideFile>,
    /// End of the path.
    pub(super) termination: &'a Termination,
    /// Units of work that its run had taken by then.
    pub(super) work: u64,
    /// Source lines that no other test shows, as (number of the file, number of the line).
    pub(super) lines: BTreeSet<(u32, u32)>,
    pub(super) covered: Covered,
}

/// Coverage of a test for its event. Sides as (branch, side), ascending.
pub(super) struct Covered {
    /// True if the program was seen to end.
    pub(super) ended: bool,
    pub(super) sides: Vec<(u32, u32)>,
    /// The ones among them that no other test claims.
    pub(super) new: Vec<(u32, u32)>,
    /// Keys of the boundaries of comparisons that the test is at.
    pub(super) boundaries: Vec<u32>,
}

/// The tests that are in a directory when a session resumes there.
#[derive(Clone, Default, Debug)]
pub struct EarlierTests {
    /// The number of the last one.
    pub last: u64,
    pub count: u64,
    /// Tests of paths that were open when their session stopped: their coverage is claimed again at
    /// the path's end.
    pub provisional: BTreeSet<String>,
    /// Names of tests that were written after the last checkpoint, whose paths are repeated, by
    /// contents and whether they are provisional.
    pub since_checkpoint: BTreeMap<(Vec<u8>, bool), String>,
}

/// Tests that earlier sessions wrote after their last checkpoints.
#[derive(Default, Debug)]
struct Known {
    tests: BTreeMap<(Vec<u8>, bool), String>,
    /// Tests whose paths were repeated.
    met: Mutex<BTreeSet<String>>,
}

impl Known {
    /// The name of the test with these contents.
    fn meet(&self, bytes: &[u8], is_open: bool) -> Option<String> {
        if self.tests.is_empty() {
            return None;
        }
        let name = self.tests.get(&(bytes.to_vec(), is_open))?;
        self.met().insert(name.clone());
        Some(name.clone())
    }

    fn met(&self) -> MutexGuard<'_, BTreeSet<String>> {
        lock(&self.met)
    }

    /// Returns the tests of ended paths that this session has not reached again.
    fn unmet(&self) -> Vec<String> {
        let met = self.met();
        let ended = self.tests.iter().filter(|((_, is_open), _)| !is_open);
        let unmet = ended
            .map(|(_, name)| name)
            .filter(|name| !met.contains(*name));
        unmet.cloned().collect()
    }
}

/// Locks what threads share. No change of it is half done if its thread panics.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Destination of one thread's tests. Threads share the numbers of the tests.
#[derive(Clone)]
pub(super) struct TestOutput {
    pub(super) formats: TestConfig,
    /// `args` of every test: the bitcode's name and the program's arguments as typed.
    arguments: Vec<Vec<u8>>,
    /// Arguments that tests record in a run with separate ones.
    pub(super) test_arguments: Option<Vec<Vec<u8>>>,
    writer: TestWriter,
    known: Arc<Known>,
    /// Branch sides that tests covered first, by who chose their inputs; of all threads.
    found_by: Arc<Mutex<BTreeMap<&'static str, u64>>>,
    /// Listeners of tests and bugs.
    pub(super) events: EventStream,
}

impl TestOutput {
    /// Writes into an output directory. `earlier` is the number of the last test of an earlier
    /// session, if the directory is one's.
    pub(super) fn open(
        directory: &Path,
        formats: TestConfig,
        arguments: Vec<Vec<u8>>,
        earlier: Option<EarlierTests>,
    ) -> Self {
        let mut writer = TestWriter::new(directory);
        let mut known = Known::default();
        if let Some(tests) = earlier {
            writer.continue_from(tests.last, tests.count);
            known.tests = tests.since_checkpoint;
        }
        Self {
            known: Arc::new(known),
            found_by: Arc::default(),
            formats,
            arguments,
            test_arguments: None,
            writer,
            events: EventStream::default(),
        }
    }

    /// Tests written so far, by all threads.
    pub(super) fn tests(&self) -> u64 {
        self.writer.count()
    }

    /// Branch sides that tests covered first, by who chose their inputs.
    pub(super) fn found_by(&self) -> BTreeMap<String, u64> {
        let found = lock(&self.found_by);
        found
            .iter()
            .map(|(name, count)| (name.to_string(), *count))
            .collect()
    }

    /// The greatest number of a test, by all threads.
    pub(super) fn last_test(&self) -> u64 {
        self.writer.last()
    }

    /// Tests of earlier sessions whose paths are still to come once more.
    pub(super) fn unmet(&self) -> Vec<String> {
        self.known.unmet()
    }

    /// The contents of a test: every symbolic object with its bytes.
    pub(super) fn contents(&self, state: &State, model: &Model) -> Vec<u8> {
        let arguments = self.test_arguments.as_ref().unwrap_or(&self.arguments);
        let mut test = KTest::new(arguments.iter().cloned());
        for object in state.symbolics.objects.iter() {
            test.push(object.name.as_bytes(), object.bytes(model));
        }
        test.to_bytes()
    }

    /// Writes a test and its additional files, and emits its event. Returns its name. Also fails if
    /// a required listener has failed.
    pub(super) fn write(
        &mut self,
        mut test: WrittenTest<'_>,
        executor: &Executor<'_>,
        terms: &Terms,
    ) -> Result<String, WriteError> {
        let is_open = matches!(
            test.termination,
            Termination::Early(EarlyReason::Interrupted)
        );
        if let Some(name) = self.known.meet(test.bytes, is_open) {
            return Ok(name);
        }
        let program = executor.program();
        self.add_formats(&mut test, executor, terms);
        let name = self.writer.write(test.bytes, &test.beside)?;
        let found_by = test.state.input.chooser_name();
        if !test.covered.new.is_empty() {
            let mut found = lock(&self.found_by);
            *found.entry(found_by).or_default() += test.covered.new.len() as u64;
        }
        self.events.emit(|| {
            let underapproximations = underapproximations(&test, executor)
                .places(program)
                .into_iter();
            Event::TestWritten(TestWritten {
                test: name.clone(),
                ending: test_ending(test.termination, program),
                ended: test.covered.ended,
                sides: test.covered.sides.clone(),
                new: test.covered.new.clone(),
                boundaries: test.covered.boundaries.clone(),
                found_by: found_by.to_string(),
                work: Some(test.work),
                underapproximations: underapproximations
                    .map(underapproximation_summary)
                    .collect(),
            })
        });
        match self.events.take_missing() {
            Some(missing) => Err(WriteError {
                path: missing.output.into(),
                source: missing.error,
            }),
            None => Ok(name),
        }
    }

    /// Adds the additional files that options request.
    fn add_formats(&self, test: &mut WrittenTest<'_>, executor: &Executor<'_>, terms: &Terms) {
        let WrittenTest {
            state,
            lines,
            beside,
            ..
        } = test;
        let program = executor.program();
        let dialect = &executor.exec_config().dialect;
        let unchecked = dialect.writes_conditions_of_errors() && !beside.is_empty();
        let mut add = |suffix: &str, contents: String| {
            beside.push(SideFile {
                suffix: suffix.to_string(),
                contents: contents.into_bytes(),
            });
        };
        if self.formats.cov {
            let text = lines
                .iter()
                .map(|(file, line)| format!("{}:{line}\n", program.files[*file as usize]))
                .collect();
            add("cov", text);
        }
        if self.formats.kquery || self.formats.smt2 || unchecked {
            let constraints: Vec<_> = state.path.iter().collect();
            if self.formats.kquery || unchecked {
                add("kquery", kquery::print(terms, &constraints));
            }
            if self.formats.smt2 {
                add("smt2", smtlib::print(terms, &constraints));
            }
        }
        if self.formats.sym_path {
            let sides = state.decisions.to_vec();
            let lines = sides.iter().filter_map(|decision| match decision {
                Decision::Branch { side } => Some(if *side == 0 { "1\n" } else { "0\n" }),
                _ => None,
            });
            add("sym.path", lines.collect());
        }
        if let (true, Some(taken)) = (self.formats.path, &state.record.taken) {
            let sides = taken.to_vec().into_iter();
            add(
                "path",
                sides
                    .map(|holds| if holds { "1\n" } else { "0\n" })
                    .collect(),
            );
        } else if self.formats.path {
            let decisions = state.decisions.to_vec();
            let text = decisions
                .iter()
                .map(|decision| format!("{decision:?}\n"))
                .collect();
            add("path", text);
        }
    }
}

/// Returns the under-approximations of a test's path, including its end if it was not completed.
fn underapproximations(test: &WrittenTest<'_>, executor: &Executor<'_>) -> Underapproximations {
    let mut record = test.state.underapproximations.clone();
    if let Some((kind, example)) = test.termination.underapproximation() {
        let (function, pc) = executor.place(test.state);
        record.note((kind, function, pc), || example);
    }
    record
}

/// Returns a test's additional file about the end of its path, if it did not end by the program's
/// exit. A bug has a file only if it is `described`.
pub(super) fn ending_file(
    termination: &Termination,
    described: bool,
    state: &State,
    program: &Program,
    dialect: &Dialect,
) -> Option<SideFile> {
    match termination {
        Termination::Exit(_) | Termination::Silent => None,
        Termination::Bug(bug) => described.then(|| bug_file(bug, state, program)),
        Termination::Unsupported(unsupported) => {
            Some(early_file(&unsupported_message(program, unsupported)))
        }
        Termination::Early(reason) => Some(early_file(if dialect.renames_endings() {
            reason.klees_message()
        } else {
            reason.message()
        })),
    }
}

fn bug_file(bug: &Bug, state: &State, program: &Program) -> SideFile {
    SideFile {
        suffix: bug.kind.suffix().to_string(),
        contents: bug_report(program, bug, state.tags.sequence).into_bytes(),
    }
}

fn unsupported_message(program: &Program, unsupported: &Unsupported) -> String {
    format!(
        "homi cannot do this yet: {} at {}",
        unsupported.what,
        program.describe_location(unsupported.location)
    )
}

fn early_file(message: &str) -> SideFile {
    SideFile {
        suffix: "early".to_string(),
        contents: format!("{message}\n").into_bytes(),
    }
}

/// The table of the user's own branches, for readers of the coverage log.
pub fn branch_table(program: &Program, is_user_code: impl Fn(u32) -> bool) -> Vec<BranchEntry> {
    let entries = program.branches.iter().enumerate();
    entries
        .filter(|(index, _)| is_user_code(*index as u32))
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
