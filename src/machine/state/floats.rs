//! The floating-point environment of a path.
//!
//! Invariant: an `fenv_t` holds the mode where x86's has it, in the control words of x87 (first two
//! bytes) and SSE (last four of 32), so a mode that was saved can be set again.

use homi_ir::ops::float::{Rounding, exceptions};

/// The control words without a mode: exceptions masked, x87 with full precision.
const X87: u16 = 0x37f;
const SSE: u32 = 0x1f80;

/// The rounding mode and the exception flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FloatEnvironment {
    /// The mode that `fesetround` has set.
    pub rounding: Rounding,
    /// Exception flags raised so far (`ops::float::exceptions`); 0 unless the program asks for
    /// them.
    pub exceptions: u8,
}

impl FloatEnvironment {
    /// Returns the environment that an x87 control word and status flags encode.
    pub fn from_words(control: u64, flags: u64) -> Self {
        Self {
            rounding: Rounding::from_control_word(control & 0xc00).unwrap_or_default(),
            exceptions: flags as u8 & exceptions::ALL,
        }
    }

    /// The environment as an `fenv_t`.
    pub fn to_bytes(self) -> [u8; 32] {
        let mode = self.rounding.control_word() as u16;
        let mut bytes = [0; 32];
        bytes[..2].copy_from_slice(&(X87 | mode).to_le_bytes());
        let control = SSE | u32::from(mode) << 3 | u32::from(self.exceptions);
        bytes[28..].copy_from_slice(&control.to_le_bytes());
        bytes
    }

    /// Lowers the flags of a mask.
    pub fn clear(&mut self, mask: u8) {
        self.exceptions &= !mask;
    }

    /// Raises the flags of a mask.
    pub fn raise(&mut self, mask: u8) {
        self.exceptions |= mask;
    }
}
