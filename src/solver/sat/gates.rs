//! Circuits of and, exclusive or and multiplexer gates in which equal gates are one.
//!
//! Invariant: a gate comes after its operands. Constants and equal operands are simplified away
//! when a gate is asked for, so a gate that exists depends on an input.

use rustc_hash::FxHashMap;

/// A gate's output or its complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

pub(super) const FALSE: Lit = Lit(0);
pub(super) const TRUE: Lit = Lit(1);

impl Lit {
    fn of(gate: usize) -> Lit {
        Lit((gate as u32) << 1)
    }

    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    fn complement_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Definition of a gate's output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    /// The output of gate 0: false.
    False,
    Input,
    And(Lit, Lit),
    /// Operands are not complements.
    Xor(Lit, Lit),
    /// Select, output if it is true, output if it is false; the first two are not complements.
    Mux(Lit, Lit, Lit),
}

impl Gate {
    /// Calls `visit` with each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Lit)) {
        match *self {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => {
                visit(a);
                visit(b);
            }
            Gate::Mux(select, a, b) => {
                visit(select);
                visit(a);
                visit(b);
            }
        }
    }
}

/// A circuit.
pub(super) struct Gates {
    gates: Vec<Gate>,
    numbers: FxHashMap<Gate, u32>,
}

impl Gates {
    pub fn new() -> Gates {
        Gates {
            gates: vec![Gate::False],
            numbers: FxHashMap::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    pub fn input(&mut self) -> Lit {
        self.gates.push(Gate::Input);
        Lit::of(self.gates.len() - 1)
    }

    fn make(&mut self, gate: Gate) -> Lit {
        let next = self.gates.len() as u32;
        let number = *self.numbers.entry(gate).or_insert(next);
        if number == next {
            self.gates.push(gate);
        }
        Lit::of(number as usize)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (a, b) {
            (FALSE, _) => FALSE,
            (TRUE, b) => b,
            _ if a == b => a,
            _ if a == !b => FALSE,
            _ => self.make(Gate::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let complement = a.is_complement() != b.is_complement();
        let plain = |lit: Lit| lit.complement_if(lit.is_complement());
        let (a, b) = (plain(a), plain(b));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let result = match (a, b) {
            (FALSE, b) => b,
            _ if a == b => FALSE,
            _ => self.make(Gate::Xor(a, b)),
        };
        result.complement_if(complement)
    }

    /// `a` if `select` is true, `b` otherwise.
    pub fn mux(&mut self, select: Lit, a: Lit, b: Lit) -> Lit {
        if select.is_complement() {
            return self.mux_plain(!select, b, a);
        }
        self.mux_plain(select, a, b)
    }

    fn mux_plain(&mut self, select: Lit, a: Lit, b: Lit) -> Lit {
        if select == FALSE {
            return b;
        }
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(select, a);
        }
        if a == TRUE || a == select {
            return self.or(select, b);
        }
        if a == FALSE || a == !select {
            return self.and(!select, b);
        }
        if b == TRUE || b == !select {
            return self.or(!select, a);
        }
        if b == FALSE || b == select {
            return self.and(select, a);
        }
        let complement = a.is_complement();
        let (a, b) = (a.complement_if(complement), b.complement_if(complement));
        self.make(Gate::Mux(select, a, b)).complement_if(complement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal for given inputs, in the order of their creation.
    fn value(gates: &Gates, lit: Lit, inputs: &[bool]) -> bool {
        let mut values = Vec::new();
        let mut inputs = inputs.iter();
        for number in 0..gates.len() {
            let of = |lit: Lit| {
                let values: &Vec<bool> = &values;
                values[lit.gate()] != lit.is_complement()
            };
            let value = match gates.gate(number) {
                Gate::False => false,
                Gate::Input => *inputs.next().unwrap(),
                Gate::And(a, b) => of(a) && of(b),
                Gate::Xor(a, b) => of(a) != of(b),
                Gate::Mux(select, a, b) => {
                    if of(select) {
                        of(a)
                    } else {
                        of(b)
                    }
                }
            };
            values.push(value);
        }
        values[lit.gate()] != lit.is_complement()
    }

    #[test]
    fn gates_mean_what_they_say_for_all_operands() {
        let mut gates = Gates::new();
        let inputs = [gates.input(), gates.input(), gates.input()];
        let mut operands = vec![FALSE, TRUE];
        operands.extend(inputs.iter().flat_map(|&lit| [lit, !lit]));
        for &a in &operands {
            for &b in &operands {
                let (and, or, xor) = (gates.and(a, b), gates.or(a, b), gates.xor(a, b));
                for &c in &operands {
                    let mux = gates.mux(a, b, c);
                    for bits in 0..8 {
                        let inputs = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
                        let of = |lit| value(&gates, lit, &inputs);
                        assert_eq!(of(and), of(a) && of(b));
                        assert_eq!(of(or), of(a) || of(b));
                        assert_eq!(of(xor), of(a) != of(b));
                        assert_eq!(of(mux), if of(a) { of(b) } else { of(c) });
                    }
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let mut gates = Gates::new();
        let (a, b) = (gates.input(), gates.input());
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.xor(a, !b), !gates.xor(b, a));
        assert_eq!(gates.mux(a, b, !a), gates.mux(!a, !a, b));
        assert_eq!(gates.and(a, !a), FALSE);
    }
}
