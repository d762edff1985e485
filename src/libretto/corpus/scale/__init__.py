"""Clouds of very many songs: partitions, engines, copies, and what is learnt from them without holding them."""

from libretto.corpus.scale.building import IN_FULL, LargeBuild, build_large
from libretto.corpus.scale.engines import Engine, Means, engines
from libretto.corpus.scale.tables import Measurements, measure_table

__all__ = ["IN_FULL", "Engine", "LargeBuild", "Means", "Measurements", "build_large", "engines", "measure_table"]
