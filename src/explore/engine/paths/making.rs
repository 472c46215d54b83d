//! Making of a path's test: its bytes, their coverage, the decision to write it, and its listeners.
//!
//! Invariant: a test that is made and not written costs no file, and is known to listeners.

use super::boundaries::{Boundary, boundaries};
use super::credit::{Credit, lines_of};
use super::finishing::Finishing;
use super::results::PathResults;
use super::test_output::{Covered, WrittenTest};
use crate::coverage::Coverage;
use crate::select::{EndedPath, MadeTest, Shown};
use homi_machine::exec::{EarlyReason, Termination};
use homi_machine::state::State;
use homi_native::testcase::{SideFile, WriteError};
use homi_solver::Check;
use homi_solver::term::{Model, Term, Terms};

/// Tests for boundaries beside the test of one path at most.
const MOST_BESIDE: usize = 8;

/// A path that is worth a test.
pub(super) struct Draft<'a> {
    pub(super) state: &'a State,
    pub(super) path: EndedPath<'a>,
    /// The model of the test, if it is known already.
    pub(super) model: Option<Model>,
    /// Take the state's own model instead of asking for a canonical one.
    pub(super) hurry: bool,
    /// The test becomes a file, whatever it shows.
    pub(super) always: bool,
    /// The test's additional file that describes the end of the path.
    pub(super) beside: Option<SideFile>,
}

impl PathResults {
    /// Makes the test of a path, and writes it if it is to be written always or adds something.
    /// Returns its name if it was written.
    pub(super) fn make_test(
        &mut self,
        draft: Draft<'_>,
        run: &mut Finishing<'_, '_>,
    ) -> Result<Option<String>, WriteError> {
        let (state, termination) = (draft.state, draft.path.termination);
        let segments = run.executor.segments();
        let credit = Credit::of(state, termination, segments);
        let model = draft.model;
        let model = model.unwrap_or_else(|| run.model_of_test(state, draft.hurry));
        let (sides, ended) = self.shown(state, &draft.path, &model, run);
        let shown = Shown {
            sides: sides.into(),
            new_segments: &credit.segments,
            ended,
        };
        let writes = draft.always || run.selector.adds(&shown);
        let boundaries = run.boundaries(state);
        let bytes =
            (writes || run.listener.needs_bytes()).then(|| self.output.contents(state, &model));
        let file = match &bytes {
            Some(bytes) if writes => {
                let pair = |side: &u32| {
                    let (branch, number) = segments.branch_of_side(*side);
                    (branch.0, number)
                };
                let pairs: Vec<(u32, u32)> = shown.sides.iter().map(pair).collect();
                let (new, covered) = {
                    let mut claimed = self.claims.lock();
                    let covered = claimed.claim_segments(&credit.segments);
                    (claimed.claim_sides(&pairs), covered)
                };
                let test = WrittenTest {
                    state,
                    bytes,
                    beside: draft.beside.into_iter().collect(),
                    termination,
                    work: run.work,
                    lines: lines_of(&covered, termination, run.executor),
                    covered: Covered {
                        ended,
                        sides: pairs,
                        new,
                        boundaries: satisfied(&boundaries, &model, run.terms),
                    },
                };
                let name = self.output.write(test, run.executor, run.terms)?;
                self.claims.lock().name(&covered, &name);
                run.selector.written(&shown);
                self.pin_boundaries(&draft.path, (state, &model), &boundaries, run)?;
                Some(name)
            }
            _ => None,
        };
        Credit::settle(state, termination, segments);
        self.claims.lock().adopt(&shown.sides);
        run.listener.made(&MadeTest {
            path: draft.path,
            terms: run.terms,
            conditions: &state.path,
            shown,
            prune_events: run.prune_events,
            file: file.as_deref(),
            bytes: bytes.as_deref(),
        });
        Ok(file)
    }

    /// Writes further tests of a path, for boundaries at which no test is yet. `model` is its
    /// test's.
    fn pin_boundaries(
        &mut self,
        path: &EndedPath<'_>,
        (state, model): (&State, &Model),
        boundaries: &[Boundary],
        run: &mut Finishing<'_, '_>,
    ) -> Result<(), WriteError> {
        self.claims
            .lock()
            .claim_boundaries(satisfied(boundaries, model, run.terms));
        if !matches!(path.termination, Termination::Exit(_)) {
            return Ok(());
        }
        let mut tests = 0;
        for boundary in boundaries {
            let is_pinned = self.claims.lock().boundaries.contains(&boundary.key);
            if is_pinned || tests == MOST_BESIDE {
                continue;
            }
            // The boundary first, the others as far as they agree.
            let first = std::iter::once(boundary.condition);
            let others = boundaries.iter().map(|one| one.condition);
            let wanted: Vec<Term> = first.chain(others).collect();
            let model = run.canonical_model(state, &wanted);
            let keys = satisfied(boundaries, &model, run.terms);
            let is_possible = keys.contains(&boundary.key);
            // What cannot be is not asked for again.
            let claimed = keys.iter().copied().chain([boundary.key]);
            self.claims.lock().claim_boundaries(claimed);
            if !is_possible {
                continue;
            }
            let (sides, ended) = self.shown(state, path, &model, run);
            let segments = run.executor.segments();
            let pair = |side: &u32| {
                let (branch, number) = segments.branch_of_side(*side);
                (branch.0, number)
            };
            let bytes = self.output.contents(state, &model);
            let test = WrittenTest {
                state,
                bytes: &bytes,
                beside: Vec::new(),
                termination: path.termination,
                work: run.work,
                lines: Default::default(),
                covered: Covered {
                    ended,
                    sides: sides.iter().map(pair).collect(),
                    new: Vec::new(),
                    boundaries: keys,
                },
            };
            self.output.write(test, run.executor, run.terms)?;
            tests += 1;
        }
        Ok(())
    }

    /// Returns the coverage of a path's test: its user branch sides, including its continuation if
    /// a limit or the engine stopped it and the selector needs it; and whether the program ended.
    fn shown(
        &mut self,
        state: &State,
        path: &EndedPath<'_>,
        model: &Model,
        run: &mut Finishing<'_, '_>,
    ) -> (Vec<u32>, bool) {
        let limit = run.selector.max_completion_instructions();
        // A fuzzing run has run long enough, and counts calls by a separate observer.
        let stopped = limit > 0 && !path.fuzzing_run && was_stopped(path.termination);
        if !stopped {
            let ended = matches!(path.termination, Termination::Exit(_) | Termination::Bug(_));
            return (user_sides(state, run.coverage), ended);
        }
        let completion = run.completions.run(
            run.executor,
            run.host,
            (state, model),
            limit,
            run.call_paths,
        );
        self.tally.completion_instructions += completion.instructions;
        (
            user_sides(&completion.state, run.coverage),
            completion.ended,
        )
    }
}

impl Finishing<'_, '_> {
    /// The model that a state's test has.
    pub(super) fn model_of_test(&mut self, state: &State, hurry: bool) -> Model {
        if hurry {
            state.model.clone()
        } else {
            let boundaries = self.boundaries(state).into_iter();
            let boundaries: Vec<Term> = boundaries.map(|one| one.condition).collect();
            self.canonical_model(state, &boundaries)
        }
    }

    /// The boundaries of a path, if tests have inputs at them.
    pub(super) fn boundaries(&self, state: &State) -> Vec<Boundary> {
        if self.pins_boundaries {
            boundaries(state, self.terms)
        } else {
            Vec::new()
        }
    }

    /// The bytes of a state's test: the least per byte in object order that the path and as many of
    /// its preferences and these boundaries as possible allow.
    fn canonical_model(&mut self, state: &State, boundaries: &[Term]) -> Model {
        let arrays: Vec<_> = state
            .symbolics
            .objects
            .iter()
            .map(|object| object.array)
            .collect();
        let mut path = state.path.clone();
        let mut model = state.model.clone();
        let preferences = state.symbolics.preferences.iter();
        for preference in preferences.chain(boundaries) {
            if let Check::Sat(better) =
                self.solver_session
                    .check(self.terms, &path, &model, *preference)
            {
                path.add(self.terms, *preference);
                model = better;
            }
        }
        self.solver_session
            .canonical_model(self.terms, &path, &arrays, &model)
    }
}

/// Returns the keys of the boundaries that a model is at.
fn satisfied(boundaries: &[Boundary], model: &Model, terms: &Terms) -> Vec<u32> {
    let at = boundaries
        .iter()
        .filter(|one| terms.eval(one.condition, model) == 1);
    at.map(|one| one.key).collect()
}

/// Returns true if a limit or the engine stopped a path that would have continued.
fn was_stopped(termination: &Termination) -> bool {
    matches!(termination, Termination::Early(reason) if *reason != EarlyReason::RecursionLimit)
}

/// The sides of the program's own branches that a path took, ascending.
pub(in crate::engine) fn user_sides(state: &State, coverage: &Coverage) -> Vec<u32> {
    let sides = state.sides.iter();
    sides.filter(|side| coverage.is_user_side(*side)).collect()
}
