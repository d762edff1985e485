"""Listen to the parts of a piece against each other: which voice does not go with the others, where, and what to do.

One hearing for several faces: the gate, the findings, ``spot`` and ``measure`` all say what is remarked here. A piece
with one pitched voice has nothing to be held against and is never remarked upon. Bars are numbered as they are played;
whoever shows a page counts them back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from libretto.corpus.forces import Cell, cell_of
from libretto.faults.evidence import Seen, places_of
from libretto.faults.parts.ear import EARS, PartsEar, note_rows, parts_ear, unresolved
from libretto.faults.parts.evidence import PASSAGE_EVIDENCE, WHOLE_EVIDENCE, Heard, heard_of
from libretto.faults.parts.words import off_beat_words, off_pitch_words, wrong_notes_words
from libretto.score.model import Score
from libretto.score.table import Floats, Ints

__all__ = ["PART_KINDS", "Listening", "PartRemark", "listen"]

#: What a voice may be remarked upon for.
PART_KINDS = ("off-pitch", "off-beat", "wrong-notes")
_KINDS = {"pitch": "off-pitch", "passage": "off-pitch", "pulse": "off-beat", "notes": "wrong-notes"}
_MOST_NOTES = 12  # wrong notes of a voice that are named
_STRIKING = 1.0  # what a note of a remarked voice must reach to be named
_LEAST_BARS, _LEAST_NOTES = 4, 24  # a shorter piece has no habits to be judged by
_SILENT = -12.0


@dataclass(frozen=True)
class PartRemark:
    """One voice that does not go with the others: the kind, the bars by number, what is heard, what to do, how sure.

    ``margin`` is by how much the ear is over the strength from which it speaks.
    """

    kind: str
    voice: str
    bars: tuple[tuple[int, int], ...]
    heard: str
    advice: str
    confidence: float
    margin: float

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


class Listening:
    """A piece that is being listened to; every step is worked out when it is first asked for."""

    def __init__(
        self, score: Score, without: int | None = None, seen: Seen | None = None, cell: Cell | None = None
    ) -> None:
        self.score, self.without = score, without
        self.cell = cell if cell is not None else cell_of(score)  # the forces and the length of the piece
        self.seen = seen if seen is not None else Seen(score)
        self.ear: PartsEar = parts_ear()

    @cached_property
    def heard(self) -> Heard:
        """The evidence of all voices."""
        return heard_of(self.seen)

    @cached_property
    def notes(self) -> tuple[Floats, Ints]:
        """How striking every note is that could be wrong, and which note of the piece it is."""
        places = places_of(self.seen, "wrong-note")
        return unresolved(self.ear.strength("note", places.rows, self.without), places.rows), places.note

    @cached_property
    def strengths(self) -> dict[str, Floats]:
        """By ear, how striking every voice is, or every passage."""
        heard = self.heard
        if self.score.bars < _LEAST_BARS or self.seen.count < _LEAST_NOTES or len(heard.voices) == 0:
            return {ear: np.zeros(0) for ear in EARS}
        strength, note = self.notes
        rows = {
            "pitch": heard.whole,
            "pulse": heard.whole,
            "passage": heard.passages,
            "notes": note_rows(strength, self.seen.voice[note], heard.voices, heard.whole),
        }
        return {ear: self.ear.strength(ear, rows[ear], self.without) for ear in EARS}

    @cached_property
    def margins(self) -> dict[str, float]:
        """By ear, how far the most striking voice or passage is over the strength from which the ear speaks."""
        return {ear: float(self.strengths[ear].max(initial=_SILENT)) - self.ear.level(ear, self.cell) for ear in EARS}

    @property
    def margin(self) -> float:
        """How far the piece is from any remark: below 0 where there is one."""
        return -max(self.margins.values())

    @cached_property
    def remarks(self) -> tuple[PartRemark, ...]:
        """What is remarked, the surest first; one for each voice and kind."""
        best: dict[tuple[str, str], PartRemark] = {}
        for remark in sorted(self._all(), key=lambda one: (-one.margin, one.voice, one.kind)):
            known = best.setdefault((remark.voice, remark.kind), remark)
            if known is not remark and known.kind == "off-pitch" and len(known.bars) and known.bars != remark.bars:
                best[remark.voice, remark.kind] = replace(known, bars=_joined(known.bars, remark.bars))
        told = list(best.values())
        off = {remark.voice for remark in told if remark.kind == "off-pitch"}
        return tuple(remark for remark in told if remark.kind != "wrong-notes" or remark.voice not in off)

    def _all(self) -> Iterator[PartRemark]:
        for ear in EARS:
            least = self.ear.level(ear, self.cell)
            for row in np.flatnonzero(self.strengths[ear] >= least).tolist():
                yield self._remark(ear, row, float(self.strengths[ear][row]) - least)

    def _remark(self, ear: str, row: int, margin: float) -> PartRemark:
        heard, first = self.heard, self.score.first_bar
        voice = int(heard.passage_voice[row] if ear == "passage" else heard.voices[row])
        name = self.score.voices[voice].name
        sure = self.ear.confidence(ear, float(self.strengths[ear][row]))
        bars: tuple[tuple[int, int], ...]
        if ear == "notes":
            strength, note = self.notes
            mine = (self.seen.voice[note] == voice) & (strength >= _STRIKING)
            worst = note[mine][np.argsort(-strength[mine], kind="stable")[:_MOST_NOTES]]
            bars = tuple((bar, bar) for bar in sorted({int(self.seen.bar[one]) + first for one in worst}))
            text, advice = wrong_notes_words(self.seen, worst)
        elif ear == "pulse":
            bars = self._played(voice)
            text, advice = off_beat_words(dict(zip(WHOLE_EVIDENCE, heard.whole[row].tolist(), strict=True)))
        elif ear == "pitch":
            bars = self._played(voice)
            text, advice = off_pitch_words(dict(zip(WHOLE_EVIDENCE, heard.whole[row].tolist(), strict=True)))
        else:
            start, end = heard.passage_bars[row].tolist()
            bars = ((start + first, end - 1 + first),)
            text, advice = off_pitch_words(dict(zip(PASSAGE_EVIDENCE, heard.passages[row].tolist(), strict=True)))
        return PartRemark(_KINDS[ear], name, bars, f"{name} {text}", advice, round(sure, 4), round(margin, 4))

    def _played(self, voice: int) -> tuple[tuple[int, int], ...]:
        mine = self.seen.bar[self.seen.voice == voice]
        return ((int(mine.min()) + self.score.first_bar, int(mine.max()) + self.score.first_bar),)


def _joined(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Spans of bars, those that touch as one."""
    spans: list[tuple[int, int]] = []
    for first, last in sorted((*one, *other)):
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return tuple(spans)


def listen(score: Score, without: int | None = None) -> Listening:
    """Listen to the parts of a piece as it is played; ``without`` leaves out trees that met an artist (by group)."""
    return Listening(score, without)
