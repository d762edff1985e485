"""Timbre: which instruments play, by their General MIDI programs.

A voice that names no program counts as what its name suggests, which is how it would be played.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import across, entropy, over
from libretto.axes.views import View
from libretto.score.general_midi import PROGRAMS
from libretto.score.table import Bools, Floats

__all__ = [
    "acoustic_share",
    "edge",
    "guitar_share",
    "horn_and_organ_share",
    "piano_share",
    "section_share",
    "sustained_share",
    "timbre_variety",
    "wind_share",
]

_FAMILY = 8  # programs of one instrument family


def _programs(*spans: int | tuple[int, int]) -> Bools:
    """The programs of those numbers and spans, both ends included."""
    mine = np.zeros(len(PROGRAMS), dtype=np.bool_)
    for span in spans:
        first, last = (span, span) if isinstance(span, int) else span
        mine[first : last + 1] = True
    return mine


_GUITARS, _PIANOS = _programs((24, 31)), _programs((0, 7))
_WINDS = _programs((56, 79))
_HORNS_AND_ORGANS = _programs((16, 18), (56, 61), (64, 67))
_SECTIONS = _programs((48, 55), (61, 63), (88, 95))
_SUSTAINED = _programs((16, 23), (40, 44), (48, 54), (56, 103), (109, 111))
_ACOUSTIC = _programs(
    (0, 3), 6, (8, 15), (19, 25), 32, (40, 49), (52, 53), (56, 61), (64, 79), (104, 111)
)  # fmt: skip
# From mellow to cutting, in five steps; what is not named stands in the middle.
_EDGES: tuple[tuple[float, Iterable[int]], ...] = (
    (0.0, chain(range(72, 80), range(88, 96), (8, 10, 11, 12, 24, 46, 52, 53, 54))),
    (0.3, chain((0, 1, 2, 4, 5, 25, 26, 32, 33, 35, 60), range(40, 44), range(48, 52), range(68, 72))),
    (0.6, chain((3, 6, 7, 16, 17, 18, 27, 28, 34, 56, 57, 105), range(64, 68))),
    (0.8, (22, 29, 36, 37, 38, 39, 59, 61, 62, 63, 80, 87)),
    (1.0, chain((30, 31, 55), range(81, 87))),
)
_EDGE = np.full(len(PROGRAMS), 0.5)
for _value, _numbers in _EDGES:
    _EDGE[list(_numbers)] = _value


@axis(
    "timbre",
    unit="0 to 1",
    meaning="How cutting the instruments are, from flutes and pads to distorted guitars and saw leads.",
    more="choose brighter or more distorted instruments",
    less="choose mellower instruments",
)
def edge(view: View) -> Floats:
    """The mean place of the notes' instruments on a scale from mellow (0) to cutting (1)."""
    return over(_weighed(_EDGE, view), view.notes)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played on acoustic instruments.",
    more="give parts to acoustic instruments",
    less="give parts to electric or electronic instruments",
)
def acoustic_share(view: View) -> Floats:
    """The share of notes on instruments that need no electricity."""
    return _played_on(_ACOUSTIC, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played on guitars.",
    more="give more to guitars",
    less="give less to guitars",
)
def guitar_share(view: View) -> Floats:
    """The share of notes on guitars of any kind."""
    return _played_on(_GUITARS, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played on pianos.",
    more="give more to the piano",
    less="give less to the piano",
)
def piano_share(view: View) -> Floats:
    """The share of notes on pianos, electric ones, harpsichord and clavinet included."""
    return _played_on(_PIANOS, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played on winds.",
    more="give lines to brass, reeds or flutes",
    less="take lines away from brass, reeds and flutes",
)
def wind_share(view: View) -> Floats:
    """The share of notes on brass, reeds and flutes."""
    return _played_on(_WINDS, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played by a horn section or an organ.",
    more="bring in horns, saxophones or an organ",
    less="leave out horns, saxophones and organ",
)
def horn_and_organ_share(view: View) -> Floats:
    """The share of notes on brass, saxophones and electric organs."""
    return _played_on(_HORNS_AND_ORGANS, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is played by sections: strings, choirs, brass, pads.",
    more="add strings, a choir, a brass section or a pad",
    less="let single players carry the piece",
)
def section_share(view: View) -> Floats:
    """The share of notes on ensemble sounds."""
    return _played_on(_SECTIONS, view)


@axis(
    "timbre",
    unit="share of notes",
    meaning="How much is bowed, blown or held rather than plucked or struck.",
    more="use instruments that hold their notes",
    less="use instruments that pluck or strike",
)
def sustained_share(view: View) -> Floats:
    """The share of notes on instruments that sound on for as long as a note is held."""
    return _played_on(_SUSTAINED, view)


@axis(
    "timbre",
    unit="bits",
    meaning="How mixed the instruments are.",
    more="bring in other kinds of instruments",
    less="keep to one kind of instrument",
)
def timbre_variety(view: View) -> Floats:
    """The information in which of the sixteen instrument families plays a note."""
    families = len(PROGRAMS) // _FAMILY
    place = view.piece.programs[view.song] // _FAMILY + families * np.arange(view.groups)[:, None]
    notes = np.bincount(place.reshape(-1), view.voice_notes.reshape(-1), minlength=families * view.groups)
    counts = notes.reshape(view.groups, families).astype(np.float64, copy=False)
    return np.asarray(entropy(counts) * np.log2(np.maximum(np.count_nonzero(counts, axis=1), 1)))


def _played_on(programs: Bools, view: View) -> Floats:
    return over(_weighed(programs, view), view.notes)


def _weighed(by_program: Floats | Bools, view: View) -> Floats:
    """The notes of each stretch, each counted by the weight of its program."""
    return across(view.voice_notes * by_program[view.piece.programs][view.song])
