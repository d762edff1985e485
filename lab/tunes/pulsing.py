"""Counting rhythms: what beats hold, and how many bars back a rhythm comes from; bits a note of tunes kept aside.

``python -m lab.tunes.pulsing ../shared/tunes --write`` writes ``house/tune/pulses.json``. Of pop909 there are only
counts over many songs; what was met fewer than three times is left out.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log2

from lab.checkout import arguments_of, compact_json, package_of, run
from lab.tunes.reading import COLLECTIONS, TAUGHT, TEACH, TEST, Tune, read_tunes
from libretto.formats import write_bytes
from libretto.house.tune.pulses import SLOTS, Counts, beats_of, chances, family
from libretto.house.tune.views import LAGS

__all__ = ["bars_of", "bits_of", "counts_of", "main"]

_FEWEST = 3
_PERIOD = 8
_UNHEARD = 2.0**-SLOTS  # of a beat that was never met
_ESCAPE = 0.01  # how much is kept for such beats

#: A bar: what its beats hold, and whether it closes a phrase.
Bar = tuple[tuple[int, ...], bool]


def bars_of(tune: Tune) -> list[Bar]:
    """The full bars of a tune; nothing where an onset is off the grid of twelve slots."""
    beats, beat = beats_of(tune.meter)
    first = -(-tune.steps[0].onset // tune.meter.ticks)
    last = tune.steps[-1].onset // tune.meter.ticks
    cells = {bar: [0] * beats for bar in range(first, last + 1)}
    closes = {(step.close - 1) // tune.meter.ticks for step in tune.steps}
    for step in tune.steps:
        place, off = divmod(step.onset % tune.meter.ticks * SLOTS, beat)
        bar = step.onset // tune.meter.ticks
        if off:
            return []
        if bar in cells:
            cells[bar][place // SLOTS] |= 1 << place % SLOTS
    return [(tuple(held), bar in closes) for bar, held in cells.items()]


def _sources(bars: Sequence[Bar], number: int) -> list[int]:
    """How many bars back the rhythm of a bar is found; [0] where it is new."""
    return [lag for lag in LAGS if lag <= number and bars[number - lag][0] == bars[number][0]] or [0]


def _places(bar: Bar) -> Iterable[tuple[tuple[str, ...], int]]:
    """Every beat of a bar with the names of its place."""
    before = 0
    closing = "c" if bar[1] else "o"
    for beat, cell in enumerate(bar[0]):
        yield (f"{beat}", f"{beat}{closing}", f"{beat}{closing}{before}"), cell
        before = cell


def counts_of(tunes: Iterable[Tune]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts by meter and kind, by place."""
    counted: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for tune in tunes:
        bars = bars_of(tune)
        kinds = family(tune.meter, tune.kind)
        for number, bar in enumerate(bars):
            sources = _sources(bars, number)
            for kind in kinds if tune.collection in TAUGHT else kinds[1:]:
                for name in ("bars", f"bar{number % _PERIOD}{'c' if bar[1] else 'o'}"):
                    counted[kind][name][str(sources[number % len(sources)])] += 1
                for names, cell in _places(bar) if sources == [0] else ():
                    for name in names:
                        counted[kind][name][str(cell)] += 1
    kept = {
        kind: {
            name: {what: n for what, n in sorted(held.items()) if n >= _FEWEST} for name, held in sorted(table.items())
        }
        for kind, table in sorted(counted.items())
    }
    return {kind: {name: held for name, held in table.items() if held} for kind, table in kept.items()}


def bits_of(tune: Tune, counted: dict[str, dict[str, dict[str, int]]], memory: bool) -> tuple[float, int]:
    """Bits of the rhythm of a tune, with or without looking at bars before, and how many notes it has."""
    tables: list[Counts] = [counted[kind] for kind in family(tune.meter, tune.kind) if kind in counted]
    bars, spent = bars_of(tune), 0.0
    for number, bar in enumerate(bars):
        new = 1.0
        for names, cell in _places(bar):
            new *= (1 - _ESCAPE) * chances(tables, names).get(str(cell), 0.0) + _ESCAPE * _UNHEARD
        if memory:
            copies = chances(tables, ("bars", f"bar{number % _PERIOD}{'c' if bar[1] else 'o'}"))
            alike = sum(copies.get(str(lag), 0.0) for lag in _sources(bars, number) if lag)
            usable = sum(copies.get(str(lag), 0.0) for lag in LAGS if lag <= number)
            new = alike + (1 - usable) * new
        spent -= log2(max(new, 1e-30))
    return spent, sum(bin(cell).count("1") for held, _ in bars for cell in held)


def main(arguments: Sequence[str]) -> None:
    """Count, print bits a note of tunes kept aside, and with ``--write`` ship the counts."""
    parser = arguments_of("Count rhythms anew.", "the folder of tunes", check=False)
    parser.add_argument("--write", action="store_true", help="write house/tune/pulses.json")
    asked = parser.parse_args(arguments)
    shown = [name for name in COLLECTIONS if name != "essen"]
    tunes = [tune for collection in shown for tune in read_tunes(asked.music, collection)]
    counted = counts_of(tune for tune in tunes if tune.part == TEACH)
    for collection in shown:
        aside = [tune for tune in tunes if tune.collection == collection and tune.part == TEST]
        for memory in (False, True):
            spent = [bits_of(tune, counted, memory) for tune in aside]
            bits = sum(bits for bits, _ in spent) / max(sum(notes for _, notes in spent), 1)
            print(f"{collection:12} {'with' if memory else 'without'} bars before: {bits:.2f} bits a note")
    if asked.write:
        about = "Counted by lab.tunes.pulsing: what beats of old tunes and pop songs hold, by meter and kind."
        target = package_of(asked.checkout) / "house" / "tune" / "pulses.json"
        write_bytes(compact_json({"about": about, "counts": counted}), target, force=True)


if __name__ == "__main__":
    run(main, sys.argv[1:])
