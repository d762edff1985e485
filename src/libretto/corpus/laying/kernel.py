"""What is compiled: a piece laid over songs, counted bit by bit.

Sixteen songs lie side by side, a byte each, and four displacements beside each other make a row of sixty-four bytes.
The eight bits of a byte stand for eight stretches of displacements, so that what a bucket of a beat gives at all of
them is a *run* of rows, and the same bucket of the next beat gives the run that begins sixteen bytes later. Such runs
are added up bit by bit, eight at a time, into numbers whose first bits stand in one run, second bits in another and so
on (*planes*): as an adder of gates does, but 512 sums at once. What is carried out of three planes waits in a ring for
seven more like it, and these eight are added three planes higher.

``lay`` does this for every turn, keeps the largest count and the first turn that has it, adds up how many notes beats
so full catch, and keeps the best displacement of each song on either side of 0.
"""

from __future__ import annotations

from libretto.corpus.buckets import REMAINDERS
from libretto.corpus.laying.code import ROW, ROW_KIND, Code, all_of
from libretto.corpus.laying.rows import SONGS, STRIPES, TURN_BITS, best, fill

__all__ = ["LAY", "LISTS", "kernel", "room_for"]

LISTS = REMAINDERS + 1  #: of runs that are added up: one for every turn, one for beats so full
_EIGHT, _KEPT = 8, 3  # runs that are added at once, and the planes that take them
_LONG = 8  # bytes of a number or a place

#: The numbers and places that ``lay`` takes, in order: see ``libretto.corpus.laying.counted``.
LAY = {
    "songs": "ptr",
    "blocks": "ptr",
    "many": "i64",
    "runs": "ptr",
    "starts": "ptr",
    "planes": "i64",
    "deep": "i64",
    "notes": "float",
    "least": "float",
    "work": "ptr",
    "out": "ptr",
}
_TERNARY = "llvm.x86.avx512.pternlog.q.512"  # any function of three bits
# Which one, as a table of its eight answers: the sum of three bits, and what is carried (of two of them and the sum).
_SUM, _CARRY = 0x96, 0xD4


def room_for(rows: int, run: int, deep: int) -> int:
    """How many bytes ``lay`` works in, for blocks of at most so many rows in runs of ``run``."""
    depth = deep + _KEPT
    work = rows * (deep + TURN_BITS + depth * (1 + _EIGHT)) + run * (STRIPES + 1)
    return work * SONGS + depth * _LONG


def kernel(ternary: bool) -> str:
    """The code as text; ``ternary`` where the processor has one instruction for any function of three bits."""
    clear = _clear()
    turn, larger = _turn(clear, ternary), _larger()
    chosen, filled = best(), fill()
    lay = _lay(clear, turn, larger, chosen, filled)
    known = f"declare {ROW_KIND} @{_TERNARY}({ROW_KIND}, {ROW_KIND}, {ROW_KIND}, i32)\n" if ternary else ""
    return known + "".join(map(str, (clear, turn, larger, chosen, filled, lay)))


def _clear() -> Code:
    """Nothing in so many bytes."""
    code = Code("clear", {"where": "ptr", "much": "i64"})
    where, much = code.arguments
    code.count(0, much, lambda at: code.store(ROW_KIND, all_of(ROW_KIND, 0), where, at), step=ROW)
    return code


def _added(code: Code, ternary: bool, one: str, two: str, three: str) -> tuple[str, str]:
    """Three bits added up: the lower bit of the sum and the higher."""
    if ternary:  # each result takes the place of a bit that is done with, so that nothing is copied

        def of_three(first: str, second: str, third: str, table: int) -> str:
            given = ", ".join(f"{ROW_KIND} {bit}" for bit in (first, second, third))
            return code.do(f"call {ROW_KIND} @{_TERNARY}({given}, i32 {table})")

        low = of_three(one, two, three, _SUM)
        return low, of_three(two, three, low, _CARRY)
    differ = code.do(f"xor {ROW_KIND}", one, two)
    return code.do(f"xor {ROW_KIND}", differ, three), code.mixed(differ, three, one)


def _add_eight(code: Code, ternary: bool, runs: list[str], planes: str, carried: str, span: str) -> None:
    """Eight runs added to three planes; ``carried`` takes what is carried out of the third."""
    twos = code.at(planes, span)
    fours = code.at(twos, span)

    def add(at: str) -> None:
        bits = [code.load(ROW_KIND, run, at) for run in runs]
        one, two, four = (code.load(ROW_KIND, plane, at) for plane in (planes, twos, fours))
        halves = []
        for half in (bits[:4], bits[4:]):
            one, first = _added(code, ternary, one, half[0], half[1])
            one, second = _added(code, ternary, one, half[2], half[3])
            two, high = _added(code, ternary, two, first, second)
            halves.append(high)
        four, beyond = _added(code, ternary, four, *halves)
        for value, place in zip((one, two, four, beyond), (planes, twos, fours, carried), strict=True):
            code.store(ROW_KIND, value, place, at)

    code.count(0, span, add, step=ROW)


def _turn(clear: Code, ternary: bool) -> Code:
    """The runs of one list, plane by plane, added up; ``tally`` says how many runs wait in the ring of each plane."""
    code = Code(
        "turn",
        {"buffer": "ptr", "runs": "ptr", "starts": "ptr", "list": "i64", "deep": "i64", "planes": "ptr"}
        | {"ring": "ptr", "tally": "ptr", "span": "i64"},
    )
    buffer, runs, starts, number, deep, planes, ring, tally, span = code.arguments
    depth, slots = code.sum(deep, _KEPT), code.times(span, _EIGHT)
    code.call(clear, planes, code.times(depth, span))
    code.count(0, depth, lambda plane: code.store("i64", 0, tally, code.times(plane, _LONG)))

    def push(plane: str, eight: list[str]) -> None:
        higher = code.sum(plane, _KEPT)
        waiting = code.load("i64", tally, code.times(higher, _LONG))
        place = code.at(ring, code.times(higher, slots), code.times(waiting, span))
        _add_eight(code, ternary, eight, code.at(planes, code.times(plane, span)), place, span)
        code.store("i64", code.sum(waiting, 1), tally, code.times(higher, _LONG))

    def of_ring(plane: str) -> list[str]:
        mine = code.at(ring, code.times(plane, slots))
        return [code.at(mine, code.times(span, slot)) for slot in range(_EIGHT)]

    def is_full(plane: str) -> str:
        return code.do("icmp eq i64", code.load("i64", tally, code.times(plane, _LONG)), _EIGHT)

    def raised(plane: str) -> list[str | int]:
        push(plane, of_ring(plane))
        code.store("i64", 0, tally, code.times(plane, _LONG))
        return [code.sum(plane, _KEPT)]

    def of_plane(plane: str) -> None:
        mine = code.times(code.sum(code.times(plane, LISTS), number), _LONG)

        def add(first: str) -> None:
            begins = [code.load("i64", runs, code.times(code.sum(first, slot), _LONG)) for slot in range(_EIGHT)]
            push(plane, [code.at(buffer, begin) for begin in begins])
            code.loop([("i64", code.sum(plane, _KEPT))], is_full, raised)

        def rest() -> None:
            eight = of_ring(plane)
            code.call(clear, code.at(eight[0], code.times(waiting, span)), code.times(empty, span))
            push(plane, eight)

        code.count(code.load("i64", starts, mine), code.load("i64", starts, mine, _LONG), add, step=_EIGHT)
        waiting = code.load("i64", tally, code.times(plane, _LONG))
        empty = code.do("sub i64", _EIGHT, waiting)
        code.when(code.do("icmp ne i64", waiting, 0), rest)

    code.count(0, deep, of_plane)
    return code


def _larger() -> Code:
    """Where the counts of a turn are larger than what was the largest, they take its place, and so does the turn."""
    code = Code(
        "larger",
        {"largest": "ptr", "turns": "ptr", "planes": "ptr", "turn": "i64", "many": "i64", "span": "i64"},
    )
    largest, turns, planes, turn, many, span = code.arguments

    def row(at: str) -> None:
        def both(plane: str) -> tuple[str, str, str | int]:
            place = code.sum(code.times(plane, span), at)
            return code.load(ROW_KIND, planes, place), code.load(ROW_KIND, largest, place), place

        def compare(plane: str, more: str) -> list[str]:
            mine, old, _ = both(plane)
            return [code.mixed(code.do(f"xor {ROW_KIND}", mine, old), mine, more)]

        def take(plane: str) -> None:
            mine, old, place = both(plane)
            code.store(ROW_KIND, code.mixed(more, mine, old), largest, place)

        (more,) = code.count(0, many, compare, [(ROW_KIND, "zeroinitializer")])
        code.count(0, many, take)
        for bit in range(TURN_BITS):
            place = code.sum(code.times(span, bit), at)
            set_ = code.cast("trunc", code.do("lshr i64", turn, bit), "i64", "i1")
            new = code.choose(set_, "i64", -1, 0)
            row_of = code.spread(ROW_KIND, new)
            code.store(ROW_KIND, code.mixed(more, row_of, code.load(ROW_KIND, turns, place)), turns, place)

    code.count(0, span, row, step=ROW)
    return code


def _lay(clear: Code, turn: Code, larger: Code, chosen: Code, filled: Code) -> Code:
    """A piece laid over blocks of songs, each of which says where it begins and what it is."""
    code = Code("lay", LAY)
    songs, blocks, many, runs, starts, planes, deep, notes, least, work, out = code.arguments

    def block(number: str) -> None:
        mine = code.times(number, 6 * _LONG)
        place, beats, first, rows, run, told = (code.load("i64", blocks, mine, _LONG * word) for word in range(6))
        span, depth = code.times(rows, SONGS), code.sum(deep, _KEPT)
        largest = code.at(work, code.times(run, SONGS * (STRIPES + 1)))
        turns = code.at(largest, code.times(span, deep))
        sums = code.at(turns, code.times(span, TURN_BITS))
        ring = code.at(sums, code.times(span, depth))
        tally = code.at(ring, code.times(span, depth, _EIGHT))
        code.call(filled, code.at(songs, place), beats, first, rows, run, work)
        code.call(clear, largest, code.times(span, code.sum(deep, TURN_BITS)))

        def lay(number: str | int, levels: str) -> None:
            code.call(turn, work, runs, starts, number, levels, sums, ring, tally, span)

        def one(number: str) -> None:
            lay(number, planes)
            code.call(larger, largest, turns, sums, number, planes, span)

        code.count(0, REMAINDERS, one)
        lay(REMAINDERS, deep)
        code.call(chosen, largest, turns, sums, planes, deep, rows, first, notes, least, code.at(out, told))

    code.count(0, many, block)
    return code
