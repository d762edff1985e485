"""Plant: one fault of a kind put into a piece, for tests of an ear, a machine's or a student's.

A kind of fault is a registered planter in one of the modules here; each of them is looked through.
"""

from importlib import import_module
from pkgutil import iter_modules

from libretto.errors import LibrettoError
from libretto.faults.plant.fault import DEGREES, Planted, Soil, planters
from libretto.score import Score

__all__ = ["plant"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


def plant(
    score: Score, kind: str, seed: int = 0, *, degree: str = "plain", donor: Score | None = None
) -> Planted | None:
    """A copy of a piece with exactly one fault of that kind; None where the piece has no place for it.

    ``donor`` is another song, from which a foreign bar may be taken.
    """
    if kind not in planters:
        raise LibrettoError(f"there is no fault called {kind!r}; there are: {', '.join(planters)}")
    if degree not in DEGREES:
        raise LibrettoError(f"a fault is {' or '.join(DEGREES)}, not {degree!r}")
    soil = Soil(score, kind, seed, plain=degree == "plain", donor=donor)
    return planters[kind](soil) if soil.facts.count else None
