"""Bar lines as text: repeats, endings, how they are drawn, fermatas over them; and numbers of movements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from libretto.formats.musicxml.barlines import BARLINE
from libretto.formats.musicxml.elements import clean
from libretto.formats.musicxml.signs import signs_xml
from libretto.notation.sheet import Sheet
from libretto.score import Mark, Voice

__all__ = ["bar_numbers", "barlines", "is_over_barline", "with_fermatas"]

_FINAL = "light-heavy"


def barlines(sheet: Sheet) -> list[tuple[str, str]]:
    """For each bar what stands inside the elements of its left and right bar lines; empty where they are plain."""
    score = sheet.score
    lines = score.bar_lines
    bars = {line: bar for bar, line in enumerate(lines[:-1])}
    left, right = [""] * score.bars, [""] * score.bars
    styles, closing = {score.bars - 1: _FINAL}, {}  # type: dict[int, str], dict[int, str]
    marks = [(bars[mark.tick], mark) for mark in score.marks if mark.tick in bars]
    repeated = {bar for bar, mark in marks if mark.kind == "repeat-end"}
    for bar, mark in marks:
        if mark.kind == "barline":
            styles[bar] = mark.value
        elif mark.kind == "ending":
            number = ",".join(filter(str.isdecimal, mark.value.replace(" ", ",").split(","))) or "1"
            left[bar] += f'<ending number="{number}" type="start"/>'
            last = min(max(bar, bisect_left(lines, mark.tick + mark.length) - 1), score.bars - 1)
            how = "stop" if last in repeated else "discontinue"
            closing[last] = f'<ending number="{number}" type="{how}"/>'
    for bar, mark in marks:
        if mark.kind == "repeat-start":
            left[bar] = f'<bar-style>heavy-light</bar-style>{left[bar]}<repeat direction="forward"/>'
    for bar in range(score.bars):
        style = _FINAL if bar in repeated else styles.get(bar, "")
        times = next((mark.value for at, mark in marks if at == bar and mark.kind == "repeat-end"), "")
        again = f' times="{times}"' if times.isdecimal() else ""
        repeat = f'<repeat direction="backward"{again}/>' if bar in repeated else ""
        drawn = f"<bar-style>{clean(style)}</bar-style>" if style else ""
        right[bar] = drawn + closing.get(bar, "") + repeat
    return list(zip(left, right, strict=True))


def with_fermatas(lines: Sequence[tuple[str, str]], voice: Voice, bar_lines: Sequence[int]) -> list[tuple[str, str]]:
    """The bar lines of one part, with the fermatas that stand over them."""
    over = [mark for mark in voice.marks if is_over_barline(mark)]
    made = list(lines)
    for mark in over:
        bar = bisect_left(bar_lines, mark.tick)
        if bar < len(made):
            left, right = made[bar]
            fermata = signs_xml([("fermata", mark.value.removeprefix(BARLINE).strip())]).notations
            head, style, tail = right.rpartition("</bar-style>")
            made[bar] = left, f"{head}{style}{fermata}{tail}"
    return made


def is_over_barline(mark: Mark) -> bool:
    """Whether a mark is a fermata over the line that closes its bar."""
    return not mark.on_note and mark.kind == "fermata" and not mark.length and mark.value.startswith(BARLINE)


def bar_numbers(sheet: Sheet) -> list[int]:
    """The number of every bar of the piece; movements begin again with 1."""
    score = sheet.score
    starts = {mark.tick for mark in score.marks if mark.kind == "movement" and mark.tick}
    numbers, number = [], score.first_bar + sheet.style.later - 1
    for line, _ in pairwise(score.bar_lines[: sheet.bars + 1]):
        number = 1 if line in starts and not sheet.style.engraved else number + 1
        numbers.append(number)
    return numbers
