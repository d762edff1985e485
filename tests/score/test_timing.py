"""Bars that do not fill their meter: found in every form, and nothing found where there is a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.contract import Contract, receipt
from libretto.formats import formats
from libretto.formats.abc.timing import tune_timing
from libretto.grammar import notate, parse
from libretto.score.timing import odd_bars

HEAD = "X:1\nT:a\nM:4/4\nL:1/4\nK:C\n"


def tune(music: str) -> bytes:
    return (HEAD + music).encode()


def test_a_bar_of_five_and_one_of_three_are_found() -> None:
    data = tune("C D E F|G A B c d|c B A|G2 C2|\n")
    score = formats["abc"].decode(data)
    assert [odd.text for odd in odd_bars(score)] == [
        "bar 2 has 5 beats and the meter 4/4 wants 4",
        "bar 3 has 3 beats and the meter 4/4 wants 4",
    ]
    assert odd_bars(parse(notate(score))) == odd_bars(score)
    assert tune_timing(data).lines == tuple(odd.text for odd in odd_bars(score))


@pytest.mark.parametrize(
    "music",
    [
        "C D E F|G A B c|\n",
        "G|C D E F|G A B|\n",  # a pickup, and the last bar that makes it whole
        "|:G|C D E F|G A B:|:c|d c B A|G A B:|\n",  # bars in two halves round a repeat
        "M:3/4\nC D E|F G A|\n",
        "C D E F|[M:3/4] C D E|[M:4/4] C4|\n",
    ],
)
def test_what_has_a_reason_is_no_fault(music: str) -> None:
    assert odd_bars(formats["abc"].decode(tune(music))) == ()
    assert tune_timing(tune(music)).faults == 0


def test_voices_out_of_step_are_found_voice_by_voice() -> None:
    timing = tune_timing(tune("V:1\nC D E F|G A B|c4|\nV:2\nC,4|G,4|\n"))
    assert timing.lines == (
        "bar 2 (voice 1) has 3 beats and the meter 4/4 wants 4",
        "bar 2: the voices are not equally long",
        "voice 2 has 2 bars and the longest voice 3",
    )
    assert timing.faults == 3


def test_check_and_receipt_say_so(tmp_path: Path) -> None:
    data = tune("C D E F|G A B c d|c B A|G2 C2|\n")
    (tmp_path / "a.abc").write_bytes(data)
    (tmp_path / "a.libretto").write_text(notate(formats["abc"].decode(data)))
    for name in ("a.abc", "a.libretto"):
        said = CliRunner().invoke(app, ["check", str(tmp_path / name)])
        assert "timing: bar 2 has 5 beats" in said.stdout
        assert "fine" not in said.stdout
    checked = receipt(Contract.from_brief("A piece in C major over 4 bars."), formats["abc"].decode(data))
    (check,) = [check for check in checked.checks if check.clause == "timing"]
    assert check.passed is False
    assert check.bars == (2, 3)
    good = receipt(Contract.from_brief("A piece in C major."), formats["abc"].decode(tune("C D E F|G2 C2|\n")))
    assert [check.passed for check in good.checks if check.clause == "timing"] == [None]
