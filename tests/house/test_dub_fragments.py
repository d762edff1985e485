"""Dub over two chords: a bass with a line of its own, and fragments of a tune that come and go with their echoes."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score

_DUB = (
    "A hazy dub track in A minor, Am-Dm. The bass guitar should dominate with a heavy, melodic line, joined by "
    "off-beat organ, one-drop drums and fragments of melodica that come and go like echoes. The tempo should be slow."
)


@pytest.mark.parametrize("seed", [0, 1])
def test_fragments_come_and_go_over_two_chords(seed: int) -> None:
    contract = Contract.from_brief(_DUB)
    score = compose_score(contract, seed)
    assert {label for bar in score.chords for label in bar} <= {"Am", "Dm"}
    melodica = next(voice.array for voice in score.voices if voice.name == "Melodica")
    loud = melodica[melodica["velocity"] > 0.75 * melodica["velocity"].max()]
    bars = {score.bar_at(int(tick)) for tick in loud["onset"]}
    assert score.bars // 4 <= len(bars) <= score.bars * 2 // 3
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("Fragments of melodica come and go like echoes.", ["density: echoes, Melodica"]),
        ("Snatches of melodica that drift in and out.", ["density: echoes, Melodica"]),
        ("The melodica plays the tune.", []),
        ("The bass plays a deep, melodic line.", ["manner: melodic, Bass"]),
    ],
)
def test_fragments_and_melodic_basses_are_heard(words: str, asks: list[str]) -> None:
    read = read_brief(f"A dub track in A minor for bass, organ, drums and melodica. {words}").asks
    assert [ask.text for ask in read if ask.kind in ("density", "manner")] == asks


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("The bass leads with a dark riff.", ["Drums", "Bass", "Organ"]),
        ("Gritty bass leads join them.", ["Drums", "Bass", "Organ", "Bass Lead"]),
    ],
)
def test_a_bass_that_leads_is_no_synthesizer(words: str, names: list[str]) -> None:
    assert [part.name for part in read_brief(f"A track for drums, bass and organ. {words}").parts] == names
