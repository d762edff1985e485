"""Topics of form: what returns, what changes, how bars lead into bars."""

from __future__ import annotations

import numpy as np

from libretto.merit.form import bar_series, chroma_likeness, likeness_of
from libretto.merit.heard import Line
from libretto.merit.topic import Point, Reading, Topic, best_stretch
from libretto.score.table import Floats, Ints

__all__ = ["TOPICS"]

_PHRASE = 4  # bars
_SAME, _ALIKE = 0.9, 0.5  # likeness from which bars are the same, and from which one hears the other again
_FROZEN = 4  # bars in a row that are one bar
_WIDE, _STEP = 9, 2  # semitones: a jump, a step
_FEWEST = 8  # bars before form is talked about


def _again(reading: Reading) -> tuple[Floats, Ints]:
    """For each stretch of four bars how well an earlier or later one matches it bar by bar, and which."""
    notes, chroma = likeness_of(reading.heard, True), chroma_likeness(reading.heard)
    both = (notes + chroma) / 2
    bars = len(both)
    count = bars - _PHRASE + 1
    total = sum(both[place : place + count, place : place + count] for place in range(_PHRASE)) / _PHRASE
    near = np.abs(np.arange(count)[:, None] - np.arange(count)[None, :]) < _PHRASE
    match = np.where(near, -1.0, total)
    return np.asarray(match.max(axis=1)), np.asarray(match.argmax(axis=1))


def _frozen(reading: Reading) -> tuple[int, int] | None:
    """The longest run of bars that are one bar over and over."""
    notes = likeness_of(reading.heard, True)
    same = np.diagonal(notes, 1) >= _SAME
    best, start = (0, 0), None
    for bar, again in enumerate([*same.tolist(), False]):
        start = bar if again and start is None else start
        if not again and start is not None:
            best = max(best, (bar - start + 1, -start))
            start = None
    return (-best[1], best[0] - best[1] - 1) if best[0] >= _FROZEN else None


def _no_return(reading: Reading) -> Point | None:
    if reading.heard.played_bars < _FEWEST:
        return None
    frozen = _frozen(reading)
    if frozen is not None and frozen[1] - frozen[0] + 1 > reading.heard.played_bars // 3:
        bars = range(frozen[0], frozen[1] + 1)
        text = "{bars}: one bar over and over; change the fourth of every four, and leave something out in the eighth"
        return reading.point("form", bars, None, text)
    match, where = _again(reading)
    first = int(np.argmin(match))
    partner = int(np.argmax(match))
    idea = reading.words(range(int(where[partner]), int(where[partner]) + _PHRASE))
    if match[partner] < _ALIKE or int(where[partner]) == first:
        text = "{bars}: nothing of this is heard again in its order; let four bars return, changed at their end"
    else:
        text = f"{{bars}}: this neither comes back nor answers anything; take up {idea} here, with another ending"
    return reading.point("form", range(first, first + _PHRASE), None, text)


def _return(reading: Reading) -> Point | None:
    if reading.heard.played_bars < _FEWEST:
        return None
    match, where = _again(reading)
    changed = np.where(match < _SAME, match, match - _SAME / 2)  # a return that is not a copy is the better one
    first = int(np.argmax(changed))
    if match[first] < _ALIKE:
        return None
    early, late = sorted((first, int(where[first])))
    idea = reading.words(range(early, early + _PHRASE))
    text = f"{{bars}}: {idea} return and go on as they did; keep that return"
    return reading.point("form", range(late, late + _PHRASE), None, text)


def _level(reading: Reading) -> Point | None:
    heard = reading.heard
    if heard.played_bars < 2 * _PHRASE:
        return None
    playing = heard.facts.bar_counts[:, : heard.played_bars] > 0
    full = bar_series(heard)["fullness"]
    change = np.append(0.0, np.abs(np.diff(full)) / max(float(full.mean()), 1.0))
    change += np.append(0.0, (playing[:, 1:] != playing[:, :-1]).sum(axis=0))
    first, last = best_stretch(-change, max(2 * _PHRASE, heard.played_bars // 3))
    if not playing[:, first : last + 1].any():
        return None
    steady = np.flatnonzero(playing[:, first : last + 1].all(axis=1)).tolist()
    lead = heard.lead.voice if heard.lead is not None else -1
    others = [voice for voice in steady if voice not in (lead, heard.facts.bass)]
    middle = first + (last - first + 1) // 2
    if others:
        pause = reading.words(range(middle, min(middle + _PHRASE, last + 1)))
        text = f"{{bars}}: equally full throughout; let {{voice}} rest or thin out in {pause}, to be heard anew after"
        return reading.point("contrast", range(first, last + 1), others[0], text)
    text = "{bars}: equally full throughout; change register or density halfway, and build from there"
    return reading.point("contrast", range(first, last + 1), None, text)


def _change(reading: Reading) -> Point | None:
    heard = reading.heard
    if heard.played_bars < 2 * _PHRASE:
        return None
    full = bar_series(heard)["fullness"]
    total = np.concatenate(([0.0], np.cumsum(full)))
    bars = np.arange(_PHRASE, heard.played_bars - _PHRASE + 1)
    step = np.abs(total[bars + _PHRASE] - 2 * total[bars] + total[bars - _PHRASE]) / max(float(full.mean()), 1.0)
    if not len(step) or step.max() < 1:
        return None
    bar = int(bars[np.argmax(step)])
    more = total[bar + _PHRASE] - total[bar] > total[bar] - total[bar - _PHRASE]
    text = f"{{bars}}: the music {'opens up' if more else 'thins out'}; keep that change of texture"
    return reading.point("contrast", [bar], None, text)


def _jumps(reading: Reading, line: Line) -> tuple[Ints, Ints]:
    """The bars into which a line goes without a rest, and how far."""
    seam = (line.bar[1:] != line.bar[:-1]) & (line.gap <= reading.heard.beat[line.bar[:-1]])
    return line.bar[1:][seam], np.abs(line.steps[seam])


def _broken_seams(reading: Reading) -> Point | None:
    line = reading.heard.lead  # an accompaniment may jump; a tune that does falls apart at the bar line
    if line is None:
        return None
    bars, size = _jumps(reading, line)
    wide = bars[size >= _WIDE]
    if not len(wide):
        return None
    text = "{voice}, {bars}: a jump over the bar line tears the tune apart; lead into the downbeat by step"
    return reading.point("joins between bars", wide[:_PHRASE].tolist(), line, text)


def _smooth_seams(reading: Reading) -> Point | None:
    line = reading.heard.lead
    if line is None:
        return None
    bars, size = _jumps(reading, line)
    near = bars[(size <= _STEP) & (size > 0)]
    if len(near) < 2 or len(near) < len(bars) / 2:
        return None
    return reading.point(
        "joins between bars",
        near.tolist(),
        line,
        "{voice}, {bars}: the tune leads into the downbeat by step; keep that",
    )


#: What is said of form.
TOPICS = (
    Topic("form", ("form.",), _no_return, _return),
    Topic(
        "contrast",
        (
            *("form.entries", "form.parts_", "form.begins_", "form.fullest_", "form.thinnest", "form.axis_"),
            *(f"form.{name}_contrast" for name in ("fullness", "height", "loudness", "drums", "lead", "breath")),
            "parts.axis_resting_parts",
        ),
        _level,
        _change,
    ),
    Topic("joins between bars", ("form.seam_", "form.bass_seam", "form.ringing_"), _broken_seams, _smooth_seams),
)
