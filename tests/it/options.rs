//! `docs/reference/options.md` is what the program says of its options, `docs/reference/statistics.md` what it
//! says of the figures of runs, `docs/reference/klee-options.md` what it makes of KLEE's options.
//!
//! `homi __options-markdown > docs/reference/options.md` and the same with `figures` and `klee-options`
//! make them anew.

use std::path::Path;
use std::process::Command;

fn printed(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_homi"))
        .args(words)
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

#[test]
fn the_pages_of_options_and_figures_are_what_the_program_says() {
    for name in ["options", "figures", "klee-options"] {
        let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
        let page =
            std::fs::read_to_string(reference.join(format!("{name}.md"))).expect("it exists");
        let said = printed(&[&format!("__{name}-markdown")]);
        let differs = page.lines().zip(said.lines()).find(|(old, new)| old != new);
        assert!(
            page == said,
            "{name}: the first line that differs: {differs:?}; see the head of this file"
        );
    }
}

#[test]
fn tuning_constants_are_set_by_name_and_listed() {
    let run = |setting: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_homi"))
            .args(["run", "none.bc", "--tuning", setting])
            .output()
            .expect("homi runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(run("nothing=1").contains("there is no tuning constant nothing"));
    assert!(run("linear_terms=some").contains("is no number from 0"));
    assert!(run("linear_terms").contains("expected NAME=VALUE"));
    // The constant is fine; the file is not there.
    assert!(run("linear_terms=7").contains("none.bc"));
    let listed = printed(&["run", "--tuning", "help"]);
    for name in ["prune-interval", "guard", "linear_terms"] {
        assert!(listed.contains(name), "{name}");
    }
    assert!(run("prune-interval=0").contains("cannot be 0"));
}

#[test]
fn shells_complete_options_and_no_internal_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("max-forks"), "{shell}");
        assert!(!script.contains("__lower"), "{shell}");
    }
}
