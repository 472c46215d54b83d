//! Additional files that libtool makes: a shell script for a program, a text for a library or an
//! object.
//!
//! Invariant: the named file exists; its path is relative to the directory of libtool's file.

use std::path::{Path, PathBuf};

/// The real file behind one of libtool's; none if it is not there.
pub fn real_file(path: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(bytes);
    let directory = path.parent().unwrap_or(Path::new(""));
    let candidates = names(&text);
    let mut files = candidates.iter().map(|name| directory.join(name));
    files.find(|file| file.is_file())
}

/// Returns candidates for the real file, the best first.
fn names(text: &str) -> Vec<String> {
    if let Some(program) = after(text, "wrapper script for ") {
        let (folder, name) = program.rsplit_once('/').unwrap_or((".libs", program));
        // libtool links this file again for the build directories when the script is first started.
        return vec![format!("{folder}/{name}"), format!("{folder}/lt-{name}")];
    }
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let value = line.strip_prefix('=')?.trim_matches('\'');
        (!value.is_empty() && value != "none").then(|| value.to_string())
    };
    let in_libs = |name: String| format!(".libs/{name}");
    let library = value("old_library").map(in_libs);
    let shared = value("dlname").map(in_libs);
    let objects = [value("non_pic_object"), value("pic_object")];
    [library, shared]
        .into_iter()
        .chain(objects)
        .flatten()
        .collect()
}

/// The word behind these words.
fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(words)?;
    rest.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_names_its_real_file() {
        let script = "#! /bin/sh\n\n# prog - temporary wrapper script for .libs/prog\n# by libtool";
        assert_eq!(names(script), [".libs/prog", ".libs/lt-prog"]);
        let library = "# libx.la - a libtool library file\ndlname='libx.so.1'\nold_library=''\n";
        assert_eq!(names(library), [".libs/libx.so.1"]);
        let object =
            "# x.lo - a libtool object file\npic_object='.libs/x.o'\nnon_pic_object=none\n";
        assert_eq!(names(object), [".libs/x.o"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_none() {
        let script = b"# prog - temporary wrapper script for .libs/prog\n";
        assert_eq!(real_file(Path::new("/nowhere/prog"), script), None);
    }
}
