"""Songs that are told by the number and the length of their verses."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("text", "form", "bars"),
    [
        ("A folk song, three verses of eight bars", "verse verse verse", 24),
        ("A hymn of three eight-bar verses", "verse verse verse", 24),
        ("A carol with four verses", "verse verse verse verse", None),
        (
            "A ballad in three verses of eight bars each with a refrain of four bars after each",
            "verse chorus verse chorus verse chorus",
            36,
        ),
        ("Shanty: two verses of four bars, each followed by a four-bar chorus", "verse chorus verse chorus", 16),
        ("A ballad with three 16-bar verses and an 8-bar bridge", "verse verse bridge verse", 56),
        ("Two verses of 12 bars, a bridge of 8 and a last verse of 12, for piano", "verse verse bridge verse", 44),
        ("A song: verse of sixteen bars and refrain of eight, for voice and guitar", "verse chorus", 24),
    ],
)
def test_verses_are_as_many_and_as_long_as_told(text: str, form: str, bars: int | None) -> None:
    contract = read_brief(text)
    assert (" ".join(contract.form), contract.bars) == (form, bars)


@pytest.mark.parametrize(
    "text", ["A pop song where the first two verses are soft", "Jazz: the sax leads in the last two verses, with solos"]
)
def test_verses_of_a_piece_are_no_form(text: str) -> None:
    assert read_brief(text).form == ()


def test_choruses_of_the_blues_stay_rounds_of_twelve() -> None:
    contract = read_brief("A blues with two choruses of twelve bars")
    assert (contract.form, contract.bars) == ((), 24)


def test_a_strophic_song_has_its_tune_in_every_verse() -> None:
    contract = read_brief("A hymn of three eight-bar verses")
    score = compose_score(contract)
    assert receipt(contract, score).passed
    tops = []
    for first in (0, 8, 16):
        start, end = score.bar_lines[first], score.bar_lines[first + 6]
        notes = score.voices[0].array[
            (score.voices[0].array["onset"] >= start) & (score.voices[0].array["onset"] < end)
        ]
        tops.append(
            {(int(n["onset"]) - start, int(n["pitch"])) for n in notes if (int(n["onset"]) - start) % 161280 == 0}
        )
    assert len(tops[0] & tops[2]) >= 0.7 * len(tops[0])
