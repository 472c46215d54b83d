//! Properties of every strategy.

use super::testing::{Engine, Tree};
use super::{STRATEGIES, StrategyChoice};
use homi_explore::search::StateId;
use homi_ir::program::Program;
use homi_ir::program::testing::{branch, function, program, ret};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Returns every strategy, and strategies with arguments also with small ones.
fn all() -> Vec<String> {
    let names = STRATEGIES.iter().map(|row| row.name.to_string());
    let more = ["dfs:1", "dfs:3", "cgs:1", "cgs:3", "cfg:target"];
    names.chain(more.map(String::from)).collect()
}

/// Returns a program with branches 0 to 9, each leading to the next.
fn chain() -> Program {
    let mut blocks: Vec<_> = (0..10)
        .map(|site| vec![branch(site, site + 1, site + 1)])
        .collect();
    blocks.push(vec![ret()]);
    program(vec![function("main", blocks)])
}

/// Returns a tree of up to 6 branches per path, some of them infeasible and some unknown.
fn random_tree(generator: &mut Pcg64) -> Tree {
    let mut tree = Tree {
        eager: generator.random(),
        ..Tree::default()
    };
    let mut open = vec![String::new()];
    while let Some(node) = open.pop() {
        let inner = node.len() < 6 && (node.len() < 2 || generator.random_range(0..10) < 6);
        if !inner {
            tree.leaves.push(node.leak());
            continue;
        }
        let sides = [format!("{node}0"), format!("{node}1")];
        match generator.random_range(0..8) {
            0 => open.push(sides[0].clone()),
            1 => open.push(sides[1].clone()),
            2 => {
                open.push(sides[0].clone());
                tree.unknown.push(sides[1].clone().leak());
            }
            _ => open.extend(sides),
        }
        tree.sites
            .insert(node.leak(), generator.random_range(0..10));
    }
    tree
}

#[test]
fn every_strategy_runs_every_path_once() {
    let program = chain();
    let mut generator = Pcg64::seed_from_u64(7);
    for round in 0..300 {
        let tree = random_tree(&mut generator);
        let mut expected: Vec<&str> = tree.leaves.clone();
        expected.sort_unstable();
        for strategy in all() {
            let mut engine = Engine::new(&strategy, &program, tree.clone(), round, &[]);
            let mut order = engine.exhaust();
            order.sort_unstable();
            assert_eq!(order, expected, "{strategy}, round {round}");
            let tally = engine.tally();
            let runs = expected.len() as u64;
            assert_eq!(
                (tally.executions, tally.negations.feasible),
                (runs, runs - 1),
                "{strategy}"
            );
            assert_eq!((tally.negations.dropped, tally.cut), (0, 0), "{strategy}");
            if !tree.eager {
                assert_eq!(
                    tally.negations.unknown,
                    tree.unknown.len() as u64,
                    "{strategy}"
                );
            }
        }
    }
}

#[test]
fn states_that_others_remove_are_forgotten() {
    let program = chain();
    let mut generator = Pcg64::seed_from_u64(8);
    for strategy in all() {
        for round in 0..50 {
            let tree = random_tree(&mut generator);
            let mut engine = Engine::new(&strategy, &program, tree, round, &[]);
            let mut sources = 3;
            while engine.batch() {
                let ids: Vec<StateId> = engine.states.keys().copied().collect();
                if generator.random_range(0..4) == 0 && !ids.is_empty() {
                    let id = ids[generator.random_range(0..ids.len())];
                    engine.remove(id, None, &[]);
                }
                if sources > 0 && generator.random_range(0..20) == 0 {
                    sources -= 1;
                    engine.add_root("");
                }
            }
            assert!(engine.states.is_empty() && engine.searcher.is_empty());
        }
    }
}

#[test]
fn equal_seeds_give_equal_orders() {
    let program = chain();
    for strategy in all() {
        let order = |seed| {
            let tree = Tree::complete(5, &["010", "11"]);
            Engine::new(&strategy, &program, tree, seed, &[]).exhaust()
        };
        assert_eq!(order(3), order(3), "{strategy}");
    }
}

#[test]
fn names_are_read_and_slips_are_answered_with_the_nearest() {
    for text in all()
        .into_iter()
        .chain(["param:some/weights.json".to_string()])
    {
        let choice = StrategyChoice::parse(&text).unwrap();
        assert_eq!(choice.to_string(), text);
    }
    let parse = |text: &str| StrategyChoice::parse(text).map(|choice| choice.to_string());
    assert_eq!(parse("urs").unwrap(), "random-branch");
    let message = parse("random-brnch").unwrap_err();
    assert!(
        message.contains("did you mean `random-branch`?"),
        "{message}"
    );
    let message = parse("xyzzy").unwrap_err();
    assert!(!message.contains("did you mean"), "{message}");
    assert!(message.ends_with("generational, param"), "{message}");
    for (text, expected) in [
        ("dfs:0", "`dfs:N` needs a number above 0, not `0`"),
        ("cgs:many", "`cgs:N` needs a number above 0, not `many`"),
        (
            "bfs:3",
            "the strategy `bfs` does not take an argument; remove `:` and what follows",
        ),
        ("cfg:goal", "the only argument of `cfg` is `cfg:target`"),
        (
            "param:",
            "`param:` needs a weight file, `param:FILE`; `param` without `:` uses the bundled \
             weights",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err(), expected);
    }
}

#[test]
fn names_are_distinct() {
    let names = STRATEGIES.iter().flat_map(|row| {
        let aliases = row.aliases.iter().copied();
        std::iter::once(row.name).chain(aliases)
    });
    let mut names: Vec<&str> = names.collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
