//! Lowering of one function: blocks in reverse post-order, so that definitions come before uses.
//!
//! Invariant: each LLVM value maps to one slot per part. Only phis and parameters own slots that
//! are written more than once per frame; values that change nothing (bitcast, freeze) share their
//! operand's slots, which is sound because phi slots are written on split edges only.

use super::constant::int;
use super::exceptions::LandingResults;
use super::{Lowering, Unsupported, names};
use crate::c_api::{Block, LLVMOpcode, Value, Variable};
use homi_ir::program::{
    BlockId, BlockInfo, CallSite, ConstValue, FrameObject, FuncId, Function, Inst, Landing, LocId,
    Moves, Origin, Slot, SwitchTable,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reason of unsupported instructions in blocks that only a block with an unsupported instruction
/// leads to; reported without a separate line.
const AFTER_UNSUPPORTED: &str = "value of an instruction that is an unsupported feature itself";

/// The state of lowering one function.
pub struct Body<'l, 'm> {
    pub module: &'l mut Lowering<'m>,
    pub function: Value,
    pub next_slot: u32,
    pub constants: FxHashMap<ConstValue, Slot>,
    pub constant_list: Vec<(Slot, ConstValue)>,
    /// The integers that constant slots hold.
    pub known: FxHashMap<Slot, u128>,
    /// The slots of each value's parts.
    pub values: FxHashMap<Value, Vec<Slot>>,
    /// Constant pointer arithmetic done so far: the slot is `base + offset`.
    pub derived: FxHashMap<Slot, (Slot, i64)>,
    pub block_ids: FxHashMap<Block, BlockId>,
    /// Number of edges into each block.
    pub in_edges: FxHashMap<Block, u32>,
    /// Code by block; edge blocks come after the source's.
    pub blocks: Vec<Vec<(Inst, LocId)>>,
    pub current: usize,
    pub location: LocId,
    pub frame_objects: Vec<FrameObject>,
    pub variables: FxHashMap<Value, Variable>,
    /// The register with the address of each local of a block, and its first frame object.
    pub block_locals: FxHashMap<Value, (Slot, u32)>,
    pub parameter_names: FxHashMap<Value, String>,
    pub calls: Vec<CallSite>,
    pub moves: Vec<Moves>,
    pub switches: Vec<SwitchTable>,
    pub returns: Vec<Vec<(Slot, u32)>>,
    /// The current block ended early with an unsupported feature.
    pub ended: bool,
    /// Definition of a slot, for slots written once.
    pub definitions: FxHashMap<Slot, Inst>,
    /// Jumps of the inline assembly lowered last: the condition and the label's number.
    pub jumps: Vec<(Slot, usize)>,
    /// Landing pads so far, and the entry of each.
    pub landings: Vec<Landing>,
    pub landing_pads: FxHashMap<Value, u32>,
    /// The landing pad of the call that is made next.
    pub landing: Option<u32>,
    /// Results of the latest call for its landing pad.
    pub landing_results: Option<LandingResults>,
    /// Results by block, for blocks that end with a call with a landing pad.
    pub incoming: FxHashMap<Block, LandingResults>,
    /// The function calls `setjmp` or the like.
    pub returns_twice: bool,
    /// True if the executor observes this function's thread events.
    pub is_watched: bool,
    /// True if what homi decides for this function's code is marked.
    pub is_marked: bool,
    /// True if the executor checks what this function does with pointers.
    pub checks_pointers: bool,
    /// Blocks that begin a round of a loop, where the executor observes rounds.
    pub loop_heads: FxHashSet<Block>,
    /// Instructions of the current block at which evaluations begin whose order matters, if marked.
    pub unordered: FxHashSet<Value>,
    /// Parameters of a marked `main`, and the locals that keep them.
    pub parameter_places: FxHashSet<Value>,
    /// True if results may be unused (see `Value::is_optimised`).
    pub is_optimised: bool,
}

/// Lowers a function that has a body; `id` holds its declaration.
pub fn lower_function(module: &mut Lowering<'_>, function: Value, id: FuncId) -> Function {
    let declaration = module.program.functions[id.index()].clone();
    let is_marked = module.roots.watch.marks && declaration.origin == Origin::Program;
    let checks_pointers = module.roots.watch.pointers && declaration.origin == Origin::Program;
    let is_watched = module.roots.watch.of_threads() && declaration.origin == Origin::Program;
    let mut body = Body {
        next_slot: declaration.slots,
        module,
        function,
        constants: FxHashMap::default(),
        constant_list: Vec::new(),
        known: FxHashMap::default(),
        values: FxHashMap::default(),
        derived: FxHashMap::default(),
        block_ids: FxHashMap::default(),
        in_edges: FxHashMap::default(),
        blocks: Vec::new(),
        current: 0,
        location: LocId(0),
        frame_objects: Vec::new(),
        jumps: Vec::new(),
        variables: FxHashMap::default(),
        block_locals: FxHashMap::default(),
        parameter_names: FxHashMap::default(),
        calls: Vec::new(),
        moves: Vec::new(),
        switches: Vec::new(),
        returns: Vec::new(),
        ended: false,
        definitions: FxHashMap::default(),
        landings: Vec::new(),
        landing_pads: FxHashMap::default(),
        landing: None,
        landing_results: None,
        incoming: FxHashMap::default(),
        returns_twice: false,
        is_watched,
        is_marked,
        checks_pointers,
        loop_heads: FxHashSet::default(),
        unordered: FxHashSet::default(),
        parameter_places: FxHashSet::default(),
        is_optimised: function.is_optimised(),
    };
    body.bind_parameters(&declaration);
    body.run(&declaration);
    body.finish(declaration, id)
}

impl Body<'_, '_> {
    fn bind_parameters(&mut self, declaration: &Function) {
        let mut params = declaration.params.iter();
        for parameter in self.function.parameters() {
            let Ok(leaves) = self.module.types.leaves(parameter.ty()) else {
                continue; // the parameter has no slots; a use of it is an unsupported feature
            };
            let slots = params.by_ref().take(leaves.len());
            let slots = slots.map(|param| param.slot).collect();
            self.values.insert(parameter, slots);
        }
    }

    fn run(&mut self, declaration: &Function) {
        let all = self.function.blocks();
        let order = reverse_post_order(&all, |block| self.successors(block));
        let reachable: FxHashSet<Block> = order.iter().copied().collect();
        for block in all.iter().filter(|block| reachable.contains(block)) {
            let id = BlockId::new(self.block_ids.len());
            self.block_ids.insert(*block, id);
        }
        self.blocks = vec![Vec::new(); order.len()];
        for block in &order {
            for target in self.successors(*block) {
                *self.in_edges.entry(target).or_insert(0) += 1;
            }
            self.collect_variable_names(*block);
            self.collect_parameter_names(*block);
        }
        self.reserve_phis(&order);
        self.reserve_landing_pads(&order);
        self.find_loop_heads(&order);
        self.mark_entry(&declaration.name, declaration.origin);
        for block in order {
            self.lower_block(block);
        }
    }

    /// Finds the blocks that a later or the same block of the order leads to, if the executor
    /// observes rounds.
    fn find_loop_heads(&mut self, order: &[Block]) {
        if !self.is_marked || !self.module.roots.watch.loops {
            return;
        }
        let places: FxHashMap<Block, usize> = (order.iter().copied()).zip(0..).collect();
        for (place, block) in order.iter().enumerate() {
            let targets = self.successors(*block).into_iter();
            let heads = targets.filter(|target| places.get(target).is_some_and(|at| *at <= place));
            self.loop_heads.extend(heads);
        }
    }

    /// The blocks that control can go to from a block.
    fn successors(&self, block: Block) -> Vec<Block> {
        let Some(terminator) = block.terminator() else {
            return Vec::new();
        };
        let all = terminator.successors();
        let possible = self.possible_successors(terminator).into_iter();
        possible.map(|position| all[position]).collect()
    }

    fn reserve_phis(&mut self, order: &[Block]) {
        for block in order {
            for phi in phis(*block) {
                let Ok(leaves) = self.module.types.leaves(phi.ty()) else {
                    continue; // uses are unsupported features
                };
                let slots = leaves
                    .iter()
                    .map(|leaf| self.new_slot(leaf.scalar.width()))
                    .collect();
                self.values.insert(phi, slots);
            }
        }
    }

    fn lower_block(&mut self, block: Block) {
        self.current = self.block_ids[&block].index();
        self.ended = false;
        self.prepare_marks(block);
        let mut begins_round = self.loop_heads.contains(&block);
        for instruction in block.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMPHI {
                continue;
            }
            let position = instruction.position();
            self.location = self.module.intern_location(position.as_ref());
            if std::mem::take(&mut begins_round) {
                self.mark_loop_head();
            }
            if let Err(unsupported) = self.lower_instruction(instruction) {
                self.emit_unsupported(&unsupported);
            }
            if self.ended {
                return;
            }
        }
        if !self.blocks[self.current]
            .last()
            .is_some_and(|(inst, _)| inst.is_terminator())
        {
            self.emit_unsupported(&Unsupported::new("block without a terminator"));
        }
    }

    /// Ends the current block: whatever follows cannot be reached.
    pub fn emit_unsupported(&mut self, unsupported: &Unsupported) {
        let what = self.module.intern_text(&unsupported.0);
        let function = self.function.name();
        if unsupported.0 != AFTER_UNSUPPORTED {
            self.module
                .note_unsupported(format!("{}: in {function}", unsupported.0));
        }
        self.emit(Inst::Unsupported { what });
        self.ended = true;
    }

    fn finish(self, declaration: Function, id: FuncId) -> Function {
        let mut code = Vec::new();
        let mut locations = Vec::new();
        let mut blocks = Vec::new();
        for block in self.blocks {
            blocks.push(BlockInfo {
                start: code.len() as u32,
            });
            for (inst, location) in block {
                code.push(inst);
                locations.push(location);
            }
        }
        let mut declaration = declaration;
        names::name_parameters(&mut declaration, &self.values, &self.parameter_names);
        let mut function = Function {
            // Set while the body was being lowered, if the function takes its own address.
            address_taken: self.module.program.functions[id.index()].address_taken,
            slots: self.next_slot,
            constants: self.constant_list,
            frame_objects: self.frame_objects,
            code,
            locations,
            blocks,
            calls: self.calls,
            moves: self.moves,
            switches: self.switches,
            returns: self.returns,
            landings: self.landings,
            ..declaration
        };
        super::cleanup::tidy(&mut function, self.block_ids.len(), !self.returns_twice);
        function
    }

    // Building blocks.

    pub fn emit(&mut self, inst: Inst) {
        if !self.ended {
            self.blocks[self.current].push((inst, self.location));
        }
    }

    /// A fresh slot (two for more than 64 bits).
    pub fn new_slot(&mut self, width: u8) -> Slot {
        let slot = Slot(self.next_slot);
        self.next_slot += u32::from(width).div_ceil(64);
        slot
    }

    /// The slot that holds a constant.
    pub fn constant_slot(&mut self, value: ConstValue) -> Slot {
        if let Some(slot) = self.constants.get(&value) {
            return *slot;
        }
        let width = match value {
            ConstValue::Int { width, .. } => width,
            ConstValue::Global { .. } | ConstValue::Function(_) => 64,
        };
        let slot = self.new_slot(width);
        self.constants.insert(value, slot);
        if let ConstValue::Int { value, .. } = value {
            self.known.insert(slot, value);
        }
        self.constant_list.push((slot, value));
        slot
    }

    pub fn int(&mut self, width: u8, value: u128) -> Slot {
        self.constant_slot(int(width, value))
    }

    /// The integer in a constant's slot.
    pub fn known_int(&self, slot: Slot) -> Option<u128> {
        self.known.get(&slot).copied()
    }

    /// `base + bytes`, folded into earlier constant arithmetic on the same base.
    pub fn offset(&mut self, base: Slot, bytes: i64) -> Slot {
        if bytes == 0 {
            return base;
        }
        let (root, before) = self.derived.get(&base).copied().unwrap_or((base, 0));
        let total = before.wrapping_add(bytes);
        if total == 0 {
            return root;
        }
        let dst = self.new_slot(64);
        match i32::try_from(total) {
            Ok(offset) => {
                self.emit(Inst::PtrOffset {
                    dst,
                    base: root,
                    offset,
                });
                self.derived.insert(dst, (root, total));
            }
            Err(_) => {
                let index = self.int(64, bytes as u128);
                self.emit(Inst::PtrAdd {
                    iw: 64,
                    dst,
                    base,
                    index,
                    scale: 1,
                    offset: 0,
                });
            }
        }
        dst
    }

    /// The slots of an operand's parts.
    pub fn operand(&mut self, value: Value) -> Result<Vec<Slot>, Unsupported> {
        if let Some(slots) = self.values.get(&value) {
            return Ok(slots.clone());
        }
        if self.module.is_partly_undefined(value) {
            return self.undefined_constant(value);
        }
        if value.is_constant() {
            return match self.module.constant(value) {
                Ok(parts) => Ok(parts
                    .into_iter()
                    .map(|part| self.constant_slot(part))
                    .collect()),
                Err(unsupported) => self.computed_constant(value).map_err(|_| unsupported),
            };
        }
        if value.is_instruction() {
            return Err(Unsupported::new(AFTER_UNSUPPORTED));
        }
        Err(Unsupported::new(format!("operand {}", value.describe())))
    }

    /// The slot of an operand of one part.
    pub fn scalar(&mut self, value: Value) -> Result<Slot, Unsupported> {
        match self.operand(value)?[..] {
            [slot] => Ok(slot),
            _ => Err(Unsupported::new(format!(
                "scalar expected: {}",
                value.describe()
            ))),
        }
    }

    pub fn define(&mut self, value: Value, slots: Vec<Slot>) {
        self.values.insert(value, slots);
    }
}

/// The phis at a block's beginning.
pub fn phis(block: Block) -> Vec<Value> {
    block
        .instructions()
        .take_while(|instruction| instruction.opcode() == LLVMOpcode::LLVMPHI)
        .collect()
}

/// The blocks that the first one reaches, definitions before uses.
fn reverse_post_order(blocks: &[Block], successors: impl Fn(Block) -> Vec<Block>) -> Vec<Block> {
    let Some(entry) = blocks.first() else {
        return Vec::new();
    };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(*entry, successors(*entry), 0usize)];
    seen.insert(*entry);
    while let Some((block, targets, next)) = stack.last_mut() {
        if let Some(target) = targets.get(*next).copied() {
            *next += 1;
            if seen.insert(target) {
                stack.push((target, successors(target), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}
