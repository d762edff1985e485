"""Some bars as text and back: the rest stays as it is, and what is wrong is located in the text as it was given."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import bar_ranges, scores

from libretto import parse
from libretto.errors import GrammarError, LibrettoError
from libretto.score import Score, outside_digest
from libretto.score.scope import Scope, digest_outside
from libretto.workspace import bars_text, write_bars

TUNE = """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 4
VOICES: LEAD[prog=73], BASS[prog=33]
@1 [C] (section:A)
  LEAD: E4@1>4 G4@5>4 C5@9>8
  BASS: C2@1>16
@2 [F] (grid:12t)
  LEAD: A4@1>6 F4@7>6
  BASS: F2@1>12
@3 [G7] (meter:3/4)
  LEAD: G4@1>12
  BASS: G2@1>12
@4 [C] (tempo:80)
  LEAD: C5@1>12
"""


@settings(max_examples=50)
@given(st.data(), scores())
def test_what_is_read_can_be_written_back(data: st.DataObject, score: Score) -> None:
    first, last = data.draw(bar_ranges(score))
    written = write_bars(score, bars_text(score, first, last))
    assert written.score == score
    assert not written.chords
    assert written.outside == outside_digest(score, written.voices, first, last)


@settings(max_examples=50)
@given(st.data(), scores())
def test_a_write_leaves_the_rest_alone(data: st.DataObject, score: Score) -> None:
    assume(score.voices)
    first, last = data.draw(bar_ranges(score))
    voices = [score.voices[0].name]
    text = "\n".join(f"@{bar} [C]\n  {voices[0]}: C4@1>1" for bar in range(first, last + 1))
    written = write_bars(score, text, voices=voices)
    scope = (written.voices, first, last)
    assert outside_digest(score, *scope, chords=written.chords) == written.outside
    assert len(written.score.voice(voices[0]).array) >= last - first + 1


def test_what_a_bar_line_leaves_out_stays() -> None:
    score = parse(TUNE)
    written = write_bars(score, "@2\n  LEAD: C5@1>3 D5@4>9\n@3\n  LEAD: =1 E5@1>4\n", "2-3")
    assert (written.first, written.last, written.voices, written.chords) == (2, 3, ("LEAD",), False)
    assert [note.name for note in written.score.voice("LEAD").notes[3:6]] == ["C5", "D5", "E4"]
    assert written.score.voice("BASS") == score.voice("BASS")
    assert written.score.meters == score.meters
    chords = write_bars(score, "@2 [Dm7]\n  BASS: -\n")
    assert chords.chords
    assert chords.score.chords[1] == ("Dm7",)
    assert len(chords.score.voice("BASS").array) == 2


def test_a_text_with_a_header_is_the_whole_piece_or_the_bars_named() -> None:
    score = parse(TUNE)
    two = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2\nVOICES: LEAD, BASS\n"
    two += "@1 [C]\n  BASS: C3@1>4\n@2 [C]\n"
    assert write_bars(score, two).score == parse(two)
    assert write_bars(score, two).outside == ""
    part = write_bars(score, two, "1-2", ["bass"])
    assert part.voices == ("BASS",)
    assert [note.name for note in part.score.voice("BASS").notes] == ["C3", "G2"]
    assert part.score.voice("LEAD") == score.voice("LEAD")


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("@2 [F]\n  LEAD: A4@1>6 H4@7>6", 2, 16, "pitch"),
        ("% mine\n@2 [F]\n  LAED: A4@1>6", 3, 3, "VOICES declares"),
        ("@2 [Fxx7]\n  LEAD: A4@1>6", 1, 5, "chord label"),
        ("@9 [F]", 1, 1, "one of the bars 1-4"),
        ("@3 [C]\n@2 [C]", 2, 1, "@4 or later"),
        ("  LEAD: A4@1>6\n@2 [F]", 1, 1, "a bar line"),
        ("@2 [F] (tempo:200)\n  LEAD: A4@1>6", 1, 1, "no change of tempo here"),
        ("", 1, 1, "at least one bar"),
        ("@2 [F]\n  LEAD: =3", 2, 9, "written before"),
    ],
)
def test_problems_are_located_in_the_text(text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(GrammarError) as caught:
        write_bars(parse(TUNE), text)
    problem = caught.value.problems[0]
    assert (problem.line, problem.column) == (line, column), problem
    assert expected in problem.expected


def test_voices_that_were_not_named_are_refused() -> None:
    with pytest.raises(GrammarError, match="only lines of LEAD"):
        write_bars(parse(TUNE), "@2 [F]\n  BASS: F2@1>4", voices=["LEAD"])
    with pytest.raises(LibrettoError, match="no voice 'OBOE'"):
        write_bars(parse(TUNE), "@2 [F]\n  BASS: F2@1>4", voices=["OBOE"])
    with pytest.raises(LibrettoError, match="the text has bars 2, not 3"):
        write_bars(parse(TUNE), "@2 [F]\n  BASS: F2@1>4", bars="3")


def test_scattered_bars_are_one_patch() -> None:
    score = parse(TUNE)
    written = write_bars(score, "@1\n  LEAD: C5@1>4\n@4\n  LEAD: =1 E5@5>4\n", "1,4")
    assert (written.spans, written.first, written.last) == (((1, 1), (4, 4)), 1, 4)
    assert bars_text(written.score, 2, 3) == bars_text(score, 2, 3)
    assert [note.name for note in written.score.voice("LEAD").notes] == ["C5", "A4", "F4", "G4", "C5", "E5"]
    assert written.score.voice("BASS") == score.voice("BASS")
    scope = Scope(("LEAD",), written.spans, written.chords)
    assert written.outside == digest_outside(score, scope)
    with pytest.raises(GrammarError) as caught:
        write_bars(score, "@1\n  LEAD: C5@1>4\n@4\n  LEAD: H5@1>4")
    assert (caught.value.problems[0].line, caught.value.problems[0].bar) == (4, 4)
    with pytest.raises(LibrettoError, match="the text has bars 1,4, not 1-4"):
        write_bars(score, "@1\n  LEAD: C5@1>4\n@4\n  LEAD: C5@1>4", "1-4")


@settings(max_examples=30)
@given(st.data(), scores())
def test_any_bars_read_can_be_written_back(data: st.DataObject, score: Score) -> None:
    chosen = sorted(data.draw(st.sets(st.sampled_from(list(score.numbers)), min_size=1)))
    written = write_bars(score, "".join(bars_text(score, bar, bar) for bar in chosen))
    assert written.score == score
