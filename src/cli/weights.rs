//! `homi weights`: the features of searches with weights, and files of weights in words.

use super::status::Exit;
use crate::features::{
    BRANCH, FeatureSet, OverAll, Preferences, SETS, STATE, Weights, WeightsFile,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say what weights of a search prefer and avoid, or list its features
///
/// With files: what each prefers and avoids, the strongest features first; of several also which
/// features matter over all of them: the mean of each weight, and in how many files it is above and
/// below 0. Without: the sets of features, with each feature's number, its name in files and what
/// it is called where it comes from.
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
    let (mut branches, mut states) = (Vec::new(), Vec::new());
    for path in &args.files {
        let file = WeightsFile::read(path)?;
        let preferences = match file.feature_set == STATE.name {
            true => preferences(&file, &STATE, path, &mut states)?,
            false => preferences(&file, &BRANCH, path, &mut branches)?,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {preferences}", path.display());
        if let Some(program) = &file.program {
            let _ = writeln!(text, "  learned for {}", program.name);
        }
    }
    text += &over_all(&branches);
    text += &over_all(&states);
    super::print(&text)?;
    Ok(Exit::Done)
}

/// What a file prefers; its weights join `all`.
fn preferences<R>(
    file: &WeightsFile,
    set: &'static FeatureSet<R>,
    path: &Path,
    all: &mut Vec<Weights<R>>,
) -> anyhow::Result<Preferences> {
    let weights = file.weights(set, path)?;
    let preferences = Preferences::of(&weights);
    all.push(weights);
    Ok(preferences)
}

/// Which features matter over several vectors; nothing of a single one.
fn over_all<R>(vectors: &[Weights<R>]) -> String {
    match vectors {
        [first, _, ..] => {
            let (count, set) = (vectors.len(), first.set().name);
            format!(
                "over {count} files of weights of the set `{set}`:\n{}",
                OverAll::of(vectors)
            )
        }
        _ => String::new(),
    }
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
