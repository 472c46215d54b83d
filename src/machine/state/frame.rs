//! One activation of a function: its registers.
//!
//! Invariant: `terms` is empty until a register of the frame first holds a term; then it runs
//! parallel to `bits`, and `terms[s]` decides whether `bits[s]` means anything. A value above 64
//! bits keeps its term at its first slot.

use homi_ir::program::FuncId;
use homi_ir::util::dense_id;
use homi_solver::term::Term;

dense_id!(
    /// A node of the tree of call paths (parent node, call site, callee); recursion folds onto the
    /// nearest equal ancestor.
    CallPathId, "cp");

/// A number that no two activations on one path share.
pub type FrameSerial = u64;

/// Arguments of a variadic function, as va_start writes them (System V x86-64).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VariadicArguments {
    /// Address of the register save area.
    pub save_area: u64,
    /// Address of the arguments that are in no register.
    pub overflow_area: u64,
    /// Bytes of the save area that named arguments took: integer registers, from 0 to 48.
    pub gp_offset: u8,
    /// Bytes of the save area up to the first SSE register that named arguments left, from 48 to
    /// 176.
    pub fp_offset: u8,
}

/// One activation of a function.
#[derive(Debug)]
pub struct Frame {
    pub function: FuncId,
    /// Index into `Function::code`: the next instruction; in an outer frame the instruction after
    /// its call.
    pub pc: u32,
    pub serial: FrameSerial,
    pub call_path: CallPathId,
    /// Registers: 64-bit slots, unused upper bits zero.
    pub bits: Vec<u64>,
    pub terms: Vec<Option<Term>>,
    /// Number of `Some` in `terms`.
    pub live_terms: u32,
    /// Address of the frame's region of stack memory; its objects lie at the layout's offsets from
    /// it.
    pub stack_base: u64,
    /// Bytes of a native stack that this call and those around it take at least.
    pub stack_end: u64,
    pub variadic: VariadicArguments,
    /// Index into the caller's `calls`, which says where results go; `None` for an outermost frame
    /// or one that the engine itself pushed (constructors).
    pub call_site: Option<u32>,
}

/// Registers that a frame has room for when it is used again.
const FEW_REGISTERS: usize = 16;

/// Puts these registers in place of others.
#[inline]
fn refill(registers: &mut Vec<u64>, source: &[u64]) {
    if registers.capacity() < source.len() {
        // Growing would copy what was there.
        *registers = Vec::with_capacity(source.len().max(FEW_REGISTERS));
    }
    registers.clear();
    registers.extend_from_slice(source);
}

impl Clone for Frame {
    fn clone(&self) -> Self {
        Self {
            bits: self.bits.clone(),
            // Room for terms that none of the registers holds is not worth a copy.
            terms: match self.live_terms {
                0 => Vec::new(),
                _ => self.terms.clone(),
            },
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let (mut bits, mut terms) = (
            std::mem::take(&mut self.bits),
            std::mem::take(&mut self.terms),
        );
        refill(&mut bits, &source.bits);
        terms.clear();
        if source.live_terms != 0 {
            terms.extend_from_slice(&source.terms);
        }
        *self = Self {
            bits,
            terms,
            ..*source
        };
    }
}

impl Frame {
    /// A frame about to execute the function's first instruction, with these registers.
    pub fn new(function: FuncId, bits: &[u64]) -> Self {
        Self {
            function,
            pc: 0,
            serial: 0,
            call_path: CallPathId(0),
            bits: bits.to_vec(),
            terms: Vec::new(),
            live_terms: 0,
            stack_base: 0,
            stack_end: 0,
            variadic: VariadicArguments::default(),
            call_site: None,
        }
    }

    /// The term in a slot, if the slot's value is symbolic.
    #[inline(always)]
    pub fn term(&self, slot: usize) -> Option<Term> {
        if self.live_terms == 0 {
            return None;
        }
        self.terms[slot]
    }

    /// Makes `terms` run parallel to `bits`.
    #[inline]
    pub fn make_room_for_terms(&mut self) {
        if self.terms.is_empty() {
            self.terms.resize(self.bits.len(), None);
        }
    }

    /// Puts a term into a slot.
    pub fn set_term(&mut self, slot: usize, term: Term) {
        self.make_room_for_terms();
        if self.terms[slot].replace(term).is_none() {
            self.live_terms += 1;
        }
    }

    /// Makes a slot concrete.
    #[inline(always)]
    pub fn clear_term(&mut self, slot: usize) {
        if self.live_terms != 0 && self.terms[slot].take().is_some() {
            self.live_terms -= 1;
        }
    }

    /// Makes a used frame a fresh one of another function.
    pub(super) fn renew(&mut self, function: FuncId, bits: &[u64]) {
        // A new field does not compile until it is renewed as well.
        let Frame {
            function: own_function,
            pc,
            serial: _,
            call_path: _,
            bits: own_bits,
            terms,
            live_terms,
            stack_base,
            stack_end,
            variadic,
            call_site,
        } = self;
        *own_function = function;
        *pc = 0;
        refill(own_bits, bits);
        terms.clear();
        *live_terms = 0;
        *stack_base = 0;
        *stack_end = 0;
        *variadic = VariadicArguments::default();
        *call_site = None;
    }
}
