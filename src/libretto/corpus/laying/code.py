"""A function in LLVM's assembly language, written step by step: enough of it to lay a piece over songs.

Values are words of that language (``%7``, ``64``). Numbers that count, places in memory and lengths are ``i64``; a
*row* is as many bytes as ``ROW`` says, taken as eight whole numbers (``ROW_KIND``) or byte by byte (``BYTES``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["BYTES", "FLOATS", "ROW", "ROW_KIND", "WORDS", "Code", "all_of"]

ROW = 64  #: bytes
ROW_KIND, BYTES, WORDS, FLOATS = "<8 x i64>", "<64 x i8>", "<64 x i32>", "<64 x float>"  #: a row, as LLVM calls it
_COUNTS = {ROW_KIND: 8, BYTES: ROW, WORDS: ROW, FLOATS: ROW}

Value = str | int
Body = Callable[..., Sequence[Value] | None]


def all_of(kind: str, value: Value | float) -> str:
    """A row of one constant."""
    return f"<{', '.join([f'{_one_of(kind)} {value}'] * _COUNTS[kind])}>"


def _one_of(kind: str) -> str:
    return kind.strip("<>").rpartition(" ")[2]


class Code:
    """One function as it is written; ``arguments`` are kinds by name, and are values under these names."""

    def __init__(self, name: str, arguments: dict[str, str]) -> None:
        given = ", ".join(f"{kind} %{what}" for what, kind in arguments.items())
        self.name, self.kinds = name, tuple(arguments.values())
        self.arguments = tuple(f"%{what}" for what in arguments)
        self._lines, self._named, self._block = [f"define void @{name}({given}) {{", "start:"], 0, "start"

    def __str__(self) -> str:
        return "\n".join([*self._lines, "  ret void", "}", ""])

    def _name(self, letter: str) -> str:
        self._named += 1
        return f"{letter}{self._named}"

    def _line(self, text: str) -> str:
        value = f"%{self._name('v')}"
        self._lines.append(f"  {value} = {text}")
        return value

    def _open(self, block: str) -> None:
        self._lines.append(f"{block}:")
        self._block = block

    def do(self, what: str, *values: Value) -> str:
        """One instruction with its values, such as ``do("xor <8 x i64>", a, b)``."""
        return self._line(f"{what} {', '.join(map(str, values))}")

    def sum(self, first: Value = 0, *more: Value) -> Value:
        """Numbers added up."""
        for value in more:
            first = self.do("add i64", first, value)
        return first

    def times(self, first: Value, *more: Value) -> Value:
        """Numbers multiplied."""
        for value in more:
            first = self.do("mul i64", first, value)
        return first

    def cast(self, how: str, value: Value, kind: str, wanted: str) -> str:
        """A value as one of another kind."""
        return self._line(f"{how} {kind} {value} to {wanted}")

    def at(self, base: Value, *offset: Value) -> str:
        """A place in memory, so many bytes after another."""
        return self._line(f"getelementptr i8, ptr {base}, i64 {self.sum(*offset)}")

    def load(self, kind: str, base: Value, *offset: Value) -> str:
        """What stands at a place in memory."""
        return self._line(f"load {kind}, ptr {self.at(base, *offset)}, align 1")

    def store(self, kind: str, value: Value, base: Value, *offset: Value) -> None:
        """Write a value to a place in memory."""
        self._lines.append(f"  store {kind} {value}, ptr {self.at(base, *offset)}, align 1")

    def spread(self, kind: str, value: Value) -> str:
        """A row of one value."""
        first = self._line(f"insertelement {kind} zeroinitializer, {_one_of(kind)} {value}, i64 0")
        nothing = f"<{_COUNTS[kind]} x i32> zeroinitializer"
        return self._line(f"shufflevector {kind} {first}, {kind} zeroinitializer, {nothing}")

    def choose(self, condition: Value, kind: str, one: Value, other: Value) -> str:
        """The one where a condition holds, else the other; conditions of a row hold byte by byte."""
        truth = f"<{_COUNTS[kind]} x i1>" if kind in _COUNTS else "i1"
        return self._line(f"select {truth} {condition}, {kind} {one}, {kind} {other}")

    def mixed(self, mask: Value, one: Value, other: Value) -> str:
        """Bit by bit the one where the mask has a bit, else the other."""
        kept = self.do(f"and {ROW_KIND}", mask, one)
        rest = self.do(f"and {ROW_KIND}", self.do(f"xor {ROW_KIND}", mask, all_of(ROW_KIND, -1)), other)
        return self.do(f"or {ROW_KIND}", kept, rest)

    def call(self, function: Code, *values: Value) -> None:
        """Call a function that was written before."""
        given = ", ".join(f"{kind} {value}" for kind, value in zip(function.kinds, values, strict=True))
        self._lines.append(f"  call void @{function.name}({given})")

    def when(self, condition: Value, body: Callable[[], None]) -> None:
        """Do something where a condition holds."""
        work, after = self._name("b"), self._name("b")
        self._lines.append(f"  br i1 {condition}, label %{work}, label %{after}")
        self._open(work)
        body()
        self._lines.append(f"  br label %{after}")
        self._open(after)

    def count(
        self, first: Value, last: Value, body: Body, carried: Sequence[tuple[str, Value]] = (), step: int = 1
    ) -> list[str]:
        """Do something for every number from one up to another, which is left out.

        ``carried`` are kinds and values that ``body`` takes after the number and gives back changed.
        """

        def going_on(number: str) -> str:
            return self.do("icmp slt i64", number, last)

        def turn(number: str, *values: str) -> list[Value]:
            changed = body(number, *values) or ()
            return [self.sum(number, step), *changed]

        return self.loop([("i64", first), *carried], lambda number, *_: going_on(number), turn)[1:]

    def loop(self, carried: Sequence[tuple[str, Value]], going_on: Callable[..., str], body: Body) -> list[str]:
        """Do something as long as a condition holds, with values that it takes and gives back changed."""
        before, (test, work, after) = self._block, (self._name("b") for _ in range(3))
        self._lines.append(f"  br label %{test}")
        self._open(test)
        names, place = [f"%{self._name('v')}" for _ in carried], len(self._lines)
        condition = going_on(*names)
        self._lines.append(f"  br i1 {condition}, label %{work}, label %{after}")
        self._open(work)
        changed = body(*names) or ()
        back = self._block
        self._lines.append(f"  br label %{test}")
        self._lines[place:place] = [
            f"  {name} = phi {kind} [ {start}, %{before} ], [ {new}, %{back} ]"
            for name, (kind, start), new in zip(names, carried, changed, strict=True)
        ]
        self._open(after)
        return names
