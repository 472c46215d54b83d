//! Bitcode modules that a linker put one behind the other (the section `.llvmbc` of clang's
//! `-fembed-bitcode`).
//!
//! Invariant: a module ends where the blocks that follow its magic end, by their lengths; what the
//! blocks hold is not looked at. Format: LLVM's "Bitcode File Format", section on blocks.

use super::super::identification::Bits;
use std::ops::Range;

const MAGIC: [u8; 4] = [b'B', b'C', 0xC0, 0xDE];

/// The identifier of the abbreviation that starts a block, two bits wide outside of all blocks.
const ENTER_BLOCK: u64 = 1;

/// Returns the positions of the modules. Other bytes, such as zeros between two of them, are
/// skipped.
pub fn modules(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = bytes[at..].windows(4).position(|word| word == MAGIC) {
        let start = at + offset;
        let mut end = start + MAGIC.len();
        while let Some(next) = block_end(bytes, start, end) {
            end = next;
        }
        found.push(start..end);
        at = end;
    }
    found
}

/// The end of the block at `at`, in a module that starts at `start`; `None` if there is no block.
fn block_end(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let module = bytes.get(start..)?;
    let mut reader = Bits::new(module, (at - start) * 8);
    if module.get(at - start..)?.starts_with(&MAGIC) || reader.fixed(2)? != ENTER_BLOCK {
        return None;
    }
    reader.variable(8)?;
    reader.variable(4)?;
    reader.align();
    let words = usize::try_from(reader.fixed(32)?).ok()?;
    let end = start + reader.position() / 8 + words.checked_mul(4)?;
    (end <= bytes.len()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module of blocks without meaning, each of this many words.
    fn module(blocks: &[u32]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for words in blocks {
            // ENTER_BLOCK, block 8, width 3.
            bytes.extend((1u32 | 8 << 2 | 3 << 10).to_le_bytes());
            bytes.extend(words.to_le_bytes());
            bytes.extend(MAGIC.repeat(*words as usize));
        }
        bytes
    }

    #[test]
    fn modules_end_with_their_last_block() {
        let (first, second) = (module(&[3, 0, 7]), module(&[1]));
        let section = [&first[..], &[0; 4], &second, &[0; 8]].concat();
        let middle = first.len() + 4;
        assert_eq!(
            modules(&section),
            [0..first.len(), middle..middle + second.len()]
        );
        let touching = [&first[..], &second].concat();
        assert_eq!(modules(&touching).len(), 2);
        assert!(modules(b"no bitcode").is_empty() && modules(&[]).is_empty());
    }
}
