//! Text of the findings, with the remedies at the end.

use super::finding::{Finding, State};
use homi_report::{Side, table};

/// Returns one line per finding, then the commands that install missing parts.
pub fn text(findings: &[Finding]) -> String {
    let rows = findings.iter().map(|finding| {
        let mark = match finding.state {
            State::Fine => "ok",
            State::Less => "less",
            State::Missing => "MISSING",
        };
        [mark, finding.subject, &finding.what]
            .map(str::to_string)
            .to_vec()
    });
    let mut out = table(&[Side::Left; 3], rows);
    let worst = findings.iter().map(|finding| finding.state).max();
    out.push_str(match worst {
        None | Some(State::Fine) => "\nAll parts are present.\n",
        Some(State::Less) => "\nhomi works with reduced features. Remedies:\n",
        Some(State::Missing) => "\nhomi cannot explore or replay programs. Remedies:\n",
    });
    let remedies = findings.iter().filter_map(|finding| {
        let remedy = finding.remedy.as_ref()?;
        Some(vec![format!("  {}", finding.subject), remedy.to_string()])
    });
    out + &table(&[Side::Left; 2], remedies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_are_reported_with_their_remedy() {
        let fine = Finding::fine("gcc", "12.2");
        let expected = "ok  gcc  12.2\n\nAll parts are present.\n";
        assert_eq!(text(std::slice::from_ref(&fine)), expected);
        let less = Finding::less("git", "not there", "apt-get install git");
        let missing = Finding::missing("clang", "none", "apt-get install clang-19");
        let expected = "ok       gcc    12.2\n\
            less     git    not there\n\
            MISSING  clang  none\n\
            \n\
            homi cannot explore or replay programs. Remedies:\n  \
            git    apt-get install git\n  \
            clang  apt-get install clang-19\n";
        assert_eq!(text(&[fine.clone(), less.clone(), missing]), expected);
        assert!(text(&[fine, less]).contains("homi works with reduced"));
    }
}
