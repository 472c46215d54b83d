//! The page: a run, a campaign or a study as one HTML file that needs nothing else.
//!
//! Owns: how pages look, what a page on a run says, where source files are found. Never: running or
//! counting anything; it reads the files of an output directory, and does without those that are
//! not there (yet). Invariant: all that comes from files is escaped by the templates, and a page
//! loads nothing: no script, font or picture from elsewhere. Without its script it can be read
//! whole; the script sorts and filters tables.

mod bugs;
mod data;
mod document;
mod figures;
mod fingerprint;
mod learned;
mod pages;
mod source;
mod sources;
mod summary;
mod table;
mod tests_table;
mod untaken;

pub use data::{RunData, is_output_directory};
pub use document::{Document, Section, figure, text};
pub use fingerprint::fingerprint;
pub use pages::{Page, run_page};
pub use sources::SourceRoots;
pub use table::{Cell, Table};
