"""What is said not to be done is never done: it is given back, and what else was said is done."""

from __future__ import annotations

import pytest

from lab.wishes import band_song
from libretto.tasks.revise import read_request

DENIED = (
    "don't make it louder", "do not make it faster", "not louder, please", "never make it busier", "don't speed it up",
    "don't let it get faster", "I don't want it to be louder", "don't add a violin", "please don't add a trumpet",
    "don't slow down at the end", "no crescendo", "no ritardando", "no louder than before", "less ritardando",
    "don't repeat the chorus", "don't remove the bass", "don't cut the intro", "no loud drums", "less laid back",
    "don't let a trumpet come in until bar 9",
)  # fmt: skip
WISHED = (
    ("make it darker but not slower", [("mood", -1)]),
    ("not darker, brighter", [("mood", 1)]),
    ("make it faster without making it louder", [("speed", 1)]),
    ("don't play so loud", [("loudness", -1)]),
    ("it shouldn't be so loud", [("loudness", -1)]),
    ("don't make the piano part in the bridge so busy", [("busy", -1)]),
    ("not too busy", [("busy", -1)]),
    ("it isn't loud enough", [("loudness", 1)]),
    ("why not make it louder", [("loudness", 1)]),
    ("don't be afraid to make it louder", [("loudness", 1)]),
    ("it doesn't swing", [("swing", 1)]),
    ("swing it less", [("straight", 1)]),
    ("make it a bit less swung", [("straight", 1)]),
    ("no drums in the verse", [("mute", 1)]),
    ("I don't want drums", [("remove", 1)]),
    ("the bass should not play in the intro", [("mute", 1)]),
)


@pytest.mark.parametrize("words", DENIED)
def test_what_is_denied_is_given_back(words: str) -> None:
    request = read_request(words, band_song())
    assert not request.wishes
    assert request.unread


@pytest.mark.parametrize(("words", "wished"), WISHED)
def test_what_is_wished_beside_a_denial_is_done(words: str, wished: list[tuple[str, int]]) -> None:
    assert [(wish.quality, wish.way) for wish in read_request(words, band_song()).wishes] == wished
