//! Statistics of the solver: queries and time per layer.

use std::time::Duration;

/// Layer that answered a query; of several parts the last in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(usize)]
pub enum Layer {
    /// The condition was a constant; not counted as a query.
    Rewrite,
    /// The state's model satisfies the condition.
    Model,
    /// One-byte domains, after independence.
    Domain,
    /// Interval arithmetic.
    Bounds,
    /// Comparisons of numbers as differences.
    Order,
    /// Moving one byte of the model.
    Guided,
    /// A query asked before.
    Cache,
    /// Equations over GF(2).
    Linear,
    /// Trying all values.
    Search,
    /// Circuits decided by a SAT solver in this process.
    Sat,
    Smt,
}

impl Layer {
    pub const ALL: [Layer; 11] = [
        Layer::Rewrite,
        Layer::Model,
        Layer::Domain,
        Layer::Bounds,
        Layer::Order,
        Layer::Guided,
        Layer::Cache,
        Layer::Linear,
        Layer::Search,
        Layer::Sat,
        Layer::Smt,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Layer::Rewrite => "rewrite",
            Layer::Model => "model",
            Layer::Domain => "domain",
            Layer::Bounds => "bounds",
            Layer::Order => "order",
            Layer::Guided => "guided",
            Layer::Cache => "cache",
            Layer::Linear => "linear",
            Layer::Search => "search",
            Layer::Sat => "sat",
            Layer::Smt => "smt",
        }
    }
}

/// Statistics of one layer of the solver.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LayerStatistics {
    /// Queries whose answer needed this layer and none below it.
    pub answered: u64,
    /// Time spent in the layer, whether or not it answered.
    pub time: Duration,
}

/// Counters since the solver was made.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SolverStatistics {
    /// Feasibility and value queries whose term was not constant.
    pub queries: u64,
    /// Statistics of each layer, by `Layer as usize`.
    pub layers: [LayerStatistics; 11],
    /// Time in the solver, all layers.
    pub time: Duration,
    /// Time in the solver, counted instead of measured (`work`), in nanoseconds.
    pub work: u64,
    /// Queries that ended as unknown for lack of time.
    pub timeouts: u64,
    /// Queries that ended as unknown for any reason.
    pub unknowns: u64,
    /// Calls of the SAT solver (parts of queries, steps of searches for bounds).
    pub sat_calls: u64,
    /// Calls of the SMT back end (parts of queries, steps of searches for bounds).
    pub smt_calls: u64,
    /// Nodes of the terms in both kinds of calls.
    pub smt_nodes: u64,
    /// Times the SMT process was started.
    pub smt_starts: u64,
}

impl SolverStatistics {
    /// Adds what the solver of another thread did.
    pub fn add(&mut self, other: &SolverStatistics) {
        let SolverStatistics {
            queries,
            layers,
            time,
            work,
            timeouts,
            unknowns,
            sat_calls,
            smt_calls,
            smt_nodes,
            smt_starts,
        } = other;
        self.queries += *queries;
        self.time += *time;
        self.work += *work;
        self.timeouts += *timeouts;
        self.unknowns += *unknowns;
        self.sat_calls += *sat_calls;
        self.smt_calls += *smt_calls;
        self.smt_nodes += *smt_nodes;
        self.smt_starts += *smt_starts;
        for (own, other) in self.layers.iter_mut().zip(layers) {
            own.answered += other.answered;
            own.time += other.time;
        }
    }

    /// The figures of one layer.
    pub fn layer(&self, layer: Layer) -> LayerStatistics {
        self.layers[layer as usize]
    }

    /// The five groups of the run's summary: rewrite, model, domain (with bounds, orders, guided,
    /// linear and search), cache, smt (with sat: both are complete procedures on formulas).
    pub fn by_layer(&self) -> [(&'static str, u64); 5] {
        let answered = |layer: Layer| self.layer(layer).answered;
        let domain = [
            Layer::Domain,
            Layer::Bounds,
            Layer::Order,
            Layer::Guided,
            Layer::Linear,
            Layer::Search,
        ];
        [
            ("rewrite", answered(Layer::Rewrite)),
            ("model", answered(Layer::Model)),
            ("domain", domain.into_iter().map(answered).sum()),
            ("cache", answered(Layer::Cache)),
            ("smt", answered(Layer::Sat) + answered(Layer::Smt)),
        ]
    }
}
