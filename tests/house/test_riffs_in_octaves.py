"""Riffs of distorted guitars in octaves: low, an octave apart, on the line of the bass."""

from __future__ import annotations

import numpy as np

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

DOOM = (
    "Crushing doom metal in C minor, very slow, Cm, Db, Cm, Gb over 16 bars, for two distorted electric guitars, bass "
    "guitar and drums. The guitars should play heavy, sustained riffs in octaves."
)


def test_guitars_lie_an_octave_apart_above_the_bass() -> None:
    """Each guitar has the riff of the bass, and it stays low."""
    contract = read_brief(DOOM)
    score = compose_score(contract, 0)
    upper, lower, bass = (
        score.voice(name).array for name in ("Distorted Guitar", "Distorted Guitar #2", "Bass Guitar")
    )
    assert np.array_equal(upper["onset"], lower["onset"])
    assert np.array_equal(lower["onset"], bass["onset"])
    assert set((upper["pitch"] - lower["pitch"]).tolist()) <= {0, 12}
    assert np.mean(upper["pitch"] - lower["pitch"] == 12) > 0.9
    assert float(np.median(lower["pitch"])) < 55
    assert receipt(contract, score).passed


def test_it_begins_on_the_root() -> None:
    """A riff stands on the roots of its chords: the first note of most bars is one."""
    score = compose_score(read_brief(DOOM), 0)
    bass = score.voice("Bass Guitar").array
    first = [score.chord_at(int(note["onset"])) for note in bass if int(note["onset"]) in score.bar_lines]
    notes = [note for note in bass if int(note["onset"]) in score.bar_lines]
    roots = [chord is not None and int(note["pitch"]) % 12 == chord.root_class
             for chord, note in zip(first, notes, strict=True)]  # fmt: skip
    assert np.mean(roots) > 0.8
