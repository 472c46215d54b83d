//! Z3 on an encoded question.
//!
//! Invariant: every question gets a solver of its own in a context that holds nothing of earlier
//! questions, so an answer depends on the question alone. 1-bit nodes are Booleans as long as
//! possible; a table becomes a tree of if-then-elses over the bits of its index in which equal
//! halves are one.

use crate::ops::{BinOp, CmpOp, mask};
use crate::solver::backend::{Answer, Backend};
use crate::solver::decode::{Decoder, Malformed, Operation};
use crate::solver::oracle::UnknownReason;
use std::ffi::{CStr, CString};
use std::time::Duration;
use z3_sys::*;

/// Z3 in this process.
pub struct Z3Backend {
    limits: Limits,
    units: u32,
}

/// What one question may take.
#[derive(Clone, Copy)]
struct Limits {
    milliseconds: u32,
    /// Of Z3's resource count; 0 is no limit.
    units: u32,
}

impl From<Malformed> for Failure {
    fn from(_: Malformed) -> Failure {
        Failure::Malformed
    }
}

/// What went wrong in the translation.
pub(super) enum Failure {
    /// The words are no question.
    Malformed,
    /// Z3 returned no object; memory, as a rule.
    Null,
}

pub(super) type Result<T> = std::result::Result<T, Failure>;

#[derive(Clone, Copy)]
enum Value {
    Bool(Z3_ast),
    Bits(Z3_ast),
}

pub(super) struct Session {
    pub(super) context: Z3_context,
}

impl Z3Backend {
    /// `megabytes`: Z3's own memory limit for the whole process.
    pub fn new(megabytes: u32) -> Z3Backend {
        if let (Ok(name), Ok(value)) = (
            CString::new("memory_max_size"),
            CString::new(megabytes.to_string()),
        ) {
            // SAFETY: both strings end with a zero byte and live until the call returns.
            unsafe { Z3_global_param_set(name.as_ptr(), value.as_ptr()) };
        }
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
                let why = "the question is malformed".to_string();
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

pub(super) fn made<T>(object: Option<T>) -> Result<T> {
    object.ok_or(Failure::Null)
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the context is live and everything made in it is dropped before the session.
        unsafe { Z3_del_context(self.context) };
    }
}

// SAFETY (all blocks of this impl): the context is live as long as the session; every ast, sort and
// symbol passed was made by this context, which keeps all of them alive until it is deleted because
// it was made without reference counting for them (`Z3_mk_context`); array arguments point to as
// many elements as the count says.
impl Session {
    fn open() -> Result<Session> {
        unsafe {
            let config = made(Z3_mk_config())?;
            let context = Z3_mk_context(config);
            Z3_del_config(config);
            Ok(Session {
                context: made(context)?,
            })
        }
    }

    /// The answer and the units that it took.
    fn answer(&self, words: &[u32], bytes: usize, limits: Limits) -> Result<(Answer, u32)> {
        let mut question = Decoder::new(words, bytes)?;
        let c = self.context;
        let symbols = (0..bytes)
            .map(|number| self.byte(number as u32))
            .collect::<Result<Vec<Z3_ast>>>()?;
        let mut nodes: Vec<Value> = Vec::new();
        let mut has_floats = false;
        while let Some((width, operation)) = question.node()? {
            has_floats |= matches!(operation, Operation::Float(..));
            let value = self.node(width, &operation, &question, &nodes, &symbols)?;
            nodes.push(value);
        }
        let solver = self.solver(has_floats)?;
        unsafe { Z3_solver_inc_ref(c, solver) };
        let result = self.run(&mut question, solver, &nodes, &symbols, limits);
        let units = self.resource_count(solver);
        unsafe { Z3_solver_dec_ref(c, solver) };
        Ok((result?, units))
    }

    /// Z3's general solver instantiates the definitions of floating-point operators lazily, which
    /// takes much longer than making bits of everything first, as this tactic does.
    fn solver(&self, has_floats: bool) -> Result<Z3_solver> {
        let c = self.context;
        if !has_floats {
            return made(unsafe { Z3_mk_simple_solver(c) });
        }
        unsafe {
            let tactic = made(Z3_mk_tactic(c, c"qffpbv".as_ptr()))?;
            Z3_tactic_inc_ref(c, tactic);
            let solver = Z3_mk_solver_from_tactic(c, tactic);
            Z3_tactic_dec_ref(c, tactic);
            made(solver)
        }
    }

    fn run(
        &self,
        question: &mut Decoder<'_>,
        solver: Z3_solver,
        nodes: &[Value],
        symbols: &[Z3_ast],
        limits: Limits,
    ) -> Result<Answer> {
        let c = self.context;
        self.set_limits(solver, limits)?;
        for root in question.roots()? {
            let root = self.as_bool(nodes[root as usize])?;
            unsafe { Z3_solver_assert(c, solver, root) };
        }
        for (&symbol, domain) in symbols.iter().zip(question.domains()?) {
            if let Some(member) = self.member(symbol, &domain)? {
                unsafe { Z3_solver_assert(c, solver, member) };
            }
        }
        match unsafe { Z3_solver_check(c, solver) } {
            Z3_L_FALSE => Ok(Answer::Unsat),
            Z3_L_TRUE => self.values(solver, symbols),
            _ => Ok(Answer::Unknown(self.reason(solver))),
        }
    }

    fn set_limits(&self, solver: Z3_solver, limits: Limits) -> Result<()> {
        let c = self.context;
        unsafe {
            let parameters = made(Z3_mk_params(c))?;
            Z3_params_inc_ref(c, parameters);
            for (name, value) in [(c"timeout", limits.milliseconds), (c"rlimit", limits.units)] {
                let name = made(Z3_mk_string_symbol(c, name.as_ptr()))?;
                Z3_params_set_uint(c, parameters, name, value);
            }
            Z3_solver_set_params(c, solver, parameters);
            Z3_params_dec_ref(c, parameters);
        }
        Ok(())
    }

    /// What Z3 has done in this context in its own units, which do not depend on the machine; 0 if
    /// it does not say.
    fn resource_count(&self, solver: Z3_solver) -> u32 {
        let c = self.context;
        let mut count = 0;
        unsafe {
            let Some(statistics) = Z3_solver_get_statistics(c, solver) else {
                return 0;
            };
            Z3_stats_inc_ref(c, statistics);
            for index in 0..Z3_stats_size(c, statistics) {
                let key = Z3_stats_get_key(c, statistics, index);
                // SAFETY: Z3 returns a string that ends with a zero byte and is valid until the
                // next call.
                if !key.is_null()
                    && CStr::from_ptr(key) == c"rlimit count"
                    && Z3_stats_is_uint(c, statistics, index)
                {
                    count = Z3_stats_get_uint_value(c, statistics, index);
                }
            }
            Z3_stats_dec_ref(c, statistics);
        }
        count
    }

    fn values(&self, solver: Z3_solver, symbols: &[Z3_ast]) -> Result<Answer> {
        let c = self.context;
        let mut values = Vec::with_capacity(symbols.len());
        unsafe {
            let model = made(Z3_solver_get_model(c, solver))?;
            Z3_model_inc_ref(c, model);
            for &symbol in symbols {
                let mut value = symbol;
                let mut number = 0;
                if !Z3_model_eval(c, model, symbol, true, &mut value)
                    || !Z3_get_numeral_uint64(c, value, &mut number)
                {
                    Z3_model_dec_ref(c, model);
                    return Err(Failure::Null);
                }
                values.push(number as u8);
            }
            Z3_model_dec_ref(c, model);
        }
        Ok(Answer::Sat(values))
    }

    fn reason(&self, solver: Z3_solver) -> UnknownReason {
        let text = unsafe { Z3_solver_get_reason_unknown(self.context, solver) };
        if text.is_null() {
            return UnknownReason::Incomplete;
        }
        // SAFETY: Z3 returns a string that ends with a zero byte and is valid until the next call.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
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

    pub(super) fn sort(&self, width: u32) -> Result<Z3_sort> {
        made(unsafe { Z3_mk_bv_sort(self.context, width) })
    }

    fn byte(&self, number: u32) -> Result<Z3_ast> {
        let sort = self.sort(8)?;
        unsafe {
            let symbol = made(Z3_mk_int_symbol(self.context, number as i32))?;
            made(Z3_mk_const(self.context, symbol, sort))
        }
    }

    pub(super) fn number(&self, width: u32, value: u128) -> Result<Z3_ast> {
        let c = self.context;
        if width <= 64 {
            let sort = self.sort(width)?;
            return made(unsafe { Z3_mk_unsigned_int64(c, value as u64, sort) });
        }
        let high = self.number(width - 64, value >> 64)?;
        let low = self.number(64, value & mask(64))?;
        made(unsafe { Z3_mk_concat(c, high, low) })
    }

    fn truth(&self, value: bool) -> Result<Z3_ast> {
        made(unsafe {
            if value {
                Z3_mk_true(self.context)
            } else {
                Z3_mk_false(self.context)
            }
        })
    }

    fn as_bool(&self, value: Value) -> Result<Z3_ast> {
        match value {
            Value::Bool(ast) => Ok(ast),
            Value::Bits(ast) => {
                let one = self.number(1, 1)?;
                made(unsafe { Z3_mk_eq(self.context, ast, one) })
            }
        }
    }

    fn as_bits(&self, value: Value) -> Result<Z3_ast> {
        match value {
            Value::Bits(ast) => Ok(ast),
            Value::Bool(ast) => {
                let (one, zero) = (self.number(1, 1)?, self.number(1, 0)?);
                made(unsafe { Z3_mk_ite(self.context, ast, one, zero) })
            }
        }
    }

    /// A node whose operands are among `nodes`.
    fn node(
        &self,
        width: u32,
        operation: &Operation,
        question: &Decoder<'_>,
        nodes: &[Value],
        symbols: &[Z3_ast],
    ) -> Result<Value> {
        let c = self.context;
        let at = |node: u32| nodes[node as usize];
        let bits = |node: u32| self.as_bits(at(node));
        let as_value = |ast: Option<Z3_ast>| made(ast).map(Value::Bits);
        match *operation {
            Operation::Const(value) if width == 1 => Ok(Value::Bool(self.truth(value == 1)?)),
            Operation::Const(value) => Ok(Value::Bits(self.number(width, value)?)),
            Operation::Byte(number) => Ok(Value::Bits(symbols[number as usize])),
            Operation::Not(a) => match at(a) {
                Value::Bool(a) => Ok(Value::Bool(made(unsafe { Z3_mk_not(c, a) })?)),
                Value::Bits(a) => as_value(unsafe { Z3_mk_bvnot(c, a) }),
            },
            Operation::Zext(a) => {
                let more = width - question.width(a);
                let a = bits(a)?;
                as_value(unsafe { Z3_mk_zero_ext(c, more, a) })
            }
            Operation::Sext(a) => {
                let more = width - question.width(a);
                let a = bits(a)?;
                as_value(unsafe { Z3_mk_sign_ext(c, more, a) })
            }
            Operation::Extract { low, from } => {
                let from = bits(from)?;
                as_value(unsafe { Z3_mk_extract(c, low + width - 1, low, from) })
            }
            Operation::Concat(high, low) => {
                let (high, low) = (bits(high)?, bits(low)?);
                as_value(unsafe { Z3_mk_concat(c, high, low) })
            }
            Operation::Ite(condition, a, b) => {
                self.if_then_else(width, at(condition), at(a), at(b))
            }
            Operation::Table {
                index,
                ref elements,
            } => {
                let index_width = question.width(index);
                let table = self.table(width, elements, bits(index)?, index_width)?;
                Ok(Value::Bits(table))
            }
            Operation::Float(function, operands) => {
                let operands = operands[..function.arity()].iter();
                let operands = operands.map(|&a| bits(a)).collect::<Result<Vec<_>>>()?;
                Ok(Value::Bits(self.float(function, &operands)?))
            }
            Operation::Bin(op, a, b) => self.binary(op, width, at(a), at(b)),
            Operation::Cmp(op, a, b) => Ok(Value::Bool(self.comparison(op, at(a), at(b))?)),
        }
    }

    fn if_then_else(&self, width: u32, condition: Value, a: Value, b: Value) -> Result<Value> {
        let (c, condition) = (self.context, self.as_bool(condition)?);
        if width == 1 {
            let (a, b) = (self.as_bool(a)?, self.as_bool(b)?);
            let chosen = made(unsafe { Z3_mk_ite(c, condition, a, b) })?;
            return Ok(Value::Bool(chosen));
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        let chosen = made(unsafe { Z3_mk_ite(c, condition, a, b) })?;
        Ok(Value::Bits(chosen))
    }

    fn binary(&self, op: BinOp, width: u32, a: Value, b: Value) -> Result<Value> {
        let c = self.context;
        if width == 1 && matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
            let arguments = [self.as_bool(a)?, self.as_bool(b)?];
            return Ok(Value::Bool(made(unsafe {
                match op {
                    BinOp::And => Z3_mk_and(c, 2, arguments.as_ptr()),
                    BinOp::Or => Z3_mk_or(c, 2, arguments.as_ptr()),
                    _ => Z3_mk_xor(c, arguments[0], arguments[1]),
                }
            })?));
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        let make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast> = match op {
            BinOp::Add => Z3_mk_bvadd,
            BinOp::Sub => Z3_mk_bvsub,
            BinOp::Mul => Z3_mk_bvmul,
            BinOp::UDiv => Z3_mk_bvudiv,
            BinOp::SDiv => Z3_mk_bvsdiv,
            BinOp::URem => Z3_mk_bvurem,
            BinOp::SRem => Z3_mk_bvsrem,
            BinOp::And => Z3_mk_bvand,
            BinOp::Or => Z3_mk_bvor,
            BinOp::Xor => Z3_mk_bvxor,
            BinOp::Shl => Z3_mk_bvshl,
            BinOp::LShr => Z3_mk_bvlshr,
            BinOp::AShr => Z3_mk_bvashr,
        };
        Ok(Value::Bits(made(unsafe { make(c, a, b) })?))
    }

    fn comparison(&self, op: CmpOp, a: Value, b: Value) -> Result<Z3_ast> {
        let c = self.context;
        if let (CmpOp::Eq | CmpOp::Ne, Value::Bool(a), Value::Bool(b)) = (op, a, b) {
            let equal = made(unsafe { Z3_mk_iff(c, a, b) })?;
            return match op {
                CmpOp::Eq => Ok(equal),
                _ => made(unsafe { Z3_mk_not(c, equal) }),
            };
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        made(unsafe {
            match op {
                CmpOp::Eq => Z3_mk_eq(c, a, b),
                CmpOp::Ne => Z3_mk_not(c, made(Z3_mk_eq(c, a, b))?),
                CmpOp::Ult => Z3_mk_bvult(c, a, b),
                CmpOp::Ule => Z3_mk_bvule(c, a, b),
                CmpOp::Ugt => Z3_mk_bvugt(c, a, b),
                CmpOp::Uge => Z3_mk_bvuge(c, a, b),
                CmpOp::Slt => Z3_mk_bvslt(c, a, b),
                CmpOp::Sle => Z3_mk_bvsle(c, a, b),
                CmpOp::Sgt => Z3_mk_bvsgt(c, a, b),
                CmpOp::Sge => Z3_mk_bvsge(c, a, b),
            }
        })
    }

    /// `elements[index]`, 0 beyond the end.
    fn table(
        &self,
        width: u32,
        elements: &[u64],
        index: Z3_ast,
        index_width: u32,
    ) -> Result<Z3_ast> {
        let c = self.context;
        let bits = usize::BITS - elements.len().saturating_sub(1).leading_zeros();
        let bits = bits.min(index_width);
        let tree = self.subtree(width, elements, index, bits)?;
        if bits == index_width {
            return Ok(tree);
        }
        let above = made(unsafe { Z3_mk_extract(c, index_width - 1, bits, index) })?;
        let zero = self.number(index_width - bits, 0)?;
        let inside = made(unsafe { Z3_mk_eq(c, above, zero) })?;
        let beyond = self.number(width, 0)?;
        made(unsafe { Z3_mk_ite(c, inside, tree, beyond) })
    }

    /// The element selected by the low `bits` bits of the index.
    fn subtree(&self, width: u32, elements: &[u64], index: Z3_ast, bits: u32) -> Result<Z3_ast> {
        let c = self.context;
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
        let bit = made(unsafe { Z3_mk_extract(c, bits - 1, bits - 1, index) })?;
        let bit = self.as_bool(Value::Bits(bit))?;
        made(unsafe { Z3_mk_ite(c, bit, high, low) })
    }

    /// That a byte is in a set, as a disjunction of intervals; nothing if the set is full.
    fn member(&self, byte: Z3_ast, domain: &[u64; 4]) -> Result<Option<Z3_ast>> {
        let c = self.context;
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
            let interval = if start + 1 == value {
                made(unsafe { Z3_mk_eq(c, byte, low) })?
            } else {
                let limits = unsafe {
                    [
                        made(Z3_mk_bvuge(c, byte, low))?,
                        made(Z3_mk_bvule(c, byte, high))?,
                    ]
                };
                made(unsafe { Z3_mk_and(c, 2, limits.as_ptr()) })?
            };
            intervals.push(interval);
        }
        let any = unsafe { Z3_mk_or(c, intervals.len() as u32, intervals.as_ptr()) };
        made(any).map(Some)
    }
}

/// Whether an SMT-LIB script is satisfiable, by Z3's own parser.
#[cfg(test)]
pub(in crate::solver) fn check_text(script: &str) -> Option<bool> {
    let session = Session::open().ok()?;
    let c = session.context;
    let text = CString::new(script.replace("(check-sat)\n(exit)\n", "")).ok()?;
    // SAFETY: the text lives until the call returns, the counts of sorts and declarations are 0,
    // and the objects belong to the session's context, which is live.
    unsafe {
        let formulas = Z3_parse_smtlib2_string(
            c,
            text.as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
            0,
            std::ptr::null(),
            std::ptr::null(),
        )?;
        Z3_ast_vector_inc_ref(c, formulas);
        let solver = Z3_mk_simple_solver(c)?;
        Z3_solver_inc_ref(c, solver);
        let limits = Limits {
            milliseconds: 10_000,
            units: 0,
        };
        session.set_limits(solver, limits).ok()?;
        for index in 0..Z3_ast_vector_size(c, formulas) {
            Z3_solver_assert(c, solver, Z3_ast_vector_get(c, formulas, index)?);
        }
        let result = Z3_solver_check(c, solver);
        Z3_solver_dec_ref(c, solver);
        match result {
            Z3_L_TRUE => Some(true),
            Z3_L_FALSE => Some(false),
            _ => None,
        }
    }
}
