"""Pacing: the tempo of a piece from bar to bar, and who keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract import Contract
from libretto.house.charts.calling import words_said
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan

__all__ = ["ending_in_time", "is_steady", "tempo_map"]

_LIGHTER, _DEEPER = (
    0.94,
    (0.96, 0.88),
)  # the tempo of half a bar before a breath; of the halves of a bar before a deep one
_SENTENCE = 8  # bars after which a breath is deep
_STEPS = 4  # in which a section gets faster or slower
_SHORTEST = 4  # bars from which on a piece has time for a ritard
_RITARD, _EASING = "ritard", "easing"
_ENDS = {_RITARD: (0.94, 0.86, 0.74), _EASING: (0.98, 0.95, 0.9)}  # the tempo of the last bars, by half bars
_KEEPS = frozenset(("pulse", "beats", "eighths"))  # how somebody plays who keeps time
_GROOVES = frozenset(  # words of briefs for what goes on in one tempo
    ("chug", "chugging", "chugs", "danceable", "dancefloor", "groove", "grooves", "groovy", "marching", "shuffle",
     "steady beat", "steady pace", "steady pulse", "steady rhythm", "steady tempo", "swinging")
)  # fmt: skip


def is_steady(contract: Contract, players: Sequence[Player]) -> bool:
    """Whether a piece is in one tempo: somebody drums, plays a pulse or is asked to, or words say that it grooves; not
    where time is to be free."""
    if any((ask.kind, ask.what) == ("feel", "rubato") for ask in contract.asks):
        return False
    pulse = any(ask.kind == "manner" and ask.what in _KEEPS and not ask.where for ask in contract.asks)
    return pulse or any(player.drums for player in players) or bool(_GROOVES & words_said(contract))


def ending_in_time(contract: Contract, own: str, *, steady: bool) -> str:
    """How a piece ends: as was asked, or in its own way; what is steady eases no more than slightly by itself."""
    return contract.ending or (_EASING if steady and own == _RITARD else own)


def tempo_map(plan: Plan) -> list[tuple[int, float]]:
    """Ticks and quarter notes a minute: steady or at the pace of every section, lingering at the end of sections where
    a chart breathes and nobody keeps time, and slower at the end as its ending has it."""
    changes = _paces(plan)
    if plan.chart is not None and plan.chart.breathes and not plan.steady:
        changes = _lingering(plan, changes)
    if plan.ending in _ENDS and plan.bars >= _SHORTEST:
        start = (plan.bars - 2) * plan.meter.ticks
        half = plan.meter.ticks // 2
        broad = [
            (start + step * half, _speed_at(changes, start) * factor) for step, factor in enumerate(_ENDS[plan.ending])
        ]
        before = [change for change in changes if change[0] < start]
        changes = before + [(tick, round(bpm, 1)) for tick, bpm in broad]
    return changes


def _lingering(plan: Plan, changes: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """The tempo with a breath at the end of every section: a slight one, or one of two steps where a sentence ends."""
    made, whole = dict(changes), 0
    for section in plan.sections[1:]:
        start, ends = section.first * plan.meter.ticks, section.first - whole >= _SENTENCE
        whole = section.first if ends else whole
        back = max(1, plan.meter.beats // 2) * plan.meter.beat
        steps = zip((2 * back, back), _DEEPER, strict=True) if ends else ((back, _LIGHTER),)
        eased = {start - before: round(_speed_at(changes, start - before) * factor, 1) for before, factor in steps}
        made = {**made, **eased, start: _speed_at(changes, start)}
    return sorted(made.items())


def _paces(plan: Plan) -> list[tuple[int, float]]:
    """The tempo where it changes by section, step by step where a section gets faster or slower."""
    changes = [(0, plan.tempo)]
    for section in plan.sections:
        first, last = section.pace
        steps = 1 if first == last else min(section.bars, _STEPS)
        for step in range(steps):
            tick = (section.first + section.bars * step // steps) * plan.meter.ticks
            share = first + (last - first) * step / max(1, steps - 1)
            bpm = plan.tempo if share == 1 else round(plan.tempo * share, 1)
            if tick == 0:
                changes = [(0, bpm)]
            elif bpm != changes[-1][1]:
                changes.append((tick, bpm))
    return changes


def _speed_at(changes: Sequence[tuple[int, float]], tick: int) -> float:
    """The tempo in force at a tick."""
    return next(bpm for start, bpm in reversed(changes) if start <= tick)
