"""Speed of concrete code in homi, in KLEE and natively.

  benchmarks/bench concrete-speed                      all, medians of 5
  benchmarks/bench concrete-speed --klee /path/to/klee

(a) mix -O1: 20 million steps of `s = s*31 + (i ^ (s>>3))`; (b) buffer -O0 and -O1: 300 times over
4096 bytes with a store, a load and a call; (c) gawk adding three million numbers, which KLEE is not
asked for; (d) lua interpreting a loop over a table and strings, 300,000 turns natively and in homi,
3,000 in KLEE with uclibc. Bitcode for all but gawk is clang-16's, so that KLEE reads it. Times are
processor time, because a busy machine doubles wall times; speeds are of the code alone: the time
minus the same engine's on a program that only returns, for lua on a script that does nothing. IR
instructions are LLVM's as KLEE counts them at that optimisation level, so both engines' M/s are of
the same work; homi's own count is of its register IR.

Needs: clang-16; scripts/setup subject gawk; HOMI_CLANG=16 scripts/setup subject lua;
cargo build --release.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from homibench import engines, studies, subjects, tables
from homibench.places import BENCHMARKS

CASES = [("mix", "-O1"), ("buffer", "-O0"), ("buffer", "-O1")]
LUA = (
    "local t, s = {}, 0 for i = 1, %d do t[i %% 1000 + 1] = i; "
    "s = s + #tostring(i) + (t[i * 7 %% 1000 + 1] or 0) end print(s)"
)
LUA_TURNS = {"native": 300_000, "homi": 300_000, "klee": 3_000}
GAWK = "BEGIN{for(i=0;i<3000000;i++)s+=i%7; print s}"
TITLES = ["program", "LLVM instructions", "homi's own", "homi s", "start-up s", "M/s", "KLEE s"]
TITLES += ["start-up s", "M/s", "native s", "times KLEE"]

# CPU time in seconds, and the standard error of the process.
Timed = tuple[float, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command-line arguments."""
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default 5)")
    parser.add_argument("--clang", default="clang-16", help="default clang-16")
    parser.add_argument("--only", choices=["small", "gawk", "lua"], help="one of the parts")
    engines.add_homi(parser)
    engines.add_klee(parser)
    studies.add_study(parser)


class Bench:
    """The three ways to run a program, in a directory."""

    def __init__(self, arguments: argparse.Namespace, directory: pathlib.Path) -> None:
        self.homi_path = arguments.homi
        self.klee_path = None if arguments.no_klee else arguments.klee
        self.runs = arguments.runs
        self.clang = engines.needed_tool(arguments.clang, "scripts/setup compilers")
        self.directory = directory

    def compiled(self, source: pathlib.Path, level: str, native: bool = False) -> pathlib.Path:
        """The source as bitcode or as an executable."""
        target = self.directory / f"{source.stem}{level}{'' if native else '.bc'}"
        flags = [level, *(["-Xclang", "-disable-O0-optnone"] if level == "-O0" else [])]
        kind = [] if native else ["-emit-llvm", "-c"]
        subprocess.run([self.clang, *flags, *kind, source, "-o", target], check=True)
        return target

    def _median(self, command: list, runs: int, output: pathlib.Path | None, warm: bool) -> Timed:
        times, text = [], ""
        for _ in range(runs + warm):
            if output:
                shutil.rmtree(output, ignore_errors=True)
            ended = engines.measured(command, self.directory)
            times.append(ended.cpu)
            text = ended.text
        return statistics.median(times[int(warm) :]), text

    def native(self, command: list) -> Timed:
        """A program on the processor."""
        return self._median(command, self.runs, None, False)

    def homi(self, bitcode: pathlib.Path, args: list[str]) -> Timed:
        """A program in homi; the first run, which fills the cache, does not count."""
        output = self.directory / "homi-out"
        command = [self.homi_path, "run", bitcode, "--output-dir", output, "--", *args]
        return self._median(command, self.runs, output, True)

    def klee(self, bitcode: pathlib.Path, args: list[str], options: list[str]) -> Timed:
        """A program in KLEE, at most three times."""
        output = self.directory / "klee-out"
        command = [self.klee_path, *options, f"--output-dir={output}", bitcode, *args]
        return self._median(command, min(self.runs, 3), output, False)


def small(bench: Bench) -> list[str]:
    """The lines of the two small programs."""
    empty = bench.directory / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    nothing = bench.compiled(empty, "-O1")
    homi_start = bench.homi(nothing, [])[0]
    klee_start = bench.klee(nothing, [], [])[0] if bench.klee_path else 0.0
    lines = []
    for name, level in CASES:
        source = BENCHMARKS / f"concrete-programs/{name}.c"
        bitcode = bench.compiled(source, level)
        native_seconds, _ = bench.native([bench.compiled(source, level, native=True)])
        seconds, text = bench.homi(bitcode, [])
        own = engines.figure(text, "total instructions")
        loop = max(seconds - homi_start, 0.001)
        cells = [f"{name} {level}", "-", f"{own:,}", f"{seconds:.3f}", f"{homi_start:.3f}"]
        cells += [f"{own / loop / 1e6:.0f} (own)", "-", "-", "-", f"{native_seconds:.4f}", "-"]
        if bench.klee_path:
            klee_seconds, text = bench.klee(bitcode, [], [])
            count = engines.figure(text, "total instructions")
            klee_loop = klee_seconds - klee_start
            cells[1], cells[5] = f"{count:,}", f"{count / loop / 1e6:.0f}"
            speed = f"{count / klee_loop / 1e6:.1f}"
            cells[6:9] = [f"{klee_seconds:.2f}", f"{klee_start:.3f}", speed]
            cells[10] = f"{klee_loop / loop:.1f}"
        lines.append(tables.row(cells))
        print(lines[-1], flush=True)
    return lines


def gawk(bench: Bench) -> str:
    """What homi's gawk costs, and how often the native one fits into that."""
    bitcode, native = subjects.bitcode("gawk"), subjects.native("gawk")
    if not (bitcode and native):
        return "gawk: not built (scripts/setup subject gawk)."
    seconds, text = bench.homi(bitcode, [GAWK])
    own = engines.figure(text, "total instructions")
    native_seconds, _ = bench.native([native, GAWK])
    return (
        f"gawk: {own:,} of homi's instructions, {seconds:.2f} s, {own / seconds / 1e6:.0f} M/s; "
        f"native {native_seconds:.2f} s; homi takes {seconds / native_seconds:.0f} times native."
    )


def lua(bench: Bench) -> str:
    """What a turn of the loop costs in lua under each engine, each without the start of lua."""
    bitcode, native = subjects.bitcode("lua", "16"), subjects.native("lua")
    if not (bitcode and native):
        return "lua: not built (HOMI_CLANG=16 scripts/setup subject lua)."
    ways = {
        "native": lambda script: bench.native([native, "-e", script]),
        "homi": lambda script: bench.homi(bitcode, ["-e", script]),
    }
    if bench.klee_path:
        options = ["--posix-runtime", "--libc=uclibc"]
        ways["klee"] = lambda script: bench.klee(bitcode, ["-e", script], options)
    parts, cost = [], {}
    for engine, run_script in ways.items():
        turns = LUA_TURNS[engine]
        (start, first), (seconds, second) = run_script(""), run_script(LUA % turns)
        cost[engine] = max(seconds - start, 0.001) / turns
        text = f"{engine} {seconds:.2f} s for {turns:,} turns, start-up {start:.2f} s, "
        text += f"{cost[engine] * 1e6:.2f} us a turn"
        counts = [engines.figure(said, "total instructions") for said in (first, second)]
        if all(counts):
            more = counts[1] - counts[0]
            speed = more / max(seconds - start, 0.001) / 1e6
            text += f", {more / turns:.0f} of its instructions, {speed:.1f} M/s"
        parts.append(text)
    times = f"homi takes {cost['homi'] / cost['native']:.0f} times native"
    if "klee" in cost:
        times += f", KLEE {cost['klee'] / cost['homi']:.0f} times homi"
    return f"lua: {'; '.join(parts)}; {times}."


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints."""
    studies.check(arguments)
    arguments.homi = engines.needed(arguments.homi)
    lines = []
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(arguments, pathlib.Path(work))
        if arguments.only in (None, "small"):
            lines += [*tables.header(TITLES), *small(bench)]
        bench.runs = min(bench.runs, 2)
        for name, measure in (("gawk", gawk), ("lua", lua)):
            if arguments.only in (None, name):
                lines += ["", measure(bench)]
                print(lines[-1], flush=True)
    facts = [f"runs: medians of {arguments.runs} (gawk and lua of {bench.runs}), processor time"]
    facts.append("M/s: of LLVM instructions (KLEE's count), start-up subtracted")
    question = "How fast does concrete code run in homi, in KLEE and natively?"
    studies.write(arguments, question, "speed", facts, lines)
    return 0
