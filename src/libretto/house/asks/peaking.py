"""A line with one peak: phrases come nearer and nearer to a note, turn away from it, and reach it once."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.checks.peaks import NEAR, PHRASE
from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.notes import Row, put, range_of, rows_of, scale_at
from libretto.score import QUARTER, Score

__all__ = ["peaking"]

_FROM, _TO, _BEST = 0.6, 0.9, 0.75  # of the way through a line: where its peak may lie, and lies best
_HIGH = 0.95  # of the notes of a line that its peak lies above
_ABOVE = (1, 5)  # semitones by which it does
_LONG = QUARTER  # ticks that it lasts at least, where there are such notes
_EIGHTH = QUARTER // 2
_REACH = 5  # semitones that the top of a phrase is lifted at most
_CLOSE = 5  # semitones from a top to a note beside it that goes along
_LOUDER = 10  # velocities
_OCTAVE, _RUBS = 12, (1, 2, 10, 11)  # intervals


def peaking(score: Score, index: int, spans: Spans) -> Score:
    """The piece with a line of a voice that has one peak: a long note of a chord, late, above all others; the top of
    each phrase before it is a step or two below, nearer every time, and steps lead away from it."""
    voice = score.voices[index]
    rows = rows_of(within(voice.array, spans, score))
    line = _upper(rows)
    chosen = _peak(score, line, range_of(voice), instrument_of_program(voice.program or 0).high)
    if chosen is None:
        return score
    place, top = chosen
    made = {at: row.pitch for at, row in enumerate(line)}
    made[place] = top
    for at, row in enumerate(line):
        if at != place and row.pitch >= top:
            made[at] = _below(score, row, top)
    phrases = _phrases(score, line)
    before = [phrase for phrase in phrases if phrase and phrase[-1] < place]
    for number, phrase in enumerate(before):
        _lift(score, line, made, phrase, top, nearest=number >= len(before) // 2)
    _beside(score, line, made, place, top)
    return put(score, voice.name, spans, _written(rows, line, made, place))


def _upper(rows: Sequence[Row]) -> list[Row]:
    """The highest note of each time that something is struck."""
    tops: dict[int, Row] = {}
    for row in rows:
        tops[row.onset] = max(tops.get(row.onset, row), row, key=lambda one: one.pitch)
    return [tops[onset] for onset in sorted(tops)]


def _peak(score: Score, line: Sequence[Row], room: tuple[int, int], highest: int) -> tuple[int, int] | None:
    """Which note of a line is its peak, and at which pitch; None where there is no room for one."""
    if len(line) < PHRASE:
        return None
    first, last = line[0].onset, line[-1].onset
    pitches = sorted(row.pitch for row in line)
    high = pitches[min(len(pitches) - 1, int(_HIGH * len(pitches)))]
    choices = []
    for at, row in enumerate(line):
        way = (row.onset - first) / max(1, last - first)
        chord = score.chord_at(row.onset)
        if not _FROM <= way <= _TO or row.duration < _EIGHTH:
            continue
        tones = chord.classes if chord is not None else score.key_at(row.onset).classes
        for pitch in range(high + _ABOVE[0], min(highest, high + _ABOVE[1]) + 1):
            if pitch % 12 in tones:
                strong = row.onset in score.bar_lines, row.onset % score.meter_at(row.onset).beat == 0
                worth = (row.duration >= _LONG) * 2 + sum(strong) - abs(way - _BEST) * 8 - abs(pitch - row.pitch) / 4
                choices.append((worth - 2 * (pitch > room[1]), -at, pitch))
    return (-max(choices)[1], max(choices)[2]) if choices else None


def _below(score: Score, row: Row, top: int) -> int:
    """The tone nearest below a peak that a note may have: of the chord if one is near, else of the scale."""
    chord, scale = score.chord_at(row.onset), scale_at(score, row.onset)
    near = [pitch for pitch in range(top - 1, top - NEAR - 1, -1) if pitch % 12 in scale]
    return next((pitch for pitch in near if chord is not None and pitch % 12 in chord.classes), (near or [top - 2])[0])


def _phrases(score: Score, line: Sequence[Row]) -> list[list[int]]:
    """The notes of a line, by place, in phrases of four bars from its first."""
    start = score.bar_at(line[0].onset)
    made: dict[int, list[int]] = {}
    for at, row in enumerate(line):
        made.setdefault((score.bar_at(row.onset) - start) // PHRASE, []).append(at)
    return list(made.values())


def _lift(
    score: Score, line: Sequence[Row], made: dict[int, int], phrase: Sequence[int], top: int, *, nearest: bool
) -> None:
    """Bring the top of a phrase near a peak, with the notes beside it: a third below, later a step."""
    long = [at for at in phrase if line[at].duration >= _EIGHTH] or list(phrase)
    high = max(long, key=lambda at: (made[at], line[at].duration, -at))
    goal = _miss(score, line[high], top, nearest=nearest)
    lifted = goal - made[high]
    if not 0 < lifted <= _REACH or high == phrase[-1]:
        return
    old = made[high]
    made[high] = goal
    for at, sign in ((high - 1, -1), (high + 1, 1)):
        if at in phrase and abs(made[at] - old) <= _CLOSE and made[at] <= old:
            steps = [
                pitch
                for pitch in range(goal - 1, goal - _CLOSE - 1, -1)
                if pitch % 12 in scale_at(score, line[at].onset)
            ]
            made[at] = (
                max(made[at], steps[min(len(steps) - 1, int(sign > 0 and line[at].duration >= QUARTER))])
                if steps
                else made[at]
            )


def _miss(score: Score, row: Row, top: int, *, nearest: bool) -> int:
    """The pitch of a near miss: a step below the peak or two, in the scale; of the chord where it is."""
    scale = scale_at(score, row.onset)
    steps = [pitch for pitch in range(top - 1, top - NEAR - 1, -1) if pitch % 12 in scale] or [top - 2]
    return steps[0] if nearest else steps[min(1, len(steps) - 1)]


def _beside(score: Score, line: Sequence[Row], made: dict[int, int], place: int, top: int) -> None:
    """Lead to a peak from near below, and away from it by a step where a leap would follow."""
    for at, most in ((place - 1, NEAR + 2), (place + 1, NEAR)):
        if 0 <= at < len(line) and top - made[at] > most and line[place].onset - line[at].end < QUARTER:
            near = [
                pitch for pitch in range(top - 1, top - most - 1, -1) if pitch % 12 in scale_at(score, line[at].onset)
            ]
            made[at] = near[-1] if near else made[at]


def _written(rows: Sequence[Row], line: Sequence[Row], made: dict[int, int], place: int) -> list[Row]:
    """All notes of a voice with its upper line as it was made: octaves below it go along, what would rub goes."""
    new = {row.onset: made[at] for at, row in enumerate(line)}
    old = {row.onset: row.pitch for row in line}
    kept = []
    for row in rows:
        by = new[row.onset] - old[row.onset]
        loud = row.velocity + (_LOUDER if row.onset == line[place].onset else 0)
        if row.pitch == old[row.onset] or (by and old[row.onset] - row.pitch == _OCTAVE):
            kept.append(row._replace(pitch=row.pitch + by, velocity=min(127, loud)))
        elif not by or (new[row.onset] - row.pitch) % _OCTAVE not in _RUBS:
            kept.append(row._replace(velocity=min(127, loud)))
    return kept
