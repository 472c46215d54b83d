//! Symbolic inputs that a program's arguments ask for.
//!
//! Invariant: options are read as the modeled kernel reads them (`runtime/kernel/arguments.c`).

/// Reason why there is no test for arguments or bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LayoutError {
    #[error("{option} lacks its value")]
    Missing { option: String },
    #[error("{option} {value:?} is not a number that it takes")]
    Number { option: String, value: String },
    #[error(
        "the program's arguments make nothing symbolic that takes raw bytes; give it those of its \
         run, such as --sym-stdin 8"
    )]
    Nothing,
    #[error("the program's arguments make no {wanted} symbolic; they make: {known}")]
    Absent { wanted: String, known: String },
}

/// Destination of raw bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Stdin,
    /// A symbolic file, by its path.
    File(Vec<u8>),
    /// All arguments, the program's name first, in the format of
    /// [`argv_input`](super::argv_input).
    Arguments,
}

impl Target {
    /// `stdin`, `arguments`, or the path of a symbolic file.
    pub fn named(name: &str) -> Self {
        match name {
            "stdin" => Target::Stdin,
            "arguments" => Target::Arguments,
            file => Target::File(file.as_bytes().to_vec()),
        }
    }

    fn name(&self) -> String {
        match self {
            Target::Stdin => "stdin".to_string(),
            Target::Arguments => "arguments".to_string(),
            Target::File(path) => format!("file {}", String::from_utf8_lossy(path)),
        }
    }
}

/// One position of the command line, or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// An argument that is not symbolic.
    Fixed(Vec<u8>),
    /// `--sym-arg SIZE`.
    One(usize),
    /// `--sym-args LEAST MOST SIZE`.
    Several(usize, usize, usize),
}

/// Symbolic inputs of arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    pub(super) slots: Vec<Slot>,
    /// Names and sizes of `--sym-env NAME N`.
    pub(super) variables: Vec<(Vec<u8>, usize)>,
    /// Paths and sizes of symbolic files, letters first.
    pub(super) files: Vec<(Vec<u8>, usize)>,
    pub(super) stdin: Option<usize>,
    pub(super) stdout: bool,
    pub(super) failures: bool,
}

impl Layout {
    /// Returns the layout of a program's arguments as typed, without its name.
    pub fn of(arguments: &[Vec<u8>]) -> Result<Self, LayoutError> {
        let mut layout = Self::default();
        let mut letters = Vec::new();
        let mut arguments = Arguments(arguments);
        while let Some(argument) = arguments.next() {
            let text = String::from_utf8_lossy(argument).into_owned();
            let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
            match name.unwrap_or_default() {
                "sym-arg" => layout.slots.push(Slot::One(arguments.number(&text)?)),
                "sym-args" => {
                    let (least, most) = (arguments.number(&text)?, arguments.number(&text)?);
                    let size = arguments.number(&text)?;
                    layout.slots.push(Slot::Several(least, most, size));
                }
                "sym-env" => {
                    let name = arguments.value(&text)?.to_vec();
                    if fixed_variable(&name).is_none() {
                        layout.variables.push((name, arguments.number(&text)?));
                    }
                }
                "sym-files" => {
                    let (count, size) = (arguments.number(&text)?, arguments.number(&text)?);
                    letters.extend((b'A'..=b'Z').take(count).map(|name| (vec![name], size)));
                }
                "sym-file" => {
                    let path = arguments.value(&text)?.to_vec();
                    layout.files.push((path, arguments.number(&text)?));
                }
                "sym-stdin" => layout.stdin = Some(arguments.number(&text)?),
                "sym-stdout" => layout.stdout = true,
                "max-fail" => layout.failures = arguments.number(&text)? > 0,
                "fd-fail" => layout.failures = true,
                "save-all-writes" => {}
                "bout-file" => {
                    arguments.value(&text)?;
                }
                _ => layout.slots.push(Slot::Fixed(argument.to_vec())),
            }
        }
        letters.append(&mut layout.files);
        layout.files = letters;
        Ok(layout)
    }

    /// Returns the default destination of raw bytes: the standard input, else the first file, else
    /// the arguments.
    pub fn usual_target(&self) -> Option<Target> {
        let argued = self
            .slots
            .iter()
            .any(|slot| !matches!(slot, Slot::Fixed(_)));
        match (self.stdin, self.files.first()) {
            (Some(_), _) => Some(Target::Stdin),
            (None, Some((path, _))) => Some(Target::File(path.clone())),
            (None, None) => argued.then_some(Target::Arguments),
        }
    }

    /// The target, if the arguments make it symbolic; the usual one if none is given.
    pub(super) fn target(&self, wanted: Option<&Target>) -> Result<Target, LayoutError> {
        let usual = self.usual_target();
        let Some(wanted) = wanted else {
            return usual.ok_or(LayoutError::Nothing);
        };
        let there: Vec<Target> = self.targets().collect();
        if there.contains(wanted) {
            return Ok(wanted.clone());
        }
        let known: Vec<String> = there.iter().map(Target::name).collect();
        let known = if known.is_empty() {
            "nothing".to_string()
        } else {
            known.join(", ")
        };
        let wanted = wanted.name();
        Err(LayoutError::Absent { wanted, known })
    }

    fn targets(&self) -> impl Iterator<Item = Target> {
        let files = self
            .files
            .iter()
            .map(|(path, _)| Target::File(path.clone()));
        let argued = self
            .slots
            .iter()
            .any(|slot| !matches!(slot, Slot::Fixed(_)));
        let stdin = self.stdin.map(|_| Target::Stdin).into_iter();
        stdin
            .chain(files)
            .chain(argued.then_some(Target::Arguments))
    }
}

/// Name and value in the value of `--sym-env`, if it is NAME=VALUE and not a name alone.
pub fn fixed_variable(argument: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = argument.iter().position(|byte| *byte == b'=')?;
    (equals > 0).then(|| (&argument[..equals], &argument[equals + 1..]))
}

/// Arguments that are still to be read.
struct Arguments<'a>(&'a [Vec<u8>]);

impl<'a> Arguments<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn value(&mut self, option: &str) -> Result<&'a [u8], LayoutError> {
        let option = option.to_string();
        self.next().ok_or(LayoutError::Missing { option })
    }

    fn number(&mut self, option: &str) -> Result<usize, LayoutError> {
        let value = String::from_utf8_lossy(self.value(option)?).into_owned();
        value.parse().map_err(|_| LayoutError::Number {
            option: option.to_string(),
            value,
        })
    }
}
