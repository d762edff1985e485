"""What is said of things to which music is likened, and what pictures mean beside other moods."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        ("turning slowly like the sweeping beam of a lighthouse", "sweeping"),
        ("like heavy rain on a tin roof", "heavy"),
        ("bold as a gull", "bold"),
        ("with pads that move like a powerful engine far below", "powerful"),
    ],
)
def test_what_is_said_of_a_thing_is_no_mood_of_the_music(words: str, mood: str) -> None:
    contract = read_brief(f"A piece for cello and harp in D minor, {words}.")
    assert mood not in contract.mood
    assert contract.dynamics < 0.4


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        ("like a mighty storm", "mighty"),
        ("like a heavy metal anthem", "heavy"),
        ("with a sweeping melody", "sweeping"),
        ("like a calm sea", "calm"),
        ("bold and bright", "bold"),
    ],
)
def test_what_is_said_of_music_or_of_something_loud_is(words: str, mood: str) -> None:
    assert mood in read_brief(f"A piece for cello and harp in D minor, {words}.").mood


def test_what_is_restless_is_not_strong_for_it() -> None:
    contract = read_brief("A piece for strings, restless as a bird in a cage.")
    assert contract.mood == ("restless",)
    assert contract.dynamics < 0.4
    assert contract.density > 0


def test_a_soft_piece_at_the_sea_does_not_sweep() -> None:
    assert read_brief("A soft, calm piece for flute by the sea").mood == ("soft", "calm")
    assert "sweeping" in read_brief("A piece for horn by the sea").mood
