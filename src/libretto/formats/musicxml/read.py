"""MusicXML to a Score, bar for bar: measure by measure what is written, repeats as signs.

Conventions: every part becomes one voice, whatever its staves and layers; pitches are as they sound; tied notes
are one note. Where a key has no mode, the notes under it choose major or minor. A file that our own
writer made (it says so) is trusted to the letter: label texts, bar numbers, repeated changes.

Left out: how things are placed and printed (fonts, distances, beams, stems, courtesy accidentals), the order of
layers and hidden rests, figured bass, microtones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from libretto.errors import FormatError, ScoreError, TooLarge
from libretto.formats.musicxml.bars import PartReader
from libretto.formats.musicxml.parts import IGNORED, ListedPart, PartsReader
from libretto.formats.musicxml.playing import PartPlayer, marks_of_moments
from libretto.formats.musicxml.safe import parse_xml, unpack
from libretto.formats.musicxml.written import RINGING, Bar, plain
from libretto.notation.marks import split_labels
from libretto.score import Key, Meter, Score, Voice, hear_chords, infer_key
from libretto.score.keys import MODES
from libretto.score.marks import CREDITS, Mark
from libretto.score.model import DEFAULT_MICROS
from libretto.score.pitch import FLATTEST, SHARPEST
from libretto.score.repeats import marks_of_signs
from libretto.score.table import NOTE

__all__ = ["decode"]

_MOST_TICKS = 2**50  # a Score counts in 64 bits, and times are multiplied on the way
_SHOWN = 40  # letters of a wrong root element that a message repeats
_MOST_DIGITS = 6  # of a bar number
_MOST_WRITTEN = 100_000  # notes, tied ones counted one by one: about two seconds' reading
_PLAIN_LINES = ("", "regular")  # bar lines that nobody need be told of
_LAST_LINE = "light-heavy"
_CREATORS = {"poet": "lyricist", "librettist": "lyricist"}  # who else wrote the words
_MOST_HEARD = 200  # keys whose mode is heard where it is not written


def decode(data: bytes) -> Score:
    """The Score of a MusicXML file, plain or compressed."""
    parts = PartsReader()
    plain = unpack(data) if data[:2] == b"PK" else data
    if plain.count(b"<note>") + plain.count(b"<note ") > _MOST_WRITTEN:
        raise TooLarge(f"the score writes more than {_MOST_WRITTEN:,} notes")
    try:
        root = parse_xml(plain, IGNORED, parts.take, PartsReader.TAKEN)
        if root.tag not in ("score-partwise", "score-timewise"):
            raise FormatError(f"not a MusicXML score: its root element is {root.tag[:_SHOWN]!r}")
        parts.finish(root)
        return _score(root, parts)
    except ScoreError as error:
        raise FormatError(str(error)) from error


def _score(root: Element, parts: PartsReader) -> Score:
    listed = parts.listed
    piece = _Piece(parts)
    voices = [_voice(parts, index, piece) for index in range(len(listed))]
    if len(voices) == 1 and not listed[0].named and not len(voices[0].array) and parts.exact:
        voices = []  # the part our writer adds because a file cannot do without one
    score = Score.build(
        voices,
        bar_lines=piece.lines,
        meters=_within(piece.meters, piece.lines[-1], Meter(4, 4)),
        keys=_keys(piece.keys, voices, piece.lines[-1]),
        tempos=_within(piece.tempos, piece.lines[-1], DEFAULT_MICROS),
        sections=piece.sections,
        chords=piece.chords,
        title=_title(root),
        first_bar=piece.first_bar,
        marks=[*piece.marks, *_credits(root)],
    )
    return score if piece.chords is not None else replace(score, chords=hear_chords(score))


def _voice(parts: PartsReader, index: int, piece: _Piece) -> Voice:
    """One part as a voice, with all that stands on and over its notes."""
    part, reader, player = parts.listed[index], parts.readers[index], piece.players[index]
    array = player.array(piece.lines[-1])
    player.place()
    if not parts.exact:
        reader.slurs.number()
    chosen = frozenset() if not parts.exact or "clefs" in part.own else frozenset({"clef"})
    moments = [moment for moment in reader.moments if moment.kind not in chosen]
    marks = [*player.marks(), *marks_of_moments(moments, piece.starts, piece.lines[-1])]
    if player.staves > 1:
        marks.append(Mark(0, "staves", str(player.staves)))
    return Voice(part.name, part.program, part.drums, array, tuple(marks))


def _title(root: Element) -> str:
    for path in ("movement-title", "work/work-title"):
        title = " ".join((root.findtext(path) or "").split())
        if title:
            return title
    return ""


def _credits(root: Element) -> Iterator[Mark]:
    """Whose the piece is: composers, writers of words, arrangers and who has the rights."""
    said = [(creator.get("type", "composer"), creator.text) for creator in root.findall("identification/creator")]
    said += [("rights", rights.text) for rights in root.findall("identification/rights")]
    for kind, text in ((_CREATORS.get(kind, kind), plain(text)) for kind, text in said):
        if kind in CREDITS and text:
            yield Mark(0, kind, text)


class _Piece:
    """The bars in order, everything on one clock."""

    def __init__(self, parts: PartsReader) -> None:
        self.exact = parts.exact
        self.written = parts.bars or [Bar()]
        self.lines, self.starts = [0], []  # type: list[int], list[int]
        self.meters: list[tuple[int, Any]] = []
        self.keys: list[tuple[int, Any]] = []
        self.tempos: list[tuple[int, Any]] = []
        self.sections: list[tuple[int, str]] = []
        self.first_bar = 1
        self.players = [
            PartPlayer(strict=self.exact and "written" not in parts.own, staves=_staves(part, reader, self.exact))
            for part, reader in zip(parts.listed, parts.readers, strict=True)
        ]
        self._resolve([part.drums for part in parts.listed])
        self._find_movements()
        self._place()
        self.marks = [Mark(0, "written")] if not self.exact or "written" in parts.own else []
        self.marks += self._signs()

    def _resolve(self, drums: Sequence[bool]) -> None:
        """Settle what a bar inherits: its length and labels."""
        meter, held = Meter(4, 4), None
        self.lengths, self.labels = [], []  # type: list[int], list[tuple[str, ...]]
        keyed = [part for part in sorted({p for bar in self.written for p in bar.keys}) if not drums[part]]
        self.key_part = keyed[0] if keyed else 0
        for bar in self.written:
            meter = bar.meter or meter
            length = round(max(bar.extent, min(bar.rest, meter.ticks))) if bar.extent else round(bar.rest)
            self.lengths.append(length or meter.ticks)
            where = [(min(Fraction(at) / self.lengths[-1], Fraction(1)), label) for at, label in sorted(bar.chords)]
            labels = split_labels(_first_of_each(where), held, meter.beats)
            held = labels[-1] if bar.chords else held
            self.labels.append(labels)
        self.labelled = any(bar.chords for bar in self.written)

    def _find_movements(self) -> None:
        """Bar numbers that begin again begin a movement."""
        highest = 0
        for place, bar in enumerate(self.written):
            if bar.number.isascii() and bar.number.isdigit() and len(bar.number) <= _MOST_DIGITS:
                again = int(bar.number) <= highest if self.exact else int(bar.number) <= 1 < highest
                bar.signs.movement = again and place > 0
                highest = int(bar.number) if bar.signs.movement else max(highest, int(bar.number))
        first, meter = self.written[0], self.written[0].meter or Meter(4, 4)
        short = self.lengths[0] < meter.ticks and len(self.written) > 1 and not self.exact
        self.first_bar = 0 if first.implicit or first.number == "0" or short else 1

    def _place(self) -> None:
        """Give every bar its place, with its notes and what changes there."""
        at = 0
        chords = []
        for bar, length, labels in zip(self.written, self.lengths, self.labels, strict=True):
            for part, notes in bar.notes.items():
                self.players[part].play(notes, at)
            self.starts.append(at)
            if not self._only_rings(bar):
                self._change(bar, at)
                names = bar.sections or bar.spoken
                if names:
                    self.sections.append((at, names[0]))
                chords.append(labels)
                self.lines.append(at + length)
            at += length
        if at > _MOST_TICKS:
            raise TooLarge("the score lasts longer than a Score can")
        self.chords = chords if self.labelled else None

    def _only_rings(self, bar: Bar) -> bool:
        return self.exact and bar.number.startswith(RINGING)

    def _change(self, bar: Bar, at: int) -> None:
        """Meter, key and tempo changes of a bar."""
        if bar.meter:
            self._put(self.meters, at, bar.meter)
        for moment, fifths in sorted(bar.keys.get(self.key_part, {}).items()):
            self._put(self.keys, at + moment, fifths)
        for moment, micros in sorted(bar.tempos.items()):
            self._put(self.tempos, at + max(0, moment), micros)

    def _put(self, changes: list[tuple[int, Any]], at: int, value: Any) -> None:
        """Note a change; one that changes nothing is kept only where our own writer said it."""
        while changes and changes[-1][0] >= at:
            changes.pop()
        if not changes or changes[-1][1] != value or self.exact:
            changes.append((at, value))

    def _signs(self) -> Iterator[Mark]:
        """What stands over the whole piece: the signs that order the play, bar lines, words."""
        bars = self.written[: len(self.lines) - 1]
        yield from marks_of_signs([bar.signs for bar in bars], self.lines)
        end = self.lines[-1]
        for bar, line in zip(bars, self.lines, strict=False):
            if bar.style not in _PLAIN_LINES and (line, bar.style) != (self.lines[-2], _LAST_LINE):
                yield Mark(line, "barline", plain(bar.style))
            for at, text in bar.words:
                yield Mark(max(0, min(line + round(at), end - 1)), "words", text)
            for at, text in bar.swings:
                yield Mark(max(0, min(line + round(at), end - 1)), "swing", text)


def _staves(part: ListedPart, reader: PartReader, exact: bool) -> int:
    """How many staves a part has where that is the file's own; 0 where our writer chose them."""
    return reader.attributes.staves if not exact or "staves" in part.own else 0


def _first_of_each(symbols: Sequence[tuple[Fraction, str]]) -> list[tuple[Fraction, str]]:
    """One label for each moment: several parts may show the same symbols."""
    seen: dict[Fraction, str] = {}
    for at, label in symbols:
        seen.setdefault(max(at, Fraction(0)), label)
    return list(seen.items())


def _within(changes: Sequence[tuple[int, Any]], end: int, default: Any) -> list[tuple[int, Any]]:
    """Changes inside the piece, with something in force from the beginning."""
    kept = [(at, value) for at, value in changes if at < end]
    return kept if kept and kept[0][0] == 0 else [(0, default), *kept]


def _keys(changes: Sequence[tuple[int, Any]], voices: Sequence[Voice], end: int) -> list[tuple[int, Key]] | None:
    """Keys from signatures; a missing mode is heard from the notes under that signature."""
    if not changes:
        return None
    signatures = _within(changes, end, changes[0][1])
    stops = [at for at, _ in signatures[1:]] + [end]
    keys = []
    for index, ((at, (fifths, mode)), stop) in enumerate(zip(signatures, stops, strict=True)):
        heard = voices if index < _MOST_HEARD else ()
        keys.append((at, _key(fifths, mode, heard, at, stop)))
    return keys


def _key(fifths: int, mode: str, voices: Sequence[Voice], start: int, stop: int) -> Key:
    if mode not in MODES:
        pitched = [v.array[(v.array["onset"] >= start) & (v.array["onset"] < stop)] for v in voices if not v.drums]
        notes = np.concatenate([np.empty(0, NOTE), *pitched])
        heard = infer_key(notes["pitch"], notes["duration"])
        mode = heard.mode if heard.signature == fifths else "major"
    while fifths + MODES[mode] < FLATTEST:
        fifths += 12
    while fifths + MODES[mode] > SHARPEST:
        fifths -= 12
    return Key.of_signature(fifths, mode)
