"""The runs of `benchmarks/bench coverage`: one engine on one program, in a directory of its own.

Idea: a run's directory is named after all that it depends on, and each of its two steps leaves one
file when it is through: the run `run.json`, the count of branches `replay.json`. What is there is
not done again, so a measurement that was stopped goes on where it was. Knows nothing of tables.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import typing

from homibench import engines, provenance, replay, subjects
from homibench.places import COREUTILS


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all runs share: builds, bitcode, and how processes are started."""

    homi: pathlib.Path
    klee: str | None
    commit: str
    clang: str
    seed: int
    cells: pathlib.Path
    options: tuple[str, ...] = ()
    core: int | None = None
    nice: int = 0


@dataclasses.dataclass(frozen=True)
class Cell:
    """One run: `seconds` of `engine` (homi or klee) with `search` on `tool`."""

    tool: str
    engine: str
    search: str
    seconds: int

    def directory(self, setting: Setting) -> pathlib.Path:
        """Where its output is; homi's depends on the build."""
        build = f"-{setting.commit.replace(' ', '-')}" if self.engine == "homi" else ""
        name = f"{self.tool}-{self.engine}-{self.search}-seed{setting.seed}-{self.seconds}s{build}"
        return setting.cells / name

    def is_run(self, setting: Setting) -> bool:
        """Whether it was run to its end."""
        return (self.directory(setting) / "run.json").exists()


def command_of(cell: Cell, setting: Setting, output: pathlib.Path) -> list:
    """The engine's command line."""
    bitcode = COREUTILS / f"bc-{setting.clang}/{cell.tool}.bc"
    words = subjects.arguments("usual")
    if cell.engine == "homi":
        search = [] if cell.search == "default" else ["--search", cell.search]
        command = [setting.homi, "run", bitcode, "--output-dir", output, "--seed", setting.seed]
        # One processor for each engine.
        command += ["--threads", "1"]
        command += ["--max-time", f"{cell.seconds}s", *search, *setting.options]
        return [*command, "--", *words]
    search = engines.KLEE_NINE.get(cell.search, cell.search)
    # STP recurses over deep terms and ends KLEE where the stack is the usual 8 MiB, as KLEE says.
    command = ["prlimit", "--stack=unlimited", setting.klee, *engines.KLEE_POSIX]
    command += ["--max-memory=2000", "--only-output-states-covering-new", "--watchdog"]
    command += [f"--max-time={cell.seconds}s", f"--rng-initial-seed={setting.seed}"]
    command += [f"--search={search}"] if search else []
    return [*command, f"--output-dir={output}", bitcode, *words]


def start(command: list, setting: Setting, **options: typing.Any) -> subprocess.Popen:
    """Starts a command in a process group of its own, on the setting's processor and priority."""
    prefix = ["nice", "-n", str(setting.nice)] if setting.nice else []
    prefix += ["taskset", "-c", str(setting.core)] if setting.core is not None else []
    words = [str(word) for word in [*prefix, *command]]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    if setting.nice:
        # Linux may schedule sessions as groups (autogroup); between them only their own priority
        # counts.
        try:
            pathlib.Path(f"/proc/{process.pid}/autogroup").write_text(str(setting.nice))
        except OSError:
            pass
    return process


def kill_group(process: subprocess.Popen) -> None:
    """Ends a process and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait(process: subprocess.Popen, seconds: int) -> tuple[int, float]:
    """(status, processor time of it and its children); killed after so many seconds."""
    guard = threading.Timer(seconds, kill_group, [process])
    guard.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        kill_group(process)
        raise
    finally:
        guard.cancel()
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def run(cell: Cell, setting: Setting, directory: pathlib.Path) -> None:
    """Runs the cell's engine, its output in the directory."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    same = {"seed": setting.seed, "nice": setting.nice, "core": setting.core}
    date = f"{provenance.now():%Y-%m-%d %H:%M:%S}"
    facts: dict = {**dataclasses.asdict(cell), **same, "date": date, "load": [provenance.load()]}
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as work,
        open(directory / "stdout.txt", "wb") as stdout,
        open(directory / "stderr.txt", "wb") as stderr,
    ):
        command = command_of(cell, setting, directory / "out")
        process = start(command, setting, cwd=work, stdout=stdout, stderr=stderr)
        # Engines end by themselves, late when they write many tests; this is for one that hangs.
        facts["status"], facts["cpu_s"] = wait(process, 2 * cell.seconds + 120)
    facts["wall_s"] = time.monotonic() - started
    facts["load"].append(provenance.load())
    (directory / "run.json").write_text(json.dumps(facts, indent=1) + "\n")


def run_again(cell: Cell, setting: Setting) -> None:
    """Runs a cell once more and keeps the run that got the larger share of a processor."""
    directory = cell.directory(setting)
    second = directory.with_name(directory.name + "-again")
    run(cell, setting, second)
    if share(second) > share(directory):
        shutil.rmtree(directory)
        second.rename(directory)
    else:
        shutil.rmtree(second)


def share(directory: pathlib.Path) -> float:
    """The share of one processor that a run got."""
    facts = json.loads((directory / "run.json").read_text())
    return facts["cpu_s"] / facts["wall_s"]


def homi_figures(directory: pathlib.Path) -> dict:
    """What homi says of its run."""
    summary = engines.summary(directory / "out")
    if summary is None:
        text = (directory / "stderr.txt").read_text(errors="replace")
        return {"error": engines.last_line(text, "no summary.json")}
    solver, paths = summary["solver"], summary["paths"]
    same = ("instructions", "tests", "stop_reason", "memory_peak_bytes")
    return {
        **{name: summary[name] for name in same},
        "paths": sum(paths[kind] for kind in ("completed", "early", "error")),
        "gaps": paths["gap"],
        "questions": solver["questions"],
        "smt": solver["by_layer"]["smt"],
    }


def klee_figures(directory: pathlib.Path) -> dict:
    """What KLEE says of its run."""
    text = (directory / "stderr.txt").read_text(errors="replace")
    figures: dict = {"tests": len(list((directory / "out").glob("*.ktest")))}
    instructions = engines.figure(text, "total instructions")
    if instructions is not None:
        paths = [
            engines.figure(text, f"{kind} paths") for kind in ("completed", "partially completed")
        ]
        figures |= {"instructions": instructions, "paths": sum(count or 0 for count in paths)}
    query = "select Queries, SolverQueries from stats order by rowid desc limit 1"
    try:
        with sqlite3.connect(directory / "out/run.stats") as stats:
            figures["questions"], figures["smt"] = stats.execute(query).fetchone()
    except (sqlite3.Error, TypeError):
        pass
    if not figures["tests"]:
        figures["error"] = engines.last_line(text, "no tests")
    return figures


def replayed(cell: Cell, setting: Setting) -> dict:
    """Branches that the run's tests cover, in all files and in the tool's own, by gcov."""
    directory = cell.directory(setting)
    report = directory / "replay.json"
    if not report.exists():
        program = COREUTILS / f"gcov/src/{cell.tool}"
        failure = replay.count(setting.homi, program, directory / "out", report)
        if failure:
            return {"replay_error": failure}
    return replay.branch_figures(report, subjects.main_file(cell.tool))


def figures(cell: Cell, setting: Setting) -> dict:
    """All that is known of a cell that was run."""
    directory = cell.directory(setting)
    facts = json.loads((directory / "run.json").read_text())
    known = homi_figures(directory) if cell.engine == "homi" else klee_figures(directory)
    if known.get("tests"):
        known.update(replayed(cell, setting))
    return {**facts, **known, "share": facts["cpu_s"] / facts["wall_s"]}


def study_row(result: dict, commit: str) -> dict:
    """The run as a row of cells.jsonl; for KLEE the commit is of the homi that counted."""
    kept = {name: value for name, value in result.items() if name not in ("tool", "seconds")}
    return {
        "commit": commit,
        "machine": provenance.machine(),
        "program": result["tool"],
        "mode": result["engine"],
        "budget": result["seconds"],
        **kept,
    }
