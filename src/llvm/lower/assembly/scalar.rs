//! Inline assembly of SSE's instructions on one number: arithmetic, roots, conversions, comparisons
//! and moves.
//!
//! Invariant: as in `assembly_machine`. Of a register the lower 64 bits are known, and a number of
//! 32 bits leaves the bits above it as they are.

use super::super::function::Body;
use super::super::types::Scalar;
use super::machine::{Flags, Machine, Target};
use homi_ir::program::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Slot};

const ARITHMETIC: &[(&str, FloatOp)] = &[
    ("add", FloatOp::Add),
    ("sub", FloatOp::Sub),
    ("mul", FloatOp::Mul),
    ("div", FloatOp::Div),
];

/// Effect of an instruction on one number.
#[derive(Clone, Copy)]
enum Work {
    Arithmetic(FloatOp),
    /// The lesser, or the greater; the source where neither is.
    Choice(FloatCmp),
    Root,
    Move,
    Comparison,
    /// To an integer, cut off or rounded as is set.
    ToInteger(FloatUnary),
    FromInteger,
    /// To the other of the two types of numbers.
    Conversion,
}

/// Returns true if the instruction is supported.
pub fn is_known(name: &str) -> bool {
    work(name).is_some()
}

/// The work of an instruction, the type of its numbers, and the width of its integers where the
/// name says it.
fn work(name: &str) -> Option<(Work, FloatKind, Option<u8>)> {
    let conversion = |rest: &str, kind: FloatKind, work: Work| match rest {
        "" => Some((work, kind, None)),
        "l" => Some((work, kind, Some(32))),
        "q" => Some((work, kind, Some(64))),
        _ => None,
    };
    for (letters, kind) in [("sd", FloatKind::F64), ("ss", FloatKind::F32)] {
        if let Some(rest) = name.strip_prefix(&format!("cvt{letters}2si")) {
            return conversion(rest, kind, Work::ToInteger(FloatUnary::Rint));
        }
        if let Some(rest) = name.strip_prefix(&format!("cvtt{letters}2si")) {
            return conversion(rest, kind, Work::ToInteger(FloatUnary::Trunc));
        }
        if let Some(rest) = name.strip_prefix(&format!("cvtsi2{letters}")) {
            return conversion(rest, kind, Work::FromInteger);
        }
        let Some(stem) = name.strip_suffix(letters) else {
            continue;
        };
        let arithmetic = ARITHMETIC.iter().find(|entry| entry.0 == stem);
        let work = match stem {
            "min" => Work::Choice(FloatCmp::Olt),
            "max" => Work::Choice(FloatCmp::Ogt),
            "sqrt" => Work::Root,
            "mov" => Work::Move,
            "comi" | "ucomi" => Work::Comparison,
            // The names say what is converted first: `cvtsd2ss`.
            "cvtsd2" | "cvtss2" => Work::Conversion,
            _ => Work::Arithmetic(arithmetic?.1),
        };
        return Some((work, kind, None));
    }
    None
}

impl Body<'_, '_> {
    /// Executes an instruction that `is_known`. `shown` is the width that its operands show.
    pub fn scalar_step(
        &mut self,
        machine: &mut Machine,
        name: &str,
        targets: &[Target],
        shown: Option<u8>,
    ) -> Option<()> {
        let (work, kind, width) = work(name)?;
        let [source, target] = *targets else {
            return None;
        };
        let w = kind.width() as u8;
        if !matches!(work, Work::ToInteger(_) | Work::Move) {
            self.set_direction(machine);
        }
        let integer = width.or(shown.filter(|w| matches!(w, 32 | 64)));
        if matches!(work, Work::FromInteger) {
            // An operand in memory without a suffix is one of 32 bits.
            let integer = width.or(match source {
                Target::Memory(_) => Some(32),
                _ => integer,
            })?;
            let value = self.read(machine, source, integer);
            let (from, to) = (Scalar::Int(integer), Scalar::Float(kind));
            let number = self.emit_float_cast(FloatCastOp::FromSigned, from, to, value);
            return self.write_number(machine, target, w, number.ok()?);
        }
        if let Work::Conversion = work {
            let other = match kind {
                FloatKind::F64 => FloatKind::F32,
                _ => FloatKind::F64,
            };
            let value = self.read(machine, source, other.width() as u8);
            let (from, to) = (Scalar::Float(other), Scalar::Float(kind));
            let number = self.emit_float_cast(FloatCastOp::Convert, from, to, value);
            return self.write_number(machine, target, w, number.ok()?);
        }
        let b = self.read(machine, source, w);
        let result = match work {
            Work::Root => self.float_unary(FloatUnary::Sqrt, kind, b),
            Work::Move => b,
            Work::ToInteger(rounding) => {
                let integer = integer?;
                let rounded = match rounding {
                    FloatUnary::Rint => self.rounded_as_set(machine, kind, b),
                    _ => self.float_unary(rounding, kind, b),
                };
                let (from, to) = (Scalar::Float(kind), Scalar::Int(integer));
                let number = self.emit_float_cast(FloatCastOp::ToSigned, from, to, rounded);
                return self
                    .write(machine, target, integer, number.ok()?)
                    .then_some(());
            }
            Work::Arithmetic(op) => {
                let a = self.read(machine, target, w);
                self.float(op, kind, a, b)
            }
            Work::Choice(order) => {
                let a = self.read(machine, target, w);
                let is_first = self.float_cmp(order, kind, a, b);
                self.select(w, is_first, a, b)
            }
            _ => {
                let a = self.read(machine, target, w);
                machine.flags = self.flags_of_numbers(kind, a, b);
                return Some(());
            }
        };
        self.write_number(machine, target, w, result)
    }

    /// Returns the flags after a comparison of two numbers.
    pub fn flags_of_numbers(&mut self, kind: FloatKind, a: Slot, b: Slot) -> Flags {
        Flags {
            carry: Some(self.float_cmp(FloatCmp::Ult, kind, a, b)),
            zero: Some(self.float_cmp(FloatCmp::Ueq, kind, a, b)),
            overflow: Some(self.int(1, 0)),
            parity: Some(self.float_cmp(FloatCmp::Uno, kind, a, b)),
            sign: Some(self.int(1, 0)),
            result: None,
        }
    }

    /// Writes a number into the low part of a register; the rest stays, unlike in a general one.
    fn write_number(
        &mut self,
        machine: &mut Machine,
        target: Target,
        w: u8,
        number: Slot,
    ) -> Option<()> {
        if let (Target::Register { index, low: 0 }, 32) = (target, w) {
            let rest = self.bits(machine.registers[index], 64, 32, 32);
            machine.registers[index] = self.join(&[number, rest], 32, 64);
            return Some(());
        }
        self.write(machine, target, w, number).then_some(())
    }
}
