"""The clouds that come with the package."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from libretto.corpus.cloud import Cloud
from libretto.errors import FormatError

__all__ = ["cloud_names", "load_cloud"]


def cloud_names() -> list[str]:
    """The clouds there are."""
    folder = files("libretto.corpus").joinpath("clouds")
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


@lru_cache(maxsize=8)
def load_cloud(name: str = "paper314") -> Cloud:
    """A cloud by name, read once."""
    if name not in cloud_names():
        raise FormatError(f"there is no cloud {name!r}; there are {', '.join(cloud_names())}")
    text = files("libretto.corpus").joinpath("clouds", f"{name}.json").read_text(encoding="utf-8")
    return Cloud.from_json(text)
