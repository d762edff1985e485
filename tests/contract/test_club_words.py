"""What briefs for clubs, beats and soundscapes say of who plays when, and sentences that only sound like it."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.framing import form_of


def _asks(brief: str) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.who, ask.where) for ask in Contract.from_brief(brief).asks}


@pytest.mark.parametrize(
    ("brief", "bars"),
    [
        ("A trap beat with bells. The bells start alone for four bars, then the 808 and the drums drop.", None),
        ("A lullaby for piano for 8 bars.", 8),
    ],
)
def test_a_few_bars_of_one_alone_are_no_length(brief: str, bars: int | None) -> None:
    assert Contract.from_brief(brief).bars == bars


@pytest.mark.parametrize(
    ("brief", "drums"),
    [
        ("A trance track with a pad and a supersaw. End with only the pad.", True),
        ("A house track for solo piano.", False),
        ("A techno piece with only a pad and a bell.", False),
    ],
)
def test_what_is_alone_in_a_place_closes_no_band(brief: str, drums: bool) -> None:
    assert any(part.drums for part in Contract.from_brief(brief).parts) is drums


def test_a_melody_that_is_added_is_nobodys() -> None:
    told = _asks("A deep house track with bass, pads and drums, adding a soft melody in the second half.")
    assert ("enter", "melody", "second half") in told
    assert not [one for one in told if one[0] == "register"]  # deep house is not low
    assert ("enter", "Violin", "second half") in _asks("Piano, adding a violin melody in the second half.")


@pytest.mark.parametrize(
    ("brief", "ask"),
    [
        (
            "A music box intro. Then the synth leads; the music box returns at the very end. Drums and bass.",
            ("silent", "Music Box", "outside intro or end"),
        ),
        (
            "Hip hop with piano and trumpet. The trumpet plays the hook between verses.",
            ("lead", "Trumpet", "outside verse"),
        ),
        (
            "Techno with drums, bass, synth and pads. Take the elements away one by one until only the kick is left.",
            ("leave", "Bass", "exit 3 of 4"),
        ),
        (
            "Techno built on one synth riff, with bass. Start with the drums, add the bass, then the riff.",
            ("enter", "Synth", "entry 3 of 3"),
        ),
    ],
)
def test_who_comes_goes_and_returns(brief: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(brief)


def test_a_theme_that_returns_silences_nobody() -> None:
    told = _asks("The harp opens alone with the theme, the strings join, and the opening theme returns at the end.")
    assert not [one for one in told if one[0] == "silent"]


def test_music_with_a_drop_has_no_verses() -> None:
    contract = Contract.from_brief("An EDM track with pads and a synth lead. The synth lead enters at the drop.")
    assert form_of((), contract.asks, None) == ("intro", "build", "drop", "break", "build", "drop", "outro")
    song = Contract.from_brief("A song with guitar and voice. The guitar drops out in the verse.")
    assert "drop" not in form_of((), song.asks, None)


def test_what_is_like_glass_plays() -> None:
    parts = Contract.from_brief("A soundscape with low strings and glass-like pads.").parts
    assert [part.name for part in parts] == ["Low Strings", "Pads"]
    assert [part.name for part in Contract.from_brief("Strings swelling like a choir.").parts] == ["Strings"]


def test_near_the_end_is_nobody_who_ends() -> None:
    told = _asks("Piano, bass and drums. Near the end, the drums drop out and the piano finishes alone.")
    assert ("only", "Piano", "end") in told
    assert ("only", "Drums", "end") not in told


def test_the_choir_is_the_one_that_was_named() -> None:
    parts = Contract.from_brief("Trap with 808 bass, bells and choir pads. The choir joins for the second half.").parts
    assert sum("Choir" in part.name for part in parts) == 1
