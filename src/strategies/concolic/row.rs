//! Description of a strategy, and its constructor.

use super::argument::{Argument, ArgumentKind};
use super::strategy::{Start, Strategy};
use std::fmt;

/// Strategy in the registry.
#[derive(Clone, Copy)]
pub struct StrategyRow {
    pub name: &'static str,
    /// Alternative names.
    pub aliases: &'static [&'static str],
    /// One-line help text.
    pub help: &'static str,
    pub argument: ArgumentKind,
    pub make: fn(&Start<'_>) -> Box<dyn Strategy>,
}

impl fmt::Debug for StrategyRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

impl StrategyRow {
    /// Returns the strategy with an argument, as the user types it.
    pub fn with(&self, argument: &Argument) -> String {
        match argument {
            Argument::Nothing => self.name.to_string(),
            Argument::Number(number) => format!("{}:{number}", self.name),
            Argument::Keyword(keyword) => format!("{}:{keyword}", self.name),
            Argument::File(file) => format!("{}:{file}", self.name),
        }
    }
}
