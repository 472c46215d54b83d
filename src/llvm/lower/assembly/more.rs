//! Instructions of inline assembly that are about more than one word: what a statement pushes and
//! pops, the word of flags, exchanges of two words, traps.
//!
//! Invariant: as in `assembly_machine`. Pushed values are not in memory, so the top of the stack is
//! not readable in between.

use super::super::function::Body;
use super::machine::{Flags, Machine, Target};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Inst, Slot};

/// The flags that a word of flags has, by the condition that names them, and their bits.
const FLAG_BITS: [(&str, u8); 5] = [("c", 0), ("p", 2), ("z", 6), ("s", 7), ("o", 11)];

/// The bits of a word of flags that are always set: the second one, and interrupts.
const ALWAYS_SET: u128 = 0x202;

impl Body<'_, '_> {
    /// Executes an instruction whose one operand is read and written as a whole.
    pub fn whole_operand(
        &mut self,
        machine: &mut Machine,
        name: &str,
        target: Target,
        width: u8,
    ) -> Option<()> {
        match name {
            "push" => {
                let value = self.read(machine, target, 64);
                machine.pushed.push(value);
                (width == 64).then_some(())
            }
            "pop" => {
                let value = machine.pushed.pop()?;
                (width == 64 && self.write(machine, target, 64, value)).then_some(())
            }
            "int" => {
                let Target::Constant(number) = target else {
                    return None;
                };
                (self.known_int(number)? == 3).then(|| self.emit(Inst::Trap))
            }
            "cmpxchg8b" => self.exchange_pair(machine, target, 32),
            _ => self.exchange_pair(machine, target, 64),
        }
    }

    /// Compares dx:ax with two words of memory and exchanges them for cx:bx if they are equal.
    fn exchange_pair(&mut self, machine: &mut Machine, target: Target, w: u8) -> Option<()> {
        let Target::Memory(low_at) = target else {
            return None;
        };
        let high_at = self.offset(low_at, i64::from(w / 8));
        let places = [Target::Memory(low_at), Target::Memory(high_at)];
        let registers = |body: &mut Self, machine: &mut Machine, names: [&str; 2]| {
            names.map(|name| {
                let index = body.register(machine, name);
                Target::Register { index, low: 0 }
            })
        };
        let expected_at = registers(self, machine, ["ax", "dx"]);
        let new_at = registers(self, machine, ["bx", "cx"]);
        let read = |body: &mut Self, machine: &Machine, from: [Target; 2]| {
            from.map(|target| body.read(machine, target, w))
        };
        let old = read(self, machine, places);
        let expected = read(self, machine, expected_at);
        let new = read(self, machine, new_at);
        let [low, high] = [0, 1].map(|half| self.cmp(CmpOp::Eq, w, old[half], expected[half]));
        let same = self.bin(BinOp::And, 1, low, high);
        for half in [0, 1] {
            let stored = self.select(w, same, new[half], old[half]);
            self.write(machine, places[half], w, stored);
            let index = match expected_at[half] {
                Target::Register { index, .. } => index,
                _ => return None,
            };
            // Where they are equal the whole register stays, its upper half too.
            let before = machine.registers[index];
            self.write(machine, expected_at[half], w, old[half]);
            machine.registers[index] = self.select(64, same, before, machine.registers[index]);
        }
        let sign = self.condition(machine, "s");
        machine.flags = Flags {
            zero: Some(same),
            sign,
            result: None,
            ..machine.flags
        };
        Some(())
    }

    /// ax of twice as many bits, with its sign.
    pub fn widen_accumulator(&mut self, machine: &mut Machine, w: u8) -> Option<()> {
        let index = self.register(machine, "ax");
        let target = Target::Register { index, low: 0 };
        let value = self.read(machine, target, w);
        let value = self.cast(CastOp::Sext, w, 2 * w, value);
        self.write(machine, target, 2 * w, value).then_some(())
    }

    /// The word of flags; flags that are not known are clear.
    pub fn flags_word(&mut self, machine: &Machine) -> Option<Slot> {
        let mut word = self.int(64, ALWAYS_SET);
        for (name, place) in FLAG_BITS {
            if let Some(flag) = self.condition(machine, name) {
                let flag = self.cast(CastOp::Zext, 1, 64, flag);
                let flag = self.shift_left(flag, 64, place);
                word = self.bin(BinOp::Or, 64, word, flag);
            }
        }
        Some(word)
    }

    /// Takes the flags from a word.
    pub fn set_flags_word(&mut self, machine: &mut Machine, word: Slot) {
        let [carry, parity, zero, sign, overflow] =
            FLAG_BITS.map(|(_, place)| Some(self.bits(word, 64, place, 1)));
        machine.flags = Flags {
            carry,
            overflow,
            zero,
            sign,
            parity,
            ..Flags::default()
        };
    }
}
