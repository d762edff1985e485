"""A new note as it stands in the file: the writer's element with the part's own layer, staff and instrument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from libretto.errors import FormatError
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.habits import Habits
from libretto.formats.musicxml.splice.layers import Event, Layer
from libretto.notation.instruments import drum_at

__all__ = ["Printer", "layer_names"]

#: What stands in a note after each of these, by the standard's order.
_AFTER_VOICE = ("type", "dot", "accidental", "time-modification", "stem", "notehead", "notehead-text", "staff")
_AFTER_STAFF = ("beam", "notations", "lyric", "play", "listen")
_AFTER_INSTRUMENT = ("footnote", "level", "voice", *_AFTER_VOICE, *_AFTER_STAFF)
_AFTER_NOTATIONS = ("lyric", "play", "listen")


@dataclass
class Printer:
    """Prints the events of one bar; ``names`` are the numbers of its layers, ``hung`` what is hung on its notes."""

    habits: Habits
    bar: int
    names: list[str]
    staves: list[int]
    hung: dict[int, list[bytes]] = field(default_factory=dict)  # notations, by the place (id) of a note's node
    keys: dict[str, int] = field(default_factory=dict)  # the drum key of each instrument that the writer names

    def __call__(self, event: Event, layer: int) -> bytes:
        """The elements of an event, each with a zero byte for its duration."""
        return b"\n".join(self._note(event.document, node, layer, event.rest) for node in event.nodes)

    def _note(self, document: Document, node: Node, layer: int, rest: bool) -> bytes:
        edits: list[tuple[int, int, bytes]] = []
        duration, voice = node.find("duration"), node.find("voice")
        if duration is not None:
            edits.append((duration.inner, duration.tail, b"\0"))
        if voice is not None:
            edits.append((voice.inner, voice.tail, self.names[layer].encode()))
        staff = node.find("staff")
        shown = f"<staff>{self.staves[layer]}</staff>".encode() if self.habits.shows_staff else b""
        if staff is not None:
            edits.append((staff.start, staff.stop, shown))
        elif shown:
            at = _before(node, _AFTER_STAFF)
            edits.append((at, at, shown))
        if not rest:
            edits += self._instrument(node)
        edits += self._hang(node)
        parts, at = [], node.start
        for start, stop, new in sorted(edits, key=lambda edit: edit[:2]):
            parts += [document.data[at:start], new]
            at = stop
        return b"".join([*parts, document.data[at : node.stop]])

    def _hang(self, node: Node) -> list[tuple[int, int, bytes]]:
        hung = b"".join(self.hung.get(node.start, []))
        if not hung:
            return []
        notations = node.find("notations")
        if notations is not None:
            return [(notations.tail, notations.tail, hung)]
        at = _before(node, _AFTER_NOTATIONS)
        return [(at, at, b"<notations>" + hung + b"</notations>")]

    def _instrument(self, node: Node) -> list[tuple[int, int, bytes]]:
        """The part's own instrument in place of the writer's."""
        named = node.find("instrument")
        key = self.keys.get(named.attributes.get("id", "")) if named is not None else None
        if key is None:
            own = self.habits.last_instrument(self.bar)
            if own is None:
                return [] if named is None else [(named.start, named.stop, b"")]
        else:
            own = self.habits.drums.get(key) or self._plain(node, key)
        new = f'<instrument id="{own}"/>'.encode() if own else b""
        at = _before(node, _AFTER_INSTRUMENT)
        return [(named.start, named.stop, new) if named is not None else (at, at, new)]

    def _plain(self, node: Node, key: int) -> str:
        """No instrument, where the place on the staff says which drum it is."""
        step, octave = node.said("unpitched/display-step") or "", node.said("unpitched/display-octave") or "4"
        if drum_at(step, int(octave), node.said("notehead") or "normal") == key and not self.habits.drums:
            return ""
        raise FormatError(f"the part list names no instrument for drum key {key}; add one, or choose another drum")


def _before(node: Node, tags: tuple[str, ...]) -> int:
    """Where in a note something belongs that stands before elements of those tags."""
    for child in node.children:
        if child.tag in tags:
            return child.start
    return node.tail


def layer_names(
    layers: Sequence[Layer], habits: Habits, wanted: Mapping[tuple[int, str], str]
) -> dict[tuple[int, str], str]:
    """The numbers that new layers get, by staff and the writer's own number; ``wanted`` are those that ties ask for."""
    names: dict[tuple[int, str], str] = {}
    for key, name in wanted.items():
        if name and name not in names.values():
            names[key] = name
    for layer in layers:
        key = layer.staff, layer.number
        if key not in names:
            names[key] = habits.layer_name(layer.staff, int(layer.number) - 1, set(names.values()))
    return names
