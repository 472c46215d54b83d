//! Concolic testing: the choice of the next branch to negate.
//!
//! Owns: the records of ended paths, the strategies of concolic testers, the graph of branch sides
//! that some strategies use, the searcher that drives them. Never: a state, a term, a query; a
//! strategy sees the branches of paths. Data come from `engine` as a searcher's updates and return
//! to it as one id.
//!
//! A run follows its input to the end of its path. A branch stays open if its other side was
//! neither queried nor taken. Strategies choose from the open branches.

mod argument;
mod bfs;
mod bundled;
mod cfg;
mod cgs;
mod code;
mod context;
mod decision;
mod dfs;
mod dominators;
mod generational;
mod graph;
mod history;
mod icfg;
mod last_path;
mod leading;
mod measure;
mod param;
mod path;
mod pool;
mod random_branch;
mod random_path;
mod registry;
mod row;
mod searcher;
#[cfg(test)]
mod searcher_tests;
mod seen;
mod statistics;
mod strategy;
mod target;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod user_code;

pub use argument::{Argument, ArgumentKind, BranchWeights};
pub use code::{BranchCode, FunctionTable};
pub use context::context_of;
pub use dominators::Dominators;
pub use graph::{SideDistances, SideGraph};
pub use history::{Answer, History, Negation};
pub use leading::leading_sides;
pub use measure::{BranchMeasure, Measured};
pub use param::weighted;
pub use path::{BranchRef, PathBranch, PathId, Paths};
pub use registry::{STRATEGIES, StrategyChoice};
pub use row::StrategyRow;
pub use searcher::{Chosen, StrategySearcher, searcher};
pub use seen::{LastPath, Seen};
pub use statistics::Statistics;
pub use strategy::{Choice, Reason, Start, Strategy};
