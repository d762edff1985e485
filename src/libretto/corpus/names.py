"""Names and other short texts on one line, and the name of the file by which a large cloud is known.

This is apart so that a cloud can be read without all that finds songs in folders.
"""

from __future__ import annotations

__all__ = ["LARGE", "one_line", "shown"]

LARGE = "large.json"  #: what a large cloud is made of
_LONGEST = 200


def shown(text: str) -> str:
    """A text on one line that any terminal and any UTF-8 file can hold.

    >>> shown("night bus.mid"), shown("two\\nlines")
    ('night bus.mid', 'two\\\\nlines')
    """
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def one_line(text: str, longest: int = _LONGEST) -> str:
    """A text of any kind as one short line.

    >>> one_line("Night   Bus\\n(live)")
    'Night Bus (live)'
    """
    return shown(" ".join(text[: 10 * longest].split()))[:longest]
