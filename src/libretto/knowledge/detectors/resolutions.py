"""Tones that want to move: suspensions, guide tones, blue notes, degrees that lead on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_at, fits
from libretto.knowledge.detectors.contour import dense
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import CONSONANT, sounding
from libretto.knowledge.detectors.tunes import closes
from libretto.knowledge.line import LOOSE, VoiceLine, is_step
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.arrays import Ints
from libretto.score.time import QUARTER

__all__ = [
    "blue_note",
    "blue_notes",
    "cadential_suspension",
    "degree_resolution",
    "guide_tones",
    "guiding",
    "suspension_figure",
    "suspensions",
]


@detectors.register("suspension_figure")
def suspension_figure(
    sight: Sight,
    where: str = "any",
    figures: tuple[str, ...] = ("4-3", "7-6", "9-8"),
    times: int = 1,
    chain: bool = False,
) -> list[Sighting]:
    """The top is kept over a bass that makes it a dissonance and then falls by step: 4-3, 7-6 or 9-8.

    ``chain`` wants each resolution to be the preparation of the next.
    """
    sizes = {"4-3": ((5, 3), (5, 4), (6, 4)), "7-6": ((10, 8), (10, 9), (11, 9)), "9-8": ((2, 0), (1, 0))}
    pairs = [pair for figure in figures for pair in sizes[figure]]
    sightings = []
    for line in sight.chosen(where):
        heard, beat = sounding(sight, line), line.top.near_beat
        apart = (heard.high - heard.low) % 12
        kept = (np.diff(heard.high)[:-1] == 0) & np.isin(apart[:-2], CONSONANT) & (np.diff(heard.low)[:-1] != 0)
        falls = np.isin(np.diff(heard.high)[1:], (-1, -2)) & (np.diff(heard.low)[1:] == 0)
        figure = np.zeros(len(kept), dtype=np.bool_)
        for tense, calm in pairs:
            figure |= (apart[1:-1] == tense) & (apart[2:] == calm)
        rows = np.flatnonzero(kept & falls & figure & beat[1:-1] & (heard.voices[1:-1] >= 2) & (heard.voices[2:] >= 2))
        if chain:
            rows = rows[np.isin(rows + 2, rows) | np.isin(rows - 2, rows)]
        if len(rows) >= times:
            sightings += sight.spans(line.top.bar[rows], line.voice)
    return sightings


@detectors.register("suspensions")
def suspensions(sight: Sight, where: str = "upper", least_times: int = 2, within: int = 1) -> list[Sighting]:
    """Notes that are held or struck again into a beat where they clash with the bass (4-3, 7-6 or 9-8), were consonant
    before, and resolve down by step over the same bass; several in a chain, each ``within`` so many bars."""
    low = sight.bass.low
    firm = sight.places(low.bar, low.position) >= 0
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        if line is sight.bass or len(top) < 4:
            continue
        goal, note = top.pitch[1:], top.pitch[:-1]
        again = np.insert(note[1:] == note[:-1], 0, False)
        falls = np.isin(note - goal, (1, 2)) & (line.rests < LOOSE)
        rows = np.flatnonzero(falls & (10 * top.duration[:-1] >= 8 * top.beat[:-1]))
        if not len(rows):
            continue
        begin = np.where(again[rows], top.onset[np.maximum(rows - 1, 0)], top.onset[rows])
        moved = np.searchsorted(low.onset, top.onset[rows + 1] - LOOSE) - 1  # the bass note under the resolution
        strike = low.onset[np.maximum(moved, 0)]
        before = np.searchsorted(low.onset, begin + LOOSE, side="right") - 1
        held = (begin < strike - LOOSE) & (moved > before) & (before >= 0)
        held &= ~again[rows] | (np.abs(top.onset[rows] - strike) <= LOOSE)
        clash = (note[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        eased = (goal[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        kinds = (np.isin(clash, (5,)) & np.isin(eased, (3, 4))) | (np.isin(clash, (10, 11)) & np.isin(eased, (8, 9)))
        kinds |= np.isin(clash, (1, 2)) & (eased == 0)
        prepared = np.isin((note[rows] - low.pitch[np.maximum(before, 0)]) % 12, (0, 3, 4, 7, 8, 9))
        beat = sight.beat[top.bar[rows]]
        slow = (top.onset[rows + 1] - strike >= beat - LOOSE) & (strike - begin >= beat - LOOSE)
        slow &= firm[np.maximum(moved, 0)]
        good = rows[held & kinds & prepared & slow]
        near = np.flatnonzero(np.diff(top.bar[good]) <= within)
        if len(near) + 1 >= least_times and len(near):
            sightings += sight.spans(top.bar[good[np.union1d(near, near + 1)] + 1], line.voice)
    return sightings


@detectors.register("cadential_suspension")
def cadential_suspension(sight: Sight, *, over: Sequence[str] = ("V", "I|i")) -> list[Sighting]:
    """Near a close the fourth above the root stands on a beat where the third belongs and falls to it by step: over one
    of the chords ``over``, having sounded before at the same pitch."""
    notes, row, sightings = sight.notes, changes(sight), []
    for close in closes(sight):
        number = chord_at(sight, close.onset)
        for which in range(max(1, number - 2), number + 1):
            here = row[which]
            if not any(fits(here, text) for text in over) or not (4 in here.tones or 3 in here.tones):
                continue
            third = 4 if 4 in here.tones else 3
            first, last = np.searchsorted(notes.onset, (here.start - 4 * QUARTER, here.end))
            near = notes.where(np.arange(first, last))
            held = (near.pitch - here.root) % 12 == 5
            for at in np.flatnonzero(
                held & (near.onset >= here.start - LOOSE) & (near.position % near.beat == 0)
            ).tolist():
                pitch, tick, end = int(near.pitch[at]), int(near.onset[at]), int(near.onset[at] + near.duration[at])
                ready = ((near.pitch == pitch) & (near.onset < tick)).any()
                falls = (near.pitch == pitch - 5 + third) & (np.abs(near.onset - end) <= LOOSE)
                root = (
                    (near.pitch % 12 == here.root)
                    & (near.onset <= tick + LOOSE)
                    & (near.onset + near.duration > tick + LOOSE)
                ).any()
                if ready and falls.any() and root:
                    sightings.append(sight.at(here.bar, close.bar))
    return sorted(set(sightings))


@detectors.register("degree_resolution")
def degree_resolution(
    sight: Sight, where: str = "melody", first: int = 11, second: int = 0, times: int = 2, portion: float = 0.8
) -> list[Sighting]:
    """A degree that goes by step to another nearly whenever it is heard, and rests there longer, on a beat."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        good = (degree[:-1] == first) & (degree[1:] == second) & is_step(line.moves)
        long = good & (top.duration[1:] > top.duration[:-1]) & top.near_beat[1:]
        heard = np.flatnonzero(degree[:-1] == first)
        kept = dense(sight, top.bar, np.flatnonzero(good), heard, times, portion)
        sightings += sight.spans(kept & dense(sight, top.bar, np.flatnonzero(long), heard, times, 0.0), line.voice)
    return sightings


@detectors.register("guide_tones")
def guide_tones(sight: Sight, where: str = "melody", chords: int = 4) -> list[Sighting]:
    """Thirds and sevenths on the change of each chord, tied into one line by steps and common tones."""
    sightings = []
    for line in sight.chosen(where):
        top, last = line.top, 0
        bars: list[int] = []
        for chord in sight.harmony:
            row = int(np.searchsorted(top.onset, chord.start - LOOSE))
            here = row < len(top) and top.onset[row] <= chord.start + LOOSE
            guide = (
                here
                and chord.supported
                and (int(top.pitch[row]) - chord.root) % 12 in {3, 4, 10, 11} & set(chord.tones)
            )
            near = here and (not bars or abs(int(top.pitch[row]) - last) <= 2)
            if guide and not near:
                bars = []
            bars = [*bars, chord.bar] if guide else []
            last = int(top.pitch[row]) if here else 0
            if len(bars) == chords:
                sightings.append(sight.at(bars[0], bars[-1], line.voice))
    return sightings


@detectors.register("blue_note")
def blue_note(sight: Sight, where: str = "melody", times: int = 3, portion: float = 0.08) -> list[Sighting]:
    """Flat thirds (and fifths and sevenths) in a major key, without other foreign notes to speak of, that go by step
    or to the tonic."""
    sightings = []
    for line in sight.chosen(where):
        degree = (line.top.pitch - sight.tonic[line.top.bar]) % 12
        major = ~sight.minor[line.top.bar]
        blue = np.isin(degree, (3, 6, 10)) & major
        leads = blue[:-1] & ((np.abs(line.moves) <= 3) & (line.moves != 0))
        other = np.isin(degree, (1, 8)).sum()
        enough = leads.sum() >= max(times, portion * len(degree)) and (degree[:-1][leads] == 3).sum() >= 2
        if enough and other <= 0.02 * len(degree):
            sightings += sight.spans(line.top.bar[np.flatnonzero(leads)], line.voice)
    return sightings


@detectors.register("blue_notes")
def blue_notes(sight: Sight, where: str = "melody", ratio: float = 0.06, least_notes: int = 3) -> list[Sighting]:
    """A tune over major or dominant chords with the lowered third (moving on to the third, second or root) or the
    lowered fifth between fourth and fifth, often enough to be its colour."""
    major = np.zeros(sight.bars, dtype=np.bool_)
    for chord in sight.harmony:
        if chord.supported and chord.degree in (0, 5, 7) and chord.is_major:
            major[chord.bar] = True
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        if len(top) < 6:
            continue
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        now, after, move = degree[:-1], degree[1:], np.abs(np.diff(top.pitch))
        third = (now == 3) & np.isin(after, (4, 2, 0)) & (move <= 3)
        fifth = (now == 6) & np.isin(after, (5, 7)) & (move == 1)
        blue = (third | fifth) & major[top.bar[:-1]]
        if third.any() and blue.sum() >= max(least_notes, ratio * len(top)):
            sightings += sight.spans(top.bar[:-1][blue], line.voice, join=2)
    return sightings


def _sounding(line: VoiceLine, starts: Ints) -> tuple[Ints, Ints]:
    """The pitch that the line sounds at each instant (-1 for none), and how long it is."""
    top = line.top
    which = np.maximum(np.searchsorted(top.onset, starts + LOOSE, side="right") - 1, 0)
    on = (top.onset[which] <= starts + LOOSE) & (top.onset[which] + top.duration[which] > starts + LOOSE)
    return np.where(on, top.pitch[which], -1), np.where(on, top.duration[which], 0)


@detectors.register("guide_tone_line")
def guiding(sight: Sight, where: str = "upper", chords: int = 4, beats: float = 1.5) -> list[Sighting]:
    """A line of long notes, each the third or seventh of its chord, that moves by step as the chords change."""
    heard = [chord for chord in sight.harmony if chord.supported]
    if len(heard) < chords:
        return []
    starts = np.array([chord.start for chord in heard], dtype=np.int64)
    root = np.array([chord.root for chord in heard], dtype=np.int64)
    change = np.insert(np.diff(root) != 0, 0, True)
    bar = np.array([chord.bar for chord in heard], dtype=np.int64)
    starts, root, bar = starts[change], root[change], bar[change]
    sightings = []
    for line in sight.chosen(where):
        if not len(line) or len(line) > 1.2 * len(line.starts):
            continue
        pitch, length = _sounding(line, starts)
        good = np.isin((pitch - root) % 12, (3, 4, 10, 11)) & (pitch >= 0) & (length >= beats * QUARTER)
        step = np.append(np.abs(np.diff(pitch)) <= 2, False)
        edges = np.concatenate([[-1], np.flatnonzero(~(good & step)), [len(good)]])
        for start, end in zip(edges[:-1] + 1, edges[1:], strict=True):
            if (
                end < len(good)
                and good[end]
                and end - start + 1 >= chords
                and len(np.unique(pitch[start : end + 1])) >= 3
            ):
                sightings.append(sight.at(bar[start], bar[end], line.voice))
    return sightings
