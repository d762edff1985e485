"""The clouds that ship are the ones that are measured: all of it is done again, and compared byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.clouds import default, main, paper314
from lab.copying import with_copying
from libretto.corpus import load_cloud, load_index
from libretto.corpus.store import cloud_folder
from libretto.errors import LibrettoError


@pytest.mark.slow
@pytest.mark.parametrize("name", ["paper314", "default"])
def test_the_shipped_cloud_is_the_one_that_is_measured(name: str, shared: Path) -> None:
    corpus = shared / "corpus"
    made = paper314(corpus / "paper314") if name == "paper314" else default(corpus)
    kept = with_copying(made.cloud, load_cloud(name))  # lab.copying measures that part
    assert kept.to_json() == load_cloud(name).to_json()
    assert made.index.to_bytes() == (cloud_folder(name) / "overlap.bin").read_bytes()


@pytest.mark.parametrize("name", ["paper314", "default"])
def test_what_ships_is_small_and_numbers_only(name: str) -> None:
    folder = cloud_folder(name)
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(files) == {"cloud.json", "overlap.bin"}
    assert sum(files.values()) < 7_000_000
    cloud, index = load_cloud(name), load_index(name)
    assert cloud.gauges is not None
    assert index is not None
    assert len(index) == len(cloud.genres)


def test_nothing_is_written_where_there_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="not a checkout"):
        main([str(tmp_path), "--checkout", str(tmp_path)])
    with pytest.raises(LibrettoError, match="no shipped cloud"):
        main([str(tmp_path), "jazz"])
