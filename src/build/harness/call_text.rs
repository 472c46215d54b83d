//! A call in C with what can be checked after it.

/// Objects of a test: names and bytes.
pub type Objects<'o> = [(String, &'o [u8])];

/// A call of the tested function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Call {
    /// Declarations and assignments before the call, a line each.
    pub lines: Vec<String>,
    /// The call, without its semicolon.
    pub call: String,
    /// Declaration of the result, as `int result`; `None` for `void`.
    pub result: Option<String>,
    /// Checks that are possible afterwards.
    pub checks: Vec<Check>,
}

/// An expression whose value can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub expression: String,
    pub kind: CheckKind,
}

/// Kind of a checked value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckKind {
    Signed,
    Unsigned,
    Float,
    /// A pointer, perhaps to one of these variables.
    Pointer(Vec<String>),
    /// Bytes at an address, by their number.
    Bytes(u64),
}
