//! Values that call sites pass, as far as unoptimized code in LLVM's text shows them.
//!
//! Invariant: no guess. A value whose origin is not in the text of the function is unknown.

use super::metadata::parts;
use std::collections::BTreeMap;

/// Value of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    Null,
    Number(i64),
    /// Address of the first of some elements, with LLVM's type of one.
    Object {
        elements: u64,
        of: String,
    },
    /// A literal of this many characters.
    Text(u32),
    Unknown,
}

/// Known values by their names in LLVM's text: `@global` and `%local`.
#[derive(Clone, Default)]
pub(super) struct Values(BTreeMap<String, Passed>);

impl Values {
    /// Reads the global variables of a program.
    pub(super) fn globals(text: &str) -> Self {
        let lines = text.lines().filter(|line| line.starts_with('@'));
        let known = lines.filter_map(|line| {
            let (name, value) = line.split_once(" = ")?;
            let value = [" global ", " constant "].iter().find_map(|word| {
                let (_, value) = value.split_once(word)?;
                Some((*word, value))
            })?;
            let passed = match (value.0, object(value.1)) {
                (" constant ", Passed::Object { elements, of }) if is_text(&of, value.1) => {
                    Passed::Text(u32::try_from(elements.saturating_sub(1)).ok()?)
                }
                (_, passed) => passed,
            };
            Some((name.to_string(), passed))
        });
        Self(known.collect())
    }

    /// Takes note of a line of a function that defines a local value.
    pub(super) fn note(&mut self, line: &str) {
        let Some((name, value)) = line.trim_start().split_once(" = ") else {
            return;
        };
        let passed = if let Some(of) = value.strip_prefix("alloca ") {
            let is_variable = of.contains(", i64 %") || of.contains(", i32 %");
            if is_variable {
                Passed::Unknown
            } else {
                object(of)
            }
        } else if value.starts_with("getelementptr ") {
            self.first_element(value)
        } else {
            return;
        };
        self.0.insert(name.to_string(), passed);
    }

    /// Value of an address that is another one with offset zero.
    fn first_element(&self, value: &str) -> Passed {
        let operands = parts(value);
        let mut indices = operands
            .iter()
            .skip(2)
            .take_while(|one| !one.starts_with('!'));
        let base = operands.get(1).and_then(|base| base.strip_prefix("ptr "));
        let is_first = indices.all(|index| index.ends_with(" 0"));
        let base = base.filter(|_| is_first);
        base.map_or(Passed::Unknown, |base| self.of(base))
    }

    fn of(&self, name: &str) -> Passed {
        self.0.get(name).cloned().unwrap_or(Passed::Unknown)
    }

    /// True for the address of a local variable.
    pub(super) fn is_local(&self, name: &str) -> bool {
        name.starts_with('%') && self.0.contains_key(name)
    }

    /// Returns the values that a call passes: `list` is the text between its brackets.
    pub(super) fn arguments(&self, list: &str) -> Vec<Passed> {
        let arguments = parts(list).into_iter();
        arguments
            .map(|argument| match argument.rsplit_once(' ') {
                Some((_, "null")) => Passed::Null,
                Some((kind, value)) if kind.starts_with('i') => {
                    value.parse().map_or(Passed::Unknown, Passed::Number)
                }
                Some((kind, value)) if kind.starts_with("ptr") && !kind.contains("byval") => {
                    self.of(value)
                }
                _ => Passed::Unknown,
            })
            .collect()
    }
}

/// Returns the object whose type begins a text: `[4 x i32] ...` or `%struct.s, align 4`.
fn object(text: &str) -> Passed {
    let known = |elements: u64, of: &str| Passed::Object {
        elements,
        of: of.to_string(),
    };
    if let Some(array) = text.strip_prefix('[') {
        let Some((count, rest)) = array.split_once(" x ") else {
            return Passed::Unknown;
        };
        let of = rest.split(']').next().unwrap_or_default();
        return match count.parse() {
            // An array of arrays has elements that no parameter's type shows.
            Ok(elements) if elements > 0 && !of.starts_with('[') => known(elements, of),
            _ => Passed::Unknown,
        };
    }
    let of = text.split([' ', ',']).next().unwrap_or_default();
    known(1, of)
}

/// True if a constant is a literal that ends with its only zero.
fn is_text(of: &str, value: &str) -> bool {
    let literal = value.split_once(" c\"").map(|(_, rest)| rest);
    let literal = literal.and_then(|rest| rest.split('"').next());
    of == "i8" && literal.is_some_and(|text| text.find("\\00") == text.len().checked_sub(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_their_origin() {
        let mut values = Values::globals(concat!(
            "@t = internal global [4 x i32] zeroinitializer, align 16\n",
            "@.str = private unnamed_addr constant [6 x i8] c\"hello\\00\", align 1\n",
            "@odd = private unnamed_addr constant [3 x i8] c\"a\\00b\", align 1\n",
        ));
        values.note("  %3 = alloca [8 x i8], align 16");
        values.note("  %4 = alloca %struct.s, align 4");
        values.note("  %5 = getelementptr inbounds [8 x i8], ptr %3, i64 0, i64 0, !dbg !4");
        values.note("  %6 = getelementptr inbounds i8, ptr %3, i64 2, !dbg !4");
        values.note("  %7 = alloca i8, i64 %2, align 16");
        let object = |elements, of: &str| Passed::Object {
            elements,
            of: of.to_string(),
        };
        let list = "ptr noundef %5, ptr noundef %4, ptr noundef @t, ptr noundef @.str, \
                    i32 noundef -2, ptr noundef null, ptr noundef %6, ptr noundef %7, ptr @odd";
        let expected = [
            object(8, "i8"),
            object(1, "%struct.s"),
            object(4, "i32"),
            Passed::Text(5),
            Passed::Number(-2),
            Passed::Null,
            Passed::Unknown,
            Passed::Unknown,
            object(3, "i8"),
        ];
        assert_eq!(values.arguments(list), expected);
        assert!(values.is_local("%3") && !values.is_local("@t"));
    }
}
