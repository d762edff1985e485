"""Facts about a piece."""

import numpy as np
import pytest
from loop_song import song

from libretto.score import twins
from libretto.score.facts import Facts

_STEPS, _OCTAVES = (-2, -1, 1, 2), (-24, -12, 12, 24)


def _plainly(facts: Facts) -> list[tuple[int, ...]]:
    """How twins read each note, told bar by bar as the rule says it."""
    played: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for note in range(facts.count):
        here = played.setdefault((int(facts.voice[note]), int(facts.bar[note])), set())
        here.add((max(int(facts.slot[note]), 0), int(facts.pitch[note])))
    told = []
    for note in range(facts.count):
        voice, bar = int(facts.voice[note]), int(facts.bar[note])
        mine, rest = (max(int(facts.slot[note]), 0), int(facts.pitch[note])), played[voice, bar]
        counts = [0, 0, 0, 0]
        for (whose, other), there in played.items():
            alike = whose == voice and other != bar and len(rest) > 2 and abs(len(there) - len(rest)) <= 1
            if not alike or not rest - {mine} <= there:
                continue
            counts[0] += mine in there
            if mine not in there:
                counts[1] += 1
                counts[2] += any((mine[0], mine[1] + step) in there for step in _STEPS)
                counts[3] += any((mine[0], mine[1] + step) in there for step in _OCTAVES)
        told.append(tuple(counts))
    return told


def test_twins_are_the_bars_that_have_all_the_rest() -> None:
    facts = Facts(song())
    twins = np.stack(facts.twins)
    assert [tuple(row) for row in twins.T.tolist()] == _plainly(facts)
    assert twins[1].any()
    assert twins[2].any()


def test_what_is_said_of_some_notes_is_what_is_said_of_all() -> None:
    facts = Facts(song())
    some = np.arange(3, facts.count, 7)
    assert np.array_equal(np.stack(facts.twins_of(some)), np.stack(facts.twins)[:, some])
    nobody = facts.twins_of(np.empty(0, dtype=np.int64))
    assert all(len(counts) == 0 for counts in nobody)


def test_twins_of_many_bars_are_looked_for_some_bars_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = np.stack(Facts(song()).twins)
    monkeypatch.setattr(twins, "_MOST_MEETINGS", 1)
    assert np.array_equal(np.stack(Facts(song()).twins), at_once)
