"""What an installed package brings is there like ours: ``plugin_example`` has one thing of every kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent / "plugin_example"
SOURCE = Path(__file__).parents[1] / "src"
#: For every kind: an expression for the names there are, and the name that the example brings.
KINDS = {
    "axes": ("libretto.axes", "axes", "example_notes"),
    "gates": ("libretto.gates", "gates", "example"),
    "formats": ("libretto.formats", "formats", "example"),
    "ears": ("libretto.listen", "ears", "example"),
    "styles": ("libretto.house.core.style", "style_names()", "example_bells"),
    "pieces": ("libretto.house.repertoire.catalogue", "piece_names()", "example-bellfounder"),
    "concepts": ("libretto.knowledge", "all_concepts()", "theory/example-step"),
    "teams": ("libretto.agents.teams", "team_names()", "example-duo"),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the example is installed: a hand-made dist-info lies beside it on the path."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "libretto_example-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: libretto-example\nVersion: 1.0\n", encoding="utf-8")
    groups = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    lines = [line for group in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in groups[group].items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = os.pathsep.join(map(str, (SOURCE, EXAMPLE, folder)))
    return {**os.environ, "PYTHONPATH": path, "LIBRETTO_HOME": str(folder / "home")}


def run(code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_package_brings_is_found(kind: str, installed: dict[str, str]) -> None:
    module, names, wanted = KINDS[kind]
    code = f"import json, {module} as room; print(json.dumps(sorted(room.{names})))"
    known = json.loads(run(code, installed))
    assert wanted in known
    assert len(known) > 1, "ours are there as well"


def test_an_axis_of_a_package_is_measured_and_its_gate_judges(installed: dict[str, str]) -> None:
    code = """
from libretto import judge, measure, parse
head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 2\\nVOICES: A\\n"
song = parse("TITLE: Two\\n" + head + "@1 [C]\\nA: C4@1>2 E4@4>1\\n@2 [C]\\nA: C4@1>8")
print(measure(song)["example_notes"], "example" in judge(song, original=False).outcomes)
"""
    assert run(code, installed).split() == ["3.0", "True"]


def test_without_the_package_nothing_of_it_is_there() -> None:
    from libretto.axes import axes

    assert "example_notes" not in axes


_BROKEN = "raise OSError('no such device')\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_plugin_that_fails_to_load_is_named_and_left_out(kind: str, tmp_path: Path) -> None:
    """Ours are still there, and one warning names the package, the entry and the group."""
    module, names, _ = KINDS[kind]
    group = f"libretto.{kind}"
    info = tmp_path / "libretto_broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: libretto-broken\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\nfaulty = broken_plugin\n", encoding="utf-8")
    (tmp_path / "broken_plugin.py").write_text(_BROKEN, encoding="utf-8")
    home = {"LIBRETTO_HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join((str(SOURCE), str(tmp_path)))}
    code = f"import json, {module} as room; print(json.dumps(sorted(room.{names})))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **home}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout), "ours are there"
    for word in ("'faulty'", "libretto-broken", group, "left out", "no such device"):
        assert word in done.stderr
