"""What is compiled besides adding up: songs put into rows, and the best displacement of each read out of planes."""

from __future__ import annotations

from libretto.corpus.buckets import BUCKETS
from libretto.corpus.laying.code import BYTES, FLOATS, ROW, ROW_KIND, WORDS, Code, all_of

__all__ = ["BESIDE", "FULL", "MARGIN", "SONGS", "STRIPES", "TOLD", "TURN_BITS", "best", "fill"]

SONGS = 16  #: that lie side by side, a byte each: more differ too much in length, fewer do not end where memory does
BESIDE = ROW // SONGS  #: displacements, one after the other, in a row
MARGIN = BESIDE - 1  #: beats of nothing before and after a song, for rows that begin or end there
FULL = 6  #: bits of how many buckets of a beat are filled
STRIPES = BUCKETS + FULL  #: of a song: its buckets, and these bits
TOLD = 5  #: of a place: what is beyond, the displacement, the count, what beats so full catch, the turn
TURN_BITS = 5  #: of a turn
_EIGHT = 8  # displacements in a byte, and bits
_MOST_BITS = 24  # of any count
_TABLE = ROW * 4  # bytes of a row of numbers
_SIDE = TOLD * _TABLE


def best() -> Code:
    """The best displacement of each song in a block, on either side of 0, where it is better than what ``out`` holds.

    ``out`` begins with the first and the last displacement of each song that count.
    """
    code = Code(
        "best",
        {"largest": "ptr", "turns": "ptr", "usual": "ptr", "planes": "i64", "deep": "i64", "rows": "i64"}
        | {"first": "i64", "notes": "float", "least": "float", "out": "ptr"},
    )
    largest, turns, usual, planes, deep, rows, first, notes, least, out = code.arguments
    span = code.times(rows, SONGS)
    lowest, highest = code.load(WORDS, out), code.load(WORDS, out, _TABLE)
    ones = all_of(ROW_KIND, int.from_bytes(b"\x01" * _EIGHT))
    beside = f"<{', '.join(f'i32 {slot // SONGS}' for slot in range(ROW))}>"
    many, fewest = code.spread(FLOATS, notes), code.spread(FLOATS, least)

    def number(base: str, at: str | int, stripe: str, many: str | int) -> str:
        """The number of each song, whose bits stand in planes: the bit of each plane that is this displacement's."""

        def add(plane: str, so_far: str) -> list[str]:
            bits = code.load(ROW_KIND, base, code.sum(code.times(plane, span), at))
            bit = code.do(f"and {ROW_KIND}", code.do(f"lshr {ROW_KIND}", bits, stripe), ones)
            worth = code.spread(ROW_KIND, code.do("and i64", plane, _EIGHT - 1))
            return [code.do(f"or {ROW_KIND}", so_far, code.do(f"shl {ROW_KIND}", bit, worth))]

        total = all_of(WORDS, 0)
        for low in range(0, _MOST_BITS, _EIGHT):  # the bits of one byte at a time
            high = code.choose(code.do("icmp slt i64", many, low + _EIGHT), "i64", many, low + _EIGHT)
            (octet,) = code.count(low, high, add, [(ROW_KIND, "zeroinitializer")])
            wide = code.cast("zext", code.cast("bitcast", octet, ROW_KIND, BYTES), BYTES, WORDS)
            total = code.do(f"or {WORDS}", total, code.do(f"shl {WORDS}", wide, all_of(WORDS, low)))
        return total

    def place(stripe: str, row: str) -> None:
        away = code.sum(first, row, code.times(rows, stripe))
        at = code.times(row, SONGS)
        bit = code.spread(ROW_KIND, stripe)
        count, caught = number(largest, at, bit, planes), number(usual, at, bit, deep)
        expected = code.do(f"fmul {FLOATS}", code.cast("uitofp", caught, WORDS, FLOATS), all_of(FLOATS, 1 / BUCKETS))
        room = code.do(f"fsub {FLOATS}", many, expected)
        room = code.choose(code.do(f"fcmp ogt {FLOATS}", room, fewest), FLOATS, room, fewest)
        worth = code.do(f"fdiv {FLOATS}", all_of(FLOATS, 1.0), room)
        more = code.do(f"fsub {FLOATS}", code.cast("uitofp", count, WORDS, FLOATS), expected)
        beyond = code.do(f"fmul {FLOATS}", more, worth)
        where = code.do(f"add {WORDS}", code.spread(WORDS, code.cast("trunc", away, "i64", "i32")), beside)
        inside = code.do(
            f"and <{ROW} x i1>",
            code.do(f"icmp sge {WORDS}", where, lowest),
            code.do(f"icmp sle {WORDS}", where, highest),
        )
        side = code.choose(code.do("icmp slt i64", away, 0), "i64", 2 * _TABLE, 2 * _TABLE + _SIDE)
        best = code.load(FLOATS, out, side)
        better = code.do(f"and <{ROW} x i1>", inside, code.do(f"fcmp ogt {FLOATS}", beyond, best))
        code.store(FLOATS, code.choose(better, FLOATS, beyond, best), out, side)
        for told, value in enumerate((where, count, caught, number(turns, at, bit, TURN_BITS)), start=1):
            old = code.load(WORDS, out, side, told * _TABLE)
            code.store(WORDS, code.choose(better, WORDS, value, old), out, side, told * _TABLE)

    code.count(0, _EIGHT, lambda stripe: code.count(0, rows, lambda row: place(stripe, row), step=BESIDE))
    return code


def fill() -> Code:
    """Songs in rows, eight displacements in a byte, and nothing where they have no beats; the last stripe is empty."""
    code = Code(
        "fill",
        {"songs": "ptr", "beats": "i64", "first": "i64", "rows": "i64", "run": "i64", "buffer": "ptr"},
    )
    songs, beats, first, rows, run, buffer = code.arguments
    empty = code.at(buffer, code.times(run, STRIPES * SONGS))

    def stripe(number: str) -> None:
        song = code.at(songs, code.times(number, code.sum(beats, 2 * MARGIN), SONGS))
        mine = code.at(buffer, code.times(number, run, SONGS))

        def beat(row: str | int, bit: int) -> str:
            there = code.sum(first, row, code.times(rows, bit), MARGIN)
            inside = code.do("icmp ult i64", there, code.sum(beats, MARGIN))
            place = code.choose(inside, "ptr", code.at(song, code.times(there, SONGS)), empty)
            return code.do(f"shl {ROW_KIND}", code.load(ROW_KIND, place, 0), all_of(ROW_KIND, bit))

        def begin(row: str) -> None:
            bits = beat(row, 0)
            for bit in range(1, _EIGHT):
                bits = code.do(f"or {ROW_KIND}", bits, beat(row, bit))
            code.store(ROW_KIND, bits, mine, code.times(row, SONGS))

        def go_on(row: str) -> None:
            """The bits of so many rows before, moved by one, and one more."""
            before = code.load(ROW_KIND, mine, code.times(code.do("sub i64", row, rows), SONGS))
            moved = code.do(f"lshr {ROW_KIND}", before, all_of(ROW_KIND, 1))
            moved = code.do(f"and {ROW_KIND}", moved, all_of(ROW_KIND, int.from_bytes(b"\x7f" * _EIGHT)))
            bits = code.do(f"or {ROW_KIND}", moved, beat(row, _EIGHT - 1))
            code.store(ROW_KIND, bits, mine, code.times(row, SONGS))

        code.count(0, rows, begin, step=BESIDE)
        code.count(rows, run, go_on, step=BESIDE)

    code.count(0, STRIPES, stripe)
    return code
