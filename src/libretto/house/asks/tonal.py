"""Keys by place, scales, and how a piece closes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.fields import tunes_only
from libretto.contract.checks.where import Spans, tune_of
from libretto.contract.instruments import instrument_of_program
from libretto.contract.scales import scale_named
from libretto.edits.endings import held_at_end, stopped
from libretto.edits.keys import rekeyed, relabelled, remoded, transposed
from libretto.edits.parts import top_line
from libretto.edits.spans import changed, remade, starts_in, stretches
from libretto.edits.touch import louder, swelling
from libretto.errors import LibrettoError
from libretto.house.asks.doing import Job, doers, place_of
from libretto.score import QUARTER, Key, Score, Voice, parse_chord, spell
from libretto.score.keys import MODES
from libretto.score.pitch import letter_name

__all__ = ["bent_to"]

_CLEARLY = 0.05  # of what sounds: how much better a new key has to fit than the old one
_FAR = 11  # semitones that a change of key may go at most
_TRITONE, _HIGHEST = 6, 127  # semitones to the farthest pitch class; pitch
_FIFTH = 1  # on the line of fifths
_LAST = 4  # bars of an ending
_SOFTER, _LOUDER = 18, 14  # velocities
_GONE = 0.75  # of what was before: how loud the last bars of a fade are on average
_SIXTH, _LOWERED_SIXTH = 3, -4  # above the tonic on the line of fifths


@doers.register("key_change")
def _key_change(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if not spans:
        return score
    made = _clearly(_in_new_key(ask.what.strip(), score, spans), score, spans, job)
    if made is score or job.contract.chords or job.contract.scale:
        return made
    for first, _ in spans:
        if first > score.numbers[0] + 1 and not any(a <= first - 1 <= b for a, b in spans):
            made = _led_into(made, first)
    return made


def _clearly(made: Score, score: Score, spans: Spans, job: Job) -> Score:
    """A piece whose new key is heard: where the bars fit the old key as well, their strange notes go into the new."""
    start = stretches(score, spans)[0][0]
    key, home = made.key_at(start), job.contract.key or score.key
    if made is score or job.contract.chords or job.contract.scale or set(key.classes) == set(home.classes):
        return made
    notes = np.concatenate([voice.array[starts_in(voice.array, stretches(made, spans))]
                            for voice in made.voices if not voice.drums])  # fmt: skip
    tones, weights = notes["pitch"] % 12, notes["duration"].astype(np.float64)
    new, old = (float(weights[np.isin(tones, one.classes)].sum()) for one in (key, home))
    if not len(notes) or new >= old + _CLEARLY * float(weights.sum()):
        return made
    bent = changed(made, (), spans, lambda _, mine: bent_to(mine, key.classes, key))
    return relabelled(replace(bent, voices=tuple(_once(voice) for voice in bent.voices)), spans)


def _in_new_key(what: str, score: Score, spans: Spans) -> Score:
    if re.fullmatch(r"[+-]?\d{1,2}", what):
        by = int(what)
        return transposed(score, by, spans) if 0 < abs(by) <= _FAR else score
    if what.lower() in MODES:
        return remoded(score, what.lower(), spans)
    try:
        return rekeyed(score, Key.parse(what), spans)
    except LibrettoError:
        return score


def _led_into(score: Score, bar: int) -> Score:
    """The piece with the dominant of a new key in the second half of the bar before it."""
    place = bar - score.first_bar
    key = score.key_at(score.bar_lines[place])
    label = f"{letter_name(key.tonic + _FIFTH)}7"
    before = score.chords[place - 1]
    chords = list(score.chords)
    chords[place - 1] = (before[0], label) if before[0] != label else (label,)
    start, end = score.bar_lines[place - 1], score.bar_lines[place]
    made = _onto(score, label, (start + end) // 2, end)
    return replace(made, chords=tuple(chords))


def _onto(score: Score, label: str, start: int, end: int) -> Score:
    """The piece with every pitch that begins between two ticks moved to the nearest tone of a chord."""
    chord = parse_chord(label)
    if chord is None:
        return score
    bars = [(bar, bar) for bar in score.numbers if start < score.bar_lines[bar - score.first_bar + 1] and
            score.bar_lines[bar - score.first_bar] < end]  # fmt: skip
    tones = sorted(set(chord.classes))

    def moved(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        here = (notes["onset"] >= start) & (notes["onset"] < end)
        notes[here] = bent_to(notes[here], tones, score.key_at(end - 1))
        return notes

    made = changed(score, (), bars, moved)
    return replace(made, voices=tuple(_once(voice) for voice in made.voices))


def _once(voice: Voice) -> Voice:
    """A voice in which no pitch is struck twice at once."""
    rows = np.stack([voice.array["onset"], voice.array["pitch"]]) if len(voice.array) else np.zeros((2, 0))
    _, first = np.unique(rows, axis=1, return_index=True)
    return voice if len(first) == len(voice.array) else voice.with_notes(voice.array[np.sort(first)])


def bent_to(notes: NDArray[Any], classes: Sequence[int], key: Key) -> NDArray[Any]:
    """Notes whose pitches lie on the nearest of some pitch classes, the lower of two."""
    if not len(notes) or not classes:
        return notes
    shift = np.zeros(12, dtype=np.int64)
    for tone in range(12):
        shift[tone] = min(range(-_TRITONE, _TRITONE + 1), key=lambda by: ((tone + by) % 12 not in classes, abs(by), by))
    by = shift[notes["pitch"] % 12]
    notes["pitch"] = np.clip(notes["pitch"].astype(np.int64) + by, 0, _HIGHEST)
    notes["spelling"] = np.where(by != 0, spell(notes["pitch"], key), notes["spelling"])
    return notes


@doers.register("scale")
def _scale(ask: Ask, score: Score, job: Job) -> Score:
    """The piece with its notes in the scale: all of them, or the tune where the scale has few."""
    scale = scale_named(job.contract.scale)
    if scale is None:
        return score
    tonic = score.key.tonic_class
    classes = sorted((tonic + step) % 12 for step in scale.semitones)
    tunes = tunes_only(scale.name, bool(job.contract.chords))
    leader = tune_of(score, ((score.numbers[0], score.numbers[-1]),)) if tunes else None
    names = [score.voices[leader].name] if leader is not None else []

    def bent(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        if not tunes:
            return bent_to(notes, classes, score.key)
        highest = {(int(note["onset"]), int(note["pitch"])) for note in top_line(notes)}
        mine = np.array([(int(note["onset"]), int(note["pitch"])) in highest for note in notes], dtype=np.bool_)
        notes[mine] = bent_to(notes[mine], classes, score.key)
        return notes

    made = changed(score, names, None, bent)
    return replace(made, voices=tuple(_once(voice) for voice in made.voices))


def _last_bars(score: Score) -> Spans:
    count = max(1, min(_LAST, score.bars // _LAST))
    return ((score.numbers[-1] - count + 1, score.numbers[-1]),)


@doers.register("ending")
def _ending(ask: Ask, score: Score, job: Job) -> Score:
    """The close that the contract asks for, where the plan has not made it."""
    word = job.contract.ending
    bars = _last_bars(score)
    if word in ("soft", "quiet", "gentle"):
        return swelling(louder(score, -_SOFTER - max(0, _louder_by(score, bars)), (), bars), 0, -_SOFTER // 2, (), bars)
    if word == "fade":
        return _faded(score, bars)
    if word == "big":
        return louder(score, _LOUDER - min(0, _louder_by(score, bars)), (), bars)
    if word == "held":
        return held_at_end(score)
    if word in ("abrupt", "sudden"):
        return score if _ends_with_a_hit(score) else _hit_home(stopped(score))
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
    return _rooted(_onto(score, label, start, score.bar_lines[-1]), score.bars - 1, label)


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
        return _closing(score, -1, f"{letter_name(away)}{kind}")
    if word == "plagal" and score.bars > 1:
        made = _closing(score, -2, f"{letter_name(key.tonic - _FIFTH)}{'m' if key.is_minor else ''}")
        return _sustained(_sustained(_closing(made, -1, f"{letter_name(key.tonic)}{'m' if key.is_minor else ''}"), -2), -1)
    if word == "picardy" and key.is_minor:
        return _closing(score, -1, letter_name(key.tonic))
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
    return made


def _closing(score: Score, place: int, label: str) -> Score:
    """The piece with another chord in one of its last bars."""
    bar = score.bars + place
    chords = [*score.chords]
    chords[bar] = (label,)
    made = _onto(score, label, score.bar_lines[bar], score.bar_lines[bar + 1])
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
    return replace(made, voices=tuple(_once(voice) for voice in made.voices))
