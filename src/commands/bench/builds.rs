//! Programs that a study builds from sources with `homi cc`. The native program, which gcov counts,
//! embeds the bitcode that homi runs.
//!
//! Invariant: a program that cannot be built affects only its runs. A built program is rebuilt
//! only if its recipe changed.

use super::error::{Result, failed};
use super::jobs::Ready;
use super::measure::last_lines;
use super::origin::{self, sha256};
use super::process::{self, Cause, Limits};
use super::subjects::{Program, Recipe, Subject};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Time limit of a build step.
const LONGEST_STEP: Duration = Duration::from_secs(3600);
/// Memory limit of a build step in bytes, over all compilers.
const MEMORY: u64 = 16 << 30;

/// Builds programs below a study's directory.
pub(super) struct Builder<'b> {
    pub(super) homi: &'b Path,
    /// Directory of the builds.
    pub(super) place: PathBuf,
    pub(super) jobs: usize,
    pub(super) interrupt: &'b AtomicBool,
}

impl Builder<'_> {
    /// Returns the program ready to run, or the reason why it is not; `None` if the user stopped
    /// the build. Calls `say` when a build starts.
    pub(super) fn ready(&self, subject: &Subject, say: &dyn Fn(&str)) -> Result<Option<Ready>> {
        let mut ready = Ready {
            subject: subject.clone(),
            files: origin::files(&subject.program),
            digest: String::new(),
            failure: None,
        };
        if let Program::Built(recipe) = &subject.program {
            let built = match self.kept(recipe) {
                Some(program) => Ok(program),
                None => {
                    say(&format!(
                        "building {} (log: {})",
                        subject.name,
                        self.log(recipe).display()
                    ));
                    self.build(recipe)
                }
            };
            match built {
                Ok(program) => {
                    ready.subject.gcov.get_or_insert_with(|| program.clone());
                    ready.files = vec![program];
                }
                Err(None) => return Ok(None),
                Err(Some(reason)) => {
                    ready.digest = origin::digest_of_recipe(recipe);
                    ready.failure = Some((reason, last_lines(&self.log(recipe))));
                    return Ok(Some(ready));
                }
            }
        }
        ready.digest = origin::digest(&ready.files)
            .map_err(|error| failed("read", &ready.files[0], &error))?;
        Ok(Some(ready))
    }

    fn folder(&self, recipe: &Recipe) -> PathBuf {
        // Programs of the same source and configuration share a build.
        let build = Recipe {
            program: PathBuf::new(),
            ..recipe.clone()
        };
        let name = recipe
            .source
            .file_name()
            .map_or_else(|| "source".into(), |name| name.to_string_lossy());
        self.place
            .join(format!("{name}-{}", origin::digest_of_recipe(&build)))
    }

    fn log(&self, recipe: &Recipe) -> PathBuf {
        let mut log = self.folder(recipe).into_os_string();
        log.push(".log");
        log.into()
    }

    /// Returns the path of the program if it was built before.
    fn kept(&self, recipe: &Recipe) -> Option<PathBuf> {
        let program = self.folder(recipe).join(&recipe.program);
        (self.folder(recipe).join(BUILT).exists() && program.is_file()).then_some(program)
    }

    /// Builds a program. The error is the reason, or `None` if the user stopped the build.
    fn build(&self, recipe: &Recipe) -> std::result::Result<PathBuf, Option<String>> {
        let folder = self.folder(recipe);
        let wrong = |error: std::io::Error| Some(format!("{}: {error}", folder.display()));
        if folder.join(BUILT).exists() {
            return Err(Some(format!(
                "the build succeeded but did not create `{}`; correct `program`",
                recipe.program.display()
            )));
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(wrong)?;
        }
        fs::create_dir_all(&folder).map_err(wrong)?;
        fs::write(self.log(recipe), "").map_err(wrong)?;
        if !recipe.single_files.is_empty() {
            self.compile(recipe)?;
            return self.built(recipe, &folder);
        }
        self.unpack(recipe, &folder)?;
        if folder.join("configure").exists() {
            let arguments = ["./configure".to_string()]
                .into_iter()
                .chain(recipe.configure.clone());
            self.step(recipe, arguments.collect(), "configure")?;
        }
        let jobs = format!("-j{}", self.jobs);
        let arguments = ["make".to_string(), jobs]
            .into_iter()
            .chain(self.compilers())
            .chain(recipe.make.clone());
        self.step(recipe, arguments.collect(), "make")?;
        self.built(recipe, &folder)
    }

    /// Returns the program of a completed build.
    fn built(
        &self,
        recipe: &Recipe,
        folder: &Path,
    ) -> std::result::Result<PathBuf, Option<String>> {
        // Counts of the build itself belong to no test.
        remove_counts(folder);
        let wrong = |error: std::io::Error| Some(format!("{}: {error}", folder.display()));
        fs::write(folder.join(BUILT), "").map_err(wrong)?;
        match folder.join(&recipe.program) {
            program if program.is_file() => Ok(program),
            _ => Err(Some(format!(
                "the build succeeded but did not create `{}`; correct `program`",
                recipe.program.display()
            ))),
        }
    }

    /// Compiles single files.
    fn compile(&self, recipe: &Recipe) -> std::result::Result<(), Option<String>> {
        let shown = |path: &Path| path.display().to_string();
        let mut arguments = vec![shown(self.homi), "cc".to_string(), "-g".to_string()];
        arguments.extend(recipe.single_files.iter().map(|file| shown(file)));
        arguments.extend(recipe.make.clone());
        arguments.extend(["-o".to_string(), shown(&recipe.program)]);
        self.step(recipe, arguments, "compiling")
    }

    /// Returns compiler settings for makefiles that set CC themselves.
    fn compilers(&self) -> [String; 2] {
        let homi = self.homi.display();
        [format!("CC={homi} cc"), format!("CXX={homi} c++")]
    }

    fn unpack(&self, recipe: &Recipe, folder: &Path) -> std::result::Result<(), Option<String>> {
        let source = recipe.source.display().to_string();
        if recipe.source.is_dir() {
            let arguments = [
                "cp",
                "-a",
                &format!("{source}/."),
                &folder.display().to_string(),
            ]
            .map(str::to_string);
            return self.step(recipe, arguments.to_vec(), "copying the source");
        }
        if let Some(wanted) = &recipe.sha256 {
            let found =
                sha256(&recipe.source).map_err(|error| Some(format!("{source}: {error}")))?;
            if found != *wanted {
                return Err(Some(format!(
                    "{source} has the SHA-256 {found}, but the study wants {wanted}; correct \
                     `sha256` or replace the archive"
                )));
            }
        }
        let arguments = ["tar", "--strip-components=1", "-xf", &source].map(str::to_string);
        self.step(recipe, arguments.to_vec(), "unpacking the source")
    }

    /// Runs a command in the build's directory.
    fn step(
        &self,
        recipe: &Recipe,
        arguments: Vec<String>,
        what: &str,
    ) -> std::result::Result<(), Option<String>> {
        let homi = self.homi.display();
        let mut command = Command::new(&arguments[0]);
        command
            .args(&arguments[1..])
            .current_dir(self.folder(recipe))
            .env("CC", format!("{homi} cc"))
            .env("CXX", format!("{homi} c++"))
            .env("HOMI_CC_COVERAGE", "1")
            // configure of coreutils and other packages refuses to run as root without it.
            .env("FORCE_UNSAFE_CONFIGURE", "1");
        let limits = Limits {
            time: LONGEST_STEP,
            memory: MEMORY,
        };
        let ended = process::run(&mut command, &self.log(recipe), limits, self.interrupt);
        match ended {
            Ok(ended) if ended.cause == Some(Cause::Interrupt) => Err(None),
            Ok(ended) if ended.status.success() => Ok(()),
            Ok(ended) => Err(Some(format!("{what} failed: {}", ended.status))),
            Err(error) => Err(Some(format!("{what}: {}: {error}", arguments[0]))),
        }
    }
}

/// Name of the file that marks a completed build.
const BUILT: &str = ".homi-built";

/// Removes counts of gcov below a directory.
fn remove_counts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_counts(&path);
        } else if path.extension().is_some_and(|ending| ending == "gcda") {
            // A count that stays does not affect the replays.
            let _ = fs::remove_file(&path);
        }
    }
}
