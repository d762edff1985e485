"""The bench counts as mir_eval does, and its voice sings what it is given."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from lab.hearing.material import Played, drum_class, in_range
from lab.hearing.scoring import Counted, matched
from lab.hearing.sounding import RATE
from lab.hearing.voice import sung
from libretto.hearing.audio import Clip
from libretto.hearing.singing import hear_sung


def test_a_note_is_used_once() -> None:
    played = [(0.0, 1.0, 60), (0.04, 1.0, 60)]
    assert matched(played, [(0.02, 1.0, 60)]) == Counted(1, 2, 1)
    assert matched(played, [(-0.04, 1.0, 60), (0.05, 1.0, 60)]) == Counted(2, 2, 2)


def test_ends_count_where_they_are_asked_for() -> None:
    assert matched([(0.0, 1.0, 60)], [(0.0, 1.25, 60)], offsets=True).hits == 0
    assert matched([(0.0, 1.0, 60)], [(0.0, 1.15, 60)], offsets=True).hits == 1
    assert matched([(0.0, 1.0, 60)], [(0.0, 1.25, 60)]).f1 == 1.0


def test_it_counts_as_mir_eval_does() -> None:
    transcription = pytest.importorskip("mir_eval.transcription", reason="mir_eval is not installed")
    dice = Random(0)
    for offsets in (False, True):
        played = [(at := dice.uniform(0, 5), at + dice.uniform(0.1, 1), dice.randrange(60, 66)) for _ in range(40)]
        heard = [
            (max(0.0, a + dice.gauss(0, 0.03)), b + dice.gauss(0, 0.1), p + (dice.random() < 0.1)) for a, b, p in played
        ]
        heard = [(a, max(b, a + 0.05), p) for a, b, p in heard if dice.random() < 0.9]
        table = [
            (np.array([[a, b] for a, b, _ in rows]), np.array([440 * 2 ** ((p - 69) / 12) for *_, p in rows]))
            for rows in (played, heard)
        ]
        ratio = 0.2 if offsets else None
        theirs = transcription.precision_recall_f1_overlap(*table[0], *table[1], offset_ratio=ratio)[2]
        assert matched(played, heard, offsets=offsets).f1 == pytest.approx(theirs, abs=1e-9)


def test_the_made_voice_is_heard() -> None:
    notes = [
        Played(0.2 + 0.5 * n, 0.66 + 0.5 * n, pitch, 80, 0, False) for n, pitch in enumerate((60, 64, 62, 65, 67, 60))
    ]
    heard = hear_sung(Clip(sung(notes, RATE, np.random.default_rng(5)), RATE))
    one = matched([note[:3] for note in notes], [note[:3] for note in heard])
    assert one.f1 >= 0.8


def test_instruments_have_ranges_and_drums_have_classes() -> None:
    assert not in_range([Played(0.0, 1.0, 40, 80, 40, False)])
    assert in_range([Played(0.0, 1.0, 67, 80, 40, False), Played(0.0, 1.0, 36, 80, 0, True)])
    assert [drum_class(key) for key in (35, 40, 46, 51)] == [36, 38, 42, None]
