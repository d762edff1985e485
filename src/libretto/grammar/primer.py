"""The primer: one page from which a model or a newcomer learns to write the grammar."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["primer"]


@cache
def primer() -> str:
    """The page itself, in Markdown; its example is valid as it stands."""
    return files("libretto.grammar").joinpath("primer.md").read_text(encoding="utf-8")
