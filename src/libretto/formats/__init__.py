"""Files to Scores and back: one module a format, each a pair of pure functions.

A format is found by being here: a module or package that registers a ``Format`` is loaded with the others, and so is
what an installed package names in its entry points of the group ``libretto.formats``. How music looks on a page is
decided in ``libretto.notation``.
"""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.formats.edited import Edited, edited_bytes, same_file
    from libretto.formats.files import format_of, read, read_bytes, unread_in_files, write, write_bytes, write_edited
    from libretto.formats.format import FACETS, Format, formats
    from libretto.formats.losses import inventory, loss_line, lost_between, lost_in

__all__ = [
    "FACETS",
    "Edited",
    "Format",
    "edited_bytes",
    "format_of",
    "formats",
    "inventory",
    "loss_line",
    "lost_between",
    "lost_in",
    "read",
    "read_bytes",
    "same_file",
    "unread_in_files",
    "write",
    "write_bytes",
    "write_edited",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "edited": "Edited edited_bytes same_file",
        "files": "format_of read read_bytes unread_in_files write write_bytes write_edited",
        "format": "FACETS Format formats",
        "losses": "inventory loss_line lost_between lost_in",
    },
)
