"""Marks in ABC: what is read of them, that the order of play is ABC's own, and that what is kept survives."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libretto.errors import TooLarge
from libretto.formats.abc import MARKS_KEPT
from libretto.formats.abc.decorations import NOTE_SIGNS, SPANS
from libretto.formats.abc.read import decode
from libretto.formats.abc.repeats import visits
from libretto.formats.abc.text import tunes_of
from libretto.formats.abc.tune import TuneReader
from libretto.formats.abc.write import encode
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.marks import Mark
from libretto.score.played import order_of, played

HEAD = "X:1\nM:4/4\nL:1/4\nK:C\n"
ALL = (
    'X:1\nM:4/4\nL:1/8\nQ:"Lively" 1/4=120\nU:W=!tenuto!\nK:G\nV:1 name="Song" clef=treble\n'
    'V:2 name="Low" clef=bass\n'
    '[V:1] |: "G""^sweet"!mf!G2 .A>B !<(!c2 ({/e}d2) !<)! | e2 Hf2 (g (a) b) c\' |1 (3Tabc u[!1!C!3!E]2- [CE]2 z2 '
    ":|2 {gf}g4 c4 ||\nw: Joy to_ the~world, | hal-le-lu | jah\nw: one two\n"
    '[V:2] C,4 C,4- | C,8 | [K:clef=alto] Wc4 d4 | [Q:"rit."] e8 ||\n'
    "[V:1] Sc2 d6-|d4 !fermata!!arpeggio![ceg]4 !fine! |]\nw: a b | * c\n[V:2] C,8 | D,8 !D.C.! |]\n"
)


def on_notes(score: Score, kind: str, voice: int = 0) -> list[tuple[float, str]]:
    return [(mark.tick / QUARTER, mark.value) for mark in score.voices[voice].marks if mark.kind == kind]


def test_everything_is_read_and_written_again() -> None:
    score = decode(ALL.encode())
    assert on_notes(score, "slur-start") == [(2.875, ""), (6.0, ""), (6.5, "2")]
    assert on_notes(score, "slur-stop") == [(3.0, ""), (6.5, ""), (7.0, "2")]
    assert on_notes(score, "grace") == [(2.875, "/"), (11.75, ""), (11.875, "")]
    assert on_notes(score, "dynamics") == [(0.0, "mf")]
    assert on_notes(score, "fingering") == [(9.0, "1"), (9.0, "3")]
    assert on_notes(score, "split") == [(9.0, str(QUARTER)), (9.0, str(QUARTER))]
    assert len(on_notes(score, "arpeggiate")) == 3
    assert len(on_notes(score, "fermata")) == 2
    assert on_notes(score, "clef", 1) == [(0.0, "F4"), (8.0, "C3")]
    assert on_notes(score, "tenuto", 1) == [(8.0, "")]
    words = [(mark.tick // QUARTER, mark.value) for mark in score.marks if mark.kind == "words"]
    assert words == [(0, "Lively"), (12, "rit.")]
    assert order_of(score) == [0, 1, 2, 0, 1, 3, 4, 5, 0, 1, 3, 4, 5]
    assert decode(encode(score)) == score
    assert decode(encode(parse(notate(score)))) == score


def test_syllables_follow_the_words() -> None:
    score = decode(ALL.encode())
    assert on_notes(score, "lyric") == [
        (0.0, "2:one"), (0.0, "Joy"), (1.0, "2:two"), (1.0, "to_"), (2.0, "the world,"),
        (4.0, "hal-"), (5.0, "-le-"), (6.0, "-lu"), (8.0, "jah"), (16.0, "a"), (17.0, "b"), (22.0, "c"),
    ]  # fmt: skip


def test_as_many_marks_as_a_plain_counter_finds() -> None:
    """The counter knows nothing of ABC but its letters."""
    body = "(C.D) ~E HF | LG (A MB) Pc | Tc ud vB (.A | G).F .E D |"
    marks = decode((HEAD + body).encode()).voices[0].marks
    for letter, kind in {"(": "slur-start", ")": "slur-stop", ".": "staccato", "~": "turn", "H": "fermata"}.items():
        assert body.count(letter) == sum(mark.kind == kind for mark in marks)
    for letter, kind in {"L": "accent", "M": "mordent", "P": "inverted-mordent", "T": "trill-mark"}.items():
        assert body.count(letter) == sum(mark.kind == kind for mark in marks)


CELLS = st.sampled_from(["C4", "D2E2", "F2-F2", "G4-", "G4", "C2", "(AB)cd", '"G"B4'])
LINES = st.sampled_from(["|", "|", "||", "|]", "|:", ":|", "::", "|1 ", ":|2 ", "[1 ", "[2 ", "|1,3 ", ":|3 ", "::|"])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CELLS, LINES), min_size=1, max_size=12))
def test_marks_say_the_order_that_abc_plays(cells: list[tuple[str, str]]) -> None:
    text = HEAD + "|:" + "".join(cell + line for cell, line in cells)
    (voice,) = TuneReader(next(tunes_of(text))).voices.values()
    expected = [
        note.pitch
        for visit in visits(voice.measures)
        for note in sorted(voice.measures[visit.measure].notes, key=lambda note: note.start)
    ]
    sounding = played(decode(text.encode()))
    pieces = [note.pitch for note in sounding.voices[0].notes]
    # Ties join notes of one pitch, so that runs of one pitch count once.
    assert re.sub(r"\b(\d+)( \1\b)+", r"\1", " ".join(map(str, pieces))) == re.sub(
        r"\b(\d+)( \1\b)+", r"\1", " ".join(map(str, expected))
    )


def _signed(signs: list[str]) -> Score:
    """A piece of so many bars, each with a note of its own and the signs told."""
    bars = "".join(f"@{at} [C] {sign}\n  V : {'CDEFGAB'[at - 1]}4@1>4\n" for at, sign in enumerate(signs, start=1))
    head = f"TITLE: R\nKEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: {len(signs)}\nVOICES: V[prog=0]\n"
    return parse(head + bars)


def _heard(score: Score) -> list[int]:
    return [note.pitch for note in played(score).voices[0].notes]


@pytest.mark.parametrize(
    "signs",
    [
        ["(|:)", "", "(ending:1) (:|) (fine)", "(ending:2) (|:)", "", "(:|) (da-capo)"],
        ["(|:)", "", "(ending:1) (:|)", "(ending:2) (|:)", "", "(:|) (da-capo)"],
        ["(|:)", "", "(ending:1) (:|)", "(ending:2) (|:) (:|)", "", ""],
        ["(|:)", "", "(ending:1) (:|)", "(ending:3)", "", ""],
    ],
)
def test_signs_stay_signs_where_endings_meet_repeats(signs: list[str]) -> None:
    score = _signed(signs)
    again = decode(encode(score))
    assert (again.bars, _heard(again)) == (len(signs), _heard(score))


SIGNS = (
    "",
    "",
    "",
    "(|:)",
    "(:|)",
    "(:|3)",
    "(ending:1)",
    "(ending:2)",
    "(ending:1,2)",
    "(fine)",
    "(da-capo)",
    "(segno)",
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SIGNS), max_size=2, unique=True).map(" ".join), min_size=1, max_size=7))
def test_what_is_played_stays_the_same_whatever_the_signs(signs: list[str]) -> None:
    score = _signed(signs)
    assert _heard(decode(encode(score))) == _heard(score)


@st.composite
def marked(draw: st.DrawFn) -> Score:
    """A melody of quarters and halves with marks of every kind that ABC keeps."""
    notes, marks, at = [], [Mark(0, "clef", draw(st.sampled_from(["G2", "F4", "C3", "C4", "G2-1"])))], 0
    signs = sorted(set(NOTE_SIGNS.values()))
    bars = draw(st.integers(3, 6))
    slur = False
    while at < 4 * bars:
        length = min(draw(st.sampled_from([1, 2])), 4 - at % 4)
        note = Note.named(draw(st.sampled_from(["C4", "F#4", "Bb4", "E5"])), at * QUARTER, length * QUARTER)
        notes.append(note)
        own = draw(st.lists(st.sampled_from(signs), max_size=2, unique=True))
        if draw(st.booleans()):
            own.append(("slur-stop", "") if slur else ("slur-start", ""))
            slur = not slur
        if draw(st.booleans()):
            text = draw(st.sampled_from(["la", "o h", "50%", "x*y", "a|b", "\\u", "&amp;"]))
            own.append(("lyric", draw(st.sampled_from(["", "2:", "3:"])) + text))
        if length == 2 and draw(st.booleans()):
            own.append(("split", str(QUARTER)))
        marks += [Mark(note.onset, kind, value, note.duration, note.pitch) for kind, value in own]
        at += length
    end = at * QUARTER
    moment = st.integers(0, 2 * at - 1).map(lambda half: half * QUARTER // 2)
    for value in draw(st.lists(st.sampled_from(["p", "mf", "sfz"]), max_size=2)):
        marks.append(Mark(draw(moment), "dynamics", value))
    for text in draw(st.lists(st.sampled_from(["dolce", 'say "x" [y]', "C.", "50%"]), max_size=2)):
        marks.append(Mark(draw(moment), "words", "to " + text))
    for kind, value in draw(st.lists(st.sampled_from(sorted(set(SPANS.values()))), max_size=3, unique=True)):
        start = draw(moment)
        marks.append(Mark(start, kind, value, draw(st.integers(0, (end - start) // QUARTER)) * QUARTER))
    piece = [Mark(0, "written"), *(Mark(draw(moment), "words", w) for w in draw(st.sampled_from([(), ("Allegro",)])))]
    last = (bars - 1) * 4 * QUARTER
    piece += draw(
        st.sampled_from(
            [
                [],
                [Mark(0, "repeat-start"), Mark(0, "repeat-end")],
                [Mark(last, "repeat-end", "3")],
                [Mark(last, "da-capo"), Mark(0, "fine")],
                [Mark(last, "dal-segno"), Mark(0, "segno"), Mark(0, "barline", "light-light")],
                [
                    Mark(4 * QUARTER, "ending", "1", 4 * QUARTER),
                    Mark(4 * QUARTER, "repeat-end"),
                    Mark(8 * QUARTER, "ending", "2", 4 * QUARTER),
                ],
            ]
        )
    )
    voice = Voice.of("Song", notes).with_marks(marks)
    return Score.build([voice], bars=bars, marks=piece, chords=[("C",)] * bars)


@settings(max_examples=60, deadline=None)
@given(marked())
def test_marked_pieces_survive(score: Score) -> None:
    again = decode(encode(score))
    assert again.marks == score.marks
    assert again.voices[0].marks == score.voices[0].marks
    assert [note[:3] for note in again.voices[0].notes] == [note[:3] for note in score.voices[0].notes]
    assert {mark.kind for mark in (*score.marks, *score.voices[0].marks)} <= MARKS_KEPT


@pytest.mark.parametrize("sign", ["(", ")", "!f!", "!<(!", ".", "H", '"^x"', "{(a}", "S"])
def test_many_signs_on_one_note_are_bounded(sign: str) -> None:
    score = decode((HEAD + sign * 2_000 + "C4|" + sign * 2_000 + "D4|").encode())
    assert len([mark for mark in score.voices[0].marks if mark.on_note]) < 500


def test_a_slur_too_many_costs_no_more_than_another_sign() -> None:
    def seconds(sign: str) -> float:
        data, times = (HEAD + sign * 100_000 + "C4|").encode(), []
        for _ in range(3):
            begin = process_time()
            decode(data)
            times.append(process_time() - begin)
        return min(times)

    assert seconds("(") < 2 * seconds(".")


def test_long_words_are_bounded() -> None:
    score = decode((HEAD + "C4|" * 50 + "\nw: " + "la- _ * | " * 5_000).encode())
    assert len(score.voices[0].marks) <= 50
    with pytest.raises(TooLarge):
        decode((HEAD + "C4|\nw: " + "la " * 600_000).encode())


def test_hairpins_are_read_in_order_of_time() -> None:
    """Over a long note they stand in a layer of their own, which is written after the notes of the bar."""
    whole = [Note.named("C4", 4 * bar * QUARTER, 4 * QUARTER) for bar in range(2)]
    notes = [*whole, Note.named("E4", 8 * QUARTER, 2 * QUARTER), Note.named("F4", 10 * QUARTER, 2 * QUARTER)]
    marks = [
        Mark(4 * QUARTER, "diminuendo", "", 5 * QUARTER),
        Mark(10 * QUARTER, "diminuendo", "", QUARTER),
    ]
    voice = Voice.of("Song", notes).with_marks(marks)
    score = Score.build([voice], bars=3, marks=[Mark(0, "written")], chords=[("C",)] * 3)
    assert decode(encode(score)).voices[0].marks == voice.marks


@pytest.mark.parametrize("end", ["F4 !D.C.! |]", "F4 |] !D.C.!", "F4 |]\n!D.C.!"])
def test_da_capo_holds_on_either_side_of_the_last_bar_line(end: str) -> None:
    score = decode((HEAD + "C4 | D4 !fine! | E4 | " + end).encode())
    assert order_of(score) == [0, 1, 2, 3, 0, 1]
    assert decode(encode(score)) == score


def test_a_piece_ends_at_the_fine_before_an_upbeat() -> None:
    text = "X:1\nM:3/4\nL:1/4\nK:C\nG | C3 | D2 !fine! || A | E3 | F2 !D.C.! |]"
    score = decode(text.encode())
    assert [note.name[0] for note in played(score).voices[0].notes] == list("GCDAEFGCD")
    again = decode(encode(score))
    assert (again.bar_lines, order_of(again)) == (score.bar_lines, order_of(score))


def test_words_after_the_last_note_of_a_bar_stand_over_it() -> None:
    score = decode((HEAD + 'C2 D2 "^Fine" || "^slow" E4 | F2 G2 "^D.C. al Fine" |]').encode())
    assert on_notes(score, "words") == [(2.0, "Fine"), (4.0, "slow"), (10.0, "D.C. al Fine")]
    assert decode(encode(score)) == score
