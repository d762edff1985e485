"""The gates of a part: is it what its role asks for, at home in the song, and no doubling of another part?"""

from __future__ import annotations

import numpy as np

from libretto.gates import Finding, Outcome
from libretto.score import Voice
from libretto.score.arrays import Floats
from libretto.tasks.fill.roles import ASPECTS, Rest, RoleGauge, aspects, doubling, load_role_gauges
from libretto.tasks.task import WEIGHTS

__all__ = ["part_gates"]

#: What is said of each aspect where there is too much and too little of it, and the axis by which it is steered.
_WORDS = {
    "height": ("It lies higher than such a part does", "It lies lower than such a part does", "bass_register"),
    "reach": ("It ranges too widely", "It hardly moves", "leap_ratio"),
    "amount": ("It plays too many notes for such a part", "It plays too little for such a part", "onset_density"),
    "presence": ("It never rests", "It is silent too long", "active_voice_density"),
    "chord tones": ("It only ever plays the chord", "It clashes with the chords on the beats", "chromaticism"),
    "home tones": ("It never leaves the scale", "It leaves the notes of the song", "chromaticism"),
    "together": ("It is always struck with the others", "It is seldom struck with the others", "syncopation_rate"),
    "with the groove": ("It only follows the groove", "It does not go with the groove", "syncopation_rate"),
    "fullness": ("Its chords are too full", "It is too thin for such a part", "mean_simultaneity"),
    "length": ("Its notes are held too long", "Its notes are too short", "mean_duration"),
    "off the beat": ("It is off the beat too much", "It is on the beat too much", "syncopation_rate"),
    "repetition": ("Its rhythm hardly changes", "Its rhythm never settles", "distinct_bar_fraction"),
    "roots": ("It plays too many roots", "It does not play enough roots", ""),
    "low drums": ("The bass drum plays too much", "There is too little bass drum", "percussion_share"),
    "backbeat": ("The snare is on the backbeat only", "The snare is not on the backbeat", "backbeat"),
}
#: Aspects of which more means less of what their axis measures.
_INVERTED = ("chord tones", "home tones", "together", "with the groove", "repetition")


_MOST = 3  # findings about the role at once


def part_gates(part: Voice, role: str, rest: Rest) -> dict[str, Outcome]:
    """How a part stands beside the rest of its song: its role, and where it has pitches its key and its own notes."""
    if not len(part.array):
        silent = Finding(
            "sounding", "The part is silent", "write something for it", WEIGHTS["sounding"], voice=part.name
        )
        return {"sounding": Outcome(-1.0, "the part is silent", (silent,))}
    gauge, row = load_role_gauges()[role], aspects(part, rest)
    outcomes = {"role": _role_gate(part, role, gauge, row)}
    if not part.drums:
        outcomes["key"] = _key_gate(gauge, float(row[ASPECTS.index("home tones")]))
        outcomes["doubling"] = _doubling_gate(part, rest, gauge)
    return outcomes


def _role_gate(part: Voice, role: str, gauge: RoleGauge, row: Floats) -> Outcome:
    fit = gauge.fit(row)
    margin = (fit - gauge.floor) / (1 + abs(gauge.floor))
    words = f"{'like' if margin >= 0 else 'unlike'} real {role} parts: {fit:.1f}, they have {gauge.floor:.1f}"
    return Outcome(margin, words, () if margin >= 0 else _role_findings(part, role, gauge, row))


def _key_gate(gauge: RoleGauge, home: float) -> Outcome:
    lost = Finding(
        "key", "It leaves the notes of the song", "stay in the key", WEIGHTS["key"], "chromaticism", wanted=-1
    )
    note = f"{home:.2f} of its notes are at home in the song, real parts have {gauge.home:.2f}"
    return Outcome(home - gauge.home, note, () if home >= gauge.home else (lost,))


def _doubling_gate(part: Voice, rest: Rest, gauge: RoleGauge) -> Outcome:
    share, other = doubling(part, rest.score)
    same = Finding("doubling", f"It doubles {other}", "write a part of its own", WEIGHTS["doubling"], voice=part.name)
    note = f"{share:.2f} of it is doubled by {other or 'nobody'}; up to {gauge.doubled:.2f} is usual"
    return Outcome(gauge.doubled - share, note, () if share <= gauge.doubled else (same,))


def _role_findings(part: Voice, role: str, gauge: RoleGauge, row: Floats) -> tuple[Finding, ...]:
    """What sets a part apart most from real ones of its role."""
    away, pull = gauge.away(row), gauge.pull(row)
    findings = []
    for index in np.argsort(pull, kind="stable")[:_MOST].tolist():
        if pull[index] >= 0:
            break
        more, less, axis = _WORDS[ASPECTS[index]]
        wanted = -1 if away[index] > 0 else 1
        if ASPECTS[index] in _INVERTED:
            wanted = -wanted
        heard = more if away[index] > 0 else less
        advice = f"write it as a {role} part usually goes"
        weight = WEIGHTS["role"] - float(pull[index])
        findings.append(Finding("role", heard, advice, weight, axis, (), part.name, "", wanted))
    return tuple(findings)
