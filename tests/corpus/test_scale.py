"""Large clouds: by partitions, the same bytes however they were made, resumed, bad files and copies told."""

from __future__ import annotations

import csv
import hashlib
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from libretto.corpus import describe_cloud, load_cloud, load_index, of_profiles
from libretto.corpus.classifier import discriminant_of, fit_discriminant
from libretto.corpus.scale import build_large, measure_table
from libretto.corpus.scale.engines import Means, engines
from libretto.corpus.scale.leaf import DIED, Task
from libretto.corpus.scale.learning import even_values
from libretto.corpus.scale.parts import join_encoded, measure_task
from libretto.corpus.scale.running import _one_by_one
from libretto.errors import FileExists, FormatError, MissingExtra
from libretto.formats import read
from libretto.score.transposing import transpose
from libretto.verbs import original
from tests.corpus.tunes_made import folder_of_tunes

ALL_FILES = 22


def sums(folder: Path) -> dict[str, str]:
    """Every file of a folder with the hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def music(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_tunes(tmp_path_factory.mktemp("music"))


@pytest.fixture(scope="module")
def serial(music: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cloud that one process built in one go."""
    target = tmp_path_factory.mktemp("serial") / "mine"
    build_large(music, str(target), workers=1, size=4, in_full=2, quiet=True)
    return target


def rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text().splitlines()))[1:]


def test_copies_and_bad_files_are_left_out_and_told(serial: Path) -> None:
    refused = {row[0]: row[1] for row in rows(serial / "refused.csv")}
    assert sorted(refused) == ["jazz/v1.mid", "jazz/v2.mid"]
    assert "MIDI" in refused["jazz/v1.mid"]
    assert refused["jazz/v2.mid"] == "it has no pitched notes"
    assert {row[0]: row[1:] for row in rows(serial / "copies.csv")} == {
        "jazz/u1.mid": ["the same music in another key as", "folk/t000.mid"],
        "jazz/u2.mid": ["the same file as", "folk/t002.mid"],
    }
    facts = json.loads((serial / "large.json").read_text())
    assert (facts["files"], facts["songs"], facts["genres"]) == (ALL_FILES, 18, {"folk": 9, "jazz": 9})


def test_what_is_listed_is_what_lies_there(serial: Path) -> None:
    listed = json.loads((serial / "large.json").read_text())["sha256"]
    there = sums(serial)
    del there["large.json"]
    assert listed == there


def test_processes_give_the_same_bytes(music: Path, serial: Path, tmp_path: Path) -> None:
    build_large(music, str(tmp_path / "mine"), workers=2, size=4, in_full=2, quiet=True)
    assert sums(tmp_path / "mine") == sums(serial)


def test_a_killed_build_goes_on_without_measuring_twice(music: Path, serial: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    line = "from libretto.corpus.scale import build_large as b; import sys; "
    line += "b(sys.argv[1], sys.argv[2], workers=1, size=4, in_full=2, quiet=True)"
    child = subprocess.Popen([sys.executable, "-c", line, str(music), str(target)])
    parts = tmp_path / "mine.partial" / "parts"
    until = time.monotonic() + 120
    while not list(parts.glob("*.parquet")) and time.monotonic() < until and child.poll() is None:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    done = len(list(parts.glob("*.parquet")))
    if target.exists():
        pytest.skip("the build was quicker than the kill")
    assert done >= 1
    built = build_large(music, str(target), workers=1, size=4, in_full=2, quiet=True)
    assert built.measured <= ALL_FILES - 4 * (done - 1) - 2  # at most the last partition is a short one
    assert sums(target) == sums(serial)


def test_a_damaged_partition_alone_is_measured_again(music: Path, serial: Path, tmp_path: Path) -> None:
    from libretto.corpus.scale.places import find_place
    from libretto.corpus.scale.plan import make_plan
    from libretto.corpus.scale.running import measure_missing

    plan = make_plan(find_place(music), tmp_path / "p", size=4, depth="axes")
    assert measure_missing(plan, tmp_path / "p", Means(1), quiet=True) == ALL_FILES
    before = sums(tmp_path / "p" / "parts")
    victim = sorted((tmp_path / "p" / "parts").iterdir())[2]
    victim.write_bytes(victim.read_bytes()[:-9] + b"\0" * 9)
    assert measure_missing(plan, tmp_path / "p", Means(1), quiet=True) == 4
    assert sums(tmp_path / "p" / "parts") == before


def test_a_target_that_is_there_stays(music: Path, serial: Path) -> None:
    with pytest.raises(FileExists):
        build_large(music, str(serial), workers=1)


def test_addresses_and_lists(music: Path, serial: Path, tmp_path: Path) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.rm("/tunes", recursive=True) if memory.exists("/tunes") else None
    for path in music.rglob("*.mid"):
        memory.pipe(f"/tunes/{path.relative_to(music).as_posix()}", path.read_bytes())
    parts = serial / "parts"
    build_large("memory://tunes", str(tmp_path / "mem"), workers=1, size=4, in_full=2, quiet=True)
    assert sums(tmp_path / "mem" / "parts") == sums(parts)
    build_large(f"file://{music}", str(tmp_path / "fil"), workers=1, size=4, in_full=2, quiet=True)
    assert sums(tmp_path / "fil" / "parts") == sums(parts)
    paths = sorted(path.relative_to(music).as_posix() for path in music.rglob("*.mid"))
    names = "\n".join(["file,genre", *(f"{music}/{path},{path.split('/')[0]}" for path in paths)])
    (tmp_path / "list.csv").write_text(names + "\n")
    listed = build_large(tmp_path / "list.csv", str(tmp_path / "lis"), workers=1, size=4, in_full=0, quiet=True)
    assert (listed.files, listed.songs, listed.genres) == (ALL_FILES, 18, {"folk": 9, "jazz": 9})
    with pytest.raises(FormatError):
        build_large("nowhere://x", str(tmp_path / "no"), workers=1)


def test_a_list_of_web_addresses(music: Path, tmp_path: Path) -> None:
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(music))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        (tmp_path / "list.txt").write_text(f"{base}/folk/t000.mid\n# a remark\n{base}/folk/none.mid\n")
        done = measure_table(tmp_path / "list.txt", tmp_path / "t.csv", workers=1, quiet=True)
        server.shutdown()
    assert (done.files, done.refused) == (2, 1)


def test_tables_are_read_by_pandas_and_polars(music: Path, tmp_path: Path) -> None:
    import pandas
    import polars

    done = measure_table(music, tmp_path / "t.csv", workers=1, quiet=True, size=7)
    assert (done.files, done.refused, done.measured) == (ALL_FILES, 2, ALL_FILES)
    measure_table(music, tmp_path / "t.parquet", workers=1, quiet=True, size=9)
    one, other = pandas.read_csv(tmp_path / "t.csv"), polars.read_parquet(tmp_path / "t.parquet")
    assert list(one.columns) == other.columns
    assert one["file"].tolist() == other["file"].to_list()
    read = one["refused"].isna()
    assert read.sum() == ALL_FILES - 2
    for column in ("seconds", "syncopation_rate"):
        theirs = other.filter(polars.col("refused") == "")[column].to_numpy()
        assert np.allclose(one[column][read].to_numpy(), theirs, equal_nan=True)
    assert not (tmp_path / "t.csv.partial").exists()


def test_a_missing_library_is_one_line(monkeypatch: pytest.MonkeyPatch, music: Path, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'libretto\[scale\]'"):
        measure_table(music, tmp_path / "t.csv", workers=1)


def test_the_classifier_of_sums_is_that_of_rows() -> None:
    dice = np.random.default_rng(0)
    scores, genres = dice.normal(size=(90, 5)), ["a", "b", "c"] * 30
    which = np.array(genres)
    sums_, squares = zip(
        *((scores[which == g].sum(axis=0), scores[which == g].T @ scores[which == g]) for g in "abc"), strict=True
    )
    ours = discriminant_of(("a", "b", "c"), np.array([30, 30, 30]), np.array(sums_), np.array(squares))
    plain = fit_discriminant(scores, genres)
    assert np.allclose(ours.weights, plain.weights)
    assert np.allclose(ours.offsets, plain.offsets)


def test_even_values_place_as_all_values_do() -> None:
    dice = np.random.default_rng(3)
    values = np.round(dice.normal(size=5_000), 2)
    values[::10] = np.nan
    all_of_them = of_profiles("a", [{"x": None if np.isnan(v) else v} for v in values], [""] * len(values), axes=["x"])
    few = even_values(values, 200)
    short = of_profiles("b", [{"x": None if np.isnan(v) else v} for v in few], [""] * 200, axes=["x"])
    asked = np.linspace(-3, 3, 61)[:, None]
    assert np.abs(all_of_them.shares(asked) - short.shares(asked)).max() <= 0.5 / 180 + 0.5 / 180


def test_a_small_cloud_by_partitions_places_as_the_whole_does(music: Path, serial: Path) -> None:
    cloud = load_cloud(serial)
    assert len(cloud.genres) == 18  # fewer songs than places: every value is kept
    assert cloud.classifier is not None
    assert cloud.classifier.genres == ("folk", "jazz")


def test_a_copy_is_found_in_a_large_cloud(music: Path, serial: Path) -> None:
    piece = transpose(read(music / "folk" / "t004.mid"), 4)
    told = original(piece, cloud=str(serial))
    assert told.count == 18
    assert (told.songs[0].name, told.songs[0].transposition, told.songs[0].share) == ("folk/t004.mid", 4, 1.0)
    assert not told.passed
    assert describe_cloud(serial)["songs"] == 18
    left_out = load_index(serial)
    assert left_out is not None
    assert left_out.nearest(piece, 1, without=[told.songs[0].song])[0].name != "folk/t004.mid"


def deadly(task: Task) -> bytes:
    """Measure, unless one of the files is the one that takes its process down."""
    if any("t003" in song.path for song in task.songs):
        os._exit(9)
    return measure_task(task)


def test_a_file_that_kills_its_process_is_told_and_costs_no_other(
    music: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libretto.corpus.scale import running
    from libretto.corpus.scale.places import find_place
    from libretto.corpus.scale.plan import make_plan, tasks

    plan = make_plan(find_place(music), tmp_path / "p", size=11, depth="axes")
    monkeypatch.setattr(running, "measure_task", deadly)
    results = list(engines["processes"](deadly, tasks(plan, tmp_path / "p", [0, 1]), Means(2)))
    dead = [task for task, data in results if data is None]
    assert len(results) == 2
    assert len(dead) == 1
    whole = _one_by_one(dead[0], engines["processes"], Means(2))
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(join_encoded([whole])))
    refused = dict(zip(table["file"].to_pylist(), table["refused"].to_pylist(), strict=True))
    assert [file for file, why in refused.items() if why == DIED] == ["jazz/t003.mid"]
    assert len(refused) == len(dead[0].songs)
