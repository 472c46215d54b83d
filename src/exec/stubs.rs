//! What stands for functions that were not linked.
//!
//! Invariant: only a function without a definition, which is none of the built-in ones, has a stub.

use crate::program::Function;

/// What a stub does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stub {
    /// Returns any value, and may write to what its arguments point to.
    Any,
    /// Returns 0.
    Zero,
    /// Returns -1 with `errno` EINVAL.
    Errno,
}

impl Stub {
    /// What it does, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Stub::Any => "it returns any value, and writes any to what its arguments point to",
            Stub::Zero => "it returns 0",
            Stub::Errno => "it returns -1 with errno EINVAL",
        }
    }
}

/// Which functions have a stub.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stubs {
    /// By name.
    pub named: Vec<(String, Stub)>,
    /// Of all others that are missing.
    pub missing: Option<Stub>,
}

impl Stubs {
    /// What stands for a function.
    pub fn of(&self, function: &Function) -> Option<Stub> {
        if function.is_defined() {
            return None;
        }
        let named = self
            .named
            .iter()
            .rev()
            .find(|(name, _)| *name == function.name);
        named.map(|(_, stub)| *stub).or(self.missing)
    }

    /// Whether no function has one.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.missing.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_the_rest_and_the_last_of_a_name_counts() {
        let stubs = Stubs {
            named: vec![("f".to_string(), Stub::Any), ("f".to_string(), Stub::Errno)],
            missing: Some(Stub::Zero),
        };
        let of = |name| stubs.of(&Function::declaration(name));
        assert_eq!((of("f"), of("g")), (Some(Stub::Errno), Some(Stub::Zero)));
        assert_eq!(Stubs::default().of(&Function::declaration("f")), None);
    }
}
