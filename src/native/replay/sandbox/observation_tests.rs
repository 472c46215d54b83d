//! For each kind of fence that works on this machine: what a program does outside of its directory
//! is observed, and the files that it leaves are read.

use super::tests::{each_kind, shell};
use super::*;

fn observed(sandbox: &Sandbox, script: &str) -> Outcome {
    let mut job = shell(script);
    job.observation.accesses = true;
    job.observation.files = true;
    sandbox.run(&job).expect("it runs")
}

#[test]
fn what_reaches_out_is_observed() {
    each_kind(|sandbox| {
        for good in [
            "echo x > A; mkdir d; cd d; cat ../A > B; rm ../A",
            "kill -0 $$; sleep 0 & wait; ls / > /dev/null; cat < /dev/null",
        ] {
            assert_eq!(observed(sandbox, good).touched, None, "{good}");
        }
        for (bad, what) in [
            ("cat /etc/passwd", "reads /etc/passwd"),
            (
                "mkdir d; cd d; cat ../../../../../../../etc/passwd",
                "reads /etc/passwd",
            ),
            ("(exec cat /etc/passwd) | cat", "reads /etc/passwd"),
            ("echo x > /tmp/homi-observed", "changes /tmp/homi-observed"),
            // rm looks at the file first.
            ("rm -f /homi-observed", "reads /homi-observed"),
            ("ln -s /etc/passwd A", "links to /etc/passwd"),
            ("kill -0 $PPID", "signals another process"),
        ] {
            let touched = observed(sandbox, bad).touched.unwrap_or_default();
            assert!(touched.contains(what), "{bad}: {touched}");
        }
    });
}

#[test]
fn files_are_read_after_the_end() {
    each_kind(|sandbox| {
        let left = observed(
            sandbox,
            "mkdir d; printf x > d/B; ln -s d l; (sleep 9; echo > late) &",
        );
        let left = left.left.expect("few files");
        let nodes: Vec<(&[u8], &LeftNode)> = left
            .iter()
            .map(|file| (&file.path[..], &file.node))
            .collect();
        let expected: [(&[u8], &LeftNode); 3] = [
            (b"d", &LeftNode::Directory),
            (b"d/B", &LeftNode::File(b"x".to_vec())),
            (b"l", &LeftNode::Other),
        ];
        assert_eq!(nodes, expected);
        let many = observed(
            sandbox,
            "i=0; while [ $i -lt 300 ]; do : > f$i; i=$((i + 1)); done",
        );
        assert_eq!(many.left, None);
    });
}

#[test]
fn elsewhere_is_another_user_on_another_host() {
    each_kind(|sandbox| {
        let mut job = shell("id -u; uname -n");
        let here = sandbox.run(&job).expect("it runs").stdout;
        job.observation.is_elsewhere = true;
        let elsewhere = sandbox.run(&job).expect("it runs").stdout;
        assert_eq!(here == elsewhere, !sandbox.kind().has_namespaces());
    });
}
