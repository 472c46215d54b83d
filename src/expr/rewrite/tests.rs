//! Unit tests of the rules.
