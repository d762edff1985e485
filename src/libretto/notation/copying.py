"""The score grid: what a copyist would write of played music, with signs for what values alone do not say.

1. *Swing.* Where nearly all off-beats of a piece in quarter beats come late, they are written as eighths under a swing
   mark (``2:1``, or ``3:2`` where it is slight). A piece in which beats are divided in three as well is in triplets,
   and stays so.
2. *Ornaments.* A single note struck just before another one next to it, and let go as that begins, is a grace note: a
   small one with a stroke, which takes no time of its own.
3. *Values.* What is left is rounded for the eye (``legible``).
4. *Short notes.* A note that sounds for half its place or less, and has a place of a quarter at most, gets its whole
   value and a staccato dot, instead of a small value and rests.

A piece that comes with its written values (a score, a text that was written on a grid and not played) is left to the
third rule alone where the first two find nothing; one marked ``written`` is left alone altogether.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.notation.legible import legible
from libretto.notation.staves import staves_of
from libretto.score import QUARTER, Score, Voice
from libretto.score.marks import Mark, follow
from libretto.score.table import Bools, Floats, Ints
from libretto.score.validate import refit

__all__ = ["copied", "swing_of"]

_LATE, _STRAIGHT, _MIDDLE = (0.58, 0.72), (0.44, 0.56), (0.30, 0.40)  # parts of a beat: swung, even, second of three
_SIXTEENTHS = ((0.19, 0.30), (0.72, 0.81))
_LEAST_LATE, _TO_ONE = 16, 4  # so many late off-beats, and so many of them to each other one
_RATIOS = (("3:2", 3 / 5), ("2:1", 2 / 3))
_GRACE = QUARTER // 8  # how long a grace note stands before its note, as scores are read
_CRUSHED = 0.09  # seconds: what comes sooner before a note is no note of its own
_STEP = 2  # semitones from a grace note to its note
_ALONE = 3  # times as long as to its note is it at least from the note before
_DRAWN = "8/"  # a small eighth with a stroke
_SHORT = 0.5  # of its place: what sounds no longer is staccato
_STACCATO = "staccato"


def copied(score: Score) -> Score:
    """The piece as a copyist would write it; applied again it changes nothing."""
    if any(mark.kind == "written" for mark in score.marks):
        return score
    straight = _straightened(score)
    voices = [_without_graces(straight, voice) for voice in straight.voices]
    plain = replace(straight, voices=tuple(voice for voice, _ in voices))
    plain = replace(plain, grids=refit(plain.voices, np.asarray(plain.bar_lines, dtype=np.int64)))
    shown = legible(plain)
    made = tuple(
        _with_graces(_dotted(old, new, shown.bar_lines), graces, old, new)
        for (old, graces), new in zip(voices, shown.voices, strict=True)
    )
    return replace(shown, voices=made, grids=refit(made, np.asarray(shown.bar_lines, dtype=np.int64)))


def swing_of(score: Score) -> tuple[str, float] | None:
    """The name of a piece's swing and the part of the beat at which its off-beats come; None where it has none."""
    part = np.concatenate([np.empty(0), *(_parts(score, voice)[0] for voice in score.voices)])
    late = part[_within(part, _LATE)]
    others = sum(int(_within(part, span).sum()) for span in (_STRAIGHT, _MIDDLE, *_SIXTEENTHS))
    if len(late) < _LEAST_LATE or len(late) < _TO_ONE * others:
        return None
    middle = float(np.median(late))
    return min(_RATIOS, key=lambda ratio: abs(ratio[1] - middle))[0], middle


def _within(part: Floats, span: tuple[float, float]) -> Bools:
    return np.asarray((part >= span[0]) & (part <= span[1]))


def _parts(score: Score, voice: Voice) -> tuple[Floats, Bools]:
    """For each different start of a voice the part of its quarter beat at which it lies, and for all which do."""
    onset = np.unique(voice.array["onset"].astype(np.int64))
    inside = _in_quarters(score, onset)
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    position = onset - lines[np.searchsorted(lines, onset, side="right") - 1]
    return (position % QUARTER / QUARTER)[inside], inside


def _in_quarters(score: Score, tick: Ints) -> Bools:
    """Which ticks lie in bars that are counted in quarters."""
    starts = np.array([start for start, _ in score.meters], dtype=np.int64)
    quarters = np.array([meter.beat == QUARTER for _, meter in score.meters], dtype=np.bool_)
    return quarters[np.searchsorted(starts, tick, side="right") - 1]


def _straightened(score: Score) -> Score:
    """A swung piece in even eighths under a swing mark; any other as it is."""
    if any(mark.kind == "swing" for mark in score.marks) or (swing := swing_of(score)) is None:
        return score
    name, late = swing
    lines = np.asarray(score.bar_lines, dtype=np.int64)

    def even(tick: Ints) -> Ints:
        bar = np.clip(np.searchsorted(lines, tick, side="right") - 1, 0, len(lines) - 2)
        begin = lines[bar] + (tick - lines[bar]) // QUARTER * QUARTER
        part = (tick - begin) / QUARTER
        new = np.where(part <= late, part / late, 1 + (part - late) / (1 - late)) / 2
        return np.where(_in_quarters(score, tick), begin + np.rint(new * QUARTER).astype(np.int64), tick)

    voices = []
    for voice in score.voices:
        notes = voice.array.copy()
        notes["onset"] = even(voice.array["onset"])
        stop = even(voice.array["onset"] + voice.array["duration"])
        notes["duration"] = np.maximum(1, stop - notes["onset"])
        voices.append(replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes)))
    grids = refit(voices, lines)
    return replace(score, voices=tuple(voices), grids=grids, marks=(*score.marks, Mark(0, "swing", name)))


def _without_graces(score: Score, voice: Voice) -> tuple[Voice, NDArray[Any]]:
    """A voice without its ornaments, and these, each with the row (of the voice that is left) that it leads to.

    The rows are kept in ``duration``, which an ornament does not need.
    """
    notes = voice.array
    none = notes[:0]
    if voice.drums or len(notes) < 2 or any(mark.kind == "grace" for mark in voice.marks):
        return voice, none
    onset = notes["onset"].astype(np.int64)
    seconds = score.seconds_at(np.stack((onset, onset + notes["duration"])))
    ahead, before = np.diff(seconds[0], append=np.inf), np.diff(seconds[0], prepend=-np.inf)
    lasts = seconds[1] - seconds[0]
    near = np.abs(np.diff(notes["pitch"].astype(np.int64), append=notes["pitch"][-1]))
    following = np.append(lasts[1:], 0.0)
    small = (ahead > 0) & (ahead <= _CRUSHED) & (before >= _ALONE * ahead) & (near > 0) & (near <= _STEP)
    small &= (lasts <= 2 * ahead) & (following >= _ALONE * ahead) & (np.append(onset[1:], 0) >= _GRACE)
    small[1:] &= ~small[:-1]
    if not small.any():
        return voice, none
    graces = notes[small].copy()
    graces["duration"] = (np.cumsum(~small) - 1)[np.flatnonzero(small) + 1]
    return voice.with_notes(notes[~small]), graces


def _with_graces(voice: Voice, graces: NDArray[Any], old: Voice, new: Voice) -> Voice:
    """A voice with its ornaments before the notes they lead to, as those are shown."""
    if not len(graces):
        return voice
    shown = _shown_starts(old, new)[graces["duration"]]
    fits = (shown >= _GRACE) & ~np.isin(shown - _GRACE, voice.array["onset"])
    small = graces[fits].copy()
    small["onset"], small["duration"] = shown[fits] - _GRACE, _GRACE
    marks = [
        Mark(tick, "grace", _DRAWN, _GRACE, pitch)
        for tick, pitch in zip(small["onset"].tolist(), small["pitch"].tolist(), strict=True)
    ]
    whole = np.concatenate((voice.array, small))
    return replace(voice, array=whole, marks=(*voice.marks, *marks))


def _shown_starts(old: Voice, new: Voice) -> Ints:
    """Where each note of a voice is shown to start: that of its pitch that lies nearest."""
    shown = np.empty(len(old.array), dtype=np.int64)
    for pitch in np.unique(old.array["pitch"]).tolist():
        mine = old.array["pitch"] == pitch
        there = np.sort(new.array["onset"][new.array["pitch"] == pitch].astype(np.int64))
        at = old.array["onset"][mine].astype(np.int64)
        after = np.clip(np.searchsorted(there, at), 0, len(there) - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.abs(there[before] - at) <= np.abs(there[after] - at)
        shown[mine] = np.where(nearer, there[before], there[after])
    return shown


def _into_beat(lines: tuple[int, ...], tick: int) -> int:
    """How far a tick lies behind the quarter beat before it."""
    return (tick - lines[bisect_right(lines, tick) - 1]) % QUARTER


def _dotted(old: Voice, new: Voice, lines: tuple[int, ...]) -> Voice:
    """A voice as it is shown, its short notes with whole values and staccato dots."""
    if new.drums or not len(new.array):
        return new
    sounding: dict[tuple[int, int], int] = {}
    for start, length, pitch in zip(
        _shown_starts(old, new).tolist(), old.array["duration"].tolist(), old.array["pitch"].tolist(), strict=True
    ):
        sounding[start, pitch] = max(length, sounding.get((start, pitch), 0))
    dots = {(mark.tick, mark.pitch) for mark in new.marks if mark.kind == _STACCATO}
    notes = new.array.copy()
    places = {(start, pitch): row for row, (start, _, pitch, *_) in enumerate(notes.tolist())}
    marks: list[tuple[int, int]] = []
    for stream in (stream for staff in staves_of(new.with_marks(()), lines) for stream in staff.streams):
        starts = np.unique(stream.array["onset"].astype(np.int64))
        later = dict(zip(starts.tolist(), [*starts[1:].tolist(), -1], strict=False))
        for start, length, pitch, *_ in stream.array.tolist():
            place = later[start] - start
            fits = 0 < place <= QUARTER - _into_beat(lines, start)  # a dot over a tie is no dot
            short = fits and sounding[start, pitch] <= _SHORT * place and length <= place
            if short and (start, pitch) not in dots:
                notes["duration"][places[start, pitch]] = place
                marks.append((start, pitch))
    if not marks:
        return new
    lengths = {(start, pitch): length for start, length, pitch, *_ in notes.tolist()}
    added = [Mark(start, _STACCATO, "", lengths[start, pitch], pitch) for start, pitch in marks]
    return replace(new, array=notes, marks=(*follow(new.marks, new.array, notes), *added))
