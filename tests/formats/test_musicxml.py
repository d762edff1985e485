"""MusicXML both ways: what was written comes back, what is hostile is refused, what is engraved is sane."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libretto.errors import FormatError, TooLarge
from libretto.formats.format import formats
from libretto.formats.musicxml import MUSICXML, MXL
from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.write import encode, encode_mxl
from libretto.notation.instruments import drum_at, drum_of, drum_spelling
from libretto.notation.marks import needed_labels, split_labels
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice, hear_chords, played
from libretto.score.keys import MODES
from libretto.score.pitch import pitch_class_of
from libretto.score.repeats import Signs, play_order

SHARED = Path(__file__).resolve().parents[3] / "shared" / "scores"
FILES = [path for path in sorted(SHARED.glob("*.mxl")) if not path.name.startswith("quartet")]  # those are long
Q = QUARTER


def note(onset: float | Fraction, length: float | Fraction, pitch: int, velocity: int = 80) -> Note:
    return Note(int(onset * Q), int(length * Q), pitch, velocity, drum_spelling(pitch))


def run(lengths: list[Fraction], at: Fraction = Fraction(0), pitch: int = 60) -> list[Note]:
    notes = []
    for index, length in enumerate(lengths):
        notes.append(note(at, length, pitch + index))
        at += length
    return notes


def facets(score: Score) -> Score:
    """The score with the grids that its notes call for: all that may change on the way."""
    return replace(score, grids=Score.build(score.voices, bar_lines=score.bar_lines).grids)


def survives(score: Score) -> bytes:
    data = encode(score)
    assert facets(decode(data)) == facets(score)
    assert encode(score) == data
    return data


def partwise(*measures: str, listing: str = "", head: str = "") -> bytes:
    bars = "".join(m if m.startswith("<measure") else f"<measure>{m}</measure>" for m in measures)
    return (
        f"<score-partwise>{head}<part-list><score-part id='P1'><part-name>X</part-name>{listing}</score-part>"
        f"</part-list><part id='P1'>{bars}</part></score-partwise>"
    ).encode()


def sung(step: str = "C", octave: int = 4, duration: int = 4, inside: str = "", attributes: str = "") -> str:
    pitch = f"<pitch><step>{step}</step><octave>{octave}</octave></pitch>"
    return f"<note {attributes}>{pitch}<duration>{duration}</duration>{inside}</note>"


HEAD = "<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>"

KIT = [
    *(note(Fraction(i, 2), Fraction(1, 2), 42) for i in range(16)),
    *(note(i, 1, 36) for i in (0, 2, 4, 6)),
    *(note(i, 1, 38, 100) for i in (1, 3, 5, 7)),
    note(0, 4, 49),
]
THIRD = Fraction(1, 3)
SCORES = {
    "drums": Score.build([Voice.of("Kit", KIT, drums=True)], title="Kit & <Co>"),
    "drum spellings": Score.build([Voice.of("D", [Note(0, Q, 38, 80, -10), Note(Q, Q, 0, 80, 12)], drums=True)]),
    "triplets and sixteenths": Score.build(
        [
            Voice.of(
                "A", [*run([THIRD] * 3), *run([Fraction(1, 4)] * 4, Fraction(1)), *run([2 * THIRD] * 3, Fraction(2))]
            )
        ]
    ),
    "tied triplet": Score.build([Voice.of("A", run([1 + THIRD, THIRD, THIRD, THIRD / 2, THIRD / 2, 5 * THIRD]))]),
    "quintuplets": Score.build(
        [
            Voice.of(
                "A",
                [
                    *run([Fraction(1, 5)] * 5),
                    *run([Fraction(1, 7)] * 7, Fraction(1)),
                    *run([Fraction(1, 9)] * 9, Fraction(2)),
                ],
            )
        ]
    ),
    "pickup": Score.build(
        [Voice.of("X", run([Fraction(1), Fraction(3), Fraction(1)]))], bar_lines=[0, Q, 5 * Q, 8 * Q], first_bar=0
    ),
    "sixteen voices": Score.build(
        [Voice.of(f"V{i}", [note(j, 1, 40 + i * 3) for j in range(8)], program=i * 8 % 128) for i in range(16)]
    ),
    "overlaps": Score.build(
        [
            Voice.of(
                "P",
                [note(0, 4, 48), note(1, 2, 60), note(1.5, 3, 64), note(2, 12, 67), note(2, 1, 72), note(2, 1, 72, 9)],
                program=0,
            )
        ],
        bars=5,
    ),
    "ringing": Score.build([Voice.of("P", [note(0, 40, 48), note(3, 30, 72)], program=0)], bars=2),
    "changes": Score.build(
        [Voice.of("P", [note(i, 1, 60) for i in range(16)]), Voice.of("Q", [note(0, 16, 50)])],
        tempos=[
            (0, 500_000),
            (Q // 3, 512_345),
            (5 * Q, 400_001),
            (7 * Q + 1, 2**24 - 1),
            (9 * Q, 1_000),
            (10 * Q, 1_000),
        ],
        keys=[(0, Key(2)), (4 * Q, Key(-1, "minor")), (9 * Q, Key(1, "dorian")), (10 * Q + Q // 3, Key(3, "locrian"))],
        meters=[(0, Meter(4, 4)), (8 * Q, Meter(3, 4)), (11 * Q, Meter(3, 4))],
        sections=[(0, "Verse <1>"), (8 * Q, "B")],
    ),
    "labels": Score.build(
        [Voice.of("P", [note(0, 1, 60)])],
        chords=[
            ["-"],
            ["F", "G7"],
            ["Am", "Dm", "Gsus4"],
            ["C6/9/E", "C7(b9,#11)", "C", "C", "C"],
            ["C", "C"],
            ["C"],
            ["-"],
            [
                "Cmin7",
                "C-7",
                "Cmaj",
                "Cm7b5",
                "Co7",
                "C7alt",
                "Caug79",
                "Fadd9",
                "Gno3",
                "DmMaj9",
                "Bb7sus4",
                "A69",
                "C/C",
            ],
        ],
        bars=8,
    ),
    "odd bars": Score.build(
        [
            Voice.of(
                "P",
                [Note(0, 1, 60), Note(1, 17, 62, 80, 2), Note(1000, 12345, 64, 3, 4), Note(77777, 100001, 60)],
                program=0,
            )
        ],
        bar_lines=[0, 1001, 90001, 90002, 200000],
    ),
    "no voices": Score.build([], bars=3),
    "silence": Score.build([Voice.of("Z"), Voice.of("D", drums=True, program=3)], bars=3),
    "spellings": Score.build(
        [Voice.of("S", [Note(0, Q, 66, 80, -6), Note(Q, Q, 66, 80, 6), Note(2 * Q, Q, 60, 80, 12)])]
    ),
}


@pytest.mark.parametrize("name", SCORES)
def test_every_facet_but_the_grids_survives(name: str) -> None:
    survives(SCORES[name])
    assert facets(decode(encode_mxl(SCORES[name]))) == facets(SCORES[name])


def test_a_note_may_ring_for_ever() -> None:
    survives(Score.build([Voice.of("P", [note(0, 5000, 48), note(1, 1, 60)])]))


@pytest.mark.parametrize("meter", ["3/4", "6/8", "5/4", "7/8", "12/8", "2/2", "3/8", "4/8", "6/4", "255/64"])
def test_every_meter_survives(meter: str) -> None:
    lengths = [Fraction(n, 4) for n in (1, 2, 3, 4, 5, 6, 7, 1, 9, 10, 3, 3)]
    notes = run(lengths)[::2]
    survives(Score.build([Voice.of("X", notes, program=0)], meters=[(0, Meter.parse(meter))]))


@st.composite
def scores(draw: st.DrawFn) -> Score:
    """Small pieces in which anything may happen."""
    tick = draw(st.sampled_from([Q, Q // 2, Q // 3, Q // 4, Q // 5, Q // 12, 315, 630, 1]))
    lines = [0]
    for _ in range(draw(st.integers(1, 4))):
        lines.append(lines[-1] + draw(st.sampled_from([4 * Q, 3 * Q, 7 * Q // 2, Q, 12345])))
    voices = []
    for index in range(draw(st.integers(0, 3))):
        notes = []
        for _ in range(draw(st.integers(0, 6))):
            onset = draw(st.integers(0, (lines[-1] - 1) // tick)) * tick
            length = draw(st.integers(1, 20)) * tick
            spelling = draw(st.integers(-15, 19))
            pitch = pitch_class_of(spelling) + 12 * draw(st.integers(1, 9))
            notes.append(Note(onset, length, pitch, draw(st.integers(1, 127)), spelling))
        program = draw(st.sampled_from([None, 0, 40, 127]))
        name = draw(st.sampled_from(["Ä&b", "Vox <1>", "x"]))
        voices.append(Voice.of(f"{name} {index}", notes, program, draw(st.booleans())))
    key = st.builds(Key, st.integers(-8, 10), st.sampled_from(sorted(MODES)))
    ticks = st.sets(st.integers(1, lines[-1] - 1), max_size=2)
    on_lines = st.sets(st.sampled_from(lines[:-1]), max_size=3)
    meter = st.sampled_from([Meter(4, 4), Meter(6, 8), Meter(5, 4)])
    label = st.sampled_from(["-", "C", "Gm7", "F#m7b5", "Bb/D", "Ebmaj7", "Asus4"])
    return Score.build(
        voices,
        bar_lines=lines,
        meters=[(at, draw(meter)) for at in sorted({0, *draw(on_lines)})],
        keys=[(at, draw(key)) for at in sorted({0, *draw(ticks)})],
        tempos=[(at, draw(st.integers(1_000, 2**24 - 1))) for at in sorted({0, *draw(ticks)})],
        sections=[(at, draw(st.sampled_from(["A", "Verse 2"]))) for at in sorted(draw(on_lines))],
        chords=[draw(st.lists(label, min_size=1, max_size=5)) for _ in lines[1:]],
        title=draw(st.sampled_from(["", "A <Title> & more"])),
        first_bar=draw(st.sampled_from([0, 1])),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scores())
def test_any_small_score_survives(score: Score) -> None:
    survives(score)


@given(st.lists(st.sampled_from(["C", "G", "-"]), min_size=1, max_size=20), st.sampled_from([None, "C", "-"]))
def test_labels_need_no_more_than_their_changes(labels: list[str], carried: str | None) -> None:
    assert split_labels(needed_labels(labels, carried, 4), carried, 4) == tuple(labels)


def test_the_formats_are_registered() -> None:
    assert formats["musicxml"] is MUSICXML
    assert formats["mxl"] is MXL
    assert MUSICXML.suffixes == (".musicxml", ".xml")
    assert MXL.suffixes == (".mxl",)
    assert MUSICXML.loses == MXL.loses == {"grids"}


def test_drum_keys_have_places_of_their_own() -> None:
    assert len({drum_of(key)[:3] for key in range(35, 82)}) == 47
    assert all(drum_at(*drum_of(key)[:3]) == key for key in range(35, 82))
    assert drum_of(36)[:2] == ("F", 4)
    assert drum_of(42).head == "x"


# --- reading what others write ---


def test_ties_chords_backup_and_rests() -> None:
    tied = '<tie type="{}"/>'
    score = decode(
        partwise(
            HEAD
            + sung(duration=2)
            + sung("E", duration=2, inside="<chord/>")
            + sung("G", duration=2, inside=tied.format("start"))
            + "<backup><duration>4</duration></backup><forward><duration>1</duration></forward>"
            + sung("A", 3, 1),
            sung("G", duration=3, inside=tied.format("stop")) + "<note><rest/><duration>1</duration></note>",
        )
    )
    assert [(n.onset // Q, n.duration // Q, n.name) for n in score.voices[0].notes] == [
        (0, 2, "C4"),
        (0, 2, "E4"),
        (1, 1, "A3"),
        (2, 5, "G4"),
    ]


def test_grace_notes_stand_before_their_note_and_inside_the_piece() -> None:
    grace = "<note><grace/><pitch><step>D</step><octave>5</octave></pitch></note>"
    notes = decode(partwise(HEAD + grace + grace + sung(duration=2) + grace + sung(duration=2))).voices[0].notes
    assert [n.onset for n in notes if n.pitch == 74] == [0, Q // 8, 2 * Q - Q // 8]
    assert {n.duration for n in notes if n.pitch == 74} == {Q // 8}


def test_transposing_parts_sound_where_they_sound() -> None:
    down = "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    clarinet = f"<attributes><divisions>1</divisions><key><fifths>2</fifths></key>{down}</attributes>"
    score = decode(partwise(clarinet + sung("E")))
    assert score.voices[0].notes[0].name == "D4"
    assert score.key.signature == 0


def test_cue_notes_are_silent_and_take_their_time() -> None:
    score = decode(partwise(HEAD + sung(duration=1, inside="<cue/>") + sung("D", duration=3)))
    assert [(n.onset // Q, n.name) for n in score.voices[0].notes] == [(0, "C4"), (1, "D4")]
    assert [(n.onset // Q, n.name) for n in played(score).voices[0].notes] == [(1, "D4")]


def test_divisions_off_our_clock_do_not_drift() -> None:
    triplets = "<attributes><divisions>11</divisions></attributes>" + sung(duration=1) * 44
    score = decode(partwise(triplets))
    assert score.bar_lines == (0, 4 * Q)
    assert sum(n.duration for n in score.voices[0].notes) == 4 * Q


def test_tempo_and_dynamics() -> None:
    loud = '<sound tempo="90" dynamics="100"/>'
    half = "<metronome><beat-unit>half</beat-unit><per-minute>c. 60</per-minute></metronome>"
    mark = f"<direction><direction-type>{half}</direction-type></direction>"
    score = decode(partwise(HEAD + sung(duration=1) + loud + sung(duration=3), mark + sung(attributes='dynamics="50"')))
    assert score.tempos == ((0, 500_000), (Q, 666_667), (4 * Q, 500_000))
    assert [n.velocity for n in score.voices[0].notes] == [80, 90, 45]


def test_names_are_made_legal_and_unique() -> None:
    listing = "".join(f'<score-part id="P{i}"><part-name>Solo, [1]</part-name></score-part>' for i in range(2))
    rest = "<note><rest/><duration>1</duration></note>"
    music = "".join(f'<part id="P{i}"><measure>{rest}</measure></part>' for i in range(2))
    score = decode(f"<score-partwise><part-list>{listing}</part-list>{music}</score-partwise>".encode())
    assert [voice.name for voice in score.voices] == ["Solo 1", "Solo 1 #2"]


def test_percussion_without_midi_numbers_is_placed_by_the_staff() -> None:
    place = "<display-step>C</display-step><display-octave>5</display-octave>"
    score = decode(partwise(f"{HEAD}<note><unpitched>{place}</unpitched><duration>4</duration></note>"))
    assert score.voices[0].drums
    assert score.voices[0].notes[0].pitch == 38


def test_programs_count_from_one() -> None:
    listing = "<midi-instrument id='I'><midi-channel>2</midi-channel><midi-program>41</midi-program></midi-instrument>"
    assert decode(partwise(sung(), listing=listing)).voices[0].program == 40
    assert decode(partwise(sung())).voices[0].program is None


def harmony(root: str, kind: str, more: str = "") -> str:
    return f"<harmony><root><root-step>{root}</root-step></root><kind>{kind}</kind>{more}</harmony>"


def test_harmony_becomes_labels_that_hold_on() -> None:
    ninth = "<degree-value>9</degree-value><degree-alter>-1</degree-alter><degree-type>add</degree-type>"
    flat = f"<degree>{ninth}</degree>"
    bass = "<bass><bass-step>E</bass-step></bass>"
    score = decode(
        partwise(
            HEAD + harmony("C", "major-seventh") + sung(),
            harmony("D", "minor-seventh") + sung(duration=2) + harmony("G", "dominant", flat) + sung(duration=2),
            sung(),
            sung(duration=3) + harmony("C", "major", bass) + sung(duration=1),
            harmony("C", "none") + sung(),
        )
    )
    assert score.chords == (("Cmaj7",), ("Dm7", "G7b9"), ("G7b9",), ("G7b9", "G7b9", "G7b9", "C/E"), ("-",))


def test_a_piece_without_symbols_is_heard() -> None:
    triad = sung() + sung("E", inside="<chord/>") + sung("G", inside="<chord/>")
    score = decode(partwise(HEAD + triad))
    assert score.chords == hear_chords(score) == (("C",),)


def test_a_first_bar_that_is_short_is_a_pickup() -> None:
    assert decode(partwise(HEAD + sung(duration=1), sung())).first_bar == 0
    assert decode(partwise("<measure number='1'>" + HEAD + sung() + "</measure>", sung())).first_bar == 1


def test_timewise_reads_like_partwise() -> None:
    listing = "<part-list><score-part id='P1'><part-name>X</part-name></score-part></part-list>"
    bars = "".join(f"<measure><part id='P1'>{HEAD}{sung(step)}</part></measure>" for step in "CD")
    timewise = decode(f"<score-timewise>{listing}{bars}</score-timewise>".encode())
    assert timewise == decode(partwise(HEAD + sung("C"), HEAD + sung("D")))


def test_a_file_without_notes_reads() -> None:
    assert decode(partwise(HEAD)).bars == 1
    assert decode(b"<score-partwise><part-list/></score-partwise>").bars == 1


def played_letters(text: str) -> str:
    """Bars as letters with signs: repeats, endings, $ segno, ! fine, C da capo, S dal segno, T to coda, Q coda."""
    bars, names = [], []
    for word in text.split():
        names.append(word.strip("|:123!$CSQT"))
        bars.append(
            Signs(
                forward=word.startswith("|:"),
                backward=2 if word.endswith(":|") else 0,
                ending=frozenset(int(c) for c in word if c.isdigit()),
                segno="$" in word,
                fine="!" in word,
                da_capo="C" in word,
                dal_segno="S" in word,
                to_coda="T" in word,
                coda="Q" in word,
            )
        )
    return "".join(names[index] for index in play_order(bars))


@pytest.mark.parametrize(
    ("written", "sounding"),
    [
        ("a b c", "abc"),
        ("a b:| c", "ababc"),
        ("a |:b c:| d", "abcbcd"),
        ("a:| b:| c", "aabbc"),
        ("|:a 1b:| 2c d", "abacd"),
        ("|:a 12b:| 3c d", "ababacd"),
        ("|:a 1b:| 3c d", "abacd"),
        ("a 1b c", "abc"),
        ("a 2b c:|", "abcabc"),
        ("a b! c dC", "abcdab"),
        ("a b$ cT d eS fQ g", "abcdebcfg"),
        ("|:a b!:| |:c dC:|", "ababcdcdab"),
        ("|:a 1b!:| |:2c dC:|", "abacdcdab"),
        ("aC", "aa"),
    ],
)
def test_order_of_play(written: str, sounding: str) -> None:
    assert played_letters(written) == sounding


def test_movements_are_played_one_by_one() -> None:
    bars = [Signs(), Signs(backward=2), Signs(movement=True), Signs(da_capo=True)]
    assert play_order(bars) == [0, 1, 0, 1, 2, 3, 2, 3]


def test_repeats_are_written_out_with_what_held_there() -> None:
    back = "<barline><repeat direction='backward'/></barline>"
    score = decode(partwise(HEAD + '<sound tempo="60"/>' + sung("C"), '<sound tempo="120"/>' + sung("D") + back))
    assert [n.name for n in score.voices[0].notes] == ["C4", "D4"]
    score = played(score)
    assert [n.name for n in score.voices[0].notes] == ["C4", "D4", "C4", "D4"]
    assert [micros for _, micros in score.tempos] == [1_000_000, 500_000, 1_000_000, 500_000]


# --- hostile input ---

LAUGHS = b'<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;">]><score-partwise>&m;</score-partwise>'
ATTRIBUTES = b'<!DOCTYPE a [<!ATTLIST a b CDATA "long">]><a/>'


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def container(path: str) -> bytes:
    return f'<container><rootfiles><rootfile full-path="{path}"/></rootfiles></container>'.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   ",
        b"MThd",
        b"<html></html>",
        b"<score-partwise>",
        b"<opus/>",
        LAUGHS,
        ATTRIBUTES,
        b"<a>" * 100_000,
        b'<?xml version="1.0" encoding="nonsense"?><a/>',
        partwise(sung(duration=-1)),  # type: ignore[arg-type]
        partwise("<attributes><divisions>0</divisions></attributes>"),
        partwise("<attributes><divisions>1e99999</divisions></attributes>"),
        partwise(sung("H")),
        partwise("<note><pitch/><duration>1</duration></note>"),
        partwise("<note><pitch><step>C</step><octave>999999999</octave></pitch><duration>1</duration></note>"),
        partwise("<note><pitch><step>C</step><octave>-40</octave></pitch><duration>1</duration></note>"),
        partwise(sung(duration=10**11) * 20_000),
        b"PK\x03\x04 not really",
        zipped({}),
        zipped({"a.xml": b"<a/>", "b.xml": b"<a/>"}),
        zipped({"META-INF/container.xml": container("../x.xml")}),
        zipped({"META-INF/container.xml": container("missing.xml")}),
        zipped({"META-INF/container.xml": LAUGHS}),
        zipped({"score.xml": zipped({"score.xml": b"<a/>"})}),
        encode_mxl(SCORES["pickup"])[:-30],
        encode_mxl(SCORES["pickup"])[:300] + b"\0" * 50 + encode_mxl(SCORES["pickup"])[350:],
    ],
)
def test_what_is_malformed_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        decode(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        zipped({"score.xml": b"<a>" + b" " * (70 * 2**20) + b"</a>"}),
        b"<score-partwise>" + b"<part/>" * 1_100_000 + b"</score-partwise>",
        zipped({f"{index}.xml": b"" for index in range(1_100)}),
        partwise(*(["<barline/>"] * 20_001)),
    ],
    ids=["bomb", "elements", "entries", "bars"],
)
def test_what_is_too_large_is_refused(data: bytes) -> None:
    with pytest.raises(TooLarge):
        decode(data)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_is_never_a_crash(data: st.DataObject) -> None:
    whole = bytearray(encode(SCORES["changes"]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(300, len(whole) - 1))
        stop = at + data.draw(st.integers(0, 9))
        whole[at:stop] = data.draw(st.sampled_from([b"", b"0", b"-9", b"<a/>", b"&", b"9999"]))
    with suppress(FormatError):
        decode(bytes(whole))


# --- music and engraving that lie elsewhere ---


@pytest.mark.shared
@pytest.mark.parametrize("path", FILES or [None], ids=lambda path: path.stem if path else "none")
def test_real_scores_survive(path: Path | None) -> None:
    if path is None:
        pytest.skip("no scores lie beside the checkout")
    score = decode(path.read_bytes())
    assert len(score.table) > 40
    survives(score)


@pytest.mark.parametrize("name", SCORES)
def test_an_engraver_has_nothing_to_complain_about(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    verovio = pytest.importorskip("verovio", reason="the engraver is an optional dependency")
    verovio.enableLog(verovio.LOG_WARNING)
    toolkit = verovio.toolkit()
    assert toolkit.loadData(encode(SCORES[name]).decode())
    for page in range(toolkit.getPageCount()):
        assert "<svg" in toolkit.renderToSVG(page + 1)
    assert capfd.readouterr().err == ""


def test_a_score_of_too_many_notes_is_refused_before_it_is_read() -> None:
    with pytest.raises(TooLarge, match="notes"):
        decode(b"<score-partwise>" + b"<note></note>" * 100_001 + b"</score-partwise>")
