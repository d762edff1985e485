"""Files to Scores and back: one module a format, each a pair of pure functions.

A format is found by being here: a module or package that registers a ``Format`` is loaded with the others, and so is
what an installed package names in its entry points of the group ``libretto.formats``. How music looks on a page is
decided in ``libretto.notation``.
"""

from libretto.formats.files import format_of, read, read_bytes, write, write_bytes
from libretto.formats.format import FACETS, Format, formats
from libretto.registry import load_all

__all__ = ["FACETS", "Format", "format_of", "formats", "read", "read_bytes", "write", "write_bytes"]

load_all(__name__)
