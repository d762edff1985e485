"""The house composer: a contract, a seed and controls in; a Score out. Nothing else decides anything."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.arrange.arranging import arranged
from libretto.house.asks import done
from libretto.house.asks.alone import from_the_first
from libretto.house.asks.homecoming import home_alone, home_together
from libretto.house.charts.catalogue import in_two
from libretto.house.compose.abroad import with_floor
from libretto.house.compose.bending import bent
from libretto.house.compose.breathing import breathed
from libretto.house.compose.halting import with_hesitation
from libretto.house.compose.lengths import in_other_keys
from libretto.house.compose.nimble import nimble
from libretto.house.compose.pacing import tempo_map
from libretto.house.compose.pedalling import pedalled
from libretto.house.compose.performing import performed
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.compose.titles import TAKES
from libretto.house.core.controls import Controls
from libretto.score import Score, Voice
from libretto.score.time import micros_of_bpm

__all__ = ["compose_score", "dedicated", "score_of_plan"]

_APART = 0.30  # what the pieces of two seeds share at most, where that can be had
_TRIES, _ANEW = 8, 1_009  # and how often it is tried, each time with the next chart and other inversions


def compose_score(contract: Contract, seed: int = 0, controls: Controls | None = None) -> Score:
    """A whole piece that keeps a contract; the same bytes for the same contract, seed and controls. Another seed is
    another piece: what shares too much with the first one is composed anew, and the furthest from it is kept. A
    further take of the first piece may be like it."""
    if not seed % TAKES:
        return _composed(contract, seed, controls)
    first, tried = _composed(contract, 0, controls), []
    for again in range(_TRIES):
        piece = _composed(contract, seed + again * _ANEW, controls)
        tried.append((_shared(first, piece), again, piece))
        if tried[-1][0] < _APART:
            break
    return min(tried)[2]


def _shared(one: Score, other: Score) -> float:
    """What two pieces share beyond chance, as a part of the one that shares more."""
    from libretto.corpus.overlap import overlap
    from libretto.corpus.tracks import join_tracks, track_piece

    ways = [overlap(ours, join_tracks([track_piece(theirs)], [""])) for ours, theirs in ((one, other), (other, one))]
    return max((way.score for way in ways if way is not None), default=0.0)


def _composed(contract: Contract, seed: int, controls: Controls | None) -> Score:
    """A piece by one seed alone."""
    plan = make_plan(contract, seed, controls)
    called = frozenset(plan.chart.words) if plan.chart is not None else frozenset()
    contract = with_hesitation(with_floor(contract, plan.style.name, plan.chart), len(plan.players))
    planned = in_other_keys(score_of_plan(plan), plan.keys, contract)
    made = from_the_first(done(contract, planned, seed, plan.chart is not None, called))
    if contract.meter is not None and in_two(contract.meter, plan.meter) and len(made.meters) == 1:
        made = replace(made, meters=((0, contract.meter),))
    made = home_alone(contract, home_together(contract, planned, made))
    return dedicated(bent(pedalled(breathed(nimble(made)), plan), contract.asks), contract.dedication)


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
        tempos=[(tick, micros_of_bpm(bpm)) for tick, bpm in tempo_map(plan)],
        sections=[(section.first * ticks, section.name) for section in plan.sections],
        chords=plan.chords,
        title=plan.title,
    )
