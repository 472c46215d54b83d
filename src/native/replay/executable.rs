//! The program to replay: where it can be run from, and what of gcov and the harness runtime is in
//! it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use object::{Object, ObjectKind, ObjectSymbol};

use super::sandbox::{Sandbox, SandboxKind};

/// Sent before a timed-out program is killed; the preloaded object writes the counts on it.
pub const FLUSH_SIGNAL: i32 = 63;

/// Byte that the engine reads from fresh memory (`memory::UNINITIALISED`), for sanitizers that fill
/// it.
const FRESH: u8 = 0xab;

/// Functions that a program calls to start a sanitizer with shadow memory.
const SHADOWING: [&str; 3] = ["__asan_init", "__msan_init", "__tsan_init"];

/// A program ready to be run in a sandbox.
pub struct Executable {
    /// A path at which the sandbox's user can execute the program.
    pub path: PathBuf,
    /// True if the program reads objects from KTEST_FILE, or if that is unknown.
    pub is_harness: bool,
    /// The dynamic loader starts it, so objects can be preloaded.
    pub is_dynamic: bool,
    /// Objects for it are other ones than ours.
    pub is_of_32_bits: bool,
    /// A sanitizer that shadows memory is in it (AddressSanitizer and its like): its address space
    /// has no limit, and its reports end it by a signal.
    pub is_sanitized: bool,
    /// Addresses of libgcov's `__gcov_dump_one` and `__gcov_root`, if the symbol table tells.
    gcov: Option<(u64, u64)>,
}

impl Executable {
    pub fn open(exe: &Path, sandbox: &Sandbox) -> anyhow::Result<Executable> {
        let shown = exe.display();
        let path = exe
            .canonicalize()
            .with_context(|| format!("cannot find the program {shown}"))?;
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() || metadata.permissions().mode() & 0o111 == 0 {
            bail!("{shown} is not an executable file; the program comes first, then its tests");
        }
        let image = fs::read(&path).with_context(|| format!("cannot read {shown}"))?;
        if image.starts_with(b"BC\xc0\xde") {
            bail!("{shown} is bitcode; give the natively compiled program");
        }
        let symbols = Symbols::read(&image);
        let is_harness = symbols.is_empty() || symbols.address("klee_make_symbolic").is_some();
        let file = object::File::parse(&*image).ok();
        let is_dynamic =
            (file.as_ref()).is_some_and(|file| file.section_by_name(".interp").is_some());
        let is_of_32_bits = file.is_some_and(|file| !file.is_64());
        let is_sanitized = SHADOWING.iter().any(|name| symbols.has(name));
        let gcov = symbols
            .address("__gcov_dump_one")
            .zip(symbols.address("__gcov_root"));
        let outsider = nix::unistd::geteuid().is_root() && sandbox.kind() != SandboxKind::None;
        let path = if outsider && !anyone_can_run(&path) {
            copy_into(&path, sandbox)?
        } else {
            path
        };
        Ok(Executable {
            path,
            is_harness,
            is_dynamic,
            is_of_32_bits,
            is_sanitized,
            gcov,
        })
    }

    /// Environment variables that make the program keep its counts in `counts` whatever its end.
    /// `preloaded`: the compiled object will be.
    pub fn gcov_environment(&self, counts: &Path, preloaded: bool) -> Vec<Vec<u8>> {
        let mut all = vec![
            variable("GCOV_PREFIX", &counts.display()),
            b"GCOV_PREFIX_STRIP=0".to_vec(),
            b"GCOV_ERROR_FILE=/dev/null".to_vec(),
        ];
        let metadata = fs::metadata(&self.path).ok();
        if let (true, Some((dump, root)), Some(file)) = (preloaded, self.gcov, metadata) {
            let files = format!("{} {} {dump:x} {root:x}", file.dev(), file.ino());
            all.push(variable("HOMI_GCOV_DUMP", &files));
        }
        all
    }

    /// Environment variables that make sanitizers report as a test needs it: a report is an abort,
    /// the model's object may come before theirs, `memory` bytes are the most that an allocation
    /// gets (more is a null pointer, as without them), fresh memory reads as it does in the engine,
    /// and what is still allocated at the end is not an error.
    pub fn sanitizer_environment(&self, memory: u64) -> Vec<Vec<u8>> {
        if !self.is_sanitized {
            return Vec::new();
        }
        let memory = if self.is_of_32_bits {
            // A sanitizer for 32 bits takes 4 GiB for 0.
            memory.min(0x7fff_ffff)
        } else {
            memory
        };
        let options = format!(
            "abort_on_error=1:verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb={}:\
             malloc_fill_byte={FRESH}:max_malloc_fill_size={}",
            memory >> 20,
            // A number of 31 bits.
            memory.min(0x7fff_ffff)
        );
        let names = ["ASAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS"];
        names.map(|name| variable(name, &options)).into()
    }

    /// True if a stripped symbol table hides where the counts are.
    pub fn hides_gcov(&self) -> bool {
        self.gcov.is_none()
    }
}

/// Returns true if a file is a program that the system can run: not a library and not an object.
pub fn is_executable(file: &Path) -> bool {
    let Ok(image) = fs::read(file) else {
        return false;
    };
    object::File::parse(&*image).is_ok_and(|image| {
        matches!(image.kind(), ObjectKind::Executable | ObjectKind::Dynamic) && image.entry() != 0
    })
}

fn variable(name: &str, value: &dyn std::fmt::Display) -> Vec<u8> {
    format!("{name}={value}").into_bytes()
}

/// Symbols of an executable, static and dynamic.
struct Symbols {
    named: Vec<(String, u64)>,
}

impl Symbols {
    fn read(image: &[u8]) -> Symbols {
        let mut named = Vec::new();
        if let Ok(file) = object::File::parse(image) {
            for symbol in file.symbols().chain(file.dynamic_symbols()) {
                if let Ok(name) = symbol.name() {
                    named.push((name.to_string(), symbol.address()));
                }
            }
        }
        Symbols { named }
    }

    fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    fn has(&self, name: &str) -> bool {
        self.address(name).is_some()
    }

    fn address(&self, name: &str) -> Option<u64> {
        let found = self.named.iter().find(|(n, _)| n == name);
        found.map(|(_, address)| *address)
    }
}

/// True if a user without rights reaches and runs the file, or reads the directory.
pub(super) fn anyone_can_run(path: &Path) -> bool {
    let has = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|m| m.permissions().mode() & bits == bits)
    };
    has(path, 0o005)
        && path
            .ancestors()
            .skip(1)
            .all(|directory| has(directory, 0o001))
}

fn copy_into(path: &Path, sandbox: &Sandbox) -> anyhow::Result<PathBuf> {
    let directory = sandbox.shared().join("exe");
    fs::create_dir_all(&directory)?;
    let name = path.file_name().unwrap_or_default();
    let target = directory.join(name);
    fs::copy(path, &target).with_context(|| format!("cannot copy {}", path.display()))?;
    for file in [&directory, &target] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(target)
}
