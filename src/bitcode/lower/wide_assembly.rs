//! Inline assembly of multi-precision arithmetic: products of two words, sums and differences of pairs of words, the
//! highest bit. Libraries for large numbers write these as in GMP's longlong.h.
//!
//! Invariant: as in `assembly`, the whole text decides, and the constraints must tie the operands as the text
//! assumes.

use super::Gap;
use super::function::Body;
use crate::bitcode::llvm::Value;
use crate::ops::{BinOp, CmpOp};
use crate::program::{CastOp, Inst, IntUnary, Slot};

/// What an idiom computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Idiom {
    /// Low and high half of a product.
    Product,
    /// High and low word of a sum or difference of pairs, given as high, high, low, low.
    Pair(BinOp),
    /// The number of the highest bit that is set.
    HighestBit,
}

impl Body<'_, '_> {
    /// Lowers the idiom that `text` (normalised) is; false if it is none.
    pub fn lower_wide_assembly(
        &mut self,
        inst: Value,
        text: &str,
        constraints: &str,
        results: &[u8],
    ) -> Result<bool, Gap> {
        let Some((idiom, w)) = idiom(text, constraints) else {
            return Ok(false);
        };
        let arguments = match idiom {
            Idiom::Product => 2,
            Idiom::Pair(_) => 4,
            Idiom::HighestBit => 1,
        };
        let count = if idiom == Idiom::HighestBit { 1 } else { 2 };
        if inst.argument_count() != arguments || results.len() != count {
            return Ok(false);
        }
        let mut operands = Vec::new();
        for index in 0..arguments {
            operands.push(self.scalar(inst.operand(index))?);
        }
        if results.iter().any(|&width| width != w) {
            return Ok(false);
        }
        let slots = match idiom {
            Idiom::Product => self.product(w, operands[0], operands[1]),
            Idiom::Pair(op) => self.pair(op, w, &operands),
            Idiom::HighestBit => vec![self.highest_bit(w, operands[0])],
        };
        self.define(inst, slots);
        Ok(true)
    }

    fn product(&mut self, w: u8, a: Slot, b: Slot) -> Vec<Slot> {
        let double = 2 * w;
        let (a, b) = (
            self.cast(CastOp::Zext, w, double, a),
            self.cast(CastOp::Zext, w, double, b),
        );
        let product = self.bin(BinOp::Mul, double, a, b);
        let distance = self.int(double, w.into());
        let high = self.bin(BinOp::LShr, double, product, distance);
        [product, high]
            .map(|word| self.cast(CastOp::Trunc, double, w, word))
            .to_vec()
    }

    fn pair(&mut self, op: BinOp, w: u8, operands: &[Slot]) -> Vec<Slot> {
        let (high_a, high_b, low_a, low_b) = (operands[0], operands[1], operands[2], operands[3]);
        let low = self.bin(op, w, low_a, low_b);
        // A sum that is less than a part has wrapped; a difference has if it took more than there was.
        let carry = match op {
            BinOp::Add => self.cmp(CmpOp::Ult, w, low, low_a),
            _ => self.cmp(CmpOp::Ult, w, low_a, low_b),
        };
        let carry = self.cast(CastOp::Zext, 1, w, carry);
        let high = self.bin(op, w, high_a, high_b);
        vec![self.bin(op, w, high, carry), low]
    }

    fn highest_bit(&mut self, w: u8, src: Slot) -> Slot {
        let dst = self.new_slot(w);
        let op = IntUnary::Ctlz;
        self.emit(Inst::Unary { op, w, dst, src });
        let top = self.int(w, u128::from(w) - 1);
        self.bin(BinOp::Sub, w, top, dst)
    }
}

/// The idiom that a text is, with the width of its words in bits.
fn idiom(text: &str, constraints: &str) -> Option<(Idiom, u8)> {
    // Size modifiers of operands repeat what the instruction's suffix says.
    let text = text.replace("${0:q}", "$0").replace("${1:q}", "$1");
    let text = text.replace("${0:k}", "$0").replace("${1:k}", "$1");
    let tied: Vec<&str> = constraints.split(',').collect();
    if constraints.contains('*') {
        return None;
    }
    match (&text[..], &tied[..]) {
        ("mulq $3", ["={ax}", "={dx}", "%0" | "0" | "{ax}", ..]) => Some((Idiom::Product, 64)),
        ("mull $3", ["={ax}", "={dx}", "%0" | "0" | "{ax}", ..]) => Some((Idiom::Product, 32)),
        (_, ["=r", "=&r", "0" | "%0", _, "1" | "%1", ..]) => match &text[..] {
            "addq $5, $1; adcq $3, $0" => Some((Idiom::Pair(BinOp::Add), 64)),
            "addl $5, $1; adcl $3, $0" => Some((Idiom::Pair(BinOp::Add), 32)),
            "subq $5, $1; sbbq $3, $0" => Some((Idiom::Pair(BinOp::Sub), 64)),
            "subl $5, $1; sbbl $3, $0" => Some((Idiom::Pair(BinOp::Sub), 32)),
            _ => None,
        },
        ("bsrq $1, $0", ["=r" | "=&r", ..]) => Some((Idiom::HighestBit, 64)),
        ("bsrl $1, $0", ["=r" | "=&r", ..]) => Some((Idiom::HighestBit, 32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_texts_with_tied_operands_are_idioms() {
        let pair = "=r,=&r,0,rme,%1,rme,~{flags}";
        let sum = "addq $5, ${1:q}; adcq $3, ${0:q}";
        assert_eq!(idiom(sum, pair), Some((Idiom::Pair(BinOp::Add), 64)));
        assert_eq!(idiom(sum, "=r,=&r,r,rme,r,rme"), None);
        assert_eq!(idiom("addq $5, $1; adcq $3, $0; nop", pair), None);
        let product = "={ax},={dx},{ax},imr,~{cc}";
        assert_eq!(idiom("mulq $3", product), Some((Idiom::Product, 64)));
        assert_eq!(idiom("mulq $3", "={ax},={dx},{ax},*m"), None);
        assert_eq!(idiom("bsrl $1, $0", "=r,r"), Some((Idiom::HighestBit, 32)));
    }
}
