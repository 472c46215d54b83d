//! The page: a run, a campaign or a study as one self-contained HTML file.
//!
//! Owns: layout of pages, content of the page on a run, reasons for untaken branch sides, the
//! search for source files. Never: running
//! or counting anything; it reads the files of an output directory and does without missing ones.
//! Invariant: the templates escape all text from files, and a page loads nothing: no script, font
//! or picture from elsewhere. The page is readable without its script, which sorts and filters
//! tables.

mod bugs;
mod data;
mod divergences;
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
mod uncovered_text;
mod untaken;

pub use data::{RunData, is_output_directory};
pub use document::{Document, Section, figure, text};
pub use fingerprint::fingerprint;
pub use pages::{HtmlReport, run_report};
pub use sources::SourceRoots;
pub use table::{Cell, Table};
pub use uncovered_text::uncovered_sides;
