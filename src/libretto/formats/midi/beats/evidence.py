"""What speaks for a bar line, beat by beat: long notes, the bass, changes of harmony, accents, drums.

All of it is measured in beats of the path that is asked about, so that it means the same at every tempo.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.formats.midi.beats.playing import CRASHES, KICKS, SNARES, Played
from libretto.score.table import Bools, Floats, Ints

__all__ = ["FEATURES", "Laid", "around", "evidence", "lay"]

_NEAR = 0.13  # beats from a beat within which a moment is on it
_CLASSES = 12  # pitch classes
_CONTEXT = 3  # beats on each side that are looked at, too
_LONGEST = 4.0  # beats
#: What is measured of each beat.
FEATURES = (
    "moment",
    "notes",
    "long",
    "bass",
    "bass_long",
    "bass_moves",
    "harmony_1",
    "harmony_2",
    "harmony_4",
    "loud",
    "kick",
    "snare",
    "crash",
    "top_long",
    "held_over",
    "full",
    "anew",
    "last",
    "first",
    "low",
    "high",
    "leap",
    "tonic",
    "like_4",
)


class Laid(NamedTuple):
    """Notes laid over a path of beats: where each is, in beats, the nearest beat, and which are on one."""

    beats: Floats
    place: Floats
    beat: Ints
    on: Floats
    span: Floats
    chroma: Floats


def lay(played: Played, beats: Floats) -> Laid:
    """Lay the notes over a path of beats; what lies outside goes on at the tempo of the ends."""
    place = _places(beats, played.start)
    stop = _places(beats, played.start + np.minimum(played.length, played.room))
    nearest = np.clip(np.round(place).astype(np.int64), 0, len(beats) - 1)
    on = (np.abs(place - nearest) <= _NEAR).astype(np.float64)
    room = _places(beats, played.start + played.room)
    return Laid(beats, place, nearest, on, np.clip(room - place, 0, _LONGEST), _chroma(played, place, stop, len(beats)))


def _places(beats: Floats, times: Floats) -> Floats:
    """Times in beats, the first being 0."""
    count = len(beats)
    inside = np.interp(times, beats, np.arange(count))
    before = (times - beats[0]) / max(1e-3, beats[1] - beats[0])
    after = count - 1 + (times - beats[-1]) / max(1e-3, beats[-1] - beats[-2])
    return np.where(times < beats[0], before, np.where(times > beats[-1], after, inside))


def _chroma(played: Played, place: Floats, stop: Floats, count: int) -> Floats:
    """How much of each beat every pitch class sounds; the bass counts twice."""
    pitched = ~played.drums
    weight = np.where(played.bass, 2.0, 1.0)[pitched]
    start = np.clip(place[pitched] + _NEAR, 0, count)
    end = np.clip(np.maximum(stop[pitched], place[pitched] + 0.25), 0, count)
    classes = played.pitch[pitched] % _CLASSES
    chroma = np.zeros((count + 1, _CLASSES))
    first = np.minimum(start.astype(np.int64), count)
    for ahead in range(int(_LONGEST) + 1):
        beat = np.minimum(first + ahead, count)
        part = np.clip(np.minimum(end, beat + 1) - np.maximum(start, beat), 0, 1)
        np.add.at(chroma, (beat, classes), weight * part)
    return np.sqrt(chroma[:count])


def evidence(played: Played, laid: Laid) -> Floats:
    """For each beat the features named in ``FEATURES``."""
    count, on, pitched = len(laid.beats), laid.on > 0, ~played.drums
    columns: dict[str, Floats] = {}
    notes = np.bincount(laid.beat[on], minlength=count).astype(np.float64)
    columns["moment"] = (notes > 0).astype(np.float64)
    columns["notes"] = np.log2(1 + notes) - np.log2(1 + notes).mean()
    columns["long"] = _largest(laid, laid.span, on & pitched)
    columns["bass"] = _largest(laid, np.ones(len(on)), on & played.bass)
    columns["bass_long"] = _largest(laid, laid.span, on & played.bass)
    columns["bass_moves"] = _bass_moves(played, laid)
    for width in (1, 2, 4):
        columns[f"harmony_{width}"] = _novelty(laid.chroma, width)
    loud = _largest(laid, played.velocity.astype(np.float64), on)
    columns["loud"] = np.where(notes > 0, (loud - loud[notes > 0].mean() if notes.any() else loud) / 20, 0.0)
    for name, keys in (("kick", KICKS), ("snare", SNARES), ("crash", CRASHES)):
        columns[name] = _largest(laid, np.ones(len(on)), on & played.drums & np.isin(played.pitch, keys))
    top = pitched & ~played.bass
    columns["top_long"] = _largest(laid, laid.span, on & top)
    columns["held_over"] = _held(played, laid)
    columns["full"] = np.log2(
        1 + np.bincount(np.clip(np.floor(laid.place + _NEAR), 0, count - 1).astype(np.int64), minlength=count)
    )
    columns["full"] -= columns["full"].mean()
    columns["anew"] = _anew(played, laid)
    columns["last"] = (np.arange(count) == laid.beat[-1]).astype(np.float64)
    columns["low"] = _height(played, laid, lowest=True)
    columns["high"] = _height(played, laid, lowest=False)
    columns["leap"] = _leap(played, laid)
    columns["tonic"] = _tonic(played, laid)
    columns["like_4"] = _likeness(laid.chroma, 4)
    columns["first"] = (np.arange(count) == laid.beat[0]).astype(np.float64)
    return np.stack([columns[name] for name in FEATURES], axis=1)


def _largest(laid: Laid, values: Floats, chosen: Bools) -> Floats:
    """The largest value of the chosen notes at each beat; 0 where there are none."""
    largest = np.zeros(len(laid.beats))
    np.maximum.at(largest, laid.beat[chosen], values[chosen])
    return largest


def _bass_moves(played: Played, laid: Laid) -> Floats:
    """Whether the bass begins another pitch class on the beat than it had."""
    moves = np.zeros(len(laid.beats))
    rows = np.flatnonzero(played.bass)
    if len(rows) > 1:
        different = np.append(False, played.pitch[rows[1:]] % _CLASSES != played.pitch[rows[:-1]] % _CLASSES)
        rows = rows[different & (laid.on[rows] > 0)]
        moves[laid.beat[rows]] = 1.0
    return moves


def _novelty(chroma: Floats, width: int) -> Floats:
    """How different the harmony of so many beats from here is from that of as many before (0 to 1)."""
    count = len(chroma)
    total = np.concatenate([np.zeros((1, _CLASSES)), np.cumsum(chroma, axis=0)])
    here = np.arange(count)
    after = total[np.minimum(here + width, count)] - total[here]
    before = total[here] - total[np.maximum(here - width, 0)]
    size = np.linalg.norm(after, axis=1) * np.linalg.norm(before, axis=1)
    return np.where(size > 0, 1 - (after * before).sum(axis=1) / np.maximum(size, 1e-9), 0.0)


def _held(played: Played, laid: Laid) -> Floats:
    """Of the parts that sound at a beat, how many hold a note begun before: against a bar line."""
    count = len(laid.beats)
    begins = np.ceil(laid.place + _NEAR).astype(np.int64)
    ends = np.floor(laid.place + laid.span - _NEAR).astype(np.int64)
    across = ~played.drums & (ends >= begins) & (begins < count) & (ends >= 0)
    change = np.zeros(count + 1)
    np.add.at(change, np.clip(begins[across], 0, count), 1.0)
    np.add.at(change, np.clip(ends[across] + 1, 0, count), -1.0)
    held = np.cumsum(change)[:count]
    begun = np.bincount(laid.beat[(laid.on > 0) & ~played.drums], minlength=count)
    return np.asarray(held / np.maximum(1, held + begun))


def _anew(played: Played, laid: Laid) -> Floats:
    """How much silence lies before the beat, in beats: phrases begin after a breath."""
    count = len(laid.beats)
    at = np.clip(np.ceil(laid.place - _NEAR).astype(np.int64), 0, count)
    latest = np.full(count + 1, -_LONGEST)
    np.maximum.at(latest, np.minimum(at + 1, count), laid.place)
    last = np.maximum.accumulate(latest)[:count]
    return np.clip(np.arange(count) - last, 0, _LONGEST)


def _height(played: Played, laid: Laid, *, lowest: bool) -> Floats:
    """How much lower (or higher) than usual the lowest (or highest) note on the beat is, in octaves."""
    chosen = (laid.on > 0) & ~played.drums
    if not chosen.any():
        return np.zeros(len(laid.beats))
    sign = -1 if lowest else 1
    extreme = np.full(len(laid.beats), -999)
    np.maximum.at(extreme, laid.beat[chosen], sign * played.pitch[chosen])
    there = extreme > -999
    return np.where(there, (extreme - extreme[there].mean()) / _CLASSES, 0.0)


def _leap(played: Played, laid: Laid) -> Floats:
    """How far the highest note on the beat is from the highest of the moment before, in octaves."""
    leap = np.zeros(len(laid.beats))
    rows = np.flatnonzero(~played.drums)
    if len(rows) < 2:
        return leap
    top = np.full(int(played.moment[-1]) + 1, -1)
    np.maximum.at(top, played.moment[rows], played.pitch[rows])
    sounding = np.flatnonzero(top >= 0)
    before = np.full(len(top), -1)
    before[sounding[1:]] = top[sounding[:-1]]
    rows = rows[(laid.on[rows] > 0) & (before[played.moment[rows]] >= 0)]
    moment = played.moment[rows]
    np.maximum.at(leap, laid.beat[rows], np.minimum(1.0, np.abs(top[moment] - before[moment]) / _CLASSES))
    return leap


def _tonic(played: Played, laid: Laid) -> Floats:
    """Whether the bass has its commonest pitch class on the beat."""
    chosen = played.bass & (laid.on > 0)
    tonic = np.zeros(len(laid.beats))
    if chosen.any():
        classes = played.pitch % _CLASSES
        common = int(np.bincount(classes[chosen], minlength=_CLASSES).argmax())
        tonic[laid.beat[chosen & (classes == common)]] = 1.0
    return tonic


def _likeness(chroma: Floats, lag: int) -> Floats:
    """How alike the harmony is to that of some beats later."""
    later = np.concatenate([chroma[lag:], np.zeros((min(lag, len(chroma)), _CLASSES))])
    size = np.linalg.norm(chroma, axis=1) * np.linalg.norm(later, axis=1)
    return np.where(size > 0, (chroma * later).sum(axis=1) / np.maximum(size, 1e-9), 0.0)


def around(features: Floats) -> Floats:
    """The features of each beat beside those of the beats before and after."""
    padded = np.pad(features, ((_CONTEXT, _CONTEXT), (0, 0)))
    return np.concatenate([padded[shift : shift + len(features)] for shift in range(2 * _CONTEXT + 1)], axis=1)
