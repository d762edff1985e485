"""Every kind of mark is written to MusicXML and read back as it was, in scores made up for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.write import encode
from libretto.formats.syllables import Syllable, read_syllable, syllable_value
from libretto.notation.instruments import drum_spelling
from libretto.score import QUARTER, Mark, Meter, Note, Score, Voice, played
from libretto.score.marks import CREDITS, NOTE_MARKS, PIECE_MARKS, VOICE_MARKS

Q = QUARTER
G = Q // 8  # ticks of a grace note
BAR = 4 * Q
WRITTEN = Mark(0, "written")
ELSEWHERE = {"grace", "split", "staff", "tied-in", "let-ring", "lyric", "slur-start", "slur-stop"}  # tested apart
#: Values of kinds that need or may have one; every other is drawn without.
VALUES = {
    "tremolo": ["3", "start:2", "stop:2", "unmeasured:0"],
    "wavy-line": ["start", "stop", "start:2"],
    "glissando": ["start", "stop:2"],
    "slide": ["start", "stop"],
    "fingering": ["1", "5"],
    "string": ["2"],
    "fret": ["7"],
    "pluck": ["p"],
    "harmonic": ["", "natural", "artificial base-pitch"],
    "fermata": ["", "inverted", "angled", "square inverted"],
    "arpeggiate": ["", "up", "down"],
    "non-arpeggiate": ["top", "bottom"],
    "breath-mark": ["", "comma"],
    "strong-accent": ["", "down"],
    "accidental-mark": ["sharp"],
    "notehead": ["x", "diamond"],
    "hammer-on": ["start H", "stop"],
    "pull-off": ["start:2 P", "stop"],
    "other-notation": ["a sign <of> ours"],
    "other-articulation": ["x"],
}


def note(at: float, length: float, pitch: int, velocity: int = 80) -> Note:
    return Note(int(at * Q), int(length * Q), pitch, velocity, drum_spelling(pitch))


def on(n: Note, kind: str, value: str = "") -> Mark:
    return Mark(n.onset, kind, value, n.duration, n.pitch)


def facets(score: Score) -> Score:
    return replace(score, grids=Score.build(score.voices, bar_lines=score.bar_lines).grids)


def survives(score: Score) -> str:
    data = encode(score)
    back = decode(data)
    for mine, other in zip(score.voices, back.voices, strict=True):
        assert mine.marks == other.marks
        assert mine == other
    assert back.marks == score.marks
    assert facets(back) == facets(score)
    return data.decode()


def piece(*voices: Voice, marks: tuple[Mark, ...] = (), bars: int = 4) -> Score:
    return Score.build(voices, bars=bars, marks=marks)


def marked(notes: list[Note], *marks: Mark, name: str = "A") -> Voice:
    return Voice.of(name, notes).with_marks(marks)


LINE = [note(0, 1, 60), note(1, 2, 62), note(3, 3, 64), note(6, 0.5, 65), note(6.5, 1.5, 67), note(8, 4, 69)]


@pytest.mark.parametrize("standing", [False, True], ids=["by meter", "as written"])
@pytest.mark.parametrize("kind", sorted(NOTE_MARKS - ELSEWHERE))
def test_every_sign_on_a_note_survives(kind: str, standing: bool) -> None:
    for value in VALUES.get(kind, [""]):
        voice = marked(LINE, on(LINE[0], kind, value), on(LINE[2], kind, value), on(LINE[4], "staccato"))
        survives(piece(voice, marks=(WRITTEN,) if standing else ()))


@pytest.mark.parametrize("standing", [False, True], ids=["by meter", "as written"])
def test_a_sign_keeps_the_tied_note_that_it_stands_on(standing: bool) -> None:
    held = note(3, 6, 64)  # over two bar lines
    marks = [on(held, kind, f"{value}@{Q}") for kind, value in (("accent", ""), ("fermata", ""), ("tremolo", "3"))]
    marks += [on(held, "slur-stop"), on(held, "slur-start", "2"), on(held, "staccato", f"@{5 * Q}")]
    text = survives(piece(marked([note(0, 3, 60), held], *marks), marks=(WRITTEN,) if standing else ()))
    measures = ElementTree.fromstring(text).findall("part/measure")
    assert [len(measure.findall(".//accent")) for measure in measures[:3]] == [0, 1, 0]
    assert [len(measure.findall(".//slur[@type='stop']")) for measure in measures[:3]] == [0, 0, 1]


SYLLABLES = ["la", "2:la", "-la-", "la-_", "_", "12:-la_", "a\u203fb", "\\-", "\\2:x", "la\\_", "\\"]


@pytest.mark.parametrize("value", SYLLABLES)
def test_syllables_survive(value: str) -> None:
    survives(piece(marked(LINE, on(LINE[0], "lyric", value), on(LINE[1], "lyric", "3:lo"))))


@given(
    st.integers(1, 99), st.lists(st.text("ab-_:2@\\\u203f '", max_size=6), max_size=2), st.tuples(*[st.booleans()] * 3)
)
def test_any_syllable_can_be_said(verse: int, texts: list[str], how: tuple[bool, bool, bool]) -> None:
    syllable = Syllable(verse, texts, *how)
    if any(texts):
        assert read_syllable(syllable_value(syllable)) == syllable


OVER = [
    Mark(0, "dynamics", "mf"),
    Mark(Q, "dynamics", "sempre p"),
    Mark(Q + 7, "words", "dolce & <fein>"),
    Mark(0, "crescendo", "", 4 * Q),
    Mark(2 * Q, "diminuendo", "", 6 * Q, staff=2),
    Mark(4 * Q, "crescendo"),
    Mark(9 * Q, "diminuendo", "stop"),
    Mark(Q, "pedal", "line change@40320", 7 * Q),
    Mark(9 * Q, "pedal", "resume discontinue", Q),
    Mark(2 * Q, "octave-shift", "8", 2 * Q),
    Mark(5 * Q, "octave-shift", "-15", 3 * Q, staff=2),
    Mark(Q, "dashes", "", 3 * Q),
    Mark(6 * Q, "bracket", "", 3 * Q),
    Mark(0, "fermata", "barline inverted"),
    Mark(BAR, "fermata", "", BAR),
    Mark(12 * Q, "fermata", "angled", 2 * Q, staff=2),
    Mark(15 * Q, "breath-mark", "comma", Q),
    Mark(7 * Q, "string-mute", "on"),
    Mark(7 * Q, "other-direction", "tap the box"),
    Mark(16 * Q - 1, "words", "the end"),
]


@pytest.mark.parametrize("standing", [False, True], ids=["by meter", "as written"])
def test_everything_over_a_voice_survives_alone_and_together(standing: bool) -> None:
    whole = (WRITTEN,) if standing else ()
    for mark in OVER:
        survives(piece(marked([note(0, 1, 72), note(8, 4, 48)], Mark(0, "staves", "2"), mark), marks=whole))
    survives(piece(marked([note(0, 1, 72), note(8, 4, 48)], Mark(0, "staves", "2"), *OVER), marks=whole))


def test_clefs_stand_where_marks_say_also_under_held_notes() -> None:
    clefs = [Mark(0, "clef", "G2"), Mark(0, "clef", "F4-1", staff=2), Mark(Q, "clef", "C3", staff=2)]
    clefs += [Mark(5 * Q, "clef", "G2+1"), Mark(8 * Q, "clef", "percussion"), Mark(16 * Q - 1, "clef", "tab")]
    text = survives(piece(marked([note(0, 16, 72)], Mark(0, "staves", "2"), *clefs), marks=(WRITTEN,)))
    assert text.count("<clef") - text.count("<clef-") == len(clefs)


def test_a_voice_without_clefs_has_those_that_we_choose() -> None:
    own, ours = marked(LINE, Mark(0, "clef", "C4")), Voice.of("B", LINE)
    text = survives(piece(own, ours, marks=(WRITTEN,)))
    assert text.count("<sign>C</sign><line>4</line>") == 1
    assert text.count("<sign>G</sign><line>2</line>") == 1


def test_notes_stand_on_the_staff_that_marks_say() -> None:
    low, high, held = note(0, 1, 48), note(0, 1, 72), note(3, 2, 50)
    twin = [note(8, 1, 60), note(8, 1, 60)]
    marks = [Mark(0, "staves", "2"), on(low, "staff", "1"), on(high, "staff", "2")]
    marks += [on(held, "staff", f"1@{Q}"), on(twin[0], "staff", "2")]
    text = survives(piece(marked([low, high, held, *twin], *marks), marks=(WRITTEN,)))
    notes = ElementTree.fromstring(text).findall("part/measure/note")
    staves = [(n.findtext("pitch/octave"), n.findtext("staff")) for n in notes if n.find("pitch") is not None]
    assert sorted(staves) == [("3", "1"), ("3", "1"), ("3", "2"), ("4", "1"), ("4", "2"), ("5", "2")]


def test_grace_notes_are_written_before_and_after_their_notes() -> None:
    def grace(end: int, pitch: int, value: str) -> tuple[Note, Mark]:
        small = Note(end - G, G, pitch, 80, drum_spelling(pitch))
        return small, on(small, "grace", value)

    main = [note(0, 4, 60), note(4, 2, 62), note(6, 2, 64), note(12, 4, 65)]
    smalls = [grace(G, 72, "/"), grace(BAR, 72, "16"), grace(BAR - G, 74, "16"), grace(6 * Q, 71, "4/")]
    smalls += [grace(8 * Q, 70, "after"), grace(8 * Q, 75, "32/after"), grace(10 * Q, 76, "")]
    notes, marks = [*main, *(n for n, _ in smalls)], [m for _, m in smalls]
    marks += [on(notes[4], "slur-start"), on(main[0], "slur-stop"), on(notes[5], "accent")]
    for whole in ((), (WRITTEN,)):
        text = survives(piece(marked(notes, *marks), marks=whole))
        measures = ElementTree.fromstring(text).findall("part/measure")
        assert [len(measure.findall("note/grace")) for measure in measures] == [1, 5, 1, 0]
        assert measures[0].find("note/grace") is not None
        assert measures[0].find("note") is measures[0].find("note/grace/..")


def test_lengths_stand_as_written_and_ties_only_where_they_are() -> None:
    syncopated = [note(0, 0.5, 60), note(0.5, 3, 62), note(3.5, 0.5, 64), note(4, 3, 65), note(7, 1, 67)]
    split = on(syncopated[3], "split", str(Q))
    text = survives(piece(marked(syncopated, split), marks=(WRITTEN,)))
    assert text.count('<tied type="start"') == 1
    by_meter = survives(piece(Voice.of("A", syncopated))).count('<tied type="start"')
    assert survives(piece(Voice.of("A", syncopated), marks=(WRITTEN,))).count('<tied type="start"') == 0 < by_meter


def test_lengths_that_no_sign_has_are_tied_by_us_and_come_back_whole() -> None:
    odd = [note(0, 2.5, 60), note(2.5, 1.5, 62), note(4, 1.25, 64)]
    text = survives(piece(marked(odd, on(odd[0], "accent")), Voice.of("B", odd), marks=(WRITTEN,)))
    assert text.count('line-type="solid"') == 4


@pytest.mark.parametrize("parts", [3, 5, 6, 7, 9])
def test_tuplets_are_drawn_from_lengths(parts: int) -> None:
    step = Q // parts if Q % parts == 0 else Q // 3
    notes = [Note(index * step, step, 60 + index, 80, drum_spelling(60 + index)) for index in range(parts)]
    notes.append(Note(3 * Q, 2 * Q // 3, 72, 80, 0))
    text = survives(piece(marked(notes, on(notes[0], "accent")), marks=(WRITTEN,)))
    drawn = ElementTree.fromstring(text).find("part/measure/note/time-modification")
    assert drawn is not None
    assert drawn.findtext("actual-notes") in ("3", str(parts))
    assert text.count('type="start" bracket') == text.count('<tuplet number="1" type="stop"')


def test_ties_that_lead_nowhere_survive() -> None:
    first, second = note(0, 2, 60), note(8, 2, 62)
    text = survives(piece(marked([first, second], on(first, "let-ring"), on(second, "tied-in"))))
    assert text.count('<tie type="start"/>') == text.count('<tie type="stop"/>') == 1
    survives(piece(marked([first], on(first, "let-ring", "lv")), marks=(WRITTEN,)))


def test_unison_notes_of_two_layers_are_both_kept() -> None:
    twins = [note(0, 1, 60, 80), note(0, 1, 60, 80), note(1, 1, 60, 70), note(1, 2, 60, 80)]
    for whole in ((), (WRITTEN,)):
        survives(piece(marked(twins, on(twins[0], "accent"), Mark(0, "clef", "G2")), marks=whole))


ORDER = (
    Mark(0, "repeat-start"),
    Mark(0, "ending", "1,2", BAR),
    Mark(0, "repeat-end", "3"),
    Mark(BAR, "ending", "3", 2 * BAR),
    Mark(0, "segno"),
    Mark(BAR, "coda"),
    Mark(BAR, "to-coda"),
    Mark(2 * BAR, "fine"),
    Mark(2 * BAR, "dal-segno"),
    Mark(3 * BAR, "da-capo"),
    Mark(BAR, "barline", "light-light"),
    Mark(3 * BAR, "barline", "dashed"),
    Mark(0, "words", "Allegro & più"),
    Mark(Q, "words", "rit."),
    Mark(BAR, "swing", "2:1"),
    Mark(2 * BAR, "movement"),
    *(Mark(0, kind, "A. Name & Co. (1900)") for kind in CREDITS),
)


def test_every_mark_of_a_piece_survives_alone_and_together() -> None:
    assert {mark.kind for mark in ORDER} | {"written"} == set(PIECE_MARKS)
    for whole in ((), (WRITTEN,)):
        for mark in ORDER:
            survives(piece(Voice.of("A", LINE), Voice.of("B", LINE), marks=(*whole, mark)))
        survives(piece(Voice.of("A", LINE), Voice.of("B", LINE), marks=(*whole, *ORDER)))


def test_words_of_others_order_the_play_and_ours_are_only_words() -> None:
    bar = "<measure><note><pitch><step>C</step><octave>4</octave></pitch><duration>4</duration></note>{}</measure>"
    fine = bar.format("<direction><direction-type><words>D.C. al Fine</words></direction-type></direction>")
    data = f"<score-partwise><part id='P1'>{bar.format('')}{fine}</part></score-partwise>".encode()
    score = decode(data)
    assert [mark.kind for mark in score.marks] == ["written", "da-capo"]
    assert [mark.value for mark in score.voices[0].marks if mark.kind == "words"] == ["D.C. al Fine"]
    assert played(score).bars == 4
    survives(score)
    survives(piece(marked(LINE, Mark(Q, "words", "Fine"), Mark(BAR, "words", "Chorus"))))


kinds_on_notes = st.sampled_from(sorted(NOTE_MARKS - ELSEWHERE | {"lyric"}))
kinds_over = st.sampled_from(sorted(VOICE_MARKS - NOTE_MARKS - {"clef", "staves", "harp-pedals", "percussion"}))


@st.composite
def voices(draw: st.DrawFn, name: str) -> Voice:
    step = draw(st.sampled_from([Q, Q // 2, Q // 3, Q // 4]))
    lengths = draw(st.lists(st.integers(1, 9), min_size=1, max_size=10))
    notes, at = [], 0
    for length in lengths:
        pitch = draw(st.integers(40, 90))
        notes.append(Note(at, length * step, pitch, 80, drum_spelling(pitch)))
        at += draw(st.sampled_from([length * step, length * step, 0, length * step + step]))
        if at >= 15 * Q:
            break
    marks = set()
    for n in notes:
        for kind in draw(st.lists(kinds_on_notes, max_size=2)):
            marks.add(on(n, kind, draw(st.sampled_from(VALUES.get(kind, ["la-"] if kind == "lyric" else [""])))))
    for start, stop in pairwise(notes):
        if draw(st.integers(0, 5)) == 0 and stop.onset > start.onset:
            marks |= {on(start, "slur-start"), on(stop, "slur-stop")}
    return Voice.of(name, notes).with_marks(marks)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(voices("A"), voices("B")), st.booleans(), st.sets(st.sampled_from(ORDER)))
def test_any_small_score_with_marks_survives(parts: tuple[Voice, Voice], standing: bool, order: set[Mark]) -> None:
    survives(piece(*parts, marks=(*((WRITTEN,) if standing else ()), *order), bars=4))


def test_a_pickup_and_a_change_of_meter_keep_their_marks() -> None:
    lines = (0, Q, 5 * Q, 8 * Q)
    voice = marked(
        [note(0, 1, 60), note(1, 4, 62), note(5, 3, 64)], Mark(Q, "dynamics", "p"), Mark(5 * Q, "clef", "F4")
    )
    meters = ((0, Meter(4, 4)), (5 * Q, Meter(3, 4)))
    marks = (WRITTEN, Mark(Q, "repeat-start"), Mark(5 * Q, "repeat-end"))
    survives(Score.build([voice], bar_lines=lines, meters=meters, first_bar=0, marks=marks))
