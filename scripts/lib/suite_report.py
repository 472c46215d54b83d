"""scripts/check-libc --suite NAME runs the tests of a public suite's list (tests/data/suites) and
tells what homi's libc and kernel do otherwise than the machine's. docs/internals/kernel-and-libc.md
explains ways, lists and outcomes. Needs: scripts/setup runtime, scripts/setup suite NAME."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import resource

import library_checks as checks
import suite_runs as runs
import suites

WAYS = {1: "libc alone", 2: "libc and kernel", 3: "in homi"}
Row = tuple[suites.Test, dict[int, runs.Verdict]]


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suite", required=True, choices=suites.ALL, help="the suite")
    shown = ", ".join(f"{way} {name}" for way, name in WAYS.items())
    parser.add_argument("--way", default="123", help=f"the ways to try: {shown}")
    parser.add_argument("--must", action="store_true", help="only what must be equal")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="the Ith of N parts")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--homi", default=f"{checks.ROOT}/target/release/homi", help="for way 3")
    parser.add_argument("--outcomes", type=pathlib.Path, help="a file for all outcomes, as lines")
    parser.add_argument("--update", action="store_true", help="write to the list what is equal")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="names, or beginnings of names")
    return parser.parse_args()


def chosen(tests: list[suites.Test], options: argparse.Namespace) -> list[suites.Test]:
    """The tests of the list that the command line asks for."""
    part, parts = (int(number) for number in options.shard.split("/"))
    names = tuple(options.tests)
    found = [test for test in tests if not names or test.name.startswith(names)]
    if options.must:
        found = [test._replace(ways=test.ways.replace("~", "-")) for test in found]
    return found[part - 1 :: parts]


def available(suite: suites.Suite, options: argparse.Namespace) -> str:
    """What is missing for a run, with what to do, or nothing."""
    if not suite.root.exists():
        return f"the suite's files are not in {suite.root}: scripts/setup suite {suite.name}"
    if "3" in options.way and not os.access(options.homi, os.X_OK):
        return f"there is no {options.homi}: cargo build --release, or name the command with --homi"
    return ""


def ways(options: argparse.Namespace) -> dict[int, runs.Way]:
    """The ways that are asked for."""
    known = {
        1: runs.linked_way("libc", checks.build_libc),
        2: runs.linked_way("kernel", checks.build_kernel),
        3: runs.homi_way([options.homi, "--runtime-dir", str(checks.LIBC.parent)]),
    }
    return {way: known[way] for way in known if str(way) in options.way}


def told(row: Row) -> list[str]:
    """A line for each way in which a test is not equal."""
    test, verdicts = row
    lines = []
    for way, verdict in verdicts.items():
        if verdict.word != "equal":
            mark = "MUST BE EQUAL" if test.ways[way - 1] == "=" else "known"
            lines.append(f"{test.name} way {way} {verdict.word} ({mark}): {verdict.difference}")
    return lines


def outcome_lines(row: Row) -> str:
    """A line for each way: name, way, word, first difference."""
    test, verdicts = row
    return "".join(
        "\t".join([test.name, str(way), verdict.word, verdict.difference]) + "\n"
        for way, verdict in verdicts.items()
    )


def table(suite: suites.Suite, rows: list[Row], asked: list[int]) -> list[str]:
    """How many tests end how in each way."""
    lines = [f"{suite.name:24} {'tests':>5} {'equal':>6}  otherwise"]
    for way in asked:
        words = collections.Counter(verdicts[way].word for _, verdicts in rows if way in verdicts)
        others = [f"{count} {word}" for word, count in words.most_common() if word != "equal"]
        counts = f"{words.total():5} {words['equal']:6}  {', '.join(others)}"
        lines.append(f"{f'{way} {WAYS[way]}':24} {counts}")
    return lines


def update(suite: suites.Suite, rows: list[Row]) -> None:
    """Writes to the list which of the tests that ran are equal."""
    found = {test.name: verdicts for test, verdicts in rows}
    lines = []
    for line in suite.listed.read_text().splitlines():
        name, _, rest = line.partition(" ")
        signs = list(rest[:3])
        for way, verdict in found.get(name, {}).items():
            signs[way - 1] = "=" if verdict.word == "equal" else "~"
        lines.append(name + " " + "".join(signs) + rest[3:] if name in found else line)
    suite.listed.write_text("\n".join(lines) + "\n")


def main() -> int:
    """Runs what the command line asks for; 1 if a test that must be equal is not."""
    options = arguments()
    suite = suites.ALL[options.suite]
    if missing := available(suite, options):
        print(f"error: {missing}")
        return 2
    # No dumps of memory of the programs that crash.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tried = ways(options)
    rows = []
    library = suites.prepared(suite)
    with (
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
        open(options.outcomes or os.devnull, "w", encoding="utf-8") as outcomes,
    ):
        tests = chosen(suites.read_list(suite), options)
        for row in pool.map(lambda test: (test, runs.verdicts(suite, test, library, tried)), tests):
            rows.append(row)
            print(outcome_lines(row), end="", file=outcomes, flush=True)
            for line in told(row):
                print(line, flush=True)
    if options.update:
        update(suite, rows)
    print("\n".join(table(suite, rows, list(tried))))
    lost = sum("(MUST BE EQUAL)" in line for row in rows for line in told(row))
    print(f"{lost} must be equal and are not")
    return int(lost > 0)
