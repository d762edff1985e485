"""One contract for every format: what it does not declare lost comes back; what it declares is really lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scores

from libretto import parse, read, write
from libretto.errors import LibrettoError
from libretto.formats import FACETS, formats
from libretto.score import Score, Voice

#: How to look at each facet of a Score.
VIEWS: dict[str, Callable[[Score], Any]] = {
    "velocity": lambda s: [sorted(v.array[["onset", "pitch", "velocity"]].tolist()) for v in sounding(s)],
    "spelling": lambda s: [sorted(v.array[["onset", "pitch", "spelling"]].tolist()) for v in sounding(s)],
    "programs": lambda s: [v.program for v in sounding(s)],
    "drums": lambda s: [v.drums for v in sounding(s)],
    "names": lambda s: [v.name for v in sounding(s)],
    "tempos": lambda s: s.tempos,
    "meters": lambda s: s.meters,
    "pickup": lambda s: s.first_bar,
    "bars": lambda s: s.bar_lines,
    "keys": lambda s: [(tick, key.signature) for tick, key in s.keys],
    "modes": lambda s: [key.mode for _, key in s.keys],
    "chords": lambda s: s.chords,
    "sections": lambda s: s.sections,
    "title": lambda s: s.title,
    "grids": lambda s: s.grids,
    "silent voices": lambda s: [v.name for v in s.voices],
}


def sounding(score: Score) -> list[Voice]:
    return [voice for voice in score.voices if len(voice.array)]


def notes(score: Score) -> list[Any]:
    return [sorted(v.array[["onset", "duration", "pitch"]].tolist()) for v in sounding(score)]


def inside(score: Score) -> Score:
    """The Score with no note that rings past its last bar, on the coarsest exact grids: what every format can hold."""
    end = score.ticks
    voices = []
    for voice in score.voices:
        array = voice.array.copy()
        array["duration"] = array["duration"].clip(max=end - array["onset"])
        voices.append(voice.with_notes(array))
    return Score.build(
        voices,
        bar_lines=score.bar_lines,
        meters=score.meters,
        keys=score.keys,
        tempos=score.tempos,
        sections=score.sections,
        chords=score.chords,
        title=score.title,
        first_bar=score.first_bar,
    )


def unnested(score: Score) -> bool:
    """Whether no note lies inside another of its pitch and voice: MIDI and notation cannot say which stops when."""
    for voice in score.voices:
        ends: dict[int, int] = {}
        for note in voice.notes:
            if note.onset < ends.get(note.pitch, 0):
                return False
            ends[note.pitch] = note.onset + note.duration
    return True


def full(score: Score) -> bool:
    """Whether something starts in the last bar: MIDI ends with its last note."""
    return any(len(v.array) and int(v.array["onset"][-1]) >= score.bar_lines[-2] for v in score.voices)


def test_every_facet_can_be_looked_at() -> None:
    assert set(VIEWS) == set(FACETS)


@pytest.mark.parametrize("name", list(formats))
@settings(max_examples=40)
@given(data=st.data())
def test_what_is_not_declared_lost_comes_back(name: str, data: st.DataObject) -> None:
    drawn = scores(irregular=True).filter(lambda s: unnested(s) and full(s)).map(inside)
    if name == "midi":  # reading MIDI rounds what is finer, since it may have been played
        drawn = drawn.filter(lambda s: all(grid.division <= 64 for grid in s.grids))
    score = data.draw(drawn)
    back = formats[name].decode(formats[name].encode(score))
    assert notes(back) == notes(score)
    for facet in FACETS:
        if facet not in formats[name].loses:
            assert VIEWS[facet](back) == VIEWS[facet](score), facet


EVERYTHING = """TITLE: LEAD
KEY: D dorian | METER: 4/4 | TEMPO: 97.3 | GRID: 64th | BARS: 3
VOICES: LEAD, PAD[prog=89], SILENT[prog=3], KIT[drums]
@1 [Dm9 | G13] (section:A)
  LEAD: D#5@1>16^101 F5@17>16^33
  PAD: D4+F4+A4@1>64
  KIT: C2@1>4 D2@17>4
@2 [Em7b5] (meter:3/4) (bar:5/8) (tempo:60.7@9) (key:Eb lydian)
  LEAD: Gb5@1>16
  KIT: F#2@1>4
@3 [-] (tempo:123.456)
  LEAD: E#5@1>16^77
  KIT: C2@1>4
"""
SHORT_FIRST = """KEY: C major | METER: 1/4 | TEMPO: 120 | GRID: 4th | BARS: 2
VOICES: LEAD
@1 [C]
  LEAD: C4@1>1
@2 [C] (meter:4/4)
  LEAD: C4@1>4
"""


LONG_BAR = SHORT_FIRST.replace("@1 [C]", "@1 [C] (bar:3/4)")
FAR_KEY = SHORT_FIRST.replace("C major", "G# major")


@pytest.mark.parametrize("name", list(formats))
def test_what_is_declared_lost_is_lost(name: str) -> None:
    format = formats[name]
    shown = set()
    for text in (EVERYTHING, SHORT_FIRST, LONG_BAR, FAR_KEY):
        score = parse(text)
        back = format.decode(format.encode(score))
        shown |= {facet for facet in FACETS if VIEWS[facet](back) != VIEWS[facet](score)}
    assert format.loses <= shown, f"survives after all: {sorted(format.loses - shown)}"


@pytest.mark.parametrize("name", list(formats))
def test_the_same_score_gives_the_same_bytes(name: str) -> None:
    assert formats[name].encode(parse(EVERYTHING)) == formats[name].encode(parse(EVERYTHING))


@pytest.mark.parametrize("name", list(formats))
@pytest.mark.parametrize("data", [b"", b"\x00", b"not music", b"\xff" * 100, "ümläut".encode("utf-16")])
def test_garbage_is_refused_in_one_line(name: str, data: bytes) -> None:
    with pytest.raises(LibrettoError) as caught:
        formats[name].decode(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [s for f in formats.values() for s in f.suffixes])
def test_files_come_and_go_by_suffix(suffix: str, tmp_path: Any) -> None:
    score = replace(parse(SHORT_FIRST), first_bar=0)
    write(score, tmp_path / f"piece{suffix}")
    assert notes(read(tmp_path / f"piece{suffix}")) == notes(score)
