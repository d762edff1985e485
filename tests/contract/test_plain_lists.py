"""Lists of players as people write them, and what a style needs besides."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


def names_in(brief: str) -> list[str]:
    return [part.name for part in read_brief(brief).parts]


def role_in(brief: str, name: str) -> str:
    return next(part.role for part in read_brief(brief).parts if part.name == name)


@pytest.mark.parametrize(
    ("brief", "names"),
    [
        (
            "A quartet piece for soprano, alto, tenor and baritone saxophones",
            ["Soprano Saxophones", "Alto Saxophones", "Tenor Saxophones", "Baritone Saxophones"],
        ),
        ("A dance with maracas, gongora and voice", ["Maracas", "Voice"]),  # a name that is not known stands between
        ("A rock piece with a steady drum beat, bass and organ", ["Drums", "Bass", "Organ"]),
        ("A dance with log drums and voices.", ["Log Drums", "Choir"]),
        ("A Sacred Harp hymn for four voices", []),
        ("A reel with fiddle and foot tapping", ["Fiddle", "Foot Tapping"]),
    ],
)
def test_who_is_listed_plays(brief: str, names: list[str]) -> None:
    assert names_in(brief) == names


@pytest.mark.parametrize(
    ("brief", "added"),
    [
        ("A psytrance piece. Use a rolling bassline and acid synth leads", ["Drums"]),
        ("A gqom track with ominous strings and a choir at 126 BPM", ["Synth Bass", "Drums"]),
        ("Motown style soul with tambourine, horns, bass and strings", ["Drums"]),
        ("A funk track featuring clavinet, bass and trumpet", ["Drums"]),
        ("A house piece for solo piano", []),
        ("A deep house piece featuring electric piano and vocals, no drums", []),
        ("A rock song for electric guitar and bass", []),
        ("A funk duo with bass and clavinet", []),
    ],
)
def test_a_style_that_is_danced_has_its_beat(brief: str, added: list[str]) -> None:
    names = names_in(brief)
    assert [name for name in ("Synth Bass", "Drums") if name in names] == added


def test_a_bass_and_drums_are_alone_only_where_that_is_said() -> None:
    assert read_brief("A funk piece for slap bass and drums only").closed
    assert not read_brief("A funk groove for slap bass and drums").closed


@pytest.mark.parametrize(
    ("brief", "name", "role"),
    [
        ("A romantic concerto for solo cello and orchestra", "Solo Cello", "lead"),
        ("A romantic concerto for solo cello and orchestra", "Trumpet", "counter"),
        ("A piece centered around the koto. Accompany this with a flute.", "Koto", "lead"),
        ("A piece centered around the koto. Accompany this with a flute.", "Flute", "counter"),
        ("A song built around piano, cello and voice", "Voice", "lead"),
        ("A song with oud and violin. The oud leads, the violin adds emotional depth.", "Violin", "counter"),
        ("A madrigal in which soprano, alto, tenor and bass imitate one another", "Bass Voice", "bass"),
    ],
)
def test_what_somebody_does(brief: str, name: str, role: str) -> None:
    assert role_in(brief, name) == role


def test_what_goes_on_for_many_bars_is_the_piece() -> None:
    contract = read_brief("A rock piece with guitars that runs for 32 bars at 150 BPM.")
    assert (contract.bars, contract.tempo_bpm) == (32, (150.0, 150.0))
    grown = read_brief("Let the layers build slowly for 32 bars.")
    assert grown.bars == 32
    assert not any(ask.kind == "tempo_change" for ask in grown.asks)
    assert read_brief("A song of 48 bars in which the flute rests for 24 bars").bars == 48


def test_a_mood_at_the_end_slows_no_storm() -> None:
    tempo = read_brief("A thunderstorm with racing strings, then the calm after").tempo_bpm
    assert tempo is not None
    assert tempo[0] > 100
    air, reel = (read_brief(f"A gentle Celtic {kind}").tempo_bpm for kind in ("tune", "reel"))
    assert air is not None
    assert reel is not None
    assert air[1] < reel[0]
