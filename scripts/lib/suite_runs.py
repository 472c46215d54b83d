"""How a suite's test is run natively and in three ways."""

import collections.abc
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import typing

import library_checks as checks
import suites
from suite_outcomes import Outcome, Verdict, compared

# Tests of clocks, priorities and mounts do harm with privileges; nobody has none in homi, either.
USER = os.getuid() or 65534
NOTHING: dict[str, str] = {}
OTHER_USER = {} if os.getuid() else {"user": USER, "group": USER, "extra_groups": []}
# What homi calls an end that is natively a signal.
ABORTS = ("abort", "assert")
CRASHES = {signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP}


class Refused(Exception):
    """An outcome that homi does not claim; its text begins with the word for the table."""


def test_folder(suite: suites.Suite, test: suites.Test, parent: str) -> pathlib.Path:
    """An empty folder with the files that the test asks for."""
    folder = pathlib.Path(parent) / "w"
    folder.mkdir()
    for name in test.key("files"):
        shutil.copy(suite.root / name, folder / pathlib.Path(name).name)
    if os.getuid() != USER:
        for path in (pathlib.Path(parent), folder, *folder.iterdir()):
            os.chown(path, USER, USER)
    return folder


def execute(
    exe: pathlib.Path,
    suite: suites.Suite,
    test: suites.Test,
    seconds: int,
    further: collections.abc.Mapping[str, str] = NOTHING,
) -> Outcome:
    """Runs an executable in a folder of its own, with further variables in its environment; all
    that it started is ended."""
    with tempfile.TemporaryDirectory() as parent:
        folder = test_folder(suite, test, parent)
        stdin = folder / test.key("stdin")[0] if test.key("stdin") else "/dev/null"
        out, err = pathlib.Path(parent) / "out", pathlib.Path(parent) / "err"
        with open(stdin, "rb") as source, open(out, "wb") as to, open(err, "wb") as errors:
            child = subprocess.Popen(
                ["test", *test.key("args")],
                executable=exe,
                cwd=folder,
                env=test.environment | further,
                stdin=source,
                stdout=to,
                stderr=errors,
                start_new_session=True,
                **OTHER_USER,
            )
            try:
                end = child.wait(seconds)
            except subprocess.TimeoutExpired:
                end = "goes on"
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
        if isinstance(end, int) and end < 0:
            end = 128 - end
        return Outcome(end, out.read_bytes(), err.read_bytes())


def last_error(path: pathlib.Path, default: str) -> str:
    """The last line of a file that says an error."""
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    return next((line for line in reversed(lines) if "rror" in line or "panic" in line), default)


def end_in_homi(output: pathlib.Path, native: Outcome) -> int | str:
    """How the one path of a run ended, in the native run's words where a bug has several."""
    summary = json.loads((output / "summary.json").read_text())
    if summary["unsupported"]:
        feature = summary["unsupported"][0]
        raise Refused(f"refused {feature['what']} ({feature['location']})")
    if "one-process" in summary["model_limitations"]:
        raise Refused("forks")
    if summary["errors"]:
        error = summary["errors"][0]
        kind, message = error["kind"], f"{error['message']} ({error['location']})"
        if kind in ABORTS:
            return 128 + signal.SIGABRT
        if isinstance(native.end, int) and native.end - 128 in CRASHES:
            return native.end
        raise Refused(f"false-error {message}")
    if summary["stop_reason"] not in ("exhausted", "no-states-left"):
        raise Refused(f"unfinished {summary['stop_reason']}")
    lines = (output / "coverage.jsonl").read_text().splitlines()
    ends = [json.loads(line).get("exit", "no exit") for line in lines]
    if len(ends) != 1:
        raise Refused(f"forks {len(ends)} paths")
    return ends[0]


def in_homi(
    bitcode: pathlib.Path, suite: suites.Suite, test: suites.Test, native: Outcome, homi: list[str]
) -> Outcome:
    """Runs a test's bitcode in homi."""
    with tempfile.TemporaryDirectory() as parent:
        folder = test_folder(suite, test, parent)
        output, environment = pathlib.Path(parent) / "o", pathlib.Path(parent) / "env"
        variables = test.environment.items()
        environment.write_text("".join(f"{name}={value}\n" for name, value in variables))
        command = [
            *homi[:1], "run", bitcode, "--all-tests", "--max-time", f"{3 * suite.seconds}s",
            "--uid", str(USER), "--run-in-dir", folder, "--env-file", environment,
            "--output-dir", output, *homi[1:], "--", *test.key("args"),
        ]
        log = pathlib.Path(parent) / "log"
        stdin = folder / test.key("stdin")[0] if test.key("stdin") else "/dev/null"
        with open(log, "wb") as to, open(stdin, "rb") as source:
            options = {"stdin": source, "stdout": to, "stderr": to, "check": False}
            try:
                subprocess.run(command, timeout=6 * suite.seconds, **options)
            except subprocess.TimeoutExpired:
                raise Refused("unfinished homi goes on") from None
        if not (output / "summary.json").exists():
            raise Refused(f"failed {last_error(log, 'no summary.json')}")
        end = end_in_homi(output, native)
        streams = ((output / name).read_bytes() for name in ("stdout.txt", "stderr.txt"))
        return Outcome(end, *streams)


def natively(suite: suites.Suite, test: suites.Test, exe: pathlib.Path) -> tuple[Outcome, Outcome]:
    """Two native runs, which must end in one way within the suite's time. The second sees another
    calendar and kernel, unless the test ends otherwise then."""
    elsewhere = {"LD_PRELOAD": str(suites.other_machine())}
    one = execute(exe, suite, test, suite.seconds)
    other = execute(exe, suite, test, suite.seconds, elsewhere)
    if one.end != other.end:
        other = execute(exe, suite, test, suite.seconds)
    if one.end != other.end:
        raise Refused(f"unstable natively ends with {one.end}, then with {other.end}")
    if one.end == "goes on":
        raise Refused(f"endless natively over {suite.seconds} s")
    return one, other


Way = collections.abc.Callable[[suites.Suite, suites.Test, pathlib.Path, Outcome], Outcome]


def linked_way(folder: str, build: checks.Build) -> Way:
    """The way that links a test's bitcode with our libraries into an executable."""

    def outcome(
        suite: suites.Suite, test: suites.Test, bitcode: pathlib.Path, _: Outcome
    ) -> Outcome:
        work = suites.BUILT / suite.name / test.name / folder
        work.mkdir(exist_ok=True)
        try:
            exe = build("test", bitcode, work)
        except subprocess.CalledProcessError as error:
            raise Refused(f"not-linked {undefined(error)}") from None
        return execute(exe, suite, test, 3 * suite.seconds)

    return outcome


def undefined(error: subprocess.CalledProcessError) -> str:
    """The first symbol that a linker misses."""
    text = (error.stderr or b"").decode(errors="replace")
    names = re.findall(r"undefined (?:reference to|symbol:) [`']?(\w+)", text)
    return " ".join(dict.fromkeys(names)) or text.strip()[:200] or "no message"


def homi_way(homi: list[str]) -> Way:
    """The way that runs a test's bitcode in homi: the command and further options."""

    def outcome(
        suite: suites.Suite, test: suites.Test, bitcode: pathlib.Path, native: Outcome
    ) -> Outcome:
        return in_homi(bitcode, suite, test, native, homi)

    return outcome


def verdicts(
    suite: suites.Suite, test: suites.Test, library: suites.Support, ways: dict[int, Way]
) -> dict[int, Verdict]:
    """How a test ends in each of the ways that its line asks for."""
    asked = [way for way in ways if test.ways[way - 1] != "-"]
    if not asked:
        return {}
    try:
        built = suites.programs(suite, test, library)
        native = natively(suite, test, built.native)
    except suites.NotBuilt as error:
        return dict.fromkeys(asked, Verdict("not-built", str(error)))
    except Refused as refusal:
        return dict.fromkeys(asked, refused(refusal))
    return {way: verdict(ways[way], suite, test, built, native) for way in asked}


def refused(refusal: Refused) -> Verdict:
    """The word and the text of a refusal."""
    word, _, text = str(refusal).partition(" ")
    return Verdict(word, text)


def verdict(
    way: Way,
    suite: suites.Suite,
    test: suites.Test,
    built: suites.Programs,
    native: tuple[Outcome, Outcome],
) -> Verdict:
    """How a test ends in one way."""
    try:
        return compared(way(suite, test, built.bitcode, native[0]), *native)
    except Refused as refusal:
        return refused(refusal)
