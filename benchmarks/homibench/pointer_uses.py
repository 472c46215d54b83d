"""Ways to use pointers and sizes, as C: each changes `r` or ends the program.

Each adds statements to a `pointer_programs.Program`. What happens natively never depends on where
the objects lie, and an access outside of an object is one through null or a small number.
"""

import typing

if typing.TYPE_CHECKING:
    from homibench.pointer_programs import Program


def read(p: "Program") -> None:
    """A member, often of a pointer that was checked."""
    pointer = p.pointer()
    if p.random.randrange(4) != 0:
        p.put(f"if (!{pointer}) return {p.random.randrange(110, 120)};")
    p.put(f"r += {pointer}->{p.random.choice(['value', 'tag', 'count'])};")


def write(p: "Program") -> None:
    """Members change, and another pointer may see it."""
    pointer = p.pointer()
    operator = p.random.choice(["+=", "=", "^="])
    p.put(f"if ({pointer}) {{", f"  {pointer}->value {operator} {p.random.randrange(1, 50)};")
    if p.random.randrange(2):
        p.put(f"  {pointer}->tag = (unsigned char){p.number()};")
    slot = p.random.randrange(p.nodes)
    p.put("}", f"if (owned[{slot}]) r += owned[{slot}]->value + owned[{slot}]->tag;")


def equal(p: "Program") -> None:
    """Equality and alignment."""
    pointer = p.pointer()
    p.put(f"if ({pointer} == {p.slot()}) r += {p.random.randrange(1, 30)};")
    end = p.random.randrange(120, 130)
    p.put(f"if ((uintptr_t){pointer} > 4096 && ((uintptr_t){pointer} & 7) != 0) return {end};")


def searched(p: "Program") -> None:
    """An end that one pointer only has."""
    pointer, needle = p.pointer(), p.random.randrange(p.nodes)
    p.put(f"if ({pointer} && {pointer} == table[{needle}]) {{")
    end = f"  return {p.random.randrange(130, 140)};"
    p.put(f"  if ({p.condition()}) abort();" if p.random.randrange(2) else end, "}")


def ordered(p: "Program") -> None:
    """Order and difference of pointers into one array."""
    p.put(
        f"{{ struct node *a = &fixed[{p.index(8)}], *b = &fixed[{p.index(8)}];",
        "  r += a < b ? 1 : a == b ? 7 : (int)(a - b);",
        "  a->value += 2; r += b->value; }",
    )


def bounded(p: "Program") -> None:
    """A place in an array by pointer, checked by order against both ends."""
    p.put(
        f"{{ unsigned char *at = bytes + {p.number()} % 4200;",
        f"  unsigned char *end = bytes + {p.random.randrange(1, 300)};",
        f"  if (at >= bytes && at < end) {{ *at = 3; r += (int)(end - at) & 7; }}",
        f"  else if ((uintptr_t)at - (uintptr_t)end < {p.random.randrange(1, 90)}) r += 2; }}",
    )


def filled(p: "Program") -> None:
    """memset, memcpy or memmove of a symbolic length."""
    most = p.random.choice([9, 33, 100, 300, 1000])
    name = p.fresh("n")
    p.put(f"size_t {name} = {p.number()} % {most};")
    kind = p.random.randrange(3)
    if kind == 0:
        p.put(f"memset(bytes, {p.random.randrange(1, 9)}, {name});")
        p.put(f"r += bytes[{p.random.randrange(most)}] + bytes[{name}];")
    else:
        p.put("for (int i = 0; i < 300; i++) others[i] = (unsigned char)(i * 7);")
        copy, target = ("memcpy", "bytes") if kind == 1 else ("memmove", "others")
        p.put(f"{copy}({target} + {p.random.randrange(4)}, others, {name});")
        p.put(f"r += {target}[{p.random.randrange(min(most, 300))}] & 31;")


def sized(p: "Program") -> None:
    """A local array or a block of a symbolic size."""
    most = p.random.choice([9, 33, 100, 300])
    name = p.fresh("n")
    p.put(f"size_t {name} = {p.number()} % {most};")
    if p.random.randrange(2):
        p.put(
            f"{{ unsigned char room[{name} + 1]; memset(room, 3, {name} + 1);",
            f"  room[{name}] = 5; r += room[{name} / 2] + room[{name}]; }}",
        )
    else:
        p.put(
            f"{{ unsigned char *room = malloc({name} + 1); if (!room) return 99;",
            f"  room[{name}] = 9; room[0] = 4; r += room[{name}];",
            f"  if ({name} > {p.random.randrange(most)}) r += 3; free(room); }}",
        )


def cells(p: "Program") -> None:
    """Elements of arrays at symbolic places."""
    if p.random.randrange(2):
        p.put(
            f"{{ unsigned char *at = bytes + {p.index(200)};",
            f"  *at = (unsigned char)({p.number()} + 1); r += bytes[{p.random.randrange(200)}]; }}",
        )
    else:
        p.put(
            f"{{ static int cells[64]; unsigned c = {p.index(64)};",
            f"  cells[c] += {p.random.randrange(1, 9)};",
            f"  r += cells[{p.random.randrange(64)}] + cells[{p.index(64)}]; }}",
        )


def freed(p: "Program") -> None:
    """Frees of pointers that the input chooses; twice the same one aborts."""
    if not p.may_free:
        return read(p)
    p.may_free = False
    name, end = p.index(p.nodes), p.random.randrange(140, 150)
    kind = p.random.randrange(4)
    if kind == 0:
        p.put(
            f"{{ void *gone = owned[{name}]; free(gone); owned[{name}] = 0;",
            f"  for (int i = 0; i < {p.nodes}; i++) free(owned[i]);",
            f"  return gone ? {end} : {end + 10}; }}",
        )
    elif kind == 1:
        p.put(f"free(owned[{name}]);", f"free(owned[{p.random.randrange(p.nodes)}]);")
        p.put("return r & 63;")
    elif kind == 2:
        p.put(
            "{ void *some[4] = {malloc(0), 0, malloc(7), malloc(0)};",
            f"  unsigned w = {p.number()} & 3; free(some[w]); some[w] = 0;",
            "  for (int i = 0; i < 4; i++) free(some[i]); r += w; }",
        )
    else:
        p.put(
            # Volatile: an optimiser removes a block that is only freed, and the error with it.
            f"{{ char *volatile inner = (char *)malloc(64) + 8 * ({p.condition()});",
            "  free(inner); }",
            "return r & 31;",
        )
    return None


def resized(p: "Program") -> None:
    """A block that the input chooses gets another size; pointers to it are stale afterwards."""
    name = p.index(p.nodes)
    size = p.random.choice(["40", f"(sizeof(struct node) + {p.number()} % 50)"])
    p.put(
        f"if ({p.condition()}) {{",
        f"  struct node *grown = realloc(owned[{name}], {size});",
        "  if (!grown) return 98;",
        "  return (r + grown->value) & 63;",
        "}",
    )


def damaged(p: "Program") -> None:
    """A pointer whose upper bits change on some inputs."""
    pointer = p.pointer()
    p.put(
        f"{{ uintptr_t t = (uintptr_t){pointer} ^ ((uintptr_t)({p.condition()}) << 62);",
        f"  if ({pointer}) r += ((struct node *)t)->tag; }}",
    )


def divided(p: "Program") -> None:
    """A division that may trap."""
    kind, least = p.random.choice([("int", "INT32_MIN"), ("int", "100"), ("long", "INT64_MIN")])
    p.put(
        f"{{ {kind} left = {least} + ({kind})({p.number()} % 2);",
        f"  {kind} right = ({kind})({p.number()} % {p.random.randrange(1, 50)}) -"
        f" {p.random.randrange(50)};",
        f"  if (right != 0) r += (int)(left {p.random.choice('/%')} right); }}",
    )


def paired(p: "Program") -> None:
    """Two pointers that may be the same."""
    one, two = p.pointer(), p.pointer()
    p.put(
        f"if ({one} && {two} && {one} != {two}) {{",
        f"  {one}->count = {two}->count + 1; r += {two}->value - {one}->count;",
        "}",
    )


def linked(p: "Program") -> None:
    """A link that changes and is followed."""
    one, two = p.pointer(), p.pointer()
    p.put(
        f"if ({one} && {two}) {{ {one}->next = {two}; {two}->count = 6;",
        f"  r += {one}->next->count + ({one}->next == {p.slot()}); }}",
    )


def called(p: "Program") -> None:
    """A function by pointer, maybe an empty one."""
    last = p.random.choice(["0", "least", "plus"])
    p.put(
        f"{{ int (*const function[4])(int) = {{plus, twice, least, {last}}};",
        f"  r = function[{p.index(4)}](r & 1023); }}",
    )


def sorted_table(p: "Program") -> None:
    """qsort of some pointers by the values behind them, one of which the input chooses."""
    count = p.random.randrange(2, 5)
    p.put(f"{{ struct node *some[{count}];", f"  for (int i = 0; i < {count}; i++)")
    p.put(f"    some[i] = owned[i % {p.nodes}];")
    p.put(f"  some[{p.random.randrange(count)}] = &fixed[{p.index(8)}];")
    p.put(
        f"  qsort(some, {count}, sizeof *some, by_value);",
        f"  r += some[0]->value + some[{count - 1}]->tag; }}",
    )


def worded(p: "Program") -> None:
    """Texts in a table; one that is written to is constant."""
    p.put('{ static char *const word[4] = {"none", "one of them", "", "last"};')
    p.put(f"  char *text = word[{p.index(4)}];")
    if p.random.randrange(4) == 0:
        p.put(f"  if ({p.condition()}) *(volatile char *)text = 'N';")
    p.put(f"  r += (int)strlen(text) + (text[0] == '{p.random.choice('nol')}'); }}")


def gone(p: "Program") -> None:
    """The address of a local that is no more equals no pointer to what is."""
    pointer = p.pointer()
    p.put(
        f"if (dead(r) == (uintptr_t){pointer}) return {p.random.randrange(160, 170)};",
        "{ int here = 1; if (dead(r) > (uintptr_t)&here) r += 11; }",
    )


USES = [
    read,
    write,
    equal,
    searched,
    ordered,
    bounded,
    filled,
    sized,
    cells,
    freed,
    resized,
    damaged,
    divided,
    paired,
    linked,
    called,
    sorted_table,
    worded,
    gone,
]
WEIGHTS = [4, 3, 2, 2, 2, 1, 2, 2, 2, 2, 1, 1, 1, 2, 2, 1, 1, 1, 1]
