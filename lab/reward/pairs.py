"""Texts before and after as pairs for blind readers: ABC files, named A and B by chance, the key in a file apart.

``python -m lab.reward.pairs SAMPLES -o FOLDER --count 24`` takes the first pairs of which both can be read, in the
order in which they were drawn; none is chosen. Titles and names are taken away: nothing but the notes tells them apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from lab.checkout import run
from libretto.errors import LibrettoError
from libretto.formats.abc.write import encode
from libretto.grammar import parse
from libretto.score import Score

__all__ = ["main", "neutral"]

_SEED = 20


def neutral(text: str) -> Score:
    """A piece without title, sections, labels or names that could betray it."""
    score = parse(text)
    voices = tuple(replace(voice, name=f"Part {number}") for number, voice in enumerate(score.voices, 1))
    return replace(score, title="", sections=(), voices=voices)


def _readable(rows: Sequence[dict[str, str]]) -> Iterator[tuple[int, dict[str, Score]]]:
    for number, row in enumerate(rows):
        try:
            yield number, {side: neutral(row[side]) for side in ("before", "after")}
        except LibrettoError:
            continue


def main(arguments: Sequence[str]) -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description="Pairs for blind readers.")
    parser.add_argument("samples", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=24)
    asked = parser.parse_args(arguments)
    rows = json.loads(asked.samples.read_text(encoding="utf-8"))
    dice = Random(_SEED)
    key = {}
    (asked.out / "pairs").mkdir(parents=True, exist_ok=True)
    for place, (number, sides) in enumerate(_readable(rows), 1):
        if place > asked.count:
            break
        names = dice.sample(["before", "after"], 2)
        for letter, side in zip("AB", names, strict=True):
            (asked.out / "pairs" / f"{place:03d}{letter}.abc").write_bytes(encode(sides[side]))
        key[f"{place:03d}"] = {"A": names[0], "B": names[1], "drawn": number}
    (asked.out / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")
    print(f"{len(key)} pairs in {asked.out / 'pairs'}; the key, for nobody who reads, is {asked.out / 'key.json'}")


if __name__ == "__main__":
    run(main, sys.argv[1:])
