//! The native image of a program takes the sides that the engine says, survives hostile programs,
//! and touches nothing of the machine.

use crate::support::{TestDir, bitcode, json_lines, root, summary};
use homi::llvm::{ImageOptions, LoadOptions, build_image, load};
use homi::machine::exec::EmptyHost;
use homi::machine::host::ProgramArguments;
use homi::native::image::{ComparedAs, Comparison, Ended, ImageProcess};
use homi::native::testcase::ktest::KTest;
use homi::native::testcase::{read_branches, read_coverage};
use std::path::Path;

/// More work than any program here needs.
const WORK: u64 = 1_000_000;

fn options(input: &Path) -> LoadOptions {
    LoadOptions {
        runtime_dir: Some(root().join(".deps/runtime")),
        ..LoadOptions::new(input)
    }
}

/// Starts the image of a program that is bitcode.
fn image(place: &TestDir, bitcode: &Path) -> ImageProcess {
    let load_options = options(bitcode);
    let program = load(&load_options).unwrap();
    let output = place.path("image");
    let options = ImageOptions {
        load: load_options,
        output: output.clone(),
    };
    build_image(&options, Path::new("clang-19")).unwrap();
    let sides = program.branches.iter().map(|branch| branch.sides as usize);
    let arguments = ProgramArguments {
        arguments: vec![b"program".to_vec()],
        environment: vec![b"HOME=/".to_vec()],
    };
    ImageProcess::start(&output, &arguments, sides.sum()).unwrap()
}

fn strings(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A reader of expressions with what images could get wrong: static data, the heap, recursion,
/// streams, a computed goto, `setjmp`, a constructor, threads.
const READER: &str = r#"
#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int calls, total;
static char *copies[4];
static jmp_buf back;
static __thread int mine = 3;
__attribute__((constructor)) static void begin(void) { total = 5; }
static void *count(void *by) { mine += *(int *)by; return mine > 4 ? by : 0; }
static const char *at;
static int sum(void);
static int atom(void) {
  if (calls++ > 20) longjmp(back, 2);
  if (*at == '(') { int value; at++; value = sum(); if (*at != ')') longjmp(back, 1); at++; return value; }
  if (!isdigit((unsigned char)*at)) longjmp(back, 1);
  return *at++ - '0';
}
static int sum(void) {
  int value = atom();
  while (*at == '+' || *at == '*') { if (*at++ == '+') value += atom(); else value *= atom(); }
  return value;
}
int main(int argc, char **argv) {
  static void *const ways[] = {&&small, &&large};
  char line[32];
  pthread_t thread;
  void *result;
  int by = argc, i;
  if (total != 5) return 9;
  if (!fgets(line, sizeof line, stdin)) return 8;
  for (i = 0; i < 4 && line[i]; i++) copies[i] = strdup(line + i);
  at = line;
  switch (setjmp(back)) { case 1: printf("error at %d\n", (int)(at - line)); return 1; case 2: return 2; }
  total += sum();
  if (*at && *at != '\n') return 3;
  if (pthread_create(&thread, 0, count, &by) || pthread_join(thread, &result)) return 7;
  if (result) total += mine;
  for (i = 0; i < 4; i++) free(copies[i]), copies[i] = 0;
  goto *ways[total > 20];
small: return 0;
large: return argc > 1 && argv[1][0] == 'x' ? 4 : 5;
}
"#;

#[test]
fn an_image_takes_the_sides_that_the_engine_says() {
    let place = TestDir::new();
    let input = place.compile("program", READER);
    place.run_into(
        "tests",
        &[
            "program.bc",
            "--quiet",
            "--max-time",
            "0",
            "--max-instructions",
            "1500000",
            "--all-tests",
            "--",
            "--sym-args",
            "0",
            "1",
            "2",
            "--sym-stdin",
            "6",
        ],
    );
    let directory = place.path("tests");
    let branches = read_branches(&directory).unwrap();
    let mut image = image(&place, &input);
    let mut compared = 0;
    for test in read_coverage(&directory).unwrap() {
        let ktest = KTest::read(&directory.join(format!("{}.ktest", test.test))).unwrap();
        let mut arguments = ktest.args.clone();
        arguments[0] = b"program".to_vec();
        let objects = ktest.objects.iter();
        let names: Vec<(String, &[u8])> = objects
            .map(|object| (object.name_text(), object.bytes.as_slice()))
            .collect();
        let objects = names.iter().map(|(name, bytes)| (name.as_str(), *bytes));
        // Twice: the second execution finds the memory as the first one did.
        for _ in 0..2 {
            let host = EmptyHost::default();
            let execution = image.execute(&arguments, objects.clone(), WORK, &host);
            let execution = execution.unwrap();
            assert!(matches!(execution.ended, Ended::Exit(_)), "{execution:?}");
            assert_eq!(execution.unknown_objects, 0);
            let mut taken = Vec::new();
            let mut first = 0;
            for branch in &branches {
                for side in 0..branch.sides {
                    if image.sides()[first + side as usize] > 0 {
                        taken.push((branch.branch, side));
                    }
                }
                first += branch.sides as usize;
            }
            assert_eq!(taken, test.sides, "{}", test.test);
        }
        compared += 1;
    }
    assert!(compared > 40, "only {compared} tests");
}

/// One thing that an image must survive, by its argument.
const HOSTILE: &str = r#"
#include <stdlib.h>
#include <string.h>

static long raw(long n, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return n ? deep(n + 1) + room[0] : 0; }
static int kept;
void missing(void);
int main(int argc, char **argv) {
  char *blocks[64];
  volatile int zero;
  int i;
  if (kept++) return 99;
  switch (argv[1][0]) {
  case 'a': abort();
  case 'd': return deep(1);
  case 'e': raw(59, (long)"/bin/true", 0, 0); return 1;
  case 'f': raw(57, 0, 0, 0); return 1;
  case 'h': return free(blocks), 1;
  case 'i': for (;;) if (argc > 5) return 1;
  case 'k': raw(62, raw(110, 0, 0, 0), 9, 0); return 1;
  case 'm': for (i = 0; i < 64; i++) if (!(blocks[i] = malloc(64 << 20))) return 2; return 3;
  case 'n': *(volatile int *)0 = 1; return 1;
  case 'r': raw(87, (long)argv[2], 0, 0); return 1;
  case 'u': missing(); return 1;
  case 'w': memset((void *)0x200000000000, 0xff, 1 << 16); return 1;
  case 'z': zero = argc - 3; return 7 / zero;
  }
  return 0;
}
"#;

#[test]
fn an_image_survives_what_its_program_does() {
    let place = TestDir::new();
    let precious = place.path("precious");
    std::fs::write(&precious, "kept").unwrap();
    let input = place.compile("program", HOSTILE);
    let mut image = image(&place, &input);
    let host = EmptyHost::default();
    let refused = || Ended::Refused("a system call".into());
    let ends = [
        ("a", Ended::Failed("abort".into())),
        ("d", Ended::Signal(libc::SIGSEGV)),
        ("e", refused()),
        ("f", refused()),
        (
            "h",
            Ended::Failed("memory error: invalid pointer: free".into()),
        ),
        ("i", Ended::Hung),
        ("k", refused()),
        ("m", Ended::Exit(2)),
        ("n", Ended::Signal(libc::SIGSEGV)),
        ("r", refused()),
        (
            "u",
            Ended::Refused("call to undefined function: missing".into()),
        ),
        ("z", Ended::Signal(libc::SIGFPE)),
    ];
    for (way, end) in ends {
        let arguments = strings(&["program", way, precious.to_str().unwrap()]);
        let execution = image.execute(&arguments, std::iter::empty(), WORK, &host);
        assert_eq!(execution.unwrap().ended, end, "{way}");
        let good = strings(&["program", "x"]);
        let execution = image.execute(&good, std::iter::empty(), WORK, &host);
        assert_eq!(execution.unwrap().ended, Ended::Exit(0), "after {way}");
    }
    // What it writes over is homi's to check: the process goes on or is replaced.
    let arguments = strings(&["program", "w", "x"]);
    image
        .execute(&arguments, std::iter::empty(), WORK, &host)
        .unwrap();
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "kept");
}

#[test]
fn a_run_with_a_budget_of_time_fuzzes_natively() {
    let place = TestDir::new();
    place.compile("program", READER);
    let arguments = [
        "program.bc",
        "--quiet",
        "--max-time",
        "120s",
        "--max-runs",
        "2000",
        "--tuning",
        "native_after=0",
        "--",
        "--sym-stdin",
        "30",
    ];
    place.run_into("with", &arguments);
    let with = summary(&place.path("with"));
    let native = with["fuzzing"]["native_executions"].as_u64();
    assert!(native > Some(100), "{with}");
    let tests = json_lines(&place.path("with").join("coverage.jsonl"));
    assert!(!tests.is_empty());
}

/// Compares its input in each way that an image reports: numbers by a function, by a pointer to
/// one and in a switch, strings, memory, and a function with a computed goto, which is not
/// reported.
const COMPARING: &str = r#"
#include <stdint.h>
#include <string.h>
static int is_magic(uint32_t word) { return word == 0x31415926; }
static int is_small(uint32_t word) { return word < 0x2718; }
static int (*const test)(uint32_t) = is_small;
static int jumps(int number) {
  static void *const ways[] = {&&one, &&two};
  if (number == 0x5555) goto *ways[number > 7];
  return 0;
one: return 1;
two: return 2;
}
int main(int argc, char **argv) {
  uint32_t word = 0;
  if (argc < 3) return 9;
  memcpy(&word, argv[1], 4);
  if (!strcmp(argv[2], "keyword")) return 1;
  if (!memcmp(argv[1], "\1\2\3", 3)) return 2;
  switch (word) { case 0x11223344: return 3; case 0x55667788: return 4; }
  return is_magic(word) + test(word) + jumps((int)word);
}
"#;

#[test]
fn an_image_reports_what_is_compared() {
    let place = TestDir::new();
    let input = place.compile("program", COMPARING);
    let mut image = image(&place, &input);
    let host = EmptyHost::default();
    let arguments = strings(&["program", "abcd", "ef"]);
    let objects = std::iter::empty;
    let executed = image.execute(&arguments, objects(), WORK, &host).unwrap();
    let plain = image.sides().to_vec();
    let (recorded, compared) = image
        .execute_recording(&arguments, objects(), WORK, &host)
        .unwrap();
    assert_eq!(recorded.ended, executed.ended);
    assert_eq!(recorded.ended, Ended::Exit(0));
    let word = u32::from_le_bytes(*b"abcd");
    let number = |kind, other: u32| Comparison {
        kind,
        left: word.to_le_bytes().to_vec(),
        right: other.to_le_bytes().to_vec(),
    };
    let texts = |left: &[u8], right: &[u8]| Comparison {
        kind: ComparedAs::Texts,
        left: left.to_vec(),
        right: right.to_vec(),
    };
    for wanted in [
        number(ComparedAs::Equal, 0x3141_5926),
        number(ComparedAs::Order, 0x2718),
        number(ComparedAs::Equal, 0x1122_3344),
        number(ComparedAs::Equal, 0x5566_7788),
        texts(b"ef", b"keyword"),
        texts(b"abc", b"\x01\x02\x03"),
    ] {
        assert!(compared.contains(&wanted), "{wanted:?} in {compared:?}");
    }
    assert!(!compared.contains(&number(ComparedAs::Equal, 0x5555)));
    image.execute(&arguments, objects(), WORK, &host).unwrap();
    assert_eq!(image.sides(), plain, "as before the comparisons");
}

#[test]
fn a_failure_of_the_image_alone_is_a_divergence_of_homi_s_own() {
    let place = TestDir::new();
    // Blocks of an image lie at 0x23_0000_0000_00, blocks of the engine elsewhere.
    let source = r#"
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char *block = malloc(8), byte = 0;
  int depth = 0, at;
  for (at = 0; at < 40 && read(0, &byte, 1) == 1; at++) {
    if (byte == '(') depth++;
    if (byte == ')') depth--;
    if (byte == 'x' && (uintptr_t)block >> 40 == 0x23) abort();
  }
  return 2 + (depth > 3);
}
"#;
    place.compile("program", source);
    let arguments = [
        "program.bc",
        "--quiet",
        "--max-time",
        "120s",
        "--prune",
        "none",
        "--tuning",
        "native_after=0",
        "--",
        "--sym-stdin",
        "7",
    ];
    place.run_into("tests", &arguments);
    let directory = place.path("tests");
    let result = summary(&directory);
    let found = result["fuzzing"]["native_divergences"].as_u64();
    assert!(found > Some(0), "{result}");
    assert_eq!(result["errors"].as_array().unwrap().len(), 0, "{result}");
    let messages = std::fs::read_to_string(directory.join("messages.txt")).unwrap();
    let text = "native fuzzing ends with abort, the engine with exit ";
    assert!(messages.contains(text), "{messages}");
}

#[test]
fn programs_of_32_bits_have_no_image() {
    let place = TestDir::new();
    let source = place.path("program.c");
    std::fs::write(&source, "int main(void) { return 0; }").unwrap();
    let input = bitcode(&["-m32"], &source);
    let options = ImageOptions {
        load: options(&input),
        output: place.path("image"),
    };
    let error = build_image(&options, Path::new("clang-19")).unwrap_err();
    assert!(error.to_string().contains("32 bits"), "{error}");
}
