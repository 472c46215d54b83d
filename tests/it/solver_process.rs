//! The SMT process `homi __solver`: answers, limits that hold, recovery after being killed.

use crate::support::{comes_to_an_end, homi, wait_until};
use homi::ir::ops::{BinOp, CmpOp};
use homi::solver::term::{Byte, Model, Term, Terms};
use homi::solver::{
    Answer, Backend, Check, ChildBackend, Oracle, PathCondition, Solver, SolverConfig,
    UnknownReason, Wanted, Z3Backend,
};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn solver(time_limit: Duration, search_effort: u64) -> Solver {
    Solver::new(config(time_limit, search_effort))
}

fn config(time_limit: Duration, search_effort: u64) -> SolverConfig {
    SolverConfig {
        executable: Some(homi().to_path_buf()),
        time_limit,
        search_effort,
        // Everything that the search gives up on goes to the process.
        sat_effort: 0,
        check_models: true,
        ..SolverConfig::default()
    }
}

/// `count` symbolic bytes as one number, first byte lowest.
fn number(terms: &Terms, name: &str, count: u32, width: u32) -> Term {
    let array = terms.array(name, 0, count);
    let bytes = (0..count).map(|index| terms.symbol(Byte { array, index }));
    let all = bytes.reduce(|low, high| terms.concat(high, low));
    terms.zext(all.unwrap(), width)
}

/// Constraint: two factors of 4 bytes each, greater than 1, have this product.
fn factoring(terms: &Terms, product: u128) -> Term {
    let (a, b) = (number(terms, "a", 4, 64), number(terms, "b", 4, 64));
    let one = terms.constant(64, 1);
    let equal = terms.eq_const(terms.bin(BinOp::Mul, a, b), product);
    let greater = |x| terms.cmp(CmpOp::Ugt, x, one);
    terms.and(equal, terms.and(greater(a), greater(b)))
}

#[test]
fn the_process_answers_and_models_satisfy_the_path() {
    let terms = Terms::new();
    let mut solver = solver(Duration::from_secs(60), 0);
    let mut path = PathCondition::new();
    let (a, b) = (number(&terms, "a", 2, 32), number(&terms, "b", 2, 32));
    let sum = terms.bin(BinOp::Add, a, b);
    let condition = terms.eq_const(sum, 70_000);
    let model = Model::new();
    let Check::Sat(model) = solver.check(&terms, &path, &model, condition) else {
        panic!("no model");
    };
    assert_eq!(terms.eval(sum, &model), 70_000);
    path.add(&terms, condition);
    let too_small = terms.cmp(CmpOp::Ult, a, terms.constant(32, 4_000));
    assert_eq!(solver.check(&terms, &path, &model, too_small), Check::Unsat);
    let bounds = solver.min_max(&terms, &path, &model, a, Wanted::EXACT);
    assert_eq!(bounds, (4_465, 65_535));
    assert!(solver.statistics().smt_calls > 0);
    assert_eq!(solver.statistics().smt_starts, 1);
}

#[test]
fn a_query_that_takes_too_long_is_unknown_and_the_next_is_answered() {
    comes_to_an_end(|| {
        let terms = Terms::new();
        let mut solver = solver(Duration::from_millis(300), 1000);
        // A product of two primes of 32 bits without structure that a solver could use.
        let hard = factoring(&terms, 3_267_000_013 * 2_860_486_313);
        let path = PathCondition::new();
        let answer = solver.check(&terms, &path, &Model::new(), hard);
        assert_eq!(answer, Check::Unknown(UnknownReason::Timeout));
        let easy = terms.eq(number(&terms, "a", 4, 32), number(&terms, "b", 4, 32));
        let answer = solver.check(&terms, &path, &Model::new(), terms.not(easy));
        assert!(matches!(answer, Check::Sat(_)), "{answer:?}");
        assert_eq!(solver.statistics().timeouts, 1);
    });
}

/// True if a program that was started by this path runs.
fn runs(program: &Path) -> bool {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let mut lines = processes.map(|entry| fs::read(entry.path().join("cmdline")));
    lines.any(|line| line.is_ok_and(|line| line.starts_with(program.as_os_str().as_bytes())))
}

#[test]
fn an_interrupted_query_ends_and_the_next_is_answered() {
    comes_to_an_end(|| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        // No other process is called so.
        let program = directory.path().join("homi");
        std::os::unix::fs::symlink(homi(), &program).expect("a link");
        let terms = Terms::new();
        let flag = Arc::new(AtomicBool::new(false));
        let mut solver = Solver::new(SolverConfig {
            give_up: Some(Arc::clone(&flag)),
            executable: Some(program.clone()),
            // Longer than anybody waits.
            ..config(Duration::from_secs(1 << 20), 1000)
        });
        let hard = factoring(&terms, 3_267_000_013 * 2_860_486_313);
        let path = PathCondition::new();
        let asker = std::thread::spawn(move || {
            wait_until("the process", || runs(&program));
            flag.store(true, Ordering::Relaxed);
        });
        let answer = solver.check(&terms, &path, &Model::new(), hard);
        assert_eq!(answer, Check::Unknown(UnknownReason::Timeout));
        asker.join().expect("the flag is set");
        let easy = terms.eq(number(&terms, "a", 4, 32), number(&terms, "b", 4, 32));
        let answer = solver.check(&terms, &path, &Model::new(), terms.not(easy));
        assert!(matches!(answer, Check::Sat(_)), "{answer:?}");
    });
}

#[test]
fn a_counted_limit_ends_a_query_after_the_same_work_each_time() {
    let work = |limit| {
        let terms = Terms::new();
        let mut solver = Solver::new(SolverConfig {
            counts_limits: true,
            ..config(Duration::from_millis(limit), 1000)
        });
        let hard = factoring(&terms, 3_267_000_013 * 2_860_486_313);
        let answer = solver.check(&terms, &PathCondition::new(), &Model::new(), hard);
        assert_eq!(answer, Check::Unknown(UnknownReason::Timeout));
        solver.effort().work
    };
    let first = work(100);
    assert_eq!(first, work(100));
    assert!(first > 100_000_000, "{first} ns");
    assert!(work(200) > first);
}

#[test]
fn a_query_that_needs_too_much_memory_is_unknown_and_the_next_is_answered() {
    let mut backend = ChildBackend::new(homi(), Duration::from_secs(60), 24 << 20);
    // CONST of 128 bits, then a long chain of 128-bit multiplications of a concatenation of bytes.
    let mut words = vec![0];
    let mut count = 0;
    let mut node = |words: &mut Vec<u32>, node: &[u32]| {
        words.extend_from_slice(node);
        count += 1;
        count - 1
    };
    let mut value = node(&mut words, &[1, 8, 0]);
    for byte in 1..16 {
        let low = node(&mut words, &[1, 8, byte]);
        value = node(&mut words, &[6, 8 * (byte + 1), low, value]);
    }
    let first = value;
    for _ in 0..60 {
        value = node(&mut words, &[16 + 2, 128, value, first]);
    }
    let other = node(&mut words, &[0, 128, 77, 5, 6, 7]);
    let root = node(&mut words, &[48, 1, value, other]);
    words[0] = count;
    words.extend([1, root, 16]);
    words.extend(std::iter::repeat_n(u32::MAX, 16 * 8));
    let answer = backend.solve(&words, 16);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Memory));
    let easy = [1, 1, 8, 0, 0, 1, u32::MAX, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        backend.solve(&easy, 1),
        Z3Backend::new(1024).solve(&easy, 1)
    );
}

#[test]
fn a_deadline_in_the_past_asks_no_process() {
    let terms = Terms::new();
    let mut solver = solver(Duration::from_secs(60), 0);
    solver.set_deadline(Some(homi::ir::util::clock::Moment::now()));
    let (a, b) = (number(&terms, "a", 2, 32), number(&terms, "b", 2, 32));
    let condition = terms.eq_const(terms.bin(BinOp::Add, a, b), 70_000);
    let answer = solver.check(&terms, &PathCondition::new(), &Model::new(), condition);
    assert_eq!(answer, Check::Unknown(UnknownReason::Timeout));
    assert_eq!(solver.statistics().smt_starts, 0);
}
