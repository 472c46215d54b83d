//! The search heuristics: one row each, with its formula, the numbers that it looks at and when its
//! weights change. Whatever knows a heuristic reads its row: the searcher, and who measures states.
//!
//! The formulas are KLEE's. To add a heuristic, add a row; a number that no row needs yet is a
//! field of [`Needs`] and of `Metrics`.

use super::weighted::Weighted;
use super::{Metrics, Searcher, lists, random_path};
use homi_config::{DistanceWeights, Heuristic};
use rand_pcg::Pcg64;

/// One search heuristic.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicRow {
    /// Name in options; the weighted searchers also have the prefix `nurs:`.
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    pub choice: Choice,
}

/// Method by which a heuristic chooses.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// A state is drawn with a probability proportional to its weight.
    ByWeight(Weight),
    /// A separate order; random choices use the generator.
    Own(fn(Pcg64) -> Box<dyn Searcher>),
}

/// The weight of a state.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The weight; 0 counts as the least that can be chosen.
    pub of: fn(&Metrics) -> f64,
    /// The part of the weight that the states of one location share with `PerLocation`; it depends
    /// on `Metrics::distance` and is updated with the distances.
    pub shared_by_location: Option<fn(&Metrics) -> f64>,
    /// Running a state changes its weight.
    pub changes_by_running: bool,
    pub needs: Needs,
}

/// Numbers of a weight that are expensive to compute.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// `Metrics::distance`.
    pub distance: bool,
    /// `Metrics::point_count`.
    pub point_count: bool,
    /// `Metrics::call_path_count`.
    pub call_path_count: bool,
}

impl Needs {
    /// Only numbers that every state has.
    pub const NOTHING: Needs = Needs {
        distance: false,
        point_count: false,
        call_path_count: false,
    };
    const DISTANCE: Needs = Needs {
        distance: true,
        ..Needs::NOTHING
    };

    /// Returns the numbers that either needs.
    pub fn and(self, other: Needs) -> Needs {
        Needs {
            distance: self.distance || other.distance,
            point_count: self.point_count || other.point_count,
            call_path_count: self.call_path_count || other.call_path_count,
        }
    }
}

impl HeuristicRow {
    /// The numbers that the heuristic looks at.
    pub fn needs(&self) -> Needs {
        match self.choice {
            Choice::ByWeight(weight) => weight.needs,
            Choice::Own(_) => Needs::NOTHING,
        }
    }

    /// A searcher with this heuristic.
    pub fn searcher(&self, weights: DistanceWeights, generator: Pcg64) -> Box<dyn Searcher> {
        match self.choice {
            Choice::ByWeight(weight) => {
                Box::new(Weighted::new(self.name, weight, weights, generator))
            }
            Choice::Own(make) => make(generator),
        }
    }
}

/// The row of a heuristic.
pub fn row_of(heuristic: Heuristic) -> &'static HeuristicRow {
    match heuristic {
        Heuristic::Dfs => &DFS,
        Heuristic::Bfs => &BFS,
        Heuristic::RandomState => &RANDOM_STATE,
        Heuristic::RandomPath => &RANDOM_PATH,
        Heuristic::CovNew => &COVNEW,
        Heuristic::Md2u => &MD2U,
        Heuristic::Depth => &DEPTH,
        Heuristic::Rp => &RP,
        Heuristic::Icnt => &ICNT,
        Heuristic::CpIcnt => &CPICNT,
        Heuristic::Qc => &QC,
    }
}

/// Returns the numbers that any of the heuristics needs.
pub fn needs_of(heuristics: &[Heuristic]) -> Needs {
    let needs = heuristics.iter().map(|one| row_of(*one).needs());
    needs.fold(Needs::NOTHING, Needs::and)
}

fn inverse_square(value: f64) -> f64 {
    1.0 / (value * value)
}

/// The weight of a distance to uncovered code. A state that can reach nothing uncovered counts as
/// very far away.
fn by_distance(metrics: &Metrics) -> f64 {
    inverse_square(match metrics.distance {
        0 => 10_000.0,
        distance => f64::from(distance),
    })
}

/// Returns the weight of recently covered code.
fn by_freshness(metrics: &Metrics) -> f64 {
    match metrics.since_new {
        0 => 0.0,
        count => inverse_square(count.saturating_sub(1000).max(1) as f64),
    }
}

static DFS: HeuristicRow = HeuristicRow {
    name: "dfs",
    help: "newest state first (depth-first)",
    choice: Choice::Own(|_| Box::new(lists::DepthFirst::default())),
};

static BFS: HeuristicRow = HeuristicRow {
    name: "bfs",
    help: "oldest state first (breadth-first)",
    choice: Choice::Own(|_| Box::new(lists::BreadthFirst::default())),
};

static RANDOM_STATE: HeuristicRow = HeuristicRow {
    name: "random-state",
    help: "a random state",
    choice: Choice::Own(|generator| Box::new(lists::RandomState::new(generator))),
};

static RANDOM_PATH: HeuristicRow = HeuristicRow {
    name: "random-path",
    help: "a random walk down the tree of forks; favors states of few forks",
    choice: Choice::Own(|generator| Box::new(random_path::RandomPath::new(generator))),
};

static COVNEW: HeuristicRow = HeuristicRow {
    name: "covnew",
    help: "states near uncovered code, or that recently covered new code",
    choice: Choice::ByWeight(Weight {
        of: |metrics| by_freshness(metrics) + by_distance(metrics),
        shared_by_location: Some(by_distance),
        changes_by_running: true,
        needs: Needs::DISTANCE,
    }),
};

static MD2U: HeuristicRow = HeuristicRow {
    name: "md2u",
    help: "states near uncovered code",
    choice: Choice::ByWeight(Weight {
        of: by_distance,
        shared_by_location: Some(by_distance),
        changes_by_running: true,
        needs: Needs::DISTANCE,
    }),
};

static DEPTH: HeuristicRow = HeuristicRow {
    name: "depth",
    help: "states of many forks",
    choice: Choice::ByWeight(Weight {
        of: |metrics| f64::from(metrics.depth),
        shared_by_location: None,
        changes_by_running: false,
        needs: Needs::NOTHING,
    }),
};

static RP: HeuristicRow = HeuristicRow {
    name: "rp",
    help: "states of few forks, by 2^-depth",
    choice: Choice::ByWeight(Weight {
        of: |metrics| (-f64::from(metrics.depth)).exp2(),
        shared_by_location: None,
        changes_by_running: false,
        needs: Needs::NOTHING,
    }),
};

static ICNT: HeuristicRow = HeuristicRow {
    name: "icnt",
    help: "states whose next instruction was rarely executed",
    choice: Choice::ByWeight(Weight {
        of: |metrics| inverse_square(metrics.point_count.max(1) as f64),
        shared_by_location: None,
        changes_by_running: true,
        needs: Needs {
            point_count: true,
            ..Needs::NOTHING
        },
    }),
};

static CPICNT: HeuristicRow = HeuristicRow {
    name: "cpicnt",
    help: "states whose call path executed few instructions",
    choice: Choice::ByWeight(Weight {
        of: |metrics| 1.0 / metrics.call_path_count.max(1) as f64,
        shared_by_location: None,
        changes_by_running: true,
        needs: Needs {
            call_path_count: true,
            ..Needs::NOTHING
        },
    }),
};

static QC: HeuristicRow = HeuristicRow {
    name: "qc",
    help: "states that took little solver time",
    choice: Choice::ByWeight(Weight {
        of: |metrics| match metrics.solver_seconds {
            seconds if seconds < 0.1 => 1.0,
            seconds => 1.0 / seconds,
        },
        shared_by_location: None,
        changes_by_running: true,
        needs: Needs::NOTHING,
    }),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(heuristic: Heuristic, metrics: &Metrics) -> f64 {
        match row_of(heuristic).choice {
            Choice::ByWeight(weight) => (weight.of)(metrics),
            Choice::Own(_) => 0.0,
        }
    }

    #[test]
    fn weights_follow_the_formulas() {
        let base = Metrics::default();
        for (heuristic, metrics, expected) in [
            (Heuristic::Depth, Metrics { depth: 7, ..base }, 7.0),
            (Heuristic::Rp, Metrics { depth: 3, ..base }, 0.125),
            (Heuristic::Icnt, base, 1.0),
            (
                Heuristic::Icnt,
                Metrics {
                    point_count: 4,
                    ..base
                },
                0.0625,
            ),
            (Heuristic::CpIcnt, base, 1.0),
            (
                Heuristic::CpIcnt,
                Metrics {
                    call_path_count: 8,
                    ..base
                },
                0.125,
            ),
            (
                Heuristic::Qc,
                Metrics {
                    solver_seconds: 0.09,
                    ..base
                },
                1.0,
            ),
            (
                Heuristic::Qc,
                Metrics {
                    solver_seconds: 4.0,
                    ..base
                },
                0.25,
            ),
            (Heuristic::Md2u, base, 1e-8),
            (
                Heuristic::Md2u,
                Metrics {
                    distance: 2,
                    ..base
                },
                0.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 2,
                    ..base
                },
                0.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 2,
                    since_new: 900,
                    ..base
                },
                1.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 1,
                    since_new: 1004,
                    ..base
                },
                1.0625,
            ),
        ] {
            let got = weight(heuristic, &metrics);
            assert!(
                (got - expected).abs() < 1e-12,
                "{heuristic:?} {metrics:?}: {got}"
            );
        }
    }

    #[test]
    fn rows_are_under_the_names_that_users_type() {
        for (heuristic, name) in Heuristic::ALL {
            assert_eq!(row_of(heuristic).name, name);
            assert_eq!(heuristic.name(), name);
        }
    }

    #[test]
    fn needs_add_up() {
        let needs = needs_of(&[Heuristic::Dfs, Heuristic::Md2u, Heuristic::CpIcnt]);
        assert!(needs.distance && needs.call_path_count && !needs.point_count);
    }
}
