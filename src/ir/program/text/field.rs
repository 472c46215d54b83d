//! Words of the text form: each type that instructions and tables hold, to and from text.
//!
//! Invariant: `read` accepts exactly what `write` produces (and other spacing).

use crate::ops::{BinOp, CmpOp};
use crate::program::{
    ArgClass, AtomicOp, BlockId, BranchId, BranchKind, CastOp, ClauseKind, FloatCastOp, FloatCmp,
    FloatKind, FloatOp, FloatUnary, FuncId, FunnelOp, GlobalId, IntUnary, LocId, MemOp, MinMaxOp,
    Origin, OverflowOp, Slot, TextId,
};

/// The words of one line, taken from the left.
pub struct Words {
    words: Vec<String>,
    next: usize,
}

impl Words {
    /// Splits a line; `Err` says why it cannot be.
    pub fn new(line: &str) -> Result<Words, String> {
        let mut words = Vec::new();
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            if first == ';' {
                break;
            }
            if first == '"' {
                let (word, length) = quoted(rest)?;
                words.push(word);
                rest = rest[length..].trim_start();
            } else {
                let end = rest.find([' ', '\t']).unwrap_or(rest.len());
                words.push(rest[..end].to_string());
                rest = rest[end..].trim_start();
            }
        }
        Ok(Words { words, next: 0 })
    }

    pub fn is_empty(&self) -> bool {
        self.next >= self.words.len()
    }

    pub fn peek(&self) -> Option<&str> {
        self.words.get(self.next).map(String::as_str)
    }

    pub fn word(&mut self) -> Result<&str, String> {
        let word = self.words.get(self.next).ok_or("the line ends too early")?;
        self.next += 1;
        Ok(word)
    }

    pub fn expect(&mut self, expected: &str) -> Result<(), String> {
        let word = self.word()?;
        if word == expected {
            return Ok(());
        }
        Err(format!("`{expected}` expected, not `{word}`"))
    }

    /// A value by its type.
    pub fn read<T: Field>(&mut self) -> Result<T, String> {
        T::read(self)
    }

    /// A quoted string, unquoted. The quote stays in front of the word until here.
    pub fn string(&mut self) -> Result<String, String> {
        let word = self.word()?;
        match word.strip_prefix('"') {
            Some(content) => Ok(content.to_string()),
            None => Err(format!("a quoted string expected, not `{word}`")),
        }
    }

    pub fn finish(&self) -> Result<(), String> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` is too much")),
        }
    }
}

/// The content of the quoted string that `text` starts with, marked by a leading quote, and its
/// length.
fn quoted(text: &str) -> Result<(String, usize), String> {
    let mut content = String::from('"');
    let mut characters = text.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Ok((content, index + 1)),
            '\\' => match characters.next() {
                Some((_, 'n')) => content.push('\n'),
                Some((_, 't')) => content.push('\t'),
                Some((_, 'r')) => content.push('\r'),
                Some((_, other)) => content.push(other),
                None => break,
            },
            other => content.push(other),
        }
    }
    Err("a quoted string does not end".to_string())
}

/// A string in quotes.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A value that is one word of text (or a few).
pub trait Field: Sized {
    fn write(&self, out: &mut String);
    fn read(words: &mut Words) -> Result<Self, String>;
}

/// Appends a space and the value.
pub fn put(out: &mut String, value: &impl Field) {
    out.push(' ');
    value.write(out);
}

macro_rules! number_field {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
            fn read(words: &mut Words) -> Result<Self, String> {
                let word = words.word()?;
                word.parse().map_err(|_| format!("a number expected, not `{word}`"))
            }
        }
    )*};
}

number_field!(u8, u32, u64, u128, i32, i64);

macro_rules! id_field {
    ($($type:ident $prefix:literal),*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
            fn read(words: &mut Words) -> Result<Self, String> {
                let word = words.word()?;
                let digits = word.strip_prefix($prefix);
                let number = digits.and_then(|digits| digits.parse().ok());
                number.map($type).ok_or_else(|| {
                    format!("{}N expected, not `{word}`", $prefix)
                })
            }
        }
    )*};
}

id_field!(FuncId "f", GlobalId "g", BlockId "b", Slot "%", LocId "l", BranchId "br", TextId "t");

/// An optional value: `-` is none.
impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push('-'),
        }
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        if words.peek() == Some("-") {
            words.word()?;
            return Ok(None);
        }
        T::read(words).map(Some)
    }
}

impl<A: Field, B: Field> Field for (A, B) {
    fn write(&self, out: &mut String) {
        self.0.write(out);
        put(out, &self.1);
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        Ok((A::read(words)?, B::read(words)?))
    }
}

impl<A: Field, B: Field, C: Field> Field for (A, B, C) {
    fn write(&self, out: &mut String) {
        self.0.write(out);
        put(out, &self.1);
        put(out, &self.2);
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        Ok((A::read(words)?, B::read(words)?, C::read(words)?))
    }
}

/// A list: `[ a b c ]`.
impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for item in self {
            put(out, item);
        }
        out.push_str(" ]");
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        words.expect("[")?;
        let mut list = Vec::new();
        while words.peek() != Some("]") {
            list.push(T::read(words)?);
        }
        words.expect("]")?;
        Ok(list)
    }
}

impl Field for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "yes" } else { "no" });
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        match words.word()? {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("yes or no expected, not `{other}`")),
        }
    }
}

impl Field for String {
    fn write(&self, out: &mut String) {
        out.push_str(&quote(self));
    }

    fn read(words: &mut Words) -> Result<Self, String> {
        words.string()
    }
}

macro_rules! name_field {
    ($($type:ident { $($variant:ident $name:literal),* $(,)? })*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                out.push_str(match self { $($type::$variant => $name),* });
            }
            fn read(words: &mut Words) -> Result<Self, String> {
                let word = words.word()?;
                Ok(match word {
                    $($name => $type::$variant,)*
                    other => return Err(format!("`{other}` is no {}", stringify!($type))),
                })
            }
        }
    )*};
}

name_field! {
    BinOp {
        Add "add", Sub "sub", Mul "mul", UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
        And "and", Or "or", Xor "xor", Shl "shl", LShr "lshr", AShr "ashr",
    }
    CmpOp {
        Eq "eq", Ne "ne", Ult "ult", Ule "ule", Ugt "ugt", Uge "uge", Slt "slt", Sle "sle",
        Sgt "sgt", Sge "sge",
    }
    CastOp { Zext "zext", Sext "sext", Trunc "trunc" }
    FloatKind { F16 "f16", BF16 "bf16", F32 "f32", F64 "f64", X87 "x87", F128 "f128" }
    FloatOp {
        Add "add", Sub "sub", Mul "mul", Div "div", Rem "rem", CopySign "copysign",
        MinNum "minnum", MaxNum "maxnum", Minimum "minimum", Maximum "maximum",
    }
    FloatUnary {
        Neg "neg", Abs "abs", Sqrt "sqrt", Ceil "ceil", Floor "floor", Trunc "trunc", Rint "rint",
        NearbyInt "nearbyint", Round "round", RoundEven "roundeven",
    }
    FloatCmp {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord",
        Ueq "ueq", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Une "une", Uno "uno", True "true",
    }
    FloatCastOp {
        Convert "convert", ToSigned "to-signed", ToUnsigned "to-unsigned",
        ToSignedSat "to-signed-sat", ToUnsignedSat "to-unsigned-sat", FromSigned "from-signed",
        FromUnsigned "from-unsigned",
    }
    IntUnary {
        Ctpop "ctpop", Ctlz "ctlz", Cttz "cttz", Bswap "bswap", BitReverse "bitreverse", Abs "abs", Freeze "freeze",
    }
    MinMaxOp {
        UMin "umin", UMax "umax", SMin "smin", SMax "smax", UAddSat "uadd-sat",
        SAddSat "sadd-sat", USubSat "usub-sat", SSubSat "ssub-sat", UShlSat "ushl-sat",
        SShlSat "sshl-sat", UCmp "ucmp", SCmp "scmp",
    }
    FunnelOp { Left "left", Right "right" }
    OverflowOp {
        UAdd "uadd", SAdd "sadd", USub "usub", SSub "ssub", UMul "umul", SMul "smul",
    }
    MemOp { Copy "copy", Move "move" }
    AtomicOp {
        Exchange "exchange", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor",
        Max "max", Min "min", UMax "umax", UMin "umin",
    }
    ArgClass { Integer "integer", Sse "sse", Memory "memory", Continued "continued" }
    Origin { Program "program", Libc "libc", Runtime "runtime" }
    ClauseKind { Catch "catch", Filter "filter", Listed "listed" }
    BranchKind { Conditional "conditional", Switch "switch", Indirect "indirect" }
}
