"""Exemplars fit what is asked, come from the user's own corpus where there is one, and are looked for afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto import judge, parse, write
from libretto.corpus.build import build_cloud
from libretto.knowledge import Shown, exemplars, find_concept
from libretto.knowledge.exemplars import typical_stretch
from libretto.score import Meter

SONG = """KEY: C major | METER: {meter} | TEMPO: {tempo} | GRID: 16th | BARS: 12
VOICES: LEAD[prog=73], BASS[prog=33]
{bars}"""


def _song(meter: str, tempo: int, shift: int) -> str:
    lines = []
    for bar in range(1, 13):
        low, high = 40 + (bar * 5 + shift) % 7, 72 + (bar * 3 + shift) % 9
        names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        one, two = (f"{names[pitch % 12]}{pitch // 12 - 1}" for pitch in (low, high))
        lines.append(f"@{bar} [C]\n  LEAD: {two}@1>4 {two}@{5 + bar % 3}>2\n  BASS: {one}@1>8")
    return SONG.format(meter=meter, tempo=tempo, bars="\n".join(lines))


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path / "home"))
    for number in range(8):
        meter, tempo = ("3/4", 90) if number % 2 else ("4/4", 150)
        place = tmp_path / "songs" / "folk" / f"song{number}.mid"
        place.parent.mkdir(parents=True, exist_ok=True)
        write(parse(_song(meter, tempo, number * 2)), place)
    build_cloud(tmp_path / "songs", "mine", quiet=True, jobs=1)
    return tmp_path


def test_excerpts_fit_meter_tempo_and_length(corpus: Path) -> None:
    found = exemplars("folk", cloud="mine", meter=Meter(3, 4), tempo=95, bars=4, limit=3)
    assert found
    for each in found:
        assert each.score.meter == Meter(3, 4)
        assert each.score.bars == 4
        assert each.source == "mine"
        assert abs(6e7 / each.score.tempos[0][1] - 90) < 1


def test_what_was_shown_is_not_shown_again(corpus: Path) -> None:
    first = exemplars("folk", cloud="mine", limit=2)
    again = exemplars("folk", cloud="mine", limit=2, skip=[each.name for each in first])
    assert not {each.name for each in first} & {each.name for each in again}


def test_songs_that_are_gone_are_passed_over(corpus: Path) -> None:
    for path in (corpus / "songs" / "folk").iterdir():
        path.unlink()
    assert exemplars("folk", cloud="mine", limit=2) == []


def test_our_own_examples_stand_in_where_there_is_no_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    found = exemplars("jazz", limit=2)
    assert len(found) == 2
    assert all(each.source == "libretto" for each in found)


def test_a_stretch_is_not_simply_the_beginning() -> None:
    text = _song("4/4", 120, 0).replace("BARS: 12", "BARS: 12")
    quiet = text.replace("@1 [C]\n  LEAD: ", "@1 [C]\n  LEAD: F#4@1>1 ")
    assert 0 <= typical_stretch(parse(quiet), 4) <= 8
    assert typical_stretch(parse(text), 12) == 0


def test_a_copy_of_what_was_shown_is_found() -> None:
    shown = Shown()
    concept = find_concept("walking-bass")
    shown.example(concept)
    shown.example(concept)
    assert len(shown.concepts) == len(shown.excerpts) == 1
    assert shown.keys == {concept.key, concept.title}
    copied = judge(parse(concept.example), "jazz", cited=shown.cited, original=False)
    assert not copied.outcomes["citation"].passed
    assert any(finding.gate == "citation" for finding in copied.findings)
    other = judge(parse(find_concept("power-chord").example), cited=shown.cited, original=False)
    assert other.outcomes["citation"].passed
