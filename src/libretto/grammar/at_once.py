"""Texts that hold nothing but bar lines, notes and controls, many at once.

Most texts are as plain as that, and reading them line by line would cost more than all that is done with them. Here
the signs of all of them stand in one array. Whatever is not plain (shorthand, marks, comments, anything wrong) makes
the text one that is read line by line; what is read here is the same in both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.grammar.assemble import Notes, score_of
from libretto.grammar.bars import Bars
from libretto.grammar.columns import Columns
from libretto.grammar.control_lines import SIGN, ControlLine, Controls, bare
from libretto.grammar.header import Header
from libretto.grammar.plain_bars import bars_of_lines
from libretto.grammar.problems import Problems
from libretto.grammar.scan import ROOM, Scanned, scan
from libretto.grammar.voice_signs import VoiceSigns
from libretto.score.limits import MAX_CHARACTERS, MAX_LINE, MAX_LINES, MAX_NOTES
from libretto.score.model import Score
from libretto.score.table import Bools, Ints, frozen, notes_of
from libretto.score.time import WHOLE

__all__ = ["read_at_once"]

_BREAK, _AT = b"\n@"
Words = dict[int, tuple[str, ...]]  # of lines that say controls, by the number of the line among the different ones
_MOST = min(MAX_CHARACTERS, MAX_LINE)  # letters of a text that is read here


class _Top(NamedTuple):
    """What the header and the bar lines of a text say."""

    header: Header
    bars: Bars


def read_at_once(texts: Sequence[str]) -> list[Score | None]:
    """The Scores of those texts that are plain, None for the others."""
    small = [text if len(text) <= _MOST and text.count("\n") < MAX_LINES else "" for text in texts]
    return _Reading(small).scores() if texts else []


class _Reading:
    """One reading of several texts; lines are counted through all of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        text = "\n".join(texts)
        self.all = text.split("\n")
        self.controlling = SIGN in text
        signs = np.frombuffer(
            f"\n{text}\n".encode("ascii", "replace"), np.uint8
        )  # one a letter, whatever it stands for
        breaks = np.flatnonzero(signs == _BREAK)
        first = signs[breaks[:-1] + 1]  # the sign that each line begins with
        self.edges: Ints = np.searchsorted(breaks, np.cumsum([0, *(len(text) + 1 for text in texts)]))
        self.bar_lines = np.flatnonzero(first == _AT)
        self.bar_edges: Ints = np.searchsorted(self.bar_lines, self.edges)
        begin = np.concatenate((self.bar_lines, [len(first)]))[self.bar_edges[:-1]]  # the first bar line of each text
        lines = np.flatnonzero((first != _AT) & (first != _BREAK))  # empty lines say nothing
        of_line = np.searchsorted(self.edges, lines, side="right") - 1
        voiced = lines >= begin[of_line]
        self.lines, self.of_line = lines[voiced], of_line[voiced]  # of voices

    def _written(self, lines: Ints) -> list[str]:
        """Those lines as they are written."""
        return list(map(self.all.__getitem__, lines.tolist()))

    def scores(self) -> list[Score | None]:
        """The Scores, None where a text is not plain."""
        tops = [self._top(number) for number in range(len(self.edges) - 1)]
        cells, odd, controls = self._cells(tops)
        known = {number: top for number, top in enumerate(tops) if top is not None and not odd[number]}
        scores: list[Score | None] = [None] * len(tops)
        if known:
            number = np.zeros(len(tops), dtype=np.int64)
            number[list(known)] = np.arange(len(known))
            notes = Notes([top.bars for top in known.values()], cells._replace(text=number[cells.text]))
            late = set((np.searchsorted(notes.edges, notes.late(), side="right") - 1).tolist())
            table = notes.table([top.header for top in known.values()])
            held = frozen(notes_of(table))
            for place, ((text, top), mine) in enumerate(
                zip(known.items(), pairwise(notes.edges.tolist()), strict=True)
            ):
                signs = controls.of(text, len(top.header.voices))
                scores[text] = None if place in late else _score(top, signs, table[slice(*mine)], held[slice(*mine)])
        return scores

    def _top(self, number: int) -> _Top | None:
        """The header and the bar lines of a text; None where something is wrong or unusual in them."""
        lines = self.bar_lines[self.bar_edges[number] : self.bar_edges[number + 1]]
        if not len(lines):
            return None
        problems = Problems("\n".join(self.all[self.edges[number] : lines[0]]))
        header = Header(problems)
        for place, line in enumerate(map(str.strip, problems.lines), start=1):
            problems.number = place
            if line[:1] == "@":
                return None
            if line and line[0] != "%":
                header.read(line)
        bars = None if problems.found or header.colons else bars_of_lines(self._written(lines), header)
        if bars is None:
            return None
        header.finish(len(bars.grids) - (1 - bars.first))
        return None if problems.found else _Top(header, bars)

    def _cells(self, tops: Sequence[_Top | None]) -> tuple[Columns, Bools, Controls]:
        """What voices play in the texts that are plain, which are not, and their controls."""
        scanned, which, voice, words = self._scanned(tops)
        text, odd = self.of_line, scanned.odd | np.array([top is None for top in tops])
        notes, voice = scanned.notes[which], voice[which]
        controlling = np.isin(which, list(words)) if words else np.zeros(len(which), dtype=np.bool_)
        odd[text[(voice < 0) | ((notes == 0) & ~controlling)]] = True
        before = self.bar_edges[text]
        bar = np.searchsorted(self.bar_lines, self.lines) - 1 - before
        order = np.argsort(text * (int(voice.max(initial=0)) + 1) + voice, kind="stable")
        same = (np.diff(text[order]) == 0) & (np.diff(voice[order]) == 0) & (np.diff(bar[order]) == 0)
        odd[text[order[1:][same]]] = True  # two lines for a voice in a bar
        odd |= np.bincount(text, notes, minlength=len(tops)) > MAX_NOTES
        controls = self._controls(tops, odd, np.stack((text, voice, bar, which))[:, controlling], words)
        odd[list(controls.odd)] = True
        order = order[~odd[text[order]]]
        notes = notes[order]
        shift = (np.cumsum(scanned.notes) - scanned.notes)[which[order]] - (np.cumsum(notes) - notes)
        rows = scanned.rows.take(np.repeat(shift, notes) + np.arange(int(notes.sum())), axis=1)
        slot = self._slots(tops)[(before + bar)[order]]
        line = self.lines - self.edges[text] + 1
        return Columns(text[order], voice[order], bar[order], slot, line[order], notes, rows), odd, controls

    def _controls(self, tops: Sequence[_Top | None], odd: Bools, lines: Ints, words: Words) -> Controls:
        """What those lines say of controls: their texts, voices, bars, and which of the different lines each is."""
        lines = lines[:, ~odd[lines[0]]]
        said = [ControlLine(text, voice, bar, words[line]) for text, voice, bar, line in lines.T.tolist()]
        bars = [Bars() if top is None else top.bars for top in tops]
        return Controls(said, [some.grids for some in bars], [some.lines for some in bars])

    def _scanned(self, tops: Sequence[_Top | None]) -> tuple[Scanned, Ints, Ints, Words]:
        """Each different line of a text, which of these each line is, the voice of each (-1 where it is unknown), and
        the words of those that say controls.
        """
        bodies, ends, which, voices = list[str](), [0], list[int](), list[int]()
        words: Words = {}
        lines, edges = self._written(self.lines), np.searchsorted(self.of_line, np.arange(len(tops) + 1)).tolist()
        for top, (first, stop) in zip(tops, pairwise(edges), strict=True):
            said = lines[first:stop]
            known = {
                line: number for number, line in enumerate(dict.fromkeys(said), start=len(bodies))
            }  # music repeats
            parted = [line.partition(":") for line in known]
            index = {} if top is None else top.header.index
            names = {name: index.get(name.strip(), -1) for name in {name for name, _, _ in parted}}
            voices += [names[name] for name, _, _ in parted]
            which += map(known.__getitem__, said)
            lot = [body for _, _, body in parted]
            for place, body in enumerate(lot) if self.controlling else ():
                lot[place], controlled = bare(body)
                if controlled:
                    words[len(bodies) + place] = controlled
            bodies += lot
            ends.append(ends[-1] + sum(map(len, lot)) + len(lot))
        signs = np.frombuffer("\n".join([*bodies, ROOM * "\0"]).encode("ascii", "replace"), np.uint8)
        return scan(signs, np.array(ends)), np.array(which, dtype=np.int64), np.array(voices, dtype=np.int64), words

    def _slots(self, tops: Sequence[_Top | None]) -> Ints:
        """The ticks in a slot of each bar."""
        divisions: list[int] = []
        for top, bars in zip(tops, np.diff(self.bar_edges).tolist(), strict=True):
            divisions += [1] * bars if top is None else [grid.division for grid in top.bars.grids]
        return WHOLE // np.array(divisions or [1], dtype=np.int64)


def _score(top: _Top, signs: list[VoiceSigns], table: NDArray[Any], notes: NDArray[Any]) -> Score | None:
    """The Score of a text; None where there is a problem, which the reader of single lines reports."""
    header, bars = top
    try:
        return score_of(header, bars, signs, table, tuple(bars.grids), notes)
    except ScoreError:
        return None
