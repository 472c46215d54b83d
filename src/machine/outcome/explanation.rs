//! Operands of a failed check in words, with the values of a test.
//!
//! Invariant: the words are UBSan's where it has the check, and depend on the model only by the
//! values of operands.

use crate::memory::Value;
use homi_ir::ops::{mask, signed};
use homi_solver::term::{Model, Terms};

/// Operation of a failed check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// `a OP b` that does not fit; the sign of the operator.
    Sum(&'static str),
    /// `-a` that does not fit.
    Negation,
    /// `a / b`, with `b` 0 or a quotient that does not fit.
    Quotient,
    /// `a << b` or `a >> b`.
    Shift,
    /// `array[a]`; the type is the array's.
    Index,
    /// The length of a variable-length array.
    Length,
    /// A float that an integer type does not hold.
    FloatCast,
    /// A value that its type does not have.
    Load,
    /// An implicit conversion of `a` whose result is `b`.
    Conversion,
    /// An access at an address: what it does, and the bytes of the alignment that the type needs.
    Access { does: &'static str, alignment: u64 },
    /// A sum of a pointer and an offset, with the result.
    PointerSum,
    /// A floating-point operation, by its sign or function.
    Float(&'static str),
    /// A comparison or difference of pointers into two of these objects.
    Relation(&'static str, Vec<Target>),
    /// A pointer into one of these objects, and the sum that is not in it.
    Range(Vec<Target>),
    /// A size in bytes.
    Allocation,
    /// Anything else, in words.
    Words(String),
}

/// Object that a pointer of a check may point into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub base: u64,
    pub size: u64,
    pub name: String,
}

impl Target {
    fn of(all: &[Target], pointer: u128) -> Option<&Target> {
        all.iter()
            .find(|one| (pointer as u64).wrapping_sub(one.base) <= one.size)
    }

    fn words(&self) -> String {
        format!("{} ({})", self.name, count_of_bytes(self.size))
    }
}

fn count_of_bytes(bytes: u64) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}

/// Form of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    Signed,
    Unsigned,
    Float,
}

/// Value of a check with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    pub value: Value,
    /// Bits of the value.
    pub width: u32,
    pub form: Form,
    /// The type's name, with quotes.
    pub type_name: String,
}

impl Operand {
    /// A number of an instruction, with the type that C has for its width.
    pub fn of_instruction(value: Value, width: u32, is_signed: bool) -> Self {
        let sign = if is_signed { "" } else { "unsigned " };
        let name = match width {
            32 => format!("'{sign}int'"),
            64 => format!("'{sign}long'"),
            _ => format!("'{sign}_BitInt({width})'"),
        };
        Self {
            value,
            width,
            form: if is_signed {
                Form::Signed
            } else {
                Form::Unsigned
            },
            type_name: name,
        }
    }

    fn bits(&self, terms: &Terms, model: &Model) -> u128 {
        match self.value {
            Value::Concrete(bits) => bits,
            Value::Term(term) => terms.eval(term, model),
        }
    }

    fn is_negative(&self, bits: u128) -> bool {
        self.form == Form::Signed && signed(self.width, bits) < 0
    }

    fn text(&self, bits: u128) -> String {
        match (&self.form, self.width) {
            (Form::Signed, width) => signed(width, bits).to_string(),
            (Form::Float, 32) => general(f64::from(f32::from_bits(bits as u32))),
            (Form::Float, 64) => general(f64::from_bits(bits as u64)),
            (Form::Float, _) => "a value".to_string(),
            (Form::Unsigned, width) => (bits & mask(width)).to_string(),
        }
    }
}

/// Digits of a float that are shown.
const DIGITS: usize = 6;

/// Returns a float as C prints it with `%g`.
fn general(value: f64) -> String {
    if !value.is_finite() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" });
    }
    let scientific = format!("{value:.*e}", DIGITS - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text.to_string()
        }
    };
    if (-4..DIGITS as i32).contains(&exponent) {
        let decimals = (DIGITS as i32 - 1 - exponent) as usize;
        return trimmed(&format!("{value:.decimals$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

/// Operation and operands of a failed check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    pub checked: Checked,
    pub operands: Vec<Operand>,
}

impl Explanation {
    /// An explanation without values.
    pub fn words(text: impl Into<String>) -> Self {
        Self {
            checked: Checked::Words(text.into()),
            operands: Vec::new(),
        }
    }

    /// Returns the explanation with the values that a model has; empty if an operand is missing.
    pub fn text(&self, terms: &Terms, model: &Model) -> String {
        let bits: Vec<u128> = self
            .operands
            .iter()
            .map(|one| one.bits(terms, model))
            .collect();
        let texts: Vec<String> = self
            .operands
            .iter()
            .zip(&bits)
            .map(|(one, bits)| one.text(*bits))
            .collect();
        if let Checked::Words(words) = &self.checked {
            return words.clone();
        }
        if let Checked::Float(name) = self.checked {
            return self.of_floats(name, &texts);
        }
        match (&self.operands[..], &bits[..], &texts[..]) {
            ([left, right], [a, b], [first, second]) => {
                self.of_two((left, *a, first), (right, *b, second))
            }
            ([operand], [bits], [text]) => self.of_one(operand, *bits, text),
            _ => String::new(),
        }
    }

    /// True if a sum, difference or product is below the least value of its type, with the values
    /// that a model has.
    pub fn is_below(&self, terms: &Terms, model: &Model) -> bool {
        let (Checked::Sum(operator), [left, right]) = (&self.checked, &self.operands[..]) else {
            return false;
        };
        let is_negative = |one: &Operand| one.is_negative(one.bits(terms, model));
        match *operator {
            "-" => left.form == Form::Unsigned || is_negative(left),
            "*" => is_negative(left) != is_negative(right),
            _ => is_negative(left),
        }
    }

    fn of_one(&self, operand: &Operand, bits: u128, text: &str) -> String {
        let name = &operand.type_name;
        match &self.checked {
            Checked::Negation => format!("negation of {text} cannot be represented in type {name}"),
            Checked::Index => format!("index {text} out of bounds for type {name}"),
            Checked::Length => {
                format!("variable length array bound evaluates to non-positive value {text}")
            }
            Checked::FloatCast => {
                format!("{text} is outside the range of representable values of type {name}")
            }
            Checked::Allocation => {
                let bytes = bits & mask(operand.width);
                format!("{bytes} bytes, {text} as a signed number")
            }
            Checked::Load => {
                format!("load of value {text}, which is not a valid value for type {name}")
            }
            Checked::Access { does, alignment } => match bits {
                0 => format!("{does} null pointer of type {name}"),
                bits if bits as u64 % *alignment != 0 => format!(
                    "{does} misaligned address for type {name}, which requires {alignment} byte \
                     alignment"
                ),
                _ => format!("{does} address with insufficient space for an object of type {name}"),
            },
            _ => String::new(),
        }
    }

    fn of_floats(&self, name: &str, texts: &[String]) -> String {
        let type_name = self.operands.first().map_or("", |one| &one.type_name);
        match texts {
            [first, second] if name.len() == 1 => {
                format!("{first} {name} {second} in type {type_name}")
            }
            _ => format!("{name}({}) in type {type_name}", texts.join(", ")),
        }
    }

    fn of_two(
        &self,
        (left, a, first): (&Operand, u128, &str),
        (right, b, second): (&Operand, u128, &str),
    ) -> String {
        let name = &left.type_name;
        let does_not_fit = format!("cannot be represented in type {name}");
        match &self.checked {
            Checked::Sum(sign) => format!("{first} {sign} {second} {does_not_fit}"),
            Checked::Quotient if left.form == Form::Float || b & mask(right.width) == 0 => {
                format!("division of {first} by zero in type {name}")
            }
            Checked::Quotient => format!("division of {first} by {second} {does_not_fit}"),
            Checked::Shift if right.is_negative(b) => {
                format!("shift exponent {second} is negative")
            }
            Checked::Shift if b & mask(right.width) >= u128::from(left.width) => format!(
                "shift exponent {second} is too large for {}-bit type {name}",
                left.width
            ),
            Checked::Shift if left.is_negative(a) => {
                format!("left shift of negative value {first}")
            }
            Checked::Shift => format!("left shift of {first} by {second} places {does_not_fit}"),
            Checked::Conversion => format!(
                "from type {name} of value {first} to type {} changed the value to {second}",
                right.type_name
            ),
            Checked::PointerSum if a == 0 => {
                format!("offset {second} applied to null pointer")
            }
            Checked::PointerSum => "the sum of pointer and offset wraps around".to_string(),
            Checked::Relation(does, targets) => relation(does, targets, (a, b)),
            Checked::Range(targets) => range(targets, a, b as u64),
            _ => String::new(),
        }
    }
}

fn relation(does: &str, targets: &[Target], (a, b): (u128, u128)) -> String {
    let words = |pointer| Target::of(targets, pointer).map(Target::words);
    match (words(a), words(b)) {
        (Some(first), Some(second)) => format!("{does} of pointers into {first} and {second}"),
        _ => String::new(),
    }
}

fn range(targets: &[Target], pointer: u128, sum: u64) -> String {
    let Some(target) = Target::of(targets, pointer) else {
        return String::new();
    };
    let offset = sum.wrapping_sub(target.base) as i64;
    let (distance, side) = match offset {
        offset if offset < 0 => (offset.unsigned_abs(), "before"),
        offset => ((offset as u64).saturating_sub(target.size), "past"),
    };
    format!(
        "pointer {} {side} {}",
        count_of_bytes(distance),
        target.words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: u128, width: u32, is_signed: bool) -> Operand {
        Operand::of_instruction(Value::Concrete(value & mask(width)), width, is_signed)
    }

    fn text(checked: Checked, operands: &[Operand]) -> String {
        let operands = operands.to_vec();
        Explanation { checked, operands }.text(&Terms::new(), &Model::default())
    }

    #[test]
    fn values_have_the_words_of_their_check() {
        let int = |value: i64| number(value as u128, 32, true);
        for (checked, operands, expected) in [
            (
                Checked::Sum("+"),
                vec![int(2_147_483_647), int(1)],
                "2147483647 + 1 cannot be represented in type 'int'",
            ),
            (
                Checked::Sum("-"),
                vec![number(0, 64, false), number(1, 64, false)],
                "0 - 1 cannot be represented in type 'unsigned long'",
            ),
            (
                Checked::Negation,
                vec![int(-2_147_483_648)],
                "negation of -2147483648 cannot be represented in type 'int'",
            ),
            (
                Checked::Quotient,
                vec![int(7), int(0)],
                "division of 7 by zero in type 'int'",
            ),
            (
                Checked::Shift,
                vec![int(1), int(-1)],
                "shift exponent -1 is negative",
            ),
            (
                Checked::Shift,
                vec![int(1), int(40)],
                "shift exponent 40 is too large for 32-bit type 'int'",
            ),
            (
                Checked::Shift,
                vec![int(-3), int(2)],
                "left shift of negative value -3",
            ),
            (
                Checked::Shift,
                vec![int(3), int(31)],
                "left shift of 3 by 31 places cannot be represented in type 'int'",
            ),
        ] {
            assert_eq!(text(checked, &operands), expected);
        }
        assert_eq!(
            Explanation::words("x").text(&Terms::new(), &Model::default()),
            "x"
        );
    }
}
