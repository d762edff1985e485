"""The ceiling of copying: it falls with the number of notes, lets unrelated pieces pass, and says how often it errs."""

from __future__ import annotations

import random

import pytest

from libretto.corpus import load_cloud
from libretto.corpus.copying import WHOLE, Copying, Unrelated, learn_copying


def unrelated(count: int, seed: int = 1) -> list[Unrelated]:
    """Pieces whose scores scatter the more, the fewer notes they have."""
    rng, pieces = random.Random(seed), []
    for number in range(count):
        notes = round(2 ** rng.uniform(4, 12))
        score = min(1.0, abs(rng.gauss(0.05, 0.8 / notes**0.35)))
        pieces.append(Unrelated(number // 3, WHOLE if notes > 500 else "solo", notes, score))
    return pieces


def test_the_ceiling_never_rises_with_the_notes() -> None:
    copying = learn_copying(unrelated(600))
    ceilings = [copying.ceiling(notes) for notes in (1, 5, 8, 20, 50, 100, 333, 1000, 5000, 10**6)]
    assert ceilings == sorted(ceilings, reverse=True)
    assert ceilings[0] > ceilings[-1]
    assert 0 < ceilings[-1] <= ceilings[0] <= 0.95


def test_few_unrelated_pieces_are_called_copies_by_those_who_have_not_seen_them() -> None:
    copying = learn_copying(unrelated(1200))
    for wrong, of in copying.alarms.values():
        assert of > 100
        assert wrong <= 0.05 * of
    other = unrelated(1200, seed=2)
    assert sum(piece.score >= copying.ceiling(piece.notes) for piece in other) <= 0.04 * len(other)


def test_alarms_are_counted_on_artists_that_were_held_out() -> None:
    """One artist whose songs all share much with others': nobody else teaches that, so that all are alarms."""
    odd = [Unrelated(10**6, "odd", 1000, 0.9) for _ in range(3)]
    assert learn_copying([*unrelated(600), *odd]).alarms["odd"] == (3, 3)


def test_the_curve_survives_as_plain_data_and_nonsense_is_refused() -> None:
    copying = learn_copying(unrelated(300))
    assert Copying.from_dict(copying.to_dict()) == copying
    for broken in ({"notes": [8, 4]}, {"notes": [8]}, {"ceilings": [0.1]}):
        with pytest.raises(ValueError, match="no curve"):
            Copying.from_dict({**copying.to_dict(), **broken})


def test_what_ships_keeps_its_promise() -> None:
    gauges = load_cloud("default").gauges
    assert gauges is not None
    assert gauges.copying is not None
    wrong, of = gauges.copying.alarms[WHOLE]
    assert of >= 50
    assert wrong <= 0.03 * of
