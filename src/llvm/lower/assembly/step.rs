//! Effect of one integer instruction of inline assembly on the registers, memory and flags of an
//! `assembly_machine`.
//!
//! Invariant: as there. The processor's manuals define the flags; flags that they leave undefined
//! are unknown here.

use super::super::function::Body;
use super::super::types::Scalar;
use super::machine::{Flags, Machine, Target};
use super::text::{Instruction, LABEL, is_jump};
use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_ir::program::{CastOp, FunnelOp, Inst, IntUnary, Slot};

/// Names with a fixed meaning, suffixes for widths cut off; `setCC` and `cmovCC` come with them.
const KNOWN: &[&str] = &[
    "mov",
    "movabs",
    "movzbl",
    "movzwl",
    "movzbq",
    "movzwq",
    "movsbl",
    "movswl",
    "movsbq",
    "movswq",
    "movslq",
    "lea",
    "xchg",
    "add",
    "adc",
    "sub",
    "sbb",
    "cmp",
    "test",
    "and",
    "or",
    "xor",
    "not",
    "neg",
    "inc",
    "dec",
    "mul",
    "imul",
    "div",
    "idiv",
    "cltd",
    "cqto",
    "cdq",
    "cqo",
    "shl",
    "sal",
    "shr",
    "sar",
    "rol",
    "ror",
    "shld",
    "shrd",
    "bswap",
    "bsf",
    "bsr",
    "tzcnt",
    "lzcnt",
    "popcnt",
    "bt",
    "bts",
    "btr",
    "btc",
    "xadd",
    "cmpxchg",
    "cpuid",
    "rdtsc",
    "rdtscp",
    "xgetbv",
    "stc",
    "clc",
    "cmc",
    "syscall",
    "push",
    "pop",
    "pushf",
    "popf",
    "cbtw",
    "cwtl",
    "cltq",
    "cwtd",
    "std",
    "ud2",
    "int3",
    "int",
    "cmpxchg8b",
    "cmpxchg16b",
    LABEL,
];

/// Instructions that wait, order accesses or set what nothing here depends on.
pub const WITHOUT_EFFECT: &[&str] = &[
    "pause", "nop", "mfence", "lfence", "sfence", "cld", "rep nop", "repz nop",
];

/// Returns true if the instruction is supported, whatever its operands are.
pub fn is_known(instruction: &Instruction) -> bool {
    let name = instruction.name.as_str();
    KNOWN.contains(&name)
        || WITHOUT_EFFECT.contains(&name)
        || super::string_names::is_known(name)
        || name.starts_with("set")
        || name.starts_with("cmov")
        || is_jump(name)
        || super::x87::is_known(name)
        || super::scalar::is_known(name)
}

/// The operands of one instruction with the width in bits at which it works.
struct Step {
    targets: Vec<Target>,
    w: u8,
}

impl Step {
    /// The last operand, which is written.
    fn destination(&self) -> Option<Target> {
        self.targets.last().copied()
    }
}

impl Body<'_, '_> {
    /// A jump to a label of the function. Only further jumps may follow a conditional one, since
    /// other instructions would have to be undone at its target.
    fn jump_to_label(&mut self, machine: &mut Machine, instruction: &Instruction) -> Option<()> {
        let [word] = &instruction.operands[..] else {
            return None;
        };
        let label = self.label(machine, word)?;
        let condition = match instruction.name.strip_prefix('j')? {
            "mp" => self.int(1, 1),
            condition => self.condition(machine, condition)?,
        };
        machine.jumps.push((condition, label));
        Some(())
    }

    /// Executes an instruction; `None` if its operands are unsupported.
    pub fn assembly_step(
        &mut self,
        machine: &mut Machine,
        instruction: &Instruction,
    ) -> Option<()> {
        if is_jump(&instruction.name) {
            return self.jump_to_label(machine, instruction);
        }
        if !machine.jumps.is_empty() {
            return None;
        }
        if super::x87::is_known(&instruction.name) {
            return self.x87_step(machine, instruction);
        }
        let (mut targets, mut shown) = (Vec::new(), None);
        for word in &instruction.operands {
            let (target, width) = self.target(machine, word)?;
            targets.push(target);
            shown = width.or(shown);
        }
        let name = instruction.name.as_str();
        if targets.is_empty() {
            return self.plain(machine, name);
        }
        if let "push" | "pop" | "int" | "cmpxchg8b" | "cmpxchg16b" = name {
            let width = instruction.width.or(shown).unwrap_or(64);
            return self.whole_operand(machine, name, targets[0], width);
        }
        if super::scalar::is_known(name) {
            let shown = instruction.width.or(shown);
            return self.scalar_step(machine, name, &targets, shown);
        }
        if let Some(condition) = name.strip_prefix("set") {
            let flag = self.condition(machine, condition)?;
            let byte = self.cast(CastOp::Zext, 1, 8, flag);
            return self.write(machine, targets[0], 8, byte).then_some(());
        }
        if let Some((from, to, fill)) = widening(name) {
            let value = self.read(machine, targets[0], from);
            let value = self.cast(fill, from, to, value);
            return self
                .write(machine, *targets.get(1)?, to, value)
                .then_some(());
        }
        let w = match name {
            "movabs" => 64,
            _ => instruction.width.or(shown)?,
        };
        let step = Step { targets, w };
        match name.strip_prefix("cmov") {
            Some(condition) => self.conditional(machine, &step, condition),
            None => self.arithmetic(machine, name, &step),
        }
    }

    /// Executes an instruction without operands.
    fn plain(&mut self, machine: &mut Machine, name: &str) -> Option<()> {
        let set = |body: &mut Self, machine: &mut Machine, names: &[&str]| {
            for name in names {
                let index = body.register(machine, name);
                machine.registers[index] = body.int(64, 0);
            }
        };
        match name {
            "cld" | "std" => machine.is_backwards = name == "std",
            _ if WITHOUT_EFFECT.contains(&name) => {}
            // A processor without any feature, so that programs take their portable path; its clock
            // stands still.
            "cpuid" => set(self, machine, &["ax", "bx", "cx", "dx"]),
            "rdtsc" | "xgetbv" => set(self, machine, &["ax", "dx"]),
            "rdtscp" => set(self, machine, &["ax", "dx", "cx"]),
            "stc" | "clc" => machine.flags.carry = Some(self.int(1, u128::from(name == "stc"))),
            "cltd" | "cdq" => self.sign_into_dx(machine, 32)?,
            "cqto" | "cqo" => self.sign_into_dx(machine, 64)?,
            "cmc" => machine.flags.carry = Some(self.not(machine.flags.carry?)),
            "syscall" => self.system_call(machine)?,
            "cbtw" => self.widen_accumulator(machine, 8)?,
            "cwtl" => self.widen_accumulator(machine, 16)?,
            "cltq" => self.widen_accumulator(machine, 32)?,
            "cwtd" => self.sign_into_dx(machine, 16)?,
            "pushf" => {
                let flags = self.flags_word(machine)?;
                machine.pushed.push(flags);
            }
            "popf" => {
                let flags = machine.pushed.pop()?;
                self.set_flags_word(machine, flags);
            }
            "ud2" | "int3" => self.emit(Inst::Trap),
            _ => self.string_step(machine, name)?,
        }
        Some(())
    }

    /// `syscall`: the modeled kernel with the number and six words; the answer is in ax.
    fn system_call(&mut self, machine: &mut Machine) -> Option<()> {
        let words = ["ax", "di", "si", "dx", "r10", "r8", "r9"].map(|name| {
            let index = self.register(machine, name);
            (machine.registers[index], Scalar::Int(64))
        });
        let number = self.known_int(words[0].0);
        let syscall_entry = self
            .module
            .kernel_syscall_entry(number.map(|number| number as u64))?;
        let answer = self.call_function(syscall_entry, words.to_vec(), Some(64))[0];
        for (name, value) in [
            ("ax", answer),
            ("cx", self.int(64, 0)),
            ("r11", self.int(64, 0)),
        ] {
            let index = self.register(machine, name);
            machine.registers[index] = value;
        }
        Some(())
    }

    fn conditional(&mut self, machine: &mut Machine, step: &Step, condition: &str) -> Option<()> {
        let condition = condition
            .strip_suffix(['l', 'q', 'w'])
            .filter(|rest| !rest.is_empty())
            .unwrap_or(condition);
        let flag = self.condition(machine, condition)?;
        let (target, w) = (step.destination()?, step.w);
        let (new, old) = (
            self.read(machine, step.targets[0], w),
            self.read(machine, target, w),
        );
        let value = self.select(w, flag, new, old);
        self.write(machine, target, w, value).then_some(())
    }

    fn arithmetic(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.destination()?);
        match (name, step.targets.len()) {
            ("mov" | "movabs", 2) => {
                let value = self.read(machine, step.targets[0], w);
                self.write(machine, target, w, value).then_some(())
            }
            ("lea", 2) => {
                let Target::Memory(address) = step.targets[0] else {
                    return None;
                };
                let value = self.bits(address, 64, 0, w);
                self.write(machine, target, w, value).then_some(())
            }
            ("xchg" | "xadd", 2) => self.exchange(machine, step, name == "xadd"),
            ("cmpxchg", 2) => self.compare_exchange(machine, step),
            ("add" | "adc" | "sub" | "sbb" | "cmp", 2) => {
                self.sum_or_difference(machine, name, step)
            }
            ("and" | "or" | "xor" | "test", 2) => self.logic(machine, name, step),
            ("not" | "neg" | "inc" | "dec" | "bswap", 1) => self.single(machine, name, step),
            ("mul" | "imul" | "div" | "idiv", 1) => self.one_operand(machine, name, step),
            ("imul", 2 | 3) => {
                let (a, b) = (
                    self.read(machine, step.targets[0], w),
                    self.read(machine, step.targets[1], w),
                );
                let product = self.flagged_product(machine, w, a, b);
                self.write(machine, target, w, product).then_some(())
            }
            ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", 2) => self.count(machine, name, step),
            ("bt" | "bts" | "btr" | "btc", 2) => self.bit(machine, name, step),
            ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", 1 | 2) | ("shld" | "shrd", 3) => {
                self.moved_bits(machine, name, step)
            }
            _ => None,
        }
    }

    fn exchange(&mut self, machine: &mut Machine, step: &Step, is_sum: bool) -> Option<()> {
        let (w, source, target) = (step.w, step.targets[0], step.targets[1]);
        let (a, b) = (self.read(machine, source, w), self.read(machine, target, w));
        let new = if is_sum {
            self.flagged_sum(machine, w, b, a, None)
        } else {
            a
        };
        (self.write(machine, source, w, b) && self.write(machine, target, w, new)).then_some(())
    }

    fn compare_exchange(&mut self, machine: &mut Machine, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[1]);
        let index = self.register(machine, "ax");
        let expected_at = Target::Register { index, low: 0 };
        let (new, old) = (
            self.read(machine, step.targets[0], w),
            self.read(machine, target, w),
        );
        let expected = self.read(machine, expected_at, w);
        self.flagged_difference(machine, w, expected, old, None);
        let same = self.cmp(CmpOp::Eq, w, expected, old);
        let stored = self.select(w, same, new, old);
        self.write(machine, target, w, stored).then_some(())?;
        let kept = self.select(w, same, expected, old);
        self.write(machine, expected_at, w, kept).then_some(())
    }

    fn sum_or_difference(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[1]);
        let carry = match name {
            "adc" | "sbb" => Some(machine.flags.carry?),
            _ => None,
        };
        let (b, a) = (
            self.read(machine, step.targets[0], w),
            self.read(machine, target, w),
        );
        let result = match name {
            "add" | "adc" => self.flagged_sum(machine, w, a, b, carry),
            _ => self.flagged_difference(machine, w, a, b, carry),
        };
        (name == "cmp" || self.write(machine, target, w, result)).then_some(())
    }

    fn flagged_sum(
        &mut self,
        machine: &mut Machine,
        w: u8,
        a: Slot,
        b: Slot,
        carry: Option<Slot>,
    ) -> Slot {
        let mut sum = self.bin(BinOp::Add, w, a, b);
        let mut out = self.cmp(CmpOp::Ult, w, sum, a);
        if let Some(carry) = carry {
            let carry = self.cast(CastOp::Zext, 1, w, carry);
            let before = sum;
            sum = self.bin(BinOp::Add, w, sum, carry);
            let wrapped = self.cmp(CmpOp::Ult, w, sum, before);
            out = self.bin(BinOp::Or, 1, out, wrapped);
        }
        let [x, y] = [a, b].map(|operand| self.bin(BinOp::Xor, w, operand, sum));
        self.set_flags(machine, w, sum, out, [x, y]);
        sum
    }

    pub fn flagged_difference(
        &mut self,
        machine: &mut Machine,
        w: u8,
        a: Slot,
        b: Slot,
        borrow: Option<Slot>,
    ) -> Slot {
        let mut difference = self.bin(BinOp::Sub, w, a, b);
        let mut out = self.cmp(CmpOp::Ult, w, a, b);
        if let Some(borrow) = borrow {
            let borrow = self.cast(CastOp::Zext, 1, w, borrow);
            let wrapped = self.cmp(CmpOp::Ult, w, difference, borrow);
            difference = self.bin(BinOp::Sub, w, difference, borrow);
            out = self.bin(BinOp::Or, 1, out, wrapped);
        }
        let [x, y] = [b, difference].map(|operand| self.bin(BinOp::Xor, w, a, operand));
        self.set_flags(machine, w, difference, out, [x, y]);
        difference
    }

    /// Overflow is the sign of both of two words.
    fn set_flags(
        &mut self,
        machine: &mut Machine,
        w: u8,
        result: Slot,
        carry: Slot,
        signs: [Slot; 2],
    ) {
        let both = self.bin(BinOp::And, w, signs[0], signs[1]);
        let overflow = Some(self.bits(both, w, w - 1, 1));
        machine.flags = Flags {
            carry: Some(carry),
            overflow,
            result: Some((w, result)),
            ..Flags::default()
        };
    }

    fn logic(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[1]);
        let (b, a) = (
            self.read(machine, step.targets[0], w),
            self.read(machine, target, w),
        );
        let op = match name {
            "or" => BinOp::Or,
            "xor" => BinOp::Xor,
            _ => BinOp::And,
        };
        let result = self.bin(op, w, a, b);
        let clear = Some(self.int(1, 0));
        machine.flags = Flags {
            carry: clear,
            overflow: clear,
            result: Some((w, result)),
            ..Flags::default()
        };
        (name == "test" || self.write(machine, target, w, result)).then_some(())
    }

    fn single(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[0]);
        let value = self.read(machine, target, w);
        let (zero, one) = (self.int(w, 0), self.int(w, 1));
        let carry = machine.flags.carry;
        let result = match name {
            "not" => {
                let ones = self.int(w, u128::MAX);
                self.bin(BinOp::Xor, w, value, ones)
            }
            "bswap" if w >= 32 => self.one(IntUnary::Bswap, w, value),
            "bswap" => return None,
            "neg" => self.flagged_difference(machine, w, zero, value, None),
            "inc" => self.flagged_sum(machine, w, value, one, None),
            _ => self.flagged_difference(machine, w, value, one, None),
        };
        if matches!(name, "inc" | "dec") {
            machine.flags.carry = carry;
        }
        self.write(machine, target, w, result).then_some(())
    }

    fn one(&mut self, op: IntUnary, w: u8, src: Slot) -> Slot {
        let dst = self.new_slot(w);
        self.emit(Inst::Unary { op, w, dst, src });
        dst
    }

    /// All bits of dx become the sign of ax.
    fn sign_into_dx(&mut self, machine: &mut Machine, w: u8) -> Option<()> {
        let [low, high] = self.double_register(machine);
        let value = self.read(machine, low, w);
        let last = self.int(w, u128::from(w) - 1);
        let sign = self.bin(BinOp::AShr, w, value, last);
        self.write(machine, high, w, sign).then_some(())
    }

    /// ax and dx.
    fn double_register(&mut self, machine: &mut Machine) -> [Target; 2] {
        ["ax", "dx"].map(|name| {
            let index = self.register(machine, name);
            Target::Register { index, low: 0 }
        })
    }

    /// Products and quotients in dx and ax.
    fn one_operand(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let w = step.w;
        if w < 32 {
            return None;
        }
        if matches!(name, "div" | "idiv") {
            return self.division(machine, name == "idiv", step);
        }
        let [low, high] = self.double_register(machine);
        let double = 2 * w;
        let operand = self.read(machine, step.targets[0], w);
        let value = self.read(machine, low, w);
        let fill = if name == "imul" {
            CastOp::Sext
        } else {
            CastOp::Zext
        };
        let wide = self.cast(fill, w, double, operand);
        machine.flags = Flags::default();
        let value = self.cast(fill, w, double, value);
        let product = self.bin(BinOp::Mul, double, value, wide);
        let low_word = self.cast(CastOp::Trunc, double, w, product);
        let high_word = self.bits(product, double, w, w);
        let fill = self.cast(fill, w, double, low_word);
        let carry = Some(self.cmp(CmpOp::Ne, double, fill, product));
        machine.flags = Flags {
            carry,
            overflow: carry,
            ..Flags::default()
        };
        (self.write(machine, low, w, low_word) && self.write(machine, high, w, high_word))
            .then_some(())
    }

    /// The quotient and the rest of dx:ax, in ax and dx. The processor traps if the quotient does
    /// not fit.
    fn division(&mut self, machine: &mut Machine, is_signed: bool, step: &Step) -> Option<()> {
        let w = step.w;
        let double = 2 * w;
        let (fill, quotient, rest) = if is_signed {
            (CastOp::Sext, BinOp::SDiv, BinOp::SRem)
        } else {
            (CastOp::Zext, BinOp::UDiv, BinOp::URem)
        };
        let [low, high] = self.double_register(machine);
        let operand = self.read(machine, step.targets[0], w);
        let (value, top) = (self.read(machine, low, w), self.read(machine, high, w));
        machine.flags = Flags::default();
        let dividend = self.join(&[value, top], w, double);
        let divisor = self.cast(fill, w, double, operand);
        let quotient = self.bin(quotient, double, dividend, divisor);
        let rest = self.bin(rest, double, dividend, divisor);
        let low_word = self.cast(CastOp::Trunc, double, w, quotient);
        let back = self.cast(fill, w, double, low_word);
        let fits = self.cmp(CmpOp::Eq, double, back, quotient);
        // Where it does not fit, the division of the least number by -1 traps in its place.
        let [one, minus_one, least] =
            [1, mask(w.into()), 1 << (w - 1)].map(|value| self.int(w, value));
        let dividend = self.select(w, fits, low_word, least);
        let divisor = self.select(w, fits, one, minus_one);
        let low_word = self.bin(BinOp::SDiv, w, dividend, divisor);
        let high_word = self.cast(CastOp::Trunc, double, w, rest);
        (self.write(machine, low, w, low_word) && self.write(machine, high, w, high_word))
            .then_some(())
    }

    fn count(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[1]);
        let value = self.read(machine, step.targets[0], w);
        let zero = self.int(w, 0);
        let is_zero = self.cmp(CmpOp::Eq, w, value, zero);
        let result = match name {
            "popcnt" => self.one(IntUnary::Ctpop, w, value),
            "lzcnt" => self.one(IntUnary::Ctlz, w, value),
            "bsr" => {
                let zeros = self.one(IntUnary::Ctlz, w, value);
                let top = self.int(w, u128::from(w) - 1);
                self.bin(BinOp::Sub, w, top, zeros)
            }
            _ => self.one(IntUnary::Cttz, w, value),
        };
        machine.flags = Flags::default();
        let is_scan = matches!(name, "bsf" | "bsr");
        match name {
            "popcnt" | "bsf" | "bsr" => machine.flags.zero = Some(is_zero),
            _ => machine.flags.carry = Some(is_zero),
        }
        if name == "tzcnt" || name == "lzcnt" {
            machine.flags.zero = Some(self.cmp(CmpOp::Eq, w, result, zero));
        }
        if !is_scan {
            return self.write(machine, target, w, result).then_some(());
        }
        // Of nothing, a scan leaves its target alone.
        let old = self.read(machine, target, w);
        let result = self.select(w, is_zero, old, result);
        self.write(machine, target, w, result).then_some(())
    }

    /// A bit of a register, to the carry; in memory the number may lie beyond the word.
    fn bit(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.targets[1]);
        let mut number = self.read(machine, step.targets[0], w);
        let target = match (target, step.targets[0]) {
            // A number in a register counts from there on, also backwards.
            (Target::Memory(address), Target::Register { .. }) => {
                Target::Memory(self.word_of_bit(address, number, w))
            }
            _ => target,
        };
        let last = self.int(w, u128::from(w) - 1);
        number = self.bin(BinOp::And, w, number, last);
        let value = self.read(machine, target, w);
        let moved = self.bin(BinOp::LShr, w, value, number);
        machine.flags.carry = Some(self.bits(moved, w, 0, 1));
        let one = self.int(w, 1);
        let bit = self.bin(BinOp::Shl, w, one, number);
        let result = match name {
            "bts" => self.bin(BinOp::Or, w, value, bit),
            "btc" => self.bin(BinOp::Xor, w, value, bit),
            "btr" => {
                let ones = self.int(w, u128::MAX);
                let others = self.bin(BinOp::Xor, w, bit, ones);
                self.bin(BinOp::And, w, value, others)
            }
            _ => return Some(()),
        };
        self.write(machine, target, w, result).then_some(())
    }

    /// The address of the word that has a bit, counted from the lowest one at an address.
    fn word_of_bit(&mut self, address: Slot, number: Slot, w: u8) -> Slot {
        let number = self.cast(CastOp::Sext, w, 64, number);
        let shift = self.int(64, u128::from(w.trailing_zeros()));
        let word = self.bin(BinOp::AShr, 64, number, shift);
        let dst = self.new_slot(64);
        self.emit(Inst::PtrAdd {
            iw: 64,
            dst,
            base: address,
            index: word,
            scale: u32::from(w / 8),
            offset: 0,
        });
        dst
    }

    /// A signed product of `w` bits; carry and overflow say whether it fits.
    fn flagged_product(&mut self, machine: &mut Machine, w: u8, a: Slot, b: Slot) -> Slot {
        let double = 2 * w;
        let [x, y] = [a, b].map(|factor| self.cast(CastOp::Sext, w, double, factor));
        let whole = self.bin(BinOp::Mul, double, x, y);
        let product = self.bin(BinOp::Mul, w, a, b);
        let fits = self.cast(CastOp::Sext, w, double, product);
        let overflow = Some(self.cmp(CmpOp::Ne, double, fits, whole));
        machine.flags = Flags {
            carry: overflow,
            overflow,
            ..Flags::default()
        };
        product
    }

    /// Shifts and rotations; the amount counts modulo 32 or 64. Flags are known after shifts by a
    /// constant only.
    fn moved_bits(&mut self, machine: &mut Machine, name: &str, step: &Step) -> Option<()> {
        let (w, target) = (step.w, step.destination()?);
        if w < 16 && step.targets.len() == 3 {
            return None;
        }
        let amount = match step.targets.len() {
            1 => self.int(8, 1),
            _ => self.read(machine, step.targets[0], 8),
        };
        let modulus = if w == 64 { 63 } else { 31 };
        let limit = self.int(8, modulus);
        let amount = self.bin(BinOp::And, 8, amount, limit);
        let known = self.known_int(amount);
        let rotates = name.starts_with("ro") || step.targets.len() == 3;
        if w < 32 && !rotates && known.is_none_or(|amount| amount >= u128::from(w)) {
            return None;
        }
        let amount = self.resize(8, w, amount);
        let value = self.read(machine, target, w);
        machine.flags = Flags::default();
        let result = match name {
            "rol" => self.funnel(FunnelOp::Left, w, [value, value], amount),
            "ror" => self.funnel(FunnelOp::Right, w, [value, value], amount),
            "shld" | "shrd" => {
                let other = self.read(machine, step.targets[1], w);
                match name {
                    "shld" => self.funnel(FunnelOp::Left, w, [value, other], amount),
                    _ => self.funnel(FunnelOp::Right, w, [other, value], amount),
                }
            }
            "shr" => self.bin(BinOp::LShr, w, value, amount),
            "sar" => self.bin(BinOp::AShr, w, value, amount),
            _ => self.bin(BinOp::Shl, w, value, amount),
        };
        if let (Some(bits @ 1..), false) = (known, rotates) {
            let bits = bits as u8;
            let out = if matches!(name, "shr" | "sar") {
                bits - 1
            } else {
                w - bits
            };
            let carry = Some(self.bits(value, w, out, 1));
            machine.flags = Flags {
                carry,
                result: Some((w, result)),
                ..Flags::default()
            };
        }
        self.write(machine, target, w, result).then_some(())
    }

    fn funnel(&mut self, op: FunnelOp, w: u8, words: [Slot; 2], shift: Slot) -> Slot {
        let dst = self.new_slot(w);
        let [high, low] = words;
        self.emit(Inst::Funnel {
            op,
            w,
            dst,
            high,
            low,
            shift,
        });
        dst
    }
}

/// Widening moves such as `movzbl`: source bits, target bits, filling of the rest.
fn widening(name: &str) -> Option<(u8, u8, CastOp)> {
    let (fill, rest) = match name.strip_prefix("movz") {
        Some(rest) => (CastOp::Zext, rest),
        None => (CastOp::Sext, name.strip_prefix("movs")?),
    };
    let mut letters = rest.chars();
    let (from, to) = (
        super::text::width_of(letters.next()?)?,
        super::text::width_of(letters.next()?)?,
    );
    (letters.next().is_none() && from < to && mask(from.into()) != 0).then_some((from, to, fill))
}
