"""Detectors of progressions, cadences and forms: tokens, transposition, upbeats, and music that has nothing to show."""

from __future__ import annotations

import pytest

from libretto import parse
from libretto.knowledge import Sight, all_concepts, shows
from libretto.knowledge.detectors.changes import changes, fits, read_tokens
from libretto.score import transpose

FAMILIES = {"progressions", "cadences", "form"}
OURS = [each for each in all_concepts().values() if each.base == "theory" and each.families[0] in FAMILIES]
HEAD = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: {}\nVOICES: PIANO[prog=0], DRUMS[drums]\n"
EMPTY = {
    "silence": HEAD.format(1) + "@1 [-]\n",
    "labels without notes": HEAD.format(4) + "".join(f"@{bar} [{label}]\n" for bar, label in enumerate("CFGC", 1)),
    "drums alone": HEAD.format(2) + "@1 [C]\n  DRUMS: C2@1>1 D2@5>1\n@2 [G]\n  DRUMS: C2@1>1\n",
    "one note": HEAD.format(1) + "@1 [C]\n  PIANO: C4@1>8\n",
}


@pytest.mark.parametrize(
    ("text", "degree", "major", "low"),
    [("bVII7", 10, True, None), ("V/V", 2, True, None), ("iv:3", 5, False, 3), ("V7/bVI", 3, True, None)],
)
def test_tokens(text: str, degree: int, major: bool, low: int | None) -> None:
    (token,) = read_tokens(text)
    assert (token.degree, token.major, token.low) == (degree, major, low)


def test_a_word_that_is_no_degree_is_refused() -> None:
    with pytest.raises(ValueError, match="no degree"):
        read_tokens("Q7")


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
def test_nothing_is_seen_where_nothing_sounds(text: str) -> None:
    sight = Sight(parse(text))
    assert [each.name for each in OURS if shows(sight, each)] == []


def test_a_label_that_the_notes_do_not_support_matches_nothing() -> None:
    text = HEAD.format(2) + "@1 [C]\n  PIANO: C4+E4+G4@1>8\n@2 [G]\n  PIANO: F4+A4+C5@1>8\n"
    one, two = changes(Sight(parse(text)))
    assert fits(one, "I")
    assert not fits(two, "V|*")


@pytest.mark.parametrize("semitones", [-4, 1, 6])
def test_transposition_changes_nothing(semitones: int) -> None:
    for each in OURS:
        assert shows(transpose(parse(each.example), semitones), each), each.name
        assert not shows(transpose(parse(each.plain), semitones), each), each.name


def test_an_upbeat_does_not_hide_a_form() -> None:
    concept = all_concepts()["theory/simple-binary-form"]
    head, bars = concept.example.split("@1 ", 1)
    upbeat = head + "@0 [-] (bar:1/8)\n  VIOLIN: A4@1>2^70\n@1 "
    assert shows(parse(upbeat + bars), concept)
