//! putchar, puts and printf for programs without a libc.
//!
//! Invariant: nothing here constrains the path: symbolic values print as the model's. Only what
//! harnesses commonly print is understood: integers, characters, strings, pointers and fixed-point
//! doubles, with flags, width and precision. Other conversions are an unsupported feature.

use super::{BuiltinCall, Outcome};
use crate::memory::{ByteValue, Value};
use crate::outcome::Termination;
use homi_ir::ops::signed;

/// An argument's value on the model, with its width in bits.
fn shown(call: &BuiltinCall<'_, '_, '_>, index: usize) -> (u128, u32) {
    match call.args.get(index) {
        Some(&(Value::Concrete(value), width)) => (value, width),
        Some(&(Value::Term(term), width)) => (call.example(term), width),
        None => (0, 64),
    }
}

pub(super) fn putchar(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let byte = shown(call, 0).0 as u8;
    call.console.output(1, &[byte]);
    Ok(Outcome::number(u64::from(byte)))
}

pub(super) fn fflush(_: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(0))
}

/// The string at an address as the model has it, at most `limit` bytes.
fn string(
    call: &BuiltinCall<'_, '_, '_>,
    address: u64,
    limit: usize,
) -> Result<Vec<u8>, Termination> {
    let mut bytes = Vec::new();
    while bytes.len() < limit {
        let at = address.wrapping_add(bytes.len() as u64);
        let byte = match call.state.memory.read_byte(call.terms(), at) {
            Ok(ByteValue::Concrete(byte)) => byte,
            Ok(ByteValue::Term(term)) => call.example(term) as u8,
            Err(error) => return Err(call.prepared.read_failed(call.state, *error)),
        };
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    Ok(bytes)
}

pub(super) fn puts(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mut line = string(call, shown(call, 0).0 as u64, usize::MAX)?;
    line.push(b'\n');
    call.console.output(1, &line);
    Ok(Outcome::number(line.len() as u64))
}

/// One conversion of a format.
#[derive(Default)]
struct Conversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Width in bits of an integer argument, by the length modifier.
    bits: u32,
    kind: u8,
}

pub(super) fn printf(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let format = string(call, shown(call, 0).0 as u64, usize::MAX)?;
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    let mut next = 1;
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let conversion = parse(call, &mut rest, &mut next);
        if conversion.kind == b'%' {
            out.push(b'%');
            continue;
        }
        let body = convert(call, &conversion, next)?;
        next += 1;
        pad(&mut out, body, &conversion);
    }
    call.console.output(1, &out);
    Ok(Outcome::number(out.len() as u64))
}

fn parse(
    call: &BuiltinCall<'_, '_, '_>,
    rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>,
    next: &mut usize,
) -> Conversion {
    let mut conversion = Conversion {
        bits: 32,
        ..Conversion::default()
    };
    while let Some(flag) = rest.next_if(|byte| b"-0+ #".contains(byte)) {
        match flag {
            b'-' => conversion.left = true,
            b'0' => conversion.zero = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            _ => conversion.alternate = true,
        }
    }
    let mut number = |rest: &mut std::iter::Peekable<_>| {
        if rest.next_if_eq(&b'*').is_some() {
            let value = shown(call, *next).0 as i32;
            *next += 1;
            return i64::from(value);
        }
        let mut value = 0;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            value = (value * 10 + i64::from(digit - b'0')).min(1 << 20);
        }
        value
    };
    let width = number(rest);
    conversion.left |= width < 0;
    conversion.width = width.unsigned_abs() as usize;
    if rest.next_if_eq(&b'.').is_some() {
        conversion.precision = usize::try_from(number(rest)).ok();
    }
    while let Some(modifier) = rest.next_if(|byte| b"hlzjtLq".contains(byte)) {
        conversion.bits = match (modifier, conversion.bits) {
            (b'h', 16) => 8,
            (b'h', _) => 16,
            _ => 64,
        };
    }
    conversion.kind = rest.next().unwrap_or(b'%');
    conversion
}

fn convert(
    call: &BuiltinCall<'_, '_, '_>,
    conversion: &Conversion,
    index: usize,
) -> Result<Vec<u8>, Termination> {
    let (value, width) = shown(call, index);
    let bits = conversion.bits.min(width);
    let unsigned = value & homi_ir::ops::mask(bits);
    let digits = |text: String| match conversion.precision {
        Some(least) => format!("{text:0>least$}"),
        None => text,
    };
    let sign = |negative: bool| match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    let prefix = |prefix: &'static str| {
        if conversion.alternate && unsigned != 0 {
            prefix
        } else {
            ""
        }
    };
    let text = match conversion.kind {
        b'd' | b'i' => {
            let number = signed(bits, unsigned);
            let text = digits(number.unsigned_abs().to_string());
            format!("{}{text}", sign(number < 0))
        }
        b'u' => digits(unsigned.to_string()),
        b'x' => format!("{}{}", prefix("0x"), digits(format!("{unsigned:x}"))),
        b'X' => format!("{}{}", prefix("0X"), digits(format!("{unsigned:X}"))),
        b'o' => format!("{}{}", prefix("0"), digits(format!("{unsigned:o}"))),
        b'p' => format!("{value:#x}"),
        b'c' => return Ok(vec![value as u8]),
        b's' => {
            let limit = conversion.precision.unwrap_or(usize::MAX);
            return string(call, value as u64, limit);
        }
        b'f' | b'F' if width == 64 => {
            let number = f64::from_bits(value as u64);
            let precision = conversion.precision.unwrap_or(6);
            format!(
                "{}{:.precision$}",
                sign(number.is_sign_negative()),
                number.abs()
            )
        }
        other => {
            return Err(call.unsupported(format!(
                "printf conversion %{} without a libc",
                char::from(other)
            )));
        }
    };
    Ok(text.into_bytes())
}

fn pad(out: &mut Vec<u8>, body: Vec<u8>, conversion: &Conversion) {
    let missing = conversion.width.saturating_sub(body.len());
    let numeric = b"diuxXofF".contains(&conversion.kind);
    let integer = numeric && !b"fF".contains(&conversion.kind);
    let zeros = conversion.zero
        && !conversion.left
        && numeric
        && !(integer && conversion.precision.is_some());
    if zeros {
        // Zeros go between the sign or prefix and the digits.
        let signed = matches!(body.first(), Some(b'-' | b'+' | b' '));
        let prefixed = matches!(body.get(1), Some(b'x' | b'X'));
        let head = if prefixed { 2 } else { usize::from(signed) };
        out.extend_from_slice(&body[..head]);
        out.resize(out.len() + missing, b'0');
        out.extend_from_slice(&body[head..]);
        return;
    }
    if !conversion.left {
        out.resize(out.len() + missing, b' ');
    }
    out.extend_from_slice(&body);
    if conversion.left {
        out.resize(out.len() + missing, b' ');
    }
}
