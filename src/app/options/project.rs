//! Options about `homi.toml`, which the command line itself reads before it is sorted.

use super::declare::Declared;
use super::row::{Heading, Row, Scope};
use super::value::{flag, text};

/// Returns the rows of these options.
pub(super) fn rows() -> Vec<Row> {
    let job = text("job", "NAME")
        .scope(Scope::Session)
        .heading(Heading::Output)
        .into_row(
            "Take the options of `[job.NAME]` in homi.toml, too\n\n\
             homi looks for homi.toml in this directory and above. What is typed is stronger than \
             a job, and a job than `[run]`.\n",
        );
    let none = flag("no-config")
        .scope(Scope::Session)
        .heading(Heading::Output)
        .into_row("Read no homi.toml\n");
    vec![job, none]
}
