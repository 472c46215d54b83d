"""Native executions of programs: their start directory and output.

A program that is compared with its native run starts in the same small directory in both, with the
same environment.
"""

import pathlib
import subprocess
import typing

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


class Outcome(typing.NamedTuple):
    """What a program did: its two streams and its exit status, or a name for another end."""

    stdout: bytes
    stderr: bytes
    status: str


def starting_directory(directory: pathlib.Path) -> pathlib.Path:
    """Where the programs of tests/data/runtime/programs start: a file, links, a folder."""
    (directory / "sub").mkdir(parents=True)
    for path in (directory, directory / "sub"):
        path.chmod(0o755)
    (directory / "host.txt").write_text("host file\n")
    (directory / "sub/inner").write_text("inner\n")
    (directory / "link").symlink_to("host.txt")
    (directory / "loop").symlink_to("loop")
    return directory


def environment_file(scratch: pathlib.Path) -> pathlib.Path:
    """The same environment for `homi run --env-file`."""
    path = scratch / "environment"
    path.write_text("".join(f"{name}={value}\n" for name, value in ENVIRONMENT.items()))
    return path


def quietly(command: list, **kwargs: typing.Any) -> subprocess.CompletedProcess:
    """Runs a command with nothing to read and its output kept as bytes."""
    options = {"capture_output": True, "stdin": subprocess.DEVNULL, "check": False} | kwargs
    return subprocess.run([str(arg) for arg in command], **options)


def run(
    executable: pathlib.Path,
    args: list[str],
    directory: pathlib.Path,
    limit: float,
    stdin: pathlib.Path | None = None,
) -> Outcome | None:
    """Runs a native program; none if it takes longer than so many seconds."""
    source = stdin.open("rb") if stdin else subprocess.DEVNULL
    try:
        done = quietly(
            args,
            executable=executable,
            cwd=directory,
            env=ENVIRONMENT,
            stdin=source,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return None
    finally:
        if stdin:
            source.close()
    status = str(done.returncode) if done.returncode >= 0 else "signal"
    return Outcome(done.stdout, done.stderr, status)
