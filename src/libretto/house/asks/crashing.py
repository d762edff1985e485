"""Blows: everybody strikes once together, as loud as can be, and breaks off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.silence import CRASH, first_beats
from libretto.contract.checks.where import Spans
from libretto.edits.spans import remade
from libretto.house.asks.doing import Job, place_of
from libretto.house.asks.notes import Row, put, range_of
from libretto.score import Score, Voice

__all__ = ["kept_loud", "struck_together"]

_BLOW = 118  # velocity
_SNARES, _KICKS, _CRASH_KEY = (38, 40), (35, 36), 49  # keys of a kit
_MOST = 3  # tones of who can strike several


def struck_together(score: Score, spans: Spans) -> Score:
    """The piece with one stroke of everybody on the first beat of some bars, and nothing after it in these."""
    made = score
    for start, rest, end in first_beats(score, spans):
        bar = score.bar_at(start) + score.first_bar
        for voice in score.voices:
            pitches = _keys(voice) if voice.drums else _tones(score, voice, start)
            rows = [Row(start, (rest - start) // 2, pitch, _BLOW) for pitch in pitches if start < end]
            made = put(made, voice.name, ((bar, bar),), rows) if len(voice.array) else made
    return made


def _keys(voice: Voice) -> Sequence[int]:
    """What a player of drums strikes for a blow: snare, kick and a crash of a kit, else what is struck most."""
    played = voice.array["pitch"].tolist()
    kit = [next((key for key in keys if key in played), 0) for keys in (_SNARES, _KICKS)]
    if all(kit):
        return [*kit, _CRASH_KEY]
    return [max(sorted(set(played)), key=played.count)]


def _tones(score: Score, voice: Voice, start: int) -> Sequence[int]:
    """The tones of the chord that are nearest to where a voice usually lies: one, or three of who has more at once."""
    chord, (low, high) = score.chord_at(start), range_of(voice)
    middle = float(np.median(voice.array["pitch"]))
    _, together = np.unique(voice.array["onset"], return_counts=True)
    tones = [tone for tone in range(low, high + 1) if chord is None or tone % 12 in chord.classes]
    nearest = sorted(tones, key=lambda tone: (abs(tone - middle), tone))
    return nearest[: _MOST if float(together.mean()) > 1.5 else 1]


def kept_loud(score: Score, job: Job) -> Score:
    """The piece with its blows as loud as can be, whatever is soft around them."""
    blows = [ask for ask in job.contract.asks if (ask.kind, ask.what) == ("silent", CRASH)]
    spans = [span for ask in blows for span in place_of(ask, score)]

    lines = score.bar_lines
    ticks = [(lines[low - score.first_bar], lines[high - score.first_bar + 1]) for low, high in spans]
    voices = []
    for voice in score.voices:
        notes = voice.array.copy()
        for start, end in ticks:
            notes["velocity"][(notes["onset"] >= start) & (notes["onset"] < end)] = _BLOW
        voices.append(voice.with_notes(notes))
    return remade(score, voices, spans) if spans else score
