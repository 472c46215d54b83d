//! Inline assembly of plain integer instructions, executed one by one on registers and flags that
//! are known while lowering: what libraries write for long numbers, byte order, bit numbers,
//! carries and atomic words. Floating point is in `assembly_x87` and `assembly_scalar`.
//!
//! Invariant: a register has 64 bits, and a write of 32 clears the others; a flag that an
//! instruction leaves open or changes in a way not known here is not readable afterwards. Calls,
//! segments and vectors in xmm registers are none of this; of the stack only what the statement
//! itself pushes and pops, and where its top is.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::text::{Constraint, Home, Word, width_of};
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Inst, Slot};

/// Location of an operand of the statement.
#[derive(Clone, Copy)]
pub enum OperandLoc {
    /// The register of this index in `Machine::registers`.
    Register(usize),
    /// Memory at the address in this slot.
    Memory(Slot),
    /// A condition of the flags, read at the end.
    Flag,
    /// A label, by its number among them.
    Label(usize),
    /// This many numbers below the top of the x87's stack, as the statement begins or ends.
    Stack(usize),
}

/// An operand of an instruction, ready to be read and written.
#[derive(Clone, Copy)]
pub enum Target {
    /// A register's bits from `low` on.
    Register {
        index: usize,
        low: u8,
    },
    Memory(Slot),
    /// A number in 64 bits.
    Constant(Slot),
}

impl Machine {
    /// The index in `stack` of an operand that is there, or of the one `usual` below the top.
    pub fn stack_place(&self, word: Option<&Word>, usual: usize) -> Option<usize> {
        let below = match word {
            Some(Word::Stack(below)) => *below,
            Some(Word::Operand(number, _)) => match self.places.get(*number)?.0 {
                OperandLoc::Stack(below) => below,
                _ => return None,
            },
            Some(_) => return None,
            None => usual,
        };
        self.stack.len().checked_sub(below + 1)
    }
}

/// Known flags.
#[derive(Clone, Copy, Default)]
pub struct Flags {
    pub carry: Option<Slot>,
    pub overflow: Option<Slot>,
    /// Width and result that the zero and sign flags describe.
    pub result: Option<(u8, Slot)>,
    /// The zero flag alone, if no result defines it.
    pub zero: Option<Slot>,
    /// Parity flag: set by comparisons with a NaN.
    pub parity: Option<Slot>,
    /// The sign flag alone, if no result defines it.
    pub sign: Option<Slot>,
}

/// The processor of one statement.
pub struct Machine {
    /// The general registers, 64 bits each.
    pub registers: Vec<Slot>,
    names: Vec<(String, usize)>,
    /// Place of each operand of the statement and its type's width in bits: none for constants,
    /// which are as wide as an instruction takes them, and for memory.
    pub places: Vec<(OperandLoc, Option<u8>)>,
    pub flags: Flags,
    /// The x87's stack, its top last.
    pub stack: Vec<Slot>,
    /// The direction of rounding, as in bits 10 and 11 of the x87's control word, that the
    /// statement has loaded and nothing has used yet.
    pub direction: Option<Slot>,
    /// True if the status word describes the last `fprem`.
    pub rest_is_taken: bool,
    /// Jumps in their order: the condition and the label's number.
    pub jumps: Vec<(Slot, usize)>,
    /// Pushed values, the last one last.
    pub pushed: Vec<Slot>,
    /// Instructions on strings go to lower addresses.
    pub is_backwards: bool,
}

impl Body<'_, '_> {
    /// The label that a jump names, by its number.
    pub fn label(&self, machine: &Machine, word: &Word) -> Option<usize> {
        match word {
            Word::Operand(number, Some('l')) => match machine.places.get(*number)?.0 {
                OperandLoc::Label(label) => Some(label),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the number of the function's labels that a statement names.
    pub fn labels(&self, machine: &Machine) -> usize {
        let labels = machine.places.iter();
        labels
            .filter(|(place, _)| matches!(place, OperandLoc::Label(_)))
            .count()
    }

    /// The processor before the statement, with the inputs in their registers.
    pub fn machine(
        &mut self,
        inst: Value,
        operands: &[Constraint],
        results: &[u8],
    ) -> Result<Option<Machine>, Unsupported> {
        let mut machine = Machine {
            registers: Vec::new(),
            names: Vec::new(),
            places: Vec::new(),
            flags: Flags::default(),
            stack: Vec::new(),
            direction: None,
            rest_is_taken: false,
            jumps: Vec::new(),
            pushed: Vec::new(),
            is_backwards: false,
        };
        let mut numbers: [Option<Slot>; 8] = [None; 8];
        let mut labels = 0;
        let (mut argument, mut widths) = (0, results.iter());
        for operand in operands {
            let indirect = operand.home == Home::Memory;
            if operand.is_output && !indirect {
                let width = widths.next().copied().unwrap_or(64);
                if width > 64 && !matches!(operand.home, Home::Stack(_)) {
                    return Ok(None);
                }
                let place = match &operand.home {
                    Home::Flag(_) => OperandLoc::Flag,
                    Home::Stack(below) => OperandLoc::Stack(*below),
                    home => OperandLoc::Register(self.home_register(&mut machine, home)),
                };
                machine.places.push((place, Some(width)));
                continue;
            }
            if operand.home == Home::Label {
                machine.places.push((OperandLoc::Label(labels), None));
                labels += 1;
                continue;
            }
            if argument >= inst.argument_count() {
                return Ok(None);
            }
            let value = inst.operand(argument);
            argument += 1;
            let [leaf] = self.module.types.leaves(value.ty())?[..] else {
                return Ok(None);
            };
            let (width, slot) = (leaf.scalar.width(), self.scalar(value)?);
            if indirect {
                machine.places.push((OperandLoc::Memory(slot), None));
                continue;
            }
            let below = match operand.home {
                Home::Stack(below) => Some(below),
                Home::Tied(output) => match machine.places.get(output) {
                    Some((OperandLoc::Stack(below), _)) => Some(*below),
                    _ => None,
                },
                _ => None,
            };
            if let Some(below) = below {
                let (Scalar::Float(_), Some(number)) = (leaf.scalar, numbers.get_mut(below)) else {
                    return Ok(None);
                };
                *number = self.in_80_bits(leaf.scalar, slot);
                machine.places.push((OperandLoc::Stack(below), None));
                continue;
            }
            if width > 64 {
                return Ok(None);
            }
            let is_constant = operand.home == Home::Any && self.known_int(slot).is_some();
            let place = match operand.home {
                Home::Tied(output) => match machine.places.get(output) {
                    Some((place @ OperandLoc::Register(_), _)) => *place,
                    _ => return Ok(None),
                },
                ref home => OperandLoc::Register(self.home_register(&mut machine, home)),
            };
            if let OperandLoc::Register(index) = place {
                let fill = if is_constant {
                    CastOp::Sext
                } else {
                    CastOp::Zext
                };
                machine.registers[index] = self.cast(fill, width, 64, slot);
            }
            machine
                .places
                .push((place, (!is_constant).then_some(width)));
        }
        let count = numbers.iter().take_while(|number| number.is_some()).count();
        if numbers[count..].iter().any(Option::is_some) {
            return Ok(None);
        }
        machine.stack = numbers.into_iter().flatten().rev().collect();
        Ok((argument == inst.argument_count()).then_some(machine))
    }

    fn home_register(&mut self, machine: &mut Machine, home: &Home) -> usize {
        match home {
            Home::Register(name) => self.register(machine, name),
            _ => {
                machine.registers.push(self.int(64, 0));
                machine.registers.len() - 1
            }
        }
    }

    pub fn register(&mut self, machine: &mut Machine, name: &str) -> usize {
        if let Some((_, index)) = machine.names.iter().find(|entry| entry.0 == name) {
            return *index;
        }
        machine.registers.push(self.int(64, 0));
        let index = machine.registers.len() - 1;
        machine.names.push((name.to_string(), index));
        index
    }

    /// A word of an instruction, with the width that it shows, if it does.
    pub fn target(&mut self, machine: &mut Machine, word: &Word) -> Option<(Target, Option<u8>)> {
        Some(match word {
            Word::Stack(_) | Word::Label(_) => return None,
            // The top of the stack, which the statement leaves where it is.
            Word::Register { name, .. } if name == "sp" || name == "bp" => {
                machine.pushed.is_empty().then_some(())?;
                let dst = self.new_slot(64);
                self.emit(Inst::FrameBase { dst, level: 0 });
                (Target::Constant(dst), Some(64))
            }
            Word::Immediate(value) => (Target::Constant(self.int(64, *value as u64 as u128)), None),
            Word::Register { name, width, high } => {
                let index = self.register(machine, name);
                (
                    Target::Register {
                        index,
                        low: if *high { 8 } else { 0 },
                    },
                    Some(*width),
                )
            }
            Word::Operand(number, letter) => {
                let (place, natural) = *machine.places.get(*number)?;
                match place {
                    OperandLoc::Memory(address) => (Target::Memory(address), None),
                    OperandLoc::Flag | OperandLoc::Label(_) | OperandLoc::Stack(_) => return None,
                    OperandLoc::Register(index) => {
                        let width = match letter {
                            Some(letter) => Some(width_of(*letter)?),
                            None => natural,
                        };
                        let low = if *letter == Some('h') { 8 } else { 0 };
                        (Target::Register { index, low }, width)
                    }
                }
            }
            Word::Memory {
                displacement,
                base,
                index,
            } => {
                let mut address = match base {
                    Some(base) => self.word(machine, base)?,
                    None => self.int(64, 0),
                };
                if let Some((index, scale)) = index {
                    let index = self.word(machine, index)?;
                    let dst = self.new_slot(64);
                    self.emit(Inst::PtrAdd {
                        iw: 64,
                        dst,
                        base: address,
                        index,
                        scale: u32::from(*scale),
                        offset: 0,
                    });
                    address = dst;
                }
                (Target::Memory(self.offset(address, *displacement)), None)
            }
        })
    }

    /// All 64 bits of a register.
    fn word(&mut self, machine: &mut Machine, word: &Word) -> Option<Slot> {
        match self.target(machine, word)?.0 {
            Target::Register { index, low: 0 } => Some(machine.registers[index]),
            Target::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub fn read(&mut self, machine: &Machine, target: Target, w: u8) -> Slot {
        match target {
            Target::Register { index, low } => self.bits(machine.registers[index], 64, low, w),
            Target::Constant(value) => self.bits(value, 64, 0, w),
            Target::Memory(addr) => {
                let dst = self.new_slot(w);
                self.emit(Inst::Load { w, dst, addr });
                dst
            }
        }
    }

    /// Writes to a target; false if it is a constant.
    pub fn write(&mut self, machine: &mut Machine, target: Target, w: u8, value: Slot) -> bool {
        match target {
            Target::Constant(_) => return false,
            Target::Memory(addr) => self.emit(Inst::Store {
                w,
                addr,
                src: value,
            }),
            Target::Register { index, low } => {
                let wide = self.cast(CastOp::Zext, w, 64, value);
                machine.registers[index] = match w {
                    64 | 32 => wide,
                    _ => {
                        let mask = self.int(64, u128::from(!(((1u64 << w) - 1) << low)));
                        let rest = self.bin(BinOp::And, 64, machine.registers[index], mask);
                        let moved = self.shift_left(wide, 64, low);
                        self.bin(BinOp::Or, 64, rest, moved)
                    }
                };
            }
        }
        true
    }

    /// Returns the value of a condition's name (the end of `setCC`): 1 bit.
    pub fn condition(&mut self, machine: &Machine, name: &str) -> Option<Slot> {
        let flags = machine.flags;
        let (base, is_negated) = match name {
            "c" | "b" | "nae" => ("c", false),
            "nc" | "ae" | "nb" => ("c", true),
            "z" | "e" => ("z", false),
            "nz" | "ne" => ("z", true),
            "s" | "ns" => ("s", name == "ns"),
            "o" | "no" => ("o", name == "no"),
            "be" | "na" | "a" | "nbe" => ("be", matches!(name, "a" | "nbe")),
            "l" | "nge" | "ge" | "nl" => ("l", matches!(name, "ge" | "nl")),
            "p" | "pe" | "np" | "po" => ("p", name.contains('n') || name == "po"),
            "le" | "ng" | "g" | "nle" => ("le", matches!(name, "g" | "nle")),
            _ => return None,
        };
        let flag = match base {
            "c" => flags.carry?,
            "o" => flags.overflow?,
            "p" => flags.parity?,
            "z" => self.zero_flag(flags)?,
            "s" => self.sign_flag(flags)?,
            "be" => {
                let zero = self.zero_flag(flags)?;
                self.bin(BinOp::Or, 1, flags.carry?, zero)
            }
            _ => {
                let sign = self.sign_flag(flags)?;
                let less = self.bin(BinOp::Xor, 1, sign, flags.overflow?);
                match base {
                    "l" => less,
                    _ => {
                        let zero = self.zero_flag(flags)?;
                        self.bin(BinOp::Or, 1, less, zero)
                    }
                }
            }
        };
        Some(if is_negated { self.not(flag) } else { flag })
    }

    fn zero_flag(&mut self, flags: Flags) -> Option<Slot> {
        if flags.zero.is_some() {
            return flags.zero;
        }
        let (w, result) = flags.result?;
        let zero = self.int(w, 0);
        Some(self.cmp(CmpOp::Eq, w, result, zero))
    }

    fn sign_flag(&mut self, flags: Flags) -> Option<Slot> {
        if flags.sign.is_some() {
            return flags.sign;
        }
        let (w, result) = flags.result?;
        Some(self.bits(result, w, w - 1, 1))
    }
}
