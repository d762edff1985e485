"""Parts written from the rest of a song, and songs that go on."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.house import compose_score
from libretto.score import QUARTER, Meter, Score, take_bars
from libretto.score.marks import Mark, control_rows
from libretto.score.played import order_of
from libretto.tasks import accompany_task, extend_task
from libretto.tasks.fill.gap import opened
from libretto.tasks.fill.roles import ROLES, load_role_gauges, role_of


@pytest.fixture(scope="module")
def song() -> Score:
    return compose_score(Contract.from_brief("A pop rock song in A minor over 24 bars"), 5)


@pytest.mark.parametrize("role", ROLES)
def test_a_new_part_of_every_role(song: Score, role: str) -> None:
    task = accompany_task(song, "Newcomer", role)
    run = run_task(task, composer("house", 1), rounds=2)
    assert run.score is not None
    assert task.same_outside(run.score)
    part = run.score.voice("Newcomer")
    assert len(part.array) >= 8
    assert part.drums == (role == "drums")
    verdict = run.best.verdict
    assert verdict is not None
    assert verdict.outcomes["outside"].passed
    if role == "bass":
        assert part.array["pitch"].mean() < 50


def test_a_part_that_is_there_is_hidden_first(song: Score) -> None:
    name = next(voice.name for voice in song.voices if role_of(voice) == "bass")
    task = accompany_task(song, name.upper())
    assert not len(task.context.voice(name).array)
    shaken = song.voice(name).array.copy()
    shaken["velocity"] = 33
    voices = tuple(v.with_notes(shaken) if v.name == name else v for v in song.voices)
    assert accompany_task(replace(song, voices=voices), name).context == task.context
    run = run_task(task, composer("house"), rounds=3)
    assert run.passed
    assert run.score is not None
    assert run.score.voice(name) != song.voice(name)


def test_a_doubling_and_a_silent_part_are_refused(song: Score) -> None:
    pitched = max((v for v in song.voices if not v.drums), key=lambda v: len(v.array))
    task = accompany_task(song, "Shadow", "lead")
    voices = tuple(v.with_notes(pitched.array) if v.name == "Shadow" else v for v in task.context.voices)
    verdict = task.judge(replace(task.context, voices=voices, grids=song.grids))
    assert not verdict.outcomes["doubling"].passed
    assert not task.judge(task.context).passed


@pytest.mark.parametrize(("voice", "role", "words"), [("X", "kazoo", "no role 'kazoo'")])
def test_what_cannot_be_accompanied(song: Score, voice: str, role: str, words: str) -> None:
    with pytest.raises(LibrettoError, match=words):
        accompany_task(song, voice, role)
    drums = replace(song, voices=tuple(v for v in song.voices if v.drums))
    if drums.voices:
        with pytest.raises(LibrettoError, match="only percussion"):
            accompany_task(drums, "Bass")
    with pytest.raises(LibrettoError, match="too short"):
        accompany_task(take_bars(song, 1, 3), "Bass")


@pytest.mark.parametrize("at", ["end", "start", 9])
def test_extending_keeps_every_bar(song: Score, at: str | int) -> None:
    task = extend_task(song, 6, at, original=False)
    run = run_task(task, composer("house", 2), rounds=2)
    made = run.score
    assert made is not None
    assert made.bars == song.bars + 6
    assert task.same_outside(made)
    rows = made.table
    inside = (rows["bar"] >= task.span[0]) & (rows["bar"] <= task.span[1])
    assert inside.sum() > 6
    kept = made.table[~inside]
    assert len(kept) == len(song.table)
    assert np.array_equal(np.sort(kept["pitch"]), np.sort(song.table["pitch"]))


def test_an_opened_song_is_the_song_with_bars_in_it(song: Score) -> None:
    wider, first = opened(song, 2, 9)
    assert first == 9
    assert wider.bars == song.bars + 2
    assert take_bars(wider, 1, 8) == take_bars(song, 1, 8)
    assert take_bars(wider, 11, 12).voices == take_bars(song, 9, 10).voices
    with pytest.raises(LibrettoError, match="no place"):
        opened(song, 2, "nowhere")
    with pytest.raises(LibrettoError, match="cannot be added"):
        extend_task(song, 0)
    with pytest.raises(LibrettoError, match="too short"):
        extend_task(take_bars(song, 1, 3), 8)


_SIGNED = """KEY: G major | METER: 3/4 | TEMPO: 100 | GRID: 8th | BARS: 5
VOICES: LEAD[prog=73]
@0 [-] (written) (bar:1/4)
  LEAD: D4@1>2
@1 [G]
  LEAD: G4@1>2'. mf@1 B4@3>2 D5@5>2
@2 [C] (:|)
  LEAD: E5@1>6'ferm
@3 [D]
  LEAD: F#5@1>2'> D5@3>4
@4 [G]
  LEAD: G4@1>6
@5 [G]
  LEAD: G4@1>6
"""


@pytest.mark.parametrize("at", ["start", 3])
def test_signs_go_with_the_bars_that_come_later(at: str | int) -> None:
    song = parse(_SIGNED)
    wider, first = opened(song, 2, at)
    blank = {first - wider.first_bar, first - wider.first_bar + 1}
    kept = [bar for bar in range(wider.bars) if bar not in blank]
    assert [kept.index(bar) for bar in order_of(wider) if bar not in blank] == order_of(song)
    assert [bar for bar in order_of(wider) if bar in blank] == sorted(blank)  # once
    before, after = song.voices[0], wider.voices[0]
    where = dict(zip(before.array["onset"].tolist(), after.array["onset"].tolist(), strict=True))
    assert after.marks == tuple(mark._replace(tick=where[mark.tick]) for mark in before.marks)
    assert [mark.tick for mark in wider.marks if mark.kind == "written"] == [0]


@pytest.mark.parametrize("sung", [False, True])
def test_an_upbeat_opens_the_song_that_is_led_into(sung: bool) -> None:
    """It stays in front, and every other bar is full; words are not torn off what follows them."""
    song = parse(_SIGNED.replace(" (:|)", ""))
    if sung:
        word = Mark(0, "lyric", "When", QUARTER, 62)
        song = replace(song, voices=(replace(song.voices[0], marks=(word, *song.voices[0].marks)),))
    wider, first = opened(song, 2, "start")
    lengths = [(end - start) // QUARTER for start, end in pairwise(wider.bar_lines)]
    assert lengths == ([3, 3, 1] if sung else [1, 3, 3]) + [3] * 5
    assert first == 1
    assert wider.first_bar == int(sung)
    assert wider.voices[0].array["pitch"].tolist() == song.voices[0].array["pitch"].tolist()


def test_new_bars_before_an_upbeat_of_its_own_meter_are_full() -> None:
    song = parse(_SIGNED.replace(" (:|)", ""))
    song = replace(song, meters=((0, Meter(1, 4)), (song.bar_lines[1], Meter(3, 4))))
    for one in (song, replace(song, marks=(*song.marks, Mark(song.bar_lines[3], "repeat-end")))):
        wider, first = opened(one, 2, "start")
        new = first - wider.first_bar
        assert {wider.bar_lines[bar + 1] - wider.bar_lines[bar] for bar in (new, new + 1)} == {3 * QUARTER}
        assert wider.meter_at(wider.bar_lines[new]).beats == 3
        assert wider.meter_at(wider.bar_lines[-2]).beats == 3


def test_controls_go_with_the_bars_that_come_later() -> None:
    song = parse(_SIGNED)
    bent = replace(
        song, voices=(replace(song.voices[0], controls=control_rows([(0, 7, 90), (song.bar_lines[4], 11, 60)])),)
    )
    for at, line in (("start", 6), (3, 6), (5, 4)):
        wider, _ = opened(bent, 2, at)
        assert wider.voices[0].controls.tolist() == [(0, 7, 90), (wider.bar_lines[line], 11, 60)]


def _lead_sheet(meter: str, bars: list[tuple[str, str]]) -> Score:
    """A tune under chord symbols, as a page has it."""
    text = f"KEY: C major | METER: {meter} | TEMPO: 100 | GRID: 8th | BARS: {len(bars)}\nVOICES: TUNE[prog=73]\n"
    for number, (chord, notes) in enumerate(bars, 1):
        text += f"@{number} [{chord}]{' (written)' if number == 1 else ''}\n" + (f"  TUNE: {notes}\n" if notes else "")
    return parse(text)


def _part(song: Score, name: str) -> Score:
    run = run_task(accompany_task(song, name), composer("house", 0), rounds=1)
    assert run.score is not None
    return run.score


def test_a_new_bass_goes_by_the_chords_of_the_page() -> None:
    """The tune is on thirds and fifths and rests on long notes: only the labels tell the chords."""
    tune = [("C", "E4@3>2 E4@5>2 G4@7>10"), ("F", ""), ("G7", "D4@3>2 D4@5>2 B4@7>10"), ("C", "")] * 3
    made = _part(_lead_sheet("4/4", [*tune, ("C", "E4@1>8")]), "Bass")
    rows = made.voice("Bass").array
    roots = {"C": 0, "F": 5, "G7": 7}
    for bar, label in enumerate([label for label, _ in tune]):
        starts = rows[rows["onset"] == made.bar_lines[bar]]
        assert [pitch % 12 for pitch in starts["pitch"].tolist()] == [roots[label]], f"bar {bar + 1}"
    assert not (rows["onset"] % (QUARTER // 4)).any()
    assert not (rows["duration"] % (QUARTER // 4)).any()


@pytest.mark.parametrize(("meter", "beat"), [("6/8", 3), ("7/8", 2), ("4/4", 2)])
def test_a_kit_taps_the_beats_of_the_meter(meter: str, beat: int) -> None:
    eighths = {"6/8": 6, "7/8": 7, "4/4": 8}[meter]
    tune = [(chord, " ".join(f"{'CEGC'[at % 4]}5@{at}>1" for at in range(1, eighths + 1))) for chord in "CFGC" * 3]
    made = _part(_lead_sheet(meter, tune), "Drums")
    rows = made.voice("Drums").array
    snares = rows["onset"][(rows["pitch"] == 38) & (rows["onset"] < made.bar_lines[1])].tolist()
    assert snares == list(range(beat * QUARTER // 2, made.bar_lines[1], beat * QUARTER))


def test_the_role_gauges_load_and_hold() -> None:
    gauges = load_role_gauges()
    assert set(gauges) == set(ROLES)
    for role, gauge in gauges.items():
        assert gauge.weights.shape == (2 * len(gauge.middle),)
        assert gauge.rates["held out"]["real"][1] >= 0.75, role
        assert gauge.rates["held out"]["random"][1] <= 0.30, role
