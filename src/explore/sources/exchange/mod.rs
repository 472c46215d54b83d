//! Live exchange of inputs with fuzzers (`--sync`): inputs that appear in their queues are run.
//!
//! Owns: when the queues are read, and how an input of bytes becomes one of the program's objects.
//! Never: writing tests to the own queue (the session listens to events), or how a run tells what
//! an input covered first (`engine`). Data come from the fuzzers' directory and go to the run as
//! inputs.
//!
//! Invariant: an unreadable directory never stops the run, which continues and warns once.

mod client;
mod source;

pub use client::{Exchange, ExchangeStatistics, OWN_NAME, Seen};
pub use source::Exchanged;
