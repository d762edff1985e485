"""Edits spliced into the MusicXML file that they came from: what does not change keeps its bytes."""

from libretto.formats.musicxml.splice.splice import splice

__all__ = ["splice"]
