"""Bar lines and what stands beside them: repeats, endings, and signs such as *da capo*, for every bar of a piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from libretto.formats.abc.decorations import FLAGS
from libretto.formats.abc.repeats import MAX_ENDING
from libretto.score import Score
from libretto.score.repeats import Signs, signs_of_marks

__all__ = ["Posts", "posts_of"]

_STYLES = {"light-light": "||", "light-heavy": "|]", "heavy-light": "[|", "dotted": ".|"}
_NAMES = {"da-capo": "da_capo", "dal-segno": "dal_segno", "to-coda": "to_coda", "fine": "fine"}
_WRITTEN = {kind: f"!{name}!" for name, kind in reversed(FLAGS.items())}


class Posts(NamedTuple):
    """For every bar what stands before its notes, what stands after them, and the bar line that closes it."""

    before: list[str]
    after: list[str]
    closing: list[str]
    opening: list[str]  # what opens a bar: a repeat, the number of an ending

    def line(self, texts: Sequence[str], first: int, last: int) -> str:
        """The bars from first to before last, with their bar lines."""
        words = []
        for bar in range(first, last):
            opening, closed = self.opening[bar], self.closing[bar - 1] if bar > first else ""
            if closed == "|" and opening.startswith("|:"):
                closed = ""
            elif closed == ":|" and opening.startswith("|:"):
                closed, opening = "::", opening.removeprefix("|:")
            words += [closed, opening.strip(), texts[bar]]
        return " ".join(word for word in (*words, self.closing[last - 1]) if word)


def posts_of(score: Score) -> Posts:
    """The bar lines of a piece and what stands beside them."""
    signs = signs_of_marks(score.marks, score.bar_lines)
    bars = {line: bar for bar, line in enumerate(score.bar_lines[:-1])}
    styles = {bars[m.tick]: _STYLES.get(m.value, "|") for m in score.marks if m.kind == "barline" and m.tick in bars}
    begun = {bars[mark.tick] for mark in score.marks if mark.kind == "ending" and mark.tick in bars}
    return Posts(
        before=[_WRITTEN["segno"] * sign.segno + _WRITTEN["coda"] * sign.coda for sign in signs],
        after=[_orders(sign) for sign in signs],
        closing=_closings(score, signs, styles),
        opening=[_opening(sign, bar in begun) for bar, sign in enumerate(signs)],
    )


def _orders(sign: Signs) -> str:
    """What is written after the notes of a bar: where the play goes from there, or ends."""
    return "".join(" " + _WRITTEN[kind] for kind, name in _NAMES.items() if getattr(sign, name))


def _opening(sign: Signs, begins_ending: bool) -> str:
    """What opens a bar: a repeat, and the numbers of an ending that begins with it."""
    numbers = ",".join(str(number) for number in sorted(sign.ending) if number <= MAX_ENDING)
    return "|:" * sign.forward + (f"[{numbers} " if begins_ending and numbers else "")


def _closings(score: Score, signs: Sequence[Signs], styles: Mapping[int, str]) -> list[str]:
    """For every bar the line that closes it; ``styles`` are the lines that marks say."""
    halves = _halves(score)
    lines = []
    for bar, sign in enumerate(signs):
        last = bar + 1 == score.bars
        if sign.backward:
            lines.append(_back(sign.backward, styles.get(bar, "|")))
            continue
        line = "|" if bar in halves else styles.get(bar, "|]" if last else "|")
        closes_ending = sign.ending and not last and not signs[bar + 1].ending
        lines.append("||" if closes_ending and line == "|" else line)
    return lines


def _back(times: int, style: str) -> str:
    """The end of a passage that is played so many times, and after it a line of its own style, if it has one."""
    again = ":" * min(max(times - 1, 1), MAX_ENDING - 1)
    return f"{again}|" if style == "|" else f"{again}| {style}"


def _halves(score: Score) -> set[int]:
    """Bars that a bar line other than a plain one would join with the next: together they are as long as the meter."""
    joined = set()
    changes = {tick for tick, _ in score.meters}
    for bar in range(1, score.bars - 1):
        start, middle, end = score.bar_lines[bar : bar + 3]
        if end - start == score.meter_at(start).ticks and middle not in changes:
            joined.add(bar)
    return joined
