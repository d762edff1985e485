"""Textures of several together: unison, call and response, chords that move with the tune, lines against lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.where import bass_of, tune_of, voices_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.edits.parts import silenced
from libretto.house.asks.doing import Job
from libretto.house.asks.imitation import lines_for
from libretto.house.asks.notes import MIDDLE, Row, fitted, pitched_voices, put, range_of, rows_of, tune
from libretto.house.asks.riffing import riffed
from libretto.house.asks.singing_back import sings_in_parts
from libretto.house.asks.textures import ACCENT, FIRM, SOFT, bars_of, target, textures, voicing
from libretto.house.asks.voices import against
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

Spans = Sequence[tuple[int, int]]
_EIGHTH = QUARTER // 2
_FINGERS = 4  # notes at once of who can play octaves and chords
_LINE, _BELOW = 1.6, 2  # notes at a time of who plays a line; and below a line that is answered in chords
_DUO = 2  # players who have nobody else
_TURN = 2  # bars of a call, and of its answer
_ABOUT = 6  # semitones under the middle of a voice from which on its chord tones are sought
_REACH = 14  # semitones of a second line
_LEFT = 14  # semitones below the middle that a left hand's line goes down to
_INNER = 7  # semitones below the middle that another's line goes down to


@textures.register("unison")
def _unison(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Everybody plays the tune, in octaves."""
    leader = tune_of(score, tuple(spans))
    if leader is None:
        return score
    line = tune(score, score.voices[leader], spans)
    voices = pitched_voices(score)
    if len(voices) == 1:
        return put(score, voices[0].name, spans, [*line, *(row._replace(pitch=row.pitch - 12) for row in line)])
    if (riff := riffed(ask, score, voices, spans)) is not None:
        return riff
    made = score
    for voice in voices:
        made = put(made, voice.name, spans, _sung(voice, line) if _sings(voice) else fitted(line, *range_of(voice)))
    return made


def _sings(voice: Voice) -> bool:
    """Whether somebody, or a choir, sings."""
    return instrument_of_program(voice.program or 0).family == "voices"


def _sung(voice: Voice, line: Sequence[Row]) -> list[Row]:
    """A line as somebody sings it with others: in the octave where that voice lies otherwise; a choir has men an octave
    below."""
    low, high = range_of(voice)
    if _thickness(voice) > _LINE:
        upper = fitted(line, low + 12, high)
        return [*upper, *(row._replace(pitch=row.pitch - 12) for row in upper)]
    own = float(np.median(voice.array["pitch"]))
    middle = sum(row.pitch for row in line) / max(1, len(line))
    by = 12 * round((own - middle) / 12)
    return fitted([row._replace(pitch=row.pitch + by) for row in line], low, high)


@textures.register("octaves")
def _octaves(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The tune with its octave below it, where its player has fingers for that; all else stays."""
    leader = tune_of(score, tuple(spans))
    voice = score.voices[leader] if leader is not None else None
    if voice is None or instrument_of_program(voice.program or 0).polyphony < _FINGERS:
        return score
    low, _ = range_of(voice)
    line = [row._replace(pitch=row.pitch - 12) for row in tune(score, voice, spans) if row.pitch - 12 >= low]
    rows = rows_of(within(voice.array, tuple(spans), score))
    struck = {(row.onset, row.pitch) for row in rows}
    return put(score, voice.name, spans, [*rows, *(row for row in line if (row.onset, row.pitch) not in struck)])


@textures.register("call and response")
def _talk(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Two who answer one another; of who is told alone the answers are its own."""
    if ask.who and " + " not in ask.who:
        return _answering_itself(ask, score, spans)
    return _call(ask, score, job, spans)


def _call(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Two bars of one, two bars of another."""
    leader = tune_of(score, tuple(spans))
    if leader is None:
        return score
    told, duo = _told(ask, score, spans), len(pitched_voices(score)) == _DUO
    if len(told) == _DUO and duo:  # nobody would accompany: their parts answer one another
        return score
    first = told[0] if told else score.voices[leader]
    calls, answers = _turns(score, spans)
    said = tune(score, first, answers)
    if told and score.voices[leader] not in told:  # who leads else lends the tune, and rests in the answers
        said = tune(score, score.voices[leader], answers) or said
    second = told[1] if told else _answering(score, first, spans)
    if second is None or (not told and duo):
        return _answered_by_hands(score, first, second, said, answers)
    if told and _thickness(first) > _LINE:  # who accompanies calls above its chords, and goes on under the answers
        return _called_by_hands(score, first, second, score.voices[leader], calls)
    return _by_turns(ask, score, job, spans, (first, second), said)


def _by_turns(ask: Ask, score: Score, job: Job, spans: Spans, two: tuple[Voice, Voice], said: list[Row]) -> Score:
    """One in two bars, and another, who may say what the one would there, in two."""
    (first, second), (calls, answers) = two, _turns(score, spans)
    if sings_in_parts(score, second, answers):  # in all its parts
        return silenced(silenced(score, [second.name], calls), [first.name], answers)
    said = _own_words(score, second, answers, said)
    if _thickness(second) > _LINE:  # who accompanies answers in chords, and goes on between
        made = silenced(put(score, second.name, answers, _in_chords(score, second, said)), [first.name], answers)
        if ask_clauses[ask.kind](ask, job.contract, made)[0]:
            return made
    score = put(score, second.name, answers, fitted(said, *range_of(second)))
    return silenced(silenced(score, [second.name], calls), [first.name], answers)


def _answering_itself(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with somebody whose own answers lie an octave below its calls, or above them where there is no room;
    who strikes chords goes on striking them."""
    voice = next((score.voices[index] for index in voices_of(ask.who, score, tuple(spans))), None)
    answers = _turns(score, spans)[1]
    said = tune(score, voice, answers) if voice is not None and not voice.drums else []
    if voice is None or not said:
        return score
    low, high = range_of(voice)
    by = -12 if min(row.pitch for row in said) - 12 >= low or max(row.pitch for row in said) + 12 > high else 12
    moved = [row._replace(pitch=row.pitch + by) for row in said if low <= row.pitch + by <= high]
    struck = {(row.onset, row.pitch) for row in said}
    rest = [row for row in rows_of(within(voice.array, tuple(answers), score)) if (row.onset, row.pitch) not in struck]
    return put(score, voice.name, answers, sorted({*rest, *moved}))


def _own_words(score: Score, second: Voice, answers: Spans, said: list[Row]) -> list[Row]:
    """What somebody answers: its own line where it has one that says more, and no chords."""
    own = tune(score, second, answers) if _thickness(second) <= _LINE else []
    return own if len(own) > len(said) else said


def _called_by_hands(score: Score, first: Voice, second: Voice, leader: Voice, calls: Spans) -> Score:
    """The piece with somebody who accompanies playing the tune of the calls above its chords; another answers."""
    said = tune(score, leader, calls) if leader.name != first.name else []
    made = _sung_above(score, first, said, calls) if said else score
    made = silenced(made, [second.name], calls)
    return silenced(made, [leader.name], calls) if leader.name not in (first.name, second.name) else made


def _answered_by_hands(score: Score, first: Voice, second: Voice | None, said: list[Row], answers: Spans) -> Score:
    """The piece with the one who accompanies answering above what it plays, and going on below; a bass, or whoever has
    no fingers left, goes on alone, and who calls answers itself an octave lower. Both play the last bar."""
    if second is None or instrument_of_program(second.program or 0).polyphony < _FINGERS or not said:
        return put(score, first.name, answers, [row._replace(pitch=row.pitch - 12) for row in said])
    answers = [span for span in answers if span[1] < score.bars - 1 + score.first_bar] if len(answers) > 1 else answers
    said = [row for row in said if row.onset < score.bar_lines[answers[-1][1] - score.first_bar + 1]]
    return silenced(_sung_above(score, second, said, answers), [first.name], answers) if said else score


def _sung_above(score: Score, voice: Voice, said: Sequence[Row], spans: Spans) -> Score:
    """The piece with a line above what somebody plays there."""
    line = fitted(said, MIDDLE, range_of(voice)[1])
    lowest = min(row.pitch for row in line)
    below = [row for row in rows_of(within(voice.array, tuple(spans), score)) if row.pitch < lowest]
    return put(score, voice.name, spans, sorted((*below, *line)))


def _in_chords(score: Score, voice: Voice, said: Sequence[Row]) -> list[Row]:
    """A line as somebody answers it in chords: tones of the chord close below every one of its notes."""
    low, high = range_of(voice)
    rows = []
    for row in fitted(said, low, high):
        below = [tone for tone in voicing(score, row.onset, max(low, row.pitch - 12)) if tone < row.pitch - 1]
        rows += [row, *(row._replace(pitch=tone, velocity=row.velocity - ACCENT) for tone in below[-_BELOW:])]
    return rows


def _told(ask: Ask, score: Score, spans: Spans) -> list[Voice]:
    """The voices that an ask names for several, in its order; none where it names nobody."""
    names = ask.who.split(" + ") if " + " in ask.who else []
    chosen = [score.voices[index] for name in names for index in voices_of(name, score, tuple(spans))[:1]]
    pitched = [voice for voice in dict.fromkeys(chosen) if not voice.drums]
    return pitched if len(pitched) > 1 else []


def _turns(score: Score, spans: Spans) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The bars of calls and those of answers."""
    bars = bars_of(score, spans)
    turn = _TURN if len(bars) >= 2 * _TURN else 1
    sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for place, bar in enumerate(bars):
        sides[place // turn % 2].append((bar + score.first_bar, bar + score.first_bar))
    return sides


def _answering(score: Score, first: Voice, spans: Spans) -> Voice | None:
    """Who answers: another that plays a line, the highest of those; the bass where there is nobody else."""
    others = [voice for voice in pitched_voices(score) if voice.name != first.name]
    bass = bass_of(score, tuple(spans))
    others = [voice for voice in others if score.voices.index(voice) != bass] or others
    others.sort(key=lambda voice: (_thickness(voice), -float(voice.array["pitch"].mean())))
    return others[0] if others else None


def _thickness(voice: Voice) -> float:
    """How many notes a voice strikes at a time."""
    return round(len(voice.array) / max(1, len(np.unique(voice.array["onset"]))), 1)


@textures.register("homophony")
def _homophony(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Everybody moves with the tune, on tones of the chord."""
    leader = tune_of(score, tuple(spans))
    if leader is None:
        return score
    line = tune(score, score.voices[leader], spans)
    made = score
    voices = pitched_voices(score)
    if len(voices) == 1:
        under = [
            row._replace(pitch=pitch, velocity=row.velocity - ACCENT)
            for row in line
            for pitch in voicing(score, row.onset, MIDDLE - 12)
            if pitch < row.pitch
        ]
        return put(score, voices[0].name, spans, [*line, *under])
    for voice in voices:
        if voice.name == score.voices[leader].name:
            made = put(made, voice.name, spans, line)
            continue
        rows = [row._replace(pitch=pitch, velocity=SOFT) for row in line for pitch in _with_tune(score, voice, row)]
        made = put(made, voice.name, spans, rows)
    return made


def _with_tune(score: Score, voice: Voice, row: Row) -> list[int]:
    """What a voice sings with a note of the tune: what sounds longest of its own line meanwhile, else the tone of the
    chord that is nearest its middle."""
    notes = voice.array
    ends = np.minimum(notes["onset"] + notes["duration"], row.onset + row.duration)
    heard = ends - np.maximum(notes["onset"], row.onset)
    if len(heard) and heard.max() > 0:
        first = notes["onset"][int(heard.argmax())]
        return sorted({int(pitch) for pitch in notes["pitch"][(heard == heard.max()) & (notes["onset"] == first)]})
    middle = round(float(np.median(notes["pitch"])))
    return [min(voicing(score, row.onset, middle - _ABOUT), key=lambda p: (abs(p - middle), p))]


@textures.register("counterpoint")
def _counterpoint(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """A second line that moves where the tune holds."""
    leader = tune_of(score, tuple(spans))
    places = lines_for(score, 2)
    wanted = target(ask, score, spans, "") if ask.who else None
    if leader is None or len(places) < 2 or (ask.who and wanted is None):
        return score
    first = score.voices[leader]
    line = tune(score, first, spans)
    alone = len(pitched_voices(score)) == 1
    second = first if alone else wanted or next(voice for voice, _ in reversed(places) if voice.name != first.name)
    low, high = range_of(second)
    bottom = MIDDLE - _LEFT if alone else max(low, min(MIDDLE - _INNER, high - _REACH))
    reach = (bottom, min(MIDDLE - 1 if alone else high, bottom + _REACH))
    rows = against(score, [line], _between(score, line, spans), reach, job.seed, FIRM)
    if alone:
        return put(score, second.name, spans, [*line, *rows])
    if ask.who:  # who has the tune was not spoken of
        return put(score, second.name, spans, rows)
    return put(put(score, first.name, spans, line), second.name, spans, rows)


def _between(score: Score, line: Sequence[Row], spans: Spans) -> list[tuple[int, int]]:
    """A rhythm that moves an eighth after each note of a line, where that holds; onsets and lengths."""
    struck = {row.onset for row in line}
    rhythm = []
    for bar in bars_of(score, spans):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        eighths = range(start, end, _EIGHTH)
        onsets = [tick for tick in eighths if tick == start or (tick not in struck and tick - _EIGHTH in struck)]
        onsets = [start] if bar == score.bars - 1 else onsets
        rhythm += [(tick, after - tick) for tick, after in zip(onsets, [*onsets[1:], end], strict=True)]
    return rhythm


@textures.register("solo")
def _alone(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    leader = tune_of(score, tuple(spans))
    others = [voice.name for index, voice in enumerate(score.voices) if index != leader]
    return silenced(score, others, spans) if others else score
