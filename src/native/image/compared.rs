//! Operands of comparisons that an execution reports.

use std::collections::HashSet;

/// Bytes of an operand that are kept, at most.
const OPERAND_SIZE: usize = 32;
const SITES: usize = 1 << 14;
const MOST: usize = 1 << 13;

/// `struct comparison` of runtime/image/image.h.
#[repr(C)]
struct Entry {
    kind: u8,
    left_size: u8,
    right_size: u8,
    left: [u8; OPERAND_SIZE],
    right: [u8; OPERAND_SIZE],
}

/// `struct comparisons` of runtime/image/image.h.
#[repr(C)]
pub(super) struct Comparisons {
    count: u32,
    list: [Entry; MOST],
    sites: [[u16; 2]; SITES],
}

/// How two operands were compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComparedAs {
    /// Integers, for equality. Their bytes are in the machine's order.
    Equal,
    /// Integers, for their order.
    Order,
    /// Texts: memory or strings.
    Texts,
}

/// Two different operands of a comparison, or equal ones of a comparison for order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comparison {
    pub kind: ComparedAs,
    pub left: Vec<u8>,
    pub right: Vec<u8>,
}

impl Comparisons {
    /// The comparisons, each once, in the order of the execution. The program may have damaged
    /// them.
    pub(super) fn read(&self) -> Vec<Comparison> {
        let list = &self.list[..(self.count as usize).min(MOST)];
        let operand = |bytes: &[u8], size: u8| bytes[..bytes.len().min(size as usize)].to_vec();
        let mut seen = HashSet::new();
        let all = list.iter().map(|entry| Comparison {
            kind: match entry.kind {
                0 => ComparedAs::Equal,
                1 => ComparedAs::Order,
                _ => ComparedAs::Texts,
            },
            left: operand(&entry.left, entry.left_size),
            right: operand(&entry.right, entry.right_size),
        });
        all.filter(|one| one.kind == ComparedAs::Order || one.left != one.right)
            .filter(|one| seen.insert(one.clone()))
            .collect()
    }
}
