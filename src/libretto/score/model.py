"""What a piece is: notes in voices over bars, on one integer clock, and nothing that can change.

Conventions: bars are numbered from 1, or from 0 where the piece opens with a pickup (``first_bar``);
inside the code ``bar`` is an index from 0. Meter, key, tempo and section changes are (tick, value) pairs
in order of time, and the first three always begin at tick 0. Chord labels belong to bars and split a
bar into equal parts. Every bar has the grid on which it is written.

Lyrics, slurs, dynamics and the like are marks (``libretto.score.marks``), of voices and of the piece. Repeats are
marks, too: bars stand once, as written; ``played`` gives them in the order in which they sound.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.chords import NO_CHORD, Chord, parse_chord
from libretto.score.keys import Key
from libretto.score.labels import heard_labels
from libretto.score.late import Late, Unnamed
from libretto.score.marks import Mark, check_marks
from libretto.score.table import SOUND, frozen, notes_of
from libretto.score.time import QUARTER, Grid, Meter, bpm_of_micros, in_force
from libretto.score.validate import (
    MAX_NOTES,
    MAX_SIGNS,
    bar_lines_of,
    check_bars,
    check_changes,
    check_labels,
    check_meaning,
    check_names,
    check_notes,
    check_signs,
    grids_of,
    key_of,
    note_table,
)
from libretto.score.voice import Part, Voice, dealt_out, unnamed_voices

__all__ = ["Score", "in_force"]

DEFAULT_MICROS = 500_000


@dataclass(frozen=True, eq=False)
class Score:
    """A piece: an immutable value. Build one with ``Score.build``, ``parse`` or ``read``."""

    voices: tuple[Voice, ...]
    bar_lines: tuple[int, ...]
    meters: tuple[tuple[int, Meter], ...]
    keys: tuple[tuple[int, Key], ...]
    tempos: tuple[tuple[int, int], ...]
    sections: tuple[tuple[int, str], ...]
    chords: tuple[tuple[str, ...], ...]
    grids: tuple[Grid, ...]
    title: str = ""
    first_bar: int = 1
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        for name in ("meters", "keys", "tempos", "sections"):
            object.__setattr__(self, name, tuple((int(tick), value) for tick, value in getattr(self, name)))
        object.__setattr__(self, "bar_lines", tuple(map(int, self.bar_lines)))
        self._check()

    def _check(self, on_grid: bool = False) -> None:
        """Raise a ScoreError for the first thing that cannot be; ``on_grid`` says that notes are known to be on it."""
        labels, keys = self.__dict__.get("chords"), self.__dict__.get("keys")  # what is worked out later is right
        check_bars(self.bar_lines, self.first_bar, self.grids, labels)
        for kind in ("meter", "tempo", "section") if keys is None else ("meter", "key", "tempo", "section"):
            check_changes(kind, getattr(self, f"{kind}s"), self.bar_lines)
        check_meaning(self.meters, keys or (), self.tempos)
        check_names(self.voices, self.title, self.sections)
        check_labels(labels or ())
        if self.marks:
            object.__setattr__(self, "marks", check_marks(self.marks, "the piece", piece=True))
            check_signs(self.marks, self.bar_lines)
        if len(self.sounds) > MAX_NOTES:
            raise ScoreError(f"the piece has more than {MAX_NOTES:,} notes")
        if len(self.marks) + sum(len(voice.marks) + len(voice.controls) for voice in self.voices) > MAX_SIGNS:
            raise ScoreError(f"the piece has more than {MAX_SIGNS:,} marks and controls")
        if not on_grid:
            check_notes(self.table, self.ticks, self.grids, self.first_bar)

    @classmethod
    def build(
        cls,
        voices: Sequence[Voice],
        *,
        bars: int | None = None,
        bar_lines: Sequence[int] | None = None,
        meters: Sequence[tuple[int, Meter]] = ((0, Meter(4, 4)),),
        keys: Sequence[tuple[int, Key]] | None = None,
        tempos: Sequence[tuple[int, int]] = ((0, DEFAULT_MICROS),),
        sections: Sequence[tuple[int, str]] = (),
        chords: Sequence[Sequence[str]] | None = None,
        grids: Sequence[Grid] | None = None,
        title: str = "",
        first_bar: int = 1,
        marks: Sequence[Mark] = (),
    ) -> Score:
        """A Score from what is known; bar lines, key and grids are worked out where they are left out.

        ``bars`` is the least number of bars; chord labels left out are written as ``-`` (none).
        """
        if bar_lines is None:
            last = max((int(voice.array["onset"][-1]) for voice in voices if len(voice.array)), default=0)
            bar_lines = bar_lines_of(meters, last + 1, bars or 1)
        lines = np.asarray(bar_lines, dtype=np.int64)
        table = note_table(voices, lines)
        made = object.__new__(cls)
        made.__dict__.update(
            voices=tuple(voices),
            bar_lines=tuple(lines.tolist()),
            meters=tuple(meters),
            keys=((0, key_of(voices)),) if keys is None else tuple(keys),
            tempos=tuple(tempos),
            sections=tuple(sections),
            chords=tuple(map(tuple, [(NO_CHORD,)] * (len(lines) - 1) if chords is None else chords)),
            grids=grids_of(table, lines) if grids is None else tuple(grids),
            title=title,
            first_bar=first_bar,
            marks=tuple(marks),
            table=table,  # so that it is not made again
        )
        made.__post_init__()
        return made

    @classmethod
    def of_table(
        cls, table: NDArray[Any], parts: Sequence[Part], notes: NDArray[Any] | None = None, **columns: Any
    ) -> Score:
        """A Score whose notes stand in a table already: sound, in order, in their bars and on the grids of these."""
        notes = notes_of(table) if notes is None else notes
        ends = np.searchsorted(table["voice"], np.arange(1, len(parts) + 1)).tolist()
        made = object.__new__(cls)
        made.__dict__.update(columns, voices=dealt_out(frozen(notes), ends, parts, sound=True), table=table)
        made._check(on_grid=True)
        return made

    @classmethod
    def of_sounds(
        cls, sounds: NDArray[Any], parts: Sequence[Part], said: Sequence[tuple[int, Key]], **columns: Any
    ) -> Score:
        """The same of notes without names: these, keys (of which some were ``said``) and labels come when asked for."""
        unnamed = Unnamed(frozen(sounds), [drums for _, _, drums, _, _ in parts], said)
        made = object.__new__(cls)
        made.__dict__.update(columns, voices=unnamed_voices(unnamed, parts), sounds=sounds, unnamed=unnamed)
        made._check(on_grid=True)
        return made

    def with_chords(self, chords: Sequence[Sequence[str]]) -> Score:
        """The same piece with other chord labels; what is known of its notes stays known."""
        labels = tuple(map(tuple, chords))
        check_bars(self.bar_lines, self.first_bar, self.grids, labels)
        check_labels(labels)
        made = object.__new__(Score)
        made.__dict__.update({item.name: getattr(self, item.name) for item in fields(self) if item.name != "chords"})
        made.__dict__["chords"] = labels
        made.__dict__.update({name: self.__dict__[name] for name in ("table", "sounds") if name in self.__dict__})
        return made

    @cached_property
    def table(self) -> NDArray[Any]:
        """Every note of every voice as one read-only array of ``TABLE`` rows."""
        return note_table(self.voices, np.asarray(self.bar_lines, dtype=np.int64))

    @cached_property
    def sounds(self) -> NDArray[Any]:
        """The same without names, in ``SOUND`` columns: what is measured, judged and compared needs no more."""
        return self.table[list(SOUND.names or ())]

    @property
    def bars(self) -> int:
        """How many bars are written, the pickup included."""
        return len(self.bar_lines) - 1

    @property
    def numbers(self) -> range:
        """The bar numbers as a person reads them."""
        return range(self.first_bar, self.first_bar + self.bars)

    @property
    def ticks(self) -> int:
        """Where the last bar ends."""
        return self.bar_lines[-1]

    def key_at(self, tick: int) -> Key:
        """The key that holds at a tick."""
        return in_force(self.keys, tick)

    def meter_at(self, tick: int) -> Meter:
        """The meter that holds at a tick."""
        return in_force(self.meters, tick)

    def bpm_at(self, tick: int) -> float:
        """The tempo that holds at a tick, in quarter notes a minute."""
        return bpm_of_micros(in_force(self.tempos, tick))

    def bar_at(self, tick: int) -> int:
        """The index of the bar in which a tick lies; before the first it is the first, after the last the last."""
        return min(max(bisect_right(self.bar_lines, tick) - 1, 0), self.bars - 1)

    def section_at(self, tick: int) -> str:
        """The name of the section in which a tick lies; empty before the first."""
        return in_force(self.sections, tick) if self.sections and self.sections[0][0] <= tick else ""

    def chord_spans(self, bar: int) -> list[tuple[int, int, str]]:
        """The labels of a bar (an index) with their first and last ticks: they share it equally."""
        labels, start = self.chords[bar], self.bar_lines[bar]
        length, parts = self.bar_lines[bar + 1] - start, len(labels)
        edges = [start + length * place // parts for place in range(parts + 1)]
        return [(edges[place], edges[place + 1], label) for place, label in enumerate(labels)]

    def chord_at(self, tick: int) -> Chord | None:
        """The chord whose label holds at a tick; None where there is none."""
        spans = self.chord_spans(self.bar_at(tick))
        held = [label for start, _, label in spans if start <= tick] or [label for _, _, label in spans[:1]]
        return parse_chord(held[-1]) if held else None

    @property
    def bpm(self) -> float:
        """The tempo at the beginning, in quarter notes a minute."""
        return bpm_of_micros(self.tempos[0][1])

    @property
    def key(self) -> Key:
        """The key at the beginning."""
        return self.keys[0][1]

    @property
    def meter(self) -> Meter:
        """The meter at the beginning."""
        return self.meters[0][1]

    @property
    def seconds(self) -> float:
        """How long the piece lasts, up to its last bar line."""
        return float(self.seconds_at(np.array([self.ticks]))[0])

    def seconds_at(self, ticks: NDArray[np.integer]) -> NDArray[np.float64]:
        """When those ticks sound, in seconds, by the tempo map."""
        starts = np.array([tick for tick, _ in self.tempos], dtype=np.float64)
        rates = np.array([micros for _, micros in self.tempos], dtype=np.float64) / 1e6 / QUARTER
        marks = np.concatenate(([0.0], np.cumsum(np.diff(starts) * rates[:-1])))
        which = np.searchsorted(starts, ticks, side="right") - 1
        return np.asarray(marks[which] + (np.asarray(ticks) - starts[which]) * rates[which], dtype=np.float64)

    def voice(self, name: str) -> Voice:
        """The voice of that name."""
        for voice in self.voices:
            if voice.name == name:
                return voice
        names = ", ".join(voice.name for voice in self.voices)
        raise ScoreError(f"there is no voice {name!r}; the voices are {names or 'none'}")

    def index_of(self, number: int) -> int:
        """The index of the bar that a person calls ``number``."""
        if number not in self.numbers:
            raise ScoreError(f"there is no bar {number}; the bars are {self.numbers[0]}-{self.numbers[-1]}")
        return number - self.first_bar

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the music: equal for equal pieces, whatever grid they are written on."""
        import hashlib  # brings OpenSSL along, and most commands need no fingerprint

        head = (self.bar_lines, self.meters, self.keys, self.tempos, self.sections, self.chords)
        total = hashlib.sha256(repr((self.title, self.first_bar, *head)).encode())
        for voice in self.voices:
            total.update(repr((voice.name, voice.program, voice.drums, len(voice.array))).encode())
            total.update(voice.array.tobytes())
            if voice.marks or len(voice.controls):
                total.update(repr(voice.marks).encode() + voice.controls.tobytes())
        if self.marks:
            total.update(repr(self.marks).encode())
        return total.hexdigest()

    def _identity(self) -> tuple[Any, ...]:
        return self.digest, self.grids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


setattr(Score, "chords", Late("chords", heard_labels))  # noqa: B010  (asked only where a Score holds none itself)
setattr(Score, "keys", Late("keys", lambda score: score.unnamed.keys))  # noqa: B010
