"""Write ABC notation: one tune, voices interleaved four bars at a time, everything written out.

Polyphony inside a voice is written as overlaid layers (``&``), chord labels as symbols over the first voice,
sections as ``P:``, programs and percussion as ``%%MIDI`` directives, any length as a fraction of ``L:``, in
tuplets where that is usual. A note over which a chord, tempo or key changes is written as tied pieces.

Marks that ABC has signs for are written with them, words under the notes as ``w:`` lines. Where a piece is to be
written as it stands, no note is cut: what changes over one stands in a layer of invisible rests.

Left out: velocities and grids. A note that rings past the last bar line is cut there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from libretto.formats.abc.bars import (
    ChordRest,
    bar_text,
    cut_at,
    cut_rests,
    filled,
    length_text,
    pieces_of,
    spaced_group,
)
from libretto.formats.abc.chords import SILENT_SYMBOL, labels_of
from libretto.formats.abc.credits import credit_lines
from libretto.formats.abc.ink import ink_layers
from libretto.formats.abc.leading import leads_alike, skeleton
from libretto.formats.abc.moments import first_clef, moment_signs, tempo_field, tempo_words
from libretto.formats.abc.signposts import posts_of
from libretto.formats.abc.text import escape
from libretto.formats.abc.verses import block_words, words_lines
from libretto.notation.staves import signature_alters
from libretto.notation.values import layered
from libretto.score import Key, Score, Voice, played
from libretto.score.chords import NO_CHORD
from libretto.score.pitch import letter_name
from libretto.score.time import WHOLE, bpm_text

__all__ = ["encode"]

_BARS_A_LINE = 4
_UNITS = (8, 16)
_BASS_CLEF_BELOW = 57
_MODES = {"major": "", "minor": "m"}
_MOST_SHARPS = 7  # beyond, other programs know no key, so that every accidental is written


def encode(score: Score) -> bytes:
    """The piece as an ABC file; ``decode`` brings back every note that ends by the last bar line.

    Where signs of repeats would be followed in another way by who reads ABC, they are written out as played.
    """
    bones = skeleton(score)
    if bones is not None and not leads_alike(bones, _page(bones)):
        score = played(score)
    return _page(score).encode("utf-8", "replace")


def _page(score: Score) -> str:
    """The text of an ABC file."""
    voices = score.voices or (Voice("-"),)
    bars = _BarWriter(score)
    written = [bars.voice(index, voice) for index, voice in enumerate(voices)]
    unit = _unit(written)
    lines = [*_header(score, unit), *_definitions(score)]
    texts = [[bars.text(index, bar, layers, unit) for bar, layers in enumerate(v)] for index, v in enumerate(written)]
    words = [words_lines(voice) for voice in written] if bars.inked else [[] for _ in written]
    for first, last in _blocks(score):
        lines.append(f"% {score.numbers[first]}" + (f"-{score.numbers[last - 1]}" if last - first > 1 else ""))
        lines += [f"P:{escape(name)}" for tick, name in score.sections if tick == score.bar_lines[first]]
        for index, voice_texts in enumerate(texts):
            prefix = f"[V:{index + 1}] " if len(texts) > 1 else ""
            lines.append(prefix + bars.line(voice_texts, first, last))
            lines += block_words(words[index], first, last)
    return "\n".join(lines) + "\n"


def _header(score: Score, unit: int) -> Iterator[str]:
    yield "X:1"
    if score.title:
        yield f"T:{escape(score.title)}"
    yield from credit_lines(score.marks)
    yield f"M:{score.meter}"
    yield f"L:1/{unit}"
    yield f"Q:{tempo_field(tempo_words(score).get(0, ()), f'1/4={bpm_text(score.tempos[0][1])}')}"
    yield f"K:{_key_text(score.key)}"
    usual = 0 if score.bars > 1 and score.bar_lines[1] < score.meter.ticks else 1
    if score.first_bar != usual:
        yield f"%%setbarnb {score.first_bar}"


def _definitions(score: Score) -> Iterator[str]:
    exact = any(mark.kind == "written" for mark in score.marks)
    for index, voice in enumerate(score.voices, start=1):
        said = first_clef(voice)
        clef = said if said is not None else "" if exact else f"clef={_clef(voice)}"
        yield f'V:{index} name="{escape(voice.name)}" {clef}'.rstrip()
        if voice.drums:
            yield "%%MIDI channel 10"
        if voice.program is not None:
            yield f"%%MIDI program {voice.program}"


def _clef(voice: Voice) -> str:
    if voice.drums:
        return "perc"
    return "bass" if len(voice.array) and voice.array["pitch"].mean() < _BASS_CLEF_BELOW else "treble"


def _key_text(key: Key) -> str:
    return letter_name(key.tonic) + _MODES.get(key.mode, key.mode[:3])


def _blocks(score: Score) -> Iterator[tuple[int, int]]:
    """Bars that share a line: up to four, not across the beginning of a section."""
    begins = {tick for tick, _ in score.sections}
    first = 0
    for bar in range(1, score.bars + 1):
        if bar == score.bars or bar - first == _BARS_A_LINE or score.bar_lines[bar] in begins:
            yield first, bar
            first = bar


def _unit(written: list[list[list[list[ChordRest]]]]) -> int:
    """The unit length, an eighth or a sixteenth, that makes the text shorter."""
    lengths = Counter(piece.length for voice in written for bar in voice for layer in bar for piece in layer)
    costs = {
        unit: sum(count * len(length_text(length, WHOLE // unit)) for length, count in lengths.items())
        for unit in _UNITS
    }
    return min(_UNITS, key=lambda unit: costs[unit])


class _BarWriter:
    """Writes the bars of a score; holds what is the same for all its voices."""

    def __init__(self, score: Score) -> None:
        self._score = score
        self._lengths = [after - line for line, after in zip(score.bar_lines, score.bar_lines[1:], strict=False)]
        self._keys = [score.key_at(line) for line in score.bar_lines[:-1]]
        self._signatures = [signature_alters(key.signature) for key in self._keys]
        self._beats = [spaced_group(score.meter_at(line)) for line in score.bar_lines[:-1]]
        turns = [bisect_right(score.bar_lines, tick) - 1 for tick, _ in score.keys]
        self._explicit = [abs(key.signature) > _MOST_SHARPS for key in self._keys]
        for bar, (tick, _) in zip(turns, score.keys, strict=True):
            self._explicit[bar] |= tick > score.bar_lines[bar]
        self.inked = bool(score.marks) or any(voice.marks for voice in score.voices)
        self._exact = any(mark.kind == "written" for mark in score.marks)
        self._posts = posts_of(score) if self.inked else None
        self._first = self._signs_of_first()
        self._other = self._signs_of_others()
        self._endings: dict[int, str] = {}  # by voice, what stands at the end of the piece

    def voice(self, index: int, voice: Voice) -> list[list[list[ChordRest]]]:
        """For each bar, the pieces of each layer that plays in it, and of those above."""
        signs = self._other if index else self._first
        if self.inked:
            return self._inked(index, voice, signs)
        layers = layered(self._score, voice)
        written = []
        for bar, length in enumerate(self._lengths):
            used = max((number for number, layer in enumerate(layers) if layer[bar]), default=0)
            pieces = [pieces_of(layers[0][bar], length, signs.get(bar, {}))]
            pieces += [pieces_of(layer[bar], length, {}) for layer in layers[1 : used + 1]]
            written.append(pieces)
        return written

    def _inked(self, index: int, voice: Voice, signs: dict[int, dict[int, str]]) -> list[list[list[ChordRest]]]:
        """The same for a voice with marks: they stand around its notes, or between invisible rests."""
        layers = ink_layers(self._score, voice)
        over = self._by_bar(moment_signs(self._score, voice))
        self._endings[index] = over.get(len(self._lengths), {}).get(0, "")
        written = []
        for bar, length in enumerate(self._lengths):
            used = max((number for number, layer in enumerate(layers) if layer[bar]), default=0)
            texts = dict(signs.get(bar, {}))
            first = filled(layers[0][bar], length)
            if not self._exact:
                first, texts = cut_at(first, texts), {}
            for at, text in over.get(bar, {}).items():
                texts[at] = texts.get(at, "") + text
            first, homeless = cut_rests(first, texts)
            pieces = [first, *(filled(layer[bar], length) for layer in layers[1 : used + 1])]
            if homeless:
                pieces.append(pieces_of((), length, homeless))
            written.append(pieces)
        return written

    def _by_bar(self, signs: Iterable[tuple[int, str]]) -> dict[int, dict[int, str]]:
        """Texts by bar and place in it; what stands at one place in the order given."""
        bars: dict[int, dict[int, str]] = {}
        for tick, text in signs:
            bar = bisect_right(self._score.bar_lines, tick) - 1
            here = bars.setdefault(bar, {})
            at = tick - self._score.bar_lines[bar]
            here[at] = here.get(at, "") + text
        return bars

    def text(self, index: int, bar: int, layers: list[list[ChordRest]], unit: int) -> str:
        """One bar of one voice."""
        text = bar_text(layers, self._signatures[bar], self._explicit[bar], WHOLE // unit, self._beats[bar])
        if bar + 1 == len(self._lengths):
            text += self._endings.get(index, "")
        if self._posts and not index:
            text = self._posts.before[bar] + text + self._posts.after[bar]
        return text

    def line(self, texts: Sequence[str], first: int, last: int) -> str:
        """The bars of one voice that share a line, with their bar lines."""
        if self._posts:
            return self._posts.line(texts, first, last)
        return " | ".join(texts[first:last]) + (" |]" if last == len(texts) else " |")

    def _signs_of_others(self) -> dict[int, dict[int, str]]:
        """Meters and keys, at the bar lines where they hold: what every voice needs to be read."""
        signs: dict[int, dict[int, str]] = {}
        for bar, text in self._meter_signs():
            signs.setdefault(bar, {})[0] = text
        keys = self._keys
        for bar in range(1, len(keys)):
            if keys[bar] != keys[bar - 1]:
                here = signs.setdefault(bar, {})
                here[0] = here.get(0, "") + f"[K:{_key_text(keys[bar])}]"
        return signs

    def _meter_signs(self) -> Iterator[tuple[int, str]]:
        for tick, meter in self._score.meters[1:]:
            yield bisect_right(self._score.bar_lines, tick) - 1, f"[M:{meter}]"

    def _signs_of_first(self) -> dict[int, dict[int, str]]:
        """Everything that is written once: meters, keys, tempi and chord symbols, where they begin."""
        score = self._score
        changes = [(score.bar_lines[bar], text) for bar, text in self._meter_signs()]
        changes += [(tick, f"[K:{_key_text(key)}]") for tick, key in score.keys[1:]]
        words = tempo_words(score)
        tempos = {tick: f"1/4={bpm_text(micros)}" for tick, micros in score.tempos[1:]}
        moments = sorted({*tempos, *words} - {0})
        changes += [(tick, f"[Q:{tempo_field(words.get(tick, ()), tempos.get(tick, ''))}]") for tick in moments]
        changes += self._symbols()
        return self._by_bar(changes)

    def _symbols(self) -> Iterator[tuple[int, str]]:
        """Chord symbols; a bar that only goes on with the last chord has none."""
        silent = all(labels == (NO_CHORD,) for labels in self._score.chords)  # said once: else chords would be heard
        last = "" if silent else NO_CHORD
        for line, length, labels in zip(self._score.bar_lines, self._lengths, self._score.chords, strict=False):
            if labels != (last,):
                places = [(index * length // len(labels), label) for index, label in enumerate(labels)]
                for at, label in self._fewest(places, length, line, labels) if self._exact else places:
                    shown = SILENT_SYMBOL if label == NO_CHORD else label
                    yield line + at, f'"{shown}"'
            last = labels[-1]

    def _fewest(
        self, places: list[tuple[int, str]], length: int, line: int, labels: tuple[str, ...]
    ) -> list[tuple[int, str]]:
        """Only the symbols that change the chord, where they are read back as the same labels."""
        changes = [places[0], *(after for before, after in pairwise(places) if after[1] != before[1])]
        same = labels_of(changes, length, self._score.meter_at(line), "") == labels
        return changes if same else places
