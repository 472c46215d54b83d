"""Statements about pointers, objects and jumps, as C.

Each form adds lines to a `subsumption_programs.Program`.
"""

import typing

from homibench.subsumption_values import assigned

if typing.TYPE_CHECKING:
    from homibench.subsumption_programs import Program


def pointed(p: "Program") -> None:
    """A pointer to one of two variables, maybe the same, written through."""
    name = p.fresh("p")
    p.put(f"int *{name} = &{p.integer()};")
    p.put(f"if ({p.condition()}) {name} = &{p.integer()};", p.between())
    p.put(f"*{name} {p.random.choice(['=', '+='])} {p.value()};", f"{p.target()} += *{name};")


def same(p: "Program") -> None:
    """Two pointers that may be the same one."""
    one, two = p.fresh("p"), p.fresh("p")
    p.put(f"int *{one} = &cells[{p.index(4)}], *{two} = &cells[{p.random.randrange(4)}];")
    p.put(f"if ({p.condition()}) {two} = {one};", f"*{one} = 1; *{two} = {p.value()};")
    test = p.random.choice([f"{one} == {two}", f"{one} < {two}", f"*{one} == 1"])
    p.put(f"if ({p.tested(test)}) {p.assign()}")


def walked(p: "Program") -> None:
    """A pointer that goes through an array."""
    name = p.fresh("p")
    p.put(f"unsigned char *{name} = bytes;")
    p.put(f"while ({p.tested(f'{name} < bytes + {p.index(8)}')}) *{name}++ = {p.value()};")
    p.put(f"{p.target()} = (int)({name} - bytes);")


def chosen(p: "Program") -> None:
    """A table of pointers, of which the input chooses one."""
    name = p.fresh("t")
    p.put(f"int *{name}[4] = {{&{p.integer()}, &{p.integer()}, &cells[2], &{p.integer()}}};")
    p.put(f"*{name}[{p.index(4)}] += {p.value()};")
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'*{name}[{p.index(4)}] == {p.random.randrange(4)}')}) {p.assign()}")


def picked(p: "Program") -> None:
    """An element of an array of structures, by a pointer that the input or a path chooses."""
    name, array = p.fresh("s"), p.fresh("pairs")
    p.put(f"struct pair {array}[4] = {{{{1, 2, {{0, 1}}}}, {{2, 2, {{1, 0}}}}, S, {{1, 1}}}};")
    p.put(f"struct pair *{name} = &{array}[{p.index(4)}];")
    p.put(f"if ({p.condition()}) {name} = {p.random.choice(['&S', f'{array} + 1'])};")
    p.put(f"{name}->p += {p.value()};", p.between())
    p.put(f"if ({p.tested(f'{name}->r[1] == {array}[0].q - 1')}) {name}->q = {p.value()};")
    p.put(f"{p.target()} = {array}[1].p + {name}->q;")


def allocated(p: "Program") -> None:
    """An object of a size that the input says, written at a place that may be too far."""
    if not p.may_fault():
        return assigned(p)
    n, name, size = p.place("m"), p.fresh("h"), p.fresh("size")
    p.put(f"unsigned {size} = {p.random.randrange(1, 5)} + {p.index(8)};")
    p.put(f"unsigned char *{name} = calloc({size}, 1);", p.between())
    at = p.random.choice([str(p.random.randrange(1, 8)), p.index(4)])
    p.put(f"if ({p.condition()} && {p.condition()}) {{ FINE({n}, {at} < {size});")
    p.put(f"  {name}[{at}] = {p.value()}; }}", f"{p.target()} += {name}[0];")
    return None


def copied_whole(p: "Program") -> None:
    """A structure that is copied, changed and copied back on one path."""
    name = p.fresh("s")
    p.put(f"struct pair {name} = S;", f"{name}.p += {p.value()}; {name}.r[1] = {p.value()};")
    p.put(f"if ({p.condition()}) S = {name}; else S.q = {p.value()};")
    p.touched += ["S.p", "S.q"]


def gone(p: "Program") -> None:
    """An object that one path frees and another uses, or frees too."""
    if not p.may_fault():
        return assigned(p)
    n, name, model = p.place("m"), p.fresh("h"), p.fresh("freed")
    p.put(f"int *{name} = calloc(2, sizeof(int)); MODEL(int {model} = 0;)")
    text = p.raw_condition()
    p.put(f"if ({p.tested(text)}) {{ free({name}); MODEL({model} = 1;) }}", p.between())
    guard = f"!{text}" if p.random.random() < 0.6 else p.raw_condition()
    p.put(f"if ({p.tested(guard)}) {{ FINE({n}, !{model});")
    if p.random.random() < 0.5:
        p.put(f"  {p.target()} = {name}[1]; }}")
    else:
        p.put(f"  free({name}); {p.assign()} }}")
    return None


def null(p: "Program") -> None:
    """A pointer that is null on one path."""
    if not p.may_fault():
        return assigned(p)
    n, name = p.place("m"), p.fresh("p")
    p.put(f"int *{name} = &{p.integer()};", f"if ({p.condition()}) {name} = 0;", p.between())
    p.put(f"if ({p.condition()} && {p.condition()}) {{ FINE({n}, {name} != 0);")
    p.put(f"  *{name} = {p.value()}; }}")
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'{name} != 0')}) {p.target()} = *{name};")
    return None


def protected(p: "Program") -> None:
    """A write to what is constant on one path."""
    if not p.may_fault():
        return assigned(p)
    n, name, model = p.place("m"), p.fresh("text"), p.fresh("fixed")
    p.put(f"char own{name}[4] = {{1, 2, 3, 0}}, *{name} = own{name}; MODEL(int {model} = 0;)")
    p.put(f'if ({p.condition()}) {{ {name} = (char *)"\\1\\2\\3"; MODEL({model} = 1;) }}')
    p.put(p.between(), f"if ({p.condition()} && {p.condition()}) {{ FINE({n}, !{model});")
    p.put(f"  {name}[0] = {p.value()}; }}", f"{p.target()} += {name}[0];")
    return None


def by_pointer(p: "Program") -> None:
    """A function by pointer."""
    name = p.fresh("f")
    p.put(f"int (*{name})(int) = plus;")
    p.put(f"if ({p.condition()}) {name} = {p.random.choice(['twice', 'least', 'plus'])};")
    p.put(p.between(), f"{p.target()} = {name}((int){p.value()});")
    if p.random.random() < 0.3:
        p.put(f"if ({p.tested(f'{name} == plus')}) {p.assign()}")


def linked(p: "Program") -> None:
    """A list on the heap whose order and length paths choose."""
    name, at = p.fresh("list"), p.fresh("at")
    p.put(f"struct link *{name} = 0, *{at};")
    for _ in range(p.random.randrange(2, 4)):
        text = f"if ({p.condition()}) " if p.random.random() < 0.7 else ""
        p.put(f"{text}{{ {at} = malloc(sizeof *{at});")
        p.put(f"  {at}->value = {p.value()}; {at}->next = {name}; {name} = {at}; }}")
    i, target = p.fresh("i"), p.target()
    p.put(f"int {i} = 1;", f"for ({at} = {name}; {p.tested(f'{at} != 0')}; {at} = {at}->next)")
    p.put(f"  {target} += {at}->value * {p.random.choice([i, f'{i}++'])};")


def ordered(p: "Program") -> None:
    """Two objects that are made in either order, and hold the same or not."""
    one, two = p.fresh("h"), p.fresh("h")
    made = [f"{name} = calloc(1, sizeof(int));" for name in (one, two)]
    p.put(f"int *{one}, *{two};", f"if ({p.condition()}) {{ {made[0]} {made[1]} }}")
    p.put(f"else {{ {made[1]} {made[0]} *{p.random.choice([one, two])} = {p.value()}; }}")
    p.put(p.between(), f"*{one} += {p.value()};", f"{p.target()} = *{one} - *{two};")


def hidden(p: "Program") -> None:
    """A pointer kept as a number with a key."""
    name = p.fresh("u")
    p.put(f"uintptr_t {name} = (uintptr_t)&{p.integer()} ^ 5;")
    p.put(f"if ({p.condition()}) {name} = (uintptr_t)&{p.integer()} ^ 5;", p.between())
    p.put(f"*(int *)({name} ^ 5) = {p.value()};")


def jumped(p: "Program") -> None:
    """A jump to one of two places."""
    if p.level != "-O0":
        return assigned(p)
    done = p.fresh("done")
    p.put(f"if ({p.condition()}) {{ if (setjmp(jump)) {{ {p.assign()} goto {done}; }} }}")
    p.put(f"else if (setjmp(jump)) {{ {p.assign()} goto {done}; }}")
    # What a local is worth that changed since setjmp, C does not say.
    p.put(f"{p.random.choice(['G0', 'G1', 'S.p'])} = {p.value()};")
    p.put(f"if ({p.condition()}) longjmp(jump, 1);", p.assign(), f"{done}:;")
    return None


def of_length(p: "Program") -> None:
    """A local array whose length paths choose."""
    if p.level != "-O0":
        return assigned(p)
    name, length = p.fresh("v"), p.fresh("l")
    p.put(f"unsigned {length} = 2;", f"if ({p.condition()}) {length} = {p.random.randrange(1, 5)};")
    p.put(f"{{ unsigned char {name}[{length}]; memset({name}, {p.value()}, {length});")
    p.put(f"  {p.target()} = {name}[{length} - 1] + sizeof {name}; }}")
    return None


FORMS = [
    pointed,
    pointed,
    same,
    walked,
    chosen,
    picked,
    allocated,
    copied_whole,
    gone,
    gone,
    null,
    protected,
    by_pointer,
    linked,
    linked,
    ordered,
    hidden,
    jumped,
    of_length,
]
