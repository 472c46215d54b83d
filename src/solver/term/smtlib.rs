//! Constraints as an SMT-LIB 2.6 script (QF_ABV): objects are arrays from 32-bit indices to bytes,
//! as in KLEE's `.smt2` files; shared terms are definitions. Floating point needs Z3
//! (`fp.to_ieee_bv`).

use super::node::{ArrayId, Node, TableId, Term};
use super::pool::Terms;
use super::printing::Inventory;
use super::smtlib_float;
use homi_ir::ops::float::FloatFunction;
use homi_ir::ops::{BinOp, CmpOp};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A script that is satisfiable exactly when all constraints (1-bit terms) hold together.
pub fn print(terms: &Terms, constraints: &[Term]) -> String {
    let inventory = Inventory::new(terms, constraints);
    let mut printer = Printer {
        terms,
        text: String::new(),
        names: FxHashMap::default(),
    };
    let mut logic = "QF_ABV";
    let mut unknown: BTreeMap<String, FloatFunction> = BTreeMap::new();
    for &term in inventory.uses.keys() {
        if let Node::Float(function, _) = terms.node(term) {
            logic = "ALL";
            let operands = vec![String::new(); function.arity()];
            if smtlib_float::print(function, &operands).is_none() {
                unknown.insert(format!("{function:?}"), function);
            }
        }
    }
    printer.line(format_args!("(set-logic {logic})"));
    for (name, function) in unknown {
        let operand = format!("(_ BitVec {})", function.operand_width());
        let operands = vec![operand; function.arity()].join(" ");
        let width = function.width();
        printer.line(format_args!(
            "(declare-fun |{name}| ({operands}) (_ BitVec {width}))"
        ));
    }
    for &array in &inventory.arrays {
        let name = Inventory::array_name(terms, array);
        printer.line(format_args!(
            "(declare-fun |{name}| () (Array (_ BitVec 32) (_ BitVec 8)))"
        ));
    }
    for (number, (&term, &uses)) in inventory.uses.iter().enumerate() {
        let body = printer.body(term);
        let leaf = matches!(terms.node(term), Node::Const { .. } | Node::Symbol(_));
        if uses > 1 && !leaf {
            let width = terms.width(term);
            printer.line(format_args!(
                "(define-fun ?t{number} () (_ BitVec {width}) {body})"
            ));
            printer.names.insert(term, format!("?t{number}"));
        } else {
            printer.names.insert(term, body);
        }
    }
    for &constraint in constraints {
        let name = printer.name(constraint);
        printer.line(format_args!("(assert (= {name} #b1))"));
    }
    printer.text.push_str("(check-sat)\n(exit)\n");
    printer.text
}

/// Returns the name of an object in scripts.
pub fn object_name(terms: &Terms, array: ArrayId) -> String {
    Inventory::array_name(terms, array)
}

struct Printer<'a> {
    terms: &'a Terms,
    text: String,
    names: FxHashMap<Term, String>,
}

impl Printer<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn name(&self, term: Term) -> String {
        self.names.get(&term).cloned().unwrap_or_default()
    }

    fn body(&self, term: Term) -> String {
        let width = self.terms.width(term);
        let name = |term: Term| self.name(term);
        match self.terms.node(term) {
            Node::Const { value, .. } => format!("(_ bv{value} {width})"),
            Node::Symbol(byte) => {
                let array = Inventory::array_name(self.terms, byte.array);
                format!("(select |{array}| (_ bv{} 32))", byte.index)
            }
            Node::Bin(op, a, b) => format!("({} {} {})", operator(op), name(a), name(b)),
            Node::Cmp(op, a, b) => {
                let holds = match op {
                    CmpOp::Ne => format!("(not (= {} {}))", name(a), name(b)),
                    _ => format!("({} {} {})", comparison(op), name(a), name(b)),
                };
                format!("(ite {holds} #b1 #b0)")
            }
            Node::Not(a) => format!("(bvnot {})", name(a)),
            Node::Zext { term: a, .. } => {
                let more = width - self.terms.width(a);
                format!("((_ zero_extend {more}) {})", name(a))
            }
            Node::Sext { term: a, .. } => {
                let more = width - self.terms.width(a);
                format!("((_ sign_extend {more}) {})", name(a))
            }
            Node::Extract { low, term: a, .. } => {
                let high = u32::from(low) + width - 1;
                format!("((_ extract {high} {low}) {})", name(a))
            }
            Node::Concat(a, b) => format!("(concat {} {})", name(a), name(b)),
            Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", name(c), name(a), name(b)),
            Node::Table(table, index) => self.table(table, index, width),
            Node::Float(function, operands) => {
                let operands: Vec<String> = operands[..function.arity()]
                    .iter()
                    .map(|&a| name(a))
                    .collect();
                // An operator that no solver has is a function that nothing is known of.
                smtlib_float::print(function, &operands)
                    .unwrap_or_else(|| format!("(|{function:?}| {})", operands.join(" ")))
            }
        }
    }

    /// A chain of comparisons, one per run of equal elements that are not 0.
    fn table(&self, table: TableId, index: Term, width: u32) -> String {
        let (elements, _) = self.terms.table_elements(table);
        let index_width = self.terms.width(index);
        let index = self.name(index);
        let (mut text, mut depth, mut start) = (String::new(), 0, 0);
        while start < elements.len() {
            let value = elements[start];
            let run = elements[start..].iter().take_while(|&&e| e == value);
            let end = start + run.count();
            if value != 0 {
                let last = end - 1;
                let low = format!("(bvule (_ bv{start} {index_width}) {index})");
                let high = format!("(bvule {index} (_ bv{last} {index_width}))");
                let _ = write!(text, "(ite (and {low} {high}) (_ bv{value} {width}) ");
                depth += 1;
            }
            start = end;
        }
        let _ = write!(text, "(_ bv0 {width})");
        text.extend(std::iter::repeat_n(')', depth));
        text
    }
}

fn operator(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "bvadd",
        BinOp::Sub => "bvsub",
        BinOp::Mul => "bvmul",
        BinOp::UDiv => "bvudiv",
        BinOp::SDiv => "bvsdiv",
        BinOp::URem => "bvurem",
        BinOp::SRem => "bvsrem",
        BinOp::And => "bvand",
        BinOp::Or => "bvor",
        BinOp::Xor => "bvxor",
        BinOp::Shl => "bvshl",
        BinOp::LShr => "bvlshr",
        BinOp::AShr => "bvashr",
    }
}

fn comparison(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq | CmpOp::Ne => "=",
        CmpOp::Ult => "bvult",
        CmpOp::Ule => "bvule",
        CmpOp::Ugt => "bvugt",
        CmpOp::Uge => "bvuge",
        CmpOp::Slt => "bvslt",
        CmpOp::Sle => "bvsle",
        CmpOp::Sgt => "bvsgt",
        CmpOp::Sge => "bvsge",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;

    #[test]
    fn a_table_of_tables_is_as_long_as_its_tables() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let elements: Vec<u64> = (0..256).map(|at| at * 7919 / 13 % 251).collect();
        let mut state = terms.symbol(Byte { array, index: 0 });
        let mut lengths = Vec::new();
        for _ in 0..6 {
            state = terms.table(&elements, 8, state);
            lengths.push(print(&terms, &[terms.eq_const(state, 33)]).len());
        }
        assert!(lengths[5] < lengths[0] * 7, "{lengths:?}");
    }

    #[test]
    fn shared_terms_are_defined_once() {
        let terms = Terms::new();
        let array = terms.array("stdin", 1, 4);
        let byte = terms.symbol(Byte { array, index: 2 });
        let sum = terms.bin(BinOp::Mul, terms.zext(byte, 16), terms.constant(16, 10));
        let constraints = [
            terms.cmp(CmpOp::Ult, sum, terms.constant(16, 300)),
            terms.eq(terms.extract(sum, 0, 8), byte),
        ];
        let expected = "(set-logic QF_ABV)\n\
            (declare-fun |stdin_1| () (Array (_ BitVec 32) (_ BitVec 8)))\n\
            (assert (= (ite (bvult (bvmul ((_ zero_extend 8) (select |stdin_1| (_ bv2 32))) \
            (_ bv10 16)) (_ bv300 16)) #b1 #b0) #b1))\n";
        let text = print(&terms, &constraints[..1]);
        assert_eq!(text, format!("{expected}(check-sat)\n(exit)\n"));
        let shared = terms.bin(BinOp::Add, sum, sum);
        let text = print(
            &terms,
            &[terms.cmp(CmpOp::Ult, shared, terms.constant(16, 9))],
        );
        assert_eq!(text.matches("bvmul").count(), 1);
        assert!(
            text.contains("(define-fun ?t3 () (_ BitVec 16) (bvmul"),
            "{text}"
        );
    }
}
