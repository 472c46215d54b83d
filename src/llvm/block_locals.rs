//! Locals of blocks: where in a function's code their blocks begin and end.
//!
//! Idea: in code that no optimizer has changed, debug information says for each instruction which
//! block of the source it belongs to. A block begins before the first instruction in it and ends
//! before the first one outside of it, on every way there. Elsewhere the compiler's lifetime
//! markers say it. There the pass puts calls of [`BEGIN`] and [`END`], which keep the local in
//! memory and which lowering understands. Invariant: a local is followed only if its address may
//! outlive its block, and only if all uses lie where it lives; so code that is correct never
//! accesses one that has ended. What is not understood is not followed.

use super::c_api::{Block, LLVMOpcode, ModuleRef, Scope, Value};
use super::kept_addresses::{Follower, Uses, is_marker};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions whose calls say that a local's block begins or ends.
pub const BEGIN: &str = "homi_block_begins";
pub const END: &str = "homi_block_ends";
/// Function whose call says that locals may end unseen: debug information and markers are missing.
pub const UNSEEN: &str = "homi_blocks_unseen";

/// Locals of one function that are followed at most.
const MOST_LOCALS: usize = 32;

/// Functions that may return a second time; old compilers do not always say so.
const TWICE_RETURNING: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"];

/// Width of the number of elements that clang gives its own locals.
const COUNT_BITS: u32 = 32;

/// States that a block may be in at an instruction, as bits.
const OUT: u8 = 1;
const IN: u8 = 2;

/// Puts calls into the functions of a module where blocks begin and end whose locals' addresses may
/// outlive them.
pub fn mark_blocks(module: ModuleRef) {
    let functions = module.functions().into_iter();
    let defined: Vec<Value> = functions
        .filter(|function| !function.is_declaration())
        .collect();
    let mut follower = Follower::default();
    module.with_debug_intrinsics(|| {
        let found = defined.into_iter().flat_map(|function| {
            let mut marks = BlockMarks::of(function);
            marks.find(&mut follower);
            marks.found
        });
        for (before, name, local) in found.collect::<Vec<_>>() {
            before.call_before(module, name, local);
        }
    });
}

/// The calls that a function gets.
struct BlockMarks {
    function: Value,
    blocks: Vec<Block>,
    /// The instruction before which the call is, the called function and the local.
    found: Vec<(Value, &'static str, Value)>,
    /// Scopes and those around them.
    around: FxHashMap<Scope, Vec<Scope>>,
    locals: usize,
}

impl BlockMarks {
    fn of(function: Value) -> Self {
        Self {
            function,
            blocks: function.blocks(),
            found: Vec::new(),
            around: FxHashMap::default(),
            locals: 0,
        }
    }

    fn find(&mut self, follower: &mut Follower) {
        let instructions = || self.blocks.iter().flat_map(|block| block.instructions());
        if instructions().any(may_return_twice) {
            return;
        }
        let Some(entry) = self.blocks.first() else {
            return;
        };
        let locals = entry.instructions().filter(|inst| is_fixed_local(*inst));
        let locals: Vec<Value> = locals.collect();
        let named = self.scopes_of_named();
        if self.function.is_optimised() || named.is_empty() {
            let locals = locals.into_iter();
            let uses = locals.map(|local| (local, follower.uses(local, &|_| false)));
            self.follow_all_markers(&uses.collect::<Vec<_>>());
            return;
        }
        let scopes = self.with_unnamed(named, &locals);
        let mut by_scope: Vec<(Scope, Vec<Value>)> = Vec::new();
        for local in locals {
            let Some(scope) = scopes.get(&local).filter(|scope| scope.is_block()) else {
                continue;
            };
            match by_scope.iter_mut().find(|(known, _)| known == scope) {
                Some((_, locals)) => locals.push(local),
                None => by_scope.push((*scope, vec![local])),
            }
        }
        for (scope, locals) in by_scope {
            let of_block: FxHashSet<Value> = (scopes.iter())
                .filter(|(_, inner)| self.scopes_around(**inner).contains(&scope))
                .map(|(local, _)| *local)
                .collect();
            let uses = locals.into_iter().map(|local| {
                let uses = follower.uses(local, &|place| of_block.contains(&place));
                (local, uses)
            });
            let uses: Vec<(Value, Uses)> = uses.collect();
            if uses.iter().any(|(_, uses)| uses.is_kept) {
                self.follow_scope(scope, &uses);
            }
        }
    }

    /// Adds the scopes of compound literals and other locals without a name.
    fn with_unnamed(
        &self,
        mut scopes: FxHashMap<Value, Scope>,
        locals: &[Value],
    ) -> FxHashMap<Value, Scope> {
        for local in locals {
            if !scopes.contains_key(local)
                && let Some(scope) = self.scope_of_uses(*local)
            {
                scopes.insert(*local, scope);
            }
        }
        scopes
    }

    /// Returns the innermost scope that has all uses of a local.
    fn scope_of_uses(&self, local: Value) -> Option<Scope> {
        // Memory of `alloca` lives until the function returns.
        if local.operand(0).ty().int_width() != COUNT_BITS {
            return None;
        }
        let around = |user: Value| {
            let scope = user.is_instruction().then(|| user.scope())?;
            Some(self.function.scopes_around(scope?))
        };
        let is_access = |user: &Value| {
            user.is_instruction()
                && match user.opcode() {
                    LLVMOpcode::LLVMLoad => true,
                    LLVMOpcode::LLVMStore => user.operand(0) != local,
                    _ => false,
                }
        };
        let mut users = local.users().into_iter();
        // The compiler keeps its own values in memory, too.
        if users.clone().all(|user| is_access(&user)) {
            return None;
        }
        let mut common = around(users.next()?)?;
        for user in users {
            let others = around(user)?;
            common.retain(|scope| others.contains(scope));
        }
        common.first().copied()
    }

    /// Returns the scopes of the locals that debug information describes.
    fn scopes_of_named(&self) -> FxHashMap<Value, Scope> {
        let instructions = self.blocks.iter().flat_map(|block| block.instructions());
        let declared = instructions.filter(|inst| is_marker(*inst) && !inst.is_inlined());
        declared
            .filter(|inst| inst.called_value().name() == "llvm.dbg.declare")
            .filter_map(Value::described_variable)
            .filter_map(|(local, variable)| Some((local, variable.scope?)))
            .collect()
    }

    /// Follows the locals that have lifetime markers.
    fn follow_all_markers(&mut self, locals: &[(Value, Uses)]) {
        let has_marker = |local: Value| {
            let mut users = local.users().into_iter();
            users.any(|user| user.is_instruction() && is_marker(user))
        };
        let kept = || locals.iter().filter(|(_, uses)| uses.is_kept);
        for (local, uses) in kept() {
            self.follow_markers(*local, uses);
        }
        if kept().any(|(local, _)| !has_marker(*local)) {
            self.add_unseen();
        }
    }

    /// Notes that a local may end unseen.
    fn add_unseen(&mut self) {
        if let Some(end) = self.blocks.first().and_then(|entry| entry.terminator()) {
            self.add(end, UNSEEN, self.function);
        }
    }

    /// Adds the begin or the end of a local before an instruction.
    fn add(&mut self, before: Value, name: &'static str, local: Value) {
        self.found.push((before, name, local));
    }

    /// Returns true if an instruction is of a scope or one within it; none if nothing says so.
    fn is_within(&mut self, inst: Value, scope: Scope) -> Option<bool> {
        let innermost = inst.scope()?;
        Some(self.scopes_around(innermost).contains(&scope))
    }

    fn scopes_around(&mut self, scope: Scope) -> &[Scope] {
        let function = self.function;
        let scopes = self.around.entry(scope);
        scopes.or_insert_with(|| function.scopes_around(scope))
    }

    /// Follows the locals of a block of the source.
    fn follow_scope(&mut self, scope: Scope, locals: &[(Value, Uses)]) {
        let used = locals.iter().flat_map(|(_, uses)| uses.all.iter().copied());
        let used: FxHashSet<Value> = used.collect();
        // Code that cleans up behind a block uses its locals.
        let mut uses = used.iter();
        if uses.any(|inst| self.is_within(*inst, scope) == Some(false)) {
            return self.add_unseen();
        }
        let kept = locals.iter().filter(|(_, uses)| uses.is_kept);
        let kept: Vec<Value> = kept.map(|(local, _)| *local).collect();
        self.locals += kept.len();
        if self.locals > MOST_LOCALS {
            return self.add_unseen();
        }
        let mut states = FxHashMap::default();
        for inst in self
            .blocks
            .clone()
            .iter()
            .flat_map(|block| block.instructions())
        {
            let is_silent = begins_block(inst) || is_marker(inst);
            let state = match self.is_within(inst, scope) {
                _ if is_silent => 0,
                _ if used.contains(&inst) => IN,
                Some(true) => IN,
                Some(false) => OUT,
                None => 0,
            };
            states.insert(inst, state);
        }
        let before = self.states_before(&states);
        for block in self.blocks.clone() {
            let mut state = before.get(&block).copied().unwrap_or(0);
            for inst in block.instructions() {
                let next = states[&inst];
                for local in &kept {
                    if next == IN && state & OUT != 0 {
                        self.add(inst, BEGIN, *local);
                    } else if next == OUT && state & IN != 0 && !only_returns(inst) {
                        self.add(inst, END, *local);
                    }
                }
                state = if next == 0 { state } else { next };
            }
        }
    }

    /// Returns the states before each block; `states` has those after instructions that decide it.
    fn states_before(&self, states: &FxHashMap<Value, u8>) -> FxHashMap<Block, u8> {
        let last = |block: &Block| {
            let decided = block.instructions().map(|inst| states[&inst]);
            decided.filter(|state| *state != 0).last()
        };
        let lasts: Vec<Option<u8>> = self.blocks.iter().map(last).collect();
        let entry = self.blocks.first().map(|entry| (*entry, OUT));
        let mut before: FxHashMap<Block, u8> = entry.into_iter().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (block, last) in self.blocks.iter().zip(&lasts) {
                let here = before.get(block).copied().unwrap_or(0);
                let after = if here == 0 { 0 } else { last.unwrap_or(here) };
                for next in successors(*block) {
                    let there = before.entry(next).or_insert(0);
                    changed |= *there | after != *there;
                    *there |= after;
                }
            }
        }
        before
    }

    /// Follows a local by its lifetime markers if there is one begin, which all uses are behind.
    fn follow_markers(&mut self, local: Value, uses: &Uses) {
        let marks = |name: &str| -> Vec<Value> {
            let calls = local
                .users()
                .into_iter()
                .filter(|user| user.is_instruction());
            let is_it =
                |inst: &Value| is_marker(*inst) && inst.called_value().name().contains(name);
            calls.filter(is_it).collect()
        };
        let (begins, ends) = (marks("lifetime.start"), marks("lifetime.end"));
        let &[begin] = begins.as_slice() else {
            return;
        };
        let in_entry = self.blocks.first() == Some(&begin.block());
        let is_whole = in_entry && ends.iter().all(|end| only_returns(*end));
        let are_behind = uses.all.iter().all(|user| self.is_behind(begin, *user));
        self.locals += 1;
        if uses.is_chosen || is_whole || !are_behind || self.locals > MOST_LOCALS {
            return;
        }
        self.add(begin, BEGIN, local);
        for end in ends.into_iter().filter(|end| !only_returns(*end)) {
            self.add(end, END, local);
        }
    }

    /// Returns true if no way from the function's entry leads to an instruction past another one.
    fn is_behind(&self, first: Value, inst: Value) -> bool {
        let home = first.block();
        if inst.block() == home {
            let mut behind = home.instructions().skip_while(|one| *one != first);
            return behind.any(|one| one == inst);
        }
        let mut queue: Vec<Block> = self.blocks.first().copied().into_iter().collect();
        let mut seen: FxHashSet<Block> = queue.iter().copied().collect();
        while let Some(block) = queue.pop() {
            if block == inst.block() {
                return false;
            }
            if block != home {
                let next = successors(block).into_iter();
                queue.extend(next.filter(|block| seen.insert(*block)));
            }
        }
        true
    }
}

fn successors(block: Block) -> Vec<Block> {
    block.terminator().map_or(Vec::new(), Value::successors)
}

/// Returns true for instructions that stand first in their basic blocks.
fn begins_block(inst: Value) -> bool {
    use LLVMOpcode as Op;
    let first = [
        Op::LLVMPHI,
        Op::LLVMLandingPad,
        Op::LLVMCatchPad,
        Op::LLVMCleanupPad,
        Op::LLVMCatchSwitch,
    ];
    first.contains(&inst.opcode())
}

/// Returns true for a local of fixed size.
fn is_fixed_local(inst: Value) -> bool {
    inst.opcode() == LLVMOpcode::LLVMAlloca && inst.operand(0).is_constant()
}

fn may_return_twice(inst: Value) -> bool {
    if inst.opcode() != LLVMOpcode::LLVMCall {
        return false;
    }
    let called = inst.called_value();
    inst.has_call_attribute("returns_twice") || TWICE_RETURNING.contains(&called.name().as_str())
}

/// Returns true if nothing is left to do from an instruction on but to return.
fn only_returns(inst: Value) -> bool {
    use LLVMOpcode as Op;
    let mut rest = inst.block().instructions().skip_while(|one| *one != inst);
    rest.all(|inst| match inst.opcode() {
        Op::LLVMLoad => inst.operand(0).is_instruction() && is_fixed_local(inst.operand(0)),
        Op::LLVMCall => is_marker(inst),
        Op::LLVMRet => true,
        _ => false,
    })
}
