"""Sheet music: an engraver has nothing to complain about, plays the same notes, and a reader finds the place."""

from __future__ import annotations

import base64
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from libretto import engraving, parse, read
from libretto.engraving import A4, Engraving, Paper, engrave, pages_svg, set_music, timemap
from libretto.engraving.pages import _toolkit
from libretto.errors import FormatError, LibrettoError, TooLarge
from libretto.formats.musicxml.write import encode
from libretto.notation.instruments import drum_of
from libretto.notation.legible import legible
from libretto.notation.sheet import SheetStyle
from libretto.score import QUARTER, Key, Note, Score, Voice

verovio = pytest.importorskip("verovio", reason="the engraver is an optional dependency")
PIECES = sorted((Path(__file__).parent / "pieces").glob("*.libretto"))
HOSTILE = "<script>alert('x')</script> & \"Co\""
PRIVATE = re.compile("[\ue000-\uf8ff]")
UNIT = QUARTER // 24  # what verovio's MIDI, of 120 ticks a quarter, tells apart with certainty


def piece(name: str) -> Score:
    return read(next(path for path in PIECES if path.stem == name))


def played(score: Score, style: SheetStyle) -> dict[bool, list[tuple[int, int, int]]]:
    """What verovio plays of our document: start, pitch and length in 24ths of a quarter, percussion apart."""
    from symusic import Score as Midi

    toolkit = verovio.toolkit()
    assert toolkit.loadData(encode(score, style).decode())
    midi = Midi.from_midi(base64.b64decode(toolkit.renderToMIDI()))
    found: dict[bool, list[tuple[int, int, int]]] = {False: [], True: []}
    for track in midi.tracks:
        for note in track.notes:
            start, end = (round(at * 24 / midi.tpq) for at in (note.time, note.time + note.duration + 1))
            found[track.is_drum].append((start, note.pitch, end - start))
    return found


def meant(score: Score, drums: bool) -> list[tuple[int, int, int]]:
    notes = [note for voice in score.voices if voice.drums == drums for note in voice.notes]
    return [
        (round(n.onset / UNIT), n.pitch, round((n.onset + n.duration) / UNIT) - round(n.onset / UNIT)) for n in notes
    ]


def test_there_are_pieces_of_many_kinds() -> None:
    scores = [read(path) for path in PIECES]
    assert len(scores) >= 12
    assert {"3/4", "6/8", "5/4", "7/8", "2/2"} <= {str(score.meter) for score in scores}
    assert max(len(score.voices) for score in scores) == 16
    assert any(score.first_bar == 0 for score in scores)
    assert any(len(score.keys) > 1 for score in scores)


@pytest.mark.parametrize("path", PIECES, ids=lambda path: path.stem)
@pytest.mark.parametrize("options", [{}, {"written": True}, {"exact": True}], ids=["read", "written", "exact"])
def test_the_engraver_has_nothing_to_complain_about(
    path: Path, options: dict[str, bool], capfd: pytest.CaptureFixture[str]
) -> None:
    music = set_music(read(path), quiet=False, **options)  # type: ignore[arg-type]
    assert capfd.readouterr().err == ""
    for page in music.pages:
        ElementTree.fromstring(page)
        assert not PRIVATE.search(page)


@pytest.mark.parametrize("path", PIECES, ids=lambda path: path.stem)
@pytest.mark.parametrize("written", [False, True], ids=["sounding", "written"])
def test_verovio_plays_the_notes_of_the_score(path: Path, written: bool) -> None:
    score = read(path)
    shown = played(legible(score), SheetStyle(engraved=True, written=written))
    assert Counter(note[:2] for note in shown[False]) == Counter(note[:2] for note in meant(score, drums=False))
    assert Counter(note[0] for note in shown[True]) == Counter(note[0] for note in meant(score, drums=True))
    exact = played(score, SheetStyle(engraved=True, written=written))
    assert Counter(exact[False]) == Counter(meant(score, drums=False))


def test_every_drum_stands_in_its_place() -> None:
    score = piece("kit_study")
    toolkit = verovio.toolkit()
    toolkit.loadData(encode(legible(score), SheetStyle(engraved=True)).decode())
    drawn = Counter(re.findall(r'<note [^>]*\bloc="(-?\d+)"', toolkit.getMEI()))
    steps = "CDEFGAB"
    wanted: Counter[str] = Counter()
    for note in score.voice("DRUMS").notes:
        drum = drum_of(note.pitch)
        wanted[str((drum.octave * 7 + steps.index(drum.step)) - 30)] += 1  # E4, the bottom line, is 0
    assert drawn == wanted
    text = encode(legible(score), SheetStyle(engraved=True)).decode()
    assert text.count("<open-string/>") == sum(note.pitch == 46 for note in score.voice("DRUMS").notes)
    assert re.findall(r"<stem>(\w+)</stem>", text).count("down") == sum(
        note.pitch in (36, 44) for note in score.voice("DRUMS").notes
    )


def test_a_lone_second_drum_of_a_kind_is_drawn_as_the_first() -> None:
    notes = [Note.named("E2", 0, QUARTER), Note.named("B1", QUARTER, QUARTER)]  # electric snare, acoustic kick
    text = encode(Score.build([Voice.of("KIT", notes, drums=True)]), SheetStyle(engraved=True)).decode()
    assert re.findall(r"<display-step>(\w)</display-step>", text) == ["C", "F"]
    assert "<notehead>" not in text


def test_drums_have_no_key_signature_where_the_key_changes() -> None:
    keys = [(0, Key.parse("D")), (4 * QUARTER, Key.parse("C")), (8 * QUARTER, Key.parse("F"))]
    tune = Voice.of("TUNE", [Note.named("G4", bar * 4 * QUARTER, QUARTER) for bar in range(3)])
    drums = Voice.of("KIT", [Note.named("C2", bar * 4 * QUARTER, QUARTER) for bar in range(3)], drums=True)
    alone, beside = (signs_of_keys(Score.build(voices, keys=keys)) for voices in ([tune], [tune, drums]))
    assert alone == beside > 0


def signs_of_keys(score: Score) -> int:
    toolkit = _toolkit(encode(score, SheetStyle(engraved=True)).decode(), A4, False, False, True)
    return int(toolkit.renderToSVG(1).count('class="keyAccid"'))


# --- staves, clefs and pitch ---


def clefs(score: Score, **style: bool) -> list[str]:
    text = encode(score, SheetStyle(engraved=True, **style)).decode()
    found = re.findall(r"<sign>(\w+)</sign>(?:<line>\d</line>)?(?:<clef-octave-change>(-?\d))?", text)
    return [sign + octaves for sign, octaves in found]


def test_clefs_keep_notes_near_the_staff() -> None:
    assert clefs(piece("brass_corner")) == ["G", "G", "G", "G", "F", "F", "F", "F"]
    assert clefs(piece("ferry_song")) == ["G", "G-1"]
    assert clefs(piece("nocturne")) == ["G", "F"]
    assert clefs(piece("small_town_overture"))[:2] == ["G1", "G"]
    assert clefs(piece("late_ferry")) == ["G", "F", "F-1"]


def test_a_part_that_climbs_changes_its_clef_once() -> None:
    low = [Note.named("C2", bar * 4 * QUARTER, 4 * QUARTER) for bar in range(4)]
    high = [Note.named("C6", (bar * 4 + beat) * QUARTER, QUARTER) for bar in range(4, 8) for beat in range(4)]
    assert clefs(Score.build([Voice.of("CELLO", low + high, program=42)])) == ["F", "G"]
    one = [Note.named("A4", 16 * QUARTER, QUARTER)]
    assert clefs(Score.build([Voice.of("CELLO", low + one, program=42)])) == ["F"]


def test_written_pitch_is_what_players_read() -> None:
    score = parse(
        "KEY: Bb major | METER: 4/4 | TEMPO: 100 | GRID: 4th | BARS: 1\n"
        "VOICES: A[prog=65], T[prog=56], P[prog=72], B[prog=33]\n"
        "@1 [Bb]\n  A: Bb4@1>4\n  T: Bb4@1>4\n  P: Bb6@1>4\n  B: Bb1@1>4\n"
    )
    text = encode(score, SheetStyle(engraved=True, written=True)).decode()
    pitches = re.findall(r"<step>(\w)</step>(?:<alter>(-?\d)</alter>)?<octave>(\d)</octave>", text)
    assert pitches == [("G", "", "5"), ("C", "", "5"), ("B", "-1", "5"), ("B", "-1", "2")]
    assert re.findall(r"<fifths>(-?\d+)</fifths>", text) == ["1", "0", "-2", "-2"]
    assert "<root-step>G</root-step>" in text  # the first part's player reads chords with the notes


def test_a_clef_changes_where_it_is_needed_and_not_in_the_rests_before() -> None:
    low = [Note.named("C2", bar * 4 * QUARTER, 4 * QUARTER) for bar in range(4)]
    high = [Note.named("C6", (bar * 4 + beat) * QUARTER, QUARTER) for bar in range(8, 12) for beat in range(4)]
    text = encode(Score.build([Voice.of("CELLO", low + high, program=42)]), SheetStyle(engraved=True)).decode()
    bars = re.findall(r'<measure number="(\d+)".*?</measure>', text, re.DOTALL)
    changed = [
        bar for bar in bars if "<clef>" in re.findall(rf'<measure number="{bar}".*?</measure>', text, re.DOTALL)[0]
    ]
    assert changed == ["1", "9"]


def test_long_names_leave_room_for_the_music() -> None:
    score = Score.build([Voice.of("Composed by somebody with a very long name", program=0)], bars=2)
    text = encode(score, SheetStyle(engraved=True)).decode()
    assert re.findall(r"<part-name>(.*?)</part-name>", text) == ["Composed by somebody wit…"]
    assert re.findall(r"<part-abbreviation>(.*?)</part-abbreviation>", text) == ["Com. by som."]
    assert "very long name" in encode(score).decode()


def test_a_section_begins_with_its_chord() -> None:
    score = Score.build([], bars=4, chords=[["C"]] * 4, sections=[(8 * QUARTER, "B")])
    assert encode(score, SheetStyle(engraved=True)).count(b"<harmony>") == 2
    assert encode(score).count(b"<harmony>") == 1


# --- finding the place ---


@pytest.mark.parametrize("name", ["ferry_song", "nocturne", "small_town_overture"])
def test_the_timemap_leads_to_pages_bars_and_notes(name: str) -> None:
    score = piece(name)
    music: Engraving = set_music(score, cropped=True, prefix="x-")
    assert [moment.seconds for moment in music.moments] == sorted(moment.seconds for moment in music.moments)
    assert sorted({moment.bar for moment in music.moments}) == list(score.numbers)
    for moment in music.moments:
        page = music.pages[moment.page - 1]
        assert moment.measure == f"x-bar{moment.bar}"
        assert f'id="{moment.measure}"' in page
        assert all(f'id="{note}"' in page for note in moment.notes)
    starts = {(n.onset / QUARTER) for voice in score.voices for n in voice.notes}
    assert starts == {round(moment.quarter * 24) / 24 for moment in music.moments if moment.notes}


def test_the_engraver_has_our_tempi() -> None:
    score = piece("slow_train")
    toolkit = verovio.toolkit()
    toolkit.loadData(encode(score, SheetStyle(engraved=True)).decode())
    theirs = [entry["tempo"] for entry in toolkit.renderToTimemap() if "tempo" in entry]
    assert set(map(round, theirs)) <= {round(60_000_000 / micros) for _, micros in score.tempos}
    assert (round(theirs[0]), round(theirs[-1])) == (60, 60)


def test_moments_of_later_pages_lead_there() -> None:
    music = set_music(piece("shuffle"), paper=Paper(height=200, staff=6.6))
    assert {moment.page for moment in music.moments} == {1, 2}
    assert all(f'id="{moment.measure}"' in music.pages[moment.page - 1] for moment in music.moments)


def test_a_bar_without_harmony_says_so_and_names_no_chord() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 3\nVOICES: A[prog=66]"
    score = parse(f"{head}\n@1 [C]\n  A: C4@1>16\n@2 [-]\n  A: C5@1>16\n@3 [G7]\n  A: B4@1>16")
    drawn = ElementTree.fromstring(pages_svg(score)[0])
    words = {"".join(text.itertext()).strip() for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"C", "N.C.", "G7"} <= words


def test_chord_symbols_and_metronome_marks_are_drawn_without_a_music_font() -> None:
    page = set_music(piece("late_ferry")).pages[0]
    root = ElementTree.fromstring(page)
    shown = {"".join(text.itertext()).strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"B♭maj7", "Em7♭5", "F♯dim7", "G7♯11", "Gm7/B♭", "= 132", "A2"} <= {
        text.replace("\xa0", " ").strip() for text in shown
    }
    assert re.search(r'class="tempo"[^>]*>\s*<path', page)
    assert "font-face" not in page


def test_timemap_and_pages_go_together() -> None:
    score = piece("ferry_song")
    pages, moments = pages_svg(score), timemap(score)
    assert all(f'id="{note}"' in pages[m.page - 1] for m in moments for note in m.notes)
    assert pages == pages_svg(score)


def test_bars_are_taken_under_their_own_numbers() -> None:
    music = set_music(piece("late_ferry"), bars=(9, 12))
    assert sorted({moment.bar for moment in music.moments}) == [9, 10, 11, 12]


def test_silent_staves_are_left_out_and_the_first_keeps_its_chords(capfd: pytest.CaptureFixture[str]) -> None:
    notes = [Note.named("C4", beat * QUARTER, QUARTER) for beat in range(160)]
    voices = [Voice.of("TOP", notes[:4], program=73), *(Voice.of(f"V{i}", notes[:4], program=48) for i in range(6))]
    chords = [("C",) if bar % 2 else ("F",) for bar in range(40)]
    score = Score.build(
        [*voices, Voice.of("LOW", notes, program=33)], chords=chords, sections=[(64 * QUARTER, "Later")]
    )
    music = set_music(score, quiet=False)
    assert capfd.readouterr().err == ""
    text = "".join(music.pages)
    assert len(re.findall(r'class="harm"[^>]*>\s*<text', text)) == 40
    systems, tops = text.count('class="system"'), len(re.findall(r">TOP<", text))
    assert systems > 2
    assert tops == systems
    assert len(re.findall(r">V3<", text)) == 1
    assert not any(note.startswith("ghost") for moment in music.moments for note in moment.notes)


# --- files ---


def test_the_same_piece_gives_the_same_bytes() -> None:
    score = piece("ferry_song")
    for kind in ("svg", "pdf", "png"):
        assert engrave(score, kind) == engrave(score, kind)  # type: ignore[arg-type]


def test_kinds_are_what_they_say() -> None:
    pytest.importorskip("typst", reason="the rasteriser is an optional dependency")
    score, paper = piece("shuffle"), Paper(height=200, staff=6.6)
    svg, pdf, png = (engrave(score, kind, paper=paper) for kind in ("svg", "pdf", "png"))  # type: ignore[arg-type]
    root = ElementTree.fromstring(svg)
    assert len(root.findall("{*}svg")) == 2
    assert pdf.startswith(b"%PDF-")
    assert len(pdf) > 20_000
    assert png.startswith(b"\x89PNG")
    one = engrave(score, "png", page=2, paper=paper)
    width, height = (int.from_bytes(one[at : at + 4], "big") for at in (16, 20))
    assert (width, int.from_bytes(png[16:20], "big")) == (1191, 1191)
    assert height < int.from_bytes(png[20:24], "big")
    assert len(one) > 10_000


def test_what_cannot_be_is_said_in_one_line() -> None:
    score = piece("ferry_song")
    with pytest.raises(FormatError, match="there is no page 9; the pages are 1-1"):
        engrave(score, "svg", page=9)
    with pytest.raises(FormatError, match="svg, pdf or png"):
        engrave(score, "gif")  # type: ignore[arg-type]
    with pytest.raises(LibrettoError, match="a page is from"):
        Paper(width=1)
    assert A4.landscape.width == 297


@pytest.mark.parametrize(("module", "kind"), [("verovio", "svg"), ("typst", "png"), ("typst", "pdf")])
def test_a_missing_part_names_the_pip_line(module: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(LibrettoError, match=re.escape("pip install 'libretto[notation]'")):
        engrave(piece("ferry_song"), kind)  # type: ignore[arg-type]


def test_what_is_too_long_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [Note.named("C4", at * QUARTER // 4, QUARTER // 4) for at in range(61_000)]
    with pytest.raises(TooLarge, match=r"61,000 notes.*200 pages.*bars 1-64"):
        engrave(Score.build([Voice.of("A", notes)]))
    monkeypatch.setattr(sys.modules["libretto.engraving.pages"], "MAX_PAGES", 1)
    with pytest.raises(TooLarge, match="2 pages"):
        engrave(piece("shuffle"), paper=Paper(height=200, staff=6.6))
    assert engraving.MAX_PAGES == 200


def test_hostile_text_stays_text() -> None:
    score = piece("ferry_song")
    voices = (replace(score.voices[0], name=HOSTILE), replace(score.voices[1], name="低音 ]]>".replace("]", ")")))
    hostile = replace(score, title=HOSTILE, voices=voices, sections=((0, "<b>&amp;</b>"),))
    for page in set_music(hostile).pages:
        root = ElementTree.fromstring(page)
        assert not root.findall(".//{*}script")
        texts = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {HOSTILE, "<b>&amp;</b>"} <= texts
    assert ElementTree.fromstring(engrave(hostile, "svg")) is not None


@pytest.mark.parametrize(
    "score",
    [
        Score.build([], bars=3),
        Score.build([Voice.of("Z"), Voice.of("D", drums=True)], bars=2),
        Score.build([Voice.of("X", [Note(0, 1, 60), Note(1, 17, 62, 80, 2)])], bar_lines=[0, 1001, 90001]),
        Score.build([Voice.of("X", [Note(0, 40 * QUARTER, 0, 80, 0), Note(0, 1, 127, 80, 1)], program=0)], bars=2),
    ],
    ids=["no voices", "silence", "odd bars", "extremes"],
)
def test_strange_pieces_are_engraved_all_the_same(score: Score) -> None:
    assert set_music(score).pages
