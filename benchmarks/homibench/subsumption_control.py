"""Statements that decide by conditions, as C: paths part here, and meet again.

Each form adds lines to a `subsumption_programs.Program`.
"""

import typing

if typing.TYPE_CHECKING:
    from homibench.subsumption_programs import Program


def either(p: "Program") -> None:
    """One of two values, often the same."""
    name = p.target()
    p.put(f"if ({p.condition()}) {name} = {p.value()}; else {name} = {p.value()};")


def chain(p: "Program") -> None:
    """Several conditions that each add something."""
    name = p.target()
    step = p.random.randrange(1, 4)
    for k in range(p.random.randrange(2, 5)):
        bit = p.tested(f"((x >> {k}) & 1)") if p.random.random() < 0.6 else p.condition()
        p.put(f"if ({bit}) {name} += {p.random.choice([step, step, k + 1])};")


def nested(p: "Program") -> None:
    """Conditions within conditions."""
    p.put(f"if ({p.condition()}) {{", f"  {p.assign()}", f"  if ({p.condition()}) {p.assign()}")
    p.form()
    p.put(f"}} else if ({p.condition()}) {p.assign()}", f"else {p.assign()}")


def again(p: "Program") -> None:
    """A condition that is asked once more after something else."""
    text = p.raw_condition()
    name = p.target()
    p.put(f"if ({p.tested(text)}) {name} = {p.value()};")
    p.form()
    p.put(f"if ({p.tested(text)}) {{ {p.assign()} }} else {{ {p.assign()} }}")


def narrowed(p: "Program") -> None:
    """A number that is brought into a range, or fixed by a comparison, and used afterwards."""
    name, bound = p.fresh("n"), p.random.randrange(1, 12)
    p.put(f"unsigned {name} = {p.number()};")
    how = p.random.randrange(4)
    if how == 0:
        p.put(f"if ({p.tested(f'{name} > {bound}')}) {name} = {bound};")
    elif how == 1:
        p.put(f"if ({p.tested(f'{name} == {bound}')}) {p.target()} = {name};")
    elif how == 2:
        p.put(f"if ({p.tested(f'{name} < 2')}) {p.assign()}")
        p.put(f"else if ({p.tested(f'{name} < 4')}) {p.assign()}")
    else:
        p.put(f"if ({p.tested(f'({name} ^ 1) == {bound} || {name} == {bound}')}) {p.assign()}")
    p.put(f"if ({p.tested(f'{name} >= {bound}')}) {p.target()} += {name};")


def switched(p: "Program") -> None:
    """A switch, with cases that fall through."""
    on = p.random.choice([p.number(), p.variable(), f"({p.number()} % 6)"])
    p.put(f"switch ((int)({on})) {{")
    for k in sorted(p.random.sample(range(8), p.random.randrange(2, 6))):
        end = "break;" if p.random.random() < 0.75 else "/* on */"
        p.put(f"case {k}: {p.case()} {p.assign()} {end}")
    if p.random.random() < 0.8:
        p.put(f"default: {p.case()} {p.assign()}")
    p.put("}")


def counted(p: "Program") -> None:
    """A loop of a fixed number of turns over bits of the input."""
    i, name = p.fresh("i"), p.target()
    count = p.random.randrange(2, 5)
    bit = p.tested(f"(({p.random.choice(['x', 'y', 'x ^ y'])} >> {i}) & 1)")
    step = p.random.choice(["1", i, "2", f"{name} & 1"])
    p.put(f"for (int {i} = 0; {p.tested(f'{i} < {count}')}; {i}++) {{")
    p.put(f"  if ({bit}) {name} += {step};")
    if p.random.random() < 0.3:
        p.put(f"  if ({p.condition()}) break;")
    p.put("}")


def bounded(p: "Program") -> None:
    """A loop whose number of turns the input says."""
    i, name = p.fresh("i"), p.target()
    bound = p.index(p.random.choice([4, 8]))
    p.put(f"for (unsigned {i} = 0; {p.tested(f'{i} < {bound}')}; {i}++) {{")
    p.put(f"  {name} += {p.random.choice(['1', i, '2'])};")
    if p.random.random() < 0.5:
        p.put(f"  if ({p.condition()}) {p.random.choice(['continue;', 'break;', p.assign()])}")
    p.put("}")


def searched(p: "Program") -> None:
    """A loop that ends where something is found; its counter is used afterwards."""
    i, key = p.fresh("i"), p.fresh("k")
    p.put(f"unsigned {i} = 0, {key} = {p.index(16)};")
    p.put(f"while ({p.tested(f'{i} < 16 && table[{i}] != {key}')}) {i}++;")
    p.put(f"{p.target()} = {i};")
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'{i} == {p.random.randrange(17)}')}) {p.assign()}")


def divided(p: "Program") -> None:
    """Euclid's algorithm."""
    m, n, name = p.fresh("m"), p.fresh("m"), p.target()
    p.put(f"unsigned {m} = {p.number()} & 31, {n} = {p.random.randrange(2, 30)};")
    p.put(f"while ({p.tested(f'{m} != 0')}) {{ unsigned t = {n} % {m}; {n} = {m}; {m} = t; }}")
    p.put(f"{name} = {n};")


def repeated(p: "Program") -> None:
    """A jump back, at most twice."""
    label, left = p.fresh("again"), p.fresh("left")
    p.put(f"int {left} = {p.random.randrange(1, 3)};", f"{label}: {p.assign()}")
    p.put(f"if ({p.condition()}) {{ {p.assign()} }}")
    p.put(f"if ({p.tested(f'{left}-- > 0')} && {p.condition()}) goto {label};")


def machine(p: "Program") -> None:
    """A state machine that reads bits."""
    i, state = p.fresh("i"), p.fresh("s")
    count = p.random.randrange(3, 6)
    rows = [[p.random.randrange(4) for _ in range(2)] for _ in range(4)]
    text = ", ".join(f"{{{row[0]}, {row[1]}}}" for row in rows)
    p.put(f"static const unsigned char next{state}[4][2] = {{{text}}};", f"unsigned {state} = 0;")
    p.put(f"for (int {i} = 0; {i} < {count}; {i}++) {{")
    if p.random.random() < 0.5:
        p.put(f"  if ({p.tested(f'(x >> {i}) & 1')}) {state} = next{state}[{state}][1];")
        p.put(f"  else {state} = next{state}[{state}][0];")
    else:
        p.put(f"  {state} = next{state}[{state}][(x >> {i}) & 1];")
    p.put(f"  if ({p.tested(f'{state} == {p.random.randrange(4)}')}) {p.assign()}", "}")
    p.put(f"{p.target()} = {state};")


def ended(p: "Program") -> None:
    """A path that ends early."""
    p.put(f"if ({p.condition()} && {p.condition()}) return;")


def _function(p: "Program", head: str, parameters: list[str], first: list[str]) -> None:
    """A function of its own: `p`'s lines and variables are set aside while it is written."""
    saved = p.lines, p.pool, p.helpers
    p.lines, p.helpers = [], []
    p.pool = [*p.globals, *parameters]
    p.put(*first)
    for _ in range(p.random.randrange(1, 3)):
        p.form()
    if p.random.random() < 0.4 and len(p.places) < 12:
        p.put(f"if ({p.condition()}) {p.watch()}")
    body = [line.replace("return;", "return 0;") for line in p.lines]
    result = p.variable()
    p.lines, p.pool, p.helpers = saved
    p.functions.append("\n".join([head + " {", *body, f"  return (int){result};", "}\n"]))


def called(p: "Program") -> None:
    """A function with a pointer into its caller's frame; old ones are called again."""
    if not p.helpers or p.random.random() < 0.5:
        name = p.fresh("helper")
        head = f"__attribute__((noinline)) static int {name}(int u, int *w)"
        _function(p, head, ["u", "*w"], [])
        p.helpers.append(name)
    name = p.random.choice(p.helpers)
    p.put(f"{p.target()} = {name}((int){p.value()}, &{p.integer()});")


def recursive(p: "Program") -> None:
    """A function that calls itself, as deep as the input says."""
    name = p.fresh("deep")
    head = f"__attribute__((noinline)) static int {name}(int u, int z)"
    p.functions.append(f"{head};\n")
    step = p.random.choice(["z + 1", "z + u", "z + (y & 1)", "z ^ u", "z"])
    first = [f"if ({p.tested('u > 0')}) z = {name}(u - 1, {step});"]
    if p.random.random() < 0.5:
        _function(p, head, ["z"], first)
    else:
        later = p.random.choice(["z", "z + u", "z + (x & 1)"])
        test = p.tested(f"z == {p.random.randrange(5)}")
        body = f"  {first[0]}\n  if ({test}) {p.random.choice(['G0++', 'z += 2', 'G1 = u'])};"
        p.functions.append(f"{head} {{\n{body}\n  return {later};\n}}\n")
    p.put(f"{p.target()} = {name}({p.index(4)}, (int){p.value()});")


FORMS = [
    either,
    either,
    chain,
    chain,
    nested,
    nested,
    again,
    again,
    narrowed,
    narrowed,
    switched,
    switched,
    counted,
    bounded,
    searched,
    divided,
    repeated,
    machine,
    ended,
    called,
    called,
    recursive,
]
