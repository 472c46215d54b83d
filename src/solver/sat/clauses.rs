//! A circuit as clauses for the SAT solver, and what it says.
//!
//! Idea (Tseitin): a variable for each gate that an output depends on, clauses that tie it to its
//! operands. Invariant: the variables are numbered as the gates are, and the solver is a fresh one
//! with a limit counted in conflicts, so that the answer, its model included, is a function of the
//! circuit.

use super::circuit::Circuit;
use super::gates::{FALSE, Gate, Lit, TRUE};
use super::{Cost, Limits};
use crate::backend::Answer;
use crate::oracle::UnknownReason;
use crate::tuning::Tuning;
use homi_ir::util::clock::Moment;
use homi_ir::util::resident::resident_of;

/// Callback that stops the solver at the deadline of the run or at its memory limit, and counts its
/// calls.
struct Terminator {
    deadline: Option<Moment>,
    /// Resident bytes of this process.
    most_memory: u64,
    out_of_memory: bool,
    looks: u64,
    /// Looks between two at the memory in use; the solver looks some thousand times a second.
    looks_at_memory: u64,
}

impl Terminator {
    fn new(limits: Limits, tuning: &Tuning) -> Self {
        Self {
            deadline: limits.deadline,
            most_memory: resident_of("self").saturating_add(limits.memory),
            out_of_memory: false,
            looks: 0,
            looks_at_memory: tuning.sat_memory_looks,
        }
    }
}

impl cadical::Callbacks for Terminator {
    fn terminate(&mut self) -> bool {
        self.looks += 1;
        if self.looks % self.looks_at_memory == 0 {
            self.out_of_memory |= resident_of("self") > self.most_memory;
        }
        self.out_of_memory || self.deadline.is_some_and(|at| Moment::now() >= at)
    }
}

struct Translation<'c> {
    circuit: &'c Circuit,
    /// The variable of each gate; 0 if no output depends on it.
    variables: Vec<i32>,
    solver: cadical::Solver<Terminator>,
}

/// Looks for values of the bytes that make all outputs true.
pub(super) fn solve(circuit: &Circuit, limits: Limits, tuning: &Tuning) -> (Answer, Cost) {
    let Some(required) = required(circuit) else {
        return (Answer::Unsat, Cost::default());
    };
    let mut translation = Translation {
        circuit,
        variables: variables(circuit, &required),
        solver: cadical::Solver::new(),
    };
    translation.add_gates();
    for lit in required {
        let literal = translation.literal(lit);
        translation.solver.add_clause([literal]);
    }
    translation.answer(limits, tuning)
}

/// The literals that must be true, each conjunction taken apart once; nothing if that is
/// impossible.
fn required(circuit: &Circuit) -> Option<Vec<Lit>> {
    let mut required = Vec::new();
    let mut taken_apart = vec![false; circuit.gates.len()];
    let mut pending = circuit.outputs.clone();
    while let Some(lit) = pending.pop() {
        match circuit.gates.gate(lit.gate()) {
            _ if lit == FALSE => return None,
            _ if lit == TRUE => {}
            Gate::And(a, b) if !lit.is_complement() => {
                if !std::mem::replace(&mut taken_apart[lit.gate()], true) {
                    pending.extend([a, b]);
                }
            }
            _ => required.push(lit),
        }
    }
    required.sort_unstable();
    required.dedup();
    Some(required)
}

/// Numbers the gates that the required ones depend on, from 1.
fn variables(circuit: &Circuit, required: &[Lit]) -> Vec<i32> {
    let mut variables = vec![0; circuit.gates.len()];
    for lit in required {
        variables[lit.gate()] = 1;
    }
    for number in (0..variables.len()).rev() {
        if variables[number] != 0 {
            let gate = circuit.gates.gate(number);
            gate.for_each_operand(|operand| variables[operand.gate()] = 1);
        }
    }
    let mut next = 0;
    for variable in variables.iter_mut().filter(|variable| **variable != 0) {
        next += 1;
        *variable = next;
    }
    variables
}

impl Translation<'_> {
    fn literal(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.gate()];
        if lit.is_complement() {
            -variable
        } else {
            variable
        }
    }

    fn add_gates(&mut self) {
        for number in 0..self.variables.len() {
            let x = self.variables[number];
            if x == 0 {
                continue;
            }
            match self.circuit.gates.gate(number) {
                // Constants are not operands of gates.
                Gate::False | Gate::Input => {}
                Gate::And(a, b) => {
                    let (a, b) = (self.literal(a), self.literal(b));
                    self.add(&[&[-x, a], &[-x, b], &[x, -a, -b]]);
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (self.literal(a), self.literal(b));
                    self.add(&[&[-x, a, b], &[-x, -a, -b], &[x, a, -b], &[x, -a, b]]);
                }
                Gate::Mux(select, a, b) => {
                    let (s, a, b) = (self.literal(select), self.literal(a), self.literal(b));
                    self.add(&[&[-s, -a, x], &[-s, a, -x], &[s, -b, x], &[s, b, -x]]);
                    // Implied, but it lets equal inputs decide before the select is known.
                    self.add(&[&[-a, -b, x], &[a, b, -x]]);
                }
            }
        }
    }

    fn add(&mut self, clauses: &[&[i32]]) {
        for clause in clauses {
            self.solver.add_clause(clause.iter().copied());
        }
    }

    fn answer(&mut self, limits: Limits, tuning: &Tuning) -> (Answer, Cost) {
        let clauses = self.solver.num_clauses() as u64;
        let mut cost = Cost { clauses, looks: 0 };
        let bounds = (tuning.sat_least_conflicts, tuning.sat_most_conflicts);
        let fair = limits.effort / clauses.max(1);
        let limit = fair.max(bounds.0.into()).min(bounds.1.into()) as i32;
        if let Err(error) = self.solver.set_limit("conflicts", limit) {
            let reason = format!("the SAT solver takes no limit: {error}");
            return (Answer::Unknown(UnknownReason::BackendFailure(reason)), cost);
        }
        self.solver
            .set_callbacks(Some(Terminator::new(limits, tuning)));
        let result = self.solver.solve();
        let mut reason = UnknownReason::Timeout;
        if let Some(terminator) = self.solver.get_callbacks() {
            cost.looks = terminator.looks;
            if terminator.out_of_memory {
                reason = UnknownReason::Memory;
            }
        }
        let answer = match result {
            Some(true) => Answer::Sat(self.values()),
            Some(false) => Answer::Unsat,
            None => Answer::Unknown(reason),
        };
        (answer, cost)
    }

    /// The bytes of the model; bits that nothing depends on are 0.
    fn values(&self) -> Vec<u8> {
        let bit = |lit: Lit| {
            let variable = self.variables[lit.gate()];
            variable != 0 && self.solver.value(variable) == Some(true)
        };
        let bytes = self.circuit.bytes.iter();
        bytes
            .map(|bits| {
                let bits = bits.iter().enumerate();
                bits.fold(0, |byte, (index, &lit)| byte | u8::from(bit(lit)) << index)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cadical::Callbacks;

    /// True if the solver stops within this many checks.
    fn stops(mut terminator: Terminator, looks: u64) -> bool {
        (0..looks).any(|_| terminator.terminate())
    }

    #[test]
    fn too_much_memory_stops_the_solver() {
        let limits = |memory| Limits {
            effort: 0,
            deadline: None,
            memory,
        };
        let tuning = Tuning::default();
        let looks = tuning.sat_memory_looks;
        let mut terminator = Terminator::new(limits(0), &tuning);
        terminator.most_memory = 1;
        assert!(stops(terminator, looks));
        assert!(!stops(Terminator::new(limits(1 << 40), &tuning), 4 * looks));
    }
}
