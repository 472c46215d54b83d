//! What homi needs on this machine: what is there, what is missing, how to get it.
//!
//! Owns: the list of what is looked at, what each means, the commands that install it. Never:
//! installing anything, or guessing what can be tried. Data come from `toolchain`, `replay`'s
//! sandbox, the kernel and a trial that `cli` makes, and go to `cli` as text.

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
