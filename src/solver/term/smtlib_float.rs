//! Floating-point operators as SMT-LIB text, with Z3's extension `fp.to_ieee_bv`.
//!
//! The translation equals the SMT process's: patterns become numbers for one operation; NaN
//! patterns are the same as in `ops::float`; remainders and conversions to more than 64 bits have
//! no translation.

use homi_ir::ops::float::{
    FloatCmp, FloatFunction, FloatKind, FloatOp, FloatUnary, range_of_integer,
};
use homi_ir::ops::mask;

/// `function` on operands; `None` if there is no translation.
pub(super) fn print(function: FloatFunction, operands: &[String]) -> Option<String> {
    let names = ["?a", "?b", "?c"];
    let bindings = names.iter().zip(operands);
    let bindings: Vec<String> = bindings
        .map(|(name, value)| format!("({name} {value})"))
        .collect();
    let names = &names[..operands.len()];
    let number = |kind, at: usize| real(kind, names[at]);
    let body = match function {
        FloatFunction::Binary(op, kind) => {
            let op = match op {
                FloatOp::Add => "add",
                FloatOp::Sub => "sub",
                FloatOp::Mul => "mul",
                FloatOp::Div => "div",
                _ => return None,
            };
            let result = format!("(fp.{op} RNE {} {})", number(kind, 0), number(kind, 1));
            pattern(kind, &result, names)
        }
        FloatFunction::Unary(op, kind) => {
            let name = match op {
                FloatUnary::Sqrt => "sqrt RNE",
                FloatUnary::Ceil => "roundToIntegral RTP",
                FloatUnary::Floor => "roundToIntegral RTN",
                FloatUnary::Trunc => "roundToIntegral RTZ",
                FloatUnary::Round => "roundToIntegral RNA",
                _ => "roundToIntegral RNE",
            };
            pattern(kind, &format!("(fp.{name} {})", number(kind, 0)), names)
        }
        FloatFunction::MultiplyAdd(kind) => {
            let [a, b, c] = [0, 1, 2].map(|at| number(kind, at));
            pattern(kind, &format!("(fp.fma RNE {a} {b} {c})"), names)
        }
        FloatFunction::Convert { from, to } => {
            let result = format!("({} RNE {})", sort(to), number(from, 0));
            let value = pattern(to, &result, &[]);
            format!(
                "(ite {} {} {value})",
                is_nan(from, "?a"),
                converted(from, to)
            )
        }
        FloatFunction::FromInteger { is_signed, to, .. } => {
            let sort = if is_signed {
                sort(to)
            } else {
                sort(to).replace("to_fp", "to_fp_unsigned")
            };
            pattern(to, &format!("({sort} RNE ?a)"), &[])
        }
        FloatFunction::ToInteger { width, .. } if width > 64 => return None,
        FloatFunction::ToInteger {
            from,
            is_signed,
            width,
        } => to_integer(from, is_signed, width.into()),
    };
    Some(format!("(let ({}) {body})", bindings.join(" ")))
}

fn constant(width: u32, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

fn sort(kind: FloatKind) -> String {
    format!("(_ to_fp {} {})", kind.exponent_bits(), kind.precision())
}

fn bits(a: &str, high: u32, low: u32) -> String {
    format!("((_ extract {high} {low}) {a})")
}

fn real(kind: FloatKind, a: &str) -> String {
    if kind != FloatKind::X87 {
        return format!("({} {a})", sort(kind));
    }
    let (exponent, integer) = (bits(a, 78, 64), bits(a, 63, 63));
    let (zero, one) = (constant(15, 0), constant(15, 1));
    let carried = format!("(and (= {exponent} {zero}) (= {integer} #b1))");
    let exponent = format!("(ite {carried} {one} {exponent})");
    let rest = bits(a, 62, 0);
    format!(
        "({} (concat {} (concat {exponent} {rest})))",
        sort(kind),
        bits(a, 79, 79)
    )
}

fn is_nan(kind: FloatKind, a: &str) -> String {
    let width = kind.width() - 1;
    let magnitude = bits(a, width - 1, 0);
    let infinity = constant(width, kind.infinity());
    if kind != FloatKind::X87 {
        return format!("(bvugt {magnitude} {infinity})");
    }
    let (exponent, integer) = (bits(a, 78, 64), bits(a, 63, 63));
    let special = format!("(= {exponent} {})", constant(15, 0x7fff));
    let no_number = format!(
        "(and (= {integer} #b0) (not (= {exponent} {})))",
        constant(15, 0)
    );
    format!("(ite {special} (not (= {magnitude} {infinity})) {no_number})")
}

/// `value` for an x87 NaN with its integer bit and for all other NaN, `instead` without.
fn if_meant(kind: FloatKind, a: &str, value: String, instead: String) -> String {
    match kind {
        FloatKind::X87 => format!("(ite (= {} #b1) {value} {instead})", bits(a, 63, 63)),
        _ => value,
    }
}

fn pattern(kind: FloatKind, result: &str, operands: &[&str]) -> String {
    let width = kind.width();
    let number = match kind {
        FloatKind::X87 => {
            let zero = constant(15, 0);
            let integer = format!("(ite (= {} {zero}) #b0 #b1)", bits("?i", 77, 63));
            let high = format!("(concat {} {integer})", bits("?i", 78, 63));
            let joined = format!("(concat {high} {})", bits("?i", 62, 0));
            format!("(let ((?i (fp.to_ieee_bv ?r))) {joined})")
        }
        _ => "(fp.to_ieee_bv ?r)".to_string(),
    };
    let default = || constant(width, kind.default_nan());
    let mut text = format!("(ite (fp.isNaN ?r) {} {number})", default());
    for a in operands.iter().rev() {
        let quiet = format!("(bvor {a} {})", constant(width, kind.quiet_bit()));
        let quiet = if_meant(kind, a, quiet, default());
        text = format!("(ite {} {quiet} {text})", is_nan(kind, a));
    }
    format!("(let ((?r {result})) {text})")
}

fn converted(from: FloatKind, to: FloatKind) -> String {
    let (have, want) = (from.precision() - 1, to.precision() - 1);
    let payload = if want > have {
        format!(
            "(concat {} {})",
            bits("?a", have - 1, 0),
            constant(want - have, 0)
        )
    } else {
        bits("?a", have - 1, have - want)
    };
    let middle = to.width() - 1 - want;
    let ones = constant(middle, to.infinity() >> want & mask(middle));
    let sign = bits("?a", from.width() - 1, from.width() - 1);
    let joined = format!("(concat {sign} (concat {ones} {payload}))");
    let quiet = format!("(bvor {joined} {})", constant(to.width(), to.quiet_bit()));
    if_meant(from, "?a", quiet, constant(to.width(), to.default_nan()))
}

fn to_integer(from: FloatKind, is_signed: bool, width: u32) -> String {
    let (low, high) = range_of_integer(from, is_signed, width);
    let limit = |bits| real(from, &constant(from.width(), bits));
    let below = match low.0 {
        FloatCmp::Oge => "fp.lt",
        _ => "fp.leq",
    };
    let (least, most, name) = if is_signed {
        (1 << (width - 1), mask(width) >> 1, "fp.to_sbv")
    } else {
        (0, mask(width), "fp.to_ubv")
    };
    let (least, most) = (constant(width, least), constant(width, most));
    let value = format!("((_ {name} {width}) RTZ ?x)");
    let value = format!("(ite (fp.geq ?x {}) {most} {value})", limit(high.1));
    let value = format!("(ite ({below} ?x {}) {least} {value})", limit(low.1));
    let value = format!(
        "(ite {} {} {value})",
        is_nan(from, "?a"),
        constant(width, 0)
    );
    format!("(let ((?x {})) {value})", real(from, "?a"))
}
