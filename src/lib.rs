//! `homi`: symbolic execution of C programs compiled to LLVM bitcode.
//!
//! The map; ARCHITECTURE.md has the details. There are thirteen groups, each a crate in its folder
//! below `src/`; each uses only groups below it: `commands`, `app`, `strategies`, `explore`,
//! `output`, `native`, `build`, `machine`, `llvm`, `solver`, `report`, `config`, `ir`. `llvm`
//! lowers bitcode to `ir`; `machine` gives instructions their meaning on a state; `explore` runs
//! states and turns ended paths into tests, which `native` runs.

pub use homi_app as app;
pub use homi_build as build;
pub use homi_commands as commands;
pub use homi_config as config;
pub use homi_explore as explore;
pub use homi_ir as ir;
pub use homi_llvm as llvm;
pub use homi_machine as machine;
pub use homi_native as native;
pub use homi_output as output;
pub use homi_report as report;
pub use homi_solver as solver;
pub use homi_strategies as strategies;
