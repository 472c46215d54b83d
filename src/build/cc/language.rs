//! Language of a source file, by its name or by `-x`, as gcc decides it.
//!
//! Invariant: homi does not compile a language of `-x` that is not in the table.

/// The compiler that homi replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// gcc: `homi cc`.
    C,
    /// g++: `homi c++`. It compiles C files as C++.
    Cxx,
}

/// Kinds of compiler inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// A source that clang compiles to bitcode, with the name of its language for `-x`.
    Source(&'static str),
    /// Assembler, which compiles to machine code only.
    Assembler,
    /// An object, archive or shared object, for the linker.
    Object,
    /// A header to be precompiled, or a language that homi does not compile.
    Other,
}

/// Languages by the ending of the file's name.
const ENDINGS: [(&str, Language); 18] = [
    ("c", Language::Source("c")),
    ("i", Language::Source("cpp-output")),
    ("cc", Language::Source("c++")),
    ("cp", Language::Source("c++")),
    ("cxx", Language::Source("c++")),
    ("cpp", Language::Source("c++")),
    ("CPP", Language::Source("c++")),
    ("c++", Language::Source("c++")),
    ("C", Language::Source("c++")),
    ("ii", Language::Source("c++-cpp-output")),
    ("s", Language::Assembler),
    ("S", Language::Assembler),
    ("sx", Language::Assembler),
    ("h", Language::Other),
    ("hh", Language::Other),
    ("hpp", Language::Other),
    ("m", Language::Other),
    ("f90", Language::Other),
];

/// Languages by the argument of `-x`.
const NAMES: [(&str, Language); 6] = [
    ("c", Language::Source("c")),
    ("cpp-output", Language::Source("cpp-output")),
    ("c++", Language::Source("c++")),
    ("c++-cpp-output", Language::Source("c++-cpp-output")),
    ("assembler", Language::Assembler),
    ("assembler-with-cpp", Language::Assembler),
];

/// Returns the language of an input: of the `-x` before it, if there is one and it is not `none`.
pub fn language_of(name: &str, given: Option<&str>, driver: Driver) -> Language {
    let found = match given {
        Some(name) => row(&NAMES, name).unwrap_or(Language::Other),
        None => {
            let file = name.rsplit('/').next().unwrap_or(name);
            let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
            row(&ENDINGS, ending).unwrap_or(Language::Object)
        }
    };
    match (found, driver, given) {
        (Language::Source("c"), Driver::Cxx, None) => Language::Source("c++"),
        (Language::Source("cpp-output"), Driver::Cxx, None) => Language::Source("c++-cpp-output"),
        _ => found,
    }
}

fn row(table: &[(&str, Language)], wanted: &str) -> Option<Language> {
    let found = table.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, language)| *language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_options_decide() {
        let of = |name, given| language_of(name, given, Driver::C);
        assert_eq!(of("src/a.c", None), Language::Source("c"));
        assert_eq!(of("a.b/prog", None), Language::Object);
        assert_eq!(of("lib.so.1", None), Language::Object);
        assert_eq!(of("a.S", None), Language::Assembler);
        assert_eq!(of("-", Some("c")), Language::Source("c"));
        assert_eq!(of("a.c", Some("c-header")), Language::Other);
        assert_eq!(
            language_of("a.c", None, Driver::Cxx),
            Language::Source("c++")
        );
        assert_eq!(
            language_of("a.c", Some("c"), Driver::Cxx),
            Language::Source("c")
        );
    }
}
