//! Inline assembly of the x87's stack: loads, stores, arithmetic, comparisons, rounding to
//! integers, and the control words of both floating-point units.
//!
//! Invariant: every number of the stack is one of 80 bits. A read below the stack's end is not
//! understood, never a guess. Of control words only the direction of rounding counts, which both
//! units share here; what a control word says of masks and precision is as at a program's start.

use super::super::function::Body;
use super::super::types::Scalar;
use super::machine::{Machine, Target};
use super::text::{Instruction, Word};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, FloatCastOp, FloatKind, FloatOp, FloatUnary, Inst, Slot};

const X87: Scalar = Scalar::Float(FloatKind::X87);

/// Constants that instructions load.
const CONSTANTS: &[(&str, u128)] = &[
    ("fldz", 0),
    ("fld1", 0x3fff_8000_0000_0000_0000),
    ("fldpi", 0x4000_c90f_daa2_2168_c235),
    ("fldl2e", 0x3fff_b8aa_3b29_5c17_f0bc),
    ("fldl2t", 0x4000_d49a_784b_cd1b_8afe),
    ("fldlg2", 0x3ffd_9a20_9a84_fbcf_f799),
    ("fldln2", 0x3ffe_b172_17f7_d1cf_79ac),
];

const UNARY: &[(&str, FloatUnary)] = &[
    ("fabs", FloatUnary::Abs),
    ("fchs", FloatUnary::Neg),
    ("fsqrt", FloatUnary::Sqrt),
    ("frndint", FloatUnary::Rint),
];

const ARITHMETIC: &[(&str, FloatOp)] = &[
    ("fadd", FloatOp::Add),
    ("fsub", FloatOp::Sub),
    ("fmul", FloatOp::Mul),
    ("fdiv", FloatOp::Div),
];

/// Returns true if the instruction is a supported x87 instruction.
pub fn is_known(name: &str) -> bool {
    CONSTANTS.iter().any(|entry| entry.0 == name)
        || UNARY.iter().any(|entry| entry.0 == name)
        || arithmetic(name).is_some()
        || control_word(name).is_some()
        || is_move(name)
        || matches!(name, "fnstsw" | "fstsw")
        || matches!(name, "fxch" | "fprem" | "fnclex" | "fninit" | "fnop")
        || matches!(
            name,
            "fcomi" | "fcomip" | "fcompi" | "fucomi" | "fucomip" | "fucompi"
        )
}

/// Returns true if the instruction is a move such as `fld`, `fstp` or `fistl`.
fn is_move(name: &str) -> bool {
    let stems = ["fisttp", "fistp", "fist", "fild", "fstp", "fst", "fld"];
    let rests = stems.iter().filter_map(|stem| name.strip_prefix(stem));
    rests
        .into_iter()
        .any(|rest| matches!(rest, "" | "s" | "l" | "t" | "ll" | "q"))
}

/// Returns the operation of an arithmetic instruction such as `fadd`, `fsubr` or `fdivrp`; whether
/// it is reversed, and pops; the width of its operand in memory.
fn arithmetic(name: &str) -> Option<(FloatOp, bool, bool, Option<u8>)> {
    let (_, op) = *ARITHMETIC.iter().find(|entry| name.starts_with(entry.0))?;
    let rest = &name[4..];
    let is_reversed = rest.starts_with('r') && matches!(op, FloatOp::Sub | FloatOp::Div);
    let rest = if is_reversed { &rest[1..] } else { rest };
    match rest {
        "" => Some((op, is_reversed, false, None)),
        "p" => Some((op, is_reversed, true, None)),
        "s" => Some((op, is_reversed, false, Some(32))),
        "l" => Some((op, is_reversed, false, Some(64))),
        _ => None,
    }
}

/// The width and the usual value of the word that an instruction stores or loads.
fn control_word(name: &str) -> Option<(u8, u128)> {
    match name {
        "fnstcw" | "fstcw" | "fldcw" => Some((16, 0x37f)),
        "stmxcsr" | "ldmxcsr" => Some((32, 0x1f80)),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Executes an instruction that `is_known`.
    pub fn x87_step(&mut self, machine: &mut Machine, instruction: &Instruction) -> Option<()> {
        let name = instruction.name.as_str();
        if let Some((_, bits)) = CONSTANTS.iter().find(|entry| entry.0 == name) {
            let constant = self.int(80, *bits);
            machine.stack.push(constant);
            return Some(());
        }
        if let Some((_, op)) = UNARY.iter().find(|entry| entry.0 == name) {
            let top = machine.stack.pop()?;
            let result = match op {
                FloatUnary::Rint => self.rounded_as_set(machine, FloatKind::X87, top),
                FloatUnary::Sqrt => {
                    self.set_direction(machine);
                    self.float_unary(*op, FloatKind::X87, top)
                }
                _ => self.float_unary(*op, FloatKind::X87, top),
            };
            machine.stack.push(result);
            return Some(());
        }
        if let Some(word) = control_word(name) {
            return self.control_word_step(machine, instruction, word);
        }
        if let Some(operation) = arithmetic(name) {
            return self.x87_arithmetic(machine, instruction, operation);
        }
        match name {
            "fnclex" | "fnop" => Some(()),
            "fninit" => {
                machine.stack.clear();
                Some(())
            }
            "fxch" => {
                let other = machine.stack_place(instruction.operands.first(), 1)?;
                let top = machine.stack.len() - 1;
                machine.stack.swap(top, other);
                Some(())
            }
            "fprem" => self.partial_rest(machine),
            "fnstsw" | "fstsw" => self.status_word(machine, instruction),
            _ if name.contains("com") => self.x87_comparison(machine, instruction),
            _ => self.x87_move(machine, instruction),
        }
    }

    /// Executes moves between the stack and memory, or within the stack: `fld`, `fst`, `fild`,
    /// `fist` and their popping forms.
    fn x87_move(&mut self, machine: &mut Machine, instruction: &Instruction) -> Option<()> {
        let [word] = &instruction.operands[..] else {
            return None;
        };
        let name = instruction.name.as_str();
        if matches!(word, Word::Stack(_)) {
            let place = machine.stack_place(Some(word), 0)?;
            match name {
                "fld" => machine.stack.push(machine.stack[place]),
                "fst" => machine.stack[place] = *machine.stack.last()?,
                "fstp" => {
                    machine.stack[place] = *machine.stack.last()?;
                    machine.stack.pop();
                }
                _ => return None,
            }
            return Some(());
        }
        let (target, _) = self.target(machine, word)?;
        let Target::Memory(addr) = target else {
            return None;
        };
        if let Some(rest) = name.strip_prefix("fild") {
            let w = integer_width(rest)?;
            let dst = self.new_slot(w);
            self.emit(Inst::Load { w, dst, addr });
            let number = self.converted(FloatCastOp::FromSigned, Scalar::Int(w), X87, dst)?;
            machine.stack.push(number);
            return Some(());
        }
        if let Some(rest) = name.strip_prefix("fld") {
            let kind = float_kind(rest)?;
            let (w, dst) = (kind.width() as u8, self.new_slot(kind.width() as u8));
            self.emit(Inst::Load { w, dst, addr });
            let number = self.in_80_bits(Scalar::Float(kind), dst)?;
            machine.stack.push(number);
            return Some(());
        }
        let top = *machine.stack.last()?;
        let (w, src, pops) = match name.strip_prefix("fist") {
            Some(rest) => self.whole_number(machine, rest, top)?,
            None => {
                let rest = name.strip_prefix("fst")?;
                let (rest, pops) = without_pop(rest);
                let kind = float_kind(rest)?;
                self.set_direction(machine);
                let number = self.rounded_from_80_bits(Scalar::Float(kind), top)?;
                (kind.width() as u8, number, pops)
            }
        };
        self.emit(Inst::Store { w, addr, src });
        if pops {
            machine.stack.pop();
        }
        Some(())
    }

    /// The integer of `fist...`: its width, its value, and whether the instruction pops. `fisttp`
    /// cuts off; the others round as is set. A value that does not fit becomes the least number.
    fn whole_number(
        &mut self,
        machine: &Machine,
        rest: &str,
        top: Slot,
    ) -> Option<(u8, Slot, bool)> {
        let (rounding, rest, pops) = match rest.strip_prefix("tp") {
            Some(rest) => (FloatUnary::Trunc, rest, true),
            None => {
                let (rest, pops) = without_pop(rest);
                (FloatUnary::Rint, rest, pops)
            }
        };
        let w = integer_width(rest)?;
        let rounded = match rounding {
            FloatUnary::Rint => self.rounded_as_set(machine, FloatKind::X87, top),
            _ => self.float_unary(rounding, FloatKind::X87, top),
        };
        let wide = w.max(32);
        let number = self.converted(FloatCastOp::ToSigned, X87, Scalar::Int(wide), rounded)?;
        if wide == w {
            return Some((w, number, pops));
        }
        let low = self.cast(CastOp::Trunc, wide, w, number);
        let back = self.cast(CastOp::Sext, w, wide, low);
        let fits = self.cmp(CmpOp::Eq, wide, back, number);
        let least = self.int(w, 1 << (w - 1));
        Some((w, self.select(w, fits, low, least), pops))
    }

    /// The result is in the last operand. AT&T's names of the reversed operations are exchanged
    /// where that is not the top.
    fn x87_arithmetic(
        &mut self,
        machine: &mut Machine,
        instruction: &Instruction,
        (op, is_reversed, pops, width): (FloatOp, bool, bool, Option<u8>),
    ) -> Option<()> {
        self.set_direction(machine);
        let top = machine.stack.len().checked_sub(1)?;
        let (source, place) = match (&instruction.operands[..], width) {
            ([word], Some(w)) => {
                let (Target::Memory(addr), _) = self.target(machine, word)? else {
                    return None;
                };
                let dst = self.new_slot(w);
                self.emit(Inst::Load { w, dst, addr });
                let kind = float_kind(if w == 32 { "s" } else { "l" })?;
                (self.in_80_bits(Scalar::Float(kind), dst)?, top)
            }
            ([], None) => (machine.stack[top], top.checked_sub(1)?),
            ([word], None) if pops => (machine.stack[top], machine.stack_place(Some(word), 1)?),
            ([word], None) => (machine.stack[machine.stack_place(Some(word), 0)?], top),
            ([from, to], None) => {
                let from = machine.stack_place(Some(from), 0)?;
                (machine.stack[from], machine.stack_place(Some(to), 0)?)
            }
            _ => return None,
        };
        // Without operands the popping form is meant.
        let pops = pops || (instruction.operands.is_empty() && width.is_none());
        let old = machine.stack[place];
        let (a, b) = if is_reversed != (place != top) {
            (source, old)
        } else {
            (old, source)
        };
        machine.stack[place] = self.float(op, FloatKind::X87, a, b);
        if pops {
            machine.stack.pop();
        }
        Some(())
    }

    /// Comparisons that set the processor's flags: the top with another place.
    fn x87_comparison(&mut self, machine: &mut Machine, instruction: &Instruction) -> Option<()> {
        let place = machine.stack_place(instruction.operands.first(), 1)?;
        let (a, b) = (*machine.stack.last()?, machine.stack[place]);
        machine.flags = self.flags_of_numbers(FloatKind::X87, a, b);
        if instruction.name.ends_with('p') || instruction.name.ends_with("pi") {
            machine.stack.pop();
        }
        Some(())
    }

    /// `fprem` in one step: the rest of the division of the top by the number below it, as C's
    /// `fmod`. Of the status word only what says whether something is left to do is known then.
    fn partial_rest(&mut self, machine: &mut Machine) -> Option<()> {
        let top = machine.stack.len().checked_sub(1)?;
        let (x, y) = (machine.stack[top], machine.stack[top.checked_sub(1)?]);
        machine.stack[top] = self.float(FloatOp::Rem, FloatKind::X87, x, y);
        machine.rest_is_taken = true;
        Some(())
    }

    /// Writes the status word after `fprem`: the reduction is complete. Its other bits are 0 here;
    /// programs that compute a remainder read no other bit.
    fn status_word(&mut self, machine: &mut Machine, instruction: &Instruction) -> Option<()> {
        let [word] = &instruction.operands[..] else {
            return None;
        };
        machine.rest_is_taken.then_some(())?;
        let (target, _) = self.target(machine, word)?;
        let zero = self.int(16, 0);
        self.write(machine, target, 16, zero).then_some(())
    }

    /// Control words hold the direction of rounding, as `fegetround` gives it, at bit 10 or 13.
    fn control_word_step(
        &mut self,
        machine: &mut Machine,
        instruction: &Instruction,
        (w, usual): (u8, u128),
    ) -> Option<()> {
        let [word] = &instruction.operands[..] else {
            return None;
        };
        let (Target::Memory(addr), _) = self.target(machine, word)? else {
            return None;
        };
        let shift = if w == 16 { 0 } else { 3 };
        if instruction.name.contains("ld") {
            let dst = self.new_slot(w);
            self.emit(Inst::Load { w, dst, addr });
            let mode = self.bits(dst, w, 10 + shift, 2);
            machine.direction = Some(mode);
            return Some(());
        }
        self.set_direction(machine);
        let mode = self.call_word_function("fegetround", &[]);
        let mode = self.shift_left(mode, 32, shift);
        let mode = self.resize(32, w, mode);
        let usual = self.int(w, usual);
        let src = self.bin(BinOp::Or, w, mode, usual);
        self.emit(Inst::Store { w, addr, src });
        Some(())
    }

    /// Sets the direction that the statement has loaded for all following code.
    pub fn set_direction(&mut self, machine: &mut Machine) {
        if let Some(direction) = machine.direction.take() {
            let mode = self.cast(CastOp::Zext, 2, 32, direction);
            let mode = self.shift_left(mode, 32, 10);
            self.call_word_function("fesetround", &[mode]);
        }
    }

    /// A number without its fraction, rounded in the direction that the statement has loaded, or as
    /// is set. Where a statement loads one, rounds, and loads the old one, symbolic numbers stay.
    pub fn rounded_as_set(&mut self, machine: &Machine, kind: FloatKind, value: Slot) -> Slot {
        let Some(direction) = machine.direction else {
            return self.float_unary(FloatUnary::Rint, kind, value);
        };
        let ways = [
            FloatUnary::RoundEven,
            FloatUnary::Floor,
            FloatUnary::Ceil,
            FloatUnary::Trunc,
        ];
        let results = ways.map(|way| self.float_unary(way, kind, value));
        self.pick(kind.width() as u8, &results, 2, direction)
    }

    fn converted(
        &mut self,
        op: FloatCastOp,
        from: Scalar,
        to: Scalar,
        value: Slot,
    ) -> Option<Slot> {
        self.emit_float_cast(op, from, to, value).ok()
    }

    /// A number in 80 bits.
    pub fn in_80_bits(&mut self, from: Scalar, value: Slot) -> Option<Slot> {
        if from == X87 {
            Some(value)
        } else {
            self.converted(FloatCastOp::Convert, from, X87, value)
        }
    }

    /// A number of 80 bits, rounded to another type.
    pub fn rounded_from_80_bits(&mut self, to: Scalar, value: Slot) -> Option<Slot> {
        if to == X87 {
            Some(value)
        } else {
            self.converted(FloatCastOp::Convert, X87, to, value)
        }
    }
}

fn without_pop(rest: &str) -> (&str, bool) {
    match rest.strip_prefix('p') {
        Some(rest) => (rest, true),
        None => (rest, false),
    }
}

fn float_kind(suffix: &str) -> Option<FloatKind> {
    match suffix {
        "s" => Some(FloatKind::F32),
        "l" => Some(FloatKind::F64),
        "t" => Some(FloatKind::X87),
        _ => None,
    }
}

fn integer_width(suffix: &str) -> Option<u8> {
    match suffix {
        "s" => Some(16),
        "l" => Some(32),
        "ll" | "q" => Some(64),
        _ => None,
    }
}
