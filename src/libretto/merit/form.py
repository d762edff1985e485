"""Form as numbers: do bars follow from bars? Likeness at a distance, stripes of return, parts that stay, seams."""

from __future__ import annotations

import numpy as np

from libretto.axes.alike import bar_likeness
from libretto.merit.heard import PITCHES, SLOTS, Heard, going_with, mean_of, share
from libretto.score.table import Floats, Ints

__all__ = ["bar_series", "chroma_likeness", "form_of", "lagged", "likeness_of"]

_FEWEST = 6  # bars before form is heard
_TINY = 1e-9
_MORE = 4  # bars that a series has beyond a distance
_PHRASE = 4  # bars
_WIDE_SCALES = ("height", "loudness")  # semitones and velocities: small wavering is no contrast
_WIDE = 7  # semitones; a wider step is a leap


def likeness_of(heard: Heard, pitches: bool) -> Floats:
    """How alike any two bars are in all voices, drums too: by what is played, or by rhythm alone."""
    key = f"likeness {pitches}"
    if key not in heard.kept:
        heard.kept[key] = _likeness(heard, pitches)
    matrix: Floats = heard.kept[key]
    return matrix


def _likeness(heard: Heard, pitches: bool) -> Floats:
    bars = heard.played_bars
    table = heard.score.sounds
    table = table[table["bar"] < bars]
    slot = np.rint(table["position"] / (heard.beat[table["bar"]] / 4)).astype(np.int64) if len(table) else table["bar"]
    kind = table["voice"].astype(np.int64) * SLOTS + np.minimum(slot, SLOTS - 1)
    if pitches:
        kind = kind * PITCHES + table["pitch"]
    if not len(table):
        return np.zeros((bars, bars))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(bar_likeness(table["bar"].astype(np.int64), kind, bars), nan=1.0)


def chroma_likeness(heard: Heard) -> Floats:
    """How alike any two bars are in what pitch classes sound how long."""
    mass = heard.facts.bar_mass[: heard.played_bars]
    size = np.linalg.norm(mass, axis=1, keepdims=True)
    unit = mass / np.maximum(size, _TINY)
    return np.asarray(unit @ unit.T)


def lagged(series: Floats, lag: int) -> float:
    """How a series goes with itself so many bars later, from -1 to 1; NaN where it is too short or never moves."""
    if len(series) < lag + _MORE:
        return float("nan")
    whole = series - series.mean()
    spread = float(whole @ whole) / len(series)
    if spread < _TINY:
        return float("nan")
    return float(whole[lag:] @ whole[:-lag]) / (len(series) - lag) / spread


def bar_series(heard: Heard) -> dict[str, Floats]:
    """What changes from bar to bar: how much is played, how high, how loud, how many take part, how the lead rests."""
    if "bar series" not in heard.kept:
        heard.kept["bar series"] = _bar_series(heard)
    series: dict[str, Floats] = heard.kept["bar series"]
    return series


def _bar_series(heard: Heard) -> dict[str, Floats]:
    bars, facts, table = heard.played_bars, heard.facts, heard.score.sounds
    table = table[table["bar"] < bars]
    count = np.bincount(table["bar"], minlength=bars).astype(np.float64)
    loud = np.bincount(table["bar"], table["velocity"], minlength=bars) / np.maximum(count, 1)
    pitched = np.bincount(facts.bar, minlength=heard.bars)[:bars].astype(np.float64)
    high = np.bincount(facts.bar, facts.pitch, minlength=heard.bars)[:bars] / np.maximum(pitched, 1)
    series = {"fullness": np.sqrt(count), "height": high, "loudness": loud}
    if len(facts.kit):
        series["drums"] = np.sqrt(np.bincount(facts.kit["bar"], minlength=heard.bars)[:bars].astype(np.float64))
    if heard.lead is not None:
        series["lead"] = np.sqrt(np.bincount(heard.lead.bar, minlength=heard.bars)[:bars].astype(np.float64))
        series["breath"] = _breath(heard, heard.lead.onset, heard.lead.duration)[:bars]
    return series


def _breath(heard: Heard, onset: Ints, duration: Ints) -> Floats:
    """How long a line has been silent, or held its note, at each bar line, in bars (at most one)."""
    lines = np.asarray(heard.score.bar_lines, dtype=np.int64)
    last = np.searchsorted(onset, lines[1:], side="left") - 1
    since = lines[1:] - onset[np.maximum(last, 0)]
    return np.where(last >= 0, np.minimum(since / np.maximum(np.diff(lines), 1), 1.0), 1.0)


def form_of(heard: Heard) -> dict[str, float]:
    """Every number about form."""
    numbers: dict[str, float] = {}
    matrices = {
        "notes": likeness_of(heard, True),
        "rhythm": likeness_of(heard, False),
        "chroma": chroma_likeness(heard),
    }
    for name, matrix in matrices.items():
        numbers |= {f"{name}_{key}": value for key, value in _stripes(matrix).items()}
    for name, series in bar_series(heard).items():
        numbers[f"{name}_next"] = lagged(series, 1)
        numbers[f"{name}_four"] = lagged(series, 4) - (lagged(series, 3) + lagged(series, 5)) / 2
    numbers |= _contrast(heard)
    numbers |= _entries(heard)
    numbers |= _seams(heard)
    return numbers


def _stripes(matrix: Floats) -> dict[str, float]:
    """Likeness at distances, above what any two bars share, and whether what returns goes on as it did."""
    bars = len(matrix)
    if bars < _FEWEST:
        return {}
    above = np.triu_indices(bars, 1)
    level, spread = float(matrix[above].mean()), float(matrix[above].std())
    near = {lag: float(np.diagonal(matrix, lag).mean()) for lag in range(1, 10) if lag <= bars - 2}

    def contrast(lag: int) -> float:
        if lag + 1 not in near:
            return float("nan")
        return near[lag] - (near[lag - 1] + near[lag + 1]) / 2

    numbers = {"level": level, "spread": spread, "same": share(matrix[above] > 1 - _TINY, len(above[0]))}
    numbers |= {f"lag{lag}": near[lag] - level if lag in near else float("nan") for lag in (1, 2, 4, 8)}
    numbers |= {f"peak{lag}": contrast(lag) for lag in (2, 4, 8)}
    rows, columns = np.triu_indices(bars - 1, 2)
    here, there = matrix[rows, columns], matrix[rows + 1, columns + 1]
    numbers["stripe"] = going_with(here, there)
    numbers["block"] = going_with(here, matrix[rows, columns + 1])
    # Where a bar has a twin, does the next bar have the twin's neighbour?
    best = matrix[: bars - 1, : bars - 1].copy()
    np.fill_diagonal(best, -1)
    twin = best.argmax(axis=1)
    sure = best.max(axis=1) > level + spread
    follow = matrix[np.arange(1, bars), twin + 1]
    numbers["goes_on"] = mean_of(follow[sure]) - level if sure.any() else float("nan")
    return numbers


def _contrast(heard: Heard) -> dict[str, float]:
    """How much stretches of four bars differ in fullness, height and loudness, and where the fullest stands."""
    numbers: dict[str, float] = {}
    bars = heard.played_bars // _PHRASE * _PHRASE
    if bars < 3 * _PHRASE:
        return numbers
    for name, series in bar_series(heard).items():
        blocks = series[:bars].reshape(-1, _PHRASE).mean(axis=1)
        inside = float(series[:bars].reshape(-1, _PHRASE).std(axis=1).mean())
        numbers[f"{name}_contrast"] = float(blocks.std() / (inside + 1.0 if name in _WIDE_SCALES else inside + 0.1))
        if name == "fullness":
            numbers["fullest_place"] = float(blocks.argmax() / max(len(blocks) - 1, 1))
            numbers["begins_thinner"] = float(1 - blocks[0] / max(float(blocks.max()), _TINY))
            numbers["thinnest"] = float(blocks.min() / max(float(blocks.max()), _TINY))
    return numbers


def _entries(heard: Heard) -> dict[str, float]:
    """How often parts come and go, beside what chance would do with as many bars of rest."""
    playing = heard.facts.bar_counts[:, : heard.played_bars] > 0
    if playing.shape[1] < _FEWEST or not playing.any():
        return {}
    changes = (playing[:, 1:] != playing[:, :-1]).sum()
    rate = playing.mean(axis=1)
    chance = 2 * (rate * (1 - rate)).sum() * (playing.shape[1] - 1)
    together = playing.sum(axis=0).astype(np.float64)
    return {
        "entries": float(changes / chance) if chance > 1 else float("nan"),
        "entries_a_bar": float(changes) / playing.size,
        "parts_next": lagged(together, 1),
        "parts_spread": float(together.std() / max(float(together.mean()), 1.0)),
    }


def _seams(heard: Heard) -> dict[str, float]:
    """Whether lines cross bar lines as they move within bars, and whether what rings on belongs to what comes."""
    inside: list[Floats] = []
    across: list[Floats] = []
    for line in heard.lines:
        beat = heard.beat[line.bar[:-1]]
        close = line.gap <= beat
        seam = line.bar[1:] != line.bar[:-1]
        size = np.abs(line.steps).astype(np.float64)
        inside.append(size[close & ~seam])
        across.append(size[close & seam])
    numbers: dict[str, float] = {}
    if inside:
        within, over = np.concatenate(inside), np.concatenate(across)
        numbers["seam_step"] = mean_of(over) - mean_of(within)
        numbers["seam_leaps"] = mean_of(over > _WIDE) - mean_of(within > _WIDE)
        numbers["seam_width"] = mean_of(over)
        bass = min(heard.lines, key=lambda line: float(line.pitch.mean()))
        seam = bass.bar[1:] != bass.bar[:-1]
        numbers["bass_seam"] = mean_of(np.abs(bass.steps[seam])) - mean_of(np.abs(bass.steps[~seam]))
    facts = heard.facts
    if facts.count:
        line_end = np.asarray(heard.score.bar_lines, dtype=np.int64)[facts.bar + 1]
        into = np.minimum(facts.end - line_end, facts.bar_length[np.minimum(facts.bar + 1, heard.bars - 1)])
        rings = (into > heard.beat[facts.bar] // 4) & (facts.bar + 1 < heard.bars)
        numbers["ringing_over"] = mean_of(rings)
        nextly = heard.members[np.minimum(2 * (facts.bar[rings] + 1), 2 * heard.bars - 2), facts.pitch_class[rings]]
        numbers["ringing_fits"] = mean_of(nextly)
    return numbers
