"""The cells of `benchmarks/coverage`: one run of one engine on one program, kept in a directory of its own.

Idea: a cell's directory is named after all that it depends on (program, engine, search, seed, time), and each of its two
steps leaves one file when it is through: the run `run.json`, the count of branches `replay.json`. What is there is not
done again, so a campaign that was stopped goes on where it was. Knows nothing of tables.
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

# The nine heuristics of the Homi paper: its name for each -> KLEE's `--search`, none for KLEE's own default, which takes
# random-path and covnew in turns. The paper's "Depth" is KLEE 2.0's, 2^-depth, which KLEE calls `rp` today.
KLEE_NINE = {
    "default": None,
    "cpicnt": "nurs:cpicnt",
    "covnew": "nurs:covnew",
    "md2u": "nurs:md2u",
    "icnt": "nurs:icnt",
    "qc": "nurs:qc",
    "depth": "nurs:rp",
    "random-path": "random-path",
    "random-state": "random-state",
}
ARGUMENTS = "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout".split()
# The file that holds a tool's own code, where it is not named after the tool.
MAIN_FILE = {"vdir": "src/ls.c", "ginstall": "src/install.c"}


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all cells share: programs, where bitcode and gcov builds are, and how processes are started."""

    homi: pathlib.Path
    klee: str | None
    subjects: pathlib.Path
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

    def directory(self, setting):
        return setting.cells / f"{self.tool}-{self.engine}-{self.search}-seed{setting.seed}-{self.seconds}s"

    def is_run(self, setting):
        return (self.directory(setting) / "run.json").exists()


def command_of(cell, setting, output):
    bitcode = setting.subjects / f"bc-{setting.clang}/{cell.tool}.bc"
    if cell.engine == "homi":
        search = [] if cell.search == "default" else ["--search", cell.search]
        return [setting.homi, "run", bitcode, "--output-dir", output, "--max-time", f"{cell.seconds}s", "--seed",
                str(setting.seed), *search, *setting.options, "--", *ARGUMENTS]
    search = KLEE_NINE.get(cell.search, cell.search)
    # STP recurses over deep terms and ends KLEE where the stack is the usual 8 MiB, as KLEE says itself.
    return ["prlimit", "--stack=unlimited", setting.klee, "--posix-runtime", "--libc=uclibc",
            "--external-calls=concrete", "--max-memory=2000", "--only-output-states-covering-new",
            f"--max-time={cell.seconds}s", "--watchdog",
            f"--rng-initial-seed={setting.seed}", *([f"--search={search}"] if search else []),
            f"--output-dir={output}", bitcode, *ARGUMENTS]


def start(command, setting, **options):
    """Starts a command in a process group of its own, on the setting's processor with its priority."""
    prefix = ["nice", "-n", str(setting.nice)] if setting.nice else []
    prefix += ["taskset", "-c", str(setting.core)] if setting.core is not None else []
    words = [str(word) for word in [*prefix, *command]]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    if setting.nice:
        # Linux may schedule sessions as groups (autogroup); between them only the group's own priority counts.
        try:
            pathlib.Path(f"/proc/{process.pid}/autogroup").write_text(str(setting.nice))
        except OSError:
            pass
    return words, process


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(cell, setting, directory):
    """Runs the cell's engine, its output in the directory; the processor time is that of the engine and all its children."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    facts = {**dataclasses.asdict(cell), "seed": setting.seed, "nice": setting.nice, "core": setting.core,
             "date": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()), "load": [os.getloadavg()[0]]}
    started = time.monotonic()
    with (tempfile.TemporaryDirectory() as work, open(directory / "stdout.txt", "wb") as stdout,
          open(directory / "stderr.txt", "wb") as stderr):
        command = command_of(cell, setting, directory / "out")
        facts["command"], process = start(command, setting, cwd=work, stdout=stdout, stderr=stderr)
        # Engines end by themselves, late when they write many tests; this is for one that hangs.
        guard = threading.Timer(2 * cell.seconds + 120, kill_group, [process])
        guard.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            kill_group(process)
            raise
        finally:
            guard.cancel()
    facts["status"] = os.waitstatus_to_exitcode(status)
    facts["wall_s"] = time.monotonic() - started
    facts["cpu_s"] = usage.ru_utime + usage.ru_stime
    facts["load"].append(os.getloadavg()[0])
    (directory / "run.json").write_text(json.dumps(facts, indent=1) + "\n")


def run_again(cell, setting):
    """Runs a cell that is there once more and keeps the run that got the larger share of a processor."""
    directory = cell.directory(setting)
    second = directory.with_name(directory.name + "-again")
    run(cell, setting, second)
    if share(second) > share(directory):
        shutil.rmtree(directory)
        second.rename(directory)
    else:
        shutil.rmtree(second)


def share(directory):
    """The share of one processor that a run got."""
    facts = json.loads((directory / "run.json").read_text())
    return facts["cpu_s"] / facts["wall_s"]


def last_line(directory, otherwise):
    text = (directory / "stderr.txt").read_text(errors="replace").strip()
    return text.splitlines()[-1] if text else otherwise


def homi_figures(directory):
    try:
        summary = json.loads((directory / "out/summary.json").read_text())
    except (OSError, ValueError):
        return {"error": last_line(directory, "no summary.json")}
    solver = summary["solver"]
    return {
        "instructions": summary["instructions"],
        "paths": sum(summary["paths"][kind] for kind in ("completed", "early", "error")),
        "gaps": summary["paths"]["gap"],
        "tests": summary["tests"],
        "questions": solver["questions"],
        "smt": solver["by_layer"]["smt"],
        "stop_reason": summary["stop_reason"],
        "memory_peak_bytes": summary["memory_peak_bytes"],
    }


def klee_figures(directory):
    figures = {"tests": len(list((directory / "out").glob("*.ktest")))}
    paths = {}
    for line in (directory / "stderr.txt").read_text(errors="replace").splitlines():
        name, equals, number = line.removeprefix("KLEE: done: ").partition(" = ")
        if line.startswith("KLEE: done: ") and equals and number.strip().isdigit():
            paths[name] = int(number)
    if "total instructions" in paths:
        figures["instructions"] = paths["total instructions"]
        figures["paths"] = paths.get("completed paths", 0) + paths.get("partially completed paths", 0)
    try:
        with sqlite3.connect(directory / "out/run.stats") as stats:
            row = stats.execute("select Queries, SolverQueries from stats order by rowid desc limit 1").fetchone()
            figures["questions"], figures["smt"] = row
    except (sqlite3.Error, TypeError):
        pass
    if not figures["tests"]:
        figures["error"] = last_line(directory, "no tests")
    return figures


def replay(cell, setting):
    """Branches that the cell's tests cover, in all files and in the tool's own, by gcov."""
    directory = cell.directory(setting)
    report = directory / "replay.json"
    if not report.exists():
        command = [setting.homi, "replay", "--gcov", "--quiet", "--json", report.with_suffix(".part"),
                   setting.subjects / f"gcov/src/{cell.tool}", directory / "out"]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        try:
            report.with_suffix(".part").rename(report)
        except OSError:
            return {"replay_error": (result.stderr.strip().splitlines() or ["no JSON"])[-1]}
    data = json.loads(report.read_text())
    wanted = MAIN_FILE.get(cell.tool, f"src/{cell.tool}.c")
    main = [totals for name, totals in data["files"].items() if name == wanted or name.endswith("/" + wanted)]
    return {
        "branches": data["branches_covered"],
        "branches_total": data["branches_total"],
        "main": sum(totals["covered"] for totals in main),
        "main_total": sum(totals["total"] for totals in main),
        "not_replayed": sum(test["status"].startswith("error") for test in data["tests"]),
    }


def figures(cell, setting):
    """All that is known of a cell that was run."""
    directory = cell.directory(setting)
    facts = json.loads((directory / "run.json").read_text())
    known = homi_figures(directory) if cell.engine == "homi" else klee_figures(directory)
    if known.get("tests"):
        known.update(replay(cell, setting))
    return {**facts, **known, "share": facts["cpu_s"] / facts["wall_s"]}
