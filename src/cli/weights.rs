//! `homi weights`: the features of searches with weights, and files of weights in words.

use super::status::Exit;
use crate::features::{BRANCH, FeatureSet, Preferences, SETS, STATE, WeightsFile};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say what weights of a search prefer and avoid, or list its features
///
/// With files: what each prefers and avoids, the strongest features first. Without: the sets of
/// features, with each feature's number, its name in files and what it is called where it comes
/// from.
#[derive(clap::Args, Debug)]
pub(super) struct WeightsArgs {
    /// Files of weights, as --strategy param:FILE and --search param:FILE take them
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn execute(args: WeightsArgs) -> anyhow::Result<Exit> {
    let mut text = String::new();
    if args.files.is_empty() {
        text = features();
    }
    for path in &args.files {
        let file = WeightsFile::read(path)?;
        let preferences = match file.feature_set == STATE.name {
            true => preferences(&file, &STATE, path)?,
            false => preferences(&file, &BRANCH, path)?,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {preferences}", path.display());
        if let Some(program) = &file.program {
            let _ = writeln!(text, "  learned for {}", program.name);
        }
    }
    super::print(&text)?;
    Ok(Exit::Done)
}

fn preferences<R>(
    file: &WeightsFile,
    set: &'static FeatureSet<R>,
    path: &Path,
) -> anyhow::Result<Preferences> {
    Ok(Preferences::of(&file.weights(set, path)?))
}

/// All sets of features.
fn features() -> String {
    let mut text = String::new();
    for set in &SETS {
        let _ = writeln!(text, "{}: features of {}", set.name, set.of);
        for feature in (set.features)() {
            let (number, name, source) = (feature.number, feature.name, feature.source);
            let _ = writeln!(text, "{number:>4}  {name}  ({source})");
        }
    }
    text
}
