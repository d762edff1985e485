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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score, Voice, hear_chords, parse_chord
from libretto.score.chords import Chord
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

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
_NEAR = QUARTER // 8  # two starts that lie nearer are together; a start this near a beat is on it
_LONGEST = 8 * QUARTER  # longer notes count as this long
_HELD = 4 * QUARTER  # what a note counts for at most where tones are weighed
_AT_HOME = 0.03  # a pitch class that sounds for at least this share of the time is at home in a song
_BASS_DRUMS, _SNARES = (35, 36), (37, 38, 39, 40)  # keys of General MIDI
_RHYTHM_SLOTS = 32  # of a rhythm that is compared, each a quarter of a beat; what comes later falls into the last
_CLIP = 4.0  # spreads; further off is no further
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
    chords: tuple[tuple[Chord | None, Chord | None], ...] = field(repr=False)
    home: frozenset[int]
    starts: Ints = field(repr=False)
    groove: Ints = field(repr=False)
    sounding: Bools = field(repr=False)

    @classmethod
    def of(cls, score: Score) -> Rest:
        """Read the rest of a song."""
        chords = []
        for labels in hear_chords(score):
            parsed = [parse_chord(label) for label in labels]
            chords.append((parsed[0], parsed[-1]))
        pitched, table = Facts(score).notes, score.table
        mass = np.bincount(pitched["pitch"] % 12, np.minimum(pitched["duration"], _HELD), 12)
        home = np.flatnonzero(mass >= _AT_HOME * max(mass.sum(), 1)) if mass.any() else np.arange(12)
        grooves = np.array([voice.drums or role_of(voice) == "bass" for voice in score.voices], dtype=np.bool_)
        groovy = table[grooves[table["voice"]]] if len(table) else table
        sounding = np.bincount(table["bar"], minlength=score.bars) > 0
        return cls(
            score,
            tuple(chords),
            frozenset(home.tolist()),
            np.unique(table["onset"]),
            np.unique(groovy["onset"]),
            sounding,
        )


def aspects(part: Voice, rest: Rest) -> Floats:
    """What a part is like beside the rest, in the order of ``ASPECTS``; what does not apply is NaN."""
    if not len(part.array):
        return np.full(len(ASPECTS), np.nan)
    starts = _starts_of(part, rest.score)
    measured = _rhythm_aspects(starts, rest)
    measured |= _drum_aspects(starts) if part.drums else _pitch_aspects(starts, rest)
    return np.array([measured.get(name, np.nan) for name in ASPECTS])


class _Starts(NamedTuple):
    """The notes of a part, with the bar and the place in the bar where each starts, and whether that is on a beat."""

    notes: NDArray[Any]
    bar: Ints
    place: Ints
    on_beat: Bools


def _starts_of(part: Voice, score: Score) -> _Starts:
    notes, lines = part.array, np.asarray(score.bar_lines, dtype=np.int64)
    bar = np.clip(np.searchsorted(lines, notes["onset"], side="right") - 1, 0, score.bars - 1)
    place = notes["onset"] - lines[bar]
    off_beat = np.minimum(place % QUARTER, QUARTER - place % QUARTER)
    return _Starts(notes, bar, place, off_beat < _NEAR)


def _rhythm_aspects(part: _Starts, rest: Rest) -> dict[str, float]:
    """What can be said of every part: how much it plays, and when."""
    count, onsets = len(part.notes), np.unique(part.notes["onset"])
    plays = np.bincount(part.bar, minlength=rest.score.bars) > 0
    return {
        "amount": np.log2(count / plays.sum()),
        "presence": (plays & rest.sounding).sum() / max(1, rest.sounding.sum()),
        "together": _met(onsets, rest.starts),
        "with the groove": _met(onsets, rest.groove),
        "fullness": np.log2(count / len(onsets)),
        "off the beat": 1.0 - part.on_beat.mean(),
        "repetition": _repetition(part.bar, part.place, plays, rest.score.bars),
    }


def _drum_aspects(part: _Starts) -> dict[str, float]:
    """What can be said of percussion alone: its bass drum, and its snare on the backbeat."""
    snare = np.isin(part.notes["pitch"], _SNARES) & part.on_beat
    on_even_beat = np.round(part.place / QUARTER).astype(np.int64) % 2 == 1
    return {
        "low drums": np.isin(part.notes["pitch"], _BASS_DRUMS).mean(),
        "backbeat": on_even_beat[snare].mean() if snare.any() else 0.0,
    }


def _pitch_aspects(part: _Starts, rest: Rest) -> dict[str, float]:
    """What can be said of parts with pitches: where they lie, how long they hold, how they go with the chords."""
    notes = part.notes
    return {
        "height": notes["pitch"].mean(),
        "reach": notes["pitch"].std(),
        "home tones": np.isin(notes["pitch"] % 12, list(rest.home)).mean(),
        "length": np.log2(np.minimum(notes["duration"], _LONGEST) / QUARTER).mean(),
        **_chord_aspects(part, rest),
    }


def _chord_aspects(part: _Starts, rest: Rest) -> dict[str, float]:
    """How many of the notes on beats are of the chord that the others play, and how many its root."""
    lengths = np.diff(np.asarray(rest.score.bar_lines, dtype=np.int64))
    half = (part.place * 2 >= lengths[part.bar]).astype(np.int64)
    inside, root = [], []
    for index in np.flatnonzero(part.on_beat).tolist():
        chord = rest.chords[int(part.bar[index])][int(half[index])]
        if chord is not None:
            tone = int(part.notes["pitch"][index]) % 12
            inside.append(tone in chord.classes)
            root.append(tone == chord.root_class)
    return {"chord tones": float(np.mean(inside)), "roots": float(np.mean(root))} if inside else {}


def _met(starts: Ints, others: Ints) -> float:
    """Which share of starts meets one of others."""
    if not len(others):
        return float("nan")
    after = np.minimum(np.searchsorted(others, starts), len(others) - 1)
    near = np.minimum(np.abs(others[after] - starts), np.abs(others[np.maximum(after - 1, 0)] - starts))
    return float((near < _NEAR).mean())


def _repetition(bar: Ints, place: Ints, plays: Bools, bars: int) -> float:
    """How alike the rhythms of a part's bars are: the share of bars whose rhythm occurs more than once."""
    slots = np.zeros((bars, _RHYTHM_SLOTS), dtype=np.bool_)
    slots[bar, np.minimum(place * 4 // QUARTER, _RHYTHM_SLOTS - 1)] = True
    _, which, count = np.unique(slots[plays], axis=0, return_inverse=True, return_counts=True)
    return float((count[which.ravel()] > 1).mean())


def doubling(part: Voice, score: Score) -> tuple[float, str]:
    """The largest share of a part's notes that one other voice strikes too, in any octave, and that voice."""
    best, name = 0.0, ""
    if part.drums or not len(part.array):
        return best, name
    mine = _strikes(part)
    for voice in score.voices:
        if voice.drums or voice.name == part.name or not len(voice.array):
            continue
        share = float(np.isin(mine, _strikes(voice)).mean())
        if share > best:
            best, name = share, voice.name
    return best, name


def _strikes(voice: Voice) -> Ints:
    """When and with which pitch class each note of a voice is struck, as one number."""
    slot = (voice.array["onset"] + _NEAR // 2) // _NEAR
    return np.asarray(slot * 12 + voice.array["pitch"] % 12)


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
        return np.clip(np.nan_to_num((row - self.middle) / self.spread), -_CLIP, _CLIP)

    def fit(self, row: Floats) -> float:
        """How much a part is like real ones."""
        away = self.away(row)
        return float(np.concatenate([away, np.abs(away)]) @ self.weights)

    def pull(self, row: Floats) -> Floats:
        """How much each aspect adds to the fit, or takes from it."""
        away, size = self.away(row), len(ASPECTS)
        return np.asarray(away * self.weights[:size] + np.abs(away) * self.weights[size:])

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
