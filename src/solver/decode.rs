//! Decodes a query for back ends that build their own formulas.
//!
//! Invariant: for all input, an operand is the number of an earlier node and widths fit; other
//! words are refused, because they come through a pipe.

use super::encode::opcode;
use homi_ir::ops::float::FloatFunction;
use homi_ir::ops::{BinOp, CmpOp};

/// One node; operands are numbers of earlier nodes.
#[derive(Clone, Debug)]
pub enum Operation {
    Const(u128),
    /// A symbolic byte by its number.
    Byte(u32),
    Not(u32),
    Zext(u32),
    Sext(u32),
    /// Bits from `low` up.
    Extract {
        low: u32,
        from: u32,
    },
    /// High part, low part.
    Concat(u32, u32),
    /// Condition (1 bit), value if true, value if false.
    Ite(u32, u32, u32),
    /// The element at the index, 0 beyond the end.
    Table {
        index: u32,
        elements: Vec<u64>,
    },
    /// Operands beyond the arity repeat the first.
    Float(FloatFunction, [u32; 3]),
    Bin(BinOp, u32, u32),
    Cmp(CmpOp, u32, u32),
}

/// The words are not a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

/// Reads a query from its start to its end: nodes, then constraints, then domains.
pub struct Decoder<'w> {
    words: std::slice::Iter<'w, u32>,
    /// Number of the query's bytes.
    bytes: u32,
    /// Nodes that are still to come.
    left: u32,
    widths: Vec<u32>,
}

impl<'w> Decoder<'w> {
    /// Starts decoding a query about this many bytes.
    pub fn new(words: &'w [u32], bytes: usize) -> Result<Decoder<'w>> {
        let mut words = words.iter();
        let left = *words.next().ok_or(Malformed)?;
        Ok(Decoder {
            words,
            bytes: u32::try_from(bytes).map_err(|_| Malformed)?,
            left,
            widths: Vec::new(),
        })
    }

    /// The next node and its width in bits, 1 to 128; nothing after the last.
    pub fn node(&mut self) -> Result<Option<(u32, Operation)>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let (code, width) = (self.next()?, self.next()?);
        if !(1..=128).contains(&width) {
            return Err(Malformed);
        }
        let operation = self.operation(code, width)?;
        self.widths.push(width);
        Ok(Some((width, operation)))
    }

    /// The width in bits of a node that was read.
    pub fn width(&self, node: u32) -> u32 {
        self.widths.get(node as usize).copied().unwrap_or(0)
    }

    fn operation(&mut self, code: u32, width: u32) -> Result<Operation> {
        Ok(match code {
            opcode::CONST => {
                let (low, high) = (self.pair()?, self.pair()?);
                Operation::Const(u128::from(high) << 64 | u128::from(low))
            }
            opcode::BYTE => {
                let number = self.next()?;
                fits(width == 8 && number < self.bytes)?;
                Operation::Byte(number)
            }
            opcode::NOT => Operation::Not(self.operand_of(width)?),
            opcode::ZEXT => Operation::Zext(self.narrower(width)?),
            opcode::SEXT => Operation::Sext(self.narrower(width)?),
            opcode::EXTRACT => {
                let low = self.next()?;
                let from = self.operand()?;
                let end = low.checked_add(width).ok_or(Malformed)?;
                fits(end <= self.width(from))?;
                Operation::Extract { low, from }
            }
            opcode::CONCAT => {
                let (high, low) = (self.operand()?, self.operand()?);
                fits(self.width(high) + self.width(low) == width)?;
                Operation::Concat(high, low)
            }
            opcode::ITE => {
                let condition = self.operand_of(1)?;
                let (a, b) = (self.operand_of(width)?, self.operand_of(width)?);
                Operation::Ite(condition, a, b)
            }
            opcode::TABLE => {
                let (index, count) = (self.operand()?, self.next()?);
                // Two words for each: a false count ends with the words.
                let elements = (0..count).map(|_| self.pair()).collect::<Result<_>>()?;
                Operation::Table { index, elements }
            }
            opcode::FLOAT => self.float()?,
            opcode::BIN..opcode::CMP => {
                let operator = BinOp::ALL.get((code - opcode::BIN) as usize);
                let (a, b) = (self.operand_of(width)?, self.operand_of(width)?);
                Operation::Bin(*operator.ok_or(Malformed)?, a, b)
            }
            _ => {
                let operator = code.checked_sub(opcode::CMP).ok_or(Malformed)?;
                let operator = CmpOp::ALL.get(operator as usize).ok_or(Malformed)?;
                let a = self.operand()?;
                let b = self.operand_of(self.width(a))?;
                fits(width == 1)?;
                Operation::Cmp(*operator, a, b)
            }
        })
    }

    fn float(&mut self) -> Result<Operation> {
        let function = FloatFunction::from_code(self.next()?).ok_or(Malformed)?;
        let mut operands = [0; 3];
        for operand in &mut operands[..function.arity()] {
            *operand = self.operand_of(function.operand_width())?;
        }
        for index in function.arity()..3 {
            operands[index] = operands[0];
        }
        Ok(Operation::Float(function, operands))
    }

    /// The numbers of the nodes (1 bit each) that must hold; after the last node.
    pub fn roots(&mut self) -> Result<Vec<u32>> {
        let count = self.next()?;
        (0..count).map(|_| self.operand_of(1)).collect()
    }

    /// Returns the domain of each byte as a set of 256 bits; called after the constraints.
    pub fn domains(&mut self) -> Result<Vec<[u64; 4]>> {
        fits(self.next()? == self.bytes)?;
        let sets =
            (0..self.bytes).map(|_| Ok([self.pair()?, self.pair()?, self.pair()?, self.pair()?]));
        sets.collect()
    }

    fn next(&mut self) -> Result<u32> {
        self.words.next().copied().ok_or(Malformed)
    }

    fn pair(&mut self) -> Result<u64> {
        let low = self.next()?;
        Ok(u64::from(low) | u64::from(self.next()?) << 32)
    }

    fn operand(&mut self) -> Result<u32> {
        let node = self.next()?;
        fits((node as usize) < self.widths.len())?;
        Ok(node)
    }

    fn operand_of(&mut self, width: u32) -> Result<u32> {
        let node = self.operand()?;
        fits(self.width(node) == width)?;
        Ok(node)
    }

    fn narrower(&mut self, width: u32) -> Result<u32> {
        let node = self.operand()?;
        fits(self.width(node) <= width)?;
        Ok(node)
    }
}

fn fits(holds: bool) -> Result<()> {
    holds.then_some(()).ok_or(Malformed)
}
