//! The processor's instructions on strings in inline assembly: `movs`, `stos`, `lods`, `scas` and
//! `cmps` of 1, 2, 4 and 8 bytes, once or repeated, forwards or backwards.
//!
//! Invariant: a repetition is a loop whose words change at the end of a turn only. What it leaves
//! of the flags is what its last comparison says; where there was none the flags stay, and where
//! those are not known they say "not found" or "equal".

use super::super::function::Body;
use super::super::types::Scalar;
use super::machine::{Flags, Machine, Target};
use super::string_names::{Operation, Repetition, StringStep};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{BlockId, CastOp, Inst, MemOp, Slot};

impl StringStep {
    /// Bytes from one element to the next.
    fn stride(self, machine: &Machine) -> i64 {
        let bytes = i64::from(self.w / 8);
        if machine.is_backwards { -bytes } else { bytes }
    }
}

/// Values that the iterations of a repetition change: the positions, the count, and the last
/// elements compared, or the last one loaded.
struct Words {
    source: Slot,
    destination: Slot,
    count: Slot,
    elements: [Slot; 2],
    /// True if there was an iteration.
    began: Slot,
}

impl Words {
    fn new(body: &mut Body<'_, '_>, w: u8) -> Self {
        let mut wide = || body.new_slot(64);
        let (source, destination, count) = (wide(), wide(), wide());
        Self {
            source,
            destination,
            count,
            elements: [body.new_slot(w), body.new_slot(w)],
            began: body.new_slot(1),
        }
    }

    fn moves(&self, w: u8, from: &Words) -> Vec<(u8, Slot, Slot)> {
        vec![
            (64, self.source, from.source),
            (64, self.destination, from.destination),
            (64, self.count, from.count),
            (w, self.elements[0], from.elements[0]),
            (w, self.elements[1], from.elements[1]),
            (1, self.began, from.began),
        ]
    }
}

impl Body<'_, '_> {
    /// Executes an instruction on strings; nothing if the name is none of one.
    pub fn string_step(&mut self, machine: &mut Machine, name: &str) -> Option<()> {
        let step = StringStep::read(name)?;
        let forwards = !machine.is_backwards;
        match (step.operation, step.repetition) {
            (_, Repetition::None) => self.one_element(machine, step),
            (Operation::Find, Repetition::WhileDifferent) if forwards && step.w == 8 => {
                self.find_byte(machine)?;
            }
            (Operation::Fill, _) if forwards && self.fills_evenly(machine, step.w) => {
                self.fill(machine, step);
            }
            (Operation::Move, _) if forwards => self.move_block(machine, step),
            _ => self.repeat(machine, step),
        }
        Some(())
    }

    fn register_value(&mut self, machine: &mut Machine, name: &str) -> Slot {
        let index = self.register(machine, name);
        machine.registers[index]
    }

    fn set_register(&mut self, machine: &mut Machine, name: &str, value: Slot) {
        let index = self.register(machine, name);
        machine.registers[index] = value;
    }

    fn accumulator(&mut self, machine: &mut Machine, w: u8) -> Slot {
        let whole = self.register_value(machine, "ax");
        self.bits(whole, 64, 0, w)
    }

    /// The places in the registers and what an element of them is, with nothing counted.
    fn current_words(&mut self, machine: &mut Machine, w: u8) -> Words {
        let [source, destination, count] =
            ["si", "di", "cx"].map(|name| self.register_value(machine, name));
        let (zero, no) = (self.int(w, 0), self.int(1, 0));
        Words {
            source,
            destination,
            count,
            elements: [zero, zero],
            began: no,
        }
    }

    /// Executes one element; the count stays.
    fn turn(&mut self, machine: &mut Machine, step: StringStep, words: &Words) -> Words {
        let w = step.w;
        let stride = self.int(64, step.stride(machine) as u64 as u128);
        let value = self.accumulator(machine, w);
        let load = |body: &mut Self, at| body.read(machine, Target::Memory(at), w);
        let elements = match step.operation {
            Operation::Fill => [value, value],
            Operation::Find => [value, load(self, words.destination)],
            Operation::Compare => [load(self, words.source), load(self, words.destination)],
            Operation::Move | Operation::Load => [load(self, words.source); 2],
        };
        if matches!(step.operation, Operation::Move | Operation::Fill) {
            let (addr, src) = (words.destination, elements[0]);
            self.emit(Inst::Store { w, addr, src });
        }
        let reads = matches!(
            step.operation,
            Operation::Move | Operation::Load | Operation::Compare
        );
        let mut moved = |at, moves: bool| {
            if moves {
                self.bin(BinOp::Add, 64, at, stride)
            } else {
                at
            }
        };
        let source = moved(words.source, reads);
        let destination = moved(words.destination, step.operation != Operation::Load);
        Words {
            source,
            destination,
            count: words.count,
            elements,
            began: self.int(1, 1),
        }
    }

    fn one_element(&mut self, machine: &mut Machine, step: StringStep) {
        let words = self.current_words(machine, step.w);
        let words = self.turn(machine, step, &words);
        self.leave(machine, step, &words);
    }

    /// The loop over all elements.
    fn repeat(&mut self, machine: &mut Machine, step: StringStep) {
        let w = step.w;
        let start = self.current_words(machine, w);
        let words = Words::new(self, w);
        let [head, body, after] = [(); 3].map(|()| self.new_block());
        self.emit_moves(words.moves(w, &start));
        self.emit(Inst::Jump { target: head });

        self.current = head.index();
        let zero = self.int(64, 0);
        let cond = self.cmp(CmpOp::Ne, 64, words.count, zero);
        self.branch_of_assembly(cond, body, after);

        self.current = body.index();
        let mut next = self.turn(machine, step, &words);
        let one = self.int(64, 1);
        next.count = self.bin(BinOp::Sub, 64, words.count, one);
        let goes_on = match step.repetition {
            Repetition::WhileEqual => Some(CmpOp::Eq),
            Repetition::WhileDifferent => Some(CmpOp::Ne),
            Repetition::Counted | Repetition::None => None,
        };
        let goes_on = goes_on.map(|op| self.cmp(op, w, next.elements[0], next.elements[1]));
        self.emit_moves(words.moves(w, &next));
        match goes_on {
            Some(cond) => self.branch_of_assembly(cond, head, after),
            None => self.emit(Inst::Jump { target: head }),
        }
        self.current = after.index();
        self.set_register(machine, "cx", words.count);
        self.leave(machine, step, &words);
    }

    /// A branch that is none of the program's.
    pub fn branch_of_assembly(&mut self, cond: Slot, then: BlockId, otherwise: BlockId) {
        self.emit(Inst::Branch {
            cond,
            then,
            otherwise,
            branch: None,
        });
    }

    /// Puts the places, what was loaded and what was compared into registers and flags.
    fn leave(&mut self, machine: &mut Machine, step: StringStep, words: &Words) {
        self.set_register(machine, "si", words.source);
        self.set_register(machine, "di", words.destination);
        let w = step.w;
        match step.operation {
            Operation::Move | Operation::Fill => {}
            Operation::Load => {
                let index = self.register(machine, "ax");
                let before = self.bits(machine.registers[index], 64, 0, w);
                let value = self.select(w, words.began, words.elements[0], before);
                let whole = machine.registers[index];
                self.write(machine, Target::Register { index, low: 0 }, w, value);
                // Nothing was loaded, so the upper half stays, too.
                machine.registers[index] =
                    self.select(64, words.began, machine.registers[index], whole);
            }
            Operation::Find | Operation::Compare => {
                let before = machine.flags;
                let [a, b] = words.elements;
                self.flagged_difference(machine, w, a, b, None);
                if step.repetition != Repetition::None {
                    let equal = step.repetition == Repetition::WhileEqual;
                    self.keep_flags(machine, before, words.began, equal);
                }
            }
        }
    }

    /// The flags as they are where `changed` holds, else those from before.
    fn keep_flags(&mut self, machine: &mut Machine, before: Flags, changed: Slot, equal: bool) {
        let now = machine.flags;
        let mut pick = |name: &str, unknown: bool| {
            machine.flags = now;
            let new = self.condition(machine, name)?;
            machine.flags = before;
            let old = self.condition(machine, name);
            let old = old.unwrap_or_else(|| self.int(1, u128::from(unknown)));
            Some(self.select(1, changed, new, old))
        };
        let (zero, carry) = (pick("z", equal), pick("c", false));
        let (sign, overflow) = (pick("s", false), pick("o", false));
        machine.flags = Flags {
            carry,
            overflow,
            zero,
            sign,
            ..Flags::default()
        };
    }

    /// Returns true if elements are filled with equal bytes.
    fn fills_evenly(&mut self, machine: &mut Machine, w: u8) -> bool {
        let whole = self.register_value(machine, "ax");
        let known = self.known_int(whole).map(u128::to_le_bytes);
        let bytes = usize::from(w / 8);
        bytes == 1 || known.is_some_and(|all| all[..bytes].iter().all(|byte| *byte == all[0]))
    }

    /// Bytes of the elements that are counted.
    fn string_length(&mut self, machine: &mut Machine, step: StringStep) -> Slot {
        let count = self.register_value(machine, "cx");
        let bytes = self.int(64, u128::from(step.w / 8));
        self.bin(BinOp::Mul, 64, count, bytes)
    }

    fn fill(&mut self, machine: &mut Machine, step: StringStep) {
        let len = self.string_length(machine, step);
        let dst = self.register_value(machine, "di");
        let value = self.accumulator(machine, 8);
        self.emit(Inst::MemSet { dst, value, len });
        let end = self.bin(BinOp::Add, 64, dst, len);
        self.set_register(machine, "di", end);
        let none = self.int(64, 0);
        self.set_register(machine, "cx", none);
    }

    /// `rep movs` forwards: at once, or element by element where it reads what it has written.
    fn move_block(&mut self, machine: &mut Machine, step: StringStep) {
        let len = self.string_length(machine, step);
        let [dst, src] = ["di", "si"].map(|name| self.register_value(machine, name));
        let distance = self.bin(BinOp::Sub, 64, dst, src);
        let overtakes = self.cmp(CmpOp::Ult, 64, distance, len);
        let [slowly, at_once, after] = [(); 3].map(|()| self.new_block());
        self.branch_of_assembly(overtakes, slowly, at_once);
        let ends = [self.new_slot(64), self.new_slot(64)];

        self.current = at_once.index();
        let op = MemOp::Move;
        self.emit(Inst::MemCopy { op, dst, src, len });
        let [destination, source] = [dst, src].map(|at| self.bin(BinOp::Add, 64, at, len));
        self.emit_moves(vec![(64, ends[0], destination), (64, ends[1], source)]);
        self.emit(Inst::Jump { target: after });

        self.current = slowly.index();
        self.repeat(machine, step);
        let [destination, source] = ["di", "si"].map(|name| self.register_value(machine, name));
        self.emit_moves(vec![(64, ends[0], destination), (64, ends[1], source)]);
        self.emit(Inst::Jump { target: after });

        self.current = after.index();
        self.set_register(machine, "di", ends[0]);
        self.set_register(machine, "si", ends[1]);
        let none = self.int(64, 0);
        self.set_register(machine, "cx", none);
    }

    /// `repne scasb` forwards: scans the bytes up to and including the searched byte.
    fn find_byte(&mut self, machine: &mut Machine) -> Option<()> {
        let [from, most] = ["di", "cx"].map(|name| self.register_value(machine, name));
        let value = self.accumulator(machine, 8);
        let value = self.cast(CastOp::Zext, 8, 32, value);
        let find = match self.module.callable("memchr") {
            Some(find) => find,
            None => self.module.word_function("memchr", 3)?,
        };
        let arguments = vec![
            (from, Scalar::Pointer),
            (value, Scalar::Int(32)),
            (most, Scalar::Int(64)),
        ];
        let found = self.call_function(find, arguments, Some(64))[0];
        let (zero, one) = (self.int(64, 0), self.int(64, 1));
        let is_there = self.cmp(CmpOp::Ne, 64, found, zero);
        let distance = self.bin(BinOp::Sub, 64, found, from);
        let distance = self.bin(BinOp::Add, 64, distance, one);
        let steps = self.select(64, is_there, distance, most);
        let end = self.bin(BinOp::Add, 64, from, steps);
        let rest = self.bin(BinOp::Sub, 64, most, steps);
        self.set_register(machine, "di", end);
        self.set_register(machine, "cx", rest);
        let before = self.condition(machine, "z");
        let began = self.cmp(CmpOp::Ne, 64, most, zero);
        let zero = match before {
            Some(before) => self.select(1, began, is_there, before),
            None => is_there,
        };
        machine.flags = Flags {
            zero: Some(zero),
            ..Flags::default()
        };
        Some(())
    }
}
