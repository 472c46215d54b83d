//! Tests of the group on C files compiled here by the system's clangs.

use super::{LoadError, LoadOptions, load};
use homi_ir::program::GlobalInit;
use homi_ir::program::{BranchKind, Inst, Origin, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles C text to bitcode in `directory`.
fn compile(directory: &Path, clang: &str, flags: &[&str], name: &str, text: &str) -> PathBuf {
    let source = directory.join(format!("{name}.c"));
    std::fs::write(&source, text).unwrap();
    let output = directory.join(format!("{name}.bc"));
    let status = Command::new(clang)
        .args(["-c", "-emit-llvm", "-w"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&output)
        .status()
        .unwrap_or_else(|error| panic!("{clang} is required for this test: {error}"));
    assert!(status.success(), "{clang} {flags:?} failed on {name}");
    output
}

/// The clangs to test with: 19 must be there, 14 and 16 are used if they are.
fn clangs() -> Vec<&'static str> {
    let mut list = vec!["clang-19"];
    for older in ["clang-14", "clang-16"] {
        let present = Command::new(older).arg("--version").output().is_ok();
        println!(
            "{older}: {}",
            if present { "tested" } else { "not installed" }
        );
        if present {
            list.push(older);
        }
    }
    list
}

fn load_text(flags: &[&str], text: &str) -> Program {
    let directory = tempfile::tempdir().unwrap();
    let input = compile(directory.path(), "clang-19", flags, "prog", text);
    load(&LoadOptions::new(input)).unwrap()
}

#[test]
fn branches_are_numbered_with_kind_sides_and_line() {
    let program = load_text(
        &["-O0", "-g"],
        "int main(int argc, char **argv) {\n\
         if (argc > 1) return 2;\n\
         switch (argc) { case 7: return 1; case 8: case 9: return 3; default: break; }\n\
         return 0; }\n",
    );
    let kinds: Vec<_> = program
        .branches
        .iter()
        .map(|branch| {
            (
                branch.kind,
                branch.sides,
                program.location(branch.location).line,
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [(BranchKind::Conditional, 2, 2), (BranchKind::Switch, 3, 3)]
    );
    assert_eq!(program.branches[0].function, "main");
    assert_eq!(program.branches[0].origin, Origin::Program);
    let main = program.function(program.entry);
    assert!(
        main.code
            .iter()
            .any(|inst| matches!(inst, Inst::Switch { .. }))
    );
    assert_eq!(program.unsupported_in_lowering, Vec::<String>::new());
}

/// Exercises a bit of everything; loads under every clang and level without an unsupported feature.
const MIXED: &str = r#"
#include <stdarg.h>
struct point { int x; double y; };
union word { float f; unsigned u; };
static int table[4] = {1, 2, 3, 4};
static int *inside = &table[2];
const char *names[] = {"one", "two"};
int (*handlers[2])(int);
static int twice(int x) { return 2 * x; }
int sum(int count, ...) {
    va_list list; int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}
struct point make(int x) { struct point p = {x, x * 0.5}; return p; }
long double wide(long double a) { return a * 3.0L + 1; }
__int128 big(__int128 a, unsigned long b) { return a * b + (a >> 3); }
int go(int i) {
    static void *labels[] = {&&zero, &&one};
    goto *labels[i & 1];
zero: return 10;
one: return 11;
}
int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }
int main(int argc, char **argv) {
    handlers[0] = twice;
    union word w; w.f = argc;
    struct point p = make(argc);
    int overflow = __builtin_add_overflow(argc, 5, &argc);
    asm volatile("" ::: "memory");
    return handlers[0](argc) + sum(2, argc, 4) + (int)p.y + *inside + names[1][0] + (int)wide(argc)
        + (int)big(argc, 7) + go(argc) + vla(3) + w.u % 7 + __builtin_popcount(argc)
        + __builtin_bswap32(argc) + overflow;
}
"#;

#[test]
fn all_clangs_and_levels_lower_without_a_unsupported() {
    let directory = tempfile::tempdir().unwrap();
    for clang in clangs() {
        for flags in [
            &["-O0", "-g"][..],
            &["-O1"],
            &["-O2", "-g"],
            &["-O2", "-mavx2"],
        ] {
            let input = compile(directory.path(), clang, flags, "mixed", MIXED);
            let program = load(&LoadOptions::new(input)).unwrap();
            assert_eq!(
                program.unsupported_in_lowering,
                Vec::<String>::new(),
                "{clang} {flags:?}"
            );
            assert_eq!(program.undefined, Vec::<String>::new(), "{clang} {flags:?}");
            let pointers = program.globals.iter().any(|global| match &global.init {
                GlobalInit::Bytes { relocations, .. } => !relocations.is_empty(),
                _ => false,
            });
            assert!(pointers, "{clang} {flags:?}: no initialiser with a pointer");
        }
    }
}

#[test]
fn bad_files_are_errors_that_name_the_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let good = compile(
        directory.path(),
        "clang-19",
        &[],
        "good",
        "int f(void){return 1;}",
    );
    let text = directory.path().join("text.bc");
    std::fs::write(&text, "int main() {}").unwrap();
    let cut = directory.path().join("cut.bc");
    let bytes = std::fs::read(&good).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let error = |path: &Path| load(&LoadOptions::new(path)).unwrap_err();
    assert!(matches!(
        error(&directory.path().join("none.bc")),
        LoadError::Unreadable { .. }
    ));
    assert!(matches!(error(&text), LoadError::NotBitcode { .. }));
    assert!(matches!(error(&cut), LoadError::Damaged { .. }));
    let missing = error(&good);
    assert!(matches!(missing, LoadError::NoEntry { .. }));
    assert!(missing.to_string().contains("it defines: f"), "{missing}");
}

/// Position independent code from -O1 on reads constant tables of pointers through 32-bit
/// distances.
#[test]
fn tables_of_relative_addresses_become_tables_of_addresses() {
    let program = load_text(
        &["-O2", "-fPIE"],
        "extern int puts(const char *);\n\
         static const char *const names[] = {\"zero\", \"one\", \"two\"};\n\
         int main(int argc, char **argv) { puts(names[argc % 3]); return 0; }\n",
    );
    assert_eq!(program.unsupported_in_lowering, Vec::<String>::new());
    let table = program
        .globals
        .iter()
        .find(|global| global.name.ends_with(".absolute"))
        .expect("the table of addresses");
    let GlobalInit::Bytes { bytes, relocations } = &table.init else {
        panic!("no addresses: {:?}", table.init);
    };
    assert_eq!(bytes.len(), 24);
    let offsets: Vec<u64> = relocations.iter().map(|at| at.offset).collect();
    assert_eq!(offsets, [0, 8, 16]);
}

#[test]
fn the_writer_of_a_file_is_read_without_llvm() {
    let directory = tempfile::tempdir().unwrap();
    for clang in clangs() {
        let file = compile(directory.path(), clang, &[], "who", "int x;");
        let producer = super::read::identification::producer_of_file(&file).unwrap();
        let version = clang.strip_prefix("clang-").unwrap();
        assert!(
            producer.starts_with(&format!("LLVM{version}.")),
            "{clang}: {producer}"
        );
        assert!(!super::read::modules::is_newer(&producer), "{producer}");
        // A cut-off or damaged file gives nothing or another name, but never a panic.
        let bytes = std::fs::read(&file).unwrap();
        for length in 0..64 {
            super::read::identification::producer(&bytes[..length]);
            let mut damaged = bytes.clone();
            damaged[length] ^= 0x55;
            super::read::identification::producer(&damaged);
        }
    }
    assert!(super::read::modules::is_newer("LLVM22.1.0"));
}

#[test]
fn several_files_link_into_one_program() {
    let directory = tempfile::tempdir().unwrap();
    let first = compile(
        directory.path(),
        "clang-19",
        &[],
        "first",
        "int helper(int); static int same(void) { return 1; } \
         int main(int c, char **v) { if (c > 1) return helper(c); return same(); }",
    );
    let second = compile(
        directory.path(),
        "clang-14",
        &[],
        "second",
        "static int same(void) { return 2; } int absent(void); \
         __attribute__((weak)) int perhaps(void); \
         int helper(int x) { return x ? same() : perhaps ? perhaps() : absent(); }",
    );
    let mut options = LoadOptions::new(first);
    options.inputs.push(second);
    let program = load(&options).unwrap();
    assert_eq!(program.undefined, ["absent"]);
    let sites: Vec<_> = program
        .branches
        .iter()
        .map(|site| site.function.as_str())
        .collect();
    assert_eq!(sites[0], "main");
    assert!(
        sites[1..].iter().all(|name| *name == "helper") && sites.len() >= 2,
        "{sites:?}"
    );
}

#[test]
fn a_runtime_of_another_version_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let main = "int puts(const char *); int main(void) { return puts(\"x\"); }";
    let program = compile(here, "clang-19", &[], "program", main);
    let kernel = "long homi_clock_ns(void); long kernel_time(void) { return homi_clock_ns(); }";
    let other = "void homi_of_tomorrow(void); void kernel_start(void) { homi_of_tomorrow(); }";
    let libc = "int puts(const char *text) { return *text; }";
    compile(here, "clang-19", &[], "libc", libc);
    let mut options = LoadOptions::new(program);
    options.runtime_dir = Some(here.to_path_buf());
    compile(here, "clang-19", &[], "kernel", kernel);
    load(&options).unwrap();
    compile(here, "clang-19", &[], "kernel", other);
    let message = load(&options).unwrap_err().to_string();
    for part in [here.to_str().unwrap(), "homi_of_tomorrow", "scripts/setup"] {
        assert!(message.contains(part), "{message}");
    }
}
