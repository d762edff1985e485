"""Touch: how loud notes are, and how long they are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.edits.spans import Notes, Spans, changed, starts_in, stretches
from libretto.score import QUARTER, Score, Voice
from libretto.score.marks import Mark

__all__ = ["detached", "held", "louder", "swelling"]

_SOFTEST, _LOUDEST = 12, 124
_SHORTEST = QUARTER // 16  # notes are cut no shorter
_LONG = 2.0  # times the longest note that a note may be held
#: Signs that say how loud it is: where loudness changes they would say something else than what sounds.
_SIGNS = ("crescendo", "diminuendo", "dynamics")


def louder(score: Score, by: int, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Those notes louder by so many steps of 127, or softer where it is less than none."""

    def turned(voice: Voice, notes: Notes) -> Notes:
        notes["velocity"] = np.clip(notes["velocity"].astype(np.int64) + by, _SOFTEST, _LOUDEST)
        return notes

    return _unsigned(changed(score, names, spans, turned, drums=True), names, spans)


def swelling(score: Score, start: int, end: int, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Every stretch from ``start`` to ``end`` louder than it was, little by little (less than 0 is softer)."""
    ticks = stretches(score, spans)

    def turned(voice: Voice, notes: Notes) -> Notes:
        for first, last in ticks:
            mine = starts_in(notes, [(first, last)])
            share = (notes["onset"][mine] - first) / (last - first)
            by = np.round(start + (end - start) * share).astype(np.int64)
            notes["velocity"][mine] = np.clip(notes["velocity"][mine].astype(np.int64) + by, _SOFTEST, _LOUDEST)
        return notes

    made = _unsigned(changed(score, names, spans, turned, drums=True), names, spans)
    kind = "crescendo" if end > start else "diminuendo"
    voices = []
    for voice in made.voices:
        if (not names or voice.name in names) and starts_in(voice.array, ticks).any() and start != end:
            hairpins = [Mark(first, kind, "", last - first) for first, last in ticks]
            voice = voice.with_marks([*voice.marks, *hairpins])
        voices.append(voice)
    return replace(made, voices=tuple(voices))


def _unsigned(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece without signs of loudness over those voices and bars."""
    ticks, voices = stretches(score, spans), []
    for voice in score.voices:
        if (not names or voice.name in names) and any(mark.kind in _SIGNS for mark in voice.marks):
            voice = voice.with_marks(
                mark
                for mark in voice.marks
                if mark.kind not in _SIGNS or not any(start <= mark.tick < end for start, end in ticks)
            )
        voices.append(voice)
    return replace(score, voices=tuple(voices))


def held(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Those notes held until the next start of their voice: legato."""
    ticks = stretches(score, spans)

    def longer(voice: Voice, notes: Notes) -> Notes:
        duration = notes["duration"].astype(np.int64)
        starts = np.unique(notes["onset"])
        stops = np.array([end for _, end in ticks], dtype=np.int64)
        border = stops[np.searchsorted(stops, notes["onset"], side="right")]
        following = np.append(starts, score.ticks)[np.searchsorted(starts, notes["onset"], side="right")]
        ends = np.minimum(following, border)
        notes["duration"] = np.maximum(duration, np.minimum(ends - notes["onset"], round(duration.max() * _LONG)))
        return notes

    return changed(score, names, spans, longer)


def detached(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Those notes half as long: staccato."""

    def shorter(voice: Voice, notes: Notes) -> Notes:
        duration = notes["duration"].astype(np.int64)
        notes["duration"] = np.maximum(duration // 2, np.minimum(duration, _SHORTEST))
        return notes

    return changed(score, names, spans, shorter)
