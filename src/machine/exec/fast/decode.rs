//! Functions in the form that the concrete loop runs: one operation per instruction with its
//! operator and width resolved, jump targets as code indexes, comparisons fused with the branch
//! that follows.
//!
//! Invariant: `ops[pc]` does what `code[pc]` does on concrete values (a fused one also what
//! `code[pc + 1]` does), and all its references exist, because it comes from verified code. An
//! instruction without an operation is `General`. A jump into the middle of a fused pair finds the
//! operation of the second instruction.

use super::super::prepared::stack_bytes;
use super::frames::cast_is_wide;
use super::leaf::LeafCall;
use super::pointer_calls::PointerCalls;
use super::segments::Segments;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{
    BlockId, BranchId, CallSite, Callee, CastOp, FloatCastOp, FloatCmp, FloatKind, FloatOp,
    FloatUnary, FuncId, Function, Inst, IntUnary, MemOp, MinMaxOp, Slot, SwitchTable,
};

/// A register number; functions with more slots are left to the general loop.
type Reg = u16;

/// "No branch side" in an edge.
pub(in crate::exec) const NO_SIDE: u32 = u32::MAX;

/// One operation. `w` is a width in bits (1 to 64).
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) enum Op {
    /// An instruction without an operation: the general path executes it.
    General,
    Move {
        dst: Reg,
        src: Reg,
    },
    /// Two parallel moves.
    Move2 {
        dst: Reg,
        src: Reg,
        dst2: Reg,
        src2: Reg,
    },
    /// The parallel moves of `move_lists[list]`.
    MoveList {
        list: u32,
    },
    Add {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    UDiv {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    URem {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    SDiv {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    SRem {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Shl {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    LShr {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    AShr {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    BinPromised {
        op: BinOp,
        promises: u8,
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ult {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ule {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Slt {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sle {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// A comparison and the branch on it; `dst` is written as well.
    EqBranch {
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    NeBranch {
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    UltBranch {
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    UleBranch {
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    SltBranch {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    SleBranch {
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
        branch: u32,
    },
    Trunc {
        w: u8,
        dst: Reg,
        src: Reg,
    },
    Sext {
        from: u8,
        to: u8,
        dst: Reg,
        src: Reg,
    },
    Select {
        dst: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    PtrAdd {
        iw: u8,
        dst: Reg,
        base: Reg,
        index: Reg,
        scale: u32,
        offset: i32,
    },
    PtrPromised {
        promises: u8,
        iw: u8,
        dst: Reg,
        base: Reg,
        index: Reg,
        scale: u32,
    },
    PtrOffset {
        dst: Reg,
        base: Reg,
        offset: i32,
    },
    /// `w` is also the width kept of the bytes read.
    Load {
        w: u8,
        bytes: u8,
        dst: Reg,
        addr: Reg,
    },
    MemCopy {
        op: MemOp,
        dst: Reg,
        src: Reg,
        len: Reg,
    },
    Store {
        bytes: u8,
        addr: Reg,
        src: Reg,
    },
    FrameAddress {
        dst: Reg,
        offset: u32,
    },
    Float {
        op: FloatOp,
        kind: FloatKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    FloatCmp {
        op: FloatCmp,
        kind: FloatKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Unary {
        op: IntUnary,
        w: u8,
        dst: Reg,
        src: Reg,
    },
    /// `dst` is the operand that comes first (or last) in the order.
    Pick {
        op: MinMaxOp,
        w: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    FloatUnary {
        op: FloatUnary,
        kind: FloatKind,
        dst: Reg,
        src: Reg,
    },
    FloatCast {
        op: FloatCastOp,
        kind: FloatKind,
        to_kind: FloatKind,
        w: u8,
        dst: Reg,
        src: Reg,
    },
    Jump {
        edge: u32,
    },
    Branch {
        cond: Reg,
        branch: u32,
    },
    Switch {
        value: Reg,
        table: u32,
    },
    /// A computed goto to one of the cases of `switches[table]`.
    IndirectBranch {
        value: Reg,
        table: u32,
    },
    Call {
        site: u32,
    },
    /// `leaves[leaf]`: a call that is done in place.
    Leaf {
        leaf: u32,
    },
    /// The return of a leaf.
    LeafEnd,
    Return {
        index: u32,
    },
}

const _: () = assert!(size_of::<Op>() <= 16);

/// Target of a jump.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) struct Edge {
    pub pc: u32,
    /// The segment that starts there.
    pub segment: u32,
    /// The branch side that the jump takes, or `NO_SIDE`.
    pub side: u32,
}

/// A switch on at most 64 bits.
#[derive(Debug)]
pub(in crate::exec) struct Switch {
    /// Smallest case, then one entry per value from there; used if the cases are dense.
    pub first: u64,
    pub dense: Box<[Edge]>,
    /// Cases sorted by value; used if they are not dense.
    pub sparse: Box<[(u64, Edge)]>,
    /// Edge of values without a case; a computed goto has none.
    pub default: Edge,
}

impl Switch {
    #[inline]
    pub fn edge(&self, value: u64) -> Edge {
        if !self.dense.is_empty() {
            let index = value.wrapping_sub(self.first);
            return self
                .dense
                .get(index as usize)
                .copied()
                .unwrap_or(self.default);
        }
        self.case(value).unwrap_or(self.default)
    }

    /// Returns the edge of a case that is not dense.
    #[inline]
    pub fn case(&self, value: u64) -> Option<Edge> {
        let found = self.sparse.binary_search_by_key(&value, |case| case.0);
        found.ok().map(|place| self.sparse[place].1)
    }
}

/// A function as operations.
#[derive(Debug, Default)]
pub(in crate::exec) struct Decoded {
    pub ops: Box<[Op]>,
    pub edges: Vec<Edge>,
    /// True side and false side of each branch.
    pub branches: Vec<(Edge, Edge)>,
    pub switches: Vec<Switch>,
    pub move_lists: Vec<Box<[(Reg, Reg)]>>,
    /// Calls that need nothing unusual, by call site of the function.
    pub calls: Vec<Option<PlainCall>>,
    /// Plans of calls through pointers, by call site.
    pub pointer_calls: Vec<PointerCalls<PlainCall>>,
    pub leaves: Vec<LeafCall>,
}

/// A call of a defined function whose parameters match the arguments.
#[derive(Debug)]
pub(in crate::exec) struct PlainCall {
    pub callee: FuncId,
    /// The callee has frame objects.
    pub has_objects: bool,
    /// Least size of the callee's native stack frame, in bytes.
    pub stack_bytes: u32,
    /// The segment at the callee's start.
    pub segment: u32,
    /// The segment after the call.
    pub after: u32,
    /// Caller's slot, callee's slot; a value above 64 bits has two.
    pub moves: Box<[(u32, u32)]>,
    /// The caller's slots of the results, if every return gives values of just these widths, up to
    /// 64 bits.
    pub results: Option<Box<[u32]>>,
}

/// Parameters of decoding.
pub(in crate::exec) struct Decoder<'p> {
    pub function: &'p Function,
    pub id: FuncId,
    pub segments: &'p Segments,
    /// Floating-point instructions go the general way.
    pub general_floats: bool,
    /// Offset of a frame object from the frame's stack address, if it fits in 32 bits.
    pub frame_offset: &'p dyn Fn(u32) -> Option<u32>,
    /// The functions that are entered directly: with decodable code, and not replaced by a built-in
    /// function.
    pub plain: &'p dyn Fn(FuncId) -> Option<&'p Function>,
    /// Returns the initial registers of a function.
    pub registers: &'p dyn Fn(FuncId) -> &'p [u64],
}

/// Returns true if the instruction can raise floating-point exceptions.
pub(in crate::exec) fn is_float(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatFma { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatCast { .. }
    )
}

impl Decoder<'_> {
    /// Decodes the function; all `General` if it has too many slots.
    pub fn decode(&self) -> Decoded {
        let code = &self.function.code;
        let places = self.places_of_calls().into_iter().enumerate();
        let plan = |(site, pc): (usize, Option<u32>)| self.plain_call(site as u32, pc?);
        let calls: Vec<_> = places.map(plan).collect();
        let mut decoded = Decoded {
            pointer_calls: calls.iter().map(|_| PointerCalls::default()).collect(),
            calls,
            ..Decoded::default()
        };
        let small = self.function.slots <= u32::from(Reg::MAX);
        let ops = (0..code.len()).map(|pc| {
            if !small {
                return Op::General;
            }
            let own = self.checked_op(&code[pc], &mut decoded);
            code.get(pc + 1)
                .and_then(|next| self.fused(&code[pc], next, &mut decoded))
                .unwrap_or(own)
        });
        let ops: Vec<Op> = ops.collect();
        decoded.ops = ops.into_boxed_slice();
        decoded
    }

    fn edge(&self, target: BlockId, branch: Option<BranchId>, side: u32) -> Edge {
        let pc = self.function.blocks[target.index()].start;
        Edge {
            pc,
            segment: self.segments.segment(self.id, pc),
            side: branch.map_or(NO_SIDE, |branch| self.segments.side(branch, side)),
        }
    }

    fn branch_edges(
        &self,
        decoded: &mut Decoded,
        branch: Option<BranchId>,
        then: BlockId,
        otherwise: BlockId,
    ) -> u32 {
        let edges = (self.edge(then, branch, 0), self.edge(otherwise, branch, 1));
        decoded.branches.push(edges);
        decoded.branches.len() as u32 - 1
    }

    /// A comparison with the branch that follows and uses it.
    fn fused(&self, inst: &Inst, next: &Inst, decoded: &mut Decoded) -> Option<Op> {
        let Inst::Cmp { op, w, dst, a, b } = *inst else {
            return None;
        };
        let Inst::Branch {
            cond,
            then,
            otherwise,
            branch,
        } = *next
        else {
            return None;
        };
        if cond != dst || w > 64 {
            return None;
        }
        let branch = self.branch_edges(decoded, branch, then, otherwise);
        let (op, a, b) = canonical(op, a, b);
        let (dst, a, b) = (reg(dst), reg(a), reg(b));
        Some(match op {
            CmpOp::Eq => Op::EqBranch { dst, a, b, branch },
            CmpOp::Ne => Op::NeBranch { dst, a, b, branch },
            CmpOp::Ult => Op::UltBranch { dst, a, b, branch },
            CmpOp::Ule => Op::UleBranch { dst, a, b, branch },
            CmpOp::Slt => Op::SltBranch {
                w,
                dst,
                a,
                b,
                branch,
            },
            _ => Op::SleBranch {
                w,
                dst,
                a,
                b,
                branch,
            },
        })
    }

    /// The operation of one instruction.
    pub(in crate::exec) fn checked_op(&self, inst: &Inst, decoded: &mut Decoded) -> Op {
        if self.general_floats && is_float(inst) {
            return Op::General;
        }
        self.op(inst, decoded).unwrap_or(Op::General)
    }

    fn op(&self, inst: &Inst, decoded: &mut Decoded) -> Option<Op> {
        Some(match *inst {
            Inst::Move {
                w: 0..=64,
                dst,
                src,
            } => Op::Move {
                dst: reg(dst),
                src: reg(src),
            },
            Inst::Moves { index } => self.moves(index, decoded)?,
            Inst::Bin { op, w, dst, a, b } if w <= 64 => {
                let (dst, a, b) = (reg(dst), reg(a), reg(b));
                match op {
                    BinOp::Add => Op::Add { w, dst, a, b },
                    BinOp::Sub => Op::Sub { w, dst, a, b },
                    BinOp::Mul => Op::Mul { w, dst, a, b },
                    BinOp::UDiv => Op::UDiv { dst, a, b },
                    BinOp::URem => Op::URem { dst, a, b },
                    BinOp::SDiv => Op::SDiv { w, dst, a, b },
                    BinOp::SRem => Op::SRem { w, dst, a, b },
                    BinOp::And => Op::And { dst, a, b },
                    BinOp::Or => Op::Or { dst, a, b },
                    BinOp::Xor => Op::Xor { dst, a, b },
                    BinOp::Shl => Op::Shl { w, dst, a, b },
                    BinOp::LShr => Op::LShr { w, dst, a, b },
                    BinOp::AShr => Op::AShr { w, dst, a, b },
                }
            }
            Inst::BinPromised {
                op,
                promises,
                w,
                dst,
                a,
                b,
            } if w <= 64 => Op::BinPromised {
                op,
                promises,
                w,
                dst: reg(dst),
                a: reg(a),
                b: reg(b),
            },
            Inst::Cmp { op, w, dst, a, b } if w <= 64 => {
                let (op, a, b) = canonical(op, a, b);
                let (dst, a, b) = (reg(dst), reg(a), reg(b));
                match op {
                    CmpOp::Eq => Op::Eq { dst, a, b },
                    CmpOp::Ne => Op::Ne { dst, a, b },
                    CmpOp::Ult => Op::Ult { dst, a, b },
                    CmpOp::Ule => Op::Ule { dst, a, b },
                    CmpOp::Slt => Op::Slt { w, dst, a, b },
                    _ => Op::Sle { w, dst, a, b },
                }
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            } if to <= 64 => {
                let (dst, src) = (reg(dst), reg(src));
                match op {
                    CastOp::Zext => Op::Move { dst, src },
                    CastOp::Trunc => Op::Trunc { w: to, dst, src },
                    CastOp::Sext => Op::Sext { from, to, dst, src },
                }
            }
            Inst::Select {
                w: 0..=64,
                dst,
                cond,
                a,
                b,
            } => Op::Select {
                dst: reg(dst),
                cond: reg(cond),
                a: reg(a),
                b: reg(b),
            },
            Inst::PtrAdd {
                iw,
                dst,
                base,
                index,
                scale,
                offset,
            } => Op::PtrAdd {
                iw,
                dst: reg(dst),
                base: reg(base),
                index: reg(index),
                scale,
                offset,
            },
            Inst::PtrPromised {
                promises,
                iw,
                dst,
                base,
                index,
                scale,
            } => Op::PtrPromised {
                promises,
                iw,
                dst: reg(dst),
                base: reg(base),
                index: reg(index),
                scale,
            },
            Inst::PtrOffset { dst, base, offset } => Op::PtrOffset {
                dst: reg(dst),
                base: reg(base),
                offset,
            },
            Inst::Load { w, dst, addr } if w <= 64 => Op::Load {
                w,
                bytes: w.div_ceil(8),
                dst: reg(dst),
                addr: reg(addr),
            },
            Inst::MemCopy { op, dst, src, len } => Op::MemCopy {
                op,
                dst: reg(dst),
                src: reg(src),
                len: reg(len),
            },
            Inst::Store { w, addr, src } if w <= 64 => Op::Store {
                bytes: w.div_ceil(8),
                addr: reg(addr),
                src: reg(src),
            },
            Inst::FrameAddress { dst, object } => Op::FrameAddress {
                dst: reg(dst),
                offset: (self.frame_offset)(object)?,
            },
            Inst::Float {
                op,
                kind,
                dst,
                a,
                b,
            } if kind.width() <= 64 => Op::Float {
                op,
                kind,
                dst: reg(dst),
                a: reg(a),
                b: reg(b),
            },
            Inst::FloatCmp {
                op,
                kind,
                dst,
                a,
                b,
            } if kind.width() <= 64 => Op::FloatCmp {
                op,
                kind,
                dst: reg(dst),
                a: reg(a),
                b: reg(b),
            },
            Inst::Unary { op, w, dst, src } if w <= 64 => Op::Unary {
                op,
                w,
                dst: reg(dst),
                src: reg(src),
            },
            Inst::MinMax {
                op: op @ (MinMaxOp::UMin | MinMaxOp::UMax | MinMaxOp::SMin | MinMaxOp::SMax),
                w: w @ 0..=64,
                to: _,
                dst,
                a,
                b,
            } => Op::Pick {
                op,
                w,
                dst: reg(dst),
                a: reg(a),
                b: reg(b),
            },
            Inst::FloatUnary { op, kind, dst, src } if kind.width() <= 64 => Op::FloatUnary {
                op,
                kind,
                dst: reg(dst),
                src: reg(src),
            },
            Inst::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst,
                src,
            } if !cast_is_wide(op, kind, to_kind, w) => Op::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst: reg(dst),
                src: reg(src),
            },
            Inst::Jump { target } => {
                decoded.edges.push(self.edge(target, None, 0));
                Op::Jump {
                    edge: decoded.edges.len() as u32 - 1,
                }
            }
            Inst::Branch {
                cond,
                then,
                otherwise,
                branch,
            } => Op::Branch {
                cond: reg(cond),
                branch: self.branch_edges(decoded, branch, then, otherwise),
            },
            Inst::Switch { w, value, table } if w <= 64 => {
                decoded.switches.push(self.switch(table));
                Op::Switch {
                    value: reg(value),
                    table: decoded.switches.len() as u32 - 1,
                }
            }
            Inst::IndirectBranch { value, table } => {
                decoded.switches.push(self.computed_goto(table));
                Op::IndirectBranch {
                    value: reg(value),
                    table: decoded.switches.len() as u32 - 1,
                }
            }
            Inst::Call { site } => self.call(site, decoded)?,
            Inst::Return { index } => Op::Return { index },
            _ => return None,
        })
    }

    fn call(&self, site: u32, decoded: &mut Decoded) -> Option<Op> {
        if matches!(
            self.function.calls[site as usize].callee,
            Callee::Indirect(_)
        ) {
            return Some(Op::Call { site });
        }
        let plan = decoded.calls.get(site as usize)?.as_ref()?;
        let Some(leaf) = self.leaf_call(site, plan) else {
            return Some(Op::Call { site });
        };
        decoded.leaves.push(leaf);
        Some(Op::Leaf {
            leaf: decoded.leaves.len() as u32 - 1,
        })
    }

    /// Returns the code index of each call site that belongs to exactly one instruction.
    fn places_of_calls(&self) -> Vec<Option<u32>> {
        let mut places = vec![None; self.function.calls.len()];
        let mut seen = vec![false; places.len()];
        for (pc, inst) in self.function.code.iter().enumerate() {
            if let Inst::Call { site } = *inst {
                let site = site as usize;
                places[site] = (!seen[site]).then_some(pc as u32);
                seen[site] = true;
            }
        }
        places
    }

    /// The plan of the call `site` at `pc`.
    fn plain_call(&self, site: u32, pc: u32) -> Option<PlainCall> {
        match self.function.calls[site as usize].callee {
            Callee::Direct(callee) => self.plan(site, pc, callee),
            _ => None,
        }
    }

    /// Returns the plan for the call of a function at a call site, if they fit.
    pub fn plan(&self, site: u32, pc: u32, callee: FuncId) -> Option<PlainCall> {
        let site = &self.function.calls[site as usize];
        let target = (self.plain)(callee)?;
        if target.variadic || site.args.len() != target.params.len() {
            return None;
        }
        let mut moves = Vec::with_capacity(site.args.len());
        for (&(from, width), param) in site.args.iter().zip(&target.params) {
            if width != param.width || param.byval.is_some() {
                return None;
            }
            moves.push((from.0, param.slot.0));
            if width > 64 {
                moves.push((from.0 + 1, param.slot.0 + 1));
            }
        }
        Some(PlainCall {
            callee,
            has_objects: !target.frame_objects.is_empty(),
            stack_bytes: stack_bytes(target),
            segment: self.segments.segment(callee, 0),
            after: self.segments.segment(self.id, pc + 1),
            moves: moves.into(),
            results: plain_results(site, target),
        })
    }

    fn moves(&self, index: u32, decoded: &mut Decoded) -> Option<Op> {
        let moves = &self.function.moves[index as usize];
        if moves.iter().any(|entry| entry.0 > 64) {
            return None;
        }
        let pairs: Vec<(Reg, Reg)> = moves
            .iter()
            .map(|&(_, dst, src)| (reg(dst), reg(src)))
            .collect();
        Some(match pairs[..] {
            [(dst, src)] => Op::Move { dst, src },
            [(dst, src), (dst2, src2)] => Op::Move2 {
                dst,
                src,
                dst2,
                src2,
            },
            _ if pairs.len() <= MAX_MOVES => {
                decoded.move_lists.push(pairs.into_boxed_slice());
                Op::MoveList {
                    list: decoded.move_lists.len() as u32 - 1,
                }
            }
            _ => return None,
        })
    }

    /// The cases of a table, by value.
    fn cases(&self, table: &SwitchTable) -> Vec<(u64, Edge)> {
        let cases = table.cases.iter();
        let edge = |case: &(u128, BlockId, u32)| self.edge(case.1, table.branch, case.2);
        let mut cases: Vec<_> = cases.map(|case| (case.0 as u64, edge(case))).collect();
        cases.sort_by_key(|case| case.0);
        cases
    }

    fn computed_goto(&self, table: u32) -> Switch {
        let table = &self.function.switches[table as usize];
        Switch {
            first: 0,
            dense: Box::default(),
            sparse: self.cases(table).into(),
            default: self.edge(table.default, table.branch, table.default_side),
        }
    }

    fn switch(&self, table: u32) -> Switch {
        let table = &self.function.switches[table as usize];
        let default = self.edge(table.default, table.branch, table.default_side);
        let mut sparse = self.cases(table);
        let first = sparse.first().map_or(0, |case| case.0);
        let last = sparse.last().map_or(0, |case| case.0);
        let mut dense = Vec::new();
        if !sparse.is_empty() && last - first < 4 * sparse.len() as u64 + CHARACTERS {
            dense = vec![default; (last - first + 1) as usize];
            for (value, edge) in sparse.drain(..) {
                dense[(value - first) as usize] = edge;
            }
        }
        Switch {
            first,
            dense: dense.into_boxed_slice(),
            sparse: sparse.into_boxed_slice(),
            default,
        }
    }
}

/// A switch on characters has a table, however few they are.
const CHARACTERS: u64 = 256;

/// Longest list of parallel moves that the loop does itself.
pub(in crate::exec) const MAX_MOVES: usize = 16;

/// The slots of a call's results if all returns of the callee give just what the call wants.
fn plain_results(site: &CallSite, callee: &Function) -> Option<Box<[u32]>> {
    // With a landing pad the results are more than what is returned, and a return zeroes the rest.
    let wanted = || site.results.iter().map(|result| result.1);
    let fits = |values: &Vec<(Slot, u32)>| values.iter().map(|value| value.1).eq(wanted());
    let plain = callee.returns.iter().all(fits) && wanted().all(|width| width <= 64);
    plain.then(|| site.results.iter().map(|result| result.0.0).collect())
}

fn reg(slot: Slot) -> Reg {
    slot.0 as Reg
}

/// The comparison by one of six operators, operands swapped if need be.
fn canonical(op: CmpOp, a: Slot, b: Slot) -> (CmpOp, Slot, Slot) {
    match op {
        CmpOp::Ugt => (CmpOp::Ult, b, a),
        CmpOp::Uge => (CmpOp::Ule, b, a),
        CmpOp::Sgt => (CmpOp::Slt, b, a),
        CmpOp::Sge => (CmpOp::Sle, b, a),
        _ => (op, a, b),
    }
}
