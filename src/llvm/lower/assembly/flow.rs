//! Labels and jumps within a statement of inline assembly, and jumps from it to labels of the
//! function.
//!
//! Idea: each register has a home slot. A jump to a label moves the registers home first, and the
//! flags if all sources of the label have been seen by then.
//!
//! Invariant: behind a label, code uses no value computed before it except home slots and the
//! statement's operands. Branches here do not count as the program's.

use super::super::function::Body;
use super::machine::{Flags, Machine};
use super::text::{Instruction, LABEL, Word, is_jump};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{BlockId, Inst, Slot};

/// Flags by the conditions that name them.
const FLAGS: [&str; 5] = ["c", "o", "z", "s", "p"];

/// Registers that an instruction may use without naming them.
const IMPLICIT: [&str; 6] = ["ax", "bx", "cx", "dx", "si", "di"];

/// A place that can be jumped to.
struct Landing {
    /// The label's place among the instructions; behind the last for the end.
    at: usize,
    block: BlockId,
    flags: [Slot; FLAGS.len()],
    /// The flags that all who have come so far knew.
    known: Option<[bool; FLAGS.len()]>,
    /// True if a later instruction jumps to it.
    is_loop: bool,
    is_backwards: Option<bool>,
}

/// The places of a statement with labels.
struct Flow {
    landings: Vec<Landing>,
    homes: Vec<Slot>,
    /// The label of the function that is gone to at the end, counted from 1; 0 for none.
    exit: Slot,
    /// True if only a jump can reach the next instruction.
    is_unreachable: bool,
}

/// Target of a jump: a label within the statement by its position, or one of the function.
#[derive(Clone, Copy)]
enum Goal {
    Within(usize),
    Outside(usize),
}

/// Returns the position of the label that the jump at `from` refers to.
fn place_of(code: &[Instruction], from: usize, label: &str) -> Option<usize> {
    let is_label = |at: &usize, name: &str| {
        let instruction = &code[*at];
        instruction.name == LABEL && instruction.operands == [Word::Label(name.to_string())]
    };
    let digits = |end| {
        let number = label.strip_suffix(end)?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(number)
    };
    match (digits('b'), digits('f')) {
        (Some(number), _) => (0..from).rev().find(|at| is_label(at, number)),
        (_, Some(number)) => (from..code.len()).find(|at| is_label(at, number)),
        _ => (0..code.len()).find(|at| is_label(at, label)),
    }
}

/// All registers that an operand names.
fn names_in(word: &Word, names: &mut Vec<String>) {
    match word {
        Word::Register { name, .. } if name != "sp" && name != "bp" => names.push(name.clone()),
        Word::Memory { base, index, .. } => {
            let index = index.as_ref().map(|(index, _)| index);
            for word in [base.as_ref(), index].into_iter().flatten() {
                names_in(word, names);
            }
        }
        _ => {}
    }
}

impl Body<'_, '_> {
    /// Executes the instructions of a statement; nothing if one is not understood, and then every
    /// block that was begun has an end.
    pub fn assembly_steps(&mut self, machine: &mut Machine, code: &[Instruction]) -> Option<()> {
        let last_step = code.iter().rposition(|one| !is_jump(&one.name));
        let first_jump = code.iter().position(|one| is_jump(&one.name));
        let jumps_early =
            matches!((first_jump, last_step), (Some(jump), Some(step)) if jump < step);
        let has_labels = code
            .iter()
            .any(|one| one.name == LABEL || one.name.starts_with("loop"));
        let begun = self.blocks.len();
        let done = if jumps_early || has_labels {
            self.steps_with_jumps(machine, code)
        } else {
            code.iter()
                .try_for_each(|instruction| self.assembly_step(machine, instruction))
        };
        let done = done.filter(|()| machine.pushed.is_empty() && !machine.is_backwards);
        if done.is_none() {
            self.end_blocks_from(begun);
        }
        done
    }

    /// Ends the blocks from a number on that have no end and are not the current one.
    fn end_blocks_from(&mut self, begun: usize) {
        let current = self.current;
        let what = self
            .module
            .intern_text("inline assembly with an instruction that is not known");
        for block in (begun..self.blocks.len()).filter(|block| *block != current) {
            let last = self.blocks[block].last();
            if !last.is_some_and(|(inst, _)| inst.is_terminator()) {
                self.current = block;
                self.emit(Inst::Unsupported { what });
            }
        }
        self.current = current;
    }

    fn steps_with_jumps(&mut self, machine: &mut Machine, code: &[Instruction]) -> Option<()> {
        let mut names: Vec<String> = IMPLICIT.map(String::from).to_vec();
        for instruction in code {
            instruction
                .operands
                .iter()
                .for_each(|word| names_in(word, &mut names));
        }
        for name in &names {
            self.register(machine, name);
        }
        let mut flow = self.flow(machine, code)?;
        for (at, instruction) in code.iter().enumerate() {
            if instruction.name == LABEL {
                self.land(machine, &mut flow, at)?;
            } else if !flow.is_unreachable {
                if is_jump(&instruction.name) {
                    self.jump_in_flow(machine, &mut flow, (code, at))?
                } else {
                    self.assembly_step(machine, instruction)?
                }
            }
        }
        self.land(machine, &mut flow, code.len())?;
        let labels = self.labels(machine);
        for label in 0..labels {
            let number = self.int(32, label as u128 + 1);
            let goes_there = self.cmp(CmpOp::Eq, 32, flow.exit, number);
            machine.jumps.push((goes_there, label));
        }
        Some(())
    }

    /// Returns the control flow of an assembly statement; call it before the first instruction.
    fn flow(&mut self, machine: &Machine, code: &[Instruction]) -> Option<Flow> {
        let mut landings = Vec::new();
        let ends = [code.len()];
        let labels = (0..code.len()).filter(|at| code[*at].name == LABEL);
        for at in labels.chain(ends) {
            let mut is_loop = false;
            for (from, jump) in code
                .iter()
                .enumerate()
                .filter(|(_, one)| is_jump(&one.name))
            {
                if let [Word::Label(label)] = &jump.operands[..] {
                    let goal = place_of(code, from, label)?;
                    is_loop |= goal == at && goal < from;
                }
            }
            let flags = [(); FLAGS.len()].map(|()| self.new_slot(1));
            landings.push(Landing {
                at,
                block: self.new_block(),
                flags,
                known: None,
                is_loop,
                is_backwards: None,
            });
        }
        let homes = machine
            .registers
            .iter()
            .map(|_| self.new_slot(64))
            .collect();
        Some(Flow {
            landings,
            homes,
            exit: self.new_slot(32),
            is_unreachable: false,
        })
    }

    /// A jump, and what comes next if it is not taken.
    fn jump_in_flow(
        &mut self,
        machine: &mut Machine,
        flow: &mut Flow,
        (code, at): (&[Instruction], usize),
    ) -> Option<()> {
        let jump = &code[at];
        let goal = match &jump.operands[..] {
            [Word::Label(label)] => Goal::Within(place_of(code, at, label)?),
            [word] => Goal::Outside(self.label(machine, word)?),
            _ => return None,
        };
        if jump.name == "jmp" {
            self.go(machine, flow, goal)?;
            flow.is_unreachable = true;
            return Some(());
        }
        let cond = match jump.name.as_str() {
            "jrcxz" | "jecxz" => self.count_is(machine, CmpOp::Eq, jump.name == "jecxz"),
            name if name.starts_with("loop") => self.counted_down(machine, &name[4..])?,
            name => self.condition(machine, &name[1..])?,
        };
        let [taken, next] = [(); 2].map(|()| self.new_block());
        self.branch_of_assembly(cond, taken, next);
        self.current = taken.index();
        self.go(machine, flow, goal)?;
        self.current = next.index();
        Some(())
    }

    /// Compares the count in cx with zero.
    fn count_is(&mut self, machine: &mut Machine, op: CmpOp, is_half: bool) -> Slot {
        let w = if is_half { 32 } else { 64 };
        let index = self.register(machine, "cx");
        let count = self.bits(machine.registers[index], 64, 0, w);
        let zero = self.int(w, 0);
        self.cmp(op, w, count, zero)
    }

    /// `loop`, `loope` and `loopne`: decrements cx and returns whether they jump.
    fn counted_down(&mut self, machine: &mut Machine, kind: &str) -> Option<Slot> {
        let index = self.register(machine, "cx");
        let one = self.int(64, 1);
        machine.registers[index] = self.bin(BinOp::Sub, 64, machine.registers[index], one);
        let counts = self.count_is(machine, CmpOp::Ne, false);
        if kind.is_empty() {
            return Some(counts);
        }
        let zero = self.condition(machine, kind)?;
        Some(self.bin(BinOp::And, 1, counts, zero))
    }

    /// Ends the current block: stores the registers and continues at a label.
    fn go(&mut self, machine: &mut Machine, flow: &mut Flow, goal: Goal) -> Option<()> {
        let (at, exit) = match goal {
            Goal::Within(at) => (at, 0),
            // The last landing is the end.
            Goal::Outside(label) => (flow.landings.last()?.at, label as u128 + 1),
        };
        let exit = self.int(32, exit);
        let mut moves = vec![(32, flow.exit, exit)];
        let registers = machine.registers.iter().zip(&flow.homes);
        moves.extend(registers.map(|(value, home)| (64, *home, *value)));
        let landing = flow.landings.iter_mut().find(|landing| landing.at == at)?;
        let is_kept = machine.pushed.is_empty() && machine.stack.is_empty();
        let assumed = *landing.is_backwards.get_or_insert(machine.is_backwards);
        if !is_kept
            || machine.registers.len() != flow.homes.len()
            || assumed != machine.is_backwards
        {
            return None;
        }
        let mut known = landing.known.unwrap_or([!landing.is_loop; FLAGS.len()]);
        for (index, name) in FLAGS.into_iter().enumerate().filter(|_| !landing.is_loop) {
            match self.condition(machine, name) {
                Some(value) => moves.push((1, landing.flags[index], value)),
                None => known[index] = false,
            }
        }
        landing.known = Some(known);
        let target = landing.block;
        self.emit_moves(moves);
        self.emit(Inst::Jump { target });
        Some(())
    }

    /// Starts a block at a label, and joins it with the code right before it.
    fn land(&mut self, machine: &mut Machine, flow: &mut Flow, at: usize) -> Option<()> {
        if !flow.is_unreachable {
            self.go(machine, flow, Goal::Within(at))?;
        }
        let landing = flow.landings.iter_mut().find(|landing| landing.at == at)?;
        self.current = landing.block.index();
        machine.registers.clone_from(&flow.homes);
        machine.is_backwards = *landing.is_backwards.get_or_insert(false);
        let flag = |index: usize| {
            let known = landing.known.is_some_and(|known| known[index]);
            known.then_some(landing.flags[index])
        };
        machine.flags = Flags {
            carry: flag(0),
            overflow: flag(1),
            zero: flag(2),
            sign: flag(3),
            parity: flag(4),
            ..Flags::default()
        };
        // A label that no earlier code reaches is reachable only by a backward jump.
        flow.is_unreachable = landing.known.is_none() && !landing.is_loop;
        if flow.is_unreachable && at != flow.landings.last()?.at {
            self.emit(Inst::Unreachable);
        }
        Some(())
    }
}
