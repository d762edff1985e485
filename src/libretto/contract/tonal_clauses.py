"""Clauses on pitch: the key, the progression, and how the piece ends.

A key is kept where the signature says it, the notes stay in it, and the piece is at home there: it ends on the tonic,
and what
sounds is not better heard in another key, unless the asked progression itself begins at home. A relative key is
another key.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.check import Check, bars_text, clauses
from libretto.contract.contract import Contract
from libretto.score.chords import NO_CHORD, Chord, parse_chord
from libretto.score.harmony import hear_chords
from libretto.score.keys import Key, infer_key
from libretto.score.model import Score
from libretto.score.pitch import pitch_class_of

__all__ = ["final_harmony", "labels_of", "pitched"]

_IN_KEY = 0.75  # nine real songs in ten spend at least this share of their sounding time on the notes of their key
_FOLLOWS = 0.5
_SUPPORTED = 0.75


def pitched(score: Score) -> NDArray[Any]:
    """The notes of every voice that is not percussion."""
    keep = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    return score.table[keep[score.table["voice"]]] if len(score.voices) else score.table


def _same_mode(one: Key, two: Key) -> bool:
    usual = {"ionian": "major", "aeolian": "minor"}
    return usual.get(one.mode, one.mode) == usual.get(two.mode, two.mode)


def _same(one: Key, two: Key) -> bool:
    return pitch_class_of(one.tonic) == pitch_class_of(two.tonic) and _same_mode(one, two)


def _signed(written: Key, key: Key) -> bool:
    """Whether a key is written as asked; a church mode may stand under its own signature or its major or minor."""
    modal = key.mode not in ("major", "minor", "ionian", "aeolian")
    plain = Key(key.tonic, "minor" if key.is_minor else "major")
    return _same(written, key) or (modal and (written.signature == key.signature or _same(written, plain)))


def _scale(key: Key, chords: tuple[str, ...]) -> set[int]:
    """Pitch classes that belong: the scale, the raised sixth and seventh of minor, and the asked chords."""
    home = pitch_class_of(key.tonic)
    classes = {pitch_class_of(step) for step in key.scale}
    if key.mode in ("minor", "aeolian"):
        classes |= {(home + 9) % 12, (home + 11) % 12}
    for label in chords:
        chord = parse_chord(label)
        classes |= set(chord.classes) if chord else set()
    return classes


def final_harmony(score: Score) -> tuple[int | None, frozenset[int], int]:
    """The lowest pitch class of the closing harmony, all its pitch classes, and the number of its bar."""
    notes = pitched(score)
    if not len(notes):
        return None, frozenset(), score.numbers[-1]
    ends = notes["onset"] + notes["duration"]
    last = int(notes["onset"].max())
    sounding = notes[ends > last]
    late = sounding if len(sounding) > 1 else notes[ends > int(score.bar_lines[int(notes["bar"].max())])]
    low = int(late["pitch"].min()) % 12
    return low, frozenset((late["pitch"] % 12).tolist()), int(notes["bar"].max()) + score.first_bar


def _ends_at_home(key: Key, score: Score) -> bool:
    """Whether the last harmony is the tonic's; a minor piece may close on the major chord."""
    low, classes, bar = final_harmony(score)
    home = pitch_class_of(key.tonic)
    third, other = ((home + 3) % 12, (home + 4) % 12) if key.is_minor else ((home + 4) % 12, (home + 3) % 12)
    label = next(
        (parse_chord(text) for text in reversed(score.chords[bar - score.first_bar]) if text != NO_CHORD), None
    )
    rooted = low == home or (label is not None and pitch_class_of(label.root) == home and home in classes)
    return rooted and (key.is_minor or other not in classes or third in classes)


@clauses.register("key")
def _key(contract: Contract, score: Score) -> Check:
    key = contract.key
    if key is None:
        return Check("key", None, "no key was asked for")
    notes = pitched(score)
    if not len(notes):
        return Check("key", False, "no pitched notes sound")
    faults, bars = [], []
    if not _signed(score.key, key):
        faults.append(f"the piece is written in {score.key}")
    strange = ~np.isin(notes["pitch"] % 12, sorted(_scale(key, contract.chords)))
    weights = notes["duration"].astype(np.float64)
    share = 1 - float(weights[strange].sum() / weights.sum())
    if share < _IN_KEY:
        bars = [int(bar) + score.first_bar for bar in np.unique(notes["bar"][strange])]
        faults.append(f"only {share:.0%} of what sounds belongs to it")
    heard = infer_key(notes["pitch"], notes["duration"])
    open_end = contract.ending in ("fade", "open", "deceptive", "abrupt")
    home = _ends_at_home(key, score)
    if not home and not open_end:
        faults.append("it does not end on the tonic")
        bars.append(final_harmony(score)[2])
    plain = Key(key.tonic, "minor" if key.is_minor else "major")
    if not _same(heard, plain) and not _opens_at_home(key, score, home or open_end):
        faults.append(f"it sounds like {heard}")
    if faults:
        return Check("key", False, f"{key} was asked for: {'; '.join(faults)}", tuple(sorted(set(bars))))
    return Check(
        "key",
        True,
        f"{key}: {share:.0%} of what sounds belongs to it and it comes home in {bars_text([final_harmony(score)[2]])}",
    )


def _opens_at_home(key: Key, score: Score, home: bool) -> bool:
    """Whether the ear has the tonic at both ends and often enough between, although the notes fit another key too."""
    labels = [chord for bar in labels_of(score) for text in bar if (chord := parse_chord(text))]
    if not labels:
        return False
    tonic = pitch_class_of(key.tonic)
    mine = [chord for chord in labels if pitch_class_of(chord.root) == tonic and _minor(chord) != (not key.is_minor)]
    first = next((chord for chord in labels), None)
    opens = first is not None and pitch_class_of(first.root) == tonic
    return home and (opens or len(mine) >= len(labels) / 5)


def _minor(chord: Chord) -> bool:
    root = pitch_class_of(chord.root)
    return (root + 3) % 12 in chord.classes and (root + 4) % 12 not in chord.classes


def labels_of(score: Score) -> tuple[tuple[str, ...], ...]:
    """The chord labels by bar: as written, or as heard where nobody wrote any."""
    written = any(text != NO_CHORD for bar in score.chords for text in bar)
    return score.chords if written else hear_chords(score)


def _kind(label: str) -> tuple[int, str] | None:
    """Root and third: what tells two chords of a progression apart."""
    chord = parse_chord(label)
    if chord is None:
        return None
    root = pitch_class_of(chord.root)
    third = "m" if (root + 3) % 12 in chord.classes and (root + 4) % 12 not in chord.classes else "M"
    return root, third if {(root + 3) % 12, (root + 4) % 12} & chord.classes else "5"


def _alike(one: tuple[int, str], two: tuple[int, str]) -> bool:
    return one[0] == two[0] and (one[1] == two[1] or "5" in (one[1], two[1]))


@clauses.register("chords")
def _chords(contract: Contract, score: Score) -> Check:
    asked = [kind for label in contract.chords if (kind := _kind(label))]
    if not asked:
        return Check("chords", None, "no progression was asked for")
    labels = labels_of(score)
    wanted = [kind for index, kind in enumerate(asked) if not index or kind != asked[index - 1]]
    heard: list[tuple[int, str]] = []
    foreign: list[int] = []
    follow = total = 0
    for index, bar in enumerate(labels):
        kinds = [kind for label in bar if (kind := _kind(label))]
        if not kinds:
            continue
        total += 1
        if all(any(_alike(kind, one) for one in asked) for kind in kinds):
            follow += 1
        else:
            foreign.append(index + score.first_bar)
        for kind in kinds:
            if not heard or heard[-1] != kind:
                heard.append(kind)
    stated = _contains(heard, wanted)
    share, thin = _supported(score, labels)
    name = "-".join(contract.chords)
    faults = []
    if not stated:
        faults.append("it is never stated in full and in order")
    if total == 0 or follow < _FOLLOWS * total:
        faults.append(f"only {follow} of {total} bars follow it")
    if share < _SUPPORTED:
        faults.append(f"the notes carry only {share:.0%} of the written chords ({bars_text(thin)})")
    if faults:
        return Check("chords", False, f"{name}: {'; '.join(faults)}", tuple((foreign + thin)[:40]))
    return Check("chords", True, f"{name}: {follow} of {total} bars follow it", tuple(foreign[:40]))


def _contains(heard: list[tuple[int, str]], wanted: list[tuple[int, str]]) -> bool:
    size = len(wanted)
    if size == 1:
        return any(_alike(one, wanted[0]) for one in heard)
    return any(
        all(_alike(one, two) for one, two in zip(heard[at : at + size], wanted, strict=True))
        for at in range(len(heard) - size + 1)
    )


def _supported(score: Score, labels: tuple[tuple[str, ...], ...]) -> tuple[float, list[int]]:
    """The share of labelled bars in which root and third of the labels sound, and the bars where they do not."""
    notes = pitched(score)
    ends = notes["onset"] + notes["duration"]
    good, thin = 0, []
    for index, bar in enumerate(labels):
        chords = [chord for label in bar if (chord := parse_chord(label))]
        if not chords:
            continue
        start, stop = score.bar_lines[index], score.bar_lines[index + 1]
        sounding = set((notes["pitch"][(notes["onset"] < stop) & (ends > start)] % 12).tolist())
        needed = {pitch_class_of(chord.root) for chord in chords} | {
            tone for chord in chords if (tone := _third(chord)) is not None
        }
        if needed <= sounding or (not sounding and index == 0):
            good += 1
        else:
            thin.append(index + score.first_bar)
    total = good + len(thin)
    return (good / total if total else 0.0), thin


def _third(chord: Chord) -> int | None:
    root = pitch_class_of(chord.root)
    for step in (4, 3):
        if (root + step) % 12 in chord.classes:
            return (root + step) % 12
    return None


@clauses.register("ending")
def _ending(contract: Contract, score: Score) -> Check:
    notes = pitched(score)
    if not len(notes):
        return Check("ending", False, "nothing sounds")
    key = contract.key or score.keys[-1][1]
    bar = final_harmony(score)[2]
    word = contract.ending
    if word == "fade":
        loud, soft = _loudness(score, notes)
        said = f"the last bars sound at {soft:.0f} after {loud:.0f}"
        return Check("ending", soft < 0.85 * loud, f"a fade was asked for: {said}", (bar,))
    if word == "ritard":
        slower = score.tempos[-1][1] > 1.04 * score.tempos[0][1] and score.tempos[-1][0] >= 0.7 * score.ticks
        return Check(
            "ending",
            slower,
            "the tempo eases at the end" if slower else "a ritardando was asked for: the tempo does not ease",
            (bar,),
        )
    if word in ("open", "deceptive", "abrupt"):
        away = word == "abrupt" or not _ends_at_home(key, score)
        return Check("ending", away, f"asked for: {word}", (bar,))
    home = _ends_at_home(key, score)  # a major chord on the tonic closes a minor piece too
    if home:
        return Check("ending", True, f"it ends on the tonic of {key} in bar {bar}", (bar,))
    return Check("ending", False, f"it stops in bar {bar} without the tonic of {key}", (bar,))


def _loudness(score: Score, notes: NDArray[Any]) -> tuple[float, float]:
    """Mean velocity before and within the last bars."""
    late = notes["bar"] >= score.bars - max(1, min(4, score.bars // 6))
    before = float(notes["velocity"][~late].mean()) if (~late).any() else 1.0
    return before, float(notes["velocity"][late].mean()) if late.any() else before
