"""Who plays alone has to be heard: where it would rest for half of the time, it plays a phrase of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.where import Spans, within
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import bars_of
from libretto.score import Score, Voice

__all__ = ["from_the_first", "heard_alone"]

_PHRASE = 4  # bars


def heard_alone(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece with some players heard in bars that are theirs alone, where they would all rest for half of them:
    they play a phrase that they have elsewhere, if there is one, else some bars of theirs where they rest."""
    voices = [voice for voice in score.voices if voice.name in names and len(voice.array)]
    bars = bars_of(score, spans)
    rests = _all_rest(score, voices, bars)
    phrase = _phrase(score, voices, bars)
    often = 2 * len(rests) >= len(bars) and (phrase or 2 * len(rests) > len(bars))
    if not often and 0 not in rests:  # a piece begins with its first bar
        return _held_on(score, voices, rests)
    made = score
    for voice in voices:
        fresh = bars if phrase and often else rests
        rows = _elsewhere(score, voice, fresh, phrase or sorted(_played(score, voice))[:_PHRASE])
        made = put(made, voice.name, [(bar + score.first_bar,) * 2 for bar in fresh], rows)
    return made


def _held_on(score: Score, voices: Sequence[Voice], rests: Sequence[int]) -> Score:
    """The piece with the deepest of some voices holding through bars in which none of them is heard what it had there
    last: nobody stops in the middle."""
    made = score
    for bar in rests:
        start, end = score.bar_lines[bar : bar + 2]
        there = [next(one for one in made.voices if one.name == voice.name) for voice in voices if not voice.drums]
        there = [voice for voice in there if bar - 1 in _sounding(made, voice)]
        if not there:
            continue
        deepest = min(there, key=lambda voice: (int(voice.array["pitch"].min()), voice.name))
        rows = rows_of(within(deepest.array, ((bar - 1 + score.first_bar,) * 2,), score))
        last = max((row.onset for row in rows), default=start)
        held = [row._replace(duration=end - row.onset) if row.onset == last else row for row in rows]
        made = put(made, deepest.name, [(bar - 1 + score.first_bar,) * 2], held) if rows else made
    return made


def _all_rest(score: Score, voices: Sequence[Voice], bars: Sequence[int]) -> list[int]:
    """Those of some bars in which none of some voices is heard."""
    return [bar for bar in bars if not any(bar in _sounding(score, voice) for voice in voices)]


def from_the_first(score: Score) -> Score:
    """The piece with something in its first bars: where all would rest there, those who come first are there before."""
    first = min((min(bars) for voice in score.voices if (bars := _played(score, voice))), default=0)
    if not 0 < first <= _PHRASE:
        return score
    made = score
    for voice in (one for one in score.voices if first in _played(score, one)):
        rows = _elsewhere(score, voice, range(first), range(first, 2 * first))
        made = put(made, voice.name, [(bar + score.first_bar,) * 2 for bar in range(first)], rows)
    return made


def _played(score: Score, voice: Voice) -> set[int]:
    """The bars from 0 in which a voice begins something, in the meter of the beginning."""
    starts = np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1
    return {int(bar) for bar in np.unique(starts) if score.meter_at(score.bar_lines[int(bar)]) == score.meter_at(0)}


def _sounding(score: Score, voice: Voice) -> set[int]:
    """The bars from 0 in which a voice is heard: a long tone in all that it is held through."""
    spans = zip(voice.array["onset"].tolist(), voice.array["duration"].tolist(), strict=True)
    return {bar for start, length in spans for bar in range(score.bar_at(start), score.bar_at(start + length - 1) + 1)}


def _phrase(score: Score, voices: Sequence[Voice], bars: Sequence[int]) -> list[int]:
    """The first phrase in all bars of which most of some play more than long tones, over the chords of some bars where
    there is such a one; nothing where none is."""
    size = min(len(bars), _PHRASE)
    choices = []
    for start in range(0, score.bars - size + 1, size):
        own = list(range(start, start + size))
        full = [voice for voice in voices if _sings(score, voice, own)]
        if full and not set(own) & set(bars):
            alike = sum(_chord(score, one) == _chord(score, two) for one, two in zip(own, bars, strict=False))
            choices.append((-len(full), -alike, start, own))
    return min(choices)[-1] if choices else []


def _sings(score: Score, voice: Voice, bars: Sequence[int]) -> bool:
    """Whether a voice plays in all of some bars, and more than one note in most of them."""
    counts = [len(within(voice.array, ((bar + score.first_bar,) * 2,), score)) for bar in bars]
    return all(counts) and 2 * sum(count > 1 for count in counts) > len(counts)


def _chord(score: Score, bar: int) -> frozenset[int] | None:
    chord = score.chord_at(score.bar_lines[bar])
    return None if chord is None else frozenset(chord.classes)


def _elsewhere(score: Score, voice: Voice, bars: Sequence[int], own: Sequence[int]) -> list[Row]:
    """What a voice plays in some bars, in others, on the tones of the chords where these are not the same."""
    starts = np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1
    low, high = range_of(voice)
    rows = []
    for place, bar in enumerate(bars if own else ()):
        source = own[place % len(own)]
        moved = score.bar_lines[bar] - score.bar_lines[source]
        same = voice.drums or _chord(score, bar) == _chord(score, source)
        for row in rows_of(voice.array[starts == source]):
            tick = row.onset + moved
            pitch = row.pitch if same else _on_chord(score, tick, row.pitch, low, high)
            rows.append(row._replace(onset=tick, pitch=pitch))
    return rows


def _on_chord(score: Score, tick: int, pitch: int, low: int, high: int) -> int:
    """The tone of the chord at a tick that is nearest a pitch, where the instrument has it."""
    chord = score.chord_at(tick)
    tones = [tone for tone in range(low, high + 1) if chord is None or tone % 12 in chord.classes]
    return min(tones, key=lambda tone: (abs(tone - pitch), tone), default=pitch)
