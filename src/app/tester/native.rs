//! Native programs of the sources: one with gcov's counters, one with sanitizers.
//!
//! Invariant: a build that fails costs what it was for and is named; it is not a reason not to
//! test.

use super::build::{BuildError, Sources, compile, compile_once, io_error};
use super::support::Support;
use super::symbolic::HarnessCalls;
use homi_build::harness;
use homi_build::harness::Source;
use homi_build::sanitizers::{Receiver, for_receiver, sentence};
use homi_build::toolchain::{Compiler, gcc};
use homi_config::{CheckConfig, CheckGroup, KindSet};
use homi_report::gcov::GcovProgram;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The programs that could be built.
#[derive(Clone, Debug, Default)]
pub struct NativeBuilds {
    /// For gcov.
    pub counted: Option<PathBuf>,
    /// Build as the user makes it, without counters.
    pub plain: Option<PathBuf>,
    /// Build with AddressSanitizer and UndefinedBehaviorSanitizer.
    pub sanitized: Option<PathBuf>,
    /// Reasons why builds are missing, or checks of the bitcode in them.
    pub missing: Vec<String>,
}

/// One kind of build.
struct Kind {
    /// Directory of this kind below the directory of the builds, and suffix of the program's name.
    name: &'static str,
    flags: &'static [&'static str],
}

const COUNTED: Kind = Kind {
    name: "gcov",
    flags: &["--coverage"],
};

/// The first fault ends the program, so that its exit tells.
const SANITIZED: Kind = Kind {
    name: "sanitized",
    flags: &[
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-fno-omit-frame-pointer",
    ],
};

/// Beginning of the note that no program could be built.
const NOTHING_RAN: &str = "no test ran natively, and no bug is confirmed: ";

impl NativeBuilds {
    /// An executable that the user built. It is counted if it was built for that and its notes are
    /// where they were written.
    pub fn of_executable(executable: &Path) -> Self {
        match GcovProgram::open(executable) {
            Ok(_) => Self {
                counted: Some(executable.to_path_buf()),
                ..Self::default()
            },
            Err(why) => Self {
                plain: Some(executable.to_path_buf()),
                missing: vec![format!("gcov counts nothing ({why})")],
                ..Self::default()
            },
        }
    }

    /// A program that shows what a test does, the one that shows most first.
    pub fn best(&self) -> Option<&PathBuf> {
        let programs = [&self.sanitized, &self.counted, &self.plain];
        programs.into_iter().flatten().next()
    }

    /// Returns the reason why there is no program; `None` if there is one.
    pub fn why_none(&self) -> Option<&str> {
        let is_none = self.best().is_none();
        let why = self.missing.first().filter(|_| is_none)?;
        Some(why.strip_prefix(NOTHING_RAN).unwrap_or(why))
    }

    /// No program, and why.
    pub fn none(why: &str) -> Self {
        Self {
            missing: vec![format!("{NOTHING_RAN}{why}")],
            ..Self::default()
        }
    }
}

/// Build without counters and sanitizers.
const PLAIN: Kind = Kind {
    name: "plain",
    flags: &[],
};

/// Builds a program that nothing counts or watches.
pub fn build_plain(
    sources: &Sources,
    calls: HarnessCalls,
    directory: &Path,
) -> Result<PathBuf, BuildError> {
    let gcc = &gcc().ok_or(BuildError::NoGcc)?;
    let builder = Builder {
        gcc,
        sources,
        calls,
        harness: None,
        kind: PLAIN,
    };
    builder.build(directory)
}

/// Builds both programs below `directory`, side by side. The functions of a harness that the
/// program calls are linked to it, so that it reads its objects from the test.
pub fn build_natively(
    sources: &Sources,
    calls: HarnessCalls,
    harness: Option<&Source>,
    directory: &Path,
) -> NativeBuilds {
    let is_fed = calls.any || calls.verifier || harness.is_some_and(|one| one.is_symbolic);
    if is_of_32_bits(sources) && !is_fed {
        return NativeBuilds::none(
            "the modelled kernel, which feeds the program its input, cannot be loaded into a \
             32-bit program (-m32)",
        );
    }
    let Some(gcc) = gcc() else {
        return NativeBuilds::none("no gcc found; run apt-get install gcc libc6-dev");
    };
    let gcc = &gcc;
    let build = |kind: Kind| {
        Builder {
            gcc,
            sources,
            calls,
            harness,
            kind,
        }
        .build(directory)
    };
    if sources.config.objects.is_some() {
        return match build(SANITIZED) {
            Ok(program) => NativeBuilds {
                sanitized: Some(program),
                ..NativeBuilds::default()
            },
            Err(error) => NativeBuilds::none(&reason(&error)),
        };
    }
    let (counted, sanitized) = std::thread::scope(|scope| {
        let counted = scope.spawn(|| build(COUNTED));
        let sanitized = build(SANITIZED);
        let counted = counted
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (counted, sanitized)
    });
    match (counted, sanitized) {
        // An error that both builds share is reported once.
        (Err(error), Err(_)) => NativeBuilds::none(&if is_of_32_bits(sources) {
            format!("{} ({WANTED_FOR_32_BITS})", reason(&error))
        } else {
            reason(&error)
        }),
        (counted, sanitized) => {
            let mut missing: Vec<String> = checks_without_gcc(sources).into_iter().collect();
            let mut keep = |built: Result<PathBuf, BuildError>, what: &str| {
                let note = |error: &BuildError| {
                    missing.push(format!("{what}: {}", reason(error)));
                };
                built.inspect_err(note).ok()
            };
            let counted = keep(counted, "nothing is counted by gcov");
            let sanitized = keep(sanitized, "no test runs under sanitizers");
            NativeBuilds {
                counted,
                plain: None,
                sanitized,
                missing,
            }
        }
    }
}

/// Returns the sentence about checks of the bitcode that gcc has not; `None` without any.
fn checks_without_gcc(sources: &Sources) -> Option<String> {
    let (_, mut left_out) = for_receiver(&sources.config.compile, Receiver::Gcc);
    let named = sources.config.checks.compiled().rows();
    let without = named.filter(|row| row.gcc.is_empty() && !row.clang.is_empty());
    left_out.extend(without.map(|row| row.clang.to_string()));
    left_out.sort();
    left_out.dedup();
    sentence(&left_out, Receiver::Gcc)
}

/// Returns gcc's flags for the checks of a run, beyond the flags of every build with sanitizers.
fn sanitizer_flags(checks: &CheckConfig) -> Vec<String> {
    let removed = KindSet::of_group(CheckGroup::Default).without(checks.on);
    let removed = removed
        .gcc()
        .into_iter()
        .map(|word| format!("-fno-sanitize={word}"));
    let named = checks.compiled().gcc().into_iter().flat_map(|word| {
        [
            format!("-fsanitize={word}"),
            format!("-fno-sanitize-recover={word}"),
        ]
    });
    removed.chain(named).collect()
}

/// Requirement of gcc for `-m32`.
const WANTED_FOR_32_BITS: &str = "gcc -m32 needs gcc-multilib: apt-get install gcc-multilib";

/// The option that makes a program a 32-bit one.
const OF_32_BITS: &str = "-m32";

fn is_of_32_bits(sources: &Sources) -> bool {
    sources
        .config
        .compile
        .iter()
        .any(|argument| argument == OF_32_BITS)
}

/// Renames the program's `main`, whose place the harness takes, and lets the harness see what is
/// static in the program.
fn open_to_harness(object: &Path, harness: &Source) -> Result<(), BuildError> {
    let tool = Compiler {
        program: "objcopy".into(),
        major: 0,
        version: "of binutils".to_string(),
    };
    let mut arguments: Vec<OsString> =
        vec!["--redefine-sym".into(), "main=homi_program_main".into()];
    for name in &harness.names {
        arguments.push(format!("--globalize-symbol={name}").into());
    }
    arguments.push(object.into());
    compile(&tool, &arguments, object).map(|_| ())
}

/// Returns why a build failed, with the first line of the compiler about it.
fn reason(error: &BuildError) -> String {
    let BuildError::Refused {
        compiler,
        what: file,
        output,
    } = error
    else {
        return error.to_string();
    };
    let mut lines = output.lines();
    let telling = lines.find(|line| line.contains("error") || line.contains("undefined"));
    let telling = telling.map_or_else(String::new, |line| format!(": {}", line.trim()));
    format!("{compiler} cannot make {file}{telling}")
}

struct Builder<'a> {
    gcc: &'a Compiler,
    sources: &'a Sources,
    calls: HarnessCalls,
    /// Source that calls the tested function.
    harness: Option<&'a Source>,
    kind: Kind,
}

impl Builder<'_> {
    /// Returns the flags of the kind of build, then the user's as far as gcc knows them.
    fn flags(&self) -> Vec<OsString> {
        let config = &self.sources.config;
        let own = self.kind.flags.iter().map(|flag| (*flag).to_string());
        let is_sanitized = self.kind.name == SANITIZED.name;
        let checks = is_sanitized.then(|| sanitizer_flags(&config.checks));
        let (given, _) = for_receiver(&config.compile, Receiver::Gcc);
        let all = own.chain(checks.into_iter().flatten()).chain(given);
        all.map(OsString::from).collect()
    }

    fn build(&self, directory: &Path) -> Result<PathBuf, BuildError> {
        let place = directory.join(self.kind.name);
        fs::create_dir_all(&place).map_err(io_error(format!("cannot make {}", place.display())))?;
        let support = Support::write(&place)?;
        let config = &self.sources.config;
        let mut objects: Vec<OsString> = Vec::new();
        for (source, name) in self.sources.files.iter().zip(self.sources.object_names()) {
            let object = place.join(format!("{name}.o"));
            let mut arguments: Vec<OsString> = vec!["-g".into(), "-O0".into()];
            arguments.extend(self.flags());
            arguments.extend(["-isystem".into(), support.include.clone().into()]);
            arguments.extend(["-c".into(), source.into()]);
            if self.calls.is_about_error {
                // The hook reports the call, whatever the program's own `reach_error` does.
                arguments.push("-finstrument-functions".into());
            }
            if self.harness.is_some() || config.objects.is_some() {
                // The harness may call one that nothing else calls.
                arguments.push("-fkeep-static-functions".into());
            }
            self.compile_to(&object, arguments, source)?;
            if let Some(harness) = self.harness {
                open_to_harness(&object, harness)?;
            }
            objects.push(object.into());
        }
        if let Some(harness) = self.harness {
            let source = place.join(harness::FILE);
            fs::write(&source, &harness.text).map_err(io_error("cannot write the harness"))?;
            objects.push(self.added_object(&support, &source, &place)?.into());
        }
        for source in self.added_sources(&support) {
            objects.push(self.added_object(&support, source, &place)?.into());
        }
        let program = directory.join(format!(
            "{}-{}",
            self.sources.program_name(),
            self.kind.name
        ));
        let mut arguments = objects;
        arguments.extend(self.flags());
        arguments.extend(self.sources.config.link.iter().map(OsString::from));
        arguments.extend([
            "-lm".into(),
            "-lpthread".into(),
            "-o".into(),
            program.clone().into(),
        ]);
        compile(self.gcc, &arguments, &program)?;
        Ok(program)
    }

    /// Compiles a source to an object of this program: a copy, if several commands share it.
    fn compile_to(
        &self,
        object: &Path,
        mut arguments: Vec<OsString>,
        source: &Path,
    ) -> Result<(), BuildError> {
        let name = object.file_name().unwrap_or_default();
        let shared = self.sources.config.objects.as_ref();
        let shared = shared.map(|shared| shared.join(self.kind.name).join(name));
        let target = shared.as_deref().unwrap_or(object);
        compile_once(shared.is_some(), target, |target| {
            arguments.extend(["-o".into(), target.into()]);
            compile(self.gcc, &arguments, source)
        })?;
        if let Some(shared) = &shared {
            let failed = io_error(format!("cannot write {}", object.display()));
            fs::copy(shared, object).map_err(failed)?;
        }
        Ok(())
    }

    /// Returns the sources that define the harness functions that the program calls.
    fn added_sources<'s>(&self, support: &'s Support) -> Vec<&'s Path> {
        // The functions of SV-COMP are in a separate source.
        let is_verified = self.calls.verifier || self.calls.is_about_error;
        let is_called =
            self.calls.any || is_verified || self.harness.is_some_and(|one| one.is_symbolic);
        let runtime = is_called.then_some(support.runtime.as_path());
        let verifier = is_verified.then_some(support.verifier.as_path());
        runtime.into_iter().chain(verifier).collect()
    }

    /// The object of an added source. It is not the program, so it is not counted or watched.
    fn added_object(
        &self,
        support: &Support,
        source: &Path,
        place: &Path,
    ) -> Result<PathBuf, BuildError> {
        let object = place.join(
            source
                .with_extension("homi.o")
                .file_name()
                .unwrap_or_default(),
        );
        let mut arguments: Vec<OsString> =
            vec!["-g".into(), "-O1".into(), "-w".into(), "-I".into()];
        arguments.extend([
            support.include.clone().into(),
            "-fno-builtin".into(),
            "-c".into(),
        ]);
        if is_of_32_bits(self.sources) {
            arguments.push(OF_32_BITS.into());
        }
        arguments.push(source.into());
        if source.ends_with(harness::FILE) {
            arguments.extend(["-o".into(), object.clone().into()]);
            compile(self.gcc, &arguments, source)?;
        } else {
            self.compile_to(&object, arguments, source)?;
        }
        Ok(object)
    }
}
