"""Freely played MIDI: recognised, its beats and bars found, every note kept at its time; strange files end quickly."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lab.beats.pieces import Piece, piece_of_score
from lab.beats.playing import CURVES, Performance, perform
from lab.beats.scoring import f_measure, within
from libretto.cli.app import app
from libretto.errors import FormatError, LibrettoError
from libretto.formats import read, write
from libretto.formats.midi.beats import beats_of, decode_free, freedom_of, ignores_bar_lines, retimed
from libretto.formats.midi.beats.playing import moments_of, played, seconds_at, ticks_at
from libretto.formats.midi.beats.smoothing import EVEN, even_path
from libretto.formats.midi.read import score_of
from libretto.formats.midi.source import MidiPart, MidiSource, source_of
from libretto.formats.midi.write import encode
from libretto.grammar import parse
from libretto.score import Score
from libretto.score.time import QUARTER, Meter

ROOT = Path(__file__).parents[2]
CLICK = ((0, 500_000),)
runner = CliRunner()


@pytest.fixture(scope="module")
def song() -> Piece:
    piece = piece_of_score(read(ROOT / "examples/night_bus.libretto"), "night bus")
    assert piece is not None
    return piece


def waltz() -> Piece:
    """A waltz of our own: bass on one, chords on two and three, a plain tune."""
    chords = ("C3 E4+G4", "G2 D4+F4", "A2 C4+E4", "F2 A3+C4")
    tunes = ("E5@1>8 D5@9>4", "D5@1>4 C5@5>4 B4@9>4", "C5@1>12", "A4@1>8 G4@9>4")
    lines = [
        "KEY: C major | METER: 3/4 | TEMPO: 150 | GRID: 16th | BARS: 24",
        "VOICES: TUNE[prog=73], BASS[prog=32], KEYS[prog=0]",
    ]
    for bar in range(24):
        bass, upper = chords[(bar * bar + bar // 3) % 4].split()
        tune = tunes[(bar + bar // 8) % 4]
        keys = f"{upper}@5>3 {upper}@9>3"
        lines += [f"@{bar + 1} [-]", f"  TUNE: {tune}", f"  BASS: {bass}@1>4", f"  KEYS: {keys}"]
    piece = piece_of_score(parse("\n".join(lines) + "\n"), "waltz")
    assert piece is not None
    return piece


def figures(performance: Performance) -> tuple[float, float]:
    """The F-measures of beats and of bar lines."""
    beats = beats_of(performance.source)
    assert beats is not None
    first = min(int(part.onset.min()) for part in performance.source.parts) / (2 * QUARTER)
    last = max(int(part.onset.max()) for part in performance.source.parts) / (2 * QUARTER)
    lines = beats.times[beats.places == 0]
    return (
        f_measure(performance.beats, within(beats.times, first, last)),
        f_measure(performance.downbeats, within(lines, first, last)),
    )


def source_with(onset: list[int], *, drums: bool = False, length: int = 100) -> MidiSource:
    ticks = np.array(onset, dtype=np.int64)
    pitch = np.full(len(ticks), 60, dtype=np.int64)
    part = MidiPart("P", 0, drums, ticks, np.full(len(ticks), length, dtype=np.int64), pitch, pitch)
    return MidiSource((part,), ((0, Meter(4, 4)),), CLICK, (), (), "")


def test_the_f_measure_is_the_usual_one() -> None:
    beats = np.arange(10.0)
    assert f_measure(beats, beats) == 1.0
    assert f_measure(beats, beats + 0.069) == 1.0
    assert f_measure(beats, beats + 0.071) == 0.0
    assert f_measure(beats, np.arange(0, 10, 0.5)) == pytest.approx(2 / 3)
    assert f_measure(beats, beats[::2]) == pytest.approx(2 / 3)
    assert f_measure(beats, np.array([1.0, 1.01, 1.02])) == pytest.approx(2 / 13)
    assert f_measure(beats, np.empty(0)) == 0.0


def test_beats_and_bars_are_found(song: Piece) -> None:
    rows = [figures(perform(piece, curve, bpm)) for curve in CURVES for piece, bpm in ((song, 92.0), (waltz(), 140.0))]
    beats, bars = np.mean(rows, axis=0)
    assert beats >= 0.9
    assert bars >= 0.75


def test_bars_of_three_are_found() -> None:
    heard = beats_of(perform(waltz(), "waves", 140.0).source)
    assert heard is not None
    assert heard.size == 3


@pytest.mark.parametrize("curve", CURVES)
def test_what_was_played_freely_is_recognised(song: Piece, curve: str) -> None:
    assert ignores_bar_lines(perform(song, curve, 104.3).source)


def test_written_music_is_left_alone(song: Piece) -> None:
    source = source_of(encode(read(ROOT / "examples/night_bus.libretto")))
    assert not ignores_bar_lines(source)
    assert freedom_of(source).crowding > 0.9


@pytest.mark.parametrize("shift", [0, 1_700, QUARTER // 3, QUARTER])
@pytest.mark.parametrize("step", [QUARTER // 2, QUARTER // 3, QUARTER // 4, 3 * QUARTER // 8])
def test_a_click_that_was_followed_loosely_is_not_ignored(shift: int, step: int) -> None:
    noise = np.random.default_rng(1).normal(0, 0.012 * 2 * QUARTER, 200).astype(np.int64)  # 12 ms
    onset = 10_000 + shift + step * np.arange(200) + noise
    assert not ignores_bar_lines(source_with(sorted(onset.tolist())))


def test_swing_is_not_free() -> None:
    swung = [beat * QUARTER + part for beat in range(100) for part in (0, round(0.62 * QUARTER))]
    assert not ignores_bar_lines(source_with(swung))


def test_few_notes_say_nothing() -> None:
    ticks = np.random.default_rng(0).integers(0, 40 * QUARTER, 20)
    assert not ignores_bar_lines(source_with(sorted(ticks.tolist())))


def test_notes_stay_at_their_times(song: Piece) -> None:
    source = perform(song, "waves", 97.0).source
    anew = retimed(source)
    moved = []
    for before, after in zip(source.parts, anew.parts, strict=True):
        assert len(before.onset) == len(after.onset)
        assert (after.pitch == before.pitch).all()
        assert (after.velocity == before.velocity).all()
        for old, new in ((before.onset, after.onset), (before.onset + before.duration, after.onset + after.duration)):
            moved.append(seconds_at(anew.tempos, new) - seconds_at(source.tempos, old))
    apart = np.concatenate(moved)
    assert np.ptp(apart) < 0.001  # a silence of less than half a beat may have been left out before all of them


def test_a_clock_goes_both_ways() -> None:
    tempos = ((0, 500_000), (QUARTER, 250_000), (10 * QUARTER, 16_000_000))
    ticks = np.arange(0, 12 * QUARTER, 977)
    assert np.allclose(ticks_at(tempos, seconds_at(tempos, ticks)), ticks)
    assert seconds_at(tempos, np.array([QUARTER, 3 * QUARTER])).tolist() == [0.5, 1.0]


def test_bars_of_the_score_are_the_players(song: Piece) -> None:
    performance = perform(song, "phrases", 90.0)
    score = score_of(retimed(performance.source))
    assert isinstance(score, Score)
    assert score.meter == Meter(4, 4)
    assert abs(score.bars - len(performance.downbeats)) <= 3
    assert len(score.table) == sum(len(part.onset) for part in song.parts)


def test_the_same_notes_give_the_same_beats(song: Piece) -> None:
    source = perform(song, "walk", 120.0).source
    first, second = retimed(source), retimed(source)
    assert first.tempos == second.tempos
    assert first.meters == second.meters
    assert all((a.onset == b.onset).all() for a, b in zip(first.parts, second.parts, strict=True))


@pytest.mark.parametrize(
    "source",
    [
        MidiSource((), ((0, Meter(4, 4)),), CLICK, (), (), ""),
        source_with([]),
        source_with([0]),
        source_with([0, 1]),
        source_with([5] * 300_000),
        source_with([0, 20_000_000 * QUARTER]),
        source_with(list(range(0, 300_000 * 40, 40))),
        source_with([step * step * 1_000 for step in range(3_000)]),
        source_with(list(range(0, 40 * QUARTER, QUARTER)), drums=True, length=0),
        source_with([0, 100, 200, 300, 400, 500, 600, 700, 800]),
    ],
    ids=["parts", "none", "one", "two", "heap", "far", "dense", "slower", "drums", "burst"],
)
def test_strange_sources_end_quickly(source: MidiSource) -> None:
    start = time.process_time()
    ignores_bar_lines(source)
    try:
        anew = retimed(source)
    except LibrettoError:
        return
    assert sum(len(part.onset) for part in anew.parts) == sum(len(part.onset) for part in source.parts)
    assert all((part.onset >= 0).all() and (part.duration >= 0).all() for part in anew.parts)
    assert time.process_time() - start < 20


def test_notes_of_one_chord_are_one_moment() -> None:
    moment, times = moments_of(np.array([1.0, 1.01, 1.03, 1.5, 1.58, 2.0]))
    assert moment.tolist() == [0, 0, 0, 1, 2, 3]
    assert times[0] == pytest.approx(1.0133, abs=1e-3)
    assert len(played(source_with([0, 10, 90_000])).times) == 2


def recording(song: Piece, folder: Path) -> Path:
    """A performance as a MIDI file, its notes on ticks of an unrelated click."""
    import mido

    file = mido.MidiFile(ticks_per_beat=960)
    for number, part in enumerate(perform(song, "waves", 92.0).source.parts):
        channel = 9 if part.drums else number
        rows = [(int(t), "note_on", p, v) for t, p, v in zip(part.onset, part.pitch, part.velocity, strict=True)]
        ends = part.onset + part.duration
        rows += [(int(t), "note_off", p, 0) for t, p in zip(ends, part.pitch, strict=True)]
        track, now = mido.MidiTrack(), 0
        for tick, kind, pitch, velocity in sorted(rows):
            at = tick * 960 // QUARTER
            message = mido.Message(kind, note=int(pitch), velocity=int(velocity), time=at - now, channel=channel)
            track.append(message)
            now = at
        file.tracks.append(track)
    path = folder / "free.mid"
    file.save(path)
    return path


def test_commands_say_so_and_find_beats(song: Piece, tmp_path: Path) -> None:
    path = recording(song, tmp_path)
    plain = runner.invoke(app, ["convert", str(path), str(tmp_path / "plain.libretto")])
    assert plain.exit_code == 0
    assert plain.stderr == (
        f"the notes of {path} ignore its bar lines (recorded freely?); --beats finds beats and bars anew\n"
    )
    anew = runner.invoke(app, ["convert", str(path), str(tmp_path / "anew.libretto"), "--beats"])
    assert (anew.exit_code, anew.stderr) == (0, "")
    score = read(tmp_path / "anew.libretto")
    assert score == read(path, beats=True) or score.digest == read(path, beats=True).digest
    assert abs(score.bars - 17) <= 2
    shown = runner.invoke(app, ["show", str(path), "--beats"])
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "ignore its bar lines" in runner.invoke(app, ["show", str(path)]).stderr


def test_written_files_get_no_line(tmp_path: Path) -> None:
    path = tmp_path / "night_bus.mid"
    write(read(ROOT / "examples/night_bus.libretto"), path)
    assert runner.invoke(app, ["show", str(path)]).stderr == ""


def test_beats_are_for_midi() -> None:
    with pytest.raises(FormatError, match="beats are found in MIDI files"):
        read(ROOT / "examples/night_bus.libretto", beats=True)
    refused = runner.invoke(app, ["show", str(ROOT / "examples/night_bus.libretto"), "--beats"])
    assert refused.exit_code != 0


def test_untouched_files_are_left_alone(shared: Path) -> None:
    files = sorted((shared / "corpus/midi").rglob("*.mid"))[::6]
    said = sum(decode_is_free(file) for file in files)
    assert said <= 0.02 * len(files) + 1


def decode_is_free(file: Path) -> bool:
    try:
        return ignores_bar_lines(source_of(file.read_bytes()))
    except LibrettoError:
        return False


def test_decoding_says_both(song: Piece) -> None:
    data = encode(read(ROOT / "examples/night_bus.libretto"))
    score, free = decode_free(data)
    assert not free
    assert len(score.table) == sum(len(part.onset) for part in song.parts)


@pytest.mark.parametrize("count", [3, 4, 5, 12])
def test_a_path_is_as_even_as_its_moments_allow(count: int) -> None:
    dice = np.random.default_rng(count)
    weight, sums = dice.random(count) + 0.1, dice.random(count)
    bend = np.diff(np.eye(count), 2, axis=0)
    wanted = np.linalg.solve(np.diag(weight) + EVEN * bend.T @ bend, sums)
    assert np.allclose(even_path(weight, sums), wanted)
