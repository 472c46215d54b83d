//! One option of KLEE: how it is written, and what it becomes here.

/// How the value of an option is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// `-x`, or with `=` and one of `0`, `1`, `true`, `false`.
    Bool,
    /// `-x=V` or `-x V`.
    One,
    /// The same with a whole number.
    Number,
    /// The same, and it may be given several times.
    Many,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Several of these words, with commas or by giving the option again.
    Words(&'static [&'static str]),
}

/// What is done by code of its own.
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
    /// A flag of the same name, which `homi run` takes but does not show.
    SameFlag,
    SilentAssume,
    SwitchType,
    UseBatching,
    WriteNoTests,
    WriteTests,
    WriteXml,
    WritesOneFile,
}

/// What an option becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Becomes {
    /// The option of this name in homi's table, with the value as it stands.
    Option(&'static str),
    /// The flag of this name, if it is on.
    Flag(&'static str),
    /// Something by code.
    Code(Setting),
    /// What homi does in any case, and why nothing has to be said.
    Already(&'static str),
    /// Nothing, and why; it is said once.
    Nothing(&'static str),
}

/// An option of KLEE.
#[derive(Clone, Copy, Debug)]
pub struct KleeOption {
    pub name: &'static str,
    pub value: Value,
    /// What KLEE has if it is not given; empty where it has none.
    pub default: &'static str,
    pub becomes: Becomes,
}

impl KleeOption {
    /// True if it may be given several times.
    pub fn repeats(&self) -> bool {
        matches!(self.value, Value::Many | Value::Words(_))
    }

    /// True if the next word is its value if none stands in the same word.
    pub fn takes_next_word(&self) -> bool {
        self.value != Value::Bool
    }
}
