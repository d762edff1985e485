"""A bounded piece of ``make fuzz``: every class of input is read, or refused in one line, within its bounds."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("children with bounds need POSIX", allow_module_level=True)

from fuzzing import children, corpora
from fuzzing.children import Tally, table, try_class

from libretto.errors import LibrettoError

_INPUTS = 100
CLASSES = sorted(corpora.load())


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_read_or_refused(name: str) -> None:
    for needed in {"studio requests": ["starlette"], "tool calls": ["mcp"]}.get(name, []):
        pytest.importorskip(needed)
    tally = try_class(name, range(_INPUTS), seed=3)
    assert tally.faults == []
    assert tally.inputs == _INPUTS
    assert tally.read > 0, "what is never read is not looked into"


def test_the_classes_are_all_there() -> None:
    assert set(CLASSES) >= {
        "text, strict", "text, lenient", "midi", "musicxml", "mxl", "abc", "patches", "briefs", "wishes", "contracts",
        "run folders", "manifests", "clouds", "styles", "teams", "replies", "tool calls", "studio requests",
    }  # fmt: skip


@pytest.fixture
def planted() -> Iterator[None]:
    """A class with a fault of every kind."""

    ways = {random.Random(f"planted 1 {number}").random(): number for number in range(5)}

    def make(chance: random.Random) -> corpora.Call:
        way = ways.get(chance.random())

        def call() -> object:
            if way == 0:
                return len(bytearray(b"x") * (600 << 20))
            if way == 1:
                raise ZeroDivisionError("a fault")
            if way == 2:
                raise LibrettoError("")
            while way == 3:
                pass
            raise LibrettoError("refused as it should be")

        return call

    corpora.CLASSES["planted"] = make
    yield
    del corpora.CLASSES["planted"]


def test_the_harness_notices(planted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_DEADLINE", 2.0)
    tally = try_class("planted", range(5))
    assert (tally.inputs, tally.large, tally.raised, tally.slow) == (5, 1, 2, 1)
    assert "ZeroDivisionError" in " ".join(tally.faults)
    assert "| planted | 5 |" in table([tally])


def test_an_input_is_known_by_its_number() -> None:
    first = [random.Random(f"midi 1 {number}").random() for number in range(3)]
    assert len({*first}) == 3
    assert Tally("x").faults == []


def test_classes_are_named_with_semicolons(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from fuzzing.__main__ import main

    monkeypatch.setattr(sys, "argv", ["fuzzing", "--classes", "midi,abc"])
    with pytest.raises(SystemExit):
        main()
    assert "there is no class 'midi,abc'; there are" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["fuzzing", "--classes", "abc; teams", "--inputs", "1"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert "| abc | 1 |" in (told := capsys.readouterr().out)
    assert "| teams | 1 |" in told


def test_make_fuzz_calls_the_registry() -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    assert "-m fuzzing --inputs" in makefile
