"""Tongues: briefs and wishes in other languages, rendered in the English words that the readers know.

Every language is a file beside this one, ``de.toml`` or ``pt.toml``: to add a language is to add a file. English has
one too, with nothing but the words that tell it from the others.
"""

from __future__ import annotations

from libretto.contract.tongues.detection import language_of
from libretto.contract.tongues.rendering import Rendered, in_english
from libretto.contract.tongues.tables import Language, languages

__all__ = ["Language", "Rendered", "in_english", "language_of", "languages"]
