"""Real music as numbers: clouds, and placing a piece in one."""

from libretto.corpus.cloud import RULES, Cloud, Fingerprint, of_profiles
from libretto.corpus.statistics import genre_percentiles, independence, usual_extremes
from libretto.corpus.store import cloud_names, load_cloud

__all__ = [
    "RULES",
    "Cloud",
    "Fingerprint",
    "cloud_names",
    "genre_percentiles",
    "independence",
    "load_cloud",
    "of_profiles",
    "usual_extremes",
]
