//! x86's vector instructions that bitcode has as intrinsics: operations that clang's headers do not
//! express in LLVM's vectors. Integers are here, floating point in `x86_float`, scalar instructions
//! in `x86_scalar`, ciphers in `x86_crypto`, AVX-512 in `x86_masked` and `x86_rounded`.
//!
//! Invariant: an instruction of 256 bits works on each half of 128 bits separately where the
//! processor's does; operands that the processor takes modulo something never become overshifts.

pub(super) mod crypto;
pub(super) mod float;
pub(super) mod masked;
pub(super) mod memory;
pub(super) mod rounded;
pub(super) mod scalar;

use super::Unsupported;
use super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, MinMaxOp, Slot};

/// The vector operand number `index` of an intrinsic: width of a lane in bits and the lanes.
pub type Lanes = (u8, Vec<Slot>);

impl Body<'_, '_> {
    /// Lowers `x86.SET.NAME` (some have no set); false if it is none of these.
    pub fn x86_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        let Some(rest) = family.strip_prefix("x86.") else {
            return Ok(false);
        };
        let (set, name) = rest.split_once('.').unwrap_or(("", rest));
        let name = name.strip_suffix(".128").unwrap_or(name);
        let name = name.strip_suffix(".256").unwrap_or(name);
        let name = name.strip_suffix(".512").unwrap_or(name);
        // Of these the family is the instruction, and the rest its width.
        let is_width = matches!(name, "128" | "256" | "512");
        let name = if is_width { set } else { name };
        let mut slots = self.x86_scalar(inst, set, name)?;
        if slots.is_none() {
            slots = self.x86_crypto(inst, name)?;
        }
        if slots.is_none() && set == "avx512" {
            slots = self.x86_masked(inst, name)?;
        }
        if slots.is_none() && set == "avx512" {
            slots = self.x86_rounded(inst, name)?;
        }
        if slots.is_none() {
            slots = self.x86_memory(inst, name)?;
        }
        if slots.is_none() {
            slots = self.x86_integers(inst, name)?;
        }
        if slots.is_none() {
            slots = self.x86_float(inst, name)?;
        }
        let Some(slots) = slots else {
            return Ok(false);
        };
        self.define(inst, slots);
        Ok(true)
    }

    pub fn lanes_of(&mut self, inst: Value, index: u32) -> Result<Lanes, Unsupported> {
        let operand = inst.operand(index);
        let width = self.module.types.lane(operand.ty())?.width();
        Ok((width, self.operand(operand)?))
    }

    fn x86_integers(&mut self, inst: Value, name: &str) -> Result<Option<Vec<Slot>>, Unsupported> {
        if let Some(rest) = name.strip_prefix("psll").or(name.strip_prefix("psr")) {
            return self.x86_shift(inst, name, rest);
        }
        let two = |body: &mut Self| -> Result<(u8, Vec<Slot>, Vec<Slot>), Unsupported> {
            let (w, a) = body.lanes_of(inst, 0)?;
            Ok((w, a, body.lanes_of(inst, 1)?.1))
        };
        let slots = match name {
            "pshuf.b" => {
                let (_, a, b) = two(self)?;
                self.byte_shuffle(&a, &b)
            }
            "pmadd.wd" | "pmaddw.d" => {
                let (w, a, b) = two(self)?;
                self.product_pairs((w, 2 * w), &a, &b, [CastOp::Sext, CastOp::Sext])
            }
            "pmadd.ub.sw" | "pmaddubs.w" => {
                let (w, a, b) = two(self)?;
                let sums = self.product_pairs((w, 4 * w), &a, &b, [CastOp::Zext, CastOp::Sext]);
                let narrow = |body: &mut Self, sum| body.saturate(4 * w, sum, 2 * w, true);
                sums.into_iter().map(|sum| narrow(self, sum)).collect()
            }
            "psad.bw" => {
                let (_, a, b) = two(self)?;
                self.absolute_differences(&a, &b)
            }
            "mpsadbw" => {
                let (_, a, b) = two(self)?;
                self.moving_differences(&a, &b, inst.operand(2).const_u64() as usize)
            }
            "packsswb" | "packssdw" | "packuswb" | "packusdw" => {
                let (w, a, b) = two(self)?;
                let is_signed = name.starts_with("packss");
                let order = halves(&a, &b, 128 / usize::from(w));
                let pack = |body: &mut Self, lane| body.saturate(w, lane, w / 2, is_signed);
                order.into_iter().map(|lane| pack(self, lane)).collect()
            }
            "pavg.b" | "pavg.w" => {
                let (w, a, b) = two(self)?;
                self.each(&a, &b, |body, a, b| body.average(w, a, b))
            }
            "pmulh.w" | "pmulhu.w" | "pmul.hr.sw" => {
                let (w, a, b) = two(self)?;
                self.each(&a, &b, |body, a, b| body.high_product(name, w, a, b))
            }
            "psign.b" | "psign.w" | "psign.d" => {
                let (w, a, b) = two(self)?;
                self.each(&a, &b, |body, a, b| body.with_sign(w, a, b))
            }
            "phadd.w" | "phadd.d" | "phadd.sw" | "phsub.w" | "phsub.d" | "phsub.sw" => {
                let (w, a, b) = two(self)?;
                let order = halves(&a, &b, 128 / usize::from(w));
                let pairs = order.chunks_exact(2);
                pairs
                    .map(|pair| self.horizontal(name, w, pair[0], pair[1]))
                    .collect()
            }
            "permd" | "permps" => {
                let (w, a, index) = two(self)?;
                let picked = |body: &mut Self, index| body.pick(w, &a, 32, index);
                index.iter().map(|index| picked(self, *index)).collect()
            }
            "pblendvb" | "blendvps" | "blendvpd" | "blendv.ps" | "blendv.pd" => {
                let (w, a, b) = two(self)?;
                let (_, mask) = self.lanes_of(inst, 2)?;
                let pairs = self.each(&a, &b, |_, a, _| a).into_iter().zip(b).zip(mask);
                pairs
                    .map(|((a, b), mask)| {
                        let sign = self.bits(mask, w, w - 1, 1);
                        self.select(w, sign, b, a)
                    })
                    .collect()
            }
            "ptestz" | "ptestc" | "ptestnzc" => {
                let (w, a, b) = two(self)?;
                vec![self.test(&name[5..], w, &a, &b, homi_ir::ops::mask(w.into()))]
            }
            "phminposuw" => {
                let (w, a) = self.lanes_of(inst, 0)?;
                self.least_position(w, &a)
            }
            "pclmulqdq" => {
                let (_, a, b) = two(self)?;
                let which = inst.operand(2).const_u64() as usize;
                let pairs = a.chunks_exact(2).zip(b.chunks_exact(2));
                let product = |(a, b): (&[Slot], &[Slot])| {
                    self.carryless_product(a[which & 1], b[which >> 4 & 1])
                };
                pairs.map(product).collect::<Vec<_>>().concat()
            }
            "ldu.dq" => {
                let address = self.scalar(inst.operand(0))?;
                self.load_parts(inst.ty(), address)?
            }
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    pub fn each(
        &mut self,
        a: &[Slot],
        b: &[Slot],
        mut combine: impl FnMut(&mut Self, Slot, Slot) -> Slot,
    ) -> Vec<Slot> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| combine(self, *a, *b)).collect()
    }

    /// A byte of `a`'s half for each byte of `b`: its lower four bits say which, its highest one
    /// that it is 0.
    fn byte_shuffle(&mut self, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        let mut result = Vec::with_capacity(a.len());
        for (bytes, places) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
            let whole = self.join(bytes, 8, 128);
            for &place in places {
                let low = self.bits(place, 8, 0, 4);
                let amount = self.cast(CastOp::Zext, 4, 128, low);
                let amount = self.shift_left(amount, 128, 3);
                let moved = self.bin(BinOp::LShr, 128, whole, amount);
                let byte = self.cast(CastOp::Trunc, 128, 8, moved);
                let is_zero = self.bits(place, 8, 7, 1);
                let zero = self.int(8, 0);
                result.push(self.select(8, is_zero, zero, byte));
            }
        }
        result
    }

    /// Sums of the products of neighbors, in `to` bits.
    fn product_pairs(
        &mut self,
        (w, to): (u8, u8),
        a: &[Slot],
        b: &[Slot],
        fill: [CastOp; 2],
    ) -> Vec<Slot> {
        let products = self.each(a, b, |body, a, b| {
            let a = body.cast(fill[0], w, to, a);
            let b = body.cast(fill[1], w, to, b);
            body.bin(BinOp::Mul, to, a, b)
        });
        let pairs = products.chunks_exact(2);
        pairs
            .map(|pair| self.bin(BinOp::Add, to, pair[0], pair[1]))
            .collect()
    }

    /// A signed number in fewer bits, or the nearest one there.
    pub fn saturate(&mut self, w: u8, value: Slot, to: u8, is_signed: bool) -> Slot {
        let (least, most) = if is_signed {
            (u128::MAX << (to - 1), homi_ir::ops::mask(u32::from(to) - 1))
        } else {
            (0, homi_ir::ops::mask(to.into()))
        };
        let (least, most) = (self.int(w, least), self.int(w, most));
        let value = self.min_max(MinMaxOp::SMax, w, w, value, least);
        let value = self.min_max(MinMaxOp::SMin, w, w, value, most);
        self.cast(CastOp::Trunc, w, to, value)
    }

    /// Sums of eight absolute differences of bytes each, in 64 bits.
    fn absolute_differences(&mut self, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        let differences = self.byte_differences(a, b, 64);
        let groups = differences.chunks_exact(8);
        groups
            .map(|group| {
                let zero = self.int(64, 0);
                (group.iter()).fold(zero, |sum, lane| self.bin(BinOp::Add, 64, sum, *lane))
            })
            .collect()
    }

    /// MPSADBW: in each half, sums of the differences between four bytes of `b` and four of `a`,
    /// these from eight places on.
    fn moving_differences(&mut self, a: &[Slot], b: &[Slot], places: usize) -> Vec<Slot> {
        let mut sums = Vec::new();
        for (half, (a, b)) in a.chunks_exact(16).zip(b.chunks_exact(16)).enumerate() {
            let places = places >> (3 * half);
            let block = &b[(places & 3) * 4..][..4];
            for start in 0..8 {
                let window = &a[(places >> 2 & 1) * 4 + start..][..4];
                let differences = self.byte_differences(window, block, 16);
                let sum = differences
                    .into_iter()
                    .reduce(|sum, lane| self.bin(BinOp::Add, 16, sum, lane));
                sums.extend(sum);
            }
        }
        sums
    }

    fn byte_differences(&mut self, a: &[Slot], b: &[Slot], to: u8) -> Vec<Slot> {
        self.each(a, b, |body, a, b| {
            let most = body.min_max(MinMaxOp::UMax, 8, 8, a, b);
            let least = body.min_max(MinMaxOp::UMin, 8, 8, a, b);
            let difference = body.bin(BinOp::Sub, 8, most, least);
            body.cast(CastOp::Zext, 8, to, difference)
        })
    }

    fn average(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let double = 2 * w;
        let [a, b] = [a, b].map(|lane| self.cast(CastOp::Zext, w, double, lane));
        let one = self.int(double, 1);
        let sum = self.bin(BinOp::Add, double, a, b);
        let sum = self.bin(BinOp::Add, double, sum, one);
        self.bits(sum, double, 1, w)
    }

    fn high_product(&mut self, name: &str, w: u8, a: Slot, b: Slot) -> Slot {
        let double = 2 * w;
        let fill = match name {
            "pmulhu.w" => CastOp::Zext,
            _ => CastOp::Sext,
        };
        let [a, b] = [a, b].map(|lane| self.cast(fill, w, double, lane));
        let product = self.bin(BinOp::Mul, double, a, b);
        if name != "pmul.hr.sw" {
            return self.bits(product, double, w, w);
        }
        let half = self.int(double, 1 << (w - 2));
        let rounded = self.bin(BinOp::Add, double, product, half);
        self.bits(rounded, double, w - 1, w)
    }

    /// `a`, its negative or 0, as `b`'s sign says.
    fn with_sign(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let zero = self.int(w, 0);
        let minus = self.bin(BinOp::Sub, w, zero, a);
        let negative = self.cmp(CmpOp::Slt, w, b, zero);
        let none = self.cmp(CmpOp::Eq, w, b, zero);
        let kept = self.select(w, none, zero, a);
        self.select(w, negative, minus, kept)
    }

    fn horizontal(&mut self, name: &str, w: u8, a: Slot, b: Slot) -> Slot {
        match name {
            "phadd.sw" => self.min_max(MinMaxOp::SAddSat, w, w, a, b),
            "phsub.sw" => self.min_max(MinMaxOp::SSubSat, w, w, a, b),
            _ if name.starts_with("phadd") => self.bin(BinOp::Add, w, a, b),
            _ => self.bin(BinOp::Sub, w, a, b),
        }
    }

    /// The lane that the low bits of an index name; the number of lanes is a power of two.
    pub fn pick(&mut self, w: u8, lanes: &[Slot], index_width: u8, index: Slot) -> Slot {
        let last = self.int(index_width, lanes.len() as u128 - 1);
        let index = self.bin(BinOp::And, index_width, index, last);
        let mut result = lanes[0];
        for (place, lane) in lanes.iter().enumerate().skip(1) {
            let place = self.int(index_width, place as u128);
            let here = self.cmp(CmpOp::Eq, index_width, index, place);
            result = self.select(w, here, *lane, result);
        }
        result
    }

    /// The flags of PTEST and VTEST: `z` no common bit, `c` all bits of `b` in `a`, `nzc` neither;
    /// of each lane only `mask` counts.
    pub fn test(&mut self, which: &str, w: u8, a: &[Slot], b: &[Slot], mask: u128) -> Slot {
        let mask = self.int(w, mask);
        let zero = self.int(w, 0);
        let (mut common, mut missing) = (zero, zero);
        for (&a, &b) in a.iter().zip(b) {
            let b = self.bin(BinOp::And, w, b, mask);
            let both = self.bin(BinOp::And, w, a, b);
            let only = self.bin(BinOp::Xor, w, both, b);
            common = self.bin(BinOp::Or, w, common, both);
            missing = self.bin(BinOp::Or, w, missing, only);
        }
        let no_common = self.cmp(CmpOp::Eq, w, common, zero);
        let none_missing = self.cmp(CmpOp::Eq, w, missing, zero);
        let flag = match which {
            "z" => no_common,
            "c" => none_missing,
            _ => {
                let either = self.bin(BinOp::Or, 1, no_common, none_missing);
                self.not(either)
            }
        };
        self.cast(CastOp::Zext, 1, 32, flag)
    }

    /// The least of eight lanes and its place, the first one of equals; zeros beyond.
    fn least_position(&mut self, w: u8, lanes: &[Slot]) -> Vec<Slot> {
        let zero = self.int(w, 0);
        let (mut least, mut place) = (lanes[0], zero);
        for (index, lane) in lanes.iter().enumerate().skip(1) {
            let less = self.cmp(CmpOp::Ult, w, *lane, least);
            let index = self.int(w, index as u128);
            least = self.select(w, less, *lane, least);
            place = self.select(w, less, index, place);
        }
        let mut result = vec![zero; lanes.len()];
        result[..2].copy_from_slice(&[least, place]);
        result
    }

    /// The product of polynomials over one bit: 64 by 64 bits, two words.
    fn carryless_product(&mut self, a: Slot, b: Slot) -> Vec<Slot> {
        let wide = self.cast(CastOp::Zext, 64, 128, a);
        let zero = self.int(128, 0);
        let mut product = zero;
        for bit in 0..64 {
            let taken = self.bits(b, 64, bit, 1);
            let moved = self.shift_left(wide, 128, bit);
            let part = self.select(128, taken, moved, zero);
            product = self.bin(BinOp::Xor, 128, product, part);
        }
        self.split(product, 128, 64)
    }

    /// Shifts by one amount for all lanes (of a register, or a number: `i`) or by one for each
    /// (`v`). By too much they give 0, or the sign.
    fn x86_shift(
        &mut self,
        inst: Value,
        name: &str,
        rest: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let op = match &name[..4] {
            "psll" => BinOp::Shl,
            "psrl" => BinOp::LShr,
            "psra" => BinOp::AShr,
            _ => return Ok(None),
        };
        let kind = rest.trim_start_matches(['l', 'a']);
        let (w, lanes) = self.lanes_of(inst, 0)?;
        let (amount_width, amounts) = self.lanes_of(inst, 1)?;
        let shifted = if kind.starts_with("v.") {
            self.each(&lanes, &amounts, |body, lane, amount| {
                body.shifted(op, w, lane, amount_width, amount)
            })
        } else {
            let (width, amount) = if kind.starts_with("i.") {
                (amount_width, amounts[0])
            } else {
                let count = usize::from(64 / amount_width);
                (64, self.join(&amounts[..count], amount_width, 64))
            };
            let shift = |body: &mut Self, lane| body.shifted(op, w, lane, width, amount);
            lanes.iter().map(|lane| shift(self, *lane)).collect()
        };
        Ok(Some(shifted))
    }

    fn shifted(&mut self, op: BinOp, w: u8, lane: Slot, amount_width: u8, amount: Slot) -> Slot {
        let limit = self.int(amount_width, w.into());
        let fine = self.cmp(CmpOp::Ult, amount_width, amount, limit);
        let amount = self.resize(amount_width, w, amount);
        let beyond = match op {
            BinOp::AShr => u128::from(w) - 1,
            _ => 0,
        };
        let beyond = self.int(w, beyond);
        let amount = self.select(w, fine, amount, beyond);
        let result = self.bin(op, w, lane, amount);
        if op == BinOp::AShr {
            return result;
        }
        let zero = self.int(w, 0);
        self.select(w, fine, result, zero)
    }
}

/// The lanes of two operands half by half: `a`'s first half, `b`'s, `a`'s second. `count` lanes
/// make 128 bits.
pub fn halves(a: &[Slot], b: &[Slot], count: usize) -> Vec<Slot> {
    let pairs = a.chunks(count).zip(b.chunks(count));
    pairs.flat_map(|(a, b)| [a, b].concat()).collect()
}
