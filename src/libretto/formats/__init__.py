"""Files to Scores and back: one module a format, each a pair of pure functions."""

from importlib import import_module

from libretto.formats.files import format_of, read, read_bytes, write, write_bytes
from libretto.formats.format import FACETS, Format, formats

for _name in ("abc", "midi", "musicxml", "text"):
    import_module(f"libretto.formats.{_name}")

__all__ = ["FACETS", "Format", "format_of", "formats", "read", "read_bytes", "write", "write_bytes"]
