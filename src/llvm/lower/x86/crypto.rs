//! x86's instructions for ciphers and hashes: AES, SHA-1, SHA-256, Galois fields.
//!
//! Idea: AES's substitution is a table on the stack, so a symbolic byte is a read at a symbolic
//! place and forks nothing; all else is plain arithmetic. Invariant: as in `x86`. Vectors of 256
//! and 512 bits are worked on in pieces of 128.

use super::super::Unsupported;
use super::super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::BinOp;
use homi_ir::program::Slot;

/// AES's polynomial, x^8 + x^4 + x^3 + x + 1, without its highest bit.
const REDUCTION: u8 = 0x1b;

/// The functions of SHA-1 rounds 0 to 19, 20 to 39, 40 to 59 and 60 to 79 and their constants.
const SHA1_ADDENDS: [u128; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

impl Body<'_, '_> {
    /// The parts of `x86.SET.NAME`; `None` if it is none of these.
    pub fn x86_crypto(
        &mut self,
        inst: Value,
        name: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let slots = match name {
            "aesenc" | "aesenclast" | "aesdec" | "aesdeclast" => {
                let (_, state) = self.lanes_of(inst, 0)?;
                let (_, key) = self.lanes_of(inst, 1)?;
                self.cipher_round(name, &state, &key)
            }
            "aesimc" => {
                let (_, state) = self.lanes_of(inst, 0)?;
                let bytes = self.bytes_of(&state);
                let mixed = self.mixed_columns(&bytes, [14, 11, 13, 9]);
                self.words_from_bytes(&mixed)
            }
            "aeskeygenassist" => {
                let (_, key) = self.lanes_of(inst, 0)?;
                let round = inst.operand(1).const_u64();
                self.round_key(&key, round)
            }
            "vgf2p8mulb" => {
                let (_, a) = self.lanes_of(inst, 0)?;
                let (_, b) = self.lanes_of(inst, 1)?;
                self.each(&a, &b, |body, a, b| body.field_product(a, b))
            }
            "vgf2p8affineqb" | "vgf2p8affineinvqb" => {
                let (_, bytes) = self.lanes_of(inst, 0)?;
                let (_, matrix) = self.lanes_of(inst, 1)?;
                let added = inst.operand(2).const_u64() as u8;
                let bytes = match name {
                    "vgf2p8affineqb" => bytes,
                    _ => self.looked_up(&inverses(), &bytes),
                };
                self.affine(&bytes, &matrix, added)
            }
            _ if name.starts_with("sha") => return self.hash(inst, name),
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    fn bytes_of(&mut self, words: &[Slot]) -> Vec<Slot> {
        let parts = words.iter().map(|word| self.split(*word, 64, 8));
        parts.collect::<Vec<_>>().concat()
    }

    fn words_from_bytes(&mut self, bytes: &[Slot]) -> Vec<Slot> {
        let words = bytes.chunks_exact(8);
        words.map(|word| self.join(word, 8, 64)).collect()
    }

    /// Looks each byte up in a table.
    fn looked_up(&mut self, table: &[u8; 256], bytes: &[Slot]) -> Vec<Slot> {
        let number =
            |word: &[u8]| (word.iter().rev()).fold(0, |all, byte| all << 8 | u128::from(*byte));
        let words = table.chunks_exact(8).map(number);
        let words: Vec<Slot> = words.map(|word| self.int(64, word)).collect();
        let place = self.lanes_in_memory(64, &words);
        let look = |byte: &Slot| self.lane_in_memory(place, 8, 8, *byte);
        bytes.iter().map(look).collect()
    }

    fn cipher_round(&mut self, name: &str, state: &[Slot], key: &[Slot]) -> Vec<Slot> {
        let encrypts = name.starts_with("aesenc");
        let bytes = self.bytes_of(state);
        // Byte r of column c comes from r columns further on, or back.
        let mut shifted = Vec::with_capacity(bytes.len());
        for block in bytes.chunks_exact(16) {
            shifted.extend((0..16).map(|place| {
                let (row, column) = (place % 4, place / 4);
                let from = if encrypts {
                    column + row
                } else {
                    4 + column - row
                };
                block[row + 4 * (from % 4)]
            }));
        }
        let table = if encrypts {
            substitution()
        } else {
            inverted(&substitution())
        };
        let mut bytes = self.looked_up(&table, &shifted);
        if !name.ends_with("last") {
            let factors = if encrypts {
                [2, 3, 1, 1]
            } else {
                [14, 11, 13, 9]
            };
            bytes = self.mixed_columns(&bytes, factors);
        }
        let words = self.words_from_bytes(&bytes);
        self.each(&words, key, |body, a, b| body.bin(BinOp::Xor, 64, a, b))
    }

    /// Each column times the circulant matrix with this first row.
    fn mixed_columns(&mut self, bytes: &[Slot], factors: [u8; 4]) -> Vec<Slot> {
        let mut result = Vec::with_capacity(bytes.len());
        for column in bytes.chunks_exact(4) {
            let multiples: Vec<[Slot; 4]> = (column.iter())
                .map(|byte| factors.map(|factor| self.multiple(*byte, factor)))
                .collect();
            for row in 0..4 {
                let zero = self.int(8, 0);
                result.push((0..4).fold(zero, |sum, place| {
                    let part = multiples[(row + place) % 4][place];
                    self.bin(BinOp::Xor, 8, sum, part)
                }));
            }
        }
        result
    }

    /// The product with a small constant in AES's field.
    fn multiple(&mut self, byte: Slot, factor: u8) -> Slot {
        let mut product = self.int(8, 0);
        let mut power = byte;
        for bit in 0..4 {
            if factor >> bit & 1 != 0 {
                product = self.bin(BinOp::Xor, 8, product, power);
            }
            if factor >> bit > 1 {
                power = self.doubled(power);
            }
        }
        product
    }

    fn doubled(&mut self, byte: Slot) -> Slot {
        let carry = self.bits(byte, 8, 7, 1);
        let moved = self.shift_left(byte, 8, 1);
        let reduction = self.int(8, REDUCTION.into());
        let reduced = self.bin(BinOp::Xor, 8, moved, reduction);
        self.select(8, carry, reduced, moved)
    }

    fn field_product(&mut self, a: Slot, b: Slot) -> Slot {
        let zero = self.int(8, 0);
        let (mut product, mut power) = (zero, a);
        for bit in 0..8 {
            let taken = self.bits(b, 8, bit, 1);
            let part = self.select(8, taken, power, zero);
            product = self.bin(BinOp::Xor, 8, product, part);
            power = self.doubled(power);
        }
        product
    }

    /// Words 1 and 3 of the key substituted, each followed by itself turned by a byte with the
    /// round's constant.
    fn round_key(&mut self, key: &[Slot], round: u64) -> Vec<Slot> {
        let bytes = self.bytes_of(key);
        let picked = [&bytes[4..8], &bytes[12..16]].concat();
        let picked = self.looked_up(&substitution(), &picked);
        let mut result = Vec::new();
        for word in picked.chunks_exact(4) {
            let constant = self.int(8, round.into());
            let first = self.bin(BinOp::Xor, 8, word[1], constant);
            result.extend([word, &[first, word[2], word[3], word[0]]].concat());
        }
        self.words_from_bytes(&result)
    }

    /// Each byte times the matrix of bits in the 64-bit lane that it lies in, plus a constant.
    fn affine(&mut self, bytes: &[Slot], matrix: &[Slot], added: u8) -> Vec<Slot> {
        let rows: Vec<Vec<Slot>> = matrix.chunks_exact(8).map(<[Slot]>::to_vec).collect();
        let mut result = Vec::with_capacity(bytes.len());
        for (place, byte) in bytes.iter().enumerate() {
            let rows = &rows[place / 8];
            let mut value = self.int(8, added.into());
            for bit in 0..8 {
                let both = self.bin(BinOp::And, 8, *byte, rows[7 - usize::from(bit)]);
                let parity = self.parity(both);
                let moved = self.shift_left(parity, 8, bit);
                value = self.bin(BinOp::Xor, 8, value, moved);
            }
            result.push(value);
        }
        result
    }

    /// The exclusive or of a byte's bits.
    fn parity(&mut self, byte: Slot) -> Slot {
        let mut folded = byte;
        for distance in [4, 2, 1] {
            let distance = self.int(8, distance);
            let moved = self.bin(BinOp::LShr, 8, folded, distance);
            folded = self.bin(BinOp::Xor, 8, folded, moved);
        }
        let one = self.int(8, 1);
        self.bin(BinOp::And, 8, folded, one)
    }

    /// SHA-1 and SHA-256 on lanes of 32 bits.
    fn hash(&mut self, inst: Value, name: &str) -> Result<Option<Vec<Slot>>, Unsupported> {
        let (_, a) = self.lanes_of(inst, 0)?;
        let (_, b) = self.lanes_of(inst, 1)?;
        let xor = |body: &mut Self, a, b| body.bin(BinOp::Xor, 32, a, b);
        let add = |body: &mut Self, a, b| body.bin(BinOp::Add, 32, a, b);
        let slots = match name {
            "sha1msg1" => {
                let others = [b[2], b[3], a[0], a[1]];
                self.each(&a, &others, xor)
            }
            "sha1msg2" => {
                let mut result = vec![b[0]; 4];
                for lane in (0..4).rev() {
                    let other = if lane == 0 { result[3] } else { b[lane - 1] };
                    let sum = xor(self, a[lane], other);
                    result[lane] = self.rotated(sum, 1);
                }
                result
            }
            "sha1nexte" => {
                let turned = self.rotated(a[3], 30);
                vec![b[0], b[1], b[2], add(self, b[3], turned)]
            }
            "sha1rnds4" => {
                let which = inst.operand(2).const_u64() as usize & 3;
                self.sha1_rounds(which, &a, &b)
            }
            "sha256msg1" => {
                let next = [a[1], a[2], a[3], b[0]];
                self.each(&a, &next, |body, lane, next| {
                    let turned = body.sigma(next, [7, 18], Some(3));
                    add(body, lane, turned)
                })
            }
            "sha256msg2" => {
                let mut result: Vec<Slot> = Vec::new();
                for lane in 0..4 {
                    let before = if lane < 2 {
                        b[lane + 2]
                    } else {
                        result[lane - 2]
                    };
                    let turned = self.sigma(before, [17, 19], Some(10));
                    result.push(add(self, a[lane], turned));
                }
                result
            }
            "sha256rnds2" => {
                let (_, words) = self.lanes_of(inst, 2)?;
                self.sha256_rounds(&a, &b, &words[..2])
            }
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    /// Four rounds on the words a to d (highest lane first) with what was added to e already in the
    /// first of `words`.
    fn sha1_rounds(&mut self, which: usize, state: &[Slot], words: &[Slot]) -> Vec<Slot> {
        let [mut a, mut b, mut c, mut d] = [state[3], state[2], state[1], state[0]];
        let mut e = self.int(32, 0);
        let addend = self.int(32, SHA1_ADDENDS[which]);
        for word in words.iter().rev() {
            let mixed = match which {
                0 => self.choice(32, b, c, d),
                2 => self.majority(b, c, d),
                _ => {
                    let two = self.bin(BinOp::Xor, 32, b, c);
                    self.bin(BinOp::Xor, 32, two, d)
                }
            };
            let turned = self.rotated(a, 5);
            let sum = self.sum_of_words(&[mixed, turned, *word, e, addend]);
            let turned = self.rotated(b, 30);
            (a, b, c, d, e) = (sum, a, turned, c, d);
        }
        vec![d, c, b, a]
    }

    /// Two rounds: `high` has the words c, d, g, h and `low` a, b, e, f, highest lane first.
    fn sha256_rounds(&mut self, high: &[Slot], low: &[Slot], words: &[Slot]) -> Vec<Slot> {
        let [mut a, mut b, mut e, mut f] = [low[3], low[2], low[1], low[0]];
        let [mut c, mut d, mut g, mut h] = [high[3], high[2], high[1], high[0]];
        for word in words {
            let chosen = self.choice(32, e, f, g);
            let turned = self.turned_thrice(e, [6, 11, 25]);
            let first = self.sum_of_words(&[h, chosen, turned, *word]);
            let majority = self.majority(a, b, c);
            let turned = self.turned_thrice(a, [2, 13, 22]);
            let second = self.sum_of_words(&[first, majority, turned]);
            (d, h) = (self.sum_of_words(&[d, first]), second);
            // Every word moves on by one.
            (a, b, c, d, e, f, g, h) = (h, a, b, c, d, e, f, g);
        }
        let _ = (c, d, g, h);
        vec![f, e, b, a]
    }

    fn sum_of_words(&mut self, parts: &[Slot]) -> Slot {
        let rest = &parts[1..];
        (rest.iter()).fold(parts[0], |sum, part| self.bin(BinOp::Add, 32, sum, *part))
    }

    fn majority(&mut self, a: Slot, b: Slot, c: Slot) -> Slot {
        let both = self.bin(BinOp::And, 32, a, b);
        let either = self.bin(BinOp::Or, 32, a, b);
        let third = self.bin(BinOp::And, 32, either, c);
        self.bin(BinOp::Or, 32, both, third)
    }

    /// A word of 32 bits turned to the left.
    fn rotated(&mut self, word: Slot, by: u8) -> Slot {
        let up = self.shift_left(word, 32, by);
        let down = self.int(32, u128::from(32 - by));
        let down = self.bin(BinOp::LShr, 32, word, down);
        self.bin(BinOp::Or, 32, up, down)
    }

    /// A word turned to the right by two amounts and shifted by a third.
    fn sigma(&mut self, word: Slot, turns: [u8; 2], shift: Option<u8>) -> Slot {
        let [first, second] = turns.map(|turn| self.rotated(word, 32 - turn));
        let sum = self.bin(BinOp::Xor, 32, first, second);
        let Some(shift) = shift else {
            return sum;
        };
        let amount = self.int(32, shift.into());
        let shifted = self.bin(BinOp::LShr, 32, word, amount);
        self.bin(BinOp::Xor, 32, sum, shifted)
    }

    fn turned_thrice(&mut self, word: Slot, turns: [u8; 3]) -> Slot {
        let two = self.sigma(word, [turns[0], turns[1]], None);
        let third = self.rotated(word, 32 - turns[2]);
        self.bin(BinOp::Xor, 32, two, third)
    }
}

fn product(mut a: u8, mut b: u8) -> u8 {
    let mut sum = 0;
    while b != 0 {
        if b & 1 != 0 {
            sum ^= a;
        }
        let carry = a & 0x80 != 0;
        a <<= 1;
        if carry {
            a ^= REDUCTION;
        }
        b >>= 1;
    }
    sum
}

/// The inverse of each byte in AES's field; 0 for 0.
fn inverses() -> [u8; 256] {
    // The field's other elements are the powers of 3.
    let mut powers = [1u8; 255];
    for exponent in 1..255 {
        powers[exponent] = product(powers[exponent - 1], 3);
    }
    let mut table = [0; 256];
    for (exponent, power) in powers.iter().enumerate() {
        table[usize::from(*power)] = powers[(255 - exponent) % 255];
    }
    table
}

fn substitution() -> [u8; 256] {
    inverses().map(|byte| {
        let turned = (1..5).fold(byte, |sum, turn| sum ^ byte.rotate_left(turn));
        turned ^ 0x63
    })
}

fn inverted(table: &[u8; 256]) -> [u8; 256] {
    let mut result = [0; 256];
    for (from, to) in (0..=255).zip(table) {
        result[usize::from(*to)] = from;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_aes_are_those_of_the_standard() {
        let table = substitution();
        assert_eq!(
            [table[0], table[1], table[0x53], table[0xff]],
            [0x63, 0x7c, 0xed, 0x16]
        );
        let back = inverted(&table);
        assert!((0..=255u8).all(|byte| back[usize::from(table[usize::from(byte)])] == byte));
        let inverses = inverses();
        assert!((1..=255u8).all(|byte| product(byte, inverses[usize::from(byte)]) == 1));
    }
}
