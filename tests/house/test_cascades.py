"""Cascades in front of what others hold beneath, and strings that sweep."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "Harp and soft strings. The harp plays cascading arpeggios while the strings add a soft warmth beneath.",
            ["lead", "pad"],
        ),
        ("A piano plays flowing arpeggios, with strings providing a lush backdrop.", ["lead", "pad"]),
        ("A flute melody, harp arpeggios and strings glowing softly beneath.", ["lead", "arpeggio", "pad"]),
        ("A guitar plays fingerpicked arpeggios while a cello adds warmth.", ["arpeggio", "lead"]),
        ("A romantic piece for clarinet and soaring, lush strings.", ["lead", "counter"]),
        ("A piece featuring sweeping strings, harpsichord and clarinet.", ["counter", "comping", "lead"]),
        ("Brass and soaring strings in D minor.", ["counter", "lead"]),
        ("A piece for clarinet and sweeping strings. The strings provide a backdrop.", ["lead", "pad"]),
    ],
)
def test_who_is_beneath_has_no_tune_and_strings_that_sweep_have_lines(text: str, roles: list[str]) -> None:
    assert [part.role for part in read_brief(text).parts] == roles


@pytest.mark.parametrize("meter", ["4/4", "3/4"])
def test_cascades_fall_from_the_top_in_several_ways(meter: str) -> None:
    contract = Contract.from_brief(
        f"A gentle new age piece in G major in {meter} at 72 bpm over 24 bars, G, D, Em, C, for harp and strings. The "
        "harp plays graceful, cascading arpeggios while the strings add a glowing warmth beneath."
    )
    score = compose_score(contract, 0)
    harp = next(voice.array for voice in score.voices if voice.program == 46)
    strings = next(voice.array for voice in score.voices if voice.program == 48)
    tops, shapes = [], set()
    for bar in range(score.bars - 1):
        mine = harp[(harp["onset"] >= score.bar_lines[bar]) & (harp["onset"] < score.bar_lines[bar + 1])]
        tops.append(int(mine["pitch"].max()))
        shapes.add(tuple((mine["onset"] - score.bar_lines[bar]).tolist()))
    assert sum(top >= 83 for top in tops) >= len(tops) // 3
    assert sum(top < 83 for top in tops) >= len(tops) // 5  # and it has a melody of its own besides
    assert len(shapes) >= 5
    assert float(strings["pitch"].mean()) < float(harp["pitch"].mean())
    checks = receipt(contract, score).checks
    assert [check.clause for check in checks if check.passed is False] == []
    assert any("falls through two octaves" in check.evidence for check in checks)
