"""A format more: the text grammar under another suffix."""

from libretto import notate, parse
from libretto.formats import Format

EXAMPLE = Format(
    "example",
    (".example",),
    lambda data: parse(data.decode("utf-8")),
    lambda score: notate(score).encode("utf-8"),
)
