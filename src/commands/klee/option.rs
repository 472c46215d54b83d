//! Option of KLEE: its syntax and its effect in homi.

/// Syntax of an option's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// `-x`, or with `=` and one of `0`, `1`, `true`, `false`.
    Bool,
    /// `-x=V` or `-x V`.
    One,
    /// `-x=N` or `-x N` with an integer N.
    Number,
    /// `-x=V` or `-x V`; repeatable.
    Many,
    /// One of these values.
    Choice(&'static [&'static str]),
    /// Several of these values, separated by commas or by repeating the option.
    Choices(&'static [&'static str]),
}

/// Effect that is implemented by code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Setting {
    AllocationsInMemory,
    BatchInstructions,
    BatchTime,
    CoveringNewOnly,
    ExitOnErrorType,
    FunctionAlias,
    LinkLibrary,
    MaxForks,
    MaxInstructions,
    NamedSeeds,
    SeedSizes,
    Merge,
    OutputModule,
    OutputSource,
    Search,
    /// Flag of the same name in homi's table.
    SameFlag,
    SilentAssume,
    SwitchType,
    UseBatching,
    WriteNoTests,
    WriteTests,
    WriteXml,
    WritesOneFile,
}

/// Effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Becomes {
    /// The option of this name in homi's table, with the same value.
    Option(&'static str),
    /// The flag of this name, if the option is on.
    Flag(&'static str),
    /// An effect implemented by code.
    Code(Setting),
    /// No effect: homi always behaves so, for the given reason.
    Already(&'static str),
    /// No effect; homi prints the given reason once.
    Nothing(&'static str),
}

/// Option of KLEE.
#[derive(Clone, Copy, Debug)]
pub struct KleeOption {
    pub name: &'static str,
    pub value: Value,
    /// KLEE's default; empty if there is none.
    pub default: &'static str,
    pub becomes: Becomes,
}

impl KleeOption {
    /// True if the option can be repeated.
    pub fn repeats(&self) -> bool {
        matches!(self.value, Value::Many | Value::Choices(_))
    }

    /// True if the next argument is the value of an option without `=`.
    pub fn takes_next_argument(&self) -> bool {
        self.value != Value::Bool
    }
}
