"""Five C programs of 500 to 2,000 lines in the style of kernel drivers' dispatch code.

Each has a function for each kind of request, status variables that say how far a request is, lower
drivers that answer as they like, and assertions about the protocol: a request is completed once or
passed on once, what is pending says so, and the status that is returned is that of the request. The
programs are drawn with a fixed seed, so they are the same on every machine. In the
last one a request is completed twice on rare paths.
"""

import dataclasses
import random

from homibench import driver_texts


@dataclasses.dataclass(frozen=True)
class Kind:
    """What tells the drivers apart: seed, requests in a run, control codes, structures or not."""

    name: str
    seed: int
    requests: int
    codes: int
    structures: bool
    broken: bool = False


KINDS = [
    Kind("disk", 11, 2, 9, structures=False),
    Kind("keyboard", 12, 3, 7, structures=False),
    Kind("serial", 13, 2, 16, structures=True),
    Kind("player", 14, 2, 22, structures=True),
    Kind("network", 15, 2, 14, structures=True, broken=True),
]
MAJORS = ["create", "close", "read", "write", "control", "cleanup", "plug", "power", "shutdown"]
MINORS = ["start", "query_stop", "stop", "cancel_stop", "query_remove", "remove", "surprise"]
FLAGS = [1, 2, 4, 8, 16]


class Driver:
    """One driver, as C."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.random = random.Random(kind.seed)
        self.lines: list[str] = []
        self.checks: list[str] = []

    def device(self, name: str) -> str:
        """A member of the device."""
        return f"device->{name}" if self.kind.structures else f"device_{name}"

    def request(self, name: str) -> str:
        """A member of the request."""
        return f"irp->{name}" if self.kind.structures else f"irp_{name}"

    def put(self, depth: int, *lines: str) -> None:
        """Adds lines."""
        self.lines += ["    " * depth + line for line in lines]

    def head(self, name: str) -> None:
        """Opens a function of device and request."""
        typed = "struct device *device, struct irp *irp" if self.kind.structures else "void"
        # The called checks are drawn at random.
        self.put(0, "", f"__attribute__((unused)) static int {name}({typed})", "{")

    def call(self, name: str) -> str:
        """A call of such a function."""
        return f"{name}({'device, irp' if self.kind.structures else ''})"

    def refuse(self, depth: int, status: str) -> None:
        """Completes the request with an error."""
        self.put(depth, f"complete({status});", f"return {status};")

    def guard(self, depth: int) -> None:
        """A reason to refuse the request or to let it wait."""
        which = self.random.randrange(4)
        if which == 0:
            self.put(depth, f"if ({self.device('removed')}) {{")
            self.refuse(depth + 1, "DELETED")
        elif which == 1:
            size = self.random.choice([4, 8, 12, 24, 48])
            self.put(depth, f"if ({self.request('length')} < {size}) {{")
            self.refuse(depth + 1, "TOO_SMALL")
        elif which == 2:
            self.put(depth, f"if ({self.device('held')}) {{", "    pended = 1;")
            self.put(depth + 1, "phase = QUEUED;", f"{self.device('queued')}++;", "return PENDING;")
        else:
            check = self.random.choice(self.checks)
            self.put(depth, f"status = {self.call(check)};", "if (status != SUCCESS) {")
            self.refuse(depth + 1, "status")
        self.put(depth, "}")

    def note(self, depth: int) -> None:
        """What is counted on the way."""
        flag = self.random.choice(FLAGS)
        which = self.random.randrange(4)
        if which == 0:
            self.put(depth, f"if ({self.request('flags')} & {flag})")
            self.put(depth + 1, f"{self.device('transfers')} += {self.random.randrange(1, 4)};")
            if self.random.random() < 0.5:
                self.put(depth, "else", f"    {self.device('idle')}++;")
        elif which == 1:
            self.put(depth, "if (nondet() == 0)", f"    {self.device('errors')}++;")
        elif which == 2:
            most = self.random.randrange(2, 4)
            self.put(depth, f"for (int tries = 0; tries < {most}; tries++) {{")
            self.put(depth + 1, "if (nondet() > 0)", "    break;", f"{self.device('retries')}++;")
            self.put(depth, "}")
        else:
            self.put(depth, f"switch ({self.request('flags')} & 6) {{")
            for value in (0, 2, 4):
                name = self.random.choice(["transfers", "errors", "idle"])
                self.put(depth, f"case {value}:", f"    {self.device(name)}++;", "    break;")
            self.put(depth, "default:", "    break;", "}")

    def end(self, depth: int) -> None:
        """The request is completed, or passed on, or both."""
        which = self.random.randrange(4)
        if which == 0:
            self.put(depth, "complete(SUCCESS);", "return SUCCESS;")
        elif which == 1:
            self.put(depth, "skip();", "return call_lower();")
        elif which == 2:
            self.put(depth, "status = call_and_wait();", "if (status == SUCCESS)")
            self.put(depth + 1, f"{self.device('transfers')}++;")
            self.put(depth, "else", f"    {self.device('errors')}++;")
            self.put(depth, "complete(status);", "return status;")
        else:
            self.put(depth, "pended = 1;", "skip();", "call_lower();", "return PENDING;")

    def check(self, number: int) -> None:
        """A function that says whether a request is fit."""
        name = f"check_{number}"
        self.head(name)
        length, offset = self.request("length"), self.request("offset")
        limit, mask = self.random.choice([64, 128, 512]), self.random.choice([1, 3, 7])
        self.put(1, f"if ({length} < 0 || {length} > {limit})", "    return INVALID;")
        self.put(1, f"if ({offset} & {mask})", "    return INVALID;")
        self.put(1, f"if ({self.device('capacity')} - {offset} < {self.random.randrange(1, 9)}) {{")
        self.put(2, f"{self.device('errors')}++;", "return NO_ROOM;")
        self.put(1, "}", "return SUCCESS;", "}")
        self.checks.append(name)

    def simple(self, major: str) -> None:
        """A function for a kind of request."""
        self.head(f"dispatch_{major}")
        self.put(1, "int status = SUCCESS;")
        for _ in range(self.random.randrange(1, 3)):
            self.guard(1)
        for _ in range(self.random.randrange(2, 4)):
            self.note(1)
        self.put(1, f"if ({self.request('flags')} & {self.random.choice(FLAGS)}) {{")
        self.end(2)
        self.put(1, "}", "(void)status;")
        self.end(1)
        self.put(0, "}")

    def control(self) -> None:
        """The function for control codes, and one for each code."""
        codes = range(self.kind.codes)
        for code in codes:
            self.head(f"control_{code}")
            self.put(1, "int status = SUCCESS;")
            self.guard(1)
            self.note(1)
            if self.random.random() < 0.5:
                self.note(1)
            if self.kind.broken and code == 5:
                self.put(1, f"if ({self.request('offset')} == 77 && {self.device('held')})")
                self.put(2, "complete(INVALID);")
            self.put(1, "(void)status;")
            self.end(1)
            self.put(0, "}")
        self.head("dispatch_control")
        self.put(1, "int status;", f"switch ({self.request('code')}) {{")
        for code in codes:
            self.put(1, f"case {code * 4 + 3}:", f"    return {self.call(f'control_{code}')};")
        self.put(1, "default:", "    status = INVALID;", "    break;", "}", "complete(status);")
        self.put(1, "return status;", "}")

    def plug(self) -> None:
        """The function for starting, stopping and removing the device."""
        self.head("dispatch_plug")
        state, held, started = self.device("state"), self.device("held"), self.device("started")
        self.put(1, "int status = SUCCESS;", f"switch ({self.request('minor')}) {{", "case 0:")
        self.put(2, "status = call_and_wait();", "if (status == SUCCESS) {")
        self.put(3, f"{started} = 1;", f"{state} = 1;", f"{held} = 0;")
        self.put(2, "}", "complete(status);", "return status;")
        for number, minor in enumerate(MINORS[1:], 1):
            self.put(1, f"case {number}: /* {minor} */")
            if minor in ("query_stop", "query_remove"):
                self.put(2, f"if ({self.device('transfers')} > 6) {{")
                self.refuse(3, "BUSY")
                self.put(2, "}", f"{held} = 1;", f"{state} = {number + 1};")
            elif minor == "cancel_stop":
                self.put(2, f"if ({state} == 2)", f"    {held} = 0;", f"{state} = 1;")
            else:
                self.put(2, f"{started} = 0;", f"{state} = {number + 1};")
            if minor in ("remove", "surprise"):
                self.put(2, f"{self.device('removed')} = 1;")
            self.note(2)
            self.end(2)
        self.put(1, "default:", "    skip();", "    return call_lower();", "}", "}")

    def power(self) -> None:
        """The function for changes of power."""
        self.head("dispatch_power")
        power, wanted = self.device("power"), self.request("offset")
        self.put(1, "int status;", f"if ({self.request('minor')} == 2) {{")
        self.put(2, f"if ({wanted} == {power}) {{", "    skip();", "    return call_lower();", "}")
        self.put(2, f"if ({wanted} > 0 && {wanted} < 4) {{", f"    {power} = {wanted};")
        self.note(3)
        self.put(2, "} else {", f"    {power} = 0;", f"    {self.device('held')} = 1;", "}")
        self.put(2, "status = call_and_wait();", "complete(status);", "return status;", "}")
        self.note(1)
        self.put(1, "(void)status;")
        self.end(1)
        self.put(0, "}")

    def dispatch(self) -> None:
        """The function that chooses by the kind of request."""
        self.head("dispatch")
        self.put(1, f"switch ({self.request('major')}) {{")
        for number, major in enumerate(MAJORS):
            self.put(1, f"case {number}:", f"    return {self.call(f'dispatch_{major}')};")
        self.put(1, "default:", "    complete(INVALID);", "    return INVALID;", "}", "}")

    def text(self) -> str:
        """The program."""
        for number in range(3):
            self.check(number)
        for major in MAJORS:
            if major not in ("control", "plug", "power"):
                self.simple(major)
        self.control()
        self.plug()
        self.power()
        self.dispatch()
        texts = driver_texts
        before = texts.STRUCTURES if self.kind.structures else texts.GLOBALS
        after = texts.MAIN_STRUCTURES if self.kind.structures else texts.MAIN_GLOBALS
        head = f"/* A driver for a {self.kind.name}, made by `homibench.driver_programs`. */\n"
        head += f"#define REQUESTS {self.kind.requests}\n"
        return head + texts.PROTOCOL + before + "\n".join(self.lines) + "\n" + after
