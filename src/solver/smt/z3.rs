//! Z3 on an encoded question.
//!
//! Invariant: every question gets a solver of its own in a context that holds nothing of earlier
//! questions, so an answer depends on the question alone. 1-bit nodes are Booleans as long as
//! possible; a table becomes a tree of if-then-elses over the bits of its index in which equal
//! halves are one.

use crate::ops::float::FloatFunction;
use crate::ops::mask;
use crate::solver::backend::{Answer, Backend};
use crate::solver::encode::opcode;
use crate::solver::oracle::UnknownReason;
use std::ffi::{CStr, CString};
use std::time::Duration;
use z3_sys::*;

/// Z3 in this process.
pub struct Z3Backend {
    time_limit: Duration,
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
            time_limit: Duration::from_secs(10),
        }
    }
}

impl Backend for Z3Backend {
    fn solve(&mut self, words: &[u32], bytes: usize) -> Answer {
        let answer = Session::open()
            .and_then(|session| session.answer(words, bytes, self.time_limit.as_millis() as u32));
        match answer {
            Ok(answer) => answer,
            Err(Failure::Malformed) => {
                let why = "the question is malformed".to_string();
                Answer::Unknown(UnknownReason::BackendFailure(why))
            }
            Err(Failure::Null) => Answer::Unknown(UnknownReason::Memory),
        }
    }

    fn set_time_limit(&mut self, limit: Duration) {
        self.time_limit = limit;
    }
}

/// Reads words one after the other.
struct Words<'a>(std::slice::Iter<'a, u32>);

impl Words<'_> {
    fn next(&mut self) -> Result<u32> {
        self.0.next().copied().ok_or(Failure::Malformed)
    }

    fn pair(&mut self) -> Result<u64> {
        let low = self.next()?;
        Ok(u64::from(low) | u64::from(self.next()?) << 32)
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

    fn answer(&self, words: &[u32], bytes: usize, milliseconds: u32) -> Result<Answer> {
        let mut words = Words(words.iter());
        let c = self.context;
        let symbols = (0..bytes)
            .map(|number| self.byte(number as u32))
            .collect::<Result<Vec<Z3_ast>>>()?;
        let count = words.next()?;
        let mut nodes: Vec<Value> = Vec::with_capacity(count as usize);
        let mut widths: Vec<u32> = Vec::with_capacity(count as usize);
        let mut has_floats = false;
        for _ in 0..count {
            has_floats |= words.0.as_slice().first() == Some(&opcode::FLOAT);
            let (value, width) = self.node(&mut words, &nodes, &widths, &symbols)?;
            nodes.push(value);
            widths.push(width);
        }
        let solver = self.solver(has_floats)?;
        unsafe { Z3_solver_inc_ref(c, solver) };
        let result = self.run(&mut words, solver, &nodes, &symbols, milliseconds);
        unsafe { Z3_solver_dec_ref(c, solver) };
        result
    }

    /// Z3's general solver instantiates the definitions of floating-point operators lazily, which takes much longer
    /// than making bits of everything first, as this tactic does.
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
        words: &mut Words<'_>,
        solver: Z3_solver,
        nodes: &[Value],
        symbols: &[Z3_ast],
        milliseconds: u32,
    ) -> Result<Answer> {
        let c = self.context;
        self.set_timeout(solver, milliseconds)?;
        for _ in 0..words.next()? {
            let root = words.next()? as usize;
            let root = self.as_bool(*nodes.get(root).ok_or(Failure::Malformed)?)?;
            unsafe { Z3_solver_assert(c, solver, root) };
        }
        if words.next()? as usize != symbols.len() {
            return Err(Failure::Malformed);
        }
        for &symbol in symbols {
            let domain = [words.pair()?, words.pair()?, words.pair()?, words.pair()?];
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

    fn set_timeout(&self, solver: Z3_solver, milliseconds: u32) -> Result<()> {
        let c = self.context;
        unsafe {
            let parameters = made(Z3_mk_params(c))?;
            Z3_params_inc_ref(c, parameters);
            let name = made(Z3_mk_string_symbol(c, c"timeout".as_ptr()))?;
            Z3_params_set_uint(c, parameters, name, milliseconds);
            Z3_solver_set_params(c, solver, parameters);
            Z3_params_dec_ref(c, parameters);
        }
        Ok(())
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
        } else if text.contains("timeout") || text.contains("canceled") {
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

    /// The next node and its width.
    fn node(
        &self,
        words: &mut Words<'_>,
        nodes: &[Value],
        widths: &[u32],
        symbols: &[Z3_ast],
    ) -> Result<(Value, u32)> {
        let c = self.context;
        let (code, width) = (words.next()?, words.next()?);
        if !(1..=128).contains(&width) {
            return Err(Failure::Malformed);
        }
        let operand = |words: &mut Words<'_>| -> Result<(Value, u32)> {
            let at = words.next()? as usize;
            let value = nodes.get(at).ok_or(Failure::Malformed)?;
            Ok((*value, widths[at]))
        };
        let value = match code {
            opcode::CONST => {
                let (low, high) = (words.pair()?, words.pair()?);
                let value = u128::from(high) << 64 | u128::from(low);
                if width == 1 {
                    Value::Bool(self.truth(value == 1)?)
                } else {
                    Value::Bits(self.number(width, value)?)
                }
            }
            opcode::BYTE => {
                let symbol = symbols.get(words.next()? as usize);
                Value::Bits(*symbol.ok_or(Failure::Malformed)?)
            }
            opcode::NOT => match operand(words)?.0 {
                Value::Bool(a) => Value::Bool(made(unsafe { Z3_mk_not(c, a) })?),
                Value::Bits(a) => Value::Bits(made(unsafe { Z3_mk_bvnot(c, a) })?),
            },
            opcode::ZEXT | opcode::SEXT => {
                let (a, from) = operand(words)?;
                let a = self.as_bits(a)?;
                let more = width.checked_sub(from).ok_or(Failure::Malformed)?;
                Value::Bits(made(unsafe {
                    if code == opcode::ZEXT {
                        Z3_mk_zero_ext(c, more, a)
                    } else {
                        Z3_mk_sign_ext(c, more, a)
                    }
                })?)
            }
            opcode::EXTRACT => {
                let low = words.next()?;
                let a = self.as_bits(operand(words)?.0)?;
                Value::Bits(made(unsafe { Z3_mk_extract(c, low + width - 1, low, a) })?)
            }
            opcode::CONCAT => {
                let high = self.as_bits(operand(words)?.0)?;
                let low = self.as_bits(operand(words)?.0)?;
                Value::Bits(made(unsafe { Z3_mk_concat(c, high, low) })?)
            }
            opcode::ITE => {
                let condition = self.as_bool(operand(words)?.0)?;
                let (a, b) = (operand(words)?.0, operand(words)?.0);
                if width == 1 {
                    let (a, b) = (self.as_bool(a)?, self.as_bool(b)?);
                    Value::Bool(made(unsafe { Z3_mk_ite(c, condition, a, b) })?)
                } else {
                    let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
                    Value::Bits(made(unsafe { Z3_mk_ite(c, condition, a, b) })?)
                }
            }
            opcode::TABLE => {
                let (index, index_width) = operand(words)?;
                let count = words.next()?;
                let elements = (0..count)
                    .map(|_| words.pair())
                    .collect::<Result<Vec<u64>>>()?;
                let index = self.as_bits(index)?;
                Value::Bits(self.table(width, &elements, index, index_width)?)
            }
            opcode::FLOAT => {
                let function = FloatFunction::from_code(words.next()?);
                let function = function.ok_or(Failure::Malformed)?;
                let mut operands = Vec::with_capacity(3);
                for _ in 0..function.arity() {
                    let (value, operand_width) = operand(words)?;
                    if operand_width != function.operand_width() {
                        return Err(Failure::Malformed);
                    }
                    operands.push(self.as_bits(value)?);
                }
                Value::Bits(self.float(function, &operands)?)
            }
            opcode::BIN..opcode::CMP => {
                let (a, b) = (operand(words)?.0, operand(words)?.0);
                self.binary(code - opcode::BIN, width, a, b)?
            }
            _ => {
                let (a, b) = (operand(words)?.0, operand(words)?.0);
                Value::Bool(self.comparison(code - opcode::CMP, a, b)?)
            }
        };
        Ok((value, width))
    }

    /// Operators in the order of `BinOp::ALL`.
    fn binary(&self, operator: u32, width: u32, a: Value, b: Value) -> Result<Value> {
        let c = self.context;
        if width == 1 && (7..=9).contains(&operator) {
            let arguments = [self.as_bool(a)?, self.as_bool(b)?];
            return Ok(Value::Bool(made(unsafe {
                match operator {
                    7 => Z3_mk_and(c, 2, arguments.as_ptr()),
                    8 => Z3_mk_or(c, 2, arguments.as_ptr()),
                    _ => Z3_mk_xor(c, arguments[0], arguments[1]),
                }
            })?));
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        let make: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast> =
            match operator {
                0 => Z3_mk_bvadd,
                1 => Z3_mk_bvsub,
                2 => Z3_mk_bvmul,
                3 => Z3_mk_bvudiv,
                4 => Z3_mk_bvsdiv,
                5 => Z3_mk_bvurem,
                6 => Z3_mk_bvsrem,
                7 => Z3_mk_bvand,
                8 => Z3_mk_bvor,
                9 => Z3_mk_bvxor,
                10 => Z3_mk_bvshl,
                11 => Z3_mk_bvlshr,
                12 => Z3_mk_bvashr,
                _ => return Err(Failure::Malformed),
            };
        Ok(Value::Bits(made(unsafe { make(c, a, b) })?))
    }

    /// Comparisons in the order of `CmpOp::ALL`.
    fn comparison(&self, operator: u32, a: Value, b: Value) -> Result<Z3_ast> {
        let c = self.context;
        if let (0 | 1, Value::Bool(a), Value::Bool(b)) = (operator, a, b) {
            let equal = made(unsafe { Z3_mk_iff(c, a, b) })?;
            return match operator {
                0 => Ok(equal),
                _ => made(unsafe { Z3_mk_not(c, equal) }),
            };
        }
        let (a, b) = (self.as_bits(a)?, self.as_bits(b)?);
        made(unsafe {
            match operator {
                0 => Z3_mk_eq(c, a, b),
                1 => Z3_mk_not(c, made(Z3_mk_eq(c, a, b))?),
                2 => Z3_mk_bvult(c, a, b),
                3 => Z3_mk_bvule(c, a, b),
                4 => Z3_mk_bvugt(c, a, b),
                5 => Z3_mk_bvuge(c, a, b),
                6 => Z3_mk_bvslt(c, a, b),
                7 => Z3_mk_bvsle(c, a, b),
                8 => Z3_mk_bvsgt(c, a, b),
                9 => Z3_mk_bvsge(c, a, b),
                _ => return Err(Failure::Malformed),
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
    // SAFETY: the text lives until the call returns, the counts of sorts and declarations are 0, and
    // the objects belong to the session's context, which is live.
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
        session.set_timeout(solver, 10_000).ok()?;
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
