"""The ears that are measured: each takes a clip and its kind, and gives notes, tempo and meter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from libretto.hearing.audio import Clip
from libretto.hearing.notes import HeardNote, hear_notes
from libretto.hearing.transcribing import beat_of

__all__ = ["EARS", "Heard"]


class Heard(NamedTuple):
    """What an ear heard: notes (drums as 36, 38 and 42), quarters a minute, and the meter."""

    notes: Sequence[HeardNote]
    bpm: float
    meter: str


def _before(clip: Clip, kind: str) -> Heard:
    """The ear as it was: every rise of every pitch."""
    if kind == "drums":
        from libretto.hearing.transcribing import transcribe

        score = transcribe(clip).score
        table, voices = score.table, score.voices
        if not voices[0].drums:
            return Heard([], 1.0, "4/4")
        notes = [
            HeardNote(float(start), float(start) + 0.1, int(pitch), 1.0)
            for start, pitch in zip(score.seconds_at(table["onset"]), table["pitch"], strict=True)
        ]
        return Heard(notes, score.bpm, "4/4")
    notes = hear_notes(clip)
    return Heard(notes, 60 / beat_of([note.start for note in notes]) if notes else 1.0, "4/4")


EARS: dict[str, Callable[[Clip, str], Heard]] = {"before": _before}
