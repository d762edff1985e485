"""How a piece closes: soft, big, faded, held, cut off, or with chords of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans
from libretto.contract.instruments import instrument_of_program
from libretto.edits.endings import held_at_end, stopped
from libretto.edits.spans import changed, remade
from libretto.edits.touch import louder, swelling
from libretto.house.asks.doing import Job, doers
from libretto.house.asks.tonal import bent_to, once, onto
from libretto.score import QUARTER, Key, Score, Voice, parse_chord, spell
from libretto.score.pitch import letter_name

__all__ = ["closed_with"]

_FIFTH = 1  # on the line of fifths
_LAST = 4  # bars of an ending
_SOFTER, _LOUDER = 18, 14  # velocities
_GONE = 0.75  # of what was before: how loud the last bars of a fade are on average
_SIXTH, _LOWERED_SIXTH = 3, -4  # above the tonic on the line of fifths
_AT_THE_END = re.compile(r"end|outro|last\b.*|second half|(?:from|after)\b.*")  # where who plays alone ends alone


def _last_bars(score: Score) -> Spans:
    count = max(1, min(_LAST, score.bars // _LAST))
    return ((score.numbers[-1] - count + 1, score.numbers[-1]),)


@doers.register("ending")
def _ending(ask: Ask, score: Score, job: Job) -> Score:
    """The close that the contract asks for, where the plan has not made it."""
    word = job.contract.ending
    bars = _last_bars(score)
    if word in ("soft", "quiet", "gentle"):
        less = max(0, _SOFTER + _louder_by(score, bars))  # what it is not softer by already: it is still to be heard
        return swelling(louder(score, -less, (), bars), 0, -_SOFTER // 2, (), bars)
    if word == "fade":
        return _faded(score, bars)
    if word == "big":
        return louder(score, _LOUDER - min(0, _louder_by(score, bars)), (), bars)
    if word == "held":
        return held_at_end(score)
    if word in ("abrupt", "sudden"):
        made = score if _ends_with_a_hit(score) else _hit_home(stopped(score))
        apart = (ask.where for ask in job.contract.asks if ask.kind in ("only", "leave", "silent"))
        alone = any(_AT_THE_END.fullmatch(where) for where in apart)
        return made if alone else _all_at_once(made)
    return _last_chords(score, word)


def _ends_with_a_hit(score: Score) -> bool:
    """Whether the last notes of a piece are short, on the tonic, and struck together."""
    notes = np.concatenate([voice.array for voice in score.voices if not voice.drums])
    last = notes[notes["onset"] == notes["onset"].max()] if len(notes) else notes
    low = int(last["pitch"].min()) % 12 if len(last) else -1
    return len(last) > 1 and int(last["duration"].max()) <= QUARTER and low == score.keys[-1][1].tonic_class


def _hit_home(score: Score) -> Score:
    """The piece with its last stroke on the chord of its last bar: a tune that is cut off there stands on no passing
    note."""
    label = score.chords[-1][-1] if score.chords and score.chords[-1] else ""
    start = int(max(voice.array["onset"].max() for voice in score.voices if len(voice.array)))
    if parse_chord(label) is None or start < score.bar_lines[-2]:
        return score
    return _rooted(onto(score, label, start, score.bar_lines[-1]), score.bars - 1, label)


def _all_at_once(score: Score) -> Score:
    """The piece with everybody in its last stroke: who rests there strikes the tone of its chord that is nearest."""
    pitched = [voice for voice in score.voices if not voice.drums and len(voice.array)]
    start = max((int(voice.array["onset"].max()) for voice in pitched), default=0)
    struck = [voice.array[voice.array["onset"] == start] for voice in pitched]
    chord = score.chord_at(start)
    if chord is None or not sum(map(len, struck)):
        return score
    loud = max(int(notes["velocity"].max()) for notes in struck if len(notes))
    long = max(int(notes["duration"].max()) for notes in struck if len(notes))
    made = []
    for voice in score.voices:
        rests, stroke = _rests_at(voice, start), (start, long, loud)
        made.append(_struck(voice, sorted(chord.classes), stroke, score.key_at(start)) if rests else voice)
    return remade(score, made, [(score.numbers[-1], score.numbers[-1])])


def _rests_at(voice: Voice, start: int) -> bool:
    """Whether a voice with pitches, that has notes elsewhere, strikes nothing at a tick."""
    return not voice.drums and len(voice.array) > 0 and not (voice.array["onset"] == start).any()


def _struck(voice: Voice, classes: Sequence[int], stroke: tuple[int, int, int], key: Key) -> Voice:
    """A voice with one more note, as long and loud, on one of some pitch classes near its middle."""
    note = voice.array[-1:].copy()
    note["onset"], note["duration"], note["velocity"] = stroke
    note["pitch"] = round(float(np.median(voice.array["pitch"])))
    note = bent_to(note, classes, key)
    note["spelling"] = spell(note["pitch"], key)
    before = voice.array.copy()
    before["duration"] = np.minimum(before["duration"], np.maximum(1, stroke[0] - before["onset"]))
    return voice.with_notes(np.concatenate([before, note]))


def _louder_by(score: Score, bars: Spans) -> int:
    """How much louder some last bars are than what comes before them; below 0 where they are softer."""
    rows, start = score.table, score.bar_lines[bars[0][0] - score.first_bar]
    before, last = rows["velocity"][rows["onset"] < start], rows["velocity"][rows["onset"] >= start]
    return round(float(last.mean() - before.mean())) if len(before) and len(last) else 0


def _last_chords(score: Score, word: str) -> Score:
    """The close that is made of other chords."""
    key = score.keys[-1][1]
    if word == "open" and _is_away(score, key):
        return score  # the chords that were asked for lead back to the beginning
    if word in ("open", "deceptive"):
        away = key.tonic + (_FIFTH if word == "open" else _LOWERED_SIXTH if key.is_minor else _SIXTH)
        kind = "m" if word == "deceptive" and not key.is_minor else ""
        return closed_with(score, -1, f"{letter_name(away)}{kind}")
    if word == "plagal" and score.bars > 1:
        kind = "m" if key.is_minor else ""
        made = closed_with(score, -2, f"{letter_name(key.tonic - _FIFTH)}{kind}")
        return _sustained(_sustained(closed_with(made, -1, f"{letter_name(key.tonic)}{kind}"), -2), -1)
    if word == "picardy" and key.is_minor:
        return closed_with(score, -1, letter_name(key.tonic))
    return score


def _is_away(score: Score, key: Key) -> bool:
    """Whether the last chord of a piece is another than the tonic's."""
    chord = parse_chord(score.chords[-1][-1]) if score.chords and score.chords[-1] else None
    return chord is not None and chord.root_class != key.tonic_class


def _faded(score: Score, bars: Spans) -> Score:
    """The piece with its last bars going away, as far as they do not already."""
    start = score.bar_lines[bars[0][0] - score.first_bar]
    velocities = score.table["velocity"][score.table["onset"] < start]
    if not len(velocities):
        return score
    made = score
    for voice in score.voices:
        late = voice.array["velocity"][voice.array["onset"] >= start]
        if len(late):
            more = round(float(late.mean()) - _GONE * float(velocities.mean()))  # what it has to lose on average
            made = swelling(made, 0, -2 * more, [voice.name], bars) if more > 0 else made
            rest = made.voice(voice.name).array["velocity"][voice.array["onset"] >= start]
            more = round(float(rest.mean()) - _GONE * float(velocities.mean()))  # of who leaves before the end
            made = louder(made, -more, [voice.name], bars) if more > 0 else made
    return made


def closed_with(score: Score, place: int, label: str) -> Score:
    """The piece with another chord in one of its last bars."""
    bar = score.bars + place
    chords = [*score.chords]
    chords[bar] = (label,)
    made = onto(score, label, score.bar_lines[bar], score.bar_lines[bar + 1])
    return replace(_rooted(made, bar, label), chords=tuple(chords))


def _sustained(score: Score, place: int) -> Score:
    """The piece with what everybody strikes first in one of its last bars held through it: the chords of an Amen."""
    start, end = score.bar_lines[score.bars + place], score.bar_lines[score.bars + place + 1]

    def held(voice: Voice) -> Voice:
        notes = voice.array.copy()
        here = (notes["onset"] >= start) & (notes["onset"] < end)
        if voice.drums or not here.any():
            return voice
        first = here & (notes["onset"] == notes["onset"][here].min())
        notes["duration"][first] = end - start
        notes["onset"][first] = start
        return voice.with_notes(notes[first | ~here])

    bar = score.first_bar + score.bars + place
    return remade(score, [held(voice) for voice in score.voices], [(bar, bar)])


def _rooted(score: Score, bar: int, label: str) -> Score:
    """The piece with the root of a chord as the lowest tone of a bar."""
    chord = parse_chord(label)
    table = score.table
    drums = [index for index, voice in enumerate(score.voices) if voice.drums]
    notes = table[(table["bar"] == bar) & ~np.isin(table["voice"], drums)]
    if chord is None or not len(notes):
        return score
    lowest = {int(tick): int(notes["pitch"][notes["onset"] == tick].min()) for tick in np.unique(notes["onset"])}

    def rooted(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        here = np.array([lowest.get(int(note["onset"])) == int(note["pitch"]) for note in notes], dtype=np.bool_)
        notes[here] = bent_to(notes[here], [chord.root_class], score.key_at(score.bar_lines[bar]))
        deep = instrument_of_program(voice.program).low if voice.program is not None else 0
        notes["pitch"][here & (notes["pitch"] < deep)] += 12
        return notes

    made = changed(score, (), [(bar + score.first_bar, bar + score.first_bar)], rooted)
    return replace(made, voices=tuple(once(voice) for voice in made.voices))
