"""Compressed MusicXML: the score taken out of its archive and put back beside the other files."""

from __future__ import annotations

import zipfile
from io import BytesIO

from libretto.errors import FormatError
from libretto.formats.musicxml.safe import unpack

__all__ = ["pack", "unpack"]

_COMPRESSION = 6


def pack(archive: bytes, old: bytes, new: bytes) -> bytes:
    """The archive with another score in it: names, order, dates and all other files stay.

    ``old`` is the score that it holds now, by which its place is known.
    """
    buffer = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(archive)) as source, zipfile.ZipFile(buffer, "w") as target:
            target.comment = source.comment
            score = _score_entry(source, old)
            for entry in source.infolist():
                data = new if entry is score else source.read(entry)
                target.writestr(_same_kind(entry), data, compresslevel=_COMPRESSION)
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise FormatError(f"the archive cannot be written anew: {error}") from None
    return buffer.getvalue()


def _score_entry(source: zipfile.ZipFile, old: bytes) -> zipfile.ZipInfo:
    """The entry that holds the score."""
    for entry in source.infolist():
        if entry.file_size == len(old) and source.read(entry) == old:
            return entry
    raise FormatError("the archive does not hold its score")


def _same_kind(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """A new entry of the same name, date and nature."""
    copy = zipfile.ZipInfo(entry.filename, entry.date_time)
    copy.compress_type, copy.create_system = entry.compress_type, entry.create_system
    copy.external_attr, copy.comment = entry.external_attr, entry.comment
    return copy
