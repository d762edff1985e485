"""A line that climbs: it begins low and narrow, as one speaks, and ends high and wide, as one cries."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.notes import Row, put, rows_of, scale_at
from libretto.score import QUARTER, Score

__all__ = ["climbing"]

_GAP = QUARTER // 2  # ticks of a rest that parts phrases
_LONG = 4  # bars that a phrase has at most
_DOWN, _UP = -7, 5  # semitones by which the line lies lower at first, and higher in the end
_OVER = 3  # semitones that it may go beyond its highest note
_NARROW = 0.7  # of its intervals that it has at first
_LOUDER = 12  # velocities by which it grows to each side


def climbing(score: Score, index: int, spans: Spans) -> Score:
    """The piece with the line of a voice low at its beginning and high at its end, phrase by phrase, on the tones of
    the chords wherever it was."""
    voice = score.voices[index]
    rows = sorted(rows_of(within(voice.array, spans, score)))
    if not rows:
        return score
    mean, low, high = _room(rows, instrument_of_program(voice.program or 0).comfortable)
    first, last = rows[0].onset, rows[-1].end
    made: list[Row] = []
    for phrase in _phrases(rows, score):
        share = (phrase[0].onset - first) / max(1, last - first - (phrase[-1].end - phrase[0].onset))
        share = max(0.0, min(1.0, share))
        middle = mean + _DOWN + (_UP - _DOWN) * share
        width = _NARROW + (1 - _NARROW) * share
        own = fmean(row.pitch for row in phrase)
        before: tuple[int, int] | None = None  # what the note before was, and is
        for row in phrase:
            tones = _tones(score, row, low, high)
            way = 0 if before is None else (row.pitch > before[0]) - (row.pitch < before[0])
            moved = [tone for tone in tones if before is None or not way or (tone - before[1]) * way > 0]
            height = middle + width * (row.pitch - own)
            pitch = min(moved or tones, key=lambda tone: (abs(tone - height), tone), default=row.pitch)
            before = row.pitch, pitch
            louder = row.velocity + round(_LOUDER * (2 * share - 1))
            made.append(row._replace(pitch=pitch, velocity=max(1, min(127, louder))))
    return put(score, voice.name, spans, made)


def _room(rows: Sequence[Row], comfortable: tuple[int, int]) -> tuple[float, int, int]:
    """About which pitch a line lies, and from where to where it may climb."""
    pitches = [row.pitch for row in rows]
    low, high = max(comfortable[0], min(pitches) + _DOWN), min(comfortable[1], max(pitches) + _OVER)
    return fmean(pitches), min(low, min(pitches)), max(high, max(pitches))


def _tones(score: Score, row: Row, low: int, high: int) -> list[int]:
    """The tones that a note may move to: of the chord where it was one of it, else of the scale."""
    chord = score.chord_at(row.onset)
    classes = set(scale_at(score, row.onset))
    if chord is not None and row.pitch % 12 in chord.classes:
        classes = set(chord.classes)
    return [tone for tone in range(low, high + 1) if tone % 12 in classes]


def _phrases(rows: Sequence[Row], score: Score) -> list[list[Row]]:
    """Notes parted by rests, and after some bars at the latest."""
    made: list[list[Row]] = []
    for row in rows:
        rests = bool(made) and row.onset - max(note.end for note in made[-1]) >= _GAP
        long = bool(made) and score.bar_at(row.onset) - score.bar_at(made[-1][0].onset) >= _LONG
        if not made or rests or long:
            made.append([])
        made[-1].append(row)
    return made
