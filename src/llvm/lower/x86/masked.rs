//! AVX-512 on integers as far as bitcode names it: permutations, ternary logic, narrowing, packing
//! under a mask, sums of products. clang expresses operations that only have a mask in LLVM's
//! generic vectors.
//!
//! Invariant: as in `x86`. A mask is lanes of one bit or the low bits of an integer.

use super::super::Unsupported;
use super::super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Inst, MinMaxOp, Slot};

/// From this many lanes on a lane is picked by a look into memory, not by comparing the index with
/// each.
const LOOKED_UP: usize = 8;

impl Body<'_, '_> {
    /// The parts of `x86.avx512.NAME`; `None` if it is none of these.
    pub fn x86_masked(
        &mut self,
        inst: Value,
        name: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        if let Some(narrowing) = name.strip_prefix("mask.pmov") {
            return self.truncations(inst, narrowing).map(Some);
        }
        let kind = name.split('.').next().unwrap_or_default();
        let slots = match kind {
            "permvar" => {
                let (w, lanes) = self.lanes_of(inst, 0)?;
                let (index_width, indices) = self.lanes_of(inst, 1)?;
                self.permuted(w, &lanes, index_width, &indices)
            }
            "vpermi2var" => {
                let (w, mut lanes) = self.lanes_of(inst, 0)?;
                let (index_width, indices) = self.lanes_of(inst, 1)?;
                lanes.extend(self.lanes_of(inst, 2)?.1);
                self.permuted(w, &lanes, index_width, &indices)
            }
            "pternlog" => self.ternary_logic(inst)?,
            "conflict" => {
                let (w, lanes) = self.lanes_of(inst, 0)?;
                self.earlier_equals(w, &lanes)
            }
            "pmultishift" => {
                let (_, shifts) = self.lanes_of(inst, 0)?;
                let (_, bytes) = self.lanes_of(inst, 1)?;
                self.shifted_bytes(&shifts, &bytes)
            }
            "vpmadd52l" | "vpmadd52h" => self.products_of_52_bits(inst, kind == "vpmadd52h")?,
            "vpdpbusd" | "vpdpbusds" | "vpdpwssd" | "vpdpwssds" => {
                self.added_products(inst, kind)?
            }
            "vpshufbitqmb" => self.picked_bits(inst)?,
            "kadd" | "ktestz" | "ktestc" => self.mask_arithmetic(inst, kind)?,
            "mask" if name.starts_with("mask.compress.") => self.compressed(inst)?,
            "mask" if name.starts_with("mask.expand.") => self.expanded(inst)?,
            "mask" if name.starts_with("mask.gather") => self.masked_gather(inst)?,
            "mask" if name.starts_with("mask.scatter") => self.masked_scatter(inst)?,
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    /// Operand `index` as bits, one for each of `count` lanes.
    pub fn mask_lanes(
        &mut self,
        inst: Value,
        index: u32,
        count: usize,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (w, slots) = self.lanes_of(inst, index)?;
        if w == 1 && slots.len() >= count {
            return Ok(slots[..count].to_vec());
        }
        let whole = slots[0];
        Ok((0..count as u8)
            .map(|lane| self.bits(whole, w, lane, 1))
            .collect())
    }

    /// `new` where the mask is set, `old` elsewhere.
    pub fn merged(&mut self, w: u8, mask: &[Slot], new: &[Slot], old: &[Slot]) -> Vec<Slot> {
        let lanes = mask.iter().zip(new).zip(old);
        lanes
            .map(|((mask, new), old)| self.select(w, *mask, *new, *old))
            .collect()
    }

    /// Lanes where a mask is set and the old ones elsewhere; the operands are old lanes and mask
    /// from `first` on. Lanes behind are 0.
    pub fn merged_result(
        &mut self,
        inst: Value,
        first: u32,
        lanes: Vec<Slot>,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (w, old) = self.lanes_of(inst, first)?;
        let mask = self.mask_lanes(inst, first + 1, lanes.len())?;
        let mut result = self.merged(w, &mask, &lanes, &old);
        let zero = self.int(w, 0);
        result.resize(old.len(), zero);
        Ok(result)
    }

    /// The lane that the low bits of each index name; their number is a power of two.
    fn permuted(&mut self, w: u8, lanes: &[Slot], index_width: u8, indices: &[Slot]) -> Vec<Slot> {
        let mut result = Vec::with_capacity(indices.len());
        let place = (lanes.len() >= LOOKED_UP).then(|| self.lanes_in_memory(w, lanes));
        for &index in indices {
            let Some(place) = place else {
                result.push(self.pick(w, lanes, index_width, index));
                continue;
            };
            let last = self.int(index_width, lanes.len() as u128 - 1);
            let index = self.bin(BinOp::And, index_width, index, last);
            result.push(self.lane_in_memory(place, w, index_width, index));
        }
        result
    }

    /// Bit `4a + 2b + c` of the number says the result for bits a, b and c.
    fn ternary_logic(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, a) = self.lanes_of(inst, 0)?;
        let (_, b) = self.lanes_of(inst, 1)?;
        let (_, c) = self.lanes_of(inst, 2)?;
        let table = inst.operand(3).const_u64();
        let mut result = Vec::with_capacity(a.len());
        for ((&a, &b), &c) in a.iter().zip(&b).zip(&c) {
            let halves = [table & 15, table >> 4 & 15].map(|half| {
                let parts = [half & 3, half >> 2].map(|part| self.bit_function(w, part, c));
                self.choice(w, b, parts[1], parts[0])
            });
            result.push(self.choice(w, a, halves[1], halves[0]));
        }
        Ok(result)
    }

    /// The function of one bit whose table is a number of two bits.
    fn bit_function(&mut self, w: u8, table: u64, operand: Slot) -> Slot {
        let ones = self.int(w, u128::MAX);
        match table {
            0 => self.int(w, 0),
            1 => self.bin(BinOp::Xor, w, operand, ones),
            2 => operand,
            _ => ones,
        }
    }

    /// The bits of `yes` where `which` has ones, of `no` elsewhere.
    pub fn choice(&mut self, w: u8, which: Slot, yes: Slot, no: Slot) -> Slot {
        if yes == no {
            return yes;
        }
        let differ = self.bin(BinOp::Xor, w, yes, no);
        let taken = self.bin(BinOp::And, w, which, differ);
        self.bin(BinOp::Xor, w, taken, no)
    }

    /// For each lane a bit for every lane before it that is equal.
    fn earlier_equals(&mut self, w: u8, lanes: &[Slot]) -> Vec<Slot> {
        let mut result = Vec::with_capacity(lanes.len());
        for (place, lane) in lanes.iter().enumerate() {
            let mut found = self.int(w, 0);
            for (earlier, other) in lanes[..place].iter().enumerate() {
                let equal = self.cmp(CmpOp::Eq, w, *lane, *other);
                let equal = self.cast(CastOp::Zext, 1, w, equal);
                let bit = self.shift_left(equal, w, earlier as u8);
                found = self.bin(BinOp::Or, w, found, bit);
            }
            result.push(found);
        }
        result
    }

    /// For each byte of `shifts` eight bits of its 64-bit lane of `bytes`, from that bit on and
    /// around.
    fn shifted_bytes(&mut self, shifts: &[Slot], bytes: &[Slot]) -> Vec<Slot> {
        let mut result = Vec::with_capacity(shifts.len());
        for (shifts, bytes) in shifts.chunks_exact(8).zip(bytes.chunks_exact(8)) {
            let twice = self.join(&[bytes, bytes].concat(), 8, 128);
            for &shift in shifts {
                let shift = self.bits(shift, 8, 0, 6);
                let shift = self.cast(CastOp::Zext, 6, 128, shift);
                let moved = self.bin(BinOp::LShr, 128, twice, shift);
                result.push(self.cast(CastOp::Trunc, 128, 8, moved));
            }
        }
        result
    }

    /// The low or high 52 bits of a product of 52 bits each, added to the first operand.
    fn products_of_52_bits(&mut self, inst: Value, high: bool) -> Result<Vec<Slot>, Unsupported> {
        let (w, sums) = self.lanes_of(inst, 0)?;
        let (_, a) = self.lanes_of(inst, 1)?;
        let (_, b) = self.lanes_of(inst, 2)?;
        let products = self.each(&a, &b, |body, a, b| {
            let [a, b] = [a, b].map(|lane| {
                let low = body.bits(lane, w, 0, 52);
                body.cast(CastOp::Zext, 52, 128, low)
            });
            let product = body.bin(BinOp::Mul, 128, a, b);
            let part = body.bits(product, 128, if high { 52 } else { 0 }, 52);
            body.cast(CastOp::Zext, 52, w, part)
        });
        Ok(self.each(&sums, &products, |body, a, b| body.bin(BinOp::Add, w, a, b)))
    }

    /// Products of the bytes (unsigned by signed) or words of two lanes, added to a third; `s`:
    /// within its bounds.
    fn added_products(&mut self, inst: Value, kind: &str) -> Result<Vec<Slot>, Unsupported> {
        let (w, sums) = self.lanes_of(inst, 0)?;
        let part: u8 = if kind.starts_with("vpdpb") { 8 } else { 16 };
        let fills = [
            if part == 8 {
                CastOp::Zext
            } else {
                CastOp::Sext
            },
            CastOp::Sext,
        ];
        let mut parts = Vec::new();
        for (operand, fill) in [1, 2].into_iter().zip(fills) {
            let (width, lanes) = self.lanes_of(inst, operand)?;
            let mut all = Vec::new();
            for lane in lanes {
                for piece in self.split(lane, width, part) {
                    all.push(self.cast(fill, part, 64, piece));
                }
            }
            parts.push(all);
        }
        let products = self.each(&parts[0], &parts[1], |body, a, b| {
            body.bin(BinOp::Mul, 64, a, b)
        });
        let groups = products.chunks_exact(usize::from(w / part));
        let mut result = Vec::new();
        for (sum, group) in sums.into_iter().zip(groups) {
            let sum = self.cast(CastOp::Sext, w, 64, sum);
            let sum = (group.iter()).fold(sum, |sum, lane| self.bin(BinOp::Add, 64, sum, *lane));
            result.push(if kind.ends_with("ds") {
                self.saturate(64, sum, w, true)
            } else {
                self.cast(CastOp::Trunc, 64, w, sum)
            });
        }
        Ok(result)
    }

    /// For each byte of the second operand the bit of its 64-bit lane of the first that it names.
    fn picked_bits(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, bytes) = self.lanes_of(inst, 0)?;
        let (_, places) = self.lanes_of(inst, 1)?;
        let mut result = Vec::new();
        for (bytes, places) in bytes.chunks_exact(8).zip(places.chunks_exact(8)) {
            let word = self.join(bytes, w, 64);
            for &place in places {
                let place = self.bits(place, w, 0, 6);
                let place = self.cast(CastOp::Zext, 6, 64, place);
                let moved = self.bin(BinOp::LShr, 64, word, place);
                result.push(self.cast(CastOp::Trunc, 64, 1, moved));
            }
        }
        Ok(result)
    }

    /// Masks as numbers: their sum, or whether they (or the second without the first) have no bit.
    fn mask_arithmetic(&mut self, inst: Value, kind: &str) -> Result<Vec<Slot>, Unsupported> {
        let (_, a) = self.lanes_of(inst, 0)?;
        let (_, b) = self.lanes_of(inst, 1)?;
        let w = a.len() as u8;
        let [mut a, b] = [a, b].map(|mask| self.join(&mask, 1, w));
        if kind == "kadd" {
            let sum = self.bin(BinOp::Add, w, a, b);
            return Ok(self.split(sum, w, 1));
        }
        if kind == "ktestc" {
            let ones = self.int(w, u128::MAX);
            a = self.bin(BinOp::Xor, w, a, ones);
        }
        let both = self.bin(BinOp::And, w, a, b);
        let zero = self.int(w, 0);
        let none = self.cmp(CmpOp::Eq, w, both, zero);
        Ok(vec![self.cast(CastOp::Zext, 1, 32, none)])
    }

    /// `mask.pmov` + (`s`, `us`) + widths: lanes made narrower, cut off or within bounds; zeros
    /// behind. `mem`: to memory.
    fn truncations(&mut self, inst: Value, narrowing: &str) -> Result<Vec<Slot>, Unsupported> {
        let (sign, rest) = match narrowing.split_once('.') {
            Some(("s", rest)) => (Some(true), rest),
            Some(("us", rest)) => (Some(false), rest),
            Some((_, rest)) => (None, rest),
            None => (None, narrowing),
        };
        let to_memory = rest.contains(".mem");
        let (w, lanes) = self.lanes_of(inst, u32::from(to_memory))?;
        let to: u8 = match rest.as_bytes().get(1) {
            Some(b'b') => 8,
            Some(b'w') => 16,
            _ => 32,
        };
        let mut narrow = Vec::with_capacity(lanes.len());
        for &lane in &lanes {
            narrow.push(match sign {
                None => self.cast(CastOp::Trunc, w, to, lane),
                Some(true) => self.saturate(w, lane, to, true),
                Some(false) => {
                    let most = self.int(w, homi_ir::ops::mask(to.into()));
                    let least = self.min_max(MinMaxOp::UMin, w, w, lane, most);
                    self.cast(CastOp::Trunc, w, to, least)
                }
            });
        }
        if !to_memory {
            return self.merged_result(inst, 1, narrow);
        }
        let mask = self.mask_lanes(inst, 2, lanes.len())?;
        let base = self.scalar(inst.operand(0))?;
        let addresses = self.consecutive(base, to, lanes.len());
        self.store_where(to, &addresses, &mask, &narrow);
        Ok(Vec::new())
    }

    /// The lanes of the mask side by side, the second operand's lanes behind.
    fn compressed(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let (_, old) = self.lanes_of(inst, 1)?;
        let mask = self.mask_lanes(inst, 2, lanes.len())?;
        let place = self.lanes_in_memory(w, &old);
        let spare = self.spare_object();
        let mut next = place;
        for (src, wanted) in lanes.into_iter().zip(mask) {
            let addr = self.select(64, wanted, next, spare);
            self.emit(Inst::Store { w, addr, src });
            let after = self.offset(next, i64::from(w / 8));
            next = self.select(64, wanted, after, next);
        }
        let mut result = Vec::with_capacity(old.len());
        for addr in self.consecutive(place, w, old.len()) {
            let dst = self.new_slot(w);
            self.emit(Inst::Load { w, dst, addr });
            result.push(dst);
        }
        Ok(result)
    }

    /// The first lanes at the places that the mask names.
    fn expanded(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let (_, old) = self.lanes_of(inst, 1)?;
        let mask = self.mask_lanes(inst, 2, lanes.len())?;
        let place = self.lanes_in_memory(w, &lanes);
        let spare = self.spare_object();
        let (mut next, mut result) = (place, Vec::with_capacity(old.len()));
        for (wanted, old) in mask.into_iter().zip(old) {
            let (addr, dst) = (self.select(64, wanted, next, spare), self.new_slot(w));
            self.emit(Inst::Load { w, dst, addr });
            result.push(self.select(w, wanted, dst, old));
            let after = self.offset(next, i64::from(w / 8));
            next = self.select(64, wanted, after, next);
        }
        Ok(result)
    }

    /// Old lanes, base, indices, mask, scale. Lanes without an index are 0.
    fn masked_gather(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, old) = self.lanes_of(inst, 0)?;
        let mut addresses = self.indexed_addresses(inst, 1, 2, 4)?;
        addresses.truncate(old.len());
        let mask = self.mask_lanes(inst, 3, addresses.len())?;
        let spare = self.spare_object();
        let mut result = Vec::with_capacity(old.len());
        for ((address, wanted), other) in addresses.into_iter().zip(mask).zip(&old) {
            let (addr, dst) = (self.select(64, wanted, address, spare), self.new_slot(w));
            self.emit(Inst::Load { w, dst, addr });
            result.push(self.select(w, wanted, dst, *other));
        }
        let zero = self.int(w, 0);
        result.resize(old.len(), zero);
        Ok(result)
    }

    /// A scatter; its operands are base, mask, indices, lanes and scale.
    fn masked_scatter(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (w, lanes) = self.lanes_of(inst, 3)?;
        let mut addresses = self.indexed_addresses(inst, 0, 2, 4)?;
        addresses.truncate(lanes.len());
        let mask = self.mask_lanes(inst, 1, addresses.len())?;
        self.store_where(w, &addresses, &mask, &lanes);
        Ok(Vec::new())
    }

    fn store_where(&mut self, w: u8, addresses: &[Slot], mask: &[Slot], lanes: &[Slot]) {
        let spare = self.spare_object();
        for ((address, wanted), src) in addresses.iter().zip(mask).zip(lanes) {
            let addr = self.select(64, *wanted, *address, spare);
            self.emit(Inst::Store { w, addr, src: *src });
        }
    }
}
