"""Rhythm as numbers: how many rhythms a part has beside how many tunes, how parts share the time."""

from __future__ import annotations

import numpy as np

from libretto.merit.heard import PITCHES, SIXTEENTH, Heard, Line, mean_of
from libretto.merit.melody import entropy_of, told
from libretto.score.table import Ints, distinct

__all__ = ["bar_patterns", "rhythm_of"]

_SLOTS = 64  # sixteenths that a pattern tells apart
_PRIME = 1_000_003  # mixes the events of a bar into one number
_WORD = 2**61 - 1
_START, _LEAST = 12_345, 7  # so that no event counts nothing
_BEATS = 8  # of a bar that are told apart


def bar_patterns(bar: Ints, event: Ints) -> tuple[Ints, Ints]:
    """The bars in which events stand, and for each a number that is the same for the same events."""
    bars, where = np.unique(bar, return_inverse=True)
    mixed = (event * _PRIME + _START) % _WORD
    mixed = mixed * (mixed % _PRIME + _LEAST) % _WORD
    total = np.zeros(len(bars), dtype=np.int64)
    np.add.at(total, where, mixed)
    return bars, total


def rhythm_of(heard: Heard) -> dict[str, float]:
    """Every number about rhythm."""
    numbers = told(heard, [_patterns(heard, line) for line in heard.lines], "rhythm_")
    return numbers | _together(heard) | _answers(heard) | _drums(heard)


def _patterns(heard: Heard, line: Line) -> dict[str, float]:
    """How varied the bars of one line are in rhythm, in pitch, and in both."""
    slot = np.minimum(np.maximum(line.slot, 0), _SLOTS - 1)
    length = np.minimum(np.rint(4 * line.duration / heard.beat[line.bar]).astype(np.int64), _SLOTS - 1)
    _, rhythm = bar_patterns(line.bar, slot)
    _, lengths = bar_patterns(line.bar, slot * _SLOTS + length)
    _, tune = bar_patterns(line.bar, slot * PITCHES + line.pitch)
    many = len(rhythm)
    kinds, counts = np.unique(rhythm, return_counts=True)
    tunes = len(distinct(tune))
    again = rhythm[1:] == rhythm[:-1]
    return {
        "kinds": len(kinds) / many,
        "commonest": float(counts.max()) / many,
        "entropy": entropy_of(rhythm),
        "with_lengths": len(distinct(lengths)) / many,
        "tunes": tunes / many,
        "beside_tunes": float(np.log2(len(kinds) / tunes)),
        "lengths_beside": float(np.log2(len(distinct(lengths)) / tunes)),
        "same_next": mean_of(again) if len(again) else float("nan"),
        "same_other_tune": mean_of((tune[1:] != tune[:-1])[again]) if again.any() else float("nan"),
        "slot_entropy": entropy_of(slot),
        "length_kinds": entropy_of(length),
        "a_bar": float(np.log2(len(line) / many)),
    }


def _together(heard: Heard) -> dict[str, float]:
    """How parts share the time: who starts with whom, how much falls on beats."""
    facts = heard.facts
    if not facts.count:
        return {}
    place = facts.bar * _SLOTS + np.minimum(np.maximum(facts.slot, 0), _SLOTS - 1)
    both = distinct(place * max(facts.voices, 1) + facts.voice)
    where = np.unique(both // max(facts.voices, 1), return_inverse=True)[1]
    many = np.bincount(where)[where]
    drums = distinct(
        facts.kit["bar"].astype(np.int64) * _SLOTS + np.rint(facts.kit["position"] / SIXTEENTH).astype(int)
    )
    return {
        "shared_onsets": mean_of(many > 1),
        "alone": mean_of(many == 1),
        "with_drums": mean_of(np.isin(both // max(facts.voices, 1), drums)) if len(drums) else float("nan"),
        "strength": mean_of(heard.strength),
        "off_grid": mean_of(heard.strength == 0),
        "bar_fullness": float(np.std(np.sqrt(np.bincount(facts.bar, minlength=heard.bars)))),
    }


def _answers(heard: Heard) -> dict[str, float]:
    """Whether other parts are busier where the lead is silent: the notes a beat there, beside where it plays."""
    lead, facts = heard.lead, heard.facts
    others = facts.voice != lead.voice if lead is not None else np.zeros(facts.count, dtype=np.bool_)
    if lead is None or not others.any():
        return {}
    where = np.minimum(facts.notes["position"] // np.maximum(heard.beat[facts.bar], 1), _BEATS - 1) + facts.bar * _BEATS
    theirs = np.bincount(where[others], minlength=_BEATS * heard.bars)
    mine = np.bincount(where[~others], minlength=_BEATS * heard.bars) > 0
    first, last = int(lead.bar.min()) * _BEATS, (int(lead.bar.max()) + 1) * _BEATS
    theirs, mine = theirs[first:last], mine[first:last]
    there = (theirs > 0) | mine
    return {"answers": mean_of(theirs[~mine & there]) - mean_of(theirs[mine]), "lead_share": mean_of(mine[there])}


def _drums(heard: Heard) -> dict[str, float]:
    """How varied the bars of the drums are."""
    kit = heard.facts.kit
    if not len(kit):
        return {}
    slot = np.rint(kit["position"] / SIXTEENTH).astype(np.int64)
    _, pattern = bar_patterns(kit["bar"].astype(np.int64), slot * PITCHES + kit["pitch"])
    counts = np.unique(pattern, return_counts=True)[1]
    return {
        "drum_kinds": len(counts) / len(pattern),
        "drum_commonest": float(counts.max()) / len(pattern),
        "drum_same_next": mean_of(pattern[1:] == pattern[:-1]),
    }
