//! Values of memory as literals of C.

/// Returns an integer or a character of a type as C writes it, from its bytes in the memory of
/// x86-64; `None` for a type that is no integer of at most eight bytes.
pub(super) fn integer(name: &str, bytes: &[u8]) -> Option<String> {
    let unsigned = unsigned(bytes)?;
    let bits = bytes.len() as u32 * 8;
    let signed = ((unsigned << (64 - bits)) as i64) >> (64 - bits);
    Some(match name {
        "char" | "signed char" => character(signed),
        "short" | "int" if signed == i64::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
        "short" | "int" => signed.to_string(),
        "long" if signed == i64::MIN => "(-9223372036854775807L - 1)".to_string(),
        "long" => format!("{signed}L"),
        "unsigned char" | "unsigned short" => unsigned.to_string(),
        "unsigned int" => format!("{unsigned}U"),
        "unsigned long" => format!("{unsigned}UL"),
        _ => return None,
    })
}

/// Returns a number with its lowest byte first.
fn unsigned(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)),
    )
}

fn character(value: i64) -> String {
    match u8::try_from(value) {
        Ok(b'\'') => "'\\''".to_string(),
        Ok(b'\\') => "'\\\\'".to_string(),
        Ok(b'\n') => "'\\n'".to_string(),
        Ok(byte @ b' '..=b'~') => format!("'{}'", char::from(byte)),
        _ => value.to_string(),
    }
}

/// Returns a floating-point number exactly; `None` for a type that is neither `float` nor `double`.
pub(super) fn float(name: &str, bytes: &[u8]) -> Option<String> {
    let (value, suffix) = match name {
        "float" => (f64::from(f32::from_le_bytes(bytes.try_into().ok()?)), "f"),
        "double" => (f64::from_le_bytes(bytes.try_into().ok()?), ""),
        _ => return None,
    };
    Some(if value.is_nan() {
        format!("__builtin_nan{suffix}(\"\")")
    } else if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}__builtin_inf{suffix}()")
    } else if value == value.trunc()
        && value.abs() < 1e9
        && (value != 0.0 || value.is_sign_positive())
    {
        format!("{value:.1}{suffix}")
    } else {
        format!("{}{suffix}", hexadecimal(value))
    })
}

/// Returns a `double` with these bits as C writes it.
pub fn double(bits: u64) -> String {
    float("double", &bits.to_le_bytes()).unwrap_or_default()
}

fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52) & 0x7ff {
        0 => format!("{sign}0x0.{fraction:013x}p-1022"),
        exponent => format!("{sign}0x1.{fraction:013x}p{}", exponent as i64 - 1023),
    }
}

/// Returns bytes as a text of C without its quotes.
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_exact_and_readable() {
        let int = |value: i32| integer("int", &value.to_le_bytes()).expect("an integer");
        assert_eq!([int(-5), int(i32::MIN)], ["-5", "(-2147483647 - 1)"]);
        assert_eq!(integer("char", b"'").as_deref(), Some("'\\''"));
        assert_eq!(integer("char", &[0xff]).as_deref(), Some("-1"));
        assert_eq!(
            integer("unsigned long", &[1, 0, 0, 0, 0, 0, 0, 1]).as_deref(),
            Some("72057594037927937UL")
        );
        assert_eq!(integer("float", &[0; 4]), None);
        let double = |value: f64| float("double", &value.to_le_bytes()).expect("a number");
        assert_eq!([double(5.0), double(0.1)], ["5.0", "0x1.999999999999ap-4"]);
        assert_eq!(double(-0.0), "-0x0.0000000000000p-1022");
        assert_eq!(text(b"a\"\x01?"), "a\\\"\\001\\?");
    }
}
