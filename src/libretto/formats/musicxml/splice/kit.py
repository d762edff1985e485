"""Drums that a part did not play so far: entries of their own in its part list."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.habits import Habits
from libretto.notation.instruments import drum_of

__all__ = ["list_drums"]


def list_drums(document: Document, habits: Habits, keys: Mapping[str, int]) -> None:
    """Add an instrument for every drum key that a part has none for, where the part lists its instruments."""
    entry = habits.listed
    players = entry.all("midi-instrument") if entry is not None else []
    named = entry.all("score-instrument") if entry is not None else []
    if entry is None or not habits.drums or not players or not named:
        return
    channel = players[-1].said("midi-channel") or "10"
    for key in sorted(set(keys.values()) - habits.drums.keys()):
        identity = f"{entry.attributes.get('id', '')}-key{key}"
        name = f"<instrument-name>{drum_of(key).name}</instrument-name>"
        midi = f"<midi-channel>{channel}</midi-channel><midi-unpitched>{key + 1}</midi-unpitched>"
        _after(document, entry, named[-1], f'<score-instrument id="{identity}">{name}</score-instrument>')
        _after(document, entry, players[-1], f'<midi-instrument id="{identity}">{midi}</midi-instrument>')
        habits.drums[key] = identity


def _after(document: Document, entry: Node, node: Node, xml: str) -> None:
    gap = document.gap(entry, entry.children.index(node))
    document.insert(node.stop, (gap if not gap.strip() else b"\n") + xml.encode())
