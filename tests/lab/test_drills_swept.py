"""What the sweep of drills finds: monotony, empty bars, notes that an instrument does not have."""

from __future__ import annotations

from lab.drills import faults_of
from libretto import parse

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 4th | BARS: 4\nVOICES: FLUTE[prog=73]\n"


def swept(*bars: str) -> list[str]:
    return faults_of(parse(HEAD + "".join(f"@{place} [-]\n  FLUTE: {bar}\n" for place, bar in enumerate(bars, 1))))


def test_a_plain_drill_has_no_fault() -> None:
    assert not swept("C5@1>2 E5@3>2", "D5@1>2 F5@3>2", "E5@1>2 G5@3>2", "D5@1>2 C5@3>2")


def test_faults_are_named() -> None:
    assert swept(*["C5@1>2 E5@3>2"] * 3, "D5@1>2 C5@3>2") == ["one bar again and again"]
    assert "one pitch again and again" in swept("C5@1>1 C5@2>1", "C5@1>2", "C5@1>1 D5@2>1", "C5@1>4")
    assert swept("C5@1>2", "D5@1>2", "E5@1>2", "-") == ["bars without notes"]
    assert swept("C3@1>2", "D5@1>2", "E5@1>2", "C5@1>2")[0].startswith("range 48-")
