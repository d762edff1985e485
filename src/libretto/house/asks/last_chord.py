"""The chord that a piece closes on, as a brief names it: every tone of it that the players can hold, its bass below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.instruments import instrument_of_program
from libretto.edits.spans import remade
from libretto.house.asks.closing import closed_with
from libretto.house.asks.doing import Job, doers
from libretto.score import Score, Voice, parse_chord, spell

__all__: list[str] = []

_OCTAVE, _TRITONE = 12, 6  # semitones
_CHORDAL = 2  # notes at once of who plays chords
_KEYED = 4  # notes at once of keyboards, harps and guitars
_MOST = 6  # notes of who strikes the chord


@doers.register("last_chord")
def _last_chord(ask: Ask, score: Score, job: Job) -> Score:
    chord = parse_chord(ask.what)
    sounding = [index for index, bar in enumerate(score.bar_lines[:-1]) if _struck(score, bar)]
    if chord is None or not sounding or sounding[-1] != score.bars - 1:
        return score
    made = closed_with(score, -1, ask.what)
    for tone in chord.classes:
        made = _with_tone(made, int(tone))
    return made


def _struck(score: Score, start: int) -> bool:
    """Whether somebody who has pitches begins a note in the bar that begins there."""
    end = next(line for line in score.bar_lines if line > start)
    return any(
        bool(((voice.array["onset"] >= start) & (voice.array["onset"] < end)).any())
        for voice in score.voices
        if not voice.drums
    )


def _last(voice: Voice, score: Score) -> NDArray[Any]:
    """The notes with which somebody closes."""
    notes = voice.array[voice.array["onset"] >= score.bar_lines[-2]]
    return notes[notes["onset"] == notes["onset"].max()] if len(notes) else notes


def _with_tone(score: Score, tone: int) -> Score:
    """The piece with a tone in its last chord: struck besides by who plays chords, else in place of a doubled one."""
    closing = {voice.name: _last(voice, score) for voice in score.voices if not voice.drums}
    sounding = [int(pitch) for notes in closing.values() for pitch in notes["pitch"]]
    if not sounding or tone in {pitch % _OCTAVE for pitch in sounding}:
        return score
    able = _able(score, closing)
    if able:
        name = max(able, key=lambda one: len(closing[one]))
        return _struck_besides(score, name, closing[name], tone, min(sounding))
    spare = _doubled(closing, sounding)
    return _moved(score, spare, closing[spare], tone) if spare else score


def _able(score: Score, closing: Mapping[str, NDArray[Any]]) -> list[str]:
    """Who strikes a chord at the close and has a note left for it; else who could, by what they play."""
    chords = [name for name, notes in closing.items() if _CHORDAL <= len(notes) < _MOST]
    keyed = [voice.name for voice in score.voices if instrument_of_program(voice.program or 0).polyphony >= _KEYED]
    return chords or [name for name, notes in closing.items() if name in keyed and 0 < len(notes) < _KEYED]


def _doubled(closing: Mapping[str, NDArray[Any]], sounding: Sequence[int]) -> str:
    """Who closes on one tone that somebody else has as well, and is not the lowest; the last of them by their order."""
    tones = Counter(pitch % _OCTAVE for pitch in sounding)
    alone = {name: int(notes["pitch"][0]) for name, notes in closing.items() if len(notes) == 1}
    spare = [name for name, pitch in alone.items() if pitch != min(sounding) and tones[pitch % _OCTAVE] > 1]
    return next(reversed(spare), "")


def _nearest(pitch: int, tone: int, lowest: int, voice: Voice) -> int:
    """The pitch of a tone that is nearest to another, above the lowest that sounds and within reach of its player."""
    below = pitch - (pitch - tone) % _OCTAVE
    made = below if pitch - below <= _TRITONE else below + _OCTAVE
    own = instrument_of_program(voice.program) if voice.program is not None else None
    made += _OCTAVE * (made <= lowest)
    return made - _OCTAVE if own is not None and made > own.high and made - _OCTAVE > lowest else made


def _struck_besides(score: Score, name: str, notes: NDArray[Any], tone: int, lowest: int) -> Score:
    """The piece with one tone more in the last chord of somebody."""
    voice = next(one for one in score.voices if one.name == name)
    fresh = notes[:1].copy()
    fresh["pitch"] = _nearest(int(np.median(notes["pitch"])), tone, lowest, voice)
    fresh["spelling"] = spell(fresh["pitch"], score.key_at(int(fresh["onset"][0])))
    return _with_notes(score, name, np.concatenate([voice.array, fresh]))


def _moved(score: Score, name: str, notes: NDArray[Any], tone: int) -> Score:
    """The piece with the last note of somebody on another tone."""
    voice = next(one for one in score.voices if one.name == name)
    rows = voice.array.copy()
    here = rows["onset"] == notes["onset"][0]
    rows["pitch"][here] = _nearest(int(notes["pitch"][0]), tone, 0, voice)
    rows["spelling"][here] = spell(rows["pitch"][here], score.key_at(int(notes["onset"][0])))
    return _with_notes(score, name, rows)


def _with_notes(score: Score, name: str, rows: NDArray[Any]) -> Score:
    order = np.lexsort((rows["pitch"], rows["onset"]))
    voices = [voice.with_notes(rows[order]) if voice.name == name else voice for voice in score.voices]
    return remade(score, voices, [(score.numbers[-1], score.numbers[-1])])
