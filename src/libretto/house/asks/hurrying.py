"""How the tempo changes, by place: at once or by degrees, up and down again; what hurries to its end lands there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.contract.asks import Ask, share_of
from libretto.contract.checks.faltering import IN_WAVES, RUNNING_DOWN
from libretto.contract.checks.speeds import CALMED, SLOW_TO_FAST, hurries, lands
from libretto.contract.checks.where import Spans
from libretto.edits.endings import last_start
from libretto.edits.spans import remade
from libretto.edits.tempo import paced, ramped, scaled
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.faltering import in_waves, run_down
from libretto.house.asks.loudness import loud_to_the_end
from libretto.score import QUARTER, Score, Voice
from libretto.score.model import in_force
from libretto.score.time import bpm_of_micros

__all__: list[str] = []

_FASTER, _SLOWER = 1.2, 0.82  # of the tempo
_SLOW, _SLOWEST = 76, 0.6  # beats a minute of what begins slowly at most, and as which share of its tempo at least
_TWICE, _FASTEST = 2.2, 176  # to which share of its tempo what is slow becomes fast, and to how many quarters
_DRIVEN, _MANY = 1.5, 12  # to which share of its tempo a whole piece hurries, and of how many bars it is
_BROAD, _PRESSED = 0.72, 1.35  # to which share of its tempo a passage slows down, or hurries
_BREAKNECK = 252  # quarters a minute that nobody plays faster
_SUMMIT, _CALM = 5 / 8, 0.92  # of the way to where it is fastest, and of its first tempo in the end
_BRAKED, _LANDED = 0.85, 0.66  # of the tempo before: of the last bar where it still moves, and of the last chord
_CLIPPED = ("abrupt", "sudden")  # endings that do not land


@doers.register("tempo_change")
def _tempo(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if not spans:
        return score
    if ask.what in (RUNNING_DOWN, IN_WAVES):
        return run_down(score, tuple(spans)) if ask.what == RUNNING_DOWN else in_waves(score, tuple(spans), ask.words)
    if ask.what == CALMED:
        return _calmed(score, spans)
    if hurries(ask.what) or ask.what == "ritardando":
        made = _by_degrees(ask, score, job, spans)
        return _landed(made) if lands(ask.what, score, spans) and job.contract.ending not in _CLIPPED else made
    share = share_of(ask.what)
    if share is not None:
        if ask.what.startswith("from "):
            return ramped(score, share, 1.0, spans)
        return ramped(score, 1.0, share, spans) if ask.what.startswith("to ") else scaled(score, share, spans)
    if ask.what.replace(".", "", 1).isdigit():
        return paced(score, float(ask.what), spans)
    return scaled(score, _FASTER if ask.what == "faster" else _SLOWER, spans)


def _by_degrees(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The piece faster and faster, or slower and slower, in some bars."""
    share = share_of(ask.what)
    if share is not None:
        return ramped(score, 1.0, share, spans)
    if ask.what == SLOW_TO_FAST:
        return ramped(score, *_slow_to_fast(score), spans)
    if ask.what == "ritardando":
        return ramped(score, 1.0, _BROAD, spans)
    goal = _DRIVEN if sum(last - first + 1 for first, last in spans) >= _MANY else _PRESSED
    start = score.bar_lines[spans[0][0] - score.first_bar]
    beats = bpm_of_micros(in_force(score.tempos, start)) * QUARTER / max(QUARTER, score.meter_at(start).beat)
    kept = loud_to_the_end(score, job, spans)
    return ramped(kept, 1.0, min(goal, max(_BREAKNECK / beats, _FASTER)), spans)


def _slow_to_fast(score: Score) -> tuple[float, float]:
    """From which share of its tempo to which a piece goes that is to go from slow to fast."""
    tick, micros = score.tempos[0]
    bpm = bpm_of_micros(micros)
    beats = bpm * QUARTER / max(QUARTER, score.meter_at(tick).beat)
    slow = min(1.0, max(_SLOWEST, _SLOW / beats))
    return slow, slow * max(_DRIVEN, min(_TWICE, _FASTEST / (slow * bpm)))


def _calmed(score: Score, spans: Spans) -> Score:
    """The piece faster and faster up to somewhat after its middle, and slower again from there to its end."""
    (first, last), (slow, fast) = spans[0], _slow_to_fast(score)
    top = min(last - 1, first + max(1, round((last - first + 1) * _SUMMIT)) - 1)
    if last - first < 2:
        return score
    return ramped(ramped(score, slow, fast, ((first, top),)), fast, slow * _CALM, ((top + 1, last),))


def _landed(score: Score) -> Score:
    """The piece with a last bar that takes its time, and a last chord that rings through it: what hurries up to its
    end does not run over it. What slows down there already stays as it is, and who drums hits its last in time."""
    line, last = score.bar_lines[-2], last_start(score)
    top, end = bpm_of_micros(in_force(score.tempos, line - 1)), bpm_of_micros(in_force(score.tempos, score.ticks - 1))
    if last < line or end <= _BRAKED * top:
        return score
    beaten = last > line and any(voice.drums and voice.array["onset"].max(initial=0) >= last for voice in score.voices)
    made = score
    if not beaten:
        made = paced(score, round(top * (_LANDED if last == line else _BRAKED)), ((score.numbers[-1],) * 2,))
    if last > line and not beaten:
        slow = round(in_force(score.tempos, line - 1) / _LANDED)
        made = replace(made, tempos=tuple(sorted({**dict(made.tempos), last: slow}.items())))
    voices = [voice if voice.drums else _ringing(voice, line, score.ticks) for voice in made.voices]
    return remade(made, voices, [(score.numbers[-1], score.numbers[-1])])


def _ringing(voice: Voice, line: int, end: int) -> Voice:
    """Somebody whose last notes ring to the end where they begin in the last bar."""
    notes = voice.array.copy()
    mine = (notes["onset"] == notes["onset"].max(initial=-1)) & (notes["onset"] >= line)
    notes["duration"][mine] = np.maximum(notes["duration"][mine], end - notes["onset"][mine])
    return voice.with_notes(notes)
