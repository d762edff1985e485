"""What a piece costs an agent: with operations at most half of what texts alone took, for the very same pieces."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
HALF = 0.5


def test_the_same_five_pieces_cost_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are gone call by call; ``measured`` ends with an error where a piece differs after any call."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    agents = __import__("agents")
    texts, operations = agents.WAYS[0].name, agents.WAYS[-1].name
    made = list(agents.measured())
    assert len({piece.brief for piece, _, _ in made}) == 5
    old = sum(tallies[texts].total for _, tallies, _ in made)
    new = sum(tallies[operations].total for _, tallies, _ in made) + agents.guides().total
    assert new <= HALF * old
    late_old, late_new = (sum(late[way] for _, _, late in made) for way in (texts, operations))
    assert new - late_new <= HALF * (old - late_old)  # also where nobody changed a header late
    for module in ("agents", "agent_pieces"):
        sys.modules.pop(module, None)


def test_what_was_needed_before_is_no_more_than_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    agents = __import__("agents")
    from libretto.grammar import parse
    from libretto.workspace import write_bars

    head = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 3\nVOICES: LEAD, BASS\n"
    one = parse(f"{head}@1 [C]\n  LEAD: C4@1>4\n  BASS: C2@1>16\n@2 [C]\n@3 [G]\n  BASS: G2@1>16\n")
    other = write_bars(one, "@2\n  LEAD: E4@1>4\n@3 [G7]\n  LEAD: D4@1>4").score
    (patch,) = agents.former_patches(one, other)
    assert patch["text"] == "@2\n  LEAD: E4@1>4\n@3 [G7]\n  LEAD: D4@1>4"
    assert write_bars(one, patch["text"]).score == other
    for module in ("agents", "agent_pieces"):
        sys.modules.pop(module, None)
