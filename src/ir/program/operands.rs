//! Operands of an instruction: the slots that it reads and writes, blocks and tables.
//!
//! Invariant: every slot that executing an instruction touches is reported, reads before writes; a
//! value above 64 bits is reported once, by its first slot and its width in bits.

use super::instructions::instructions;
use super::{BlockId, BranchId, Callee, Function, Inst, Slot, TextId};
use crate::ops::float::cast_widths;

/// Use of a slot by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

/// A table of `Function` that instructions point into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    Calls,
    FrameObjects,
    Moves,
    Returns,
    Switches,
}

/// One thing that an instruction refers to.
#[derive(PartialEq, Eq, Debug)]
pub enum Operand<'i> {
    /// A slot and the width of its value in bits.
    Slot(Access, u32, &'i mut Slot),
    Block(&'i mut BlockId),
    Branch(Option<BranchId>),
    Text(TextId),
    /// An entry of a table of the function.
    Row(Table, &'i mut u32),
}

/// A width of the table in bits.
macro_rules! bits {
    ($bits:literal) => {
        $bits
    };
    ($width:expr) => {
        u32::from($width)
    };
}

/// Visits a field that is an operand and no result.
macro_rules! visit_operand {
    ($visit:ident $field:ident write $width:tt) => {};
    ($visit:ident $field:ident read ($($width:tt)*)) => {
        $visit(Operand::Slot(Access::Read, bits!($($width)*), &mut $field))
    };
    ($visit:ident $field:ident block) => { $visit(Operand::Block(&mut $field)) };
    ($visit:ident $field:ident branch) => { $visit(Operand::Branch($field)) };
    ($visit:ident $field:ident text) => { $visit(Operand::Text($field)) };
    ($visit:ident $field:ident row ($table:ident)) => {
        $visit(Operand::Row(Table::$table, &mut $field))
    };
    ($visit:ident $field:ident $plain:ident) => {};
}

/// Visits a field that is a result.
macro_rules! visit_result {
    ($visit:ident $field:ident write ($($width:tt)*)) => {
        $visit(Operand::Slot(Access::Write, bits!($($width)*), &mut $field))
    };
    ($($other:tt)*) => {};
}

macro_rules! visit_fields {
    ($(
        $(#[$doc:meta])* $name:ident $word:literal $effect:ident $(unless ($acts:expr))?
        $({ $($field:ident : $kind:ident $(($($of:tt)*))?),* })? $(where ($rule:expr))?;
    )*) => {
        impl Inst {
            /// Visits what the instruction itself refers to, and takes what the visitor makes of
            /// it. Results come last.
            #[allow(unused_mut, unused_variables)]
            pub fn for_each_operand(&mut self, visit: &mut impl FnMut(Operand<'_>)) {
                match *self {
                    $(Inst::$name $({ $(mut $field),* })? => {
                        $($(visit_operand!(visit $field $kind $(($($of)*))?);)*
                        $(visit_result!(visit $field $kind $(($($of)*))?);)*
                        *self = Inst::$name { $($field),* };)?
                    })*
                }
            }
        }
    };
}

instructions!(visit_fields);

impl Inst {
    /// Visits the slots in the instruction itself, not those in the tables that it points into.
    pub fn visit_slots(&mut self, visit: &mut impl FnMut(Access, u32, &mut Slot)) {
        self.for_each_operand(&mut |operand| {
            if let Operand::Slot(access, width, slot) = operand {
                visit(access, width, slot);
            }
        });
    }
}

impl Function {
    /// Visits all slots that an instruction of the function reads and writes, tables included.
    pub fn visit_operands(&self, inst: &Inst, visit: &mut impl FnMut(Access, u32, Slot)) {
        use Access::{Read, Write};
        let mut copy = *inst;
        copy.visit_slots(&mut |access, width, slot| visit(access, width, *slot));
        match inst {
            Inst::Moves { index } => {
                let moves = &self.moves[*index as usize];
                for (width, _, src) in moves {
                    visit(Read, u32::from(*width), *src);
                }
                for (width, dst, _) in moves {
                    visit(Write, u32::from(*width), *dst);
                }
            }
            Inst::Call { site } => {
                let site = &self.calls[*site as usize];
                if let Callee::Indirect(slot) = site.callee {
                    visit(Read, 64, slot);
                }
                for (slot, width) in &site.args {
                    visit(Read, *width, *slot);
                }
                for (slot, width) in &site.results {
                    visit(Write, *width, *slot);
                }
            }
            Inst::Return { index } => {
                for (slot, width) in &self.returns[*index as usize] {
                    visit(Read, *width, *slot);
                }
            }
            _ => {}
        }
    }

    /// Replaces every slot of the code and its tables (not of parameters and constants).
    pub fn rename_slots(&mut self, rename: &mut impl FnMut(Slot) -> Slot) {
        for inst in &mut self.code {
            inst.visit_slots(&mut |_, _, slot| *slot = rename(*slot));
        }
        for (_, dst, src) in self.moves.iter_mut().flatten() {
            *dst = rename(*dst);
            *src = rename(*src);
        }
        for site in &mut self.calls {
            if let Callee::Indirect(slot) = &mut site.callee {
                *slot = rename(*slot);
            }
            for (slot, _) in site.args.iter_mut().chain(&mut site.results) {
                *slot = rename(*slot);
            }
        }
        for (slot, _) in self.returns.iter_mut().flatten() {
            *slot = rename(*slot);
        }
    }
}
