//! Strategies by name, and the syntax of `--strategy`.
//!
//! Invariant: names and aliases are distinct. To add a strategy, write a file with its row and list
//! the row here.

use super::argument::{Argument, ArgumentKind, BranchWeights};
use super::bundled::built_in;
use super::row::StrategyRow;
use super::{bfs, cfg, cgs, dfs, generational, param, random_branch, random_path};
use crate::weights::features::{BRANCH, ProgramMark, WeightsError, WeightsFile};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Every strategy that the user can name.
pub static STRATEGIES: [&StrategyRow; 8] = [
    &dfs::ROW,
    &bfs::ROW,
    &random_branch::ROW,
    &random_path::ROW,
    &cfg::ROW,
    &cgs::ROW,
    &generational::ROW,
    &param::ROW,
];

/// Strategy as the user chose it.
#[derive(Clone, Debug)]
pub struct StrategyChoice {
    pub row: &'static StrategyRow,
    pub argument: Argument,
    /// Weights in the named file; `None` without a file, or before `load`.
    pub weights: Option<Arc<BranchWeights>>,
    /// Program that the weights were learned for, if the file names one.
    pub learned_for: Option<ProgramMark>,
}

impl PartialEq for StrategyChoice {
    fn eq(&self, other: &Self) -> bool {
        self.row.name == other.row.name && self.argument == other.argument
    }
}

impl fmt::Display for StrategyChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.row.with(&self.argument))
    }
}

impl StrategyChoice {
    /// Parses `NAME` or `NAME:ARGUMENT`.
    ///
    /// # Errors
    /// The error names the nearest strategy, or the argument that the strategy accepts.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let row = STRATEGIES
            .iter()
            .find(|row| row.name == name || row.aliases.contains(&name))
            .ok_or_else(|| no_such(name))?;
        let argument = match argument {
            None => Argument::Nothing,
            Some(argument) => parse_argument(row, argument)?,
        };
        Ok(Self {
            row,
            argument,
            weights: None,
            learned_for: None,
        })
    }

    /// Returns the parameterized strategy with weights that are in no file.
    pub fn of_weights(weights: Arc<BranchWeights>) -> Self {
        Self {
            row: &param::ROW,
            argument: Argument::Nothing,
            weights: Some(weights),
            learned_for: None,
        }
    }

    /// True if executions use canonical inputs by default, as the trials of learning do: with other
    /// inputs the weights may be much worse.
    pub fn wants_canonical_inputs(&self) -> bool {
        self.row.argument == ArgumentKind::Weights
    }

    /// Returns the parameterized strategy with the bundled weights.
    pub fn built_in() -> Self {
        Self::of_weights(Arc::new(built_in()))
    }

    /// Reads the weight file that the choice names. If a weight file is optional and not named, the
    /// bundled weights apply.
    ///
    /// # Errors
    /// Fails if the file cannot be read or its weights are not for branches.
    pub fn load(&mut self) -> Result<(), WeightsError> {
        if let Argument::File(path) = &self.argument {
            let (weights, learned_for) = WeightsFile::load(Path::new(path), &BRANCH)?;
            self.weights = Some(Arc::new(weights));
            self.learned_for = learned_for;
        } else if self.row.argument == ArgumentKind::Weights && self.weights.is_none() {
            self.weights = Some(Arc::new(built_in()));
        }
        Ok(())
    }
}

fn needs_weights(name: &str) -> String {
    format!(
        "`{name}:` needs a weight file, `{name}:FILE`; `{name}` without `:` uses the bundled \
         weights"
    )
}

fn parse_argument(row: &StrategyRow, text: &str) -> Result<Argument, String> {
    let name = row.name;
    match row.argument {
        ArgumentKind::Nothing => Err(format!(
            "the strategy `{name}` does not take an argument; \
             remove `:` and what follows"
        )),
        ArgumentKind::Number => match text.parse() {
            Ok(number) if number > 0 => Ok(Argument::Number(number)),
            _ => Err(format!("`{name}:N` needs a number above 0, not `{text}`")),
        },
        ArgumentKind::Keyword(keyword) if keyword == text => Ok(Argument::Keyword(keyword)),
        ArgumentKind::Keyword(keyword) => Err(format!(
            "the only argument of `{name}` is `{name}:{keyword}`"
        )),
        ArgumentKind::Weights if text.is_empty() => Err(needs_weights(name)),
        ArgumentKind::Weights => Ok(Argument::File(text.to_string())),
    }
}

/// Returns the error for an unknown name, with the nearest name or all names.
fn no_such(name: &str) -> String {
    let names: Vec<&str> = STRATEGIES.iter().map(|row| row.name).collect();
    let alike = |known: &&str| strsim::normalized_damerau_levenshtein(name, known);
    let known = STRATEGIES.iter().flat_map(|row| {
        let aliases = row.aliases.iter().copied();
        std::iter::once(row.name).chain(aliases)
    });
    let nearest = known
        .max_by(|a, b| alike(a).total_cmp(&alike(b)))
        .filter(|known| alike(known) >= LIKELY_SLIP);
    let hint = nearest.map_or(String::new(), |known| format!("; did you mean `{known}`?"));
    format!(
        "unknown strategy `{name}`{hint}; choose from {}",
        names.join(", ")
    )
}

/// Similarity above which a name is likely a misspelling of another.
const LIKELY_SLIP: f64 = 0.5;
