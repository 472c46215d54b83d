//! Variadic arguments as compiled va_arg code for x86-64, or i386, expects them.
//!
//! Idea: clang expands va_arg into reads of the System V va_list: gp_offset, fp_offset,
//! overflow_arg_area, reg_save_area, and its code branches on whether an argument came in a
//! register. So arguments are put where a native call has them: the first 6 of integer class and
//! the first 8 of SSE class, named ones counted, in a register save area, the rest (and structs by
//! value and long double) on the overflow area, aligned as the ABI says.
//!
//! On i386 a va_list is a pointer to where all variable arguments lie side by side, in words of
//! four bytes: the overflow area alone.
//!
//! Unlike a native save area ours ends behind the last argument in it, and may not be accessed
//! between the last integer and the first SSE register, so that reading an argument which the
//! caller did not pass is found out of bounds.

use super::super::context::Context;
use crate::memory::{AllocationSite, ObjectKind, Value};
use crate::outcome::{EarlyReason, Termination};
use crate::state::VariadicArguments;
use homi_ir::program::{ArgClass, CallSite, Function, Origin, PointerWidth, Slot};

/// End of the integer registers in the register save area, bytes.
const GP_END: u64 = 48;
/// End of the SSE registers, and of the save area.
const FP_END: u64 = 176;
/// Bytes of a va_list.
const fn list_size(pointers: PointerWidth) -> u64 {
    match pointers {
        PointerWidth::Bits64 => 24,
        PointerWidth::Bits32 => 4,
    }
}

/// Functions of libc that read arguments which their callers may leave out, as in `fcntl(fd,
/// F_GETFD)`. Natively they find whatever is there; here the areas have room for them.
const READ_ABSENT_ARGUMENTS: &[&str] = &[
    "fcntl", "fcntl64", "ioctl", "mremap", "prctl", "ptrace", "semctl", "syscall", "ulimit",
];
/// Bytes of the overflow area that functions of `READ_ABSENT_ARGUMENTS` may read: `syscall` takes a
/// number and six words, one more than registers hold; on i386 there are no registers.
const ABSENT_ROOM: u64 = 24;

/// Arguments in the two areas.
pub(in crate::exec) struct VariadicPlan {
    saved: Area,
    overflow: Area,
    /// Offsets in the save area at which no register's argument lies, first and one past the last.
    hole: (u64, u64),
    /// Offsets behind the named arguments in the save area, in bytes.
    gp_offset: u64,
    fp_offset: u64,
}

/// Offsets and contents.
#[derive(Default)]
struct Area {
    items: Vec<(u64, Item)>,
    size: u64,
}

enum Item {
    Value { value: Value, bytes: u32 },
    Copy { source: u64, size: u64 },
}

impl Area {
    fn put(&mut self, offset: u64, bytes: u64, item: Item) {
        self.items.push((offset, item));
        self.size = self.size.max(offset + bytes);
    }
}

/// The registers that are left, as offsets into the save area.
struct Registers {
    gp: u64,
    fp: u64,
}

impl Registers {
    /// Returns the position at which an argument of this class and width in bits is saved; `None`
    /// for the overflow area.
    fn take(&mut self, class: ArgClass, width: u32) -> Option<u64> {
        let (next, end, bytes) = match class {
            ArgClass::Integer if width > 64 => (&mut self.gp, GP_END, 16),
            ArgClass::Integer => (&mut self.gp, GP_END, 8),
            ArgClass::Sse => (&mut self.fp, FP_END, 16),
            ArgClass::Memory | ArgClass::Continued => return None,
        };
        let offset = *next;
        if offset + bytes > end {
            return None;
        }
        *next += bytes;
        Some(offset)
    }
}

fn reads_absent_arguments(callee: &Function) -> bool {
    callee.origin == Origin::Libc && READ_ABSENT_ARGUMENTS.contains(&callee.name.as_str())
}

impl Context<'_, '_> {
    /// Lays out the arguments of `callee` from `first` on. Symbolic addresses of structs by value
    /// may fork.
    pub(in crate::exec) fn plan_variadic_areas(
        &mut self,
        site: &CallSite,
        callee: &Function,
        args: &[(Value, u32)],
        first: usize,
    ) -> Result<VariadicPlan, Termination> {
        if self.program().pointers == PointerWidth::Bits32 {
            return self.plan_words(site, callee, args, first);
        }
        let class_of = |index: usize| {
            let class = site.arg_classes.get(index).copied();
            class.unwrap_or(ArgClass::Integer)
        };
        let mut left = Registers { gp: 0, fp: GP_END };
        for (index, &(_, width)) in args.iter().enumerate().take(first) {
            left.take(class_of(index), width);
        }
        let mut plan = VariadicPlan {
            saved: Area::default(),
            overflow: Area::default(),
            hole: (0, 0),
            gp_offset: left.gp,
            fp_offset: left.fp,
        };
        let mut offset = 0u64;
        for (index, &(value, width)) in args.iter().enumerate().skip(first) {
            if let Some((size, align)) = site.byval.get(index).copied().flatten() {
                let source = self.concrete_address(value, size, false)?;
                self.make_any(source, size);
                offset = offset.next_multiple_of(u64::from(align.max(8)));
                plan.overflow.put(offset, size, Item::Copy { source, size });
                offset += size.next_multiple_of(8);
                continue;
            }
            let bytes = if width > 64 { 16 } else { 8 };
            let value = self.values().resize(value, width, bytes * 8);
            let item = Item::Value { value, bytes };
            if let Some(saved) = left.take(class_of(index), width) {
                plan.saved.put(saved, u64::from(bytes), item);
                continue;
            }
            offset = offset.next_multiple_of(u64::from(bytes));
            plan.overflow.put(offset, u64::from(bytes), item);
            offset += u64::from(bytes);
        }
        plan.overflow.size = plan.overflow.size.next_multiple_of(8);
        if reads_absent_arguments(callee) {
            plan.saved.size = plan.saved.size.max(GP_END);
            plan.overflow.size = plan.overflow.size.max(ABSENT_ROOM - 8);
        } else if plan.saved.size > GP_END && left.gp < GP_END {
            plan.hole = (left.gp, GP_END);
        }
        Ok(plan)
    }

    /// Plans the arguments on i386.
    fn plan_words(
        &mut self,
        site: &CallSite,
        callee: &Function,
        args: &[(Value, u32)],
        first: usize,
    ) -> Result<VariadicPlan, Termination> {
        const WORD: u64 = 4;
        let mut overflow = Area::default();
        let mut offset = 0u64;
        for (index, &(value, width)) in args.iter().enumerate().skip(first) {
            if let Some((size, _)) = site.byval.get(index).copied().flatten() {
                let source = self.concrete_address(value, size, false)?;
                self.make_any(source, size);
                overflow.put(offset, size, Item::Copy { source, size });
                offset += size.next_multiple_of(WORD);
                continue;
            }
            let bytes = width.div_ceil(32) * 4;
            let value = self.values().resize(value, width, bytes * 8);
            overflow.put(offset, u64::from(bytes), Item::Value { value, bytes });
            offset += u64::from(bytes);
        }
        overflow.size = overflow.size.next_multiple_of(WORD);
        if reads_absent_arguments(callee) {
            overflow.size = overflow.size.max(ABSENT_ROOM);
        }
        Ok(VariadicPlan {
            saved: Area::default(),
            overflow,
            hole: (0, 0),
            gp_offset: 0,
            fp_offset: 0,
        })
    }

    /// Makes the planned areas as objects of the frame just pushed in memory.
    pub(in crate::exec) fn make_variadic_areas(
        &mut self,
        plan: &VariadicPlan,
        site: AllocationSite,
    ) -> Result<VariadicArguments, Termination> {
        let save_area = self.make_area(&plan.saved, site)?;
        if plan.hole.1 != 0 {
            self.state.memory.forbid(save_area, plan.hole);
        }
        let is_alone = self.program().pointers == PointerWidth::Bits32;
        let overflow_area = match plan.overflow.size {
            0 if is_alone => save_area,
            // Behind the save area, where nothing lies.
            0 => save_area + FP_END + 16,
            _ => self.make_area(&plan.overflow, site)?,
        };
        Ok(VariadicArguments {
            save_area,
            overflow_area,
            gp_offset: plan.gp_offset as u8,
            fp_offset: plan.fp_offset as u8,
        })
    }

    /// The area's address.
    fn make_area(&mut self, area: &Area, site: AllocationSite) -> Result<u64, Termination> {
        let terms = self.terms();
        let memory = &mut self.state.memory;
        let made = memory.allocate_in_frame(ObjectKind::Argument, area.size, 16, site);
        let Some(base) = made else {
            return Err(Termination::Early(EarlyReason::OutOfMemory));
        };
        for (offset, item) in &area.items {
            let address = base + offset;
            let done = match item {
                Item::Value { value, bytes } => memory.write(terms, address, *bytes, *value),
                Item::Copy { source, size } => {
                    memory.settle(terms, *source, *size);
                    memory.copy(address, *source, *size)
                }
            };
            if let Err(error) = done {
                memory.pop_frame();
                return Err(self.prepared.read_failed(self.state, *error));
            }
        }
        Ok(base)
    }

    /// `va_start`: fills the va_list.
    pub(in crate::exec) fn va_start(&mut self, list: Slot) -> Result<(), Termination> {
        let address = self.get(list, 64);
        let pointers = self.program().pointers;
        let address = self.concrete_address(address, list_size(pointers), true)?;
        let arguments = self.state.frames.top().variadic;
        let fields = match pointers {
            PointerWidth::Bits64 => vec![
                (0, 4, u64::from(arguments.gp_offset)),
                (4, 4, u64::from(arguments.fp_offset)),
                (8, 8, arguments.overflow_area),
                (16, 8, arguments.save_area),
            ],
            PointerWidth::Bits32 => vec![(0, 4, arguments.overflow_area)],
        };
        for (offset, bytes, value) in fields {
            let at = Value::Concrete(u128::from(address.wrapping_add(offset)));
            self.write(at, bytes, Value::Concrete(u128::from(value)))?;
        }
        Ok(())
    }

    /// `va_copy`.
    pub(in crate::exec) fn va_copy(&mut self, dst: Slot, src: Slot) -> Result<(), Termination> {
        let (dst, src) = (self.get(dst, 64), self.get(src, 64));
        let size = list_size(self.program().pointers);
        let source = self.concrete_address(src, size, false)?;
        let target = self.concrete_address(dst, size, true)?;
        let (terms, memory) = (self.terms(), &mut self.state.memory);
        memory.settle(terms, source, size);
        memory.settle(terms, target, size);
        let copied = memory.copy(target, source, size);
        copied.map_err(|error| self.copy_failed(*error, source))
    }
}
