"""``libretto bench`` as a person meets it: tables, exit codes, plots, nothing heavy before it runs."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from small_clouds import small_cloud
from tunes import tune
from typer.testing import CliRunner, Result

from libretto import write
from libretto.cli.bench import bench_app
from libretto.corpus import Cloud
from libretto.corpus.store import save_cloud
from libretto.errors import FileExists, FormatError


def run(*arguments: str | Path) -> Result:
    root = typer.Typer()
    root.add_typer(bench_app)
    return CliRunner().invoke(root, ["bench", "representation", *map(str, arguments)])


def saved(cloud: Cloud, folder: Path) -> Path:
    save_cloud(folder, cloud)
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(small_cloud(), tmp_path_factory.mktemp("clouds") / "small")


def test_the_tables_are_printed(small: Path) -> None:
    done = run("--cloud", small)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Table 1")
    assert any(line.startswith("Table 2") for line in lines)
    assert "--music FOLDER measures this" in done.stdout
    assert "small-1" in lines[1]
    assert lines[-1].endswith("marks is met")


def test_a_missed_mark_is_exit_code_one(tmp_path: Path) -> None:
    cloud = small_cloud()
    assert cloud.gauges is not None
    order = replace(cloud.gauges.order, fooled=0.5)
    poor = saved(replace(cloud, gauges=replace(cloud.gauges, order=order)), tmp_path / "poor")
    done = run("--cloud", poor, "--json")
    assert done.exit_code == 1
    data = json.loads(done.stdout)
    assert data["passed"] is False
    assert [mark["name"] for mark in data["marks"] if not mark["met"]] == ["random notes pass as songs"]


def test_music_and_plots(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libretto.report.plots.files.draw_all", lambda cloud, pieces: [(pieces[0][0], b"a picture")])
    music, plots = tmp_path / "music", tmp_path / "plots"
    music.mkdir()
    write(tune(1), music / "one.mid")
    done = run("--cloud", small, "--music", music, "--plots", plots, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    lost = next(row for row in data["table_1"] if row["what"] == "non-drum notes lost")
    assert lost["ours"]["music"]["data"] == 0
    assert lost["met"] is True
    assert [path.name for path in plots.iterdir()] == ["small-one.png"]
    again = run("--cloud", small, "--plots", plots)
    assert isinstance(again.exception, FileExists)
    assert not again.stdout
    assert run("--cloud", small, "--music", music, "--plots", plots, "--force").exit_code == 0


def test_bad_input_is_refused_before_anything_is_measured(small: Path, tmp_path: Path) -> None:
    for arguments in (("--cloud", "nowhere"), ("--cloud", small, "--music", tmp_path)):
        done = run(*arguments)
        assert isinstance(done.exception, FormatError)
        assert not done.stdout


def test_nothing_heavy_is_imported_before_it_runs() -> None:
    code = "import sys, libretto.cli.bench\n"
    code += "print([m for m in ('numpy', 'matplotlib', 'libretto.corpus', 'libretto.score') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
