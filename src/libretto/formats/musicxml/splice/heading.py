"""The title: wherever the file says it."""

from __future__ import annotations

from libretto.formats.musicxml.splice.document import Document, Node, ascii_xml

__all__ = ["splice_title"]


def splice_title(document: Document, title: str) -> Document:
    """The document with another title: the element that names it, and the printed words that repeat it."""
    root = document.root
    named = [node for path in ("movement-title", "work/work-title") if (node := root.find(path)) is not None]
    said = next((node for node in named if node.text.strip()), None)
    if said is None:
        _add(document, root, named, title)
        return document.renewed()
    old = _plain(said)
    for node in named:
        if _plain(node) == old:
            document.set_text(node, title)
    for credit in root.all("credit"):
        for words in credit.all("credit-words"):
            if _plain(words) == old:
                document.set_text(words, title)
    return document.renewed()


def _plain(node: Node) -> str:
    return " ".join(node.text.split())


def _add(document: Document, root: Node, named: list[Node], title: str) -> None:
    """A title where there was none."""
    if named:
        document.set_text(named[0], title)
        return
    work = root.find("work")
    space = document.gap(root, 0) if root.children else b"\n"
    space = space if not space.strip() else b"\n"
    if work is not None:
        number = root.find("movement-number") or work
        document.insert(number.stop, space + b"<movement-title>" + ascii_xml(title) + b"</movement-title>")
    else:
        titled = b"<work><work-title>" + ascii_xml(title) + b"</work-title></work>"
        document.insert(root.inner, space + titled)
