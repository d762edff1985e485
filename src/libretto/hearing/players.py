"""The ear for instruments: whether a piano, a guitar, a bass or drums are played, told by how their sounds begin,
what they are made of, and how they die away.

Every attack is looked at by itself: the spectrum just after it in twelve bands, how fast each band falls, how long the
sound takes to begin; then the tone that is strongest there: its pitch, how strong its partials are, how far they are
stretched (those of thick, stiff strings are), and how many tones sound with it. What the attacks of a clip have in
common, their mean, goes into a small network that says how likely each of the four is. Its weights (``players.json``)
were taught on sounds of the lab (``lab/listening/teach_players.py``), and measured on others (``docs/hearing.md``).
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.hearing.attacks import attacks_of
from libretto.hearing.audio import Clip
from libretto.hearing.partials import HOP, LOWEST, RATE, TINY, Explained, decibels, explained, hearable
from libretto.hearing.reading import Reading, clearness
from libretto.hearing.rhythm import PULSE_HOP, band_powers
from libretto.score.table import Floats, Singles

__all__ = ["PLAYERS", "chances", "hear_player", "read_players", "signs_of"]

#: Who is told apart, each as one General MIDI program; 128 is a drum kit.
PLAYERS = (0, 25, 33, 128)
_BANDS = ((30, 90), (90, 160), (160, 260), (260, 400), (400, 620), (620, 950),
          (950, 1450), (1450, 2200), (2200, 3300), (3300, 4700), (4700, 6300), (6300, 8000))  # fmt: skip
_FRAME = PULSE_HOP / RATE  # seconds
_FLOOR, _SCALE, _DEEPEST = -75.0, 20.0, 2.5  # dB: the faintest that is heard; dB to one; the furthest that counts
_LISTENED = 6 * RATE  # samples that decide who plays
_APART = 0.09  # seconds between two attacks
_AFTER, _LATER = slice(0, 8), slice(16, 24)  # frames after an attack: how it sounds at once, and a tenth of a second on
_FALL = (6, 90)  # frames after an attack in which its fall is measured: 30 ms to 450 ms, or to the next attack
_SHORTEST_FALL = 8  # frames
_FALL_SCALE, _STEEPEST = 40.0, 3.0  # dB a second to one, and the steepest that counts
_BEGIN, _BEGUN, _LONGEST_BEGIN = 0.1, 0.9, 0.12  # of the loudest moment, between which a sound begins; seconds
_FINE = 16  # samples over which the beginning is measured: 1 ms
_VIEW, _POINTS = 4096, 8192  # samples that are seen of a tone, and points of its spectrum
_VIEW_LATE = 0.02  # seconds after the attack at which the view begins
_PARTIALS, _NEAR = 10, 0.03  # partials that are measured, and how far from its place one may lie
_STRONG = 0.06  # of the strongest partial: weaker ones do not say how far they are stretched
_STRETCH_SCALE, _MOST_STRETCH = 4e-4, 3.0
_TOGETHER = 0.25  # of the strongest pitch: pitches as strong as this sound with it
_MIDDLE, _OCTAVES = 60, 24.0  # a pitch is said from middle C, two octaves to one
_GROUPS = 6  # parts of a clip that are heard as other ears


class _Sound(NamedTuple):
    """A clip made ready: samples, level of each band every 5 ms, and the tones that explain it."""

    samples: Singles
    levels: Floats
    tones: Explained


def hear_player(clip: Clip) -> int | None:
    """Who plays, as a General MIDI program (128 a drum kit); nothing where nothing is struck."""
    values = read_players(clip).values
    return values[0] if values else None


def read_players(clip: Clip) -> Reading:
    """Who plays, as one General MIDI program of its family, and what is heard of each part of the clip alone."""
    sound = hearable(clip)[:_LISTENED]
    if not len(sound):
        return Reading(())
    tones = explained(sound)
    signs = signs_of(sound, tones)
    if not len(signs):
        return Reading(())
    parts = np.array_split(signs, min(_GROUPS, len(signs)))
    return Reading(_player(signs), tuple(_player(part) for part in parts), clearness(tones))


def _player(signs: Floats) -> tuple[int]:
    """The one whose attacks these are, as one program of its family."""
    return (PLAYERS[int(np.argmax(chances(signs.mean(axis=0)[None, :])[0]))],)


def signs_of(sound: Singles, tones: Explained | None = None) -> Floats:
    """What is seen of every attack in the first seconds of a sound at the ear's rate: a row for each."""
    sound = sound[:_LISTENED]
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS)))
    ready = _Sound(sound, levels, explained(sound) if tones is None else tones)
    places = _attacks(sound)
    ends = [*places[1:], len(levels)]
    rows = [_signs(ready, place, end) for place, end in zip(places, ends, strict=True)]
    return np.array(rows, dtype=np.float64)


def _attacks(sound: Singles) -> list[int]:
    """The frames of the attacks, no two close together."""
    frames, _ = attacks_of(sound)
    places: list[int] = []
    for frame in frames.tolist():
        if not places or (frame - places[-1]) * _FRAME >= _APART:
            places.append(int(frame))
    return places


def _signs(sound: _Sound, place: int, end: int) -> Floats:
    """One attack: spectrum and fall in bands, how it begins, and the tone that is strongest there."""
    after = sound.levels[place + _AFTER.start : place + _AFTER.stop].max(axis=0)
    tail = sound.levels[place + _LATER.start : place + _LATER.stop]
    later = tail.mean(axis=0) if len(tail) else np.full(len(after), _FLOOR)
    shape = np.clip((after - after.max()) / _SCALE, -_DEEPEST, 0.0)
    fallen = np.clip((later - after) / _SCALE, -_DEEPEST, _DEEPEST)
    return np.concatenate([shape, fallen, _falls(sound.levels, place, end), [_beginning(sound.samples, place)],
                           _tone(sound, place)])  # fmt: skip


def _falls(levels: Floats, place: int, end: int) -> Floats:
    """How fast each band falls until the next attack, in dB a second."""
    own = levels[place + _FALL[0] : min(place + _FALL[1], end)]
    if len(own) < _SHORTEST_FALL:
        return np.zeros(levels.shape[1])
    at = np.arange(len(own)) * _FRAME
    at = at - at.mean()
    slopes = (at[:, None] * own).sum(axis=0) / (at**2).sum()
    return np.asarray(np.clip(slopes / _FALL_SCALE, -_STEEPEST, _STEEPEST))


def _beginning(samples: Singles, place: int) -> float:
    """How long the sound takes to begin, from 0 to 1 for the longest that is measured."""
    first = max(0, place * PULSE_HOP - int(_LONGEST_BEGIN * RATE) // 3)
    piece = samples[first : first + int(_LONGEST_BEGIN * RATE)]
    count = len(piece) // _FINE
    if not count:
        return 0.0
    loud = np.abs(piece[: count * _FINE]).reshape(count, _FINE).max(axis=1)
    top = int(np.argmax(loud >= _BEGUN * loud.max()))
    below = np.flatnonzero(loud[: top + 1] <= _BEGIN * loud.max())
    return float(top - below[-1] if len(below) else top) * _FINE / RATE / _LONGEST_BEGIN


def _tone(sound: _Sound, place: int) -> Floats:
    """The tone that is strongest after an attack: pitch, company, how much of the sound it is, stretch, partials."""
    first = place * PULSE_HOP // HOP
    amounts = sound.tones.amounts[first + 3 : first + 18]
    if not len(amounts):
        return np.zeros(4 + _PARTIALS)
    mean = np.asarray(amounts.mean(axis=0), dtype=np.float64)
    row = int(np.argmax(mean))
    company = float((mean > _TOGETHER * mean.max()).sum()) / 4
    share = float(mean[row] / (mean.sum() + TINY))
    levels, stretch = _partials(sound.samples, place, 440.0 * 2 ** ((row + LOWEST - 69) / 12))
    return np.concatenate([[(row + LOWEST - _MIDDLE) / _OCTAVES, company, share, stretch], levels])


def _partials(samples: Singles, place: int, hertz: float) -> tuple[Floats, float]:
    """How strong each partial of a tone is beside the strongest, and how far they are stretched."""
    first = place * PULSE_HOP + int(_VIEW_LATE * RATE)
    piece = samples[first : first + _VIEW]
    if len(piece) < _VIEW // 4:
        return np.full(_PARTIALS, -_DEEPEST), 0.0
    seen = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), _POINTS))
    peaks = [_peak(seen, hertz * number, hertz) for number in range(1, _PARTIALS + 1)]
    strong = np.array([level for level, _ in peaks])
    places = np.array([at for _, at in peaks])
    levels = np.clip(20 * np.log10((strong + TINY) / (strong.max() + TINY)) / _SCALE, -_DEEPEST, 0.0)
    return levels, _stretch(strong, places)


def _peak(seen: Floats, hertz: float, base: float) -> tuple[float, float]:
    """The strongest point near a frequency, and where exactly it lies in Hz; nothing above the spectrum."""
    width = max(base * 0.25, hertz * _NEAR)
    low, high = int((hertz - width) * _POINTS / RATE), int((hertz + width) * _POINTS / RATE) + 2
    if low < 1 or high >= len(seen):
        return 0.0, 0.0
    at = low + int(np.argmax(seen[low:high]))
    left, middle, right = (float(np.log(seen[place] + TINY)) for place in (at - 1, at, min(at + 1, len(seen) - 1)))
    bend = left - 2 * middle + right
    off = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(seen[at]), (at + max(-0.5, min(0.5, off))) * RATE / _POINTS


def _stretch(strong: Floats, places: Floats) -> float:
    """How stiff the string is: partial n lies n * sqrt(1 + B n^2) times its first; the middle of what all pairs say."""
    said = []
    usable = [number for number in range(_PARTIALS) if strong[number] > _STRONG * strong.max() and places[number] > 0]
    for one in usable:
        for two in usable:
            if two > one + 1:
                first, second = (places[one] / (one + 1)) ** 2, (places[two] / (two + 1)) ** 2
                n, m = (one + 1) ** 2, (two + 1) ** 2
                below = first * m - second * n
                if below > 0:
                    said.append((second - first) / below)
    return float(np.clip(np.median(said) / _STRETCH_SCALE, -1.0, _MOST_STRETCH)) if said else 0.0


@lru_cache(maxsize=1)
def _net() -> dict[str, Floats]:
    data = json.loads(files("libretto.hearing").joinpath("players.json").read_text(encoding="utf-8"))
    return {name: np.array(values) for name, values in data.items()}


def chances(signs: Floats, net: dict[str, Floats] | None = None) -> Floats:
    """How likely each of the four plays, for each row of means: rows that add up to one."""
    own = _net() if net is None else net
    inner = np.clip((signs - own["middle"]) / own["spread"], -4.0, 4.0)
    hidden = np.tanh(inner @ own["first"] + own["offset"])
    said = hidden @ own["second"] + own["last"]
    said = np.exp(said - said.max(axis=1, keepdims=True))
    return np.asarray(said / said.sum(axis=1, keepdims=True))
