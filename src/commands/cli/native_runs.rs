//! Comparison of a run's tests with the native program, where `homi run` got an executable with
//! embedded bitcode.

use super::traces::library_directories;
use homi_app::session::{ComparedBatch, NativeComparison, TestBatch};
use homi_config::RunConfig;
use homi_llvm::embedded::records_of;
use homi_native::replay;
use homi_native::replay::{ReplayOptions, Status, TestResult, is_executable};
use std::path::Path;

/// Returns the comparison for a run of one executable.
pub(super) fn comparison(config: &RunConfig) -> NativeComparison {
    let program = match config.program.inputs.as_slice() {
        [program] if is_executable(program) => program.clone(),
        _ => return NativeComparison::None("bitcode alone has no native program"),
    };
    if config.program.entry != "main" {
        return NativeComparison::None("the native program begins with another function");
    }
    NativeComparison::in_batches(move |batch| compare(&program, batch))
}

/// Replays the tests and returns what differs.
fn compare(program: &Path, batch: TestBatch) -> ComparedBatch {
    let options = ReplayOptions {
        libraries: library_directories(&records_of(program).unwrap_or_default()),
        exe: program.to_path_buf(),
        tests: batch.tests,
        interrupt: batch.interrupt,
        second: Some(batch.second),
        records_calls: true,
        deadline: batch.deadline,
        jobs: batch.jobs.unwrap_or(ReplayOptions::default().jobs),
        ..ReplayOptions::default()
    };
    match replay::run(&options, &mut |_| Ok(())) {
        Ok(replay) => compared(replay.results),
        Err(error) => ComparedBatch {
            failure: Some(format!("{error:#}")),
            ..ComparedBatch::default()
        },
    }
}

fn compared(results: Vec<TestResult>) -> ComparedBatch {
    let mut batch = ComparedBatch::default();
    for result in results {
        let name = result.test.file_stem().unwrap_or_default();
        batch.replayed.insert(name.to_string_lossy().into_owned());
        batch.compared += u64::from(result.agreement.is_compared());
        if let Status::Error(reason) = &result.status {
            batch.failure.get_or_insert_with(|| reason.clone());
        }
        if let Some(divergence) = result.agreement.divergence() {
            batch.divergences.push(divergence.clone());
            batch.calls.insert(divergence.test.clone(), result.calls);
        }
    }
    batch
}
