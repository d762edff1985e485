"""Points: which draft is the best, what is said of one that passes, and that nothing of it goes against the brief."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from asked import ASKED

from libretto.agents import Session, run_task
from libretto.agents.composer import Scripted
from libretto.formats import read
from libretto.gates import Outcome, Verdict
from libretto.gates.within import LIMITS, limits_of
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.merit import Merit, Point
from libretto.merit.curves import the_curves
from libretto.merit.features import numbers_of
from libretto.merit.habits import the_habits
from libretto.merit.heard import Heard
from libretto.merit.topic import Reading
from libretto.merit.weigh import TOPICS
from libretto.score import Score
from libretto.tasks import AnswerShape, Draft, Round, Task, compose_task, judge_draft
from libretto.tasks.points import FIXED, weigh, with_points
from libretto.tasks.rounds import best_of

SONG = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."


@pytest.fixture(scope="module")
def task() -> Task:
    return compose_task(BRIEF, original=False)


@pytest.fixture(scope="module")
def piece(task: Task) -> Score:
    return compose_score(task.contract, 0)


def made(number: int, margin: float, weight: float | None, *more: float) -> Round:
    """A round whose gates have these margins."""
    outcomes = {f"gate {at}": Outcome(value, "") for at, value in enumerate((margin, *more))}
    verdict = Verdict("", "", "piece", outcomes)
    return Round(number, Draft(""), Score.build([]), verdict, weight=weight)


def test_of_drafts_that_pass_the_one_that_weighs_more_is_best() -> None:
    first, second, third = made(1, 0.9, 1.0), made(2, 0.1, 2.0), made(3, 0.5, 2.0)
    assert best_of([first, second]).number == 2
    assert best_of([first, second, third]).number == 2, "of equals the earlier"
    assert best_of([first, made(2, -0.1, 99.0)]).number == 1, "one that passes comes first"


def test_of_drafts_that_fail_alike_the_one_that_weighs_more_is_best() -> None:
    assert best_of([made(1, -0.1, 1.0), made(2, -0.9, 2.0)]).number == 2
    assert best_of([made(1, -0.1, 1.0), made(2, -0.1, 2.0, -0.1)]).number == 1, "it fails fewer gates"
    assert best_of([made(1, -0.5, None), made(2, -0.1, None)]).number == 2, "by its margin where nothing is weighed"


def test_a_draft_after_one_that_passed_may_become_the_best(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {1: 1.0, 2: 3.0, 3: 2.0}
    from libretto.tasks import rounds

    values = iter(weights.values())
    monkeypatch.setattr(rounds, "weigh", lambda *rest: Merit(next(values), (), ()))
    texts = [notate(compose_score(task.contract, seed)) for seed in (0, 1, 2)]
    session = Session(task, "by hand")
    passed = [session.submit(text).passed for text in texts]
    assert passed[0]
    assert session.run.best.number == max((at for at in weights if passed[at - 1]), key=lambda at: weights[at])


def test_a_loop_ends_with_the_first_that_passes_unless_it_is_to_improve(task: Task) -> None:
    texts = [notate(compose_score(task.contract, seed)) for seed in (0, 1, 2)]
    assert len(run_task(task, Scripted(list(texts)), rounds=3).rounds) == 1
    further = run_task(task, Scripted(list(texts)), rounds=3, improve=True)
    assert len(further.rounds) == 3
    weights = [one.weight or 0.0 for one in further.rounds if one.passed]
    assert further.best.weight == max(weights)


def test_a_piece_that_passes_hears_its_two_weakest_points_and_what_is_strong(task: Task, piece: Score) -> None:
    judged = judge_draft(task, piece)
    assert judged.passed
    assert judged.verdict is not None
    assert len(judged.verdict.weakest) == 2
    assert judged.verdict.strongest
    lines = judged.feedback.splitlines()
    assert lines[0] == "This passes every gate."
    assert all(re.search(r"bars? \d", line, re.IGNORECASE) for line in lines if line[:1] in "12-")
    assert all(remark.bars for remark in judged.verdict.weakest)


def test_a_piece_that_fails_hears_what_to_mend_and_no_points(task: Task, piece: Score) -> None:
    wrong = judge_draft(compose_task(BRIEF.replace("D minor", "F# major"), original=False), piece)
    assert wrong.verdict is not None
    assert not wrong.passed
    assert not wrong.verdict.weakest
    assert wrong.verdict.findings


def test_every_subject_and_limit_that_is_named_exists() -> None:
    assert set(FIXED) <= {topic.name for topic in TOPICS}
    assert {limit for limits in FIXED.values() for limit in limits} <= set(LIMITS)


@pytest.fixture(scope="module")
def readings(piece: Score) -> list[Reading]:
    """Two pieces as they are talked of, their voices under names that say nothing."""
    pieces = [piece, read(SONG)]
    nameless = [
        replace(one, voices=tuple(replace(voice, name=f"P{at}") for at, voice in enumerate(one.voices)))
        for one in pieces
    ]
    heard = [Heard(one) for one in nameless]
    return [Reading(one, the_curves().worth(numbers_of(one)), the_habits()) for one in heard]


@pytest.mark.parametrize("name", list(ASKED))
def test_no_point_on_any_subject_goes_against_a_clause(name: str, readings: list[Reading]) -> None:
    asked, limits = ASKED[name], limits_of(ASKED[name].contract)
    said = 0
    for reading in readings:
        for topic in TOPICS:
            point = topic.weak(reading) if limits.isdisjoint(FIXED.get(topic.name, ())) else None
            if point is not None:
                assert not re.search(asked.excluded, point.text, re.IGNORECASE), point.text
                said += 1
    assert said >= 2 * len(readings)


def test_what_may_not_be_said_does_not_change_what_a_piece_weighs(piece: Score) -> None:
    for asked in ASKED.values():
        merit = weigh(piece, asked.contract)
        assert merit.value == weigh(piece).value
        assert not {point.subject for point in merit.weakest} & {
            subject for subject, limits in FIXED.items() if not limits_of(asked.contract).isdisjoint(limits)
        }


def test_of_bars_written_into_a_song_only_these_are_spoken_of(piece: Score) -> None:
    shape = AnswerShape(3, 4, ("Piano",), piece)
    points = (
        Point("rhythm", ((3, 3),), "Piano", "here"),
        Point("rhythm", ((6, 8),), "Piano", "there"),
        Point("rhythm", ((3, 4),), "Flute", "another's"),
    )
    verdict = Verdict("", "", "region", {"fit": Outcome(1.0, "")})
    told = with_points(verdict, Merit(0.0, points, ()), shape)
    assert [remark.text for remark in told.weakest] == ["here."]
    failing = replace(verdict, outcomes={"fit": Outcome(-1.0, "")})
    assert with_points(failing, Merit(0.0, points, ()), shape) is failing
