//! Tests of the weakest preconditions: interpolants of nodes from synthetic continuations, checked
//! for every value of a byte, and a successor's interpolant moved along a real subpath.

use super::super::subpath::Until;
use super::super::testing::{A, RESULT, assign, free, new_block, put, register, with_start};
use super::*;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{Inst, Slot};

/// Decision of a continuation: "the byte is below" a bound, its negation, or an assumption.
#[derive(Clone, Copy)]
enum Decides {
    Below(u8),
    NotBelow(u8),
    Assumes(u8),
}
use Decides::{Assumes, Below, NotBelow};

/// Continuations as their decisions, and as the bounds below which the byte must be at their ends.
type Ways<'w> = &'w [(&'w [Decides], &'w [u8])];

struct Byte0 {
    terms: Terms,
    byte: Byte,
}

impl Byte0 {
    fn new() -> Self {
        let terms = Terms::new();
        let array = terms.array("x", 0, 1);
        let byte = Byte { array, index: 0 };
        Self { terms, byte }
    }

    fn below(&self, bound: u8) -> Term {
        let terms = &self.terms;
        let bound = terms.constant(8, bound.into());
        terms.cmp(CmpOp::Ult, terms.symbol(self.byte), bound)
    }

    fn model(&self, value: u8) -> Model {
        let mut model = Model::new();
        model.set(self.byte, value);
        model
    }

    fn ways(&self, ways: Ways<'_>) -> Vec<Way> {
        let decided = |decides: &Decides| {
            let (condition, assumed) = match *decides {
                Below(bound) => (self.below(bound), false),
                NotBelow(bound) => (self.terms.not(self.below(bound)), false),
                Assumes(bound) => (self.below(bound), true),
            };
            Decided { condition, assumed }
        };
        let way = |(decides, after): &(&[Decides], &[u8])| Way {
            decided: decides.iter().map(decided).collect(),
            after: Interpolant {
                clauses: after.iter().map(|bound| self.below(*bound)).collect(),
                ..Interpolant::default()
            },
            model: Model::new(),
        };
        ways.iter().map(way).collect()
    }

    fn admitted(&self, clauses: &[Term]) -> Vec<u8> {
        let holds = |value: &u8| {
            let model = self.model(*value);
            clauses
                .iter()
                .all(|term| self.terms.eval(*term, &model) == 1)
        };
        (0..=255).filter(holds).collect()
    }
}

#[test]
fn it_admits_what_takes_a_followed_way_and_satisfies_its_end() {
    let below = |bound: u8| (0..bound).collect::<Vec<u8>>();
    let rows: &[(Ways<'_>, Vec<u8>)] = &[
        // One continuation.
        (&[(&[], &[9])], below(9)),
        (&[(&[Below(50)], &[])], below(50)),
        (&[(&[Below(50)], &[9])], below(9)),
        // Both sides: the end of each counts only on its side.
        (
            &[(&[Below(50)], &[]), (&[NotBelow(50)], &[])],
            (0..=255).collect(),
        ),
        (
            &[(&[Below(50)], &[9]), (&[NotBelow(50)], &[])],
            (0..9).chain(50..=255).collect(),
        ),
        (&[(&[Below(50)], &[]), (&[NotBelow(50)], &[90])], below(90)),
        // An infeasible side: neither of the two explored ones.
        (
            &[(&[Below(50)], &[]), (&[NotBelow(200)], &[])],
            (0..50).chain(200..=255).collect(),
        ),
        // Common decisions before the fork must hold.
        (
            &[
                (&[Below(99), Below(50)], &[]),
                (&[Below(99), NotBelow(50)], &[]),
            ],
            below(99),
        ),
        // A fork below one side.
        (
            &[
                (&[Below(50), Below(20)], &[7]),
                (&[Below(50), NotBelow(20)], &[]),
                (&[NotBelow(50)], &[60]),
            ],
            (0..7).chain(20..60).collect(),
        ),
        // Without the assumption there is no path.
        (&[(&[Assumes(50)], &[9])], (0..9).chain(50..=255).collect()),
        (
            &[(&[Assumes(50), Below(9)], &[])],
            (0..9).chain(50..=255).collect(),
        ),
        (&[(&[Below(50), Assumes(9)], &[])], below(50)),
    ];
    for (row, (ways, expected)) in rows.iter().enumerate() {
        let bench = Byte0::new();
        let mut all = bench.ways(ways);
        let whole = unsimplified(&bench.terms, &mut all, &[]).expect("an interpolant");
        assert_eq!(bench.admitted(&whole.clauses), *expected, "row {row}");
        // The simplified interpolant may be stronger, never weaker.
        let mut all = bench.ways(ways);
        for way in &mut all {
            way.model = bench.model(0);
        }
        let joined = interpolant(&bench.terms, all).expect("an interpolant");
        let admitted = bench.admitted(&joined.clauses);
        assert!(
            admitted.iter().all(|value| expected.contains(value)),
            "row {row}"
        );
    }
}

#[test]
fn paths_that_cannot_be_distinguished_give_none() {
    let rows: &[(Ways<'_>, Failure)] = &[
        (
            &[(&[Below(5)], &[]), (&[], &[])],
            Failure::Diverged("a path that ended"),
        ),
        (
            &[(&[Assumes(5)], &[]), (&[Assumes(6)], &[])],
            Failure::Diverged("a choice among assumptions"),
        ),
        (
            &[(&[Below(5)], &[]), (&[Assumes(5)], &[])],
            Failure::Diverged("a choice among assumptions"),
        ),
    ];
    for (ways, failure) in rows {
        let bench = Byte0::new();
        let found = interpolant(&bench.terms, bench.ways(ways));
        assert_eq!(found.err().as_ref(), Some(failure));
    }
}

#[test]
fn a_clause_that_holds_on_all_paths_is_kept_for_all() {
    let ways: Ways<'_> = &[(&[Below(50)], &[100]), (&[NotBelow(50)], &[])];
    let bench = Byte0::new();
    for (values, expected) in [([3, 60], 100), ([3, 160], 256)] {
        let mut all = bench.ways(ways);
        let models = values.map(|value| bench.model(value));
        let whole = unsimplified(&bench.terms, &mut all, &models).expect("an interpolant");
        assert_eq!(bench.admitted(&whole.clauses).len(), expected, "{values:?}");
    }
}

#[test]
fn facts_about_storage_hold_for_every_path() {
    let bench = Byte0::new();
    let mut ways = bench.ways(&[(&[Below(50)], &[]), (&[NotBelow(50)], &[])]);
    ways[0].after.absent.push(7);
    ways[1].after.freed.push(8);
    ways[1].after.fixed.extend([9, 9]);
    let whole = interpolant(&bench.terms, ways).expect("an interpolant");
    assert_eq!(
        (whole.absent, whole.freed, whole.fixed),
        (vec![7], vec![8], vec![9])
    );
}

#[test]
fn only_what_ways_decide_differently_is_a_fork() {
    let bench = Byte0::new();
    let ways = bench.ways(&[
        (&[Below(9), Below(5)], &[]),
        (&[Below(9), NotBelow(5)], &[]),
    ]);
    let five = bench.below(5);
    assert_eq!(conditions_of_forks(&ways), [five, bench.terms.not(five)]);
}

/// Returns code that writes the sum of registers 0 and 1 to the result register.
fn sum() -> Vec<Vec<Inst>> {
    let (op, w, dst) = (BinOp::Add, 64, RESULT);
    let b = Slot(1);
    vec![vec![
        Inst::Bin {
            op,
            w,
            dst,
            a: A,
            b,
        },
        homi_ir::program::testing::ret(),
    ]]
}

#[test]
fn a_condition_on_the_end_becomes_one_on_the_start() {
    with_start(sum(), |with, mut start, _| {
        let terms = with.terms;
        put(&mut start, 0, 5u64);
        put(&mut start, 1, 3u64);
        let [zero, one, result, untouched] = [0, 1, 2, 7].map(|slot| register(with, slot));
        let same = terms.eq_const(untouched, 1);
        let mut subpath = Subpath::new(&start, &start.model);
        assert_eq!(subpath.follow(with, Until::Instructions(1)), Ok(()));
        let after = Interpolant {
            clauses: vec![terms.eq_const(result, 8), same],
            ..Interpolant::default()
        };
        let way = way(with, subpath, Some(&after)).expect("a way");
        let [moved, kept] = way.after.clauses[..] else {
            panic!("{} clauses", way.after.clauses.len());
        };
        assert_eq!(kept, same);
        for (values, holds) in [((5, 3), 1), ((7, 1), 1), ((5, 4), 0), ((8, 8), 0)] {
            let mut model = Model::new();
            assign(terms, &mut model, zero, values.0);
            assign(terms, &mut model, one, values.1);
            // The value of the result register at the start is irrelevant.
            assign(terms, &mut model, result, 8);
            assert_eq!(terms.eval(moved, &model), holds, "{values:?}");
        }
    });
}

#[test]
fn a_condition_that_the_subpath_made_false_is_refused() {
    let (op, w, dst) = (BinOp::Xor, 64, RESULT);
    let zero = Inst::Bin {
        op,
        w,
        dst,
        a: A,
        b: A,
    };
    with_start(
        vec![vec![zero, homi_ir::program::testing::ret()]],
        |with, start, _| {
            let terms = with.terms;
            let result = register(with, 2);
            for (value, is_refused) in [(0, false), (1, true)] {
                for after in [
                    Interpolant {
                        clauses: vec![terms.eq_const(result, value.into())],
                        ..Interpolant::default()
                    },
                    Interpolant {
                        pointers: vec![(result, value)],
                        ..Interpolant::default()
                    },
                ] {
                    let mut subpath = Subpath::new(&start, &start.model);
                    assert_eq!(subpath.follow(with, Until::Instructions(1)), Ok(()));
                    match way(with, subpath, Some(&after)) {
                        Ok(way) => {
                            assert!(!is_refused);
                            let facts = way.after;
                            assert!(facts.clauses.is_empty() && facts.pointers.is_empty());
                        }
                        Err(failure) => {
                            assert!(is_refused && matches!(failure, Failure::Diverged(_)));
                        }
                    }
                }
            }
        },
    );
}

#[test]
fn objects_keep_only_their_earlier_facts() {
    with_start(Vec::new(), |with, start, known| {
        let mut subpath = Subpath::new(&start, &start.model);
        let new = new_block(&mut subpath.state.memory);
        free(&mut subpath.state.memory, known.other);
        let pin = |memory: &homi_machine::memory::Memory, base| {
            let object = memory.object_at(base).expect("an object");
            let shape = ObjectShape::of(memory, &object).expect("a size");
            ObjectPin { base, shape }
        };
        let pins = [known.block, new].map(|base| pin(&subpath.state.memory, base));
        let after = Interpolant {
            objects: pins.to_vec(),
            absent: vec![known.nowhere, known.other],
            freed: vec![known.freed, known.other],
            fixed: vec![known.block],
            ..Interpolant::default()
        };
        let facts = way(with, subpath, Some(&after)).expect("a way").after;
        assert_eq!(facts.objects, pins[..1]);
        assert_eq!(facts.absent, [known.nowhere]);
        assert_eq!(facts.freed, [known.freed]);
        assert_eq!(facts.fixed, [known.block]);
        // An object that the subpath made has no address that is valid on other paths.
        let mut subpath = Subpath::new(&start, &start.model);
        let fixed = vec![new_block(&mut subpath.state.memory)];
        let after = Interpolant {
            fixed,
            ..Interpolant::default()
        };
        let failure = way(with, subpath, Some(&after)).err();
        assert!(
            matches!(failure, Some(Failure::Addresses(_))),
            "{failure:?}"
        );
    });
}

#[test]
fn inputs_that_the_subpath_made_are_later_ones_and_others_are_refused() {
    with_start(Vec::new(), |with, start, _| {
        let terms = with.terms;
        let array = terms.array("made", 0, 1);
        let input = terms.symbol(Byte { array, index: 0 });
        let result = register(with, 2);
        let after = Interpolant {
            clauses: vec![terms.eq_const(result, 3)],
            ..Interpolant::default()
        };
        for is_made in [true, false] {
            let mut subpath = Subpath::new(&start, &start.model);
            if is_made {
                let object = homi_machine::state::SymbolicObject {
                    array,
                    name: "made".into(),
                    size: 1,
                };
                std::sync::Arc::make_mut(&mut subpath.state.symbolics.objects).push(object);
            }
            put(&mut subpath.state, 2, terms.zext(input, 64));
            subpath.settled_registers[0].insert(2);
            match way(with, subpath, Some(&after)) {
                Ok(way) => {
                    assert!(is_made);
                    let support = terms.support(way.after.clauses[0]);
                    let arrays: Vec<_> = support.iter().map(|byte| byte.array).collect();
                    assert!(!arrays.is_empty() && !arrays.contains(&array));
                    assert!(arrays.iter().all(|array| with.locs.knows(*array)));
                }
                Err(failure) => assert!(!is_made && failure == Failure::Input, "{failure:?}"),
            }
        }
    });
}
