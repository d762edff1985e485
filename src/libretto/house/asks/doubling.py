"""Doublings: somebody plays what another plays, as far above or below as was asked for and as the instrument allows."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.doubling import doubled_by, way_of
from libretto.contract.checks.where import Spans, within
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.notes import Row, fitted, put, range_of, rows_of, scale_at, tune
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

_SOFTER = 10  # velocities by which who doubles stays behind
_BASSES = range(32, 40)  # programs
_GUITARS, _POWER, _LOW = range(24, 32), (7, 12, 19), 60  # programs; semitones of power chords, and where they lie
_STRUM = 3  # notes of a chord that is strummed
_ABOUT = (0, 1, -1, -2, 2, -3, 3, -4, -5)  # semitones around a third or sixth where another tone is sought
_NEAREST, _FARTHEST = 3, 9  # semitones of the closest and widest interval of two who go together
_NEARLY = 0.95  # of the notes that have to lie within the range as they are


@doers.register("doubling")
def _doubling(ask: Ask, score: Score, job: Job) -> Score:
    """The upper line of who is doubled, in the octave asked for where the instrument has it."""
    spans = place_of(ask, score)
    index, whom = _by_seat(doubled_by(ask, job.contract, score, tuple(spans)), job, score)
    if index is None or whom is None:
        return score
    spans = spans if ask.where else _without_solos(spans, score.voices[whom].name, score, job)
    voice = score.voices[index]
    line = _line_for(ask, score, voice, score.voices[whom], spans)
    if not line:
        return score
    low, high = range_of(voice)
    softer = [row._replace(velocity=max(1, row.velocity - _SOFTER)) for row in line]
    way = way_of(ask.what)[1]
    close = max(row.onset for row in softer)
    moved = [
        row._replace(pitch=_at(score, row, way, held=row.duration >= QUARTER or row.onset == close)) for row in softer
    ]
    if way % 12:
        softer = moved
    rows = moved if _fits(moved, low, high) else fitted(softer, low, high)
    rows = [_within(row, low, high) for row in _one_by_one(rows)]
    rows = _with_riffs(score, score.voices[whom], spans, rows) if way % 12 else rows
    rows = _grounded(score, index, spans, rows) if voice.program in _BASSES else rows
    return put(score, voice.name, spans, rows)


def _with_riffs(score: Score, voice: Voice, spans: Spans, rows: list[Row]) -> list[Row]:
    """A line in thirds with the same riff in its bars in which a guitar strikes one in power chords or octaves: thirds
    would grind against them."""
    if voice.program not in _GUITARS:
        return rows
    played = rows_of(within(voice.array, spans, score))
    struck: dict[int, list[int]] = {}
    for row in played:
        struck.setdefault(row.onset, []).append(row.pitch)
    power = {onset for onset, tones in struck.items() if (max(tones) - min(tones)) in _POWER and min(tones) < _LOW}
    riffs = {score.bar_at(tick) for tick in score.bar_lines[:-1] if tick in power}
    same = [row._replace(velocity=max(1, row.velocity - _SOFTER)) for row in played if score.bar_at(row.onset) in riffs]
    return sorted([*(row for row in rows if score.bar_at(row.onset) not in riffs), *same])


def _line_for(ask: Ask, score: Score, voice: Voice, other: Voice, spans: Spans) -> list[Row]:
    """The line that a voice doubles: of a riff that a bass shadows the lowest notes, else what is sung."""
    under = voice.program in _BASSES and way_of(ask.what)[1] < 0
    return (_roots(score, other, spans) if under else []) or _sung(score, other, spans)


def _roots(score: Score, voice: Voice, spans: Spans) -> list[Row]:
    """The lowest notes of a guitar that strikes power chords: the riff that a bass doubles; none of other players."""
    rows = sorted(rows_of(within(voice.array, spans, score)), reverse=True)
    lowest = {row.onset: row for row in rows}
    power = sum(any(other.pitch - row.pitch in _POWER for other in rows if other.onset == row.onset)
                for row in lowest.values())  # fmt: skip
    deep = voice.program in _GUITARS and 2 * power > len(lowest)
    return [lowest[tick] for tick in sorted(lowest)] if deep else []


def _without_solos(spans: Spans, name: str, score: Score, job: Job) -> Spans:
    """Stretches without the bars in which who is doubled has a solo, which is one player's."""
    solos = [ask for ask in job.contract.asks if (ask.kind, ask.who) == ("solo", name) and ask.where]
    alone = {bar for ask in solos for first, last in place_of(ask, score) for bar in range(first, last + 1)}
    bars = [bar for first, last in spans for bar in range(first, last + 1) if bar not in alone]
    firsts = [bar for bar in bars if bar - 1 not in bars]
    return tuple(zip(firsts, [bar for bar in bars if bar + 1 not in bars], strict=True))


def _by_seat(pair: tuple[int | None, int | None], job: Job, score: Score) -> tuple[int | None, int | None]:
    """Who doubles and who is doubled; of two who lead together the one who sits first has the tune."""
    leads = [part.name for part in job.contract.parts if part.role == "lead"]
    names = [score.voices[index].name for index in pair if index is not None]
    both = len(names) == len(pair) and set(names) <= set(leads)
    return pair[::-1] if both and leads.index(names[0]) < leads.index(names[1]) else pair


def _sung(score: Score, voice: Voice, spans: Spans) -> list[Row]:
    """The upper line of a voice without the chords that it strums between its phrases, where it has both."""
    rows = rows_of(within(voice.array, spans, score))
    struck = [row.onset for row in rows if row.duration <= QUARTER]
    strums = {onset for onset in struck if struck.count(onset) >= _STRUM}
    line = tune(score, voice, spans)
    rest = [row for row in line if row.onset not in strums]
    return rest if 2 * len(rest) > len(line) else line


def _grounded(score: Score, index: int, spans: Sequence[tuple[int, int]], rows: Sequence[Row]) -> list[Row]:
    """A bass line with a tone of its own in bars in which who is doubled rests: a band does not lose its ground."""
    bars = {bar for first, last in spans for bar in range(first, last + 1)} - {_bar_of(score, row) for row in rows}
    own: dict[int, Row] = {}
    for row in sorted(rows_of(score.voices[index].array)):
        if _bar_of(score, row) in bars:
            own.setdefault(_bar_of(score, row), row)
    return sorted((*rows, *(row._replace(duration=max(row.duration, 2 * QUARTER)) for row in own.values())))


def _bar_of(score: Score, row: Row) -> int:
    """The number of the bar in which a note begins."""
    return score.bar_at(row.onset) + score.first_bar


def _one_by_one(rows: Sequence[Row]) -> list[Row]:
    """A line of which no note sounds into the next; of those struck together the highest."""
    tops = {row.onset: row for row in sorted(rows, key=lambda row: (row.onset, row.pitch))}
    ends = [*list(tops)[1:], None]
    return [
        row if end is None else row._replace(duration=min(row.duration, end - row.onset))
        for row, end in zip(tops.values(), ends, strict=True)
    ]


def _at(score: Score, row: Row, way: int, *, held: bool) -> int:
    """A pitch so far away; where that is no octave, the tone of the scale or chord that is about as far."""
    if way % 12 == 0:
        return row.pitch + way
    scale = scale_at(score, row.onset)
    tones = _tones(score, row, way) if held or row.onset % QUARTER == 0 else []  # on beats, held, and last: consonant
    near = [row.pitch + way, row.pitch + way + 1]
    return tones[0] if tones else next((pitch for pitch in near if pitch % 12 in scale), near[0])


def _tones(score: Score, row: Row, way: int) -> list[int]:
    """The tones of the chord that go with a tone of it, about so far away, the nearest first; none of other notes."""
    chord = score.chord_at(row.onset)
    if chord is None or row.pitch % 12 not in chord.classes:
        return []
    around = [row.pitch + way + by for by in _ABOUT]
    return [tone for tone in around if tone % 12 in chord.classes and _NEAREST <= abs(tone - row.pitch) <= _FARTHEST]


def _within(row: Row, low: int, high: int) -> Row:
    """A note that its instrument has, by octaves."""
    up, down = max(0, low - row.pitch + 11) // 12, max(0, row.pitch - high + 11) // 12
    return row._replace(pitch=row.pitch + 12 * (up - down))


def _fits(rows: Sequence[Row], low: int, high: int) -> bool:
    """Whether nearly all of a line lies within a range."""
    return sum(low <= row.pitch <= high for row in rows) >= _NEARLY * len(rows)
