//! Checks that a program's code refers only to what exists, once, before it runs.
//!
//! Invariant: after this check every slot, block, table and location that an instruction names lies
//! within its function, which the interpreter's inner loop relies on.

use homi_ir::program::{
    CallSite, Callee, Function, Inst, LANDING_RESULTS, Operand, Program, Slot, SwitchTable, Table,
};

/// Returns the fault of each function's code, `None` for valid code. A malformed function must not
/// run; the others may.
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
                homi_ir::program::ConstValue::Int { width, .. } => u32::from(*width),
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
            let range = function.block_range(homi_ir::program::BlockId::new(index));
            let ends = function.code[range].last().is_some_and(|inst| {
                inst.is_terminator() || matches!(inst, Inst::Unsupported { .. })
            });
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

    /// The slot and, above 64 bits, its neighbor exist.
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

    fn block(&self, block: homi_ir::program::BlockId) -> Result<(), String> {
        match self.function.blocks.get(block.index()) {
            Some(_) => Ok(()),
            None => Err(format!("block {block} does not exist")),
        }
    }

    fn branch(&self, branch: Option<homi_ir::program::BranchId>, side: u32) -> Result<(), String> {
        match branch {
            Some(branch) => match self.program.branches.get(branch.index()) {
                Some(site) if side < site.sides => Ok(()),
                _ => Err(format!("side {side} of branch {branch} does not exist")),
            },
            None => Ok(()),
        }
    }

    fn inst(&self, inst: &Inst) -> Result<(), String> {
        if let Some(rule) = inst.broken_rule() {
            return Err(format!("{rule} does not hold"));
        }
        let (mut inst, mut checked) = (*inst, Ok(()));
        inst.for_each_operand(&mut |operand| {
            if checked.is_ok() {
                checked = self.operand(operand);
            }
        });
        checked
    }

    fn operand(&self, operand: Operand<'_>) -> Result<(), String> {
        match operand {
            Operand::Slot(_, width, slot) => self.slot(*slot, width),
            Operand::Block(block) => self.block(*block),
            Operand::Branch(branch) => self.branch(branch, 1),
            Operand::Text(text) => match self.program.texts.get(text.index()) {
                Some(_) => Ok(()),
                None => Err("the text does not exist".to_string()),
            },
            Operand::Row(table, index) => self.row(table, *index as usize),
        }
    }

    /// The entry of a table exists, and so does what it names.
    fn row(&self, table: Table, index: usize) -> Result<(), String> {
        let function = self.function;
        let missing = || format!("entry {index} of {table:?} does not exist");
        match table {
            Table::Calls => self.call(function.calls.get(index).ok_or_else(missing)?),
            Table::FrameObjects => {
                let object = function.frame_objects.get(index);
                object.map(|_| ()).ok_or_else(missing)
            }
            Table::Moves => {
                let mut moves = function.moves.get(index).ok_or_else(missing)?.iter();
                moves.try_for_each(|(width, dst, src)| {
                    self.slot(*dst, u32::from(*width))?;
                    self.slot(*src, u32::from(*width))
                })
            }
            Table::Returns => {
                let mut values = function.returns.get(index).ok_or_else(missing)?.iter();
                values.try_for_each(|(slot, width)| self.slot(*slot, *width))
            }
            Table::Switches => self.switch(function.switches.get(index).ok_or_else(missing)?),
        }
    }

    fn switch(&self, table: &SwitchTable) -> Result<(), String> {
        self.block(table.default)?;
        self.branch(table.branch, table.default_side)?;
        for (_, target, side) in &table.cases {
            self.block(*target)?;
            self.branch(table.branch, *side)?;
        }
        Ok(())
    }

    fn call(&self, site: &CallSite) -> Result<(), String> {
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
