//! The language L of core branch conditions (section 3.2.2).
//!
//! ```text
//! phi  ::= cond | cond and cond | cond or cond
//! cond ::= lv = n
//! lv   ::= alpha | alpha[i]
//! ```
//!
//! alpha is a whole symbolic object read as one little-endian integer, alpha[i] its i-th byte.
//! Conjunctions and disjunctions may have more than two members, but are never mixed. Invariant:
//! the equations of a condition are sorted and distinct, and a condition of one equation is an
//! `And`. So equal conditions are equal values, in every run and process: names and numbers, no
//! term ids.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A symbolic object or one of its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct LValue {
    pub object: Arc<str>,
    /// The how-many-th object of that name on its path, from 0.
    pub occurrence: u32,
    /// Index of a byte, or `None` for the whole object.
    pub byte: Option<u32>,
}

/// An equation `lvalue == value`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Equation {
    pub lvalue: LValue,
    pub value: u128,
}

/// Operator that joins the equations of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Connective {
    And,
    Or,
}

/// A core branch condition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Condition {
    connective: Connective,
    equations: Vec<Equation>,
}

impl Condition {
    /// The equations joined by the connective, in normal form; `None` if there is none.
    pub fn new(connective: Connective, mut equations: Vec<Equation>) -> Option<Self> {
        equations.sort_unstable();
        equations.dedup();
        let connective = match equations.len() {
            0 => return None,
            1 => Connective::And,
            _ => connective,
        };
        Some(Self {
            connective,
            equations,
        })
    }

    pub fn connective(&self) -> Connective {
        self.connective
    }

    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// True if the condition is a single equation.
    pub fn is_single(&self) -> bool {
        self.equations.len() == 1
    }
}

impl fmt::Display for LValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.object)?;
        if self.occurrence != 0 {
            write!(formatter, "#{}", self.occurrence)?;
        }
        match self.byte {
            Some(byte) => write!(formatter, "[{byte}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = match self.connective {
            Connective::And => " & ",
            Connective::Or => " | ",
        };
        for (index, equation) in self.equations.iter().enumerate() {
            if index != 0 {
                formatter.write_str(joint)?;
            }
            write!(formatter, "{} == {}", equation.lvalue, equation.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `object == value` or `object[byte] == value`.
    pub fn equation(object: &str, byte: Option<u32>, value: u128) -> Equation {
        Equation {
            lvalue: LValue {
                object: object.into(),
                occurrence: 0,
                byte,
            },
            value,
        }
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let (a, b) = (equation("a", Some(1), 5), equation("n", None, 3));
        let one = Condition::new(Connective::Or, vec![b.clone(), a.clone(), b.clone()]).unwrap();
        let other = Condition::new(Connective::Or, vec![a.clone(), b.clone()]).unwrap();
        assert_eq!(one, other);
        assert_eq!(one.to_string(), "a[1] == 5 | n == 3");
        let single = Condition::new(Connective::Or, vec![a.clone()]).unwrap();
        assert_eq!(Some(single), Condition::new(Connective::And, vec![a]));
        assert_eq!(Condition::new(Connective::And, Vec::new()), None);
    }

    #[test]
    fn conditions_survive_json_with_wide_values() {
        let wide = equation("x", None, u128::MAX - 1);
        let condition = Condition::new(Connective::And, vec![wide]).unwrap();
        let text = serde_json::to_string(&condition).unwrap();
        let back: Condition = serde_json::from_str(&text).unwrap();
        assert_eq!(back, condition);
    }
}
