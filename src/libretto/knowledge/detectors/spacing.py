"""Spacing: how close, open, dropped or thinned out the notes of chords lie.

Conventions: a chord is what one voice strikes together. Semitones are counted between neighboring notes from the
lowest up, or above the root.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.chords import mask_of, struck_chords, turned
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.voicings import CLASS_COUNTS, TRIAD_MASKS, class_bits, rows_of_size
from libretto.knowledge.line import LOOSE, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting, SoundingChord, shared
from libretto.score.table import Bools, Ints

__all__ = ["chords_of", "roots_at", "spacing"]

_THIRDS, _SEVENTHS, _SHELL_SEVENTHS = (3, 4), (10, 11), (9, 10, 11)
_FOURTH, _TRITONE, _FIFTH = 5, 6, 7
_NINTHS = (2, 9)  # ninth and thirteenth
_OPEN_GAP = 16  # the widest gap of an open triad: a tenth
_BRIGHT = (1, 2, 6, 8, 9)  # colors over a third and a seventh
_COLORS = (1, 2, 3, 6, 8, 9)
_GUIDES = ((4, 10), (4, 11), (3, 10), (3, 9), (3, 11), (4, 9))


class _Limits(NamedTuple):
    """The least gap between neighbors in close position, and the least span, in semitones."""

    gap: int
    span: int


@detectors.register("spacing")
def spacing(
    sight: Sight,
    shape: str,
    tones: int = 3,
    run: int = 1,
    mostly: float = 0.0,
    where: str = "any",
    bars: int = 2,
    gap: int = 2,
    span: int = 0,
) -> list[Sighting]:
    """Chords that lie in one way, ``run`` in a row; with ``mostly`` that share of a line's chords for several ``bars``.

    ``close``: within an octave, no neighbors nearer than ``gap``; ``open``: a major or minor triad wider than an
    octave, with gaps of a tritone or more; ``drop two`` and ``drop three``: close but for the second or third note
    from above, an octave lower; ``shell``: root, third and seventh alone with the root below, at least ``span`` wide;
    ``rootless``: third, seventh and a color over a bass that has the root; ``open low``: a fifth or more at the bottom,
    close at the top, wide in all; ``ninths``: third, seventh and ninth or thirteenth. In a row all have as many
    ``tones``, each once.
    """
    if mostly:
        return _mostly_spaced(sight, shape, mostly, where, bars, _Limits(gap, span))
    if shape == "rootless":
        return _rootless_chords(sight)
    sightings = []
    for chords in struck_chords(sight):
        which, pitch = rows_of_size(chords, tones)
        if not len(which):
            continue
        flags = np.zeros(len(chords.size), dtype=np.bool_)
        distinct = CLASS_COUNTS[class_bits(pitch)] == tones
        flags[which] = _SHAPES[shape](pitch, chords.bass[which], _Limits(gap, span)) & distinct
        sightings += [sight.at(chords.bar[first], chords.bar[last], chords.voice) for first, last in runs(flags, run)]
    return sightings


def _mostly_spaced(sight: Sight, shape: str, mostly: float, where: str, bars: int, limits: _Limits) -> list[Sighting]:
    """Bars of a line most of whose chords are spaced that way, on two different lowest notes at the least."""
    sightings = []
    for line in sight.chosen(where):
        chords, mine, lowest = np.zeros(sight.bars, dtype=np.int64), np.zeros(sight.bars, dtype=np.int64), 0
        for size in np.unique(line.sizes[line.sizes >= 3]).tolist():
            rows, pitch = chords_of(line, size)
            chords += sight.per_bar(line.bar[rows])
            if size in _SIZES[shape]:
                fits = _SHAPES[shape](pitch, roots_at(sight, line.onset[rows]), limits)
                mine += sight.per_bar(line.bar[rows], fits)
                lowest += len(np.unique(pitch[fits, 0]))
        if lowest >= 2:
            sightings += sight.spans((mine > 0) & (mine >= mostly * chords), line.voice, least=bars)
    return sightings


def _is_close(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    return np.asarray((np.ptp(pitch, axis=1) < 12) & (np.diff(pitch, axis=1) >= limits.gap).all(axis=1))


def _is_open(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    gaps = np.diff(pitch, axis=1)
    wide = np.isin(class_bits(pitch), list(TRIAD_MASKS)) & (np.ptp(pitch, axis=1) > 12)
    return np.asarray(wide & (gaps >= _TRITONE).all(axis=1) & (gaps <= _OPEN_GAP).all(axis=1))


def _is_dropped(pitch: Ints, root: Ints, limits: _Limits, place: int) -> Bools:
    """Which chords are close once their lowest note is lifted by an octave to that place from above."""
    lifted = pitch[:, 0] + 12
    ordered = np.sort(np.concatenate((pitch[:, 1:], lifted[:, None]), axis=1), axis=1)
    dropped = (lifted == ordered[:, -place]) & (lifted < pitch[:, 1 - place])
    return np.asarray(dropped & _is_close(ordered, root, limits))


def _is_shell(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    above = np.sort((pitch[:, 1:] - pitch[:, :1]) % 12, axis=1)
    right = np.isin(above[:, 0], _THIRDS) & np.isin(above[:, 1], _SHELL_SEVENTHS)
    return np.asarray(right & (np.ptp(pitch, axis=1) >= limits.span))


def _has_guides(above: Ints) -> Bools:
    """Which chords have a third and a seventh above their root."""
    return np.asarray(np.isin(above, _THIRDS).any(axis=1) & np.isin(above, _SEVENTHS).any(axis=1))


def _is_rootless(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    above = (pitch - root[:, None]) % 12
    color = np.isin(above, _BRIGHT).any(axis=1)
    return np.asarray((root >= 0) & _has_guides(above) & color & (above != 0).all(axis=1))


def _is_open_low(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    gaps = np.diff(pitch, axis=1)
    close_above = gaps[:, -2:].max(axis=1) <= _FOURTH
    return np.asarray((gaps[:, 0] >= _FIFTH) & close_above & (np.ptp(pitch, axis=1) >= 12 + _FIFTH))


def _is_ninth(pitch: Ints, root: Ints, limits: _Limits) -> Bools:
    above = (pitch - root[:, None]) % 12
    return np.asarray((root >= 0) & _has_guides(above) & np.isin(above, _NINTHS).any(axis=1))


#: How chords may lie: from pitches (rows are chords), their roots and the limits to which of them do.
_SHAPES: dict[str, Callable[[Ints, Ints, _Limits], Bools]] = {
    "close": _is_close,
    "open": _is_open,
    "drop two": partial(_is_dropped, place=2),
    "drop three": partial(_is_dropped, place=3),
    "shell": _is_shell,
    "rootless": _is_rootless,
    "open low": _is_open_low,
    "ninths": _is_ninth,
}
#: How many notes chords of a shape have, where most chords of a bar are judged.
_SIZES = {"drop two": (4,), "shell": (3,), "rootless": (3, 4, 5), "open low": (4, 5, 6), "ninths": (3, 4, 5, 6)}


def _rootless_chords(sight: Sight) -> list[Sighting]:
    """Voicings of three to five notes without the root, which sounds below them in the same chord."""
    heard, sightings = _heard_roots(sight), []
    for chords in struck_chords(sight):
        place = np.maximum(np.searchsorted(heard.start, chords.onset, side="right") - 1, 0)
        inside = (chords.onset >= heard.start[place]) & (chords.onset < heard.end[place])
        sizes = np.isin(chords.size, _SIZES["rootless"])
        good = inside & sizes & _ROOTLESS[turned(chords.own, heard.root[place])]
        bars = [
            int(chords.bar[row])
            for row in np.flatnonzero(good).tolist()
            if _root_below(sight, sight.supported[int(place[row])], int(chords.low[row]))
        ]
        sightings += sight.spans(np.array(bars, dtype=np.int64), chords.voice, join=0)
    return sightings


def _root_below(sight: Sight, harmony: SoundingChord, low: int) -> bool:
    """Whether the root is struck within the chord's time below that pitch."""
    first, last = np.searchsorted(sight.notes.onset, (harmony.start, harmony.end))
    mine = sight.notes.pitch[first:last]
    return bool(((mine % 12 == harmony.root) & (mine < low)).any())


def _rootless_sets() -> Bools:
    """Which sets of pitch classes above a root are third, seventh, a color and perhaps the fifth, without that root."""
    sets = np.zeros(1 << 12, dtype=np.bool_)
    for guides in _GUIDES:
        rest = [tone for tone in (*_COLORS, _FIFTH) if tone not in guides]
        for size in (1, 2, 3):
            some = [colors for colors in combinations(rest, size) if set(colors) & set(_COLORS)]
            sets[[mask_of((*guides, *colors)) for colors in some]] = True
    return sets


def chords_of(line: VoiceLine, size: int) -> tuple[Ints, Ints]:
    """The chords of exactly that size: for each the row of its lowest note, and its pitches from low to high."""
    rows = line.starts[line.sizes == size]
    return rows, line.pitch[rows[:, None] + np.arange(size)]


def roots_at(sight: Sight, onset: Ints) -> Ints:
    """The root at each instant: that of the chord heard there, else the pitch class of the bass; -1 in silence."""
    low = sight.bass.low
    if not len(low):
        return np.full(len(onset), -1, dtype=np.int64)
    which = np.searchsorted(low.onset, onset + LOOSE, side="right") - 1
    at = np.maximum(which, 0)
    sounds = (which >= 0) & (onset - low.onset[at] <= 2 * low.beat[at] + low.duration[at])
    bass = np.where(sounds, low.pitch[at] % 12, -1)
    heard = _heard_roots(sight)
    at = np.maximum(np.searchsorted(heard.start, onset + LOOSE, side="right") - 1, 0)
    inside = (heard.start[at] <= onset + LOOSE) & (onset < heard.end[at])
    return np.asarray(np.where(inside, heard.root[at], bass))


class _HeardRoots(NamedTuple):
    """The supported chords as arrays; one without length where there are none."""

    start: Ints
    end: Ints
    root: Ints


@shared
def _heard_roots(sight: Sight) -> _HeardRoots:
    chords = [(chord.start, chord.end, chord.root) for chord in sight.supported] or [(0, 0, 0)]
    return _HeardRoots(*np.array(chords, dtype=np.int64).T)


_ROOTLESS = _rootless_sets()
