"""Write ABC notation: one tune, voices interleaved four bars at a time, everything written out.

Polyphony inside a voice is written as overlaid layers (``&``), chord labels as symbols over the first voice,
sections as ``P:``, programs and percussion as ``%%MIDI`` directives, any length as a fraction of ``L:``, in
tuplets where that is usual. A note over which a chord, tempo or key changes is written as tied pieces.

Left out: velocities and grids. A note that rings past the last bar line is cut there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from libretto.formats.abc.bars import ChordRest, bar_text, length_text, pieces_of, spaced_group
from libretto.formats.abc.chords import SILENT_SYMBOL
from libretto.formats.abc.text import escape
from libretto.notation.staves import signature_alters
from libretto.notation.values import layered
from libretto.score import Key, Score, Voice
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
    """The piece as an ABC file; ``decode`` brings back every note that ends by the last bar line."""
    voices = score.voices or (Voice("-"),)
    bars = _BarWriter(score)
    written = [bars.voice(index, voice) for index, voice in enumerate(voices)]
    unit = _unit(written)
    lines = [*_header(score, unit), *_definitions(score)]
    texts = [[bars.text(bar, layers, unit) for bar, layers in enumerate(voice)] for voice in written]
    for first, last in _blocks(score):
        lines.append(f"% {score.numbers[first]}" + (f"-{score.numbers[last - 1]}" if last - first > 1 else ""))
        lines += [f"P:{escape(name)}" for tick, name in score.sections if tick == score.bar_lines[first]]
        for index, voice_texts in enumerate(texts):
            prefix = f"[V:{index + 1}] " if len(texts) > 1 else ""
            end = " |]" if last == score.bars else " |"
            lines.append(prefix + " | ".join(voice_texts[first:last]) + end)
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _header(score: Score, unit: int) -> Iterator[str]:
    yield "X:1"
    if score.title:
        yield f"T:{escape(score.title)}"
    yield f"M:{score.meter}"
    yield f"L:1/{unit}"
    yield f"Q:1/4={bpm_text(score.tempos[0][1])}"
    yield f"K:{_key_text(score.key)}"
    usual = 0 if score.bars > 1 and score.bar_lines[1] < score.meter.ticks else 1
    if score.first_bar != usual:
        yield f"%%setbarnb {score.first_bar}"


def _definitions(score: Score) -> Iterator[str]:
    for index, voice in enumerate(score.voices, start=1):
        yield f'V:{index} name="{escape(voice.name)}" clef={_clef(voice)}'
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
        self._first = self._signs_of_first()
        self._other = self._signs_of_others()

    def voice(self, index: int, voice: Voice) -> list[list[list[ChordRest]]]:
        """For each bar, the pieces of each layer that plays in it, and of those above."""
        layers = layered(self._score, voice)
        signs = self._other if index else self._first
        written = []
        for bar, length in enumerate(self._lengths):
            used = max((number for number, layer in enumerate(layers) if layer[bar]), default=0)
            pieces = [pieces_of(layers[0][bar], length, signs.get(bar, {}))]
            pieces += [pieces_of(layer[bar], length, {}) for layer in layers[1 : used + 1]]
            written.append(pieces)
        return written

    def text(self, bar: int, layers: list[list[ChordRest]], unit: int) -> str:
        """One bar of one voice."""
        return bar_text(layers, self._signatures[bar], self._explicit[bar], WHOLE // unit, self._beats[bar])

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
        signs: dict[int, dict[int, str]] = {}
        for bar, text in self._meter_signs():
            signs.setdefault(bar, {})[0] = text
        changes = [(tick, f"[K:{_key_text(key)}]") for tick, key in self._score.keys[1:]]
        changes += [(tick, f"[Q:1/4={bpm_text(micros)}]") for tick, micros in self._score.tempos[1:]]
        changes += self._symbols()
        for tick, text in changes:
            bar = bisect_right(self._score.bar_lines, tick) - 1
            here = signs.setdefault(bar, {})
            at = tick - self._score.bar_lines[bar]
            here[at] = here.get(at, "") + text
        return signs

    def _symbols(self) -> Iterator[tuple[int, str]]:
        """Chord symbols; a bar that only goes on with the last chord has none."""
        last = ""
        for line, length, labels in zip(self._score.bar_lines, self._lengths, self._score.chords, strict=False):
            if labels != (last,):
                for index, label in enumerate(labels):
                    shown = SILENT_SYMBOL if label == NO_CHORD else label
                    yield line + index * length // len(labels), f'"{shown}"'
            last = labels[-1]
