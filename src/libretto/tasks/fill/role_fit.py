"""What a part of a role is like beside the rest of its song: bass, drums, keys, guitar, strings, lead.

Measured on real parts (``python -m lab.gauges.roles``): where such parts lie, how much they play, how they
agree with the chords and with the rhythm of the others. Numbers only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score, Voice, hear_chords, parse_chord
from libretto.score.arrays import Floats
from libretto.score.pitch import pitch_class_of

__all__ = [
    "ASPECTS",
    "ROLES",
    "Rest",
    "RoleGauge",
    "aspects",
    "doubling",
    "is_role_name",
    "load_role_gauges",
    "role_of",
]

#: The roles that a part may have.
ROLES = ("bass", "drums", "guitar", "keys", "lead", "strings")
#: What is measured of a part, in order.
ASPECTS = (
    "height", "reach", "amount", "presence", "chord tones", "home tones", "together", "with the groove", "fullness",
    "length", "off the beat", "repetition", "roots", "low drums", "backbeat",
)  # fmt: skip
_NEAR = QUARTER // 8
_PROGRAMS = (("keys", 0, 15), ("keys", 16, 23), ("guitar", 24, 31), ("bass", 32, 39), ("strings", 40, 55),
             ("lead", 56, 87), ("strings", 88, 95), ("keys", 96, 111), ("keys", 112, 127))  # fmt: skip
_NAMES = (
    ("bass", "bass"), ("drum", "drums"), ("perc", "drums"), ("kit", "drums"), ("guit", "guitar"), ("gtr", "guitar"),
    ("string", "strings"), ("pad", "strings"), ("choir", "strings"), ("viol", "strings"), ("cello", "strings"),
    ("piano", "keys"), ("key", "keys"), ("organ", "keys"), ("rhodes", "keys"), ("clav", "keys"), ("lead", "lead"),
    ("melod", "lead"), ("voc", "lead"), ("sax", "lead"), ("flute", "lead"), ("trumpet", "lead"), ("solo", "lead"),
    ("horn", "lead"),
)  # fmt: skip


def role_of(voice: Voice) -> str:
    """The role that a part's instrument has, or its name where nobody said which instrument."""
    if voice.drums:
        return "drums"
    named = next((role for word, role in _NAMES if word in voice.name.casefold()), "")
    if voice.program is None:
        return named or "keys"
    if named in ("bass", "lead"):
        return named
    return next(role for role, low, high in _PROGRAMS if low <= voice.program <= high)


def is_role_name(name: str) -> bool:
    """Whether a name says what its part does: "Bass", "Lead Vox", "Strings 2"."""
    return any(word in name.casefold() for word, _ in _NAMES)


@dataclass(frozen=True, eq=False)
class Rest:
    """The rest of a song: its chords by half bar, the notes that are at home, and where its notes start."""

    score: Score = field(repr=False)
    chords: tuple[tuple[Any, Any], ...] = field(repr=False)
    home: frozenset[int]
    starts: NDArray[np.int64] = field(repr=False)
    groove: NDArray[np.int64] = field(repr=False)
    sounding: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, score: Score) -> Rest:
        """Read the rest of a song."""
        chords = []
        for labels in hear_chords(score):
            parsed = [parse_chord(label) for label in labels]
            chords.append((parsed[0], parsed[-1]))
        drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
        bass = np.array([role_of(voice) == "bass" for voice in score.voices], dtype=np.bool_)
        table = score.table
        pitched = table[~drums[table["voice"]]] if len(table) else table
        mass = np.bincount(pitched["pitch"] % 12, np.minimum(pitched["duration"], 4 * QUARTER), 12)
        home = (
            frozenset(np.flatnonzero(mass >= 0.03 * max(mass.sum(), 1)).tolist())
            if mass.any()
            else frozenset(range(12))
        )
        groovy = table[(drums | bass)[table["voice"]]] if len(table) else table
        sounding = np.bincount(table["bar"], minlength=score.bars) > 0
        return cls(score, tuple(chords), home, np.unique(table["onset"]), np.unique(groovy["onset"]), sounding)


def aspects(part: Voice, rest: Rest) -> Floats:
    """What a part is like beside the rest; what does not apply is NaN."""
    notes, score = part.array, rest.score
    found = np.full(len(ASPECTS), np.nan)
    if not len(notes):
        return found
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    bar = np.clip(np.searchsorted(lines, notes["onset"], side="right") - 1, 0, score.bars - 1)
    place = notes["onset"] - lines[bar]
    beat = np.minimum(place % QUARTER, QUARTER - place % QUARTER)
    on_beat = beat < _NEAR
    plays = np.bincount(bar, minlength=score.bars) > 0
    starts = np.unique(notes["onset"])
    found[2] = np.log2(len(notes) / plays.sum())
    found[3] = (plays & rest.sounding).sum() / max(1, rest.sounding.sum())
    found[6], found[7] = _met(starts, rest.starts), _met(starts, rest.groove)
    found[8] = np.log2(len(notes) / len(starts))
    found[10] = 1.0 - on_beat.mean()
    found[11] = _repetition(bar, place, plays, score.bars)
    if part.drums:
        found[13] = np.isin(notes["pitch"], (35, 36)).mean()
        snare = np.isin(notes["pitch"], (37, 38, 39, 40)) & on_beat
        even = np.round(place / QUARTER).astype(np.int64) % 2 == 1
        found[14] = even[snare].mean() if snare.any() else 0.0
        return found
    found[0], found[1] = notes["pitch"].mean(), notes["pitch"].std()
    found[9] = np.log2(np.minimum(notes["duration"], 8 * QUARTER) / QUARTER).mean()
    found[5] = np.isin(notes["pitch"] % 12, list(rest.home)).mean()
    half = (place * 2 >= np.diff(lines)[bar]).astype(np.int64)
    inside, root = np.zeros(len(notes), dtype=np.bool_), np.zeros(len(notes), dtype=np.bool_)
    known = np.zeros(len(notes), dtype=np.bool_)
    for index in np.flatnonzero(on_beat).tolist():
        chord = rest.chords[int(bar[index])][int(half[index])]
        if chord is not None:
            tone = int(notes["pitch"][index]) % 12
            known[index], inside[index] = True, tone in chord.classes
            root[index] = tone == pitch_class_of(chord.root)
    if known.any():
        found[4], found[12] = inside[known].mean(), root[known].mean()
    return found


def _met(starts: NDArray[np.int64], others: NDArray[np.int64]) -> float:
    """Which share of starts meets one of others."""
    if not len(others):
        return float("nan")
    after = np.minimum(np.searchsorted(others, starts), len(others) - 1)
    near = np.minimum(np.abs(others[after] - starts), np.abs(others[np.maximum(after - 1, 0)] - starts))
    return float((near < _NEAR).mean())


def _repetition(bar: NDArray[Any], place: NDArray[Any], plays: NDArray[np.bool_], bars: int) -> float:
    """How alike the rhythms of a part's bars are: the share of bars whose rhythm occurs more than once."""
    slots = np.zeros((bars, 32), dtype=np.bool_)
    slots[bar, np.minimum(place * 8 // (2 * QUARTER), 31)] = True
    _, which, count = np.unique(slots[plays], axis=0, return_inverse=True, return_counts=True)
    return float((count[which.ravel()] > 1).mean())


def doubling(part: Voice, score: Score) -> tuple[float, str]:
    """The largest share of a part's notes that one other voice strikes too, in any octave, and that voice."""
    best, name = 0.0, ""
    if part.drums or not len(part.array):
        return best, name
    slot = QUARTER // 8
    mine = (part.array["onset"] + slot // 2) // slot * 12 + part.array["pitch"] % 12
    for voice in score.voices:
        if voice.drums or voice.name == part.name or not len(voice.array):
            continue
        theirs = (voice.array["onset"] + slot // 2) // slot * 12 + voice.array["pitch"] % 12
        share = float(np.isin(mine, theirs).mean())
        if share > best:
            best, name = share, voice.name
    return best, name


@dataclass(frozen=True, eq=False)
class RoleGauge:
    """What real parts of a role are like: middle and spread of each aspect, weights, and what they pass by.

    ``weights`` are for the aspects' distances from the middle; ``floor`` is the least role fit, ``home`` the least
    share of notes that are at home, ``doubled`` the most that one other voice doubles.
    """

    middle: Floats = field(repr=False)
    spread: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    floor: float
    home: float
    doubled: float
    rates: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def away(self, row: Floats) -> Floats:
        """How far each aspect lies from the middle, in spreads, with its sign; 0 where it does not apply."""
        return np.clip(np.nan_to_num((row - self.middle) / self.spread), -4.0, 4.0)

    def fit(self, row: Floats) -> float:
        """How much a part is like real ones."""
        away = self.away(row)
        return float(np.concatenate([away, np.abs(away)]) @ self.weights)

    def to_dict(self) -> dict[str, Any]:
        """The gauge as plain data."""
        tables = {name: np.round(getattr(self, name), 4).tolist() for name in ("middle", "spread", "weights")}
        return {**tables, "floor": self.floor, "home": self.home, "doubled": self.doubled, "rates": dict(self.rates)}


@lru_cache(maxsize=1)
def load_role_gauges() -> dict[str, RoleGauge]:
    """The gauges that come with the package, by role."""
    data = json.loads(files("libretto.tasks.fill").joinpath("roles.json").read_text("utf-8"))
    tables = ("middle", "spread", "weights")
    return {
        role: RoleGauge(**{**row, **{name: np.array(row[name], dtype=np.float64) for name in tables}})
        for role, row in data.items()
    }
