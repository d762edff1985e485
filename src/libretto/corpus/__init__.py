"""Real music as numbers: clouds, placing a piece in one, and finding what it shares with other songs."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.corpus.build import Built, build_cloud, index_folder
    from libretto.corpus.calibrate import Copies, assemble
    from libretto.corpus.classifier import Classifier, fit_discriminant, normal_scores
    from libretto.corpus.cloud import BANDS, HIGH, LOW, RULES, Cloud, Fingerprint, of_profiles
    from libretto.corpus.describe import describe_cloud
    from libretto.corpus.gauging import Gauge, Gauges, Order, Regions
    from libretto.corpus.overlap import Index, Overlap, nearest, overlap
    from libretto.corpus.sketch import Sketch
    from libretto.corpus.statistics import Holdout, genre_percentiles, hold_out, independence, macro_f1, usual_extremes
    from libretto.corpus.store import cloud_names, load_cloud, load_index
    from libretto.corpus.tracks import Tracks

__all__ = [
    "BANDS",
    "HIGH",
    "LOW",
    "RULES",
    "Built",
    "Classifier",
    "Cloud",
    "Copies",
    "Fingerprint",
    "Gauge",
    "Gauges",
    "Holdout",
    "Index",
    "Order",
    "Overlap",
    "Regions",
    "Sketch",
    "Tracks",
    "assemble",
    "build_cloud",
    "cloud_names",
    "describe_cloud",
    "fit_discriminant",
    "genre_percentiles",
    "hold_out",
    "independence",
    "index_folder",
    "load_cloud",
    "load_index",
    "macro_f1",
    "nearest",
    "normal_scores",
    "of_profiles",
    "overlap",
    "usual_extremes",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "build": "Built build_cloud index_folder",
        "calibrate": "Copies assemble",
        "classifier": "Classifier fit_discriminant normal_scores",
        "cloud": "BANDS HIGH LOW RULES Cloud Fingerprint of_profiles",
        "describe": "describe_cloud",
        "overlap": "Index Overlap nearest overlap",
        "gauging": "Gauge Gauges Order Regions",
        "sketch": "Sketch",
        "statistics": "Holdout genre_percentiles hold_out independence macro_f1 usual_extremes",
        "store": "cloud_names load_cloud load_index",
        "tracks": "Tracks",
    },
)
