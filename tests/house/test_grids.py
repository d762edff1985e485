"""What the house writes can be read with the grammar page alone: every grid it uses is explained there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from libretto.contract import Contract
from libretto.grammar import primer
from libretto.house import compose_score

ROOT = Path(__file__).parents[2]
#: Styles whose model pieces swing in every way there is, and some that do not.
STYLES = [
    "african",
    "bebop",
    "blues",
    "blues12",
    "funk soul rnb",
    "house",
    "jazz",
    "reggae",
    "samba",
    "waltz",
    "andean",
]


def explained() -> set[str]:
    """The grids in the first column of the grammar page's table."""
    page = (ROOT / "docs" / "grammar.md").read_text(encoding="utf-8")
    table = page.split("| grid | what it holds |")[1].split("\n\n")[0]
    return {
        grid for row in table.splitlines() for grid in re.findall(r"\d+t?", row.split("|")[1] if "|" in row else "")
    }


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_house_writes_on_grids_that_are_explained(style: str, seed: int) -> None:
    made = compose_score(Contract.from_brief(f"A {style} piece, 16 bars"), seed)
    assert {str(grid) for grid in made.grids} <= explained()


def test_the_primer_names_how_played_swing_is_read() -> None:
    assert "A quarter is N/4 slots" in primer()
    assert {"4", "16", "12t", "48t", "40", "120"} <= explained()
