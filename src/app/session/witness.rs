//! The witness of a verdict: what the execution of the violating test passes.
//!
//! Idea: the test is executed once more, all concrete and in the smallest steps, which end at each
//! call and return, so that the calls that give inputs show themselves with their results. The
//! exploration records nothing.

use super::SessionError;
use super::exploration::{Exploration, FirstThread};
use super::world::World;
use homi_explore::engine::source_place;
use homi_ir::program::{CallSite, LocId, Origin, PointerWidth, Program};
use homi_machine::exec::{LoopProofs, MutedConsole, Step, Termination};
use homi_machine::state::State;
use homi_native::testcase::ktest::KTest;
use homi_output::witness::{
    InputCall, LoopInvariant, Task, Violation, correctness_witness, is_input, violation_witness,
};
use homi_report::{Judgement, Summary};
use homi_solver::term::Terms;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Instructions of the execution that is traced.
const MOST_INSTRUCTIONS: u64 = 20_000_000;

impl Exploration<'_> {
    /// Writes the witness of the verdict, if one is wanted and there is one.
    pub(super) fn write_witness(
        &self,
        first: &mut FirstThread<'_>,
        proofs: &LoopProofs,
        summary: &Summary,
    ) {
        let Some(file) = &self.config.witness else {
            return;
        };
        let written = match self.witness(first, proofs, summary) {
            Ok(text) => std::fs::write(file, text).map_err(|error| error.to_string()),
            Err(why) => Err(why),
        };
        if let Err(why) = written {
            let text = format!("no witness is written to {}: {why}", file.display());
            self.output.log.lock().warning(&text);
        }
    }

    /// Returns the text of the witness, or the reason why there is none.
    fn witness(
        &self,
        first: &mut FirstThread<'_>,
        proofs: &LoopProofs,
        summary: &Summary,
    ) -> Result<String, String> {
        let verdict = summary.verdict.as_ref().ok_or("there is no verdict")?;
        match (verdict.verdict, &verdict.test) {
            (Judgement::True, _) => {
                let invariants = self.invariants(proofs);
                Ok(correctness_witness(&self.task(), &invariants))
            }
            (Judgement::False, Some(test)) => {
                let test = self.output.directory.path().join(format!("{test}.ktest"));
                let test = KTest::read(&test).map_err(|error| error.to_string())?;
                let kinds = self.violating_kinds();
                let violation = self.world.violation(first, &test, &kinds);
                let violation = violation.map_err(|error| error.to_string())?;
                let violation = violation.ok_or("the test does not end in the violation again")?;
                violation_witness(&self.task(), &violation)
                    .ok_or_else(|| "the violation is not at a line of the task".to_string())
            }
            _ => Err("the verdict is neither TRUE nor FALSE".to_string()),
        }
    }

    /// Returns the invariants of the loops all of whose visits are proven.
    fn invariants(&self, proofs: &LoopProofs) -> Vec<LoopInvariant> {
        let program = &self.loaded.program;
        let proven = proofs.loops.iter().filter(|(_, one)| one.failures == 0);
        let stated = proven.filter_map(|((function, pc), one)| {
            let location = program.function(*function).locations.get(*pc as usize)?;
            Some(LoopInvariant {
                position: source_place(program, *location)?,
                conjuncts: one.conjuncts.clone()?,
            })
        });
        stated.collect()
    }

    /// Returns the kinds of bugs that violate the property.
    fn violating_kinds(&self) -> Vec<&'static str> {
        let goals = self
            .config
            .property
            .iter()
            .flat_map(|property| &property.goals);
        goals
            .flat_map(|goal| goal.meaning().kinds)
            .copied()
            .collect()
    }

    /// Returns the task that the run verifies.
    fn task(&self) -> Task {
        let program = &self.loaded.program;
        let property = self.config.property.as_ref();
        Task {
            files: self.task_files(),
            specification: property.map_or_else(String::new, |property| property.text.clone()),
            is_of_32_bits: program.pointers == PointerWidth::Bits32,
            created_unix_s: created(),
        }
    }

    /// Returns the source files that the caller was given, else the files of the program's
    /// functions.
    fn task_files(&self) -> Vec<PathBuf> {
        let given = &self.plan.caller.sources;
        if !given.is_empty() {
            return given.clone();
        }
        let program = &self.loaded.program;
        let own = program
            .functions
            .iter()
            .filter(|one| one.origin == Origin::Program);
        let locations = own.flat_map(|function| function.locations.iter().copied());
        let positions = locations.filter_map(|location| source_place(program, location));
        let files: BTreeSet<String> = positions.map(|position| position.file).collect();
        files.into_iter().map(PathBuf::from).collect()
    }
}

/// Seconds since 1970: of the environment variable that fixes the time of reproducible builds
/// (reproducible-builds.org), else now.
fn created() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let fixed = fixed.and_then(|seconds| seconds.parse().ok());
    fixed.unwrap_or_else(|| now.map_or(0, |now| now.as_secs()))
}

impl World<'_> {
    /// Executes a test and returns its inputs and the position of the bug that ends it; `None` if
    /// no bug does.
    fn violation(
        &self,
        first: &mut FirstThread<'_>,
        test: &KTest,
        kinds: &[&str],
    ) -> Result<Option<Violation>, SessionError> {
        let program = &self.loaded.program;
        let mut execution = self.begin_execution(first, test, 0)?;
        let mut trace = InputTrace::new(program, first.terms);
        while execution.observer.instructions < MOST_INSTRUCTIONS {
            let step = execution.run(first, &mut MutedConsole, 1);
            if let Some(location) = shown_bug(&step, kinds) {
                let target = source_place(program, location);
                return Ok(target.map(|target| Violation {
                    inputs: trace.calls,
                    target,
                }));
            }
            if matches!(step, Step::Ended(_)) {
                return Ok(None);
            }
            trace.after_step(&execution.state);
        }
        Ok(None)
    }
}

/// Returns the location of the bug that ends an execution, or that a check reports beside it if the
/// bug is of one of these kinds.
fn shown_bug(step: &Step, kinds: &[&str]) -> Option<LocId> {
    let beside: Vec<&Termination> = match step {
        Step::Ended(Termination::Bug(bug)) => return Some(bug.location),
        Step::Forked(siblings) => siblings
            .iter()
            .filter_map(|one| one.ending.as_deref())
            .collect(),
        Step::Ended(_) | Step::Absent(_) | Step::Continue => return None,
    };
    beside.into_iter().find_map(|ending| match ending {
        Termination::Bug(bug) if kinds.contains(&bug.kind.name()) => Some(bug.location),
        _ => None,
    })
}

/// Records the calls of one execution that give inputs.
struct InputTrace<'p> {
    program: &'p Program,
    terms: &'p Terms,
    calls: Vec<InputCall>,
    /// The call that has not returned, and the depth of its caller.
    open: Option<(&'p CallSite, usize, InputCall)>,
}

impl<'p> InputTrace<'p> {
    fn new(program: &'p Program, terms: &'p Terms) -> Self {
        Self {
            program,
            terms,
            calls: Vec::new(),
            open: None,
        }
    }

    /// Looks at a state after some instructions, at most one call or return.
    fn after_step(&mut self, state: &State) {
        let returned = |(_, depth, _): &(&CallSite, usize, InputCall)| state.frames.len() <= *depth;
        if let Some((site, _, mut call)) = self.open.take_if(|open| returned(open)) {
            if let [(slot, width)] = site.results[..site.returned()] {
                let frame = state.frames.top();
                call.width = width;
                call.value = match frame.term(slot.index()) {
                    Some(term) => self.terms.eval(term, &state.model),
                    None => frame.bits[slot.index()].into(),
                };
            }
            self.calls.push(call);
        }
        if self.open.is_none() {
            self.open = self.entered(state);
        }
    }

    /// Returns the call that a state has just made, if it gives an input to the program.
    fn entered(&self, state: &State) -> Option<(&'p CallSite, usize, InputCall)> {
        let mut frames = state.frames.iter();
        let (frame, caller) = (frames.next()?, frames.next()?);
        let callee = self.program.function(frame.function);
        let function = self.program.function(caller.function);
        let is_input = is_input(&callee.name) && callee.origin != Origin::Program;
        if !is_input || function.origin != Origin::Program {
            return None;
        }
        let site = function.calls.get(frame.call_site? as usize)?;
        let at = caller.pc.checked_sub(1)?;
        let location = function.locations.get(at as usize)?;
        let call = InputCall {
            function: callee.name.clone(),
            position: source_place(self.program, *location)?,
            value: 0,
            width: 0,
        };
        Some((site, state.frames.len() - 1, call))
    }
}
