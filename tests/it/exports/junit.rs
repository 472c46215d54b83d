//! `--export junit`: the cases are the tests, the failures are the bugs.

use super::EXPORTED;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

fn child<'a>(case: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    case.children().find(|node| node.has_tag_name(name))
}

#[test]
fn each_test_is_a_case_and_each_bug_a_failure() {
    let text = EXPORTED.text("junit.xml");
    let document = Document::parse(&text).expect("well-formed");
    let suite = document
        .descendants()
        .find(|node| node.has_tag_name("testsuite"))
        .unwrap();
    let cases: Vec<Node<'_, '_>> = suite
        .children()
        .filter(|node| node.has_tag_name("testcase"))
        .collect();
    let names: Vec<&str> = cases
        .iter()
        .map(|case| case.attribute("name").unwrap())
        .collect();
    let tests = crate::support::tests(&EXPORTED.place.path("out"));
    let tests: Vec<&str> = tests
        .iter()
        .map(|(name, _)| name.trim_end_matches(".ktest"))
        .collect();
    assert_eq!(names, tests);
    let failures: BTreeMap<&str, (&str, &str)> = cases
        .iter()
        .filter_map(|case| {
            let failure = child(*case, "failure")?;
            let attribute = |name| failure.attribute(name).unwrap();
            let said = (attribute("type"), attribute("message"));
            Some((case.attribute("name").unwrap(), said))
        })
        .collect();
    let bugs = EXPORTED.bugs();
    let expected: Vec<(&str, (&str, String))> = bugs
        .iter()
        .map(|[kind, message, place, test]| {
            (
                test.as_str(),
                (kind.as_str(), format!("{message} at {place}")),
            )
        })
        .collect();
    let expected: BTreeMap<&str, (&str, &str)> = expected
        .iter()
        .map(|(test, (kind, message))| (*test, (*kind, message.as_str())))
        .collect();
    assert_eq!(failures, expected);
    let count = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
    assert_eq!(
        (count("tests"), count("failures")),
        (tests.len(), bugs.len())
    );
    // The stack stands in the failure.
    let deepest = cases
        .iter()
        .filter_map(|case| child(*case, "failure")?.text());
    assert!(
        deepest
            .into_iter()
            .any(|text| text.contains("#0 look(") && text.contains("#1 main("))
    );
}

#[test]
fn exit_statuses_are_those_of_the_summary() {
    let text = EXPORTED.text("junit.xml");
    let document = Document::parse(&text).expect("well-formed");
    let outputs = document
        .descendants()
        .filter(|node| node.has_tag_name("system-out"));
    let statuses: std::collections::BTreeSet<&str> = outputs
        .filter_map(|node| node.text())
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("exit status: "))
        .collect();
    let known = EXPORTED.summary["exit_statuses"]
        .as_object()
        .expect("statuses");
    assert!(!statuses.is_empty());
    assert!(
        statuses.iter().all(|status| known.contains_key(*status)),
        "{statuses:?} {known:?}"
    );
}
