//! `--export sarif`: the results are the run's bugs.

use super::EXPORTED;
use crate::support::TestDir;
use serde_json::Value;
use std::collections::BTreeSet;

fn log() -> Value {
    serde_json::from_str(&EXPORTED.text("homi.sarif")).expect("SARIF is JSON")
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn each_bug_of_the_run_is_a_result_with_its_rule_place_and_test() {
    let log = log();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let found: Vec<[String; 4]> = results(&log)
        .iter()
        .map(|result| {
            let rule =
                &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let physical = &result["locations"][0]["physicalLocation"];
            let line = &physical["region"]["startLine"];
            let file = physical["artifactLocation"]["uri"].as_str().unwrap();
            let test = result["properties"]["test"].as_str().unwrap();
            let attachment = &result["attachments"][0]["artifactLocation"];
            assert_eq!(attachment["uri"], format!("{test}.ktest"));
            assert_eq!(attachment["uriBaseId"], "TESTS");
            let message = result["message"]["text"].as_str().unwrap();
            let message = message
                .strip_suffix(&format!(" ({test} shows it)"))
                .unwrap();
            let kind = result["properties"]["kind"].as_str().unwrap();
            assert!(
                rule["id"]
                    .as_str()
                    .unwrap()
                    .starts_with(&format!("{kind}/"))
            );
            let place = format!("{file}:{line}");
            [kind.into(), message.into(), place, test.into()]
        })
        .collect();
    // The run names files by the path that the compiler was given; SARIF from where homi ran.
    let bugs = EXPORTED.bugs_with_values().into_iter();
    let below = format!("{}/", EXPORTED.place.directory.path().display());
    let bugs: Vec<_> = bugs
        .map(|[kind, message, place, test]| [kind, message, place.replace(&below, ""), test])
        .collect();
    assert_eq!(found, bugs);
    for [.., test] in &bugs {
        assert!(EXPORTED.file(&format!("{test}.ktest")).is_file());
    }
    let base = |name: &str| {
        run["originalUriBaseIds"][name]["uri"]
            .as_str()
            .expect("a URI")
    };
    let directory = EXPORTED.place.directory.path().display();
    assert_eq!(base("%SRCROOT%"), format!("file://{directory}/"));
    assert_eq!(base("TESTS"), format!("file://{directory}/out/"));
    let properties = &run["properties"];
    assert_eq!(
        properties["branches"],
        EXPORTED.summary["coverage"]["branches"]
    );
    assert_eq!(properties["stopReason"], EXPORTED.summary["stop_reason"]);
}

#[test]
fn the_stack_leads_from_main_to_the_bug() {
    let log = log();
    let bug = results(&log)
        .iter()
        .find(|result| result["properties"]["kind"] == "ptr")
        .unwrap();
    let name = |location: &Value| location["logicalLocations"][0]["name"].clone();
    let frames = bug["stacks"][0]["frames"].as_array().unwrap().iter();
    let inwards: Vec<Value> = frames.map(|frame| name(&frame["location"])).collect();
    assert_eq!(inwards, ["look", "main"]);
    let steps = &bug["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = steps.as_array().unwrap().iter();
    let outwards: Vec<(Value, u64)> = steps
        .map(|step| {
            let location = &step["location"];
            let line = &location["physicalLocation"]["region"]["startLine"];
            (name(location), line.as_u64().unwrap())
        })
        .collect();
    assert_eq!(outwards, [("main".into(), 11), ("look".into(), 3)]);
}

/// Rule and fingerprint of each bug of a program.
fn fingerprints(source: &str) -> BTreeSet<(String, String)> {
    let place = TestDir::new();
    place.compile("p", source);
    let arguments = [
        "p.bc",
        "--quiet",
        "--export",
        "sarif",
        "--",
        "--sym-arg",
        "3",
    ];
    place.run_into("out", &arguments);
    let text = std::fs::read(place.path("out/homi.sarif")).expect("SARIF");
    let log: Value = serde_json::from_slice(&text).expect("JSON");
    let of = |result: &Value| {
        let print = result["partialFingerprints"]["homiBug/v2"]
            .as_str()
            .unwrap();
        (
            result["ruleId"].as_str().unwrap().to_string(),
            print.to_string(),
        )
    };
    results(&log).iter().map(of).collect()
}

#[test]
fn fingerprints_stay_when_lines_move_and_differ_between_bugs() {
    let twice = super::BUGS.replace(
        "n < 0) return 1",
        "n < 0) { if (n < -3) abort(); return 1; }",
    );
    let prints = fingerprints(&twice);
    assert_eq!(prints.len(), 4, "{prints:?}");
    let moved = format!("/* a line more */\n\n{twice}");
    assert_eq!(prints, fingerprints(&moved));
}
