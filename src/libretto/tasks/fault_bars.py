"""Planters of faults in a whole bar: shifted in time, of another length, from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, spell
from libretto.tasks.faults import Planted, Soil, planters

__all__: list[str] = []


def _full_bars(soil: Soil) -> list[int]:
    """Bars in the midst of the music that are about as full as those around them."""
    facts = soil.facts
    size = np.bincount(soil.score.table["bar"], minlength=facts.bars)
    pitched = np.bincount(facts.bar, minlength=facts.bars)
    usual = np.median(size[size > 0])
    inner = range(2, facts.bars - 2)
    return [b for b in inner if size[b] >= max(4, 0.5 * usual) and pitched[b] >= 4 and size[b - 1 : b + 2].min() >= 2]


def _in_time(soil: Soil, bar: int) -> bool:
    """Whether a bar is in time: it has a downbeat, and most of its strikes and of the next bar's are on eighths."""
    table = soil.score.table
    near = table["position"][(table["bar"] == bar) | (table["bar"] == bar + 1)]
    off = np.abs(near / (QUARTER / 2) - np.rint(near / (QUARTER / 2)))
    mine = table["position"][table["bar"] == bar]
    return bool((off < 0.1).mean() >= 0.6 and (mine < QUARTER // 16).any())


def _of_bar(soil: Soil, voice: int, bar: int) -> tuple[NDArray[Any], slice]:
    """A voice's notes, to be changed, and where those of a bar are."""
    notes = soil.score.voices[voice].array.copy()
    low, high = np.searchsorted(notes["onset"], soil.score.bar_lines[bar : bar + 2])
    return notes, slice(int(low), int(high))


@planters.register("meter")
def _meter(soil: Soil) -> Planted | None:
    """One bar comes in late by half a beat or a sixteenth, or loses half a beat, in all voices."""
    bars = [bar for bar in _full_bars(soil) if _in_time(soil, bar)]
    if not bars:
        return None
    bar = soil.chance.choice(bars)
    way = soil.chance.choice(("late", "late", "short"))
    return _shorter(soil, bar) if way == "short" else _later(soil, bar, soil.chance.choice((2, 4, 4)))


def _later(soil: Soil, bar: int, part: int) -> Planted:
    shift = QUARTER // part
    start, end = soil.score.bar_lines[bar : bar + 2]
    changed = {}
    for voice in range(len(soil.score.voices)):
        notes, mine = _of_bar(soil, voice, bar)
        if mine.start == mine.stop:
            continue
        notes["onset"][mine] = start + (notes["onset"][mine] - start + shift) % (end - start)
        changed[voice] = notes
    words = f"bar {bar + soil.score.first_bar}: every voice is late by {'an eighth' if part == 2 else 'a sixteenth'}"
    return soil.planted(changed, bar, None, words)


def _shorter(soil: Soil, bar: int) -> Planted | None:
    """Half a beat is cut from the end of a bar; the bars after it follow at once."""
    score, cut = soil.score, QUARTER // 2
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    end = int(lines[bar + 1])
    if lines[bar + 1] - lines[bar] <= 2 * cut:
        return None

    def moved(tick: int) -> int:
        return tick - cut if tick >= end else min(tick, end - cut)

    changed = {}
    for index, voice in enumerate(score.voices):
        notes = voice.array.copy()
        notes = notes[(notes["onset"] < end - cut) | (notes["onset"] >= end)]
        late = notes["onset"] >= end
        inside = (notes["onset"] >= lines[bar]) & ~late
        over = np.maximum(notes["onset"] + notes["duration"] - (end - cut), 0)
        notes["duration"][inside] -= np.minimum(over, cut)[inside]
        notes["onset"][late] -= cut
        notes["duration"] = np.maximum(notes["duration"], 1)
        changed[index] = notes
    shifted = tuple(int(line) - cut if line >= end else int(line) for line in lines)
    marks: dict[str, Any] = {
        name: tuple((moved(tick), value) for tick, value in getattr(score, name))
        for name in ("meters", "keys", "tempos", "sections")
    }
    for name, pairs in marks.items():
        marks[name] = tuple(dict(pairs).items())
    words = f"bar {bar + score.first_bar}: half a beat is missing at its end"
    voices = tuple(v.with_notes(changed[i]) for i, v in enumerate(score.voices))
    from libretto.score.build import refit

    grids = refit(voices, np.asarray(shifted, dtype=np.int64))
    after = replace(score, voices=voices, bar_lines=shifted, grids=grids, **marks)
    return Planted(after, soil.kind, bar + score.first_bar, None, words)


def _strange(soil: Soil, bar: int, step: int) -> bool:
    """Whether a bar, moved, would have at least two pitch classes that the bars around it lack."""
    mass = soil.facts.bar_mass
    around = mass[max(bar - 2, 0) : bar].sum(axis=0) + mass[bar + 1 : bar + 3].sum(axis=0)
    return bool(((np.roll(mass[bar], step) > 0) & (around == 0)).sum() >= 2)


@planters.register("foreign-bar")
def _foreign_bar(soil: Soil) -> Planted | None:
    """One bar in which everybody but the drums plays in another key, or each something from elsewhere in the piece."""
    bars = _full_bars(soil)
    if not bars:
        return None
    bar, scrambled = soil.chance.choice(bars), soil.chance.random() < 0.3
    step = soil.chance.choice((-6, -1, 1, 6))
    if not scrambled:
        bars = [one for one in bars if _strange(soil, one, step)]
        if not bars:
            return None
        bar = soil.chance.choice(bars)
    changed = {}
    for voice, old in enumerate(soil.score.voices):
        notes, mine = _of_bar(soil, voice, bar)
        if old.drums or mine.start == mine.stop:
            continue
        own = soil.chance.choice((-6, -5, -4, -3, -1, 1, 3, 4, 5, 6)) if scrambled else step
        notes["pitch"][mine] = np.clip(notes["pitch"][mine] + own, 1, 126)
        if scrambled:
            notes["pitch"][mine] = notes["pitch"][mine][::-1].copy()
        notes["spelling"][mine] = spell(notes["pitch"][mine], soil.score.key)
        changed[voice] = notes
    number = bar + soil.score.first_bar
    what = (
        "every voice is scrambled and moved on its own"
        if scrambled
        else f"all pitches are moved by {step:+d} semitones"
    )
    return soil.planted(changed, bar, None, f"bar {number}: {what}")
