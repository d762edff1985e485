"""Players leave in the order that is told, and who is left closes the piece."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house import compose_score


def _gone(text: str) -> list[str]:
    """Who leaves, in order."""
    asks = [ask for ask in read_brief(text).asks if ask.kind == "leave" and ask.where.startswith("exit")]
    return [ask.who for ask in sorted(asks, key=lambda ask: int(ask.where.split()[1]))]


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (
            "For flute, clarinet, harp, violin and cello. They leave one by one: first the flute, then the harp, until "
            "only the cello is left.",
            ["Flute", "Harp", "Violin", "Clarinet"],
        ),
        (
            "For violin, viola, cello and harp; they stop playing one after another, the harp first and the cello last",
            ["Harp", "Viola", "Violin"],
        ),
        (
            "A farewell for oboe, horn, violin and cello: one after another they fall silent, oboe first, then horn, "
            "then cello, the violin alone at the end",
            ["Oboe", "Horn", "Cello"],
        ),
        (
            "For piano, bass, drums and sax: they drop out in the order drums, bass, piano, sax.",
            ["Drums", "Bass", "Piano"],
        ),
        (
            "A piece for flute, harp and cello in which the instruments leave one by one in the order they are named",
            ["Flute", "Harp"],
        ),
        (
            "The flute leaves first, then the harp, then the violin; only the cello remains. For flute, harp, violin, "
            "cello",
            ["Flute", "Harp", "Violin"],
        ),
        (
            "Guitar, bass, drums and organ. The instruments drop out one by one, starting with the drums",
            ["Drums", "Organ", "Bass"],
        ),
        ("A string quartet where the players leave one by one", ["Cello", "Viola", "Violin #2"]),
    ],
)
def test_players_leave_in_the_order_that_is_told(text: str, gone: list[str]) -> None:
    assert _gone(text) == gone


def test_the_order_in_which_they_go_is_no_order_in_which_they_come() -> None:
    kinds = {ask.kind for ask in read_brief("The flute leaves first, then the harp; only the cello remains.").asks}
    assert kinds == {"leave"}


def test_who_drops_out_first_in_a_place_and_comes_back_leaves_nobody_behind() -> None:
    assert _gone("Flute, oboe and cello; the flute drops out first in the bridge, then comes back") == []


def test_who_is_left_is_alone_at_the_end_and_comes_home() -> None:
    contract = read_brief(
        "A piece for flute, harp and cello in which the instruments leave one by one in the order they are named"
    )
    score = compose_score(contract)
    last = [
        voice.name for voice in score.voices if len(voice.array) and voice.array["onset"][-1] >= score.bar_lines[-2]
    ]
    assert last == ["Cello"]
    assert receipt(contract, score).passed
