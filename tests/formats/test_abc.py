"""ABC notation: what is read, how loosely, and that every piece survives being written."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libretto.errors import FormatError, TooLarge
from libretto.formats.abc.chords import label_of, labels_of
from libretto.formats.abc.read import decode
from libretto.formats.abc.write import encode
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice
from libretto.score.played import played

SCORES = Path(__file__).resolve().parents[3] / "shared" / "scores"
HEAD = "X:1\nM:4/4\nL:1/4\nK:C\n"


def read(text: str) -> Score:
    return decode(text.encode())


def tune(body: str, head: str = HEAD) -> Score:
    return read(head + body)


def heard(score: Score, voice: int = 0) -> str:
    """The notes of a voice as name@beat>length, beats from 0."""
    return " ".join(
        f"{note.name}@{note.onset / QUARTER:g}>{note.duration / QUARTER:g}" for note in score.voices[voice].notes
    )


def facets(score: Score) -> dict[str, object]:
    """Everything that ABC keeps."""
    return {
        "notes": [[(n.onset, n.duration, n.pitch, n.spelling) for n in voice.notes] for voice in score.voices],
        "voices": [(voice.name, voice.program, voice.drums) for voice in score.voices],
        "bars": (score.bar_lines, score.first_bar),
        "meters": score.meters,
        "keys": score.keys,
        "tempos": score.tempos,
        "sections": score.sections,
        "chords": score.chords,
        "title": score.title,
    }


# Reading


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("C c c' C,|", "C4@0>1 C5@1>1 C6@2>1 C3@3>1"),
        ("C2 C/2 C/ C// C3/4|", "C4@0>2 C4@2>0.5 C4@2.5>0.5 C4@3>0.25 C4@3.25>0.75"),
        ("^F F f =F|F4|", "F#4@0>1 F#4@1>1 F5@2>1 F4@3>1 F4@4>4"),
        ("^^C __D|", "C##4@0>1 Dbb4@1>1"),
        ("C>D E<F|", "C4@0>1.5 D4@1.5>0.5 E4@2>0.5 F4@2.5>1.5"),
        ("C>>D z2|", "C4@0>1.75 D4@1.75>0.25"),
        (
            "(3C/D/E/ (3:2:2FG z5/3|",
            "C4@0>0.333333 D4@0.333333>0.333333 E4@0.666667>0.333333 F4@1>0.666667 G4@1.66667>0.666667",
        ),
        ("[CEG]2 [C2E2]|", "C4@0>2 E4@0>2 G4@0>2 C4@2>2 E4@2>2"),
        ("C2- C2-|C4|", "C4@0>8"),
        ("[CE]4-|[CE]4|", "C4@0>8 E4@0>8"),
        ("^C4-|C2 C2|", "C#4@0>6 C4@6>2"),
        ("C2-D2|", "C4@0>2 D4@2>2"),
        ("C4 & E2 G2|", "C4@0>4 E4@0>2 G4@2>2"),
        ("z C x D|Z|E4|", "C4@1>1 D4@3>1 E4@8>4"),
        ("C2 {de}C2|", "C4@0>2 D5@1.75>0.125 E5@1.875>0.125 C4@2>2"),
        ("{d}C4|", "C4@0>4"),
        ("(C D) .E ~F !trill!G2 +accent+A2|", "C4@0>1 D4@1>1 E4@2>1 F4@3>1 G4@4>2 A4@6>2"),
        ("+CE+ +C/ E/ +D|", "C4@0>1 E4@0>1 C4@1>0.5 E4@1>0.5 D4@1.5>1"),
        ("CD\\\nEF|\nG4|", "C4@0>1 D4@1>1 E4@2>1 F4@3>1 G4@4>4"),
        ("C4 % a comment\nD4|", "C4@0>4 D4@4>4"),
        ("C4|\nw: la la\nN:a note\nD4|", "C4@0>4 D4@4>4"),
    ],
)
def test_notes_are_read_as_written(body: str, expected: str) -> None:
    assert heard(tune(body)) == expected


@pytest.mark.parametrize(
    ("body", "letters"),
    [
        ("|:C4|D4:|E4|", "CDCDE"),
        ("C4|D4::E4:|", "CDCDEE"),
        ("|:C4|1D4:|2E4|]F4|", "CDCEF"),
        ("|:C4|[1 D4:|[2 E4||F4|G4:|", "CDCEFGFG"),
        ("|:C4|1,3 D4:|2 E4:|F4|", "CDCECDF"),
        ("|:C4|1 D4|2 E4|", "CDCE"),
        ("|:C4|D4|:E4:|", "CDCDEE"),
        ("|::C4::|D4|", "CCCD"),
        ("C4|\n[1D4:|[2E4||", "CDCE"),
    ],
)
def test_repeats_are_played_out(body: str, letters: str) -> None:
    assert "".join(note.name[0] for note in played(tune(body)).voices[0].notes) == letters


def test_ties_enter_both_endings() -> None:
    score = tune("|:C4-|1C2D2:|2C4|")
    assert heard(score) == "C4@0>6 D4@6>2 C4@8>4"
    assert heard(played(score)) == "C4@0>6 D4@6>2 C4@8>8"


def test_keys_and_modes() -> None:
    for text, key in {
        "Dmix": "D mixolydian",
        "Am": "A minor",
        "A dorian": "A dorian",
        "F#m": "F# minor",
        "Bb major": "Bb major",
        "none": "C major",
        "Key": "C major",
        "E♭": "Eb major",
    }.items():
        assert str(read(f"X:1\nK:{text}\nC|").key) == key
    assert heard(read("X:1\nL:1/4\nK:D =c ^g\ncfg|")) == "C5@0>1 F#5@1>1 G#5@2>1"
    assert heard(read("X:1\nL:1/4\nK:HP\ncfg|")) == "C#5@0>1 F#5@1>1 G5@2>1"


def test_meters_tempos_and_changes() -> None:
    assert read("X:1\nM:C|\nK:C\nC16|").meter == Meter(2, 2)
    assert read("X:1\nM:(2+3)/8\nK:C\nC5|").meter == Meter(5, 8)
    assert heard(read("X:1\nM:2/4\nK:C\nC|")) == "C4@0>0.25"  # a sixteenth below 3/4
    for text, micros in {"1/4=120": 500_000, "120": 500_000, "3/8=100": 400_000, '"Lively" 1/2=60': 500_000}.items():
        assert read(f"X:1\nQ:{text}\nK:C\nC|").tempos == ((0, micros),)
    score = tune("C4|[M:3/4][K:Eb][Q:1/4=60]E3|E[Q:1/4=90]E2|")
    assert score.meters == ((0, Meter(4, 4)), (4 * QUARTER, Meter(3, 4)))
    assert score.keys[1] == (4 * QUARTER, Key(-3))
    assert score.tempos[1:] == ((4 * QUARTER, 1_000_000), (8 * QUARTER, 666_667))
    assert heard(score) == "C4@0>4 Eb4@4>3 Eb4@7>1 Eb4@8>2"


def test_pickup_and_split_bars() -> None:
    score = tune("D|D4|A3:|D|F4|F3|]")
    assert score.first_bar == 0
    assert [line // QUARTER for line in score.bar_lines] == [0, 1, 5, 8, 9, 13, 16]
    assert [line // QUARTER for line in tune("D|D4|A3||D|F4|").bar_lines] == [0, 1, 5, 9, 13]
    assert tune("D4|A3|").first_bar == 1


def test_voices_stay_aligned_bar_by_bar() -> None:
    score = tune('V:1 name="Lead"\nV:2 nm="Low" clef=bass\n[V:1]C4|D5|\n[V:2]C,4|D,4|\nV:1\nE4|\nV:2\nE,4|\n')
    assert [voice.name for voice in score.voices] == ["Lead", "Low"]
    assert heard(score, 0).endswith("E4@9>4")
    assert heard(score, 1) == "C3@0>4 D3@4>4 E3@9>4"


def test_a_repeat_in_one_voice_holds_for_all() -> None:
    score = tune("V:1\n|:C4|D4:|\nV:2\nC,4|D,4|\n")
    assert len(score.voices[1].notes) == 2
    assert len(played(score).voices[1].notes) == 4


def test_directives() -> None:
    body = "V:1\n%%MIDI program 33\nC4|\nV:2\n%%MIDI channel 10\nC,,4|\n"
    score = tune(body + "V:3 transpose=-2\n%%MIDI program 2 7\nC4|\n")
    assert [(voice.program, voice.drums) for voice in score.voices] == [(33, False), (None, True), (7, False)]
    assert heard(score, 2) == "Bb3@0>4"


def test_dynamics_set_velocities() -> None:
    assert [note.velocity for note in tune("C!f!C C!pp!C|").voices[0].notes] == [80, 95, 95, 45]


def test_sections_from_parts() -> None:
    score = tune("P:A\nC4|D4|\nP:Chorus\nE4|")
    assert score.sections == ((0, "A"), (8 * QUARTER, "Chorus"))


def test_chord_symbols_split_bars() -> None:
    score = tune('"Am"A2 "F"FG|A4|"^slow""C"C3"G7"C|"Dm"D2 "Fine"D2|')
    assert score.chords == (("Am", "F"), ("F",), ("C", "C", "C", "G7"), ("Dm",))


def test_without_symbols_chords_are_heard() -> None:
    assert tune("[CEG]4|[DFA]4|").chords == (("C",), ("Dm",))


@pytest.mark.parametrize(
    ("symbol", "label"),
    [
        ("Gmin", "Gmin"),
        ("E-7", "E-7"),
        ("D/f+", "D/F#"),
        ("A7/e", "A7/E"),
        ("(E7)", "E7"),
        ("Cd", "Cdim"),
        ("C/dim", "Cdim"),
        ("B♭", "Bb"),
        ("Am7whatever", None),
        ("N.C.", "-"),
        ("f#", None),
        ("Fine", None),
        ("D.C.", None),
        ("", None),
    ],
)
def test_symbols_become_labels(symbol: str, label: str | None) -> None:
    assert label_of(symbol) == label


def test_labels_take_the_smallest_split() -> None:
    assert labels_of([(0, "C"), (60, "F")], 90, Meter(3, 4), "-") == ("C", "C", "F")
    assert labels_of([(45, "F")], 90, Meter(3, 4), "Am") == ("Am", "F")


# Loose writing

DRAFT = """Sure, here is the tune!

```abc
X:1 T:Highland Draft
M:6/8
L:1/8
Q:3/8=100
K:A
V:1 name="Pipe Lead" %%MIDI program 109
I: "A"A2e c2A | "D"dcd B2G :|

V:2 name="Strings" %%MIDI program 48
I: E2c A2F | F2D D2E :|
```
I hope that you like it | tell me!
"""


def test_a_draft_by_a_language_model_is_read() -> None:
    score = read(DRAFT)
    assert score.title == "Highland Draft"
    assert [(voice.name, voice.program) for voice in score.voices] == [("Pipe Lead", 109), ("Strings", 48)]
    assert (score.bars, score.key, score.tempos) == (2, Key(3), ((0, 400_000),))
    assert played(score).chords == (("A",), ("D",)) * 2


def test_missing_fields_and_prose_are_tolerated() -> None:
    assert heard(read("M:4/4\nK:C\nC8|\nThe end, with thanks.\n")) == "C4@0>4"
    assert heard(read("X:1\nM:Meter\nL:Unit note length\nK:Key\n|:C2D2 E2F2:|\n")).startswith("C4@0>1 D4@1>1")


def test_a_full_bar_at_the_end_of_a_line_is_a_bar() -> None:
    assert tune("CDEF\nGABc\n").bars == 2


def test_the_first_tune_with_notes_is_read() -> None:
    assert read("X:1\nT:empty\nK:C\n\nX:2\nT:full\nK:C\nC|\n\nX:3\nT:third\nK:C\nD|").title == "full"


def test_encodings() -> None:
    assert decode("\ufeffX:1\nT:Café\nK:C\nC|".encode()).title == "Café"
    assert decode("X:1\nT:Café\nK:C\nC|".encode("latin-1")).title == "Café"
    assert read("X:1\nT:Caf\\'e &amp; 100\\%\nK:C\nC|").title == "Café & 100%"


# Faults

FAULTS = ["", "hello | world", "X:1\nK:C\n", "X:1\nK:C\nC0|", "X:1\nK:C\nC/0|", "X:1\nK:C\nC" + "9" * 99]
FAULTS += ["X:1\nK:C\nC" + "," * 99, "X:1\nM:4/3\nK:C\nC|", "X:1\nL:1/0\nK:C\nC|", "X:1\nK:C\nZ999999|", "\x00\xff"]


@pytest.mark.parametrize("text", FAULTS)
def test_faults_are_one_clear_line(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("sign", ["(", "[", "{", "|", "|:", "(((3", "-", ">", "\\", "]", "^", "'", "C8|"])
def test_hostile_signs_take_bounded_time(sign: str) -> None:
    data = (HEAD + sign * (300_000 // len(sign))).encode()
    begin = process_time()
    with pytest.raises(FormatError):
        decode(data)
    assert process_time() - begin < 20


def test_too_much_is_refused() -> None:
    with pytest.raises(TooLarge):
        decode(b"(" * 10_000_000)
    with pytest.raises(TooLarge):
        tune("|::::::::: C4 ::::::::::|" * 5000)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ABCdefgz|:[]()12345/'\",^_=-><{}&!+~%\\ \nKVMLQPXTI", max_size=120), st.booleans())
def test_any_text_is_a_piece_or_a_format_error(text: str, headed: bool) -> None:
    with suppress(FormatError):
        score = read(HEAD * headed + text)
        assert facets(decode(encode(score)))["voices"] == facets(score)["voices"]


# Writing


@st.composite
def pieces(draw: st.DrawFn) -> Score:
    """Small pieces with everything that ABC keeps."""
    lines, meters = [0], []
    for bar in range(draw(st.integers(1, 5))):
        if not bar or draw(st.booleans()):
            meters.append((lines[-1], Meter(draw(st.integers(1, 13)), draw(st.sampled_from([1, 2, 4, 8, 16, 32])))))
        length = draw(st.one_of(st.just(meters[-1][1].ticks), st.integers(1, 400_000)))
        lines.append(lines[-1] + length)
    end = lines[-1]
    modes = ["major", "minor", "ionian", "aeolian", "dorian", "lydian", "locrian"]
    key = st.builds(Key, st.integers(-15, 19), st.sampled_from(modes))
    ticks = st.sets(st.integers(1, end), max_size=2).map(lambda found: sorted(found - {end}))
    labels = st.lists(st.sampled_from(["-", "C", "F#m7b5", "Bb/D", "E-7", "Cm(maj7)"]), min_size=1, max_size=4)
    names = st.text(alphabet='abÉ "%&\\$#x.', min_size=1, max_size=8).map(lambda text: "v" + text.replace(" ", "_"))
    voices = [
        Voice.of(name, draw(_notes(end)), draw(st.sampled_from([None, 0, 127])), draw(st.booleans()))
        for name in draw(st.lists(names, max_size=3, unique=True))
    ]
    return Score.build(
        voices,
        bar_lines=lines,
        meters=meters,
        keys=[(tick, draw(key)) for tick in (0, *draw(ticks))],
        tempos=[(tick, draw(st.integers(1_000, 2**24 - 1))) for tick in (0, *draw(ticks))],
        sections=[(tick, "S%\\ &" + str(tick)) for tick in lines[:-1] if draw(st.booleans())],
        chords=[draw(labels) if after - line > 1_000 else ("-",) for line, after in pairwise(lines)],
        title=draw(st.sampled_from(["", "One %% tune \\u0041", 'A "B" &amp; \\', "100%"])),
        first_bar=draw(st.integers(0, 1)),
    )


@st.composite
def _notes(draw: st.DrawFn, end: int) -> list[Note]:
    notes = []
    for _ in range(draw(st.integers(0, 8))):
        grid = draw(st.sampled_from([1, 63, 2520, 8064, 10080, 13440]))
        onset = draw(st.integers(0, (end - 1) // grid)) * grid
        duration = min(end - onset, grid * draw(st.integers(1, 20)))
        spelling = draw(st.integers(-15, 19))
        pitch = spelling * 7 % 12 + 12 * draw(st.integers(1, 8))
        notes.append(Note(onset, duration, pitch, 80, spelling))
    return notes


@settings(max_examples=250, deadline=None)
@given(pieces())
def test_every_piece_survives(score: Score) -> None:
    data = encode(score)
    assert data == encode(score)
    assert facets(decode(data)) == facets(score)


def test_a_note_that_rings_on_is_cut_and_never_lost() -> None:
    voice = Voice.of("V", [Note.named("C4", 2 * QUARTER, 9 * QUARTER)])
    assert heard(decode(encode(Score.build([voice])))) == "C4@2>2"


def test_more_than_sixteen_voices() -> None:
    voices = [Voice.of(f"V{index}", [Note.named("C4", 0, QUARTER)], index) for index in range(40)]
    score = Score.build(voices, chords=[("C",)])
    assert facets(decode(encode(score))) == facets(score)


def test_the_text_reads_well() -> None:
    notes = [Note.named(name, at * QUARTER // 3, QUARTER // 3) for at, name in enumerate(["D4", "E4", "F#4"])]
    notes += [Note.named("A4", QUARTER, 4 * QUARTER), Note.named("D3", QUARTER, QUARTER)]
    score = Score.build(
        [Voice.of("LEAD", notes, 73)], bars=2, keys=[(0, Key(2))], chords=[("D", "G"), ("D",)], title="Tune"
    )
    assert encode(score).decode() == (
        'X:1\nT:Tune\nM:4/4\nL:1/8\nQ:1/4=120\nK:D\nV:1 name="LEAD" clef=treble\n%%MIDI program 73\n'
        '% 1-2\n"D"(3DEF A2- "G"A4- & x2 D,2 x4 | "D"A2 z6 |]\n'
    )


# Beside another program


def played_by_abc2midi(text: str) -> list[tuple[int, int]]:
    symusic = pytest.importorskip("symusic")
    quiet = re.sub(r"(?m)^(K:.*)$", r"\1\n%%MIDI gchordoff\n%%MIDI chordattack 0", text, count=1)
    other = symusic.Score.from_abc(quiet)
    sixteenth = other.ticks_per_quarter / 4
    return sorted((round((n.time - 1) / sixteenth), n.pitch) for track in other.tracks for n in track.notes)


def moments(score: Score) -> list[tuple[int, int]]:
    return sorted((round(4 * n.onset / QUARTER), n.pitch) for voice in score.voices for n in voice.notes)


def test_another_program_plays_what_we_write() -> None:
    lead = [Note.named(name, at * QUARTER // 2, QUARTER) for at, name in enumerate(["C5", "C#5", "Eb5", "B4", "C4"])]
    low = [Note.named("C3", 0, 6 * QUARTER), Note.named("G2", QUARTER, QUARTER // 2)]
    score = Score.build([Voice.of("A", lead, 0), Voice.of("B", low, 33)], bars=2, keys=[(0, Key(-3))])
    assert played_by_abc2midi(encode(score).decode()) == moments(score)


@pytest.mark.shared
@pytest.mark.skipif(not SCORES.is_dir(), reason="the shared scores lie beside the checkout and are absent here")
def test_real_tunes_are_read_as_another_program_plays_them() -> None:
    """They differ only where the other program plays ornaments or takes a repeat from elsewhere."""
    agree = total = 0
    for path in sorted(SCORES.glob("*.abc")):
        text = path.read_text(encoding="latin-1")
        first = decode(text.encode("latin-1"))
        assert facets(decode(encode(first))) == facets(first)
        for one in re.split(r"(?m)^(?=X:)", text)[1:25]:
            score = decode(one.encode("latin-1"))
            assert facets(decode(encode(score))) == facets(score)
            if re.search(r'(?m)^[PR]:|^[^"\n]*\+[A-Ga-g]', one):
                continue  # parts, hornpipes that swing, and chords as they were written before 1997
            total += 1
            agree += played_by_abc2midi(one) == moments(played(score))
    assert agree >= 0.93 * total
