"""An appraisal in a terminal: family by family a bar for each percentile, genres, verdict and findings."""

from __future__ import annotations

from textwrap import wrap

from libretto.axes import FAMILIES, ordered_axes
from libretto.corpus import Fingerprint
from libretto.gates import Appraisal, Verdict

__all__ = ["appraisal_lines", "fingerprint_lines", "verdict_lines"]

_WIDTH = 20
_GENRES = 5


def appraisal_lines(appraisal: Appraisal) -> list[str]:
    """Fingerprint, genres and verdict as lines for a terminal."""
    lines = fingerprint_lines(appraisal.fingerprint)
    if appraisal.fingerprint.genres:
        lines += ["", "sounds like", *_genre_lines(appraisal.fingerprint)]
    if appraisal.verdict is not None:
        lines += ["", *verdict_lines(appraisal.verdict)]
    return lines


def fingerprint_lines(fingerprint: Fingerprint) -> list[str]:
    """Every axis of the cloud, family by family; extremes are marked."""
    extremes = set(fingerprint.extremes)
    lines = [f"placed in {fingerprint.cloud}; 50 is typical, {len(extremes)} of its axes are extreme (!)"]
    for family in FAMILIES:
        mine = [axis for axis in ordered_axes() if axis.family == family and axis.name in fingerprint.percentiles]
        lines += [family] if mine else []
        for axis in mine:
            value, percentile = fingerprint.values.get(axis.name), fingerprint.percentiles[axis.name]
            mark = "!" if axis.name in extremes else " "
            lines.append(f" {mark} {axis.name:<28} {_number(value):>9}  {_bar(percentile)}  {axis.meaning}")
    return lines


def verdict_lines(verdict: Verdict) -> list[str]:
    """What each gate says, then the findings."""
    meant = f" as {verdict.genre.replace('_', ' ')}" if verdict.genre else ""
    lines = [f"judged{meant}, as a {verdict.kind}: {'passes' if verdict.passed else 'does not pass'}"]
    for name, outcome in verdict.outcomes.items():
        lines.append(f"  {'ok' if outcome.passed else '--'}  {name:<12} {outcome.note}")
    if not verdict.passed:
        for paragraph in verdict.feedback.splitlines():
            lines += wrap(paragraph, 110, initial_indent="  ", subsequent_indent="     ")
    return lines


def _genre_lines(fingerprint: Fingerprint) -> list[str]:
    shown = list(fingerprint.genres.items())[:_GENRES]
    return [f"   {name:<28} {'█' * round(share * _WIDTH):<{_WIDTH}} {100 * share:3.0f}%" for name, share in shown]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _bar(percentile: int | None) -> str:
    """A ruler with a mark at the percentile, and the number."""
    if percentile is None:
        return f"{'does not apply':<{_WIDTH + 5}}"
    at = min(_WIDTH - 1, percentile * _WIDTH // 100)
    return f"{'─' * at}●{'─' * (_WIDTH - 1 - at)} {percentile:>3} "
