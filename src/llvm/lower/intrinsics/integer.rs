//! Intrinsics of integers: bits, least and greatest, saturation, overflow, funnel shifts.

use super::super::Unsupported;
use super::super::function::Body;
use super::{find, matches_family};
use crate::c_api::Value;
use homi_ir::program::{FunnelOp, Inst, IntUnary, MinMaxOp, OverflowOp, Slot};

impl Body<'_, '_> {
    pub(super) fn integer_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
    ) -> Result<bool, Unsupported> {
        if inst.argument_count() > 0 {
            if let Some(width) = self.module.types.wide(inst.operand(0).ty()) {
                return self.wide_intrinsic(inst, family, width);
            }
        }
        if let Some(op) = unary_operation(family) {
            let w = self.module.types.lane(inst.ty())?.width();
            let is_promised = self.module.intrinsic_promises(inst);
            let mut slots = Vec::new();
            for mut src in self.operand(inst.operand(0))? {
                if is_promised && op == IntUnary::Abs {
                    src = self.promised_absolute(w, src);
                }
                let dst = self.new_slot(w);
                self.emit(Inst::Unary { op, w, dst, src });
                slots.push(match (is_promised, op) {
                    (true, IntUnary::Ctlz | IntUnary::Cttz) => self.promised_count(w, src, dst),
                    _ => dst,
                });
            }
            self.define(inst, slots);
            return Ok(true);
        }
        if let Some(op) = min_max_operation(family) {
            let w = self.module.types.lane(inst.operand(0).ty())?.width();
            let to = self.module.types.lane(inst.ty())?.width();
            let left = self.operand(inst.operand(0))?;
            let right = self.operand(inst.operand(1))?;
            let mut slots = Vec::new();
            for (a, b) in left.into_iter().zip(right) {
                slots.push(self.min_max(op, w, to, a, b));
            }
            self.define(inst, slots);
            return Ok(true);
        }
        if let Some(op) = overflow_operation(family) {
            let w = self.module.types.lane(inst.operand(0).ty())?.width();
            let left = self.operand(inst.operand(0))?;
            let right = self.operand(inst.operand(1))?;
            let mut slots = Vec::new();
            let mut flags = Vec::new();
            for (a, b) in left.into_iter().zip(right) {
                let dst = self.new_slot(w);
                let overflow = self.new_slot(1);
                self.emit(Inst::Overflow {
                    op,
                    w,
                    dst,
                    overflow,
                    a,
                    b,
                });
                slots.push(dst);
                flags.push(overflow);
            }
            slots.extend(flags);
            self.define(inst, slots);
            return Ok(true);
        }
        let funnel = match () {
            () if matches_family(family, "fshl") => FunnelOp::Left,
            () if matches_family(family, "fshr") => FunnelOp::Right,
            () => return Ok(false),
        };
        let w = self.module.types.lane(inst.ty())?.width();
        let highs = self.operand(inst.operand(0))?;
        let lows = self.operand(inst.operand(1))?;
        let shifts = self.operand(inst.operand(2))?;
        let mut slots = Vec::new();
        for ((high, low), shift) in highs.into_iter().zip(lows).zip(shifts) {
            let dst = self.new_slot(w);
            self.emit(Inst::Funnel {
                op: funnel,
                w,
                dst,
                high,
                low,
                shift,
            });
            slots.push(dst);
        }
        self.define(inst, slots);
        Ok(true)
    }

    pub fn min_max(&mut self, op: MinMaxOp, w: u8, to: u8, a: Slot, b: Slot) -> Slot {
        let dst = self.new_slot(to);
        self.emit(Inst::MinMax {
            op,
            w,
            to,
            dst,
            a,
            b,
        });
        dst
    }
}

pub fn unary_operation(family: &str) -> Option<IntUnary> {
    let table = [
        ("ctpop", IntUnary::Ctpop),
        ("ctlz", IntUnary::Ctlz),
        ("cttz", IntUnary::Cttz),
        ("bswap", IntUnary::Bswap),
        ("bitreverse", IntUnary::BitReverse),
        ("abs", IntUnary::Abs),
    ];
    find(&table, family)
}

pub fn min_max_operation(family: &str) -> Option<MinMaxOp> {
    let table = [
        ("umin", MinMaxOp::UMin),
        ("umax", MinMaxOp::UMax),
        ("smin", MinMaxOp::SMin),
        ("smax", MinMaxOp::SMax),
        ("uadd.sat", MinMaxOp::UAddSat),
        ("sadd.sat", MinMaxOp::SAddSat),
        ("usub.sat", MinMaxOp::USubSat),
        ("ssub.sat", MinMaxOp::SSubSat),
        ("ushl.sat", MinMaxOp::UShlSat),
        ("sshl.sat", MinMaxOp::SShlSat),
        ("ucmp", MinMaxOp::UCmp),
        ("scmp", MinMaxOp::SCmp),
    ];
    find(&table, family)
}

pub fn overflow_operation(family: &str) -> Option<OverflowOp> {
    let table = [
        ("uadd.with.overflow", OverflowOp::UAdd),
        ("sadd.with.overflow", OverflowOp::SAdd),
        ("usub.with.overflow", OverflowOp::USub),
        ("ssub.with.overflow", OverflowOp::SSub),
        ("umul.with.overflow", OverflowOp::UMul),
        ("smul.with.overflow", OverflowOp::SMul),
    ];
    find(&table, family)
}
