//! Checks: faults of the program that an instruction can have, and what is verified beforehand.

pub(super) mod fault_places;
pub(super) mod faults;
pub(super) mod leaks;
pub(super) mod origins;
pub(super) mod overflow;
pub(super) mod pointer_sum;
pub(super) mod undefined;
pub(super) mod undefined_objects;
pub(super) mod verify;
