"""How many voices a brief asks for: parts, drums among them or beside them, or the voices of a choir."""

from __future__ import annotations

import pytest

from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.contract.contract import Contract
from libretto.score import QUARTER, Note, Score, Voice

CHORD = ("C3", "E3", "G3", "C4")
ORGAN, CHOIR, KIT = 19, 52, None


def _voice(name: str, program: int | None, pitches: tuple[str, ...]) -> Voice:
    notes = [Note.named(pitch, beat * QUARTER, QUARTER) for beat in range(4) for pitch in pitches]
    return Voice.of(name, notes, program, program is None)


@pytest.mark.parametrize(
    ("programs", "pitches", "kept"),
    [
        ((ORGAN, ORGAN, KIT), CHORD[:1], "23"),  # two parts and drums are two voices, or three
        ((ORGAN, ORGAN), CHORD, "2"),  # a chord on an organ is no choir
        ((ORGAN, CHOIR), CHORD, "24"),  # a choir in four parts sings in four voices
        ((ORGAN, CHOIR), CHORD[:1], "12"),
    ],
)
def test_voices_are_counted_as_a_musician_does(
    programs: tuple[int | None, ...], pitches: tuple[str, ...], kept: str
) -> None:
    score = Score.build([_voice(f"Part {n}", program, pitches) for n, program in enumerate(programs)], bars=1)
    verdicts = {count: ask_clauses["voices"](Ask("voices", count), Contract(), score)[0] for count in "123456"}
    assert {count for count, verdict in verdicts.items() if verdict} == set(kept)
