"""Parts as numbers: does each instrument play what such an instrument plays, and do parts keep their places?"""

from __future__ import annotations

import numpy as np

from libretto.merit.habits import TRAITS, Habits
from libretto.merit.heard import Heard, mean_of
from libretto.score.table import Bools, Floats, distinct, middle, percentile

__all__ = ["oddness", "parts_of", "traits_of"]

_FEWEST = 6  # notes before a part shows how it is played
_MOST = 4.0  # spreads; beyond, a part is simply elsewhere
_BASS = (*range(32, 40), 43, 58)  # programs that play at the bottom
_RANGE, _EDGES = (5, 95), (2, 98)  # percentiles: where a part plays, where a piece ends
_SAME = 3  # semitones between the middles of two parts that lie in one place


def traits_of(heard: Heard) -> tuple[list[int], Floats]:
    """The pitched voices that play enough, and how each is played: a row a voice, columns ``TRAITS``."""
    facts, voices, rows = heard.facts, [], []
    for voice in distinct(facts.voice).tolist():
        mine = facts.voice == voice
        if mine.sum() < _FEWEST:
            continue
        pitch = facts.pitch[mine]
        bars = len(distinct(facts.bar[mine]))
        onsets = len(distinct(facts.onset[mine]))
        low, high = (percentile(pitch, edge) for edge in _RANGE)
        length = np.log2(np.maximum(facts.duration[mine] / heard.beat[facts.bar[mine]], 1 / 16))
        row = (pitch.mean(), low, high, np.log2(len(pitch) / onsets), length.mean(), np.log2(onsets / bars))
        voices.append(voice)
        rows.append(row)
    return voices, np.array(rows, dtype=np.float64).reshape(-1, len(TRAITS))


def oddness(heard: Heard, habits: Habits) -> tuple[list[int], Floats]:
    """The voices that play enough, and by how many spreads each is off its instrument's habits, trait by trait."""
    voices, rows = traits_of(heard)
    programs = [heard.programs[voice] for voice in voices]
    off = (rows - habits.place[programs]) / habits.spread[programs] if voices else rows
    return voices, np.clip(off, -_MOST, _MOST)


def parts_of(heard: Heard, habits: Habits) -> dict[str, float]:
    """Every number about parts."""
    voices, off = oddness(heard, habits)
    numbers: dict[str, float] = {}
    if not voices:
        return numbers
    size = np.bincount(heard.facts.voice, minlength=heard.facts.voices)[voices].astype(np.float64)
    weight = np.sqrt(size) / np.sqrt(size).sum()
    for column, name in enumerate(TRAITS):
        far = np.abs(off[:, column])
        numbers[f"odd_{name}"] = float((far * weight).sum())
        numbers[f"oddest_{name}"] = float(far.max())
    register = (off[:, :3] ** 2).mean(axis=1)
    numbers["odd_register"] = float((register * weight).sum())
    numbers["oddest_register"] = float(register.max())
    numbers["odd_part"] = float(((off**2).mean(axis=1) * weight).sum())
    numbers["oddest_part"] = float((off**2).mean(axis=1).max())
    return numbers | _places(heard, voices)


def _places(heard: Heard, voices: list[int]) -> dict[str, float]:
    """Who is lowest, and whether parts keep out of each other's way."""
    facts = heard.facts
    mean = facts.mean_pitch[voices]
    bass = np.array([heard.programs[voice] in _BASS for voice in voices])
    numbers: dict[str, float] = {}
    if bass.any() and not bass.all():
        numbers["bass_is_lowest"] = float(bass[np.argmin(mean)])
        numbers["bass_below"] = float(mean[~bass].min() - mean[bass].min())
    if len(voices) > 1:
        gaps = np.diff(np.sort(mean))
        numbers["crowded"] = mean_of(gaps < _SAME)
        numbers["lowest_gap"] = float(gaps[0])
        numbers["spread_of_parts"] = float(mean.max() - mean.min())
        numbers["thin_below"] = _thin(facts.density[voices], mean)
    numbers["low_floor"] = percentile(facts.pitch, _EDGES[0])
    numbers["high_roof"] = percentile(facts.pitch, _EDGES[1])
    return numbers


def _thin(density: Floats, mean: Floats) -> float:
    """Whether low parts play single notes and chords lie above: how much thicker the higher half is."""
    half = middle(mean)
    low: Bools = mean <= half
    return mean_of(density[~low]) - mean_of(density[low]) if (~low).any() else float("nan")
