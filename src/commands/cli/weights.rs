//! `homi weights`: explains files of weights and lists the features of parameterized searches.

use super::status::Exit;
use homi_strategies::weights::features::{BRANCH, OverAll, Preferences, WeightsFile};
use std::fmt::Write;
use std::path::PathBuf;

/// Explain weight files, or list the features
///
/// For each file, homi prints what its weights prefer and avoid, strongest features first. For
/// several files it also prints the mean of each weight and the number of files in which it is
/// above and below 0. Without files, it lists each feature with its number, its name in files and
/// its name in the source.
#[derive(clap::Args, Debug)]
pub(super) struct WeightsArgs {
    /// Weight files, as for --strategy param:FILE
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
            "over {} weight files:\n{}",
            all.len(),
            OverAll::of(&all)
        );
    }
    super::print(&text)?;
    Ok(Exit::Done)
}

/// Returns the list of all features.
fn features() -> String {
    let mut text = "features of branches of concolic runs\n".to_string();
    for feature in BRANCH.features {
        let (number, name, source) = (feature.number, feature.name, feature.source);
        let _ = writeln!(text, "{number:>4}  {name}  ({source})");
    }
    text
}
