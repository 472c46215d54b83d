//! Parses a compiler's command line.
//!
//! Invariant: every argument belongs to one item, in order; the native compiler gets the arguments
//! unchanged, so a misread one costs bitcode and never the build.

use super::known::takes_next;
use super::language::{Driver, Language, language_of};
use homi_ir::util::response_file;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// An option with its value, or an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// One argument, or an option and the argument that is its value.
    pub arguments: Vec<OsString>,
    /// Language of the input; `None` for an option.
    pub language: Option<Language>,
}

impl Item {
    /// The first argument as text; empty if it is none.
    pub fn text(&self) -> &str {
        self.arguments[0].to_str().unwrap_or_default()
    }

    /// The value of this option, written with it or behind it.
    pub fn value(&self, option: &str) -> Option<&OsStr> {
        match self.arguments.get(1) {
            Some(value) => (self.text() == option).then_some(value.as_os_str()),
            None => self.text().strip_prefix(option).map(OsStr::new),
        }
    }
}

/// Last stage of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// No object is made: preprocessing, dependencies, assembler text, or an answer.
    Other,
    /// Objects (`-c`).
    Compile,
    /// A program, shared object or relocatable object.
    Link,
}

/// A command line of a compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// In order.
    pub items: Vec<Item>,
}

/// Arguments after which no object is made, and beginnings of such arguments.
const ANSWERS: [&str; 22] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "--version",
    "--help",
    "--target-help",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
    "-V",
    "-emit-llvm",
    "-emit-ast",
    "--analyze",
    "-cc1",
    "-cc1as",
    "--precompile",
    "-fdump-spec",
    "--print",
];
const ANSWERS_BEGIN: [&str; 4] = ["-print-", "--print-", "--help=", "-fplugin-arg-help"];

impl Invocation {
    /// Parses the arguments of the compiler.
    pub fn parse(arguments: &[OsString], driver: Driver) -> Invocation {
        let mut items = Vec::new();
        let mut given: Option<String> = None;
        let mut arguments = response_file::expand(arguments).into_iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_str().unwrap_or_default().to_string();
            let option = text.len() > 1 && text.starts_with('-');
            let language = (!option).then(|| language_of(&text, given.as_deref(), driver));
            let mut all = vec![argument];
            if option && takes_next(&text) {
                all.extend(arguments.next());
            }
            let item = Item {
                arguments: all,
                language,
            };
            if let Some(argument) = item.value("-x").filter(|_| option) {
                given = argument
                    .to_str()
                    .filter(|argument| *argument != "none")
                    .map(str::to_string);
            }
            items.push(item);
        }
        Invocation { items }
    }

    /// The options, without inputs.
    pub fn options(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.language.is_none())
    }

    /// The inputs with what they are.
    pub fn inputs(&self) -> impl Iterator<Item = (&OsStr, Language)> {
        let inputs = self.items.iter();
        inputs.filter_map(|item| Some((item.arguments[0].as_os_str(), item.language?)))
    }

    /// True if this very option is there.
    pub fn has(&self, option: &str) -> bool {
        self.options().any(|item| item.text() == option)
    }

    /// Returns the last stage of the compiler.
    pub fn stage(&self) -> Stage {
        let answers = self.options().any(|item| {
            let text = item.text();
            ANSWERS.contains(&text) || ANSWERS_BEGIN.iter().any(|begin| text.starts_with(begin))
        });
        if answers || self.inputs().next().is_none() {
            Stage::Other
        } else if self.has("-c") {
            Stage::Compile
        } else {
            Stage::Link
        }
    }

    /// The last `-o`.
    pub fn output(&self) -> Option<PathBuf> {
        let values = self.options().filter_map(|item| item.value("-o"));
        values.last().map(PathBuf::from)
    }

    /// The file that is made of a source (`-c`), or the program.
    pub fn output_of(&self, stage: Stage, source: &OsStr) -> PathBuf {
        let name = || match stage {
            Stage::Link => PathBuf::from("a.out"),
            _ => {
                let file = Path::new(source).file_name().unwrap_or(source);
                Path::new(file).with_extension("o")
            }
        };
        self.output().unwrap_or_else(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Invocation {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Invocation::parse(&arguments, Driver::C)
    }

    fn inputs(line: &str) -> Vec<String> {
        let parsed = parse(line);
        let inputs = parsed.inputs();
        inputs
            .map(|(argument, language)| format!("{} {language:?}", argument.to_string_lossy()))
            .collect()
    }

    #[test]
    fn values_of_options_are_not_inputs() {
        let line = "-c -MF d.c -I e.c -Wall -Xlinker f.c -o g.c a.c b.o";
        assert_eq!(inputs(line), ["a.c Source(\"c\")", "b.o Object"]);
        assert_eq!(
            inputs("-x c++ a -x none b.s -"),
            ["a Source(\"c++\")", "b.s Assembler", "- Object"]
        );
    }

    #[test]
    fn stages() {
        for (line, stage) in [
            ("", Stage::Other),
            ("--version", Stage::Other),
            ("-print-prog-name=ld", Stage::Other),
            ("-v", Stage::Other),
            ("-c -E a.c", Stage::Other),
            ("-MM a.c", Stage::Other),
            ("-c -MMD -MF a.d a.c", Stage::Compile),
            ("-o -E a.c -c", Stage::Compile),
            ("a.o b.o -o prog", Stage::Link),
            ("-shared a.c", Stage::Link),
        ] {
            assert_eq!(parse(line).stage(), stage, "{line}");
        }
    }

    #[test]
    fn outputs() {
        let of = |line: &str, stage| parse(line).output_of(stage, OsStr::new("src/a.tab.c"));
        assert_eq!(of("-c src/a.tab.c", Stage::Compile), Path::new("a.tab.o"));
        assert_eq!(of("-c -ob.o src/a.tab.c", Stage::Compile), Path::new("b.o"));
        assert_eq!(of("src/a.tab.c", Stage::Link), Path::new("a.out"));
    }
}
