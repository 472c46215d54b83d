//! The world outside of all states: host files (read only), what programs print, arguments and
//! environment.
//!
//! Owns: the implementation of `exec::Host`, the confinement of host paths, output sinks, and how
//! argv and envp are laid out in a state's memory. Never: writes to the host (except what a caller
//! gave as a sink), lets an answer depend on time or on which state asks first. Data come from the
//! host's files and the command line and go to states.

mod arguments;
mod real;
mod sink;
mod stat;
mod view;

pub use arguments::{
    ProgramArguments, SetupError, default_environment, parse_environment_file, set_up,
};
pub use real::{HostConfig, RealHost, StandardInput};
pub use sink::Sink;
pub use view::{HostFile, HostView, system_data};
