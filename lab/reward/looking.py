"""What is looked at before, while and after a model is tuned: by the gates themselves, which never rewarded it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.gates import judge
from libretto.grammar import parse
from libretto.merit import merit_of
from libretto.reward import Memory, Reward, Terms, reward_of
from libretto.score import played

__all__ = ["begin", "contract_of", "judged", "picture", "rewarded", "summary"]

_WIDE, _HIGH, _EDGE = 360, 200, 40  # of one plot, in pixels


_MEMORY: list[Memory] = []  # what this process remembers
_HEAD = re.compile(r"KEY: ([^|\n]+?) \| METER: (\S+) .*?BARS: (\d+)")


def begin(memory: Memory) -> None:
    """What a process that rewards remembers from its start."""
    _MEMORY[:] = [memory]


@lru_cache(maxsize=4096)
def _asked(key: str, meter: str, bars: str) -> Contract:
    return Contract.from_brief(f"A piece in {key} in {meter}, {bars} bars")


def contract_of(text: str) -> Contract | None:
    """What the header of a text asks for, which is what the model was given: key, meter, bars."""
    head = _HEAD.match(text)
    return _asked(head[1], head[2], head[3]) if head else None


def rewarded(text: str) -> Reward:
    """The reward of a text, by its header and by what is remembered."""
    return reward_of(text, Terms(contract_of(text), _MEMORY[0] if _MEMORY else None))


def judged(text: str) -> dict[str, Any]:
    """What the real gates, by its header, and the number that orders drafts say of a text."""
    try:
        score = played(parse(text))
        if not len(score.table):
            return {"read": True, "passes": False, "failed": ["silence"]}
        verdict = judge(score, contract=contract_of(text))
        table = score.table
        return {
            "read": True,
            "passes": verdict.passed,
            "failed": list(verdict.failed),
            "merit": merit_of(score).value,
            "notes_a_bar": len(table) / score.bars,
            "pitches": len(np.unique(table["pitch"])),
            "same_bar": _same_bars(table, score.bars),
        }
    except LibrettoError:
        return {"read": False, "passes": False, "failed": ["reading"]}


def _same_bars(table: Any, bars: int) -> float:
    """The share of bars that are note for note an earlier one."""
    seen: set[bytes] = set()
    again = 0
    for bar in range(bars):
        mine = table[table["bar"] == bar]
        mark = np.stack([mine["position"], mine["pitch"], mine["voice"]]).tobytes()
        again += mark in seen
        seen.add(mark)
    return again / bars


def summary(texts: Sequence[str], looks: Sequence[dict[str, Any]], quick: Sequence[Reward]) -> dict[str, Any]:
    """Shares and means over some texts: gates passed, each gate refused, and signs of hacking."""
    read = [look for look in looks if look["read"]]
    refused = {name: sum(name in look["failed"] for look in looks) for look in looks for name in look["failed"]}
    means = {
        name: float(np.mean([look[name] for look in read if name in look])) if read else 0.0
        for name in ("merit", "notes_a_bar", "pitches", "same_bar")
    }
    return {
        "texts": len(texts),
        "read": len(read) / len(texts),
        "gates_passed": sum(look["passes"] for look in looks) / len(texts),
        "refused": refused,
        "reward": float(np.mean([reward.value for reward in quick])),
        "clauses": float(np.mean([reward.parts["clauses"] for reward in quick])),
        "originality": float(np.mean([reward.parts["originality"] for reward in quick])),
        "copies": sum(reward.parts["parses"] > 0 and reward.parts["originality"] < 1 for reward in quick) / len(texts),
        "different": len(set(texts)) / len(texts),
        **means,
    }


def picture(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Curves as one SVG picture, a plot each, three in a row."""
    plots = []
    for number, (name, points) in enumerate(curves.items()):
        left, top = _EDGE + number % 3 * (_WIDE + _EDGE), _EDGE + number // 3 * (_HIGH + _EDGE)
        plots.append(_plot(name, points, left, top))
    rows = (len(curves) + 2) // 3
    wide, high = 3 * (_WIDE + _EDGE) + _EDGE, rows * (_HIGH + _EDGE) + _EDGE
    body = "\n".join(plots)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-size="12">'
    return f'{head}\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'


def _plot(name: str, points: Sequence[tuple[float, float]], left: float, top: float) -> str:
    if not points:
        return ""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = min(ys), max(ys)
    room, width = (high - low) or 1.0, (max(xs) - min(xs)) or 1.0
    line = " ".join(
        f"{left + (x - min(xs)) / width * _WIDE:.1f},{top + _HIGH - (y - low) / room * _HIGH:.1f}" for x, y in points
    )
    return (
        f'<rect x="{left}" y="{top}" width="{_WIDE}" height="{_HIGH}" fill="none" stroke="#bbb"/>'
        f'<text x="{left}" y="{top - 6}">{name}: {ys[0]:.3g} to {ys[-1]:.3g} (least {low:.3g}, most {high:.3g})</text>'
        f'<polyline points="{line}" fill="none" stroke="#036" stroke-width="1.5"/>'
    )
