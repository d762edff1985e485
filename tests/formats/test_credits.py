"""Whose a piece is: composer, words, arrangement and rights go through every format that can say so, or are counted."""

from __future__ import annotations

import pytest

from libretto.edits import sections
from libretto.errors import ScoreError
from libretto.formats import formats, loss_line, lost_between, lost_in
from libretto.score import Mark, Score, join, played, take_bars
from libretto.score.marks import CREDITS, credits_of

TUNE = b"""X:1
T:Low Tide
M:4/4
L:1/4
C:A. Name
C:Trad., 100\\% & more
O:Nowhere
Z:Words: B. Name
Z:written down by C. Name
%%abc-copyright (c) D. Name
K:C
|:CDEF|GABc:|

X:2
K:C
C4|]
"""
SAID = {("composer", "A. Name"), ("composer", "Trad., 100% & more"), ("lyricist", "B. Name"), ("rights", "(c) D. Name")}


def said(score: Score) -> set[tuple[str, str]]:
    return {(mark.kind, mark.value) for mark in credits_of(score.marks)}


@pytest.mark.parametrize("name", ["text", "compact", "abc", "musicxml", "mxl"])
def test_they_come_back(name: str) -> None:
    score = formats["abc"].decode(TUNE)
    assert said(score) == SAID
    assert said(formats[name].decode(formats[name].encode(score))) == SAID


def test_what_has_no_place_is_counted() -> None:
    score = formats["abc"].decode(TUNE)
    left_out = formats["abc"].left_out
    assert left_out is not None
    assert left_out(TUNE, score) == {"further tunes": 1, "information fields": 2}
    lost = lost_in(score, formats["midi"])
    assert (lost["composers"], lost["lyricists"], lost["copyrights"]) == (2, 1, 1)
    assert "2 composers, 1 copyright" in loss_line(lost, "midi")


def test_creators_of_other_kinds_are_counted() -> None:
    head = b'<creator type="poet">A. Name</creator><creator type="editor">B. Name</creator><rights>C. Name</rights>'
    file = formats["musicxml"].encode(formats["abc"].decode(b"X:1\nK:C\nCDEF|]"))
    file = file.replace(b"<identification>", b"<identification>" + head).replace(b"<software>Libretto", b"<software>X")
    score = formats["musicxml"].decode(file)
    assert said(score) == {("lyricist", "A. Name"), ("rights", "C. Name")}
    assert formats["musicxml"].left_out is not None
    assert formats["musicxml"].left_out(file, score)["other credits"] == 1


def test_they_hold_for_all_of_a_piece_once() -> None:
    score = formats["abc"].decode(TUNE)
    changed = (
        played(score),
        take_bars(score, 2, 2),
        join(take_bars(score, 1, 1), take_bars(score, 2, 2)),
        sections.repeated(score, [(1, 1)])[0],
        sections.cut(score, [(1, 1)])[0],
    )
    for piece in changed:
        assert said(piece) == SAID
        assert len(credits_of(piece.marks)) == len(SAID)
    with pytest.raises(ScoreError, match="beginning"):
        Score.build([], marks=[Mark(1, CREDITS[0], "A. Name")])


def test_what_is_repeated_is_lost_once() -> None:
    score = formats["abc"].decode(b'X:1\nM:4/4\nL:1/4\nQ:"Andante"\nK:C\n|:"C"CDEF|"G"GABc:|')
    there = formats["midi"].decode(formats["midi"].encode(score))
    assert (there.bars, score.bars) == (4, 2)
    assert lost_between(score, there)["words"] == 1


def test_no_chord_is_said_where_none_was() -> None:
    tune = b'X:1\nM:3/4\nL:1/4\nK:G\nD|"G"GBd|"C"cec|]\n'
    again = formats["abc"].encode(formats["abc"].decode(tune))
    assert b"N.C." not in again
    assert formats["abc"].decode(again).chords == formats["abc"].decode(tune).chords
