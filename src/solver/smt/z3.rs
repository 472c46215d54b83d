//! Z3 on an encoded query.
//!
//! Invariant: every query gets a separate solver in a context that holds nothing of earlier
//! queries, so an answer depends on the query alone. 1-bit nodes are Booleans as long as possible;
//! a table becomes a tree of if-then-elses over the bits of its index that shares equal halves.

use super::context::{Ast, Context, NoObject, Solver, Verdict, limit_memory};
use crate::backend::{Answer, Backend};
use crate::decode::{Decoder, Malformed, Operation};
use crate::oracle::UnknownReason;
use homi_ir::ops::{BinOp, CmpOp, mask};
use std::time::Duration;

/// Z3 in this process.
pub struct Z3Backend {
    limits: Limits,
    units: u32,
}

/// Limits of one query.
#[derive(Clone, Copy)]
struct Limits {
    milliseconds: u32,
    /// Units of Z3's resource count; 0 is no limit.
    units: u32,
}

impl From<NoObject> for Failure {
    fn from(_: NoObject) -> Failure {
        Failure::Null
    }
}

impl From<Malformed> for Failure {
    fn from(_: Malformed) -> Failure {
        Failure::Malformed
    }
}

/// Error in the translation.
pub(super) enum Failure {
    /// The words are not a query.
    Malformed,
    /// Z3 returned no object; memory, as a rule.
    Null,
}

pub(super) type Result<T> = std::result::Result<T, Failure>;

#[derive(Clone, Copy)]
enum Value<'c> {
    Bool(Ast<'c>),
    Bits(Ast<'c>),
}

/// A context of Z3 in which one query is translated and asked.
pub(super) struct Session {
    pub(super) context: Context,
}

impl Z3Backend {
    /// `megabytes`: Z3's own memory limit for the whole process.
    pub fn new(megabytes: u32) -> Z3Backend {
        limit_memory(megabytes);
        Z3Backend {
            limits: Limits {
                milliseconds: 10_000,
                units: 0,
            },
            units: 0,
        }
    }
}

impl Backend for Z3Backend {
    fn solve(&mut self, words: &[u32], bytes: usize) -> Answer {
        self.units = 0;
        let answer = Session::open().and_then(|session| session.answer(words, bytes, self.limits));
        match answer {
            Ok((answer, units)) => {
                self.units = units;
                answer
            }
            Err(Failure::Malformed) => {
                let why = "the query is malformed".to_string();
                Answer::Unknown(UnknownReason::BackendFailure(why))
            }
            Err(Failure::Null) => Answer::Unknown(UnknownReason::Memory),
        }
    }

    fn set_limits(&mut self, time: Duration, units: u32) {
        self.limits = Limits {
            milliseconds: time.as_millis().clamp(1, u128::from(u32::MAX)) as u32,
            units,
        };
    }

    fn units(&self) -> u32 {
        self.units
    }
}

impl Session {
    fn open() -> Result<Session> {
        let context = Context::new()?;
        Ok(Session { context })
    }

    /// The answer and the units that it took.
    fn answer(&self, words: &[u32], bytes: usize, limits: Limits) -> Result<(Answer, u32)> {
        let mut query = Decoder::new(words, bytes)?;
        let symbols = (0..bytes)
            .map(|number| self.byte(number as u32))
            .collect::<Result<Vec<Ast<'_>>>>()?;
        let mut nodes: Vec<Value<'_>> = Vec::new();
        let mut has_floats = false;
        while let Some((width, operation)) = query.node()? {
            has_floats |= matches!(operation, Operation::Float(..));
            let value = self.node(width, &operation, &query, &nodes, &symbols)?;
            nodes.push(value);
        }
        // Z3's general solver instantiates the definitions of floating-point operators lazily,
        // which takes much longer than making bits of everything first.
        let solver = if has_floats {
            self.context.float_solver()?
        } else {
            self.context.simple_solver()?
        };
        let result = self.run(&mut query, &solver, &nodes, &symbols, limits);
        let units = solver.resource_count();
        Ok((result?, units))
    }

    fn run(
        &self,
        query: &mut Decoder<'_>,
        solver: &Solver<'_>,
        nodes: &[Value<'_>],
        symbols: &[Ast<'_>],
        limits: Limits,
    ) -> Result<Answer> {
        solver.set_limits(limits.milliseconds, limits.units)?;
        for root in query.roots()? {
            solver.assert(self.as_bool(nodes[root as usize])?);
        }
        for (&symbol, domain) in symbols.iter().zip(query.domains()?) {
            if let Some(member) = self.member(symbol, &domain)? {
                solver.assert(member);
            }
        }
        match solver.check() {
            Verdict::Unsatisfiable => Ok(Answer::Unsat),
            Verdict::Satisfiable => {
                let values = solver.values(symbols)?;
                Ok(Answer::Sat(
                    values.iter().map(|&value| value as u8).collect(),
                ))
            }
            Verdict::Unknown => Ok(Answer::Unknown(reason(solver))),
        }
    }

    fn byte(&self, number: u32) -> Result<Ast<'_>> {
        let sort = self.context.bits_sort(8)?;
        Ok(self.context.constant(number as i32, sort)?)
    }

    pub(super) fn number(&self, width: u32, value: u128) -> Result<Ast<'_>> {
        if width <= 64 {
            let sort = self.context.bits_sort(width)?;
            return Ok(self.context.numeral(value as u64, sort)?);
        }
        let high = self.number(width - 64, value >> 64)?;
        let low = self.number(64, value & mask(64))?;
        Ok(self.context.concat(high, low)?)
    }

    fn truth(&self, value: bool) -> Result<Ast<'_>> {
        if value {
            Ok(self.context.truth()?)
        } else {
            Ok(self.context.falsehood()?)
        }
    }

    fn as_bool<'c>(&'c self, value: Value<'c>) -> Result<Ast<'c>> {
        match value {
            Value::Bool(ast) => Ok(ast),
            Value::Bits(ast) => Ok(self.context.equal(ast, self.number(1, 1)?)?),
        }
    }

    fn as_bits<'c>(&'c self, value: Value<'c>) -> Result<Ast<'c>> {
        match value {
            Value::Bits(ast) => Ok(ast),
            Value::Bool(ast) => {
                let (one, zero) = (self.number(1, 1)?, self.number(1, 0)?);
                Ok(self.context.if_then_else(ast, one, zero)?)
            }
        }
    }

    /// A node whose operands are among `nodes`.
    fn node<'c>(
        &'c self,
        width: u32,
        operation: &Operation,
        query: &Decoder<'_>,
        nodes: &[Value<'c>],
        symbols: &[Ast<'c>],
    ) -> Result<Value<'c>> {
        let c = &self.context;
        let at = |node: u32| nodes[node as usize];
        let bits = |node: u32| self.as_bits(at(node));
        let made = match *operation {
            Operation::Const(value) if width == 1 => {
                return Ok(Value::Bool(self.truth(value == 1)?));
            }
            Operation::Const(value) => self.number(width, value)?,
            Operation::Byte(number) => symbols[number as usize],
            Operation::Not(a) => match at(a) {
                Value::Bool(a) => return Ok(Value::Bool(c.not(a)?)),
                Value::Bits(a) => c.bits_not(a)?,
            },
            Operation::Zext(a) => c.zero_extend(width - query.width(a), bits(a)?)?,
            Operation::Sext(a) => c.sign_extend(width - query.width(a), bits(a)?)?,
            Operation::Extract { low, from } => c.extract(low, width, bits(from)?)?,
            Operation::Concat(high, low) => c.concat(bits(high)?, bits(low)?)?,
            Operation::Ite(condition, a, b) => {
                return self.if_then_else(width, at(condition), at(a), at(b));
            }
            Operation::Table {
                index,
                ref elements,
            } => self.table(width, elements, bits(index)?, query.width(index))?,
            Operation::Float(function, operands) => {
                let operands = operands[..function.arity()].iter();
                let operands = operands.map(|&a| bits(a)).collect::<Result<Vec<_>>>()?;
                self.float(function, &operands)?
            }
            Operation::Bin(op, a, b) => return self.binary(op, width, at(a), at(b)),
            Operation::Cmp(op, a, b) => {
                return Ok(Value::Bool(self.comparison(op, at(a), at(b))?));
            }
        };
        Ok(Value::Bits(made))
    }

    fn if_then_else<'c>(
        &'c self,
        width: u32,
        condition: Value<'c>,
        a: Value<'c>,
        b: Value<'c>,
    ) -> Result<Value<'c>> {
        let condition = self.as_bool(condition)?;
        if width == 1 {
            let (a, b) = (self.as_bool(a)?, self.as_bool(b)?);
            return Ok(Value::Bool(self.context.if_then_else(condition, a, b)?));
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        Ok(Value::Bits(self.context.if_then_else(condition, a, b)?))
    }

    fn binary<'c>(
        &'c self,
        op: BinOp,
        width: u32,
        a: Value<'c>,
        b: Value<'c>,
    ) -> Result<Value<'c>> {
        let c = &self.context;
        if width == 1 && matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
            let (a, b) = (self.as_bool(a)?, self.as_bool(b)?);
            return Ok(Value::Bool(match op {
                BinOp::And => c.all(&[a, b])?,
                BinOp::Or => c.any(&[a, b])?,
                _ => c.xor(a, b)?,
            }));
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        Ok(Value::Bits(match op {
            BinOp::Add => c.add(a, b)?,
            BinOp::Sub => c.subtract(a, b)?,
            BinOp::Mul => c.multiply(a, b)?,
            BinOp::UDiv => c.unsigned_divide(a, b)?,
            BinOp::SDiv => c.signed_divide(a, b)?,
            BinOp::URem => c.unsigned_remainder(a, b)?,
            BinOp::SRem => c.signed_remainder(a, b)?,
            BinOp::And => c.bits_and(a, b)?,
            BinOp::Or => c.bits_or(a, b)?,
            BinOp::Xor => c.bits_xor(a, b)?,
            BinOp::Shl => c.shift_left(a, b)?,
            BinOp::LShr => c.logical_shift_right(a, b)?,
            BinOp::AShr => c.arithmetic_shift_right(a, b)?,
        }))
    }

    fn comparison<'c>(&'c self, op: CmpOp, a: Value<'c>, b: Value<'c>) -> Result<Ast<'c>> {
        let c = &self.context;
        if let (CmpOp::Eq | CmpOp::Ne, Value::Bool(a), Value::Bool(b)) = (op, a, b) {
            let equal = c.iff(a, b)?;
            return match op {
                CmpOp::Eq => Ok(equal),
                _ => Ok(c.not(equal)?),
            };
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        Ok(match op {
            CmpOp::Eq => c.equal(a, b)?,
            CmpOp::Ne => c.not(c.equal(a, b)?)?,
            CmpOp::Ult => c.unsigned_less(a, b)?,
            CmpOp::Ule => c.unsigned_less_or_equal(a, b)?,
            CmpOp::Ugt => c.unsigned_greater(a, b)?,
            CmpOp::Uge => c.unsigned_greater_or_equal(a, b)?,
            CmpOp::Slt => c.signed_less(a, b)?,
            CmpOp::Sle => c.signed_less_or_equal(a, b)?,
            CmpOp::Sgt => c.signed_greater(a, b)?,
            CmpOp::Sge => c.signed_greater_or_equal(a, b)?,
        })
    }

    /// `elements[index]`, 0 beyond the end.
    fn table<'c>(
        &'c self,
        width: u32,
        elements: &[u64],
        index: Ast<'c>,
        index_width: u32,
    ) -> Result<Ast<'c>> {
        let c = &self.context;
        let bits = usize::BITS - elements.len().saturating_sub(1).leading_zeros();
        let bits = bits.min(index_width);
        let tree = self.subtree(width, elements, index, bits)?;
        if bits == index_width {
            return Ok(tree);
        }
        let above = c.extract(bits, index_width - bits, index)?;
        let zero = self.number(index_width - bits, 0)?;
        let inside = c.equal(above, zero)?;
        let beyond = self.number(width, 0)?;
        Ok(c.if_then_else(inside, tree, beyond)?)
    }

    /// The element selected by the low `bits` bits of the index.
    fn subtree<'c>(
        &'c self,
        width: u32,
        elements: &[u64],
        index: Ast<'c>,
        bits: u32,
    ) -> Result<Ast<'c>> {
        let first = elements.first().copied().unwrap_or(0);
        let whole = elements.len() >= 1 << bits || first == 0;
        if bits == 0 || (whole && elements.iter().all(|&element| element == first)) {
            return self.number(width, first.into());
        }
        let half = elements.len().min(1 << (bits - 1));
        let low = self.subtree(width, &elements[..half], index, bits - 1)?;
        let high = self.subtree(width, &elements[half..], index, bits - 1)?;
        if low == high {
            return Ok(low);
        }
        let bit = self.context.extract(bits - 1, 1, index)?;
        let bit = self.as_bool(Value::Bits(bit))?;
        Ok(self.context.if_then_else(bit, high, low)?)
    }

    /// Returns membership of a byte in a set as a disjunction of intervals; `None` if the set is
    /// full.
    fn member<'c>(&'c self, byte: Ast<'c>, domain: &[u64; 4]) -> Result<Option<Ast<'c>>> {
        let c = &self.context;
        let contains = |value: u32| domain[value as usize / 64] >> (value % 64) & 1 != 0;
        let mut intervals = Vec::new();
        let mut value = 0;
        while value < 256 {
            if !contains(value) {
                value += 1;
                continue;
            }
            let start = value;
            while value < 256 && contains(value) {
                value += 1;
            }
            if (start, value) == (0, 256) {
                return Ok(None);
            }
            let (low, high) = (
                self.number(8, start.into())?,
                self.number(8, (value - 1).into())?,
            );
            intervals.push(if start + 1 == value {
                c.equal(byte, low)?
            } else {
                let least = c.unsigned_greater_or_equal(byte, low)?;
                let most = c.unsigned_less_or_equal(byte, high)?;
                c.all(&[least, most])?
            });
        }
        Ok(Some(c.any(&intervals)?))
    }
}

/// Returns why a check found nothing.
fn reason(solver: &Solver<'_>) -> UnknownReason {
    let Some(text) = solver.reason() else {
        return UnknownReason::Incomplete;
    };
    if text.contains("memory") {
        UnknownReason::Memory
    } else if ["timeout", "canceled", "resource"]
        .iter()
        .any(|word| text.contains(word))
    {
        UnknownReason::Timeout
    } else {
        UnknownReason::Incomplete
    }
}

/// Returns whether an SMT-LIB script is satisfiable, by Z3's parser.
#[cfg(test)]
pub(crate) fn check_text(script: &str) -> Option<bool> {
    let session = Session::open().ok()?;
    let solver = session.context.simple_solver().ok()?;
    let script = script.replace("(check-sat)\n(exit)\n", "");
    solver.set_limits(10_000, 0).ok()?;
    solver.assert_text(&script).ok()?;
    match solver.check() {
        Verdict::Satisfiable => Some(true),
        Verdict::Unsatisfiable => Some(false),
        Verdict::Unknown => None,
    }
}
