"""Sections that are listed with their lengths, who is in them, and phrases beside them that were misread."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.contract.sized import sizes_told


def asked(text: str) -> set[str]:
    return {ask.text for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "form", "bars"),
    [
        ("Trap in C# minor. Intro 4 bars with just a music box, then 808 bass enters; verse 16 bars; hook 8 bars with "
         "bells; outro 4 bars music box alone again.", "intro verse chorus outro", 32),
        ("Disco in B minor. Intro 8, verse 16, chorus 16, breakdown 8 with congas and bass only, chorus 16.",
         "intro verse chorus break chorus", 64),
        ("Trance: 16-bar intro, 16-bar build with an arpeggio, 16-bar drop, 8-bar breakdown with piano only, 16-bar "
         "second drop, 8-bar outro.", "intro build drop break drop outro", 80),
        ("A song: verse (16 bars), chorus (8 bars), verse (16 bars), chorus (8 bars), outro (4 bars).",
         "verse chorus verse chorus outro", 52),
    ],
)  # fmt: skip
def test_a_list_of_sections_is_the_form(text: str, form: str, bars: int) -> None:
    brief = read_brief(text)
    assert (" ".join(brief.form), brief.bars) == (form, bars)


def test_who_is_alone_in_a_listed_section() -> None:
    asks = asked("Trap with 808 bass. Intro 4 bars with just a music box; verse 16 bars; outro 4 bars music box alone.")
    assert {"only: Music Box, intro", "only: Music Box, outro", "section bars: 16, verse"} <= asks


@pytest.mark.parametrize(
    "text", ["a verse and a chorus of 8 bars", "verse 1 is soft, verse 2 loud, chorus 3 louder", "a 4-bar intro"]
)
def test_what_lists_no_lengths(text: str) -> None:
    assert sizes_told(text) == ()


def test_notes_of_a_drone_are_no_chords() -> None:
    brief = read_brief("A reel in D: in the B part the accordion joins with chords and the bouzouki drones on D and A.")
    assert brief.chords == ()


def test_a_roll_on_the_dominant_is_no_key() -> None:
    asks = asked("For brass and timpani in B flat. Timpani roll on the dominant for the first two bars.")
    assert asks == {"drums: roll, Timpani, first 2 bars"}


def test_a_trio_without_an_article_has_its_key() -> None:
    asks = asked("A march in C minor for winds; trio in E flat with the euphonium melody.")
    assert "key change: Eb major, trio" in asks


def test_who_begins_together() -> None:
    asks = asked("Begin with low strings holding a pedal and distant harp arpeggios, the horn comes in at bar 9.")
    assert "only: Low Strings + Harp, start" in asks


def test_the_men_are_the_choir() -> None:
    asks = asked("For male choir and concertina: a soloist sings the call, the men answer.")
    assert "texture: call and response, Soloist + Male Choir" in asks


def test_the_nearer_of_two_slides() -> None:
    asks = asked("For clarinet, drums and trombone. With tuba oom-pah and drums, trombone slides; clarinet leads.")
    assert "articulation: slides, Trombone" in asks


def test_a_stretch_before_then_is_not_the_length() -> None:
    brief = read_brief("For oud, ney and riq. Oud taqsim for 8 bars with no percussion, then a steady rhythm.")
    assert brief.bars is None
    assert "only: Oud, bars 1-8" in asked("Oud taqsim for 8 bars, then ney and riq join; last four bars ney alone.")


def test_a_lead_that_drops_is_no_drop() -> None:
    asks = asked("For square lead and synth bass. The lead drops an octave for the last phrase.")
    assert not [ask for ask in asks if ask.endswith("drop")]


def test_the_first_chorus_is_no_player() -> None:
    text = "Big band swing in B flat: first chorus saxes in unison state the head, "
    asks = asked(f"{text}second chorus tenor sax solo with rhythm section only.")
    assert "doubling: Alto Sax, Tenor Sax, chorus 1" in asks
    assert "only: Tenor Sax + Piano + Acoustic Bass + Drums, chorus 2" in asks
