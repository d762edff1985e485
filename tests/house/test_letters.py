"""Any chart may be played in a form that a brief names."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.charts.letters import lettered, pieced


@dataclass(frozen=True)
class Strain:
    """A section with nothing but its kind and length."""

    kind: str
    bars: int


SCENES = {
    "in": Strain("intro", 4),
    "verse": Strain("verse", 8),
    "chorus": Strain("chorus", 8),
    "bridge": Strain("bridge", 8),
    "out": Strain("outro", 4),
}
USUAL = ("in", "verse", "chorus", "bridge", "out")


def test_letters_take_strains_in_turn() -> None:
    assert lettered(SCENES, USUAL, "AABB", 32) == ("verse", "verse", "chorus", "chorus")
    assert lettered(SCENES, USUAL, "ABA", 32) == ()


@pytest.mark.parametrize(
    ("asked", "bars", "sizes"),
    [
        (("A", "B", "A"), 32, [8, 4, 8, 8, 4]),
        (("intro", "verse", "chorus", "verse", "chorus", "outro"), 40, [4, 8, 8, 8, 8, 4]),
        (("A", "B", "A", "B"), 24, [8, 4, 8, 4]),
    ],
)
def test_sections_share_the_bars(asked: tuple[str, ...], bars: int, sizes: list[int]) -> None:
    pieces = pieced(SCENES, USUAL, asked, bars, {})
    assert [piece.bars for piece in pieces] == sizes
    assert sum(sizes) == bars


def test_there_must_be_room() -> None:
    assert pieced(SCENES, USUAL, ("A", "B", "A", "C", "A"), 16, {}) == ()


@pytest.mark.parametrize(
    "brief",
    [
        "A pop song with intro, verse, chorus, verse, chorus and outro, 40 bars, for piano, guitar, bass and drums.",
        "A mazurka for solo piano in B minor, 32 bars in ABA form.",
        "A folk song in ABAB form, 24 bars, for guitar and flute.",
    ],
)
def test_the_form_is_kept(brief: str) -> None:
    contract = Contract.from_brief(brief)
    kept = {check.clause: check.passed for check in receipt(contract, compose_score(contract, 0)).checks}
    assert kept["form"]
    assert kept["bars"]


def test_told_lengths_are_kept() -> None:
    pieces = pieced(SCENES, USUAL, ("intro", "verse", "chorus", "bridge", "chorus"), 38, {3: 6})
    assert [piece.bars for piece in pieces if piece.label == "bridge"] == [6]
    assert sum(piece.bars for piece in pieces) == 38
