"""A chart as it sounds over other chords: ``python -m lab.charts FILE --brief "..."`` writes MIDI and ABC and says what
a musician would stumble over: notes out of reach, long notes that rub against the chord, bars that stay the same, parts
that are silent."""

from __future__ import annotations

import argparse
from itertools import groupby, pairwise
from pathlib import Path

from libretto.contract import read_brief
from libretto.formats import write
from libretto.house.arrange.arranging import arranged
from libretto.house.asks import done
from libretto.house.charts.chart import read_chart
from libretto.house.compose.band import Player
from libretto.house.compose.composer import score_of_plan
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import charted_plan, style_of
from libretto.house.core.controls import Controls
from libretto.house.core.patterns import Sketch

_MOST_ALIKE = 4  # bars in a row
_OCTAVE = 12


def main() -> None:
    """Play a chart over the chords of a brief."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("chart", type=Path)
    ask.add_argument(
        "--brief", required=True, help="such as 'A reel in D major, D G A D over 32 bars, fiddle and guitar'"
    )
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("-o", type=Path, default=Path("chart"), help="where MIDI and ABC go, without ending")
    given = ask.parse_args()
    chart = read_chart(given.chart.stem, given.chart.read_text(encoding="utf-8"))
    contract = read_brief(given.brief)
    plan = charted_plan(contract, style_of(contract), chart, contract.bars or max(chart.forms), given.seed, Controls())
    score = done(contract, score_of_plan(plan), given.seed)
    for ending in ("abc", "mid"):
        path = given.o.with_suffix(f".{ending}")
        path.unlink(missing_ok=True)
        write(score, path)
    print(given.o.with_suffix(".abc").read_text(encoding="utf-8"))
    print("\n".join(_stumbles(plan)) or "nothing to stumble over")


def _stumbles(plan: Plan) -> list[str]:
    """What a musician would stumble over."""
    said = []
    parts = arranged(plan)
    for player in plan.players:
        notes = parts[player.name]
        said += [f"{player.name}: {fault}" for fault in _of_bars(plan, notes, player.drums)]
        if not player.drums:
            said += [f"{player.name}: {fault}" for fault in _of_notes(plan, player, notes)]
    return said


def _of_bars(plan: Plan, notes: list[Sketch], drums: bool) -> list[str]:
    """Silence, and bars that stay the same."""
    ticks, said = plan.meter.ticks, []
    bars = [
        tuple((n.onset % ticks, n.duration, n.pitch if drums else 0) for n in notes if n.onset // ticks == bar)
        for bar in range(plan.bars)
    ]
    silent = sum(not bar for bar in bars)
    if silent * 2 > plan.bars:
        said.append(f"silent in {silent} of {plan.bars} bars")
    longest = max((len(list(group)) for key, group in groupby(bars) if key), default=0)
    if longest > _MOST_ALIKE:
        said.append(f"the same {'bar' if drums else 'rhythm'} {longest} times in a row")
    return said


def _of_notes(plan: Plan, player: Player, notes: list[Sketch]) -> list[str]:
    """Notes out of reach, long ones that rub, and leaps of a lead."""
    ticks, said = plan.meter.ticks, []
    out = sorted({n.onset // ticks + 1 for n in notes if not player.low <= n.pitch <= player.high})
    if out:
        said.append(f"outside {player.low}-{player.high} in bars {out[:12]}")
    for note in notes:
        span = plan.chord_at(note.onset)
        rubs = note.pitch % 12 not in span.chord.classes and (note.pitch - 1) % 12 in span.chord.classes
        if rubs and note.duration >= ticks // plan.meter.beats:
            said.append(f"bar {note.onset // ticks + 1}: {note.pitch} rubs against {span.label}")
    far = sum(abs(after.pitch - before.pitch) > _OCTAVE for before, after in pairwise(notes))
    if player.role == "lead" and far:
        said.append(f"{far} leaps wider than an octave")
    return said


if __name__ == "__main__":
    main()
