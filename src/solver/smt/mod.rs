//! The SMT layer: Z3 behind a process boundary.
//!
//! `child` is the engine's side (start, ask, kill), `server` the process's (`homi __solver`), `z3`
//! translates an encoded query and asks, `float` its floating-point part; both call Z3 through
//! `context`. A crash, a hang or a memory limit of Z3 costs one query, never the run.

mod child;
mod context;
mod float;
#[cfg(lazy_z3)]
mod library;
mod server;
pub(super) mod z3;

pub use child::ChildBackend;
pub use server::child_main;
pub use z3::Z3Backend;

/// First word of a session; changes with the protocol.
const GREETING: u32 = 0x686d_6901;

/// First word of a reply.
mod status {
    pub const SAT: u32 = 0;
    pub const UNSAT: u32 = 1;
    pub const TIMEOUT: u32 = 2;
    pub const MEMORY: u32 = 3;
    pub const INCOMPLETE: u32 = 4;
    pub const FAILED: u32 = 5;
}
