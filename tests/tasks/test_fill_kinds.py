"""Fill, accompany and extend from words: pages, runs by hand, whole songs and fragments, and nothing hidden shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto import write
from libretto.agents import composer, start_run, submit_draft
from libretto.bench.rivals import random_fill
from libretto.cli import app
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.house import compose_score
from libretto.score import Score, take_bars
from libretto.tasks import FillTask, make_prompt, make_task
from libretto.tasks.fill.material import only

WORDS = {
    "fill": {"bars": "9-12"},
    "accompany": {"voice": "Strings", "role": "strings"},
    "extend": {"bars": "4", "at": "end"},
}


@pytest.fixture(scope="module")
def song() -> Score:
    return compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), 3)


@pytest.fixture(scope="module")
def path(song: Score, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("songs") / "hidden-answer.libretto"
    write(song, found)
    return found


@pytest.mark.parametrize("kind", WORDS)
def test_the_page_names_every_gate_and_shows_the_song_around(kind: str, path: Path) -> None:
    task = make_task(kind, [str(path)], WORDS[kind])
    page = make_prompt(task)
    draft = composer("house", 0).draft(task)
    for gate in task.judge(parse(draft.text)).outcomes:
        assert f"- {gate}: " in page
    assert "What must be kept" in page
    assert "The song: G major" in page
    assert page.count("VOICES:") >= 2
    assert task.shown.concepts
    assert all(concept.title in page for concept in task.shown.concepts)


def test_nothing_of_what_is_hidden_is_on_the_page_or_in_the_run(song: Score, path: Path, tmp_path: Path) -> None:
    task = make_task("fill", [str(path)], WORDS["fill"])
    other = tmp_path / "other.libretto"
    write(random_fill(song, [voice.name for voice in song.voices], (8, 11), 1), other)
    assert make_prompt(make_task("fill", [str(other)], WORDS["fill"])) == make_prompt(task)
    start_run(task, tmp_path / "run")
    for file in (tmp_path / "run").iterdir():
        assert "hidden-answer" not in file.read_text(encoding="utf-8")
    given = parse((tmp_path / "run" / "given.libretto").read_text(encoding="utf-8"))
    assert not len(take_bars(given, 9, 12).table)


@pytest.mark.parametrize("kind", WORDS)
def test_a_whole_song_and_what_is_asked_alone_are_judged_alike(kind: str, path: Path, tmp_path: Path) -> None:
    task = make_task(kind, [str(path)], WORDS[kind])
    start_run(task, tmp_path / "run")
    whole = composer("house", 0).draft(task).text
    piece = parse(whole)
    alone = take_bars(piece, task.first, task.last) if isinstance(task, FillTask) else only(piece, ["Strings"])
    first = submit_draft(tmp_path / "run", whole)
    second = submit_draft(tmp_path / "run", notate(alone))
    one, two = (run.rounds[-1] for run in (first, second))
    assert one.verdict is not None
    assert two.verdict is not None
    assert one.handed_in == "the whole song was handed in"
    assert "alone w" in two.handed_in
    assert two.score is not None
    assert two.score.table.tobytes() == piece.table.tobytes()
    assert {n: o.margin for n, o in one.verdict.outcomes.items()} == {
        n: o.margin for n, o in two.verdict.outcomes.items()
    }
    best = parse((tmp_path / "run" / "best.libretto").read_text(encoding="utf-8"))
    assert best.bars == piece.bars


def test_a_fragment_that_does_not_go_in_is_told_why(path: Path, tmp_path: Path) -> None:
    start_run(make_task("fill", [str(path)], WORDS["fill"]), tmp_path / "run")
    text = "KEY: G major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 4\nVOICES: Kazoo[prog=73]\n"
    run = submit_draft(tmp_path / "run", text + "\n".join(f"@{n} [G]\n  Kazoo: G4@1>4" for n in range(1, 5)) + "\n")
    assert "there is no voice 'Kazoo'" in run.rounds[-1].feedback


def test_the_command_line_takes_settings_as_options(path: Path, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(app, ["task", *words])
        if isinstance(done.exception, LibrettoError):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.stdout

    shown = run("fill", str(path), "--bars", "9-12", "--show")
    assert shown == run("fill", str(path), "--set", "bars=9-12", "--show")
    assert shown == run("fill", str(path), "--bars=9-12", "--show")
    assert re.search(r"Bars 9-12 of the song, here numbered from 1", shown)
    run("accompany", str(path), "--voice", "Flute", "--role", "lead", "-o", str(tmp_path / "run"))
    assert "a lead part" in (tmp_path / "run" / "prompt.md").read_text(encoding="utf-8")
    for words, message in (
        (("fill", str(path), "--bars", "--show"), "--bars needs a value"),
        (("fill", str(path), "--show"), "say which bars"),
        (("fill", str(path), "--bars", "9-12", "--role", "bass", "--show"), "no option 'role'"),
        (("fill", "nowhere.mid", "--bars", "9-12", "--show"), "is no file"),
        (("accompany", str(path), "--show"), "say which voice"),
        (("extend", str(path), "--bars", "some", "--show"), "not a whole number"),
    ):
        with pytest.raises(LibrettoError, match=message):
            run(*words)
