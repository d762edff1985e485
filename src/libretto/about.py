"""The program about itself: its version."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["own_version"]


def own_version() -> str:
    """The version of this program; 0 where it runs without being installed."""
    try:
        return version("libretto")
    except PackageNotFoundError:
        return "0"
