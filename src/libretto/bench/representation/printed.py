"""Table 2 by the printed formulas: what C1, F and T come to on the published corpus, beside what is printed of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from libretto.bench.representation.rows import Cell, Entry
from libretto.corpus import Cloud
from libretto.gates.paper import BAND_AXES, CLOUD, COPY_RISK_90, PaperGauge, paper_gauge

__all__ = ["printed_entries"]

_SIX = 6  # of the eight axes: the fixed rule that the paper found too strict


def printed_entries(cloud: Cloud) -> Iterator[Entry]:
    """The printed formulas on the published corpus; a dash for any other cloud, which has its own gates."""
    gauges = [paper_gauge(genre) for genre in cloud.labels] if cloud.name == CLOUD else []
    shares = [float(np.mean(np.array(gauge.occupancy) >= _SIX)) for gauge in gauges]
    admits = f"{min(shares):.0%}-{max(shares):.0%}" if shares else "-"
    risk = f"{max(COPY_RISK_90.values()):.2f}" if gauges else "-"
    rows = (
        ("Degeneracy", "C1 by genre, printed formula", "4-6", _list(gauges, "budget", "{}")),
        ("Genre fit", f"six of {len(BAND_AXES)} in band: real songs that pass", "10-29%", admits),
        ("Genre fit", "F by genre, printed formula", "not said", _list(gauges, "floor", "{}")),
        ("Copy risk", "90th percentile, largest genre", "at most 0.29", risk),
        ("Copy risk", "T by genre, printed formula", "near 0.30", _list(gauges, "ceiling", "{:.2f}")),
    )
    for check, what, said, ours in rows:
        yield Entry(check, what, said, Cell(ours, ours))


def _list(gauges: list[PaperGauge], name: str, form: str) -> str:
    return ", ".join(form.format(getattr(gauge, name)) for gauge in gauges) or "-"
