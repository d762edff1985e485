"""What readers of whole pieces stumble over, counted over many briefs: ``python -m lab.blend BRIEFS.json``.

- an accompaniment *above* the tune: chords, a pad or an inner line whose upper notes are higher than the tune's in half
  of the bars in which both play; strings may hold chords above it,
- a tune that is *silent* for more than two bars within the piece while nobody answers it,
- somebody who *vanishes*: who has played in half of the bars and then plays in none for a third of the piece.

The file is a list of briefs, as texts or under ``prompt``. Pieces that are not played from a chart are left out.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from lab.checkout import run
from libretto.contract import read_brief
from libretto.house.charts.beneath import heights
from libretto.house.charts.dealing import Deal, dealt
from libretto.house.compose.band import EFFECT
from libretto.house.compose.composer import compose_score
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import Score

__all__ = ["KINDS", "Case", "cases", "main"]

#: What is counted.
KINDS = ("above", "silent", "vanishes")
_SUNG, _UNDER = ("lead", "second"), ("chords", "pad", "third")
_BOWED = frozenset((44, 48, 49, 50, 51))  # programs of strings, which may hold chords above a tune
_OFTEN, _FEWEST = 0.5, 4  # of the bars, and bars
_GONE = 1 / 3  # of a piece
_LONGEST = 2  # bars of a rest of the tune that is a breath or an answer

Heard = Mapping[str, Mapping[int, float]]


class Case(NamedTuple):
    """Something that a reader would stumble over: which of the three, who, and where."""

    kind: str
    who: str
    what: str


def cases(plan: Plan, score: Score) -> list[Case]:
    """What a reader would stumble over in a piece that is played from a chart."""
    if plan.chart is None:
        return []
    deal, heard = dealt(plan, plan.chart, plan.passages), _heard(score)
    return [*_above(plan, deal, heard), *_silent(deal, heard), *_vanishing(plan, heard)]


def _heard(score: Score) -> Heard:
    """How high the uppermost notes of everybody lie, bar by bar."""
    ticks = score.meters[0][1].ticks
    return {
        voice.name: heights([Sketch(note.onset, note.duration, note.pitch) for note in voice.notes], ticks)
        for voice in score.voices
    }


def _tunes(deal: Deal, heard: Heard) -> dict[int, str]:
    """Who has the tune and sounds, by bar; nobody where a section has none."""
    made: dict[int, str] = {}
    for passage in deal.passages:
        for bar in range(passage.first, passage.first + passage.bars):
            for name, mine in deal.bars.items():
                if (
                    bar in mine.get(passage.scene.tune, ())
                    and passage.scene.tune in _SUNG
                    and bar in heard.get(name, {})
                ):
                    made.setdefault(bar, name)
    return made


def _bars_of(mine: Mapping[str, frozenset[int]], parts: Sequence[str]) -> set[int]:
    """The bars in which somebody has one of some parts."""
    return {bar for part in parts for bar in mine.get(part, ())}


def _above(plan: Plan, deal: Deal, heard: Heard) -> Iterator[Case]:
    """Who accompanies above the tune."""
    tunes = _tunes(deal, heard)
    for player in plan.players:
        mine, sounding = deal.bars.get(player.name, {}), heard.get(player.name, {})
        parts = [part for part in _UNDER if part != "pad" or player.program not in _BOWED]
        under = _bars_of(mine, parts) - _bars_of(mine, _SUNG)
        both = [bar for bar in sorted(under & tunes.keys() & sounding.keys()) if tunes[bar] != player.name]
        over = {bar: sounding[bar] - heard[tunes[bar]][bar] for bar in both}
        higher = [bar for bar in both if over[bar] > 0]
        if len(higher) >= _FEWEST and len(higher) >= _OFTEN * len(both):
            by = fmean(over[bar] for bar in higher)
            leaders = ", ".join(sorted({tunes[bar] for bar in higher}))
            yield Case("above", player.name, f"{len(higher)} of {len(both)} bars over {leaders} by {by:.0f}")


def _silent(deal: Deal, heard: Heard) -> Iterator[Case]:
    """Where nobody has a line for longer than a breath."""
    sung = sorted(
        {bar for name, mine in deal.bars.items() for bar in _bars_of(mine, _SUNG) & heard.get(name, {}).keys()}
    )
    for before, after in itertools.pairwise(sung):
        if after - before - 1 > _LONGEST:
            kind = next(one.scene.kind for one in reversed(deal.passages) if one.first <= before + 1)
            yield Case("silent", kind, f"bars {before + 2}-{after}")


def _vanishing(plan: Plan, heard: Heard) -> Iterator[Case]:
    """Who was there and is no more."""
    for player in plan.players:
        mine = [*sorted(heard.get(player.name, {})), plan.bars]
        if player.role == EFFECT or len(mine) <= _FEWEST:
            continue
        left = max(range(len(mine) - 1), key=lambda place: mine[place + 1] - mine[place])
        last, back = mine[left], mine[left + 1]
        often = left + 1 >= max(_FEWEST, _OFTEN * (last + 1 - mine[0]))
        if often and back - last - 1 >= _GONE * plan.bars:
            yield Case("vanishes", player.name, f"after bar {last + 1} of {plan.bars} until bar {back + 1}")


def main(arguments: Sequence[str]) -> None:
    """Compose every brief of a file with seed 0, name the cases and count them."""
    briefs = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    counts: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for place, said in enumerate(briefs):
        contract = read_brief(said if isinstance(said, str) else said["prompt"])
        plan = make_plan(contract, 0)
        there = cases(plan, compose_score(contract, 0))
        counts.update(case.kind for case in there)
        pieces.update({case.kind for case in there})
        for case in there:
            print(f"{place:3} {plan.chart.name if plan.chart else ''} {case.kind} {case.who}: {case.what}", flush=True)
    print(f"{len(briefs)} briefs: " + ", ".join(f"{kind} {counts[kind]} in {pieces[kind]}" for kind in KINDS))


if __name__ == "__main__":
    run(main, sys.argv[1:])
