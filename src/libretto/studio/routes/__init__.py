"""The addresses that the page calls, one file a subject; each is a function decorated with ``route``."""

from libretto.registry import load_all

__all__ = ["load"]


def load() -> None:
    """Register every address."""
    load_all(__name__)
