"""Kick, snare and hat are told apart stroke by stroke, also where two are struck at once."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.choosing import hear, mode_of
from libretto.hearing.strokes import hear_strokes
from libretto.hearing.transcribing import transcribe
from libretto.score.time import QUARTER
from tests.made_sounds import RATE, kit

KICK, SNARE, HAT = 36, 38, 42
#: Two bars of eighths at 120: kick and snare in turn, hats throughout.
BEAT = (
    [(0.25 * n, HAT) for n in range(16)] + [(float(n), KICK) for n in range(4)] + [(0.5 + n, SNARE) for n in range(4)]
)


def hits(strokes: list[tuple[float, int]], drum: int) -> tuple[int, int, int]:
    """How many strokes of a drum were heard rightly, were played, and were heard."""
    heard = [note.start for note in hear_strokes(kit(strokes)) if note.pitch == drum]
    due = [at for at, which in strokes if which == drum]
    return sum(any(abs(at - one) <= 0.05 for one in heard) for at in due), len(due), len(heard)


@pytest.mark.parametrize("drum", [KICK, SNARE, HAT])
def test_a_plain_beat_is_heard(drum: int) -> None:
    right, due, heard = hits(BEAT, drum)
    assert 2 * right / (due + heard) >= 0.85


def test_a_drum_that_is_not_there_is_not_heard() -> None:
    only = [(0.5 * n, KICK) for n in range(8)]
    assert hits(only, KICK)[0] >= 7
    assert hits(only, HAT)[2] == 0


def test_a_beat_is_taken_for_drums_and_written_down() -> None:
    assert mode_of(kit(BEAT)) == "drums"
    heard = transcribe(kit(BEAT))
    assert (heard.kind, heard.mode) == ("drums", "drums")
    assert heard.words == "heard as drums by the local ear"
    assert heard.tempo == pytest.approx(120, rel=0.04)
    kicks = [note.onset for note in heard.score.voices[0].notes if note.pitch == KICK]
    assert {onset % QUARTER for onset in kicks} == {0}


@pytest.mark.parametrize("rate", [22_050, 44_100])
def test_a_beat_is_heard_at_any_rate(rate: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.made_sounds.RATE", rate)
    heard = hear_strokes(kit(BEAT))
    assert {sum(note.pitch == drum for note in heard) for drum in (KICK, SNARE)} == {4}
    assert sum(note.pitch == HAT for note in heard) >= 12


def test_silence_has_no_strokes() -> None:
    assert hear_strokes(Clip(np.zeros(RATE, np.float32), RATE)) == []


def test_the_same_sound_is_heard_the_same() -> None:
    assert hear(kit(BEAT), "drums") == hear(kit(BEAT), "drums")
