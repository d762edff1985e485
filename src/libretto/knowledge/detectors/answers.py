"""Answers: what one phrase, register or part says is taken up, echoed or changed by the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.dynamics import loudness
from libretto.knowledge.detectors.motifs import scale_steps
from libretto.knowledge.detectors.phrases import same_notes
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK
from libretto.knowledge.detectors.tunes import part_of, same_rhythm, stretch
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Ints
from libretto.score.time import QUARTER

__all__ = ["call_response", "echo", "imitation", "phrase_echo"]

_RARE = 0.1  # the share of notes that each register has at the least
_LONGEST_LINE = 6000  # onsets; longer lines are not searched for figures
_HALF_NOTE = 8  # sixteenths: the longest gap of a lively figure
_LATEST = 10 * QUARTER  # from one entry of a figure to the next

_SOFTER = 8  # in velocity, an echo that one hears as softer
_SINGLE = 1.3  # notes an onset, at most, of a line of single notes
_MOST_CALLERS, _MOST_ANSWERS = 4, 64  # that are looked at


@detectors.register("call_response")
def call_response(
    sight: Sight,
    between: str = "registers",
    where: str = "melody",
    notes: int = 3,
    turns: int = 4,
    apart: float = 3.0,
    half_bars: int = 4,
    same: bool = False,
) -> list[Sighting]:
    """A call and its answer by turns, at least so many ``notes`` in each.

    ``between`` says who: ``registers`` are four phrases of one line with silence between, ``apart`` by so many
    semitones on average, the calls or the answers alike; ``parts`` play while the other starts nothing, in equal spans;
    ``tune and band``: a tune of so many ``half_bars`` that rests as long while another part answers (``same``: always
    in the same rhythm).
    """
    if between == "registers":
        return _register_answers(sight, where, notes, apart)
    if between == "parts":
        return _part_answers(sight, turns, notes)
    return _band_answers(sight, half_bars, turns // 2, notes, same)


def _register_answers(sight: Sight, where: str, notes: int, apart: float) -> list[Sighting]:
    sightings = []
    for line in sight.chosen(where):
        parts, pitch, steps = phrases(sight, line), line.top.pitch, scale_steps(sight, line)
        mean = [float(pitch[part.first : part.end].mean()) for part in parts]
        for at in range(len(parts) - 3):
            four, swings = parts[at : at + 4], np.diff(mean[at : at + 4])
            short = min(part.size for part in four) < notes
            if short or min(line.rests[part.end - 1] for part in four[:3]) * 4 < QUARTER:
                continue
            by_turns = np.abs(swings).min() >= apart and (swings[1:] * swings[:-1] < 0).all()
            pairs = zip(four[:2], four[2:], strict=True)
            if by_turns and any(
                one.size == two.size and same_notes(line, one.first, two.first, one.size, steps) for one, two in pairs
            ):
                sightings.append(sight.rows(line.top, four[0].first, four[3].end - 1))
    return sightings


def _part_answers(sight: Sight, turns: int, notes: int) -> list[Sighting]:
    lines = [line for line in sight.lines if line is not sight.bass or len(sight.lines) < 3]
    sightings: list[Sighting] = []
    for halves in (1, 2, 4):
        count = _units(sight, lines, halves)
        busy, still = count >= notes, count == 0
        alone = busy[:, None, :] & still[None, :, :]
        units = alone.shape[2]
        if units < turns:
            continue
        chain = np.ones((*alone.shape[:2], units - turns + 1), dtype=np.bool_)
        for turn in range(turns):
            side = alone if turn % 2 == 0 else alone.transpose(1, 0, 2)
            chain &= side[:, :, turn : units - turns + 1 + turn]
        for one, _, unit in np.argwhere(chain)[:_MOST_ANSWERS].tolist():
            first, last = unit * halves // 2, min((unit + turns) * halves // 2, sight.bars) - 1
            sightings.append(sight.at(first, max(first, last), lines[one].voice))
    return sorted(set(sightings))


def _units(sight: Sight, lines: Sequence[VoiceLine], halves: int) -> Ints:
    """How many onsets each line has in each stretch of so many half-bars."""
    size = -(-2 * sight.bars // halves)
    rows = []
    for line in lines:
        top = line.top
        half = top.bar * 2 + (top.position * 2 >= sight.bar_length[top.bar])
        rows.append(np.bincount(half // halves, minlength=size)[:size])
    return np.array(rows) if rows else np.zeros((0, size), dtype=np.int64)


def _band_answers(sight: Sight, width: int, rounds: int, notes: int, same: bool) -> list[Sighting]:
    half = max(1, int(np.median(sight.bar_length)) // 2)
    units = int(sight.lines_at[-1]) // half + 1
    upper = [line for line in sight.lines if line is not sight.bass and len(line.starts) >= notes * rounds]
    heard = {line.voice: _activity(line, half, units, width) for line in upper}
    sightings = []
    for tune, line in product(_callers(upper), upper):
        calls, answers = heard[tune.voice], heard[line.voice]
        size = len(calls) - width
        if line is tune or size < 1:
            continue
        turn = (calls[:size] >= notes) & (answers[:size] <= 1) & (calls[width:] <= 1) & (answers[width:] >= notes)
        for start in np.flatnonzero(turn).tolist():
            rows = [start + 2 * width * number for number in range(rounds)]
            if rows[-1] < size and turn[rows].all() and (not same or _alike(line, half, rows, width)):
                ticks = np.array([start * half, (rows[-1] + 2 * width) * half - 1])
                bars = np.minimum(np.searchsorted(sight.lines_at, ticks, side="right") - 1, sight.bars - 1)
                sightings.append(sight.at(bars[0], bars[1], line.voice))
    return sightings


def _callers(lines: Sequence[VoiceLine]) -> list[VoiceLine]:
    """The few highest lines of single notes."""
    single = [line for line in lines if line.is_single(_SINGLE)]
    return sorted(single, key=lambda line: -float(line.pitch.mean()))[:_MOST_CALLERS]


def _activity(line: VoiceLine, half: int, units: int, width: int) -> Ints:
    """How many onsets each window of half-bars has."""
    count = np.bincount((line.top.onset + LOOSE) // half, minlength=units)[:units]
    total = np.concatenate([[0], np.cumsum(count)])
    return np.asarray(total[width:] - total[:-width])


def _alike(line: VoiceLine, half: int, rows: list[int], width: int) -> bool:
    """Whether the line's answers have the same rhythm, each as long as the first."""
    heard = []
    for row in rows:
        begin = (row + width) * half - LOOSE
        mine = (line.top.onset >= begin) & (line.top.onset < begin + width * half)
        heard.append(tuple(((line.top.onset[mine] - begin + LOOSE) // (QUARTER // 2)).tolist()))
    return len(set(heard)) == 1


@detectors.register("phrase_echo")
def phrase_echo(
    sight: Sight, *, shifts: Sequence[int], bars: Sequence[int] = (1, 2), softer: bool = False, times: int = 2
) -> list[Sighting]:
    """A stretch of at least three notes is answered at once by the same notes moved by one of ``shifts`` semitones, in
    the same rhythm, ``times`` times in the piece; ``softer`` wants the answer clearly quieter."""
    sightings = []
    for size in bars:
        first = 0
        while first + 2 * size <= sight.bars:
            good = _answered(sight, first, size, shifts)
            if good and softer:
                one, two = part_of(sight, first, size), part_of(sight, first + size, size)
                good = bool(one.velocity.mean() - two.velocity.mean() >= _SOFTER)
            if good:
                sightings.append(sight.at(first, first + 2 * size - 1, sight.melody.voice))
            first += 2 * size if good else size
    return sightings if len(sightings) >= times else []


def _answered(sight: Sight, first: int, size: int, shifts: Sequence[int]) -> bool:
    """Whether a stretch is followed by itself in one rhythm, all notes moved alike."""
    one, two = stretch(sight, first, size), stretch(sight, first + size, size)
    if len(one) < 3 or not same_rhythm(one, two):
        return False
    moved = {there.pitch - here.pitch for here, there in zip(one, two, strict=True)}
    return len(moved) == 1 and moved <= set(shifts) and len({note.pitch for note in one}) >= 2


@detectors.register("imitation")
def imitation(
    sight: Sight, between: str = "registers", where: str = "any", notes: int = 5, within: int = 2, parts: int = 3
) -> list[Sighting]:
    """A figure of so many ``notes`` that is taken up at any height.

    ``between`` two ``registers`` of one part the other does so ``within`` a few bars while the first goes on; between
    ``parts`` it passes through so many of them, each within two bars of the last.
    """
    if between == "parts":
        return _exchanges(sight, notes, parts)
    sightings = []
    for line in sight.chosen(where):
        heights = np.unique(line.pitch)
        if len(heights) < 2:
            continue
        jump = int(np.argmax(np.diff(heights)))
        deep = line.pitch <= heights[jump]
        if heights[jump + 1] - heights[jump] < 3 or not _RARE < deep.mean() < 1 - _RARE:
            continue
        strands = [(strand, _shapes(sight, strand, notes)) for strand in (line.where(deep), line.where(~deep))]
        for (leader, shapes), (answer, replies) in (strands, strands[::-1]):
            for shape in shapes.keys() & replies.keys():
                for lead in shapes[shape]:
                    first = int(leader.top.bar[lead])
                    for last in answer.top.bar[replies[shape]].tolist():
                        if 0 < last - first <= within and (leader.top.bar == last).any():
                            sightings.append(sight.at(first, last, line.voice))
    return sorted(set(sightings))


def _shapes(sight: Sight, line: VoiceLine, notes: int) -> dict[tuple[int, ...], list[int]]:
    """The figures of a strand that begin a bar and turn at least once, by scale steps and rhythm."""
    figures: dict[tuple[int, ...], list[int]] = {}
    if not len(line):
        return figures
    moves, gaps = np.diff(scale_steps(sight, line)), (line.gaps + LOOSE // 2) // LOOSE
    for row in np.flatnonzero(line.top.position == 0).tolist():
        shape = moves[row : row + notes - 1]
        if len(shape) == notes - 1 and (shape > 0).any() and (shape < 0).any():
            figures.setdefault((*shape.tolist(), *gaps[row : row + notes - 1].tolist()), []).append(row)
    return figures


def _motifs(sight: Sight, line: VoiceLine, notes: int) -> dict[tuple[int, ...], Ints]:
    """Where the line plays which figure of so many notes: its rhythm and its intervals (steps alike)."""
    top = line.top
    if len(top) < notes or len(top) > _LONGEST_LINE:
        return {}
    gaps = np.rint(np.diff(top.onset) / (QUARTER // 4)).astype(np.int64)
    coarse = np.sign(np.diff(top.pitch)) * np.ceil(np.abs(np.diff(top.pitch)) / 2).astype(np.int64)
    size = len(top) - notes + 1
    table = np.stack([column[k : size + k] for k in range(notes - 1) for column in (gaps, coarse)], axis=1)
    lively = (
        (table[:, 0::2].max(axis=1) <= _HALF_NOTE)
        & (np.ptp(table[:, 0::2], axis=1) > 0)
        & (table[:, 1::2] != 0).any(axis=1)
    )
    figures: dict[tuple[int, ...], list[int]] = {}
    after_rest = np.insert(line.rests[: size - 1] >= QUARTER // 2 - LOOSE, 0, True)
    for row in np.flatnonzero(lively & after_rest).tolist():
        figures.setdefault(tuple(table[row].tolist()), []).append(int(top.onset[row]))
    return {key: np.array(value, dtype=np.int64) for key, value in figures.items()}


def _exchanges(sight: Sight, notes: int, parts: int) -> list[Sighting]:
    """Where a figure passes through several voices: each takes it up, in its rhythm and shape, within two bars of the
    last and not together with it."""
    heard: dict[tuple[int, ...], list[tuple[int, str]]] = {}
    for line in sight.lines:
        if line.is_single(_SINGLE):
            for key, onsets in _motifs(sight, line, notes).items():
                heard.setdefault(key, []).extend((int(onset), line.voice) for onset in onsets)
    sightings = []
    for entries in heard.values():
        entries.sort()
        run: list[tuple[int, str]] = []
        for entry in entries:
            wait = entry[0] - run[-1][0] if run else 0
            if run and QUARTER <= wait <= _LATEST and entry[1] not in {voice for _, voice in run}:
                run.append(entry)
            else:
                run = [entry]
            if len(run) == parts:
                bars = np.searchsorted(sight.lines_at, [run[0][0], run[-1][0]], side="right") - 1
                sightings.append(sight.at(bars[0], bars[1]))
    return sightings


@detectors.register("echo")
def echo(sight: Sight, softer: int = 14, most_bars: int = 4, notes: int = 4, where: str = "any") -> list[Sighting]:
    """One to four bars return at once with the same notes and rhythm, clearly softer."""
    sightings = []
    for line, level in loudness(sight, where):
        edges = np.searchsorted(line.bar, np.arange(sight.bars + 1))
        size = np.diff(edges)
        mean = np.bincount(line.bar, level, minlength=sight.bars) / np.maximum(size, 1)
        for shift in range(most_bars, 0, -1):
            drop = (mean[:-shift] - mean[shift:] >= softer) & (size[:-shift] == size[shift:]) & (size[:-shift] > 0)
            if len(drop) < shift:
                continue
            whole = np.flatnonzero(np.convolve(drop, np.ones(shift), "valid") == shift)
            for bar in whole.tolist():
                first, middle, last = int(edges[bar]), int(edges[bar + shift]), int(edges[bar + 2 * shift])
                if middle - first >= notes and _same_bars(line, first, middle, last):
                    sightings.append(sight.at(bar, bar + 2 * shift - 1, line.voice))
    return sightings


def _same_bars(line: VoiceLine, first: int, middle: int, last: int) -> bool:
    """Whether two neighboring stretches of a line have the same places in the bar and the same pitches."""
    columns = ((line.position, SLACK), (line.pitch, 0))
    pairs = ((column[first:middle], column[middle:last], most) for column, most in columns)
    return middle - first == last - middle and all(
        bool((np.abs(one - other) <= most).all()) for one, other, most in pairs
    )
