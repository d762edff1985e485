"""An application's row of table 3: its cases, how one is played, and what was published.

To add a row is to register it; its module is named in ``applications.py``. ``cases`` and ``play`` are plain functions
of a module, so that cases can be played by other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libretto.registry import Registry

__all__ = ["Case", "Outcome", "Row", "rows"]

#: A case as plain data; its ``case`` names it.
Case = Mapping[str, Any]
#: What became of a case as plain data: ``single`` and ``passed`` at least.
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One row: what it is, the published single shot and result, and the least share that passes here.

    ``cases`` gives its cases from a folder of music (None where there is none; then it gives none if it needs one);
    ``play`` plays one with a composer for so many rounds.
    """

    title: str
    single: str
    result: str
    mark: float
    cases: Callable[[str | None], Sequence[Case]]
    play: Callable[[Case, str, int], Outcome]


#: Every row by name.
rows: Registry[Row] = Registry("application")
