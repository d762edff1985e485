"""Clauses on keys by place, the scale, what parts do all through, the mood, the title and a dedication."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Check, Finding, ask_clauses, clauses, elsewhere
from libretto.contract.checks.parts import matching
from libretto.contract.checks.tonal import pitched
from libretto.contract.checks.where import bar_mask, nowhere, said, spans_of_ask, tops, tune_of
from libretto.contract.contract import Contract
from libretto.contract.framing import key_after
from libretto.contract.scales import key_in_scale, scale_named
from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.model import Score

__all__ = ["tunes_only"]

_CLEARLY = 0.02  # of what sounds: how much better a new key fits than the old one
_BELONGS = 0.75  # of what sounds belongs to a key
_IN_SCALE = 0.93  # of what sounds belongs to a scale
_FEW = 6  # notes of a scale that tunes are in, over chords of its major or minor
_FULL = ("whole tone",)
_OF_THEIR_OWN = ("in scale", "hirajoshi", "pelog", "slendro", "iwato")
_RAISED = (9, 11)  # semitones above the tonic of a minor key that belong to it as well
_MARKED = 0.4  # a leaning this strong is heard
_SLOW, _FAST = 92, 112  # quarters a minute
_GENTLE, _STRONG = 72, 88  # velocities
_KETTLES = frozenset((47, 116, 117))  # programs of drums with pitches
_NEAR = 3.0  # semitones by which somebody else may lie below a bass on the whole


def _classes(key: Key) -> list[int]:
    """The pitch classes of a key, with the raised sixth and seventh of minor."""
    own = list(key.classes)
    return own + [(key.tonic_class + step) % 12 for step in _RAISED] if key.mode in ("minor", "aeolian") else own


@ask_clauses.register("key_change")
def _key_change(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    home = key_in_scale(contract.key or score.key, contract.scale)
    key = key_after(ask.what, home)
    if key is None:
        return None, f"{ask.what} is no key", ()
    if not spans:
        return nowhere(ask, spans)
    notes = pitched(score)
    notes = notes[bar_mask(spans, score)[notes["bar"]]]
    if not len(notes):
        return False, f"nothing sounds in {said(spans)}", spans
    weights = notes["duration"].astype(np.float64)
    tones = notes["pitch"] % 12

    def share(classes: list[int]) -> float:
        return float(weights[np.isin(tones, classes)].sum() / weights.sum())

    new, old = share(_classes(key)), share(_classes(home))
    if set(key.classes) == set(home.classes):
        new, old = share([key.tonic_class]), share([home.tonic_class])
        return new > old, f"{said(spans)}: {new:.0%} of what sounds is its tonic, {old:.0%} the old one", spans
    near = new >= old and share([key.tonic_class]) > share([home.tonic_class])  # few notes that both keys have
    kept = (new >= old + _CLEARLY or near) and new >= _BELONGS
    return kept, f"{said(spans)}: {new:.0%} of what sounds belongs to {key}, {old:.0%} to {home}", spans


def tunes_only(name: str, chords: bool = True) -> bool:
    """Whether a scale is one that tunes are in, over chords of its major or minor key; scales that have a harmony of
    their own are for everybody where a brief has no ``chords``."""
    scale = scale_named(name)
    if scale is None or scale.name in _FULL or (scale.name in _OF_THEIR_OWN and not chords):
        return False
    return len(scale.semitones) <= _FEW


@clauses.register("scale")
def _scale(contract: Contract, score: Score) -> Check:
    """What sounds is in the scale, or a tone of a chord that was asked for: those have a clause of their own."""
    scale = scale_named(contract.scale) if contract.scale else None
    if scale is None:
        return Check("scale", None, "no scale was asked for")
    tonic = (contract.key or score.key).tonic_class
    free = elsewhere(contract, score, "key_change", "chords")
    table = pitched(score)
    chordal: set[int] = set()
    if tunes_only(scale.name, bool(contract.chords)):
        leader = tune_of(score, ((score.numbers[0], score.numbers[-1]),))
        table = tops(table[table["voice"] == leader])
    else:
        chordal = _tones_of(contract.chords, tonic)
    table = table[free[table["bar"]]]
    if not len(table):
        return Check("scale", False, "nothing sounds")
    inside = np.isin((table["pitch"].astype(np.int64) - tonic) % 12, [*{*scale.semitones, *chordal}])
    weights = table["duration"].astype(np.float64)
    share = float(weights[inside].sum() / weights.sum())
    bars = tuple(sorted({int(bar) + score.first_bar for bar in table["bar"][~inside]}))
    told = "of the tune" if tunes_only(scale.name, bool(contract.chords)) else "of what sounds"
    tempered = ", in its nearest tempered form" if scale.tempered else ""
    return Check(
        "scale", share >= _IN_SCALE, f"{scale.name}{tempered}: {share:.0%} {told} belongs to it",
        bars if share < _IN_SCALE else (),
    )  # fmt: skip


def _tones_of(labels: Sequence[str], tonic: int) -> set[int]:
    """The tones of chords, in semitones above a tonic."""
    chords = [chord for label in labels if (chord := parse_chord(label)) is not None]
    return {(tone - tonic) % 12 for chord in chords for tone in chord.classes}


@clauses.register("roles")
def _roles(contract: Contract, score: Score) -> Check:
    """Whoever is to lead leads, and the bass is below."""
    moved = {ask.who.lower() for ask in contract.asks if ask.kind in ("lead", "solo", "role", "only")}
    leads, basses = _with_role(contract, score, "lead", set()), _with_role(contract, score, "bass", moved)
    if len(contract.parts) < 2 or not (leads or basses) or any(a.kind == "texture" for a in contract.asks):
        return Check("roles", None, "no roles were asked for")
    faults = _misplaced(score, basses)
    active = [index for index in leads if len(score.voices[index].array)]
    if leads and not active and not moved:
        faults.append("whoever was to lead does not play")
    if faults:
        return Check("roles", False, "; ".join(faults))
    names = ", ".join(score.voices[index].name for index in (*active, *basses))
    return Check("roles", True, f"each in its place: {names}")


def _with_role(contract: Contract, score: Score, role: str, moved: set[str]) -> list[int]:
    """The voices, by index, whose parts have a role that no ask moves."""
    parts = contract.parts
    return [
        index
        for number, index in matching(contract, score).items()
        if parts[number].role == role and parts[number].name.lower() not in moved
    ]


def _misplaced(score: Score, basses: list[int]) -> list[str]:
    """Which basses are not below everybody else; drums with pitches are nobody here."""
    faults = []
    pitched_voices = [
        index
        for index, voice in enumerate(score.voices)
        if not voice.drums and voice.program not in _KETTLES and len(voice.array)
    ]
    means = {index: float(score.voices[index].array["pitch"].mean()) for index in pitched_voices}
    for index in basses:
        if index in means and means[index] > min(means.values()) + _NEAR:
            faults.append(f"{score.voices[index].name} is not below the others")
    return faults


@clauses.register("mood")
def _mood(contract: Contract, score: Score) -> Check:
    """Dark or bright, as far as mode, tempo and loudness tell."""
    if not contract.mood or abs(contract.brightness) < _MARKED:
        return Check("mood", None, "no mood was asked for that can be measured")
    dark = contract.brightness < 0
    loud = float(score.table["velocity"].mean()) if len(score.table) else 0.0
    key = score.key
    signs = [
        ("minor" if key.is_minor else "major", key.is_minor == dark),
        (f"{score.bpm:.0f} quarters a minute", score.bpm <= _FAST if dark else score.bpm >= _SLOW),
        (f"mean velocity {loud:.0f}", loud <= _STRONG if dark else loud >= _GENTLE),
    ]
    kept = any(fits for _, fits in signs)
    told = ", ".join(text for text, fits in signs if fits == kept)
    return Check("mood", kept, f"{' and '.join(contract.mood[:3])}: {told}")


@clauses.register("title")
def _title(contract: Contract, score: Score) -> Check:
    if not contract.title:
        return Check("title", None, "no title was asked for")
    kept = contract.title.lower() in score.title.lower()
    return Check("title", kept, f"the piece is called {score.title or 'nothing'}")


@clauses.register("dedication")
def _dedication(contract: Contract, score: Score) -> Check:
    if not contract.dedication:
        return Check("dedication", None, "it is dedicated to nobody")
    texts = [score.title, *(mark.value for mark in score.marks), *(m.value for v in score.voices for m in v.marks)]
    kept = any(contract.dedication.lower() in text.lower() for text in texts if text)
    return Check("dedication", kept, f"for {contract.dedication}: {'it is said' if kept else 'it is nowhere said'}")
