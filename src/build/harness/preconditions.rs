//! Conditions that hold when a function is called: its declaration or all of its callers say so.
//!
//! Invariant: callers count for a static function only if the program shows all of them, so its
//! address is taken nowhere.

use super::attributes::{Attribute, Attributes};
use super::enumerations;
use super::functions::{DefinedFunction, Sites};
use super::metadata::{Metadata, parts};
use super::signature::{Parameter, definition, in_brackets, signature};
use super::sites::Passed;
use super::types::{Type, Types};
use homi_config::{Pointee, Target};
use std::collections::BTreeSet;

/// Numbers of a parameter that a precondition lists at most.
const MOST_NUMBERS: usize = 8;

/// Elements of an array whose number another parameter has.
const DESCRIBED_ELEMENTS: u32 = 8;

/// A condition that holds when a function is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Precondition {
    pub what: Requirement,
    pub origin: Origin,
}

/// Content of a precondition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// The object behind a pointer parameter.
    Points(String, Pointee),
    /// An expression of C over the parameters.
    Holds(String),
}

/// Reason for a precondition, the most trusted first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Attributes of the declaration, such as `nonnull`.
    Declared,
    /// An assertion of the function itself.
    Asserted,
    /// All callers of a static function.
    Callers,
    /// Callers of a function that others may call, too: no more than a suggestion.
    SomeCallers,
    /// The contracts file.
    Contract,
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Requirement::Points(name, pointee) => write!(out, "{name} = {pointee}"),
            Requirement::Holds(expression) => out.write_str(expression),
        }
    }
}

impl Precondition {
    fn points(name: &str, pointee: Pointee, origin: Origin) -> Self {
        Self {
            what: Requirement::Points(name.to_string(), pointee),
            origin,
        }
    }

    /// Returns the parameter whose object it describes.
    pub fn pointer(&self) -> Option<&str> {
        match &self.what {
            Requirement::Points(name, _) => Some(name),
            Requirement::Holds(_) => None,
        }
    }
}

/// Adds the preconditions of each function.
pub(super) fn add(functions: &mut [DefinedFunction], text: &str, all: &Metadata, sites: &Sites) {
    let taken = taken_addresses(text);
    let attributes = Attributes::of_program(all);
    for function in functions {
        let mut types = Types::default();
        let Some(Ok(signature)) = signature(text, all, &mut types, &function.name) else {
            continue;
        };
        let line = definition(text, &function.name).unwrap_or_default();
        let list = line
            .find('@')
            .and_then(|at| Some(at + line[at..].find('(')?));
        let declared = parts(in_brackets(&line[list.unwrap_or(line.len())..]));
        if declared.len() != signature.parameters.len() {
            // A structure by value takes several places, or none.
            continue;
        }
        let none = Vec::new();
        let sites = sites.get(&function.name).unwrap_or(&none);
        let is_known = function.is_static && !taken.contains(function.name.as_str());
        let origin = if is_known {
            Origin::Callers
        } else {
            Origin::SomeCallers
        };
        let attributes = attributes.of_functions.get(&function.name);
        let attributes = attributes.into_iter().flatten();
        let mut described = BTreeSet::new();
        for attribute in attributes {
            let (place, holds) = of_attribute(attribute, &signature.parameters, &mut described);
            function
                .preconditions
                .extend(place.into_iter().chain(holds));
        }
        for (place, parameter) in signature.parameters.iter().enumerate() {
            if described.contains(&place) {
                continue;
            }
            if let Some(values) = enumerations::values(text, all, &function.name, place) {
                let what = one_of(&parameter.name, &values);
                let origin = Origin::Declared;
                function.preconditions.push(Precondition { what, origin });
                continue;
            }
            let own = of_declaration(parameter, declared[place], &types);
            let passed: Option<Vec<&Passed>> =
                sites.iter().map(|arguments| arguments.get(place)).collect();
            let from_callers = passed.and_then(|passed| {
                let is_reference = declared[place].contains("nonnull");
                of_callers(parameter, &passed, is_reference, origin, &types)
            });
            function.preconditions.extend(own.or(from_callers));
        }
    }
}

/// Returns what the attributes of a parameter say: `nonnull` excludes what is excluded anyway.
fn of_declaration(parameter: &Parameter, declared: &str, types: &Types) -> Option<Precondition> {
    let (_, rest) = declared.split_once("dereferenceable(")?;
    let bytes: u64 = rest.split(')').next()?.parse().ok()?;
    let (Type::Pointer(to) | Type::Reference(to)) = &parameter.of else {
        return None;
    };
    let elements = u32::try_from(bytes / types.size(to).filter(|size| *size > 0)?).ok()?;
    let target = match elements {
        0 => return None,
        1 => Target::One,
        _ => Target::Many(Some(elements)),
    };
    Some(Precondition::points(
        &parameter.name,
        Pointee::to(target),
        Origin::Declared,
    ))
}

/// Returns what an attribute says of a pointer, and of the number of its elements. `described` has
/// the places of such pointers, each once.
fn of_attribute(
    attribute: &Attribute,
    parameters: &[Parameter],
    described: &mut BTreeSet<usize>,
) -> (Option<Precondition>, Option<Precondition>) {
    let (place, count) = match attribute {
        Attribute::Elements { parameter, count } => (*parameter, parameters.get(*count)),
        Attribute::Text { parameter } => (*parameter, None),
    };
    let pointer = parameters.get(place);
    let pointer = pointer.filter(|one| matches!(&one.of, Type::Pointer(to) if can_be_made(to)));
    let Some(pointer) = pointer.filter(|_| described.insert(place)) else {
        return (None, None);
    };
    let target = match attribute {
        Attribute::Elements { .. } => Target::Many(Some(DESCRIBED_ELEMENTS)),
        Attribute::Text { .. } => Target::String(None),
    };
    let points = Precondition::points(&pointer.name, Pointee::to(target), Origin::Declared);
    let holds = count.map(|count| {
        let name = &count.name;
        let what = Requirement::Holds(format!("{name} >= 0 && {name} <= {DESCRIBED_ELEMENTS}"));
        let origin = Origin::Declared;
        Precondition { what, origin }
    });
    (Some(points), holds)
}

/// True if a harness can make elements of a type.
fn can_be_made(of: &Type) -> bool {
    !matches!(of, Type::Incomplete | Type::Function(..))
}

/// Returns the requirement that a parameter is one of some numbers.
fn one_of<'n>(name: &str, numbers: impl IntoIterator<Item = &'n i64>) -> Requirement {
    let sides = numbers
        .into_iter()
        .map(|number| format!("{name} == {number}"));
    Requirement::Holds(sides.collect::<Vec<_>>().join(" || "))
}

/// Returns what all call sites show of a parameter.
fn of_callers(
    parameter: &Parameter,
    passed: &[&Passed],
    is_never_null: bool,
    origin: Origin,
    types: &Types,
) -> Option<Precondition> {
    if passed.is_empty() {
        return None;
    }
    let (Type::Pointer(to) | Type::Reference(to)) = &parameter.of else {
        return numbers(parameter, passed, types, origin);
    };
    let may_be_null = passed.contains(&&Passed::Null) && !is_never_null;
    let others: Vec<&Passed> = passed
        .iter()
        .copied()
        .filter(|one| **one != Passed::Null)
        .collect();
    let target = target(to, &others, types);
    let target = match (target, may_be_null) {
        // A null pointer of any caller is a fact, with other callers or without.
        (None, true) if others.is_empty() && origin == Origin::Callers => None,
        (None, true) => Some(Target::Any),
        (Some(_), true) if origin == Origin::SomeCallers => Some(Target::Any),
        (target, _) => Some(target?),
    };
    let origin = if may_be_null { Origin::Callers } else { origin };
    Some(Precondition::points(
        &parameter.name,
        Pointee {
            may_be_null,
            target,
        },
        origin,
    ))
}

/// Returns the object that all call sites pass, if they pass the same.
fn target(to: &Type, passed: &[&Passed], types: &Types) -> Option<Target> {
    let mut targets = passed.iter().map(|one| match one {
        Passed::Text(length) if matches!(to, Type::Character(_)) => {
            Some(Target::String(Some((*length).max(1))))
        }
        Passed::Object { elements, of } if is_of(to, of, types) => match *elements {
            1 => Some(Target::One),
            elements => Some(Target::Many(Some(u32::try_from(elements).ok()?))),
        },
        _ => None,
    });
    let first = targets.next()??;
    targets.try_fold(first, |known, one| match (known, one?) {
        (Target::String(Some(known)), Target::String(Some(one))) => {
            Some(Target::String(Some(known.max(one))))
        }
        (known, one) => (known == one).then_some(known),
    })
}

/// True if LLVM's type of an element may be a type of C.
fn is_of(to: &Type, of: &str, types: &Types) -> bool {
    match to {
        Type::Scalar(_) | Type::Character(_) | Type::Bool => {
            let bytes = match of {
                "float" => Some(4),
                "double" => Some(8),
                _ => of
                    .strip_prefix('i')
                    .and_then(|bits| bits.parse::<u64>().ok())
                    .map(|bits| bits / 8),
            };
            bytes.is_some() && bytes == types.size(to)
        }
        Type::Pointer(_) => of == "ptr",
        Type::Record(_) => of.starts_with("%struct.") || of.starts_with("%union."),
        _ => false,
    }
}

/// Returns the numbers that all call sites pass, if those are constants.
fn numbers(
    parameter: &Parameter,
    passed: &[&Passed],
    types: &Types,
    origin: Origin,
) -> Option<Precondition> {
    let is_exact =
        matches!(parameter.of, Type::Scalar(_)) && matches!(types.size(&parameter.of), Some(4 | 8));
    let numbers: Option<BTreeSet<i64>> = passed
        .iter()
        .map(|one| match one {
            Passed::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    let numbers = numbers.filter(|numbers| is_exact && numbers.len() <= MOST_NUMBERS)?;
    let what = one_of(&parameter.name, &numbers);
    Some(Precondition { what, origin })
}

/// Returns the functions and variables whose addresses are values somewhere.
fn taken_addresses(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('!'));
    let names = lines.flat_map(|line| {
        line.match_indices('@').filter_map(move |(at, _)| {
            let rest = &line[at + 1..];
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let is_called = rest[end..].starts_with('(');
            (!is_called && at > 0).then(|| &rest[..end])
        })
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_objects_of_all_callers_are_known() {
        let object = |elements, of: &str| Passed::Object {
            elements,
            of: of.to_string(),
        };
        let int = Type::Scalar("int".to_string());
        let text = Type::Character("char".to_string());
        let of = |to: &Type, passed: &[&Passed]| target(to, passed, &Types::default());
        let (four, bytes) = (object(4, "i32"), object(4, "i8"));
        assert_eq!(of(&int, &[&four, &four]), Some(Target::Many(Some(4))));
        assert_eq!(of(&int, &[&four, &object(8, "i32")]), None);
        assert_eq!(of(&int, &[&bytes]), None);
        assert_eq!(of(&int, &[&four, &Passed::Unknown]), None);
        let literals = [&Passed::Text(3), &Passed::Text(5)];
        assert_eq!(of(&text, &literals), Some(Target::String(Some(5))));
    }

    #[test]
    fn addresses_that_are_values_are_found() {
        let text = "@t = global ptr @f\n  call void @g(ptr noundef @h)\ndeclare void @k()\n";
        assert_eq!(taken_addresses(text), BTreeSet::from(["f", "h"]));
    }
}
