"""The published gates, as they are printed, beside our own: for those who want the paper's figures.

Conventions: everything is measured on the 29 axes and placed in the cloud ``paper314`` by the printed rules. A
percentile is the share of songs at or below a value, rounded; an axis is extreme at 5 or below and at 95 or above.
Where an axis does not apply its value is 0, half of the moves go up, and a single bar is all like itself, as in the
published values: such an axis counts, other than in our own gates. For a genre g:

C1_g  the most extreme axes: the 85th percentile of its songs, rounded up, within 3 and 6; 3 for a gap
F_g   the fewest of the eight axes that tell genres within the genre's middle half: the 15th percentile, within 3 and 6
T_g   the copy risk at which a piece is refused: 1.2 times the 90th percentile of its songs, within 0.30 and 0.45;
      0.30 for a gap and where no genre is named

The copy risk is the largest slide (``libretto.corpus.slide``) over what the composer was shown, over the 25 nearest
songs of a corpus whose notes are at hand, and over a reference. The notes of the published corpus are not shipped:
without a folder of songs the outcome says that no corpus was compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from libretto.axes import Profile, measure
from libretto.corpus import HIGH, LOW, Cloud, load_cloud
from libretto.errors import LibrettoError, UnknownGenre
from libretto.score import Score, played
from libretto.score.table import Floats

if TYPE_CHECKING:
    from libretto.corpus.slide import Pairs, Slid

__all__ = [
    "BAND_AXES",
    "CLOUD",
    "COPY_RISK_90",
    "GAP_BUDGET",
    "GAP_CEILING",
    "GENRE_NAMES",
    "UNDEFINED",
    "PaperGauge",
    "check_gates",
    "copy_risk",
    "corpus_percents",
    "paper_extremes",
    "paper_fit",
    "paper_gauge",
    "paper_genre",
    "paper_percentiles",
    "paper_percents",
    "paper_values",
    "songs_of",
]

CLOUD = "paper314"  #: the cloud of the published corpus
GAP_BUDGET, GAP_CEILING = 3, 0.30  #: printed for gaps: extreme axes at most, and the copy risk at which one is refused
#: The eight axes by whose middle halves the published implementation tells genres; the paper counts them, unnamed.
BAND_AXES = (
    "syncopation_rate",
    "triplet_share",
    "chromaticism",
    "distinct_pitch_classes",
    "diminished_augmented_color",
    "interval_entropy",
    "melody_voice_range",
    "distinct_bar_fraction",
)
#: Our genres and the paper's names, each with the genre of the published corpus that is meant; "" where it has none.
GENRE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "blues_gospel": "",
        "classical": "classical",
        "core_pop_rock": "core_pop_rock",
        "electronic": "electronic_dance",
        "electronic_dance": "electronic_dance",
        "film": "film_score",
        "film_score": "film_score",
        "film_tv": "film_score",
        "folk": "folk_country",
        "folk_country": "folk_country",
        "funk/soul": "funk_soul_rnb",
        "funk_soul_rnb": "funk_soul_rnb",
        "hiphop_rap": "",
        "jazz": "jazz",
        "latin": "latin_reggae_world",
        "latin_reggae_world": "latin_reggae_world",
        "metal": "",
        "pop/rock": "core_pop_rock",
        "pop_rock": "core_pop_rock",
        "reggae_ska": "latin_reggae_world",
    }
)
#: The 90th percentile of the copy risk of each genre's songs against the other songs of the published corpus, measured
#: here on its texts (a slow test measures them anew); printed is that it is at most 0.29.
COPY_RISK_90: Mapping[str, float] = MappingProxyType(
    {
        "classical": 0.2522,
        "core_pop_rock": 0.242,
        "electronic_dance": 0.2093,
        "film_score": 0.1787,
        "folk_country": 0.2858,
        "funk_soul_rnb": 0.2366,
        "jazz": 0.2384,
        "latin_reggae_world": 0.2435,
    }
)
UNDEFINED = {"ascending_ratio": 0.5, "self_similarity": 1.0}  #: what is published where an axis does not apply; else 0
#: The songs, by row, whose chromaticism is a residue of arithmetic in the published values where it is 0: so a piece
#: of one scale stands at the 5th percentile and not at the 6th, and is extreme.
_RESIDUE_ROWS, _RESIDUE = (193, 220, 268), 2.0**-52
_FEWEST, _MOST = 3, 6  # the printed bounds of C1 and of F
_MANY, _FEW = 0.85, 0.15  # the printed quantiles of C1 and of F
_ABOVE, _LEAST_CEILING, _CEILING = 1.20, 0.30, 0.45  # the printed factor and bounds of T
_MIDDLE = (25, 75)  # percentiles of a genre's band
_BAND_DIGITS = 4  # to which the published bands are kept
_PERCENT = 100
_WAYS = ("ours", "paper")


def check_gates(text: str) -> str:
    """The gates that a text names: ``ours``, ``paper``, or ``paper:FOLDER`` with songs whose notes are compared."""
    name, colon, folder = text.partition(":")
    if name not in _WAYS or (colon and (name == "ours" or not folder)):
        raise LibrettoError(f"there are no gates {text[:80]!r}; say ours, paper, or paper:FOLDER with songs to compare")
    return text


def songs_of(text: str) -> tuple[Pairs, ...]:
    """The songs that ``paper:FOLDER`` names; none where no folder is named."""
    folder = check_gates(text).partition(":")[2]
    if not folder:
        return ()
    from libretto.corpus.slide import read_pairs

    return read_pairs(folder)


def paper_genre(name: str | None) -> str:
    """The genre of the published corpus that a name of ours or of the paper's means; "" where there is none."""
    if not name:
        return ""
    known = name.strip().casefold()
    if known not in GENRE_NAMES:
        raise UnknownGenre(name, sorted(GENRE_NAMES), CLOUD)
    return GENRE_NAMES[known]


@dataclass(frozen=True, eq=False)
class PaperGauge:
    """What the printed formulas give for a genre ("" for any): C1, F and T, its bands, and what its songs have."""

    genre: str
    budget: int
    floor: int
    ceiling: float
    bands: Mapping[str, tuple[float, float]]
    extremes: tuple[int, ...] = ()
    occupancy: tuple[int, ...] = ()


@lru_cache(maxsize=2)
def _columns(cloud: Cloud) -> Floats:
    """The values of a cloud with what is published where an axis does not apply."""
    undefined = np.array([UNDEFINED.get(name, 0.0) for name in cloud.axes])
    values = np.where(np.isnan(cloud.values), undefined, cloud.values)
    if cloud.name == CLOUD:
        values[list(_RESIDUE_ROWS), cloud.axes.index("chromaticism")] = _RESIDUE
    return np.asarray(values)


def paper_percents(values: Floats) -> Floats:
    """Percentiles of rows of the 29 values by the printed rule."""
    columns = np.sort(_columns(load_cloud(CLOUD)), axis=0)
    below = [np.searchsorted(columns[:, i], values[:, i], side="right") for i in range(columns.shape[1])]
    return np.asarray(np.round(_PERCENT * np.stack(below, axis=1) / len(columns)))


@lru_cache(maxsize=16)
def paper_gauge(genre: str = "") -> PaperGauge:
    """The printed gates of a genre of the published corpus; without one those of all its songs, and no bands."""
    cloud = load_cloud(CLOUD)
    values = _columns(cloud)
    mine = np.array([not genre or label == genre for label in cloud.genres], dtype=np.bool_)
    percents = paper_percents(values[mine])
    extremes = np.count_nonzero((percents <= LOW) | (percents >= HIGH), axis=1)
    budget = int(min(_MOST, max(_FEWEST, np.ceil(np.quantile(extremes, _MANY)))))
    counts = tuple(int(count) for count in extremes)
    if not genre:
        return PaperGauge("", budget, 0, _LEAST_CEILING, {}, counts)
    at = [cloud.axes.index(name) for name in BAND_AXES]
    low, high = np.round(np.percentile(values[mine][:, at], _MIDDLE, axis=0), _BAND_DIGITS)
    inside = np.count_nonzero((values[mine][:, at] >= low) & (values[mine][:, at] <= high), axis=1)
    floor = int(min(_MOST, max(_FEWEST, np.floor(np.quantile(inside, _FEW)))))
    ceiling = min(_CEILING, max(_LEAST_CEILING, _ABOVE * COPY_RISK_90.get(genre, 0.0)))
    bands = {name: (float(a), float(b)) for name, a, b in zip(BAND_AXES, low, high, strict=True)}
    return PaperGauge(genre, budget, floor, ceiling, bands, counts, tuple(int(count) for count in inside))


@lru_cache(maxsize=16)
def paper_fit(genre: str) -> Mapping[str, float]:
    """For the songs of every genre of the published corpus: the share that passes for this one by band occupancy."""
    cloud, gauge = load_cloud(CLOUD), paper_gauge(genre)
    at = [cloud.axes.index(name) for name in gauge.bands]
    low, high = np.array(list(gauge.bands.values())).T
    values = _columns(cloud)[:, at]
    passed = np.count_nonzero((values >= low) & (values <= high), axis=1) >= gauge.floor
    labels = np.array(cloud.genres)
    return {label: float(passed[labels == label].mean()) for label in cloud.labels}


@lru_cache(maxsize=1)
def corpus_percents() -> Floats:
    """The published fingerprints of the 314 songs, a row each."""
    return paper_percents(_columns(load_cloud(CLOUD)))


def paper_values(profile: Profile) -> Floats:
    """A profile as one row of the 29 values, with what is published where an axis does not apply."""
    cloud = load_cloud(CLOUD)
    row = cloud.row(profile)
    undefined = np.array([UNDEFINED.get(name, 0.0) for name in cloud.axes])
    return np.asarray(np.where(np.isnan(row), undefined, row))


def paper_percentiles(score: Score) -> dict[str, int]:
    """The published fingerprint of a piece: a percentile for each of the 29 axes."""
    cloud = load_cloud(CLOUD)
    percents = paper_percents(paper_values(measure(played(score), grid=cloud.grid)))[0]
    return {name: int(percent) for name, percent in zip(cloud.axes, percents, strict=True)}


def paper_extremes(percentiles: Mapping[str, int]) -> tuple[str, ...]:
    """The axes of a published fingerprint that are extreme."""
    return tuple(name for name, percent in percentiles.items() if percent <= LOW or percent >= HIGH)


def copy_risk(piece: Pairs, cited: Sequence[Pairs] = (), songs: Sequence[Pairs] = (), ref: Pairs | None = None) -> Slid:
    """The published copy risk: the largest slide over what was shown, the nearest songs, and a reference."""
    from libretto.corpus.slide import most_slid, slide  # here and above: our own gates do without

    slid = [slide(piece, other) for other in (*cited, *([ref] if ref is not None else []))]
    return max([*slid, most_slid(piece, songs)], key=lambda one: one.share)
