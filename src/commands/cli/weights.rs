//! `homi weights`: the features of searches with weights, and files of weights in words.

use super::status::Exit;
use crate::strategies::weights::features::{BRANCH, OverAll, Preferences, WeightsFile};
use std::fmt::Write;
use std::path::PathBuf;

/// Say what weights of a search prefer and avoid, or list its features
///
/// With files: what each prefers and avoids, the strongest features first; of several also which
/// features matter over all of them: the mean of each weight, and in how many files it is above and
/// below 0. Without: the features, each with its number, its name in files and what it is called
/// where it comes from.
#[derive(clap::Args, Debug)]
pub(super) struct WeightsArgs {
    /// Files of weights, as --strategy param:FILE takes them
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn execute(args: WeightsArgs) -> anyhow::Result<Exit> {
    let mut text = String::new();
    if args.files.is_empty() {
        text = features();
    }
    let mut all = Vec::new();
    for path in &args.files {
        let file = WeightsFile::read(path)?;
        let weights = file.weights(&BRANCH, path)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {}", path.display(), Preferences::of(&weights));
        if let Some(program) = &file.program {
            let _ = writeln!(text, "  learned for {}", program.name);
        }
        all.push(weights);
    }
    if let [_, _, ..] = &all[..] {
        let _ = write!(
            text,
            "over {} files of weights:\n{}",
            all.len(),
            OverAll::of(&all)
        );
    }
    super::print(&text)?;
    Ok(Exit::Done)
}

/// All features.
fn features() -> String {
    let mut text = "features of branches of concolic runs\n".to_string();
    for feature in BRANCH.features {
        let (number, name, source) = (feature.number, feature.name, feature.source);
        let _ = writeln!(text, "{number:>4}  {name}  ({source})");
    }
    text
}
