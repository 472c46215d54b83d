//! Calls and returns.
//!
//! Invariant: a frame and its region of stack memory are pushed and popped together. Arguments
//! follow what C programs get away with: missing ones read 0, surplus ones are ignored, widths are
//! adjusted. The fast loop has a form for defined functions with matching parameters
//! (`fast::calls`), which must do what the general one does.

use super::super::builtins;
use super::super::builtins::stub::EINVAL;
use super::super::builtins::{BuiltinCall, Outcome};
use super::super::context::Context;
use super::super::prepared::PreparedProgram;
use super::registers;
use crate::memory::{ObjectKind, Value};
use crate::outcome::{BugKind, EarlyReason, Termination};
use crate::state::{ConcretiseReason, Frame};
use homi_config::StubSpec;
use homi_ir::program::{CallSite, Callee, FuncId, Mark, builtin_name};

/// Argument for EINVAL of musl's function that sets errno.
const ERRNO_EINVAL: u64 = (EINVAL as u64).wrapping_neg();

/// The width of the first value that a call wants returned.
fn first_result(site: &CallSite) -> Option<u32> {
    let returned = &site.results[..site.returned()];
    returned.first().map(|result| result.1)
}

impl PreparedProgram<'_> {
    /// Puts the values of `returns[index]` of a frame's function where its caller wants them.
    #[inline(never)]
    pub(in crate::exec) fn hand_over(&self, frame: &Frame, caller: &mut Frame, index: u32) {
        let Some(site) = frame.call_site else {
            return;
        };
        let function = self.program.function(frame.function);
        let caller_function = self.program.function(caller.function);
        let site = &caller_function.calls[site as usize];
        let (results, values) = (&site.results, &function.returns[index as usize]);
        let values = &values[..values.len().min(site.returned())];
        for (position, &(slot, width)) in results.iter().enumerate() {
            if let Some(&(from, from_width)) = values.get(position) {
                // The usual case without the detour through 128-bit values.
                if frame.live_terms == 0 && width <= 64 && from_width == width {
                    caller.clear_term(slot.index());
                    caller.bits[slot.index()] = frame.bits[from.index()];
                    continue;
                }
            }
            let value = match values.get(position) {
                Some(&(from, from_width)) => {
                    let value = registers::read(frame, from, from_width);
                    super::values::Values::new(self.terms).resize(value, from_width, width)
                }
                None => Value::Concrete(0),
            };
            registers::write(caller, slot, width, value);
        }
    }
}

impl Context<'_, '_> {
    /// Executes the call `site` of the current function.
    pub(in crate::exec) fn call(&mut self, site: u32) -> Result<(), Termination> {
        let site_data = &self.function().calls[site as usize];
        let callee = match site_data.callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(slot) => {
                let callee = self.indirect_callee(slot)?;
                let top = self.state.frames.top();
                let (caller, pc) = (top.function, top.pc);
                self.observer.sites.call_through_pointer(caller, pc, callee);
                callee
            }
            Callee::Assembly { text, constraints } => {
                let text = self.program().texts[text.index()].clone();
                let constraints = self.program().texts[constraints.index()].clone();
                return self.assembly(site_data, &text, &constraints);
            }
        };
        let args: Vec<(Value, u32)> = {
            let frame = self.state.frames.top();
            let args = site_data.args.iter();
            args.map(|&(slot, width)| (registers::read(frame, slot, width), width))
                .collect()
        };
        if let Some(builtin) = self.prepared.builtins[callee.index()] {
            let function = self.program().function(callee);
            let run = builtins::function_of(builtin);
            let outcome = run(&mut BuiltinCall {
                context: self,
                name: builtin_name(&function.name),
                args: &args,
                result_width: first_result(site_data),
                defined: function.is_defined(),
            })?;
            if outcome != Outcome::Decline {
                return self.finish_builtin(site_data, outcome);
            }
        }
        let function = self.program().function(callee);
        if !function.is_defined() || self.prepared.broken[callee.index()].is_some() {
            return match self.prepared.stub(callee) {
                Some(stub) => self.call_stub(stub, &function.name, site_data, &args),
                None => Err(self.missing(callee)),
            };
        }
        self.enter(callee, Some(site), site_data, &args)
    }

    /// Returns the termination of a path that calls a function without a definition.
    fn missing(&self, callee: FuncId) -> Termination {
        let function = self.program().function(callee);
        if function.is_defined() || !self.config().dialect.missing_function_is_bug() {
            return self.unsupported(self.prepared.missing(callee));
        }
        self.program_bug(
            BugKind::External,
            &format!("failed external call: {}", function.name),
        )
    }

    /// Executes the stub of a function that was not linked.
    fn call_stub(
        &mut self,
        stub: StubSpec,
        name: &str,
        site: &CallSite,
        args: &[(Value, u32)],
    ) -> Result<(), Termination> {
        let outcome = builtins::stub::run(
            &mut BuiltinCall {
                context: self,
                name,
                args,
                result_width: first_result(site),
                defined: false,
            },
            stub,
        )?;
        self.finish_builtin(site, outcome)?;
        match (stub, self.prepared.errno_setter) {
            (StubSpec::Errno, Some(setter)) => self.interrupt_with(setter, &[ERRNO_EINVAL]),
            _ => Ok(()),
        }
    }

    /// Enters a function whose result is ignored, before the next instruction.
    pub(in crate::exec) fn interrupt_with(
        &mut self,
        function: FuncId,
        args: &[u64],
    ) -> Result<(), Termination> {
        let prepared = self.prepared;
        let frames = &self.state.frames;
        if !prepared.has_room_for_call(frames.len(), frames.top()) {
            return Err(self.no_room_for_call());
        }
        let mut frame = Frame::new(function, &prepared.templates[function.index()]);
        for (param, value) in self.program().function(function).params.iter().zip(args) {
            frame.bits[param.slot.index()] = *value;
        }
        let top = self.state.frames.top();
        let call_paths = &mut self.observer.call_paths;
        frame.call_path = call_paths.enter(top.call_path, top.pc, function);
        frame.stack_end = top.stack_end + u64::from(prepared.stack_bytes[function.index()]);
        let layout = &prepared.layouts[function.index()];
        frame.stack_base = self.state.memory.push_frame(layout);
        self.state.frames.push(frame);
        self.enter_segment();
        Ok(())
    }

    fn finish_builtin(&mut self, site: &CallSite, outcome: Outcome) -> Result<(), Termination> {
        let value = match outcome {
            Outcome::Jumped => return Ok(()),
            Outcome::Void | Outcome::Decline => Value::Concrete(0),
            Outcome::Return(value) => value,
        };
        self.return_from_builtin(site, value);
        Ok(())
    }

    /// Stores one value (0 for further ones) in a call's results and continues after the call.
    fn return_from_builtin(&mut self, site: &CallSite, value: Value) {
        let returned = site.returned();
        for (index, &(slot, width)) in site.results.iter().enumerate() {
            let value = match (index, value) {
                _ if index >= returned => Value::Concrete(0),
                (0, Value::Concrete(value)) => Value::Concrete(value & homi_ir::ops::mask(width)),
                (0, Value::Term(term)) => {
                    let own = self.terms().width(term);
                    self.values().resize(value, own, width)
                }
                _ => Value::Concrete(0),
            };
            registers::write(self.frame(), slot, width, value);
        }
        self.advance();
        self.enter_segment();
    }

    /// Enters a defined function.
    fn enter(
        &mut self,
        callee: FuncId,
        site: Option<u32>,
        site_data: &CallSite,
        args: &[(Value, u32)],
    ) -> Result<(), Termination> {
        let prepared = self.prepared;
        let frames = &self.state.frames;
        if !prepared.has_room_for_call(frames.len(), frames.top()) {
            return Err(self.no_room_for_call());
        }
        let function = self.program().function(callee);
        // byval copies need concrete addresses; forks must come before any change.
        let mut copies = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            if let (Some((size, align)), Some((address, _))) = (param.byval, args.get(index)) {
                let source = self.concrete_address(*address, size, false)?;
                self.make_any(source, size);
                copies.push((index, source, size, align));
            }
        }
        // The callee's prototype decides, as in the ABI: a call without one (old C) names all its
        // arguments as fixed.
        let variadic_from = function.params.len();
        let area = if function.variadic {
            Some(self.plan_variadic_areas(site_data, function, args, variadic_from)?)
        } else {
            None
        };
        if args.len() < function.params.len() {
            self.mark(Mark::Unset);
        }
        let mut frame = Frame::new(callee, &prepared.templates[callee.index()]);
        for (param, (value, width)) in function.params.iter().zip(args) {
            let value = self.values().resize(*value, *width, param.width);
            registers::write(&mut frame, param.slot, param.width, value);
        }
        let caller = self.state.frames.top();
        frame.call_path = self
            .observer
            .call_paths
            .enter(caller.call_path, caller.pc, callee);
        frame.call_site = site;
        frame.stack_end = caller.stack_end + u64::from(prepared.stack_bytes[callee.index()]);
        let memory = &mut self.state.memory;
        frame.stack_base = memory.push_frame(&prepared.layouts[callee.index()]);
        let alloc_site = prepared.site(self.state);
        for (index, source, size, align) in copies {
            let memory = &mut self.state.memory;
            let copy = memory.allocate_in_frame(
                ObjectKind::Argument,
                size,
                u64::from(align.max(8)),
                alloc_site,
            );
            let Some(copy) = copy else {
                return Err(Termination::Early(EarlyReason::OutOfMemory));
            };
            memory.settle(prepared.terms, source, size);
            if let Err(error) = memory.copy(copy, source, size) {
                memory.pop_frame();
                return Err(prepared.read_failed(self.state, *error));
            }
            let slot = function.params[index].slot;
            registers::write(&mut frame, slot, 64, Value::Concrete(u128::from(copy)));
        }
        if let Some(area) = area {
            frame.variadic = self.make_variadic_areas(&area, alloc_site)?;
        }
        self.advance();
        self.state.frames.push(frame);
        self.enter_segment();
        Ok(())
    }

    /// Returns the termination of a path whose calls overflow the stack.
    pub(super) fn no_room_for_call(&self) -> Termination {
        if self.state.frames.len() >= self.prepared.frame_limit {
            return Termination::Early(EarlyReason::RecursionLimit);
        }
        let limit = self.prepared.stack_limit;
        let message = "memory error: stack overflow";
        let mut bug = self.prepared.bug(self.state, BugKind::Stack, message);
        let depth = self.state.frames.len();
        bug.details.push(format!(
            "{depth} nested calls take more than {limit} bytes of stack (--max-stack-size)"
        ));
        Termination::Bug(Box::new(bug))
    }

    /// Executes a return of the function's `returns[index]`.
    pub(in crate::exec) fn return_(&mut self, index: u32) -> Result<(), Termination> {
        let prepared = self.prepared;
        let left = self.state.frames.leave(|frame, caller| {
            prepared.hand_over(frame, caller, index);
            prepared.segments.segment(caller.function, caller.pc)
        });
        if let Some(segment) = left {
            self.state.memory.pop_frame();
            if self.observer.enter_segment(segment) {
                self.state.metrics.note_new(0);
            }
            return Ok(());
        }
        // The outermost function returns: that is the exit status.
        let first = self.function().returns[index as usize].first();
        let status = match first {
            Some(&(slot, width)) => {
                let value = registers::read(self.state.frames.top(), slot, width);
                self.exit_status(value)?
            }
            None => {
                self.check_end();
                0
            }
        };
        Err(Termination::Exit(status))
    }

    /// An exit status as the parent sees it: its low 8 bits. A symbolic one forks over its values.
    pub fn exit_status(&mut self, value: Value) -> Result<i32, Termination> {
        if let Value::Concrete(status) = value {
            self.check_end();
            return Ok(i32::from(status as u8));
        }
        if self.state.loops.is_general {
            self.check_end();
            return Ok(0);
        }
        let seen = self.fixed(self.values().extract(value, 0, 8));
        let limit = u128::from(self.config().symbolic.exit_statuses);
        let status = self.enumerate(seen, ConcretiseReason::ExitStatus, limit)?;
        self.check_end();
        Ok(i32::from(status as u8))
    }

    /// Inline assembly: what needs no effect, and the processor's identification, which answers
    /// "nothing built-in function". The rest is a gap.
    fn assembly(
        &mut self,
        site: &CallSite,
        text: &str,
        constraints: &str,
    ) -> Result<(), Termination> {
        let meaningful = text
            .split(['\n', ';'])
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("//"));
        match meaningful {
            // An empty text with tied operands gives its inputs back.
            None => {
                let inputs: Vec<(Value, u32)> = {
                    let frame = self.state.frames.top();
                    let args = site.args.iter();
                    args.map(|&(slot, width)| (registers::read(frame, slot, width), width))
                        .collect()
                };
                for (index, &(slot, width)) in site.results.iter().enumerate() {
                    let value = inputs.get(index).map_or(Value::Concrete(0), |input| {
                        self.values().resize(input.0, input.1, width)
                    });
                    registers::write(self.frame(), slot, width, value);
                }
                self.advance();
                self.enter_segment();
                Ok(())
            }
            Some(line) if line.contains("cpuid") || line.starts_with("xgetbv") => {
                self.return_from_builtin(site, Value::Concrete(0));
                Ok(())
            }
            Some("pause" | "nop" | "mfence" | "lfence" | "sfence" | "rep" | "rep nop") => {
                self.return_from_builtin(site, Value::Concrete(0));
                Ok(())
            }
            Some(line) => Err(self.unsupported(format!("inline assembly: {line} ({constraints})"))),
        }
    }
}
