"""XML and zip from strangers: small, shallow, self-contained documents only.

A document that declares entities or default attributes is refused (both are ways to make little text
large), external DTDs are never fetched, and depth, number of elements and unpacked size are bounded. The
size that a zip claims is not believed: it is counted while unpacking.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Collection
from io import BytesIO
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from libretto.errors import FormatError, TooLarge

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_ELEMENTS", "MAX_KEPT", "Take", "parse_xml", "unpack"]

Take = Callable[[list[Element]], None]

MAX_BYTES = 64 * 2**20  #: of one document, unpacked
MAX_DEPTH = 40
MAX_ELEMENTS = 3_000_000  #: that are looked at
MAX_KEPT = 600_000  #: that are held in memory at once
_MAX_ENTRIES = 1_000
_LONGEST = 2**20
_CHUNK = 2**18
_CONTAINER = "META-INF/container.xml"
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class _Watch:
    """Builds the tree while counting; leaves out what nobody wants and forgets what was taken."""

    def __init__(self, ignore: Collection[str], take: Take | None, taken: Collection[tuple[str, str]]) -> None:
        self.tree, self.ignore, self.take, self.taken = TreeBuilder(), ignore, take, taken
        self.stack: list[Element] = []
        self.kept: list[int] = []  # how many elements were held when each open one began
        self.live = self.inside = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.stack) + self.inside >= MAX_DEPTH:
            raise FormatError(f"the XML is nested more than {MAX_DEPTH} deep")
        if self.inside or tag in self.ignore:
            self.inside += 1
            return
        self.kept.append(self.live)
        self.live += 1
        if self.live > MAX_KEPT:
            raise TooLarge(f"the score has more than {MAX_KEPT:,} elements")
        self.stack.append(self.tree.start(tag, attributes))

    def end(self, tag: str) -> None:
        if self.inside:
            self.inside -= 1
            return
        self.tree.end(tag)
        before = self.kept.pop()
        if self.take and len(self.stack) > 1 and (self.stack[-2].tag, tag) in self.taken:
            self.take(self.stack)
            self.stack[-1].clear()
            self.live = before + 1
        self.stack.pop()


def _check_tokens(data: bytes) -> None:
    """Refuse tags, texts and comments of more than a megabyte: scanning them takes the parser too long."""
    at = 0
    while at + _LONGEST < len(data):
        at = data.rfind(b"<", at + 1, at + _LONGEST)
        if at < 0:
            raise TooLarge("the XML holds a text or tag of more than a megabyte")
    for opening, closing in ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")):
        at = data.find(opening)
        while at >= 0:
            end = data.find(closing, at)
            if end < 0 or end - at > _LONGEST:
                raise FormatError(f"not well-formed XML: {opening.decode()} is not closed nearby")
            at = data.find(opening, end)


def _declares(*_: object) -> NoReturn:
    raise FormatError("the XML declares entities or default attributes, which is refused")


def parse_xml(
    data: bytes, ignore: Collection[str] = (), take: Take | None = None, taken: Collection[tuple[str, str]] = ()
) -> Element:
    """The root element of a harmless document; elements named in ``ignore`` are left out with all they hold.

    Where a large document is read piece by piece, ``take`` is given each finished element whose (parent, tag) is in
    ``taken``, as the last of the elements that are open, the root first; it is emptied afterwards.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the XML is larger than {MAX_BYTES // 2**20} MB")
    if data.count(b"<") > 2 * MAX_ELEMENTS:  # every element has one or two of them
        raise TooLarge(f"the XML has more than {MAX_ELEMENTS:,} elements")
    _check_tokens(data)
    watch = _Watch(frozenset(ignore), take, frozenset(taken))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = watch.start
    parser.EndElementHandler = watch.end
    parser.CharacterDataHandler = watch.tree.data
    parser.EntityDeclHandler = _declares
    parser.AttlistDeclHandler = _declares
    try:
        parser.Parse(data.lstrip(b" \t\r\n"), True)
        return watch.tree.close()
    except expat.ExpatError as error:
        raise FormatError(f"not well-formed XML: {error}") from None
    except (ValueError, LookupError, AssertionError) as error:
        raise FormatError(f"the XML cannot be read: {_reason(error)}") from None


def _reason(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def unpack(data: bytes) -> bytes:
    """The score inside a compressed MusicXML file, as its container names it."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the archive is larger than {MAX_BYTES // 2**20} MB")
    if data.count(b"PK\x01\x02") > _MAX_ENTRIES:
        raise TooLarge(f"the archive holds more than {_MAX_ENTRIES:,} files")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            inner = _read(archive, _root_name(archive))
    except _BROKEN_ZIP as error:
        raise FormatError(f"the archive is damaged: {_reason(error)}") from None
    if inner[:2] == b"PK":
        raise FormatError("the archive holds another archive instead of a score")
    return inner


def _root_name(archive: zipfile.ZipFile) -> str:
    """The score's place in the archive: what the container says, else the only XML file."""
    names = archive.namelist()
    if _CONTAINER in names:
        root = parse_xml(_read(archive, _CONTAINER))
        for file in root.iter():
            if file.tag.rpartition("}")[2] == "rootfile":
                name = file.get("full-path", "")
                if name.startswith(("/", "\\")) or ".." in name.split("/") or name not in names:
                    raise FormatError("the archive's container names a score that is not in it")
                return name
    scores = [name for name in names if name.endswith((".xml", ".musicxml")) and not name.startswith("META-INF")]
    if len(scores) != 1:
        raise FormatError("the archive does not say which of its files is the score")
    return scores[0]


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of the archive, counted as it unpacks."""
    entry = archive.getinfo(name)
    if entry.flag_bits & 1:
        raise FormatError("the archive is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FormatError("the archive is compressed in a way that MusicXML does not allow")
    parts, total = [], 0
    with archive.open(entry) as file:
        while chunk := file.read(_CHUNK):
            total += len(chunk)
            if total > MAX_BYTES:
                raise TooLarge(f"the archive unpacks to more than {MAX_BYTES // 2**20} MB")
            parts.append(chunk)
    return b"".join(parts)
