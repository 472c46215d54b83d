//! Checks that a program's code refers only to what exists, once, before it runs.
//!
//! Invariant: after this check every slot, block, table and location that an instruction names lies
//! within its function, which the interpreter's inner loop relies on.

use crate::ir::program::{Callee, Function, Inst, LANDING_RESULTS, Program, Slot};

/// What is wrong with each function's code, `None` where nothing is. A function that is malformed
/// must not run; the others may.
pub fn verify(program: &Program) -> Vec<Option<String>> {
    let functions = program.functions.iter();
    functions
        .map(|function| Check { program, function }.function().err())
        .collect()
}

/// The functions that the program names outside of code exist.
pub fn verify_roots(program: &Program) -> Result<(), String> {
    let roots = [Some(program.entry), program.runtime_entry];
    let roots = roots.into_iter().flatten();
    let roots = roots.chain(program.constructors.iter().copied());
    for function in roots.chain(program.destructors.iter().copied()) {
        if function.index() >= program.functions.len() {
            return Err(format!("{function} does not exist"));
        }
    }
    Ok(())
}

struct Check<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Check<'_> {
    fn function(&self) -> Result<(), String> {
        let function = self.function;
        if function.locations.len() != function.code.len() {
            return Err("locations do not run parallel to code".to_string());
        }
        for param in &function.params {
            self.slot(param.slot, param.width)?;
        }
        for (slot, value) in &function.constants {
            let width = match value {
                crate::ir::program::ConstValue::Int { width, .. } => u32::from(*width),
                _ => 64,
            };
            self.slot(*slot, width)?;
        }
        let mut previous = None;
        for block in &function.blocks {
            if previous.is_some_and(|start| start >= block.start) {
                return Err("blocks are not in order".to_string());
            }
            if block.start as usize >= function.code.len() {
                return Err("a block starts outside of the code".to_string());
            }
            previous = Some(block.start);
        }
        if function.is_defined() && function.blocks[0].start != 0 {
            return Err("the entry block does not start the code".to_string());
        }
        for index in 0..function.blocks.len() {
            let range = function.block_range(crate::ir::program::BlockId::new(index));
            let ends = function.code[range]
                .last()
                .is_some_and(|inst| inst.is_terminator() || matches!(inst, Inst::Gap { .. }));
            if !ends {
                return Err(format!("block {index} has no terminator"));
            }
        }
        for inst in &function.code {
            self.inst(inst)
                .map_err(|what| format!("{inst:?}: {what}"))?;
        }
        Ok(())
    }

    /// The slot and, above 64 bits, its neighbour exist.
    fn slot(&self, slot: Slot, width: u32) -> Result<(), String> {
        if width == 0 || width > 128 {
            return Err(format!("width {width}"));
        }
        let last = slot.index() + usize::from(width > 64);
        if last >= self.function.slots as usize {
            return Err(format!("slot {slot} does not exist"));
        }
        Ok(())
    }

    fn slots(&self, slots: &[Slot], width: u32) -> Result<(), String> {
        slots.iter().try_for_each(|slot| self.slot(*slot, width))
    }

    fn block(&self, block: crate::ir::program::BlockId) -> Result<(), String> {
        match self.function.blocks.get(block.index()) {
            Some(_) => Ok(()),
            None => Err(format!("block {block} does not exist")),
        }
    }

    fn branch(
        &self,
        branch: Option<crate::ir::program::BranchId>,
        side: u32,
    ) -> Result<(), String> {
        match branch {
            Some(branch) => match self.program.branches.get(branch.index()) {
                Some(site) if side < site.sides => Ok(()),
                _ => Err(format!("side {side} of branch {branch} does not exist")),
            },
            None => Ok(()),
        }
    }

    fn inst(&self, inst: &Inst) -> Result<(), String> {
        let function = self.function;
        let table_missing = || "a table does not exist".to_string();
        match *inst {
            Inst::Move { w, dst, src } | Inst::Unary { w, dst, src, .. } => {
                self.slots(&[dst, src], w.into())
            }
            Inst::Moves { index } => {
                let moves = function.moves.get(index as usize);
                let mut moves = moves.ok_or_else(table_missing)?.iter();
                moves.try_for_each(|(w, dst, src)| self.slots(&[*dst, *src], u32::from(*w)))
            }
            Inst::Bin { w, dst, a, b, .. } | Inst::BinPromised { w, dst, a, b, .. } => {
                self.slots(&[dst, a, b], w.into())
            }
            Inst::Undefined { w, dst } => self.slot(dst, w.into()),
            Inst::Cmp { w, dst, a, b, .. } => {
                self.slot(dst, 1)?;
                self.slots(&[a, b], w.into())
            }
            Inst::Cast {
                from, to, dst, src, ..
            } => {
                self.slot(src, from.into())?;
                self.slot(dst, to.into())
            }
            Inst::Select { w, dst, cond, a, b } => {
                self.slot(cond, 1)?;
                self.slots(&[dst, a, b], w.into())
            }
            Inst::PtrAdd {
                iw,
                dst,
                base,
                index,
                ..
            }
            | Inst::PtrPromised {
                iw,
                dst,
                base,
                index,
                ..
            } => {
                if iw > 64 {
                    return Err("an index of more than 64 bits".to_string());
                }
                self.slot(index, iw.into())?;
                self.slots(&[dst, base], 64)
            }
            Inst::PtrOffset { dst, base, .. } => self.slots(&[dst, base], 64),
            Inst::Load { w, dst, addr } => {
                self.slot(dst, w.into())?;
                self.slot(addr, 64)
            }
            Inst::Store { w, addr, src } => {
                self.slot(src, w.into())?;
                self.slot(addr, 64)
            }
            Inst::FrameAddress { dst, object } => {
                self.slot(dst, 64)?;
                match function.frame_objects.get(object as usize) {
                    Some(_) => Ok(()),
                    None => Err("the frame object does not exist".to_string()),
                }
            }
            Inst::AllocaDynamic { dst, count, .. } => self.slots(&[dst, count], 64),
            Inst::FrameBase { dst, .. } | Inst::StackSave { dst } => self.slot(dst, 64),
            Inst::StackRestore { src } => self.slot(src, 64),
            Inst::MinMax {
                w, to, dst, a, b, ..
            } => {
                self.slot(dst, to.into())?;
                self.slots(&[a, b], w.into())
            }
            Inst::Funnel {
                w,
                dst,
                high,
                low,
                shift,
                ..
            } => self.slots(&[dst, high, low, shift], w.into()),
            Inst::Overflow {
                w,
                dst,
                overflow,
                a,
                b,
                ..
            } => {
                self.slot(overflow, 1)?;
                self.slots(&[dst, a, b], w.into())
            }
            Inst::Float {
                kind, dst, a, b, ..
            } => self.slots(&[dst, a, b], kind.width()),
            Inst::FloatUnary { kind, dst, src, .. } => self.slots(&[dst, src], kind.width()),
            Inst::FloatFma { kind, dst, a, b, c } => self.slots(&[dst, a, b, c], kind.width()),
            Inst::FloatCmp {
                kind, dst, a, b, ..
            } => {
                self.slot(dst, 1)?;
                self.slots(&[a, b], kind.width())
            }
            Inst::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst,
                src,
            } => {
                let (from, to) = super::super::float::cast_widths(op, kind, to_kind, w.into());
                self.slot(src, from)?;
                self.slot(dst, to)
            }
            Inst::MemCopy { dst, src, len, .. } => self.slots(&[dst, src, len], 64),
            Inst::MemSet { dst, value, len } => {
                self.slot(value, 8)?;
                self.slots(&[dst, len], 64)
            }
            Inst::AtomicRmw {
                w, dst, addr, src, ..
            } => {
                self.slot(addr, 64)?;
                self.slots(&[dst, src], w.into())
            }
            Inst::CompareExchange {
                w,
                dst,
                success,
                addr,
                expected,
                new,
            } => {
                self.slot(addr, 64)?;
                self.slot(success, 1)?;
                self.slots(&[dst, expected, new], w.into())
            }
            Inst::VaStart { list } => self.slot(list, 64),
            Inst::VaCopy { dst, src } => self.slots(&[dst, src], 64),
            Inst::Call { site } => self.call(site),
            Inst::Jump { target } => self.block(target),
            Inst::Branch {
                cond,
                then,
                otherwise,
                branch,
            } => {
                self.slot(cond, 1)?;
                self.block(then)?;
                self.block(otherwise)?;
                self.branch(branch, 1)
            }
            Inst::Switch { w, value, table } => {
                self.slot(value, w.into())?;
                self.table(table)
            }
            Inst::IndirectBranch { value, table } => {
                self.slot(value, 64)?;
                self.table(table)
            }
            Inst::Return { index } => {
                let values = function.returns.get(index as usize);
                let mut values = values.ok_or_else(table_missing)?.iter();
                values.try_for_each(|(slot, width)| self.slot(*slot, *width))
            }
            Inst::Gap { what } => match self.program.texts.get(what.index()) {
                Some(_) => Ok(()),
                None => Err("the text does not exist".to_string()),
            },
            Inst::Unreachable | Inst::Trap => Ok(()),
        }
    }

    fn table(&self, table: u32) -> Result<(), String> {
        let table = self.function.switches.get(table as usize);
        let table = table.ok_or("the switch table does not exist")?;
        self.block(table.default)?;
        self.branch(table.branch, table.default_side)?;
        for (_, target, side) in &table.cases {
            self.block(*target)?;
            self.branch(table.branch, *side)?;
        }
        Ok(())
    }

    fn call(&self, site: u32) -> Result<(), String> {
        let site = self.function.calls.get(site as usize);
        let site = site.ok_or("the call site does not exist")?;
        match site.callee {
            Callee::Direct(callee) if callee.index() >= self.program.functions.len() => {
                return Err(format!("function {callee} does not exist"));
            }
            Callee::Indirect(slot) => self.slot(slot, 64)?,
            _ => {}
        }
        for (slot, width) in site.args.iter().chain(&site.results) {
            self.slot(*slot, *width)?;
        }
        if let Some(landing) = site.landing {
            let landing = self.function.landings.get(landing as usize);
            landing.ok_or("the landing pad does not exist")?;
            if site.results.len() < LANDING_RESULTS {
                return Err("a call with a landing pad tells it nothing".to_string());
            }
        }
        Ok(())
    }
}
