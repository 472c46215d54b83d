//! Source of B(t) other than the engine.

/// Native replay of tests that returns the branches of each.
pub trait NativeCoverage {
    /// Returns the numbers of the branches that each test takes, ascending. `tests` are contents of
    /// `.ktest` files; a number identifies the same branch in every call.
    fn branches(&mut self, tests: &[&[u8]]) -> Result<Vec<Vec<u32>>, String>;
}
