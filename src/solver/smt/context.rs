//! Z3's C interface made safe, as far as queries need it.
//!
//! Invariant: an object of Z3 is used with the context that made it only, and not beyond it.
//! Objects borrow their context, which keeps all asts, sorts and symbols alive until it is deleted,
//! because it was made without reference counting for them (`Z3_mk_context`); each function looks
//! whether its operands are the context's own. Sorts and widths are checked by Z3 itself.

use std::ffi::{CStr, CString};
use z3_sys::*;

/// Z3 returned no object: memory has run out, as a rule.
#[derive(Debug)]
pub(super) struct NoObject;

pub(super) type Result<T> = std::result::Result<T, NoObject>;

fn made<T>(object: Option<T>) -> Result<T> {
    object.ok_or(NoObject)
}

/// Sets Z3's memory limit for the whole process, in megabytes.
pub(super) fn limit_memory(megabytes: u32) {
    if let Ok(value) = CString::new(megabytes.to_string()) {
        // SAFETY: both strings end with a zero byte and live until the call returns.
        unsafe { Z3_global_param_set(c"memory_max_size".as_ptr(), value.as_ptr()) };
    }
}

/// A context that owns all objects made in it.
pub(super) struct Context {
    raw: Z3_context,
}

/// A term.
#[derive(Clone, Copy)]
pub(super) struct Ast<'c> {
    context: &'c Context,
    raw: Z3_ast,
}

/// Terms of one context are equal if they were built alike.
impl PartialEq for Ast<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

/// A sort of terms.
#[derive(Clone, Copy)]
pub(super) struct Sort<'c> {
    context: &'c Context,
    raw: Z3_sort,
}

impl Context {
    pub fn new() -> Result<Context> {
        // SAFETY: the configuration is live until it is deleted, after its only use.
        let context = unsafe {
            let config = made(Z3_mk_config())?;
            let context = Z3_mk_context(config);
            Z3_del_config(config);
            context
        };
        made(context).map(|raw| Context { raw })
    }

    fn ast(&self, raw: Option<Z3_ast>) -> Result<Ast<'_>> {
        let raw = made(raw)?;
        Ok(Ast { context: self, raw })
    }

    fn sort(&self, raw: Option<Z3_sort>) -> Result<Sort<'_>> {
        let raw = made(raw)?;
        Ok(Sort { context: self, raw })
    }

    /// Z3's object of a term of this context.
    fn own(&self, ast: Ast<'_>) -> Z3_ast {
        assert!(std::ptr::eq(self, ast.context), "another context's term");
        ast.raw
    }

    /// Z3's object of a sort of this context.
    fn z3_sort(&self, sort: Sort<'_>) -> Z3_sort {
        assert!(std::ptr::eq(self, sort.context), "another context's sort");
        sort.raw
    }

    fn z3_asts(&self, asts: &[Ast<'_>]) -> Vec<Z3_ast> {
        asts.iter().map(|ast| self.own(*ast)).collect()
    }

    /// Returns the sort of bit vectors of this width.
    pub fn bits_sort(&self, width: u32) -> Result<Sort<'_>> {
        // SAFETY: the context is live.
        self.sort(unsafe { Z3_mk_bv_sort(self.raw, width) })
    }

    /// Floating-point numbers; `precision` is in bits, with the hidden one.
    pub fn float_sort(&self, exponent_bits: u32, precision: u32) -> Result<Sort<'_>> {
        // SAFETY: the context is live.
        self.sort(unsafe { Z3_mk_fpa_sort(self.raw, exponent_bits, precision) })
    }

    /// The constant of a sort that is known by a number.
    pub fn constant(&self, number: i32, sort: Sort<'_>) -> Result<Ast<'_>> {
        let sort = self.z3_sort(sort);
        // SAFETY: the context is live, the symbol and the sort are its own.
        self.ast(unsafe {
            let symbol = made(Z3_mk_int_symbol(self.raw, number))?;
            Z3_mk_const(self.raw, symbol, sort)
        })
    }

    /// A constant that nothing is known of.
    pub fn fresh_constant(&self, sort: Sort<'_>) -> Result<Ast<'_>> {
        let sort = self.z3_sort(sort);
        // SAFETY: the context is live, the sort its own, and the name ends with a zero byte.
        self.ast(unsafe { Z3_mk_fresh_const(self.raw, c"any".as_ptr(), sort) })
    }

    /// A number of a sort of at most 64 bits.
    pub fn numeral(&self, value: u64, sort: Sort<'_>) -> Result<Ast<'_>> {
        let sort = self.z3_sort(sort);
        // SAFETY: the context is live, the sort its own.
        self.ast(unsafe { Z3_mk_unsigned_int64(self.raw, value, sort) })
    }

    /// All of the operands, which are Booleans.
    pub fn all(&self, operands: &[Ast<'_>]) -> Result<Ast<'_>> {
        let operands = self.z3_asts(operands);
        // SAFETY: the context is live; the array has as many terms as the count says.
        self.ast(unsafe { Z3_mk_and(self.raw, operands.len() as u32, operands.as_ptr()) })
    }

    /// Any of the operands, which are Booleans.
    pub fn any(&self, operands: &[Ast<'_>]) -> Result<Ast<'_>> {
        let operands = self.z3_asts(operands);
        // SAFETY: the context is live; the array has as many terms as the count says.
        self.ast(unsafe { Z3_mk_or(self.raw, operands.len() as u32, operands.as_ptr()) })
    }

    /// `width` bits of a term from bit `low` on.
    pub fn extract(&self, low: u32, width: u32, a: Ast<'_>) -> Result<Ast<'_>> {
        let a = self.own(a);
        // SAFETY: the context is live, the term its own.
        self.ast(unsafe { Z3_mk_extract(self.raw, low + width - 1, low, a) })
    }

    /// A solver of Z3's simple kind: no tactics.
    pub fn simple_solver(&self) -> Result<Solver<'_>> {
        // SAFETY: the context is live.
        Solver::keep(self, made(unsafe { Z3_mk_simple_solver(self.raw) })?)
    }

    /// A solver that makes bits of floating-point numbers before anything else.
    pub fn float_solver(&self) -> Result<Solver<'_>> {
        // SAFETY: the context is live, the tactic its own and referred to until the solver is made;
        // the name ends with a zero byte.
        let solver = unsafe {
            let tactic = made(Z3_mk_tactic(self.raw, c"qffpbv".as_ptr()))?;
            Z3_tactic_inc_ref(self.raw, tactic);
            let solver = Z3_mk_solver_from_tactic(self.raw, tactic);
            Z3_tactic_dec_ref(self.raw, tactic);
            solver
        };
        Solver::keep(self, made(solver)?)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is live, and nothing made in it outlives it: all objects borrow it.
        unsafe { Z3_del_context(self.raw) };
    }
}

/// Functions whose arguments are terms, after as many numbers as the part in brackets names.
macro_rules! functions {
    ($($name:ident[$($number:ident),*]($($operand:ident),*) = $call:ident;)+) => {
        impl Context {
            $(
                #[doc = concat!("`", stringify!($call), "`.")]
                pub fn $name(
                    &self,
                    $($number: u32,)*
                    $($operand: Ast<'_>,)*
                ) -> Result<Ast<'_>> {
                    $(let $operand = self.own($operand);)*
                    // SAFETY: the context is live, the terms are its own.
                    self.ast(unsafe { $call(self.raw $(, $number)* $(, $operand)*) })
                }
            )+
        }
    };
}

functions! {
    truth[]() = Z3_mk_true;
    falsehood[]() = Z3_mk_false;
    not[](a) = Z3_mk_not;
    iff[](a, b) = Z3_mk_iff;
    xor[](a, b) = Z3_mk_xor;
    equal[](a, b) = Z3_mk_eq;
    if_then_else[](condition, yes, no) = Z3_mk_ite;

    concat[](high, low) = Z3_mk_concat;
    zero_extend[more](a) = Z3_mk_zero_ext;
    sign_extend[more](a) = Z3_mk_sign_ext;
    bits_not[](a) = Z3_mk_bvnot;
    bits_and[](a, b) = Z3_mk_bvand;
    bits_or[](a, b) = Z3_mk_bvor;
    bits_xor[](a, b) = Z3_mk_bvxor;
    add[](a, b) = Z3_mk_bvadd;
    subtract[](a, b) = Z3_mk_bvsub;
    multiply[](a, b) = Z3_mk_bvmul;
    unsigned_divide[](a, b) = Z3_mk_bvudiv;
    signed_divide[](a, b) = Z3_mk_bvsdiv;
    unsigned_remainder[](a, b) = Z3_mk_bvurem;
    signed_remainder[](a, b) = Z3_mk_bvsrem;
    shift_left[](a, b) = Z3_mk_bvshl;
    logical_shift_right[](a, b) = Z3_mk_bvlshr;
    arithmetic_shift_right[](a, b) = Z3_mk_bvashr;
    unsigned_less[](a, b) = Z3_mk_bvult;
    unsigned_less_or_equal[](a, b) = Z3_mk_bvule;
    unsigned_greater[](a, b) = Z3_mk_bvugt;
    unsigned_greater_or_equal[](a, b) = Z3_mk_bvuge;
    signed_less[](a, b) = Z3_mk_bvslt;
    signed_less_or_equal[](a, b) = Z3_mk_bvsle;
    signed_greater[](a, b) = Z3_mk_bvsgt;
    signed_greater_or_equal[](a, b) = Z3_mk_bvsge;

    nearest_even[]() = Z3_mk_fpa_rne;
    nearest_away[]() = Z3_mk_fpa_rna;
    upward[]() = Z3_mk_fpa_rtp;
    downward[]() = Z3_mk_fpa_rtn;
    toward_zero[]() = Z3_mk_fpa_rtz;
    float_add[](mode, a, b) = Z3_mk_fpa_add;
    float_subtract[](mode, a, b) = Z3_mk_fpa_sub;
    float_multiply[](mode, a, b) = Z3_mk_fpa_mul;
    float_divide[](mode, a, b) = Z3_mk_fpa_div;
    float_multiply_add[](mode, a, b, c) = Z3_mk_fpa_fma;
    square_root[](mode, a) = Z3_mk_fpa_sqrt;
    round_to_integral[](mode, a) = Z3_mk_fpa_round_to_integral;
    float_less[](a, b) = Z3_mk_fpa_lt;
    float_less_or_equal[](a, b) = Z3_mk_fpa_leq;
    float_greater_or_equal[](a, b) = Z3_mk_fpa_geq;
    is_nan[](a) = Z3_mk_fpa_is_nan;
    float_to_pattern[](a) = Z3_mk_fpa_to_ieee_bv;
}

/// Conversions: functions whose last argument is the sort of the result.
macro_rules! conversions {
    ($($name:ident($($operand:ident),+) = $call:ident;)+) => {
        impl Context {
            $(
                #[doc = concat!("`", stringify!($call), "`.")]
                pub fn $name(&self, $($operand: Ast<'_>,)+ sort: Sort<'_>) -> Result<Ast<'_>> {
                    $(let $operand = self.own($operand);)+
                    let sort = self.z3_sort(sort);
                    // SAFETY: the context is live, the terms and the sort are its own.
                    self.ast(unsafe { $call(self.raw $(, $operand)+, sort) })
                }
            )+
        }
    };
}

conversions! {
    pattern_to_float(a) = Z3_mk_fpa_to_fp_bv;
    float_to_float(mode, a) = Z3_mk_fpa_to_fp_float;
    signed_to_float(mode, a) = Z3_mk_fpa_to_fp_signed;
    unsigned_to_float(mode, a) = Z3_mk_fpa_to_fp_unsigned;
}

impl Context {
    /// The integer of `width` bits that a number rounds to.
    pub fn float_to_signed(&self, mode: Ast<'_>, a: Ast<'_>, width: u32) -> Result<Ast<'_>> {
        let (mode, a) = (self.own(mode), self.own(a));
        // SAFETY: the context is live, the terms are its own.
        self.ast(unsafe { Z3_mk_fpa_to_sbv(self.raw, mode, a, width) })
    }

    /// The integer without sign of `width` bits that a number rounds to.
    pub fn float_to_unsigned(&self, mode: Ast<'_>, a: Ast<'_>, width: u32) -> Result<Ast<'_>> {
        let (mode, a) = (self.own(mode), self.own(a));
        // SAFETY: the context is live, the terms are its own.
        self.ast(unsafe { Z3_mk_fpa_to_ubv(self.raw, mode, a, width) })
    }
}

/// Result of a check.
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

/// A solver, referred to once for as long as this lives.
pub(super) struct Solver<'c> {
    context: &'c Context,
    raw: Z3_solver,
}

impl<'c> Solver<'c> {
    fn keep(context: &'c Context, raw: Z3_solver) -> Result<Solver<'c>> {
        // SAFETY: the context is live, the solver its own; `drop` gives the reference back.
        unsafe { Z3_solver_inc_ref(context.raw, raw) };
        Ok(Solver { context, raw })
    }

    /// A Boolean term must hold.
    pub fn assert(&self, condition: Ast<'_>) {
        let condition = self.context.own(condition);
        // SAFETY: the context is live, the solver and the term are its own.
        unsafe { Z3_solver_assert(self.context.raw, self.raw, condition) };
    }

    /// Limits of the next check; no `units` of Z3's resource count means that they are unlimited.
    pub fn set_limits(&self, milliseconds: u32, units: u32) -> Result<()> {
        let c = self.context.raw;
        // SAFETY: the context is live, the solver, parameters and symbols are its own; the
        // parameters are referred to until they were read; the names end with a zero byte.
        unsafe {
            let parameters = made(Z3_mk_params(c))?;
            Z3_params_inc_ref(c, parameters);
            let set = [(c"timeout", milliseconds), (c"rlimit", units)]
                .into_iter()
                .try_for_each(|(name, value)| {
                    let name = made(Z3_mk_string_symbol(c, name.as_ptr()))?;
                    Z3_params_set_uint(c, parameters, name, value);
                    Ok(())
                });
            Z3_solver_set_params(c, self.raw, parameters);
            Z3_params_dec_ref(c, parameters);
            set
        }
    }

    /// Checks whether the assertions are satisfiable.
    pub fn check(&self) -> Verdict {
        // SAFETY: the context is live, the solver its own.
        match unsafe { Z3_solver_check(self.context.raw, self.raw) } {
            Z3_L_TRUE => Verdict::Satisfiable,
            Z3_L_FALSE => Verdict::Unsatisfiable,
            _ => Verdict::Unknown,
        }
    }

    /// Returns the resource units that Z3 has used in this context, which do not depend on the
    /// machine; 0 if Z3 does not report them.
    pub fn resource_count(&self) -> u32 {
        let c = self.context.raw;
        let mut count = 0;
        // SAFETY: the context is live, the solver its own; the statistics are referred to until
        // they were read, with indexes below their number; a key that is not null ends with a zero
        // byte and is valid until Z3's next call.
        unsafe {
            let Some(statistics) = Z3_solver_get_statistics(c, self.raw) else {
                return 0;
            };
            Z3_stats_inc_ref(c, statistics);
            for index in 0..Z3_stats_size(c, statistics) {
                let key = Z3_stats_get_key(c, statistics, index);
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

    /// After `Satisfiable`: a value for each of these terms, which have at most 64 bits.
    pub fn values(&self, terms: &[Ast<'_>]) -> Result<Vec<u64>> {
        let c = self.context.raw;
        let terms = self.context.z3_asts(terms);
        // SAFETY: the context is live, the solver, the model and the terms are its own; the model
        // is referred to until it was read, and Z3 writes to variables that outlive the calls.
        unsafe {
            let model = made(Z3_solver_get_model(c, self.raw))?;
            Z3_model_inc_ref(c, model);
            let value_of = |&term: &Z3_ast| {
                let (mut value, mut number) = (term, 0);
                let known = Z3_model_eval(c, model, term, true, &mut value)
                    && Z3_get_numeral_uint64(c, value, &mut number);
                made(known.then_some(number))
            };
            let values = terms.iter().map(value_of).collect();
            Z3_model_dec_ref(c, model);
            values
        }
    }

    /// After `Unknown`: Z3's word for why, if it has one.
    pub fn reason(&self) -> Option<String> {
        // SAFETY: the context is live, the solver its own; a string that is not null ends with a
        // zero byte and is valid until Z3's next call.
        unsafe {
            let text = Z3_solver_get_reason_unknown(self.context.raw, self.raw);
            let text = (!text.is_null()).then(|| CStr::from_ptr(text))?;
            Some(text.to_string_lossy().into_owned())
        }
    }

    /// Asserts what an SMT-LIB script asserts, read by Z3's own parser.
    #[cfg(test)]
    pub fn assert_text(&self, script: &str) -> Result<()> {
        let c = self.context.raw;
        let text = CString::new(script).map_err(|_| NoObject)?;
        let (null, names) = (std::ptr::null(), std::ptr::null());
        // SAFETY: the context is live, the solver and all formulas are its own; the text lives
        // until the call returns, there are no sorts and declarations; the formulas are referred
        // to.
        unsafe {
            let formulas = Z3_parse_smtlib2_string(
                c,
                text.as_ptr(),
                0,
                names,
                std::ptr::null(),
                0,
                names,
                null,
            );
            let formulas = made(formulas)?;
            Z3_ast_vector_inc_ref(c, formulas);
            for index in 0..Z3_ast_vector_size(c, formulas) {
                let formula = made(Z3_ast_vector_get(c, formulas, index))?;
                Z3_solver_assert(c, self.raw, formula);
            }
        }
        Ok(())
    }
}

impl Drop for Solver<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is live, and `keep` took a reference.
        unsafe { Z3_solver_dec_ref(self.context.raw, self.raw) };
    }
}
