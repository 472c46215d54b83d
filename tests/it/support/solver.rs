//! The solver of tests that explore programs through the library.

use super::homi;
use homi::solver::{Solver, SolverConfig};

/// A solver with all layers, which evaluates each model that it finds on the whole path.
pub(crate) fn checked_solver() -> Solver {
    Solver::new(SolverConfig {
        executable: Some(homi().to_path_buf()),
        check_models: true,
        // What is found must not depend on how busy the machine is.
        counts_limits: true,
        ..SolverConfig::default()
    })
}
