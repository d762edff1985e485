"""A contract is corrected in a run: by its file or in words, with nothing lost; and folders are named after titles."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto.agents import run_task
from libretto.agents.composer import Scripted
from libretto.agents.correct import begun_in, read_correction
from libretto.agents.folder import free_folder
from libretto.contract import Contract
from libretto.contract.amending import corrected_by
from libretto.errors import LibrettoError
from libretto.house.drafting import House
from libretto.tasks import compose_task

BRIEF = "A waltz in D minor for piano over 16 bars"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "waltz"
    run_task(compose_task(BRIEF), House(0), rounds=1, folder=folder)
    return folder


def test_words_correct_a_contract(run: Path) -> None:
    correction = read_correction(run, "in 24 bars and in E minor")
    assert correction.task.contract.bars == 24
    assert str(correction.task.contract.key) == "E minor"
    assert str(correction.task.contract.meter) == "3/4"
    assert {line.partition(":")[0] for line in correction.changes} == {"bars", "key"}
    assert correction.folder.parent == run


def test_the_file_corrects_a_contract(run: Path) -> None:
    file = run / "contract.toml"
    before = file.read_text(encoding="utf-8")
    try:
        file.write_text(before.replace("bars = 16", "bars = 20"), encoding="utf-8")
        correction = read_correction(run)
        assert correction.changes == ("bars: 16 -> 20",)
        made = run_task(correction.task, House(0), rounds=1, folder=correction.folder)
        assert made.score is not None
        assert made.score.bars == 20
        assert (run / "best.libretto").is_file()
        assert read_correction(run, "24 bars").folder.name == "correction-2"
    finally:
        file.write_text(before, encoding="utf-8")


def test_nothing_to_correct_is_said(run: Path) -> None:
    with pytest.raises(LibrettoError, match="nothing is corrected"):
        read_correction(run)
    with pytest.raises(LibrettoError, match="nothing is corrected"):
        read_correction(run, "the smell of fresh paint on a door")


def test_a_model_goes_on_from_the_best_draft(run: Path, tmp_path: Path) -> None:
    correction = read_correction(run, "24 bars")
    better = run_task(correction.task, House(0), rounds=1).best.draft.text
    made = run_task(
        correction.task, Scripted([better, better]), rounds=2, folder=tmp_path / "on", begun=correction.begun
    )
    assert [one.draft.text for one in made.rounds] == [correction.begun, better]
    assert made.rounds[0].receipt is not None
    assert not made.rounds[0].receipt.passed
    assert begun_in(tmp_path / "on") == correction.begun


def test_drums_that_are_taken_back_leave_the_parts() -> None:
    contract = Contract.from_brief("A rock song for electric guitar, bass guitar and drums in A minor")
    without = corrected_by(contract, Contract.from_brief("no drums please"))
    assert without.drums is False
    assert [part.name for part in without.parts] == [part.name for part in contract.parts if not part.drums]


def test_a_folder_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    first, second = compose_task(BRIEF), compose_task(BRIEF.replace("D minor", "E minor"))
    base = tmp_path / "waltz"
    assert free_folder(base, first, "house", 0) == base
    run_task(first, House(0), rounds=1, folder=base)
    assert free_folder(base, first, "house", 0) == base, "the same run is found again"
    assert free_folder(base, second, "house", 0) == tmp_path / "waltz-2"
    assert free_folder(base, first, "house", 1) == tmp_path / "waltz-2"
