//! Configurations that arguments of `homi test` result in.

use super::test::{augment_test, resolve_test, sort_test};
use clap::Command;
use homi_config::{Budget, NativeConfig, RunConfig};
use std::time::Duration;

fn resolved(text: &str) -> (NativeConfig, RunConfig) {
    let line = sort_test(text.split('|').map(Into::into).collect()).expect("sortable");
    let command = augment_test(Command::new("homi test"), "").no_binary_name(true);
    let typed = command
        .try_get_matches_from(line.all_arguments())
        .expect("arguments");
    resolve_test(&typed).expect("they make sense")
}

#[test]
fn arguments_for_compilers_are_not_arguments_of_the_run() {
    let (native, run) = resolved(
        "a.c|-Iinc|-D|X=1|-DY|b.c|--cflags|-O1 -W|--search|dfs|-lfoo|--ldflags=-L lib|--|-D|x",
    );
    assert_eq!(native.compile, ["-O1", "-W", "-Iinc", "-DX=1", "-DY"]);
    assert_eq!(native.link, ["-L", "lib", "-lfoo"]);
    assert_eq!(native.timeout, Duration::from_secs(5));
    assert_eq!(run.program.inputs.len(), 2);
    assert_eq!(run.program.arguments, ["-D", "x"]);
    assert_eq!(run.search.heuristics.len(), 1);
}

#[test]
fn a_test_has_a_time_limit_by_default() {
    let time = |text: &str| resolved(text).1.budget.time;
    assert_eq!(time("a.c"), Budget::Time(Duration::from_secs(60)));
    assert_eq!(
        time("a.c|--max-time=5s"),
        Budget::Time(Duration::from_secs(5))
    );
    assert_eq!(time("a.c|--max-time|0"), Budget::Time(Duration::ZERO));
}
