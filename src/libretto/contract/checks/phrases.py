"""Clauses on phrases: whether their ends are stretched, and whether somebody plays only while a tune waits."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, nowhere, said, tops, tune_of, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["in_gaps", "led_by", "phrase_ends", "singer_of", "waits", "with_long_ends"]

Stretch = tuple[int, int]
_MOSTLY, _NEARLY = 0.6, 0.8  # of the phrases, of the notes
_HELD = 3 / 8  # of a bar: how long the end of a phrase is held at least
_PHRASE = 2  # bars
_BEFORE = QUARTER  # ticks of a held note that are the singer's own
_SHORTEST = QUARTER * 3 // 2  # ticks from one note of a tune to the next that leave room for somebody else
_SOME = 1 / 4  # of the gaps that are filled at least


def phrase_ends(score: Score, index: int, spans: Spans) -> list[int]:
    """The bars, from 0, in which phrases of two bars end that a voice sings, counted from where each section begins; a
    bar in which it has nothing is none."""
    starts = sorted({0, *(score.bar_at(tick) for tick, _ in score.sections)})
    sung = {score.bar_at(int(tick)) for tick in within(score.voices[index].array, spans, score)["onset"]}
    first = {bar: max(start for start in starts if start <= bar) for bar in sung}
    return sorted(bar for bar in sung if (bar - first[bar]) % _PHRASE == _PHRASE - 1)


def _last_note(score: Score, index: int, bar: int) -> int:
    """How long the last note that begins in a bar lasts."""
    notes = score.voices[index].array
    inside = notes[(notes["onset"] >= score.bar_lines[bar]) & (notes["onset"] < score.bar_lines[bar + 1])]
    return int(inside["duration"][inside["onset"] == inside["onset"].max()].max()) if len(inside) else 0


def singer_of(ask: Ask, score: Score, spans: Spans) -> int | None:
    """Whose phrases are meant: of who is named, else of who has the tune."""
    named = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums] if ask.who else []
    return named[0] if named else tune_of(score, spans)


def with_long_ends(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Most phrases of a tune end on a note that is held."""
    index = singer_of(ask, score, spans)
    if index is None:
        return nowhere(ask, spans)
    bars = phrase_ends(score, index, spans)
    bar = score.bar_lines[1] - score.bar_lines[0]
    long = sum(_last_note(score, index, end) >= _HELD * bar for end in bars)
    name = score.voices[index].name
    return long >= _MOSTLY * len(bars), f"{name} holds the ends of {long} of {len(bars)} phrases", spans


def waits(score: Score, tune: int, spans: Spans) -> list[Stretch]:
    """When a tune waits: while it holds a note, after its first beat, and rests, within the bars in which it plays."""
    line = tops(within(score.voices[tune].array, spans, score))
    onsets = sorted({int(tick) for tick in line["onset"]})
    inside = bar_mask(spans, score)
    ends = [*onsets[1:], score.ticks] if onsets else []
    free = [(0, onsets[0])] if onsets and inside[0] and onsets[0] >= _SHORTEST else []
    free += [(one + _BEFORE, two) for one, two in zip(onsets, ends, strict=True) if two - one >= _SHORTEST]
    return free


def in_gaps(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Nearly all that somebody plays begins while the tune waits, and some of these places are filled."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    others = [index for index, voice in enumerate(score.voices) if index not in mine and not voice.drums]
    tune = led_by(score, others, spans)
    if not mine or tune is None:
        return nowhere(ask, spans)
    free = waits(score, tune, spans)
    onsets = [int(tick) for tick in within(score.voices[mine[0]].array, spans, score)["onset"]]
    inside = sum(any(start <= tick < end for start, end in free) for tick in onsets)
    filled = sum(any(start <= tick < end for tick in onsets) for start, end in free)
    share = inside / max(1, len(onsets))
    name = score.voices[mine[0]].name
    kept = share >= _NEARLY and filled >= _SOME * len(free)
    return kept, f"{share:.0%} of what {name} plays in {said(spans)} falls between the lines", spans


def led_by(score: Score, others: Sequence[int], spans: Spans) -> int | None:
    """Who of some others has the tune: who is heard above them."""
    tune = tune_of(score, spans)
    if tune in others:
        return tune
    played = [(float(tops(notes)["pitch"].mean()), index) for index in others
              if len(notes := within(score.voices[index].array, spans, score))]  # fmt: skip
    return max(played)[1] if played else None
