"""A MusicXML document as byte ranges: a tree whose nodes know where they stand, and edits of those bytes.

Nothing is ever written anew from the tree: what is not edited keeps its bytes. Comments and processing instructions
are nodes, too (``COMMENT``, ``INSTRUCTION``), so that they keep their place among elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NoReturn
from xml.parsers import expat

from libretto.errors import FormatError, TooLarge
from libretto.formats.musicxml.safe import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS

__all__ = ["COMMENT", "INSTRUCTION", "Document", "Node", "as_utf8", "ascii_xml"]

COMMENT, INSTRUCTION = "#comment", "#instruction"
_TAG = re.compile(rb"""<[^\s/>"']+(?:[^>"']|"[^"]*"|'[^']*')*>""")
_DECLARED = re.compile(r"""(<\?xml[^>]*?encoding\s*=\s*)("[^"]*"|'[^']*')""")
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")  # how documents of two bytes a letter begin


class Node:
    """One element: from ``start`` to ``stop``; what it holds is from ``inner`` to ``tail``."""

    __slots__ = ("attributes", "children", "inner", "start", "stop", "tag", "tail", "text")

    def __init__(self, tag: str, attributes: dict[str, str], start: int, inner: int) -> None:
        self.tag, self.attributes = tag, attributes
        self.start, self.inner, self.tail, self.stop = start, inner, inner, inner
        self.children: list[Node] = []
        self.text = ""

    def find(self, path: str) -> Node | None:
        """The first element at a path of tags, or None."""
        node: Node = self
        for tag in path.split("/"):
            for child in node.children:
                if child.tag == tag:
                    node = child
                    break
            else:
                return None
        return node

    def all(self, tag: str) -> list[Node]:
        """The children of that tag."""
        return [child for child in self.children if child.tag == tag]

    def said(self, path: str) -> str | None:
        """The text of the first element at a path, without space around it; None where there is none."""
        node = self.find(path)
        return node.text.strip() if node is not None else None

    def iter(self, tag: str) -> Iterator[Node]:
        """All elements of that tag inside, in order."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.iter(tag)


class _Builder:
    """Takes the events of the parser and remembers where they stand."""

    def __init__(self, data: bytes, parser: expat.XMLParserType) -> None:
        self.data, self.parser = data, parser
        self.top = Node("#document", {}, 0, 0)
        self.stack = [self.top]
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise TooLarge(f"the XML has more than {MAX_ELEMENTS:,} elements")
        if len(self.stack) > MAX_DEPTH:
            raise FormatError(f"the XML is nested more than {MAX_DEPTH} deep")
        at = self.parser.CurrentByteIndex
        match = _TAG.match(self.data, at)
        if match is None:
            raise FormatError("the document's encoding does not let it be edited; save it as UTF-8")
        node = Node(tag, attributes, at, match.end())
        self.stack[-1].children.append(node)
        self.stack.append(node)

    def end(self, tag: str) -> None:
        node = self.stack.pop()
        if self.data[node.inner - 2 : node.inner] == b"/>":
            node.tail = node.stop = node.inner
            return
        node.tail = self.parser.CurrentByteIndex
        node.stop = self.data.index(b">", node.tail) + 1

    def chars(self, text: str) -> None:
        self.stack[-1].text += text

    def comment(self, text: str) -> None:
        self._lone(COMMENT, b"-->")

    def instruction(self, target: str, text: str) -> None:
        self._lone(INSTRUCTION, b"?>")

    def _lone(self, kind: str, closing: bytes) -> None:
        at = self.parser.CurrentByteIndex
        node = Node(kind, {}, at, self.data.index(closing, at) + len(closing))
        self.stack[-1].children.append(node)


def _declares(*_: object) -> NoReturn:
    raise FormatError("the XML declares entities or default attributes, which is refused")


class Document:
    """The bytes of a document, its tree, and the edits that wait to be made."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_BYTES:
            raise TooLarge(f"the XML is larger than {MAX_BYTES // 2**20} MB")
        self.data = data
        self._edits: list[tuple[int, int, bytes]] = []

    @cached_property
    def root(self) -> Node:
        """The outermost element; the tree is built when it is first asked for."""
        space = len(self.data) - len(self.data.lstrip(b" \t\r\n"))
        parser = expat.ParserCreate()
        parser.buffer_text = True
        builder = _Builder(self.data[space:], parser)
        parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
        parser.CharacterDataHandler = builder.chars
        parser.CommentHandler, parser.ProcessingInstructionHandler = builder.comment, builder.instruction
        parser.EntityDeclHandler = parser.AttlistDeclHandler = _declares
        try:
            parser.Parse(builder.data, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise FormatError(f"not well-formed XML: {error}") from None
        roots = [node for node in builder.top.children if node.tag not in (COMMENT, INSTRUCTION)]
        if not roots:
            raise FormatError("not well-formed XML: no element")
        if space:
            _shift(builder.top, space)
        return roots[0]

    def raw(self, node: Node) -> bytes:
        """The bytes of an element."""
        return self.data[node.start : node.stop]

    def gap(self, parent: Node, index: int) -> bytes:
        """The bytes before a child: since its elder sibling, or since its parent began."""
        start = parent.children[index - 1].stop if index else parent.inner
        return self.data[start : parent.children[index].start]

    def replace(self, start: int, stop: int, new: bytes) -> None:
        """Put other bytes in place of some; ``start`` may equal ``stop``."""
        self._edits.append((start, stop, new))

    def insert(self, at: int, new: bytes) -> None:
        """Put bytes in; what is inserted first at a place stands first."""
        self.replace(at, at, new)

    def set_text(self, node: Node, text: str) -> None:
        """Give an element another text and nothing else inside."""
        if node.inner == node.stop and self.data[node.inner - 2 : node.inner] == b"/>":
            opening = self.data[node.start : node.inner - 2].rstrip()
            self.replace(node.start, node.stop, opening + b">" + ascii_xml(text) + f"</{node.tag}>".encode())
        else:
            self.replace(node.inner, node.tail, ascii_xml(text))

    def set_attribute(self, node: Node, name: str, value: str) -> None:
        """Give an attribute of an element another value, or add it."""
        head = self.data[node.start : node.inner]
        shown = ascii_xml(value).replace(b'"', b"&quot;")
        match = re.search(rb"\s" + name.encode() + rb"""\s*=\s*("[^"]*"|'[^']*')""", head)
        if match:
            self.replace(node.start + match.start(1), node.start + match.end(1), b'"' + shown + b'"')
        else:
            at = node.start + 1 + len(node.tag.encode())
            self.insert(at, b" " + name.encode() + b'="' + shown + b'"')

    def remove(self, parent: Node, node: Node) -> None:
        """Take an element out, with the space before it."""
        index = next(place for place, child in enumerate(parent.children) if child is node)
        gap = self.gap(parent, index)
        space = len(gap) - len(gap.rstrip())
        self.replace(node.start - space, node.stop, b"")

    def renewed(self) -> Document:
        """The document with all edits made; itself where none waits."""
        return Document(self.result()) if self._edits else self

    def result(self) -> bytes:
        """The bytes with all edits made."""
        parts, at = [], 0
        for start, stop, new in sorted(self._edits, key=lambda edit: edit[:2]):
            if start < at:
                raise FormatError("two changes meet at one place of the document")
            parts += [self.data[at:start], new]
            at = stop
        return b"".join([*parts, self.data[at:]])


def _shift(node: Node, by: int) -> None:
    node.start, node.inner, node.tail, node.stop = node.start + by, node.inner + by, node.tail + by, node.stop + by
    for child in node.children:
        _shift(child, by)


def ascii_xml(text: str) -> bytes:
    """Text as any encoding of XML holds it: letters beyond ASCII are written as numbers."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, name)
    return text.encode("ascii", "xmlcharrefreplace")


def as_utf8(data: bytes) -> bytes:
    """A document of two bytes a letter as UTF-8, so that it can be edited; any other as it is."""
    if not data.startswith(_WIDE):
        return data
    little = data[:2] in (b"\xff\xfe", b"<\x00")
    try:
        text = data.decode("utf-16-le" if little else "utf-16-be").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise FormatError(f"the document is not UTF-16 (byte {error.start})") from None
    return _DECLARED.sub(r'\1"UTF-8"', text, count=1).encode()
