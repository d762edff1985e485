"""Parts: silenced in places, doubled, harmonised, left out, given to another instrument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.edits.spans import Notes, Spans, chord_line, remade, starts_in, stretches
from libretto.errors import LibrettoError
from libretto.score import Score, Voice, remove_voice, spell
from libretto.score.chords import Chord
from libretto.score.edit import add_voice
from libretto.score.marks import follow
from libretto.score.pitch import HIGHEST, fifths_of_semitones
from libretto.score.voice import unique_name

__all__ = ["INTERVALS", "doubled", "handed", "seconded", "silenced", "swapped", "top_line", "without"]

#: Harmonies that a voice may be given, by name: the steps of the scale that it goes above or below.
INTERVALS = {"third above": 2, "third below": -2, "sixth above": 5, "sixth below": -5}
_OCTAVES = (0, 12, -12, 24, -24)
_SOFTER = 10  # steps of 127 by which a second voice is softer than the first
_LEAST, _MOST = 3, 9  # semitones between two voices in thirds and sixths: a minor third to a major sixth
_MOST_SEMITONES = 36
_FEW = 2  # notes at once of who plays lines
_SEARCHED = 16  # semitones in which a step of the scale is looked for: beyond a sixth in any scale


def silenced(score: Score, names: Sequence[str], spans: Spans = None) -> Score:
    """Those voices silent in those bars: nothing of theirs starts there; what began before rings out."""
    ticks, voices = stretches(score, spans), []
    for voice in score.voices:
        mine = starts_in(voice.array, ticks)
        if (not names or voice.name in names) and mine.any():
            voice = voice.with_notes(voice.array[~mine])
        voices.append(voice)
    return remade(score, voices, spans)


def handed(score: Score, name: str, to: str, spans: Spans = None) -> Score:
    """What a voice plays in those bars played by another that is there already; it is silent itself.

    Who plays lines leaves their own for it; whoever plays chords keeps the notes that lie below what was handed over.
    """
    ticks, giver, taker = stretches(score, spans), score.voice(name), score.voice(to)
    if giver.drums or taker.drums or taker.program is None:
        raise LibrettoError(f"{to} cannot play what {name} plays")
    player = instrument_of_program(taker.program)
    given = giver.array[starts_in(giver.array, ticks)].copy()
    if not len(given):
        raise LibrettoError(f"{name} plays nothing there")
    given["pitch"] += _octaves_into(given, player)
    there = starts_in(taker.array, ticks)
    own = taker.array[there]
    kept = own[:0] if player.breathes or player.polyphony <= _FEW else own[_below(own, given)]
    rows = np.concatenate([taker.array[~there], kept, given])
    made = {to: rows[np.argsort(rows, order=["onset", "pitch"], kind="stable")]}
    made[name] = giver.array[~starts_in(giver.array, ticks)]
    voices = [voice.with_notes(made[voice.name]) if voice.name in made else voice for voice in score.voices]
    return remade(score, voices, spans)


def _below(notes: Notes, tune: Notes) -> NDArray[np.bool_]:
    """Which notes lie clear below everything of a tune that sounds with them."""
    start, end = notes["onset"][:, None], (notes["onset"] + notes["duration"])[:, None]
    together = (tune["onset"] < end) & (tune["onset"] + tune["duration"] > start)
    near = notes["pitch"].astype(np.int64)[:, None] > tune["pitch"].astype(np.int64) - _LEAST
    return np.asarray(~(together & near).any(axis=1))


def without(score: Score, names: Sequence[str]) -> Score:
    """The piece without those voices."""
    made = score
    for name in names:
        made = remove_voice(made, name)
    if not made.voices:
        raise LibrettoError("nobody would be left to play")
    return made


def swapped(score: Score, name: str, instrument: str) -> Score:
    """A voice, under the same name, played on another instrument, by octaves where its range asks for that."""
    wanted = instrument_named(instrument)
    if wanted is None or wanted.program is None:
        raise LibrettoError(f"there is no instrument {instrument[:40]!r} with a program")
    old = score.voice(name)
    if old.drums:
        raise LibrettoError(f"{name} is percussion; it cannot be played on {instrument}")
    notes = old.array.copy()
    notes["pitch"] += _octaves_into(notes, wanted)
    new = replace(old, program=wanted.program, array=notes, marks=follow(old.marks, old.array, notes))
    return replace(score, voices=tuple(new if voice is old else voice for voice in score.voices))


def _octaves_into(notes: Notes, player: Instrument) -> int:
    """The octaves, in semitones, by which most of the notes come to lie where somebody can play them."""
    pitch = notes["pitch"].astype(np.int64)
    ways = []
    for by in _OCTAVES:
        there = pitch + by
        if len(there) and (there.min() < 0 or there.max() > HIGHEST):
            continue
        ways.append((int(((there < player.low) | (there > player.high)).sum()), abs(by), by))
    return min(ways)[2] if ways else 0


def top_line(notes: Notes) -> Notes:
    """The highest note of every start."""
    order = np.lexsort((-notes["pitch"].astype(np.int64), notes["onset"]))
    ordered = notes[order]
    first = np.concatenate([[True], ordered["onset"][1:] != ordered["onset"][:-1]]) if len(ordered) else order > 0
    return np.asarray(ordered[first])


def doubled(
    score: Score,
    name: str,
    interval: int | str = 0,
    spans: Spans = None,
    program: int | None = None,
    called: str = "",
) -> Score:
    """A voice more that goes with another: so many semitones away, or in thirds or sixths by the scale and the chords.

    >>> from libretto.score import Key, Note
    >>> tune = Score.build([Voice.of("Tune", [Note.named("E4", 0, 40320)])], keys=[(0, Key.parse("C"))])
    >>> doubled(tune, "Tune", "third above").voices[1].notes[0].name
    'G4'
    """
    leader = score.voice(name)
    if leader.drums:
        raise LibrettoError(f"{name} is percussion; it has no second voice")
    mine = leader.array[starts_in(leader.array, stretches(score, spans))]
    if not len(mine):
        raise LibrettoError(f"{name} plays nothing there that could be doubled")
    notes = _at_interval(score, mine, interval) if isinstance(interval, str) else _in_parallel(mine, interval, name)
    notes["velocity"] = np.maximum(1, notes["velocity"].astype(np.int64) - _SOFTER)
    if program is not None and isinstance(interval, int):
        notes["pitch"] += _octaves_into(notes, instrument_of_program(program))
    taken = {voice.name for voice in score.voices}
    player = leader.program if program is None else program
    title = called or (f"{name} harmony" if isinstance(interval, str) else f"{name} double")
    second = Voice(unique_name(title, taken), player, False, notes)
    at = next(place for place, voice in enumerate(score.voices) if voice is leader) + 1
    return add_voice(score, second, at)


def _in_parallel(notes: Notes, semitones: int, name: str) -> Notes:
    if abs(semitones) > _MOST_SEMITONES:
        raise LibrettoError(f"{name} cannot be doubled {semitones:+d} semitones away")
    made = notes.copy()
    pitch = notes["pitch"].astype(np.int64) + semitones
    if (pitch < 0).any() or (pitch > HIGHEST).any():
        raise LibrettoError(f"{name} cannot be doubled {semitones:+d} semitones away: pitches run from C-1 to G9")
    made["pitch"] = pitch
    if semitones % 12:
        made["spelling"] = notes["spelling"] + fifths_of_semitones(semitones)
    return made


def _at_interval(score: Score, notes: Notes, interval: str) -> Notes:
    """The top line of the notes with another under or over it, in the chord where the line is in it."""
    if interval not in INTERVALS:
        raise LibrettoError(f"there is no harmony {interval[:40]!r}; there are {', '.join(INTERVALS)}")
    line, chords = top_line(notes).copy(), chord_line(score)
    pitches = [
        seconded(int(note["pitch"]), INTERVALS[interval], *_harmony(score, chords, int(note["onset"]))) for note in line
    ]
    line["pitch"] = pitches
    line["spelling"] = [
        int(spell(np.array([pitch]), score.key_at(int(tick)))[0])
        for pitch, tick in zip(pitches, line["onset"], strict=True)
    ]
    return line


def _harmony(
    score: Score, chords: list[list[tuple[int, int, Chord]]], tick: int
) -> tuple[tuple[int, ...], frozenset[int]]:
    """The scale and the tones of the chord that hold at a tick; no tones where there is no chord."""
    here = [chord for start, end, chord in chords[score.bar_at(tick)] if start <= tick < end]
    return score.key_at(tick).classes, here[0].classes if here else frozenset()


def seconded(pitch: int, steps: int, scale: Sequence[int], tones: frozenset[int]) -> int:
    """The pitch that goes with another: so many steps of the scale away, or the tone of the chord next to that.

    >>> scale, chord = (0, 2, 4, 5, 7, 9, 11), frozenset({0, 4, 7})
    >>> seconded(64, 2, scale, chord), seconded(67, 2, scale, chord), seconded(65, 2, scale, chord)
    (67, 72, 69)
    """
    way = 1 if steps > 0 else -1
    ladder = [pitch + way * far for far in range(1, _SEARCHED + 1) if (pitch + way * far) % 12 in scale]
    diatonic = ladder[abs(steps) - 1] if len(ladder) >= abs(steps) else pitch + way * _LEAST
    if pitch % 12 not in scale:
        diatonic = next(other for other in ladder if abs(other - pitch) >= _LEAST)
    if pitch % 12 not in tones or diatonic % 12 in tones:
        return _audible(diatonic, pitch)
    near = [pitch + way * far for far in range(_LEAST, _MOST + 1) if (pitch + way * far) % 12 in tones]
    return _audible(min(near, key=lambda other: (abs(other - diatonic), other), default=diatonic), pitch)


def _audible(pitch: int, leader: int) -> int:
    """The pitch itself where there is one, else that of the leading voice."""
    return pitch if 0 <= pitch <= HIGHEST else leader
