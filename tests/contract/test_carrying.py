"""Whether notes carry chords: tunes of our own, and real ones where they lie beside the checkout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.carrying.tunes import read_tunes, taught, wrong_chords
from libretto.contract import Contract, clauses
from libretto.contract.checks.carrying import is_full
from libretto.contract.checks.chords import asked_by_bar
from libretto.score import QUARTER, Note, Score, Voice

BAR = 4 * QUARTER
#: A tune of ours that has no chord under it: skips and steps that say which chord is meant.
TUNE = {
    "C": "E5 D5 C5 G4", "Am": "A4 C5 B4 C5", "F": "A4 C5 F5 E5", "G": "D5 B4 A4 G4",
}  # fmt: skip
ORDER = ["C", "Am", "F", "G", "C", "Am", "F", "G", "C", "F", "G", "C", "Am", "F", "G", "C"]


def tune(order: list[str], labels: list[str] | None = None) -> Score:
    notes = [
        Note.named(pitch, bar * BAR + beat * QUARTER, QUARTER)
        for bar, name in enumerate(order)
        for beat, pitch in enumerate(TUNE[name].split())
    ]
    chords = [(name,) for name in labels] if labels else None
    return Score.build([Voice.of("Flute", notes, 73)], bars=len(order), chords=chords)


def kept(score: Score, asked: list[str]) -> bool | None:
    return clauses["chords"](Contract(chords=tuple(asked)), score).passed


def test_a_tune_alone_implies_its_chords() -> None:
    assert not is_full(tune(ORDER).table)
    assert kept(tune(ORDER), ORDER)
    assert kept(tune(ORDER, ORDER), ORDER)
    assert kept(tune(["C", "Am", "F", "G"] * 4), ["C", "Am", "F", "G"])


@pytest.mark.parametrize("wrong", [ORDER[1:] + ORDER[:1], ORDER[::-1], ["G", "C", "Am", "F"] * 4])
def test_labels_do_not_make_wrong_chords_right(wrong: list[str]) -> None:
    assert kept(tune(ORDER), wrong) is False
    assert kept(tune(ORDER, wrong), wrong) is False


def test_what_is_wrong_is_said_with_its_bars() -> None:
    wrong = ORDER[:4] + ["F", "G", "C", "Am"] * 3
    check = clauses["chords"](Contract(chords=tuple(wrong)), tune(ORDER, wrong))
    assert check.passed is False
    assert check.bars
    assert min(check.bars) > 4


def test_more_chords_than_bars_stand_several_a_bar() -> None:
    assert asked_by_bar(["C", "F", "G", "C"], 2) == [("C", "F"), ("G", "C")]
    assert asked_by_bar(["C"], 0) == []


@pytest.mark.parametrize("name", ["nottingham", "pop909", "pop909_piano"])
def test_real_tunes_keep_their_own_chords_and_no_others(shared: Path, name: str) -> None:
    path = shared / "tunes" / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    tunes = list(read_tunes(path, 130))
    held = [index for index, tune in enumerate(tunes) if not taught(tune.name)]
    own, wrong = [], []
    for index in held:
        score = tunes[index].score
        own.append(kept(score, _a_bar(score, list(score.chords))))
        for labels in wrong_chords(tunes, index).values():
            over = replace(score, chords=tuple(labels))
            wrong.append(kept(over, _a_bar(score, labels)))
    assert sum(map(bool, own)) >= 0.92 * len(own)  # 95 of 100 over all of them; here are some fifty
    assert sum(map(bool, wrong)) <= 0.10 * len(wrong)


def _a_bar(score: Score, labels: list[tuple[str, ...]]) -> list[str]:
    """A chord for every full bar; where none is written the one before goes on."""
    written = [bar[0] for bar in labels[1 - score.first_bar :]]
    first = next(name for bar in labels for name in bar if name != "-")
    chords: list[str] = []
    for name in written:
        chords.append(name if name != "-" else chords[-1] if chords else first)
    return chords
