//! A query as a sequence of words: the cache's key and what the SMT process reads.
//!
//! Layout (32-bit words): number of nodes, the nodes in post-order, number of constraints, their
//! node numbers, number of bytes, 8 words of domain for each. A node is its opcode, width and
//! operands' numbers. Bytes appear by number (first use), fixed bytes as constants; no id of a term
//! or array appears, so equal sequences are equal queries whatever run or path they come from.

use super::query::{ByteSource, Query};
use crate::term::{Byte, Node, PostOrder, Term, Terms};
use homi_ir::ops::{BinOp, CmpOp};
use rustc_hash::FxHashMap;

/// Opcodes of the encoding; operators follow in the order of `BinOp::ALL` and `CmpOp::ALL`.
pub mod opcode {
    pub const CONST: u32 = 0;
    pub const BYTE: u32 = 1;
    pub const NOT: u32 = 2;
    pub const ZEXT: u32 = 3;
    pub const SEXT: u32 = 4;
    pub const EXTRACT: u32 = 5;
    pub const CONCAT: u32 = 6;
    pub const ITE: u32 = 7;
    pub const TABLE: u32 = 8;
    /// Followed by the code of the operator.
    pub const FLOAT: u32 = 9;
    pub const BIN: u32 = 16;
    pub const CMP: u32 = 48;
}

/// The words of a query.
pub fn encode(terms: &Terms, query: &Query) -> Vec<u32> {
    let mut encoder = Encoder {
        terms,
        words: vec![0],
        count: 0,
        numbers: FxHashMap::default(),
        places: FxHashMap::default(),
    };
    for constraint in &query.constraints {
        let bytes = constraint.program.bytes.iter().copied();
        encoder
            .places
            .extend(bytes.zip(constraint.places.iter().copied()));
    }
    let roots: Vec<u32> = query
        .constraints
        .iter()
        .map(|constraint| encoder.number(constraint.term))
        .collect();
    let mut words = encoder.words;
    words[0] = encoder.count;
    words.push(roots.len() as u32);
    words.extend(roots);
    words.push(query.domains.len() as u32);
    for domain in &query.domains {
        for word in domain.0 {
            words.push(word as u32);
            words.push((word >> 32) as u32);
        }
    }
    words
}

struct Encoder<'a> {
    terms: &'a Terms,
    words: Vec<u32>,
    count: u32,
    numbers: FxHashMap<Term, u32>,
    places: FxHashMap<Byte, ByteSource>,
}

impl PostOrder for Encoder<'_> {
    fn knows(&self, term: Term) -> bool {
        self.numbers.contains_key(&term)
    }

    fn visit(&mut self, term: Term, node: &Node) -> bool {
        self.write(term, node);
        self.numbers.insert(term, self.count);
        self.count += 1;
        true
    }
}

impl Encoder<'_> {
    /// The number of a term's node, after writing what is missing of it.
    fn number(&mut self, root: Term) -> u32 {
        self.terms.post_order(root, self);
        self.of(root)
    }

    fn of(&self, term: Term) -> u32 {
        self.numbers.get(&term).copied().unwrap_or(0)
    }

    fn write(&mut self, term: Term, node: &Node) {
        let width = self.terms.width(term);
        let words: &[u32] = match *node {
            Node::Const { value, .. } => &constant(width, value),
            Node::Symbol(byte) => match self.places.get(&byte) {
                Some(ByteSource::Fixed(value)) => &constant(8, u128::from(*value)),
                Some(ByteSource::Free(number)) => &[opcode::BYTE, 8, *number],
                // Every byte of a constraint has a place.
                None => &constant(8, 0),
            },
            Node::Bin(op, a, b) => {
                let at = BinOp::ALL.iter().position(|&known| known == op);
                let code = opcode::BIN + at.unwrap_or(0) as u32;
                &[code, width, self.of(a), self.of(b)]
            }
            Node::Cmp(op, a, b) => {
                let at = CmpOp::ALL.iter().position(|&known| known == op);
                let code = opcode::CMP + at.unwrap_or(0) as u32;
                &[code, width, self.of(a), self.of(b)]
            }
            Node::Not(a) => &[opcode::NOT, width, self.of(a)],
            Node::Zext { term, .. } => &[opcode::ZEXT, width, self.of(term)],
            Node::Sext { term, .. } => &[opcode::SEXT, width, self.of(term)],
            Node::Extract { low, term, .. } => &[opcode::EXTRACT, width, low.into(), self.of(term)],
            Node::Concat(high, low) => &[opcode::CONCAT, width, self.of(high), self.of(low)],
            Node::Ite(c, a, b) => &[opcode::ITE, width, self.of(c), self.of(a), self.of(b)],
            Node::Table(table, index) => {
                let (elements, _) = self.terms.table_elements(table);
                let head = [opcode::TABLE, width, self.of(index), elements.len() as u32];
                self.words.extend(head);
                for element in elements.iter() {
                    self.words.push(*element as u32);
                    self.words.push((*element >> 32) as u32);
                }
                return;
            }
            Node::Float(function, operands) => {
                self.words.extend([opcode::FLOAT, width, function.code()]);
                let operands = &operands[..function.arity()];
                self.words.extend(
                    operands
                        .iter()
                        .map(|&a| self.numbers.get(&a).copied().unwrap_or(0)),
                );
                return;
            }
        };
        self.words.extend_from_slice(words);
    }
}

fn constant(width: u32, value: u128) -> [u32; 6] {
    let word = |index: u32| (value >> (32 * index)) as u32;
    [opcode::CONST, width, word(0), word(1), word(2), word(3)]
}

/// A 128-bit fingerprint of a word sequence: two independent 64-bit mixes.
pub fn fingerprint(words: &[u32]) -> u128 {
    let (mut a, mut b) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    for pair in words.chunks(2) {
        let word = u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        let product = u128::from(a ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        a = (product >> 64) as u64 ^ product as u64;
        let product = u128::from(b.rotate_left(29) ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        b = ((product >> 64) as u64 ^ product as u64).wrapping_add(word);
    }
    u128::from(a ^ words.len() as u64) << 64 | u128::from(b)
}
