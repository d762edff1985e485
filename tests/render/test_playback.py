"""A performance as MIDI for another synthesiser, read by mido: seconds, channels, nothing that hangs."""

from __future__ import annotations

import io

import mido
import pytest
from hypothesis import given, settings
from strategies import scores

from libretto.score import QUARTER, Note, Score, Voice
from libretto.sound import Performance
from libretto.sound.playback import TICKS_A_SECOND, channels_of, performance_midi


def notes_of(data: bytes) -> list[tuple[int, float, float, int]]:
    """Every note as (track, start, stop, pitch), in seconds; each that is struck is let go."""
    file = mido.MidiFile(file=io.BytesIO(data))
    assert file.ticks_per_beat == TICKS_A_SECOND
    made = []
    for number, track in enumerate(file.tracks[1:]):
        now, held = 0, dict[int, int]()
        for message in track:
            now += message.time
            if message.type == "note_on":
                assert message.note not in held
                held[message.note] = now
            elif message.type == "note_off":
                made.append((number, held.pop(message.note) / TICKS_A_SECOND, now / TICKS_A_SECOND, message.note))
        assert not held
    return sorted(made)


@given(scores())
@settings(max_examples=40)
def test_what_is_written_sounds_when_it_should(score: Score) -> None:
    performance = Performance.exact(score)
    due = {
        (int(row["voice"]), round(float(row["start"]) * TICKS_A_SECOND), int(row["pitch"])) for row in performance.notes
    }
    heard = {
        (voice, round(start * TICKS_A_SECOND), pitch)
        for voice, start, _, pitch in notes_of(performance_midi(score, exact=True))
    }
    assert heard == due


@given(scores())
@settings(max_examples=20)
def test_a_performance_is_the_same_twice(score: Score) -> None:
    assert performance_midi(score) == performance_midi(score)
    assert all(stop > start >= 0 for _, start, stop, _ in notes_of(performance_midi(score)))


def test_every_voice_has_a_channel_of_its_own() -> None:
    voices = [Voice.of(f"V{index}", [Note.named("C4", 0, QUARTER)], index, index % 5 == 0) for index in range(40)]
    places = channels_of(voices)
    assert len(set(places)) == 40
    assert all((channel == 9) == voice.drums for voice, (_, channel) in zip(voices, places, strict=True))


def test_repeats_and_tempi_are_played_out() -> None:
    pytest.importorskip("symusic")
    notes = [Note.named("C4", beat * QUARTER, QUARTER // 2) for beat in range(8)]
    piece = Score.build([Voice.of("Lead", notes, 73)], tempos=((0, 500_000), (4 * QUARTER, 250_000)))
    starts = [start for _, start, _, _ in notes_of(performance_midi(piece, exact=True))]
    assert starts == [0, 0.5, 1, 1.5, 2, 2.25, 2.5, 2.75]
