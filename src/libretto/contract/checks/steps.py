"""Steps: whether each section is faster, louder or higher than the one before."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.where import within
from libretto.contract.contract import Contract
from libretto.contract.rising import SOFTER, semitones_of, share_of_step, steps_of
from libretto.score.model import Score
from libretto.score.time import bpm_of_micros, in_force

__all__: list[str] = []

_FEWEST = 2
_OCTAVE = 12


@ask_clauses.register("steps")
def _steps(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = steps_of(ask, score)
    if len(spans) < _FEWEST:
        return False, "there is only one section", spans
    share, semitones = share_of_step(ask.what), semitones_of(ask.what)
    starts = [score.bar_lines[first - score.first_bar] for first, _ in spans]
    if share is not None:
        tempos = [bpm_of_micros(in_force(score.tempos, start)) for start in starts]
        kept = all((two - one) * (share - 1) > 0 for one, two in pairwise(tempos))
        return kept, f"{', '.join(f'{bpm:.0f}' for bpm in tempos)} from bars {_firsts(spans)}", spans
    if semitones:
        keys = [score.key_at(start) for start in starts]
        kept = all((two.tonic_class - one.tonic_class - semitones) % _OCTAVE == 0 for one, two in pairwise(keys))
        return kept, f"{', '.join(map(str, keys))} from bars {_firsts(spans)}", spans
    loud = [_loudness(score, span) for span in spans]
    sign = -1 if ask.what == SOFTER else 1
    kept = all((two - one) * sign > 0 for one, two in pairwise(loud))
    return kept, f"velocities of {', '.join(f'{mean:.0f}' for mean in loud)} from bars {_firsts(spans)}", spans


def _firsts(spans: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(str(first) for first, _ in spans)


def _loudness(score: Score, span: tuple[int, int]) -> float:
    """How loud some bars are on the whole."""
    notes = [within(voice.array, (span,), score)["velocity"] for voice in score.voices]
    total = sum(len(one) for one in notes)
    return sum(float(one.sum()) for one in notes) / max(1, total)
