"""Laws of the player: what is written keeps its order, what is flat gets a shape, and chance can be repeated."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from strategies import scores

from libretto import parse
from libretto.score import QUARTER, Meter, Note, Score, Voice
from libretto.sound import Performance, perform
from libretto.sound.dynamics import accents, arches, leaning, moods, shaded

BAR = 4 * QUARTER
EIGHTH = QUARTER // 2


def line(bars: int = 8, velocity: int = 80, name: str = "FLUTE", program: int = 73) -> Voice:
    """Eighth notes up and down, all alike."""
    pitches = ("C4", "D4", "E4", "G4", "A4", "G4", "E4", "D4")
    notes = [Note.named(pitches[i % 8], i * EIGHTH, EIGHTH, velocity) for i in range(8 * bars)]
    return Voice.of(name, notes, program)


def velocities(score: Score, seed: int = 0) -> np.ndarray:
    return perform(score, seed).notes["velocity"].astype(int)


@given(scores())
def test_written_dynamics_keep_their_order_and_notes_their_places(score: Score) -> None:
    before, after = Performance.exact(score).notes, perform(score, 3).notes
    assert len(before) == len(after) == len(score.table)
    for column in ("pitch", "voice"):
        assert (before[column] == after[column]).all()
    assert ((after["velocity"] >= 1) & (after["velocity"] <= 127)).all()
    assert (after["start"] >= 0).all()
    assert (after["stop"] > after["start"]).all()
    assert np.abs(after["start"] - before["start"]).max(initial=0) < 0.06
    for voice in range(len(score.voices)):
        was, now = (notes[notes["voice"] == voice] for notes in (before, after))
        levels = [now["velocity"][was["velocity"] == level] for level in np.unique(was["velocity"])]
        assert all(low.max() < high.min() for low, high in pairwise(levels))
        starts = [now["start"][was["start"] == start] for start in np.unique(was["start"])]
        assert all(first.max() < later.min() for first, later in pairwise(starts))


@given(scores())
def test_the_same_seed_plays_the_same(score: Score) -> None:
    first, again = perform(score, 11).notes, perform(score, 11).notes
    assert first.tobytes() == again.tobytes()
    assert not first.flags.writeable


def test_another_seed_plays_otherwise() -> None:
    score = Score.build([line()])
    assert (perform(score, 1).notes["start"] != perform(score, 2).notes["start"]).any()
    assert (velocities(score, 1) != velocities(score, 2)).any()


def test_exact_playing_adds_nothing() -> None:
    score = Score.build([line()], tempos=((0, 500_000), (4 * BAR, 1_000_000)))
    notes = Performance.exact(score).notes
    assert (notes["velocity"] == 80).all()
    assert notes["start"] == pytest.approx(score.seconds_at(score.table["onset"]))
    assert notes["stop"][-1] == pytest.approx(4 * 2.0 + 4 * 4.0)


@pytest.mark.parametrize("velocity", [20, 64, 80, 110, 127])
def test_flat_playing_gets_a_shape_at_every_level(velocity: int) -> None:
    played = velocities(Score.build([line(velocity=velocity)]))
    assert len(set(played)) >= 5
    assert played.std() > 0.05 * velocity
    assert abs(played.mean() - velocity) < 0.25 * velocity


def test_downbeats_weigh_more_than_what_lies_between() -> None:
    score = Score.build([line()])
    played, place = velocities(score), score.table["position"]
    assert played[place == 0].mean() > played[place % QUARTER == 0].mean() > played[place % QUARTER != 0].mean()


def test_compound_meters_are_felt_in_threes() -> None:
    notes = [Note.named("C4", i * EIGHTH, EIGHTH) for i in range(12)]
    score = Score.build([Voice.of("FLUTE", notes, 73)], meters=((0, Meter(6, 8)),))
    weight = accents(score)
    assert weight[0] > weight[3] > weight[1] == weight[2] == weight[4] == weight[5]


def test_a_pickup_leads_to_the_downbeat() -> None:
    head = "KEY: C | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 1\nVOICES: A[prog=73]\n"
    text = head + "@0 [-] (bar:1/4)\n  A: G4@1>4\n@1 [C]\n  A: C5@1>16\n"
    pickup, downbeat = accents(parse(text))
    assert downbeat == 1.0
    assert pickup < 0.5


def test_a_snare_stresses_the_backbeat() -> None:
    notes = [Note.named("D2", i * EIGHTH, EIGHTH) for i in range(8)]
    played = velocities(Score.build([Voice.of("DRUMS", notes, drums=True)]))
    assert min(played[2], played[6]) > max(played[0], played[4]) > max(played[1::2])


def test_phrases_rise_and_fall() -> None:
    notes = [Note.named("C5", (i + i // 16 * 4) * EIGHTH, EIGHTH) for i in range(32)]
    shape = arches(Score.build([Voice.of("FLUTE", notes, 73)]))
    for phrase in (shape[:16], shape[16:]):
        assert phrase[7:11].min() > max(phrase[:3].max(), phrase[-2:].max())


def test_the_top_of_a_chord_is_heard() -> None:
    notes = [Note.named(name, i * BAR, BAR) for i in range(4) for name in ("C4", "E4", "G4", "C5")]
    played = velocities(Score.build([Voice.of("KEYS", notes, 0)])).reshape(4, 4)
    assert (played[:, 3] > played[:, :3].max(axis=1)).all()


def test_a_chorus_is_louder_than_a_verse_and_fuller_sections_than_thin_ones() -> None:
    named = Score.build([line(8)], sections=((0, "Verse"), (4 * BAR, "Chorus")))
    played = velocities(named)
    assert played[32:].mean() > played[:32].mean() + 5
    thin = [Note.named("C4", i * BAR, BAR) for i in range(4)]
    full = [Note.named("C4", 4 * BAR + i * EIGHTH, EIGHTH) for i in range(32)]
    mood = moods(Score.build([Voice.of("FLUTE", thin + full, 73)], sections=((0, "A"), (4 * BAR, "B"))))
    assert mood[0] < 0 < mood[-1]


def test_dynamics_that_somebody_wrote_stay() -> None:
    """Neighbouring levels cannot move at all, far ones less than half way to one another."""
    crescendo = [Note.named("C4", i * QUARTER, QUARTER, 40 + i) for i in range(64)]
    assert (velocities(Score.build([Voice.of("FLUTE", crescendo, 73)])) == np.arange(40, 104)).all()
    two = [Note.named("C4", i * QUARTER, QUARTER, 60 if i < 16 else 90) for i in range(32)]
    played = velocities(Score.build([Voice.of("FLUTE", two, 73)]))
    assert played[:16].max() < 75 < played[16:].min()


def test_what_was_played_off_the_grid_keeps_its_time() -> None:
    notes = [Note.named("C4", i * EIGHTH + (i * 977) % 1_500 + 1, EIGHTH) for i in range(32)]
    score = Score.build([Voice.of("FLUTE", notes, 73)])
    assert perform(score).notes["start"] == pytest.approx(Performance.exact(score).notes["start"])


def test_a_key_is_let_go_before_it_is_struck_again() -> None:
    notes = [Note.named("C4", i * EIGHTH, EIGHTH) for i in range(16)]
    played = perform(Score.build([Voice.of("KEYS", notes, 0)])).notes
    assert (played["stop"][:-1] < played["start"][1:]).all()


def test_the_fastest_run_keeps_its_order() -> None:
    run = [Note.named("C4", i * QUARTER // 16, QUARTER // 16) for i in range(256)]
    played = perform(Score.build([Voice.of("KEYS", run, 0)], tempos=((0, 100_000),))).notes
    assert (np.diff(played["start"]) > 0).all()


def test_other_voices_do_not_change_how_one_plays() -> None:
    alone = Score.build([line()])
    both = Score.build([line(name="OBOE", program=68), line()])
    assert (shaded(both)[-len(alone.table) :].astype(int) - shaded(alone).astype(int)).max() <= 6
    assert perform(both).notes["start"][-len(alone.table) :] == pytest.approx(perform(alone).notes["start"])


def test_chance_is_even_and_bounded() -> None:
    drawn = leaning(5, np.arange(20_000))
    assert np.abs(drawn).max() <= 1
    assert abs(drawn.mean()) < 0.02
    assert abs(drawn.std() - 6**-0.5) < 0.02
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.03
    assert leaning(-1, np.arange(3)).tolist() == leaning(2**64 - 1, np.arange(3)).tolist()
