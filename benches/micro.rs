//! Micro-benchmarks of what a run is made of: dispatch, loads and stores, forks, terms, the
//! solver's layers.
//!
//! `cargo bench` runs them, `cargo bench -- fork` those with a name; `cargo test --benches` runs
//! each once. Times are per iteration: 100,000 turns of a loop, one fork, one term, all queries
//! of the corpus (benchmarks/solver-corpus).

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use homi::app::session::{Standalone, Walk};
use homi::ir::ops::{BinOp, CmpOp};
use homi::ir::program::{Program, text};
use homi::machine::exec::Step;
use homi::solver::term::{Byte, Term, Terms};
use homi::solver::{
    NoOracle, Oracle, REPLAYED, Solver, SolverConfig, Z3Backend, read_queries, replay_alone,
};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

/// s = s*31 + (i ^ s>>3), 100,000 times: eight instructions a turn.
const LOOP: &str = r#"
program "loop"
entry f0
func f0 "main" program slots 14
  const %0 int 64 0
  const %1 int 64 1
  const %2 int 64 100000
  const %3 int 64 31
  const %4 int 64 3
  const %13 int 32 0
  result 32
  returns 0 [ %13 32 ]
  moves 0 [ 64 %5 %0 64 %6 %0 ]
  moves 1 [ 64 %5 %10 64 %6 %11 ]
b0:
  moves 0
  jump b1
b1:
  cmp ult 64 %12 %6 %2
  branch %12 b2 b3 -
b2:
  bin mul 64 %7 %5 %3
  bin lshr 64 %8 %5 %4
  bin xor 64 %9 %6 %8
  bin add 64 %10 %7 %9
  bin add 64 %11 %6 %1
  moves 1
  jump b1
b3:
  return 0
"#;

/// buffer[i & 4095] += i, 100,000 times.
const MEMORY: &str = r#"
program "memory"
entry f0
global g0 "buffer" program 4096 8 zero
func f0 "main" program slots 13
  const %0 int 64 0
  const %1 int 64 1
  const %2 int 64 100000
  const %3 int 64 4095
  const %4 global g0 0
  const %12 int 32 0
  result 32
  returns 0 [ %12 32 ]
  moves 0 [ 64 %5 %0 ]
  moves 1 [ 64 %5 %11 ]
b0:
  moves 0
  jump b1
b1:
  cmp ult 64 %6 %5 %2
  branch %6 b2 b3 -
b2:
  bin and 64 %7 %5 %3
  ptradd 64 %8 %4 %7 1 0
  load 8 %9 %8
  cast trunc 64 8 %10 %5
  bin add 8 %10 %9 %10
  store 8 %8 %10
  bin add 64 %11 %5 %1
  moves 1
  jump b1
b3:
  return 0
"#;

fn program(source: &str) -> Program {
    text::parse(source).expect("the program parses")
}

fn run_concretely(criterion: &mut Criterion, name: &str, source: &str) {
    let program = program(source);
    let bare = Standalone::of(&program);
    let Walk {
        executor,
        mut observer,
        mut world,
    } = bare.walk().expect("it can run");
    criterion.bench_function(name, |bencher| {
        bencher.iter_batched(
            || executor.initial_state(program.entry, &[]),
            |mut state| {
                let oracle = &mut NoOracle::default();
                let step = executor.run(&mut state, oracle, world.view(), &mut observer, u64::MAX);
                assert!(matches!(step, Step::Ended(_)));
            },
            BatchSize::SmallInput,
        );
    });
}

fn execution(criterion: &mut Criterion) {
    run_concretely(criterion, "dispatch", LOOP);
    run_concretely(criterion, "load and store", MEMORY);
}

fn forks(criterion: &mut Criterion) {
    let program = program(MEMORY);
    let bare = Standalone::of(&program);
    let mut walk = bare.walk().expect("it can run");
    let mut state = walk.first_state();
    walk.step(&mut state, &mut NoOracle::default(), 5_000);
    criterion.bench_function("fork and drop", |bencher| {
        bencher.iter(|| black_box(state.fork()));
    });
}

fn terms(criterion: &mut Criterion) {
    let pool = Terms::new();
    let array = pool.array("in", 0, 8);
    let bytes: Vec<Term> = (0..8)
        .map(|index| pool.symbol(Byte { array, index }))
        .collect();
    let build = |pool: &Terms, number: u128| {
        let word = pool.concat(bytes[1], bytes[0]);
        let sum = pool.bin(BinOp::Add, word, pool.constant(16, number & 0xffff));
        pool.cmp(CmpOp::Ult, sum, pool.concat(bytes[3], bytes[2]))
    };
    build(&pool, 7);
    criterion.bench_function("terms: four that exist", |bencher| {
        bencher.iter(|| black_box(build(&pool, 7)));
    });
    let mut number = 0;
    criterion.bench_function("terms: two new ones of four", |bencher| {
        bencher.iter(|| {
            number += 1;
            if pool.len() > 1 << 20 {
                pool.begin_mark();
                bytes.iter().for_each(|byte| pool.mark(*byte));
                pool.sweep();
            }
            black_box(build(&pool, number))
        });
    });
}

fn layers(criterion: &mut Criterion) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/solver-corpus");
    let mut z3 = Z3Backend::new(1024);
    let pool = Terms::new();
    let mut queries = Vec::new();
    // Two programs, so that Z3 is through in time.
    for name in ["tr.smt2", "expr.smt2"] {
        let text = std::fs::read_to_string(directory.join(name)).expect("the corpus");
        queries.extend(read_queries(&pool, &text).expect("homi's own format"));
    }
    let mut group = criterion.benchmark_group("solver");
    group.sample_size(10);
    for layer in REPLAYED {
        group.bench_function(layer, |bencher| {
            bencher.iter(|| {
                for query in &queries {
                    let clock = &|| Duration::ZERO;
                    black_box(replay_alone(layer, &pool, query, &mut z3, clock));
                }
            });
        });
    }
    group.bench_function("whole chain", |bencher| {
        bencher.iter(|| {
            let backend = Box::new(Z3Backend::new(1024));
            let mut solver = Solver::with_backend(SolverConfig::default(), Some(backend));
            for query in &queries {
                let (path, model) = (&query.path, &query.model);
                black_box(solver.check(&pool, path, model, query.condition));
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = micro;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots();
    targets = execution, forks, terms, layers
}
criterion_main!(micro);
