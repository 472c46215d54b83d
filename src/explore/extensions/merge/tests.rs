//! Tests of merging: merged pairs, checked for every input; pairs that must not merge; and the
//! groups of waiting states.

use super::conditions::Conditions;
use super::*;
use homi_ir::ops::CmpOp;
use homi_ir::program::testing::{function, program, ret, step};
use homi_ir::program::{BlockId, FrameObject, FuncId, Program, Slot};
use homi_machine::exec::{ExecConfig, Executor};
use homi_machine::memory::{AllocationSite, ByteValue, ObjectKind, Unlike};
use homi_machine::state::{JumpTarget, Opening, ProgramPoint, State, SymbolicObject};
use homi_solver::PathCondition;
use homi_solver::term::{Byte, Model, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of the block: one more than may differ.
const BLOCK: u64 = (1 << 16) + 1;

/// Two paths that have closed the same opening: on the first the input is below 100.
struct Pair {
    program: Program,
    terms: Terms,
    opening: Arc<Opening>,
    first: State,
    second: State,
    input: Byte,
    block: u64,
}

fn below(terms: &Terms, input: Byte, bound: u8) -> Term {
    let bound = terms.constant(8, bound.into());
    terms.cmp(CmpOp::Ult, terms.symbol(input), bound)
}

/// Returns a pair of states in a function that returns register 0; its other registers are dead.
fn pair() -> Pair {
    let mut main = function("main", vec![vec![step(), ret()]]);
    main.slots = 4;
    main.returns = vec![vec![(Slot(0), 64)]];
    main.returns_widths = vec![64];
    main.frame_objects.push(FrameObject {
        size: 8,
        align: 8,
        name: "local".to_string(),
        declared: Default::default(),
        in_block: false,
    });
    let program = program(vec![main]);
    let (terms, interrupt) = (Terms::new(), AtomicBool::new(false));
    let config = ExecConfig::default();
    let executor = Executor::new(&program, &terms, &config, &interrupt).expect("sound roots");
    let mut first = executor.initial_state(program.entry, &[]);
    first.frames.top_mut().pc = 1;
    let site = AllocationSite::Engine("test");
    let block = first.memory.allocate(ObjectKind::Heap, BLOCK, 16, site);
    first.merges = Some(Box::default());
    let merges = first.merges.as_mut().expect("merges");
    merges.open(&first.path, 0);
    let array = terms.array("x", 0, 1);
    let input = Byte { array, index: 0 };
    let mut second = *first.fork();
    let condition = below(&terms, input, 100);
    first.path.add(&terms, condition);
    second.path.add(&terms, terms.not(condition));
    second.model.set(input, 100);
    let mut closed = [&mut first, &mut second].map(|state| {
        let merges = state.merges.as_mut().expect("merges");
        assert!(merges.close());
        merges.take_closed()
    });
    let opening = closed[0].take().expect("an opening");
    drop(executor);
    Pair {
        program,
        terms,
        opening,
        first,
        second,
        input,
        block: block.expect("room"),
    }
}

impl Pair {
    fn model(&self, value: u8) -> Model {
        let mut model = Model::new();
        model.set(self.input, value);
        model
    }

    fn merge_states(&mut self) -> Result<(), Apart> {
        let (terms, input) = (&self.terms, self.input);
        let mut is_impossible = |path: &PathCondition, _: &Model, condition: Term| {
            let belongs = |value: u8| {
                let mut model = Model::new();
                model.set(input, value);
                path.holds(terms, &model) && terms.eval(condition, &model) == 1
            };
            !(0..=255).any(belongs)
        };
        let mut means = Means {
            program: &self.program,
            terms,
            live: &mut LiveRegisters::default(),
            is_impossible: &mut is_impossible,
        };
        merge_states(&mut self.first, &self.second, &self.opening, &mut means)
    }

    /// Paths on which the input is below a bound, and at least another one.
    fn set_paths(&mut self, below_this: u8, from_this: u8) {
        let terms = &self.terms;
        let conditions = [
            below(terms, self.input, below_this),
            terms.not(below(terms, self.input, from_this)),
        ];
        let states = [&mut self.first, &mut self.second];
        for (state, condition) in states.into_iter().zip(conditions) {
            state.path = self.opening.path.clone();
            state.path.add(terms, condition);
        }
    }

    fn register(&self, slot: usize, model: &Model) -> u64 {
        let top = self.first.frames.top();
        let term = top
            .term(slot)
            .map(|term| self.terms.eval(term, model) as u64);
        term.unwrap_or(top.bits[slot])
    }

    fn byte(&self, address: u64, model: &Model) -> u8 {
        match self
            .first
            .memory
            .read_byte(&self.terms, address)
            .expect("a byte")
        {
            ByteValue::Concrete(value) => value,
            ByteValue::Term(term) => self.terms.eval(term, model) as u8,
        }
    }
}

#[test]
fn each_input_finds_what_its_own_path_had() {
    for (below_this, from_this) in [(100, 100), (50, 200), (255, 255), (1, 2)] {
        let mut pair = pair();
        pair.set_paths(below_this, from_this);
        let is_local = |object: &homi_machine::memory::ObjectRef| {
            matches!(object.site, AllocationSite::FrameObject { .. })
        };
        let local = pair
            .first
            .memory
            .objects()
            .find(is_local)
            .expect("a local")
            .base;
        for (state, value) in [(&mut pair.first, 1), (&mut pair.second, 2)] {
            state.frames.top_mut().bits[0] = value;
            state.frames.top_mut().bits[1] = 10 * value;
            state.memory.write_word(local, 1, value).expect("a local");
            state
                .memory
                .write_word(pair.block + 300, 2, 257 * value)
                .expect("a block");
        }
        assert_eq!(pair.merge_states(), Ok(()));
        for value in 0..=255 {
            let model = pair.model(value);
            let whose = match value {
                _ if value < below_this => Some(1),
                _ if value >= from_this => Some(2),
                _ => None,
            };
            assert_eq!(
                pair.first.path.holds(&pair.terms, &model),
                whose.is_some(),
                "{value}"
            );
            let Some(whose) = whose else { continue };
            assert_eq!(pair.register(0, &model), u64::from(whose), "{value}");
            for address in [local, pair.block + 300, pair.block + 301] {
                assert_eq!(pair.byte(address, &model), whose, "{value}");
            }
            // A dead register.
            assert_eq!(pair.register(1, &model), 10);
        }
        assert_eq!(
            pair.first.merges.as_ref().map(|merges| merges.joined()),
            Some(1)
        );
    }
}

/// Expected difference, and the change to a pair that causes it.
type Row = (Apart, fn(&mut Pair));

#[test]
fn states_that_differ_in_more_stay_two_and_as_they_were() {
    let rows: &[Row] = &[
        (Apart::Inputs, |pair| {
            let (name, array) = ("more".into(), pair.input.array);
            let object = SymbolicObject {
                array,
                name,
                size: 1,
            };
            Arc::make_mut(&mut pair.second.symbolics.objects).push(object);
        }),
        (Apart::Inputs, |pair| {
            Arc::make_mut(&mut pair.second.symbolics.versions).insert("x".into(), 1);
        }),
        (Apart::Calls, |pair| pair.second.frames.top_mut().pc = 0),
        (Apart::Calls, |pair| {
            let frame = pair.second.frames.top().clone();
            pair.second.frames.push(frame);
        }),
        (Apart::Registers, |pair| {
            let narrow = pair.terms.symbol(pair.input);
            pair.second.frames.top_mut().set_term(0, narrow);
        }),
        (Apart::Registers, |pair| {
            // A jump may restore registers that are dead from here on.
            let frame = pair.first.frames.top().serial;
            let target = JumpTarget { frame, pc: 0 };
            pair.first.jumps.add(target, &[frame]);
            pair.second.jumps.add(target, &[frame]);
            pair.second.frames.top_mut().bits[1] = 9;
        }),
        (Apart::Modes, |pair| pair.second.forks.enabled = false),
        (Apart::Modes, |pair| pair.second.floats.exceptions = 1),
        (Apart::Modes, |pair| {
            pair.second.threads.sections.insert(0, 1);
        }),
        (Apart::Modes, |pair| {
            let frame = pair.first.frames.top().serial;
            let target = JumpTarget { frame, pc: 0 };
            pair.second.jumps.add(target, &[frame]);
        }),
        (Apart::Merges, |pair| pair.second.merges = None),
        (Apart::Merges, |pair| {
            let merges = pair.second.merges.as_mut().expect("merges");
            merges.open(&pair.second.path, 0);
        }),
        (Apart::Merges, |pair| {
            let mut opening = PathCondition::new();
            opening.add(&pair.terms, below(&pair.terms, pair.input, 7));
            let mut merges = homi_machine::state::Merges::default();
            merges.open(&opening, 0);
            merges.close();
            pair.opening = merges.take_closed().expect("an opening");
        }),
        (Apart::Overlap, |pair| pair.set_paths(100, 99)),
        (Apart::Memory(Unlike::Objects), |pair| {
            let site = AllocationSite::Engine("test");
            pair.second.memory.allocate(ObjectKind::Heap, 8, 8, site);
        }),
        (Apart::Memory(Unlike::Objects), |pair| {
            let site = AllocationSite::Engine("test");
            pair.second.memory.free(pair.block, site).expect("a block");
        }),
        (Apart::Memory(Unlike::Bytes), |pair| {
            let byte = ByteValue::Concrete(1);
            let filled = pair
                .second
                .memory
                .fill(&pair.terms, pair.block, byte, BLOCK);
            filled.expect("a block");
        }),
    ];
    for (row, (expected, differ)) in rows.iter().enumerate() {
        let mut pair = pair();
        pair.first.frames.top_mut().bits[0] = 1;
        pair.second.frames.top_mut().bits[0] = 2;
        differ(&mut pair);
        let path: Vec<Term> = pair.first.path.iter().collect();
        assert_eq!(pair.merge_states(), Err(*expected), "row {row}");
        assert_eq!(
            pair.first.path.iter().collect::<Vec<_>>(),
            path,
            "row {row}"
        );
        let top = pair.first.frames.top();
        assert_eq!((top.bits[0], top.term(0)), (1, None), "row {row}");
        if pair.first.memory.object_at(pair.block).is_some() {
            assert_eq!(
                pair.byte(pair.block, &Model::new()),
                homi_machine::memory::UNINITIALISED
            );
        }
    }
}

#[test]
fn common_conditions_stay_and_the_rests_choose() {
    let terms = Terms::new();
    let array = terms.array("x", 0, 2);
    let [x, y] = [0, 1].map(|index| Byte { array, index });
    let path = |conditions: &[Term]| {
        let mut path = PathCondition::new();
        conditions.iter().for_each(|term| path.add(&terms, *term));
        path
    };
    let (half, shared) = (below(&terms, x, 128), below(&terms, y, 9));
    let opening = path(&[]);
    let since = |own: &[Term], theirs: &[Term]| {
        let beginning = |rest: &[Term]| {
            let mut path = opening.clone();
            rest.iter().for_each(|term| path.add(&terms, *term));
            path
        };
        Conditions::since(&terms, &opening, &beginning(own), &beginning(theirs))
    };
    let other = terms.not(half);
    let both = since(&[half, shared], &[shared, other]).expect("one opening");
    assert_eq!(both.chooses_first(&terms), half);
    assert_eq!(both.overlap(&terms), None);
    assert_eq!(terms.as_const(both.either(&terms)), Some(1));
    let common = both.common_path(&terms, &opening);
    assert_eq!(common.iter().collect::<Vec<_>>(), [shared]);
    // The shorter rest chooses, here the rest of the second path.
    let low = below(&terms, x, 9);
    let both = since(&[low, shared], &[terms.not(low)]).expect("one opening");
    assert_eq!(both.chooses_first(&terms), low);
    // The constraints do not exclude a common input.
    let both = since(&[low], &[half]).expect("one opening");
    assert!(both.overlap(&terms).is_some());
    // One path never passed the opening.
    let later = path(&[low]);
    let apart = Conditions::since(&terms, &later, &later, &path(&[half]));
    assert_eq!(apart.err(), Some(Apart::Merges));
}

#[test]
fn a_number_and_a_term_of_it_need_no_choice() {
    let mut pair = pair();
    pair.first.frames.top_mut().bits[0] = 2;
    let two = pair.terms.constant(64, 2);
    pair.second.frames.top_mut().set_term(0, two);
    assert_eq!(pair.merge_states(), Ok(()));
    let top = pair.first.frames.top();
    assert_eq!((top.bits[0], top.term(0)), (2, None));
}

#[test]
fn a_group_waits_for_its_witness_and_for_those_that_are_close() {
    let pair = pair();
    let point = ProgramPoint {
        function: FuncId(0),
        block: BlockId(0),
        pc: 1,
    };
    let ids = [3, 4, 5].map(crate::search::StateId);
    let waiting = |state: &State| Waiting {
        id: ids[0],
        point,
        state: Box::new(state.clone()),
    };
    let after = |instructions| {
        let mut state = pair.first.clone();
        state.metrics.instructions = instructions;
        state
    };
    let mut groups = Groups::default();
    assert!(groups.is_empty());
    groups.arrive(&pair.opening, &after(10));
    let group = groups.arrive(&pair.opening, &after(30));
    // The mean is 20; the merge waits for distances below twice the mean.
    assert!(group.is_close(&after(39)) && !group.is_close(&after(40)));
    groups.fill(&pair.opening, vec![waiting(&pair.first)]);
    assert_eq!((groups.groups().len(), groups.states().count()), (1, 1));
    assert_eq!(groups.waiting_for(None), [0]);
    groups.set_witness(0, Some(ids[1]));
    assert_eq!(groups.waiting_for(Some(ids[1])), [0]);
    assert!(groups.waiting_for(Some(ids[2])).is_empty());
    assert!(groups.waiting_for(None).is_empty());
    // Another opening has another group, which is removed once it has no waiting state.
    let mut merges = homi_machine::state::Merges::default();
    merges.open(&pair.first.path, 0);
    merges.close();
    let another = merges.take_closed().expect("an opening");
    groups.arrive(&another, &after(10));
    assert_eq!(groups.groups().len(), 2);
    groups.fill(&another, Vec::new());
    assert_eq!(groups.groups().len(), 1);
    assert_eq!(groups.release(0).len(), 1);
    assert!(groups.is_empty());
}

#[test]
fn each_reason_has_its_own_text() {
    use Apart::{Calls, Inputs, Merges, Modes, Overlap, Registers};
    let all = [Inputs, Calls, Registers, Modes, Merges, Overlap];
    let words: std::collections::BTreeSet<String> = all.iter().map(Apart::to_string).collect();
    assert_eq!(words.len(), all.len());
}
