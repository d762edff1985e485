"""Pipes hold their drone under a tune without rests, and chords that are said by letters are no form."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score


def test_pipes_have_a_drone_under_the_tune() -> None:
    contract = Contract.from_brief("A Scottish reel in A major, A D E A, 32 bars, for bagpipes, guitar and snare drum")
    score = compose_score(contract, 0)
    pipes = next(voice for voice in score.voices if voice.name == "Bagpipes")
    drone = [note for note in pipes.notes if note.pitch == 57 and note.duration >= score.bar_lines[1]]
    assert sum(note.duration for note in drone) >= 0.8 * score.ticks
    assert not receipt(contract, score).failed


def test_letters_with_gaps_are_chords() -> None:
    contract = Contract.from_brief("A Scottish reel in A major, A D E A, 32 bars, for bagpipes and fiddle")
    assert contract.form != ("A", "D", "E", "A")
    assert contract.chords == ("A", "D", "E", "A")
