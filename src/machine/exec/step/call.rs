//! Calls and returns.
//!
//! Invariant: a frame and its region of stack memory are pushed and popped together. Arguments
//! follow what C programs get away with: missing ones read 0, surplus ones are ignored, widths are
//! adjusted. The plain forms (a defined function with matching parameters) are used by the fast
//! loop and must do what the general ones do.

use super::super::context::{Context, Sides};
use super::super::executor::Executor;
use super::super::fast::decode::PlainCall;
use super::super::fast::frames::Surroundings;
use super::super::intrinsics;
use super::super::intrinsics::stub::EINVAL;
use super::super::intrinsics::{Outcome, SpecialCall};
use super::bases::scan_constants;
use super::registers;
use crate::config::StubWord;
use crate::ir::ops::{BinOp, CmpOp};
use crate::ir::program::{CallSite, Callee, FuncId, Function, PointerWidth, Slot};
use crate::machine::memory;
use crate::machine::memory::{ObjectKind, Value};
use crate::machine::outcome::{BugKind, EarlyReason, Termination};
use crate::machine::state::{ConcretiseReason, Decision, Frame, Frames, State};
use crate::solver::term::Term;

/// A native call takes no less: the return address, and what keeps the stack aligned.
const LEAST_FRAME: u64 = 16;

/// What musl's function that sets errno is given for EINVAL.
const ERRNO_EINVAL: u64 = (EINVAL as u64).wrapping_neg();

/// Bytes that a call of a function takes of a native stack, at least.
pub(in crate::machine::exec) fn stack_bytes(function: &Function) -> u32 {
    let objects = function.frame_objects.iter();
    let bytes = objects.fold(8, |sum: u64, object| sum.saturating_add(object.size));
    let frame = bytes.div_ceil(LEAST_FRAME).saturating_mul(LEAST_FRAME);
    u32::try_from(frame).unwrap_or(u32::MAX)
}

/// The width of the first value that a call wants returned.
fn first_result(site: &CallSite) -> Option<u32> {
    let returned = &site.results[..site.returned()];
    returned.first().map(|result| result.1)
}

impl Executor<'_> {
    /// Whether another call fits onto a stack of so many frames, the innermost of which is the
    /// caller's: what the call pushes comes after that.
    #[inline(always)]
    pub(in crate::machine::exec) fn has_room_for_call(&self, depth: usize, caller: &Frame) -> bool {
        depth < self.frame_limit && caller.stack_end <= self.stack_limit
    }

    /// Where the frame of the running thread's `level`-th caller would start on a native stack; 0
    /// if there are not as many. Nothing lies there: these addresses only tell how deep calls are.
    pub(in crate::machine::exec) fn frame_address(&self, state: &State, level: u32) -> u64 {
        let top = memory::native_stack_top(self.program.pointers, state.threads.running());
        let mut frames = state.frames.iter().skip(level as usize);
        if frames.next().is_none() {
            return 0;
        }
        // Behind the return address, which follows what the caller has.
        let start = frames.next().map_or(0, |caller| caller.stack_end);
        top - start - LEAST_FRAME
    }

    /// How a path ends that calls what is no function.
    fn no_function(&self, state: &State, address: u64) -> Termination {
        let mut bug = self.bug(state, BugKind::Exec, "invalid function pointer");
        bug.details.push(format!("address: {address:#x}"));
        Termination::Bug(Box::new(bug))
    }

    /// Makes the call at the top frame's `pc`, of this site and plan, and counts it; false (and no
    /// change) if there is no room for another frame.
    #[inline(always)]
    pub(in crate::machine::exec) fn call_plain(
        &self,
        frames: &mut Frames,
        around: &mut Surroundings<'_>,
        (site, call): (u32, &PlainCall),
        executed: &mut u64,
    ) -> bool {
        let depth = frames.len();
        let caller = frames.top_mut();
        if !self.has_room_for_call(depth, caller) {
            return false;
        }
        let callee = call.callee;
        let stack_base = if call.has_objects {
            around.memory.push_frame(&self.layouts[callee.index()])
        } else {
            around.memory.push_empty_frame()
        };
        let call_paths = &mut around.observer.call_paths;
        let call_path = call_paths.enter(caller.call_path, caller.pc, callee);
        caller.pc += 1;
        let bits = &self.templates[callee.index()];
        frames.enter(callee, bits, |caller, frame| {
            for &(from, to) in &call.moves {
                let (from, to) = (from as usize, to as usize);
                match caller.term(from) {
                    Some(term) => frame.set_term(to, term),
                    None => frame.bits[to] = caller.bits[from],
                }
            }
            frame.call_path = call_path;
            frame.call_site = Some(site);
            frame.stack_base = stack_base;
            frame.stack_end = caller.stack_end + u64::from(call.stack_bytes);
        });
        *executed += 1;
        around.enter_segment(call.segment, *executed);
        true
    }

    /// Returns from the top frame, whose `pc` is at the return, and counts that; false (and no
    /// change) if it is the outermost one.
    #[inline(always)]
    pub(in crate::machine::exec) fn return_plain(
        &self,
        frames: &mut Frames,
        around: &mut Surroundings<'_>,
        index: u32,
        executed: &mut u64,
    ) -> bool {
        let left = frames.leave(|frame, caller| match self.plan_of(frame, caller) {
            Some((PlainCall { after, .. }, results)) => {
                let function = self.program.function(frame.function);
                for (&to, (from, _)) in results.iter().zip(&function.returns[index as usize]) {
                    let to = to as usize;
                    caller.clear_term(to);
                    caller.bits[to] = frame.bits[from.index()];
                }
                *after
            }
            None => {
                self.hand_over(frame, caller, index);
                self.segments.segment(caller.function, caller.pc)
            }
        });
        let Some(segment) = left else {
            return false;
        };
        around.memory.pop_frame();
        *executed += 1;
        around.enter_segment(segment, *executed);
        true
    }

    /// The plan by which a frame without terms was entered and the slots of its results, if they
    /// take nothing unusual.
    #[inline(always)]
    fn plan_of(&self, frame: &Frame, caller: &Frame) -> Option<(&PlainCall, &[u32])> {
        if frame.live_terms != 0 {
            return None;
        }
        let call = self.decoded(caller.function).calls[frame.call_site? as usize].as_ref()?;
        let results = call.results.as_deref()?;
        (call.callee == frame.function).then_some((call, results))
    }

    /// Puts the values of `returns[index]` of a frame's function where its caller wants them.
    #[inline(never)]
    fn hand_over(&self, frame: &Frame, caller: &mut Frame, index: u32) {
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
    pub(in crate::machine::exec) fn call(&mut self, site: u32) -> Result<(), Termination> {
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
        if let Some(special) = self.executor.specials[callee.index()] {
            let function = self.program().function(callee);
            let outcome = special(&mut SpecialCall {
                context: self,
                name: &function.name,
                args: &args,
                result_width: first_result(site_data),
                defined: function.is_defined(),
            })?;
            if outcome != Outcome::Decline {
                return self.finish_special(site_data, outcome);
            }
        }
        let function = self.program().function(callee);
        if !function.is_defined() || self.executor.broken[callee.index()].is_some() {
            return match self.executor.stub(callee) {
                Some(stub) => self.call_stub(stub, &function.name, site_data, &args),
                None => Err(self.missing(callee)),
            };
        }
        self.enter(callee, Some(site), site_data, &args)
    }

    /// How a path ends that calls a function without a definition.
    fn missing(&self, callee: FuncId) -> Termination {
        let function = self.program().function(callee);
        if function.is_defined() || !self.config().dialect.missing_function_is_bug() {
            return self.gap(self.executor.missing(callee));
        }
        self.program_bug(
            BugKind::External,
            &format!("failed external call: {}", function.name),
        )
    }

    /// Does what stands for a function that was not linked.
    fn call_stub(
        &mut self,
        stub: StubWord,
        name: &str,
        site: &CallSite,
        args: &[(Value, u32)],
    ) -> Result<(), Termination> {
        let outcome = intrinsics::stub::run(
            &mut SpecialCall {
                context: self,
                name,
                args,
                result_width: first_result(site),
                defined: false,
            },
            stub,
        )?;
        self.finish_special(site, outcome)?;
        match (stub, self.executor.errno_setter) {
            (StubWord::Errno, Some(setter)) => self.interrupt_with(setter, &[ERRNO_EINVAL]),
            _ => Ok(()),
        }
    }

    /// Enters a function whose result nobody wants, before the next instruction.
    pub(in crate::machine::exec) fn interrupt_with(
        &mut self,
        function: FuncId,
        args: &[u64],
    ) -> Result<(), Termination> {
        let executor = self.executor;
        let frames = &self.state.frames;
        if !executor.has_room_for_call(frames.len(), frames.top()) {
            return Err(self.no_room_for_call());
        }
        let mut frame = Frame::new(function, &executor.templates[function.index()]);
        for (param, value) in self.program().function(function).params.iter().zip(args) {
            frame.bits[param.slot.index()] = *value;
        }
        let top = self.state.frames.top();
        let call_paths = &mut self.observer.call_paths;
        frame.call_path = call_paths.enter(top.call_path, top.pc, function);
        frame.stack_end = top.stack_end + u64::from(executor.stack_bytes[function.index()]);
        let layout = &executor.layouts[function.index()];
        frame.stack_base = self.state.memory.push_frame(layout);
        self.state.frames.push(frame);
        self.enter_segment();
        Ok(())
    }

    fn finish_special(&mut self, site: &CallSite, outcome: Outcome) -> Result<(), Termination> {
        let value = match outcome {
            Outcome::Jumped => return Ok(()),
            Outcome::Void | Outcome::Decline => Value::Concrete(0),
            Outcome::Return(value) => value,
        };
        self.return_from_builtin(site, value);
        Ok(())
    }

    /// Puts one value (0 for further ones) into a call's results and goes on after the call.
    fn return_from_builtin(&mut self, site: &CallSite, value: Value) {
        let returned = site.returned();
        for (index, &(slot, width)) in site.results.iter().enumerate() {
            let value = match (index, value) {
                _ if index >= returned => Value::Concrete(0),
                (0, Value::Concrete(value)) => Value::Concrete(value & crate::ir::ops::mask(width)),
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
        let executor = self.executor;
        let frames = &self.state.frames;
        if !executor.has_room_for_call(frames.len(), frames.top()) {
            return Err(self.no_room_for_call());
        }
        let function = self.program().function(callee);
        // byval copies need concrete addresses; forks must come before any change.
        let mut copies = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            if let (Some((size, align)), Some((address, _))) = (param.byval, args.get(index)) {
                let source = self.concrete_address(*address, size, false)?;
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
        let mut frame = Frame::new(callee, &executor.templates[callee.index()]);
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
        frame.stack_end = caller.stack_end + u64::from(executor.stack_bytes[callee.index()]);
        let memory = &mut self.state.memory;
        frame.stack_base = memory.push_frame(&executor.layouts[callee.index()]);
        let alloc_site = executor.site(self.state);
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
            memory.settle(executor.terms, source, size);
            if let Err(error) = memory.copy(copy, source, size) {
                memory.pop_frame();
                return Err(executor.access_failed(self.state, *error));
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

    /// How a path ends that makes a call too many.
    fn no_room_for_call(&self) -> Termination {
        if self.state.frames.len() >= self.executor.frame_limit {
            return Termination::Early(EarlyReason::RecursionLimit);
        }
        let limit = self.executor.stack_limit;
        let message = "memory error: stack overflow";
        let mut bug = self.executor.bug(self.state, BugKind::Ptr, message);
        let depth = self.state.frames.len();
        bug.details.push(format!(
            "{depth} nested calls take more than {limit} bytes of stack (--max-stack-size)"
        ));
        Termination::Bug(Box::new(bug))
    }

    /// Executes a return of the function's `returns[index]`.
    pub(in crate::machine::exec) fn return_(&mut self, index: u32) -> Result<(), Termination> {
        let State {
            frames,
            memory,
            sides,
            ..
        } = &mut *self.state;
        let call_path = frames.top().call_path;
        let mut around = Surroundings {
            memory,
            sides,
            observer: &mut *self.observer,
            new_at: None,
            may_call: false,
            call_path,
            elsewhere: 0,
        };
        // `step` has counted the return.
        let left = self
            .executor
            .return_plain(frames, &mut around, index, &mut 0);
        let is_new = around.new_at.is_some();
        if left {
            if is_new {
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
                self.report_leaks();
                0
            }
        };
        Err(Termination::Exit(status))
    }

    /// An exit status as the parent sees it: its low 8 bits. A symbolic one forks over its values.
    pub fn exit_status(&mut self, value: Value) -> Result<i32, Termination> {
        if let Value::Concrete(status) = value {
            self.report_leaks();
            return Ok(i32::from(status as u8));
        }
        let seen = self.fixed(self.values().extract(value, 0, 8));
        let limit = u128::from(self.config().symbolic.exit_statuses);
        let status = self.enumerate(seen, ConcretiseReason::ExitStatus, limit)?;
        self.report_leaks();
        Ok(i32::from(status as u8))
    }

    /// The function a pointer calls. A symbolic pointer forks over all functions that it may be,
    /// those that occur in its term first; what is none of them is a bug.
    fn indirect_callee(&mut self, slot: Slot) -> Result<FuncId, Termination> {
        let term = match self.get_defined(slot, 64, "call of an undefined function pointer") {
            Value::Concrete(address) => return self.function_at(address as u64),
            Value::Term(term) => term,
        };
        let mut candidates = Vec::new();
        let count = self.program().functions.len();
        let mut consider = |value| {
            let function = memory::function_at(value as u64);
            candidates.extend(function.filter(|function| function.index() < count));
        };
        scan_constants(self.terms(), term, 64, &mut consider);
        if self.program().pointers == PointerWidth::Bits32 {
            // What has been in memory.
            scan_constants(self.terms(), term, 32, &mut consider);
        }
        candidates.sort_unstable();
        candidates.dedup();
        for function in candidates {
            if self.calls(term, function)? {
                return Ok(function);
            }
        }
        self.require_function(term, count as u64)?;
        let function = self.function_at(self.example(term) as u64)?;
        // The model satisfies it.
        self.calls(term, function)?;
        Ok(function)
    }

    /// Whether a function pointer is that of a function. If it may be another one, too, a sibling
    /// forks off that tries the others.
    fn calls(&mut self, pointer: Term, function: FuncId) -> Result<bool, Termination> {
        let equal = self.equals(pointer, memory::function_address(function).into());
        if self.example(equal) != 0 {
            self.keep_to(equal, Decision::Callee { function })?;
            return Ok(true);
        }
        match self.sides(equal) {
            Sides::False => Ok(false),
            Sides::True => Ok(true),
            Sides::Both { holds, fails } => {
                let mut sibling = self.split(equal, holds, fails)?;
                sibling.decisions.push(Decision::Branch { side: 1 });
                self.state.decisions.push(Decision::Callee { function });
                self.siblings.push(sibling);
                Ok(true)
            }
        }
    }

    /// The path goes on where a pointer is that of one of the program's `count` functions; where
    /// not, it ends as a bug.
    fn require_function(&mut self, pointer: Term, count: u64) -> Result<(), Termination> {
        let terms = self.terms();
        let constant = |value: u64| terms.constant(64, value.into());
        let (base, stride) = (memory::FUNCTION_BASE, memory::FUNCTION_STRIDE);
        let distance = terms.bin(BinOp::Sub, pointer, constant(base));
        let near = terms.cmp(CmpOp::Ult, distance, constant(count * stride));
        let rest = terms.bin(BinOp::URem, distance, constant(stride));
        let is_function = terms.and(near, terms.eq_const(rest, 0));
        match self.sides(is_function) {
            Sides::True => Ok(()),
            Sides::False => self.function_at(self.example(pointer) as u64).map(|_| ()),
            Sides::Both { holds, fails } => {
                self.fork_bug(is_function, (holds, fails), |context, sibling| {
                    let address = terms.eval(pointer, &sibling.model) as u64;
                    context.executor.no_function(sibling, address)
                })
            }
        }
    }

    /// The function that starts at an address, else a bug.
    fn function_at(&self, address: u64) -> Result<FuncId, Termination> {
        memory::function_at(address)
            .filter(|function| function.index() < self.program().functions.len())
            .ok_or_else(|| self.executor.no_function(self.state, address))
    }

    /// Inline assembly: what needs no effect, and the processor's identification, which answers
    /// "nothing special". The rest is a gap.
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
            Some(line) => Err(self.gap(format!("inline assembly: {line} ({constraints})"))),
        }
    }
}
