"""What a page has besides its notes survives: counted, with its place, by a reader that shares nothing with ours."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.write import encode
from libretto.grammar import notate, parse

SHARED = Path(__file__).resolve().parents[3] / "shared" / "scores"
FILES = sorted(SHARED.glob("*.mxl"))

STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
USUAL = {"fermata": "upright", "strong-accent": "up", "tremolo": "single"}  # types that need not be said
Item = tuple[object, ...]


def document(data: bytes) -> Element:
    """The tree of a MusicXML file, plain or compressed."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            name = next(n for n in archive.namelist() if not n.startswith("META-INF") and n.endswith("xml"))
            data = archive.read(name)
    return ElementTree.fromstring(data)


def text_of(element: Element | None) -> str:
    return " ".join((element.text or "").split()) if element is not None else ""


class Census:
    """Counts everything on a page with its place: part, measure, time in the measure, pitch."""

    def __init__(self, data: bytes) -> None:
        self.items: Counter[Item] = Counter()
        root = document(data)
        parts = [list(part.findall("measure")) for part in root.findall("part")]
        self.timed: list[tuple[int, int, Fraction, Item]] = []  # what stands over a part: placed by absolute time
        lengths: dict[int, Fraction] = {}
        for number, measures in enumerate(parts):
            self.divisions, self.transposed = Fraction(1), 0
            for place, measure in enumerate(measures):
                length = self.measure(number, place, measure)
                lengths[place] = max(lengths.get(place, Fraction(0)), length)
        starts, at = {}, Fraction(0)
        for place in sorted(lengths):
            starts[place], at = at, at + lengths[place]
        for number, place, when, item in self.timed:
            self.items[(item[0], number, starts[place] + when, *item[1:])] += 1

    def measure(self, part: int, place: int, measure: Element) -> Fraction:
        at = onset = far = Fraction(0)
        for element in measure:
            length = Fraction(text_of(element.find("duration")) or 0) / self.divisions
            if element.tag == "note":
                if element.find("chord") is None and element.find("grace") is None:
                    onset, at = at, at + length
                self.note(part, place, at if element.find("grace") is not None else onset, length, element)
            elif element.tag in ("backup", "forward"):
                at += length if element.tag == "forward" else -length
            elif element.tag == "attributes":
                self.attributes(part, place, at, element)
            elif element.tag == "direction":
                late = Fraction(text_of(element.find("offset")) or 0) / self.divisions
                for child in element.iterfind("direction-type/*"):
                    self.timed += [(part, place, at + late.limit_denominator(10**6), item) for item in said(child)]
            elif element.tag == "barline":
                for child in element:
                    if child.tag == "repeat":
                        self.items["repeat", place, child.get("direction")] = 1
                    elif child.tag == "ending" and child.get("type") == "start":
                        self.items["ending", place, child.get("number", "").replace(" ", "")] = 1
                    elif child.tag == "fermata":
                        self.items["barline fermata", part, place, child.get("type", "upright")] += 1
            far = max(far, at)
        return far

    def attributes(self, part: int, place: int, at: Fraction, element: Element) -> None:
        divisions, transpose = element.find("divisions"), element.find("transpose")
        if divisions is not None:
            self.divisions = Fraction(text_of(divisions))
        if transpose is not None:
            octaves = int(text_of(transpose.find("octave-change")) or 0)
            self.transposed = int(text_of(transpose.find("chromatic")) or 0) + 12 * octaves
        for clef in element.findall("clef"):
            drawn = (text_of(clef.find(tag)) for tag in ("sign", "line", "clef-octave-change"))
            self.timed.append((part, place, at, ("clef", clef.get("number", "1"), *drawn)))

    def note(self, part: int, place: int, at: Fraction, length: Fraction, note: Element) -> None:
        pitch = self.pitch(note)
        for item in on_note(note):
            self.items[(item[0], part, place, at, pitch, *item[1:])] += 1
        if pitch is None:
            return
        grace = note.find("grace")
        if grace is not None:
            self.items["grace", part, place, at, pitch, grace.get("slash", "no"), text_of(note.find("type"))] += 1
        else:
            self.items["note", part, place, at, pitch, length] += 1
            self.items["staff", part, place, at, pitch, text_of(note.find("staff")) or "1"] += 1
        for kind in {tie.get("type") for tie in (*note.findall("tie"), *note.findall("notations/tied"))}:
            self.items[f"tie {kind}", part, place, at, pitch] += 1

    def pitch(self, note: Element) -> int | str | None:
        pitch = note.find("pitch")
        if pitch is None:
            return text_of(note.find("unpitched/display-step")) if note.find("unpitched") is not None else None
        alter = round(float(text_of(pitch.find("alter")) or 0))
        octave = int(text_of(pitch.find("octave")))
        return 12 * (octave + 1) + STEPS[text_of(pitch.find("step"))] + alter + self.transposed


def said(child: Element) -> Iterator[Item]:
    """What one element of a direction says."""
    if child.tag == "dynamics":
        for mark in child:
            yield "dynamics", text_of(mark) if mark.tag == "other-dynamics" else mark.tag
    elif child.tag == "words" and text_of(child):
        yield "words", text_of(child)
    elif child.tag in ("wedge", "pedal", "octave-shift", "dashes", "bracket"):
        yield child.tag, child.get("type"), child.get("size", "")


def on_note(note: Element) -> Iterator[Item]:
    """What stands on a note or rest."""
    for lyric in note.findall("lyric"):
        texts = [text_of(text) for text in lyric.findall("text")]
        syllabics = [text_of(syllabic) for syllabic in lyric.findall("syllabic")]
        yield "lyric", lyric.get("number", "1"), *texts, *syllabics, lyric.find("extend") is not None
    for child in note.iterfind("notations/*"):
        if child.tag == "slur":
            yield (f"slur {child.get('type')}",)
        elif child.tag in ("articulations", "ornaments", "technical"):
            for sign in child:
                kind = child.tag if sign.tag != "tremolo" else "tremolo"
                inside = tuple(inner.tag for inner in sign)
                yield kind, sign.tag, text_of(sign), sign.get("type") or USUAL.get(sign.tag), *inside
        elif child.tag in ("fermata", "arpeggiate", "non-arpeggiate", "glissando", "slide"):
            yield child.tag, child.get("type") or USUAL.get(child.tag), child.get("direction"), text_of(child)
    if note.find("cue") is not None:
        yield ("cue",)
    if note.find("notehead") is not None:
        yield "notehead", text_of(note.find("notehead"))


def lost(before: bytes, after: bytes) -> dict[str, str]:
    """By kind how many of how many are not where they were, or are new; nothing where all is as it was."""
    old, new = Census(before).items, Census(after).items
    missing, added = old - new, new - old
    faults: dict[str, str] = {}
    for kind in sorted({str(item[0]) for item in (*missing, *added)}):
        counts = [sum(n for item, n in items.items() if item[0] == kind) for items in (old, missing, added)]
        example = next(item for item in (*missing, *added) if item[0] == kind)
        faults[kind] = f"{counts[1]} of {counts[0]} missing, {counts[2]} new, such as {example}"
    return faults


def real_scores() -> list[Any]:
    """The files beside the checkout, one by one; the long ones only where there is time."""
    if not FILES:
        return [pytest.param(None, id="none")]
    long = [path for path in FILES if path.name.startswith("quartet")]
    return [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path in long)) for path in FILES]


@pytest.mark.shared
@pytest.mark.parametrize("path", real_scores())
def test_everything_on_a_page_comes_back_in_its_place(path: Path | None) -> None:
    if path is None:
        pytest.skip("no scores lie beside the checkout")
    data = path.read_bytes()
    score = decode(data)
    assert lost(data, encode(score)) == {}
    assert lost(data, encode(parse(notate(score)))) == {}


PAGE = """<score-partwise><part-list><score-part id="P1"><part-name>Piano</part-name></score-part></part-list>
<part id="P1">
<measure number="1"><attributes><divisions>6</divisions><staves>2</staves><clef number="1"><sign>G</sign><line>2</line>
</clef><clef number="2"><sign>F</sign><line>4</line></clef></attributes>
<direction><direction-type><words>Allegro</words></direction-type><sound tempo="90"/></direction>
<note><grace slash="yes"/><pitch><step>D</step><octave>5</octave></pitch><voice>1</voice><type>eighth</type>
<staff>1</staff><notations><slur type="start" number="1"/></notations></note>
<note><pitch><step>C</step><octave>5</octave></pitch><duration>12</duration><tie type="start"/><voice>1</voice>
<staff>1</staff><notations><tied type="start"/><slur type="stop" number="1"/><articulations><accent/></articulations>
</notations><lyric number="2"><syllabic>begin</syllabic><text>A</text></lyric></note>
<note><pitch><step>C</step><octave>5</octave></pitch><duration>6</duration><tie type="stop"/><voice>1</voice>
<staff>1</staff><notations><tied type="stop"/><fermata type="inverted"/></notations></note>
<note><rest/><duration>6</duration><voice>1</voice><staff>1</staff><notations><fermata/></notations></note>
<backup><duration>24</duration></backup>
<direction><direction-type><wedge type="crescendo"/></direction-type><staff>2</staff></direction>
<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration><voice>5</voice><staff>2</staff></note>
<note><chord/><pitch><step>C</step><octave>3</octave></pitch><duration>4</duration><voice>5</voice><staff>2</staff></note>
<note><pitch><step>D</step><octave>3</octave></pitch><duration>8</duration><voice>5</voice><staff>2</staff></note>
<attributes><clef number="2"><sign>G</sign><line>2</line></clef></attributes>
<note><pitch><step>E</step><octave>4</octave></pitch><duration>12</duration><voice>5</voice><staff>2</staff></note>
<direction><direction-type><wedge type="stop"/></direction-type><staff>2</staff></direction>
<backup><duration>24</duration></backup>
<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration><voice>6</voice><staff>2</staff></note>
<barline location="right"><ending number="1" type="stop"/><repeat direction="backward"/></barline></measure>
</part></score-partwise>"""


def test_a_page_of_our_own_comes_back_in_every_detail() -> None:
    data = PAGE.encode()
    assert len(Census(data).items) > 25
    score = decode(data)
    assert lost(data, encode(score)) == {}
    assert lost(data, encode(parse(notate(score)))) == {}


@pytest.mark.parametrize(
    "gone",
    ['<slur type="start" number="1"/>', "<accent/>", ' slash="yes"', "<fermata/>", '<wedge type="stop"/>', "inverted"],
)
def test_the_census_misses_what_is_missing(gone: str) -> None:
    assert gone in PAGE
    assert lost(PAGE.encode(), PAGE.replace(gone, "").encode()) != {}
