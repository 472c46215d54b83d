//! Checks of the machine: what homi needs, what is missing, how to install it.
//!
//! Owns: the list of checks, their meaning, the commands that install missing parts. Never:
//! installing anything, or guessing a result that a trial can show. Data come from `toolchain`,
//! `replay`'s sandbox, the kernel and a trial that `cli` makes. They go to `cli` as text.

mod compilers;
mod finding;
mod host;
mod runtime;
mod text;

pub use compilers::compilers;
pub use finding::{Finding, State};
pub use host::host;
pub use runtime::{Trial, runtime, trial};
pub use text::text;
