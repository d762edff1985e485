"""The gallery holds what this version composes, and all of it passes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from libretto import notate, read
from libretto.contract import GENRES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("genre", GENRES)
def test_the_gallery_is_what_is_composed(genre: str) -> None:
    gallery = runpy.run_path(str(ROOT / "examples" / "gallery.py"))
    run = gallery["piece"](genre)
    assert run.passed
    assert (ROOT / "docs" / "gallery" / f"{genre}.libretto").read_text(encoding="utf-8") == notate(run.score)
    assert len(read(ROOT / "docs" / "gallery" / f"{genre}.mid").table) == len(run.score.table)
    assert (ROOT / "docs" / "gallery" / f"{genre}.html").stat().st_size < 1_500_000
