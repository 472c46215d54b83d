//! Variadic arguments as compiled va_arg code for x86-64 expects them.
//!
//! Idea: clang expands va_arg into reads of the System V va_list: gp_offset, fp_offset,
//! overflow_arg_area, reg_save_area. With both offsets at the end of the register area, that code takes
//! every argument from the overflow area, so all variadic arguments lie there in order: 8 bytes each,
//! structs by value and long double rounded up and aligned as the ABI says.

use super::context::Context;
use super::outcome::{EarlyReason, Termination};
use crate::memory::{AllocationSite, ObjectKind, Value};
use crate::program::{ArgClass, CallSite, Function, Origin, Slot};

/// End of the integer registers in the register save area, bytes.
const GP_OFFSET_END: u128 = 48;
/// End of the SSE registers (KLEE uses 304 as well; anything from 176 on means "none left").
const FP_OFFSET_END: u128 = 304;
/// Bytes of a va_list.
const LIST_SIZE: u64 = 24;

/// Functions of libc that read arguments which their callers may leave out, as in `fcntl(fd, F_GETFD)`.
/// Natively they find whatever is there; here the area has room for them.
const READ_ABSENT_ARGUMENTS: &[&str] = &[
    "fcntl", "fcntl64", "ioctl", "mremap", "prctl", "ptrace", "semctl", "syscall", "ulimit",
];
/// Bytes that such a function may read: six words.
const ABSENT_ROOM: u64 = 48;

/// What goes where in an overflow area.
pub(super) struct VariadicArea {
    /// Offset and contents.
    items: Vec<(u64, Item)>,
    size: u64,
}

enum Item {
    Value { value: Value, bytes: u32 },
    Copy { source: u64, size: u64 },
}

impl Context<'_, '_> {
    /// Lays out the arguments of `callee` from `first` on. Symbolic addresses of structs by value may fork.
    pub(super) fn plan_variadic_area(
        &mut self,
        site: &CallSite,
        callee: &Function,
        args: &[(Value, u32)],
        first: usize,
    ) -> Result<VariadicArea, Termination> {
        let mut items = Vec::new();
        let mut offset = 0u64;
        for (index, &(value, width)) in args.iter().enumerate().skip(first) {
            if let Some((size, align)) = site.byval.get(index).copied().flatten() {
                let source = self.concrete_address(value, size, false)?;
                offset = offset.next_multiple_of(u64::from(align.max(8)));
                items.push((offset, Item::Copy { source, size }));
                offset += size.next_multiple_of(8);
                continue;
            }
            let in_memory = site.arg_classes.get(index) == Some(&ArgClass::Memory);
            let wide = width > 64;
            if wide || in_memory && width == 80 {
                offset = offset.next_multiple_of(16);
            }
            let slot = if wide { 16 } else { 8 };
            let value = self.values().resize(value, width, slot * 8);
            items.push((offset, Item::Value { value, bytes: slot }));
            offset += u64::from(slot);
        }
        let reads_absent =
            callee.origin == Origin::Libc && READ_ABSENT_ARGUMENTS.contains(&callee.name.as_str());
        let room = if reads_absent { ABSENT_ROOM } else { 0 };
        Ok(VariadicArea {
            items,
            size: offset.max(room),
        })
    }

    /// Makes the planned area as an object of the frame just pushed in memory; its address, 0 if empty.
    pub(super) fn make_variadic_area(
        &mut self,
        area: &VariadicArea,
        site: AllocationSite,
    ) -> Result<u64, Termination> {
        if area.size == 0 {
            return Ok(0);
        }
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
                Item::Copy { source, size } => memory.copy(address, *source, *size),
            };
            if let Err(error) = done {
                memory.pop_frame();
                return Err(self.executor.access_failed(self.state, *error));
            }
        }
        Ok(base)
    }

    /// `va_start`: fills the va_list.
    pub(super) fn va_start(&mut self, list: Slot) -> Result<(), Termination> {
        let address = self.get(list, 64);
        let address = self.concrete_address(address, LIST_SIZE, true)?;
        let area = u128::from(self.state.frames.top().variadic_area);
        let fields = [
            (0, 4, GP_OFFSET_END),
            (4, 4, FP_OFFSET_END),
            (8, 8, area),
            (16, 8, 0),
        ];
        for (offset, bytes, value) in fields {
            let at = Value::Concrete(u128::from(address.wrapping_add(offset)));
            self.write(at, bytes, Value::Concrete(value))?;
        }
        Ok(())
    }

    /// `va_copy`.
    pub(super) fn va_copy(&mut self, dst: Slot, src: Slot) -> Result<(), Termination> {
        let (dst, src) = (self.get(dst, 64), self.get(src, 64));
        let source = self.concrete_address(src, LIST_SIZE, false)?;
        let target = self.concrete_address(dst, LIST_SIZE, true)?;
        let copied = self.state.memory.copy(target, source, LIST_SIZE);
        copied.map_err(|error| self.executor.access_failed(self.state, *error))
    }
}
