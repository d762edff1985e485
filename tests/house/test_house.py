"""Laws of the house composer: what it writes keeps its contract, can be played, and is the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from sampled import sampled

from libretto import Score, notate
from libretto.contract import Contract, instrument_of_program, receipt
from libretto.gates import Finding
from libretto.house import Controls, compose_score, load_style, make_plan, steer, style_names
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import fit, groups_of, strokes
from libretto.score import Meter

METERS = ("4/4", "3/4", "6/8", "5/4", "7/8", "2/4", "12/8", "9/8", "2/2", "11/8")


def _sounding_bars(score: Score) -> np.ndarray:
    table = score.table
    heard = np.zeros(score.bars, dtype=bool)
    ends = np.searchsorted(score.bar_lines, table["onset"] + table["duration"], side="left") - 1
    for first, last in zip(table["bar"], ends, strict=True):
        heard[first : last + 1] = True
    return heard


def _most_at_once(notes: np.ndarray) -> int:
    events = [(int(each["onset"]), 1) for each in notes] + [
        (int(each["onset"] + each["duration"]), -1) for each in notes
    ]
    now = most = 0
    for _, change in sorted(events):
        now += change
        most = max(most, now)
    return most


@pytest.mark.parametrize("style", style_names())
def test_every_style_gives_a_piece_that_can_be_played_and_ends(style: str) -> None:
    data = load_style(style)
    contract = Contract(style=style, genre=data.genre, bars=32)
    score = compose_score(contract, 5)
    assert score.bars == 32
    assert _sounding_bars(score).all()
    for voice in score.voices:
        if not voice.drums:
            instrument = instrument_of_program(voice.program or 0)
            assert voice.array["pitch"].min() >= instrument.low
            assert voice.array["pitch"].max() <= instrument.high
            assert _most_at_once(voice.array) <= instrument.polyphony, voice.name
    assert receipt(contract, score).passed, receipt(contract, score).lines


@pytest.mark.parametrize("style", sampled(style_names(), 4))
def test_the_same_seed_gives_the_same_text_and_another_seed_another(style: str) -> None:
    contract = Contract(style=style, genre=load_style(style).genre, bars=16)
    text = notate(compose_score(contract, 3))
    assert text == notate(compose_score(contract, 3))
    assert text != notate(compose_score(contract, 4))


@pytest.mark.parametrize("meter", METERS)
@pytest.mark.parametrize("style", ["pop_rock", "jazz"])
def test_any_meter_works(style: str, meter: str) -> None:
    contract = Contract(style=style, genre=load_style(style).genre, bars=16, meter=Meter.parse(meter))
    score = compose_score(contract, 1)
    assert score.meter == Meter.parse(meter)
    assert score.bars == 16
    assert _sounding_bars(score).all()


@pytest.mark.parametrize("bars", [1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 27, 28, 33, 64, 101, 179])
def test_any_length_is_met_exactly(bars: int) -> None:
    plan = make_plan(Contract(genre="pop_rock", bars=bars), 2)
    assert plan.bars == bars == sum(section.bars for section in plan.sections)
    assert all(section.bars > 0 for section in plan.sections)
    assert compose_score(Contract(genre="pop_rock", bars=bars), 2).bars == bars


@pytest.mark.parametrize(
    "brief",
    [
        "A piece for solo flute in A minor, Am Dm E7 Am over 16 bars.",
        "A lullaby for solo piano in F major, 24 bars, very soft.",
        "A duo for cello and guitar in D minor, Dm Gm A7 Dm over 12 bars.",
        "A funk jam in E minor, Em7 A7, electric guitar, bass, drums and horns, 20 bars.",
        "A march in Bb major for brass section and snare drum over 32 bars.",
        "Tabla and sitar in C mixolydian, slow, 16 bars.",
        "A string quartet in G major, G D Em C over 16 bars in 3/4.",
        "A tune in 7/8 for accordion, clarinet and darbuka, Gm Cm D7 Gm, 14 bars.",
        "An a cappella choir piece in Eb major, Eb Ab Bb Eb, 16 bars.",
        "Timpani and french horn fanfare in D major, 8 bars.",
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_briefs_are_kept_clause_by_clause(brief: str, seed: int) -> None:
    contract = Contract.from_brief(brief)
    found = receipt(contract, compose_score(contract, seed))
    assert found.passed, found.lines


def test_findings_turn_the_knobs_they_name() -> None:
    busy = steer(Controls(), [Finding("degeneracy", "", "", 1.0, axis="onset_density", wanted=-1)])
    assert busy.density < 0
    assert busy.offbeats == 0
    assert steer(Controls(), [Finding("originality", "", "", 1.0)]) == Controls()
    most = Controls()
    for _ in range(9):
        most = steer(most, [Finding("degeneracy", "", "", 1.0, axis="syncopation_rate", wanted=1)])
    assert most.offbeats == 1.0


def test_density_changes_how_much_is_played() -> None:
    contract = Contract(genre="pop_rock", bars=32)
    thin, full = (len(compose_score(contract, 1, Controls(density=amount)).table) for amount in (-0.8, 0.8))
    assert thin < full


@pytest.mark.parametrize("meter", METERS)
@pytest.mark.parametrize(
    "pattern", ["x...x...x...x...", "x.x.x.x.", "x..x..x..x..", "x.x.x.x.x.x.x.x.xxxxxxxxxxxxxxxx"]
)
def test_patterns_fit_any_meter(pattern: str, meter: str) -> None:
    target = Meter.parse(meter)
    found = strokes(fit(pattern, Meter(4, 4), target), target)
    assert found[0].start == 0
    assert all(0 <= stroke.start < target.ticks for stroke in found)
    assert sum(groups_of(target)) * 2 == target.beats * 16 // target.unit


def test_a_bar_of_triplets_keeps_its_beats() -> None:
    assert fit("x..o.xx..o.x", Meter(4, 4), Meter(3, 4)) == "x..o.xx.."
    assert fit("x..o.xx..o.x", Meter(4, 4), Meter(6, 8)) == "x..o.x"
    halves = strokes("x.............................x.", Meter(4, 4))
    assert [stroke.start * 32 // Meter(4, 4).ticks for stroke in halves] == [0, 30]


def test_a_line_takes_chord_tones_on_strong_beats_and_moves_mostly_by_step() -> None:
    scale = frozenset((0, 2, 4, 5, 7, 9, 11))
    chord = frozenset((0, 4, 7))
    places = [Place(chord, scale, 1.0 if index % 4 == 0 else 0.1, 66 + index % 5) for index in range(16)]
    line = draw_line(places, 55, 79, steps_of(sorted(scale), 55, 79), Taste(chance=0.0), [[0.0] * 25] * 16)
    assert all(line[index] % 12 in chord for index in range(0, 16, 4))
    assert all(pitch % 12 in scale for pitch in line)
    assert np.mean(np.abs(np.diff(line)) <= 4) > 0.8


def test_a_chip_has_several_voices() -> None:
    brief = "A chiptune in F major for 8-bit synth and electronic drums, 16 bars."
    piece = compose_score(Contract.from_brief(brief), 1)
    assert piece.voice("8-Bit Synth")
    assert sum(not voice.drums for voice in piece.voices) == 3


@pytest.mark.parametrize(
    ("brief", "named", "others"),
    [
        ("A laid-back roots reggae piece with the sounds of the ocean, 16 bars.", "Ocean Waves", 3),
        ("A vibrant jazz piece, use a saxophone to lead the melody, 16 bars.", "Saxophone", 2),
        ("An ambient techno piece with a drum machine, 16 bars.", "Drum Machine", 3),
        ("For solo flute in G major, 16 bars.", "Flute", 0),
        ("A synthwave piece in F major for a synth lead and electronic drums, 16 bars.", "Synth Lead", 1),
    ],
)
def test_a_style_supplies_the_band_that_a_brief_leaves_out(brief: str, named: str, others: int) -> None:
    piece = compose_score(Contract.from_brief(brief), 1)
    names = [voice.name for voice in piece.voices]
    assert named in names
    assert len(names) - 1 >= others if others > 1 else len(names) - 1 == others
    if others > 1:
        assert any(instrument_of_program(voice.program or 0).polyphony > 3 for voice in piece.voices if not voice.drums)
    if named == "Ocean Waves":
        assert len(piece.voice(named).array) <= piece.bars
