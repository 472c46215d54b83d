//! Inline assembly of one shift or rotation, by a constant or by what is in cl.
//!
//! Invariant: as in `assembly`. The amount counts modulo 32 or 64, as the processor takes it.

use super::Gap;
use super::function::Body;
use crate::bitcode::llvm::Value;
use crate::ops::BinOp;
use crate::program::{FunnelOp, Inst, Slot};

/// What moves the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    Shift(BinOp),
    Rotation(FunnelOp),
}

/// Where the amount is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Amount {
    Constant(u32),
    /// In the first input; the second is the operand.
    FirstInput,
}

impl Body<'_, '_> {
    /// Lowers the instruction that `text` (normalised) is; false if it is none of these.
    pub fn lower_shift_assembly(
        &mut self,
        inst: Value,
        text: &str,
        constraints: &str,
        results: &[u8],
    ) -> Result<bool, Gap> {
        let (Some((how, w, amount)), [width]) = (shift(text, constraints), results) else {
            return Ok(false);
        };
        let inputs = match amount {
            Amount::Constant(_) => 1,
            Amount::FirstInput => 2,
        };
        if w != *width || inst.argument_count() != inputs {
            return Ok(false);
        }
        let src = self.scalar(inst.operand(inputs - 1))?;
        let amount = match amount {
            Amount::Constant(bits) => self.int(w, bits.into()),
            Amount::FirstInput => {
                let operand = inst.operand(0);
                let from = self.module.types.scalar(operand.ty())?.width();
                let slot = self.scalar(operand)?;
                self.resize(from, w, slot)
            }
        };
        let last = self.int(w, u128::from(w) - 1);
        let amount = self.bin(BinOp::And, w, amount, last);
        let slot = self.moved(how, w, src, amount);
        self.define(inst, vec![slot]);
        Ok(true)
    }

    fn moved(&mut self, how: Move, w: u8, src: Slot, amount: Slot) -> Slot {
        let op = match how {
            Move::Shift(op) => return self.bin(op, w, src, amount),
            Move::Rotation(op) => op,
        };
        let dst = self.new_slot(w);
        self.emit(Inst::Funnel {
            op,
            w,
            dst,
            high: src,
            low: src,
            shift: amount,
        });
        dst
    }
}

/// The instruction that a text is, with the width of its operand in bits.
fn shift(text: &str, constraints: &str) -> Option<(Move, u8, Amount)> {
    let (mnemonic, operands) = text.split_once(' ')?;
    let (amount, target) = operands.split_once(", ")?;
    if !matches!(target, "$0" | "${0:k}" | "${0:q}") {
        return None;
    }
    let w = match mnemonic.as_bytes().last()? {
        b'l' if mnemonic.len() == 4 => 32,
        b'q' => 64,
        _ => return None,
    };
    let how = match &mnemonic[..3] {
        "rol" => Move::Rotation(FunnelOp::Left),
        "ror" => Move::Rotation(FunnelOp::Right),
        "shl" | "sal" => Move::Shift(BinOp::Shl),
        "shr" => Move::Shift(BinOp::LShr),
        "sar" => Move::Shift(BinOp::AShr),
        _ => return None,
    };
    let tied: Vec<&str> = constraints
        .split(',')
        .filter(|part| !part.starts_with('~'))
        .collect();
    let amount = match (amount, &tied[..]) {
        (_, ["=r" | "=&r", "0"]) => Amount::Constant(amount.strip_prefix("$$")?.parse().ok()?),
        ("%cl", ["=r" | "=&r", "{cx}", "0"]) => Amount::FirstInput,
        (
            "$1" | "${1:b}",
            [
                "=r" | "=&r",
                "{cx}" | "I" | "J" | "i" | "cI" | "cJ" | "{cx}I" | "{cx}J",
                "0",
            ],
        ) => Amount::FirstInput,
        _ => return None,
    };
    Some((how, w, amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_instructions_on_tied_operands_count() {
        let flags = "=r,0,~{cc},~{flags}";
        let left = Move::Rotation(FunnelOp::Left);
        let expected = Some((left, 32, Amount::Constant(5)));
        assert_eq!(shift("roll $$5, $0", flags), expected);
        assert_eq!(shift("roll $$5, $0", "=r,r"), None);
        assert_eq!(shift("roll $$5, $0; nop", flags), None);
        assert_eq!(shift("rclq $$5, $0", flags), None);
        let right = Move::Shift(BinOp::LShr);
        let expected = Some((right, 64, Amount::FirstInput));
        assert_eq!(shift("shrq %cl, $0", "=r,{cx},0,~{flags}"), expected);
        assert_eq!(shift("shrq $1, $0", "=r,J,0"), expected);
    }
}
