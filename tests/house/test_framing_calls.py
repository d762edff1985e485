"""A call that opens a piece and closes it, and who holds a drone that nobody is told to hold."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

TOURNEY = (
    "A bold medieval piece in D Mixolydian with shawms, natural trumpets, hurdy-gurdy and field drums, lively, in a "
    "strong duple meter. Begin with a call from the trumpets, follow with a proud dance tune over a drone, and return "
    "to the call at the close."
)


def _told(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    "text",
    [
        TOURNEY,
        "For oboe, horn and strings. Open with a horn call, then a dance, and return to the call at the end.",
        "For organ, brass and timpani. It starts with a fanfare; a hymn follows; the fanfare returns at the close.",
    ],
)
def test_a_call_frames_a_piece(text: str) -> None:
    assert ("reprise", "frame", "", "last 4 bars") in _told(text)


@pytest.mark.parametrize(
    "text",
    [
        "For brass. Start with a fanfare, then a march.",
        "For choir. Begin with a chant, then return to the fields with a dance at the end.",
    ],
)
def test_a_call_that_opens_need_not_close(text: str) -> None:
    assert not any(kind == "reprise" for kind, *_ in _told(text))


def test_who_calls_does_not_lead_what_follows() -> None:
    """The dance after a call is that of others, over the drone of who is built for one."""
    roles = {part.name: part.role for part in read_brief(TOURNEY).parts}
    assert roles["Shawm"] == "lead"
    assert roles["Natural Trumpets"] != "lead"
    assert ("texture", "pedal", "Hurdy-Gurdy", "") in _told(TOURNEY)


def test_the_call_is_heard_again_alone() -> None:
    """In the bars before the last one who called plays what it called, and nobody else plays."""
    contract = read_brief(TOURNEY)
    score = compose_score(contract, 0)
    lines = score.bar_lines
    start, end = lines[-5], lines[-2]
    playing = [
        voice.name for voice in score.voices if ((voice.array["onset"] >= start) & (voice.array["onset"] < end)).any()
    ]
    assert playing == ["Natural Trumpets"]
    notes = score.voice("Natural Trumpets").array
    first = notes[notes["onset"] < lines[3]]
    again = notes[(notes["onset"] >= start) & (notes["onset"] < end)]
    assert first["pitch"].tolist() == again["pitch"].tolist()
    assert receipt(contract, score).passed


def test_drums_in_the_plural_are_enough() -> None:
    """Nobody else drums beside several who are told as one."""
    score = compose_score(read_brief(TOURNEY), 0)
    assert [voice.name for voice in score.voices if voice.drums] == ["Field Drums"]
