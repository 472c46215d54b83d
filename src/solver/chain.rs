//! The chain: the cheapest layer that knows the answer gives it.
//!
//! Order: constant conditions, the state's model, independence with one-byte domains (`query`),
//! interval bounds, orders, the cache, intervals of terms, guided moves, linear equations, a short
//! exhaustive search, SAT, a long search, SMT. Invariant: every `Sat` carries a model of the whole
//! path and the condition; layers below the cache answer as a function of the query's encoding
//! alone.

use super::backend::{Answer, Backend};
use super::cache::{Known, SharedCache};
use super::oracle::{Check, Effort, Oracle, UnknownReason, Wanted};
use super::path::PathCondition;
use super::query::{Prepared, Query, prepare};
use super::query_log::{Asked, QueryLog, QueryLogForm};
use super::recording::Recording;
use super::search::Found;
use super::smt::ChildBackend;
use super::statistics::{Layer, SolverStatistics};
use super::tuning::Tuning;
use super::{encode, guided, intervals, linear, order, sat, search, work};
use crate::term::{Model, Term, Terms};
use homi_ir::util::clock::Moment;
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Limits and switches.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// The program to start as SMT process with the argument `__solver`; `None`: no SMT layer.
    pub executable: Option<PathBuf>,
    /// Time for one SMT query.
    pub time_limit: Duration,
    /// True if that time is counted in the back end's own units, so that a query ends in the
    /// same way wherever it is asked.
    pub counts_limits: bool,
    /// Set from outside: the SMT query that is under way then is given up.
    pub give_up: Option<Arc<AtomicBool>>,
    /// Memory of the SMT process in bytes.
    pub memory_limit: u64,
    /// Operations for one exhaustive search.
    pub search_effort: u64,
    /// Conflicts of the SAT solver times clauses for one query; 0: no SAT layer.
    pub sat_effort: u64,
    /// Answers kept, unless a cache is given.
    pub cache_entries: usize,
    /// A cache that solvers of other threads use too.
    pub cache: Option<SharedCache>,
    /// Evaluate every model on its whole path.
    pub check_models: bool,
    /// Limits of each layer.
    pub tuning: Tuning,
}

impl Default for SolverConfig {
    fn default() -> SolverConfig {
        SolverConfig {
            executable: None,
            time_limit: Duration::from_secs(10),
            counts_limits: false,
            give_up: None,
            memory_limit: 1 << 30,
            search_effort: 1_000_000,
            sat_effort: 30_000_000,
            cache_entries: 1 << 20,
            cache: None,
            check_models: false,
            tuning: Tuning::default(),
        }
    }
}

/// The solver of one engine thread.
pub struct Solver {
    pub(super) config: SolverConfig,
    cache: SharedCache,
    backend: Option<Box<dyn Backend>>,
    pub(super) statistics: SolverStatistics,
    deadline: Option<Moment>,
    /// The counted work at which queries are given up, in nanoseconds.
    work_limit: Option<u64>,
    /// An answer was left out or is worse because the run was at its end.
    cut_off: Cell<bool>,
    start: Moment,
    /// Instructions that the run has executed, as the engine tells.
    executed: u64,
    /// Cost of SMT queries so far, in counted nanoseconds.
    smt_work: u64,
    /// Number of queries, for choosing the queries that are timed.
    asked: u32,
    /// Destination of a sample of the queries.
    recording: Option<Recording>,
    query_logs: Vec<QueryLog>,
}

impl Solver {
    /// A solver whose SMT process starts with the first query that needs it.
    pub fn new(config: SolverConfig) -> Solver {
        let backend = config.executable.as_ref().map(|executable| {
            let limits = (config.time_limit, config.memory_limit);
            let backend = ChildBackend::new(executable, limits.0, limits.1).tuned(&config.tuning);
            Box::new(backend.giving_up_on(config.give_up.clone())) as Box<dyn Backend>
        });
        Solver::with_backend(config, backend)
    }

    /// A solver on a given back end.
    pub fn with_backend(config: SolverConfig, backend: Option<Box<dyn Backend>>) -> Solver {
        Solver {
            cache: match &config.cache {
                Some(cache) => cache.clone(),
                None => SharedCache::new(config.cache_entries, 1),
            },
            config,
            backend,
            statistics: SolverStatistics::default(),
            deadline: None,
            work_limit: None,
            cut_off: Cell::new(false),
            start: Moment::now(),
            executed: 0,
            smt_work: 0,
            asked: 0,
            recording: None,
            query_logs: Vec::new(),
        }
    }

    /// Writes a sample of the queries from now on to a new file, as SMT-LIB.
    pub fn record_queries(&mut self, path: &Path) -> io::Result<()> {
        self.recording = Some(Recording::create(path, &self.config.tuning)?);
        Ok(())
    }

    /// Ends that file; how many queries it has.
    pub fn finish_recording(&mut self) -> io::Result<usize> {
        self.recording.take().map_or(Ok(0), Recording::finish)
    }

    /// Logs all queries from now on in this file.
    pub fn log_queries(&mut self, path: &Path, form: QueryLogForm) -> io::Result<()> {
        self.query_logs.push(QueryLog::create(path, form)?);
        Ok(())
    }

    /// Ends those files.
    pub fn finish_query_logs(&mut self) -> io::Result<()> {
        self.query_logs.drain(..).try_for_each(QueryLog::finish)
    }

    /// Counters since the solver was made.
    pub fn statistics(&self) -> SolverStatistics {
        let mut statistics = self.statistics;
        if let Some(backend) = &self.backend {
            statistics.smt_starts = backend.starts();
        }
        statistics
    }

    /// The deadline has passed, or the work is done: what only makes answers nicer is left out.
    pub(super) fn is_late(&self) -> bool {
        self.is_late_at(Moment::now())
    }

    /// True if a query that starts at `now` comes after the deadline or the last of the work.
    fn is_late_at(&self, now: Moment) -> bool {
        let is_late =
            self.deadline.is_some_and(|deadline| now >= deadline) || self.work_left() == Some(0);
        self.cut_off.set(self.cut_off.get() || is_late);
        is_late
    }

    /// True if an answer was left out or is worse than it could be, since this was asked last,
    /// because the deadline had passed, the work was done or the user wants the end.
    pub fn was_cut_off(&self) -> bool {
        self.cut_off.replace(false)
    }

    /// Queries that start after the deadline and need more than the first layers are unknown, and
    /// so are SMT queries that are under way then: a state may ask any number of queries in one
    /// instruction.
    pub fn set_deadline(&mut self, deadline: Option<Moment>) {
        self.deadline = deadline;
    }

    /// Sets a limit on `effort().work`; queries beyond it are unknown, in every run the same.
    pub fn set_work_limit(&mut self, limit: Option<u64>) {
        self.work_limit = limit;
    }

    fn work_left(&self) -> Option<u64> {
        self.work_limit
            .map(|limit| limit.saturating_sub(self.statistics.work))
    }

    /// Reports that the run has executed further instructions: SMT queries may take a share of them
    /// if limits count them.
    pub fn note_executed(&mut self, instructions: u64) {
        self.executed += instructions;
    }

    /// Forgets what can be computed again: the older answers, and the SMT process's memory.
    pub fn memory_trim(&mut self) {
        self.cache.trim();
        if let Some(backend) = &mut self.backend {
            backend.trim();
        }
    }

    /// Estimated bytes in this process.
    pub fn memory(&self) -> usize {
        self.cache.memory()
    }

    /// The SMT process, for accounting of its memory.
    pub fn child_process(&self) -> Option<u32> {
        self.backend.as_ref()?.process()
    }

    /// Runs `work` and books its time on a layer.
    fn timed<T>(&mut self, layer: Layer, work: impl FnOnce(&mut Solver) -> T) -> T {
        let start = Moment::now();
        let result = work(self);
        self.statistics.layers[layer as usize].time += start.elapsed();
        result
    }

    /// Decides whether path and condition hold together, after `cheaply`; returns the layer that
    /// answered.
    fn decide(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> (Layer, Check) {
        let prepared = self.timed(Layer::Domain, |_| prepare(terms, path, model, condition));
        let (mut result, parts) = match prepared {
            Prepared::Unsat => return (Layer::Domain, Check::Unsat),
            Prepared::Parts { base, parts } => (base, parts),
        };
        let mut deepest = Layer::Domain;
        let mut unknown = None;
        for part in &parts {
            let (layer, answer) = self.solve_part(terms, part);
            deepest = deepest.max(layer);
            match answer {
                Answer::Sat(values) => {
                    for (&byte, value) in part.bytes.iter().zip(values) {
                        result.set(byte, value);
                    }
                }
                Answer::Unsat => return (layer, Check::Unsat),
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => (deepest, Check::Unknown(reason)),
            None => (deepest, Check::Sat(result)),
        }
    }

    /// Values for one part from the cheapest layer that has them.
    fn solve_part(&mut self, terms: &Terms, part: &Query) -> (Layer, Answer) {
        if part.constraints.is_empty() {
            return (Layer::Domain, Answer::Sat(part.current.clone()));
        }
        if self.timed(Layer::Bounds, |_| search::infeasible_by_bounds(part)) {
            return (Layer::Bounds, Answer::Unsat);
        }
        self.solve_encoded(terms, part, true)
    }

    /// The layers whose answers depend on the encoding only.
    pub(super) fn solve_exactly(&mut self, terms: &Terms, part: &Query) -> (Layer, Answer) {
        self.solve_encoded(terms, part, false)
    }

    /// The cache comes before the guided moves, but only its refutations count before them: which
    /// model is found must not depend on what was asked earlier.
    fn solve_encoded(&mut self, terms: &Terms, part: &Query, guided: bool) -> (Layer, Answer) {
        let ordered = self.timed(Layer::Order, |solver| {
            order::solve(terms, part, &solver.config.tuning)
        });
        if let Some(answer) = ordered {
            self.statistics.work += work::of_order(part.constraints.len());
            return (Layer::Order, answer);
        }
        let (words, key, known) = self.timed(Layer::Cache, |solver| {
            let words = encode::encode(terms, part);
            let key = encode::fingerprint(&words);
            let known = solver.cache.get(key);
            (words, key, known)
        });
        if matches!(known, Some(Known::Unsat)) {
            return (Layer::Cache, Answer::Unsat);
        }
        self.statistics.work += work::of_query(words.len());
        let is_new = known.is_none();
        if is_new && self.infeasible_by_intervals(terms, part, key) {
            return (Layer::Bounds, Answer::Unsat);
        }
        if guided && let Some(values) = self.move_one_byte(terms, part) {
            return (Layer::Guided, Answer::Sat(values));
        }
        if let Some(Known::Sat(values)) = known {
            return (Layer::Cache, Answer::Sat(values.into_vec()));
        }
        self.solve_uncached(terms, part, key, &words)
    }

    fn infeasible_by_intervals(&mut self, terms: &Terms, part: &Query, key: u128) -> bool {
        let infeasible = self.timed(Layer::Bounds, |solver| {
            intervals::refute(terms, part, &solver.config.tuning)
        });
        if infeasible {
            self.cache.insert(key, Known::Unsat);
        }
        infeasible
    }

    fn move_one_byte(&mut self, terms: &Terms, part: &Query) -> Option<Vec<u8>> {
        let effort = self.config.search_effort;
        let mut left = effort;
        let values = self.timed(Layer::Guided, |solver| {
            guided::solve(terms, part, &mut left, &solver.config.tuning)
        });
        self.statistics.work += work::of_operations(effort - left);
        values
    }

    fn solve_uncached(
        &mut self,
        terms: &Terms,
        part: &Query,
        key: u128,
        words: &[u32],
    ) -> (Layer, Answer) {
        let linear = self.timed(Layer::Linear, |solver| {
            linear::solve(terms, part, &solver.config.tuning)
        });
        let (layer, answer) = match linear {
            Some(answer) => (Layer::Linear, answer),
            None => self.solve_by_trying(terms, part, key, words),
        };
        match &answer {
            Answer::Sat(values) => self.cache.insert(key, Known::Sat(values.as_slice().into())),
            Answer::Unsat => self.cache.insert(key, Known::Unsat),
            // A query that the end of a run cut short may be easy for the next one.
            Answer::Unknown(UnknownReason::Timeout) if !self.is_late() => {
                self.cache.note_too_hard(key);
            }
            Answer::Unknown(_) => {}
        }
        (layer, answer)
    }

    fn solve_by_trying(
        &mut self,
        terms: &Terms,
        part: &Query,
        key: u128,
        words: &[u32],
    ) -> (Layer, Answer) {
        // A query that was too hard once will be again: other states ask it too.
        if self.cache.is_too_hard(key) {
            return (Layer::Cache, Answer::Unknown(UnknownReason::Timeout));
        }
        let effort = self.config.search_effort;
        // Where trying values helps with more bytes it does so at once, and giving up at the full
        // effort takes long.
        let at_first = if part.bytes.len() <= self.config.tuning.search_few_bytes {
            effort
        } else {
            effort / self.config.tuning.search_short
        };
        let mut found = self.search(terms, part, at_first);
        if found.is_none() {
            found = self.solve_as_circuit(terms, words, part);
        }
        if found.is_none() && at_first < effort {
            found = self.search(terms, part, effort);
        }
        found.unwrap_or_else(|| (Layer::Smt, self.ask_backend(terms, words, part)))
    }

    fn search(&mut self, terms: &Terms, part: &Query, effort: u64) -> Option<(Layer, Answer)> {
        let (found, operations) = self.timed(Layer::Search, |solver| {
            search::solve(terms, part, effort, &solver.config.tuning)
        });
        self.statistics.work += work::of_operations(operations);
        match found {
            Found::Sat(values) => Some((Layer::Search, Answer::Sat(values))),
            Found::Unsat => Some((Layer::Search, Answer::Unsat)),
            Found::GaveUp => None,
        }
    }

    fn solve_as_circuit(
        &mut self,
        terms: &Terms,
        words: &[u32],
        part: &Query,
    ) -> Option<(Layer, Answer)> {
        let limits = sat::Limits {
            effort: self.config.sat_effort,
            deadline: self.deadline,
            memory: self.config.tuning.sat_memory,
        };
        self.statistics.smt_nodes += u64::from(words.first().copied().unwrap_or(0));
        if limits.effort == 0 {
            return None;
        }
        self.statistics.sat_calls += 1;
        let bytes = part.bytes.len();
        let (answer, cost) = self.timed(Layer::Sat, |solver| {
            sat::solve(words, bytes, limits, &solver.config.tuning)
        });
        self.statistics.work += work::of_circuit(cost);
        match verified(terms, part, answer) {
            Answer::Unknown(_) => None,
            answer => Some((Layer::Sat, answer)),
        }
    }

    fn ask_backend(&mut self, terms: &Terms, words: &[u32], part: &Query) -> Answer {
        let limit = self.limit_of_backend();
        // The clock, which is for a back end that is stuck, is not cut: it would not be the same on
        // every machine.
        let counted = match self.work_left() {
            Some(left) => limit.min(Duration::from_nanos(left)),
            None => limit,
        };
        if counted.is_zero() {
            return Answer::Unknown(UnknownReason::Timeout);
        }
        self.statistics.smt_calls += 1;
        let (time, units) = if self.config.counts_limits {
            (
                limit.saturating_mul(self.config.tuning.smt_patience),
                work::units_in(counted),
            )
        } else {
            (counted, 0)
        };
        let (answer, units) = self.timed(Layer::Smt, |solver| match &mut solver.backend {
            Some(backend) => {
                backend.set_limits(time, units);
                let answer = backend.solve(words, part.bytes.len());
                (answer, backend.units())
            }
            None => (Answer::Unknown(UnknownReason::Incomplete), 0),
        });
        let work = work::of_smt_query(units);
        self.smt_work += work;
        self.statistics.work += work;
        verified(terms, part, answer)
    }

    /// Time for the next query to the back end. Hard queries come in families: one that took
    /// long is followed by others like it.
    fn limit_of_backend(&self) -> Duration {
        let mut limit = self.config.time_limit;
        let (spent, elapsed) = if self.config.counts_limits {
            let instructions = self.executed.saturating_mul(work::WORK_OF_INSTRUCTION);
            let all = instructions.saturating_add(self.statistics.work);
            (
                Duration::from_nanos(self.smt_work),
                Duration::from_nanos(all),
            )
        } else {
            (self.statistics.layer(Layer::Smt).time, self.start.elapsed())
        };
        let share = self.config.tuning.smt_share;
        let (spent, fair) = (spent.as_secs_f64(), share * elapsed.as_secs_f64());
        if spent > fair {
            limit /= self.config.tuning.smt_shortened;
        }
        if spent > 2.0 * fair {
            limit /= self.config.tuning.smt_shortened;
        }
        match self.deadline {
            Some(deadline) => limit.min(deadline.saturating_duration_since(Moment::now())),
            None => limit,
        }
    }

    /// Counts a query and its answer.
    pub(super) fn record(&mut self, layer: Layer, unknown: Option<&UnknownReason>, time: Duration) {
        let statistics = &mut self.statistics;
        statistics.queries += u64::from(layer != Layer::Rewrite);
        statistics.layers[layer as usize].answered += 1;
        statistics.time += time;
        if let Some(reason) = unknown {
            statistics.unknowns += 1;
            statistics.timeouts += u64::from(*reason == UnknownReason::Timeout);
        }
    }

    /// `check` without counting a query.
    pub(super) fn check_quietly(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> (Layer, Check) {
        let known = cheaply(terms, path, model, condition);
        let (layer, answer) = known.unwrap_or_else(|| self.decide(terms, path, model, condition));
        let answer = self.reviewed((layer, answer), terms, path, condition);
        (layer, answer)
    }

    /// Returns the answer if its model holds, or if answers are not checked.
    fn reviewed(
        &self,
        (layer, answer): (Layer, Check),
        terms: &Terms,
        path: &PathCondition,
        condition: Term,
    ) -> Check {
        if let Check::Sat(found) = &answer
            && self.config.check_models
            && (terms.eval(condition, found) != 1 || !path.holds(terms, found))
        {
            let reason = format!("a model of layer {} is wrong", layer.name());
            return Check::Unknown(UnknownReason::BackendFailure(reason));
        }
        answer
    }
}

/// The answer to a condition that is not a query.
fn at_once(
    terms: &Terms,
    path: &PathCondition,
    model: &Model,
    condition: Term,
) -> Option<(Layer, Check)> {
    let answer = match terms.as_const(condition) {
        _ if path.is_infeasible() => Check::Unsat,
        Some(0) => Check::Unsat,
        Some(_) => Check::Sat(model.clone()),
        None => return None,
    };
    Some((Layer::Rewrite, answer))
}

/// The answer of the first layers, which take about as long as a look at the clock.
fn cheaply(
    terms: &Terms,
    path: &PathCondition,
    model: &Model,
    condition: Term,
) -> Option<(Layer, Check)> {
    if let Some(known) = at_once(terms, path, model, condition) {
        return Some(known);
    }
    if terms.eval(condition, model) == 1 {
        return Some((Layer::Model, Check::Sat(model.clone())));
    }
    let answer = by_domain(terms, path, model, condition)?;
    Some((Layer::Domain, answer))
}

/// The answer of the layers that look at domains and bounds, and try no values.
fn without_search(
    terms: &Terms,
    path: &PathCondition,
    model: &Model,
    condition: Term,
) -> Option<(Layer, Check)> {
    let (mut found, parts) = match prepare(terms, path, model, condition) {
        Prepared::Unsat => return Some((Layer::Domain, Check::Unsat)),
        Prepared::Parts { base, parts } => (base, parts),
    };
    if parts.iter().any(search::infeasible_by_bounds) {
        return Some((Layer::Bounds, Check::Unsat));
    }
    if parts.iter().any(|part| !part.constraints.is_empty()) {
        return None;
    }
    for part in &parts {
        for (&byte, &value) in part.bytes.iter().zip(&part.current) {
            found.set(byte, value);
        }
    }
    Some((Layer::Domain, Check::Sat(found)))
}

/// Back ends may leave open what an operator means, so their models count only if they hold.
fn verified(terms: &Terms, part: &Query, answer: Answer) -> Answer {
    match &answer {
        Answer::Sat(values) if !part.holds(terms, values) => {
            Answer::Unknown(UnknownReason::Incomplete)
        }
        _ => answer,
    }
}

/// The answer to a condition on one byte that is impossible for it, or that is tied to no other.
fn by_domain(terms: &Terms, path: &PathCondition, model: &Model, condition: Term) -> Option<Check> {
    let byte = terms.single_byte(condition)?;
    let set = terms.truth_set(condition)?;
    let group = path.group(byte);
    let domain = match group {
        Some(group) => set.and(&group.domains[group.bytes.binary_search(&byte).ok()?]),
        None => set,
    };
    let Some(value) = domain.first() else {
        return Some(Check::Unsat);
    };
    if group.is_some_and(|group| !group.constraints.is_empty()) {
        return None;
    }
    let mut found = model.clone();
    found.set(byte, value);
    Some(Check::Sat(found))
}

impl Oracle for Solver {
    fn check(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> Check {
        self.asked = self.asked.wrapping_add(1);
        // Two looks at the clock take longer than most answers here, so one counts for several.
        let timed = self.config.tuning.timed_queries;
        let start = (self.asked % timed == 0).then(Moment::now);
        let (layer, answer, time) = match cheaply(terms, path, model, condition) {
            Some((layer, answer)) => {
                let answer = self.reviewed((layer, answer), terms, path, condition);
                let sample = start.map_or(Duration::ZERO, Moment::elapsed);
                (layer, answer, sample * timed)
            }
            None => {
                let start = start.unwrap_or_else(Moment::now);
                let (layer, answer) = if self.is_late_at(start) {
                    (Layer::Rewrite, Check::Unknown(UnknownReason::Timeout))
                } else {
                    self.decide(terms, path, model, condition)
                };
                let answer = self.reviewed((layer, answer), terms, path, condition);
                (layer, answer, start.elapsed())
            }
        };
        let unknown = match &answer {
            Check::Unknown(reason) => Some(reason),
            _ => None,
        };
        if unknown.is_some() {
            let give_up = self.config.give_up.as_ref();
            let given_up = give_up.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let is_cut = given_up || self.is_late();
            self.cut_off.set(self.cut_off.get() || is_cut);
        }
        self.record(layer, unknown, time);
        if let Some(recording) = &mut self.recording {
            recording.note(terms, (path, model, condition), layer, &answer);
        }
        for log in &mut self.query_logs {
            let asked = Asked {
                path,
                condition,
                layer,
                answer: &answer,
                time,
                instructions: self.executed,
            };
            log.note(terms, asked);
        }
        answer
    }

    fn check_cheaply(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> Option<Check> {
        let (layer, answer) = cheaply(terms, path, model, condition).or_else(|| {
            self.timed(Layer::Domain, |_| {
                without_search(terms, path, model, condition)
            })
        })?;
        let answer = self.reviewed((layer, answer), terms, path, condition);
        self.record(layer, None, Duration::ZERO);
        Some(answer)
    }

    fn min_max(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        term: Term,
        wanted: Wanted,
    ) -> (u128, u128) {
        let start = Moment::now();
        let (layer, bounds) = if self.is_late_at(start) {
            (Layer::Rewrite, terms.range(term))
        } else {
            super::extremes::min_max(self, terms, (path, model), term, wanted)
        };
        self.record(layer, None, start.elapsed());
        bounds
    }

    fn effort(&self) -> Effort {
        Effort {
            queries: self.statistics.queries,
            time: self.statistics.time,
            work: self.statistics.work,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;
    use homi_ir::ops::{BinOp, CmpOp};

    struct Setting {
        terms: Terms,
        solver: Solver,
        path: PathCondition,
        model: Model,
    }

    impl Setting {
        fn new() -> Setting {
            Setting {
                terms: Terms::new(),
                solver: Solver::new(SolverConfig {
                    check_models: true,
                    ..SolverConfig::default()
                }),
                path: PathCondition::new(),
                model: Model::new(),
            }
        }

        fn byte(&self, name: &str, index: u32) -> Term {
            let array = self.terms.array(name, 0, 4);
            self.terms.symbol(Byte { array, index })
        }

        /// Byte `index` of `name` as a decimal digit's value.
        fn digit(&self, name: &str, index: u32) -> Term {
            let wide = self.terms.zext(self.byte(name, index), 32);
            self.terms
                .bin(BinOp::Sub, wide, self.terms.constant(32, 48))
        }

        fn assume(&mut self, condition: Term) {
            let answer = self
                .solver
                .check(&self.terms, &self.path, &self.model, condition);
            let Check::Sat(model) = answer else {
                panic!("{answer:?}");
            };
            self.model = model;
            self.path.add(&self.terms, condition);
        }

        /// Assumes that bytes 0 and 1 of `name` are digits; their number.
        fn number(&mut self, name: &str) -> Term {
            let limit = self.terms.constant(32, 10);
            for index in 0..2 {
                self.assume(self.terms.cmp(CmpOp::Ult, self.digit(name, index), limit));
            }
            let tens = self.terms.bin(BinOp::Mul, self.digit(name, 0), limit);
            self.terms.bin(BinOp::Add, tens, self.digit(name, 1))
        }

        fn answered(&self, layer: Layer) -> u64 {
            self.solver.statistics().layer(layer).answered
        }
    }

    #[test]
    fn each_kind_of_query_ends_at_its_layer() {
        let mut s = Setting::new();
        let yes = s.terms.bool(true);
        s.solver.check(&s.terms, &s.path, &s.model, yes);
        assert_eq!(s.solver.statistics().queries, 0);
        let number = s.number("a");
        assert_eq!(s.answered(Layer::Domain), 2);
        let small = s.terms.cmp(CmpOp::Ult, number, s.terms.constant(32, 100));
        s.assume(small);
        assert_eq!(s.answered(Layer::Model), 1);
        let large = s.terms.not(small);
        let answer = s.solver.check(&s.terms, &s.path, &s.model, large);
        assert_eq!((answer, s.answered(Layer::Bounds)), (Check::Unsat, 1));
        assert_eq!(s.solver.statistics().queries, 4);
    }

    #[test]
    fn work_is_counted_and_equal_for_equal_queries() {
        let work_of = |modulus| {
            let mut s = Setting::new();
            let number = s.number("a");
            let before = s.solver.effort().work;
            assert_eq!(before, 0, "one-byte domains count for nothing");
            let rest = s
                .terms
                .bin(BinOp::URem, number, s.terms.constant(32, modulus));
            let square = s.terms.bin(BinOp::Mul, rest, rest);
            let never = s.terms.eq_const(square, 3);
            assert_eq!(
                s.solver.check(&s.terms, &s.path, &s.model, never),
                Check::Unsat
            );
            s.solver.effort().work
        };
        let work = work_of(7);
        assert_eq!(work, work_of(7));
        // Ten times ten values of few words, tried out.
        assert!((2_000..1_000_000).contains(&work), "{work}");
    }

    #[test]
    fn a_query_about_other_bytes_of_the_same_shape_is_known() {
        let mut s = Setting::new();
        for name in ["a", "b", "c"] {
            let number = s.number(name);
            let odd = s.terms.bin(BinOp::URem, number, s.terms.constant(32, 7));
            let never = s.terms.eq_const(s.terms.bin(BinOp::Mul, odd, odd), 3);
            let answer = s.solver.check(&s.terms, &s.path, &s.model, never);
            assert_eq!(answer, Check::Unsat);
        }
        // Operands are in the order of structural hashes, which depend on names: two mirrored
        // shapes at most.
        let answered = [Layer::Search, Layer::Cache].map(|layer| s.answered(layer));
        assert_eq!(answered.iter().sum::<u64>(), 3);
        assert!(answered[1] >= 1, "{answered:?}");
    }

    #[test]
    fn after_the_deadline_only_the_model_answers() {
        let mut s = Setting::new();
        let number = s.number("a");
        s.solver.set_deadline(Some(Moment::now()));
        let small = s.terms.cmp(CmpOp::Ult, number, s.terms.constant(32, 100));
        s.assume(small);
        let answer = s
            .solver
            .check(&s.terms, &s.path, &s.model, s.terms.not(small));
        assert_eq!(answer, Check::Unknown(UnknownReason::Timeout));
        let wide = s
            .solver
            .min_max(&s.terms, &s.path, &s.model, number, Wanted::EXACT);
        assert_eq!(wide, s.terms.range(number));
    }

    #[test]
    fn queries_beyond_the_work_are_given_up_and_limits_can_be_lifted() {
        let mut s = Setting::new();
        let number = s.number("a");
        let small = s.terms.cmp(CmpOp::Ult, number, s.terms.constant(32, 100));
        s.assume(small);
        let ask = |s: &mut Setting, bound: u64| {
            let bound = s.terms.constant(32, u128::from(bound));
            let condition = s.terms.cmp(CmpOp::Ugt, number, bound);
            let answer = s.solver.check(&s.terms, &s.path, &s.model, condition);
            (answer, s.solver.effort().work)
        };
        let (answer, spent) = ask(&mut s, 40);
        assert!(matches!(answer, Check::Sat(_)) && spent > 0);
        s.solver.set_work_limit(Some(spent));
        let given_up = Check::Unknown(UnknownReason::Timeout);
        assert_eq!(ask(&mut s, 50), (given_up, spent));
        s.solver.set_work_limit(Some(spent + 1));
        assert!(
            matches!(ask(&mut s, 60).0, Check::Sat(_)),
            "it is under way"
        );
        s.solver.set_work_limit(None);
        assert!(matches!(ask(&mut s, 70).0, Check::Sat(_)));
    }

    #[test]
    fn bounds_of_a_parsed_number_are_exact() {
        let mut s = Setting::new();
        let number = s.number("a");
        assert_eq!(
            s.solver
                .min_max(&s.terms, &s.path, &s.model, number, Wanted::EXACT),
            (0, 99)
        );
        let even = s.terms.eq_const(s.terms.extract(number, 0, 1), 0);
        s.assume(even);
        s.assume(s.terms.cmp(CmpOp::Ugt, number, s.terms.constant(32, 12)));
        assert_eq!(
            s.solver
                .min_max(&s.terms, &s.path, &s.model, number, Wanted::EXACT),
            (14, 98)
        );
        let arrays = [s.terms.array("a", 0, 4)];
        let least = s
            .solver
            .canonical_model(&s.terms, &s.path, &arrays, &s.model);
        assert_eq!(s.terms.eval(number, &least), 14);
    }

    #[test]
    fn a_condition_on_several_independent_bytes_changes_all_of_them() {
        let mut s = Setting::new();
        let pairs = [("a", 0, 3), ("a", 2, 250), ("b", 1, 65)];
        let all = pairs
            .map(|(name, index, value)| s.terms.eq_const(s.byte(name, index), value))
            .into_iter()
            .reduce(|x, y| s.terms.and(x, y));
        s.assume(all.unwrap());
        for (name, index, value) in pairs {
            assert_eq!(s.terms.eval(s.byte(name, index), &s.model), value);
        }
    }
}
