"""Statements about numbers and arrays, as C.

Each form adds lines to a `subsumption_programs.Program`.
"""

import typing

if typing.TYPE_CHECKING:
    from homibench.subsumption_programs import Program


def assigned(p: "Program") -> None:
    """Two assignments."""
    p.put(p.assign(), p.assign())


def looked_up(p: "Program") -> None:
    """An element of a constant table at a place that the input chooses, maybe from a range."""
    name, index = p.target(), p.index(16)
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'{index} < {p.random.randrange(2, 9)}')}) {name} = table[{index}];")
    else:
        p.put(f"{name} = table[{index}];")
    p.put(f"if ({p.tested(f'{name} > {p.random.randrange(1, 9)}')}) {p.assign()}")
    if p.random.random() < 0.5:
        p.put(f"if ({p.tested(f'table[table[{index}]] == {p.random.randrange(10)}')}) {p.assign()}")


def stored(p: "Program") -> None:
    """Stores to and loads from an array, at fixed places and at some that the input chooses."""
    p.put(f"cells[{p.index(8)}] = {p.value()};")
    if p.random.random() < 0.5:
        p.put(f"if ({p.condition()}) cells[{p.index(4)}] += {p.random.randrange(1, 4)};")
    p.put(f"{p.target()} = cells[{p.random.choice([p.index(8), '2', '6'])}];")


def outside(p: "Program") -> None:
    """An index that may be too large for its object."""
    if not p.may_fault():
        return assigned(p)
    n, room, at = p.place("i"), p.fresh("room"), p.fresh("at")
    index = f"({p.number()} + (unsigned char){p.variable()})"
    p.put(f"unsigned {at} = {p.random.choice([index, p.number()])};")
    if p.random.random() < 0.5:
        p.put(f"unsigned char *{room} = malloc(ROOM({n}));")
    else:
        p.put(f"unsigned char {room}[ROOM({n})];")
    p.put(f"memset({room}, {p.random.randrange(3)}, ROOM({n}));")
    if p.random.random() < 0.5:
        p.put(f"if ({p.condition()})")
    p.put(f"{p.target()} += {room}[INSIDE({n}, {at})];")
    return None


def sized(p: "Program") -> None:
    """An object of one of two sizes; an index may be too large for one of them."""
    if not p.may_fault():
        return assigned(p)
    n, room, at = p.place("i"), p.fresh("room"), p.fresh("at")
    large = p.fresh("large")
    p.put(f"unsigned {at} = {p.number()};", f"MODEL(int {large} = 0;)")
    p.put(f"unsigned char *{room};")
    p.put(f"if ({p.condition()}) {{ {room} = calloc(ROOM({n}), 1); }}")
    p.put(f"else {{ {room} = calloc(1024, 1); MODEL({large} = 1;) }}")
    p.put(p.between(), f"MODEL(if (!{large})) (void)INSIDE({n}, {at});")
    p.put(f"{room}[{at}] = 1; {p.target()} += {room}[{p.random.choice([at, '0'])}];")
    return None


def divided_by(p: "Program") -> None:
    """A divisor that may be zero."""
    if not p.may_fault():
        return assigned(p)
    divisor = p.random.choice([p.number(), f"{p.number()} - (int){p.variable()}", p.variable()])
    p.put(f"{p.target()} = 100 / DIVISOR({p.place('z')}, (int)({divisor}));")
    return None


def wrapped(p: "Program") -> None:
    """Numbers that run over, and comparisons of the other sign."""
    narrow, least = p.fresh("s"), p.random.choice([100, 120, 128, 200])
    kind = p.random.choice(["signed char", "unsigned char", "short"])
    p.put(f"{kind} {narrow} = ({kind})({p.number()} + {least});")
    p.put(f"if ({p.tested(f'{narrow} < {p.random.randrange(-3, 4)}')}) {p.assign()}")
    p.put(f"if ({p.tested(f'(unsigned){p.variable()} > 3u')}) {p.target()} -= {narrow};")


def multiplied(p: "Program") -> None:
    """A product compared."""
    most = p.random.choice([9, 50, 200])
    p.put(f"if ({p.tested(f'{p.number()} * ({p.number()}) > {most}')}) {p.assign()}")


def in_parts(p: "Program") -> None:
    """A number of which one byte is written, or which is read through a union."""
    if p.random.random() < 0.5:
        p.put(f"((unsigned char *)&{p.integer()})[{p.random.randrange(2)}] = {p.value()};")
        return
    name = p.fresh("u")
    p.put(f"union {{ unsigned whole; unsigned char part[4]; }} {name} = {{{p.number()}}};")
    p.put(f"if ({p.condition()}) {name}.part[{p.random.randrange(4)}] = {p.value()};")
    p.put(f"{p.target()} = {name}.whole & 0x1ff;")


def of_bits(p: "Program") -> None:
    """Members of a few bits."""
    name = p.fresh("f")
    p.put(f"struct {{ unsigned low : 3; int high : 4; }} {name} = {{{p.number()}, 1}};")
    p.put(f"if ({p.condition()}) {name}.high += {p.value()};")
    p.put(f"{p.target()} = {name}.low + {name}.high;")


def masked(p: "Program") -> None:
    """One of two values without a branch."""
    mask = p.fresh("m")
    p.put(f"int {mask} = -(int)({p.raw_condition()});")
    p.put(f"{p.target()} = ((int){p.value()} & {mask}) | ((int){p.value()} & ~{mask});")


def kept(p: "Program") -> None:
    """A function that counts its calls."""
    name = p.fresh("calls")
    p.functions.append(f"static int {name};\n")
    p.functions.append(f"static int {name}_next(void) {{ return {name} += 1; }}\n")
    p.resets.append(f"{name} = 0;")
    p.put(f"if ({p.condition()}) {name}_next();", p.between())
    p.put(f"if ({p.condition()}) {name}_next();", f"{p.target()} = {name}_next();")


def asked(p: "Program") -> None:
    """Whether a value is symbolic, which the byte `extra` is on one path."""
    if p.level != "-O0":
        return assigned(p)
    model, byte = p.fresh("model"), p.fresh("byte")
    p.put(f"MODEL(int {model} = 0;) unsigned char {byte} = 0;")
    p.put(f"if ({p.condition()}) {{ {byte} = extra; MODEL({model} = 1;) }}", p.between())
    p.put(f"if ({p.tested(f'SYMBOLIC({byte}, {model})')}) {p.assign()}")
    return None


FORMS = [
    assigned,
    assigned,
    looked_up,
    looked_up,
    stored,
    stored,
    outside,
    sized,
    divided_by,
    wrapped,
    multiplied,
    in_parts,
    of_bits,
    masked,
    kept,
    asked,
]
