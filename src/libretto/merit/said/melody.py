"""Topics of the tune: how it moves, what it does with the chords, its idea, its breath."""

from __future__ import annotations

import numpy as np

from libretto.merit.heard import Line
from libretto.merit.topic import Point, Reading, Topic, best_stretch
from libretto.score.table import Bools, Floats, distinct, middle

__all__ = ["TOPICS"]

_STEP, _LEAP = 2, 5  # semitones
_PHRASE = 4  # bars
_RUN = 3  # intervals that make an idea


def _rate(line: Line, what: Bools, bars: int) -> Floats:
    """How many notes of each bar do something, the last notes of ``what`` being the line's last."""
    bar = line.bar[len(line) - len(what) :]
    return np.bincount(bar, what, minlength=bars).astype(np.float64)


def _moves(line: Line) -> dict[str, Bools]:
    size = np.abs(line.steps)
    return {
        "repeats": np.asarray(size == 0),
        "wobble": np.asarray((line.pitch[2:] == line.pitch[:-2]) & (size[1:] > 0) & (size[1:] <= _STEP + 1)),
        "leaps": np.asarray(size >= _LEAP),
        "steps": np.asarray((size > 0) & (size <= _STEP)),
    }


_MOTION = {
    "repeats": "{voice}, {bars}: the same note again and again; let the tune walk by step, with one leap to remember",
    "wobble": "{voice}, {bars}: the tune swings between two neighbours; carry it on to a goal a fourth or more away",
    "leaps": "{voice}, {bars}: leap upon leap; fill some in by step, and turn back after the widest",
    "steps": "{voice}, {bars}: steps without a landmark; give the tune one leap up, answered by steps down",
}


def _restless(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    reason = reading.lowest(
        {
            "repeats": tuple(f"melody.{who}_repeats" for who in ("lead", "all", "most")),
            "wobble": ("melody.lead_wobble", "melody.all_wobble", "melody.lead_turns"),
            "leaps": ("melody.lead_leaps", "melody.lead_wide_leaps", "melody.lead_octaves", "melody.lead_width"),
            "steps": ("melody.lead_steps", "melody.all_steps"),
        }
    )
    for name in (reason, "leaps", "repeats", "wobble", "steps"):
        many = _moves(line)[name]
        if many.sum() >= _RUN:
            first, last = best_stretch(_rate(line, many, reading.heard.bars), _PHRASE)
            return reading.point("the tune's motion", range(first, last + 1), line, _MOTION[name])
    return None


def _singing(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None or len(line) < 2 * _PHRASE:
        return None
    size = np.abs(line.steps)
    back = (size[:-1] >= _LEAP) & (size[1:] <= _STEP) & (np.sign(line.steps[1:]) == -np.sign(line.steps[:-1]))
    good = _rate(line, _moves(line)["steps"], reading.heard.bars) + 2 * _rate(line, back, reading.heard.bars)
    first, last = best_stretch(good, _PHRASE)
    if not good[first : last + 1].any():
        return None
    leap = back[np.isin(line.bar[2:], range(first, last + 1))].any()
    how = "moves by step, and turns back after its leap" if leap else "moves by step"
    return reading.point(
        "the tune's motion", range(first, last + 1), line, f"{{voice}}, {{bars}}: the tune {how}; keep that line"
    )


def _off_chord(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    heard = reading.heard
    reason = reading.lowest(
        {
            "roots": tuple(
                f"melody.{who}_{what}roots" for who in ("lead", "most") for what in ("", "strong_", "weak_")
            ),
            "outside": ("melody.lead_in_chord", "melody.lead_strong_in_chord", "melody.lead_resolved"),
            "foreign": ("melody.lead_in_key", "melody.least_in_key"),
        }
    )
    size = np.abs(line.steps)
    hanging = ~line.in_chord & ~np.append((size > 0) & (size <= _STEP), False)
    marks = {
        "foreign": ~heard.in_key[line.pitch % 12],
        "outside": hanging,
        "roots": np.asarray(line.root, dtype=np.bool_),
    }
    texts = {
        "roots": "{voice}, {bars}: the tune sits on roots of chords; use thirds, fifths, suspensions that resolve",
        "outside": "{voice}, {bars}: notes outside the chord are left hanging; resolve each by step",
        "foreign": "{voice}, {bars}: notes from outside the key that nothing explains; resolve or change them",
    }
    for name in (reason, "outside", "roots"):
        if marks[name].sum() >= 2:
            first, last = best_stretch(_rate(line, marks[name], heard.bars), _PHRASE)
            return reading.point("the tune over its chords", range(first, last + 1), line, texts[name])
    return None


def _resolving(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    size = np.abs(line.steps)
    good = ~line.in_chord[:-1] & line.in_chord[1:] & (size > 0) & (size <= _STEP)
    bars = line.bar[:-1][good]
    if len(bars) < 2:
        return None
    rate = np.bincount(bars, minlength=reading.heard.bars).astype(np.float64)
    first, last = best_stretch(rate, _PHRASE)
    inside = [bar for bar in range(first, last + 1) if rate[bar]]
    text = "{voice}, {bars}: dissonances resolve by step; keep them"
    return reading.point("the tune over its chords", inside, line, text)


def _ideas(line: Line) -> tuple[list[int], list[int]]:
    """The bars in which the commonest turn of four notes begins, and those in which nothing begins that returns."""
    turns: dict[tuple[int, ...], list[int]] = {}
    for place in range(len(line.steps) - _RUN + 1):
        turns.setdefault(tuple(line.steps[place : place + _RUN].tolist()), []).append(int(line.bar[place]))
    moving = {turn: bars for turn, bars in turns.items() if any(turn)}
    best = max(moving.values(), key=lambda bars: (len(set(bars)), -bars[0]), default=[])
    again = {bar for bars in turns.values() if len(bars) > 1 for bar in bars}
    return sorted(set(best)), sorted({bar for bars in turns.values() for bar in bars} - again)


def _no_idea(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None or len(line) < 2 * _PHRASE:
        return None
    often, alone = _ideas(line)
    idea = reading.words(often[:1])
    if len(often) > max(_PHRASE, len(distinct(line.bar)) // 2):
        text = "{voice}, {bars}: one turn of four notes over and over; lengthen it, answer it, or lead it higher"
        return reading.point("the tune's idea", often, line, text)
    if not alone:
        return None
    if len(often) > 1:
        text = f"{{voice}}, {{bars}}: the tune wanders; take up the idea of {idea} here, a step higher or ended anew"
    else:
        text = "{voice}, {bars}: nothing of the tune is heard again; let one turn of four notes come back"
    return reading.point("the tune's idea", alone[: 2 * _PHRASE], line, text)


def _idea(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    often, _ = _ideas(line)
    if len(often) < 2:
        return None
    first, rest = reading.words(often[:1]), often[1:]
    text = f"{{voice}}, {{bars}}: the idea of {first} comes back; keep it"
    return reading.point("the tune's idea", rest, line, text)


def _breathless(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    rest = np.flatnonzero(line.gap > reading.heard.beat[line.bar[:-1]] / 2)
    starts, ends = np.append(0, rest + 1), np.append(rest, len(line) - 1)
    span = line.bar[ends] - line.bar[starts]
    longest = int(np.argmax(span))
    first, last = int(line.bar[starts[longest]]), int(line.bar[ends[longest]])
    if last - first >= _PHRASE:
        text = "{voice}, {bars}: no breath; end a phrase on a long note and a rest every four bars"
        return reading.point("breath", range(first, last + 1), line, text)
    if len(rest) < _PHRASE:
        return None
    broken = np.bincount(line.bar[rest], minlength=reading.heard.bars).astype(np.float64)
    first, last = best_stretch(broken, _PHRASE)
    text = "{voice}, {bars}: cut up by rests; bind the notes into one phrase that ends on its longest"
    return reading.point("breath", range(first, last + 1), line, text)


def _breath(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    long = line.duration[:-1] >= 2 * middle(line.duration)
    ends = distinct(line.bar[:-1][(line.gap > reading.heard.beat[line.bar[:-1]] / 2) & long])
    if len(ends) < 2:
        return None
    return reading.point(
        "breath", ends.tolist(), line, "{voice}, {bars}: phrases close on a long note and breathe; keep that"
    )


_CHORD = ("roots", "strong_roots", "weak_roots", "in_chord", "strong_in_chord", "resolved", "in_key")
_IDEA = ("ideas", "classes", "interval_entropy", "pitch_entropy")
_BREATH = ("rests", "long_before_rest", "overlap", "held", "strong_long")
_WHO = ("lead", "all", "least", "most")

#: What is said of the tune.
TOPICS = (
    Topic("the tune's motion", ("melody.",), _restless, _singing),
    Topic(
        "the tune over its chords",
        tuple(f"melody.{who}_{what}" for who in _WHO for what in _CHORD),
        _off_chord,
        _resolving,
    ),
    Topic(
        "the tune's idea",
        (*(f"melody.{who}_{what}" for who in _WHO for what in _IDEA), "melody.peak_", "melody.near_peak"),
        _no_idea,
        _idea,
    ),
    Topic("breath", tuple(f"melody.{who}_{what}" for who in _WHO for what in _BREATH), _breathless, _breath),
)
