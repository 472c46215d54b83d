//! Solver query logs: which queries, in which format.

use std::time::Duration;

/// The logs of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryLogConfig {
    pub logs: Vec<QueryLog>,
    /// Queries that took less are left out.
    pub least: Duration,
}

/// One file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryLog {
    /// Only queries that a SAT or SMT solver decided.
    pub only_back_ends: bool,
    /// KQuery; else SMT-LIB.
    pub as_kquery: bool,
}

impl QueryLog {
    pub const ALL: [QueryLog; 4] = [
        Self::of(false, true),
        Self::of(false, false),
        Self::of(true, true),
        Self::of(true, false),
    ];

    const fn of(only_back_ends: bool, as_kquery: bool) -> Self {
        Self {
            only_back_ends,
            as_kquery,
        }
    }

    fn parts(self) -> (&'static str, &'static str) {
        let scope = if self.only_back_ends { "solver" } else { "all" };
        (scope, if self.as_kquery { "kquery" } else { "smt2" })
    }

    /// Returns the name in options.
    pub fn name(self) -> String {
        let (scope, form) = self.parts();
        format!("{scope}:{form}")
    }

    /// Its name in the output directory.
    pub fn file(self) -> String {
        let (scope, form) = self.parts();
        format!("{scope}-queries.{form}")
    }
}
