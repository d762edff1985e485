"""A first section that comes back at the end: its notes in the bars of the last, up to the last bar, which closes."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.reprises import first_of
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.notes import put, rows_of
from libretto.score import Score

__all__: list[str] = []


@doers.register("reprise")
def _reprise(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)[-1:]
    first = first_of(score, spans[0]) if spans else None
    if first is None:
        return score
    low = score.first_bar
    bars = min(first[1] - first[0] + 1, spans[0][1] - spans[0][0])  # the last bar stays
    start, there = first[0] - low, spans[0][0] - low
    lengths = [(score.bar_lines[at + 1] - score.bar_lines[at]) for at in (*range(start, start + bars),)]
    others = [(score.bar_lines[at + 1] - score.bar_lines[at]) for at in (*range(there, there + bars),)]
    if bars < 1 or lengths != others:
        return score
    begin, end, by = (
        score.bar_lines[start],
        score.bar_lines[start + bars],
        score.bar_lines[there] - score.bar_lines[start],
    )
    made = score
    for voice in score.voices:
        inside = voice.array[(voice.array["onset"] >= begin) & (voice.array["onset"] < end)]
        rows = [
            row._replace(onset=row.onset + by, duration=min(row.duration, end - row.onset)) for row in rows_of(inside)
        ]
        made = put(made, voice.name, ((spans[0][0], spans[0][0] + bars - 1),), rows)
    chords = [*made.chords]
    chords[there : there + bars] = chords[start : start + bars]
    return replace(made, chords=tuple(chords))
