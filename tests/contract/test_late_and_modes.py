"""Who comes in late, Persian modes and their home, and figures over three chords."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.contract.checks.rounds import most_rounds
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("text", "late"),
    [
        (
            "Afrobeat in E minor for drums, bass, organ and trumpet. The trumpet should enter late with riffs.",
            True,
        ),
        ("A funk tune with guitar, bass, drums and horns; the horns come in late.", True),
        ("A ballad for saxophone and piano; the piano enters late at night.", False),
    ],
)
def test_who_comes_in_late_comes_in_the_second_half(text: str, late: bool) -> None:
    asks = [(ask.kind, ask.where) for ask in read_brief(text).asks]
    assert (("enter", "second half") in asks) is late


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("A Persian piece in the mode of Dashti, centered on D, for santur and ney.", "D phrygian"),
        ("A Persian piece in D, dastgah-e homayoun, for oud.", "D phrygian"),
        ("A song without words in Esfahan on A for violin.", "A minor"),
    ],
)
def test_a_mode_decides_the_key_whose_mode_is_not_told(text: str, key: str) -> None:
    contract = read_brief(text)
    assert str(contract.key) == key
    assert not any("without a mode" in sentence for sentence in contract.assumed)


def test_a_figure_may_have_three_bars() -> None:
    bars = [((0, 3), (4, 10)), ((0, 8),), ((0, 10),)]
    assert most_rounds(bars * 4, thrice=True) == (12, 3)
    assert most_rounds(bars * 4)[0] < 12  # where chords do not come round in three


def test_a_looped_bass_follows_three_chords() -> None:
    text = "Boom bap with drums, a looped upright bass figure and a trumpet. Use a progression like Ebm7-Abm7-Bb7."
    score = compose_score(read_brief(text), 0)
    bass = next(voice for voice in score.voices if "Bass" in voice.name)
    first = {score.bar_at(int(note["onset"])): int(note["pitch"]) % 12 for note in bass.array[::-1]}
    on_root = [tone == score.chord_at(score.bar_lines[bar]).root_class for bar, tone in first.items()]  # type: ignore[union-attr]
    assert sum(on_root) >= 0.8 * len(on_root)
