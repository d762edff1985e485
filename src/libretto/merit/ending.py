"""The ending as numbers: does the piece close, or does it stop?"""

from __future__ import annotations

import numpy as np

from libretto.merit.heard import PITCHES, Heard, mean_of, share
from libretto.score.table import Bools, distinct, middle
from libretto.score.time import QUARTER

__all__ = ["ending_of", "last_notes"]

_TRIAD = (0, 3, 4, 7)  # above the tonic, either third
_DOMINANT, _SUBDOMINANT = 7, 5
_TOGETHER = QUARTER // 4  # ticks within which notes end together
_BEFORE = 4  # bars that lead to the end
_TINY = 1e-9
_LONGEST = 16.0  # beats
_SLOWER = (0.25, 1.5)  # how much a tempo can change and still be one piece


def last_notes(heard: Heard) -> Bools:
    """The notes of the last chord: those that sound when the last of all onsets does, or start with it."""
    facts = heard.facts
    last = facts.onset.max() if facts.count else 0
    return np.asarray((facts.end > last + _TOGETHER) | (facts.onset >= last - _TOGETHER))


def ending_of(heard: Heard) -> dict[str, float]:
    """Every number about the ending."""
    facts = heard.facts
    if not facts.count:
        return {}
    last = last_notes(heard)
    degree = (facts.pitch_class - heard.tonic) % 12
    beat = heard.beat[facts.bar].astype(np.float64)
    held = np.minimum(facts.notes["duration"] / beat, _LONGEST)
    low, high = np.argmin(np.where(last, facts.pitch, PITCHES)), np.argmax(np.where(last, facts.pitch, -1))
    numbers = {
        "end_held": float(np.log2(held[last].max()) - np.log2(middle(held) + _TINY)),
        "end_held_mean": float(np.log2(held[last].mean()) - np.log2(held.mean())),
        "end_beats": float(np.log2(held[last].max())),
        "end_bass_tonic": float(degree[low] == 0),
        "end_bass_dominant": float(degree[low] == _DOMINANT),
        "end_triad": mean_of(np.isin(degree[last], _TRIAD)),
        "end_tonics": mean_of(degree[last] == 0),
        "end_top": float(degree[high] in _TRIAD),
        "end_strength": float(heard.strength[facts.onset >= facts.onset.max() - _TOGETHER].max()),
        "end_thick": float(np.log2(last.sum()) - np.log2(max(_thickness(heard), 1.0))),
    }
    return numbers | _approach(heard) | _settling(heard)


def _thickness(heard: Heard) -> float:
    """How many notes start at once, usually."""
    return float(np.unique(heard.facts.onset, return_counts=True)[1].mean())


def _approach(heard: Heard) -> dict[str, float]:
    """The chords before the last one."""
    roots = heard.roots[heard.roots >= 0]
    if not len(roots):
        return {}
    degree = (roots - heard.tonic) % 12
    before = degree[:-1][degree[:-1] != degree[-1]] if len(degree) > 1 else degree[:0]
    return {
        "end_chord_tonic": float(degree[-1] == 0),
        "end_from_dominant": float(len(before) > 0 and before[-1] == _DOMINANT),
        "end_from_other": float(len(before) > 0 and before[-1] in (_DOMINANT, _SUBDOMINANT)),
        "end_cadence": float(len(before) > 0 and degree[-1] == 0 and before[-1] in (_DOMINANT, _SUBDOMINANT)),
    }


def _settling(heard: Heard) -> dict[str, float]:
    """Whether the music calms down at the end, all together, in time and in loudness."""
    facts, table = heard.facts, heard.score.sounds
    bar = int(facts.bar.max())
    count = np.bincount(table["bar"], minlength=heard.bars).astype(np.float64)
    usual = float(middle(count[count > 0]))
    loud = np.bincount(table["bar"], table["velocity"], minlength=heard.bars) / np.maximum(count, 1)
    first = max(bar - _BEFORE + 1, 0)
    recent = distinct(facts.voice[facts.bar >= first])
    ends = np.array([facts.end[facts.voice == voice].max() for voice in recent])
    starts = np.array([facts.onset[facts.voice == voice].max() for voice in recent])
    rate = heard.facts.bar_bpm
    drums = facts.kit["bar"]
    return {
        "end_calm": float(np.log2((count[bar] + 1) / (usual + 1))),
        "end_calm_before": float(np.log2((count[max(bar - 1, 0)] + 1) / (usual + 1))),
        "end_together": share(ends >= ends.max() - QUARTER, len(ends)),
        "end_start_together": share(starts >= starts.max() - _TOGETHER, len(starts)),
        "end_slower": float(np.clip(rate[first : bar + 1].min() / middle(rate), *_SLOWER)),
        "end_softer": float(loud[bar] - middle(loud[count > 0])),
        "end_drums_stop": float(drums.max() <= bar) if len(drums) else float("nan"),
        "end_last_strokes": float((drums == bar).sum() / max(len(drums) / heard.bars, 1.0)) if len(drums) else np.nan,
    }
