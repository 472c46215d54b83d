//! One function in place of a whole program.

/// Targets of a pointer to a fresh object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum PointerShape {
    /// A null pointer.
    Null,
    /// One element.
    One,
    /// Several elements; never of a record that points to its like, such as a list's.
    Many,
    /// For pointers to characters: a string, in place of one and many.
    String,
    /// An object of that type that something else points to.
    Shared,
    /// An object that leads to this pointer: a circle.
    Cyclic,
}

impl PointerShape {
    /// All, in the order of their documentation.
    pub const ALL: [PointerShape; 6] = [
        PointerShape::Null,
        PointerShape::One,
        PointerShape::Many,
        PointerShape::String,
        PointerShape::Shared,
        PointerShape::Cyclic,
    ];
}

/// Objects that a pointer parameter may point to, as a contract has them: `null|many(4)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pointee {
    pub may_be_null: bool,
    pub target: Option<Target>,
}

/// Object behind a pointer that is not null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Any of the shapes of `--pointer-shapes`.
    Any,
    One,
    /// Elements of an array; `None` is the number of `--pointer-elements`.
    Many(Option<u32>),
    /// Characters of a string at most, without the final zero.
    String(Option<u32>),
}

impl Pointee {
    /// The largest number of elements.
    const MOST: u32 = 4096;

    /// A pointer to this object.
    pub fn to(target: Target) -> Self {
        Self {
            may_be_null: false,
            target: Some(target),
        }
    }

    /// Reads `null`, `any`, `one`, `many`, `many(4)`, `string`, `string(<=8)`, and `null|` before
    /// one.
    ///
    /// # Errors
    /// Returns the forms.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` must be null, any, one, many, many(N), string or string(<=N), with N from 1 \
                 to {}, or null|one for both",
                Self::MOST
            )
        };
        let mut found = Self::default();
        for word in text.split('|').map(str::trim) {
            match (word, found.may_be_null, found.target) {
                ("null", false, _) => found.may_be_null = true,
                (_, _, None) => found.target = Some(Target::read(word).ok_or_else(wrong)?),
                _ => return Err(wrong()),
            }
        }
        Ok(found)
    }
}

impl Target {
    fn read(word: &str) -> Option<Self> {
        let (name, number) = match word.split_once('(') {
            None => (word, None),
            Some((name, rest)) => (name, Some(rest.strip_suffix(')')?)),
        };
        let number = number.map(|text| {
            let text = text.trim_start_matches("<=").trim();
            let number: Option<u32> = text.parse().ok();
            number.filter(|number| (1..=Pointee::MOST).contains(number))
        });
        match (name, number) {
            ("any", None) => Some(Target::Any),
            ("one", None) => Some(Target::One),
            ("many", None) => Some(Target::Many(None)),
            ("string", None) => Some(Target::String(None)),
            ("many", Some(number)) => Some(Target::Many(Some(number?))),
            ("string", Some(number)) => Some(Target::String(Some(number?))),
            _ => None,
        }
    }
}

impl std::fmt::Display for Pointee {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let target = match self.target {
            None => return out.write_str("null"),
            Some(Target::Any) => "any".to_string(),
            Some(Target::One) => "one".to_string(),
            Some(Target::Many(None)) => "many".to_string(),
            Some(Target::Many(Some(number))) => format!("many({number})"),
            Some(Target::String(None)) => "string".to_string(),
            Some(Target::String(Some(number))) => format!("string(<={number})"),
        };
        let null = if self.may_be_null { "null|" } else { "" };
        write!(out, "{null}{target}")
    }
}

/// Call of a function other than `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionConfig {
    /// Its name.
    pub entry: String,
    pub shapes: Vec<PointerShape>,
    /// Length of arrays and strings behind pointers, and largest input of a fuzz driver in bytes.
    pub elements: Option<u32>,
    /// Pointers on the way from a parameter to an object, at most.
    pub depth: u32,
    /// Names of variables that are symbolic, or `all`.
    pub globals: Vec<String>,
    /// Pointer parameters with what they point to, in place of `shapes`.
    pub pointees: Vec<(String, Pointee)>,
    /// Expressions of C over the parameters that hold at the call.
    pub requires: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointees_are_read_as_they_are_written() {
        for text in [
            "null",
            "one",
            "null|many(4)",
            "many",
            "null|any",
            "string",
            "string(<=8)",
        ] {
            assert_eq!(
                Pointee::read(text).map(|one| one.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in [
            "",
            "two",
            "one|many",
            "null|null",
            "many(0)",
            "string(9",
            "one(3)",
        ] {
            assert!(Pointee::read(text).is_err(), "{text}");
        }
    }
}
