"""Sections: names that stand for many sit in chairs where nobody accompanies them, and are one part elsewhere."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.compose.planning import make_plan


def band(brief: str) -> dict[str, str]:
    """Who plays in a brief's piece, with the role of each."""
    return {player.name: player.role for player in make_plan(Contract.from_brief(brief), 0).players}


def test_strings_by_themselves_are_an_orchestra() -> None:
    contract = Contract.from_brief("A slow symphonic piece in D major, 24 bars, for string instruments.")
    score = compose_score(contract, 0)
    assert [voice.program for voice in score.voices] == [48, 49, 42, 43]
    assert all(len(voice.array) > 10 for voice in score.voices)
    assert receipt(contract, score).passed


def test_strings_beside_a_piano_are_one_part() -> None:
    assert list(band("A waltz in B minor, 24 bars, Bm, F#m, G, Em, for piano and soft strings.")) == [
        "Piano",
        "Strings",
    ]


def test_synthesizers_are_several_machines_and_a_synthesizer_is_one() -> None:
    several = band("A synthwave piece in B major, 24 bars, B, E, G#m, F#, for synthesizers, drum machine and electric "
                   "guitar. The guitar has the melody.")  # fmt: skip
    assert "bass" in several.values()
    assert several["Electric Guitar"] == "lead"
    one = band("A synthwave piece in B major, 24 bars, B, E, G#m, F#, for a synthesizer, a bass and drums.")
    assert list(one) == ["Synthesizer", "Bass", "Drums"]


def test_nobody_is_added_where_the_players_are_counted() -> None:
    assert list(band("A film piece in C minor, 16 bars, strings and flute, two voices in all.")) == ["Strings", "Flute"]


def test_a_section_that_rests_rests_whole() -> None:
    contract = Contract.from_brief(
        "A symphonic piece in D minor, 24 bars, for flute and strings. The flute plays alone in the first eight bars, "
        "and the strings enter in bar 9."
    )
    score = compose_score(contract, 0)
    start = int(score.bar_lines[8])
    strings = [voice for voice in score.voices if voice.name.startswith("Strings")]
    assert len(strings) > 1
    assert all(int(voice.array["onset"].min()) >= start for voice in strings)


def test_horns_play_on_top_of_a_band() -> None:
    funk = band("A funky track in F major, 24 bars, with a strong backbeat and a bright brass section.")
    assert {"bass", "drums", "lead"} <= set(funk.values())


def test_brass_where_the_style_has_no_rhythm_section_has_its_own_bass() -> None:
    assert "bass" in band("A steampunk waltz in Eb major, 24 bars, for clockwork sounds and brass.").values()
