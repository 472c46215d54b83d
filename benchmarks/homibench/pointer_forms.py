"""Ways to make a pointer to a node of the table that the input chooses, as C.

Each declares the named pointer in a `pointer_programs.Program`. It may be null or, in a table with
holes, wrong, but never depends on where the objects lie.
"""

import typing

if typing.TYPE_CHECKING:
    from homibench.pointer_programs import Program


def indexed(p: "Program", name: str) -> None:
    """The table's element."""
    p.put(f"struct node *{name} = table[{p.index(p.nodes)}];")


def masked(p: "Program", name: str) -> None:
    """One of two by masks, without a branch."""
    p.put(
        f"uintptr_t m{name} = -(uintptr_t)({p.condition()});",
        f"struct node *{name} = (struct node *)(((uintptr_t){p.slot()} & m{name}) |"
        f" ((uintptr_t){p.slot()} & ~m{name}));",
    )


def hidden(p: "Program", name: str) -> None:
    """A table of pointers that are kept with a key exclusive-ored."""
    key = p.random.choice(["0x5a5a5a5a5a5a5a5aull", "0xffull", "(uintptr_t)&fixed[3]"])
    p.put(
        f"uintptr_t k{name}[{p.nodes}];",
        f"for (int i = 0; i < {p.nodes}; i++) k{name}[i] = (uintptr_t)table[i] ^ {key};",
    )
    p.put(f"struct node *{name} = (struct node *)(k{name}[{p.index(p.nodes)}] ^ {key});")


def by_product(p: "Program", name: str) -> None:
    """One of two: a difference or an exclusive-or, times a condition."""
    a, b = p.slot(), p.slot()
    operator = p.random.choice("^-")
    back = {"^": "^", "-": "+"}[operator]
    p.put(
        f"uintptr_t d{name} = (uintptr_t){b} {operator} (uintptr_t){a};",
        f"struct node *{name} = (struct node *)((uintptr_t){a} {back} d{name} *"
        f" (uintptr_t)({p.condition()}));",
    )


def sum_of_products(p: "Program", name: str) -> None:
    """One of three, each times the question whether it is the one."""
    which = p.fresh("w")
    p.put(f"unsigned {which} = {p.number()} % 3;")
    terms = [f"(uintptr_t){p.slot()} * ({which} == {k})" for k in range(3)]
    p.put(f"struct node *{name} = (struct node *)({' + '.join(terms)});")


def tagged(p: "Program", name: str) -> None:
    """A pointer with a tag in its lowest bits, which are taken off."""
    p.put(
        f"uintptr_t t{name} = (uintptr_t)table[{p.index(p.nodes)}] | ({p.number()} & 7);",
        f"if ((t{name} & 7) == {p.random.randrange(8)}) r += 5;",
        f"struct node *{name} = (struct node *)(t{name} & ~(uintptr_t)7);",
    )


def into_array(p: "Program", name: str) -> None:
    """An element of an array, by index or by multiplication."""
    by_index = f"&fixed[{p.index(8)}]"
    scaled = f"(struct node *)((uintptr_t)fixed + sizeof(struct node) * {p.index(8)})"
    p.put(f"struct node *{name} = {p.random.choice([by_index, scaled])};")


def by_digits(p: "Program", name: str) -> None:
    """A row of a table by two digits: the constants of the index lead far in front of the table."""
    rows, first = p.random.randrange(12, 60), p.random.choice([48, 97, 200])
    index = p.random.choice(
        [
            f"(x{name} - {first}) * 10 + (y{name} - {first})",
            f"x{name} * 10 + y{name} - {11 * first}",
            f"(long)x{name} * 10l + (long)y{name} - {11 * first}l",
            f"{rows - 1} - ((x{name} - {first}) * 10 + (y{name} - {first}))",
            f"{rows - 1 + 11 * first} - x{name} * 10 - y{name}",
            f"{rows - 1 + 11 * first}ul - (x{name} * 10ul + y{name})",
        ]
    )
    element = f"&rows{name}[n{name}].node"
    p.put(
        f"static struct {{ struct node node; char rest[{p.random.choice([0, 8, 24, 40, 160, 700])}]; }}"
        f" rows{name}[{rows}];",
        f"unsigned char x{name} = x, y{name} = {'y' if p.bits > 8 else p.number()};",
        f"struct node *{name} = 0;",
        f"if (x{name} >= {first} && x{name} <= {first + 9} &&"
        f" y{name} >= {first} && y{name} <= {first + 9}) {{",
        f"  long n{name} = {index};",
        f"  if (n{name} >= 0 && n{name} < {rows}) {name} = {element};",
        "}",
    )


def selected(p: "Program", name: str) -> None:
    """One of three by conditional expressions."""
    p.put(
        f"struct node *{name} = {p.condition()} ? {p.slot()} :"
        f" {p.condition()} ? {p.slot()} : {p.slot()};"
    )


def by_bytes(p: "Program", name: str) -> None:
    """A pointer taken apart into bytes and put together again."""
    p.put(
        f"struct node *s{name} = table[{p.index(p.nodes)}];",
        f"unsigned char b{name}[8];",
        f"memcpy(b{name}, &s{name}, 8);",
        f"uintptr_t u{name} = 0;",
        f"for (int i = 0; i < 8; i++) u{name} |= (uintptr_t)b{name}[i] << (8 * i);",
        f"struct node *{name} = (struct node *)u{name};",
    )


def byte_by_byte(p: "Program", name: str) -> None:
    """A pointer copied byte by byte, in an order that the input turns."""
    p.put(
        f"struct node *s{name} = table[{p.index(p.nodes)}], *{name} = 0;",
        f"for (unsigned i = 0; i < 8; i++) {{ unsigned j = (i + {p.number()}) & 7;",
        f"  ((unsigned char *)&{name})[j] = ((unsigned char *)&s{name})[j]; }}",
    )


def through_union(p: "Program", name: str) -> None:
    """A pointer of which a union's halves are stored and the number is changed and changed back."""
    p.put(
        f"union {{ struct node *p; uint32_t half[2]; uint64_t whole; }} v{name}, o{name};",
        f"o{name}.p = table[{p.index(p.nodes)}];",
        f"v{name}.half[1] = o{name}.half[1]; v{name}.half[0] = o{name}.half[0];",
        f"v{name}.whole += {p.number()}; v{name}.whole -= o{name}.whole;",
        f"v{name}.whole = o{name}.whole + (v{name}.whole & 0);",
        f"struct node *{name} = v{name}.p;",
    )


def rounded_up(p: "Program", name: str) -> None:
    """An address within a buffer, rounded up to the next multiple of 32."""
    p.put(
        f"static unsigned char room{name}[1056];",
        f"uintptr_t a{name} = ((uintptr_t)room{name} + 31) & ~(uintptr_t)31;",
        f"struct node *{name} = (struct node *)((a{name} + {p.number()} % 900 + 31) &"
        " ~(uintptr_t)31);",
        f"{name}->value = {p.random.randrange(40)};",
    )


def followed(p: "Program", name: str) -> None:
    """Some links from the table's element."""
    steps = p.random.randrange(1, 4)
    p.put(
        f"struct node *{name} = table[{p.index(p.nodes)}];",
        f"for (int i = 0; i < {steps} && {name}; i++) {name} = {name}->next;",
    )


def twice_removed(p: "Program", name: str) -> None:
    """Through a table on the heap of pointers to the table's elements."""
    p.put(
        f"struct node ***h{name} = malloc({p.nodes} * sizeof *h{name}); if (!h{name}) return 96;",
        f"for (int i = 0; i < {p.nodes}; i++)",
        f"  h{name}[i] = &table[(i * {p.random.randrange(1, 8)} + 1) % {p.nodes}];",
    )
    p.put(f"struct node *{name} = *h{name}[{p.index(p.nodes)}];")


def compressed(p: "Program", name: str) -> None:
    """A distance of 32 bits from another node that the input chooses."""
    p.put(
        f"struct node *o{name} = table[{p.index(p.nodes)}];",
        f"int64_t c{name} = (int64_t)((uintptr_t)o{name} - (uintptr_t)owned[0]);",
        f"struct node *{name} = (struct node *)((uintptr_t)owned[0] + c{name});",
    )


def from_member(p: "Program", name: str) -> None:
    """The node around one of its members."""
    p.put(
        f"short *c{name} = table[{p.index(p.nodes)}] ? &owned[{p.index(p.nodes)}]->count : 0;",
        f"struct node *{name} = c{name} ?",
        f"  (struct node *)((char *)c{name} - offsetof(struct node, count)) : 0;",
    )


FORMS = [
    indexed,
    indexed,
    masked,
    hidden,
    by_product,
    sum_of_products,
    tagged,
    into_array,
    by_digits,
    selected,
    by_bytes,
    byte_by_byte,
    through_union,
    rounded_up,
    followed,
    twice_removed,
    compressed,
    from_member,
]
