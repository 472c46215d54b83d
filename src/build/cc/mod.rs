//! A compiler that stands for gcc or clang in any build, and puts the bitcode of each source into
//! what it makes (`homi cc`, `homi c++`).
//!
//! Owns: what a compiler's command line says, the native command, the bitcode beside it, what is
//! known when a program is linked. Never: LLVM, which is clang's here, in another process;
//! environment variables, which are arguments. Data come from the words of a build and go out as
//! sections of object files, whose form `embedded` knows.

mod clang;
mod drive;
mod embed;
mod flags;
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
