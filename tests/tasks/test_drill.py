"""Drills: what was asked is kept, the concept is seen, the example is not copied, and what cannot be is refused."""

from __future__ import annotations

import pytest

from libretto.agents import composer, run_task
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.house import fits
from libretto.knowledge import all_concepts, shows
from libretto.score import Score
from libretto.tasks import DrillTask, Run, drill_task
from libretto.tasks.drill.checks import checks_of
from libretto.tasks.drill.request import difficulty_of
from libretto.tasks.drill.task import novelty_of, parse_range

SOME = [
    ("harmonic minor", {"key": "E", "meter": "4/4", "bars": 20, "level": 2, "clef": "bass"}),
    ("dorian mode", {"key": "G", "meter": "3/4", "bars": 8}),
    ("broken triad", {"key": "C", "meter": "3/4"}),
    ("two-five-one-major", {"key": "Bb", "meter": "4/4"}),
    ("perfect authentic cadence", {"key": "D", "meter": "3/4"}),
    ("syncopated-tie", {"key": "A", "meter": "4/4"}),
    ("ternary-form", {"key": "F"}),
    ("real-sequence", {"key": "Eb"}),
    ("crescendo", {"key": "B", "meter": "3/4"}),
]


def written(task: DrillTask, seed: int = 0) -> Run:
    return run_task(task, composer("house", seed), rounds=1, seed=seed)


@pytest.mark.parametrize(("name", "asked"), SOME, ids=[name for name, _ in SOME])
def test_a_drill_keeps_what_was_asked(name: str, asked: dict[str, object]) -> None:
    task = drill_task(name, **asked)  # type: ignore[arg-type]
    run = written(task)
    assert run.passed, run.best.feedback
    score = run.score
    assert score is not None
    assert len(score.voices) == 1
    assert shows(score, task.concept)
    assert novelty_of(score, task.example) < 0.5
    if task.bars:
        assert score.bars == task.bars
    if task.meter:
        assert score.meter == task.meter
    assert run.best.draft.notes["attempts"] <= 12


def test_the_same_seed_gives_the_same_bytes_and_another_another_drill() -> None:
    task = drill_task("dorian mode", key="G", bars=8)
    texts = [written(task, seed).best.draft.text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_what_does_not_go_together_is_refused_with_what_would() -> None:
    assert not fits("waltz-accompaniment", "4/4")
    assert fits("waltz-accompaniment", "3/4")
    with pytest.raises(LibrettoError, match="goes into 3/4"):
        written(drill_task("waltz-accompaniment", meter="4/4"))
    with pytest.raises(LibrettoError, match="drum kit"):
        written(drill_task("half-time-feel"))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"bars": 1}, "bars"),
        ({"level": 4}, "level"),
        ({"clef": "french"}, "clef"),
        ({"tempo": 1000.0}, "tempo"),
        ({"instrument": "kazoo of doom"}, "instrument"),
        ({"meter": "4/5"}, "meter"),
        ({"key": "H"}, "key"),
    ],
)
def test_nonsense_is_one_clear_line(asked: dict[str, object], words: str) -> None:
    with pytest.raises(LibrettoError, match=words):
        drill_task("dorian mode", **asked)  # type: ignore[arg-type]


def test_ranges_are_two_pitches() -> None:
    assert parse_range("C2-C4") == (36, 60)
    for bad in ("C4-C2", "C2", "x-y", ""):
        with pytest.raises(LibrettoError, match="range"):
            parse_range(bad)


def test_the_example_itself_is_a_copy_and_its_counterexample_lacks_the_concept() -> None:
    task = drill_task("harmonic minor", key="G")
    copied = task.judge(task.example)
    assert not copied.outcomes["novelty"].passed
    assert copied.outcomes["concept"].passed
    plain = task.judge(parse(task.concept.plain))
    assert not plain.outcomes["concept"].passed
    assert "not heard" in plain.feedback


def test_clauses_that_are_broken_are_found() -> None:
    task = drill_task("harmonic minor", key="E", meter="3/4", bars=5, low=60, high=62)
    failed = {check.clause for check in task.receipt(task.example).failed}
    assert {"key", "meter", "bars", "range"} <= failed


def test_composing_concepts_have_no_drill() -> None:
    own = next(each for each in all_concepts().values() if each.base == "composing")
    with pytest.raises(LibrettoError, match="theory"):
        drill_task(own)


def test_difficulty_grows_with_tempo() -> None:
    task = drill_task("major-scale")
    slow, fast = (
        difficulty_of(parse(task.concept.example.replace("TEMPO: ", tempo)), task.concept)
        for tempo in ("TEMPO: 0", "TEMPO: 1")
    )
    assert 1 <= slow.grade <= fast.grade <= 10
    assert slow.points < fast.points
    assert fast.reasons


def test_an_ending_is_held_on_a_beat_over_the_chord_of_home() -> None:
    task = drill_task("harmonic minor")
    own = task.concept.example
    assert task.judge(parse(own)).outcomes["ending"].passed
    for bad in (
        own.replace("@8 [Gm]", "@8 [D7]"),
        own.replace("G2@1>8^82", "Bb2@1>7^82 G2@8>1^82"),
        own.replace("G2@1>8^82", "F#2@1>8^82"),
    ):
        assert not task.judge(parse(bad)).outcomes["ending"].passed, bad[-60:]


@pytest.mark.parametrize("name", ["accelerando", "morendo", "ritardando"])
def test_steps_of_a_tempo_are_no_steps_of_a_scale(name: str) -> None:
    task = drill_task(name)
    kept = {check.clause: check.passed for check, _ in checks_of(task, task.example)}
    assert kept["key"] is True


def test_an_ending_is_promised_at_the_end_however_long_the_drill_is() -> None:
    task = drill_task("picardy third")
    ends = parse(
        """KEY: A minor | METER: 4/4 | TEMPO: 72 | GRID: 4 | BARS: 5
VOICES: PIANO[prog=0]
@1 [Am]
  PIANO: A3+C4+E4@1>4
@2 [Dm]
  PIANO: A3+D4+F4@1>4
@3 [Am]
  PIANO: A3+C4+E4@1>4
@4 [E]
  PIANO: G#3+B3+E4@1>4
@5 [A]
  PIANO: A3+C#4+E4@1>4
"""
    )
    plain = ends.with_chords([*ends.chords[:4], ("Am",)])
    minor = [note._replace(pitch=60, spelling=0) if note.pitch == 61 else note for note in plain.voices[0].notes]
    plain = Score.build(
        [plain.voices[0].with_notes(minor)], bar_lines=plain.bar_lines, keys=plain.keys, chords=plain.chords
    )
    promised = [{check.clause: check.passed for check, _ in checks_of(task, score)} for score in (ends, plain)]
    assert [one["promise"] for one in promised] == [True, False]
