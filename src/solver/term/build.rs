//! The smart constructors: fold constants, put operands in order, try the rules, then intern.
//!
//! Invariant: every constructor returns a term equal, for every assignment, to the operator applied
//! to its arguments. Rules live in `rewrite`, one small function each; the first that matches wins,
//! and it builds its result through the constructors, so results are in normal form again.

use super::node::{Byte, Node, Term};
use super::pool::Terms;
use super::rewrite::{arithmetic, bitwise, compare, select, structure};
use homi_ir::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask, signed};

/// Numbers of constructors in `recent_pieces`; an extraction's has its place and width too.
const EXTRACTION: u32 = 1 << 20;
const CONCATENATION: u32 = 1 << 21;

impl Terms {
    /// The low `width` (1 to 128) bits of `value`.
    pub fn constant(&self, width: u32, value: u128) -> Term {
        debug_assert!((1..=128).contains(&width));
        let node = Node::Const {
            width: width as u8,
            value: value & mask(width),
        };
        self.intern(node, width)
    }

    /// A constant of 1 bit.
    pub fn bool(&self, value: bool) -> Term {
        self.constant(1, u128::from(value))
    }

    /// A symbolic byte, 8 bits.
    pub fn symbol(&self, byte: Byte) -> Term {
        self.intern(Node::Symbol(byte), 8)
    }

    /// `a op b`; both of one width, which the result has.
    pub fn bin(&self, op: BinOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "{op:?}");
        let (x, y) = (self.as_const(a), self.as_const(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.constant(width, eval_bin(op, width, x, y));
        }
        let (a, b) = if op.is_commutative() {
            self.in_order(a, b)
        } else {
            (a, b)
        };
        let rules = match op {
            BinOp::And | BinOp::Or | BinOp::Xor => bitwise::rules(op),
            _ => arithmetic::rules(op),
        };
        for rule in rules {
            if let Some(result) = rule(self, a, b) {
                debug_assert_eq!(self.width(result), width);
                return result;
            }
        }
        self.intern(Node::Bin(op, a, b), width)
    }

    /// `a op b`, 1 bit; both operands of one width.
    pub fn cmp(&self, op: CmpOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "{op:?}");
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.bool(eval_cmp(op, width, x, y));
        }
        let kind = 2 + op as u32;
        self.recent.get_or(kind, a, b, || self.made_cmp(op, a, b))
    }

    fn made_cmp(&self, op: CmpOp, a: Term, b: Term) -> Term {
        let (op, a, b) = match op {
            CmpOp::Ugt => (CmpOp::Ult, b, a),
            CmpOp::Uge => (CmpOp::Ule, b, a),
            CmpOp::Sgt => (CmpOp::Slt, b, a),
            CmpOp::Sge => (CmpOp::Sle, b, a),
            CmpOp::Eq | CmpOp::Ne => {
                let (a, b) = self.in_order(a, b);
                (op, a, b)
            }
            _ => (op, a, b),
        };
        for rule in compare::rules(op) {
            if let Some(result) = rule(self, op, a, b) {
                return result;
            }
        }
        self.intern(Node::Cmp(op, a, b), 1)
    }

    /// `a == b`, 1 bit.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Eq, a, b)
    }

    /// `a == value`, 1 bit.
    pub fn eq_const(&self, a: Term, value: u128) -> Term {
        self.eq(a, self.constant(self.width(a), value))
    }

    /// Bitwise complement, any width.
    pub fn not(&self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.as_const(a) {
            return self.constant(width, !value);
        }
        self.recent.get_or(1, a, a, || {
            let mut rules = bitwise::NOT.iter();
            let result = rules.find_map(|rule| rule(self, a));
            result.unwrap_or_else(|| self.intern(Node::Not(a), width))
        })
    }

    /// Two's complement negation.
    pub fn neg(&self, a: Term) -> Term {
        self.bin(BinOp::Sub, self.constant(self.width(a), 0), a)
    }

    /// `a` and `b`, usually of 1 bit.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.bin(BinOp::And, a, b)
    }

    /// `a` or `b`, usually of 1 bit.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Or, a, b)
    }

    /// Zero extension to `to` bits (at least the term's own).
    pub fn zext(&self, a: Term, to: u32) -> Term {
        let width = self.width(a);
        debug_assert!(to >= width);
        if to == width {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(to, value);
        }
        for rule in structure::ZEXT {
            if let Some(result) = rule(self, a, to) {
                return result;
            }
        }
        let node = Node::Zext {
            width: to as u8,
            term: a,
        };
        self.intern(node, to)
    }

    /// Sign extension to `to` bits (at least the term's own).
    pub fn sext(&self, a: Term, to: u32) -> Term {
        let width = self.width(a);
        debug_assert!(to >= width);
        if to == width {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(to, signed(width, value) as u128);
        }
        for rule in structure::SEXT {
            if let Some(result) = rule(self, a, to) {
                return result;
            }
        }
        let node = Node::Sext {
            width: to as u8,
            term: a,
        };
        self.intern(node, to)
    }

    /// Bits `low .. low + width` of a term.
    pub fn extract(&self, a: Term, low: u32, width: u32) -> Term {
        let from = self.width(a);
        debug_assert!(width >= 1 && low + width <= from);
        if width == from {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(width, value >> low);
        }
        let kind = EXTRACTION | low << 8 | width;
        self.recent_pieces
            .get_or(kind, a, a, || self.made_extract(a, low, width))
    }

    fn made_extract(&self, a: Term, low: u32, width: u32) -> Term {
        for rule in structure::EXTRACT {
            if let Some(result) = rule(self, a, low, width) {
                return result;
            }
        }
        let node = Node::Extract {
            low: low as u8,
            width: width as u8,
            term: a,
        };
        self.intern(node, width)
    }

    /// `high` above `low`; together at most 128 bits.
    pub fn concat(&self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        debug_assert!(width <= 128);
        if let (Some(x), Some(y)) = (self.as_const(high), self.as_const(low)) {
            return self.constant(width, x << self.width(low) | y);
        }
        self.recent_pieces.get_or(CONCATENATION, high, low, || {
            let mut rules = structure::CONCAT.iter();
            let result = rules.find_map(|rule| rule(self, high, low));
            result.unwrap_or_else(|| self.intern(Node::Concat(high, low), width))
        })
    }

    /// Zero extension or truncation to `to` bits.
    pub fn resize(&self, a: Term, to: u32) -> Term {
        if to >= self.width(a) {
            self.zext(a, to)
        } else {
            self.extract(a, 0, to)
        }
    }

    /// `a` if `condition` (1 bit), otherwise `b`.
    pub fn ite(&self, condition: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(condition), 1);
        debug_assert_eq!(self.width(a), self.width(b));
        match self.as_const(condition) {
            Some(0) => return b,
            Some(_) => return a,
            None => {}
        }
        for rule in select::ITE {
            if let Some(result) = rule(self, condition, a, b) {
                return result;
            }
        }
        self.intern(Node::Ite(condition, a, b), self.width(a))
    }

    /// `elements[index]` with elements of `element_width` (1 to 64) bits; 0 when the (unsigned)
    /// index, of at most 64 bits, is beyond the end.
    pub fn table(&self, elements: &[u64], element_width: u32, index: Term) -> Term {
        if let Some(value) = self.as_const(index) {
            let element = usize::try_from(value)
                .ok()
                .and_then(|position| elements.get(position));
            return self.constant(element_width, element.map_or(0, |&value| value.into()));
        }
        if let Some(result) = select::table(self, elements, element_width, index) {
            return result;
        }
        let id = self.intern_table(elements, element_width);
        self.intern(Node::Table(id, index), element_width)
    }

    /// Constants go right; otherwise the smaller structural hash goes left.
    fn in_order(&self, a: Term, b: Term) -> (Term, Term) {
        let swap = match (self.as_const(a), self.as_const(b)) {
            (Some(_), None) => true,
            (None, Some(_)) => false,
            _ => self.structural_hash(a) > self.structural_hash(b),
        };
        if swap { (b, a) } else { (a, b) }
    }
}
