"""What briefs say in passing: whose bass it is, how long, how fast, who has the tune, how it sounds."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


def roles(text: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(text).parts}


def asks(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("A rag for solo piano. The left hand strides between low bass notes and chords.", ["Piano"]),
        ("A rag for piano in F. The left hand hops from a deep bass to chords.", ["Piano"]),
        ("A sarabande for solo lute, a noble line over a sparse walking bass.", ["Lute"]),
        ("For unaccompanied cello; the bass line climbs under the tune.", ["Cello"]),
        ("A piece for harp alone with a slow low bass line beneath.", ["Harp"]),
        ("A guitar piece; the thumb keeps a steady bass going.", ["Guitar"]),
        ("For solo guitar, bass and drums in A minor.", ["Guitar", "Bass", "Drums"]),
        ("A blues for solo piano and bass.", ["Piano", "Bass"]),
        ("Jazz with a solo trumpet over a walking bass.", ["Trumpet", "Walking Bass"]),
    ],
)
def test_the_bass_of_who_plays_alone_is_its_own(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("For celesta and cello. The celesta should play a music-box tune.", ["Celesta", "Cello"]),
        ("For vibraphone and harp. The vibraphone plays a sad celesta melody.", ["Vibraphone", "Harp"]),
        ("For oboe and guitar. The guitar keeps a harp-style accompaniment.", ["Oboe", "Guitar"]),
        ("For oboe and piano. The piano has a music-box quality.", ["Oboe", "Piano"]),
        ("A song for piano. It has a violin melody on top.", ["Piano", "Violin"]),
        ("For harp and cello. The cello should pluck the waltz bass.", ["Harp", "Cello"]),
    ],
)
def test_what_a_tune_is_called_after_is_nobody_who_plays(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("House for synth bass and drum machine. The drum machine builds from a bare kick to full hats and claps.",
         ["Synth Bass", "Drum Machine"]),
        ("For bass and drums: the drums begin with the kick and add hats, shaker and handclaps.", ["Bass", "Drums"]),
        ("A house track with drum machine, claps and synth bass.", ["Drum Machine", "Claps", "Synth Bass"]),
    ],
)  # fmt: skip
def test_what_a_kit_grows_to_is_its_own(text: str, players: list[str]) -> None:
    assert names(text) == players
