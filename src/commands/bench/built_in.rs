//! Programs that a study can name without a path, as built by `scripts/setup subjects` and
//! `scripts/setup subject`.
//!
//! The tables here hold facts that the builds do not record: arguments that a program needs before
//! its symbolic ones, and the main source file if it is not named after the program.

use super::subjects::{Program, Subject};
use std::path::{Path, PathBuf};

/// Symbolic arguments that papers on KLEE use for coreutils.
pub(super) const USUAL: &str =
    "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout";

/// Programs of GNU coreutils that need no privileges.
const COREUTILS: &str = "[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown \
    chroot cksum comm cp csplit cut date dd df dir dircolors dirname du echo env expand expr \
    factor false fmt fold ginstall groups head hostid id join kill link ln logname ls md5sum mkdir \
    mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx \
    pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred \
    shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true \
    truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes";

/// Programs of other packages.
const OTHERS: &str = "bc cmp dc diff diff3 gawk grep lua m4 sdiff sed trueprint";

/// Names of groups of programs.
const GROUPS: [(&str, &str); 4] = [
    ("nine", "echo wc tr expr pr dd ptx vdir ginstall"),
    ("with-room", "gawk grep ptx trueprint vdir"),
    ("coreutils", COREUTILS),
    ("diffutils", "cmp diff diff3 sdiff"),
];

/// Arguments that make a program read its input at once and start no other program.
const ARGUMENTS_BEFORE: [(&str, &str); 4] = [
    ("trueprint", "--N --output=-"),
    ("grep", "--sym-args 1 1 4"),
    ("sed", "--sym-args 1 1 4"),
    ("gawk", "--sym-args 1 1 4"),
];

/// Main source files of programs that are not named after them.
const MAIN_SOURCE: [(&str, &str); 4] = [
    ("vdir", "src/ls.c"),
    ("dir", "src/ls.c"),
    ("ginstall", "src/install.c"),
    ("gawk", "main.c"),
];

/// Newest LLVM major version whose bitcode KLEE usually reads.
const NEWEST_FOR_KLEE: u32 = 16;

/// Returns the names of all programs and groups.
pub(super) fn names() -> Vec<&'static str> {
    let groups = GROUPS.iter().map(|(name, _)| *name);
    groups.chain(programs()).collect()
}

/// Returns the names of all programs.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    COREUTILS
        .split_whitespace()
        .chain(OTHERS.split_whitespace())
}

/// Returns the programs of a name; empty if the name is unknown.
pub(super) fn named(name: &str) -> Vec<&'static str> {
    match GROUPS.iter().find(|(group, _)| *group == name) {
        Some((_, programs)) => programs.split_whitespace().collect(),
        None => programs().filter(|program| *program == name).collect(),
    }
}

/// Location of the programs that are known by name.
#[derive(Clone, Debug)]
pub struct KnownBuilds {
    pub directory: PathBuf,
    /// Newest LLVM major version whose bitcode is used.
    pub newest_llvm: u32,
}

/// Returns the program of this name from the builds. The error names the command that builds it.
pub(super) fn subject(name: &str, builds: Option<&KnownBuilds>) -> Result<Subject, String> {
    let found = builds
        .map(|builds| Builds::of(name, builds))
        .unwrap_or_default();
    let Some((_, bitcode)) = found.bitcode.last() else {
        return Err(format!("`{name}` is not built; run {}", remedy(name)));
    };
    let of_klee = found
        .bitcode
        .iter()
        .rfind(|(version, _)| *version <= NEWEST_FOR_KLEE);
    let before = look_up(&ARGUMENTS_BEFORE, name).unwrap_or_default();
    let arguments = before.split_whitespace().map(str::to_string);
    let main = look_up(&MAIN_SOURCE, name).map_or_else(|| format!("{name}.c"), str::to_string);
    Ok(Subject {
        name: name.to_string(),
        program: Program::Files(vec![bitcode.clone()]),
        klee: of_klee.map(|(_, file)| file.clone()),
        gcov: found.gcov,
        version: found.package,
        arguments: arguments.collect(),
        options: Vec::new(),
        main: vec![main],
    })
}

fn look_up(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|(program, _)| *program == name)
        .map(|(_, value)| *value)
}

/// Returns the command that builds a program.
fn remedy(name: &str) -> String {
    if OTHERS.split_whitespace().any(|other| other == name) {
        let package = match name {
            "cmp" | "diff3" | "sdiff" | "diff" => "diffutils",
            "dc" => "bc",
            other => other,
        };
        return format!("scripts/setup subject {package}");
    }
    format!("scripts/setup subjects {name}")
}

/// Builds of a program that were found.
#[derive(Default)]
struct Builds {
    /// Bitcode by version of clang, ascending; only versions that homi reads.
    bitcode: Vec<(u32, PathBuf)>,
    gcov: Option<PathBuf>,
    /// Package and its version.
    package: Option<String>,
}

impl Builds {
    fn of(name: &str, builds: &KnownBuilds) -> Self {
        let mut found = Self::default();
        for package in folders(&builds.directory) {
            for folder in folders(&package) {
                let version = file_name(&folder).strip_prefix("bc-").map(str::parse);
                let file = folder.join(format!("{name}.bc"));
                if let (Some(Ok(version)), true) = (version, file.exists())
                    && version <= builds.newest_llvm
                {
                    found.bitcode.push((version, file));
                    found.package = Some(file_name(&package).to_string());
                }
            }
            let places = ["gcov/src", "gcov/bin"].map(|place| package.join(place).join(name));
            found.gcov = found
                .gcov
                .or(places.into_iter().find(|place| place.is_file()));
        }
        found.bitcode.sort();
        found
    }
}

fn file_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

fn folders(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_made_of_programs_that_there_are() {
        for (group, _) in GROUPS {
            for program in named(group) {
                assert!(programs().any(|known| known == program), "{program}");
            }
        }
        assert_eq!(named("nine").len(), 9);
        assert_eq!(named("wc"), ["wc"]);
        assert!(named("wcc").is_empty());
    }

    #[test]
    fn builds_are_found_whatever_package_they_are_of() {
        let place = tempfile::tempdir().unwrap();
        for file in [
            "coreutils-9.1/bc-19/wc.bc",
            "coreutils-9.1/bc-16/wc.bc",
            "coreutils-9.1/bc-99/wc.bc",
            "coreutils-9.1/gcov/src/wc",
        ] {
            let file = place.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let builds = KnownBuilds {
            directory: place.path().to_path_buf(),
            newest_llvm: 19,
        };
        let found = subject("wc", Some(&builds)).unwrap();
        let newest = place.path().join("coreutils-9.1/bc-19/wc.bc");
        assert_eq!(found.program, Program::Files(vec![newest]));
        assert!(found.klee.unwrap().ends_with("bc-16/wc.bc") && found.gcov.is_some());
        assert_eq!(found.version.as_deref(), Some("coreutils-9.1"));
        let missing = subject("grep", Some(&builds)).unwrap_err();
        assert!(missing.contains("scripts/setup subject grep"), "{missing}");
    }
}
