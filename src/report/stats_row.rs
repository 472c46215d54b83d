//! The columns of `run.stats`: KLEE's table `stats`, and homi's own table `homi` beside it, row by
//! row.
//!
//! Invariant: names, order and types of `stats` are those of KLEE 3, so that its klee-stats reads
//! the file. All numbers are whole; times are microseconds, memory is bytes.

/// How a column goes on when a campaign is resumed in another session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A sum over the run.
    Sum,
    /// A value of the moment.
    Now,
}

/// One column of the statistics table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// SQLite's type.
    pub(super) sql: &'static str,
    pub(super) kind: Kind,
    pub(super) meaning: &'static str,
}

/// Declares a row: a field, its column's name, SQLite type and kind, and what it means.
macro_rules! row {
    ($(#[$outer:meta])* $row:ident {
        $($field:ident $name:literal $sql:ident $kind:ident $meaning:literal;)*
    }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $row {
            $(#[doc = $meaning] pub $field: u64,)*
        }

        impl $row {
            pub(super) const COLUMNS: &'static [Column] = &[
                $(Column {
                    name: $name,
                    sql: stringify!($sql),
                    kind: Kind::$kind,
                    meaning: $meaning,
                },)*
            ];

            /// The values in the order of the columns.
            pub(super) fn values(&self) -> Vec<u64> {
                vec![$(self.$field,)*]
            }

            /// A row with the values that `value` gives for columns; 0 for those it does not know.
            pub(super) fn from_values(mut value: impl FnMut(&str) -> Option<u64>) -> Self {
                Self { $($field: value($name).unwrap_or(0),)* }
            }

            /// This row of a session that goes on after `earlier`: sums go on.
            pub(super) fn after(mut self, earlier: &Self) -> Self {
                $(if Kind::$kind == Kind::Sum {
                    self.$field += earlier.$field;
                })*
                self
            }
        }
    };
}

row! {
    /// A row of KLEE's table.
    KleeRow {
        instructions "Instructions" INTEGER Sum "Instructions executed by all states.";
        full_branches "FullBranches" INTEGER Now "Conditional branches of the program's own code with both sides covered.";
        partial_branches "PartialBranches" INTEGER Now "With one side covered.";
        num_branches "NumBranches" INTEGER Now "Conditional branches of the program's own code.";
        user_time "UserTime" REAL Sum "User time of all of homi's processes.";
        num_states "NumStates" INTEGER Now "States that wait or run.";
        malloc_usage "MallocUsage" INTEGER Now "Bytes that the allocator has given out.";
        queries "Queries" INTEGER Sum "Questions to the solver's ladder.";
        solver_queries "SolverQueries" INTEGER Sum "Questions that reached SMT.";
        num_query_constructs "NumQueryConstructs" INTEGER Sum "Nodes of the terms in those.";
        wall_time "WallTime" REAL Sum "Time since the start.";
        covered_instructions "CoveredInstructions" INTEGER Now "Instructions of the program's own code that were executed.";
        uncovered_instructions "UncoveredInstructions" INTEGER Now "And those that were not.";
        query_time "QueryTime" INTEGER Sum "Time in SMT.";
        solver_time "SolverTime" INTEGER Sum "Time in the whole ladder.";
        cex_cache_time "CexCacheTime" INTEGER Sum "Time in the layers from the cache down: cache, guided moves, search, SMT.";
        fork_time "ForkTime" INTEGER Sum "Not measured: 0.";
        resolve_time "ResolveTime" INTEGER Sum "Not measured: 0.";
        query_cache_misses "QueryCacheMisses" INTEGER Sum "Questions that the cache did not know and that search or SMT answered.";
        query_cache_hits "QueryCacheHits" INTEGER Sum "Questions that the cache answered.";
        query_cex_cache_misses "QueryCexCacheMisses" INTEGER Sum "Questions that no model at hand answered.";
        query_cex_cache_hits "QueryCexCacheHits" INTEGER Sum "Questions that the state's model answered, as it is or with one byte moved.";
        inhibited_forks "InhibitedForks" INTEGER Sum "Sides dropped because the solver gave up on them.";
        external_calls "ExternalCalls" INTEGER Sum "Calls of native code: none.";
        allocations "Allocations" INTEGER Sum "Heap objects of the program made.";
        states "States" INTEGER Sum "States made.";
        branches_conditional "BranchesConditional" INTEGER Sum "Forks at conditional branches.";
        branches_indirect "BranchesIndirect" INTEGER Sum "Forks at computed gotos.";
        branches_switch "BranchesSwitch" INTEGER Sum "Forks at switches.";
        branches_call "BranchesCall" INTEGER Sum "Forks at calls through symbolic pointers.";
        branches_mem_op "BranchesMemOp" INTEGER Sum "Forks at memory operations with symbolic addresses, and at checks of single operations.";
        branches_resolve_pointer "BranchesResolvePointer" INTEGER Sum "Forks in built-in functions.";
        branches_alloc "BranchesAlloc" INTEGER Sum "Forks at allocations of symbolic size.";
        branches_realloc "BranchesRealloc" INTEGER Sum "Forks at reallocations.";
        branches_free "BranchesFree" INTEGER Sum "Forks at free.";
        branches_get_val "BranchesGetVal" INTEGER Sum "Forks in functions of klee.h.";
        termination_exit "TerminationExit" INTEGER Sum "Paths that reached the program's end.";
        termination_early "TerminationEarly" INTEGER Sum "Paths that a limit or the end of the run stopped.";
        termination_solver_error "TerminationSolverError" INTEGER Sum "Paths whose only side the solver gave up on.";
        termination_program_error "TerminationProgramError" INTEGER Sum "Paths with a bug.";
        termination_user_error "TerminationUserError" INTEGER Sum "Paths that misused klee.h.";
        termination_execution_error "TerminationExecutionError" INTEGER Sum "Paths that met something homi cannot do.";
        termination_early_algorithm "TerminationEarlyAlgorithm" INTEGER Sum "Pruned paths.";
        termination_early_user "TerminationEarlyUser" INTEGER Sum "Paths that the program ended without a test.";
        array_hash_time "ArrayHashTime" INTEGER Now "KLEE's -1 for: not measured.";
    }
}

row! {
    /// What homi knows beyond KLEE's columns.
    HomiRow {
        paths "Paths" INTEGER Sum "Paths that are over, however they ended.";
        tests "Tests" INTEGER Now "Tests written.";
        bugs "Bugs" INTEGER Now "Different bugs found.";
        branches "CoveredBranchSides" INTEGER Now "Branch sides of the program's own code covered, switches included.";
        branches_total "BranchSides" INTEGER Now "All of them.";
        resident "MemoryResident" INTEGER Now "Resident memory of all of homi's processes.";
        smt_memory "MemorySmt" INTEGER Now "Resident memory of the SMT process.";
        program_memory "MemoryProgram" INTEGER Now "Allocated before the first instruction: the program and its tables.";
        term_memory "MemoryTerms" INTEGER Now "The pool of terms.";
        cache_memory "MemorySolverCache" INTEGER Now "The solver's cache.";
        state_memory "MemoryStates" INTEGER Now "The rest of what is allocated: states and what the engine knows of them.";
        rewrite_answered "RewriteAnswered" INTEGER Sum "Conditions that turned out constant.";
        model_answered "ModelAnswered" INTEGER Sum "Questions answered by the state's model.";
        domain_answered "DomainAnswered" INTEGER Sum "By the sets of values of single bytes.";
        bounds_answered "BoundsAnswered" INTEGER Sum "By intervals.";
        order_answered "OrderAnswered" INTEGER Sum "By the order of numbers.";
        guided_answered "GuidedAnswered" INTEGER Sum "By moving one byte of the model.";
        cache_answered "CacheAnswered" INTEGER Sum "By the cache.";
        linear_answered "LinearAnswered" INTEGER Sum "By equations over GF(2).";
        search_answered "SearchAnswered" INTEGER Sum "By trying values.";
        sat_answered "SatAnswered" INTEGER Sum "By the SAT solver.";
        smt_answered "SmtAnswered" INTEGER Sum "By SMT.";
        rewrite_time "RewriteTime" INTEGER Sum "Time in the layer.";
        model_time "ModelTime" INTEGER Sum "Time in the layer.";
        domain_time "DomainTime" INTEGER Sum "Time in the layer.";
        bounds_time "BoundsTime" INTEGER Sum "Time in the layer.";
        order_time "OrderTime" INTEGER Sum "Time in the layer.";
        guided_time "GuidedTime" INTEGER Sum "Time in the layer.";
        cache_time "CacheTime" INTEGER Sum "Time in the layer.";
        linear_time "LinearTime" INTEGER Sum "Time in the layer.";
        search_time "SearchTime" INTEGER Sum "Time in the layer.";
        sat_time "SatTime" INTEGER Sum "Time in the layer.";
        smt_time "SmtTime" INTEGER Sum "Time in the layer.";
        timeouts "Timeouts" INTEGER Sum "Questions given up for lack of time.";
        concretisations "Concretisations" INTEGER Sum "Symbolic values made concrete by choice.";
    }
}

impl HomiRow {
    /// The layers of the ladder with answered questions and microseconds, top down.
    pub fn layers(&self) -> [(&'static str, u64, u64); 11] {
        [
            ("rewrite", self.rewrite_answered, self.rewrite_time),
            ("model", self.model_answered, self.model_time),
            ("domain", self.domain_answered, self.domain_time),
            ("bounds", self.bounds_answered, self.bounds_time),
            ("order", self.order_answered, self.order_time),
            ("guided", self.guided_answered, self.guided_time),
            ("cache", self.cache_answered, self.cache_time),
            ("linear", self.linear_answered, self.linear_time),
            ("search", self.search_answered, self.search_time),
            ("sat", self.sat_answered, self.sat_time),
            ("smt", self.smt_answered, self.smt_time),
        ]
    }

    /// Sets what `layers` gives, in the same order.
    pub fn set_layers(&mut self, layers: [(u64, u64); 11]) {
        let fields = [
            (&mut self.rewrite_answered, &mut self.rewrite_time),
            (&mut self.model_answered, &mut self.model_time),
            (&mut self.domain_answered, &mut self.domain_time),
            (&mut self.bounds_answered, &mut self.bounds_time),
            (&mut self.order_answered, &mut self.order_time),
            (&mut self.guided_answered, &mut self.guided_time),
            (&mut self.cache_answered, &mut self.cache_time),
            (&mut self.linear_answered, &mut self.linear_time),
            (&mut self.search_answered, &mut self.search_time),
            (&mut self.sat_answered, &mut self.sat_time),
            (&mut self.smt_answered, &mut self.smt_time),
        ];
        for ((answered, time), layer) in fields.into_iter().zip(layers) {
            (*answered, *time) = layer;
        }
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
    fn layers_come_back_in_order() {
        let mut row = HomiRow::default();
        row.set_layers(std::array::from_fn(|index| {
            (index as u64, 10 * index as u64)
        }));
        let layers = row.layers();
        assert_eq!(layers[0], ("rewrite", 0, 0));
        assert_eq!(layers[10], ("smt", 10, 100));
    }
}
