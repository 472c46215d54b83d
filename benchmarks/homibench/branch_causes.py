"""Classes of lines to which clang and gcc give different numbers of branches.

A line that differs gets the first class that fits it; "other" must stay small.
"""

import collections
import re

Place = tuple[str, int]

CLASSES = {
    "moved": "The same branches on a neighbouring line: clang puts the condition of "
    "do-while at the closing brace, that of a switch at `switch`, parts of an "
    "expression over several lines at their operands; gcc at `while`, at the "
    "first case, at the expression's first line.",
    "dropped": "gcc has no code on the line: comparisons that the types decide (`SIZE_MAX "
    "< n`) and what they guard are folded before gcov counts; clang -O0 keeps "
    "them as branches on a constant.",
    "overflow macro": "gnulib's INT_MULTIPLY_WRAPV and its like: with gcc one call of "
    "__builtin_mul_overflow, with clang an expression of many ternaries for all "
    "the types that it might meet.",
    "ternary": "A ternary whose arms need no evaluation: a select instruction with clang, "
    "a branch with gcc.",
    "logical value": "`&&` and `||` whose value is stored, returned or passed: clang takes the "
    "last operand's value, gcc branches on it too (two more per expression).",
    "comparison value": "A comparison used as a number (`1 + (a == b)`): an extension with clang, "
    "a branch with gcc.",
    "joined conditions": "gcc folds neighbouring conditions into one before it counts (`c == ' ' "
    "|| c == '\\t'` in a condition, ranges, both sides equal); clang keeps each.",
    "va_arg": "clang expands va_arg to a branch between register and stack, gcc leaves it "
    "to a later pass.",
    "min, max, abs": "MAX, MIN and ABS macros are one operation for gcc and a branch for clang.",
    "switch": "A switch: gcc counts an edge per distinct target that its tree form has, "
    "clang those of the bitcode; cases that fall together or repeat the default "
    "differ.",
    "header": "Headers that are not among the sources: gnulib's generated ones and the "
    "compiler's own; each compiler has its own lines and macros there.",
    "other": "None of these; mostly conditions inside function-like macros and inlined "
    "helpers, whose branches the compilers put on different lines in unequal "
    "numbers (see the examples).",
}

# Ends of a statement's text.
ENDS = (";", "{", "}", ":", "*/")


def statement(source: list[str], line: int) -> str:
    """The line with those around it that belong to the same statement, roughly."""
    first = last = line - 1

    def goes_on(text: str) -> bool:
        return bool(text.strip()) and not text.rstrip().endswith(ENDS)

    while first > 0 and line - first < 8 and goes_on(source[first - 1]):
        first -= 1
    while last + 1 < len(source) and last - line < 8 and not source[last].rstrip().endswith(ENDS):
        last += 1
    return " ".join(part.strip() for part in source[first : last + 1])


def moved_lines(differences: dict[Place, int]) -> set[Place]:
    """Lines whose differences cancel with a neighbour's, at most 12 lines away, nearest first."""
    by_file: dict[str, list[list[int]]] = collections.defaultdict(list)
    for (file, line), difference in sorted(differences.items()):
        by_file[file].append([line, difference])
    return {
        (file, line)
        for file, entries in by_file.items()
        for distance in range(1, 13)
        for line in _cancelled(entries, distance)
    }


def _cancelled(entries: list[list[int]], distance: int) -> list[int]:
    """Lines of pairs so far apart that sum to nothing; their differences become zero."""
    found = []
    for index, entry in enumerate(entries):
        for other in entries[index + 1 :]:
            if other[0] - entry[0] > distance:
                break
            if entry[1] and entry[1] == -other[1]:
                found += [entry[0], other[0]]
                entry[1] = other[1] = 0
    return found


def class_of(has_code: bool, clang: int, gcc: int, text: str, whole: str) -> str:
    """The class of a line with so many sides by clang and branches by gcc."""
    if not text:
        return "header"
    if clang and not gcc and not has_code:
        return "dropped"
    if re.search(r"INT_\w+_(WRAPV|OVERFLOW|OK)|_WRAPV|ckd_|xalloc_oversized", whole):
        return "overflow macro"
    if re.search(r"\bswitch\b|\bcase\b|\bdefault:", text):
        return "switch"
    return (_more_by_gcc(whole) if gcc > clang else _fewer_by_gcc(text, whole)) or "other"


def _more_by_gcc(whole: str) -> str | None:
    if "?" in whole:
        return "ternary"
    if "&&" in whole or "||" in whole:
        return "logical value"
    return "comparison value" if re.search(r"[=!<>]=|[<>]|!", whole) else None


def _fewer_by_gcc(text: str, whole: str) -> str | None:
    if "va_arg" in text:
        return "va_arg"
    if re.search(r"\b\w*(MAX|MIN|ABS) ?\(", text):
        return "min, max, abs"
    if re.search(r"&&|\|\||\?", whole):
        return "joined conditions"
    return "dropped" if re.search(r"_MAX|_MIN|sizeof|< 0|>= 0", whole) else None
