"""Two drum patterns heard in the light of each other, in noise: one where they are one, two where a stroke differs."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.drumming import doubts, read_drum_pair, read_drums
from libretto.hearing.rhythm import find_pulse, find_pulses
from libretto.listen.relations import rhythm_match
from tests.made_sounds import RATE, kit

DRUMS = {36: 100, 38: 200, 42: 300}
EIGHTH = 0.24
KICKS, SNARES = (1, 4, 9, 15), (5, 13)


def pattern(kicks: tuple[int, ...] = KICKS, snares: tuple[int, ...] = SNARES) -> list[tuple[int, int]]:
    """Slots and drums of two bars that are said twice."""
    bars = [(slot, 42) for slot in range(1, 17)] + [(slot, 36) for slot in kicks] + [(slot, 38) for slot in snares]
    return [(slot + before, drum) for before in (0, 16) for slot, drum in bars]


def played(strokes: list[tuple[int, int]], below: float | None, seed: int) -> Clip:
    clip = kit(sorted(((slot - 1) * EIGHTH, drum) for slot, drum in strokes))
    if below is None:
        return clip
    hiss = np.random.default_rng(seed).standard_normal(len(clip.samples))
    loud = float(np.sqrt(np.mean(clip.samples**2))) * 10 ** (-below / 20)
    return Clip((clip.samples + loud * hiss).astype(np.float32), RATE)


def answer(one: Clip, two: Clip) -> str | None:
    return rhythm_match(*(reading.values for reading in read_drum_pair(one, two))).answer


@pytest.mark.parametrize("below", [None, 15.0, 6.0, 3.0])
def test_one_pattern_in_two_noises_is_one(below: float | None) -> None:
    first, second = read_drum_pair(played(pattern(), below, 1), played(pattern(), below, 2))
    assert first.values == second.values
    if below != 3.0:
        wanted = {slot + DRUMS[drum] for slot, drum in pattern()}
        assert len(wanted ^ set(first.values)) <= 2


@pytest.mark.parametrize("below", [None, 15.0, 6.0])
@pytest.mark.parametrize(
    "changed",
    [pattern(kicks=(1, 4, 9)), pattern(kicks=(1, 6, 9, 15)), pattern(snares=(5, 13, 16)), pattern((1, 4, 15))],
)
def test_a_stroke_that_differs_is_heard_in_noise(below: float | None, changed: list[tuple[int, int]]) -> None:
    assert answer(played(pattern(), below, 3), played(changed, below, 4)) == "no"


def test_clips_of_one_tempo_lie_under_one_comb_and_one_clip_under_its_own() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for start in (10, 33):
        strength = rng.uniform(0, 0.2, 2_000)
        strength[start : start + 32 * 48 : 48] = 10.0
        rows.append(strength)
    one, two = find_pulses(rows)
    assert one.period == pytest.approx(48 * 0.005, rel=0.01)
    assert two.period == pytest.approx(one.period, rel=0.01)
    assert find_pulse(rows[0]) == find_pulses(rows[:1])[0]
    assert find_pulses([rows[0], np.zeros(2_000)]) == []


def test_doubts_are_what_the_less_sure_hearing_says_where_two_disagree() -> None:
    one, two = np.array([[3.0, -2.0, 1.0]]), np.array([[-1.0, -5.0, 0.5]])
    assert doubts(one, two).tolist() == [[1.0, 0.0, 0.0]]
    assert doubts(one, two).tolist() == doubts(two, one).tolist()


def test_silence_is_no_pattern() -> None:
    silence = Clip(np.zeros(RATE, dtype=np.float32), RATE)
    assert read_drums(silence).values == ()
    assert [reading.values for reading in read_drum_pair(silence, silence)] == [(), ()]
