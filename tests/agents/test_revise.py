"""Talking back: words become wishes, wishes are granted so that an ear notices, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libretto.agents import compose, composer, run_task
from libretto.agents.revise import load_taste, read_revision, remember, switch_taste
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.house.core.controls import Controls, leaning
from libretto.score import Score
from libretto.tasks import Wish, compose_task, read_wishes, revise_task
from libretto.tasks.revise.task import strayed

BRIEF = (
    "A cheerful pop song in C major over 48 bars for flute, piano, guitar, bass and drums, verse chorus bridge chorus."
)


@pytest.fixture(scope="module")
def piece() -> Score:
    score = compose(BRIEF, seed=0, rounds=1).score
    assert score is not None
    return score


def read(words: str, score: Score) -> list[tuple[str, int]]:
    return [(wish.quality, wish.way) for wish in read_wishes(words, score)[0]]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("the melody is too cheerful", [("mood", -1)]),
        ("a darker ending", [("mood", -1)]),
        ("busier drums and softer piano", [("busy", 1), ("loudness", -1)]),
        ("the bass is boring", [("variety", 1)]),
        ("the flute is not high enough", [("height", 1)]),
        ("not so fast", [("speed", -1)]),
        ("less repetitive", [("variety", 1)]),
        ("too many notes in the drums", [("busy", -1)]),
        ("up a tone", [("key", 1)]),
        ("in E minor", [("key", 1)]),
        ("flute instead of guitar", [("instrument", 1)]),
    ],
)
def test_words_mean_wishes(words: str, meant: list[tuple[str, int]], piece: Score) -> None:
    assert read(words, piece) == meant


def test_what_is_not_understood_is_handed_back(piece: Score) -> None:
    wishes, unread = read_wishes("a darker bagpipe solo in the coda of bar 900, frobnicate the widget", piece)
    assert "frobnicate the widget" in unread
    assert not [wish for wish in wishes if wish.last > piece.numbers[-1]]


@pytest.mark.parametrize(
    "words",
    [
        "a darker ending",
        "softer piano in bars 9-16",
        "busier drums",
        "faster",
        "the flute an octave lower",
        "smoother melody",
    ],
)
def test_the_house_grants_a_wish_and_touches_nothing_else(words: str, piece: Score) -> None:
    wishes, unread = read_wishes(words, piece)
    assert wishes, unread
    run = run_task(revise_task(piece, wishes), composer("house"), rounds=3)
    assert run.passed, run.best.feedback
    assert run.score is not None
    assert run.score != piece
    assert strayed(run.task, run.score) == []  # type: ignore[arg-type]


def test_a_change_outside_the_wish_is_noticed(piece: Score) -> None:
    task = revise_task(piece, [Wish("loudness", -1, ("Piano",), 9, 16)])
    other = run_task(revise_task(piece, [Wish("loudness", -1, ("Piano",), 9, 17)]), composer("house"), rounds=1).score
    assert other is not None
    assert not task.judge(other).outcomes["outside"].passed


def test_a_run_is_revised_from_its_last_revision(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    compose("A waltz in G major over 16 bars for piano and violin.", seed=1, rounds=1, folder=folder)
    for number, words in enumerate(("slower", "slower still"), start=1):
        reading = read_revision(folder, words)
        assert reading.folder == folder / f"revision-{number}"
        assert reading.task is not None
        run = run_task(reading.task, composer("house"), folder=reading.folder)
        assert run.passed, run.best.feedback


def test_a_piece_that_is_no_run_can_be_revised(piece: Score, tmp_path: Path) -> None:
    write(piece, tmp_path / "song.mid")
    reading = read_revision(tmp_path / "song.mid", "a softer ending")
    assert reading.task is not None
    assert run_task(reading.task, composer("house")).passed
    with pytest.raises(LibrettoError, match="neither"):
        read_revision(tmp_path / "nothing", "softer")


def test_taste_is_counted_read_and_switched_off(tmp_path: Path) -> None:
    file = tmp_path / "taste.toml"
    assert remember([Wish("busy", -1)], file) is None, "it is off until somebody switches it on"
    switch_taste(True, file)
    for _ in range(2):
        remember([Wish("busy", -1)], file)
    assert load_taste(file).leanings == {"busy": -1}
    assert leaning(Controls(), {"busy": -1}).density < 0
    switch_taste(False, file)
    assert load_taste(file).leanings == {}
    assert load_taste(file).asked["busy"] == (0, 2)
    assert remember([Wish("busy", -1)], file) is None
    file.write_text("on = [")
    with pytest.raises(LibrettoError, match=r"taste\.toml"):
        load_taste(file)


def test_a_taste_is_part_of_what_was_asked() -> None:
    task = compose_task(contract=Contract(bars=16), genre="folk_country")
    assert "taste" not in task.asked()
    leant = replace(task, taste={"busy": -1})
    assert leant.asked()["taste"] == {"busy": -1}
    first, other = (run_task(each, composer("house", 4), rounds=1).score for each in (task, leant))
    assert first is not None
    assert other is not None
    assert len(other.table) < len(first.table)


def test_a_model_revises_by_patches(piece: Score) -> None:
    wishes = [Wish("speed", -1, (), 1, piece.numbers[-1]), Wish("busy", 1, ("Drums",), 9, 16)]
    run = run_task(revise_task(piece, wishes), composer("scripted"), rounds=2)
    assert run.score is not None
    assert strayed(run.task, run.score) == []  # type: ignore[arg-type]
    assert run.passed, run.best.feedback
    assert run.cost.tokens_out > 0
    plain = run_task(revise_task(piece, wishes[:1]), composer("scripted"), rounds=1)
    assert plain.passed
    assert plain.cost.tokens_out == 0  # what needs no notes is asked of no model


def test_a_model_is_asked_what_the_lexicon_does_not_know(piece: Score, tmp_path: Path) -> None:
    from libretto.agents.revise import wishes_in
    from libretto.models.client import clients
    from libretto.models.ledger import Ledger

    script = tmp_path / "script.txt"
    script.write_text(
        "Here you are:\nWISH mood less voices all bars 9-16\nWISH mood less voices Tuba bars 1-2\nWISH x\n"
    )
    write(piece, tmp_path / "song.libretto")
    ledger = Ledger(clients["scripted"](str(script), 0, ""))
    reading = read_revision(tmp_path / "song.libretto", "more like a rainy sunday", ledger=ledger)
    assert reading.task is not None
    assert [(wish.quality, wish.way, wish.first, wish.last) for wish in reading.task.wishes] == [("mood", -1, 9, 16)]
    assert not reading.unread
    assert wishes_in("WISH mood less voices all bars 1-9999", piece) == []


def test_a_darker_ending_is_spelled_in_its_own_key(piece: Score) -> None:
    run = run_task(revise_task(piece, [Wish("mood", -1, (), 41, 48)]), composer("house"), rounds=1)
    assert run.score is not None
    assert str(run.score.keys[-1][1]) == "C minor"
    assert not [label for cell in run.score.chords[40:] for label in cell if label[1:2] == "#"]
