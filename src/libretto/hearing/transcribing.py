"""From a recording to a Score: the notes that the best ear for its kind of sound hears, in the tempo and meter found.

A recording is taken for one line, for many notes at once or for drums: as it is said, or else as it sounds. Pitches
become one voice on sixteenths in the key that is heard, drums a drum voice. See ``choosing`` for who hears what.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libretto.errors import LibrettoError
from libretto.hearing.audio import Clip
from libretto.hearing.beats import beat_and_meter
from libretto.hearing.choosing import MODES, Heard, hear, is_drums
from libretto.hearing.noting import drums_noted, noted
from libretto.score import Score
from libretto.tasks.drill.aligning import strikes_of
from libretto.tasks.drill.answers import MOST_NOTES, answer_of

__all__ = ["Transcription", "answer_from", "is_drums", "transcribe"]
_SHORTEST = 0.03  # seconds that a note lasts at least
_NOTHING = {
    "mono": "no notes were heard; is it one line with pitches? --poly hears many notes at once",
    "poly": "no notes were heard; is it music with pitches, or a drum loop (--drums)?",
    "drums": "no drums were heard; the recording has no clear strokes",
}


@dataclass(frozen=True)
class Transcription:
    """A Score, whether it is ``drums`` or ``notes``, its tempo in quarters a minute, and how it was heard."""

    score: Score
    kind: str
    tempo: float
    mode: str = "poly"
    by: str = "local ear"

    @property
    def words(self) -> str:
        """As what it was heard, and by whom."""
        return f"heard as {MODES[self.mode]} by {'the ' if self.by.startswith('local') else ''}{self.by}"


def transcribe(
    clip: Clip, done: Callable[[float], None] | None = None, *, mode: str | None = None, ear: str = "best"
) -> Transcription:
    """What is played in a recording, as a Score; ``done`` hears which part of the work is done.

    ``mode`` is ``mono``, ``poly`` or ``drums``, or is heard; ``ear`` is ``best``, ``local`` or ``model``.
    """
    heard = _heard(clip, mode, ear, done)
    beat = beat_and_meter(heard.notes)
    drums = heard.mode == "drums"
    score = drums_noted(heard.notes, beat) if drums else noted(heard.notes, beat)
    return Transcription(score, "drums" if drums else "notes", round(beat.bpm, 1), heard.mode, heard.by)


def answer_from(
    clip: Clip, drill: Score, done: Callable[[float], None] | None = None, *, ear: str = "best"
) -> tuple[Score, str]:
    """What a learner played of a drill, ready to be graded as MIDI is, and as what it was heard.

    Times are as they were played, on no grid. A drill that is one line is heard as one.
    """
    mode = "mono" if all(len(strike.pitches) == 1 for strike in strikes_of(drill)) else "poly"
    notes = _heard(clip, mode, ear, done).notes[:MOST_NOTES]
    rows = [(note.start, note.pitch, max(_SHORTEST, note.stop - note.start)) for note in notes]
    return answer_of(rows), MODES[mode]


def _heard(clip: Clip, mode: str | None, ear: str, done: Callable[[float], None] | None) -> Heard:
    if clip.silent:
        raise LibrettoError("the recording is silent; there is nothing to write down")
    heard = hear(clip, mode, ear, done)
    if not heard.notes:
        raise LibrettoError(_NOTHING[heard.mode])
    return heard
