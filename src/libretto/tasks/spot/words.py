"""How faults are put in words: what is heard and what to do, for a musician."""

from __future__ import annotations

import numpy as np

from libretto.score import QUARTER, spell
from libretto.score.facts import Facts
from libretto.score.pitch import pitch_name
from libretto.tasks.spot.notes import range_of

__all__ = ["heard_words"]


def heard_words(facts: Facts, kind: str, note: int, bar: int, name: str) -> tuple[str, str]:
    """What is heard at a fault, and a move that mends it."""
    if kind == "out-of-key":
        return f"{name} is foreign to the key and to the bars around", f"try {_mended(facts, note)}"
    if kind == "wrong-bass":
        return f"the bass plays {name} under {_chord(facts, note)}", f"try {_mended(facts, note)}"
    if kind == "clash":
        rival = _rival(facts, note)
        return f"{name} rubs against {rival or 'what sounds'} and does not resolve", f"try {_mended(facts, note)}"
    if kind == "crossing":
        return f"{name} lies on the wrong side of another line", "move it by an octave, or swap the two notes"
    if kind == "range":
        low, high = range_of(facts.score.voices[int(facts.voice[note])].program)
        return f"{name} is outside the instrument ({_name(facts, low)} to {_name(facts, high)})", "move it by octaves"
    if kind == "parallels":
        return (
            f"from {name} on, two lines run in parallel fifths or octaves",
            "lead one of them by contrary or oblique motion",
        )
    if kind == "meter":
        usual = int(np.median(facts.bar_length))
        mine = int(facts.bar_length[bar])
        if mine != usual:
            return (
                f"the bar lasts {mine / QUARTER:g} quarters, not {usual / QUARTER:g}",
                "give it the length of the others",
            )
        return "its notes stand beside the beat on which the other bars stand", "move the bar's notes back into place"
    return "its notes belong to another key or another piece", "compare it with its parallel bars and restore it"


def _name(facts: Facts, pitch: int) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), facts.score.key)[0]))


def _chord(facts: Facts, note: int) -> str:
    """The pitch classes that the others sound."""
    classes = np.flatnonzero(facts.companions[note] >= 0.4)
    return " ".join(_name(facts, 60 + int(one)).rstrip("0123456789") for one in classes) or "the others"


def _rival(facts: Facts, note: int) -> str | None:
    """The note that this one rubs against for longest."""
    mine, other, together = facts.both_ways
    rubs = (mine == note) & np.isin(np.abs(facts.pitch[mine] - facts.pitch[other]), (1, 11, 13))
    if not rubs.any():
        return None
    worst = int(other[rubs][np.argmax(together[rubs])])
    return f"{_name(facts, int(facts.pitch[worst]))} of {facts.score.voices[int(facts.voice[worst])].name}"


def _mended(facts: Facts, note: int) -> str:
    """The neighbouring pitch that fits best with what sounds and with the bars around."""
    bar = int(facts.bar[note])
    near = facts.bar_mass[max(bar - 2, 0) : bar + 3].sum(axis=0)
    near = near / max(float(near.sum()), 1e-9)
    company = facts.companions[note]

    def fit(pitch: int) -> float:
        one = pitch % 12
        return float(company[one] - max(company[(one + 1) % 12], company[(one - 1) % 12]) + 2 * near[one])

    pitch = int(facts.pitch[note])
    ways = [pitch + step for step in (-1, 1, -2, 2) if 0 <= pitch + step <= 127]
    return _name(facts, max(ways, key=fit))
