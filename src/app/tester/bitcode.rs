//! Sources as bitcode, in the form that keeps all branches of the source.

use super::build::{BuildError, Sources, compile, compile_once, io_error};
use super::support::Support;
use homi_build::sanitizers::{Receiver, for_receiver, sentence};
use homi_build::toolchain::{Compiler, newest_clang};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Flags that keep every branch and let homi simplify the code later.
const FLAGS: [&str; 6] = [
    "-g",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-c",
    "-emit-llvm",
];

/// Bitcode, one file for each source.
pub struct CompiledBitcode {
    directory: PathBuf,
    /// Removes the files; absent if several commands share them.
    temporary: Option<tempfile::TempDir>,
    names: Vec<String>,
    /// Warnings of the compiler.
    pub warnings: String,
    /// Sentence about sanitizers of the flags that the bitcode is without.
    pub note: Option<String>,
}

impl CompiledBitcode {
    /// The files, the first source's first.
    pub fn files(&self) -> Vec<PathBuf> {
        let names = self.names.iter();
        names.map(|name| self.directory.join(name)).collect()
    }

    /// Compiles one more source to `NAME.bc`.
    fn add(
        &mut self,
        clang: &Compiler,
        flags: &[String],
        support: &Support,
        source: &Path,
        name: &str,
    ) -> Result<(), BuildError> {
        let name = format!("{name}.bc");
        let target = self.directory.join(&name);
        let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).to_vec();
        arguments.extend(flags.iter().map(OsString::from));
        arguments.extend(["-isystem".into(), support.include.clone().into()]);
        arguments.push(source.into());
        let warnings = compile_once(self.temporary.is_none(), &target, |target| {
            arguments.extend(["-o".into(), target.into()]);
            compile(clang, &arguments, source)
        })?;
        self.warnings.push_str(&warnings);
        self.names.push(name);
        Ok(())
    }

    /// Copies the files into a directory, which is made; where they are then.
    pub fn keep_in(&self, directory: &Path) -> Result<Vec<PathBuf>, BuildError> {
        let failed = || io_error(format!("cannot write {}", directory.display()));
        fs::create_dir_all(directory).map_err(failed())?;
        let mut kept = Vec::new();
        for name in &self.names {
            let target = directory.join(name);
            fs::copy(self.directory.join(name), &target).map_err(failed())?;
            kept.push(target);
        }
        Ok(kept)
    }
}

/// Compiles sources with the newest clang whose bitcode an LLVM of version `newest` reads. Nothing
/// is left behind if one of them cannot be compiled. clang compiles the checks that it has; it
/// checks constants before it computes them. The bitcode has the command line, which says so.
pub fn compile_bitcode(newest: u32, sources: &Sources) -> Result<CompiledBitcode, BuildError> {
    let clang = newest_clang(newest).ok_or(BuildError::NoClang { newest })?;
    let new = || tempfile::tempdir().map_err(io_error("no temporary directory"));
    let (directory, temporary) = match &sources.config.objects {
        Some(shared) => (shared.join("bitcode"), None),
        None => {
            let temporary = new()?;
            (temporary.path().to_path_buf(), Some(temporary))
        }
    };
    let headers = new()?;
    let support = Support::write(headers.path())?;
    let mut compiled = CompiledBitcode {
        directory,
        temporary,
        names: Vec::new(),
        warnings: String::new(),
        note: None,
    };
    let (mut flags, left_out) = for_receiver(&sources.config.compile, Receiver::Bitcode);
    compiled.note = sentence(&left_out, Receiver::Bitcode);
    let words = sources.config.checks.compiled().clang();
    if !words.is_empty() {
        flags.push(format!("-fsanitize={}", words.join(",")));
        flags.push("-frecord-command-line".to_string());
    }
    let all = sources.files.iter().zip(sources.object_names());
    for (source, name) in all {
        compiled.add(&clang, &flags, &support, source, &name)?;
    }
    Ok(compiled)
}
