"""The house composer: a contract, a seed and controls in; a Score out. Nothing else decides anything."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.arrange.arranging import arranged
from libretto.house.asks import done
from libretto.house.charts.catalogue import in_two
from libretto.house.compose.performing import performed
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.controls import Controls
from libretto.score import Score, Voice
from libretto.score.time import micros_of_bpm

__all__ = ["compose_score", "dedicated", "score_of_plan"]

_BROADER = (0.94, 0.86, 0.74)  # the tempo of a ritard, by half bars
_LINGERING = 0.86  # the tempo of half a bar before a breath
_SHORTEST = 4  # bars from which on a piece has time for a ritard


def compose_score(contract: Contract, seed: int = 0, controls: Controls | None = None) -> Score:
    """A whole piece that keeps a contract; the same bytes for the same contract, seed and controls."""
    plan = make_plan(contract, seed, controls)
    made = done(contract, score_of_plan(plan), seed, plan.chart is not None)
    if contract.meter is not None and in_two(contract.meter, plan.meter) and len(made.meters) == 1:
        made = replace(made, meters=((0, contract.meter),))
    return dedicated(made, contract.dedication)


def dedicated(score: Score, name: str) -> Score:
    """The piece with a name in its title, where it is not there already."""
    if not name or name.lower() in score.title.lower():
        return score
    return replace(score, title=f"{score.title} for {name}" if score.title else f"For {name}")


def score_of_plan(plan: Plan) -> Score:
    """The piece of a plan."""
    parts = arranged(plan)
    voices = []
    for player in plan.players:
        notes = performed(plan, player, parts[player.name])
        voices.append(Voice.of(player.name, notes, player.program, player.drums))
    ticks = plan.meter.ticks
    return Score.build(
        [voice for voice in voices if len(voice.array)] or voices,
        bars=plan.bars,
        meters=[(0, plan.meter)],
        keys=[(0, plan.key)],
        tempos=[(tick, micros_of_bpm(bpm)) for tick, bpm in _tempo_map(plan)],
        sections=[(section.first * ticks, section.name) for section in plan.sections],
        chords=plan.chords,
        title=plan.title,
    )


def _tempo_map(plan: Plan) -> list[tuple[int, float]]:
    """Ticks and quarter notes a minute: steady, lingering at the end of sections where a chart breathes, and slower
    into a ritard at the end."""
    changes = [(0, plan.tempo)]
    if plan.chart is not None and plan.chart.breathes:
        for section in plan.sections[1:]:
            start = section.first * plan.meter.ticks
            changes += [(start - plan.meter.ticks // 2, round(plan.tempo * _LINGERING, 1)), (start, plan.tempo)]
    if plan.ending == "ritard" and plan.bars >= _SHORTEST:
        start = (plan.bars - 2) * plan.meter.ticks
        half = plan.meter.ticks // 2
        for step, factor in enumerate(_BROADER):
            changes.append((start + step * half, round(plan.tempo * factor, 1)))
    return changes
