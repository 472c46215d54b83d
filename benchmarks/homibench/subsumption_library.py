"""Statements that call the C library and the kernel, which keep what paths do, as C.

Each form adds lines to a `subsumption_programs.Program`.
"""

import typing

if typing.TYPE_CHECKING:
    from homibench.subsumption_programs import Program


def copied(p: "Program") -> None:
    """Lengths of the library's functions that paths choose."""
    length = p.fresh("l")
    p.put(f"unsigned {length} = {p.random.choice([p.index(8), '2'])};")
    p.put(f"if ({p.condition()}) {length} = {p.random.randrange(1, 9)};")
    how = p.random.randrange(3)
    if how == 0:
        p.put(f"memset(bytes + 1, {p.random.randrange(1, 4)}, {length});")
    elif how == 1:
        p.put(f'memcpy(bytes, "\\1\\2\\3\\4\\0\\5\\6\\7\\0", {length});')
    else:
        p.put(f"memmove(bytes + 2, bytes, {length}); bytes[{length} + 1] = {p.value()};")
    p.put(f"{p.target()} = bytes[{p.random.randrange(1, 9)}];")


def worded(p: "Program") -> None:
    """Words that are measured and compared."""
    word = p.fresh("word")
    p.put(f'char {word}[12] = "{p.random.choice(["abc", "ab", "a"])}";')
    if p.random.random() < 0.5:
        p.put(f'if ({p.condition()}) strcpy({word}, "{p.random.choice(["abd", "ab", ""])}");')
    if p.random.random() < 0.5:
        p.put(f"{word}[{p.index(4)}] = (char)('a' + ({p.number()} & 3));")
    if p.random.random() < 0.5:
        p.put(f'if ({p.tested(f"strcmp({word}, {chr(34)}abc{chr(34)}) == 0")}) {p.assign()}')
    else:
        p.put(f"{p.target()} = (int)strlen({word});")


def cut(p: "Program") -> None:
    """strtok, which keeps in the library how far it came."""
    text = p.fresh("text")
    p.put(f'char {text}[8] = "a,bc,d"; strtok({text}, ",");')
    more = p.random.choice(['","', '"c"'])
    p.put(f"if ({p.condition()}) strtok(0, {more});", p.between())
    p.put(f'{{ char *next = strtok(0, ","); {p.target()} = next ? *next - 96 : 0; }}')


def with_errno(p: "Program") -> None:
    """errno that one path sets."""
    p.put(f"if ({p.condition()}) errno = {p.random.choice(['ENOENT', '1', '0'])};", p.between())
    p.put(f"if ({p.tested('errno != 0')}) {p.assign()}")


def rounded(p: "Program") -> None:
    """The rounding mode that one path sets, or a flag of floating point that it raises."""
    # Optimisers drop a division for which only its flag is wanted.
    if p.level != "-O0" or p.random.random() < 0.5:
        p.put(f"if ({p.condition()}) fesetround(FE_UPWARD);", p.between())
        p.put(f"{p.target()} = third() > 0.33333333333333332;", "fesetround(FE_TONEAREST);")
    else:
        p.put("feclearexcept(FE_ALL_EXCEPT);", f"if ({p.condition()}) (void)third();")
        p.put(p.between(), f"{p.target()} = fetestexcept(FE_INEXACT) != 0;")


def piped(p: "Program") -> None:
    """A pipe into which one path writes more."""
    name, room = p.fresh("ends"), p.fresh("room")
    p.put(f"int {name}[2]; char {room}[8] = {{0}}; if (pipe({name})) return;")
    p.put(f'if ({p.condition()}) (void)!write({name}[1], "\\1\\2", 2);', p.between())
    p.put(f'(void)!write({name}[1], "\\3", 1);')
    p.put(f"{p.target()} = read({name}[0], {room}, {p.random.randrange(2, 5)}) + {room}[0];")
    p.put(f"close({name}[0]); close({name}[1]);")


def in_environment(p: "Program") -> None:
    """A variable of the environment that paths set differently."""
    p.put(f'setenv("KIND", "{p.random.choice(["", "a"])}", 1);')
    p.put(f'if ({p.condition()}) setenv("KIND", "{p.random.choice(["a", "bc"])}", 1);', p.between())
    p.put(f'{p.target()} = (int)strlen(getenv("KIND"));')


def variadic(p: "Program") -> None:
    """A function of a variable number of arguments, as many as the path says."""
    count = p.fresh("n")
    p.put(f"int {count} = 2;", f"if ({p.condition()}) {count} = {p.random.randrange(1, 4)};")
    p.put(f"{p.target()} = all({count}, (int){p.value()}, (int){p.value()}, (int){p.number()});")


def sorted_numbers(p: "Program") -> None:
    """qsort of three numbers."""
    name = p.fresh("q")
    p.put(f"int {name}[3] = {{(int){p.value()}, (int){p.value()}, {p.number()}}};", p.between())
    p.put(f"qsort({name}, 3, sizeof *{name}, by_value);", f"{p.target()} = {name}[1];")


FORMS = [
    copied,
    worded,
    cut,
    with_errno,
    rounded,
    piped,
    in_environment,
    variadic,
    sorted_numbers,
]
