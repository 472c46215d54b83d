//! Accesses that a processor refuses and that do not end the path: accesses of a system call, which
//! returns EFAULT, and of a program to a protected mapping, if it handles SIGSEGV.
//!
//! Invariant: the null page, out-of-bounds and freed addresses stay bugs in the program's code,
//! whatever it handles.

use super::super::context::Context;
use super::super::step::registers;
use crate::memory::{AccessError, AccessErrorKind, Value, function_at};
use crate::outcome::Termination;
use homi_ir::program::{FuncId, GlobalId, Origin};

const EFAULT: i64 = 14;

impl Context<'_, '_> {
    /// Handles a failed instruction: a path may continue after an access that a CPU refuses.
    pub(in crate::exec) fn refuse_or_end(
        &mut self,
        termination: Termination,
    ) -> Result<(), Termination> {
        let access = match &termination {
            Termination::Bug(bug) if self.siblings.is_empty() => bug.access.as_ref(),
            _ => None,
        };
        let Some(access) = access else {
            return Err(termination);
        };
        let is_protected = self.state.memory.is_protected(access.address);
        if let Some(depth) = self.system_call() {
            if is_protected || is_refused_to_the_kernel(access) {
                self.leave_system_call(depth);
                return Ok(());
            }
        } else if is_protected && let Some(entry) = self.fault_entry() {
            let address = access.address;
            return self.interrupt_with(entry, &[address]);
        }
        Err(termination)
    }

    /// The number of frames below the innermost system call, if the path is in one.
    fn system_call(&self) -> Option<usize> {
        let syscall_entry = self.prepared.fault_places.syscall_entry?;
        let count = self.state.frames.len();
        let functions = self.state.frames.iter().map(|frame| frame.function);
        let own = |function: &FuncId| self.program().function(*function).origin == Origin::Runtime;
        let found = functions
            .take_while(own)
            .position(|function| function == syscall_entry)?;
        Some(count - found - 1).filter(|below| *below > 0)
    }

    /// Returns EFAULT from the system call above `below` frames.
    fn leave_system_call(&mut self, below: usize) {
        let mut site = None;
        while self.state.frames.len() > below {
            site = self.state.frames.top().call_site;
            self.state.frames.pop();
            self.state.memory.pop_frame();
        }
        let function = self.function();
        let results = site.and_then(|site| function.calls.get(site as usize));
        let answer = u128::from((-EFAULT) as u64);
        if let Some((slot, width)) =
            results.and_then(|site| site.results[..site.returned()].first().copied())
        {
            let answer = Value::Concrete(answer & homi_ir::ops::mask(width));
            registers::write(self.frame(), slot, width, answer);
        }
        self.enter_segment();
    }

    /// Returns the function that the kernel registered for faults.
    fn fault_entry(&self) -> Option<FuncId> {
        let width = self.program().pointers.bytes();
        let entry = self.kernel_word(self.prepared.fault_places.entry?, width)?;
        let count = self.program().functions.len();
        function_at(entry).filter(|function| function.index() < count)
    }

    /// Returns true if the program handles SIGABRT, so that a call of abort is a signal.
    pub(in crate::exec) fn handles_abort(&self) -> bool {
        let variable = self.prepared.fault_places.abort_handled;
        variable.and_then(|variable| self.kernel_word(variable, 4)) == Some(1)
    }

    /// Returns the value of a variable of the kernel; `None` if it is symbolic.
    fn kernel_word(&self, variable: GlobalId, bytes: u32) -> Option<u64> {
        let address = self.prepared.global_address(variable);
        self.state.memory.read_word(address, bytes).ok()?
    }
}

/// Returns true if the kernel cannot do what it was asked to, other than to a mapping: a write to
/// read-only memory, or an address without an object.
fn is_refused_to_the_kernel(access: &AccessError) -> bool {
    matches!(
        access.kind,
        AccessErrorKind::ReadOnly { .. }
            | AccessErrorKind::UseAfterFree { object: None, .. }
            | AccessErrorKind::Null
    )
}
