"""The gates: each a function from a case to an outcome, or None where it does not apply."""

from __future__ import annotations

from collections.abc import Callable

from libretto.gates.case import Case
from libretto.gates.finding import Outcome
from libretto.registry import Registry

__all__ = ["Gate", "gates"]

Gate = Callable[[Case], Outcome | None]
#: Every gate by name.
gates: Registry[Gate] = Registry("gate", "libretto.gates")
