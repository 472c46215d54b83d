//! Tests of the conversion of invocations to tests of other arguments.

use super::*;

fn split(text: &str) -> Vec<Vec<u8>> {
    let arguments = text.split_whitespace();
    arguments
        .map(|argument| argument.as_bytes().to_vec())
        .collect()
}

fn carried(text: &str, invocation: &Invocation) -> MadeTest {
    let arguments = split(text);
    let layout = Layout::of(&arguments[1..]).expect("arguments of a run");
    layout.convert(&arguments, invocation)
}

fn arguments(made: &MadeTest) -> Vec<String> {
    let objects = made.test.objects.iter();
    objects
        .filter(|object| object.name.starts_with(b"arg"))
        .map(|object| String::from_utf8_lossy(&text(object.bytes.clone())).into_owned())
        .collect()
}

fn given(line: &str) -> Invocation {
    Invocation {
        arguments: split(line),
        ..Invocation::default()
    }
}

#[test]
fn arguments_go_where_they_fit() {
    let line = "p --sym-args 0 1 10 --sym-args 0 2 2";
    for (typed, expected, cut) in [
        ("-i", vec!["-i"], 0),
        ("-i foobar", vec!["foobar", "-i"], 0),
        ("foobar -i A", vec!["foobar", "-i", "A"], 0),
        ("-E foobar A", vec!["foobar", "-E", "A"], 0),
        ("-- foobar", vec!["--", "fo"], 4),
        ("a b c d", vec!["a", "b", "c"], 2),
        ("", vec![], 0),
    ] {
        let made = carried(line, &given(typed));
        assert_eq!(arguments(&made), expected, "{typed}");
        assert_eq!(made.cut, cut, "{typed}");
    }
    let made = carried("p -n --sym-arg 3", &given("abc -n"));
    assert_eq!(arguments(&made), ["abc"]);
    // Both arguments always exist.
    let made = carried("p --sym-arg 3 --sym-arg 3", &given("x"));
    assert_eq!(arguments(&made), ["x", ""]);
}

#[test]
fn files_get_the_names_in_the_arguments_and_text_stays_text() {
    let invocation = Invocation {
        arguments: split("--file=B A -fB x"),
        files: vec![
            (b"A".to_vec(), b"one\n".to_vec()),
            (b"B".to_vec(), b"\x01".to_vec()),
        ],
        stdin: Some(b"longer than that\n".to_vec()),
        ..Invocation::default()
    };
    let line = "p --sym-args 0 4 9 --sym-file d/x 6 --sym-file y 2 --sym-stdin 4";
    let made = carried(line, &invocation);
    assert_eq!(arguments(&made), ["--file=y", "d/x", "-fy", "x"]);
    let bytes = |name: &str| made.test.object(name).map(|object| object.bytes.clone());
    assert_eq!(bytes("d/x_data").as_deref(), Some(b"one\n\n\n".as_slice()));
    assert_eq!(bytes("y_data").as_deref(), Some(b"\x01\0".as_slice()));
    assert_eq!(bytes("stdin").as_deref(), Some(b"long".as_slice()));
    for stat in ["stdin_stat", "y_data_stat"] {
        assert_eq!(bytes(stat).map(|bytes| bytes.len()), Some(144));
    }
    assert_eq!(made.cut, 13);
}

#[test]
fn what_a_test_gives_is_read_from_it() {
    let mut first = given("-n ab c");
    first.variables = vec![(b"LANG".to_vec(), b"C".to_vec())];
    first.files = vec![(b"A".to_vec(), b"data".to_vec())];
    let line = "p -n --sym-args 0 3 2 --sym-env LANG 3 --sym-files 1 4";
    let mut made = carried(line, &first).test;
    made.push("own", [1]);
    let read = Invocation::of(&made).expect("symbolic inputs");
    assert_eq!(
        (&read.arguments, &read.files),
        (&first.arguments, &first.files)
    );
    assert_eq!(read.variables, first.variables);
    // The same arguments make the same test of it.
    assert_eq!(carried(line, &read).test, made);
    assert_eq!(Invocation::of(&KTest::new(split("p x"))), None);
    assert_eq!(Invocation::of(&KTest::new(Vec::<Vec<u8>>::new())), None);
}

#[test]
fn objects_that_other_symbolic_inputs_make_are_present() {
    let arguments =
        split("p --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout --max-fail 1");
    let layout = Layout::of(&arguments[1..]).expect("arguments of a run");
    let made = layout.convert(&arguments, &given("-x")).test;
    let names = |test: &KTest| -> Vec<String> {
        let objects = test.objects.iter();
        objects
            .filter(|object| !object.name.starts_with(b"arg"))
            .map(|object| format!("{} {}", object.name_text(), object.bytes.len()))
            .collect()
    };
    assert_eq!(names(&made), names(&layout.zeros(&arguments)));
}
