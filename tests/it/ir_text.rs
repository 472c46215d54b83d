//! Programs written in the IR's text form, each with lines that say what a call of a function
//! gives:
//!
//! ```text
//! ; run: @name(1, 0x20) == 3          the returned value (several: separated by commas)
//! ; run: @name(0) ends Bug            a word that the path's end mentions
//! ```
//!
//! Each file also has to print back to a text that parses to the same program.

use crate::support::{data, files_with};
use homi::app::session::Standalone;
use homi::ir::program::{
    ArgClass, BlockInfo, CallSite, Callee, ConstValue, FuncId, Function, Global, GlobalId,
    GlobalInit, Inst, LocId, Origin, Program, Slot, text,
};
use homi::machine::exec::{Step, Termination};
use homi::solver::{NoOracle, Oracle};

/// A function of no arguments that calls `callee` with constants and stores the results in the last
/// global, 16 bytes apart.
fn add_driver(program: &mut Program, callee: FuncId, arguments: &[u128]) -> GlobalId {
    let called = program.function(callee).clone();
    assert_eq!(called.params.len(), arguments.len(), "{}", called.name);
    let results = GlobalId::new(program.globals.len());
    program.globals.push(Global {
        name: "results".to_string(),
        origin: Origin::Runtime,
        size: 16 * called.returns_widths.len().max(1) as u64,
        align: 16,
        constant: false,
        thread_local: false,
        init: GlobalInit::Zero,
        location: LocId(0),
    });
    let mut constants = Vec::new();
    let mut code = Vec::new();
    let mut slots = 0;
    let mut slot = |width: u32| {
        slots += width.div_ceil(64);
        Slot(slots - width.div_ceil(64))
    };
    let mut args = Vec::new();
    for (param, value) in called.params.iter().zip(arguments) {
        let place = slot(param.width);
        let width = param.width as u8;
        constants.push((
            place,
            ConstValue::Int {
                width,
                value: *value,
            },
        ));
        args.push((place, param.width));
    }
    code.push(Inst::Call { site: 0 });
    let mut values = Vec::new();
    for (index, width) in called.returns_widths.iter().enumerate() {
        let value = slot(*width);
        values.push((value, *width));
        let addr = slot(64);
        let offset = 16 * index as i64;
        constants.push((
            addr,
            ConstValue::Global {
                global: results,
                offset,
            },
        ));
        code.push(Inst::Store {
            w: *width as u8,
            addr,
            src: value,
        });
    }
    code.push(Inst::Return { index: 0 });
    program.entry = FuncId::new(program.functions.len());
    program.functions.push(Function {
        name: "driver".to_string(),
        origin: Origin::Runtime,
        params: Vec::new(),
        returns_widths: Vec::new(),
        variadic: false,
        noreturn: false,
        address_taken: false,
        slots,
        constants,
        frame_objects: Vec::new(),
        locations: vec![LocId(0); code.len()],
        code,
        blocks: vec![BlockInfo { start: 0 }],
        calls: vec![CallSite {
            callee: Callee::Direct(callee),
            byval: vec![None; args.len()],
            arg_classes: vec![ArgClass::Integer; args.len()],
            args,
            variadic_from: None,
            results: values,
            noreturn: false,
            landing: None,
        }],
        moves: Vec::new(),
        switches: Vec::new(),
        returns: vec![Vec::new()],
        landings: Vec::new(),
        stops_exceptions: false,
        location: LocId(0),
    });
    results
}

/// The values that a call returns, or how the path ends otherwise.
fn call(program: &Program, name: &str, arguments: &[u128]) -> Result<Vec<u128>, String> {
    let mut program = program.clone();
    let callee = program
        .find_function(name)
        .unwrap_or_else(|| panic!("no function {name}"));
    let results = add_driver(&mut program, callee, arguments);
    let bare = Standalone::of(&program);
    let walk = bare.walk();
    let mut walk = walk.unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut state = walk.first_state();
    let mut oracle = NoOracle::default();
    let step = walk.step(&mut state, &mut oracle, 1_000_000);
    assert_eq!(
        oracle.effort().queries,
        0,
        "{name}: a concrete run asks nothing"
    );
    match step {
        Step::Ended(Termination::Exit(_)) => {}
        Step::Ended(end) => return Err(format!("{end:?}")),
        _ => return Err("not finished".to_string()),
    }
    let base = walk.executor.global_address(results);
    let word = |address| {
        let value = state.memory.read_word(address, 8).expect("readable");
        u128::from(value.expect("concrete"))
    };
    let widths = &program.function(callee).returns_widths;
    Ok((0..widths.len() as u64)
        .map(|index| word(base + 16 * index) | word(base + 16 * index + 8) << 64)
        .collect())
}

fn number(text: &str) -> u128 {
    let text = text.trim();
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn numbers(text: &str) -> Vec<u128> {
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(number).collect()
}

/// Checks one `; run:` line.
fn check(program: &Program, place: &str, directive: &str) {
    let (name, rest) = directive
        .trim()
        .strip_prefix('@')
        .and_then(|rest| rest.split_once('('))
        .unwrap_or_else(|| panic!("{place}: `@name(...)` expected"));
    let (arguments, expected) = rest.split_once(')').expect("a closing parenthesis");
    let outcome = call(program, name, &numbers(arguments));
    let expected = expected.trim();
    if let Some(values) = expected.strip_prefix("==") {
        assert_eq!(outcome, Ok(numbers(values)), "{place}: {directive}");
    } else if let Some(word) = expected.strip_prefix("ends ") {
        let end = outcome.expect_err(place);
        assert!(end.contains(word), "{place}: {directive}: {end}");
    } else {
        panic!("{place}: `== values` or `ends word` expected");
    }
}

#[test]
fn programs_in_text_do_what_their_comments_say() {
    let files = files_with("hir", &data("ir"));
    assert!(files.len() >= 5, "the test files are missing");
    let mut checks = 0;
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let name = file.display();
        let program = text::parse(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = text::print(&program);
        assert_eq!(text::parse(&printed).as_ref(), Ok(&program), "{name}");
        for (index, line) in source.lines().enumerate() {
            if let Some(directive) = line.trim().strip_prefix("; run:") {
                check(&program, &format!("{name}:{}", index + 1), directive);
                checks += 1;
            }
        }
    }
    assert!(checks >= 40, "only {checks} checks");
}
