//! `homi`: symbolic execution of C programs compiled to LLVM bitcode.
//!
//! The map of the crate; ARCHITECTURE.md has the details. There are thirteen groups; each uses only
//! groups below it: `commands`, `app`, `strategies`, `explore`, `output`, `native`, `build`,
//! `machine`, `llvm`, `solver`, `report`, `config`, `ir`. `llvm` lowers bitcode to `ir`; `machine`
//! gives instructions their meaning on a state; `explore` runs states and turns ended paths into
//! tests, which `native` runs.

pub mod app;
pub mod build;
pub mod commands;
pub mod config;
pub mod explore;
pub mod ir;
pub mod llvm;
pub mod machine;
pub mod native;
pub mod output;
pub mod report;
pub mod solver;
pub mod strategies;
