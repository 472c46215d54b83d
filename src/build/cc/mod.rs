//! A compiler that replaces gcc or clang in any build, and embeds the bitcode of each source in its
//! output (`homi cc`, `homi c++`).
//!
//! Owns: the parsed command line of a compiler, the native command, the additional bitcode, the
//! records of a linked program. Never: LLVM, which is clang's here, in another process; environment
//! variables, which are arguments. Data come from the arguments of a build and go out as sections
//! of object files, whose form `embedded` knows.

mod clang;
mod drive;
mod embed;
mod flags;
mod fortify;
mod harness;
mod invocation;
mod known;
mod language;
mod line;
mod linked;
mod native;
mod parts;
mod probe;
mod settings;

pub use drive::drive;
pub use flags::DEFAULT as DEFAULT_FLAGS;
pub use harness::HarnessParts;
pub use language::Driver;
pub use settings::Settings;
