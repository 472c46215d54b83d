//! The state before a program's first instruction.

use super::checks::undefined_objects;
use super::prepared::PreparedProgram;
use crate::ir::ops::float::Rounding;
use crate::ir::program::FuncId;
use crate::machine::outcome::{Gap, Narrowed, Termination};
use crate::machine::state::{
    CoveredFirst, DecisionList, Frame, Frames, Metrics, SideSet, State, TakenSides,
};
use crate::solver::PathCondition;
use crate::solver::term::Model;
use std::collections::BTreeMap;
use std::sync::Arc;

impl PreparedProgram<'_> {
    /// The state before the first instruction: about to call `entry` (by default the program's
    /// runtime entry, else its `main`) with integer or pointer arguments.
    pub fn initial_state(&self, entry: FuncId, arguments: &[u64]) -> State {
        let mut frame = Frame::new(entry, &self.templates[entry.index()]);
        let ending = self.broken[entry.index()].is_some().then(|| {
            Box::new(Termination::Gap(Gap {
                what: self.missing(entry),
                location: self.program.function(entry).location,
            }))
        });
        let function = self.program.function(entry);
        for (param, value) in function.params.iter().zip(arguments) {
            if let Some(register) = frame.bits.get_mut(param.slot.index()) {
                *register = *value;
            }
        }
        let mut memory = self.globals.image.clone();
        if let Some(object) = self.undefined {
            memory.track_undefined(undefined_objects::bytes(self.terms, object));
        }
        frame.stack_base = memory.push_frame(&self.layouts[entry.index()]);
        frame.stack_end = u64::from(self.stack_bytes[entry.index()]);
        State {
            sequence: 0,
            frames: Frames::new(frame),
            threads: Default::default(),
            tick: None,
            preemption: None,
            races: self.config.symbolic.races.then(Box::default),
            sections: BTreeMap::new(),
            memory,
            path: PathCondition::new(),
            model: Model::new(),
            symbolics: Arc::default(),
            decisions: DecisionList::default(),
            metrics: Metrics::default(),
            narrowed: Narrowed::default(),
            sides: Arc::new(SideSet::new(self.segments.side_count())),
            covered_first: CoveredFirst::default(),
            preferences: Arc::default(),
            rounding: Rounding::default(),
            float_exceptions: 0,
            jump_targets: Arc::new(BTreeMap::new()),
            name_versions: Arc::default(),
            reported: Arc::default(),
            taken: self.config.records_sides().then(TakenSides::default),
            forking: true,
            forks: self.config.fork_rule(),
            inputs_given: false,
            begins_objects: true,
            follows: None,
            entered: false,
            waits: false,
            executes_again: false,
            tree_node: None,
            heap: None,
            merges: None,
            awaits: None,
            ending,
        }
    }
}
