"""Planters of faults in a whole bar: shifted in time, of another length, from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.plant.fault import Planted, Soil, planters
from libretto.score import QUARTER, Score, spell
from libretto.score.facts import Facts
from libretto.score.validate import refit

__all__: list[str] = []

_PARTS = {2: "an eighth", 4: "a sixteenth", 8: "a thirty-second"}
_STRANGE = 0.5  # a foreign bar spends at least so much of its sound on what the bars around it lack
_TRIES, _TRIES_GIVEN = 20, 40  # bars that are tried; the same for a bar of another song
_SAME = 0.5  # strikes of a late bar that may fall where there were some
_FULL, _BESIDE = 4, 2  # notes of a full bar, and of those beside it
_FULLNESS = 0.5  # of the usual number of notes
_EIGHTH, _THIRTY_SECOND, _SIXTY_FOURTH = QUARTER // 2, QUARTER // 8, QUARTER // 16
_ON, _MOSTLY = 0.1, 0.6  # of an eighth within which a strike is on it; the share of strikes that are
_PLACES = 4096  # more than a bar has
_GIVEN = 0.5  # how often a foreign bar is taken from another song where there is one
_LOWEST, _HIGHEST = 1, 126  # of MIDI's pitches, without the outermost
_STRUCK = 8  # strikes that a bar needs for its time to be heard plainly
_KEPT = 0.9  # the passage around a foreign bar has a key of its own: so much of it is in one scale
_FAR, _NEAR = (-6, -1, 1, 6), (-5, -2, 2, 5)  # moves to a distant key, and to a related one


def _full_bars(soil: Soil) -> list[int]:
    """Bars in the midst of the music that are about as full as those around them."""
    facts = soil.facts
    size = np.bincount(soil.score.table["bar"], minlength=facts.bars)
    pitched = np.bincount(facts.bar, minlength=facts.bars)
    usual = np.median(size[size > 0])
    full = (size >= max(_FULL, _FULLNESS * usual)) & (pitched >= _FULL)
    return [bar for bar in range(2, facts.bars - 2) if full[bar] and size[bar - 1 : bar + 2].min() >= _BESIDE]


def _in_time(soil: Soil, bar: int) -> bool:
    """Whether a bar is in time: it has a downbeat, and most of its strikes and of the next bar's are on eighths."""
    table = soil.score.table
    near = table["position"][(table["bar"] == bar) | (table["bar"] == bar + 1)]
    off = np.abs(near / _EIGHTH - np.rint(near / _EIGHTH))
    mine = table["position"][table["bar"] == bar]
    heard = len(mine) >= _STRUCK or not soil.plain
    return bool((off < _ON).mean() >= _MOSTLY and (mine < _SIXTY_FOURTH).any() and heard)


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
    whole = bool((soil.facts.bar_length % QUARTER == 0).all()) or not soil.plain
    for _ in range(_TRIES if soil.plain else 1):
        bar = soil.chance.choice(bars)
        if soil.chance.choice(("late", "late", "short")) == "short" and whole:
            return _shorter(soil, bar)
        part = soil.chance.choice((2, 4, 4) if soil.plain else (4, 8))
        if not soil.plain or _moves(soil, bar, part):
            return _later(soil, bar, part)
    return None


def _moves(soil: Soil, bar: int, part: int) -> bool:
    """Whether a bar that comes late strikes elsewhere: even eighths an eighth late are even eighths."""
    table = soil.score.table[soil.score.table["bar"] == bar]
    length = int(soil.facts.bar_length[bar])

    def strikes(shift: int) -> NDArray[Any]:
        place = np.rint((table["position"] + shift) % length / _THIRTY_SECOND).astype(np.int64)
        return np.asarray(table["voice"].astype(np.int64) * _PLACES + place)

    return bool(np.isin(strikes(QUARTER // part), strikes(0)).mean() <= _SAME)


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
    words = f"bar {bar + soil.score.first_bar}: every voice is late by {_PARTS[part]}"
    return soil.planted(changed, bar, None, words)


def _shorter(soil: Soil, bar: int) -> Planted | None:
    """Half a beat is cut from the end of a bar; the bars after it follow at once."""
    score, cut = soil.score, _EIGHTH
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
    grids = refit(voices, np.asarray(shifted, dtype=np.int64))
    after = replace(score, voices=voices, bar_lines=shifted, grids=grids, **marks)
    return Planted(after, soil.kind, bar + score.first_bar, None, words)


def _strange(soil: Soil, bar: int, mass: NDArray[Any]) -> bool:
    """Whether that would be plainly foreign in a bar: two pitch classes or more, and much of it, are not around."""
    if not soil.plain:
        return bool(mass.sum() > 0)
    all_bars = soil.facts.bar_mass
    around = all_bars[max(bar - 2, 0) : bar].sum(axis=0) + all_bars[bar + 1 : bar + 3].sum(axis=0)
    new = (mass > 0) & (around == 0)
    kept = soil.passages[1][bar] >= _KEPT
    return bool(kept and new.sum() >= 2 and mass[new].sum() >= _STRANGE * mass.sum())


@planters.register("foreign-bar")
def _foreign_bar(soil: Soil) -> Planted | None:
    """One bar in which everybody but the drums plays in a distant key, or a bar of another song."""
    bars = _full_bars(soil)
    bars = soil.chance.sample(bars, len(bars))
    if soil.donor is not None and soil.chance.random() < _GIVEN:
        given = _given(soil, soil.donor, bars[:_TRIES_GIVEN])
        if given is not None:
            return given
    step = soil.chance.choice(_FAR if soil.plain else _NEAR)
    for bar in bars:
        if _strange(soil, bar, np.roll(soil.facts.bar_mass[bar], step)):
            return _moved(soil, bar, step)
    return None


def _moved(soil: Soil, bar: int, step: int) -> Planted:
    changed = {}
    for voice, old in enumerate(soil.score.voices):
        notes, mine = _of_bar(soil, voice, bar)
        if old.drums or mine.start == mine.stop:
            continue
        notes["pitch"][mine] = np.clip(notes["pitch"][mine] + step, _LOWEST, _HIGHEST)
        notes["spelling"][mine] = spell(notes["pitch"][mine], soil.score.key)
        changed[voice] = notes
    words = f"bar {bar + soil.score.first_bar}: all pitches are moved by {step:+d} semitones"
    return soil.planted(changed, bar, None, words)


def _given(soil: Soil, donor: Score, bars: list[int]) -> Planted | None:
    """A bar of the donor instead of one of the piece's, each voice taking what the donor has in its register."""
    other = Facts(donor)
    size = np.bincount(other.bar, minlength=other.bars)
    full = np.flatnonzero(size >= max(_FULL, np.median(size[size > 0]) * _FULLNESS if other.count else _FULL))
    if not len(full):
        return None
    facts = soil.facts
    for bar in bars:
        source = int(full[soil.chance.randrange(len(full))])
        same = other.bar_length[source] == facts.bar_length[bar]
        if same and _strange(soil, bar, other.bar_mass[source]):
            return _replaced(soil, bar, other, source)
    return None


def _replaced(soil: Soil, bar: int, other: Facts, source: int) -> Planted:
    facts, score = soil.facts, soil.score
    theirs = other.notes[other.bar == source]
    here = facts.bar == bar
    mine = sorted(
        np.unique(facts.voice[here]).tolist(), key=lambda v: float(facts.pitch[here & (facts.voice == v)].mean())
    )
    voices = sorted(
        np.unique(theirs["voice"]).tolist(), key=lambda v: float(theirs["pitch"][theirs["voice"] == v].mean())
    )
    taken = {v: mine[min(rank * len(mine) // max(len(voices), 1), len(mine) - 1)] for rank, v in enumerate(voices)}
    start, end = score.bar_lines[bar : bar + 2]
    changed = {}
    for voice in mine:
        notes, old = _of_bar(soil, voice, bar)
        chosen = theirs[np.isin(theirs["voice"], [v for v, to in taken.items() if to == voice])]
        new = np.empty(len(chosen), dtype=notes.dtype)
        new["onset"] = start + chosen["position"]
        new["duration"] = np.minimum(chosen["duration"], end - new["onset"])
        octave = 12 * round((notes["pitch"][old].mean() - chosen["pitch"].mean()) / 12) if len(chosen) else 0
        new["pitch"] = np.clip(chosen["pitch"] + octave, _LOWEST, _HIGHEST)
        new["velocity"] = round(float(notes["velocity"][old].mean()))
        new["spelling"] = spell(new["pitch"], score.key)
        changed[voice] = np.concatenate((notes[: old.start], new, notes[old.stop :]))
    words = f"bar {bar + score.first_bar}: all pitched notes are those of a bar of another song"
    return soil.planted(changed, bar, None, words)
