//! Loading through the real child process: images, cache, and crashes that stay messages.

use crate::support::{bitcode, data, homi, root};
use homi::llvm::{LoadError, LoadOptions, load, load_in_child};
use std::path::{Path, PathBuf};

fn compile(directory: &Path, text: &str) -> PathBuf {
    let source = directory.join("prog.c");
    std::fs::write(&source, text).unwrap();
    bitcode(&["-g"], &source)
}

#[test]
fn the_child_returns_what_the_process_itself_would() {
    let directory = tempfile::tempdir().unwrap();
    let input = compile(
        directory.path(),
        "int main(int c, char **v) { return c > 2 ? v[1][0] : 3; }",
    );
    let mut options = LoadOptions::new(input);
    let here = load(&options).unwrap();
    assert_eq!(load_in_child(&options, homi()).unwrap(), here);

    options.cache_dir = Some(directory.path().join("cache"));
    assert_eq!(load_in_child(&options, homi()).unwrap(), here);
    let entry = std::fs::read_dir(directory.path().join("cache"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let image = std::fs::read(&entry).unwrap();
    assert_eq!(load_in_child(&options, homi()).unwrap(), here);
    // A damaged entry is a miss and is written again.
    std::fs::write(&entry, &image[..image.len() / 2]).unwrap();
    assert_eq!(load_in_child(&options, homi()).unwrap(), here);
    assert_eq!(std::fs::read(&entry).unwrap(), image);
}

#[test]
fn damaged_files_are_errors_whatever_they_do_to_the_reader() {
    let directory = tempfile::tempdir().unwrap();
    let input = compile(
        directory.path(),
        "struct s { int a[4]; } g; int main(int c, char **v) { g.a[c] = v[0][1]; return g.a[2]; }",
    );
    let good = std::fs::read(&input).unwrap();
    let bad = directory.path().join("bad.bc");
    // A fixed pseudo-random sequence of damaged copies: cut off, or with bytes overwritten.
    let mut seed = 12345u64;
    let mut next = |limit: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % limit
    };
    let mut failures = 0;
    for round in 0..24 {
        let mut bytes = good.clone();
        if round % 3 == 0 {
            bytes.truncate(4 + next(good.len() - 4));
        } else {
            for _ in 0..8 {
                let at = 4 + next(good.len() - 4);
                bytes[at] = next(256) as u8;
            }
        }
        std::fs::write(&bad, &bytes).unwrap();
        if let Err(error) = load_in_child(&LoadOptions::new(&bad), homi()) {
            failures += 1;
            assert!(
                !matches!(error, LoadError::Process { .. }),
                "round {round}: {error}"
            );
            assert!(
                error.to_string().contains("bad.bc"),
                "round {round}: {error}"
            );
        }
    }
    assert!(failures >= 8, "only {failures} damaged files were refused");
}

/// `damaged/initialiser.bc`, found by the fuzzer too, has an object that is smaller than its
/// initialiser.
#[test]
fn an_initializer_larger_than_its_object_does_not_end_homi() {
    let input = data("damaged/initialiser.bc");
    let result = load_in_child(&LoadOptions::new(input), homi());
    if let Err(error) = result {
        assert!(!error.to_string().contains("panicked"), "{error}");
    }
}

/// `damaged/endless.bc` is a small program with one bit changed by the fuzzer (fuzz),
/// which sends LLVM's reader into a loop without end.
#[test]
fn a_file_that_llvm_never_finishes_is_an_error() {
    let input = data("damaged/endless.bc");
    let mut options = LoadOptions::new(input);
    options.reading_time = 1;
    let error = load_in_child(&options, homi()).unwrap_err();
    assert!(matches!(error, LoadError::Crashed { .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("endless.bc") && text.contains("did not terminate"),
        "{text}"
    );
}

/// The kernel's functions that a program is loaded with.
fn kernel_functions(text: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let mut options = LoadOptions::new(compile(directory.path(), text));
    options.runtime_dir = Some(root().join(".deps/runtime"));
    let program = load(&options).unwrap();
    let kernel = program.functions.iter();
    let kernel = kernel.filter(|function| function.name.starts_with("hk_"));
    kernel.map(|function| function.name.clone()).collect()
}

#[test]
fn system_calls_that_a_program_cannot_make_are_left_out() {
    let has = |text: &str, name: &str| kernel_functions(text).iter().any(|known| known == name);
    let plain = "#include <unistd.h>\nint main(void) { return write(1, \"x\", 1) != 1; }";
    assert!(has(plain, "hk_write"));
    assert!(!has(plain, "hk_socket_call"));
    // Asked for by name, through `syscall`, through a cancellation point.
    let socket = "#include <sys/socket.h>\nint main(void) { return socket(1, 1, 0) < 0; }";
    assert!(has(socket, "hk_socket_call"));
    // What a kind of descriptor does is loaded with the calls that make one.
    assert!(has(socket, "hk_drop_luggage") && !has(plain, "hk_drop_luggage"));
    let pipe = "#include <unistd.h>\nint main(void) { int a[2]; return syscall(22, a) != 0; }";
    assert!(has(pipe, "hk_pipe") && !has(pipe, "hk_socket_call"));
    let wait =
        "#include <time.h>\nint main(void) { struct timespec t = {0}; return nanosleep(&t, 0); }";
    assert!(has(wait, "hk_nanosleep") && !has(wait, "hk_pipe"));
    // Numbers that are unknown before the program runs.
    let any = "#include <unistd.h>\nint main(int c, char **v) { return syscall(v[0][0]) != 0; }";
    assert!(has(any, "hk_socket_call") && has(any, "hk_pipe"));
    let address = "#include <unistd.h>\nlong (*volatile f)(long, ...) = syscall;\n\
                   int main(void) { return f(22) != 0; }";
    assert!(has(address, "hk_socket_call") && has(address, "hk_pipe"));
}
