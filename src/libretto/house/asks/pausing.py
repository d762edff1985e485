"""Silences that are asked for: a beginning that hesitates, and phrases with room between them."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, tune_of, voices_of, within
from libretto.edits.parts import silenced
from libretto.edits.touch import louder
from libretto.house.asks.alone import heard_alone
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, rows_of
from libretto.house.asks.textures import Spans as Stretches
from libretto.house.asks.textures import textures
from libretto.score import Score

__all__: list[str] = []

_PHRASE = 4  # bars
_SOFTER = -16  # velocities
_HALF = 0.5  # of a bar
_FIRST_NOTES = (1, 0, 2, 3)  # what is heard of each bar of a beginning that hesitates: so many of its first notes
_BREAKS_OFF = 2 / 3  # of a bar, after which nothing begins there
_SPACED = ((0.0, 1.0), (0.0, _HALF), (0.0, 1.0), None)  # and of each bar of a phrase that leaves room after it
_SHORT, _HELD = 1 / 4, 3 / 4  # of a bar: what is short, and where what is left alone is let go
Shares = tuple[tuple[float, float] | None, ...]


@textures.register("hesitant")
def _hesitant(ask: Ask, score: Score, job: Job, spans: Stretches) -> Score:
    """A beginning of fragments with real rests between them: the first note alone, a silence, two notes, three; who has
    the tune, softly, and nobody else. What was written so for one alone stays as it is."""
    bars = tuple(spans)
    if "hesitant" in job.called and len(score.voices) == 1:
        return score
    name = _speaker(ask, score, ((score.numbers[0], score.numbers[-1]),))
    if not name:
        return score
    made = heard_alone(score, [name], bars)
    others = [one.name for one in score.voices if one.name != name]
    made = _in_fragments(made, name, bars)
    made = silenced(made, others, bars) if others else made
    return louder(made, _SOFTER, [name], bars)


@textures.register("spaced")
def _spaced(ask: Ask, score: Score, job: Job, spans: Stretches) -> Score:
    """Phrases with room between them: who has them rests after each."""
    sparse = [one.who for one in job.contract.asks if (one.kind, one.what) == ("density", "sparse") and one.who]
    told = replace(ask, who=ask.who or "".join(sparse[:1]))
    name = _speaker(told, score, tuple(spans))
    return _with_room(score, name, tuple(spans), _SPACED) if name else score


def _speaker(ask: Ask, score: Score, spans: Spans) -> str:
    """Who is told to leave room, else who has the tune in some bars."""
    named = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums] if ask.who else []
    index = named[0] if named else tune_of(score, spans)
    return score.voices[index].name if index is not None else ""


def _with_room(score: Score, name: str, spans: Spans, shares: Shares) -> Score:
    """The piece with a voice heard in those shares of its bars only, phrase after phrase; the last bar stays."""
    made, voice = score, score.voice(name)
    for first, last in spans:
        for bar in range(first, min(last, score.numbers[-1] - 1) + 1):
            share = shares[(bar - first) % _PHRASE]
            here = rows_of(within(voice.array, ((bar, bar),), score))
            made = put(made, name, ((bar, bar),), _heard(score, bar, here, share))
    return made


def _in_fragments(score: Score, name: str, spans: Spans) -> Score:
    """The piece with a voice that begins each of those bars and breaks off."""
    made, voice = score, score.voice(name)
    for first, last in spans:
        for bar in range(first, min(last, score.numbers[-1] - 1) + 1):
            here = rows_of(within(voice.array, ((bar, bar),), score))
            made = put(made, name, ((bar, bar),), _begun(score, bar, here, _FIRST_NOTES[(bar - first) % _PHRASE]))
    return made


def _begun(score: Score, bar: int, rows: list[Row], count: int) -> list[Row]:
    """The first notes of a bar, up to where two thirds of it are over, none longer than half a bar."""
    line, after = (score.bar_lines[bar - score.first_bar + more] for more in (0, 1))
    starts = sorted({row.onset for row in rows})
    kept = [row for row in rows if row.onset in starts[:count] and row.onset < line + (after - line) * _BREAKS_OFF]
    most = round((after - line) * _HALF)
    return [row._replace(duration=min(row.duration, most)) for row in kept or rows[: min(count, 1)]]


def _heard(score: Score, bar: int, rows: list[Row], share: tuple[float, float] | None) -> list[Row]:
    """What is heard of a bar; where its share holds nothing, what it begins with. One short note that is left is
    held, as what ends a phrase is."""
    line, after = (score.bar_lines[bar - score.first_bar + more] for more in (0, 1))
    if share is None or not rows:
        return []
    if share[1] == 1 and bar == score.numbers[-1] - 1:
        return rows  # what comes to the last bar early goes on there
    end = line + round((after - line) * share[1])
    kept = [row for row in rows if row.onset < end] or [row for row in rows if row.onset == rows[0].onset]
    if len(kept) == 1 < len(rows) and kept[0].onset > line and kept[0].duration <= (after - line) * _SHORT:
        return [kept[0]._replace(duration=line + round((after - line) * _HELD) - kept[0].onset)]
    return [row._replace(duration=min(row.duration, max(end, row.onset + 1) - row.onset)) for row in kept]
