//! `homi`: symbolic execution of C programs compiled to LLVM bitcode.
//!
//! The map of the crate; ARCHITECTURE.md tells the whole story. Data go from top to bottom:
//! `bitcode` reads LLVM and lowers it to `program`; `exec` gives instructions their meaning on a
//! `state`; `engine` runs states chosen by `search` and turns ended paths into `testcase`s, which
//! `replay` runs natively.

pub mod aim;
pub mod ask;
pub mod bitcode;
pub mod campaign;
pub mod carried;
pub mod cli;
pub mod compiler;
pub mod concolic;
pub mod config;
pub mod coverage;
pub mod doctor;
pub mod engine;
pub mod env;
pub mod exec;
pub mod export;
pub mod expr;
pub mod features;
pub mod frontier;
pub mod gcov;
pub mod harness;
pub mod interpolation;
pub mod klee;
pub mod learn;
pub mod learn_search;
pub mod memory;
pub mod merge;
pub mod ops;
pub mod options;
pub mod outcome;
pub mod page;
pub mod plot;
pub mod probe;
pub mod program;
pub mod prune;
pub mod record;
pub mod replay;
pub mod report;
pub mod roots;
pub mod search;
pub mod select;
pub mod session;
pub mod solver;
pub mod state;
pub mod study;
pub mod testcase;
pub mod tester;
pub mod toolchain;
pub mod unit;
pub mod util;
pub mod verdict;
