//! Programs of a study: their files or builds, and their arguments.

use super::built_in::{self, KnownBuilds};
use super::error::Result;
use super::source::{Section, plain_name, suggestion};
use std::path::{Path, PathBuf};

/// Program of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    pub name: String,
    pub program: Program,
    /// Bitcode for KLEE, if it differs from the program's.
    pub klee: Option<PathBuf>,
    /// Program built by `gcc --coverage`, if replays count branches.
    pub gcov: Option<PathBuf>,
    /// Version of the program, as text.
    pub version: Option<String>,
    /// Arguments, including symbolic ones.
    pub arguments: Vec<String>,
    /// Options of homi for this program.
    pub options: Vec<String>,
    /// Suffixes of the paths of its main sources.
    pub main: Vec<String>,
}

/// Origin of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Program {
    /// Files that homi runs.
    Files(Vec<PathBuf>),
    /// Sources that `homi cc` builds first.
    Built(Recipe),
}

/// Build of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recipe {
    /// Directory or archive of the sources; the first file for single files.
    pub source: PathBuf,
    /// C files that make up the whole program; empty if it has a build system.
    pub single_files: Vec<PathBuf>,
    /// Required SHA-256 of the archive.
    pub sha256: Option<String>,
    pub configure: Vec<String>,
    /// Arguments of make, or of the compiler for single files.
    pub make: Vec<String>,
    /// Path of the program within the directory.
    pub program: PathBuf,
}

const KEYS: [&str; 15] = [
    "bitcode",
    "sources",
    "flags",
    "source",
    "version",
    "sha256",
    "configure",
    "make",
    "program",
    "arguments",
    "options",
    "gcov",
    "main",
    "klee-bitcode",
    "built-in",
];
const OF_BUILDS: [&str; 4] = ["sha256", "configure", "make", "program"];

/// Locations of the files that a study names.
#[derive(Clone, Copy, Debug)]
pub(super) struct StudyPaths<'p> {
    /// Directory of the study file, to which relative paths refer.
    pub(super) base: &'p Path,
    /// Builds of the programs that are known by name.
    pub(super) subjects: Option<&'p KnownBuilds>,
}

/// Reads the subjects in the file's order: first the names in [study], then the tables.
pub(super) fn read(
    whole: &Section<'_, '_>,
    study: &Section<'_, '_>,
    places: StudyPaths<'_>,
) -> Result<Vec<Subject>> {
    let common = study.arguments("arguments")?;
    let usual = || {
        built_in::USUAL
            .split_whitespace()
            .map(str::to_string)
            .collect()
    };
    let common: Vec<String> = common.unwrap_or_else(usual);
    let table = whole.section("subjects")?;
    let described = |name: &str| {
        table
            .as_ref()
            .is_some_and(|table| table.table.contains_key(name))
    };
    let mut subjects: Vec<Subject> = Vec::new();
    for name in study.list("subjects")?.unwrap_or_default() {
        let programs = built_in::named(&name);
        if programs.is_empty() && !described(&name) {
            let own = table.iter().flat_map(|table| table.table.keys());
            let own = own.map(|key| key.get_ref().as_ref());
            let known: Vec<&str> = built_in::names().into_iter().chain(own).collect();
            let text = format!("unknown program `{name}`{}", suggestion(&name, known));
            return Err(study.wrong("subjects", &text));
        }
        for program in programs {
            if described(program) || subjects.iter().any(|subject| subject.name == program) {
                continue;
            }
            let found = built_in::subject(program, places.subjects);
            let mut subject = found.map_err(|text| study.wrong("subjects", &text))?;
            subject.arguments.extend(common.clone());
            subjects.push(subject);
        }
    }
    for (name, section) in table
        .iter()
        .map(Section::sections)
        .collect::<Result<Vec<_>>>()?
        .concat()
    {
        plain_name(name).map_err(|error| section.wrong("", &error.to_string()))?;
        subjects.push(one(name, &section, &common, places)?);
    }
    if subjects.is_empty() {
        Err(study.wrong(
            "subjects",
            "no program; name programs in `subjects`, or describe them in [subjects.NAME]",
        ))
    } else {
        Ok(subjects)
    }
}

/// Reads the subject of a table.
fn one(
    name: &str,
    section: &Section<'_, '_>,
    common: &[String],
    places: StudyPaths<'_>,
) -> Result<Subject> {
    section.only(&KEYS)?;
    let mut subject = program(name, section, places)?;
    subject.name = name.to_string();
    match section.arguments("arguments")? {
        Some(arguments) => subject.arguments = arguments,
        None => subject.arguments.extend_from_slice(common),
    }
    subject.options = section.arguments("options")?.unwrap_or_default();
    for (key, place) in [
        ("gcov", &mut subject.gcov),
        ("klee-bitcode", &mut subject.klee),
    ] {
        if let Some(file) = section.text(key)? {
            *place = Some(existing(section, key, file, places)?);
        }
    }
    if let Some(main) = section.list("main")? {
        subject.main = main;
    }
    if let Some(version) = section.text("version")? {
        subject.version = Some(version.to_string());
    }
    Ok(subject)
}

/// Reads the origin of a table's program; all other fields keep their defaults.
fn program(name: &str, section: &Section<'_, '_>, places: StudyPaths<'_>) -> Result<Subject> {
    let of_files = |program| Subject {
        name: String::new(),
        program,
        klee: None,
        gcov: None,
        version: None,
        arguments: Vec::new(),
        options: Vec::new(),
        main: Vec::new(),
    };
    let bitcode = section.list("bitcode")?;
    let source = section.text("source")?;
    if source.is_none()
        && let Some(key) = OF_BUILDS
            .iter()
            .find(|key| section.table.contains_key(**key))
    {
        return Err(section.wrong(key, &format!("`{key}` needs `source`; add it")));
    }
    let single = section.list("sources")?;
    if section.table.contains_key("flags") && single.is_none() {
        return Err(section.wrong("flags", "`flags` needs `sources`; add it"));
    }
    if let Some(files) = single {
        if let Some(other) = ["bitcode", "source"]
            .iter()
            .find(|key| section.table.contains_key(**key))
        {
            return Err(section.wrong(
                other,
                &format!(
                    "`sources` cannot be combined with `{other}`; \
                 remove one"
                ),
            ));
        }
        let recipe = single_files(name, section, &files, places)?;
        return Ok(of_files(Program::Built(recipe)));
    }
    match (bitcode, source) {
        (Some(_), Some(_)) => Err(section.wrong(
            "source",
            "`bitcode` cannot be combined with \
             `source`; remove one",
        )),
        (Some(files), None) => {
            let files = files
                .iter()
                .map(|file| existing(section, "bitcode", file, places));
            Ok(of_files(Program::Files(files.collect::<Result<_>>()?)))
        }
        (None, Some(source)) => Ok(of_files(Program::Built(recipe(section, source, places)?))),
        (None, None) => {
            let known = section.text("built-in")?;
            let wanted = known.unwrap_or(name);
            if built_in::programs().all(|program| program != wanted) {
                let text = match known {
                    Some(_) => format!(
                        "unknown program `{wanted}`{}",
                        suggestion(wanted, built_in::programs())
                    ),
                    None => format!(
                        "`{name}` has no program; set `bitcode`, `source`, `sources` \
                         or `built-in`"
                    ),
                };
                return Err(section.wrong("built-in", &text));
            }
            built_in::subject(wanted, places.subjects)
                .map_err(|text| section.wrong("built-in", &text))
        }
    }
}

/// Reads the recipe of a program that consists of a few C files.
fn single_files(
    name: &str,
    section: &Section<'_, '_>,
    files: &[String],
    places: StudyPaths<'_>,
) -> Result<Recipe> {
    let found = files
        .iter()
        .map(|file| existing(section, "sources", file, places));
    let found: Vec<PathBuf> = found.collect::<Result<_>>()?;
    let Some(first) = found.first() else {
        return Err(section.wrong("sources", "`sources` is empty; list at least one C file"));
    };
    Ok(Recipe {
        source: first.clone(),
        single_files: found.clone(),
        sha256: None,
        configure: Vec::new(),
        make: section.arguments("flags")?.unwrap_or_default(),
        program: PathBuf::from(name),
    })
}

fn recipe(section: &Section<'_, '_>, source: &str, places: StudyPaths<'_>) -> Result<Recipe> {
    let source = existing(section, "source", source, places)?;
    let sha256 = section.text("sha256")?.map(str::to_lowercase);
    if sha256.is_some() && source.is_dir() {
        return Err(section.wrong(
            "sha256",
            "`sha256` needs an archive, but `source` is a directory; remove it",
        ));
    }
    let Some(program) = section.text("program")? else {
        let text = "`program` is missing; set it to the file that the build creates, such as \
             \"src/grep\"";
        return Err(section.wrong("source", text));
    };
    Ok(Recipe {
        source,
        single_files: Vec::new(),
        sha256,
        configure: section.arguments("configure")?.unwrap_or_default(),
        make: section.arguments("make")?.unwrap_or_default(),
        program: PathBuf::from(program),
    })
}

/// Returns the absolute path of a file that must exist.
fn existing(
    section: &Section<'_, '_>,
    key: &str,
    file: &str,
    places: StudyPaths<'_>,
) -> Result<PathBuf> {
    let path = places.base.join(file);
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(error) => Err(section.wrong(
            key,
            &format!("`{key}`: cannot read {}: {error}", path.display()),
        )),
    }
}
