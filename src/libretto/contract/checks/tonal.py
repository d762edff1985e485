"""Clauses on pitch: the key, and how the piece ends.

A key is kept where the signature says it, the notes stay in it, and the piece is at home there: it ends on the tonic,
and what sounds is not better heard in another key, unless the asked progression itself begins at home. A relative key
is another key.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.check import Check, bars_text, clauses, elsewhere
from libretto.contract.contract import Contract
from libretto.contract.scales import key_in_scale, scale_named
from libretto.score.chords import NO_CHORD, parse_chord
from libretto.score.harmony import hear_chords
from libretto.score.keys import Key, infer_key
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["FinalHarmony", "final_harmony", "labels_of", "pitched"]

_IN_KEY = 0.75  # nine real songs in ten spend at least this share of their sounding time on the notes of their key
_AT_HOME = 5  # one chord in so many is the tonic's in a piece that is at home there
_FADED = 0.85  # the last bars of a fade are no louder than this share of what was before
_EASED, _EASES_FROM = 1.04, 0.7  # a ritardando is at least this much longer a beat, and set in the last part of a piece
_LAST, _MOST_LAST = 6, 4  # the last sixth of a piece, at most four bars, is its end
_MINOR_THIRD, _MAJOR_THIRD, _RAISED_SIXTH, _RAISED_SEVENTH = 3, 4, 9, 11  # semitones above a tonic or root
_SOFTER = 4.0  # velocities that are heard as softer
_OPEN_ENDINGS = ("open", "deceptive", "abrupt", "sudden")  # how a piece may end that does not come home
_NO_HOME = "it does not end on the tonic"
_NEED_NO_HOME = ("fade", *_OPEN_ENDINGS)


def pitched(score: Score) -> NDArray[Any]:
    """The notes of every voice that is not percussion."""
    keep = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    return score.table[keep[score.table["voice"]]] if len(score.voices) else score.table


def _same_mode(one: Key, two: Key) -> bool:
    usual = {"ionian": "major", "aeolian": "minor"}
    return usual.get(one.mode, one.mode) == usual.get(two.mode, two.mode)


def _same(one: Key, two: Key) -> bool:
    return one.tonic_class == two.tonic_class and _same_mode(one, two)


def _plain(key: Key) -> Key:
    """The major or minor key that a mode is nearest to."""
    return Key(key.tonic, "minor" if key.is_minor else "major")


def _signed(written: Key, key: Key) -> bool:
    """Whether a key is written as asked; a church mode may stand under its own signature or its major or minor."""
    modal = key.mode not in ("major", "minor", "ionian", "aeolian")
    return _same(written, key) or (modal and (written.signature == key.signature or _same(written, _plain(key))))


def _scale(key: Key, chords: tuple[str, ...]) -> set[int]:
    """Pitch classes that belong: the scale, the raised sixth and seventh of minor, and the asked chords."""
    classes = set(key.classes)
    if key.mode in ("minor", "aeolian"):
        classes |= {(key.tonic_class + step) % 12 for step in (_RAISED_SIXTH, _RAISED_SEVENTH)}
    for label in chords:
        chord = parse_chord(label)
        classes |= set(chord.classes) if chord else set()
    return classes


class FinalHarmony(NamedTuple):
    """The closing harmony: its lowest pitch class, all its pitch classes, and the number of its bar."""

    low: int | None
    classes: frozenset[int]
    bar: int


def final_harmony(score: Score) -> FinalHarmony:
    """The closing harmony of a piece: what sounds with its last note, or in its last bar where that is one note."""
    notes = pitched(score)
    if not len(notes):
        return FinalHarmony(None, frozenset(), score.numbers[-1])
    ends = notes["onset"] + notes["duration"]
    last = int(notes["onset"].max())
    sounding = notes[ends > last]
    late = sounding if len(sounding) > 1 else notes[ends > int(score.bar_lines[int(notes["bar"].max())])]
    low = int(late["pitch"].min()) % 12
    return FinalHarmony(low, frozenset((late["pitch"] % 12).tolist()), int(notes["bar"].max()) + score.first_bar)


def _ends_at_home(key: Key, score: Score) -> bool:
    """Whether the last harmony is the tonic's; a minor piece may close on the major chord."""
    low, classes, bar = final_harmony(score)
    home = key.tonic_class
    label = next(
        (parse_chord(text) for text in reversed(score.chords[bar - score.first_bar]) if text != NO_CHORD), None
    )
    rooted = low == home or (label is not None and label.root_class == home and home in classes)
    darkened = (home + _MINOR_THIRD) % 12 in classes and (home + _MAJOR_THIRD) % 12 not in classes
    return rooted and (key.is_minor or not darkened)


@clauses.register("key")
def _key(contract: Contract, score: Score) -> Check:
    if contract.key is None:
        return Check("key", None, "no key was asked for")
    key = key_in_scale(contract.key, contract.scale)
    free = elsewhere(contract, score, "key_change")
    if not free.any():
        return Check("key", None, "the whole piece was asked to change key")
    notes = pitched(score)
    notes = notes[free[notes["bar"]]]
    if not len(notes):
        return Check("key", False, "no pitched notes sound")
    faults, bars = [], []
    if not _signed(score.key, key) and free[0]:
        faults.append(f"the piece is written in {score.key}")
    belong = _scale(key, contract.chords) | {(key.tonic_class + step) % 12 for step in _steps(contract)}
    strange = ~np.isin(notes["pitch"] % 12, sorted(belong))
    weights = notes["duration"].astype(np.float64)
    share = 1 - float(weights[strange].sum() / weights.sum())
    if share < _IN_KEY:
        bars = [int(bar) + score.first_bar for bar in np.unique(notes["bar"][strange])]
        faults.append(f"only {share:.0%} of what sounds belongs to it")
    last_bar = final_harmony(score).bar
    told = contract.ending in _NEED_NO_HOME or any(ask.kind == "last_chord" for ask in contract.asks)
    ends = told or not free[-1] or _ends_at_home(key, score)
    astray = _astray(contract, key, score, infer_key(notes["pitch"], notes["duration"]), ends=ends)
    faults += astray
    bars += [last_bar] if _NO_HOME in astray else []
    if faults:
        return Check("key", False, f"{key} was asked for: {'; '.join(faults)}", tuple(sorted(set(bars))))
    evidence = f"{key}: {share:.0%} of what sounds belongs to it and {_closing(key, score)} in {bars_text([last_bar])}"
    return Check("key", True, evidence)


def _closing(key: Key, score: Score) -> str:
    """How a piece in a key ends: at home, at home in another key that it has gone to, or on no tonic."""
    last = score.keys[-1][1]
    if _ends_at_home(key, score):
        return "it comes home"
    return (
        f"it ends in {last}" if not _same(last, key) and _ends_at_home(last, score) else "it ends away from the tonic"
    )


def _astray(contract: Contract, key: Key, score: Score, heard: Key, *, ends: bool) -> list[str]:
    """What is to be said of a piece that is heard in another key, or does not come home."""
    faults = []
    elsewhere_heard = not _same(heard, _plain(key))
    relative = Key.of_signature(_plain(key).signature, "major" if key.is_minor else "minor")
    if not ends and (elsewhere_heard or _ends_at_home(relative, score)):  # else another clause tells
        faults.append(_NO_HOME)
    if elsewhere_heard and not contract.scale and not (ends and _dwells_at_home(key, score)):
        faults.append(f"it sounds like {heard}")
    return faults


def _steps(contract: Contract) -> tuple[int, ...]:
    """The semitones of the scale that was asked for."""
    scale = scale_named(contract.scale) if contract.scale else None
    return scale.semitones if scale is not None else ()


def _dwells_at_home(key: Key, score: Score) -> bool:
    """Whether the ear has the tonic at the beginning or often enough, although the notes fit another key too."""
    chords = [chord for bar in labels_of(score) for text in bar if (chord := parse_chord(text))]
    tonics = [chord for chord in chords if chord.root_class == key.tonic_class and chord.is_minor == key.is_minor]
    opens = bool(chords) and chords[0].root_class == key.tonic_class
    return opens or (bool(chords) and len(tonics) >= len(chords) / _AT_HOME)


def labels_of(score: Score) -> tuple[tuple[str, ...], ...]:
    """The chord labels by bar: as written, or as heard where nobody wrote any."""
    written = any(text != NO_CHORD for bar in score.chords for text in bar)
    return score.chords if written else hear_chords(score)


@clauses.register("ending")
def _ending(contract: Contract, score: Score) -> Check:
    notes = pitched(score)
    if contract.parts and all(part.drums for part in contract.parts):
        return Check("ending", None, "percussion alone was asked for")
    if not len(notes):
        return Check("ending", False, "nothing sounds")
    key = key_in_scale(contract.key or score.keys[-1][1], contract.scale)
    bar = final_harmony(score).bar
    word = contract.ending
    if word == "fade":
        loud, soft = _loudness(score, notes)
        said = f"the last bars sound at {soft:.0f} after {loud:.0f}"
        return Check("ending", soft < _FADED * loud, f"a fade was asked for: {said}", (bar,))
    if word == "ritard":
        tick, micros = score.tempos[-1]
        slower = micros > _EASED * score.tempos[0][1] and tick >= _EASES_FROM * score.ticks
        return Check(
            "ending",
            slower,
            "the tempo eases at the end" if slower else "a ritardando was asked for: the tempo does not ease",
            (bar,),
        )
    if word in ("abrupt", "sudden"):
        last = notes[notes["onset"] == int(notes["onset"].max())]
        length = int(last["duration"].max())
        return Check("ending", length <= QUARTER, f"sudden: the last notes last {length / QUARTER:g} quarters", (bar,))
    if word in _OPEN_ENDINGS:
        away = not _ends_at_home(key, score)
        return Check("ending", away, f"asked for: {word}", (bar,))
    return _told_ending(word, score, notes, bar) or _at_home(key, contract, score, bar)


def _at_home(key: Key, contract: Contract, score: Score, bar: int) -> Check:
    """Whether a piece of which no other ending is told ends on the tonic of a key in which it may end."""
    if any(ask.kind == "last_chord" for ask in contract.asks):
        return Check("ending", None, "the last chord has a clause of its own")
    homes = [one for one in _homes(key, contract, score) if _ends_at_home(one, score)]
    if homes:
        return Check("ending", True, f"it ends on the tonic of {homes[0]} in bar {bar}", (bar,))
    return Check("ending", False, f"it stops in bar {bar} without the tonic of {key}", (bar,))


def _homes(key: Key, contract: Contract, score: Score) -> list[Key]:
    """The keys in which a piece may end: its own, and the one that it has gone to by itself or as was asked."""
    went = _signed(score.key, key) or not elsewhere(contract, score, "key_change")[-1]
    return [key, score.keys[-1][1]] if went else [key]


def _told_ending(word: str, score: Score, notes: NDArray[Any], bar: int) -> Check | None:
    """What is to be said of an ending that is soft, big, held or sudden; None for all others."""
    loud, late = _loudness(score, notes)
    if word in ("soft", "quiet", "gentle"):
        return Check(
            "ending", late < loud - _SOFTER, f"soft: the last bars sound at {late:.0f} after {loud:.0f}", (bar,)
        )
    if word == "big":
        return Check("ending", late > loud, f"big: the last bars sound at {late:.0f} after {loud:.0f}", (bar,))
    last = notes[notes["onset"] == int(notes["onset"].max())]
    if word == "held":
        length = int(last["duration"].max())
        long = length >= QUARTER * 2 or length >= (score.ticks - score.bar_lines[-2]) / 2
        return Check("ending", long, f"held: the last notes last {length / QUARTER:g} quarters", (bar,))
    return None


def _loudness(score: Score, notes: NDArray[Any]) -> tuple[float, float]:
    """Mean velocity before and within the last bars."""
    late = notes["bar"] >= score.bars - max(1, min(_MOST_LAST, score.bars // _LAST))
    before = float(notes["velocity"][~late].mean()) if (~late).any() else 1.0
    return before, float(notes["velocity"][late].mean()) if late.any() else before
