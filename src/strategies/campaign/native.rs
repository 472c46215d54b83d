//! Where B(t) comes from if not from the engine.

/// Runs tests natively and says which branches each takes.
pub trait NativeCoverage {
    /// Numbers of the branches that each test takes, ascending. `tests` are `.ktest` files; a
    /// number means the same branch in every call.
    fn branches(&mut self, tests: &[&[u8]]) -> Result<Vec<Vec<u32>>, String>;
}
