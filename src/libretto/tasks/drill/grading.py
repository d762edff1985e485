"""Grade a learner's answer against a drill: what was wrong, where, how it scores, and what to practise next.

The rule of the score: every written note is worth the same; a note left out or of another pitch loses all of its worth,
one at the wrong time half, one of the wrong length a quarter; every note too many takes the worth of half a note. The
score is what is left of 100, rounded, never below 0.

Whether the concept is still heard is a remark and takes nothing more. Slips are passed over for it: a wrong or missing
note whose name is right more often than not in this answer, and a note early, late, short or long at a place of the bar
where others mostly are not; what goes wrong once is a slip in any case, but for a drill of a few notes. So one wrong
note in a scale is one wrong note, and a leading note that is never raised is a scale that was not played.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import NamedTuple

import numpy as np

from libretto.knowledge import Concept, shows
from libretto.score import QUARTER, Note, Score
from libretto.score import played as as_played
from libretto.score.keys import spell
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.tasks.drill.aligning import Alignment, Strike, align, strikes_of
from libretto.tasks.drill.mistakes import Grade, Mistake
from libretto.tasks.drill.practising import practise_next
from libretto.tasks.drill.recorded import rings_on

__all__ = ["grade"]

_LATE_SECONDS, _LATE_PART = 0.07, 0.22  # a rhythm is wrong beyond both: seconds, and part of the step around it
_SHORT, _LONG = 0.5, 1.75  # lengths between these parts of what is written are a matter of touch
_BRIEF_SECONDS = 0.12
_FEW = 8  # pairs from which on a player's usual deviation can be told
_UNEVEN, _MOST_UNEVEN = 2.2, 0.05  # so many times that deviation is allowed on top, counted up to so many seconds
_TO_DEVIATION = 1.4826  # from the median of distances to the standard deviation of a normal spread
_SPREAD = 0.1  # so far apart in seconds may the notes of one chord be played
_WORTH = {"missing note": 1.0, "wrong note": 1.0, "rhythm": 0.5, "length": 0.25, "extra note": 0.5}
_BEST, _ALL_BUT = 100, 99  # marks: for no mistake, and the most with one
_MOSTLY = 0.5  # of the notes of one name, or at one place of the bar: what goes wrong less often is a slip
_HABIT = 2  # times that something goes wrong, at least, to be more than a slip
_BROKEN_LENGTH = 3  # a note that was held wrongly is heard as a third of what is written
_USUAL_STEP = 0.5  # seconds, where there is but one onset
_PARALLEL = {7: "parallel fifths", 0: "parallel octaves"}
_MICROS_A_SECOND = 1e6


def grade(answer: Score, drill: Score, concept: Concept | None = None, *, recorded: bool = False) -> Grade:
    """An answer against its drill: exact answers, at any steady tempo and after any silence, have no mistakes.

    Of a ``recorded`` answer it is not judged how far a note rings on, nor whether one that goes on was struck again.
    """
    written, played = strikes_of(drill), strikes_of(as_played(answer))
    match = align(written, played)
    uneven = _unevenness(played, match)
    noted = _notes(drill, written, played, match, uneven)
    if recorded:
        noted = [wrong for wrong in noted if not _unheard(wrong, written, played, match)]
    moves = _parallels(drill, written, played, match)
    mistakes = [wrong.mistake for wrong in noted] + moves
    mistakes.sort(key=lambda mistake: (mistake.bar, mistake.beat, mistake.kind))
    count = sum(len(strike.pitches) for strike in written)
    lost = sum(_WORTH.get(mistake.kind, 0.0) for mistake in mistakes)
    score = max(0.0, _BEST * (1 - lost / max(1, count)))
    heard = None
    if concept is not None and shows(drill, concept):
        heard = not noted or shows(_as_heard(drill, _beyond_slips(drill, noted)), concept)
    return Grade(
        round(score) if not mistakes else min(_ALL_BUT, round(score)),
        tuple(mistakes),
        count,
        1 / match.rate,
        match.transposition,
        heard,
        practise_next(
            drill, [*((wrong.mistake, wrong.row) for wrong in noted), *((move, -1) for move in moves)], concept, heard
        ),
        round(uneven, 3),
    )


def _unheard(wrong: _Heard, written: list[Strike], played: list[Strike], match: Alignment) -> bool:
    """Whether a recording does not tell a mistake from what is right."""
    if wrong.mistake.kind == "missing note":
        index = next(place for place, strike in enumerate(written) if wrong.row in strike.rows)
        return rings_on(written, played, match, index, wrong.pitch)
    return wrong.mistake.kind == "length" and wrong.mistake.played == "too long"


def _unevenness(played: list[Strike], match: Alignment) -> float:
    """How far off its time a note of this player usually is, in seconds: by the median, so that a few do not count."""
    away = [abs(played[two].time - match.expected[one]) for one, two in match.pairs]
    return float(np.median(away)) * _TO_DEVIATION if len(away) >= _FEW else 0.0


def _name(pitch: int, score: Score) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), score.key)[0]))


def _where(drill: Score, strike: Strike) -> tuple[int, float]:
    """Bar and beat of a written strike."""
    return place(drill, int(drill.table["onset"][strike.rows[0]]))


class _Heard(NamedTuple):
    """One mistake with its pitch, when it was due or played, and the row of the drill's note (-1 for none)."""

    mistake: Mistake
    pitch: int
    time: float
    row: int = -1


def _notes(drill: Score, written: list[Strike], played: list[Strike], match: Alignment, uneven: float) -> list[_Heard]:
    heard: list[_Heard] = []
    for index in match.missing:
        bar, beat = _where(drill, written[index])
        for pitch, row in zip(written[index].pitches, written[index].rows, strict=True):
            mistake = Mistake("missing note", bar, beat, _name(pitch, drill), "")
            heard.append(_Heard(mistake, pitch, match.expected[index], row))
    times = np.array(match.expected)
    for index in match.extra:
        bar, beat = _near(drill, written, times, played[index].time)
        for played_pitch in played[index].pitches:
            pitch = played_pitch - match.transposition
            heard.append(_Heard(Mistake("extra note", bar, beat, "", _name(pitch, drill)), pitch, played[index].time))
    for one, two in match.pairs:
        heard += _pair(drill, written, played[two], one, match, _UNEVEN * min(uneven, _MOST_UNEVEN))
    return _reunited(heard, _SPREAD + min(uneven, _MOST_UNEVEN))


def _reunited(heard: list[_Heard], spread: float) -> list[_Heard]:
    """Without notes of a spread chord that were missed in one place and found too many right beside it."""
    gone: set[int] = set()
    for one, missed in enumerate(heard):
        for two, extra in enumerate(heard):
            kinds = (missed.mistake.kind, extra.mistake.kind)
            near = missed.pitch == extra.pitch and abs(missed.time - extra.time) <= spread
            if kinds == ("missing note", "extra note") and near and two not in gone:
                gone |= {one, two}
                break
    return [wrong for index, wrong in enumerate(heard) if index not in gone]


def _as_heard(drill: Score, heard: list[_Heard]) -> Score:
    """The drill as it was answered: notes left out, changed or moved as the mistakes say."""
    by_row: dict[int, list[_Heard]] = {}
    for wrong in heard:
        by_row.setdefault(wrong.row, []).append(wrong)
    table = drill.table
    notes: dict[int, list[Note]] = {index: [] for index in range(len(drill.voices))}
    for row in range(len(table)):
        onset, duration, pitch, velocity, spelling = (
            int(table[name][row]) for name in ("onset", "duration", "pitch", "velocity", "spelling")
        )
        faults = {wrong.mistake.kind: wrong for wrong in by_row.get(row, ())}
        if "missing note" in faults:
            continue
        if "wrong note" in faults:
            pitch = faults["wrong note"].pitch
            spelling = int(spell(np.array([pitch]), drill.key)[0])
        if "rhythm" in faults:
            onset = max(0, min(drill.ticks - 1, onset + round(faults["rhythm"].time * QUARTER)))
        if "length" in faults:
            duration = max(1, duration // _BROKEN_LENGTH)
        notes[int(table["voice"][row])].append(Note(onset, duration, pitch, velocity, spelling))
    voices = tuple(voice.with_notes(notes[index]) for index, voice in enumerate(drill.voices))
    return Score.build(
        voices, bar_lines=drill.bar_lines, meters=drill.meters, keys=drill.keys, tempos=drill.tempos,
        chords=drill.chords, first_bar=drill.first_bar,
    )  # fmt: skip


def _beyond_slips(drill: Score, heard: list[_Heard]) -> list[_Heard]:
    """The mistakes that are more than slips: of one name, or at one place of the bar, at least half went wrong, and
    more than one where the drill has more than a few notes."""
    table = drill.table
    least = _HABIT if len(table) >= _FEW else 1
    alike = {"pitch": table["pitch"] % 12, "time": table["position"]}
    kept = []
    for view, kinds in (("pitch", ("wrong note", "missing note")), ("time", ("rhythm", "length"))):
        mine = [wrong for wrong in heard if wrong.mistake.kind in kinds and wrong.row >= 0]
        gone = Counter(int(alike[view][row]) for row in {wrong.row for wrong in mine})
        whole = Counter(alike[view].tolist())
        for wrong in mine:
            place = int(alike[view][wrong.row])
            if gone[place] >= max(least, _MOSTLY * whole[place]):
                kept.append(wrong)
    return kept


def _near(drill: Score, written: list[Strike], times: np.ndarray, time: float) -> tuple[int, float]:
    """Bar and beat at which something was played, between the written onsets around it."""
    ticks = np.array([int(drill.table["onset"][strike.rows[0]]) for strike in written], dtype=np.float64)
    if not len(ticks):
        return drill.first_bar, 1.0
    tick = int(np.clip(np.interp(time, times, ticks), 0, drill.ticks - 1))
    if time > times[-1]:
        tick = min(drill.ticks - 1, int(ticks[-1]) + 1)
    bar, beat = place(drill, tick)
    return bar, round(beat * 4) / 4


def _pair(
    drill: Score, written: list[Strike], mine: Strike, index: int, match: Alignment, slack: float
) -> list[_Heard]:
    """What is wrong about one strike that was played for one that is written."""
    strike = written[index]
    bar, beat = _where(drill, strike)
    rows = dict(zip(strike.pitches, strike.rows, strict=True))
    due = match.expected[index]
    wanted = Counter(strike.pitches)
    heard = Counter(pitch - match.transposition for pitch in mine.pitches)
    left, over = sorted((wanted - heard).elements()), sorted((heard - wanted).elements())
    faults = []
    while left and over:
        near = min(over, key=lambda pitch: abs(pitch - left[0]))
        over.remove(near)
        lost = left.pop(0)
        mistake = Mistake("wrong note", bar, beat, _name(lost, drill), _name(near, drill))
        faults.append(_Heard(mistake, near, due, rows[lost]))
    for pitch in left:
        faults.append(_Heard(Mistake("missing note", bar, beat, _name(pitch, drill), ""), pitch, due, rows[pitch]))
    for pitch in over:
        faults.append(_Heard(Mistake("extra note", bar, beat, "", _name(pitch, drill)), pitch, mine.time))
    late = mine.time - due
    if abs(late) > max(_LATE_SECONDS, slack) and abs(late) > _LATE_PART * _step(match.expected, index):
        mistake = Mistake("rhythm", bar, beat, _name(strike.pitches[-1], drill), "late" if late > 0 else "early")
        quarters = late / match.rate * _MICROS_A_SECOND / drill.tempos[0][1]
        faults.append(_Heard(mistake, strike.pitches[-1], quarters, strike.rows[-1]))
    return faults + _lengths(drill, strike, mine, match, bar, beat)


def _step(expected: tuple[float, ...], index: int) -> float:
    """The shorter of the steps before and after an onset."""
    sides = [abs(expected[index] - expected[other]) for other in (index - 1, index + 1) if 0 <= other < len(expected)]
    return min(sides, default=_USUAL_STEP)


def _lengths(drill: Score, strike: Strike, mine: Strike, match: Alignment, bar: int, beat: float) -> list[_Heard]:
    """Notes held far too short or far too long for what is written."""
    faults = []
    sounding: dict[int, list[float]] = {}
    for pitch, length in zip(mine.pitches, mine.lengths, strict=True):
        sounding.setdefault(pitch - match.transposition, []).append(length)
    for pitch, length, row in zip(strike.pitches, strike.lengths, strike.rows, strict=True):
        wanted = length * match.rate
        if pitch not in sounding or wanted < _BRIEF_SECONDS:
            continue
        heard = min(sounding[pitch], key=lambda held: abs(held - wanted))  # a pitch may be written twice
        part, away = heard / wanted, abs(heard - wanted)
        if (part < _SHORT or part > _LONG) and away > _BRIEF_SECONDS:
            words = "too short" if part < 1 else "too long"
            faults.append(_Heard(Mistake("length", bar, beat, _name(pitch, drill), words), pitch, 0.0, row))
    return faults


def _parallels(drill: Score, written: list[Strike], played: list[Strike], match: Alignment) -> list[Mistake]:
    """Parallel fifths and octaves of any two voices in the answer, where the drill has none at all.

    A chord that was played spread, or not whole, says nothing of them.
    """
    mistakes = []
    pairs = list(match.pairs)
    for (a, b), (c, d) in itertools.pairwise(pairs):
        whole = all(len(written[one].pitches) == len(played[two].pitches) for one, two in ((a, b), (c, d)))
        bad = _parallel(played[b].pitches, played[d].pitches) if whole else ""
        if bad and not _parallel(written[a].pitches, written[c].pitches):
            bar, beat = _where(drill, written[c])
            mistakes.append(Mistake("parallels", bar, beat, "", bad))
    return mistakes


def _parallel(one: tuple[int, ...], two: tuple[int, ...]) -> str:
    """Whether two voices of as many move in parallel fifths or octaves from one strike to the next."""
    if len(one) != len(two):
        one, two = (one[0], one[-1]) if len(one) > 1 else (), (two[0], two[-1]) if len(two) > 1 else ()
    for low, high in itertools.combinations(range(min(len(one), len(two))), 2):
        before, after = (one[high] - one[low]) % 12, (two[high] - two[low]) % 12
        if before == after and before in _PARALLEL and (two[high] - one[high]) * (two[low] - one[low]) > 0:
            return _PARALLEL[before]
    return ""
