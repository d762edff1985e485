"""Splicing into small MusicXML files of our own making: transposing parts, staves, ties, divisions, odd XML."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import xml_reader as xml

from libretto.errors import FormatError
from libretto.formats.musicxml import MUSICXML, MXL
from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.splice import splice
from libretto.formats.musicxml.write import encode, encode_mxl
from libretto.score import (
    QUARTER,
    Key,
    Meter,
    Note,
    Patch,
    Score,
    Voice,
    add_voice,
    join,
    remove_voice,
    replace_bars,
    take_bars,
    transpose,
)

Q = QUARTER
HEAD = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<!-- made by hand -->
<score-partwise version="4.0" xmlns:my="urn:junk">
  <work><work-title>Tea &amp; &#xE9;clairs</work-title></work>
"""


def note(step: str, duration: int, inside: str = "", *, voice: int = 1, staff: int = 0, chord: bool = False) -> str:
    """A note element: ``F#5`` for two divisions, with whatever else comes after its type."""
    letter, alter, octave = step[0], step.count("#") - step.count("b"), step[-1]
    altered = f"<alter>{alter}</alter>" if alter else ""
    ties = "".join(f'<tie type="{kind}"/>' for kind in ("stop", "start") if f'<tied type="{kind}"' in inside)
    where = f"<staff>{staff}</staff>" if staff else ""
    first = "<chord/>" if chord else ""
    pitch = f"<pitch><step>{letter}</step>{altered}<octave>{octave}</octave></pitch>"
    return f"<note>{first}{pitch}<duration>{duration}</duration>{ties}<voice>{voice}</voice>{where}{inside}</note>"


def tied(*kinds: str) -> str:
    return "<notations>" + "".join(f'<tied type="{kind}"/>' for kind in kinds) + "</notations>"


def score_of(*parts: list[str], names: tuple[str, ...] = ("Lead", "Other")) -> bytes:
    """A file whose parts hold those measures."""
    listed = "".join(
        f'<score-part id="P{index}"><part-name>{name}</part-name></score-part>'
        for index, (name, _) in enumerate(zip(names, parts, strict=False), 1)
    )
    text = f"{HEAD}  <part-list>{listed}</part-list>\n"
    for index, measures in enumerate(parts, 1):
        text += f'  <part id="P{index}">\n'
        for number, inside in enumerate(measures, 1):
            text += f'    <measure number="{number}">\n      {inside}\n    </measure>\n'
        text += "  </part>\n"
    return f"{text}</score-partwise>\n".encode()


def opening(divisions: int = 1, fifths: int = 0, more: str = "") -> str:
    time = "<time><beats>4</beats><beat-type>4</beat-type></time>"
    return (
        f"<attributes><divisions>{divisions}</divisions><key><fifths>{fifths}</fifths></key>{time}{more}</attributes>"
    )


def patched(score: Score, bar: int, notes: list[Note], last: int | None = None) -> Score:
    """The piece with other notes in a bar of its first voice."""
    name = score.voices[0].name
    return replace_bars(score, Patch(score.digest, (name,), bar, last or bar, (tuple(notes),)))


def assert_reads(out: bytes, after: Score) -> None:
    got = decode(out)
    assert got.bar_lines == after.bar_lines
    assert [(v.name, v.notes) for v in got.voices] == [(v.name, v.notes) for v in after.voices]
    assert (got.keys, got.meters, got.tempos, got.sections) == (after.keys, after.meters, after.tempos, after.sections)


FOUR = [opening() + note("C5", 4), note("D5", 4), note("E5", 4), note("F5", 4)]
HALVES = [Note(0, 2 * Q, 60, 80, 0), Note(2 * Q, 2 * Q, 62, 80, 2)]


def test_nothing_changed_nothing_written() -> None:
    data = score_of(FOUR)
    score = decode(data)
    assert splice(data, score, score) == data
    # labels that were heard are not shown in the file
    assert splice(data, score, replace(score, chords=(("G",),) * score.bars)) == data
    wide = data.decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert splice(wide, score, replace(score, chords=(("G",),) * score.bars)) == wide


def test_formats_offer_it() -> None:
    data = score_of(FOUR)
    score = decode(data)
    higher = transpose(score, 2)
    assert MUSICXML.splice is not None
    assert MXL.splice is not None
    assert MUSICXML.splice(data, score, higher) == MXL.splice(data, score, higher) == splice(data, score, higher)


def test_other_measures_keep_their_bytes() -> None:
    data = score_of(FOUR, FOUR)
    score = decode(data)
    after = patched(score, 2, HALVES)
    out = splice(data, score, after)
    assert_reads(out, after)
    old, new = xml.raw_cells(data), xml.raw_cells(out)
    assert [cell for cell in old if old[cell] != new[cell]] == [("P1", 1)]
    assert xml.raw_frame(data) == xml.raw_frame(out)


def test_odd_xml_stays() -> None:
    odd = "<!-- here --><my:thing a='1 > 0'><my:other/></my:thing><?keep this?>"
    words = "<direction><direction-type><words><![CDATA[a < b]]> &amp; c</words></direction-type></direction>"
    data = score_of([FOUR[0], odd + note("D5", 2) + words + note("E5", 2), *FOUR[2:]])
    score = decode(data)
    after = patched(score, 2, [Note(0, Q, 60, 80, 0), Note(Q, 3 * Q, 62, 80, 2)])
    out = splice(data, score, after)
    assert_reads(out, after)
    cell = xml.raw_cells(out)["P1", 1].decode()
    for kept in ("<!-- here -->", "<my:thing a='1 > 0'><my:other/></my:thing>", "<?keep this?>", words):
        assert kept in cell
    measure = ElementTree.fromstring(cell.replace("my:", "my"))
    at, when = 0, None
    for child in measure:
        length = int(child.findtext("duration") or 0)
        when = at if child.tag == "direction" else when
        at += {"note": length, "forward": length, "backup": -length}.get(child.tag, 0)
    assert (when, at) == (2, 4)


def test_a_transposing_part_is_written_as_its_player_reads() -> None:
    clarinet = "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    data = score_of([opening(1, 2, clarinet) + note("D5", 4), *FOUR[1:]])
    score = decode(data)
    assert score.key.signature == 0
    after = patched(score, 2, [Note(0, 2 * Q, 60, 80, 0), Note(2 * Q, 2 * Q, 66, 80, 6)])
    out = splice(data, score, after)
    assert_reads(out, after)
    measure = ElementTree.fromstring(xml.raw_cells(out)["P1", 1])
    steps = [
        (n.findtext("pitch/step"), n.findtext("pitch/alter"), n.findtext("accidental")) for n in measure.iter("note")
    ]
    assert steps == [("D", None, None), ("G", "1", "sharp")]
    higher = transpose(score, 2)
    out = splice(data, score, higher)
    assert_reads(out, higher)
    assert "<fifths>4</fifths>" in out.decode()


def test_two_staves_take_what_lies_in_their_range() -> None:
    staves = "<staves>2</staves>"
    back = "<backup><duration>4</duration></backup>"
    bars = [note("C5", 4, staff=1) + back + note("C3", 4, voice=5, staff=2) for _ in range(4)]
    data = score_of([opening(1, 0, staves) + bars[0], *bars[1:]])
    score = decode(data)
    after = patched(score, 2, [Note(0, 2 * Q, 74, 80, 2), Note(0, 4 * Q, 50, 80, 2), Note(2 * Q, 2 * Q, 76, 80, 4)])
    out = splice(data, score, after)
    assert_reads(out, after)
    measure = ElementTree.fromstring(xml.raw_cells(out)["P1", 1])
    placed = {(n.findtext("pitch/octave"), n.findtext("staff"), n.findtext("voice")) for n in measure.iter("note")}
    assert placed == {("5", "1", "1"), ("3", "2", "5")}


def test_coarse_divisions_are_finer_in_one_measure_only() -> None:
    words = "<direction><direction-type><words>late</words></direction-type><offset>1</offset></direction>"
    data = score_of([FOUR[0], note("D5", 2) + words + note("E5", 2), *FOUR[2:]])
    score = decode(data)
    after = patched(score, 2, [Note(0, Q // 4, 60, 80, 0), Note(Q // 4, Q // 3 * 4, 62, 80, 2)])
    out = splice(data, score, after)
    assert_reads(out, after)
    old, new = xml.raw_cells(data), xml.raw_cells(out)
    assert [cell for cell in old if old[cell] != new[cell]] == [("P1", 1)]
    measure = ElementTree.fromstring(new["P1", 1])
    said = [entry.text for entry in measure.iter("divisions")]
    assert said[-1] == "1"
    assert measure.findtext("direction/offset") == said[0]


def test_a_note_that_rang_into_the_bars_stays_tied() -> None:
    data = score_of([FOUR[0], note("D5", 4, tied("start")), note("D5", 2, tied("stop")) + note("E5", 2), FOUR[3]])
    score = decode(data)
    after = patched(score, 3, [Note(2 * Q, 2 * Q, 60, 80, 0)])
    out = splice(data, score, after)
    assert_reads(out, after)
    assert xml.raw_cells(out)["P1", 1] == xml.raw_cells(data)["P1", 1]


def test_what_rang_out_of_the_bars_is_silent_and_the_rest_of_its_measure_stays() -> None:
    lyric = "<lyric><text>la</text></lyric>"
    third = note("D5", 2, tied("stop")) + note("F5", 2, tied("stop"), chord=True) + note("E5", 2, lyric)
    second = note("D5", 4, tied("start")) + note("F5", 4, tied("start"), chord=True)
    data = score_of([FOUR[0], second, third, FOUR[3]])
    score = decode(data)
    after = patched(score, 2, [Note(0, 6 * Q, 77, 80, -1)])
    out = splice(data, score, after)
    assert_reads(out, after)
    cell = xml.raw_cells(out)["P1", 2].decode()
    assert note("E5", 2, lyric) in cell
    assert "<step>D</step>" not in cell
    gone = patched(score, 2, HALVES)
    out = splice(data, score, gone)
    assert_reads(out, gone)
    cell = xml.raw_cells(out)["P1", 2].decode()
    assert note("E5", 2, lyric) in cell
    assert cell.count("<rest") == 1


def test_new_notes_ring_into_a_measure_beside_its_own() -> None:
    lyric = "<lyric><text>la</text></lyric>"
    data = score_of([*FOUR[:2], note("E5", 4, lyric), FOUR[3]])
    score = decode(data)
    after = patched(score, 2, [Note(0, 4 * Q, 60, 80, 0), Note(3 * Q, 5 * Q // 2, 62, 80, 2)])
    out = splice(data, score, after)
    assert_reads(out, after)
    assert note("E5", 4, lyric) in xml.raw_cells(out)["P1", 2].decode()


def test_a_tie_to_a_note_that_is_gone_goes() -> None:
    data = score_of([FOUR[0], note("D5", 4, tied("start")), note("D5", 4, tied("stop")), FOUR[3]])
    score = decode(data)
    short = score.voices[0].with_notes([n._replace(duration=min(n.duration, 4 * Q)) for n in score.voices[0].notes])
    after = replace(score, voices=(short,))
    out = splice(data, score, after)
    assert_reads(out, after)
    assert xml.raw_cells(out)["P1", 1].decode().split() == xml.raw_cells(score_of(FOUR))["P1", 1].decode().split()


def test_slurs_do_not_dangle() -> None:
    start, stop = (f'<notations><slur type="{kind}" number="1"/></notations>' for kind in ("start", "stop"))
    data = score_of([opening() + note("C5", 4, start), note("D5", 4, stop), note("E5", 4, start), note("F5", 4, stop)])
    score = decode(data)
    for bar, where in ((2, 0), (3, -1)):
        after = patched(score, bar, HALVES)
        out = splice(data, score, after)
        assert_reads(out, after)
        notes = list(ElementTree.fromstring(xml.raw_cells(out)["P1", bar - 1]).iter("note"))
        assert notes[where].find("notations/slur") is not None
        assert xml.slurs_left_open(out) == 0
    silent = patched(score, 2, [])
    assert xml.slurs_left_open(splice(data, score, silent)) == 0


def test_pitches_change_in_place() -> None:
    rich = (
        "<stem>up</stem><notations><articulations><accent/></articulations></notations><lyric><text>so</text></lyric>"
    )
    harmony = "<harmony><root><root-step>C</root-step></root><kind>major</kind></harmony>"
    data = score_of([opening() + harmony + note("C5", 4, rich), *FOUR[1:]])
    score = decode(data)
    after = transpose(score, 1)
    out = splice(data, score, after)
    assert_reads(out, after)
    assert out.count(rich.encode()) == 1
    assert decode(out).chords == after.chords
    assert b"<fifths>-5</fifths>" in out or b"<fifths>7</fifths>" in out


def test_title_with_entities() -> None:
    data = score_of(FOUR)
    score = decode(data)
    assert score.title == "Tea & éclairs"
    out = splice(data, score, replace(score, title="Café <3 & more"))
    assert decode(out).title == "Café <3 & more"
    assert out.replace(b"Caf&#233; &lt;3 &amp; more", b"Tea &amp; &#xE9;clairs") == data


def test_keys_meters_tempi_and_sections() -> None:
    data = score_of(FOUR, FOUR)
    score = decode(data)
    lines = score.bar_lines
    changed = [
        replace(score, keys=(score.keys[0], (lines[2], Key.of_signature(2, "major")))),
        replace(score, keys=((0, Key.of_signature(-3, "major")),)),
        replace(score, tempos=((0, 400_000), (lines[1] + Q, 600_000))),
        replace(score, sections=((0, "Verse"), (lines[2], "Chorus"))),
    ]
    for after in changed:
        out = splice(data, score, after)
        assert_reads(out, after)
        again = decode(out)
        assert_reads(splice(out, again, score), score)


def test_another_meter_makes_other_bars() -> None:
    data = score_of(FOUR)
    score = decode(data)
    notes = [Note(bar * 3 * Q, 3 * Q, 72, 80, 0) for bar in range(4)]
    after = Score.build(
        [score.voices[0].with_notes(notes)],
        bar_lines=[bar * 3 * Q for bar in range(5)],
        meters=[(0, Meter(3, 4))],
        keys=score.keys,
        title=score.title,
    )
    assert_reads(splice(data, score, after), after)


def test_chord_symbols_of_one_bar() -> None:
    harmony = "<harmony><root><root-step>{}</root-step></root><kind>major</kind></harmony>"
    data = score_of([opening() + harmony.format("C") + note("C5", 4), FOUR[1], harmony.format("G") + FOUR[2], FOUR[3]])
    score = decode(data)
    assert score.chords == (("C",), ("C",), ("G",), ("G",))
    for chords in ((("C",), ("Am", "F"), ("G",), ("G",)), (("Dm7",), ("C",), ("G",), ("G",))):
        after = replace(score, chords=chords)
        out = splice(data, score, after)
        assert decode(out).chords == chords
        assert xml.raw_cells(out)["P1", 3] == xml.raw_cells(data)["P1", 3]


def test_a_symbol_that_was_carried_over_is_said_again() -> None:
    harmony = "<harmony><root><root-step>{}</root-step></root><kind>major</kind></harmony>"
    late = note("E5", 2) + harmony.format("F") + note("E5", 2)
    data = score_of([opening() + harmony.format("C") + note("C5", 4), late, *FOUR[2:]])
    score = decode(data)
    assert score.chords[:2] == (("C",), ("C", "F"))
    chords = (("G",), *score.chords[1:])
    out = splice(data, score, replace(score, chords=chords))
    assert decode(out).chords == chords


def test_repeats_and_endings_stay() -> None:
    start = '<barline location="left"><repeat direction="forward"/></barline>'
    first = '<barline location="left"><ending number="1" type="start"/></barline>'
    back = '<barline location="right"><ending number="1" type="stop"/><repeat direction="backward"/></barline>'
    data = score_of([FOUR[0], start + note("D5", 4), first + note("E5", 4) + back, FOUR[3]])
    score = decode(data)
    assert score.bars == 4
    after = patched(score, 3, HALVES)
    out = splice(data, score, after)
    assert_reads(out, after)
    cell = xml.raw_cells(out)["P1", 2].decode()
    assert first in cell
    assert cell.index(back) > cell.rindex("</note>")
    assert decode(out).marks == score.marks
    more = add_voice(score, Voice.of("Bass", [Note(0, 4 * Q, 48, 80, 0)]))
    bass = splice(data, score, more)
    assert_reads(bass, more)
    assert bass.count(back.encode()) == 2


def test_parts_come_and_go() -> None:
    data = score_of(FOUR, FOUR)
    score = decode(data)
    more = add_voice(score, Voice.of("New & old", [Note(0, 4 * Q, 48, 80, 0)], program=32))
    out = splice(data, score, more)
    assert_reads(out, more)
    old, new = xml.raw_cells(data), xml.raw_cells(out)
    assert {cell: new[cell] for cell in old} == old
    less = remove_voice(score, "Lead")
    out = splice(data, score, less)
    assert_reads(out, less)
    assert {cell: raw for cell, raw in xml.raw_cells(data).items() if cell[0] == "P2"} == xml.raw_cells(out)
    named = replace(score, voices=(replace(score.voices[0], name="Oboe"), score.voices[1]))
    out = splice(data, score, named)
    assert_reads(out, named)
    assert xml.raw_cells(out) == old


@pytest.mark.parametrize("where", ["end", "start", "middle"])
def test_bars_come(where: str) -> None:
    final = '<barline location="right"><bar-style>light-heavy</bar-style></barline>'
    data = score_of([*FOUR[:3], FOUR[3] + final])
    score = decode(data)
    piece = Voice.of("Lead", [Note(0, 3 * Q, 64, 80, 4), Note(4 * Q, 4 * Q, 65, 80, -1)])
    new = replace(take_bars(score, 1, 2), voices=(piece,))
    if where == "end":
        after = join(score, new)
    elif where == "start":
        after = join(new, score)
    else:
        after = join(join(take_bars(score, 1, 2), new), take_bars(score, 3, 4))
    after = replace(after, title=score.title)
    out = splice(data, score, after)
    assert_reads(out, after)
    measures = list(ElementTree.fromstring(out).iter("measure"))
    assert [measure.get("number") for measure in measures] == [str(number) for number in range(1, 7)]
    assert [measure.find("barline") is not None for measure in measures] == [False] * 5 + [True]
    kept = [xml.raw_cells(data)["P1", bar].split(b">", 1)[1] for bar in range(3)]
    inside = [raw.split(b">", 1)[1] for raw in xml.raw_cells(out).values()]
    assert all(raw in inside for raw in kept)


def test_bars_go() -> None:
    data = score_of(FOUR)
    score = decode(data)
    after = take_bars(score, 2, 3)
    out = splice(data, score, after)
    assert_reads(out, after)


def test_drums_keep_their_instruments() -> None:
    notes = [Note(beat * Q, Q, pitch, 80, Note.named(name, 0, 1).spelling) for beat, (pitch, name) in enumerate(
        [(36, "C2"), (38, "D2"), (36, "C2"), (42, "F#2")] * 3)]  # fmt: skip
    score = Score.build([Voice.of("Kit", notes, drums=True)], bars=3)
    data = encode(score).replace(b"Libretto", b"Somebody")
    before = decode(data)
    after = patched(before, 2, [Note(0, Q // 2, 42, 80, 6), Note(Q // 2, Q // 2, 36, 80, 0)])
    out = splice(data, before, after)
    assert_reads(out, after)
    assert xml.raw_frame(out) == xml.raw_frame(data)


def test_a_new_drum_is_listed() -> None:
    notes = [Note(beat * Q, Q, (36, 38)[beat % 2], 80, (0, 2)[beat % 2]) for beat in range(12)]
    data = encode(Score.build([Voice.of("Kit", notes, drums=True)], bars=3)).replace(b"Libretto", b"Somebody")
    before = decode(data)
    after = patched(before, 2, [Note(0, Q, 49, 80, 7), Note(Q, Q, 36, 80, 0)])
    out = splice(data, before, after)
    assert [(n.onset, n.duration, n.pitch) for n in decode(out).voices[0].notes] == [
        (n.onset, n.duration, n.pitch) for n in after.voices[0].notes
    ]
    assert xml.raw_cells(out)["P1", 2] == xml.raw_cells(data)["P1", 2]
    ids = {entry.get("id") for entry in xml.tree(out).iter("score-instrument")}
    assert {entry.get("id") for entry in xml.tree(out).iter("midi-instrument")} == ids
    assert {entry.get("id") for entry in xml.tree(out).iter("instrument")} <= ids


def test_notes_that_stay_keep_what_stands_on_them() -> None:
    dot = "<notations><articulations><staccato/></articulations></notations><lyric><text>la</text></lyric>"
    data = score_of([FOUR[0], note("D5", 2, dot) + note("E5", 2), *FOUR[2:]])
    score = decode(data)
    after = patched(score, 2, [Note(0, 2 * Q, 74, 80, 2), Note(2 * Q, Q, 60, 80, 0), Note(3 * Q, Q, 62, 80, 2)])
    out = splice(data, score, after)
    assert_reads(out, after)
    first = next(ElementTree.fromstring(xml.raw_cells(out)["P1", 1]).iter("note"))
    assert first.findtext("lyric/text") == "la"
    assert first.find("notations/articulations/staccato") is not None


def test_our_own_files_too() -> None:
    long = [Note(0, 6 * Q, 60, 80, 0), Note(Q, 6 * Q, 64, 80, 4), Note(10 * Q, 2 * Q, 67, 80, 1)]
    score = Score.build([Voice.of("Piano", long, program=0)], bars=4)
    data = encode(score)
    before = decode(data)
    after = patched(before, 2, [Note(3 * Q, 4 * Q, 62, 90, 2)])
    assert_reads(splice(data, before, after), after)


def test_compressed_files_keep_their_other_entries() -> None:
    score = decode(encode_mxl(decode(score_of(FOUR))))
    buffer = io.BytesIO()
    plain = encode(score)
    with zipfile.ZipFile(buffer, "w") as archive:
        container = '<container><rootfiles><rootfile full-path="a/b.xml"/></rootfiles></container>'
        archive.writestr("mimetype", "application/vnd.recordare.musicxml")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("a/b.xml", plain, zipfile.ZIP_DEFLATED)
        archive.writestr("picture.png", b"\x89PNG", zipfile.ZIP_DEFLATED)
    data = buffer.getvalue()
    before = decode(data)
    after = patched(before, 2, HALVES)
    out = splice(data, before, after)
    assert_reads(out, after)
    assert out == splice(data, before, after)
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(out)) as new:
        assert old.namelist() == new.namelist()
        for name in old.namelist():
            assert (old.read(name) == new.read(name)) == (name != "a/b.xml")
            assert old.getinfo(name).compress_type == new.getinfo(name).compress_type
            assert old.getinfo(name).date_time == new.getinfo(name).date_time


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "iso-8859-1", "utf-8-sig"])
def test_other_encodings(encoding: str) -> None:
    text = score_of(FOUR).decode().replace("&#xE9;", "é")
    named = {"utf-16-le": "UTF-16", "utf-8-sig": "UTF-8"}.get(encoding, encoding)
    data = text.replace('encoding="UTF-8"', f'encoding="{named}"').encode(encoding)
    score = decode(data)
    assert score.title == "Tea & éclairs"
    assert splice(data, score, score) == data
    after = patched(score, 2, HALVES)
    out = splice(data, score, after)
    assert_reads(out, after)
    assert decode(out).title == score.title


def test_what_cannot_be_spliced_is_refused_in_one_line() -> None:
    data = score_of(FOUR)
    score = decode(data)
    after = patched(score, 2, HALVES)
    refused = [
        (score_of(FOUR[:3]), "measures"),
        (score_of(FOUR, FOUR), "parts"),
        (data.replace(b"score-partwise", b"score-timewise"), "timewise"),
        (data[:-20], "well-formed"),
        (b"", "well-formed"),
        (b"PK nonsense", "archive"),
        (data.replace(b"<score-partwise", b'<!DOCTYPE x [<!ENTITY a "b">]><score-partwise', 1), "XML"),
    ]
    for bad, words in refused:
        with pytest.raises(FormatError, match=words) as caught:
            splice(bad, score, after)
        assert "\n" not in str(caught.value)
