"""Pages as files: none is blank, each page is a file, parts are what their players read, leads stand above drums."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from libretto import read
from libretto.engraving import Paper, engrave, engrave_pages, pdf_of, set_music
from libretto.engraving.rests import with_long_rests
from libretto.errors import FileExists, ScoreError
from libretto.formats.musicxml.write import encode
from libretto.notation.instruments import take_voices, transposition
from libretto.notation.order import in_score_order, score_order
from libretto.notation.sheet import SheetStyle
from libretto.renderings import Options, has_chord_symbols, page_paths, render_pages, write_rendering
from libretto.score import QUARTER, Key, Note, Score, Voice

verovio = pytest.importorskip("verovio", reason="the engraver is an optional dependency")
PIECES = {path.stem: path for path in (Path(__file__).parent / "pieces").glob("*.libretto")}
BAR = 4 * QUARTER
SMALL = Paper(width=150, height=110)
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def rows_of(png: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG as rows of bytes: eight bits a sample, not interlaced, read by the rules of the format."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", png[at + 8 : at + 8 + length])
            assert (depth, interlaced) == (8, 0)
        if kind == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += 12 + length
    step = _CHANNELS[colour]
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, width * step + 1)
    rows = np.zeros((height, width * step), np.uint8)
    above = np.zeros(width * step, np.uint8)
    for number, line in enumerate(raw):
        above = rows[number] = _unfiltered(int(line[0]), line[1:], above, step)
    return rows


def _unfiltered(kind: int, line: NDArray[np.uint8], above: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    if kind == 1:
        summed = np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint64)
        return summed.astype(np.uint8).reshape(-1)
    out = np.zeros(len(line), np.int64)
    up = above.astype(np.int64)
    for i, byte in enumerate(line.tolist()):
        a = int(out[i - step]) if i >= step else 0
        b, c = int(up[i]), int(up[i - step]) if i >= step else 0
        if kind == 3:
            guess = (a + b) // 2
        else:
            near = a + b - c
            guess = min((abs(near - a), 0, a), (abs(near - b), 1, b), (abs(near - c), 2, c))[2]
        out[i] = (byte + guess) % 256
    return out.astype(np.uint8)


def ink(png: bytes) -> NDArray[np.bool_]:
    """For every row of a picture whether something dark is in it."""
    return np.asarray((rows_of(png) < 100).any(axis=1))


def long_piece(bars: int) -> Score:
    notes = [Note.named("C5", beat * QUARTER, QUARTER) for beat in range(4 * bars)]
    return Score.build([Voice.of("Flute", notes, program=73)], title="Long")


# --- files ---


@pytest.mark.parametrize("bars", [60, 75, 90, 110])
def test_no_page_of_a_picture_is_blank(bars: int) -> None:
    pytest.importorskip("typst", reason="the rasteriser is an optional dependency")
    score = long_piece(bars)
    count = len(set_music(score, paper=SMALL, cropped=True, timed=False).pages)
    assert count > 2
    pages = engrave_pages(score, "png", paper=SMALL, dpi=50)
    assert len(pages) == count
    heights = []
    for page in pages:
        rows = ink(page)
        heights.append(len(rows))
        assert rows[: len(rows) // 2].any()
        assert rows.sum() > len(rows) // 10
    strip = ink(engrave(score, "png", paper=SMALL, dpi=50))
    assert len(strip) == pytest.approx(sum(heights), abs=count)
    tops = np.cumsum([0, *heights])
    for top, bottom in pairwise(tops.tolist()):
        assert strip[top:bottom].sum() > (bottom - top) // 10, "a page of the strip is blank"


def test_a_page_is_a_file_and_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    score = read(PIECES["shuffle"])
    voices = tuple(voice.name for voice in score.voices[:1])
    one = write_rendering(score, str(tmp_path / "part.svg"), Options(voices=voices))
    assert list(one) == [str(tmp_path / "part.svg")]
    many = write_rendering(long_piece(300), str(tmp_path / "all.svg"))
    assert len(many) > 1
    assert list(many) == [str(tmp_path / f"all-{number}.svg") for number in range(1, len(many) + 1)]
    assert all(Path(name).stat().st_size == size for name, size in many.items())
    for name in many:
        ElementTree.parse(name)
    last = Path(list(many)[-1])
    for name in list(many)[:-1]:
        Path(name).unlink()
    last.write_text("mine")
    with pytest.raises(FileExists, match=last.name):
        write_rendering(long_piece(300), str(tmp_path / "all.svg"))
    assert last.read_text() == "mine"
    assert not (tmp_path / "all-1.svg").exists(), "nothing is written where a later page cannot be"
    write_rendering(long_piece(300), str(tmp_path / "all.svg"), force=True)
    assert last.read_text() != "mine"
    strip = write_rendering(long_piece(300), str(tmp_path / "strip.svg"), Options(strip=True))
    assert list(strip) == [str(tmp_path / "strip.svg")]
    assert page_paths("a.b/song.v2.png", 2) == ["a.b/song.v2-1.png", "a.b/song.v2-2.png"]


def test_a_pdf_is_one_file() -> None:
    pytest.importorskip("typst", reason="the rasteriser is an optional dependency")
    assert [data[:4] for data in render_pages(long_piece(300), "pdf")] == [b"%PDF"]


@pytest.mark.parametrize("name", sorted(PIECES))
def test_cropped_pages_make_the_same_pdf(name: str) -> None:
    pytest.importorskip("typst", reason="the rasteriser is an optional dependency")
    score = read(PIECES[name])
    cropped, whole = set_music(score, cropped=True), set_music(score, timed=False)
    assert cropped.pages != whole.pages
    assert cropped.sheets == whole.sheets == whole.pages
    assert pdf_of(cropped) == engrave(score, "pdf")


# --- parts ---


def band() -> Score:
    low = [Note.named("C3", beat * QUARTER, QUARTER) for beat in range(64)]
    tune = [Note.named("Bb4", at * BAR, BAR) for at in (8, 9)]
    strokes = [Note.named("D2", beat * QUARTER, QUARTER) for beat in range(64)]
    return Score.build(
        [
            Voice.of("Drums", strokes, drums=True),
            Voice.of("Bass", low, program=33),
            Voice.of("Clarinet in Bb", tune, program=71),
            Voice.of("Alto Sax", tune, program=65),
        ],
        keys=[(0, Key.parse("Bb"))],
        sections=[(4 * BAR, "B")],
        bars=16,
    )


def written(score: Score, name: str) -> ElementTree.Element:
    style = SheetStyle(engraved=True, written=True)
    return ElementTree.fromstring(encode(take_voices(score, [name]), style))


@pytest.mark.parametrize(
    ("name", "program", "semitones", "step", "fifths", "chromatic"),
    [
        ("Clarinet in Bb", 71, 2, "C5", 0, "-2"),
        ("Clarinet in A", 71, 3, "Db5", -5, "-3"),
        ("Clarinet in Eb", 71, -3, "G4", 1, "3"),
        ("Bass Clarinet", 71, 14, "C6", 0, "-2"),
        ("Trumpet", 56, 2, "C5", 0, "-2"),
        ("Trumpet in C", 56, 0, "Bb4", -2, None),
        ("Alto Sax", 65, 9, "G5", 1, "-9"),
        ("Tenor Sax", 66, 14, "C6", 0, "-2"),
        ("Horn in F", 60, 7, "F5", -1, "-7"),
        ("Horn in Eb", 60, 9, "G5", 1, "-9"),
        ("Flute", 73, 0, "Bb4", -2, None),
        ("Viola", 41, 0, "Bb4", -2, None),
    ],
)
def test_a_part_is_what_its_player_reads(
    name: str, program: int, semitones: int, step: str, fifths: int, chromatic: str | None
) -> None:
    voice = Voice.of(name, [Note.named("Bb4", 0, BAR)], program=program)
    assert transposition(voice) == semitones
    root = written(Score.build([voice], keys=[(0, Key.parse("Bb"))]), name)
    pitch = root.find(".//pitch")
    assert pitch is not None
    signs = {"-1": "b", "1": "#", None: ""}
    assert f"{pitch.findtext('step')}{signs[pitch.findtext('alter')]}{pitch.findtext('octave')}" == step
    assert root.findtext(".//fifths") == str(fifths)
    assert root.findtext(".//transpose/chromatic") == chromatic


def test_names_of_voices_are_found_in_any_case_and_an_unknown_one_is_said_with_those_there_are() -> None:
    assert [voice.name for voice in take_voices(band(), ["bass", "DRUMS"]).voices] == ["Drums", "Bass"]
    with pytest.raises(ScoreError, match=r"no voice 'Oboe'; the voices are Drums, Bass, Clarinet in Bb, Alto Sax"):
        engrave(band(), "svg", voices=["Oboe"])


def test_long_rests_of_a_part_are_counted_and_broken_where_something_is_printed() -> None:
    document = encode(take_voices(band(), ["Alto Sax"]), SheetStyle(engraved=True, written=True, chords=False)).decode()
    root = ElementTree.fromstring(with_long_rests(document))
    counted = {
        measure.get("number"): measure.findtext(".//multiple-rest")
        for measure in root.iter("measure")
        if measure.find(".//multiple-rest") is not None
    }
    assert counted == {"1": "4", "5": "4", "11": "6"}
    page = set_music(band(), voices=["Alto Sax"], chords=False, timed=False).pages[0]
    assert page.count('class="multiRest"') == 3
    assert "multiRest" not in set_music(band(), chords=False, timed=False).pages[0]


# --- chord symbols ---


def test_heard_chords_are_not_of_the_piece(tmp_path: Path) -> None:
    from libretto import write

    score = read(PIECES["late_ferry"])
    for name in ("song.mid", "song.musicxml", "song.libretto"):
        write(score, tmp_path / name)
    assert not has_chord_symbols(read(tmp_path / "song.mid"), str(tmp_path / "song.mid"))
    assert has_chord_symbols(read(tmp_path / "song.musicxml"), str(tmp_path / "song.musicxml"))
    assert has_chord_symbols(score, "song.libretto")
    assert 'class="harm"' in render_pages(score, "svg", Options(chords=True))[0].decode()
    assert 'class="harm"' not in render_pages(score, "svg", Options(chords=False))[0].decode()


# --- order ---


def names_in_order(voices: Sequence[Voice]) -> list[str]:
    return [voices[index].name for index in score_order(voices)]


def test_the_lead_stands_above_the_drums_and_the_bass_between() -> None:
    assert names_in_order(band().voices) == ["Clarinet in Bb", "Alto Sax", "Bass", "Drums"]
    voices = [
        Voice("Drums", drums=True),
        Voice("Bass", 33),
        Voice("Guitar", 27),
        Voice("Piano", 0),
        Voice("Strings", 48),
        Voice("Trumpet", 56),
        Voice("Vocals", 52),
        Voice("Backing vocals", 53),
    ]
    assert names_in_order(voices) == [
        "Vocals", "Trumpet", "Backing vocals", "Strings", "Piano", "Guitar", "Bass", "Drums",
    ]  # fmt: skip


def test_quartets_choirs_and_orchestras_stand_as_they_do() -> None:
    quartet = [Voice("Violin I", 40), Voice("Violin II", 40), Voice("Viola", 41), Voice("Cello", 42)]
    assert names_in_order(quartet) == ["Violin I", "Violin II", "Viola", "Cello"]
    choir = [Voice(name) for name in ("Soprano", "Alto", "Tenor", "Bass", "Piano")]
    assert names_in_order(choir) == ["Soprano", "Alto", "Tenor", "Bass", "Piano"]
    programs = {"Cello": 42, "Viola": 41, "Violin": 40, "Timpani": 47, "Trumpet": 56, "Flute": 73, "Horn": 60}
    orchestra = [Voice(name, program) for name, program in programs.items()]
    assert names_in_order(orchestra) == ["Flute", "Horn", "Trumpet", "Timpani", "Violin", "Viola", "Cello"]


def test_reeds_with_a_line_stand_above_the_piano() -> None:
    voices = [
        Voice("Piano", 0),
        Voice("Accordion", 21),
        Voice("Harmonica", 22),
        Voice("Violin", 40),
        Voice("Organ", 19),
    ]
    assert names_in_order(voices) == ["Violin", "Harmonica", "Accordion", "Piano", "Organ"]


def test_only_the_page_is_ordered() -> None:
    score = band()
    shown = in_score_order(score)
    assert shown.voices[-1].name == "Drums"
    assert {voice.name for voice in shown.voices} == {voice.name for voice in score.voices}
    assert score.voices[0].name == "Drums"
    assert in_score_order(shown) is shown
