"""Suspensions: inner voices keep a tone of the chord before, and step down late."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.score import Score

_CHOIR = (
    "A choral piece in A flat major, adagio, Ab, Fm, Db, Eb over 24 bars, for soprano, alto, tenor and bass, without "
    "accompaniment{}."
)


def _suspended(score: Score) -> int:
    """How often an inner voice goes down by a step, under a chord, from what does not belong to that."""
    count = 0
    for voice in score.voices[1:-1]:
        rows = sorted((int(note["onset"]), int(note["pitch"]), int(note["duration"])) for note in voice.array)
        for (_, held, _), (onset, pitch, _) in pairwise(rows):
            chord = score.chord_at(onset)
            apart = chord is not None and held % 12 not in chord.classes and pitch % 12 in chord.classes
            count += apart and held - pitch in (1, 2) and onset not in score.bar_lines
    return count


def test_inner_voices_resolve_late() -> None:
    told = ", with the alto and tenor introducing gentle suspensions that resolve late"
    contract = Contract.from_brief(_CHOIR.format(told))
    assert [ask.who for ask in contract.asks if ask.what == "suspensions"] == ["Alto", "Tenor"]
    score = compose_score(contract, 0)
    plain = compose_score(Contract.from_brief(_CHOIR.format("")), 0)
    assert _suspended(score) >= max(4, _suspended(plain) + 2)
    pitches = [
        [note["pitch"] for note in voice.array if note["onset"] <= tick < note["onset"] + note["duration"]]
        for tick in score.bar_lines[:-1]
        for voice in score.voices[:2]
    ]
    assert all(max(low) <= min(high) for high, low in zip(pitches[::2], pitches[1::2], strict=True) if high and low)
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []


def test_suspended_chords_are_no_suspensions() -> None:
    asks = Contract.from_brief("A ballad in D for piano with suspended chords and suspense.").asks
    assert not any(ask.what == "suspensions" for ask in asks)
