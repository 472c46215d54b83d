//! The integration tests: everything that is tested through the library's public interface or
//! through the `homi` command, one module for each subject.
//!
//! One crate, because each would link LLVM, Z3, SQLite and the whole library for itself:
//! `cargo test --test it ui::` selects a module. What they read is in `tests/data`. No test changes
//! what belongs to the whole process (environment, current directory, clock, and Z3's limit of
//! memory, which is 1,024 MB in all of them); one that has to is a crate of its own beside this.

mod bench;
mod campaign;
mod checks;
mod cli;
mod command_line;
mod compare;
mod compiler;
mod concolic;
mod credit;
mod cxx;
mod dialect;
mod differential;
mod divergences;
mod documents;
mod examples;
mod exec_c;
mod exec_symbolic;
mod exports;
mod features;
mod functions;
mod fuzzing;
mod generator;
mod github_action;
mod guide;
mod instrument;
mod ir_text;
mod jobs;
mod klee;
mod ktest;
mod language;
mod layering;
mod lazy_forks;
mod learn_search;
mod load_child;
mod merging;
mod narrow;
mod options;
mod outcomes;
mod page;
mod policies;
mod positions;
mod proofs;
mod record;
mod replay_cli;
mod replayed;
mod reports;
mod resumed;
mod runtime_kernel;
mod runtime_patches;
mod runtime_programs;
mod runtime_replay;
mod second_reader;
mod seeds;
mod solver_corpus;
mod solver_process;
mod start;
mod stats;
mod style;
mod subsumption;
mod summary_schema;
mod support;
mod targets;
mod tester;
mod threads;
mod ui;
mod underapproximations;
mod verification;
