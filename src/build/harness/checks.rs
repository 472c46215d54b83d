//! Checks after a call: the numbers and pointers of its result and of the objects that
//! its pointers lead to. Padding and pointers to functions are not among them.

use super::call::{Made, Maker};
use super::call_text::{Check, CheckKind};
use super::types::Type;

/// Values of one object that are checked.
const MOST_CHECKS: usize = 24;

impl Maker<'_> {
    /// Adds the checks of an object behind a pointer.
    pub(super) fn checks_of(&self, made: &Made, checks: &mut Vec<Check>) {
        let size = self.types.size(&made.of).unwrap_or(0);
        let bytes = || Check {
            expression: made.name.clone(),
            kind: CheckKind::Bytes(size * made.elements),
        };
        if matches!(made.of, Type::Character(_) | Type::Bytes(_)) {
            return checks.push(bytes());
        }
        let mut leaves = Vec::new();
        for at in 0..made.elements {
            let place = if made.is_array {
                format!("{}[{at}]", made.name)
            } else {
                made.name.clone()
            };
            self.leaves(&place, &made.of, &mut leaves);
        }
        leaves.truncate(MOST_CHECKS);
        checks.append(&mut leaves);
    }

    /// Adds a check of each number and pointer in a place.
    pub(super) fn leaves(&self, place: &str, of: &Type, checks: &mut Vec<Check>) {
        let kind = match of {
            Type::Bool => CheckKind::Unsigned,
            Type::Character(name) | Type::Scalar(name) => match name.as_str() {
                "float" | "double" => CheckKind::Float,
                "long double" | "__int128" | "unsigned __int128" => return,
                name if name.starts_with("unsigned") => CheckKind::Unsigned,
                _ => CheckKind::Signed,
            },
            Type::Pointer(_) | Type::Reference(_) => {
                CheckKind::Pointer(self.made.iter().map(|made| made.name.clone()).collect())
            }
            Type::Array(element, Some(count)) if matches!(**element, Type::Character(_)) => {
                CheckKind::Bytes(*count)
            }
            Type::Array(element, count) => {
                for at in 0..count.unwrap_or(0) {
                    self.leaves(&format!("{place}[{at}]"), element, checks);
                }
                return;
            }
            Type::Record(number) => {
                if let Some(record) = self.types.records.get(number).filter(|one| !one.is_union) {
                    for member in &record.members {
                        self.leaves(&format!("{place}.{}", member.name), &member.of, checks);
                    }
                }
                return;
            }
            Type::Void | Type::Function(..) | Type::Bytes(_) | Type::Incomplete => return,
        };
        checks.push(Check {
            expression: place.to_string(),
            kind,
        });
    }
}
