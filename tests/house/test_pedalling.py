"""Pianists hold the pedal where the left hand breaks chords, in styles that do so."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract import Contract
from libretto.grammar import notate, parse
from libretto.house import compose_score

NOCTURNE = "A romantic nocturne for solo piano in F# minor, 6/8, 16 bars, over F#m, Bm, C#7, F#m."


def test_a_nocturne_is_pedalled_chord_by_chord() -> None:
    score = compose_score(Contract.from_brief(NOCTURNE), 0)
    pedals = [mark for mark in score.voices[0].marks if mark.kind == "pedal"]
    assert len(pedals) >= score.bars // 2
    assert all(before.tick + before.length < after.tick for before, after in pairwise(pedals))
    assert parse(notate(score)) == score


def test_a_harpsichord_and_a_rag_are_not() -> None:
    for brief in ("A Baroque prelude for solo harpsichord, 16 bars.", "A ragtime for solo piano, 16 bars."):
        score = compose_score(Contract.from_brief(brief), 0)
        assert not any(mark.kind == "pedal" for voice in score.voices for mark in voice.marks)
