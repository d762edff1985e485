"""Strings in sections: who doubles the line of others has another tone of the chord."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.compose.composer import compose_score


def test_violins_are_no_second_violas() -> None:
    """Sections of strings that have one broken chord between them play it in two parts, not in octaves."""
    brief = "A classical minuet in G major, 3/4, for a small chamber ensemble of strings and oboe: G-D7-Em-C, 32 bars."
    score = compose_score(Contract.from_brief(brief))
    first, second = (
        {(int(row["onset"]), int(row["pitch"]) % 12) for row in voice.array}
        for voice in score.voices
        if voice.name in ("Strings", "Strings (Violas)")
    )
    assert len(first) > 40
    assert len(first & second) < 0.2 * len(first)
