//! Runs tests on the natively compiled program, in a sandbox, and counts the branches they take.
//! Owns: what a `.ktest`'s objects mean for a process (arguments, streams, files), the sandbox, the
//! reports. Never: an engine, LLVM, or a guess about a file it cannot read.
//! Data come from `testcase`, go through the sandbox, and end in `coverage` and the report.

mod cause;
mod divergence;
mod event_stream;
mod exactness;
mod executable;
pub mod explain;
mod inputs;
mod library_calls;
mod model;
mod native_result;
mod output_mask;
mod predictions;
mod preloaded;
mod readable;
pub mod report;
pub mod sandbox;
mod second_prediction;
mod session;
pub mod shell;
mod side_by_side;

pub use cause::{Cause, cause, mark_varying};
pub use divergence::Agreement;
pub use event_stream::run_with_events;
pub use exactness::{Difference, Exactness, check_coverage};
pub use executable::{Executable, is_executable};
pub use inputs::{InputError, Inputs};
pub use library_calls::{
    CallArgument, CallResult, Explainer, LibraryCall, MOST_CALLS, RECORDED_ARGUMENTS, TEXT_BYTES,
    TestCalls,
};
pub use native_result::{NativeOutput, NativeResult, NativeValue, native_result};
pub use preloaded::{CLOCK, GCOV_FLUSH, Preloaded};
pub use readable::{read_inputs, readable_inputs};
pub use second_prediction::{SecondPrediction, varied, varying_as};
pub use session::{Replay, ReplayOptions, Status, TestResult, run};

#[cfg(test)]
mod tests;
