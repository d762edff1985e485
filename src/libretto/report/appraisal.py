"""An appraisal in a terminal: where a piece stands on every axis, what it sounds like, and what the gates say."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from types import MappingProxyType

from libretto.axes import FAMILIES, ordered_axes
from libretto.corpus import Fingerprint
from libretto.gates import Appraisal, Verdict

__all__ = ["appraisal_lines", "fingerprint_lines", "verdict_lines"]

_LINE = 110  # characters
_WIDTH = 20
_GENRES = 5


def appraisal_lines(appraisal: Appraisal) -> list[str]:
    """Fingerprint, genres and verdict as lines for a terminal."""
    lines = fingerprint_lines(appraisal.fingerprint, appraisal.genre, appraisal.in_genre)
    if appraisal.fingerprint.genres:
        lines += ["", "sounds like", *_genre_lines(appraisal.fingerprint)]
    if appraisal.verdict is not None:
        lines += ["", *verdict_lines(appraisal.verdict)]
    return lines


def fingerprint_lines(
    fingerprint: Fingerprint, genre: str = "", in_genre: Mapping[str, int | None] = MappingProxyType({})
) -> list[str]:
    """Every axis of the cloud, family by family; extremes are marked; beside it, where it stands within a genre."""
    extremes = set(fingerprint.extremes)
    placed = any(percentile is not None for percentile in fingerprint.percentiles.values())
    lines = [f"placed in {fingerprint.cloud}; 50 is typical, {len(extremes)} of its axes are extreme (!)"]
    if placed and genre:
        lines.append(f"first among all songs, then among those of {genre.replace('_', ' ')} alone")
    if not placed:
        lines = [f"measured on the {fingerprint.grid} grid, on which {fingerprint.cloud} was not: no percentiles"]
    for family in FAMILIES:
        mine = [axis for axis in ordered_axes() if axis.family == family and axis.name in fingerprint.percentiles]
        lines += [family] if mine else []
        for axis in mine:
            value, percentile = fingerprint.values.get(axis.name), fingerprint.percentiles[axis.name]
            mark = "!" if axis.name in extremes else " "
            beside = in_genre.get(axis.name)
            among = f" {'-' if beside is None else beside:>3} " if genre and placed else ""
            stands = f"{_bar(percentile) if placed else ''}{among}"
            lines.append(f" {mark} {axis.name:<28} {_number(value):>9}  {stands}  {axis.meaning}")
    return lines


def verdict_lines(verdict: Verdict) -> list[str]:
    """What each gate says, then the findings."""
    lines = [f"judged {verdict.judged_as}: {verdict.state}"]
    for name, outcome in verdict.outcomes.items():
        lines.append(f"  {'ok' if outcome.passed else '--'}  {name:<12} {outcome.note}")
    if not verdict.passed or verdict.weakest:
        for paragraph in verdict.feedback.splitlines():
            lines += wrap(paragraph, _LINE, initial_indent="  ", subsequent_indent="     ")
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
