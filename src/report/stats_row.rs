//! The columns of `run.stats`, row by row: KLEE's table `stats`, and the table `homi` in addition.
//!
//! Invariant: names, order and types of `stats` are the same as in KLEE 3, so that its klee-stats
//! reads the file. All numbers are whole; times are microseconds, memory is bytes.

use super::{Aggregation, Described, Record};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// One column of the statistics table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// SQLite's type.
    pub(super) sql: &'static str,
    /// Aggregation with the rows of earlier sessions of a resumed campaign.
    pub(super) aggregation: Aggregation,
    pub(super) meaning: &'static str,
}

/// Statistics of one layer of the solver chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerStatistics {
    /// Queries that it answered.
    pub answered: u64,
    /// Microseconds in it, whether or not it answered.
    pub time: u64,
}

/// Declares a row: a field, its column's name, SQLite type and kind, and what it means. Between the
/// fields may stand the layers of the solver, top down: a name, the columns of its answers and of
/// its time, and which queries it answers.
macro_rules! row {
    ($(#[$outer:meta])* $row:ident {
        $($field:ident $name:literal $sql:ident $kind:ident $meaning:literal;)*
    } $(layers {
        $($layer:literal $answered:literal $time:literal $answers:literal;)*
    } $(
        $last:ident $last_name:literal $last_sql:ident $last_kind:ident $last_meaning:literal;
    )*)?) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $row {
            $(#[doc = $meaning] pub $field: u64,)*
            $(
                /// The layers of the solver's chain, top down.
                pub layers: [LayerStatistics; [$($layer),*].len()],
                $(#[doc = $last_meaning] pub $last: u64,)*
            )?
        }

        impl $row {
            pub(super) const COLUMNS: &'static [Column] = &[
                $(row!(@column $name $sql $kind $meaning),)*
                $(
                    $(row!(@column $answered INTEGER Sum $answers),)*
                    $(row!(@column $time INTEGER Sum "Time in the layer."),)*
                    $(row!(@column $last_name $last_sql $last_kind $last_meaning),)*
                )?
            ];

            $(
                /// Names of the layers, top down.
                const LAYERS: [&'static str; [$($layer),*].len()] = [$($layer),*];
            )?

            /// The values in the order of the columns.
            pub(super) fn values(&self) -> Vec<u64> {
                let values = vec![$(self.$field,)*];
                $(
                    let mut values = values;
                    values.extend(self.layers.iter().map(|layer| layer.answered));
                    values.extend(self.layers.iter().map(|layer| layer.time));
                    values.extend([$(self.$last,)*]);
                )?
                values
            }

            /// A row with the values that `value` gives for columns; 0 for those it does not know.
            pub(super) fn from_values(mut value: impl FnMut(&str) -> Option<u64>) -> Self {
                Self {
                    $($field: value($name).unwrap_or(0),)*
                    $(
                        layers: [$(LayerStatistics {
                            answered: value($answered).unwrap_or(0),
                            time: value($time).unwrap_or(0),
                        },)*],
                        $($last: value($last_name).unwrap_or(0),)*
                    )?
                }
            }

            /// Returns this row of a session that resumes after `earlier`: sums include it.
            pub(super) fn after(mut self, earlier: &Self) -> Self {
                $(row!(@after self earlier $field $kind);)*
                $(
                    for (layer, earlier) in self.layers.iter_mut().zip(&earlier.layers) {
                        layer.answered += earlier.answered;
                        layer.time += earlier.time;
                    }
                    $(row!(@after self earlier $last $last_kind);)*
                )?
                self
            }
        }

        /// Serializes the row as an object with the names of the columns.
        impl Serialize for $row {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let names = Self::COLUMNS.iter().map(|column| column.name);
                serializer.collect_map(names.zip(self.values()))
            }
        }

        impl Described for $row {
            fn schema() -> serde_json::Value {
                let mut record = Record::default();
                for column in Self::COLUMNS {
                    record.value(column.name, column.meaning, i32::schema());
                }
                record.finish()
            }
        }

        impl<'de> Deserialize<'de> for $row {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let values = BTreeMap::<String, u64>::deserialize(deserializer)?;
                Ok(Self::from_values(|name| values.get(name).copied()))
            }
        }
    };
    (@column $name:literal $sql:ident $kind:ident $meaning:literal) => {
        Column {
            name: $name,
            sql: stringify!($sql),
            aggregation: Aggregation::$kind,
            meaning: $meaning,
        }
    };
    (@after $row:ident $earlier:ident $field:ident $kind:ident) => {
        if Aggregation::$kind == Aggregation::Sum {
            $row.$field += $earlier.$field;
        }
    };
}

row! {
    /// A row of KLEE's table.
    KleeRow {
        instructions "Instructions" INTEGER Sum "Instructions executed by all states.";
        full_branches "FullBranches" INTEGER Last "Conditional branches of user code with both \
             sides covered.";
        partial_branches "PartialBranches" INTEGER Last "Conditional branches of user code with \
             one side covered.";
        num_branches "NumBranches" INTEGER Last "Conditional branches of user code.";
        user_time "UserTime" REAL Sum "User time of all homi processes.";
        num_states "NumStates" INTEGER Last "Number of states.";
        malloc_usage "MallocUsage" INTEGER Last "Allocated bytes.";
        queries "Queries" INTEGER Sum "Queries to the solver chain.";
        solver_queries "SolverQueries" INTEGER Sum "Queries that reached the SMT solver.";
        num_query_constructs "NumQueryConstructs" INTEGER Sum "Nodes of the terms in these \
             queries.";
        wall_time "WallTime" REAL Sum "Time since the start.";
        covered_instructions "CoveredInstructions" INTEGER Last "Instructions of user code \
             executed at least once.";
        uncovered_instructions "UncoveredInstructions" INTEGER Last "Instructions of user code \
             never executed.";
        query_time "QueryTime" INTEGER Sum "Time in the SMT solver.";
        solver_time "SolverTime" INTEGER Sum "Time in the solver chain.";
        cex_cache_time "CexCacheTime" INTEGER Sum "Time in the cache and all layers below it.";
        fork_time "ForkTime" INTEGER Sum "Not measured; always 0.";
        resolve_time "ResolveTime" INTEGER Sum "Not measured; always 0.";
        query_cache_misses "QueryCacheMisses" INTEGER Sum "Cache misses answered by the search or \
             the SMT solver.";
        query_cache_hits "QueryCacheHits" INTEGER Sum "Queries answered by the cache.";
        query_cex_cache_misses "QueryCexCacheMisses" INTEGER Sum "Queries not answered by the \
             model of the state.";
        query_cex_cache_hits "QueryCexCacheHits" INTEGER Sum "Queries answered by the model of the \
             state, unchanged or with one byte changed.";
        inhibited_forks "InhibitedForks" INTEGER Sum "Branch sides dropped because their query \
             timed out.";
        external_calls "ExternalCalls" INTEGER Sum "Calls of native code; always 0.";
        allocations "Allocations" INTEGER Sum "Heap objects created by the program.";
        states "States" INTEGER Sum "States created.";
        branches_conditional "BranchesConditional" INTEGER Sum "Forks at conditional branches.";
        branches_indirect "BranchesIndirect" INTEGER Sum "Forks at computed gotos.";
        branches_switch "BranchesSwitch" INTEGER Sum "Forks at switches.";
        branches_call "BranchesCall" INTEGER Sum "Forks at calls through symbolic pointers.";
        branches_mem_op "BranchesMemOp" INTEGER Sum "Forks at symbolic addresses and at checks.";
        branches_resolve_pointer "BranchesResolvePointer" INTEGER Sum "Forks in built-in functions.";
        branches_alloc "BranchesAlloc" INTEGER Sum "Forks at allocations of symbolic size.";
        branches_realloc "BranchesRealloc" INTEGER Sum "Forks at reallocations.";
        branches_free "BranchesFree" INTEGER Sum "Forks at free.";
        branches_get_val "BranchesGetVal" INTEGER Sum "Forks in functions of klee.h.";
        termination_exit "TerminationExit" INTEGER Sum "Paths that reached the end of the program.";
        termination_early "TerminationEarly" INTEGER Sum "Paths that ended at a limit or at the \
             end of the run.";
        termination_solver_error "TerminationSolverError" INTEGER Sum "Paths whose only remaining \
             query timed out.";
        termination_program_error "TerminationProgramError" INTEGER Sum "Paths with a bug.";
        termination_user_error "TerminationUserError" INTEGER Sum "Paths that misused klee.h.";
        termination_execution_error "TerminationExecutionError" INTEGER Sum "Paths that reached an \
             unsupported feature or, in homi klee, an undefined function.";
        termination_early_algorithm "TerminationEarlyAlgorithm" INTEGER Sum "Pruned and merged \
             paths.";
        termination_early_user "TerminationEarlyUser" INTEGER Sum "Paths that the program ended without a test.";
        array_hash_time "ArrayHashTime" INTEGER Last "Not measured; -1, as in KLEE.";
    }
}

row! {
    /// Statistics that KLEE's columns do not have.
    HomiRow {
        paths "Paths" INTEGER Sum "Ended paths.";
        tests "Tests" INTEGER Last "Tests written.";
        bugs "Bugs" INTEGER Last "Distinct bugs found.";
        branches "CoveredBranchSides" INTEGER Last "Covered branch sides of user code, including \
             switches.";
        branches_total "BranchSides" INTEGER Last "Branch sides of user code, including switches.";
        resident "MemoryResident" INTEGER Last "Resident memory of all homi processes.";
        smt_memory "MemorySmt" INTEGER Last "Resident memory of the SMT process.";
        program_memory "MemoryProgram" INTEGER Last "Bytes of the program and its tables, \
             allocated before the first instruction.";
        term_memory "MemoryTerms" INTEGER Last "Bytes of the term pool.";
        cache_memory "MemorySolverCache" INTEGER Last "Bytes of the solver cache.";
        state_memory "MemoryStates" INTEGER Last "Bytes of the states and of the engine's data: \
             the remainder.";
    } layers {
        "rewrite" "RewriteAnswered" "RewriteTime" "Conditions simplified to a constant.";
        "model" "ModelAnswered" "ModelTime" "Queries answered by the model of the state.";
        "domain" "DomainAnswered" "DomainTime" "Queries answered by the value sets of single \
             bytes.";
        "bounds" "BoundsAnswered" "BoundsTime" "Queries answered by intervals.";
        "order" "OrderAnswered" "OrderTime" "Queries answered by the order of numbers.";
        "guided" "GuidedAnswered" "GuidedTime" "Queries answered by changing one byte of the \
             model.";
        "cache" "CacheAnswered" "CacheTime" "Queries answered by the cache.";
        "linear" "LinearAnswered" "LinearTime" "Queries answered by equations over GF(2).";
        "search" "SearchAnswered" "SearchTime" "Queries answered by trying values.";
        "sat" "SatAnswered" "SatTime" "Queries answered by the SAT solver.";
        "smt" "SmtAnswered" "SmtTime" "Queries answered by the SMT solver.";
    }
    timeouts "Timeouts" INTEGER Sum "Queries that timed out.";
    concretisations "Concretisations" INTEGER Sum "Concretized symbolic values.";
}

impl HomiRow {
    /// The layers of the chain with their names, top down.
    pub fn named_layers(&self) -> impl Iterator<Item = (&'static str, LayerStatistics)> {
        Self::LAYERS.into_iter().zip(self.layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_klees() {
        let names: Vec<&str> = KleeRow::COLUMNS.iter().map(|column| column.name).collect();
        let expected = "Instructions FullBranches PartialBranches NumBranches UserTime NumStates MallocUsage \
            Queries SolverQueries NumQueryConstructs WallTime CoveredInstructions UncoveredInstructions \
            QueryTime SolverTime CexCacheTime ForkTime ResolveTime QueryCacheMisses QueryCacheHits \
            QueryCexCacheMisses QueryCexCacheHits InhibitedForks ExternalCalls Allocations States \
            BranchesConditional BranchesIndirect BranchesSwitch BranchesCall BranchesMemOp \
            BranchesResolvePointer BranchesAlloc BranchesRealloc BranchesFree BranchesGetVal \
            TerminationExit TerminationEarly TerminationSolverError TerminationProgramError \
            TerminationUserError TerminationExecutionError TerminationEarlyAlgorithm TerminationEarlyUser \
            ArrayHashTime";
        assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
        let real = KleeRow::COLUMNS
            .iter()
            .filter(|column| column.sql == "REAL");
        let real: Vec<&str> = real.map(|column| column.name).collect();
        assert_eq!(real, ["UserTime", "WallTime"]);
    }

    #[test]
    fn sums_go_on_and_values_of_the_moment_do_not() {
        let earlier = KleeRow {
            instructions: 100,
            num_states: 7,
            ..KleeRow::default()
        };
        let now = KleeRow {
            instructions: 5,
            num_states: 3,
            ..KleeRow::default()
        };
        let after = now.after(&earlier);
        assert_eq!((after.instructions, after.num_states), (105, 3));
        let values = after.values();
        let copy = KleeRow::from_values(|name| {
            let at = KleeRow::COLUMNS
                .iter()
                .position(|column| column.name == name);
            Some(values[at?])
        });
        assert_eq!(copy, after);
    }

    #[test]
    fn layers_have_their_columns() {
        let mut row = HomiRow::default();
        for (number, layer) in (1..).zip(&mut row.layers) {
            *layer = LayerStatistics {
                answered: number,
                time: 10 * number,
            };
        }
        let names: Vec<&str> = HomiRow::COLUMNS.iter().map(|column| column.name).collect();
        let of = |name: &str| {
            let column = names.iter().position(|known| *known == name);
            column.map(|column| row.values()[column])
        };
        assert_eq!(of("RewriteAnswered"), Some(1));
        assert_eq!(of("SmtTime"), Some(110));
        assert_eq!(names[names.len() - 1], "Concretisations");
        assert_eq!(HomiRow::from_values(of), row);
        let last = row.named_layers().last();
        assert_eq!(
            last.map(|(name, layer)| (name, layer.answered)),
            Some(("smt", 11))
        );
    }
}
