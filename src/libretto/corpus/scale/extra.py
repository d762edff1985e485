"""What large clouds need beyond the core: Arrow, fsspec and dask, each imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from libretto.errors import MissingExtra

__all__ = ["arrow", "dask_client", "filesystems", "parquet"]


def _needed(module: str, what: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(what, "scale") from None


def arrow() -> Any:
    """The Arrow library."""
    return _needed("pyarrow", "a table in partitions")


def parquet() -> Any:
    """Arrow's reader and writer of Parquet."""
    return _needed("pyarrow.parquet", "a table in partitions")


def filesystems() -> Any:
    """The library that opens files wherever they lie."""
    return _needed("fsspec", "music that lies behind an address")


def dask_client() -> Any:
    """The library that hands work to the machines of a cluster."""
    return _needed("distributed", "a cluster of machines")
