"""What briefs of a few words paint."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.pictures import pictured_styles
from libretto.house.compose.planning import style_of


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("music for a rainy day", "lofi"),
        ("chase scene music", "cinematic"),
        ("something like Chopin", "romantic"),
        ("string quartet in the style of Haydn", "classical"),
        ("music for yoga", "newage"),
        ("cat sneaking through the house", "thriller"),
        ("music box melody", "lullaby"),
        ("happy birthday tune for kazoo", "world"),
    ],
)
def test_a_picture_has_a_style(text: str, style: str) -> None:
    assert style_of(Contract.from_brief(text)).name == style


def test_who_is_named_goes_before_a_picture_for_nobody() -> None:
    heard = Contract.from_brief("a rainy day, solo piano").heard
    assert pictured_styles(heard, False) == ["lofi"]
    assert pictured_styles(heard, True) == []


def test_a_picture_leans_towards_a_mood() -> None:
    assert "mournful" in Contract.from_brief("saying farewell, goodbye").mood


@pytest.mark.parametrize("text", ["For piano, nothing gloomy.", "A waltz that smells of wet dogs."])
def test_what_is_denied_or_beside_a_style_is_no_picture(text: str) -> None:
    assert not any(line.startswith("picture") for line in Contract.from_brief(text).heard)


def test_a_long_brief_has_no_pictures() -> None:
    text = "A piece for piano. " + "It tells how the rain fell on the roof of the house. " * 4
    assert not any(line.startswith("picture") for line in Contract.from_brief(text).heard)


@pytest.mark.parametrize(
    ("text", "style", "meter"),
    [
        ("klezmer clarinet tune", "folk", "None"),
        ("jazz waltz for piano trio", "jazz", "3/4"),
        ("anthem for my country", "march", "None"),
        ("a country song", "country", "None"),
        ("80s synth pop song", "synthpop", "None"),
    ],
)
def test_styles_of_a_few_words(text: str, style: str, meter: str) -> None:
    contract = Contract.from_brief(text)
    assert (contract.style, str(contract.meter)) == (style, meter)


def test_a_level_of_a_game_is_not_how_hard_a_piece_is() -> None:
    assert Contract.from_brief("video game level 1 music").asks == ()
    assert Contract.from_brief("piano piece, level 1").asks[0].what == "beginner"


def test_a_dropped_string_is_a_key() -> None:
    assert str(Contract.from_brief("metal riff in drop D").key) == "D minor"
