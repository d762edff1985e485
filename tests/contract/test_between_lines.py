"""Who is told to play between the lines of another, in whatever words, and what only sounds like it."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

SOUL = (
    "Soul jazz for organ, guitar, bass and drums in C major, C, Am, Dm, G over 24 bars. The organ leads with smooth "
    "melodies. The guitar should add short, tasteful fills and clean rhythmic accents between the organ phrases."
)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (SOUL, "Guitar"),
        ("Noir for trumpet, piano and bass. The trumpet tells the story in lonely phrases, the piano should drop in "
         "dark chords once each line has finished.", "Piano"),
        ("Fado for voice, Portuguese guitar and guitar. The voice lingers over the ends of its phrases, the Portuguese "
         "guitar should weep in silvery fills between them.", "Portuguese Guitar"),
        ("For trumpet, trombone and sousaphone. The trumpet has the tune, the trombone should growl and slide "
         "underneath in reply.", "Trombone"),
        ("For trumpet, violin and guitar. The trumpet leads, the violin softens the mood with a gentle response.",
         "Violin"),
        ("For santur, ney and daf. The ney should open freely, the santur should scatter shimmering phrases around it.",
         "Santur"),
        ("For voice, harmonica and guitar. The harmonica fills the spaces left by the voice.", "Harmonica"),
        ("Blues for voice, piano and bass. The piano should comment at the end of each vocal line.", "Piano"),
        ("For voice and guitar. The guitar adds licks whenever the singer pauses.", "Guitar"),
    ],
)  # fmt: skip
def test_who_plays_between_lines(text: str, who: str) -> None:
    assert ("between lines", who) in {(ask.what, ask.who) for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    "text",
    [
        "For flute and guitar. The guitar plays chords with plenty of room between them.",
        "For violin and cello. The violin plays in long lines.",
        "For cello and piano. The cello should breathe between its phrases.",
        "Techno with synth bass, synth lead and drums. The bass rolls in the gaps between the kicks.",
        "A story of rivers between the lines of trees, for piano and flute.",
        "For violin and viola, who play in answer to each other.",
    ],
)
def test_what_lies_between_no_lines(text: str) -> None:
    assert "between lines" not in {ask.what for ask in read_brief(text).asks}


def test_drums_fill_at_the_ends_of_phrases() -> None:
    asks = read_brief("For sax, piano and drums. The sax leads, the drums add fills between the phrases.").asks
    assert ("fill", "Drums", "phrase ends") in {(ask.what, ask.who, ask.where) for ask in asks}


def test_a_pattern_of_bass_notes_and_chords_is_no_bass() -> None:
    contract = read_brief("For flute and guitar. The guitar supports it with a pattern of bass notes and soft chords.")
    assert {part.name: part.role for part in contract.parts}["Guitar"] == "comping"
    assert ("two-beat", "Guitar") in {(ask.what, ask.who) for ask in contract.asks}


def test_fills_and_chords_fall_between_the_lines() -> None:
    contract = Contract.from_brief(SOUL)
    score = compose_score(contract, 0)
    checks = {check.clause: check for check in receipt(contract, score).checks}
    assert checks["texture: between lines, Guitar"].passed is True
    onsets = score.voice("Guitar").array["onset"].tolist()
    assert len(set(onsets)) < len(onsets)  # chords among the fills
    assert len(onsets) > 24
