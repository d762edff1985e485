"""The piano roll of a piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from libretto.errors import FormatError
from libretto.roll.draw import box, document, fitted, letters, text_width
from libretto.roll.plan import Ink, plan_of
from libretto.roll.system import Mark, draw_system
from libretto.roll.theme import HUES, MANNERS, Theme, style_sheet
from libretto.score import Score
from libretto.score.edit import take_bars
from libretto.score.time import bpm_text

__all__ = ["Legend", "headline", "inks_of", "legend", "listing", "roll_png", "roll_svg", "shown_bars"]

_WIDTH = 1080.0
_LINE = 15.0
_MOST_MARKS = 60
_PX_PER_INCH = 96.0
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) [\d.]+"')

Legend = Sequence[tuple[str, str]]  #: a class, and what it stands for


def roll_svg(
    score: Score,
    *,
    title: str | None = None,
    bars: tuple[int, int] | None = None,
    findings: Iterable[Mark | tuple[int, int, str]] = (),
    chords: bool = True,
    theme: Theme = "auto",
    width: float = _WIDTH,
) -> str:
    """The piece as a picture of its notes: time to the right, pitch upwards, drums below, each voice its own look.

    ``findings`` are spans of bars with a label each: (first, last, label). Loud notes are darker. Short pieces fill one
    line, long ones are cut into lines of as many bars as can still be told apart. ``auto`` follows the reader's light
    or dark setting.
    """
    marks = [Mark(*each) for each in findings][:_MOST_MARKS]
    score, marks, later = shown_bars(score, bars, marks)
    inks = inks_of(score)
    name = score.title if title is None else title
    top, head = headline(name or "Piano roll", _facts(score, later), width)
    keys, top = legend([(ink.kind, ink.name) for ink in inks], top, width)
    plan = plan_of(score, inks, top=top + 4, width=width)
    body = [head, keys]
    body += [draw_system(score, plan, system, inks, marks, chords, later) for system in plan.systems]
    bottom = top + 4 + len(plan.systems) * plan.system_height
    listed, bottom = listing(marks, bottom, later)
    about = f"{_facts(score, later)}. Voices: {', '.join(ink.name for ink in inks) or 'none'}."
    about += "".join(f" {index}. Bars {m.first}-{m.last}: {m.label}." for index, m in enumerate(marks, 1))
    identity = f"lr{score.digest[:10]}"
    return document(
        width, bottom + 6, theme, identity, f"Piano roll of {name or 'a piece'}", about, "".join(body) + listed
    )


def roll_png(svg: str, *, theme: Literal["light", "dark"] = "light", dpi: float = 144.0) -> bytes:
    """A roll, or any other drawing of this package, as a PNG; ``theme`` is for drawings that leave it to the reader."""
    from libretto.engraving.raster import svg_to_png

    plain = svg.replace(style_sheet("auto"), style_sheet(theme)).replace('class="lr lr-auto"', f'class="lr lr-{theme}"')
    found = _VIEW.search(plain)
    if not found:
        raise FormatError("this is no drawing of a roll")
    return svg_to_png([plain], float(found[1]) / _PX_PER_INCH * 25.4, dpi=dpi)


def shown_bars(score: Score, bars: tuple[int, int] | None, marks: Sequence[Mark] = ()) -> tuple[Score, list[Mark], int]:
    """Those bars of a piece alone, what is said about them, and what to add to their numbers."""
    if bars is None:
        return score, list(marks), 0
    taken = take_bars(score, *bars)
    later = bars[0] - taken.first_bar
    return taken, [mark._replace(first=mark.first - later, last=mark.last - later) for mark in marks], later


def inks_of(score: Score) -> list[Ink]:
    """An ink for every voice; the 25th looks like the first again."""
    return [
        Ink(voice.name, f"v{index % (HUES * MANNERS)}", voice.array, voice.drums)
        for index, voice in enumerate(score.voices)
    ]


def headline(title: str, facts: str, width: float) -> tuple[float, str]:
    """A title with a line of facts, and where the room under them begins."""
    text = letters(14, 24, fitted(title, width - 28, 16), "title") + letters(14, 40, fitted(facts, width - 28), "soft")
    return 50.0, text


def legend(entries: Legend, top: float, width: float) -> tuple[str, float]:
    """Samples of every look with its name, in as many rows as they need, and where the room under them begins."""
    out = []
    x, y = 14.0, top
    for kind, name in entries:
        room = text_width(name[:60]) + 30
        if x > 14 and x + room > width - 10:
            x, y = 14.0, y + _LINE
        out.append(box(x, y + 1, 13, 8, kind, 1.5) + letters(x + 18, y + 8.6, name[:60]))
        x += room
    return "".join(out), y + (_LINE if entries else 0)


def _facts(score: Score, later: int) -> str:
    first, last = score.numbers[0] + later, score.numbers[-1] + later
    tempo = f"{round(float(bpm_text(score.tempos[0][1])))} BPM"
    return f"{score.key}, {score.meter}, {tempo}, bars {first}-{last}, {len(score.table):,} notes"


def listing(marks: Sequence[Mark], top: float, later: int) -> tuple[str, float]:
    """What is said about the marked bars, line by line, and where the room under it begins."""
    out = []
    for index, mark in enumerate(marks, 1):
        first, last = mark.first + later, mark.last + later
        where = f"bar {first}" if first == last else f"bars {first}-{last}"
        out.append(f'<circle class="badge" cx="21" cy="{top + 4:g}" r="6"/>')
        out.append(letters(21, top + 7.1, str(index), "onbadge", "small"))
        out.append(letters(34, top + 7.6, f"{where}: {mark.label}"))
        top += _LINE
    return "".join(out), top
