//! Loops that lowering makes of operations on very wide integers: turns by number, words that
//! change.
//!
//! Invariant: the number of turns is known when the code is read, so symbolic operands do not fork;
//! the words that change are moved at the end of a turn only, after everything that reads them.

use super::super::function::Body;
use super::WORD;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{BlockId, Inst, Slot};

impl Body<'_, '_> {
    /// Emits a loop of `turns` (at least one) turns over words that are `start` at first and what
    /// `step` makes of them after each turn; the words after the last turn.
    pub fn counted_loop(
        &mut self,
        turns: u64,
        start: Vec<Slot>,
        step: impl FnOnce(&mut Self, &[Slot]) -> Vec<Slot>,
    ) -> Vec<Slot> {
        let turn = self.new_slot(WORD);
        let words: Vec<Slot> = start.iter().map(|_| self.new_slot(WORD)).collect();
        let moves = |from: Vec<Slot>| {
            let pairs = words.iter().zip(from);
            pairs.map(|(dst, src)| (WORD, *dst, src))
        };
        let mut entry = vec![(WORD, turn, self.int(WORD, 0))];
        entry.extend(moves(start));
        let head = self.new_block();
        self.emit_moves(entry);
        self.emit(Inst::Jump { target: head });

        self.current = head.index();
        let next = step(self, &words);
        let one = self.int(WORD, 1);
        let next_turn = self.bin(BinOp::Add, WORD, turn, one);
        let turns = self.int(WORD, turns.into());
        let cond = self.cmp(CmpOp::Ult, WORD, next_turn, turns);
        let mut back = vec![(WORD, turn, next_turn)];
        back.extend(moves(next));
        let after = self.new_block();
        self.emit_moves(back);
        self.emit(Inst::Branch {
            cond,
            then: head,
            otherwise: after,
            branch: None,
        });
        self.current = after.index();
        words
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Vec::new());
        BlockId::new(self.blocks.len() - 1)
    }

    /// The low half of a product with code that grows with the number of words, not with its
    /// square: from the highest word of `a` down, what there is moves up by a word and takes that
    /// word times `b`.
    pub fn looped_product(&mut self, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        let count = a.len();
        let zero = self.int(WORD, 0);
        let mut words = a.to_vec();
        words.resize(2 * count, zero);
        let mut words = self.counted_loop(count as u64, words, |body, words| {
            let (factors, result) = words.split_at(count);
            let mut next = vec![zero];
            next.extend(&factors[..count - 1]);
            let factor = factors[count - 1];
            let mut carry = zero;
            for (place, &other) in b.iter().enumerate().take(count) {
                let before = match place {
                    0 => zero,
                    _ => result[place - 1],
                };
                let sum = body.product_and_sum(factor, other, before, carry);
                next.push(sum[0]);
                carry = sum[1];
            }
            next
        });
        words.split_off(count)
    }
}
