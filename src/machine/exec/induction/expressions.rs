//! Invariants as C expressions over named locals.
//!
//! Invariant: an expression has neither sums nor conversions, so that it means what the template
//! means; templates that need them have none.

use super::super::context::Context;
use super::general::Place;
use super::templates::{Other, Relation, Template};
use crate::memory::AllocationSite;
use homi_ir::ops::signed;
use std::collections::BTreeSet;

/// Types of C whose comparisons are as wide as they are: the name in debug information, bytes, and
/// whether they have a sign.
const TYPES: &[(&str, u32, bool)] = &[
    ("int", 4, true),
    ("unsigned int", 4, false),
    ("long", 8, true),
    ("unsigned long", 8, false),
    ("long long", 8, true),
    ("unsigned long long", 8, false),
];

/// A named local of such a type.
#[derive(PartialEq, Eq)]
struct Named {
    name: String,
    ty: String,
    has_sign: bool,
}

impl Context<'_, '_> {
    /// Returns the invariants of a loop of the innermost call that are C expressions.
    pub(super) fn conjuncts(&self, invariants: &[Template]) -> BTreeSet<String> {
        invariants
            .iter()
            .filter_map(|one| self.expression(one))
            .collect()
    }

    fn expression(&self, template: &Template) -> Option<String> {
        let own = self.named(template.place)?;
        let sign = match template.relation {
            Relation::Equal => "==",
            Relation::AtMost if own.has_sign => "<=",
            Relation::AtLeast if own.has_sign => ">=",
            Relation::Below if own.has_sign => "<",
            Relation::AtMostUnsigned if !own.has_sign => "<=",
            _ => return None,
        };
        let other = match template.other {
            Other::Start => return None,
            Other::Variable(place) => {
                let other = self.named(place)?;
                (other.ty == own.ty).then_some(other.name)?
            }
            Other::Constant(value) => constant(value, template.place.bytes, own.has_sign)?,
        };
        Some(format!("{} {sign} {other}", own.name))
    }

    /// The local at a place, if its name is one local's alone.
    fn named(&self, place: Place) -> Option<Named> {
        let object = self.state.memory.object_at(place.address)?;
        let AllocationSite::FrameObject { function, object } = object.site else {
            return None;
        };
        let objects = &self.program().function(function).frame_objects;
        let local = objects.get(object as usize)?;
        let known = |name: &str| objects.iter().filter(|one| one.name == name).count() == 1;
        let (ty, _, has_sign) = TYPES.iter().find(|row| row.0 == local.declared.ty)?;
        let line = |location| self.program().location(location).line;
        let declared = line(local.declared.location);
        let is_before = declared != 0 && declared < line(self.prepared.location(self.state));
        (is_before && !local.in_block && known(&local.name)).then(|| Named {
            name: local.name.clone(),
            ty: (*ty).to_string(),
            has_sign: *has_sign,
        })
    }
}

/// A constant as C has it; the least numbers have none.
fn constant(value: u128, bytes: u32, has_sign: bool) -> Option<String> {
    if !has_sign {
        return Some(format!("{value}U"));
    }
    let value = signed(8 * bytes, value);
    let least = -(1_i128 << (8 * bytes - 1));
    (value != least).then(|| value.to_string())
}
