"""Piano rolls: of one piece, of what a revision changed, and of a fill between its context and the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, ScoreError
from libretto.roll.draw import HUES, MANNERS, TITLE, Theme, box, document, fitted, letters, style_sheet, text_width
from libretto.roll.plan import Ink, drum_keys, pitch_range, plan_of
from libretto.roll.system import Mark, draw_system
from libretto.score import Score
from libretto.score.edit import take_bars
from libretto.score.table import NOTE
from libretto.score.time import bpm_text

__all__ = [
    "Legend",
    "headline",
    "inks_of",
    "legend",
    "listing",
    "roll_pair",
    "roll_png",
    "roll_svg",
    "roll_triptych",
    "shown_bars",
]

_WIDTH = 1080.0
_LINE = 15.0
_MOST_MARKS = 60
_PX_PER_INCH = 96.0
_KINDS = ("kept", "removed", "added")
# Everything below is in the units of the drawing.
_EDGE = 14.0  # to the left and right of titles and legends, and between panels
_TITLE_BASELINE, _FACTS_BASELINE, _HEAD = 24, 40, 50.0
_SAMPLE, _SAMPLE_HEIGHT, _SAMPLE_CORNER = 13, 8, 1.5  # of a look in the legend
_ENTRY_NAME, _ENTRY_BASELINE, _ENTRY_ROOM, _ENTRY_EDGE, _MOST_LETTERS = 18, 8.6, 30, 10, 60
_BADGE, _BADGE_BASELINE, _FINDING, _FINDING_BASELINE = 21, 7.1, 34, 7.6
_AIR, _FOOT = 4, 6  # above the first system, and below the last line
_SIDES = 78.0  # of a panel: names of octaves and drums to the left, air to the right
_PANEL_HEAD, _NAME_BASELINE, _CAPTION_BASELINE = 30, 12, 25
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
    marks = [Mark(*finding) for finding in findings][:_MOST_MARKS]
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
        width, bottom + _FOOT, theme, identity, f"Piano roll of {name or 'a piece'}", about, "".join(body) + listed
    )


def roll_png(svg: str, *, theme: Literal["light", "dark"] = "light", dpi: float = 144.0) -> bytes:
    """A roll, or any other drawing of this package, as a PNG; ``theme`` is for drawings that leave it to the reader."""
    from libretto.engraving.raster import MM_AN_INCH, svg_to_png

    plain = svg.replace(style_sheet("auto"), style_sheet(theme)).replace('class="lr lr-auto"', f'class="lr lr-{theme}"')
    view = _VIEW.search(plain)
    if not view:
        raise FormatError("this is no drawing of a roll")
    return svg_to_png([plain], float(view[1]) / _PX_PER_INCH * MM_AN_INCH, dpi=dpi)


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
    room = width - 2 * _EDGE
    text = letters(_EDGE, _TITLE_BASELINE, fitted(title, room, TITLE), "title")
    return _HEAD, text + letters(_EDGE, _FACTS_BASELINE, fitted(facts, room), "soft")


def legend(entries: Legend, top: float, width: float) -> tuple[str, float]:
    """Samples of every look with its name, in as many rows as they need, and where the room under them begins."""
    out = []
    x, y = _EDGE, top
    for kind, name in entries:
        shown = name[:_MOST_LETTERS]
        room = text_width(shown) + _ENTRY_ROOM
        if x > _EDGE and x + room > width - _ENTRY_EDGE:
            x, y = _EDGE, y + _LINE
        out.append(box(x, y + 1, _SAMPLE, _SAMPLE_HEIGHT, kind, _SAMPLE_CORNER))
        out.append(letters(x + _ENTRY_NAME, y + _ENTRY_BASELINE, shown))
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
        out.append(f'<circle class="badge" cx="{_BADGE}" cy="{top + 4:g}" r="6"/>')
        out.append(letters(_BADGE, top + _BADGE_BASELINE, str(index), "onbadge", "small"))
        out.append(letters(_FINDING, top + _FINDING_BASELINE, f"{where}: {mark.label}"))
        top += _LINE
    return "".join(out), top


def roll_pair(
    before: Score,
    after: Score,
    *,
    title: str = "",
    bars: tuple[int, int] | None = None,
    findings: Iterable[Mark | tuple[int, int, str]] = (),
    theme: Theme = "auto",
    width: float = _WIDTH,
) -> str:
    """Two versions of a piece in one roll: what stayed is grey, what came is filled, what went is hollow.

    A note stayed if the voice of its name has it at the same start, length and pitch; how hard it is played does not
    count. Bars, chords and sections are those of the longer version, the later one where they are equally long.
    """
    longer = before if before.ticks > after.ticks else after
    frame, marks, later = shown_bars(longer, bars, [Mark(*finding) for finding in findings])
    inks = _changes(before, after, None if bars is None else _ticks(longer, bars))
    counts = {kind: sum(len(ink.notes) for ink in inks if ink.kind == kind) for kind in _KINDS}
    facts = ", ".join(f"{count:,} notes {kind}" for kind, count in counts.items())
    top, head = headline(title or after.title or "What changed", facts, width)
    keys, top = legend([(kind, kind) for kind in _KINDS], top, width)
    plan = plan_of(frame, inks, top=top + 4, width=width)
    systems = "".join(draw_system(frame, plan, system, inks, marks, True, later) for system in plan.systems)
    listed, bottom = listing(marks, top + 4 + len(plan.systems) * plan.system_height, later)
    identity = f"lp{before.digest[:6]}{after.digest[:6]}"
    name = f"Changes in {after.title or 'a piece'}"
    return document(width, bottom + 4, theme, identity, name, facts, head + keys + systems + listed)


def _changes(before: Score, after: Score, span: tuple[int, int] | None) -> list[Ink]:
    """What stayed, went and came, pitched notes and percussion apart; of a span of ticks alone where one is given."""
    old, new = ({voice.name: voice for voice in score.voices} for score in (before, after))
    changes: dict[tuple[str, bool], list[NDArray[Any]]] = {
        (kind, drums): [] for kind in _KINDS for drums in (False, True)
    }
    for name in dict.fromkeys([*old, *new]):
        drums = (new.get(name) or old[name]).drums
        mine, theirs = (voices[name].array if name in voices else np.empty(0, NOTE) for voices in (old, new))
        stayed = _in(theirs, mine)
        changes["kept", drums].append(theirs[stayed])
        changes["removed", drums].append(mine[~_in(mine, theirs)])
        changes["added", drums].append(theirs[~stayed])
    joined = {key: np.concatenate([np.empty(0, NOTE), *arrays]) for key, arrays in changes.items()}
    return [
        Ink(kind, kind, notes if span is None else _within(notes, span), drums, shaded=False)
        for (kind, drums), notes in joined.items()
    ]


def roll_triptych(
    context: Score,
    fill: Score,
    answer: Score,
    *,
    names: Sequence[str] = ("Context", "Fill", "Answer"),
    captions: Sequence[str] = ("", "", ""),
    numbers: Sequence[int] = (1, 1, 1),
    title: str = "",
    theme: Theme = "auto",
    width: float = _WIDTH,
) -> str:
    """Three panels on one scale of time and pitch: what surrounds a gap, what was written into it, what had been there.

    Voices of the same name look the same in all three. ``captions`` stand under the names: scores, verdicts;
    ``numbers`` are what the first bar of each panel is called.
    """
    panels = (context, fill, answer)
    if not len(names) == len(captions) == len(numbers) == len(panels):
        raise ScoreError("there are three panels: three names, three captions, three numbers")
    kinds = _shared_looks(panels)
    inked = [[ink._replace(kind=kinds[ink.name]) for ink in inks_of(panel)] for panel in panels]
    every = [ink for inks in inked for ink in inks]
    facts = "; ".join(f"{name}: {len(p.table):,} notes in {p.bars} bars" for p, name in zip(panels, names, strict=True))
    top, head = headline(title or fill.title or "A gap, filled", facts, width)
    keys, top = legend([(kind, name) for name, kind in kinds.items()], top, width)
    scale = (width - 2 * _EDGE - 3 * _SIDES) / sum(panel.ticks for panel in panels)
    body, left, bottom = [head, keys], 0.0, top
    for panel, inks, name, caption, first in zip(panels, inked, names, captions, numbers, strict=True):
        plan = plan_of(
            panel,
            inks,
            top=top + _PANEL_HEAD,
            left=left,
            width=width,
            scale=scale,
            pitches=pitch_range(every),
            keys=drum_keys(every),
            one_line=True,
        )
        system = plan.systems[0]
        body.append(letters(system.x, top + _NAME_BASELINE, name, "bold"))
        body.append(letters(system.x, top + _CAPTION_BASELINE, caption, "soft"))
        body.append(draw_system(panel, plan, system, inks, later=first - panel.first_bar))
        left += panel.ticks * scale + _SIDES + _EDGE
        bottom = top + _PANEL_HEAD + plan.system_height
    identity = f"lt{fill.digest[:6]}{answer.digest[:6]}"
    about = ". ".join([facts, *filter(None, captions)])
    return document(width, bottom + _AIR, theme, identity, title or "Context, fill and answer", about, "".join(body))


def _shared_looks(panels: Sequence[Score]) -> dict[str, str]:
    """The class of every voice of the panels, by name: voices of one name look the same."""
    names = dict.fromkeys(voice.name for panel in panels for voice in panel.voices)
    return {name: f"v{index % (HUES * MANNERS)}" for index, name in enumerate(names)}


def _in(notes: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes are among the others, by start, length and pitch."""
    known = set(zip(*(others[name].tolist() for name in ("onset", "duration", "pitch")), strict=True))
    mine = zip(*(notes[name].tolist() for name in ("onset", "duration", "pitch")), strict=True)
    return np.array([note in known for note in mine], dtype=np.bool_)


def _ticks(score: Score, bars: tuple[int, int]) -> tuple[int, int]:
    return score.bar_lines[score.index_of(bars[0])], score.bar_lines[score.index_of(bars[1]) + 1]


def _within(notes: NDArray[Any], span: tuple[int, int]) -> NDArray[Any]:
    """Notes that start in a span of ticks, timed from its beginning."""
    taken = notes[(notes["onset"] >= span[0]) & (notes["onset"] < span[1])].copy()
    taken["onset"] -= span[0]
    return taken
