//! Values of the functions `__VERIFIER_nondet_...` as constants of C.

use crate::export::verifier_inputs::{Form, TYPES};

/// Prefix of the functions.
pub(super) const PREFIX: &str = "__VERIFIER_nondet_";

/// Returns type and form of a function's result by the end of its name; `None` for pointers, to
/// which no constant of C is equal.
fn row(end: &str) -> Option<(&'static str, Form)> {
    let (_, written, form) = TYPES.iter().find(|(name, ..)| *name == end)?;
    (!written.ends_with('*')).then_some((*written, *form))
}

/// True for the name of a function that gives an input.
pub fn is_input(function: &str) -> bool {
    function.starts_with(PREFIX)
}

/// Returns the type of a function's result, as programs write it.
pub(super) fn type_of(function: &str) -> Option<&'static str> {
    row(function.strip_prefix(PREFIX)?).map(|(written, _)| written)
}

/// Returns a result of a function as a constant of C; `None` if no constant is equal to it.
pub(super) fn constant(function: &str, value: u128, width: u32) -> Option<String> {
    let (_, form) = row(function.strip_prefix(PREFIX)?)?;
    if !(1..=64).contains(&width) {
        return None;
    }
    let unused = 64 - width;
    let bits = (value as u64) << unused >> unused;
    match form {
        Form::Truth => Some((bits & 1).to_string()),
        Form::Unsigned => Some(bits.to_string()),
        Form::Signed => Some((((bits << unused) as i64) >> unused).to_string()),
        Form::Float => hexadecimal(f64::from(f32::from_bits(bits as u32)), "f"),
        Form::Double => hexadecimal(f64::from_bits(bits), ""),
    }
}

/// Returns the size in bytes of a result by the end of the function's name and its type.
fn size(end: &str, written: &str, is_narrow: bool) -> usize {
    match written {
        _ if ["u64", "S64"].contains(&end) => 8,
        "_Bool" | "char" | "signed char" | "unsigned char" => 1,
        "short" | "unsigned short" => 2,
        "long" | "unsigned long" | "size_t" | "sector_t" if is_narrow => 4,
        "int" | "unsigned int" | "float" => 4,
        "__int128" | "unsigned __int128" => 16,
        _ => 8,
    }
}

/// Returns the bytes in memory of a constant of C as a value of the function whose name ends so.
pub(super) fn bytes(end: &str, constant: &str, is_narrow: bool) -> Option<Vec<u8>> {
    let (written, form) = row(end)?;
    let size = size(end, written, is_narrow);
    let inner = constant.trim_matches(['(', ')']);
    match form {
        Form::Float => return Some((float(inner)? as f32).to_le_bytes().to_vec()),
        Form::Double => return Some(float(inner)?.to_le_bytes().to_vec()),
        Form::Truth | Form::Signed | Form::Unsigned => {}
    }
    let digits = inner.trim_end_matches(['u', 'U', 'l', 'L']);
    let value: i128 = digits.parse().ok()?;
    Some(value.to_le_bytes()[..size].to_vec())
}

/// Reads a decimal or hexadecimal constant of a floating type.
fn float(constant: &str) -> Option<f64> {
    let (sign, rest) = match constant.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, constant),
    };
    let Some(hexadecimal) = rest.strip_prefix("0x") else {
        return Some(
            sign * rest
                .trim_end_matches(['f', 'F', 'l', 'L'])
                .parse::<f64>()
                .ok()?,
        );
    };
    let (digits, exponent) = hexadecimal.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // 13 digits are the precision of a double.
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent: i32 = exponent
        .trim_end_matches(['f', 'F', 'l', 'L'])
        .parse()
        .ok()?;
    let scale = exponent - 4 * i32::try_from(fraction.len()).ok()?;
    // Two steps, since the smallest scale alone is no double.
    let half = scale / 2;
    Some(sign * mantissa as f64 * 2f64.powi(half) * 2f64.powi(scale - half))
}

/// Returns a finite number as a hexadecimal constant of C.
fn hexadecimal(number: f64, suffix: &str) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    let (lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    Some(format!("{sign}0x{lead}.{fraction:013x}p{exponent}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_constants_of_their_type() {
        let of = |name: &str, value, width| constant(&format!("{PREFIX}{name}"), value, width);
        assert_eq!(of("int", 0xffff_fffb, 32).as_deref(), Some("-5"));
        assert_eq!(of("uint", 0xffff_fffb, 32).as_deref(), Some("4294967291"));
        assert_eq!(of("char", 0x80, 8).as_deref(), Some("-128"));
        assert_eq!(of("long", u64::MAX.into(), 64).as_deref(), Some("-1"));
        assert_eq!(of("long", 0x8000_0000, 32).as_deref(), Some("-2147483648"));
        assert_eq!(of("bool", 3, 1).as_deref(), Some("1"));
        let double = |number: f64| of("double", number.to_bits().into(), 64);
        assert_eq!(double(1.5).as_deref(), Some("0x1.8000000000000p0"));
        assert_eq!(double(-0.0).as_deref(), Some("-0x0.0000000000000p0"));
        assert_eq!(double(f64::NAN), None);
        let float = |number: f32| of("float", number.to_bits().into(), 32);
        assert_eq!(float(0.25).as_deref(), Some("0x1.0000000000000p-2f"));
        let read = |end: &str, text: &str| bytes(end, text, false);
        assert_eq!(read("int", "-5"), Some((-5i32).to_le_bytes().to_vec()));
        assert_eq!(
            read("uint", "(4294967291U)"),
            Some((-5i32).to_le_bytes().to_vec())
        );
        assert_eq!(bytes("long", "-1", true), Some(vec![255; 4]));
        for number in [1.5, -0.0, 5e-324, f64::MAX, 0.1] {
            let text = double(number).expect("a constant");
            assert_eq!(
                read("double", &text),
                Some(number.to_le_bytes().to_vec()),
                "{text}"
            );
        }
        assert_eq!(
            read("float", "0x1.0p-2f"),
            Some(0.25f32.to_le_bytes().to_vec())
        );
        assert_eq!(of("pointer", 4096, 64), None);
        assert_eq!(of("int128", 1, 128), None);
    }
}
