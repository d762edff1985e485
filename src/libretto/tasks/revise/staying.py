"""How it is heard that what was to stay did: parts note for note, rhythms, chords by ear, key and tempo."""

from __future__ import annotations

import numpy as np

from libretto.score import Score, hear_chords, parse_chord
from libretto.tasks.revise.checking import inside
from libretto.tasks.revise.wish import Wish

__all__ = ["MOVED_ALONG", "kept"]

#: Added to what is to stay where the same request moves it to another key: its shape stays.
MOVED_ALONG = ", moved along"
_SAME_EAR = 0.9  # of the bars in which the same chord root has to be heard: an ear errs where notes are few
_NOTE, _TIMES, _SHAPE = (
    ["onset", "duration", "pitch", "velocity"],
    ["onset", "duration"],
    ["onset", "duration", "velocity"],
)


def kept(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """What was to stay is as it was: a part or a place note for note, chords by the labels and by ear."""
    if wish.target == "everything else":
        return True, "held against what was there"
    if wish.target == "key":
        return before.keys == after.keys, f"in {after.key}"
    if wish.target == "tempo":
        return before.tempos == after.tempos, f"{after.bpm:.0f} quarters a minute"
    if wish.target == "chords":
        return _same_chords(before, after)
    along = wish.target.endswith(MOVED_ALONG)
    columns = _SHAPE if along else _TIMES if wish.target.endswith("rhythm") else _NOTE
    names = wish.voices or tuple(voice.name for voice in before.voices)
    wrong = [name for name in names if not _same_part(before, after, name, wish, columns, along)]
    return not wrong, "identical" if not wrong else f"changed: {', '.join(wrong)}"


def _same_part(before: Score, after: Score, name: str, wish: Wish, columns: list[str], along: bool) -> bool:
    """Whether a voice has the same notes in a wish's bars, by what is looked at of each; ``along``: the same steps."""
    there = [voice for voice in after.voices if voice.name == name]
    if not there:
        return False
    old, new = inside(before, before.voice(name), wish), inside(after, there[0], wish)
    if len(old) != len(new):
        return False
    steps = (new["pitch"].astype(np.int64) - old["pitch"]) % 12
    fine = not along or len(np.unique(steps)) <= _KEYS
    return fine and all(np.array_equal(old[column], new[column]) for column in columns)


_KEYS = 2  # intervals by which the parts of a melody may have moved: some of it may stay where it was


def _same_chords(before: Score, after: Score) -> tuple[bool, str]:
    """Whether the labels are the same, and the ear hears the same roots in nearly every bar that sounds."""
    labels = before.chords == after.chords
    pairs = [
        (one, two)
        for one, two in zip(_roots(before), _roots(after), strict=True)
        if one is not None and two is not None
    ]
    same = float(np.mean([one == two for one, two in pairs])) if pairs else 1.0
    told = f"the same chords are heard in {same:.0%} of the bars"
    return labels and same >= _SAME_EAR, told if labels else f"the labels are others; {told}"


def _roots(score: Score) -> list[int | None]:
    """The root that is heard first in every bar; None where no chord is."""
    chords = [parse_chord(labels[0]) for labels in hear_chords(score)]
    return [None if chord is None else chord.root_class for chord in chords]
