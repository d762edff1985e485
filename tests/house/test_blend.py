"""A band as it is heard: accompaniment below the tune, nobody gone half way, riffs that stay over a drone."""

from __future__ import annotations

from collections import Counter

import pytest

from lab.blend import cases
from libretto.contract import read_brief
from libretto.house.charts.beneath import heights
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER


def _kinds(brief: str) -> list[str]:
    contract = read_brief(brief)
    return [case.kind for case in cases(make_plan(contract, 0), compose_score(contract, 0))]


@pytest.mark.parametrize(
    "brief",
    [
        "A slack key guitar piece with ukulele, Hawaiian, relaxed, in G major, G, C, D, G over 24 bars",
        "An Andean dance for pan flute, charango and bombo in A minor, 24 bars",
        "A calm ambient piece for a synth lead, an arpeggiator and pads in A minor, 32 bars",
    ],
)
def test_who_accompanies_lies_below_the_tune(brief: str) -> None:
    assert "above" not in _kinds(brief)


@pytest.mark.parametrize(
    "brief",
    [
        "A joyful bayou cajun piece in 4/4 for french horn, guitar, fiddle and accordion",
        "A fun children piece in 4/4 for drums, voice, french horn, bass and xylophone",
    ],
)
def test_nobody_is_gone_for_good_unasked(brief: str) -> None:
    assert "vanishes" not in _kinds(brief)


def test_who_was_told_to_rest_rests() -> None:
    brief = "Folk for fiddle, guitar and accordion in D major, 32 bars. The accordion plays only in the first half."
    score = compose_score(read_brief(brief), 0)
    accordion = next(voice for voice in score.voices if voice.name == "Accordion")
    assert not any(note.onset >= score.bar_lines[18] for note in accordion.notes)


def test_a_riff_stays_over_a_drone() -> None:
    brief = "Hypnotic desert blues: electric guitars, calabash, claps and a vocal line over a drone, A minor, 28 bars"
    score = compose_score(read_brief(brief), 0)
    guitar = next(voice for voice in score.voices if voice.name == "Electric Guitar")
    bars = [score.bar_at(note.onset) for note in guitar.notes if note.pitch > 50]
    assert all(bars.count(bar) >= 4 for bar in range(27))


@pytest.mark.parametrize(
    ("brief", "style"),
    [
        ("Saharan guitar music, trance-like, with a repeating guitar riff, bass and hand percussion", "african"),
        ("A trance track in A minor", "trance"),
        ("A ghostly carnival tune in 3/4 for accordion, music box and violin", "musical"),
        ("A happy carnival in Trinidad with steel drums", "calypso"),
    ],
)
def test_states_and_haunted_fairs_are_told_from_dances(brief: str, style: str) -> None:
    assert make_plan(read_brief(brief), 0).style.name == style


def test_heights_count_upper_notes_by_how_long_they_last() -> None:
    notes = [Sketch(0, 2, 60), Sketch(0, 2, 72), Sketch(3, 1, 64), Sketch(4, 4, 50)]
    assert heights(notes, 4) == {0: 70.0, 1: 50.0}


def test_a_motif_of_repeated_notes_comes_back_changed() -> None:
    brief = "Post-rock: a piano repeats a slow melancholy motif, guitars, bass and drums join, A minor"
    score = compose_score(read_brief(brief), 0)
    piano = next(voice for voice in score.voices if voice.name == "Piano")
    tops: dict[int, int] = {}
    for note in piano.notes:
        tops[note.onset] = max(note.pitch, tops.get(note.onset, 0))
    bars: dict[int, list[int]] = {}
    for onset, pitch in tops.items():
        bars.setdefault(score.bar_at(onset), []).append(pitch)
    repeated = {bar: row[0] for bar, row in bars.items() if len(row) > 3 and len(set(row[:4])) == 1}
    half = score.bars // 2
    assert sum(bar < half for bar in repeated) >= 4 <= sum(bar >= half for bar in repeated)
    assert len(set(repeated.values())) >= 4


@pytest.mark.parametrize(
    ("brief", "groups"),
    [
        ("A Balkan dance in 9/8 for clarinet, accordion, tuba and drums in D minor", (0, 2, 4, 6)),
        ("A Bulgarian kopanitsa in 11/8 for clarinet, violin, accordion, bass and drums in D minor", (0, 2, 4, 7, 9)),
    ],
)
def test_the_groups_of_uneven_bars_are_felt_in_the_drums(brief: str, groups: tuple[int, ...]) -> None:
    score = compose_score(read_brief(brief), 0)
    drums = next(voice for voice in score.voices if voice.drums)
    kicks = Counter(note.onset % score.meters[0][1].ticks // (QUARTER // 2) for note in drums.notes if note.pitch == 36)
    assert all(kicks[place] >= 0.6 * score.bars for place in groups)
