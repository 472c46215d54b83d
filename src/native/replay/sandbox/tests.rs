//! For each kind of fence that works on this machine: programs that try to do harm do none, and
//! programs that behave find what they were promised. Needs neither root nor a network.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::*;
use homi_ir::util::waiting::{HANGS_AFTER, processes_with, wait_until};

/// A shell command as a job.
pub(super) fn shell(script: &str) -> Job {
    Job {
        exe: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", script]
            .map(|arg| arg.as_bytes().to_vec())
            .into(),
        environment: vec![b"PATH=/usr/bin:/bin".to_vec()],
        stdin: Stream::Plain,
        stdout: Stream::Plain,
        files: Vec::new(),
        writable: None,
        warning_signal: None,
        process: 0,
        reports: false,
        observation: Observation::default(),
        limits: Limits {
            timeout: HANGS_AFTER,
            ..Limits::default()
        },
    }
}

pub(super) fn each_kind(check: impl Fn(&Sandbox)) {
    let (kinds, reasons) = available();
    assert!(!kinds.is_empty(), "no fence works here: {reasons:?}");
    for kind in kinds {
        eprintln!("with {}", kind.name());
        check(&Sandbox::new(kind).unwrap());
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory that anyone may write to, so that only the fence protects it.
fn victim() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    open(directory.path(), 0o777);
    fs::create_dir(directory.path().join("sub")).unwrap();
    open(&directory.path().join("sub"), 0o777);
    for name in ["a", "sub/b"] {
        fs::write(directory.path().join(name), "precious").unwrap();
        open(&directory.path().join(name), 0o666);
    }
    directory
}

/// Everything about a file that a program could have changed.
fn state(directory: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for name in ["", "a", "sub", "sub/b"] {
        let meta = fs::symlink_metadata(directory.join(name)).unwrap();
        let content = fs::read(directory.join(name)).unwrap_or_default();
        let numbers = (
            meta.mode(),
            meta.uid(),
            meta.mtime(),
            meta.mtime_nsec(),
            meta.nlink(),
        );
        all.push(format!("{name} {numbers:?} {}", text(&content)));
    }
    all
}

#[test]
fn harm_outside_is_ineffective() {
    let victim = victim();
    let path = victim.path().display().to_string();
    let before = state(victim.path());
    let mut bystander = Command::new("sleep").arg("100000").spawn().unwrap();
    let pid = bystander.id();
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    let attempts = [
        format!("rm -rf {path}/a {path}/sub {path}"),
        format!("dd if=/dev/zero of={path}/a bs=1 count=4 conv=notrunc"),
        format!("dd if=/dev/zero of={path}/new bs=1 count=4"),
        format!(": > {path}/a"),
        format!("echo more >> {path}/sub/b"),
        format!("truncate -s 0 {path}/a"),
        format!("chmod 000 {path}/a"),
        format!("chown nobody {path}/a"),
        format!("touch -d 2001-01-01 {path}/a"),
        format!("mv {path}/a {path}/z"),
        format!("mv {path}/sub/b ."),
        format!("ln {path}/a {path}/hard"),
        format!("ln -s x {path}/soft"),
        format!("mkdir {path}/dir"),
        format!("mkfifo {path}/fifo"),
        format!("cp /bin/true {path}/a"),
        format!("install -m 777 /bin/true {path}/a"),
        format!("mount -t tmpfs none {path}"),
        format!("mount -o remount,rw /; echo x > {path}/a"),
        format!("echo x > {home}/homi-sandbox-test"),
        "echo x > /tmp/homi-sandbox-test".to_string(),
        "echo x > /dev/shm/homi-sandbox-test".to_string(),
        format!("kill -9 {pid}"),
        format!("kill -9 -1; kill -9 {pid}"),
    ];
    each_kind(|sandbox| {
        for attempt in &attempts {
            // The program may not even be seen to fail (with namespaces the pid is another's).
            let outcome = sandbox.run(&shell(attempt)).unwrap();
            assert_ne!(outcome.ending, Ending::Timeout, "{attempt}");
            assert_eq!(state(victim.path()), before, "{attempt}");
        }
        assert_eq!(fs::read_dir(victim.path()).unwrap().count(), 2);
        for place in [home.as_str(), "/tmp", "/dev/shm"] {
            assert!(!Path::new(place).join("homi-sandbox-test").exists());
        }
    });
    assert!(bystander.try_wait().unwrap().is_none(), "killed");
    // Only the fence prevented it.
    let open = Sandbox::new(SandboxKind::None).unwrap();
    open.run(&shell(&format!("rm {path}/a"))).unwrap();
    assert!(!victim.path().join("a").exists());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

/// A C program with what a shell cannot express.
fn compile(directory: &Path, code: &str) -> PathBuf {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
    let (source, exe) = (directory.join("p.c"), directory.join("p"));
    fs::write(&source, code).unwrap();
    let status = Command::new("cc")
        .arg("-w")
        .arg(&source)
        .arg("-o")
        .arg(&exe)
        .status();
    assert!(status.unwrap().success());
    exe
}

#[test]
fn the_network_and_odd_calls_are_closed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let victim = victim();
    let before = state(victim.path());
    let directory = tempfile::tempdir().unwrap();
    let exe = compile(
        directory.path(),
        r#"
        #define _GNU_SOURCE
        #include <arpa/inet.h>
        #include <fcntl.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/mount.h>
        #include <sys/ptrace.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(int argc, char **argv) {
          struct sockaddr_in to = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}};
          int s = socket(AF_INET, SOCK_STREAM, 0);
          printf("%d", s >= 0 && connect(s, (void *)&to, sizeof to) == 0);
          printf("%d", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
          printf("%d", unshare(CLONE_NEWUSER) == 0);
          printf("%d", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) > 0);
          printf("%d", ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
          printf("%d", open(argv[2], O_RDONLY | O_TRUNC) >= 0);
          printf("%d", open(argv[2], O_RDWR) >= 0);
          printf("%d", getuid() == 0);
          printf("%d\n", mount("/", "/", 0, MS_BIND | MS_REMOUNT, 0) == 0);
          return 0;
        }"#,
    );
    each_kind(|sandbox| {
        let mut job = shell("");
        job.exe = exe.clone();
        let file = victim.path().join("a").display().to_string();
        job.argv = ["p", &port.to_string(), &file]
            .map(|a| a.as_bytes().to_vec())
            .into();
        let outcome = sandbox.run(&job).unwrap();
        assert_eq!(
            text(&outcome.stdout),
            "000000000\n",
            "{}",
            text(&outcome.stderr)
        );
        assert!(listener.accept().is_err());
        assert_eq!(state(victim.path()), before);
    });
}

#[test]
fn a_well_behaved_program_finds_its_files_and_streams() {
    each_kind(|sandbox| {
        let mut job = shell(
            "cat; cat A d/B; test -p P && test -d D && echo kinds; stat -c %a A; \
             echo x > new; mkdir sub; mv new sub/; cat sub/new; rm A; ls; cat /etc/passwd > copy; \
             test -s copy && echo err >&2; kill -0 $$ && exit 7",
        );
        job.stdin = Stream::File {
            content: b"input\n".to_vec(),
            mode: 0o644,
        };
        let file = |path: &str, node, mode| InputFile {
            path: path.into(),
            node,
            mode,
            times: Some((1_000_000_000, 1_000_000_000)),
        };
        job.files = vec![
            file("A", Node::File(b"aa\n".to_vec()), 0o640),
            file("d/B", Node::File(b"bb\n".to_vec()), 0o644),
            file("D", Node::Directory, 0o755),
            file("P", Node::Fifo, 0o644),
        ];
        let outcome = sandbox.run(&job).unwrap();
        assert_eq!(
            text(&outcome.stdout),
            "input\naa\nbb\nkinds\n640\nx\nD\nP\nd\nsub\n"
        );
        assert_eq!(text(&outcome.stderr), "err\n");
        assert_eq!(outcome.ending, Ending::Exit(7));
        // Nothing of it is left for the next test.
        let outcome = sandbox.run(&shell("ls -A")).unwrap();
        assert_eq!(text(&outcome.stdout), "");
    });
}

#[test]
fn endings_differ_and_nothing_survives() {
    // No other process has it on its command line.
    let seconds = format!("98765.{}", std::process::id());
    each_kind(|sandbox| {
        let ending = |script: &str| sandbox.run(&shell(script)).unwrap().ending;
        assert_eq!(ending("exit 0"), Ending::Exit(0));
        assert_eq!(ending("kill -SEGV $$"), Ending::Signal(libc::SIGSEGV));
        assert_eq!(
            ending("ulimit -f 0; echo x > A"),
            Ending::Signal(libc::SIGXFSZ)
        );
        let mut job = shell("trap '' TERM INT HUP; sleep 100 & while :; do sleep 1; done");
        job.limits.timeout = Duration::from_millis(300);
        assert_eq!(sandbox.run(&job).unwrap().ending, Ending::Timeout);
        let job = shell(&format!("sleep {seconds} & exit 3"));
        assert_eq!(sandbox.run(&job).unwrap().ending, Ending::Exit(3));
    });
    // A killed process is gone soon, not at once.
    wait_until("a background process", || processes_with(&seconds) == 0);
}

#[test]
fn limits_hold() {
    each_kind(|sandbox| {
        let mut job = shell("head -c 100000 /dev/zero | tr '\\0' x; head -c 99 /dev/zero >&2");
        job.limits.output = 1000;
        let outcome = sandbox.run(&job).unwrap();
        assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (1000, 99));
        assert_eq!(outcome.ending, Ending::Exit(0), "the rest is drained");
        let mut job = shell("head -c 3000000 /dev/zero > big");
        job.limits.file_size = 1 << 20;
        assert_ne!(sandbox.run(&job).unwrap().ending, Ending::Exit(0));
        if sandbox.kind().has_namespaces() {
            let mut job = shell("for i in 1 2 3 4 5 6; do head -c 500000 /dev/zero > $i; done");
            job.limits.disk = 1 << 20;
            assert_ne!(sandbox.run(&job).unwrap().ending, Ending::Exit(0));
        }
    });
}

#[test]
fn streams_are_what_the_test_says() {
    let script = "for i in 0 1; do if test -t $i; then echo tty; elif test -p /proc/self/fd/$i; \
                  then echo pipe; elif test -f /proc/self/fd/$i; then echo file; else echo other; fi; \
                  done; cat";
    each_kind(|sandbox| {
        let content = || b"one\ntwo \x04\x03\x00end".to_vec();
        let run = |stdin: Stream, stdout: Stream| {
            let mut job = shell(script);
            (job.stdin, job.stdout) = (stdin, stdout);
            let outcome = sandbox.run(&job).unwrap();
            assert_eq!(outcome.ending, Ending::Exit(0));
            outcome.stdout
        };
        let file = |content| Stream::File {
            content,
            mode: 0o644,
        };
        let terminal = |content| Stream::Terminal { content };
        let expect = |kinds: &str| [kinds.as_bytes(), &content()].concat();
        assert_eq!(run(Stream::Plain, Stream::Plain), b"other\npipe\n");
        assert_eq!(
            run(file(content()), file(Vec::new())),
            expect("file\nfile\n")
        );
        let pipe = Stream::Pipe { content: content() };
        assert_eq!(run(pipe, terminal(Vec::new())), expect("pipe\ntty\n"));
        assert_eq!(
            run(terminal(content()), Stream::Plain),
            expect("tty\npipe\n")
        );
    });
}

#[test]
fn failures_are_named() {
    each_kind(|sandbox| {
        let mut job = shell("");
        job.exe = PathBuf::from("/nonexistent/program");
        let error = sandbox.run(&job).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot start /nonexistent/program"),
            "{error}"
        );
        let mut job = shell("true");
        job.files = vec![InputFile {
            path: b"/proc/nowhere/A".to_vec(),
            node: Node::Directory,
            mode: 0o755,
            times: None,
        }];
        let error = sandbox.run(&job).unwrap_err().to_string();
        assert!(error.contains("writing the test's files"), "{error}");
    });
}

/// Program that makes system calls by i386's numbers, which any program may do.
const CALLS_OF_32_BITS: &str = "
static int call(int number, int first) {
  int result;
  __asm__ volatile(\"int $0x80\" : \"=a\"(result) : \"a\"(number), \"b\"(first), \"c\"(0), \"d\"(0) : \"memory\");
  return result;
}
int main(int count, char **arguments) {
  if (call(20, 0) <= 0) return 1;
  if (count > 1) return 0;
  if (call(102, 1) != -97) return 2;
  if (call(359, 1) != -97) return 3;
  if (call(21, 0) != -1) return 4;
  if (call(26, 0) != -1) return 5;
  if (call(120, 0x10000000) != -1) return 6;
  if (call(435, 0) != -38) return 7;
  return 0;
}
";

#[test]
fn the_fence_holds_for_calls_of_32_bit_programs() {
    let directory = tempfile::tempdir().unwrap();
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(directory.path(), open).unwrap();
    let (source, program) = (
        directory.path().join("calls.c"),
        directory.path().join("calls"),
    );
    fs::write(&source, CALLS_OF_32_BITS).unwrap();
    let made = Command::new("gcc")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    let natively = Command::new(&program).arg("only-one").status().unwrap();
    if !natively.success() {
        eprintln!("left out: this kernel runs no 32-bit programs");
        return;
    }
    each_kind(|sandbox| {
        let mut job = shell("");
        job.exe = program.clone();
        job.argv = vec![b"calls".to_vec()];
        let outcome = sandbox.run(&job).unwrap();
        // Without namespaces such calls end the program.
        let expected = if sandbox.kind().has_namespaces() {
            Ending::Exit(0)
        } else {
            Ending::Signal(libc::SIGSYS)
        };
        assert_eq!(outcome.ending, expected, "{}", sandbox.kind().name());
    });
}
