"""A walking bass: a note a beat, by steps and tones of the chord, into the next root."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, beats_of, put, range_of, scale_at
from libretto.house.asks.textures import BASS, bars_of, kept_of, target, textures
from libretto.score import Chord, Score, Voice

__all__: list[str] = []

Spans = Sequence[tuple[int, int]]
_FIRM, _ACCENT = 82, 6  # velocities
_START, _TURNS = 8, 5  # semitones above the lowest at which a walk begins, and below the highest where it turns
_PHRASE = 16  # beats after which a walk takes the other way
_FIFTH = 7  # semitones around a root in which a tone of a chord of two beats leads there
_REACH = 19  # semitones that a bass walks through


@textures.register("walking")
def _walking(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """A bass that goes a note a beat, by steps and tones of the chord, into the next root."""
    voice = target(ask, score, spans, "bass")
    if voice is None:
        return score
    spans = _before_end(score, voice, spans)
    low = max(range_of(voice)[0], BASS[0] - 3)
    beats = [tick for bar in bars_of(score, spans) for tick in beats_of(score, bar)]
    ends = [*beats[1:], score.bar_lines[spans[-1][1] - score.first_bar + 1]]
    rows: list[Row] = []
    for place, (tick, end) in enumerate(zip(beats, ends, strict=True)):
        if score.bar_at(tick) == score.bars - 1 and tick > score.bar_lines[-2]:
            continue
        end = score.ticks if tick == score.bar_lines[-2] else end
        length = min(end - tick, score.meter_at(tick).beat) if end != score.ticks else end - tick
        rows.append(
            Row(tick, length, _step(score, rows, beats, place, low), _FIRM + (_ACCENT if place % 4 == 0 else 0))
        )
    return put(score, voice.name, spans, rows, kept_of(score, voice, spans))


def _before_end(score: Score, voice: Voice, spans: Spans) -> Spans:
    """The same bars without the last of a piece, where the voice has an end of its own."""
    *others, (first, last) = spans
    ends = last == score.numbers[-1] and first < last and bool((voice.array["onset"] >= score.bar_lines[-2]).any())
    return [*others, (first, last - 1)] if ends else spans


def _step(score: Score, rows: Sequence[Row], beats: Sequence[int], place: int, low: int) -> int:
    """The next pitch of a walk: the root where a chord begins, a step from the next root before it, else on."""
    tick, high = beats[place], low + _REACH
    chord = score.chord_at(tick)
    last = rows[-1].pitch if rows else low + _START
    if place == 0 or score.chord_at(beats[place - 1]) != chord:
        return _near(last, [pitch for pitch in range(low, high) if pitch % 12 == _root(score, tick)])
    following = score.chord_at(beats[place + 1]) if place + 1 < len(beats) else chord
    if following is None or following == chord:
        return _on(score, tick, place, last, (low, high))
    goal = _near(last, [pitch for pitch in range(low, high) if pitch % 12 == following.bass_class])
    second = place == 1 or score.chord_at(beats[place - 2]) != chord
    tones = _tones_towards(chord, goal, (low, high)) if second else []
    scale = scale_at(score, tick)  # a step of the scale leads on without rubbing
    rubs = _rubbing(chord) if _in_three(score, tick) else set()
    return min(
        tones or [goal + 1, goal - 1, goal + 2, goal - 2],
        key=lambda pitch: (pitch == last, pitch % 12 not in scale, pitch % 12 in rubs, abs(pitch - last), pitch),
    )


def _tones_towards(chord: Chord | None, goal: int, reach: tuple[int, int]) -> list[int]:
    """The tones of a chord of two beats, besides its root, that lead to the root of the next."""
    if chord is None:
        return []
    near = [pitch for pitch in range(goal - _FIFTH, goal + _FIFTH + 1) if pitch % 12 in chord.classes]
    return [pitch for pitch in near if reach[0] <= pitch < reach[1] and pitch % 12 not in (chord.bass_class, goal % 12)]


def _on(score: Score, tick: int, place: int, last: int, reach: tuple[int, int]) -> int:
    """The next pitch of a walk within a chord: up for a while, then down."""
    low, high = reach
    chord = score.chord_at(tick)
    rising = (place // 4 + place // _PHRASE) % 2 == 0 if last < high - _TURNS else False
    scale = scale_at(score, tick)
    tones = set(chord.classes) if chord is not None else scale
    steady = place % 2 == 0 or _in_three(score, tick)  # in three the middle beat keeps to the chord
    steps = [pitch for pitch in range(low, high) if pitch != last and pitch % 12 in (tones if steady else scale)]
    wanted = last + (3 if rising else -3)
    return _near(max(low, wanted), steps)


def _rubbing(chord: Chord | None) -> set[int]:
    """What lies a half tone above the tones of a chord."""
    return {(tone + 1) % 12 for tone in chord.classes} if chord is not None else set()


def _root(score: Score, tick: int) -> int:
    """The bass of the chord at a tick, or the tonic."""
    chord = score.chord_at(tick)
    return chord.bass_class if chord is not None else score.key_at(tick).tonic_class


def _in_three(score: Score, tick: int) -> bool:
    """Whether a bar has three beats."""
    return score.meter_at(tick).beats == 3


def _near(pitch: int, choices: Sequence[int]) -> int:
    return min(choices, key=lambda other: (abs(other - pitch), other)) if choices else pitch
