"""Statements about blocks of the heap that paths make, link and free in their own order, as C.

Each form adds lines to a `subsumption_programs.Program`. Natively a block that was made later lies
at a higher address, and no address comes again; so it is in homi for blocks of a page at most.
"""

import typing

from homibench.subsumption_values import assigned

if typing.TYPE_CHECKING:
    from homibench.subsumption_programs import Program


def _blocks(p: "Program", count: int, kind: str = "int") -> list[str]:
    """Pointers to that many blocks, which paths make in different orders and numbers."""
    names = [p.fresh("h") for _ in range(count)]
    p.put(f"{kind} {', '.join('*' + name for name in names)};")
    makes = [f"{name} = calloc(2, sizeof *{name});" for name in names]
    others = p.random.sample(makes, count)
    if p.random.random() < 0.5:
        others.insert(p.random.randrange(count), f"(void)calloc(1, {p.random.randrange(1, 40)});")
    p.put(f"if ({p.condition()}) {{ {' '.join(makes)} }}", f"else {{ {' '.join(others)} }}")
    return names


def twins(p: "Program") -> None:
    """Two blocks and a pointer to one of them, which is used, compared, or measured from."""
    one, two = _blocks(p, 2)
    name = p.fresh("p")
    p.put(f"int *{name} = {one};", f"if ({p.condition()}) {name} = {two};", p.between())
    p.put(f"*{one} = {p.value()}; *{name} += {p.value()};")
    tests = [f"{name} == {two}", f"{one} < {two}", f"{name} <= {one}", f"*{one} == *{two}"]
    tests += [f"(uintptr_t){name} > (uintptr_t){two}", f"{two} - {name} > 0"]
    tests.append(f"{name} + 1 == {two}")
    p.put(f"if ({p.tested(p.random.choice(tests))}) {p.assign()}")
    p.put(f"{p.target()} = *{one} + 2 * *{two};")


def swapped(p: "Program") -> None:
    """Blocks of two sizes that change places; an index may be too large for one of them."""
    if not p.may_fault():
        return assigned(p)
    n, one, two, model = p.place("m"), p.fresh("h"), p.fresh("h"), p.fresh("small")
    p.put(f"char *{one} = calloc(4, 1), *{two} = calloc(8, 1); MODEL(int {model} = 1;)")
    p.put(f"if ({p.condition()}) {{ char *t = {one}; {one} = {two}; {two} = t;")
    p.put(f"  MODEL({model} = 0;) }}")
    at = p.random.choice(["5", p.index(8)])
    p.put(p.between(), f"if ({p.condition()} && {p.condition()}) {{")
    p.put(f"  FINE({n}, !{model} || {at} < 4); {one}[{at}] = {p.value()}; }}")
    p.put(f"{p.target()} = {one}[1] + {two}[3];")
    return None


def resized(p: "Program") -> None:
    """A block that one path makes larger; a pointer to its old place stays."""
    if not p.may_fault():
        return assigned(p)
    n, name, old, model = p.place("m"), p.fresh("h"), p.fresh("old"), p.fresh("moved")
    p.put(f"int *{name} = calloc(2, sizeof(int)), *{old} = {name}; MODEL(int {model} = 0;)")
    p.put(f"{name}[1] = {p.value()};")
    more = f"{name} = realloc({name}, {p.random.choice([4, 8, 16])}); MODEL({model} = 1;)"
    if p.random.random() < 0.3:
        more += f" {old} = {name}; MODEL({model} = 0;)"
    p.put(f"if ({p.condition()}) {{ {more} }}", p.between())
    p.put(f"if ({p.tested(f'{name} == {old}')}) {p.assign()}")
    p.put(f"if ({p.condition()} && {p.condition()}) {{ FINE({n}, !{model});")
    p.put(f"  {old}[0] = {p.value()}; }}", f"{p.target()} = {name}[0];")
    return None


def freed(p: "Program") -> None:
    """One of two blocks is freed, and one of them, maybe the same, is used, freed or compared."""
    if not p.may_fault():
        return assigned(p)
    n = p.place("m")
    one, two = _blocks(p, 2)
    gone, used, model = p.fresh("p"), p.fresh("p"), p.fresh("same")
    p.put(f"int *{gone} = {one}, *{used} = {two};")
    p.put(f"if ({p.condition()}) {gone} = {two};", f"if ({p.condition()}) {used} = {one};")
    p.put(f"MODEL(int {model} = {gone} == {used};)", f"free({gone});", p.between())
    if p.random.random() < 0.4:
        p.put(f"if ({p.tested(f'{gone} == {used}')}) {p.assign()}")
    uses = [f"*{used} = {p.value()};", f"{p.target()} = {used}[1];", f"free({used});"]
    use = p.random.choice(uses)
    p.put(f"if ({p.condition()} && {p.condition()}) {{ FINE({n}, !{model}); {use} }}")
    return None


def unlinked(p: "Program") -> None:
    """A list from whose ends nodes are put, and from which one is taken and freed."""
    name, at, last = p.fresh("list"), p.fresh("at"), p.fresh("last")
    p.put(f"struct link *{name} = 0, *{last} = 0, *{at};")
    for _ in range(p.random.randrange(2, 4)):
        p.put(f"{at} = calloc(1, sizeof *{at}); {at}->value = {p.value()};")
        p.put(f"if (!{name}) {name} = {last} = {at};")
        p.put(f"else if ({p.condition()}) {{ {at}->next = {name}; {name} = {at}; }}")
        p.put(f"else {{ {last}->next = {at}; {last} = {at}; }}")
    take = f"{at} = {name}->next; {name}->next = {at}->next; free({at});"
    first = f"{at} = {name}; {name} = {at}->next; free({at});"
    p.put(f"if ({p.condition()}) {{ {take} }} else {{ {p.random.choice([take, first])} }}")
    target, i = p.target(), p.fresh("i")
    p.put(p.between(), f"int {i} = 1;")
    p.put(f"for ({at} = {name}; {p.tested(f'{at} != 0')}; {at} = {at}->next)")
    p.put(f"  {target} += {at}->value * {p.random.choice([i, f'{i}++'])};")


def grown(p: "Program") -> None:
    """A tree to which paths add keys in their order."""
    name, i = p.fresh("tree"), p.fresh("i")
    keys = [str(p.random.randrange(1, 9)) for _ in range(3)]
    p.put(f"struct node *{name} = 0; grow(&{name}, {p.random.choice([*keys, p.index(8)])});")
    puts = [f"grow(&{name}, {key});" for key in keys]
    p.put(f"if ({p.condition()}) {{ {puts[0]} {puts[1]} }} else {{ {puts[1]} {puts[0]} }}")
    p.put(f"if ({p.condition()}) {puts[2]}", p.between())
    key = p.random.choice([*keys, p.index(8)])
    p.put(f"int {i} = height({name}, {key});")
    p.put(f"if ({p.tested(f'{i} > 1')}) {p.assign()}", f"{p.target()} = {i};")


def rowed(p: "Program") -> None:
    """A block of pointers to blocks, one of which is put elsewhere, of which the input chooses."""
    row, name = p.fresh("row"), p.fresh("p")
    names = _blocks(p, 3)
    p.put(f"int **{row} = calloc(4, sizeof *{row});")
    p.put(f"for (int k = 0; k < 4; k++) {row}[k] = {names[0]};")
    for k in range(1, 4):
        p.put(f"if ({p.condition()}) {row}[{k}] = {p.random.choice(names)};")
    p.put(p.between(), f"int *{name} = {row}[{p.random.choice([p.index(4), '1', '3'])}];")
    p.put(f"*{name} += {p.value()};")
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'{name} == {p.random.choice(names)}')}) {p.assign()}")
    p.put(f"{p.target()} = *{names[0]} + 2 * *{names[1]} + 3 * *{names[2]};")


def counted(p: "Program") -> None:
    """What is told by the number of an address, and is the same wherever it lies."""
    one, two = _blocks(p, 2)
    name, at = p.fresh("p"), p.fresh("at")
    p.put(f"int *{name} = {one};", f"if ({p.condition()}) {name} = {two} + 1;", p.between())
    how = p.random.randrange(4)
    if how == 0:
        p.put(f"unsigned {at} = ((uintptr_t){name} >> 4) & 7; int old{at} = cells[{at}];")
        p.put(f"cells[{at}] = {p.value()}; int new{at} = cells[{at}]; cells[{at}] = old{at};")
        p.put(f"{p.target()} = new{at};")
    elif how == 1:
        p.put(f"uintptr_t {at} = (uintptr_t){name} & 15;", f"{p.target()} = (int){at};")
        p.put(f"if ({p.tested(f'{at} != 0')}) {p.assign()}")
    elif how == 2:
        p.put(f"uintptr_t {at} = (uintptr_t){name} | {p.random.randrange(2)};")
        p.put(p.between(), f"if ({p.tested(f'{at} & 1')}) {p.assign()}")
        p.put(f"*(int *)({at} & ~(uintptr_t)1) += {p.value()};")
    else:
        p.put(f"uintptr_t {at} = (uintptr_t){one} ^ (uintptr_t){name};", p.between())
        p.put(f"if ({p.tested(f'{at} == 0')}) {p.assign()}")
        p.put(f"*(int *)({at} ^ (uintptr_t){one}) = {p.value()};")
    p.put(f"{p.target()} = *{one} - {two}[1];")


def held(p: "Program") -> None:
    """Structures with pointers that are copied and compared as bytes."""
    one, two = _blocks(p, 2)
    name, other, i = p.fresh("s"), p.fresh("s"), p.fresh("i")
    p.put(f"struct holder {name} = {{{one}, {{{two}, 0}}, 1}}, {other} = {name};")
    p.put(f"if ({p.condition()}) {other}.at[0] = {p.random.choice([one, two, '0'])};", p.between())
    how = p.random.randrange(3)
    if how == 0:
        p.put(f"memcpy(&{name}, &{other}, sizeof {name});")
    elif how == 1:
        p.put(f"for (unsigned {i} = 0; {i} < sizeof {name}; {i}++)")
        p.put(f"  ((char *)&{name})[{i}] = ((char *)&{other})[{i}];")
    else:
        test = p.tested(f"memcmp(&{name}, &{other}, sizeof {name}) == 0")
        p.put(f"if ({test}) {p.assign()}")
    p.put(f"if ({p.tested(f'{name}.at[0] != 0')}) *{name}.at[0] += {p.value()};")
    p.put(f"*{other}.first += 1; {p.target()} = *{one} - *{two};")


FORMS = [
    twins,
    twins,
    swapped,
    resized,
    freed,
    freed,
    unlinked,
    unlinked,
    grown,
    rowed,
    rowed,
    counted,
    counted,
    held,
]
