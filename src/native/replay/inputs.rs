//! Input of a process from a test: its arguments, environment, streams and files.
//!
//! A `.ktest` holds the arguments as the user typed them, symbolic options among them, and objects.
//! The modeled kernel (runtime/kernel/arguments.c, KLEE's rules) expanded the options when the test
//! was made. This module repeats the expansion with the objects at hand, each of which must have
//! the name and size that the options ask for. Objects that no option asks for belong to the
//! harness (`klee_make_symbolic` in the program) and keep their order.

use thiserror::Error;

use super::sandbox::{InputFile, Node, Stream};
use crate::testcase::fixed_variable;
use crate::testcase::ktest::{KTest, Object};

/// A test's inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The program's arguments without argv[0].
    pub arguments: Vec<Vec<u8>>,
    /// Environment variables: name and value.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    pub stdin: Stream,
    pub stdout: Stream,
    pub files: Vec<InputFile>,
    /// The first of `files` that is not below the program's directory, where no real file can be
    /// put.
    pub outside: Option<String>,
    /// Objects that the program made symbolic.
    pub harness: Vec<Object>,
    /// Notes on what a native run cannot reproduce.
    pub notes: Vec<String>,
}

/// Reason why a test's objects are not the inputs of a process.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    #[error("{option} {value:?} is not {expected}")]
    Usage {
        option: String,
        value: String,
        expected: &'static str,
    },
    #[error("{option} lacks its value")]
    UsageEnd { option: String },
    #[error("object {name:?}, which {option} asks for, is not in the test")]
    Missing { name: String, option: String },
    #[error("object {name:?} has {found} bytes where {option} makes {expected}")]
    Size {
        name: String,
        option: String,
        found: usize,
        expected: usize,
    },
    #[error("object \"n_args\" is {value}, which {option} does not allow")]
    Count { value: i32, option: String },
}

/// Bytes of a `struct stat` on 64-bit Linux, as KLEE's model has it.
const STAT_SIZE: usize = 144;
/// Bytes of the object of a symbolic standard output.
const STDOUT_SIZE: usize = 1024;

/// The parts of a symbolic `struct stat` that a file can be given.
struct Stat {
    mode: u32,
    times: Option<(i64, i64)>,
}

impl Stat {
    /// Offsets as in x86-64's `struct stat`: mode at 24, access time at 72, modification time at
    /// 88.
    fn parse(bytes: &[u8]) -> Stat {
        let number = |offset: usize, size: usize| {
            let field = bytes.get(offset..offset + size).unwrap_or_default();
            field.iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b)) as i64
        };
        let (access, modification) = (number(72, 8), number(88, 8));
        let sensible = |time: i64| (1..1 << 40).contains(&time);
        Stat {
            mode: number(24, 4) as u32,
            times: (sensible(access) && sensible(modification)).then_some((access, modification)),
        }
    }

    fn kind(&self) -> u32 {
        self.mode & libc::S_IFMT
    }

    /// A mode of zero is one that the path did not look at.
    fn permissions(&self) -> u32 {
        if self.mode == 0 {
            0o644
        } else {
            self.mode & 0o777
        }
    }
}

/// Note on a test with values of memory that was never set: the native ones may be others.
pub(super) const UNSET_NOT_GIVEN: &str =
    "the replay cannot give values to memory that was never set (--undef-any)";

/// Effects of the engine that a native run does not have.
const BY_THE_ENGINE: [&str; 3] = [
    UNSET_NOT_GIVEN,
    "the replay does not inject failing allocations (--max-malloc-fail)",
    "the replay does not reproduce what stubs return and write (--stub)",
];

impl Inputs {
    /// Walks the test's arguments.
    pub fn of(test: &KTest) -> Result<Inputs, InputError> {
        let mut walk = Walk {
            args: test.args.get(1..).unwrap_or_default(),
            objects: test.objects.iter().map(Some).collect(),
            symbolic_arguments: 0,
            files: Vec::new(),
            stdin: None,
            stdout: false,
            failures: false,
            inputs: Inputs::default(),
        };
        while let Some((arg, rest)) = walk.args.split_first() {
            walk.args = rest;
            walk.argument(arg)?;
        }
        walk.finish()
    }
}

impl Inputs {
    /// The files, streams and failures come from the modeled kernel.
    pub fn leave_to_model(&mut self) {
        self.stdin = Stream::Plain;
        self.stdout = Stream::Plain;
        self.files.clear();
        self.outside = None;
        self.notes
            .retain(|note| BY_THE_ENGINE.contains(&note.as_str()));
    }
}

struct Walk<'a> {
    /// Remaining arguments.
    args: &'a [Vec<u8>],
    /// Objects that are still to be used; None for one that was.
    objects: Vec<Option<&'a Object>>,
    symbolic_arguments: usize,
    /// Symbolic files: path, size in bytes, the option that made it.
    files: Vec<(Vec<u8>, usize, String)>,
    stdin: Option<usize>,
    stdout: bool,
    failures: bool,
    inputs: Inputs,
}

impl<'a> Walk<'a> {
    fn argument(&mut self, arg: &[u8]) -> Result<(), InputError> {
        let text = String::from_utf8_lossy(arg).into_owned();
        let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
        match name.unwrap_or_default() {
            "sym-arg" => {
                let (size, option) = self.size(&text)?;
                self.symbolic_argument(size, &option)
            }
            "sym-args" => {
                let least = self.number(&text, 0)?;
                let most = self.number(&text, 0)?;
                let size = self.number(&text, 1)?;
                let option = format!("{text} {least} {most} {size}");
                let count = self.argument_count(least, most, &option)?;
                (0..count).try_for_each(|_| self.symbolic_argument(size, &option))
            }
            "sym-files" => {
                let count = self.number(&text, 1)?;
                let size = self.number(&text, 1)?;
                let option = format!("{text} {count} {size}");
                for letter in (b'A'..=b'Z').take(count) {
                    self.files.push((vec![letter], size, option.clone()));
                }
                Ok(())
            }
            "sym-file" => {
                let path = self.value(&text)?.to_vec();
                let (size, option) = self.size(&text)?;
                self.files.push((path, size, option));
                Ok(())
            }
            "sym-stdin" => {
                self.stdin = Some(self.number(&text, 1)?);
                Ok(())
            }
            "sym-stdout" => {
                self.stdout = true;
                Ok(())
            }
            "sym-env" => {
                let name = self.value(&text)?.to_vec();
                if let Some((name, value)) = fixed_variable(&name) {
                    let fixed = (name.to_vec(), value.to_vec());
                    self.inputs.environment.push(fixed);
                    return Ok(());
                }
                let (size, option) = self.size(&text)?;
                let object = String::from_utf8_lossy(&name).into_owned();
                let value = self.string(&object, size, &option)?;
                self.inputs.environment.push((name, value));
                Ok(())
            }
            "max-fail" => {
                self.failures = self.number(&text, 0)? > 0;
                Ok(())
            }
            "fd-fail" => {
                self.failures = true;
                Ok(())
            }
            "save-all-writes" => Ok(()),
            "bout-file" => self.value(&text).map(|_| ()),
            _ => {
                self.inputs.arguments.push(arg.to_vec());
                Ok(())
            }
        }
    }

    fn value(&mut self, option: &str) -> Result<&'a [u8], InputError> {
        let Some((value, rest)) = self.args.split_first() else {
            let option = option.to_string();
            return Err(InputError::UsageEnd { option });
        };
        self.args = rest;
        Ok(value)
    }

    fn number(&mut self, option: &str, least: usize) -> Result<usize, InputError> {
        let value = String::from_utf8_lossy(self.value(option)?).into_owned();
        match value.parse() {
            Ok(number) if number >= least => Ok(number),
            _ => Err(InputError::Usage {
                option: option.to_string(),
                value,
                expected: "a number that it takes",
            }),
        }
    }

    /// A size that ends an option, and the option's text for messages.
    fn size(&mut self, option: &str) -> Result<(usize, String), InputError> {
        let size = self.number(option, 1)?;
        Ok((size, format!("{option} {size}")))
    }

    /// The content of the first unused object of that name. KLEE 2 wrote '-' where KLEE 3 writes
    /// '_'.
    ///
    /// When all objects are used, the path was stopped before it made this one: it can have any
    /// content, here zeros. A missing object with others behind it is a test that does not fit.
    fn take(&mut self, name: &str, size: usize, option: &str) -> Result<Vec<u8>, InputError> {
        let same = |found: &[u8]| {
            let alike = |(f, n): (&u8, u8)| *f == n || *f == b'-' && n == b'_';
            found.len() == name.len() && found.iter().zip(name.bytes()).all(alike)
        };
        let mut unused = self.objects.iter_mut().filter(|object| object.is_some());
        let found = unused.find(|object| object.is_some_and(|o| same(&o.name)));
        let Some(object) = found.and_then(Option::take) else {
            if self.objects.iter().any(Option::is_some) {
                return Err(InputError::Missing {
                    name: name.to_string(),
                    option: option.to_string(),
                });
            }
            if self.inputs.notes.is_empty() {
                let note =
                    format!("the path ended before it created {name}; the bytes are zero here");
                self.inputs.notes.push(note);
            }
            return Ok(vec![0; size]);
        };
        if object.bytes.len() != size {
            return Err(InputError::Size {
                name: name.to_string(),
                option: option.to_string(),
                found: object.bytes.len(),
                expected: size,
            });
        }
        Ok(object.bytes.clone())
    }

    /// Up to `size` characters and a NUL; the last byte counts as NUL whatever the object says.
    fn string(&mut self, name: &str, size: usize, option: &str) -> Result<Vec<u8>, InputError> {
        let bytes = self.take(name, size + 1, option)?;
        let text = bytes[..size].split(|byte| *byte == 0).next();
        Ok(text.unwrap_or_default().to_vec())
    }

    fn symbolic_argument(&mut self, size: usize, option: &str) -> Result<(), InputError> {
        let number = self.symbolic_arguments;
        // Tests that KLEE's generators of tests made have one digit.
        let names = [format!("arg{number:02}"), format!("arg{number}")];
        let has = |name: &String| {
            let mut objects = self.objects.iter().flatten();
            objects.any(|object| object.name == name.as_bytes())
        };
        let [usual, short] = names;
        let name = if !has(&usual) && has(&short) {
            short
        } else {
            usual
        };
        self.symbolic_arguments += 1;
        let argument = self.string(&name, size, option)?;
        self.inputs.arguments.push(argument);
        Ok(())
    }

    fn argument_count(
        &mut self,
        least: usize,
        most: usize,
        option: &str,
    ) -> Result<usize, InputError> {
        if least == most {
            return Ok(least);
        }
        if self.objects.iter().all(Option::is_none) {
            return Ok(least);
        }
        let bytes = self.take("n_args", 4, option)?;
        let value = bytes.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b)) as i32;
        match usize::try_from(value) {
            Ok(count) if (least..=most).contains(&count) => Ok(count),
            _ => Err(InputError::Count {
                value,
                option: option.to_string(),
            }),
        }
    }

    fn stat(&mut self, name: &str, option: &str) -> Result<Stat, InputError> {
        let object = self.take(&format!("{name}_stat"), STAT_SIZE, option)?;
        Ok(Stat::parse(&object))
    }

    /// The files and streams, which come into being after all arguments.
    fn finish(mut self) -> Result<Inputs, InputError> {
        for (path, size, option) in std::mem::take(&mut self.files) {
            let text = String::from_utf8_lossy(&path).into_owned();
            let name = format!("{text}_data");
            let content = self.take(&name, size, &option)?;
            let stat = self.stat(&name, &option)?;
            if path.first() == Some(&b'/') || path.split(|b| *b == b'/').any(|part| part == b"..") {
                self.inputs.outside.get_or_insert_with(|| text.clone());
            }
            let mode = stat.permissions();
            let (times, node) = (stat.times, self.node(&text, &stat, content));
            self.inputs.files.push(InputFile {
                path,
                node,
                mode,
                times,
            });
        }
        if let Some(size) = self.stdin {
            let option = format!("--sym-stdin {size}");
            let content = self.take("stdin", size, &option)?;
            let stat = self.stat("stdin", &option)?;
            self.inputs.stdin = stream(&stat, content);
        }
        if self.failures {
            for name in [
                "read_fail",
                "write_fail",
                "close_fail",
                "ftruncate_fail",
                "getcwd_fail",
            ] {
                self.take(name, 4, "--max-fail")?;
            }
            let note = "the replay does not inject failing system calls (--max-fail)";
            self.inputs.notes.push(note.to_string());
        }
        if self.stdout {
            self.take("stdout", STDOUT_SIZE, "--sym-stdout")?;
            let stat = self.stat("stdout", "--sym-stdout")?;
            self.inputs.stdout = stream(&stat, Vec::new());
        }
        let (kernels, harness): (Vec<_>, Vec<_>) =
            (self.objects.into_iter().flatten()).partition(|object| is_of_the_kernel(object));
        if kernels.iter().any(|object| object.name == b"fork") {
            let note = "the test follows one process of a fork; natively both run";
            self.inputs.notes.push(note.to_string());
        }
        let fails = |object: &&Object| is_chosen_failure(object) && object.bytes != [0; 4];
        if kernels.iter().any(fails) {
            self.inputs.notes.push(BY_THE_ENGINE[1].to_string());
        }
        if kernels.iter().any(|object| is_of_a_stub(object)) {
            self.inputs.notes.push(BY_THE_ENGINE[2].to_string());
        }
        if kernels.iter().any(|object| is_unset(object)) {
            self.inputs.notes.push(UNSET_NOT_GIVEN.to_string());
        }
        self.inputs.harness = harness.into_iter().cloned().collect();
        Ok(self.inputs)
    }

    fn node(&mut self, path: &str, stat: &Stat, content: Vec<u8>) -> Node {
        match stat.kind() {
            libc::S_IFDIR => Node::Directory,
            libc::S_IFIFO => Node::Fifo,
            kind => {
                if ![0, libc::S_IFREG].contains(&kind) {
                    let note = format!(
                        "file {path} is not a regular file in the test, but is one in the \
                             replay"
                    );
                    self.inputs.notes.push(note);
                }
                Node::File(content)
            }
        }
    }
}

fn stream(stat: &Stat, content: Vec<u8>) -> Stream {
    match stat.kind() {
        libc::S_IFCHR => Stream::Terminal { content },
        libc::S_IFIFO | libc::S_IFSOCK => Stream::Pipe { content },
        _ => Stream::File {
            content,
            mode: stat.permissions(),
        },
    }
}

/// Objects that the modeled kernel makes on the way (`runtime/kernel/children.c`), and KLEE 2's
/// version of its model.
fn is_of_the_kernel(object: &Object) -> bool {
    let in_passing: [&[u8]; 2] = [b"fork", b"child_status"];
    object.name == b"model_version"
        || is_chosen_failure(object)
        || is_of_a_stub(object)
        || is_unset(object)
        || in_passing.contains(&object.name.as_slice()) && object.bytes.len() == 4
}

/// True if the object says which allocation fails (`src/machine/exec/builtins/failing.rs`).
fn is_chosen_failure(object: &Object) -> bool {
    object.name == b"malloc_fail" && object.bytes.len() == 4
}

/// True if the object holds what a stub returned or wrote (`src/machine/exec/builtins/stub.rs`).
fn is_of_a_stub(object: &Object) -> bool {
    object.name.starts_with(b"stub:")
}

/// True if the object holds what was never set (`src/machine/exec/checks/unset.rs`).
fn is_unset(object: &Object) -> bool {
    object.name.starts_with(b"undef:")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn stat_object(mode: u32) -> Vec<u8> {
        let mut bytes = vec![0; STAT_SIZE];
        bytes[24..28].copy_from_slice(&mode.to_le_bytes());
        bytes
    }

    /// A test with the usual options.
    fn sample() -> KTest {
        let arguments =
            "p.bc -x --sym-arg 3 --sym-args 0 2 2 end -sym-files 1 4 --sym-stdin 2 --sym-stdout";
        let mut test = KTest::new(arguments.split(' '));
        test.push("arg00", b"a\0b\0".to_vec());
        test.push("n_args", 2i32.to_le_bytes());
        test.push("arg01", b"xyz".to_vec());
        test.push("arg02", b"\0\0\0".to_vec());
        test.push("A_data", b"data".to_vec());
        test.push("A_data_stat", stat_object(libc::S_IFREG | 0o600));
        test.push("stdin", b"in".to_vec());
        test.push("stdin_stat", stat_object(0));
        test.push("stdout", vec![0; 1024]);
        test.push("stdout_stat", stat_object(libc::S_IFCHR | 0o666));
        test
    }

    #[test]
    fn the_expansion_is_the_models() {
        let inputs = Inputs::of(&sample()).unwrap();
        let expected: [&[u8]; 5] = [b"-x", b"a", b"xy", b"", b"end"];
        assert_eq!(inputs.arguments, expected);
        let content = b"data".to_vec();
        let file = InputFile {
            path: b"A".to_vec(),
            node: Node::File(content),
            mode: 0o600,
            times: None,
        };
        assert_eq!(inputs.files, [file]);
        let (content, mode) = (b"in".to_vec(), 0o644);
        assert_eq!(inputs.stdin, Stream::File { content, mode });
        assert!(matches!(inputs.stdout, Stream::Terminal { .. }));
        assert!(inputs.harness.is_empty() && inputs.notes.is_empty());
    }

    #[test]
    fn klee_2_names_and_its_model_version_are_understood() {
        let mut test = sample();
        for object in &mut test.objects {
            let name = object
                .name_text()
                .replace("_data", "-data")
                .replace("_stat", "-stat");
            object.name = name.into_bytes();
        }
        test.push("model_version", 1i32.to_le_bytes());
        assert_eq!(Inputs::of(&test), Inputs::of(&sample()));
    }

    #[test]
    fn objects_that_do_not_fit_are_named() {
        let broken = |change: &dyn Fn(&mut KTest)| {
            let mut test = sample();
            change(&mut test);
            Inputs::of(&test).unwrap_err().to_string()
        };
        let text = broken(&|t| drop(t.objects.remove(2)));
        assert_eq!(
            text,
            "object \"arg01\", which --sym-args 0 2 2 asks for, is not in the test"
        );
        let text = broken(&|t| t.objects[0].bytes.push(0));
        assert_eq!(
            text,
            "object \"arg00\" has 5 bytes where --sym-arg 3 makes 4"
        );
        let text = broken(&|t| t.objects[1].bytes = vec![3, 0, 0, 0]);
        assert!(text.contains("\"n_args\" is 3"), "{text}");
        let text = broken(&|t| t.args.push(b"--sym-arg".to_vec()));
        assert_eq!(text, "--sym-arg lacks its value");
        let text = broken(&|t| t.args.extend([b"--sym-arg".to_vec(), b"x".to_vec()]));
        assert!(text.contains("--sym-arg \"x\" is not a number"), "{text}");
        let text = broken(&|t| t.args[9] = b"--sym-arg".to_vec());
        assert!(text.contains("\"arg03\""), "{text}");
    }

    #[test]
    fn a_path_that_stopped_early_lacks_its_last_objects() {
        let whole = sample();
        for kept in 0..whole.objects.len() {
            let mut test = whole.clone();
            test.objects.truncate(kept);
            let inputs = Inputs::of(&test).unwrap();
            assert!(inputs.arguments.len() >= 3, "-x, arg00, end");
            assert_eq!((inputs.files.len(), inputs.notes.len()), (1, 1), "{kept}");
        }
    }

    #[test]
    fn other_objects_are_the_harnesss() {
        let mut test = KTest::new(["p.bc", "plain"]);
        test.push("x", [1]);
        test.push("arg00", [2]);
        let inputs = Inputs::of(&test).unwrap();
        assert_eq!(inputs.arguments, [b"plain"]);
        assert_eq!(inputs.harness, test.objects);
    }

    #[test]
    fn named_files_environment_and_failures() {
        let arguments = "p --sym-file d/f 1 --sym-env LANG 2 --sym-env TZ=UTC=0 --max-fail 1";
        let mut test = KTest::new(arguments.split(' '));
        test.push("LANG", b"de\0".to_vec());
        test.push("d/f_data", b"1".to_vec());
        test.push("d/f_data_stat", stat_object(libc::S_IFDIR | 0o755));
        for name in [
            "read_fail",
            "write_fail",
            "close_fail",
            "ftruncate_fail",
            "getcwd_fail",
        ] {
            test.push(name, [0; 4]);
        }
        let inputs = Inputs::of(&test).unwrap();
        let variables = [("LANG", "de"), ("TZ", "UTC=0")];
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        assert_eq!(inputs.environment, variables);
        assert_eq!(inputs.files[0].node, Node::Directory);
        assert_eq!((inputs.files[0].mode, inputs.notes.len()), (0o755, 1));
        test.args[2] = b"/etc/f".to_vec();
        test.objects[1].name = b"/etc/f_data".to_vec();
        test.objects[2].name = b"/etc/f_data_stat".to_vec();
        let inputs = Inputs::of(&test).unwrap();
        assert_eq!(inputs.outside.as_deref(), Some("/etc/f"));
    }

    #[test]
    fn temporary_objects_of_the_kernel_are_not_inputs() {
        let mut test = KTest::new("p plain".split(' '));
        for name in ["fork", "child_status", "fork"] {
            test.push(name, [1, 0, 0, 0]);
        }
        test.push("fork", b"a knife".to_vec());
        let inputs = Inputs::of(&test).unwrap();
        assert_eq!(inputs.harness, test.objects[3..]);
        assert_eq!(inputs.notes.len(), 1);
    }
}
