"""Topics of time: the rhythms of each part, who answers whom, and how the piece ends."""

from __future__ import annotations

import numpy as np

from libretto.merit.ending import last_notes
from libretto.merit.heard import PITCHES, Line
from libretto.merit.rhythm import bar_patterns
from libretto.merit.topic import Point, Reading, Topic, best_stretch
from libretto.score.table import Floats, Ints, distinct, middle

__all__ = ["TOPICS"]

_SLOTS = 64
_PHRASE = 4  # bars
_TRIAD = (0, 3, 4, 7)
_DOMINANT, _SUBDOMINANT = 7, 5
_HELD = 1.5  # times the usual length
_HALF = 0.5
_OFTEN = 3  # bars of one rhythm before it is talked about
_LEAD = 0.2  # how much sooner a tune is blamed than a backing
_MANY = 4  # rhythms that make a part varied


def _rhythms(line: Line) -> tuple[Ints, Ints, Ints]:
    """The bars of a line, the kind of rhythm of each, and how often each kind comes."""
    bars, pattern = bar_patterns(line.bar, np.clip(line.slot, 0, _SLOTS - 1))
    _, kind, many = np.unique(pattern, return_inverse=True, return_counts=True)
    return bars, kind, many


def _one_rhythm(reading: Reading) -> Point | None:
    heard, best = reading.heard, None
    for line in heard.lines:
        bars, kind, many = _rhythms(line)
        tunes = len(distinct(line.pitch))
        share = float(many.max()) / len(bars)
        if many.max() >= _OFTEN and tunes > 1:
            rank = share + (_LEAD if line is heard.lead else 0.0)  # a tune in one rhythm is heard before a backing is
            if best is None or rank > best[0]:
                best = rank, line, bars[kind == many.argmax()]
    if best is None:
        return None
    _, line, bars = best
    whose = "tune" if line is heard.lead else "part"
    how = (
        "dot it, tie it over, start after a rest"
        if whose == "tune"
        else "vary every fourth bar and break it before a new phrase"
    )
    text = f"{{voice}}, {{bars}}: one and the same rhythm; let the {whose} move on: {how}"
    return reading.point("rhythm", bars.tolist(), line, text)


def _rhythm(reading: Reading) -> Point | None:
    best: tuple[float, Line, Ints] | None = None
    for line in reading.heard.lines:
        bars, kind, many = _rhythms(line)
        if len(many) < min(_MANY, len(bars)) or len(bars) < _PHRASE:
            continue
        again = many[kind] > 1
        worth = len(many) / len(bars) * (_HALF + float(again.mean()))  # several rhythms, some of which return
        if best is None or worth > best[0]:
            new = np.zeros(reading.heard.bars)
            new[bars] = 1 / many[kind]
            best = worth, line, np.arange(*best_stretch(new, _PHRASE)) if len(new) else bars
    if best is None or not len(best[2]):
        return None
    stretch = [*best[2].tolist(), int(best[2][-1]) + 1]
    return reading.point("rhythm", stretch, best[1], "{voice}, {bars}: new rhythms grow out of the old; keep that play")


def _beats(reading: Reading) -> tuple[Floats, Floats]:
    """For each bar how many beats the lead leaves free, and in how many of these another part starts something."""
    heard, lead = reading.heard, reading.heard.lead
    free, answered = np.zeros(heard.bars), np.zeros(heard.bars)
    if lead is None:
        return free, answered
    facts = heard.facts
    beat = np.maximum(heard.beat, 1)
    many = np.clip(facts.bar_length // beat, 1, _SLOTS)
    place = facts.bar * _SLOTS + np.minimum(facts.notes["position"] // beat[facts.bar], _SLOTS - 1)
    mine, others = facts.voice == lead.voice, facts.voice != lead.voice
    free += many - np.bincount(distinct(place[mine]) // _SLOTS, minlength=heard.bars)
    both = np.zeros((2, heard.bars * _SLOTS), dtype=np.bool_)
    both[0, place[mine]] = both[1, place[others]] = True
    answered += np.count_nonzero((both[1] & ~both[0]).reshape(-1, _SLOTS), axis=1)
    outside = (np.arange(heard.bars) < lead.bar.min()) | (np.arange(heard.bars) > lead.bar.max())
    return np.where(outside, 0.0, free), np.where(outside, 0.0, answered)


def _unanswered(reading: Reading) -> Point | None:
    lead = reading.heard.lead
    if lead is None or len(reading.heard.lines) < 2:
        return None
    free, answered = _beats(reading)
    open_bars = np.flatnonzero((free >= 2) & (answered == 0))
    if len(open_bars):
        text = "{bars}: nobody answers when {voice} is silent; give another part a short reply there"
        return reading.point("players together", open_bars[: 2 * _PHRASE].tolist(), lead, text)
    facts = reading.heard.facts
    onsets = facts.bar * _SLOTS + np.clip(facts.slot, 0, _SLOTS - 1)
    lead_starts = distinct(onsets[facts.voice == lead.voice])
    other = distinct(onsets[facts.voice != lead.voice])
    alike = np.isin(lead_starts, other)
    block = np.bincount(lead_starts[alike] // _SLOTS, minlength=reading.heard.bars).astype(np.float64)
    if not alike.any() or alike.mean() < _HALF:
        return None
    first, last = best_stretch(block, _PHRASE)
    text = "{bars}: everybody moves with {voice}; let one part hold while another moves, and one come in late"
    return reading.point("players together", range(first, last + 1), lead, text)


def _answered(reading: Reading) -> Point | None:
    lead = reading.heard.lead
    if lead is None or len(reading.heard.lines) < 2:
        return None
    free, answered = _beats(reading)
    good = np.flatnonzero((free >= 2) & (answered >= 2))
    if not len(good):
        return None
    text = "{bars}: other parts answer where {voice} is silent; keep that talk"
    return reading.point("players together", good[: 2 * _PHRASE].tolist(), lead, text)


def _stops(reading: Reading) -> Point | None:
    heard, facts = reading.heard, reading.heard.facts
    if not facts.count:
        return None
    bar = int(facts.bar.max())
    last = last_notes(heard)
    degree = (facts.pitch_class - heard.tonic) % 12
    low = int(np.argmin(np.where(last, facts.pitch, PITCHES)))
    bars = range(max(bar - 1, 0), bar + 1)
    held = facts.duration[last].max() >= _HELD * middle(facts.duration)
    roots = heard.roots[heard.roots >= 0]
    steps = (roots - heard.tonic) % 12
    before = steps[steps != steps[-1]] if len(steps) else steps
    if not np.isin(degree[last], _TRIAD).all() or degree[low] != 0:
        text = "{bars}: the piece stops away from home; let the bass fall to the tonic and all rest on its chord"
    elif not held:
        text = "{bars}: the piece stops short; hold the last chord, with the longest notes of all"
    elif not len(before) or before[-1] not in (_DOMINANT, _SUBDOMINANT):
        text = "{bars}: nothing prepares the last chord; lead to it from the dominant and let the leading note rise"
    else:
        text = "{bars}: the ending is as busy as what was before; thin out and broaden over the last two bars"
    return reading.point("the ending", bars, None, text)


def _closes(reading: Reading) -> Point | None:
    heard, facts = reading.heard, reading.heard.facts
    if not facts.count:
        return None
    bar = int(facts.bar.max())
    last = last_notes(heard)
    degree = (facts.pitch_class - heard.tonic) % 12
    low = int(np.argmin(np.where(last, facts.pitch, PITCHES)))
    held = facts.duration[last].max() >= _HELD * middle(facts.duration)
    if degree[low] != 0 or not held:
        return None
    return reading.point(
        "the ending",
        range(max(bar - 1, 0), bar + 1),
        None,
        "{bars}: the piece comes to rest on a held tonic; keep that ending",
    )


#: What is said of time.
TOPICS = (
    Topic("rhythm", ("rhythm.",), _one_rhythm, _rhythm),
    Topic(
        "players together",
        ("rhythm.answers", "rhythm.lead_share", "rhythm.shared_", "rhythm.alone", "rhythm.with_drums"),
        _unanswered,
        _answered,
    ),
    Topic("the ending", ("ending.",), _stops, _closes),
)
