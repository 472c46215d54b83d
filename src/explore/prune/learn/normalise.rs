//! From a branch condition as it was decided to a core condition of the language L, if it is one.
//!
//! Negations move inside, extensions, sums, differences and xors with constants move to the other
//! side of an equality, and any condition over one byte that holds for exactly one value of it is
//! an equation on that byte. Whatever contains a disequality or mixes "and" with "or" is not in L.
//! Invariant: the result holds for exactly the assignments for which the condition holds. Where a
//! conjunction fixes all bytes of an object (the pool splits `alpha == 3` so), it is one equation
//! on the whole object.

use super::language::{Condition, Connective, Equation, LValue};
use homi_ir::ops::{BinOp, CmpOp, mask, signed};
use homi_solver::term::{ArrayId, Byte, Node, Term, Terms};
use rustc_hash::FxHashMap;

/// Deepest nesting looked at; a switch with many cases nests a few hundred levels.
const DEEPEST: u32 = 1500;

/// Bytes of the largest object that is read as one integer.
const WIDEST_OBJECT: u32 = 16;

/// Conditions of junctions, negated or not: shared parts are visited once.
type Known = FxHashMap<(Term, bool), Option<Condition>>;

/// The core condition that a 1-bit term says, if it says one.
pub fn normalise(terms: &Terms, condition: Term) -> Option<Condition> {
    formula(terms, &mut Known::default(), (condition, true), 0)
}

/// `term` if `positive`, else its negation.
fn formula(
    terms: &Terms,
    known: &mut Known,
    (term, positive): (Term, bool),
    depth: u32,
) -> Option<Condition> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(condition) = known.get(&(term, positive)) {
        return condition.clone();
    }
    if let Some(byte) = terms.single_byte(term)
        && let Some(set) = terms.truth_set(term)
    {
        let set = if positive { set } else { set.complement() };
        if let Some(value) = set.only() {
            let equation = on_byte(terms, byte, u128::from(value));
            return Condition::new(Connective::And, vec![equation]);
        }
    }
    let all = |equations: Vec<Equation>| Condition::new(Connective::And, equations);
    if positive && let Some(equations) = run_of_cases(terms, term) {
        return Condition::new(Connective::Or, equations);
    }
    if let Some((connective, parts)) = junction(terms, term) {
        let (connective, parts) = if positive {
            (connective, parts)
        } else {
            (
                opposite(connective),
                parts.map(|(part, sign)| (part, !sign)),
            )
        };
        let condition = join(terms, known, connective, parts, depth);
        known.insert((term, positive), condition.clone());
        return condition;
    }
    match terms.node(term) {
        Node::Not(inner) => formula(terms, known, (inner, !positive), depth + 1),
        Node::Cmp(op, a, b) => {
            let (x, y) = (terms.as_const(a), terms.as_const(b));
            let equal = match op {
                CmpOp::Eq => positive,
                CmpOp::Ne => !positive,
                _ => return all(boundary(terms, op, (a, x), (b, y), positive)?),
            };
            let (value, inner) = match (x, y) {
                (Some(value), None) => (value, b),
                (None, Some(value)) => (value, a),
                _ => return None,
            };
            if let Some((truth, value)) = truth_value(terms, inner, value) {
                // A truth value compared with a number.
                return formula(terms, known, (truth, equal == value), depth + 1);
            }
            if !equal {
                return None;
            }
            all(solve(terms, inner, value)?)
        }
        _ => None,
    }
}

/// The connective and the parts, negated where they are false, of a term that joins two truth
/// values.
fn junction(terms: &Terms, term: Term) -> Option<(Connective, [(Term, bool); 2])> {
    Some(match terms.node(term) {
        Node::Bin(BinOp::And, a, b) => (Connective::And, [(a, true), (b, true)]),
        Node::Bin(BinOp::Or, a, b) => (Connective::Or, [(a, true), (b, true)]),
        // (c ? a : 0) is c and a, (c ? 1 : b) is c or b, and so on.
        Node::Ite(c, a, b) => match (terms.as_const(a), terms.as_const(b)) {
            (None, Some(0)) => (Connective::And, [(c, true), (a, true)]),
            (None, Some(_)) => (Connective::Or, [(c, false), (a, true)]),
            (Some(0), None) => (Connective::And, [(c, false), (b, true)]),
            (Some(_), None) => (Connective::Or, [(c, true), (b, true)]),
            _ => return None,
        },
        _ => return None,
    })
}

/// For a byte between two bounds: an equation for each value. Several `case` labels in a row reach
/// here as two comparisons (`exec::control`); no branch of the program decides both bounds of a
/// range at once.
fn run_of_cases(terms: &Terms, term: Term) -> Option<Vec<Equation>> {
    let Node::Bin(BinOp::And, low, high) = terms.node(term) else {
        return None;
    };
    let (byte, set) = (terms.single_byte(term)?, terms.truth_set(term)?);
    let bounds = is_bound(terms, low) && is_bound(terms, high);
    bounds.then(|| {
        let values = set.iter();
        values
            .map(|value| on_byte(terms, byte, u128::from(value)))
            .collect()
    })
}

/// An order comparison with a constant.
fn is_bound(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Not(inner) => is_bound(terms, inner),
        Node::Cmp(op, a, b) => {
            !matches!(op, CmpOp::Eq | CmpOp::Ne)
                && (terms.as_const(a).is_some() || terms.as_const(b).is_some())
        }
        _ => false,
    }
}

/// The connective of the negated parts, after De Morgan.
fn opposite(connective: Connective) -> Connective {
    match connective {
        Connective::And => Connective::Or,
        Connective::Or => Connective::And,
    }
}

/// Two conditions under one connective, if they do not mix.
fn join(
    terms: &Terms,
    known: &mut Known,
    connective: Connective,
    parts: [(Term, bool); 2],
    depth: u32,
) -> Option<Condition> {
    let mut equations = Vec::new();
    for part in parts {
        let condition = formula(terms, known, part, depth + 1)?;
        if !condition.is_single() && condition.connective() != connective {
            return None;
        }
        equations.extend_from_slice(condition.equations());
    }
    if connective == Connective::And {
        let support = parts.map(|part| terms.support(part.0));
        let bytes = support.iter().flat_map(|bytes| bytes.iter().copied());
        equations = whole_objects(terms, bytes, equations);
    }
    Condition::new(connective, equations)
}

/// Replaces equations on all bytes of an object of 2 to 16 bytes by one on the object. `bytes` are
/// the ones that the equations may be about.
fn whole_objects(
    terms: &Terms,
    bytes: impl Iterator<Item = Byte>,
    mut equations: Vec<Equation>,
) -> Vec<Equation> {
    let mut arrays: Vec<ArrayId> = bytes.map(|byte| byte.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    for array in arrays {
        let info = terms.array_info(array);
        if !(2..=WIDEST_OBJECT).contains(&info.size) || (equations.len() as u32) < info.size {
            continue;
        }
        let is_of =
            |lvalue: &LValue| lvalue.object == info.name && lvalue.occurrence == info.version;
        let value_of = |byte: u32| {
            equations
                .iter()
                .find(|equation| is_of(&equation.lvalue) && equation.lvalue.byte == Some(byte))
                .map(|equation| equation.value)
        };
        let whole = (0..info.size)
            .rev()
            .try_fold(0u128, |value, byte| Some(value << 8 | value_of(byte)?));
        if let Some(value) = whole {
            equations.retain(|equation| !is_of(&equation.lvalue));
            equations.push(equation(terms, array, None, value));
        }
    }
    equations
}

/// Rewrites inequalities that one value satisfies: `x < 1`, `x <= 0`, `max - 1 < x`, `max <= x`,
/// and negations of their opposites.
fn boundary(
    terms: &Terms,
    op: CmpOp,
    (a, x): (Term, Option<u128>),
    (b, y): (Term, Option<u128>),
    positive: bool,
) -> Option<Vec<Equation>> {
    // Negated, `a < b` is `b <= a`.
    let (strict, low, high) = match (op, positive) {
        (CmpOp::Ult, true) => (true, (a, x), (b, y)),
        (CmpOp::Ult, false) => (false, (b, y), (a, x)),
        (CmpOp::Ule, true) => (false, (a, x), (b, y)),
        (CmpOp::Ule, false) => (true, (b, y), (a, x)),
        _ => return None,
    };
    let greatest = mask(terms.width(a));
    match (low.1, high.1) {
        (None, Some(limit)) => {
            let limit = if strict { limit.checked_sub(1)? } else { limit };
            if limit != 0 {
                return None;
            }
            solve(terms, low.0, 0)
        }
        (Some(limit), None) => {
            let limit = if strict { limit + 1 } else { limit };
            if limit != greatest {
                return None;
            }
            solve(terms, high.0, greatest)
        }
        _ => None,
    }
}

/// For an extended 1-bit term compared with a number that it can equal: returns the term and the
/// number's truth value.
fn truth_value(terms: &Terms, term: Term, value: u128) -> Option<(Term, bool)> {
    let width = terms.width(term);
    let (inner, one) = match terms.node(term) {
        Node::Zext { term, .. } => (term, 1),
        Node::Sext { term, .. } => (term, mask(width)),
        _ if width == 1 => (term, 1),
        _ => return None,
    };
    if terms.width(inner) != 1 {
        return None;
    }
    match value {
        0 => Some((inner, false)),
        value if value == one => Some((inner, true)),
        _ => None,
    }
}

/// The equations that together say `term == value`.
fn solve(terms: &Terms, mut term: Term, mut value: u128) -> Option<Vec<Equation>> {
    loop {
        let width = terms.width(term);
        let constant = |term: Term| terms.as_const(term);
        match terms.node(term) {
            Node::Symbol(byte) => return Some(vec![on_byte(terms, byte, value)]),
            Node::Concat(..) => return solve_concat(terms, term, value),
            Node::Zext { term: inner, .. } => {
                if value > mask(terms.width(inner)) {
                    return None;
                }
                term = inner;
            }
            Node::Sext { term: inner, .. } => {
                let narrow = terms.width(inner);
                let low = value & mask(narrow);
                if signed(narrow, low) as u128 & mask(width) != value {
                    return None;
                }
                (term, value) = (inner, low);
            }
            Node::Not(inner) => (term, value) = (inner, !value & mask(width)),
            Node::Bin(op, a, b) => {
                let (x, y) = (constant(a), constant(b));
                let moved = match (op, x, y) {
                    (BinOp::Add, None, Some(c)) => (a, value.wrapping_sub(c)),
                    (BinOp::Add, Some(c), None) => (b, value.wrapping_sub(c)),
                    (BinOp::Sub, None, Some(c)) => (a, value.wrapping_add(c)),
                    (BinOp::Sub, Some(c), None) => (b, c.wrapping_sub(value)),
                    (BinOp::Xor, None, Some(c)) => (a, value ^ c),
                    (BinOp::Xor, Some(c), None) => (b, value ^ c),
                    _ => return None,
                };
                (term, value) = (moved.0, moved.1 & mask(width));
            }
            _ => return None,
        }
    }
}

/// A concatenation: an equation for each part, or for the whole object if it is one.
fn solve_concat(terms: &Terms, term: Term, value: u128) -> Option<Vec<Equation>> {
    // Lowest part first.
    let mut parts = Vec::new();
    let mut pending = vec![term];
    while let Some(part) = pending.pop() {
        match terms.node(part) {
            Node::Concat(high, low) => pending.extend([high, low]),
            _ => parts.push(part),
        }
    }
    let mut equations = Vec::new();
    let mut shift = 0;
    for part in parts {
        let width = terms.width(part);
        let slice = value >> shift & mask(width);
        shift += width;
        match terms.as_const(part) {
            Some(constant) if constant == slice => {}
            Some(_) => return None,
            None => equations.extend(solve(terms, part, slice)?),
        }
    }
    Some(whole_objects(
        terms,
        terms.support(term).iter().copied(),
        equations,
    ))
}

fn on_byte(terms: &Terms, byte: Byte, value: u128) -> Equation {
    equation(terms, byte.array, Some(byte.index), value)
}

fn equation(terms: &Terms, array: ArrayId, byte: Option<u32>, value: u128) -> Equation {
    let info = terms.array_info(array);
    Equation {
        lvalue: LValue {
            object: info.name,
            occurrence: info.version,
            byte,
        },
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Input {
        terms: Terms,
    }

    impl Input {
        fn new() -> Self {
            Self {
                terms: Terms::new(),
            }
        }

        fn byte(&self, name: &str, size: u32, index: u32) -> Term {
            let array = self.terms.array(name, 0, size);
            self.terms.symbol(Byte { array, index })
        }

        /// A whole 4-byte object as an integer.
        fn integer(&self, name: &str) -> Term {
            let low = (1..4).fold(self.byte(name, 4, 0), |low, index| {
                self.terms.concat(self.byte(name, 4, index), low)
            });
            assert_eq!(self.terms.width(low), 32);
            low
        }

        fn text(&self, term: Term) -> String {
            normalise(&self.terms, term).map_or("-".to_string(), |found| found.to_string())
        }
    }

    #[test]
    fn the_papers_example() {
        // PC = {{alpha == 3, alpha > 1}, {alpha[2] != 3, alpha[2] == 8}}
        let input = Input::new();
        let t = &input.terms;
        let alpha = input.integer("alpha");
        let element = input.byte("alpha", 4, 2);
        let three = t.constant(32, 3);
        assert_eq!(input.text(t.eq(alpha, three)), "alpha == 3");
        let greater = t.cmp(CmpOp::Sgt, alpha, t.constant(32, 1));
        assert_eq!(input.text(greater), "-");
        let unequal = t.cmp(CmpOp::Ne, element, t.constant(8, 3));
        assert_eq!(input.text(unequal), "-");
        assert_eq!(input.text(t.eq_const(element, 8)), "alpha[2] == 8");
    }

    #[test]
    fn arithmetic_moves_to_the_other_side() {
        let input = Input::new();
        let t = &input.terms;
        let byte = input.byte("arg00", 11, 4);
        let wide = t.sext(byte, 32);
        let shifted = t.bin(BinOp::Sub, wide, t.constant(32, 45));
        assert_eq!(input.text(t.eq_const(shifted, 0)), "arg00[4] == 45");
        let flipped = t.bin(BinOp::Xor, t.zext(byte, 64), t.constant(64, 0x20));
        assert_eq!(input.text(t.eq_const(flipped, 0x41)), "arg00[4] == 97");
        let whole = t.bin(BinOp::Add, input.integer("n_args"), t.constant(32, 1));
        assert_eq!(input.text(t.eq_const(whole, 3)), "n_args == 2");
        let none = t.cmp(CmpOp::Ult, input.integer("n_args"), t.constant(32, 1));
        assert_eq!(input.text(none), "n_args == 0");
        let negative = t.sext(byte, 32);
        assert_eq!(
            input.text(t.eq_const(negative, u128::from(u32::MAX))),
            "arg00[4] == 255"
        );
    }

    #[test]
    fn polarity_is_part_of_the_condition() {
        let input = Input::new();
        let t = &input.terms;
        let byte = input.byte("stdin", 8, 0);
        let unequal = t.cmp(CmpOp::Ne, byte, t.constant(8, 10));
        assert_eq!(input.text(t.not(unequal)), "stdin[0] == 10");
        assert_eq!(input.text(t.not(t.eq_const(byte, 10))), "-");
        // No equality in sight, but one value only.
        let last = t.cmp(CmpOp::Uge, byte, t.constant(8, 255));
        assert_eq!(input.text(last), "stdin[0] == 255");
    }

    #[test]
    fn connectives_are_flat_and_unmixed() {
        let input = Input::new();
        let t = &input.terms;
        let [a, b, c] = [0, 1, 2].map(|index| t.eq_const(input.byte("s", 9, index), 65));
        let either = t.or(t.or(a, b), c);
        assert_eq!(input.text(either), "s[0] == 65 | s[1] == 65 | s[2] == 65");
        assert_eq!(input.text(t.and(a, b)), "s[0] == 65 & s[1] == 65");
        assert_eq!(input.text(t.and(t.or(a, b), c)), "-", "mixed");
        assert_eq!(input.text(t.not(t.or(a, b))), "-", "disequalities");
        let not = t.not(t.or(t.not(a), t.not(b)));
        assert_eq!(input.text(not), "s[0] == 65 & s[1] == 65");
        let byte = input.byte("s", 9, 5);
        let blank = t.or(t.eq_const(byte, 32), t.eq_const(byte, 9));
        assert_eq!(input.text(blank), "s[5] == 9 | s[5] == 32");
    }

    /// `case 65: case 66: case 67:` and one further label, as `exec::control` writes them.
    #[test]
    fn cases_in_a_row_are_equations() {
        let input = Input::new();
        let t = &input.terms;
        let byte = t.sext(input.byte("s", 9, 0), 32);
        let between = |low: u128, high: u128| {
            t.and(
                t.cmp(CmpOp::Uge, byte, t.constant(32, low)),
                t.cmp(CmpOp::Ule, byte, t.constant(32, high)),
            )
        };
        let three = "s[0] == 65 | s[0] == 66 | s[0] == 67";
        assert_eq!(input.text(between(65, 67)), three);
        let further = t.or(between(65, 67), t.eq_const(byte, 80));
        assert_eq!(input.text(further), format!("{three} | s[0] == 80"));
        assert_eq!(input.text(t.not(between(65, 67))), "-", "disequalities");
        let one_bound = t.cmp(CmpOp::Ule, byte, t.constant(32, 2));
        assert_eq!(input.text(one_bound), "-", "no case");
    }

    #[test]
    fn shared_parts_are_looked_at_once() {
        // Taken apart again and again, 60 levels would have 2^60 parts.
        let input = Input::new();
        let t = &input.terms;
        let same = |object: &str, level: u32| {
            let byte = input.byte(object, 60, level);
            t.eq_const(byte, u128::from(level))
        };
        let whole = (0..60).fold(same("s", 59), |whole, level| {
            let (left, right) = (same("s", level), same("t", level));
            t.and(t.and(whole, left), t.and(whole, right))
        });
        let condition = normalise(t, whole).unwrap();
        assert_eq!(condition.equations().len(), 120);
    }

    #[test]
    fn parts_of_an_object_are_a_conjunction_of_bytes() {
        let input = Input::new();
        let t = &input.terms;
        let two = t.concat(input.byte("s", 9, 1), input.byte("s", 9, 0));
        assert_eq!(
            input.text(t.eq_const(two, 0x6261)),
            "s[0] == 97 & s[1] == 98"
        );
        assert_eq!(input.text(t.not(t.eq_const(two, 0x6261))), "-");
        let n = input.integer("n");
        let either = t.or(t.eq_const(n, 3), t.eq_const(n, 0x0100_0000));
        assert_eq!(input.text(either), "n == 3 | n == 16777216");
    }

    #[test]
    fn later_objects_of_a_name_are_distinct() {
        let terms = Terms::new();
        let array = terms.array("in", 2, 1);
        let byte = terms.symbol(Byte { array, index: 0 });
        let condition = normalise(&terms, terms.eq_const(byte, 7)).unwrap();
        assert_eq!(condition.to_string(), "in#2[0] == 7");
    }
}
