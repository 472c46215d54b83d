//! One function in place of a whole program.

/// Targets of a pointer to a fresh object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum PointerShape {
    /// A null pointer.
    Null,
    /// One element.
    One,
    /// Several elements; never of a record that points to its like, such as a list's.
    Many,
    /// For pointers to characters: a string, in place of one and many.
    String,
    /// An object of that type that something else points to.
    Shared,
    /// An object that leads to this pointer: a circle.
    Cyclic,
}

impl PointerShape {
    /// All, in the order of their documentation.
    pub const ALL: [PointerShape; 6] = [
        PointerShape::Null,
        PointerShape::One,
        PointerShape::Many,
        PointerShape::String,
        PointerShape::Shared,
        PointerShape::Cyclic,
    ];
}

/// Call of a function other than `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionConfig {
    /// Its name.
    pub entry: String,
    pub shapes: Vec<PointerShape>,
    /// Length of arrays and strings behind pointers, and largest input of a fuzz driver in bytes.
    pub elements: Option<u32>,
    /// Pointers on the way from a parameter to an object, at most.
    pub depth: u32,
    /// Names of variables that are symbolic, or `all`.
    pub globals: Vec<String>,
}
