//! Constraints as a KQuery, KLEE's text form: array declarations and one `query` whose constraint
//! list is the path and whose expression is false. Shared terms get a label where they first
//! appear.

use super::node::{Node, TableId, Term};
use super::pool::Terms;
use super::printing::Inventory;
use homi_ir::ops::{BinOp, CmpOp};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The query of a path condition.
pub fn print(terms: &Terms, constraints: &[Term]) -> String {
    let inventory = Inventory::new(terms, constraints);
    let mut text = String::new();
    for &array in &inventory.arrays {
        let name = Inventory::array_name(terms, array);
        let size = terms.array_info(array).size;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "array {name}[{size}] : w32 -> w8 = symbolic");
    }
    for (number, &table) in inventory.tables.iter().enumerate() {
        let (elements, width) = terms.table_elements(table);
        let length = elements.len();
        let _ = write!(
            text,
            "array const_arr{number}[{length}] : w32 -> w{width} = ["
        );
        let values: Vec<String> = elements.iter().map(u64::to_string).collect();
        let _ = writeln!(text, "{}]", values.join(" "));
    }
    let mut printer = Printer {
        terms,
        inventory: &inventory,
        texts: FxHashMap::default(),
        labels: FxHashMap::default(),
    };
    for &term in inventory.uses.keys() {
        let body = printer.body(term);
        printer.texts.insert(term, body);
    }
    let lines: Vec<String> = constraints.iter().map(|&c| printer.mention(c)).collect();
    let _ = writeln!(text, "(query [{}]\n       false)", lines.join("\n        "));
    text
}

/// One term as an expression, without the declarations of its arrays and tables.
pub fn print_term(terms: &Terms, term: Term) -> String {
    let inventory = Inventory::new(terms, &[term]);
    let mut printer = Printer {
        terms,
        inventory: &inventory,
        texts: FxHashMap::default(),
        labels: FxHashMap::default(),
    };
    for &part in inventory.uses.keys() {
        let body = printer.body(part);
        printer.texts.insert(part, body);
    }
    printer.mention(term)
}

struct Printer<'a> {
    terms: &'a Terms,
    inventory: &'a Inventory,
    /// Texts that were not mentioned yet (the texts of leaves stay).
    texts: FxHashMap<Term, String>,
    labels: FxHashMap<Term, usize>,
}

impl Printer<'_> {
    /// The text of a term at the next place: in full with its label at the first, then the label.
    /// Terms are written in post-order, so the first place written is the first in the text.
    fn mention(&mut self, term: Term) -> String {
        if let Some(label) = self.labels.get(&term) {
            return format!("N{label}");
        }
        if matches!(self.terms.node(term), Node::Const { .. } | Node::Symbol(_)) {
            return self.texts.get(&term).cloned().unwrap_or_default();
        }
        let text = self.texts.remove(&term).unwrap_or_default();
        if self.inventory.uses.get(&term).is_none_or(|&uses| uses < 2) {
            return text;
        }
        let label = self.labels.len();
        self.labels.insert(term, label);
        format!("N{label}:{text}")
    }

    fn body(&mut self, term: Term) -> String {
        let width = self.terms.width(term);
        match self.terms.node(term) {
            Node::Const { value, .. } if width == 1 => (value == 1).to_string(),
            Node::Const { value, .. } => format!("(w{width} {value})"),
            Node::Symbol(byte) => {
                let array = Inventory::array_name(self.terms, byte.array);
                format!("(Read w8 {} {array})", byte.index)
            }
            Node::Bin(op, a, b) => {
                let (a, b) = (self.mention(a), self.mention(b));
                format!("({} w{width} {a} {b})", operator(op))
            }
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.mention(a), self.mention(b));
                format!("({} {a} {b})", comparison(op))
            }
            Node::Not(a) => format!("(Not w{width} {})", self.mention(a)),
            Node::Zext { term: a, .. } => format!("(ZExt w{width} {})", self.mention(a)),
            Node::Sext { term: a, .. } => format!("(SExt w{width} {})", self.mention(a)),
            Node::Extract { low, term: a, .. } => {
                format!("(Extract w{width} {low} {})", self.mention(a))
            }
            Node::Concat(a, b) => {
                let (a, b) = (self.mention(a), self.mention(b));
                format!("(Concat w{width} {a} {b})")
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.mention(c), self.mention(a), self.mention(b));
                format!("(Select w{width} {c} {a} {b})")
            }
            Node::Table(table, index) => self.table(table, index, width),
            // KQuery has no floating point; the names are ours.
            Node::Float(function, operands) => {
                let operands: Vec<String> = operands[..function.arity()]
                    .iter()
                    .map(|&a| self.mention(a))
                    .collect();
                format!("({} w{width} {})", function.name(), operands.join(" "))
            }
        }
    }

    /// A read of a constant array; indices beyond its end give 0.
    fn table(&mut self, table: TableId, index: Term, width: u32) -> String {
        let number = self.inventory.tables.get_index_of(&table).unwrap_or(0);
        let length = self.terms.table_elements(table).0.len() as u128;
        let index_width = self.terms.width(index);
        let beyond = self.terms.range(index).1 >= length;
        let index = self.mention(index);
        let position = match index_width.cmp(&32) {
            std::cmp::Ordering::Less => format!("(ZExt w32 {index})"),
            std::cmp::Ordering::Equal => index.clone(),
            std::cmp::Ordering::Greater => format!("(Extract w32 0 {index})"),
        };
        let read = format!("(Read w{width} {position} const_arr{number})");
        if !beyond {
            return read;
        }
        // The label, if there was one, is defined in the first mention.
        let mention = match index.split_once(':') {
            Some((label, _)) if label.starts_with('N') => label.to_string(),
            _ => index.clone(),
        };
        let inside = format!("(Ult {index} (w{index_width} {length}))");
        let read = read.replace(&index, &mention);
        format!("(Select w{width} {inside} {read} (w{width} 0))")
    }
}

/// KQuery's name of an operator.
fn operator(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "Add",
        BinOp::Sub => "Sub",
        BinOp::Mul => "Mul",
        BinOp::UDiv => "UDiv",
        BinOp::SDiv => "SDiv",
        BinOp::URem => "URem",
        BinOp::SRem => "SRem",
        BinOp::And => "And",
        BinOp::Or => "Or",
        BinOp::Xor => "Xor",
        BinOp::Shl => "Shl",
        BinOp::LShr => "LShr",
        BinOp::AShr => "AShr",
    }
}

/// KQuery's name of a comparison.
fn comparison(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "Eq",
        CmpOp::Ne => "Ne",
        CmpOp::Ult => "Ult",
        CmpOp::Ule => "Ule",
        CmpOp::Ugt => "Ugt",
        CmpOp::Uge => "Uge",
        CmpOp::Slt => "Slt",
        CmpOp::Sle => "Sle",
        CmpOp::Sgt => "Sgt",
        CmpOp::Sge => "Sge",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;

    #[test]
    fn one_term_is_an_expression() {
        let terms = Terms::new();
        let array = terms.array("x", 1, 4);
        let byte = terms.symbol(Byte { array, index: 2 });
        assert_eq!(print_term(&terms, byte), "(Read w8 2 x_1)");
        let sum = terms.bin(BinOp::UDiv, byte, terms.constant(8, 3));
        let text = print_term(&terms, sum);
        assert_eq!(text, "(UDiv w8 (Read w8 2 x_1) (w8 3))");
        let square = terms.bin(BinOp::Mul, sum, sum);
        assert_eq!(print_term(&terms, square), format!("(Mul w8 N0:{text} N0)"));
    }

    #[test]
    fn a_path_prints_as_a_query() {
        let terms = Terms::new();
        let array = terms.array("arg00", 0, 3);
        let (a, b) = (
            terms.symbol(Byte { array, index: 0 }),
            terms.symbol(Byte { array, index: 1 }),
        );
        let wide = terms.bin(BinOp::Mul, terms.zext(a, 32), terms.constant(32, 10));
        let sum = terms.bin(BinOp::Add, wide, terms.zext(b, 32));
        let constraints = [
            terms.eq_const(a, 45),
            terms.cmp(CmpOp::Ult, sum, terms.constant(32, 100)),
            terms.cmp(CmpOp::Ult, terms.constant(32, 7), sum),
        ];
        let text = print(&terms, &constraints);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "array arg00[3] : w32 -> w8 = symbolic");
        assert_eq!(lines[1], "(query [(Eq (Read w8 0 arg00) (w8 45))");
        assert!(lines[2].trim().starts_with("(Ult N0:(Add w32 "), "{text}");
        assert!(lines[2].ends_with(" (w32 100))"), "{text}");
        assert_eq!(lines[3].trim(), "(Ult (w32 7) N0)]");
        assert_eq!(lines[4].trim(), "false)");
    }
}
