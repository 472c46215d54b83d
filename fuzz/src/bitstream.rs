//! LLVM's bitstream container (llvm.org/docs/BitCodeFormat): where the operands of records lie, and
//! mutations that change one in its place, so that everything around it stays readable.

/// How an operand is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// That many bits.
    Fixed,
    /// Chunks of `u32` bits, of which the highest says whether another follows.
    Variable(u32),
}

/// One operand of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Position in bits from the file's start.
    pub at: usize,
    /// Bits that it takes, all chunks together.
    pub bits: usize,
    pub encoding: Encoding,
    pub block: u64,
}

/// A 64-bit mixer (splitmix64): the mutations' source of choices.
pub struct Choices(u64);

impl Choices {
    pub fn new(seed: u32) -> Choices {
        Choices(u64::from(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

#[derive(Clone)]
enum Part {
    Literal,
    Fixed(usize),
    Variable(u32),
    Array,
    Character,
    Blob,
}

type Abbreviation = Vec<Part>;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    operands: Vec<Operand>,
    /// Abbreviations that BLOCKINFO defines for blocks of an id.
    shared: Vec<(u64, Abbreviation)>,
}

/// All operands of a file's records; what cannot be read ends the list.
pub fn operands(bytes: &[u8]) -> Vec<Operand> {
    let mut reader = Reader {
        bytes,
        at: 32,
        operands: Vec::new(),
        shared: Vec::new(),
    };
    if bytes.starts_with(b"BC\xC0\xDE") {
        while reader.at + 32 <= bytes.len() * 8 && reader.block(u64::MAX, 2, 0).is_some() {}
    }
    reader.operands
}

impl Reader<'_> {
    fn fixed(&mut self, width: usize) -> Option<u64> {
        if width > 64 || self.at + width > self.bytes.len() * 8 {
            return None;
        }
        let value = read_bits(self.bytes, self.at, width);
        self.at += width;
        Some(value)
    }

    fn variable(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width as usize)?;
            let payload = chunk & ((1 << (width - 1)) - 1);
            value |= payload.checked_shl(shift).unwrap_or(0);
            shift += width - 1;
            if chunk >> (width - 1) == 0 {
                return Some(value);
            }
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    /// Reads a block's content up to its end, or at the top level one block.
    fn block(&mut self, id: u64, width: usize, depth: usize) -> Option<()> {
        if depth > 16 {
            return None;
        }
        let of_block = |shared: &[(u64, Abbreviation)], id| {
            let own = shared.iter().filter(|(block, _)| *block == id);
            own.map(|(_, abbreviation)| abbreviation.clone())
                .collect::<Vec<_>>()
        };
        let mut known = of_block(&self.shared, id);
        let mut described = u64::MAX;
        loop {
            match self.fixed(width)? {
                0 => {
                    self.align();
                    return Some(());
                }
                1 => {
                    let inner = self.variable(8)?;
                    let inner_width = self.variable(4)? as usize;
                    self.align();
                    self.fixed(32)?;
                    self.block(inner, inner_width, depth + 1)?;
                    if depth == 0 && id == u64::MAX {
                        return Some(());
                    }
                }
                2 => {
                    let abbreviation = self.define()?;
                    match id {
                        0 => self.shared.push((described, abbreviation)),
                        _ => known.push(abbreviation),
                    }
                }
                3 => {
                    let code = self.operand(id, Encoding::Variable(6), 6)?;
                    let count = self.variable(6)?;
                    for index in 0..count {
                        let value = self.operand(id, Encoding::Variable(6), 6)?;
                        // SETBID of BLOCKINFO.
                        if id == 0 && code == 1 && index == 0 {
                            described = value;
                        }
                    }
                }
                number => {
                    let abbreviation = known.get(number as usize - 4)?.clone();
                    self.record(id, &abbreviation)?;
                }
            }
        }
    }

    fn define(&mut self) -> Option<Abbreviation> {
        let count = self.variable(5)?;
        let mut parts = Vec::new();
        for _ in 0..count {
            if self.fixed(1)? == 1 {
                self.variable(8)?;
                parts.push(Part::Literal);
                continue;
            }
            parts.push(match self.fixed(3)? {
                1 => Part::Fixed(self.variable(5)? as usize),
                2 => match self.variable(5)? as u32 {
                    0 => Part::Literal,
                    width @ 1..=32 => Part::Variable(width),
                    _ => return None,
                },
                3 => Part::Array,
                4 => Part::Character,
                5 => Part::Blob,
                _ => return None,
            });
        }
        Some(parts)
    }

    fn record(&mut self, block: u64, abbreviation: &Abbreviation) -> Option<()> {
        let mut parts = abbreviation.iter();
        while let Some(part) = parts.next() {
            match part {
                Part::Array => {
                    let element = parts.next()?.clone();
                    for _ in 0..self.variable(6)? {
                        self.part(block, &element)?;
                    }
                }
                Part::Blob => {
                    let bytes = self.variable(6)? as usize;
                    self.align();
                    self.at = self.at.checked_add(bytes.checked_mul(8)?)?;
                    self.align();
                }
                part => self.part(block, part)?,
            }
        }
        Some(())
    }

    fn part(&mut self, block: u64, part: &Part) -> Option<()> {
        match *part {
            Part::Fixed(0) | Part::Literal => {}
            Part::Fixed(width) => drop(self.operand(block, Encoding::Fixed, width)?),
            Part::Variable(width) => {
                self.operand(block, Encoding::Variable(width), width as usize)?;
            }
            Part::Character => drop(self.operand(block, Encoding::Fixed, 6)?),
            Part::Array | Part::Blob => return None,
        }
        Some(())
    }

    fn operand(&mut self, block: u64, encoding: Encoding, width: usize) -> Option<u64> {
        let at = self.at;
        let value = match encoding {
            Encoding::Fixed => self.fixed(width)?,
            Encoding::Variable(width) => self.variable(width)?,
        };
        self.operands.push(Operand {
            at,
            bits: self.at - at,
            encoding,
            block,
        });
        Some(value)
    }
}

fn read_bits(bytes: &[u8], at: usize, width: usize) -> u64 {
    (0..width).fold(0, |value, bit| {
        let place = at + bit;
        value | u64::from(bytes[place / 8] >> (place % 8) & 1) << bit
    })
}

fn write_bits(bytes: &mut [u8], at: usize, width: usize, value: u64) {
    for bit in 0..width {
        let place = at + bit;
        let mask = 1 << (place % 8);
        match value >> bit & 1 {
            1 => bytes[place / 8] |= mask,
            _ => bytes[place / 8] &= !mask,
        }
    }
}

/// The operand's value.
pub fn get(bytes: &[u8], operand: &Operand) -> u64 {
    let mut reader = Reader {
        bytes,
        at: operand.at,
        operands: Vec::new(),
        shared: Vec::new(),
    };
    let value = match operand.encoding {
        Encoding::Fixed => reader.fixed(operand.bits),
        Encoding::Variable(width) => reader.variable(width),
    };
    value.unwrap_or(0)
}

/// Overwrites the operand with the low bits of `value` that fit its place.
pub fn set(bytes: &mut [u8], operand: &Operand, value: u64) {
    let Encoding::Variable(width) = operand.encoding else {
        return write_bits(bytes, operand.at, operand.bits.min(64), value);
    };
    let payload = width as usize - 1;
    let chunks = operand.bits / width as usize;
    for chunk in 0..chunks {
        let shift = chunk * payload;
        let part = if shift < 64 { value >> shift } else { 0 };
        let at = operand.at + chunk * width as usize;
        write_bits(bytes, at, payload, part);
        write_bits(bytes, at + payload, 1, u64::from(chunk + 1 < chunks));
    }
}

/// Blocks whose records are names and debug information: hardly any homi code depends on them.
const DULL: [u64; 5] = [13, 14, 15, 16, 22];

/// Changes a few operands of `bytes` in their places, or cuts the file off. False if it is no
/// bitstream.
pub fn mutate(bytes: &mut Vec<u8>, choices: &mut Choices) -> bool {
    let all = operands(bytes);
    if all.is_empty() {
        return false;
    }
    if choices.below(64) == 0 {
        let length = 4 + choices.below(bytes.len() - 4);
        bytes.truncate(length);
        return true;
    }
    let lively: Vec<usize> = (0..all.len())
        .filter(|index| !DULL.contains(&all[*index].block))
        .collect();
    for _ in 0..=choices.below(3) {
        let index = if lively.is_empty() || choices.below(8) == 0 {
            choices.below(all.len())
        } else {
            lively[choices.below(lively.len())]
        };
        let old = get(bytes, &all[index]);
        let new = match choices.below(6) {
            0 => old.wrapping_add(1 + choices.below(4) as u64),
            1 => old.wrapping_sub(1 + choices.below(4) as u64),
            2 => old ^ 1 << choices.below(all[index].bits.min(64)),
            3 => get(bytes, &all[choices.below(all.len())]),
            4 => [0, 1, u64::MAX, 1 << 31, 1 << 63, 64, 128][choices.below(7)],
            // The value of a neighbour: of the same record, or the same place in the next.
            _ => get(
                bytes,
                &all[(index + choices.below(24))
                    .saturating_sub(12)
                    .min(all.len() - 1)],
            ),
        };
        set(bytes, &all[index], new);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn compiled() -> Vec<u8> {
        // Tests of one process run side by side: each call has a directory of its own.
        static CALLS: AtomicU32 = AtomicU32::new(0);
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        let name = format!("homi-fuzz-{}-{call}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).unwrap();
        let (source, output) = (directory.join("a.c"), directory.join("a.bc"));
        std::fs::write(
            &source,
            "int main(int c, char **v) { return c > 2 ? v[1][0] : 305419896; }",
        )
        .unwrap();
        let mut clang = std::process::Command::new("clang-19");
        let status = clang
            .args(["-c", "-emit-llvm", "-g"])
            .arg(&source)
            .arg("-o")
            .arg(&output)
            .status();
        assert!(status.unwrap().success());
        let bytes = std::fs::read(&output).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        bytes
    }

    #[test]
    fn operands_of_a_compiled_file_are_found_and_rewritten_in_place() {
        let bytes = compiled();
        let all = operands(&bytes);
        assert!(all.len() > 500, "{}", all.len());
        // Blocks of functions (12), constants (11), types (17), the symbol table of strings is a
        // blob.
        for block in [8, 11, 12, 17] {
            assert!(all.iter().any(|operand| operand.block == block), "{block}");
        }
        // INTEGER records hold twice the value for positive numbers.
        let wanted = 2 * 305_419_896;
        assert!(
            all.iter()
                .any(|operand| operand.block == 11 && get(&bytes, operand) == wanted)
        );
        for operand in &all {
            let mut copy = bytes.clone();
            set(&mut copy, operand, get(&bytes, operand));
            assert_eq!(copy, bytes, "{operand:?}");
        }
    }

    #[test]
    fn mutations_keep_the_size_unless_they_cut() {
        let bytes = compiled();
        let mut choices = Choices::new(1);
        let mut changed = 0;
        for _ in 0..200 {
            let mut copy = bytes.clone();
            assert!(mutate(&mut copy, &mut choices));
            assert!(copy.len() <= bytes.len());
            changed += usize::from(copy != bytes);
        }
        assert!(changed > 150, "{changed}");
        assert!(!mutate(&mut b"no bitcode".to_vec(), &mut choices));
    }
}
