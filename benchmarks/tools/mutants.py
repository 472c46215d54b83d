"""Mutants of a C file and what a kept suite says of them.

usage: mutants.py FILE.c TESTS FUNCTION... [-- CFLAGS]

FILE.c is the mutated file; TESTS is the directory with test_FUNCTION.c or run.sh, which names
FILE.c by a relative path; only the bodies of the functions are changed. A mutant with the object
of the original at -O2 is dropped, as is one that does not compile.
"""

import json, os, random, shutil, subprocess, sys, tempfile

SWAPS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"],
}
BOUNDARY = {("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")}


def place(node, which):
    at = node.get("range", {}).get(which, {})
    at = at.get("expansionLoc", at)
    return at.get("offset"), at.get("tokLen", 0), "includedFrom" in at


def mutations(tree, text, functions):
    found = []

    def walk(node, inside):
        kind = node.get("kind")
        if kind == "FunctionDecl":
            is_body = any(one.get("kind") == "CompoundStmt" for one in node.get("inner", []))
            inside = node.get("name") in functions and is_body
        inner = [one for one in node.get("inner", []) if one]
        if inside and kind == "BinaryOperator" and node["opcode"] in SWAPS and len(inner) == 2:
            end, length, _ = place(inner[0], "end")
            begin, _, _ = place(inner[1], "begin")
            if end is not None and begin is not None and end < begin:
                between = text[end + length:begin]
                at = between.find(node["opcode"])
                if at >= 0:
                    at += end + length
                    for new in SWAPS[node["opcode"]]:
                        sort = "boundary" if (node["opcode"], new) in BOUNDARY else "operator"
                        found.append((at, len(node["opcode"]), new, sort))
        if inside and kind == "IntegerLiteral":
            at, length, other = place(node, "begin")
            if at is not None and not other and text[at:at + length].isdigit():
                value = int(text[at:at + length], 0 if text[at] != "0" else 8)
                for new in (value + 1, value - 1):
                    if new >= 0:
                        found.append((at, length, str(new), "constant"))
        if inside and kind == "IfStmt" and inner:
            at, _, _ = place(inner[0], "begin")
            end, length, _ = place(inner[0], "end")
            if at is not None and end is not None and at <= end:
                old = text[at:end + length]
                found.append((at, len(old), f"!({old})", "negated"))
        for one in inner:
            walk(one, inside)

    walk(tree, False)
    return sorted(set(found))


def run(command, directory, seconds=20):
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, timeout=seconds)
        return done.returncode
    except subprocess.TimeoutExpired:
        return -1


def main():
    words, flags = sys.argv[1:], []
    if "--" in words:
        at = words.index("--")
        words, flags = words[:at], words[at + 1:]
    source, tests, functions = words[0], words[1], words[2:]
    root = os.getcwd()
    text = open(source, encoding="latin-1").read()
    dump = subprocess.run(
        ["clang-19", "-fsyntax-only", "-Xclang", "-ast-dump=json", *flags, source],
        capture_output=True, check=True)
    every = mutations(json.loads(dump.stdout), text, set(functions))
    random.Random(1).shuffle(every)
    every = every[:200]
    counts = {}
    with tempfile.TemporaryDirectory() as scratch:
        copy = os.path.join(scratch, "copy")
        ignore = shutil.ignore_patterns("homi-*", ".git", "build")
        shutil.copytree(root, copy, ignore=ignore)
        mutated, plain = os.path.join(copy, source), os.path.join(scratch, "plain.o")
        compile_one = ["gcc", "-O2", "-w", "-c", *flags, source, "-o"]
        assert run([*compile_one, plain], root) == 0
        for at, length, new, sort in every:
            with open(mutated, "w", encoding="latin-1") as out:
                out.write(text[:at] + new + text[at + length:])
            other = os.path.join(scratch, "other.o")
            if run([*compile_one, other], copy) != 0:
                continue
            if open(other, "rb").read() == open(plain, "rb").read():
                continue
            killed = False
            for function in functions:
                test = os.path.join(copy, tests, f"test_{function}.c")
                if os.path.exists(test):
                    exe = os.path.join(scratch, "test")
                    if run(["gcc", "-w", *flags, test, "-o", exe, "-lm"], copy) != 0:
                        continue
                    killed |= run([exe], scratch) != 0
            script = os.path.join(copy, tests, "run.sh")
            if os.path.exists(script):
                exe = os.path.join(copy, os.path.splitext(os.path.basename(source))[0])
                if run(["gcc", "-w", *flags, source, "-o", exe, "-lm"], copy) == 0:
                    os.chmod(scratch, 0o755)
                    subprocess.run(["chmod", "-R", "a+rwX", scratch])
                    user = ["setpriv", "--reuid=65534", "--clear-groups"]
                    killed |= run([*user, "sh", script, exe], copy, 120) != 0
            all_, dead = counts.get(sort, (0, 0))
            counts[sort] = (all_ + 1, dead + killed)
            if not killed and sort in ("boundary", "constant"):
                line = text.count("\n", 0, at) + 1
                print(f"  alive: {source}:{line} {text[at:at + length]} -> {new}", file=sys.stderr)
    for sort, (all_, dead) in sorted(counts.items()):
        print(f"{sort}: {dead} of {all_}")
    print(f"all: {sum(dead for _, dead in counts.values())} of {sum(a for a, _ in counts.values())}")


main()
