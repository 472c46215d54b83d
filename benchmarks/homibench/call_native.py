"""Tests of homi on the real kernel: what a program does natively beside what its test predicts.

homi compares tests with the native program on the modeled kernel. So a mistake of the modeled
kernel is on both sides; it shows here, where the program runs in a directory of its own.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess

from homibench import call_programs, ktest

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/"}
# homi's model gives this user to programs; root may do what others may not.
USER = 1000
LIMIT = 10
# Descriptors that the model gives a program.
DESCRIPTORS = 1024


def limit_descriptors() -> None:
    """Gives the child that is to be the program the model's number of descriptors."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


def ran(program: pathlib.Path, test: pathlib.Path, place: pathlib.Path) -> tuple[dict, bytes, bytes]:
    """End and streams of the program for a test's input, in a fresh directory."""
    objects = ktest.objects(test)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    place.chmod(0o755)
    if "A_data" in objects:
        (place / "A").write_bytes(objects["A_data"])
    args = ["./program"]
    if "arg00" in objects:
        args.append(objects["arg00"].partition(b"\0")[0])
    options: dict = {"env": ENVIRONMENT | {"PWD": str(place), "TMPDIR": str(place)}}
    if os.geteuid() == 0:
        for path in (place, *place.iterdir()):
            os.chown(path, USER, USER)
        options |= {"user": USER, "group": USER, "extra_groups": []}
    options["preexec_fn"] = limit_descriptors
    source = place.parent / "stdin"
    source.write_bytes(objects.get("stdin", b""))
    with source.open("rb") as stdin:
        options |= {"stdin": stdin, "capture_output": True, "timeout": LIMIT, "check": False}
        done = subprocess.run(args, executable=program, cwd=place, **options)
    end = {"exit": done.returncode} if done.returncode >= 0 else {"signal": -done.returncode}
    return end, done.stdout, done.stderr


def number_of(end: dict) -> int:
    """An end as a shell tells it; the model ends a program that kills itself so."""
    return end["exit"] if "exit" in end else 128 + end["signal"]


def first_difference(predicted: bytes, native: bytes) -> str:
    """The first line that differs, as predicted and natively."""
    left, right = (text.decode(errors="replace").splitlines() for text in (predicted, native))
    for number in range(max(len(left), len(right))):
        pair = [lines[number] if number < len(lines) else "end" for lines in (left, right)]
        if pair[0] != pair[1]:
            return f"{pair[0]} | {pair[1]}"
    return "only line ends differ"


def differences(out: pathlib.Path, program: pathlib.Path, place: pathlib.Path) -> tuple[int, list]:
    """The number of tests that were compared, and where each that differs does so first."""
    compared, found = 0, []
    lines = (out / "outcomes.jsonl").read_text().splitlines()
    for outcome in map(json.loads, lines):
        if outcome["end"] == {"exit": call_programs.NO_INPUT}:
            # No real file refuses to be read as this path's did.
            continue
        masked = any("masked" in outcome.get(name, {}) for name in ("stdout", "stderr"))
        if masked or outcome.get("unstable") or not {"exit", "signal"} & set(outcome["end"]):
            continue
        test = outcome["test"]
        try:
            end, *streams = ran(program, out / f"{test}.ktest", place)
        except subprocess.TimeoutExpired:
            found.append("no end natively")
            continue
        compared += 1
        for name, native in zip(("stdout", "stderr"), streams, strict=True):
            path = out / f"{test}.{name}"
            predicted = path.read_bytes() if path.exists() else b""
            if predicted != native:
                found.append(f"{name}: {first_difference(predicted, native)}")
                break
        else:
            if number_of(end) != number_of(outcome["end"]):
                found.append(f"ends: {outcome['end']} | {end}")
    return compared, found
