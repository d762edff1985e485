"""The teller of tunes: the same for the same arguments, within its range, obedient, at home in the end."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from lab.tunes.reading import TEST, read_tunes
from libretto.errors import LibrettoError
from libretto.house.tune.guarding import Guard
from libretto.house.tune.memory import CLASSES, LOWEST, register_of, retrace
from libretto.house.tune.net import arrays, read_net
from libretto.house.tune.sketch import is_plain, known, runs_of, sketch_of
from libretto.house.tune.telling import Step, bits, tell
from libretto.house.tune.views import VIEWS, kind_of, view
from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.time import QUARTER, Meter

KEY, METER, LOW, HIGH = Key.parse("D major"), Meter(4, 4), 60, 81


def steps(bars: int = 8) -> list[Step]:
    """Eighths, with a quarter at the end of every fourth bar."""
    half, made = QUARTER // 2, []
    for place in range(bars * 8):
        bar = place // 8
        if bar % 4 == 3 and place % 8 == 7:
            continue
        chord = parse_chord(("D", "G", "A7", "D")[bar % 4])
        phrase = bar // 4 * 4 * METER.ticks
        length = QUARTER if bar % 4 == 3 and place % 8 == 6 else half
        made.append(Step(place * half, length, chord, phrase, phrase + 4 * METER.ticks))
    return made


def test_the_same_arguments_tell_the_same_tune() -> None:
    assert tell(steps(), KEY, METER, LOW, HIGH, 3) == tell(steps(), KEY, METER, LOW, HIGH, 3)
    assert len({tuple(tell(steps(), KEY, METER, LOW, HIGH, seed)) for seed in range(5)}) == 5


def test_a_tune_is_the_same_in_every_key() -> None:
    """All is relative to the tonic: a fourth higher in all respects is the same tune, a fourth higher."""
    moved = [replace(step, chord=parse_chord({"D": "G", "G": "C", "A": "D7"}[_root(step)])) for step in steps()]
    there = tell(moved, Key.parse("G major"), METER, LOW + 5, HIGH + 5, 9)
    assert there == [pitch + 5 for pitch in tell(steps(), KEY, METER, LOW, HIGH, 9)]


def _root(step: Step) -> str:
    assert step.chord is not None
    return {2: "D", 7: "G", 9: "A"}[step.chord.root_class]


def test_a_tune_stays_in_its_range() -> None:
    for seed in range(4):
        told = tell(steps(), KEY, METER, 65, 72, seed, heat=1.5)
        assert len(told) == len(steps())
        assert all(65 <= pitch <= 72 for pitch in told)
    assert tell([], KEY, METER, LOW, HIGH, 0) == []
    assert len(tell(steps()[:1], KEY, METER, LOW, HIGH, 0)) == 1
    assert len(tell(steps()[:14], KEY, Meter(7, 8), LOW, HIGH, 0, heat=0, beam=1)) == 14
    assert len(set(tell(steps()[:5], KEY, METER, 21, 108, 0))) > 1


def test_what_is_forbidden_is_not_sung() -> None:
    only = tuple(0.0 if pitch in (62, 69) else -math.inf for pitch in range(LOW, HIGH + 1))
    bound = [replace(step, bias=only) if index % 3 == 0 else step for index, step in enumerate(steps())]
    told = tell(bound, KEY, METER, LOW, HIGH, 1)
    assert all(told[index] in (62, 69) for index in range(0, len(told), 3))


def test_a_wish_draws_and_an_impossible_one_is_said() -> None:
    high = tuple(6.0 if pitch >= 76 else 0.0 for pitch in range(LOW, HIGH + 1))
    free, drawn = (
        [tell([replace(step, bias=bias) for step in steps(2)], KEY, METER, LOW, HIGH, seed) for seed in range(4)]
        for bias in ((), high)
    )
    assert np.mean(drawn) > np.mean(free) + 3
    with pytest.raises(LibrettoError, match=r"note 1 .* no pitch from 60 to 81"):
        tell([replace(steps()[0], bias=(-math.inf,) * (HIGH - LOW + 1))], KEY, METER, LOW, HIGH, 0)
    with pytest.raises(LibrettoError, match="2 biases for 22 pitches"):
        tell([replace(steps()[0], bias=(0.0, 0.0))], KEY, METER, LOW, HIGH, 0)


@pytest.mark.parametrize(
    ("kind", "key"), [("reel", "D major"), ("air", "E minor"), ("pop", "A minor"), ("", "G dorian")]
)
def test_tunes_keep_to_the_scale_and_end_at_home(kind: str, key: str) -> None:
    plain = [replace(step, chord=None) for step in steps()]
    told = [tell(plain, Key.parse(key), METER, LOW, HIGH, seed, kind=kind) for seed in range(8)]
    classes = [*Key.parse(key).classes, (Key.parse(key).tonic_class - 1) % 12]
    assert np.mean([pitch % 12 in classes for tune in told for pitch in tune]) > 0.9
    assert sum(tune[-1] % 12 == Key.parse(key).tonic_class for tune in told) >= 4


def test_an_echo_is_answered() -> None:
    """A bar that answers another is more like it than one that does not."""
    count = len(steps(4))
    echoing = [replace(step, echo=index - count if index >= count else -1) for index, step in enumerate(steps())]
    alike = []
    for plan in (steps(), echoing):
        told = [tell(plan, KEY, METER, LOW, HIGH, seed) for seed in range(8)]
        alike.append(np.mean([a == b for tune in told for a, b in zip(tune, tune[count:], strict=False)]))
    assert alike[1] > alike[0]


def test_told_tunes_hold_no_run_of_a_taught_one() -> None:
    sketch = arrays()["sketch"].astype(np.uint8)
    lengths = [step.length for step in steps(16)]
    for seed in range(3):
        told = tell(steps(16), KEY, METER, LOW, HIGH, seed, kind="reel")
        assert not known(sketch, runs_of(told, lengths)).any()


def test_a_guard_knows_which_note_would_end_a_run() -> None:
    """Of all notes that could come twelfth it marks those whose run is in the sketch, and none before."""
    told = tell(steps(16), KEY, METER, LOW, HIGH, 0)
    lengths = [step.length for step in steps(16)]
    guard, sketch, pitches = Guard(lengths), arrays()["sketch"].astype(np.uint8), np.arange(LOW, HIGH + 1)
    line = np.array([told])
    assert not guard.recites(10, line, pitches[None]).any()
    for index in range(11, len(told)):
        marked = guard.recites(index, line, pitches[None])[0]
        runs = [[*told[index - 11 : index], int(pitch)] for pitch in pitches]
        plain = [len(runs_of(run, lengths[index - 11 : index + 1])) == 0 for run in runs]
        by_hand = [
            aside or bool(known(sketch, runs_of(run, lengths[index - 11 : index + 1])).any()) == mark
            for run, aside, mark in zip(runs, plain, marked, strict=True)
        ]
        assert all(by_hand)


def test_a_sketch_knows_its_runs_in_any_key_and_at_any_speed() -> None:
    chance = Random(1)
    tune, lengths = [chance.randint(60, 80) for _ in range(60)], [chance.choice((1, 2, 3)) for _ in range(60)]
    sketch = sketch_of(runs_of(tune, lengths), 16)
    assert known(sketch, runs_of([pitch + 3 for pitch in tune], [4 * length for length in lengths])).all()
    assert known(sketch, runs_of(tune[::-1], lengths)).mean() < 0.1
    assert is_plain([2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2], True)
    assert not is_plain([2, -2, 1, 2, -2, 2, 1, -2, 2, 1, 2], True)


def test_what_is_read_at_once_is_what_is_read_step_by_step() -> None:
    """Teaching reads a tune whole, telling note by note: both say the same bits."""
    plan = [replace(step, echo=index - 16 if index >= 16 else -1) for index, step in enumerate(steps())]
    tune = tell(plan, KEY, METER, LOW, HIGH, 5, kind="reel")
    seen, net = view(plan, KEY, METER, "reel"), read_net()
    assert seen.views.shape == (len(plan), VIEWS)
    classes = np.array(tune) - register_of(KEY.tonic_class, float(np.median(tune))) + LOWEST
    told, plain, pointers = retrace(seen, classes)
    prepared, state, total = net.prepare(seen), np.zeros((1, net.width), dtype=np.float32), 0.0
    scale = seen.scale.astype(np.float32)
    for index, sung in enumerate(classes):
        here = slice(index, index + 1)
        heads, state = net.hear(prepared[index], told[here], plain[here], state)
        last = np.where(told[here, 0] < CLASSES, told[here, 0], -1)
        harmony = (seen.tones[index].astype(np.float32), scale)
        scores = net.scores(heads, last, pointers[here], int(seen.roots[index]), harmony)[0].astype(np.float64)
        total -= float(scores[sung] - np.log(np.exp(scores).sum())) / math.log(2)
    assert total / len(tune) == pytest.approx(bits(plan, tune, KEY, METER, "reel"), abs=1e-3)


def test_kinds_are_open_words() -> None:
    assert kind_of("Slip-Jig") == "slip jig"
    assert kind_of("never heard of") == ""


@pytest.mark.shared
def test_real_tunes_kept_aside_are_cheaper_than_the_same_notes_in_disorder(shared: Path) -> None:
    folder = shared / "tunes"
    if not folder.is_dir():
        pytest.skip("needs the tunes beside the checkout")
    chance, real, mixed, notes = Random(0), 0.0, 0.0, 0
    for tune in islice((tune for tune in read_tunes(folder, "nottingham") if tune.part == TEST), 6):
        plan = [replace(step, echo=-1) for step in tune.steps]
        disorder = chance.sample(tune.pitches, len(tune.pitches))
        real += bits(plan, tune.pitches, tune.key, tune.meter, tune.kind) * len(plan)
        mixed += bits(plan, disorder, tune.key, tune.meter, tune.kind) * len(plan)
        notes += len(plan)
    assert real / notes < 2.0 < 3.0 < mixed / notes
