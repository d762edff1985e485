"""Operations: what each does, that everything else stays, and what is refused with a hint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bar_ranges, scores

from libretto.edits.operations import help_lines, operate, operations, read_step
from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.score import Score, Voice
from libretto.score.scope import Scope, digest_outside, same_outside
from libretto.workspace import bars_text

WALTZ = """KEY: D minor | METER: 3/4 | TEMPO: 96 | GRID: 16th | BARS: 8
VOICES: Flute[prog=73], Cello[prog=42], Kit[drums]
@1 [Dm]
  Flute: D5@1>8'. A5@9>4
  Cello: D3@1>4^90 A3@5>4 F3@9>4
  Kit: C2@1>4 D2@5>4
@2 [Gm]
@3 [A7]
@4 [Dm | C]
@5 [Bb]
@6 [Gm]
@7 [A7]
@8 [Dm]
"""


@pytest.fixture
def waltz() -> Score:
    return parse(WALTZ)


def line(score: Score, bar: int, voice: str) -> str:
    return bars_text(score, bar, bar, [voice]).partition(": ")[2].strip()


def did(score: Score, *steps: dict[str, Any]) -> Score:
    made, done = operate(score, steps)
    assert len(done) == len(steps)
    assert parse(notate(made)) == made
    return made


def test_a_pattern_goes_along_the_chords(waltz: Score) -> None:
    made = did(waltz, {"op": "copy", "bars": "1", "to": "2-8", "voices": "Cello", "by": "chords"})
    assert line(made, 2, "Cello") == "G3@1>4^90 D4@5>4 Bb3@9>4"
    assert line(made, 3, "Cello") == "A2@1>4^90 E3@5>4 C#3@9>4"  # a minor third over a major chord
    assert line(made, 4, "Cello") == "D3@1>4^90 A3@5>4 E3@9>4"  # the chord changes inside the bar
    assert line(made, 5, "Cello") == "Bb2@1>4^90 F3@5>4 D3@9>4"
    assert made.voice("Flute") == waltz.voice("Flute")
    low = did(waltz, {"op": "copy", "bars": 1, "to": "2", "voices": "Cello", "by": "chords-12"})
    assert line(low, 2, "Cello") == "G2@1>4^90 D3@5>4 Bb2@9>4"


def test_copies_by_intervals_into_bars_and_voices(waltz: Score) -> None:
    made = did(waltz, {"op": "copy", "bars": "1", "to": "3,7-8", "voices": ["Flute"], "by": "-2d"})
    assert [line(made, bar, "Flute") for bar in (3, 7, 8)] == ["Bb4@1>8'. F5@9>4"] * 3
    assert line(made, 2, "Flute") == line(made, 4, "Flute") == ""
    deep = did(waltz, {"op": "copy", "bars": "1", "voices": "Flute", "into": "Cello", "by": -12})
    assert line(deep, 1, "Cello") == "D4@1>8'. A4@9>4"
    both = did(waltz, {"op": "copy", "bars": "1", "voices": "Flute", "into": "Cello", "by": -12, "add": True})
    assert line(both, 1, "Cello") == "D3@1>4^90 D4@1>8'. A3@5>4 F3+A4@9>4"
    kit = did(waltz, {"op": "copy", "bars": "1", "to": "2-8", "by": 5})
    assert line(kit, 8, "Kit") == line(waltz, 1, "Kit")  # percussion has no pitch to move
    labels = did(waltz, {"op": "copy", "bars": "1", "to": "2", "by": 2, "chords": True})
    assert labels.chords[1] == ("Em",)


def test_notes_where_they_are(waltz: Score) -> None:
    later = did(waltz, {"op": "shift", "bars": "1", "voices": "Cello", "by": "1/16"})
    assert line(later, 1, "Cello") == "D3@2>4^90 A3@6>4 F3@10>4"
    round_ = did(waltz, {"op": "shift", "bars": "1", "voices": "Cello", "by": "-1/4", "wrap": True})
    assert line(round_, 1, "Cello") == "A3@1>4 F3@5>4 D3@9>4^90"
    thin = did(waltz, {"op": "thin", "bars": "1", "voices": "Cello", "share": "0.5"})
    assert line(thin, 1, "Cello") == "D3@1>4^90 F3@9>4"
    loud = did(waltz, {"op": "velocity", "bars": "1", "voices": "Cello,Kit", "curve": "40,100"})
    assert line(loud, 1, "Cello") == "D3@1>4^47 A3@5>4^57 F3@9>4^77"  # the accent stays louder
    flat = did(waltz, {"op": "velocity", "bars": "1", "voices": "Cello", "curve": [60], "flat": True})
    assert line(flat, 1, "Cello") == "D3@1>4^60 A3@5>4^60 F3@9>4^60"
    up = did(waltz, {"op": "transpose", "voices": "Flute", "by": "1d"})
    assert line(up, 1, "Flute") == "E5@1>8'. Bb5@9>4"
    assert not len(did(waltz, {"op": "silence", "voices": "Kit"}).voice("Kit").array)


def test_the_head(waltz: Score) -> None:
    made = did(
        waltz,
        {"op": "title", "title": "Slow\nTurn"},
        {"op": "tempo", "bpm": 80, "bars": "3-4"},
        {"op": "key", "key": "F major", "bars": "5-8"},
        {"op": "meter", "meter": "6/8"},
        {"op": "sections", "at": {"1": "A", "5": "B"}},
        {"op": "program", "voices": "Cello", "program": "string ensemble"},
        {"op": "add_voice", "name": "Pad", "program": 89},
        {"op": "rename", "voices": "Kit", "name": "Drums"},
        {"op": "chords", "bars": "7-8", "chords": ["C | C7", "F"]},
        read_step("sections at=5:"),
    )
    head = notate(made).splitlines()[:3]
    assert head[0] == "TITLE: Slow Turn"
    assert head[1].startswith("KEY: D minor | METER: 6/8 | TEMPO: 96 ")
    assert head[2] == "VOICES: Flute[prog=73], Cello[prog=48], Drums[drums], Pad[prog=89]"
    assert [round(made.bpm_at(line)) for line in made.bar_lines[:5]] == [96, 96, 80, 80, 96]
    assert [name for _, name in made.sections] == ["A"]
    assert made.chords[6:] == (("C", "C7"), ("F",))
    assert str(made.key_at(made.bar_lines[4])) == "F major"
    moved = did(waltz, {"op": "key", "key": "E minor", "transpose": True})
    assert line(moved, 1, "Cello") == "E3@1>4^90 B3@5>4 G3@9>4"
    assert moved.chords[1] == ("Am",)
    empty = Score.build([Voice.of("A", (), 0)], bars=4, sections=[(0, "x")])
    assert did(empty, {"op": "meter", "meter": "5/4"}).ticks == 5 * empty.ticks // 4


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"op": "dance"}, "there is no operation 'dance'"),
        ({"op": "copi"}, "did you mean copy?"),
        ({"op": "copy", "bars": "1", "too": "2"}, "copy has no too; it takes bars, to"),
        ({"op": "copy", "to": "2"}, "say bars, such as 9-16"),
        ({"op": "copy", "bars": "1-3", "to": "4-8"}, "3 bars do not fill 5"),
        ({"op": "copy", "bars": "1", "to": "1"}, "onto themselves"),
        ({"op": "copy", "bars": "1", "to": "99"}, "there is no bar 99"),
        ({"op": "copy", "bars": "1", "to": "2", "by": "far"}, "by is semitones"),
        ({"op": "copy", "bars": "1", "to": "2", "by": "48d", "voices": "Flute"}, "say a smaller interval"),
        ({"op": "copy", "bars": "1", "voices": "Kit", "into": "Flute"}, "not both percussion"),
        ({"op": "copy", "bars": "1", "voices": "Kit,Flute", "into": "Cello"}, "name as many, or one"),
        ({"op": "copy", "bars": "1", "voices": "Oboe", "to": "2"}, "there is no voice 'Oboe'"),
        ({"op": "shift", "bars": "1", "by": "-1/8"}, "wrap=true"),
        ({"op": "shift", "bars": "1", "by": "1/0"}, "a part of a whole note"),
        ({"op": "thin", "share": 2}, "share is a number from 0.01 to 0.6"),
        ({"op": "velocity", "bars": "1"}, "a curve, such as"),
        ({"op": "velocity", "curve": [0]}, "from 1 to 127"),
        ({"op": "velocity", "curve": ["nan"]}, "from 1 to 127"),
        ({"op": "meter", "meter": "4/4"}, "write the whole text"),
        ({"op": "tempo", "bpm": 1e9}, "from 10 to 400"),
        ({"op": "program", "voices": "Kit", "program": 3}, "is percussion"),
        ({"op": "program", "voices": "Flute", "program": "gong of doom"}, "or an instrument"),
        ({"op": "add_voice", "name": "flute"}, "is taken"),
        ({"op": "rename", "voices": "Flute", "name": "a,b"}, "no commas"),
        ({"op": "chords", "bars": "1-4", "chords": ["H", "C"]}, "'H' is no chord"),
        ({"op": "chords", "bars": "1-4", "chords": ["C", "F", "G"]}, "do not fill"),
        ({"op": "sections", "at": {"x": "A"}}, "bars and names"),
        ({"op": "silence", "bars": {"a": 1}}, "bars such as 9-16"),
        ({"op": "title", "title": "x" * 1_000}, "at most 300"),
        ("copy", "there is no operation"),
    ],
)
def test_what_cannot_be_done_is_said(waltz: Score, step: Any, why: str) -> None:
    with pytest.raises(LibrettoError, match=why.replace("(", r"\(").replace("?", r"\?")) as caught:
        operate(waltz, [step])
    assert "\n" not in str(caught.value)


def test_chords_that_are_not_there_are_not_guessed(waltz: Score) -> None:
    bare = did(waltz, {"op": "chords", "bars": "3", "chords": ["-"]})
    with pytest.raises(LibrettoError, match="bar 3 has no chord"):
        operate(bare, [{"op": "copy", "bars": "1", "to": "3", "voices": "Cello", "by": "chords"}])


def test_all_or_none_and_an_operation_that_strays_is_refused(waltz: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LibrettoError, match="no operation"):
        operate(waltz, [{"op": "title", "title": "x"}, {"op": "nothing"}])

    def stray(score: Score, step: Any) -> Any:
        return replace(known.do(score, step), scope=Scope())

    known = operations["tempo"]
    monkeypatch.setitem(operations._entries, "tempo", replace(known, do=stray))
    with pytest.raises(LibrettoError, match="would touch other music"):
        operate(waltz, [{"op": "tempo", "bpm": 60}])


def test_every_example_of_the_help_is_an_operation() -> None:
    import json

    assert len(help_lines()) == len(operations)
    for name in operations:
        step = json.loads(operations[name].example)
        assert step["op"] == name
        assert set(step) - {"op"} <= set(operations[name].takes)


STEPS = [
    {"op": "silence"},
    {"op": "transpose", "by": "1"},
    {"op": "velocity", "curve": [30, 100]},
    {"op": "thin", "share": 0.5},
    {"op": "shift", "by": "1/16", "wrap": True},
    {"op": "tempo", "bpm": 77},
    {"op": "key", "key": "Eb major"},
]


@settings(max_examples=40, deadline=None)
@given(st.data(), scores(), st.sampled_from(STEPS))
def test_what_an_operation_is_not_about_stays(data: st.DataObject, score: Score, step: dict[str, Any]) -> None:
    first, last = data.draw(bar_ranges(score))
    try:
        made, (done,) = operate(score, [{**step, "bars": f"{first}-{last}"}])
    except LibrettoError:
        return  # refused, as where a note would leave the pitches there are
    assert same_outside(score, made, done.scope)
    low, high = score.index_of(first), score.index_of(last)
    for old, new in zip(score.voices, made.voices, strict=True):
        for bars in (range(low), range(high + 1, score.bars)):
            for bar in bars:
                between = score.bar_lines[bar], score.bar_lines[bar + 1]
                assert old.between(*between) == new.between(*between)


def test_a_scope_sees_every_other_change(waltz: Score) -> None:
    """Whatever is changed outside of it, the digest differs; inside it does not."""
    scope = Scope(("Cello",), ((1, 2),), head=("tempos",))
    before = digest_outside(waltz, scope)
    outside: list[dict[str, Any]] = [
        {"op": "title", "title": "x"},
        {"op": "transpose", "voices": "Flute", "by": 1},
        {"op": "copy", "bars": "1", "to": "3", "voices": "Cello"},
        {"op": "tempo", "bpm": 50, "bars": "3"},
        {"op": "key", "key": "F major", "bars": "1"},
        {"op": "sections", "at": {"1": "A"}},
        {"op": "chords", "bars": "1", "chords": ["C"]},
        {"op": "program", "voices": "Cello", "program": 1},
        {"op": "add_voice", "name": "Pad"},
        {"op": "meter", "meter": "6/8"},
    ]
    for step in outside:
        assert digest_outside(did(waltz, step), scope) != before, step
    for step in ({"op": "silence", "bars": "1", "voices": "Cello"}, {"op": "tempo", "bpm": 50, "bars": "1-2"}):
        assert digest_outside(did(waltz, step), scope) == before, step


def test_words_are_read_as_on_a_command_line() -> None:
    assert read_step("copy bars=1 'voices=Alto Sax'") == {"op": "copy", "bars": "1", "voices": "Alto Sax"}
    for wrong in ("", "copy bars", "copy 'bars=1"):
        with pytest.raises(LibrettoError):
            read_step(wrong)


def test_what_would_grow_beyond_a_piece_is_refused_before_it_does() -> None:
    import time

    head = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 256th | BARS: 5000\nVOICES: A\n"
    full = " ".join(f"C4@{slot}>1" for slot in range(1, 257))
    bars = "".join(f"@{bar} [C]\n" for bar in range(2, 5001))
    score = parse(f"{head}@1 [C]\n  A: {full}\n{bars}")
    began = time.process_time()
    with pytest.raises(LibrettoError, match="a piece has at most 300,000"):
        operate(score, [{"op": "copy", "bars": "1", "to": "2-5000"}])
    made = did(score, {"op": "copy", "bars": "1", "to": "2-200", "by": "chords"})
    assert len(made.table) == 200 * 256
    assert time.process_time() - began < 20  # of a busy machine; some seconds on a quiet one
