//! Kinds of given programs: by the endings of the named files, and for an executable by its
//! content.

use super::build::Sources;
use super::native::{NativeBuilds, build_natively};
use super::subject::Subject;
use homi_config::NativeConfig;
use homi_native::replay::is_executable;
use std::path::{Path, PathBuf};

/// A program.
pub enum Given {
    /// Sources that are not built yet.
    Sources(Sources),
    /// Built natively, with its bitcode in it.
    Executable(PathBuf),
    /// Bitcode, or files that carry some, linked into one program; none that runs natively.
    Bitcode(Vec<PathBuf>),
}

const SOURCES: [&str; 2] = ["c", "i"];
const BITCODE: [&str; 4] = ["bc", "ll", "o", "a"];

impl Given {
    /// Sorts files. Err: what is wrong with them.
    pub fn of(files: &[PathBuf], config: &NativeConfig) -> Result<Given, String> {
        let has = |file: &PathBuf, endings: &[&str]| {
            let ending = file.extension().unwrap_or_default();
            endings.iter().any(|one| ending == *one)
        };
        if let Some(absent) = files.iter().find(|file| !file.is_file()) {
            let shown = absent.display();
            return Err(if absent.is_dir() {
                format!("{shown} is a directory; name its C sources or the program")
            } else {
                format!("no such file: {shown}")
            });
        }
        if files.iter().all(|file| has(file, &SOURCES)) {
            return Ok(Given::Sources(Sources {
                files: files.to_vec(),
                config: config.clone(),
            }));
        }
        if let [file] = files
            && is_executable(file)
        {
            return Ok(Given::Executable(file.clone()));
        }
        if files.iter().all(|file| has(file, &BITCODE)) {
            return Ok(Given::Bitcode(files.to_vec()));
        }
        let odd = |file: &&PathBuf| !has(file, &SOURCES) && !has(file, &BITCODE);
        Err(match files.iter().find(odd) {
            Some(file) if is_executable(file) => format!(
                "{} is an executable: test it alone, not with other files",
                file.display()
            ),
            Some(file) => format!(
                "{} is not C source (.c, .i), bitcode (.bc, .ll) or an executable built by `homi \
                 cc`",
                file.display()
            ),
            None => "give either C sources or bitcode, not both".to_string(),
        })
    }
}

impl Given {
    /// The native programs for replays of the tests, built into `place`, or why there are none.
    pub fn builds(&self, subject: &Subject, place: &Path) -> NativeBuilds {
        match self {
            Given::Sources(sources) => {
                build_natively(sources, subject.calls, subject.harness.as_ref(), place)
            }
            Given::Executable(_) if subject.harness.is_some() => NativeBuilds::none(
                "an executable starts with its main; give the C files to test one function",
            ),
            Given::Executable(executable) => NativeBuilds::of_executable(executable),
            Given::Bitcode(_) => NativeBuilds::none(
                "bitcode cannot be built natively; give the C \
                 files instead",
            ),
        }
    }
}
