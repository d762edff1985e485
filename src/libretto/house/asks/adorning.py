"""A tune that is adorned the more the longer a piece goes on: plain at first, then with turns, then with runs."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.checks.where import Spans, tune_of, voices_of, within
from libretto.house.asks.notes import Row, put, rows_of, scale_at, tune
from libretto.score import QUARTER, Score, Voice

__all__ = ["adorned"]

_EIGHTH, _SHORT, _CRUSHED = QUARTER // 2, QUARTER // 4, QUARTER // 8
_STEP = 4  # semitones at most between two notes that one other joins
_LEAP = 12
_SHAKES = 12  # strokes of a trill at most
_MANY = 6  # notes of a bar that is rich enough
_KINDS = _TURN, _LEANING, _SHAKE = range(3)  # ways to adorn a note, one after the other
_LATER, _RUNS = 1 / 3, 2 / 3  # of the bars after which there are turns, and runs
_LIGHT = 6  # velocities by which what adorns is softer


def adorned(score: Score, who: str, spans: Spans, *, at_once: bool = False, trills: bool = False) -> Score:
    """The piece with a tune turned and filled with steps in the later bars of a stretch, or ``at_once``; shaken in
    every other bar where ``trills`` are what was asked for."""
    voices = voices_of(who, score, spans) if who else []
    leader = next((index for index in voices if not score.voices[index].drums), tune_of(score, spans))
    if leader is None or not spans:
        return score
    bars = [bar for first, last in spans for bar in range(first, last + 1)]
    later = tuple((bar, bar) for bar in bars[0 if at_once else round(len(bars) * _LATER) : -1])
    runs = set(bars[round(len(bars) * _RUNS) :])
    voice = score.voices[leader]
    if trills and later:
        return put(score, voice.name, later, _shaken(score, voice, later))
    return put(score, voice.name, later, _lines(score, voice, later, runs, crushed=at_once)) if later else score


def _shaken(score: Score, voice: Voice, spans: Spans) -> list[Row]:
    """What a voice plays in some bars, with a trill on the longest note of every two."""
    rows = sorted(rows_of(within(voice.array, spans, score)))
    bars: dict[int, list[Row]] = {}
    for row in rows:
        if row.duration >= _EIGHTH and _alone(row, rows):
            bars.setdefault(score.bar_at(row.onset) // 2, []).append(row)
    chosen = {max(mine, key=lambda row: (row.duration, row.onset)) for mine in bars.values()}
    made = [stroke for row in rows for stroke in (_trilled(score, row) if row in chosen else [row])]
    return sorted(made)


def _trilled(score: Score, row: Row) -> list[Row]:
    """A note shaken with the step above it, and held where it is long."""
    above, light = _neighbour(score, row, 1), max(1, row.velocity - _LIGHT)
    count = min(_SHAKES, row.duration // _CRUSHED // 2 * 2)
    quick = [
        Row(row.onset + turn * _CRUSHED, _CRUSHED, above if turn % 2 else row.pitch, light) for turn in range(count)
    ]
    spent = count * _CRUSHED
    held = [row._replace(onset=row.onset + spent, duration=row.duration - spent)] if row.duration > spent else []
    return [*quick, *held]


def _lines(score: Score, voice: Voice, spans: Spans, runs: set[int], *, crushed: bool) -> list[Row]:
    """What a voice plays in some bars: its longest notes adorned where it has one note at a time, of a bar one, and
    later two; bars that have many notes stay."""
    rows = sorted(rows_of(within(voice.array, spans, score)))
    line = {(row.onset, row.pitch) for row in tune(score, voice, spans)}  # above the chords of one who has both
    alone = [row for row in rows if (row.onset, row.pitch) in line or _alone(row, rows)]
    made = [row for row in rows if row not in alone]
    chosen = _chosen(score, alone, runs)
    nipped = _plain_ones(score, alone, chosen) if crushed else []
    for row, after in zip(alone, [*alone[1:], None], strict=True):
        rich = score.bar_at(row.onset) + score.first_bar in runs and row in chosen
        fill = _steps(score, row, after) if after is not None and rich else []
        plain = row._replace(duration=row.duration - len(fill) * _EIGHTH)
        plain_or = _nipped(score, plain) if row in nipped else [plain]
        made += [*(_graced(score, plain, chosen.index(row)) if row in chosen else plain_or), *fill]
    return sorted(made)


def _chosen(score: Score, rows: Sequence[Row], runs: set[int]) -> list[Row]:
    """The notes that are adorned."""
    bars: dict[int, list[Row]] = {}
    for row in rows:
        bars.setdefault(score.bar_at(row.onset) + score.first_bar, []).append(row)
    chosen: list[Row] = []
    for bar, mine in bars.items():
        fit = [row for row in mine if row.duration >= QUARTER and row.pitch % 12 in scale_at(score, row.onset)]
        fit.sort(key=lambda row: (-row.duration, row.onset))
        chosen += sorted(fit[: 1 + (bar in runs)]) if len(mine) <= _MANY else []
    return chosen


def _plain_ones(score: Score, rows: Sequence[Row], chosen: Sequence[Row]) -> list[Row]:
    """Of every bar that has neither short notes nor one that is adorned the longest note, the first of those."""
    bars: dict[int, list[Row]] = {}
    for row in rows:
        bars.setdefault(score.bar_at(row.onset), []).append(row)
    bare = [mine for mine in bars.values() if not any(row in chosen or row.duration < _EIGHTH for row in mine)]
    return [max(mine, key=lambda row: (row.duration, -row.onset)) for mine in bare]


def _nipped(score: Score, row: Row) -> list[Row]:
    """A note with a quick one from above crushed into its beginning, as pipes and flutes of dances have it."""
    light = max(1, row.velocity - _LIGHT)
    return [
        Row(row.onset, _CRUSHED, _neighbour(score, row, 1), light),
        row._replace(onset=row.onset + _CRUSHED, duration=row.duration - _CRUSHED),
    ]


def _alone(row: Row, rows: Sequence[Row]) -> bool:
    return not any(
        other is not row and other.onset < row.onset + row.duration and row.onset < other.onset + other.duration
        for other in rows
    )


def _graced(score: Score, row: Row, turn: int) -> list[Row]:
    """A long note adorned, each time in another way: by a turn, a shake, or a leaning note from above."""
    if row.duration < QUARTER:
        return [row]
    above, below, light = _neighbour(score, row, 1), _neighbour(score, row, -1), max(1, row.velocity - _LIGHT)
    if turn % len(_KINDS) == _LEANING:
        return [
            row._replace(duration=_EIGHTH, pitch=above),
            row._replace(onset=row.onset + _EIGHTH, duration=row.duration - _EIGHTH, velocity=light),
        ]
    pitches = (
        (above, row.pitch, below) if row.duration >= 2 * QUARTER and turn % len(_KINDS) == _TURN else (row.pitch, above)
    )
    quick = [Row(row.onset + number * _SHORT, _SHORT, pitch, light) for number, pitch in enumerate(pitches)]
    spent = len(pitches) * _SHORT
    return [*quick, row._replace(onset=row.onset + spent, duration=row.duration - spent)]


def _steps(score: Score, row: Row, after: Row) -> list[Row]:
    """Notes that lead from the end of a long note to the next: the step between two, or two steps up to a leap."""
    way, far = (1 if after.pitch > row.pitch else -1), abs(after.pitch - row.pitch)
    if row.duration < QUARTER + _EIGHTH or not 1 < far <= _LEAP or after.onset != row.onset + row.duration:
        return []
    end, light = after.onset, max(1, row.velocity - _LIGHT)
    if far <= _STEP:
        between = [
            pitch for pitch in range(row.pitch + way, after.pitch, way) if pitch % 12 in scale_at(score, end - 1)
        ]
        return [Row(end - _EIGHTH, _EIGHTH, between[0], light)] if between else []
    if row.duration < 2 * QUARTER:
        return []
    goal = after._replace(onset=end - 1)
    last = _neighbour(score, goal, -way)
    return [
        Row(end - 2 * _EIGHTH, _EIGHTH, _neighbour(score, goal._replace(pitch=last), -way), light),
        Row(end - _EIGHTH, _EIGHTH, last, light),
    ]


def _neighbour(score: Score, row: Row, way: int) -> int:
    """The next step of the scale above or below a note."""
    scale = scale_at(score, row.onset)
    return next((row.pitch + way * far for far in (1, 2, 3) if (row.pitch + way * far) % 12 in scale), row.pitch + way)
