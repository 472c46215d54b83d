//! Shared parts of the tests: paths, compilers, a directory to run `homi` in, its output, a solver.

mod compile;
mod oracle;
mod output;
mod paths;
mod solver;
mod test_dir;
mod waiting;

pub(crate) use compile::{bitcode, bitcode_into, run};
pub(crate) use oracle::{Outcome, host_directory, run_homi, run_native};
pub(crate) use output::{json_lines, summary, tests, text, underapproximations};
pub(crate) use paths::{data, files, files_with, homi, root};
pub(crate) use solver::checked_solver;
pub(crate) use test_dir::{ENDLESS, TestDir};
pub(crate) use waiting::{comes_to_an_end, wait_until};
