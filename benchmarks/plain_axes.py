"""The published formulas as one would write them first: lists of dictionaries, sets and loops.

Takes what ``plain.parse`` gives. Only for measuring against; ``tests/axes`` holds ours to the published values.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from statistics import fmean, pstdev

MAJOR = (0, 2, 4, 5, 7, 9, 11)


def entropy(counts):
    total, kinds = sum(counts), sum(1 for c in counts if c)
    if kinds < 2:
        return 0.0
    return -sum(c / total * math.log2(c / total) for c in counts if c) / math.log2(kinds)


def prominent(mass):
    peak = max(mass.values(), default=0)
    return frozenset(pc for pc, m in mass.items() if m >= 0.3 * peak)


def mass_of(notes):
    mass = defaultdict(float)
    for note in notes:
        mass[note["pitch"] % 12] += float(note["length"])
    return mass


def base(notes, beats=4):
    """The 24 axes of rhythm, harmony, melody and texture (the share of triplet bars left out)."""
    bars = defaultdict(list)
    for note in notes:
        bars[note["bar"]].append(note)
    if not bars:
        return {}
    count = len(bars)
    onsets = {(n["voice"], n["bar"], n["start"]) for n in notes}
    lengths = [float(n["length"]) for n in notes]
    sizes = [len(each) for each in bars.values()]
    mass = mass_of(notes)
    halves = []
    for bar in sorted(bars):
        for half in (0, 1):
            halves.append(prominent(mass_of(n for n in bars[bar] if (n["start"] >= beats / 2) == bool(half))))
    voices = defaultdict(list)
    for note in notes:
        voices[note["voice"]].append(note)
    height = {v: fmean(n["pitch"] for n in each) for v, each in voices.items()}
    bass = min(height, key=height.get)
    lines = [v for v, e in voices.items() if len({(n["bar"], n["start"]) for n in e}) >= 8]
    lines = [v for v in lines if len(voices[v]) / len({(n["bar"], n["start"]) for n in voices[v]}) < 1.4]
    melody = max(lines or height, key=height.get)
    top = defaultdict(int)
    for note in voices[melody]:
        at = (note["bar"], note["start"])
        top[at] = max(top[at], note["pitch"])
    moves = [b - a for (_, a), (_, b) in pairwise(sorted(top.items())) if a != b]
    low = {}
    for note in voices[bass]:
        low[note["bar"]] = min(low.get(note["bar"], 999), note["pitch"])
    roots = [(b - a) % 12 for (_, a), (_, b) in pairwise(sorted(low.items()))]
    diminished = augmented = 0
    for each in bars.values():
        pcs = prominent(mass_of(each))
        diminished += any({r, (r + 3) % 12, (r + 6) % 12} <= pcs for r in range(12))
        augmented += sum({r, (r + 4) % 12, (r + 8) % 12} <= pcs for r in range(12))
    chords = defaultdict(list)
    for note in notes:
        chords[note["voice"], note["bar"], note["start"]].append(note["pitch"])
    inside = max(sum(mass[(r + i) % 12] for i in MAJOR) for r in range(12))
    return {
        "syncopation_rate": sum(s % 1 != 0 for _, _, s in onsets) / len(onsets),
        "onset_density": len(onsets) / count,
        "onset_position_entropy": entropy(Counter(round(float(n["start"]) / 0.25) for n in notes).values()),
        "duration_cv": pstdev(lengths) / fmean(lengths),
        "mean_duration": fmean(lengths),
        "density_variability": pstdev(sizes) / fmean(sizes),
        "chromaticism": 1 - inside / sum(mass.values()),
        "distinct_pitch_classes": sum(m > 0 for m in mass.values()),
        "pitch_class_entropy": entropy(mass.values()),
        "chord_change_rate": sum(bool(a and b and a != b) for a, b in pairwise(halves)) / max(1, 2 * count - 1),
        "chord_vocabulary_density": len({h for h in halves if h}) / count,
        "root_motion_entropy": entropy(Counter(roots).values()),
        "fourth_motion_rate": roots.count(5) / max(1, len(roots)),
        "diminished_augmented_color": (diminished + min(augmented, count)) / count,
        "pitch_range": max(n["pitch"] for n in notes) - min(n["pitch"] for n in notes),
        "step_ratio": sum(abs(m) <= 2 for m in moves) / max(1, len(moves)),
        "interval_entropy": entropy(Counter(min(abs(m), 12) for m in moves).values()),
        "ascending_ratio": sum(m > 0 for m in moves) / max(1, len(moves)),
        "melody_voice_range": max(n["pitch"] for n in voices[melody]) - min(n["pitch"] for n in voices[melody]),
        "voice_count": len(voices),
        "mean_simultaneity": len(notes) / len(onsets),
        "maximum_chord_width": max(max(c) - min(c) for c in chords.values()),
        "active_voice_density": fmean(len({n["voice"] for n in each}) for each in bars.values()),
    }


def measure(notes):
    """Everything, with form and the windows of within-song variation."""
    values = base(notes)
    bars = defaultdict(set)
    for note in notes:
        bars[note["bar"]].add((note["voice"], note["start"], note["pitch"]))
    sets = [bars[bar] for bar in sorted(bars)]
    like = {(i, j): len(a & b) / len(a | b) for (i, a), (j, b) in combinations(enumerate(sets), 2)}
    values["self_similarity"] = fmean(like.values()) if like else 1.0
    values["novelty_rate"] = fmean(1 - like[i, i + 1] for i in range(len(sets) - 1)) if len(sets) > 1 else 0.0
    values["distinct_bar_fraction"] = len({frozenset(s) for s in sets}) / max(1, len(sets))
    reach = min(4, max(1, len(sets) // 4))
    curve = []
    for centre in range(len(sets)):
        cells = []
        for i in range(max(0, centre - reach), min(len(sets), centre + reach)):
            for j in range(max(0, centre - reach), min(len(sets), centre + reach)):
                alike = 1.0 if i == j else like[min(i, j), max(i, j)]
                cells.append(alike if (i < centre) == (j < centre) else -alike)
        curve.append(fmean(cells))
    floor = fmean(curve) + 0.5 * pstdev(curve)
    peaks = sum(b >= a and b >= c and b >= floor for a, b, c in zip(curve, curve[1:], curve[2:], strict=False))
    values["sections_per_100_bars"] = (peaks + 1) / len(sets) * 100
    last = max(bars)
    count = min(6, max(2, last // 6))
    rows = [
        base([n for n in notes if k * (last // count) < n["bar"] <= (k + 1) * (last // count)]) for k in range(count)
    ]
    values["within_song_variation"] = fmean(pstdev([row.get(name, 0.0) for row in rows]) for name in base(notes))
    return values
