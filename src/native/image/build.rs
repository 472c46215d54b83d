//! The build of an image, in the background of a run.

use super::process::{ImageError, ImageProcess};
use homi_machine::host::ProgramArguments;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// How to build and start an image.
#[derive(Debug)]
pub struct ImageRecipe {
    /// The command that builds it, which reads `request` from its standard input.
    pub builder: PathBuf,
    pub arguments: Vec<String>,
    pub request: Vec<u8>,
    /// The directory of the built file, removed at the end.
    pub directory: TempDir,
    /// The name of the file in the directory.
    pub file: &'static str,
    /// Arguments and environment of the program.
    pub program: ProgramArguments,
    /// Number of branch sides that the engine knows.
    pub sides: usize,
}

/// An image of a run, shared by its threads.
#[derive(Debug)]
pub struct Image {
    recipe: ImageRecipe,
    build: Mutex<Build>,
}

#[derive(Debug)]
enum Build {
    Wanted,
    Running(Child),
    Done,
    /// There is no image, for this reason; reported once.
    Failed(Option<String>),
}

/// Progress of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// The build runs.
    Building,
    Ready,
    /// There is no image. The first thread that asks gets the reason.
    Absent(Option<String>),
}

impl Image {
    /// An image that is not built yet.
    pub fn new(recipe: ImageRecipe) -> Image {
        Image {
            recipe,
            build: Mutex::new(Build::Wanted),
        }
    }

    /// The arguments of the run's program.
    pub fn arguments(&self) -> &[Vec<u8>] {
        &self.recipe.program.arguments
    }

    /// The environment of the program.
    pub fn environment(&self) -> &[Vec<u8>] {
        &self.recipe.program.environment
    }

    /// Begins the build at the first call. Returns its progress.
    pub fn readiness(&self) -> Readiness {
        let mut build = self.build.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *build {
            Build::Wanted => match self.begin() {
                Ok(child) => *build = Build::Running(child),
                Err(error) => *build = Build::Failed(Some(error.to_string())),
            },
            Build::Running(child) => match child.try_wait() {
                Ok(None) => {}
                Ok(Some(status)) if status.success() => *build = Build::Done,
                Ok(Some(status)) => {
                    let words = first_line(child).unwrap_or_else(|| status.to_string());
                    *build = Build::Failed(Some(words));
                }
                Err(error) => *build = Build::Failed(Some(error.to_string())),
            },
            Build::Done | Build::Failed(_) => {}
        }
        match &mut *build {
            Build::Wanted | Build::Running(_) => Readiness::Building,
            Build::Done => Readiness::Ready,
            Build::Failed(reason) => Readiness::Absent(reason.take()),
        }
    }

    fn begin(&self) -> std::io::Result<Child> {
        let mut child = Command::new(&self.recipe.builder)
            .args(&self.recipe.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A builder that died early shows in its status.
            let _ = input.write_all(&self.recipe.request);
        }
        Ok(child)
    }

    /// Starts a process of the built image.
    pub fn start(&self) -> Result<ImageProcess, ImageError> {
        let file = self.recipe.directory.path().join(self.recipe.file);
        ImageProcess::start(&file, &self.recipe.program, self.recipe.sides)
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let build = self.build.get_mut();
        if let Build::Running(child) = build.unwrap_or_else(PoisonError::into_inner) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The first line that an ended builder wrote to its standard error.
fn first_line(child: &mut Child) -> Option<String> {
    let mut text = String::new();
    child.stderr.as_mut()?.read_to_string(&mut text).ok()?;
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim_start_matches("error: ").to_string())
}
