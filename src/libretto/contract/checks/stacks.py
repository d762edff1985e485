"""Whether somebody strikes power chords, and whether a tune is in two parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, names_of, nowhere, said, voices_of, within
from libretto.score.model import Score

__all__ = ["POWER", "SECTION", "chairs_of", "holds_own_chords", "in_power_chords", "in_two_parts", "stacks"]

#: How asks begin that name a section in parts, before their number.
SECTION = "section "
#: Pitch classes above the root of what is a power chord.
POWER = frozenset((0, 7))
_LOW = 60  # the pitch below which their roots lie
_MOSTLY, _OFTEN = 0.8, 0.6  # of the chords of somebody, of the notes of a tune
_PARTS = 2


def stacks(score: Score, index: int, spans: Spans, *others: int) -> list[list[int]]:
    """What somebody strikes at once, perhaps with others, from below, time after time."""
    struck: dict[int, list[int]] = {}
    for one in (index, *others):
        for note in within(score.voices[one].array, spans, score):
            struck.setdefault(int(note["onset"]), []).append(int(note["pitch"]))
    return [sorted(struck[tick]) for tick in sorted(struck)]


def chairs_of(score: Score, mine: Sequence[int]) -> bool:
    """Whether some voices are the chairs of one section."""
    return len(mine) > 1 and len({score.voices[index].name.partition(" (")[0] for index in mine}) == 1


def _is_power(tones: list[int]) -> bool:
    """Whether tones are nothing but root and fifth, and lie low."""
    return {(tone - tones[0]) % 12 for tone in tones} <= POWER and tones[0] < _LOW


def in_power_chords(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Nearly all that somebody strikes together is root and fifth, and low; single notes are left out."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    chords = [tones for index in mine for tones in stacks(score, index, spans) if len(tones) >= _PARTS]
    if not mine:
        return nowhere(ask, spans)
    share = sum(map(_is_power, chords)) / max(1, len(chords))
    return share >= _MOSTLY, f"{share:.0%} of the chords of {names_of(score, mine)} are power chords", spans


def in_two_parts(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Most of the notes of a tune, or of the chairs of a section together, have another with them."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not mine:
        return nowhere(ask, spans)
    groups = [mine] if chairs_of(score, mine) else [[index] for index in mine]
    tones = [len(row) for group in groups for row in stacks(score, group[0], spans, *group[1:])]
    share = float(np.mean([count >= _PARTS for count in tones])) if tones else 0.0
    return share >= _OFTEN, f"{share:.0%} of what {names_of(score, mine)} plays in {said(spans)} is in two parts", spans


def holds_own_chords(ask: Ask, score: Score, spans: Spans) -> Finding:
    """In most bars in which somebody plays, two notes and more are held for half of it under the highest."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not mine:
        return nowhere(ask, spans)
    notes, lines = within(score.voices[mine[0]].array, spans, score), score.bar_lines
    bars = sorted({score.bar_at(int(tick)) for tick in notes["onset"]} - {score.bars - 1})
    held = 0
    for bar in bars:
        inside = notes[(notes["onset"] >= lines[bar]) & (notes["onset"] < lines[bar + 1])]
        long = inside[2 * inside["duration"] >= lines[bar + 1] - lines[bar]]
        held += int((long["pitch"] < inside["pitch"].max()).sum()) >= _PARTS
    name = names_of(score, mine[:1])
    return held >= _OFTEN * len(bars), f"{name} holds chords under its tune in {held} of {len(bars)} bars", spans
