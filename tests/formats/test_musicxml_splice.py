"""Edits spliced into MusicXML files: what is meant to change changes, every other element and byte stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import xml_reader as xml

from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.splice import splice
from libretto.score import (
    QUARTER,
    Note,
    Patch,
    Score,
    Voice,
    add_voice,
    join,
    replace_bars,
    take_bars,
    transpose,
)

SHARED = Path(__file__).resolve().parents[3] / "shared" / "scores"
FILES = sorted(SHARED.glob("*.mxl"))
SOME = [path for path in FILES if path.stem in ("lead_01", "lied_02", "lied_03")]
Q = QUARTER
needs_scores = pytest.mark.skipif(not FILES, reason="needs the scores beside the checkout")


def opened(path: Path) -> tuple[bytes, Score]:
    """A file and its piece."""
    data = path.read_bytes()
    return data, decode(data)


def two_bars(score: Score, voice: Voice, low: int) -> Score:
    """The piece with other notes for a voice in two bars: dotted eighths that ring over the edges."""
    start, end = score.bar_lines[low], score.bar_lines[low + 2]
    octave = 48 if voice is score.voices[-1] else 60
    notes = []
    for index, onset in enumerate(range(start, end, 3 * Q // 4)):
        pitch, spelling = ((octave, 0), (octave + 4, 4), (octave + 7, 1), (octave + 2, 2))[index % 4]
        notes.append(Note(onset - start, 3 * Q // 4, pitch, 70, spelling))
    if end < score.ticks:
        notes[-1] = notes[-1]._replace(duration=2 * Q)
    bars = low + score.first_bar, low + 1 + score.first_bar
    return replace_bars(score, Patch(score.digest, (voice.name,), *bars, (tuple(notes),)))


def written(voice: Voice, lines: tuple[int, ...], bar: int, ties: bool) -> set[tuple[int, ...]]:
    """What a voice does in a bar, worked out plainly: its notes cut at the bar lines."""
    start, end = lines[bar], lines[bar + 1]
    pieces = set()
    for note in voice.notes:
        stop = note.onset + note.duration
        if note.onset < end and stop > start:
            cut = max(note.onset, start), min(stop, end), note.pitch, note.velocity, note.spelling
            pieces.add((*cut, *((note.onset < start, stop > end) if ties else ())))
    return pieces


def changed_cells(before: Score, after: Score, ties: bool = True) -> set[tuple[int, int]]:
    """The (voice, bar) cells in which two versions with the same bars differ."""
    lines = before.bar_lines
    return {
        (index, bar)
        for index, (old, new) in enumerate(zip(before.voices, after.voices, strict=True))
        if old.array.tobytes() != new.array.tobytes()
        for bar in range(before.bars)
        if written(old, lines, bar, ties) != written(new, lines, bar, ties)
    }


def assert_only(data: bytes, out: bytes, before: Score, after: Score) -> None:
    """Outside the cells that differ nothing changed, to the byte; where only ties differ, only ties did."""
    old, new = xml.cells(data), xml.cells(out)
    assert list(old) == list(new)
    assert xml.raw_frame(data) == xml.raw_frame(out)
    parts = list(dict.fromkeys(part for part, _ in old))
    touched = {(parts[index], bar) for index, bar in changed_cells(before, after)}
    inside = {(parts[index], bar) for index, bar in changed_cells(before, after, ties=False)}
    raw_old, raw_new = xml.raw_cells(data), xml.raw_cells(out)
    assert list(raw_old) == list(old)
    for cell in old:
        if cell not in touched:
            assert old[cell] == new[cell], cell
            assert raw_old[cell] == raw_new[cell], cell
        elif cell not in inside:
            assert xml.without_ties(old[cell]) == xml.without_ties(new[cell]), cell
        else:
            assert sorted(xml.sounding(old[cell])) == sorted(
                child
                for child in xml.sounding(new[cell])
                if "<divisions>" not in child[0] or child in xml.sounding(old[cell])
            ), cell


def assert_neighbours(data: bytes, out: bytes, bars: tuple[int, int]) -> None:
    """Outside the replaced bars only notes that were tied into their measure go, and only such come (or rests)."""
    old, new = xml.children(data), xml.children(out)
    for cell in old:
        if not bars[0] <= cell[1] <= bars[1]:
            for lost in old[cell] - new[cell]:
                assert "<note" in lost, cell
                assert 'type="stop"' in lost or "<rest" in lost, cell
            for more in new[cell] - old[cell]:
                assert any(sign in more for sign in ('type="stop"', "<rest", "<backup", "<forward", "<divisions")), cell


def assert_notes(out: bytes, after: Score) -> None:
    """The spliced file reads as the new version: bars, notes, meters, keys, tempi, sections."""
    got = decode(out)
    assert got.bar_lines == after.bar_lines
    assert [voice.name for voice in got.voices] == [voice.name for voice in after.voices]
    for mine, theirs in zip(got.voices, after.voices, strict=True):
        cut = [note._replace(duration=min(note.duration, after.ticks - note.onset)) for note in theirs.notes]
        assert list(mine.notes) == list(theirs.with_notes(cut).notes), mine.name
    for kind in ("meters", "tempos", "sections", "title"):
        assert getattr(got, kind) == getattr(after, kind), kind
    # a signature without a mode is heard from the notes
    assert [(t, key.signature) for t, key in got.keys] == [(t, key.signature) for t, key in after.keys]


def bars_replaced(path: Path) -> None:
    data, score = opened(path)
    for voice in score.voices:
        low = score.bars // 2
        after = two_bars(score, voice, low)
        out = splice(data, score, after)
        assert_only(data, out, score, after)
        assert_neighbours(data, out, (low - 1, low + 1))
        assert_notes(out, after)
        assert xml.slurs_left_open(out) == xml.slurs_left_open(data)
    assert splice(data, score, after) == out


def transposed(path: Path) -> None:
    """Only pitches, accidentals, keys and chord symbols change: all else of every note stays."""
    data, score = opened(path)
    after = transpose(score, 2)
    out = splice(data, score, after)
    assert_notes(out, after)
    old, new = xml.tree(data), xml.tree(out)
    for root in (old, new):
        for element in root.iter():
            for child in list(element):
                if child.tag in ("accidental", "pitch", "fifths", "mode", "cancel", "root", "bass"):
                    element.remove(child)
            element.text, element.tail = (element.text or "").strip(), None
    assert xml.canonical(old) == xml.canonical(new)
    pairs = zip(xml.roots(data), xml.roots(out), strict=True)
    assert all((new - old) % 12 == 2 for old, new in pairs)


def voice_added(path: Path) -> None:
    data, score = opened(path)
    notes = [Note(at, Q, 67, 80, 1) for at in range(0, score.ticks - Q, 2 * Q)]
    after = add_voice(score, Voice.of("Newcomer", notes, program=73))
    out = splice(data, score, after)
    assert_notes(out, after)
    old, new = xml.raw_cells(data), xml.raw_cells(out)
    assert {cell: new[cell] for cell in old} == old
    added = {part for part, _ in new} - {part for part, _ in old}
    assert len(added) == 1
    root = xml.tree(out)
    assert [part.get("id") for part in root.findall("part")][-1] in added
    numbers = [[m.get("number") for m in part.findall("measure")] for part in root.findall("part")]
    assert numbers[0] == numbers[-1]


def extended(path: Path) -> None:
    data, score = opened(path)
    more = take_bars(score, score.numbers[-4], score.numbers[-2])
    after = join(score, more)
    out = splice(data, score, after)
    assert_notes(out, after)
    old, new = xml.raw_cells(data), xml.raw_cells(out)
    last = score.bars - 1
    rings = {score.bar_at(n.onset) for v in score.voices for n in v.notes if n.onset + n.duration > score.ticks}
    for (part, bar), raw in old.items():
        if bar != last and bar not in rings:
            assert new[part, bar] == raw
    parts = {part for part, _ in old}
    assert set(new) == {(part, bar) for part in parts for bar in range(after.bars)}
    for part in parts:
        assert (b"light-heavy" in old[part, last]) == (b"light-heavy" in new[part, after.bars - 1])


def slowed(path: Path) -> None:
    data, score = opened(path)
    after = replace(score, tempos=tuple((tick, micros * 5 // 4) for tick, micros in score.tempos))
    out = splice(data, score, after)
    assert_notes(out, after)
    old, new = xml.tree(data), xml.tree(out)
    for root in (old, new):
        for measure in root.iter("measure"):
            for child in list(measure):
                said = child if child.tag == "sound" else child.find("sound")
                tempo = said is not None and "tempo" in said.attrib
                if tempo or next(child.iter("per-minute"), None) is not None:
                    measure.remove(child)
        for element in root.iter():
            element.text, element.tail = (element.text or "").strip(), None
    assert xml.canonical(old) == xml.canonical(new)


EDITS = [bars_replaced, transposed, voice_added, extended, slowed]


@needs_scores
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_real_scores(path: Path, edit: Callable[[Path], None]) -> None:
    edit(path)


@needs_scores
@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("path", [path for path in FILES if path not in SOME], ids=lambda path: path.stem)
def test_all_real_scores(path: Path, edit: Callable[[Path], None]) -> None:
    edit(path)
