"""Endings: the last bars of a piece, its last chord, and how it gets there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_at, fits
from libretto.knowledge.detectors.layers import active_parts
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.tunes import ALIKE, UNLIKE, Close, TuneMark, closes, marks, part_of, shared_notes
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting, SoundingChord
from libretto.score.time import QUARTER, bpm_of_micros

__all__ = [
    "button",
    "codetta",
    "end_bar",
    "end_chords",
    "last_chord",
    "last_step",
    "ritard",
    "tag",
    "thinning_end",
    "to_the_end",
]

_LAST_BARS = 8  # in which the chords of an ending are looked for
_SAME_PACE = 1e-6  # quarters a minute
_BAND = 0.6  # of the parts that play, struck together in a button
_SHORTEST_PIECE = 6  # bars of one that has a codetta


_FEWEST_NOTES, _LOOK_BACK = 6, 20  # of a melody that has a tag; bars in which it is looked for


def end_bar(sight: Sight) -> int:
    """The bar in which the last pitched note is struck."""
    return int(sight.notes.bar[-1]) if len(sight.notes) else 0


def _last_notes(sight: Sight) -> VoiceLine:
    """What sounds last: the notes struck at the last onset and those of the last bar that ring on through it."""
    notes = sight.notes
    final = int(notes.onset[-1])
    ends = notes.onset + notes.duration
    ringing = (notes.onset >= final - LOOSE) | ((notes.bar >= end_bar(sight) - 1) & (ends > final + LOOSE))
    return notes.where(ringing)


def to_the_end(sight: Sight, first: int) -> list[Sighting]:
    """A sighting from a bar to that of the last note."""
    return [sight.at(max(first, 0), end_bar(sight))]


@detectors.register("last_chord")
def last_chord(
    sight: Sight,
    has: Sequence[int],
    lacks: Sequence[int] = (),
    bass: Sequence[int] | None = None,
    mode: str = "",
    held: float = 1.0,
) -> list[Sighting]:
    """The piece ends on a chord that has these semitones above the tonic, lacks those, and has these in the bass.

    ``mode`` says whether the key is minor or major; ``held`` is how many quarters the last chord lasts at least.
    """
    if not len(sight.notes):
        return []
    bar, last = end_bar(sight), _last_notes(sight)
    if mode and bool(sight.minor[bar]) != (mode == "minor"):
        return []
    tones = set(((last.pitch - sight.tonic[bar]) % 12).tolist())
    low = int(last.pitch.min() - sight.tonic[bar]) % 12
    long = int(last.duration.max()) >= held * QUARTER - LOOSE
    good = set(has) <= tones and not set(lacks) & tones and (bass is None or low in bass) and long
    return to_the_end(sight, bar) if good else []


def _final_chords(sight: Sight) -> list[SoundingChord]:
    """The supported chords of the last eight bars, one entry a change."""
    chords: list[SoundingChord] = []
    for chord in sight.harmony:
        if chord.bar < end_bar(sight) + 1 - _LAST_BARS or chord.bar > end_bar(sight) or not chord.supported:
            continue
        if not chords or (chords[-1].root, chords[-1].is_minor) != (chord.root, chord.is_minor):
            chords.append(chord)
    return chords


@detectors.register("end_chords")
def end_chords(
    sight: Sight, degrees: Sequence[int], minor: Sequence[int] = (), major: Sequence[int] = (), mode: str = ""
) -> list[Sighting]:
    """The last chords of the piece have these roots, in semitones above the tonic, and those named are minor or major.

    ``minor`` and ``major`` name places in ``degrees``, counted from 0.
    """
    chords = _final_chords(sight)[-len(degrees) :]
    if not chords or [chord.degree for chord in chords] != list(degrees):
        return []
    if mode and bool(sight.minor[end_bar(sight)]) != (mode == "minor"):
        return []
    good = all(chords[place].is_minor for place in minor) and all(chords[place].is_major for place in major)
    return to_the_end(sight, chords[0].bar) if good else []


@detectors.register("last_step")
def last_step(sight: Sight, holds: Sequence[int], home: Sequence[int] = (0, 4), mode: str = "") -> list[Sighting]:
    """The last chord but one holds all of these semitones above the tonic, and the last, on the tonic, all of those."""
    chords = _final_chords(sight)[-2:]
    if len(chords) < 2 or chords[1].degree != 0 or (mode and bool(sight.minor[chords[1].bar]) != (mode == "minor")):
        return []
    before, last = ({(chord.degree + tone) % 12 for tone in chord.tones} for chord in chords)
    return to_the_end(sight, chords[0].bar) if set(holds) <= before and set(home) <= last else []


@detectors.register("ritard")
def ritard(sight: Sight, slower: float = 0.9, bars: int = 4, held: float = 2.0) -> list[Sighting]:
    """The tempo falls within the last bars, in steps that never rise again, and the last chord is held."""
    if not len(sight.notes):
        return []
    end = end_bar(sight)
    start = int(sight.lines_at[max(end - bars, 0)])
    stop = int(sight.notes.onset[-1])
    before = [bpm_of_micros(value) for tick, value in sight.score.tempos if tick <= start][-1:]
    within = [bpm_of_micros(value) for tick, value in sight.score.tempos if start < tick <= stop]
    pace = np.array(before + within)
    falls = len(within) >= 2 and bool((np.diff(pace) <= _SAME_PACE).all()) and pace[-1] <= slower * pace[0]
    long = int(_last_notes(sight).duration.max()) >= held * QUARTER - LOOSE
    return to_the_end(sight, end - bars) if falls and long else []


@detectors.register("button")
def button(sight: Sight, parts: int = 3, longest: float = 1.0, hole: float = 0.5) -> list[Sighting]:
    """The piece ends with one short stroke of most parts together, after a hole in which nothing is struck."""
    notes = sight.notes
    if not len(notes) or len(sight.lines) < parts:
        return []
    strikes = np.unique(np.concatenate((notes.onset, sight.drums.onset)))
    final = int(notes.onset[-1])
    earlier = strikes[strikes < final - LOOSE]
    if not len(earlier) or (strikes > final + LOOSE).any():
        return []
    mine = [line for line in sight.lines if int(line.onset[-1]) >= final - LOOSE]
    longest_note = max(int(line.duration[line.onset >= final - LOOSE].max()) for line in mine)
    playing = int(active_parts(sight)[:-1, max(end_bar(sight) - 3, 0) :].any(axis=1).sum())
    good = len(mine) >= max(parts, _BAND * playing) and longest_note <= longest * QUARTER + LOOSE
    return to_the_end(sight, end_bar(sight)) if good and final - int(earlier[-1]) >= hole * QUARTER - LOOSE else []


@detectors.register("thinning_end")
def thinning_end(sight: Sight, steps: int = 3, within: int = 16) -> list[Sighting]:
    """The parts leave one after another at the end, none comes back, and at most two are left."""
    end = end_bar(sight)
    active = active_parts(sight)[:, : end + 1]
    leaves = np.asarray((active[:, 1:] <= active[:, :-1]).all(axis=0))
    first = end
    while first > 0 and leaves[first - 1] and end - first < within:
        first -= 1
    count = active[:, first:].sum(axis=0)
    falls = int(np.count_nonzero(np.diff(count)))
    return to_the_end(sight, first) if falls >= steps and count[-1] <= 2 else []


@detectors.register("codetta")
def codetta(sight: Sight, *, shortest: int = 2, longest: int = 4) -> list[Sighting]:
    """After a full close (dominant to tonic with the tonic in the melody) the piece confirms its tonic chord once more
    or oftener, for ``shortest`` to ``longest`` bars without returning to its theme, and ends on it."""
    row = changes(sight)
    ends = [close for close in closes(sight) if close.degree == 0]
    if not row or not fits(row[-1], "I|i") or sight.bars < _SHORTEST_PIECE:
        return []
    for close in ends[:-1]:
        bar, after = close.bar, sight.bars - 1 - close.bar
        if bar < 3 or not shortest <= after <= min(longest, bar):
            continue
        returns = max(shared_notes(sight, bar + 1, earlier, 2) for earlier in range(bar)) > UNLIKE
        if not returns and _is_full(sight, close) and _only_home(sight, bar + 1):
            return [sight.at(bar + 1, sight.bars - 1)]
    return []


def _is_full(sight: Sight, close: Close) -> bool:
    """Whether a close stands on a tonic chord that the dominant came before."""
    row, here = changes(sight), chord_at(sight, close.onset)
    return here >= 1 and fits(row[here], "I|i") and fits(row[here - 1], "V")


def _only_home(sight: Sight, first: int) -> bool:
    """Whether the chords from a bar on are tonic, subdominant and dominant alone, two at least."""
    rest = [change for change in changes(sight) if change.last >= first]
    return all(fits(change, "I|i|IV|iv|V|ii|iio|viio") for change in rest) and len(rest) >= 2


@detectors.register("tag")
def tag(
    sight: Sight, times: int = 3, bars: Sequence[int] = (1, 2), home: bool = True, alike: float = ALIKE
) -> list[Sighting]:
    """The closing idea is said ``times`` times in a row at the end of the piece, and not before: ``bars`` are lengths
    that are tried.

    With ``home`` the piece ends on its tonic chord, up to two bars later, and does not begin with that idea; without,
    the melody's last bar may follow.
    """
    return _home_tag(sight, times, bars) if home else _melody_tag(sight, times, bars, alike)


def _home_tag(sight: Sight, times: int, bars: Sequence[int]) -> list[Sighting]:
    row = changes(sight)
    if not row or not fits(row[-1], "I|i"):
        return []
    for size, after in product(bars, range(3)):
        first = sight.bars - after - times * size
        if first < 2 or len(part_of(sight, first, size)) < 2:
            continue
        again = all(shared_notes(sight, first, first + number * size, size) >= ALIKE for number in range(1, times))
        fresh = shared_notes(sight, first, first - size, size) < ALIKE
        if again and fresh and shared_notes(sight, 0, first, size) <= UNLIKE:
            return [sight.at(first, sight.bars - 1, sight.melody.voice)]
    return []


def _melody_tag(sight: Sight, times: int, bars: Sequence[int], alike: float) -> list[Sighting]:
    melody = sight.melody
    if len(melody) < _FEWEST_NOTES:
        return []
    end, sung = int(melody.bar[-1]), [set(notes) for notes in marks(sight)]
    known = sung[max(end - _LOOK_BACK, 0) : end + 1]
    for size, after in product(bars, range(2)):
        last = len(known) - after
        if last < (times + 1) * size:
            continue
        final, *earlier = (known[last - size * (turn + 1) : last - size * turn] for turn in range(times + 1))
        near = [_alike(final, part) for part in earlier]
        if min(near[:-1]) >= alike and near[-1] < alike and sum(map(len, final)) >= 3:
            return to_the_end(sight, end - after - times * size + 1)
    return []


def _alike(one: Sequence[set[TuneMark]], other: Sequence[set[TuneMark]]) -> float:
    """How much two stretches of bars share of all that is in either, from 0 to 1."""
    both = sum(len(left & right) for left, right in zip(one, other, strict=True))
    either = sum(len(left | right) for left, right in zip(one, other, strict=True))
    return both / either if either else 0.0
