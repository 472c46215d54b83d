//! Programs, truth sets and relations of terms, made on first use; what the pool of terms answers
//! with them.

use super::{LaneProgram, Lanes};
use crate::term::byte_set::ByteSet;
use crate::term::node::Term;
use crate::term::pool::Terms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Pairs of values of two bytes for which a 1-bit term holds.
#[derive(Debug)]
pub struct Relation {
    /// For each value of the first byte the values of the second.
    pub rows: Vec<ByteSet>,
    /// For each value of the second byte the values of the first.
    pub columns: Vec<ByteSet>,
}

/// Relations kept; each takes 16 KiB.
const RELATIONS: usize = 1024;
/// Operations per value of one byte above which a relation is not worth its cost.
const RELATION_OPERATIONS: usize = 2000;

/// Programs, truth sets and relations of terms, made on first use.
#[derive(Debug, Default)]
pub(in crate::term) struct LaneCache {
    relations: FxHashMap<Term, Option<Arc<Relation>>>,
    programs: FxHashMap<Term, Arc<LaneProgram>>,
    sets: FxHashMap<Term, ByteSet>,
    lanes: Lanes,
    out: Vec<u64>,
}

impl LaneCache {
    pub fn memory(&self) -> usize {
        let programs: usize = self.programs.values().map(|p| 100 + p.len() * 40).sum();
        programs
            + self.relations.len() * 16_500
            + self.programs.capacity() * 13
            + self.sets.capacity() * 37
    }
}

impl Terms {
    /// The compiled form of a term of at most 64 bits.
    pub fn lane_program(&self, term: Term) -> Arc<LaneProgram> {
        if let Some(program) = self.lane_cache.borrow().programs.get(&term) {
            return program.clone();
        }
        let program = Arc::new(LaneProgram::compile(self, term));
        let mut cache = self.lane_cache.borrow_mut();
        cache.programs.insert(term, program.clone());
        program
    }

    /// The values of its only byte for which a 1-bit term holds; nothing if it has more bytes.
    pub fn truth_set(&self, term: Term) -> Option<ByteSet> {
        self.single_byte(term)?;
        if let Some(&set) = self.lane_cache.borrow().sets.get(&term) {
            return Some(set);
        }
        let program = LaneProgram::compile(self, term);
        let set = self.holds_for(&program, 0, &ByteSet::FULL, &[0]);
        self.lane_cache.borrow_mut().sets.insert(term, set);
        Some(set)
    }

    /// The relation of a 1-bit term on exactly two bytes; nothing for other terms and for those
    /// that cost too much.
    pub fn relation(&self, term: Term) -> Option<Arc<Relation>> {
        if let Some(known) = self.lane_cache.borrow().relations.get(&term) {
            return known.clone();
        }
        let program = self.lane_program(term);
        // Operations of more than 64 bits, long doubles among them, are done one lane after the
        // other.
        if program.bytes.len() != 2 || program.wide.is_some() {
            return None;
        }
        let relation = self.make_relation(&program).map(Arc::new);
        let mut cache = self.lane_cache.borrow_mut();
        if cache.relations.len() >= RELATIONS {
            cache.relations.clear();
        }
        cache.relations.insert(term, relation.clone());
        relation
    }

    fn make_relation(&self, program: &LaneProgram) -> Option<Relation> {
        let all: Vec<u8> = (0..=255).collect();
        let cost = |free: usize| {
            let mut cache = self.lane_cache.borrow_mut();
            let LaneCache { lanes, out, .. } = &mut *cache;
            program.run(lanes, free, &all, &[0, 0], out)
        };
        // The lanes go over the byte for which less has to be done.
        let costs = [cost(0), cost(1)];
        let free = usize::from(costs[1] <= costs[0]);
        if costs[free] > RELATION_OPERATIONS {
            return None;
        }
        let lines: Vec<ByteSet> = all
            .iter()
            .map(|&value| self.holds_for(program, free, &ByteSet::FULL, &[value, value]))
            .collect();
        let mut crossed = vec![ByteSet::EMPTY; 256];
        for (&value, line) in all.iter().zip(&lines) {
            for other in line.iter() {
                crossed[usize::from(other)].insert(value);
            }
        }
        Some(if free == 1 {
            Relation {
                rows: lines,
                columns: crossed,
            }
        } else {
            Relation {
                rows: crossed,
                columns: lines,
            }
        })
    }

    /// The values among `domain` of the byte at position `free` of the program's bytes for which a
    /// 1-bit term holds, the other bytes being `fixed`.
    pub fn holds_for(
        &self,
        program: &LaneProgram,
        free: usize,
        domain: &ByteSet,
        fixed: &[u8],
    ) -> ByteSet {
        self.holds_for_at_cost(program, free, domain, fixed).0
    }

    /// Returns the result of `holds_for`, with the number of operations that it took (the same on
    /// every machine).
    pub fn holds_for_at_cost(
        &self,
        program: &LaneProgram,
        free: usize,
        domain: &ByteSet,
        fixed: &[u8],
    ) -> (ByteSet, u64) {
        let mut values = [0; 256];
        let mut count = 0;
        for value in domain.iter() {
            values[count] = value;
            count += 1;
        }
        let mut cache = self.lane_cache.borrow_mut();
        let LaneCache { lanes, out, .. } = &mut *cache;
        let used = program.run(lanes, free, &values[..count], fixed, out);
        let cost = used * (count / 2 + 16) + program.len() * 4 + 64;
        let mut set = ByteSet::EMPTY;
        for (&value, &holds) in values.iter().zip(out.iter()) {
            if holds != 0 {
                set.insert(value);
            }
        }
        (set, cost as u64)
    }

    /// The least value of `domain` of each class of values that none of the programs (with the
    /// byte's position in each) can tell apart.
    pub fn representatives<'a>(
        &self,
        domain: &ByteSet,
        programs: impl Iterator<Item = (&'a LaneProgram, usize)>,
    ) -> ByteSet {
        let values: Vec<u8> = domain.iter().collect();
        let mut signatures = vec![0x5eed; values.len()];
        let mut cache = self.lane_cache.borrow_mut();
        for (program, free) in programs {
            if !program.signatures(&mut cache.lanes, free, &values, &mut signatures) {
                return *domain;
            }
        }
        let mut seen = FxHashSet::default();
        let mut representatives = ByteSet::EMPTY;
        for (&value, signature) in values.iter().zip(signatures) {
            if seen.insert(signature) {
                representatives.insert(value);
            }
        }
        representatives
    }

    /// Forgets compiled forms and truth sets; they are made again when needed.
    pub fn trim_lane_cache(&self) {
        *self.lane_cache.borrow_mut() = LaneCache::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::node::Byte;
    use homi_ir::ops::{BinOp, CmpOp};

    #[test]
    fn a_relation_lists_the_pairs_for_which_a_term_holds() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 2);
        let byte = |index| terms.symbol(Byte { array, index });
        // A flag per value, set for byte 1, read at byte 0: whether they are equal (but never 0).
        let mut found = terms.bool(false);
        for value in 1..256u128 {
            let here = terms.eq_const(byte(0), value);
            let set = terms.eq_const(byte(1), value);
            found = terms.ite(here, terms.or(set, terms.bool(false)), found);
        }
        let relation = terms.relation(found).unwrap();
        for value in 0..=255u8 {
            let expected = match value {
                0 => ByteSet::EMPTY,
                _ => ByteSet::single(value),
            };
            assert_eq!(relation.rows[usize::from(value)], expected);
            assert_eq!(relation.columns[usize::from(value)], expected);
        }
        let order = terms.cmp(CmpOp::Ult, byte(0), byte(1));
        let relation = terms.relation(order).unwrap();
        assert_eq!(relation.rows[200].first(), Some(201));
        assert_eq!(relation.columns[200].last(), Some(199));
    }

    #[test]
    fn values_that_no_term_distinguishes_have_one_representative() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 2);
        let byte = |index| terms.symbol(Byte { array, index });
        let count = |term, value| terms.zext(terms.eq_const(term, value), 32);
        let points = [count(byte(0), 43), count(byte(0), 45), count(byte(1), 43)];
        let sum = points
            .into_iter()
            .reduce(|a, b| terms.bin(BinOp::Add, a, b));
        let condition = terms.cmp(CmpOp::Ult, sum.unwrap(), terms.constant(32, 2));
        let program = terms.lane_program(condition);
        let full = ByteSet::FULL;
        let found = |free| terms.representatives(&full, [(&*program, free)].into_iter());
        assert_eq!(found(0).iter().collect::<Vec<_>>(), [0, 43]);
        assert_eq!(found(1).iter().collect::<Vec<_>>(), [0, 43]);
        let order = terms.lane_program(terms.cmp(CmpOp::Ult, byte(0), byte(1)));
        let found = terms.representatives(&full, [(&*order, 0)].into_iter());
        assert_eq!(found, full);
    }

    #[test]
    fn a_class_test_has_its_truth_set() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 1);
        let byte = terms.symbol(Byte { array, index: 0 });
        let offset = terms.bin(BinOp::Sub, terms.zext(byte, 32), terms.constant(32, 0x30));
        let digit = terms.cmp(CmpOp::Ult, offset, terms.constant(32, 10));
        let set = terms.truth_set(digit).unwrap();
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            (b'0'..=b'9').collect::<Vec<_>>()
        );
    }
}
