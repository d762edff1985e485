"""Confidence: from other ears, within bounds, kept in records, shown in tables, and honest by its own figures."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from libretto.hearing.reading import Reading
from libretto.listen.confidence import FEATURES, Curve, confidence, curve_name, curves, features
from libretto.listen.ears import Heard, ear
from libretto.listen.kinds import kinds
from libretto.listen.records import CallLog
from libretto.listen.reliability import BINS, reliability, reliability_cells, reliability_line
from libretto.listen.trial import Outcome

UP = (60, 62, 64, 65)


def outcome(number: int, sure: float | None, *, right: bool, task: str = "contour") -> Outcome:
    given = "Asc" if right else "Desc"
    return Outcome(f"t{number}", task, f"t{number}", "Asc", "answered", given=given, confidence=sure)


def test_every_task_has_a_curve_and_features_only_speak_for_an_answer() -> None:
    for kind in kinds.values():
        curve = curves()[curve_name(kind)]
        assert len(curve.weights) == len(FEATURES)
        assert all(weight >= 0 for weight, name in zip(curve.weights, FEATURES, strict=True) if name != "chosen")


def test_what_other_ears_doubt_is_less_sure() -> None:
    kind = kinds["contour"]
    agreed = confidence(kind, [Reading(UP, (UP,) * 4, 1.0)])
    doubted = confidence(kind, [Reading(UP, (UP, UP, (60, 62, 61, 65), (60, 62, 61)), 1.0)])
    assert agreed is not None
    assert doubted is not None
    assert 0 < doubted < agreed < 1


def test_no_answer_has_no_confidence() -> None:
    assert features(kinds["contour"], [Reading((60,), ((60,),), 1.0)]) is None
    assert confidence(kinds["contour"], [Reading(())]) is None
    assert confidence(kinds["meter"], [Reading((1, 2, 3, 1, 2, 1))]) is None


def test_nothing_is_ever_certain() -> None:
    assert 0 < Curve(-99.0, (0.0,) * 5).at((1,) * 5) < Curve(99.0, (0.0,) * 5).at((1,) * 5) < 1


def test_reliability_counts_by_bin_and_measures_what_is_off() -> None:
    outcomes = [outcome(n, 0.9, right=n < 9) for n in range(10)] + [
        outcome(20 + n, 0.98, right=n < 5) for n in range(10)
    ]
    sure = reliability([*outcomes, outcome(99, None, right=True)])
    assert sure is not None
    assert [(b.answers, b.right) for b in sure.bins] == [(10, 9), (10, 5)]
    assert sure.error == pytest.approx((0 + 4.8) / 20)
    assert sure.brier == pytest.approx((9 * 0.01 + 0.81 + 5 * 0.02**2 + 5 * 0.98**2) / 20)
    assert reliability_cells(sure)[3:] == ["9 of 10 (said 90%)", "5 of 10 (said 98%)"]
    assert "given as 85-95% sure: 9 of 10 right" in reliability_line(sure)
    assert reliability([outcome(1, None, right=True)]) is None
    assert BINS[0][0] == 0
    assert BINS[-1][1] == 1
    assert all(one[1] == two[0] for one, two in pairwise(BINS))


def test_certainty_has_a_place_in_the_last_bin() -> None:
    sure = reliability([outcome(1, 1.0, right=True)])
    assert sure is not None
    assert sure.bins[-1].answers == 1


def test_confidence_is_kept_with_the_call_and_comes_back(tmp_path: Path) -> None:
    log = CallLog.open(tmp_path / "run", {"kind": "x"})
    log.keep("t1", "contour", 0, "first", Heard("melody(t1, [60])", confidence=0.87))
    log.keep("t2", "contour", 0, "first", Heard("melody(t2, [60])"))
    log.close()
    again = CallLog.open(tmp_path / "run", {"kind": "x"})
    one, two = again.get("t1", 0), again.get("t2", 0)
    again.close()
    assert one is not None
    assert one.confidence == 0.87
    assert two is not None
    assert two.confidence is None
    lines = [json.loads(line) for line in (tmp_path / "run" / "calls.jsonl").read_text().splitlines()]
    assert [line.get("confidence") for line in lines] == [0.87, None]


def test_outcomes_of_before_are_read_without_it() -> None:
    data = outcome(1, 0.9, right=True).to_dict()
    assert Outcome.from_dict(data).confidence == 0.9
    del data["confidence"]
    assert Outcome.from_dict(data).confidence is None


def test_the_local_ear_is_found_by_name_and_takes_no_model() -> None:
    assert ear("local").name == "local"
    with pytest.raises(Exception, match="takes no model"):
        ear("local:x")
