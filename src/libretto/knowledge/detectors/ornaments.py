"""Ornaments and touch: quick notes that decorate a longer one, and how notes are joined, parted and held."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, parts
from libretto.knowledge.detectors.textures import sounding
from libretto.knowledge.line import LOOSE, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Floats
from libretto.score.time import QUARTER

__all__ = [
    "alternation",
    "articulated",
    "general_pause",
    "grace_note",
    "long_note",
    "mixed",
    "mordent",
    "repeated_fast",
    "rolled_chord",
    "slide",
    "slurred",
    "turn",
]

_JOINED = 0.97  # of the time to the next note that a joined note sounds
_TURN_NOTES = 5
_LINE_NOTES = 6  # of a line that holds one note long
_SELDOM = 24  # notes among which one may be held


def _tops(sight: Sight, where: str, notes: int) -> list[VoiceLine]:
    return [line.top for line in sight.chosen(where) if len(line.starts) >= notes]


@detectors.register("grace_note")
def grace_note(sight: Sight, longest: float = 0.13, widest: int = 2, where: str = "any") -> list[Sighting]:
    """One very short note, alone, leads by step into a note at least three times as long."""
    sightings = []
    for line in _tops(sight, where, 3):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        alone = quick & ~np.append(False, quick[:-1]) & ~np.append(quick[1:], False)
        lead = alone & (np.abs(moves) <= widest) & (moves != 0) & (line.duration[1:] >= 3 * gaps)
        sightings += sight.singly(line.bar[np.flatnonzero(lead)], line.voice)
    return sightings


@detectors.register("mordent")
def mordent(sight: Sight, longest: float = 0.17, direction: str = "both", where: str = "any") -> list[Sighting]:
    """Main note, neighbor and main note again: the first two quick, the third long."""
    sightings = []
    for line in _tops(sight, where, 4):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        away, back = moves[:-1], moves[1:]
        good = quick[:-1] & quick[1:] & (np.abs(away) <= 2) & (away != 0) & (back == -away)
        good &= line.duration[2:] >= 2 * gaps[:-1]
        good &= ~np.append(quick[2:], False) & ~np.append(False, quick[:-2])
        good &= {"both": away != 0, "upper": away > 0, "lower": away < 0}[direction]
        sightings += sight.singly(line.bar[np.flatnonzero(good)], line.voice)
    return sightings


@detectors.register("turn")
def turn(sight: Sight, longest: float = 0.26, where: str = "any") -> list[Sighting]:
    """Upper neighbor, main note, lower neighbor, main note: three quick notes round a longer one."""
    sightings = []
    for line in _tops(sight, where, _TURN_NOTES):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        first, second, third = moves[:-2], moves[1:-1], moves[2:]
        quick = gaps <= longest * QUARTER
        good = quick[:-2] & quick[1:-1] & quick[2:]
        for move, sign in ((first, -1), (second, -1), (third, 1)):
            good &= (move * sign >= 1) & (move * sign <= 2)
        good &= second == -third
        good &= line.duration[3:] >= 2 * gaps[2:]
        sightings += sight.singly(line.bar[np.flatnonzero(good)], line.voice)
    return sightings


@detectors.register("rapid_alternation")
def alternation(
    sight: Sight,
    least_step: int = 1,
    most_step: int = 2,
    notes: int = 8,
    longest: float = 0.26,
    where: str = "any",
    even: bool = False,
) -> list[Sighting]:
    """Two notes alternate quickly, again and again: a trill where they are a step apart, a tremolo where wider.

    With ``even`` all of them come in equal lengths, and the bars are shown in which so many notes begin.
    """
    sightings = []
    for line in _tops(sight, where, notes):
        gaps, size = np.diff(line.onset), np.abs(np.diff(line.pitch))
        back = line.pitch[2:] == line.pitch[:-2]
        good = (gaps <= longest * QUARTER) & (size >= least_step) & (size <= most_step)
        if even:
            same = good[1:] & back & (np.abs(np.diff(gaps)) <= LOOSE)
            begins = [row for run in runs(same, notes - 2) for row in range(run.first, run.end - notes + 3)]
            sightings += sight.spans(line.bar[begins], line.voice)
        else:
            good[1:] &= back | ~good[:-1]
            sightings += [sight.rows(line, run.first, run.end) for run in runs(good, notes - 1)]
    return sightings


@detectors.register("repeated_fast")
def repeated_fast(sight: Sight, notes: int = 8, longest: float = 0.26, where: str = "any") -> list[Sighting]:
    """One note or chord is struck again and again in quick notes."""
    sightings = []
    for line in _tops(sight, where, notes):
        good = (np.diff(line.onset) <= longest * QUARTER) & (np.diff(line.pitch) == 0)
        sightings += [sight.rows(line, run.first, run.end) for run in runs(good, notes - 1)]
    return sightings


@detectors.register("rolled_chord")
def rolled_chord(
    sight: Sight, notes: int = 3, longest: float = 0.17, where: str = "any", growing: bool = False, times: int = 1
) -> list[Sighting]:
    """Three or more notes rise quickly one after the other and all sound on together.

    Each lies a skip above the last, which sounds on for an eighth; or, with ``growing``, it is struck alone and one
    more sounds than before, so many ``times`` in a line.
    """
    sightings = []
    for line in sight.chosen(where):
        if growing:
            more = (line.moves > 0) & (np.diff(sounding(sight, line).voices) > 0) & (line.sizes[1:] == 1)
            rolls = [roll.first for roll in runs((line.gaps <= longest * QUARTER) & more, notes - 1)]
            sightings += sight.spans(line.top.bar[rolls], line.voice) if len(rolls) >= times else []
        else:
            gaps, moves = np.diff(line.onset), np.diff(line.pitch)
            good = (gaps > 0) & (gaps <= longest * QUARTER) & (moves >= 3)
            good &= line.end[:-1] >= line.onset[1:] + QUARTER // 2
            sightings += [sight.rows(line, roll.first, roll.end) for roll in runs(good, notes - 1)]
    return sightings


@detectors.register("slide")
def slide(sight: Sight, longest: float = 0.13, where: str = "any") -> list[Sighting]:
    """Two very short notes run by step, the same way, into a main note at least four times as long."""
    sightings = []
    for line in _tops(sight, where, 4):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        one, two = moves[:-1], moves[1:]
        good = quick[:-1] & quick[1:] & (one * two > 0) & (np.abs(one) <= 2) & (np.abs(two) <= 2)
        good &= ~np.append(False, quick[:-2]) & (line.duration[2:] >= 4 * gaps[:-1])
        sightings += sight.singly(line.bar[np.flatnonzero(good)], line.voice)
    return sightings


def _sounding(line: VoiceLine) -> Floats:
    """The share of the time to the next note that each note sounds; 1 for the last."""
    gaps = np.append(np.diff(line.onset), line.duration[-1:])
    return np.asarray(line.duration / np.maximum(gaps, 1))


@detectors.register("articulation")
def articulated(
    sight: Sight,
    low: float = 0.0,
    high: float = 0.6,
    notes: int = 8,
    loud: int = 0,
    longest: float = 1.0,
    where: str = "any",
) -> list[Sighting]:
    """A run of notes close together, each sounding a share from ``low`` to ``high`` of the time to the next."""
    sightings = []
    for top in parts(sight, where):
        if len(top) < notes:
            continue
        ratio = _sounding(top)
        gaps = np.append(np.diff(top.onset), QUARTER)
        good = (ratio >= low) & (ratio <= high) & (gaps <= longest * QUARTER) & (top.velocity >= loud)
        good[-1] = False
        sightings += [sight.rows(top, *run) for run in runs(good, notes)]
    return sightings


@detectors.register("slurred_phrases")
def slurred(sight: Sight, notes: int = 5, rest: float = 0.2, where: str = "any") -> list[Sighting]:
    """Notes joined without a gap and never repeated, in groups of ``notes`` or more, each group ending in a breath."""
    sightings = []
    for top in parts(sight, where):
        if len(top) < notes:
            continue
        joined = np.append((_sounding(top)[:-1] >= _JOINED) & (np.diff(top.pitch) != 0), False)
        breath = np.append(np.diff(top.onset) - top.duration[:-1] >= rest * QUARTER, True)
        sightings += [sight.rows(top, run.first, run.end) for run in runs(joined, notes - 1) if breath[run.end]]
    return sightings


@detectors.register("mixed_articulation")
def mixed(sight: Sight, bars: int = 2, where: str = "any") -> list[Sighting]:
    """Bars with both joined notes and short detached ones of the same written length, two of each at the least."""
    sightings = []
    for top in parts(sight, where):
        if len(top) < 4:
            continue
        ratio, gaps = _sounding(top), np.append(np.diff(top.onset), QUARTER)
        quick = gaps <= QUARTER
        short = np.bincount(top.bar[(ratio <= 0.6) & quick], minlength=sight.bars)
        long = np.bincount(top.bar[(ratio >= _JOINED) & quick], minlength=sight.bars)
        shown = (short >= 2) & (long >= 1) & (short + long >= 4)
        sightings += sight.spans(shown, top.voice, least=bars)
    return sightings


@detectors.register("long_note")
def long_note(
    sight: Sight, times: float = 6.0, bars: float = 1.0, inside: bool = True, where: str = "melody"
) -> list[Sighting]:
    """A note held ``bars`` bars or more and many times longer than the line's usual note; ``inside``: not the last."""
    sightings = []
    for line in parts(sight, where):
        if len(line) < _LINE_NOTES:
            continue
        usual = float(np.median(np.diff(line.onset)))
        long = (line.duration >= times * usual) & (line.duration >= bars * sight.bar_length[line.bar] - SLACK)
        if inside:
            long[-1] = False
        if long.sum() <= max(1, len(line) // _SELDOM):
            sightings += sight.spans(line.bar[long], line.voice)
    return sightings


@detectors.register("general_pause")
def general_pause(sight: Sight, bars: float = 0.9, notes: int = 4) -> list[Sighting]:
    """Everyone is silent at once for about a bar or longer, with music of several notes on both sides."""
    table = sight.score.table
    if len(table) < 2 * notes:
        return []
    onset, end = np.sort(table["onset"].astype(np.int64)), table["onset"].astype(np.int64) + table["duration"]
    reach = np.maximum.accumulate(end[np.argsort(table["onset"], kind="stable")])
    silent = onset[1:] - reach[:-1]
    rows = np.flatnonzero(silent > 0)
    rows = rows[(rows + 1 >= notes) & (len(onset) - rows - 1 >= notes)]
    bar = np.searchsorted(sight.lines_at, reach[rows], side="right") - 1
    long = silent[rows] >= bars * sight.bar_length[np.minimum(bar, sight.bars - 1)] - SLACK
    return sight.singly(bar[long])
