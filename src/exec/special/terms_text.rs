//! A term as KQuery text on one line, for `klee_print_expr` and `klee_print_range`.
//!
//! Large terms are cut: the text is for people, and shared parts are written out each time.

use crate::expr::{Node, Term, Terms};
use std::fmt::Write;

/// Operators that are written out before the rest becomes `...`.
const LIMIT: usize = 200;

/// The text of a term.
pub(super) fn text(terms: &Terms, term: Term) -> String {
    let mut out = String::new();
    let mut left = LIMIT;
    write_term(terms, term, &mut out, &mut left);
    out
}

fn write_term(terms: &Terms, term: Term, out: &mut String, left: &mut usize) {
    if *left == 0 {
        out.push_str("...");
        return;
    }
    *left -= 1;
    let width = terms.width(term);
    let node = terms.node(term);
    // Writing to a string cannot fail.
    let _ = match node {
        Node::Const { width: 1, value } => {
            write!(out, "{}", if value != 0 { "true" } else { "false" })
        }
        Node::Const { value, .. } => write!(out, "(w{width} {value})"),
        Node::Symbol(byte) => {
            let array = terms.array_info(byte.array);
            let suffix = match array.version {
                0 => String::new(),
                version => format!("_{version}"),
            };
            write!(out, "(Read w8 {} {}{suffix})", byte.index, array.name)
        }
        Node::Table(..) => write!(out, "(Table w{width}"),
        Node::Bin(op, ..) => write!(out, "({} w{width}", capital(op.name())),
        Node::Cmp(op, ..) => write!(out, "({}", capital(op.name())),
        Node::Not(_) => write!(out, "(Not w{width}"),
        Node::Zext { .. } => write!(out, "(ZExt w{width}"),
        Node::Sext { .. } => write!(out, "(SExt w{width}"),
        Node::Extract { low, .. } => write!(out, "(Extract w{width} {low}"),
        Node::Concat(..) => write!(out, "(Concat w{width}"),
        Node::Ite(..) => write!(out, "(Select w{width}"),
    };
    if matches!(node, Node::Const { .. } | Node::Symbol(_)) {
        return;
    }
    node.for_each_operand(|operand| {
        out.push(' ');
        write_term(terms, operand, out, left);
    });
    out.push(')');
}

/// KQuery's spelling of an operator: `udiv` is `UDiv`, `add` is `Add`.
fn capital(name: &str) -> String {
    let start = usize::from(matches!(
        name,
        "udiv" | "sdiv" | "urem" | "srem" | "lshr" | "ashr"
    ));
    let upper = |text: &str| {
        let (first, rest) = text.split_at(1);
        first.to_uppercase() + rest
    };
    name[..start].to_uppercase() + &upper(&name[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Byte;
    use crate::ops::{BinOp, CmpOp};

    #[test]
    fn terms_read_like_kquery() {
        let terms = Terms::new();
        let array = terms.array("x", 1, 4);
        let byte = terms.symbol(Byte { array, index: 2 });
        assert_eq!(text(&terms, byte), "(Read w8 2 x_1)");
        let sum = terms.bin(BinOp::UDiv, byte, terms.constant(8, 3));
        assert_eq!(text(&terms, sum), "(UDiv w8 (Read w8 2 x_1) (w8 3))");
        let other = terms.symbol(Byte { array, index: 0 });
        let less = terms.cmp(CmpOp::Ult, byte, other);
        let expected = "(Ult (Read w8 2 x_1) (Read w8 0 x_1))";
        assert_eq!(text(&terms, less), expected);
    }
}
