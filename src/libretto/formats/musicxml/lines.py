"""Bar lines as text: repeats, endings, how they are drawn, fermatas over them; and numbers of movements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Sequence
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
    bars = {line: bar for bar, line in enumerate(score.bar_lines[:-1])}
    marks = [(bars[mark.tick], mark) for mark in score.marks if mark.tick in bars]
    repeated = {bar: mark.value for bar, mark in marks if mark.kind == "repeat-end"}
    left, closing = _endings(marks, score.bar_lines, repeated)
    for bar in (bar for bar, mark in marks if mark.kind == "repeat-start"):
        left[bar] = f'<bar-style>heavy-light</bar-style>{left.get(bar, "")}<repeat direction="forward"/>'
    styles = {score.bars - 1: _FINAL} | {bar: mark.value for bar, mark in marks if mark.kind == "barline"}
    styles |= dict.fromkeys(repeated, _FINAL)
    return [
        (left.get(bar, ""), _right(styles.get(bar, ""), closing.get(bar, ""), repeated.get(bar)))
        for bar in range(score.bars)
    ]


def _right(style: str, closing: str, times: str | None) -> str:
    """What stands inside a right bar line: how it is drawn, the end of a bracket, a repeat and how often."""
    drawn = f"<bar-style>{clean(style)}</bar-style>" if style else ""
    if times is None:
        return drawn + closing
    again = f' times="{times}"' if times.isdecimal() else ""
    return f'{drawn}{closing}<repeat direction="backward"{again}/>'


def _endings(
    marks: Sequence[tuple[int, Mark]], lines: Sequence[int], repeated: Container[int]
) -> tuple[dict[int, str], dict[int, str]]:
    """Where brackets begin and where they end, by bar."""
    begin, end = {}, {}  # type: dict[int, str], dict[int, str]
    for bar, mark in marks:
        if mark.kind == "ending":
            number = ",".join(filter(str.isdecimal, mark.value.replace(" ", ",").split(","))) or "1"
            begin[bar] = f'<ending number="{number}" type="start"/>'
            last = min(max(bar, bisect_left(lines, mark.tick + mark.length) - 1), len(lines) - 2)
            how = "stop" if last in repeated else "discontinue"
            end[last] = f'<ending number="{number}" type="{how}"/>'
    return begin, end


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
