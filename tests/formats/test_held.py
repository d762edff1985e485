"""The table of what each format holds is what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.held import COLUMNS, kept, kinds, table
from libretto.formats import formats

_PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
_KINDS = dict(kinds())


def test_the_page_shows_what_was_measured() -> None:
    page = _PAGE.read_text(encoding="utf-8")
    shown = page.partition("<!-- measured -->\n")[2].partition("<!-- /measured -->")[0]
    assert shown == table(), "run python -m lab.held and put the table into docs/formats.md"


@pytest.mark.parametrize("kind", _KINDS)
def test_the_text_and_its_compact_form_hold_everything(kind: str) -> None:
    assert kept(_KINDS[kind], "text")
    assert kept(_KINDS[kind], "compact")


def test_every_format_with_a_suffix_is_on_the_page() -> None:
    listed = {*COLUMNS, "mxl", "compact"}
    assert set(formats) <= listed
