"""MusicXML to a Score: what is written, played out in order.

Conventions: every part becomes one voice, whatever its staves and layers; pitches are as they sound; tied notes
are one note. Where a key has no mode, the notes under it choose major or minor. A file that our own
writer made (it says so) is trusted to the letter: label texts, bar numbers, repeated changes.

Left out: articulation, lyrics, ornaments and tremolos as played, pedal, cue notes, figured bass, microtones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from libretto.errors import FormatError, ScoreError, TooLarge
from libretto.formats.musicxml.parts import IGNORED, PartsReader
from libretto.formats.musicxml.playing import PartPlayer
from libretto.formats.musicxml.safe import parse_xml, unpack
from libretto.formats.musicxml.written import RINGING, Bar
from libretto.notation.marks import split_labels
from libretto.score import Key, Meter, Note, Score, Voice, hear_chords, infer_key
from libretto.score.keys import MODES
from libretto.score.model import DEFAULT_MICROS
from libretto.score.pitch import FLATTEST, SHARPEST
from libretto.score.repeats import play_order
from libretto.score.table import NOTE
from libretto.score.validate import MAX_NOTES

__all__ = ["decode"]

_MOST_TICKS = 2**50  # a Score counts in 64 bits, and times are multiplied on the way
_SHOWN = 40  # letters of a wrong root element that a message repeats
_MOST_DIGITS = 6  # of a bar number
_MOST_WRITTEN = 100_000  # notes, tied ones counted one by one: about two seconds' reading
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
    piece = _Playing(parts.bars or [Bar()], [part.drums for part in listed], parts.exact)
    voices = [
        Voice(part.name, part.program, part.drums, _array(notes, piece.lines[-1]))
        for part, notes in zip(listed, piece.notes, strict=True)
    ]
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
    )
    return score if piece.chords is not None else replace(score, chords=hear_chords(score))


def _title(root: Element) -> str:
    for path in ("movement-title", "work/work-title"):
        title = " ".join((root.findtext(path) or "").split())
        if title:
            return title
    return ""


def _array(notes: Iterable[Note], end: int) -> Any:
    """Notes as a voice keeps them; none starts after the last bar (too many grace notes might)."""
    array = np.array(list(notes), dtype=NOTE)
    array["onset"] = np.minimum(array["onset"], end - 1)
    return array


@dataclass
class _Playing:
    """The bars as played: everything on one clock."""

    written: list[Bar]
    drums: list[bool]
    exact: bool
    lines: list[int] = field(default_factory=lambda: [0])
    meters: list[tuple[int, Any]] = field(default_factory=list)
    keys: list[tuple[int, Any]] = field(default_factory=list)
    tempos: list[tuple[int, Any]] = field(default_factory=list)
    sections: list[tuple[int, str]] = field(default_factory=list)
    chords: list[tuple[str, ...]] | None = None
    notes: list[list[Note]] = field(default_factory=list)
    first_bar: int = 1

    def __post_init__(self) -> None:
        self._resolve()
        self._find_movements()
        self._play(play_order([bar.signs for bar in self.written]))

    def _resolve(self) -> None:
        """Settle in written order what a bar inherits: its meter, length, labels, key and tempo."""
        meter, held = Meter(4, 4), None
        key, tempo = None, DEFAULT_MICROS
        self.lengths, self.labels, self.inherits = [], [], []  # type: list[int], list[tuple[str, ...]], list[Any]
        keyed = [part for part in sorted({p for bar in self.written for p in bar.keys}) if not self.drums[part]]
        self.key_part = keyed[0] if keyed else 0
        for bar in self.written:
            meter = bar.meter or meter
            length = round(max(bar.extent, min(bar.rest, meter.ticks))) if bar.extent else round(bar.rest)
            self.lengths.append(length or meter.ticks)
            self.inherits.append((meter, key, tempo))
            where = [(min(Fraction(at) / self.lengths[-1], Fraction(1)), label) for at, label in sorted(bar.chords)]
            labels = split_labels(_first_of_each(where), held, meter.beats)
            held = labels[-1] if bar.chords else held
            self.labels.append(labels)
            for _, fifths in sorted(bar.keys.get(self.key_part, {}).items()):
                key = fifths
            for _, micros in sorted(bar.tempos.items()):
                tempo = micros
        self.labelled = any(bar.chords for bar in self.written)

    def _find_movements(self) -> None:
        """Bar numbers that begin again begin a movement."""
        highest = 0
        for bar in self.written:
            if bar.number.isascii() and bar.number.isdigit() and len(bar.number) <= _MOST_DIGITS:
                bar.signs.movement = int(bar.number) <= 1 < highest and not self.exact
                highest = 0 if bar.signs.movement else max(highest, int(bar.number))
        first, meter = self.written[0], self.inherits[0][0]
        short = self.lengths[0] < meter.ticks and len(self.written) > 1 and not self.exact
        self.first_bar = 0 if first.implicit or first.number == "0" or short else 1

    def _play(self, order: Sequence[int]) -> None:
        players = [PartPlayer(strict=self.exact) for _ in self.drums]
        if sum(len(notes) for index in order for notes in self.written[index].notes.values()) > MAX_NOTES:
            raise TooLarge(f"the score has more than {MAX_NOTES:,} notes when played out")
        previous, at = -1, 0
        chords = []
        for index in order:
            bar = self.written[index]
            for part, notes in bar.notes.items():
                players[part].play(notes, at)
            if self.exact and bar.number.startswith(RINGING):
                at += self.lengths[index]
                continue
            self._change(bar, index, at, jumped=index != previous + 1)
            names = bar.sections or bar.spoken
            if names:
                self.sections.append((at, names[0]))
            chords.append(self.labels[index])
            at += self.lengths[index]
            self.lines.append(at)
            previous = index
        if at > _MOST_TICKS:
            raise TooLarge("the score lasts longer than a Score can")
        self.chords = chords if self.labelled else None
        self.notes = [player.notes for player in players]

    def _change(self, bar: Bar, index: int, at: int, jumped: bool) -> None:
        """Meter, key and tempo changes of a bar; after a jump also what was in force there."""
        meter, key, tempo = self.inherits[index]
        if jumped or bar.meter:
            self._put(self.meters, at, meter, bar.meter is not None)
        if jumped and key is not None:
            self._put(self.keys, at, key, False)
        if jumped and self.tempos:
            self._put(self.tempos, at, tempo, False)
        for moment, fifths in sorted(bar.keys.get(self.key_part, {}).items()):
            self._put(self.keys, at + moment, fifths, True)
        for moment, micros in sorted(bar.tempos.items()):
            self._put(self.tempos, at + max(0, moment), micros, True)

    def _put(self, changes: list[tuple[int, Any]], at: int, value: Any, said: bool) -> None:
        """Note a change; one that changes nothing is kept only where our own writer said it."""
        while changes and changes[-1][0] >= at:
            changes.pop()
        if not changes or changes[-1][1] != value or (said and self.exact):
            changes.append((at, value))


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
