//! Causes of divergences: the library calls of their tests in the engine beside the native ones.

use super::SessionError;
use super::call_trace::{CallTrace, MOST_INSTRUCTIONS};
use super::exploration::{Exploration, FirstThread};
use super::varied_executor::VARIATIONS;
use super::world::World;
use homi_machine::exec::{MutedConsole, Step};
use homi_native::replay::{
    LibraryCall, NativeResult, TestCalls, cause, mark_varying, native_result,
};
use homi_native::testcase::ktest::KTest;
use homi_report::Summary;
use std::collections::BTreeMap;

/// Native results of library calls that executions of tests take over, by name of the test.
pub(super) type ImposedResults = BTreeMap<String, Vec<NativeResult>>;

/// Divergence whose cause has a native result.
pub(super) struct Explained {
    pub(super) test: String,
    pub(super) cause: String,
    /// Native results of the calls up to the one that is the cause.
    pub(super) imposed: Vec<NativeResult>,
}

impl Exploration<'_> {
    /// Adds causes to the divergences of a summary, and returns those with a native result.
    /// `native` has the library calls that their tests make natively.
    pub(super) fn find_causes(
        &self,
        first: &mut FirstThread<'_>,
        native: &TestCalls,
        imposed: &ImposedResults,
        summary: &mut Summary,
    ) -> Vec<Explained> {
        let mut explained = Vec::new();
        let outcomes = summary.outcomes.iter_mut();
        for divergence in outcomes.flat_map(|outcomes| &mut outcomes.divergences) {
            let name = format!("{}.ktest", divergence.test);
            let file = self.output.directory.file(&name);
            let (Some(native), Ok(test)) = (native.get(&divergence.test), KTest::read(&file))
            else {
                continue;
            };
            let earlier = imposed.get(&divergence.test).cloned().unwrap_or_default();
            let found = self.world.cause(first, &test, &earlier, native);
            let Some((cause, result)) = found else {
                continue;
            };
            if let Some(result) = result {
                explained.push(Explained {
                    test: divergence.test.clone(),
                    cause: cause.clone(),
                    imposed: earlier.into_iter().chain([result]).collect(),
                });
            }
            divergence.cause = Some(cause);
        }
        explained
    }
}

impl World<'_> {
    /// Returns the cause that makes a test diverge, and the native result of its call if that is
    /// known. A test that cannot be executed again has no cause.
    pub(super) fn cause(
        &self,
        first: &mut FirstThread<'_>,
        test: &KTest,
        imposed: &[NativeResult],
        native: &[Vec<LibraryCall>],
    ) -> Option<(String, Option<NativeResult>)> {
        let mut calls = self.library_calls(first, test, 0, imposed).ok()?;
        let again = self
            .library_calls(first, test, VARIATIONS[0], imposed)
            .ok()?;
        mark_varying(&mut calls, &again);
        cause_of(&calls, native)
    }

    /// Executes a test and returns its library calls.
    fn library_calls(
        &self,
        first: &mut FirstThread<'_>,
        test: &KTest,
        variation: u16,
        imposed: &[NativeResult],
    ) -> Result<Vec<LibraryCall>, SessionError> {
        let mut execution = self.begin_execution(first, test, variation)?;
        let mut trace = CallTrace::new(&self.loaded.program, first.terms, imposed);
        while execution.observer.instructions < MOST_INSTRUCTIONS && !trace.is_full() {
            trace.before_step(&execution.state);
            if let Step::Ended(_) = execution.run(first, &mut MutedConsole, 1) {
                break;
            }
            trace.after_step(&mut execution.state);
        }
        Ok(trace.finish())
    }
}

/// Returns the cause that all native runs give, and the native result of its call if they give the
/// same.
fn cause_of(
    calls: &[LibraryCall],
    native: &[Vec<LibraryCall>],
) -> Option<(String, Option<NativeResult>)> {
    let found = native.iter().map(|run| {
        let found = cause(calls, run)?;
        let (ours, theirs) = (calls.get(found.call)?, run.get(found.native_call)?);
        Some((found.text, native_result(found.call, ours, theirs)))
    });
    let mut found = found.collect::<Option<Vec<_>>>()?.into_iter();
    let (text, result) = found.next()?;
    let mut has_same_result = true;
    for (other, other_result) in found {
        // What varies from run to run natively is no cause.
        if other != text {
            return None;
        }
        has_same_result &= other_result == result;
    }
    Some((text, result.filter(|_| has_same_result)))
}
