//! Aggregates and vectors in registers: picking, replacing and shuffling parts; reductions.
//!
//! Invariant: none of these emits an instruction unless an index is not constant; they rearrange
//! slots.

use super::Unsupported;
use super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::CmpOp;
use homi_ir::program::Slot;

impl Body<'_, '_> {
    /// First part and number of parts of the element that a list of indices names.
    fn element_range(
        &mut self,
        aggregate: Value,
        indices: &[u32],
    ) -> Result<(usize, usize), Unsupported> {
        let mut start = 0;
        let mut ty = aggregate.ty();
        for index in indices {
            let (before, element) = self.module.types.element_parts(ty, *index)?;
            start += before;
            ty = element;
        }
        let count = self.module.types.leaves(ty)?.len();
        Ok((start, count))
    }

    pub fn lower_extract_value(&mut self, inst: Value) -> Result<(), Unsupported> {
        let (start, count) = self.element_range(inst.operand(0), &inst.indices())?;
        let slots = self.operand(inst.operand(0))?;
        let picked = slots
            .get(start..start + count)
            .ok_or_else(|| Unsupported::new("extractvalue beyond its aggregate"))?
            .to_vec();
        self.define(inst, picked);
        Ok(())
    }

    pub fn lower_insert_value(&mut self, inst: Value) -> Result<(), Unsupported> {
        let (start, count) = self.element_range(inst.operand(0), &inst.indices())?;
        let mut slots = self.operand(inst.operand(0))?;
        let element = self.operand(inst.operand(1))?;
        if element.len() != count || start + count > slots.len() {
            return Err(Unsupported::new("insertvalue beyond its aggregate"));
        }
        slots[start..start + count].copy_from_slice(&element);
        self.define(inst, slots);
        Ok(())
    }

    /// Parts of each element of a vector whose elements are integers of more than 128 bits, and the
    /// element that a constant names.
    fn wide_element(
        &mut self,
        vector: Value,
        index: Value,
    ) -> Result<Option<(usize, usize)>, Unsupported> {
        if !self.module.types.has_wide_elements(vector.ty()) {
            return Ok(None);
        }
        let parts = self.module.types.leaves(vector.ty().element())?.len();
        let index = self.scalar(index)?;
        let known = (self.known_int(index))
            .ok_or_else(|| Unsupported::new("variable element of a vector of wide integers"))?;
        Ok(Some((parts, known as usize)))
    }

    pub fn lower_extract_element(&mut self, inst: Value) -> Result<(), Unsupported> {
        if let Some((parts, index)) = self.wide_element(inst.operand(0), inst.operand(1))? {
            let all = self.operand(inst.operand(0))?;
            let picked = all
                .chunks(parts)
                .nth(index)
                .unwrap_or(&all[..parts])
                .to_vec();
            self.define(inst, picked);
            return Ok(());
        }
        let lanes = self.operand(inst.operand(0))?;
        let width = self.module.types.scalar(inst.ty())?.width();
        let index_width = self.module.types.scalar(inst.operand(1).ty())?.width();
        let index = self.scalar(inst.operand(1))?;
        let mut result = lanes[0];
        if let Some(known) = self.known_int(index) {
            // Beyond the vector the value is poison; lane 0 is as good as any.
            result = lanes.get(known as usize).copied().unwrap_or(result);
        } else {
            for (lane, slot) in lanes.iter().enumerate().skip(1) {
                let here = self.lane_is(index, index_width, lane);
                result = self.select(width, here, *slot, result);
            }
        }
        self.define(inst, vec![result]);
        Ok(())
    }

    pub fn lower_insert_element(&mut self, inst: Value) -> Result<(), Unsupported> {
        if let Some((parts, index)) = self.wide_element(inst.operand(0), inst.operand(2))? {
            let mut all = self.operand(inst.operand(0))?;
            let element = self.operand(inst.operand(1))?;
            if let Some(place) = all.chunks_mut(parts).nth(index) {
                place.copy_from_slice(&element);
            }
            self.define(inst, all);
            return Ok(());
        }
        let mut lanes = self.operand(inst.operand(0))?;
        let element = self.scalar(inst.operand(1))?;
        let width = self.module.types.scalar(inst.operand(1).ty())?.width();
        let index_width = self.module.types.scalar(inst.operand(2).ty())?.width();
        let index = self.scalar(inst.operand(2))?;
        if let Some(known) = self.known_int(index) {
            if let Some(lane) = lanes.get_mut(known as usize) {
                *lane = element;
            }
        } else {
            for (lane, slot) in lanes.iter_mut().enumerate() {
                let here = self.lane_is(index, index_width, lane);
                *slot = self.select(width, here, element, *slot);
            }
        }
        self.define(inst, lanes);
        Ok(())
    }

    fn lane_is(&mut self, index: Slot, width: u8, lane: usize) -> Slot {
        let number = self.int(width, lane as u128);
        self.cmp(CmpOp::Eq, width, index, number)
    }

    pub fn lower_shuffle(&mut self, inst: Value) -> Result<(), Unsupported> {
        let mut lanes = self.operand(inst.operand(0))?;
        lanes.extend(self.operand(inst.operand(1))?);
        let width = self.module.types.lane(inst.ty())?.width();
        let mut slots = Vec::new();
        for entry in inst.shuffle_mask() {
            let slot = match entry.and_then(|index| lanes.get(index as usize)) {
                Some(slot) => *slot,
                None => self.undefined(width),
            };
            slots.push(slot);
        }
        self.define(inst, slots);
        Ok(())
    }
}
