"""The gates of a morph: does it begin, travel and arrive as it should, and is its middle its own?

What is said where it does not is located, in a musician's words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.axes import axes
from libretto.corpus import Cloud, overlap
from libretto.corpus.overlap import Index
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.gates import EXACT_CEILING, Finding, Outcome, case_of, gates
from libretto.score import Score, take_bars
from libretto.score.table import Floats
from libretto.tasks.morph.road import Curve, Road
from libretto.tasks.task import WEIGHTS

__all__ = ["BY_WINDOW", "MOST_STEP", "middle_gate", "travel_gates", "window_gates"]

#: No two neighbouring windows may lie further apart than this, as a share of the way.
MOST_STEP = 0.40
#: The gates that are for music in one key and manner, and so judge a morph window by window.
BY_WINDOW = ("degeneracy", "order")
_MOST_SAID = 3  # axes that are spoken of at once
_JUST_BELOW = -1e-9  # a margin of nothing is a failure here, so it is brought below 0
Span = tuple[int, int]


def window_gates(score: Score, spans: Sequence[Span], cloud: Cloud) -> dict[str, Outcome]:
    """The gates for music in one key and manner, window by window (bars by number); one may miss, as in real songs."""
    cases = [(case_of(take_bars(score, *span), cloud, region=True), span) for span in spans]
    outcomes = {}
    for name in BY_WINDOW:
        judged = [(outcome, span) for case, span in cases if (outcome := gates[name](case))]
        if len(judged) > 1:
            outcome, span = sorted(judged, key=lambda pair: pair[0].margin)[1]
            start = span[0] - score.first_bar
            findings = tuple(
                replace(finding, bars=tuple((a + start, b + start) for a, b in finding.bars) or (span,))
                for finding in outcome.findings
            )
            outcomes[name] = Outcome(outcome.margin, f"{outcome.note} (bars {span[0]}-{span[1]})", findings)
    return outcomes


def travel_gates(
    road: Road, curve: Curve, rows: Floats, names: Sequence[str], ends: tuple[str, str]
) -> dict[str, Outcome]:
    """How a piece travels: its start, its end, its direction, its steps, and that one end gives way to the other.

    ``rows`` are its windows as normal scores, ``names`` those of their axes; ``ends`` is what source and target are
    called.
    """
    return {
        "start": _start_gate(road, curve, rows, names, ends[0]),
        "end": _end_gate(road, curve, rows, names, ends[1]),
        "direction": _direction_gate(road, curve, rows, names),
        "steps": _steps_gate(road, curve, rows, names),
        "crossfade": _crossfade_gate(curve, ends),
    }


def _start_gate(road: Road, curve: Curve, rows: Floats, names: Sequence[str], source: str) -> Outcome:
    first = curve.progress[0]
    note = f"the beginning reads {first:.2f} of the way; {road.start:.2f} is the most of {source}"
    said = _about_start(road, rows[0], names, curve.spans[0], source) if first > road.start else ()
    return Outcome(road.start - first, note, said)


def _end_gate(road: Road, curve: Curve, rows: Floats, names: Sequence[str], target: str) -> Outcome:
    last = curve.progress[-1]
    note = f"the ending reads {last:.2f} of the way; {road.end:.2f} is the least of {target}"
    said = _about_end(road, rows[-1], names, curve.spans[-1], target) if last < road.end else ()
    return Outcome(last - road.end, note, said)


def _direction_gate(road: Road, curve: Curve, rows: Floats, names: Sequence[str]) -> Outcome:
    way = np.diff(np.clip(curve.progress, road.start, road.end))  # beyond the limits is the end itself
    at = int(np.argmin(way))
    back = float(way[at])
    note = f"the largest step back is {max(0.0, -back):.2f}; {road.dip:.2f} is nothing"
    turned = back < -road.dip
    said = _about_dip(road, rows[at], rows[at + 1], names, curve.spans[at + 1]) if turned else ()
    return Outcome(back + road.dip, note, said)


def _steps_gate(road: Road, curve: Curve, rows: Floats, names: Sequence[str]) -> Outcome:
    steps, spans = curve.steps, curve.spans
    at = max(range(len(steps)), key=lambda index: (steps[index], -index))
    note = f"the largest step is {max(0.0, steps[at]):.2f}; {MOST_STEP:.2f} is the most"
    jumps = steps[at] > MOST_STEP
    said = _about_jump(road, rows[at], rows[at + 1], names, spans[at], spans[at + 1]) if jumps else ()
    return Outcome(MOST_STEP - steps[at], note, said)


def _crossfade_gate(curve: Curve, ends: tuple[str, str]) -> Outcome:
    """Likeness to the source falls while likeness to the target rises, from the first third to the last."""
    part = max(1, len(curve.spans) // 3)
    near = [float(np.mean(curve.like_source[:part])), float(np.mean(curve.like_source[-part:]))]
    far = [float(np.mean(curve.like_target[:part])), float(np.mean(curve.like_target[-part:]))]
    margin = min(near[0] - near[1], far[1] - far[0], near[0] - far[0], far[1] - near[1])
    note = f"like the source {near[0]:.2f} to {near[1]:.2f}, like the target {far[0]:.2f} to {far[1]:.2f}"
    return Outcome(margin, note, _about_fade(curve.spans, ends) if margin < 0 else ())


def middle_gate(score: Score, songs: Sequence[tuple[str, Score]], index: Index | None, cloud: Cloud) -> Outcome:
    """The middle third is found neither in the songs at the ends, by their names, nor in any song of an index."""
    first, last = score.bars // 3, score.bars - score.bars // 3 - 1
    span = (score.numbers[first], score.numbers[last])
    part = take_bars(score, *span)
    copies: list[tuple[float, float, str]] = []  # how much is found, how much may be, and in what
    if songs:
        own = overlap(part, join_tracks([track_piece(song) for _, song in songs], [name for name, _ in songs]))
        copies += [(own.score, EXACT_CEILING, own.name)] if own is not None else []
    other = overlap(part, index) if index is not None else None
    if other is not None:
        copies.append((other.score, case_of(part, cloud).ceiling, other.name or "a real song"))
    if not copies:
        return Outcome(1.0, "there is nothing to compare the middle with")
    most, ceiling, name = max(copies, key=lambda copy: copy[0] / copy[1])
    margin = (ceiling - most) / ceiling
    note = f"{most:.2f} of the middle is found in {name} beyond chance; {ceiling:.2f} is too much"
    if margin > 0:
        return Outcome(margin, note)
    return Outcome(min(margin, _JUST_BELOW), note, _about_copy(name, span))


def _about_start(road: Road, row: Floats, names: Sequence[str], span: Span, source: str) -> tuple[Finding, ...]:
    """Why the beginning is not yet like the source."""
    return _towards(road, row, names, span, 0, "start", f"The beginning is not yet like {source}")


def _about_end(road: Road, row: Floats, names: Sequence[str], span: Span, target: str) -> tuple[Finding, ...]:
    """Why the ending is not yet like the target."""
    return _towards(road, row, names, span, 1, "end", f"The ending has not arrived at {target}")


def _towards(
    road: Road, row: Floats, names: Sequence[str], span: Span, end: int, gate: str, heard: str
) -> tuple[Finding, ...]:
    pull = road.pull(row, end)
    findings = []
    for rank, index in enumerate(np.argsort(-pull, kind="stable")[:_MOST_SAID].tolist()):
        if pull[index] <= 0:
            break
        axis, wanted = axes[names[index]], 1 if road.middles[end][index] > row[index] else -1
        words = f"{heard}. {axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than there"
        advice = axis.more if wanted > 0 else axis.less
        findings.append(Finding(gate, words, advice, WEIGHTS[gate] - rank, axis.name, (span,), wanted=wanted))
    return tuple(findings)


def _about_jump(
    road: Road, before: Floats, after: Floats, names: Sequence[str], one: Span, other: Span
) -> tuple[Finding, ...]:
    """Where too much changes at once, and what does."""
    changed = _changed(road, after - before, names)
    words = f"Too much changes at once between bars {one[0]}-{one[1]} and {other[0]}-{other[1]}: {changed}"
    advice = f"hand over one part at a time, some before bar {other[0]} and some after bar {other[1]}"
    return (Finding("steps", words, advice, WEIGHTS["steps"], bars=(one, other)),)


def _about_dip(road: Road, before: Floats, after: Floats, names: Sequence[str], span: Span) -> tuple[Finding, ...]:
    """Where the music turns back, and in what."""
    words = f"The music turns back towards where it came from: {_changed(road, before - after, names)}"
    return (
        Finding("direction", words, "keep here what was already reached before", WEIGHTS["direction"], bars=(span,)),
    )


def _changed(road: Road, away: Floats, names: Sequence[str]) -> str:
    moved = np.argsort(-(away * road.weights), kind="stable")[:_MOST_SAID].tolist()
    said = [axes[names[index]].meaning.rstrip(".") for index in moved if away[index] * road.weights[index] > 0]
    return "; ".join(f"{meaning[:1].lower()}{meaning[1:]}" for meaning in said) or "many small things"


def _about_fade(spans: Sequence[Span], names: tuple[str, str]) -> tuple[Finding, ...]:
    """That one end does not give way to the other."""
    words = f"What is like {names[0]} does not give way to what is like {names[1]}"
    advice = "let the parts of the first leave one by one while those of the second come in"
    return (Finding("crossfade", words, advice, WEIGHTS["crossfade"], bars=(spans[0], spans[-1])),)


def _about_copy(name: str, span: Span) -> tuple[Finding, ...]:
    """That the middle is not its own."""
    words = f"The middle follows {name} note by note"
    return (
        Finding(
            "middle", words, "write other notes here, from the ideas of both ends", WEIGHTS["middle"], bars=(span,)
        ),
    )
