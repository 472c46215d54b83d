//! Reduction of templates to the invariants of a loop.

use super::super::context::Context;
use super::super::step::registers::read;
use super::general::Written;
use super::rounds::{Body, Extent, PathEnd};
use super::templates::Template;
use crate::memory::{ByteValue, Memory, Value};
use crate::outcome::{EarlyReason, Termination};
use crate::state::{LoopHead, ProofLoop, State};
use homi_ir::program::flow::live_before;
use homi_solver::Check;
use homi_solver::term::Term;
use std::collections::BTreeSet;

/// Executions of a body, after each of which fewer templates or more places are general.
const MOST_PASSES: usize = 24;
/// Bytes that a round may change.
const MOST_CHANGES: usize = 256;

/// A general state behind the call at a loop head, and what it satisfies.
pub(super) struct Reduced {
    pub state: Box<State>,
    pub invariants: Vec<Template>,
}

impl Context<'_, '_> {
    /// Generalizes the state at a loop head; `None` if the loop writes what is not followed.
    pub(super) fn reduce(&mut self, body: &Body) -> Option<Reduced> {
        let mut written = Written::default();
        let mut dropped = BTreeSet::new();
        for _ in 0..MOST_PASSES {
            let mut templates = self.templates(&written);
            templates.retain(|template| !dropped.contains(template));
            let start = self.state.memory.clone();
            self.drop_false(&mut templates, &start, None)?;
            let general = self.constrained(&written, &templates, &start)?;
            let before = (written.clone(), templates.len());
            let kept = templates.clone();
            self.pass(body, &general, &mut written, &mut templates)?;
            dropped.extend(kept.into_iter().filter(|one| !templates.contains(one)));
            if before == (written.clone(), templates.len()) {
                return Some(Reduced {
                    state: general,
                    invariants: templates,
                });
            }
        }
        None
    }

    /// Returns the general state with the templates on its path.
    fn constrained(
        &mut self,
        written: &Written,
        templates: &[Template],
        start: &Memory,
    ) -> Option<Box<State>> {
        let mut state = self.general_state(written)?;
        let head = LoopHead::of(self.state.frames.top());
        state.loops.general.push(ProofLoop {
            head,
            rounds: 0,
            is_assumed: false,
        });
        state.loops.is_general = true;
        let condition = self.all(templates, start, &state.memory)?;
        let terms = self.terms();
        if terms.as_const(condition).is_none() {
            let answer = self
                .oracle
                .check(terms, &state.path, &state.model, condition);
            let Check::Sat(model) = answer else {
                return None;
            };
            state.path.add(terms, condition);
            state.model = model;
        }
        Some(state)
    }

    /// Executes the body once on all paths: adds what it changes, drops what it breaks.
    fn pass(
        &mut self,
        body: &Body,
        general: &State,
        written: &mut Written,
        templates: &mut Vec<Template>,
    ) -> Option<()> {
        let start = self.state.memory.clone();
        self.follow(
            Box::new(general.clone()),
            Extent::Within(body),
            &mut |context, back, end| {
                match end {
                    PathEnd::Back => {}
                    PathEnd::Ended(Termination::Unsupported(_)) => return None,
                    PathEnd::Ended(Termination::Early(reason)) => {
                        return (reason == EarlyReason::Subsumed).then_some(());
                    }
                    PathEnd::Left | PathEnd::Ended(_) => return Some(()),
                }
                if !back.is_alike(general) {
                    return None;
                }
                let changes = back.memory.changes(&general.memory, MOST_CHANGES)?;
                let is_unset = |byte| match byte {
                    ByteValue::Term(term) => context.fixed_term(term) != term,
                    ByteValue::Concrete(_) => false,
                };
                if changes.iter().any(|change| is_unset(change.now)) {
                    return None;
                }
                let mut new = changes;
                new.retain(|change| !written.has(change.address));
                written.add(context, &new)?;
                context.add_registers(general, back, written)?;
                context.drop_false(templates, &start, Some(back))
            },
        )
    }

    /// Adds the live registers that a round changes.
    fn add_registers(&self, before: &State, back: &State, written: &mut Written) -> Option<()> {
        let (own, new) = (before.frames.top(), back.frames.top());
        for (slot, width) in live_before(self.function(), new.pc)? {
            let (earlier, later) = (read(own, slot, width), read(new, slot, width));
            if let Value::Term(term) = later
                && self.fixed_term(term) != term
            {
                return None;
            }
            if earlier != later {
                written.registers.insert((slot, width));
            }
        }
        Some(())
    }

    /// Drops the templates that do not hold in all of a state's executions: of this state, or of
    /// another.
    fn drop_false(
        &mut self,
        templates: &mut Vec<Template>,
        start: &Memory,
        state: Option<&State>,
    ) -> Option<()> {
        let terms = self.terms();
        let mut model = state.unwrap_or(self.state).model.clone();
        loop {
            let memory = &state.unwrap_or(self.state).memory;
            templates.retain(|template| {
                let condition = template.condition(terms, start, memory);
                condition.is_some_and(|condition| {
                    self.fixed_term(condition) == condition && terms.eval(condition, &model) != 0
                })
            });
            let all = self.all(templates, start, memory)?;
            let broken = terms.not(all);
            if terms.as_const(broken) == Some(0) {
                return Some(());
            }
            if self.oracle.effort().work > self.observer.proofs.until_work {
                return None;
            }
            let of = state.unwrap_or(self.state);
            match self.oracle.check(terms, &of.path, &of.model, broken) {
                Check::Unsat => return Some(()),
                Check::Sat(other) => model = other,
                Check::Unknown(_) => return None,
            }
        }
    }

    /// Returns the conjunction of templates.
    fn all(&self, templates: &[Template], start: &Memory, memory: &Memory) -> Option<Term> {
        let terms = self.terms();
        let mut all = terms.bool(true);
        for template in templates {
            all = terms.and(all, template.condition(terms, start, memory)?);
        }
        Some(all)
    }
}
