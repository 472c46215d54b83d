//! The names of the instructions on strings in inline assembly.

/// Operation of a string instruction on one element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Move,
    Fill,
    Load,
    Find,
    Compare,
}

/// Repetition of a string instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    None,
    /// Repeat while the count lasts.
    Counted,
    /// And as long as comparisons find what is equal.
    WhileEqual,
    WhileDifferent,
}

/// An instruction on strings as its name tells.
#[derive(Clone, Copy)]
pub struct StringStep {
    pub operation: Operation,
    pub repetition: Repetition,
    /// Bits of an element.
    pub w: u8,
}

/// Prefixes of instructions on strings.
pub const PREFIXES: &[&str] = &["rep", "repe", "repz", "repne", "repnz"];

impl StringStep {
    /// The instruction of a name with the prefix before it, if it is one on strings.
    pub fn read(name: &str) -> Option<Self> {
        let (prefix, name) = match name.split_once(' ') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, name),
        };
        let operation = match name.get(..4)? {
            "movs" => Operation::Move,
            "stos" => Operation::Fill,
            "lods" => Operation::Load,
            "scas" => Operation::Find,
            "cmps" => Operation::Compare,
            _ => return None,
        };
        let w = match &name[4..] {
            "b" => 8,
            "w" => 16,
            "l" | "d" => 32,
            "q" => 64,
            _ => return None,
        };
        let compares = matches!(operation, Operation::Find | Operation::Compare);
        let repetition = match prefix {
            None => Repetition::None,
            Some("rep" | "repe" | "repz") if compares => Repetition::WhileEqual,
            Some("repne" | "repnz") if compares => Repetition::WhileDifferent,
            Some("rep" | "repe" | "repz") => Repetition::Counted,
            Some(_) => return None,
        };
        Some(Self {
            operation,
            repetition,
            w,
        })
    }
}

/// Returns true if a name, with its prefix, is a string instruction.
pub fn is_known(name: &str) -> bool {
    StringStep::read(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn names_of_instructions_on_strings() {
        for name in [
            "movsb",
            "rep movsq",
            "repe cmpsw",
            "repnz scasl",
            "lodsd",
            "rep lodsb",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in [
            "movsbl",
            "repne movsb",
            "rep",
            "rep nop",
            "cmps",
            "stosx",
            "rep ret",
        ] {
            assert!(!is_known(name), "{name}");
        }
    }
}
