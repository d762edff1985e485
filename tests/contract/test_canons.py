"""A canon follows as far behind as was told, from the first note of its theme on."""

from __future__ import annotations

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

_BRIEF = "A canon for two flutes in G major, 16 bars, 4/4, the second flute enters after two bars."


def test_the_second_voice_enters_with_the_beginning_of_the_theme() -> None:
    contract = read_brief(_BRIEF)
    score = compose_score(contract, 0)
    first, second = (voice.array for voice in score.voices)
    start, end = score.bar_lines[2], score.bar_lines[4]
    said = first[first["onset"] < start]
    again = second[(second["onset"] >= start) & (second["onset"] < end)]
    assert (second["onset"] >= start).all()
    assert (again["onset"] - start == said["onset"]).all()
    assert len(set((again["pitch"].astype(int) - said["pitch"]).tolist())) == 1
    check = next(one for one in receipt(contract, score).checks if "canon" in one.clause)
    assert check.passed
    assert "2 bars later" in check.evidence
    plain = compose_score(read_brief("A canon for two flutes in G major, 16 bars, 4/4."), 0)
    assert next(one for one in receipt(contract, plain).checks if "canon" in one.clause).passed is False
