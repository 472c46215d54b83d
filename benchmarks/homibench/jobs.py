"""Costs of jobs on several machines; the failure of a machine must lose nothing.

A program is followed to its end by `homi run` and then in jobs, on a Ray cluster of processes of
this machine, once undisturbed and once with a machine that is killed without notice while it does a
job (and another one that joins). All must come to the same tests, none twice. The times of the
undisturbed run tell what a job costs besides exploring, and what 100 machines would make of such
jobs: a simulation, which must first foretell the undisturbed run itself.

Needs: a python with Ray (`pip install ray` into a virtual environment, --ray-python);
scripts/setup subjects; cargo build --release.
"""

import argparse
import collections
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from homibench import engines, studies, subjects, tables
from homibench.places import BENCHMARKS
from homibench.jobs_simulation import Recorded, mean

MACHINES = (1, 2, 4, 8, 16, 32, 64, 100)
# Jobs of each machine in the simulation; enough to make start and end negligible.
JOBS_EACH = 50
DRIVER = BENCHMARKS.parent / "scripts" / "campaign_ray.py"
CLUSTER = BENCHMARKS / "homibench" / "jobs_cluster.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    add = parser.add_argument
    add("program", nargs="?", default="echo", help="a tool of coreutils (echo)")
    add("--args", default="--sym-args 0 2 4", help="its arguments (--sym-args 0 2 4)")
    add("--job-budget", default="3s", help="budget of a job (3s)")
    add("--nodes", type=int, default=2, help="machines of the cluster, one processor each (2)")
    add("--kill-after", type=float, default=15, help="seconds until a machine dies (15)")
    add("--ray-python", default="python3", help="a python that has Ray")
    engines.add_homi(parser)
    studies.add_study(parser)


def tests(directory: pathlib.Path) -> collections.Counter:
    """How often each test is there, by its bytes."""
    files = directory.glob("test*.ktest")
    return collections.Counter(file.read_bytes() for file in files)


class Cluster:
    """The processes of a cluster."""

    def __init__(self, python: str, nodes: int) -> None:
        self.process = subprocess.Popen(
            [python, str(CLUSTER), str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = self.process.stdout.readline().strip()

    def send(self, command: str) -> None:
        """`kill` or `add`."""
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def end(self) -> None:
        """Ends all of it."""
        self.process.stdin.close()
        self.process.wait()


def in_jobs(
    arguments: argparse.Namespace, place: pathlib.Path, args: list[str], kill: bool
) -> tuple[float, dict, list[dict]]:
    """Follows the program in jobs: seconds, the job directory's status, the times of jobs."""
    homi, directory = str(arguments.homi), place / ("killed" if kill else "quiet")
    begin = [homi, "jobs", "init", str(directory), "--kind", "frontier"]
    begin += ["--job-budget", arguments.job_budget]
    subprocess.run([*begin, "--", *args], check=True, cwd=place)
    cluster = Cluster(arguments.ray_python, arguments.nodes)
    drive = [arguments.ray_python, str(DRIVER), str(directory), "--homi", homi]
    began = time.monotonic()
    process = subprocess.Popen(
        [*drive, "--address", cluster.address], stdout=subprocess.DEVNULL
    )
    if kill:
        time.sleep(arguments.kill_after)
        cluster.send("kill")
        cluster.send("add")
    process.wait()
    seconds = time.monotonic() - began
    cluster.end()
    if process.returncode != 0:
        raise SystemExit(f"the driver ended with status {process.returncode}")
    # Ray writes what it likes on the driver's output.
    status = [homi, "jobs", "status", str(directory)]
    said = subprocess.run(status, check=True, capture_output=True, text=True).stdout
    lines = (directory / "times.jsonl").read_text().splitlines()
    return seconds, json.loads(said), [json.loads(line) for line in lines]


def first_to_last(lines: list[dict]) -> float:
    """Seconds from the first job that was sent to the last that was taken."""
    return max(line["taken"] for line in lines) - min(line["sent"] for line in lines)


def overhead(lines: list[dict]) -> list[list]:
    """What a job costs besides exploring: rows of a table."""

    def row(name: str, seconds: list[float]) -> list:
        return [name, f"{statistics.median(seconds):.3f}", f"{statistics.mean(seconds):.3f}"]

    return [
        row("on its machine", [line["ended"] - line["began"] for line in lines]),
        row("of it homi's process", [line["wall_s"] for line in lines]),
        row("of that processor time", [line["cpu_s"] for line in lines]),
        row("there", [line["began"] - line["sent"] for line in lines]),
        row("back", [line["received"] - line["ended"] for line in lines]),
        row("step of the job directory", [line["step_s"] for line in lines]),
    ]


def table(head: list[str], rows: list[list]) -> list[str]:
    """A table in Markdown."""
    return [*tables.header(head), *(tables.row(row) for row in rows)]


def run(arguments: argparse.Namespace) -> int:
    """Measures, simulates and says whether nothing was lost."""
    studies.check(arguments)
    place = pathlib.Path(tempfile.mkdtemp(prefix="jobs-"))
    bitcode = subjects.needed_bitcode(arguments.program)
    args = ["--all-tests", str(bitcode), "--", *arguments.args.split()]
    whole = [str(arguments.homi), "run", "--quiet", "--prune", "none", "--max-time", "0"]
    began = time.monotonic()
    subprocess.run([*whole, "--output-dir", "whole", *args], check=True, cwd=place)
    alone = time.monotonic() - began
    wanted = tests(place / "whole")
    failures = 0
    rows, quiet = [], []
    for kill in (False, True):
        seconds, status, lines = in_jobs(arguments, place, args, kill)
        found = tests(place / ("killed" if kill else "quiet") / "out")
        lost, twice = wanted - found, found - wanted
        failures += bool(lost or twice)
        hosts = len({line["node"] for line in lines})
        rows.append(
            ["one killed" if kill else "undisturbed", len(lines), hosts, f"{seconds:.1f}",
             sum(found.values()), sum(lost.values()), sum(twice.values()), status["lost"],
             f"{status['walked'] / status['instructions']:.2f}"]
        )
        quiet = quiet or lines
    head = ["run", "jobs", "machines", "seconds", "tests", "missing", "too many"]
    head += ["open states not found", "share of instructions for finding states"]
    recorded = Recorded.of(quiet)
    foretold = mean(recorded, arguments.nodes, len(quiet))
    real = first_to_last(quiet)
    one = mean(recorded, 1, JOBS_EACH)
    scaling = []
    for machines in MACHINES:
        seconds = mean(recorded, machines, machines * JOBS_EACH, 5)
        scaling.append([machines, f"{seconds:.0f}", f"{machines * one / seconds:.1f}"])
    result = [
        f"`homi run` alone: {alone:.1f} s, {sum(wanted.values())} tests.",
        "",
        *table(head, rows),
        "",
        "Seconds of a job of the undisturbed run:",
        "",
        *table(["", "median", "mean"], overhead(quiet)),
        "",
        f"The simulation foretells {foretold:.1f} s for {len(quiet)} jobs on {arguments.nodes} "
        f"machines; they took {real:.1f} s ({foretold / real - 1:+.0%}).",
        "",
        f"Simulated, {JOBS_EACH} jobs a machine, as long as the recorded ones:",
        "",
        *table(["machines", "seconds", "times one machine"], scaling),
    ]
    print("\n".join(result))
    facts = [f"program: {arguments.program} {arguments.args}, --all-tests"]
    facts += [f"budget of a job: {arguments.job_budget}"]
    facts += [f"{arguments.nodes} machines of a Ray cluster in processes"]
    question = "How much do jobs on several machines cost, and how much does the failure of a machine?"
    studies.write(arguments, question, "speed", facts, result)
    shutil.rmtree(place)
    return int(failures > 0)
