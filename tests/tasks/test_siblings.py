"""Several players of one instrument: which of them words mean, and all of them by a plural."""

from __future__ import annotations

import pytest

from libretto import parse
from libretto.agents import composer, run_task
from libretto.score import Score
from libretto.tasks.revise import read_request, revise_task


@pytest.fixture(scope="module")
def trio() -> Score:
    return parse("""KEY: G major | METER: 3/4 | TEMPO: 120 | GRID: 4 | BARS: 4
VOICES: Clarinet[prog=71], Clarinet #2[prog=71], Tuba[prog=58]
@1 [G]
  Clarinet: D5@1>1 G5@2>1 B5@3>1
  Clarinet #2: B4@1>1 D5@2>1 G5@3>1
  Tuba: G2@1>3
@2 [D]
  Clarinet: A5@1>3
  Clarinet #2: F#5@1>3
  Tuba: D2@1>3
@3 [D]
  Clarinet: F#5@1>1 A5@2>1 C6@3>1
  Clarinet #2: D5@1>1 F#5@2>1 A5@3>1
  Tuba: D2@1>3
@4 [G]
  Clarinet: G5@1>3
  Clarinet #2: D5@1>3
  Tuba: G2@1>3
""")


@pytest.mark.parametrize(
    ("words", "voices"),
    [
        ("make the second clarinet softer", ("Clarinet #2",)),
        ("clarinet 2 an octave lower", ("Clarinet #2",)),
        ("the 1st clarinet louder", ("Clarinet",)),
        ("the clarinets should be quieter", ("Clarinet", "Clarinet #2")),
        ("everything louder except the second clarinet", ("Clarinet", "Tuba")),
        ("quita el segundo clarinete", ("Clarinet #2",)),
        ("move the clarinet 2 octaves up", ("Clarinet",)),
        ("the tuba louder in the second half", ("Tuba",)),
    ],
)
def test_who_of_several_is_meant_by_a_number(words: str, voices: tuple[str, ...], trio: Score) -> None:
    request = read_request(words, trio)
    assert request.unread == ()
    assert [wish.voices for wish in request.wishes] == [voices]


def test_the_second_of_two_is_removed_and_the_first_plays_on(trio: Score) -> None:
    request = read_request("remove the second clarinet", trio)
    run = run_task(revise_task(trio, request.wishes), composer("house"), rounds=1)
    assert run.score is not None
    assert [voice.name for voice in run.score.voices] == ["Clarinet", "Tuba"]
    assert run.score.voice("Clarinet").notes == trio.voice("Clarinet").notes


@pytest.mark.parametrize(
    "words",
    [
        "give the solo to the tuba in bars 3-4",
        "let the tuba take a solo in bars 3-4",
        "the tuba takes the solo in bars 3-4",
        "hand the solo in bars 3-4 to the tuba",
    ],
)
def test_who_is_given_a_solo_has_the_tune_and_the_others_play_on(words: str, trio: Score) -> None:
    request = read_request(words, trio)
    assert request.unread == ()
    assert [wish.quality for wish in request.wishes] == ["handed"]
    alone = read_request("tuba solo in bars 3-4", trio)
    assert [wish.quality for wish in alone.wishes] == ["mute"]
