#!/usr/bin/env python3
"""Makes homi's copy of musl: the release tarball, plus our overlay and patches.

usage: prepare.py TARBALL GNULIB TREE [i386]

With i386 the copy is for 32-bit programs: types and structures of that machine, and on top of the
overlay what is in overlay-i386/. Numbers of system calls and what the kernel reads and writes are
x86-64's all the same, as in Linux' x32.

GNULIB is a release tarball with those files of gnulib that are glibc's (coreutils has them).

Idea: no file of musl is kept in this repository; what must differ is a file of ours (overlay/, found
by musl's own rule that src/X/homi/f.c replaces src/X/f.c) or a patch (patches/), which says why. A
patch that does not apply stops the set-up, so a new musl release cannot slip through half patched.
A file is written only when its content changes, so that make rebuilds only what is needed.
"""

import ctypes
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True

import patching  # noqa: E402  (its folder is this one; no bytecode is left in it)

HERE = pathlib.Path(__file__).resolve().parent
SHIM = HERE.parent / "glibc"

# Not compiled: the allocator is the executor's, and the families that runtime/glibc/ writes anew (see the
# first lines of each file there for why).
DROPPED = [
    "src/malloc/**/*",
    "src/thread/pthread_mutex_*.c",
    "src/thread/pthread_mutexattr_set[rt]*.c",
    "src/thread/pthread_mutexattr_setprotocol.c",
    "src/thread/pthread_barrier_[diw]*.c",
    "src/thread/mtx_init.c",
    "src/thread/mtx_lock.c",
    "src/thread/mtx_trylock.c",
    "src/signal/siglongjmp.c",
    "src/ldso/dl_iterate_phdr.c",
    "src/legacy/valloc.c",
    "src/legacy/getdtablesize.c",
    "src/process/posix_spawnattr_sched.c",
    "src/prng/random.c",
    "src/prng/rand.c",
    "src/prng/rand_r.c",
    "src/search/t*.c",
    "src/math/nan*.c",
    "src/misc/dirname.c",
    "src/misc/basename.c",
    "src/misc/nftw.c",
    "src/legacy/ftw.c",
    "src/misc/getopt.c",
    "src/misc/getopt_long.c",
    "src/errno/strerror.c",
    "src/string/strerror_r.c",
    "src/string/strsignal.c",
    "src/stdlib/qsort.c",
    "src/stdlib/qsort_nr.c",
    "src/stdlib/strtol.c",
    "src/stdlib/[efg]cvt.c",
    "src/conf/sysconf.c",
    "src/conf/*pathconf.c",
    "src/thread/pthread_attr_destroy.c",
    "src/stdlib/ato[il].c",
    "src/stdlib/atoll.c",
    "src/string/strstr.c",
    "src/string/memmem.c",
    "src/regex/reg*.c",
    "src/regex/tre*",
    "src/regex/fnmatch.c",
    "src/regex/glob.c",
    "src/locale/strfmon.c",
    "src/misc/mntent.c",
    "src/network/inet_legacy.c",
    "src/network/inet_aton.c",
    "src/network/ether.c",
    "src/network/gai_strerror.c",
    "src/network/hstrerror.c",
    "src/time/strftime.c",
    "src/time/wcsftime.c",
    "src/time/strptime.c",
    "src/time/mktime.c",
    "src/time/asctime*.c",
    "src/sched/sched_[gs]et[sp]*r*.c",
    "src/ctype/is*.c",
    "src/ctype/to*.c",
    "src/ctype/wc*s.c",
    "src/ctype/wcwidth.c",
    "src/ctype/__ctype_to*_loc.c",
    "src/multibyte/*.c",
    *(f"src/math/{name}{suffix}.c" for name in ("ceil", "floor", "trunc", "rint", "nearbyint", "fabs", "sqrt")
      for suffix in ("", "f", "l")),
]
# Of gnulib, what is glibc's: regular expressions (their header takes the place of musl's), mktime. Files of glibc/ include them.
GNULIB = """regex.c regcomp.c regexec.c regex_internal.c regex_internal.h regex.h intprops.h verify.h
    mktime.c mktime-internal.h""".split()
# Dropped folders' files that stay.
KEPT = ["src/malloc/reallocarray.c"]


def is_of_i386(parts):
    """Whether a file of arch/ is part of the copy for 32-bit programs."""
    if parts[1] == "i386":
        return parts[2] == "bits" and parts[-1] != "syscall.h.in"
    return parts[1] == "generic" or parts[1:] in (("x86_64", "bits", "syscall.h.in"), ("x86_64", "ksigaction.h"))


def wanted(name, dropped, is_narrow):
    """Whether the tarball's member is part of the copy: sources and headers, no other machine's files."""
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "compat":
        return is_narrow or parts[-1] in ("__xstat.c", "time32.h")
    if parts[0] == "arch" and is_narrow:
        return is_of_i386(parts)
    if parts[0] == "arch":
        return parts[1] == "generic" or (parts[1] == "x86_64" and (
            parts[2] == "bits" or parts[2] in ("kstat.h", "ksigaction.h")))
    if parts[0] == "src":
        if len(parts) > 3 and parts[1] not in ("malloc", "include"):
            return False  # src/X/ARCH/
        return name in KEPT or name not in dropped
    return parts[0] in ("include", "tools") or name in ("VERSION", "COPYRIGHT")


def messages():
    """The machine's own texts of errors and signals (Python asks its C library), and names of errors, as an X-macro list in C."""
    lines = ["/* Made by prepare.py from this machine's C library. */"]
    for number in range(134):
        text = os.strerror(number)
        if not text.startswith("Unknown error"):
            lines.append(f"ERROR_TEXT({number}, {json.dumps(text)})")
    name_of = ctypes.CDLL(None).strerrorname_np
    name_of.restype = ctypes.c_char_p
    for number in range(134):
        name = name_of(number)
        if name:
            lines.append(f"ERROR_NAME({number}, {json.dumps(name.decode())})")
    for number in range(1, 32):
        text = signal.strsignal(number)
        if text:
            lines.append(f"SIGNAL_TEXT({number}, {json.dumps(text)})")
    return "\n".join(lines).encode() + b"\n"


def asked(name):
    """What a program of ask/ prints when it runs on this machine: facts of its C library, as C."""
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / name
        subprocess.run(["clang-19", "-O1", "-w", HERE / "ask" / f"{name}.c", "-o", program], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout


def locales():
    """The names of the locales with UTF-8 that this machine has, as C."""
    listed = subprocess.run(["locale", "-a"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    names = {"C.utf8"}.union(name for name in listed if name.partition("@")[0].lower().endswith((".utf8", ".utf-8")))
    return "".join(f"{json.dumps(name)},\n" for name in sorted(names)).encode()


def gnulib_files(tarball):
    """What is glibc's of a tarball that has gnulib."""
    result = {}
    with tarfile.open(tarball) as archive:
        for member in archive:
            parts = member.name.split("/")
            if parts[1:-1] == ["lib"] and parts[-1] in GNULIB:
                result["gnulib/" + parts[-1]] = archive.extractfile(member).read()
    missing = [name for name in GNULIB if "gnulib/" + name not in result]
    if missing:
        sys.exit(f"prepare.py: {tarball} has no lib/{missing[0]}")
    result["include/regex.h"] = result.pop("gnulib/regex.h")
    return result


def main(tarball, gnulib, tree, machine="x86_64"):
    tree = pathlib.Path(tree)
    is_narrow = machine == "i386"
    files = {}
    with tarfile.open(tarball) as archive:
        for member in archive:
            if member.isfile():
                files[member.name.split("/", 1)[1]] = archive.extractfile(member).read()

    dropped = {name for name in files for pattern in DROPPED if pathlib.PurePosixPath(name).match(pattern)}
    for pattern in DROPPED:
        if not any(pathlib.PurePosixPath(name).match(pattern) for name in files):
            sys.exit(f"prepare.py: nothing in {tarball} matches {pattern}")
    result = {}
    for name, content in files.items():
        if name.startswith("src/malloc/") and name not in KEPT:
            continue
        if wanted(name, dropped, is_narrow):
            # Struct layouts, numbers of system calls: the kernel's for x86-64, as glibc's.
            result[name.replace("arch/x86_64/", "arch/homi/").replace("arch/i386/", "arch/homi/")] = content

    for patch in sorted((HERE / "patches").glob("*.patch")):
        try:
            patching.apply(patch, result)
        except patching.PatchError as error:
            sys.exit(f"prepare.py: {error}")

    overlays = [HERE / "overlay"] + [HERE / "overlay-i386"] * is_narrow
    for overlay, path in [(overlay, path) for overlay in overlays for path in sorted(overlay.rglob("*"))]:
        if path.is_file():
            name = str(path.relative_to(overlay))
            result[name] = path.read_bytes()
            if "/homi/" in name and name.startswith("src/"):
                replaced = name.replace("/homi/", "/")
                if replaced not in result:
                    sys.exit(f"prepare.py: {name} replaces nothing")
                del result[replaced]
    result.update(gnulib_files(gnulib))
    result["src/internal/homi_messages.h"] = messages()
    result["src/internal/homi_locales.h"] = locales()
    result["src/internal/homi_wide_tables.h"] = asked("wide_characters")
    result["src/internal/homi_character_sets.h"] = asked("character_sets")
    result["src/glibc/system_table.c"] = asked("system_values")
    for path in sorted(SHIM.glob("*.[ch]")):
        result[f"src/glibc/{path.name}"] = path.read_bytes()

    for old in sorted(tree.rglob("*"), reverse=True):
        if old.is_file() and str(old.relative_to(tree)) not in result:
            old.unlink()
    for name, content in result.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
