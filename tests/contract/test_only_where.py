"""Where *only*, *halfway* and *the last one* say when something happens, and who comes back."""

from __future__ import annotations

from libretto.contract import read_brief
from libretto.contract.stretches import bars_of_place
from libretto.house.compose.asking import skeleton


def _asks(text: str) -> list[tuple[str, str, str, str]]:
    return [(ask.kind, ask.what, ask.who, ask.where) for ask in read_brief(text).asks]


def test_only_after_a_verb_says_where_and_silences_nobody_else() -> None:
    walking = _asks("Jazz for sax, piano, double bass and drums. The double bass should walk only in the second half.")
    assert ("role", "walking", "Double Bass", "second half") in walking
    assert not [ask for ask in walking if ask[0] in ("only", "silent")]
    sung = _asks("For choir and organ. The choir sings only in the last chorus.")
    assert sung == [("silent", "", "Choir", "outside last chorus")]


def test_halfway_is_a_moment_and_a_riff_that_returns_is_nobody() -> None:
    asks = _asks(
        "Doom metal for distorted guitar, clean guitar and drums. Halfway through everything falls silent except the "
        "clean guitar, then the riff returns heavier than before."
    )
    assert ("only", "", "Clean Guitar", "4 bars in second half") in asks
    assert not [ask for ask in asks if ask[0] == "enter"]


def test_a_build_of_a_piece_and_a_soaring_theme_ask_for_no_loudness() -> None:
    asks = _asks("Build a crushing metal piece for guitar and drums. The guitar waits until bar 9, a soaring theme.")
    assert not [ask for ask in asks if ask[0] == "dynamics"]


def test_an_end_that_is_hushed_is_soft_there_and_a_climax_is_where_it_leads() -> None:
    asks = _asks("A hymn that swells to a majestic climax in bar 12 and ends hushed with an amen cadence.")
    assert ("dynamics", "growing", "", "until bar 12") in asks
    assert ("dynamics", "soft", "", "end") in asks


def test_strains_are_taken_in_turn_and_found_in_a_piece_of_other_sections() -> None:
    asks = _asks(
        "A two-step for fiddle, accordion and guitar. The accordion takes the first strain, the fiddle takes the "
        "second, and both play the last one in unison."
    )
    assert ("lead", "", "Accordion", "A") in asks
    assert ("lead", "", "Fiddle", "B") in asks
    piece = skeleton([(0, "Verse"), (8, "Solo"), (16, "Outro")], 24)
    assert [bars_of_place(place, piece) for place in ("A", "B", "last strain")] == [((1, 8),), ((9, 16),), ((17, 24),)]


def test_bars_of_a_middle_begin_where_a_phrase_does() -> None:
    piece = skeleton([], 32)
    assert bars_of_place("4 bars in middle", piece) == ((13, 16),)
