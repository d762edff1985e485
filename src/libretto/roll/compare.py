"""Pieces side by side: what a revision changed, and a fill between its context and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.roll.draw import document, letters
from libretto.roll.plan import Ink, drum_keys, pitch_range, plan_of
from libretto.roll.roll import headline, inks_of, legend, listing, shown_bars
from libretto.roll.system import Mark, draw_system
from libretto.roll.theme import HUES, MANNERS, Theme
from libretto.score import Score
from libretto.score.table import NOTE

__all__ = ["roll_pair", "roll_triptych"]

_WIDTH = 1080.0
_GAP = 14.0
_KINDS = ("kept", "removed", "added")
_SIDES = 78.0  # of a panel: names of octaves and drums to the left, air to the right


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
    frame, marks, later = shown_bars(longer, bars, [Mark(*each) for each in findings])
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
    found: dict[tuple[str, bool], list[NDArray[Any]]] = {
        (kind, drums): [] for kind in _KINDS for drums in (False, True)
    }
    for name in dict.fromkeys([*old, *new]):
        drums = (new.get(name) or old[name]).drums
        mine, theirs = (each[name].array if name in each else np.empty(0, NOTE) for each in (old, new))
        stayed = _in(theirs, mine)
        found["kept", drums].append(theirs[stayed])
        found["removed", drums].append(mine[~_in(mine, theirs)])
        found["added", drums].append(theirs[~stayed])
    joined = {key: np.concatenate([np.empty(0, NOTE), *arrays]) for key, arrays in found.items()}
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
    looks = dict.fromkeys(voice.name for panel in panels for voice in panel.voices)
    kinds = {name: f"v{index % (HUES * MANNERS)}" for index, name in enumerate(looks)}
    inked = [[ink._replace(kind=kinds[ink.name]) for ink in inks_of(panel)] for panel in panels]
    every = [ink for inks in inked for ink in inks]
    facts = "; ".join(f"{name}: {len(p.table):,} notes in {p.bars} bars" for p, name in zip(panels, names, strict=True))
    top, head = headline(title or fill.title or "A gap, filled", facts, width)
    keys, top = legend([(kind, name) for name, kind in kinds.items()], top, width)
    scale = (width - 2 * _GAP - 3 * _SIDES) / sum(panel.ticks for panel in panels)
    body, left, bottom = [head, keys], 0.0, top
    for panel, inks, name, caption, first in zip(panels, inked, names, captions, numbers, strict=True):
        plan = plan_of(
            panel,
            inks,
            top=top + 30,
            left=left,
            width=width,
            scale=scale,
            pitches=pitch_range(every),
            keys=drum_keys(every),
            one_line=True,
        )
        system = plan.systems[0]
        body.append(letters(system.x, top + 12, name, "bold") + letters(system.x, top + 25, caption, "soft"))
        body.append(draw_system(panel, plan, system, inks, later=first - panel.first_bar))
        left += panel.ticks * scale + _SIDES + _GAP
        bottom = top + 30 + plan.system_height
    identity = f"lt{fill.digest[:6]}{answer.digest[:6]}"
    about = ". ".join([facts, *filter(None, captions)])
    return document(width, bottom + 4, theme, identity, title or "Context, fill and answer", about, "".join(body))


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
