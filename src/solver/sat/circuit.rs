//! An encoded query as a circuit with one output per constraint.

use super::arithmetic::Word;
use super::gates::{FALSE, Gates, Lit};
use crate::decode::{Decoder, Malformed, Operation};
use crate::tuning::Tuning;

/// Reason why there is no circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    Malformed,
    /// Floating-point arithmetic is not made of gates here.
    Float,
    TooLarge,
}

impl From<Malformed> for Refused {
    fn from(_: Malformed) -> Refused {
        Refused::Malformed
    }
}

/// A query's circuit.
pub(super) struct Circuit {
    pub gates: Gates,
    /// The bits of each byte of the query, lowest first.
    pub bytes: Vec<[Lit; 8]>,
    /// All must be true: the constraints, and that bytes are in their domains.
    pub outputs: Vec<Lit>,
}

impl Circuit {
    /// Builds the circuit of a query about this many bytes.
    pub fn read(words: &[u32], bytes: usize, tuning: &Tuning) -> Result<Circuit, Refused> {
        let mut decoder = Decoder::new(words, bytes)?;
        let mut gates = Gates::new();
        let bytes: Vec<[Lit; 8]> = (0..bytes)
            .map(|_| std::array::from_fn(|_| gates.input()))
            .collect();
        let mut nodes: Vec<Word> = Vec::new();
        let mut bits = 0;
        while let Some((width, operation)) = decoder.node()? {
            bits += width as usize;
            // The gates of a table are counted only when they are made.
            if let Operation::Table { elements, .. } = &operation
                && elements.len().saturating_mul(width as usize) > tuning.sat_table_bits
            {
                return Err(Refused::TooLarge);
            }
            let word = node(&mut gates, width, &operation, &nodes, &bytes)?;
            nodes.push(word);
            // Each bit is a literal of 4 bytes, equal gates or not.
            if gates.len() > tuning.sat_gates || bits > tuning.sat_bits {
                return Err(Refused::TooLarge);
            }
        }
        let roots = decoder.roots()?;
        let mut outputs: Vec<Lit> = roots.iter().map(|&root| nodes[root as usize][0]).collect();
        for (byte, domain) in bytes.iter().zip(decoder.domains()?) {
            outputs.push(gates.member(byte, &domain));
        }
        Ok(Circuit {
            gates,
            bytes,
            outputs,
        })
    }
}

/// The word of a node whose operands are among `nodes`.
fn node(
    gates: &mut Gates,
    width: u32,
    operation: &Operation,
    nodes: &[Word],
    bytes: &[[Lit; 8]],
) -> Result<Word, Refused> {
    let at = |node: u32| -> &[Lit] { &nodes[node as usize] };
    let extended = |node: u32, bit: Lit| {
        let mut word = at(node).to_vec();
        word.resize(width as usize, bit);
        word
    };
    Ok(match *operation {
        Operation::Const(value) => Gates::word(width, value),
        Operation::Byte(number) => bytes[number as usize].to_vec(),
        Operation::Not(a) => at(a).iter().map(|&bit| !bit).collect(),
        Operation::Zext(a) => extended(a, FALSE),
        Operation::Sext(a) => extended(a, at(a).last().copied().unwrap_or(FALSE)),
        Operation::Extract { low, from } => {
            let bits = low as usize..(low + width) as usize;
            at(from)[bits].to_vec()
        }
        Operation::Concat(high, low) => [at(low), at(high)].concat(),
        Operation::Ite(condition, a, b) => gates.choose(at(condition)[0], at(a), at(b)),
        Operation::Table {
            index,
            ref elements,
        } => gates.table(width, elements, at(index)),
        Operation::Float(..) => return Err(Refused::Float),
        Operation::Bin(op, a, b) => gates.binary(op, at(a), at(b)),
        Operation::Cmp(op, a, b) => vec![gates.compare(op, at(a), at(b))],
    })
}
