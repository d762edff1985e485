"""The gallery of four applications: whole, self-contained, the same for the same seed, and careful with files."""

from __future__ import annotations

import base64
import json
import re
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import mido
import pytest
import typer
from tunes import tune
from typer.testing import CliRunner, Result

from libretto import read, write
from libretto.cli.bench import bench_app
from libretto.errors import FileExists, LibrettoError
from libretto.report.gallery import NAMES, our_song

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


def gallery(*arguments: str | Path) -> Result:
    root = typer.Typer()
    root.add_typer(bench_app)
    return CliRunner().invoke(root, ["bench", "gallery", "--rounds", "1", *map(str, arguments)])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("gallery") / "new"
    return folder, gallery("-o", folder, "--json")


def test_the_song_is_the_example() -> None:
    assert our_song() == read(EXAMPLE)


def test_all_four_are_told_and_written(made: tuple[Path, Result]) -> None:
    folder, done = made
    told = json.loads(done.stdout)["exhibits"]
    assert [one["name"] for one in told] == list(NAMES)
    assert done.exit_code == (0 if all(one["passed"] for one in told) else 1)
    for one in told:
        said = one["said"][0]
        assert said.startswith("passes" if one["passed"] else "does not pass"), said
    assert any("answer overlap" in line for line in told[0]["said"])
    for name in NAMES:
        assert any(message.type == "note_on" for message in mido.MidiFile(folder / f"{name}.mid"))
        assert ElementTree.parse(folder / f"{name}.musicxml").getroot().find(".//note") is not None


def test_only_the_gap_of_the_song_is_new(made: tuple[Path, Result]) -> None:
    filled, song = read(made[0] / "gap.libretto"), our_song()
    first, last = map(int, re.findall(r"\d+", json.loads(made[1].stdout)["exhibits"][0]["asked"])[:2])
    low, high = song.bar_lines[song.numbers.index(first)], song.bar_lines[song.numbers.index(last) + 1]

    def outside(score: object) -> list[tuple[int, ...]]:
        table = score.table  # type: ignore[attr-defined]
        rows = zip(table["voice"].tolist(), table["onset"].tolist(), table["pitch"].tolist(), strict=True)
        return sorted(row for row in rows if not low <= row[1] < high)

    assert outside(filled) == outside(song)
    assert filled != song


def test_the_page_holds_every_picture_and_fetches_nothing(made: tuple[Path, Result]) -> None:
    folder = made[0]
    page = (folder / "gallery.html").read_text(encoding="utf-8")
    sources = re.findall(r'src="([^"]*)"', page)
    head = "data:image/svg+xml;base64,"
    assert all(source.startswith(head) for source in sources)
    drawn = {base64.b64decode(source.removeprefix(head)) for source in sources}
    there = {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    assert drawn == set(there.values())
    names = {"gap-triptych.svg", "morph-curve.svg", *(f"{name}-roll.svg" for name in NAMES)}
    if find_spec("verovio") is not None:
        names |= {f"{name}-score.svg" for name in NAMES}
    assert set(there) == names
    for data in there.values():
        assert ElementTree.fromstring(data).tag.endswith("svg")
    assert "http://" not in page
    assert "https://" not in page
    links = re.findall(r'href="([^"]*)" download', page)
    assert len(links) == 3 * len(NAMES)
    assert all((folder / link).is_file() for link in links)


def test_the_same_seed_gives_the_same_bytes(made: tuple[Path, Result], tmp_path: Path) -> None:
    gallery("-o", tmp_path)
    files = {path.name: path.read_bytes() for path in made[0].iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    (tmp_path / "drill.mid").write_bytes(b"mine")
    done = gallery("-o", tmp_path)
    assert isinstance(done.exception, FileExists)
    assert [path.name for path in tmp_path.iterdir()] == ["drill.mid"]


def test_a_song_that_is_too_short_or_not_there_is_one_line(tmp_path: Path) -> None:
    write(tune(1, bars=8), tmp_path / "short.mid")
    for song, said in (("short.mid", "8 bars"), ("none.mid", "none.mid")):
        done = gallery("-o", tmp_path / "out", "--song", tmp_path / song)
        assert isinstance(done.exception, LibrettoError)
        assert said in str(done.exception)
        assert not (tmp_path / "out").exists()
