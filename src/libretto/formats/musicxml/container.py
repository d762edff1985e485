"""Compressed MusicXML: a score in a container of its own."""

from __future__ import annotations

import zipfile
from io import BytesIO

__all__ = ["compressed"]

_CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<container><rootfiles>'
    '<rootfile full-path="score.musicxml" media-type="application/vnd.recordare.musicxml+xml"/>'
    "</rootfiles></container>\n"
)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the zip epoch: a file's time says nothing about a piece
_UNIX, _READABLE = 3, 0o644  # the same on every system, so that the same score gives the same bytes
_COMPRESSION = 6


def compressed(score: bytes) -> bytes:
    """The archive that holds the document; the same document gives the same bytes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION) as archive:
        for name, data in (("META-INF/container.xml", _CONTAINER.encode()), ("score.musicxml", score)):
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, _UNIX
            entry.external_attr = _READABLE << 16  # the upper half holds what Unix calls the mode
            archive.writestr(entry, data)
    return buffer.getvalue()
