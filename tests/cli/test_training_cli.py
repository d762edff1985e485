"""Training as a person meets it: at a terminal, from a file, through a pipe; with a player and without sound."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.tasks.training import Course, item_of

RUNNER = CliRunner()
PATIENCE = 40  # seconds


def train(place: Path, *words: str, given: str | None = None) -> list[dict[str, object]]:
    done = RUNNER.invoke(app, ["train", *words, "--workspace", str(place), "--json"], input=given)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_answers_of_a_file_are_compared_and_kept(tmp_path: Path) -> None:
    course, lines = Course(["intervals", "melodies"], seed=5), []
    for _ in range(6):
        item = course.next_item()
        lines.append(item.answer)
        course.take(item, item.answer)
    (tmp_path / "answers.txt").write_text("\n".join(lines))
    words = ("intervals", "melodies", "--seed", "5", "--answers", str(tmp_path / "answers.txt"))
    told = train(tmp_path, *words, "--count", "6")
    assert told[-1]["asked"] == told[-1]["right"] == 6
    record = tmp_path / ".libretto" / "learners" / "me.jsonl"
    kept = [json.loads(line) for line in record.read_text().splitlines()]
    assert [row["skill"].partition("/")[0] for row in kept] == ["intervals", "melodies"] * 3
    assert {row["score"] for row in kept} == {100}
    again = train(tmp_path, *words, "--count", "6")
    assert again[0]["item"] != told[0]["item"], "the record decides what comes next"
    assert len(record.read_text().splitlines()) == 12


def test_the_same_record_and_seed_give_the_same_lines(tmp_path: Path) -> None:
    one, two = (train(tmp_path / name, "--count", "7", given="P5\nmajor\nC D E\nI V I\nq q q q\n") for name in "ab")
    assert one == two
    assert one[-1]["asked"] == 5, "the pipe ends"
    assert (tmp_path / "a" / ".libretto" / "learners" / "me.jsonl").is_file()


def test_nothing_is_kept_where_nothing_should_be(tmp_path: Path) -> None:
    told = train(tmp_path, "chords", "--forget", "--count", "2", given="major\nskip\n")
    assert told[-1]["asked"] == 2
    assert not (tmp_path / ".libretto").exists()


def test_a_question_does_not_tell_its_answer(tmp_path: Path) -> None:
    told = train(tmp_path, "--count", "5", given="skip\n" * 5)
    for row in told[:-1:2]:
        item = item_of(str(row["item"]))
        shown = {name: value for name, value in row.items() if name not in ("item", "choices", "skill", "notation")}
        assert item.about not in json.dumps(shown)
        assert "answer" not in row


def test_text_says_what_it_was_with_notation(tmp_path: Path) -> None:
    done = RUNNER.invoke(app, ["train", "intervals", "--count", "1", "--workspace", str(tmp_path)], input="m2\n")
    assert done.exit_code == 0
    assert "too narrow" in done.stdout
    assert "heard:" in done.stdout
    assert "yours:" in done.stdout
    assert "0 of 1 right" in done.stdout
    shown = RUNNER.invoke(app, ["train", "intervals", "--standing", "--workspace", str(tmp_path)])
    assert re.search(r"P5 up +0 of 1 right", shown.stdout)


@pytest.mark.parametrize(
    ("words", "said"),
    [(["bogus"], "there is no training"), (["--learner", "../x"], "name"), (["--answers", "/none/x"], "cannot read")],
)
def test_what_cannot_be_is_refused(words: list[str], said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "libretto", "train", *words, "--workspace", str(tmp_path)]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, place: Path, *words: str, path: str = "") -> None:
        main, side = pty.openpty()
        command = [sys.executable, "-m", "libretto", "train", *words, "--workspace", str(place)]
        self.process = subprocess.Popen(
            command, stdin=side, stdout=side, stderr=side, start_new_session=True,
            env={**os.environ, "PATH": path or os.environ["PATH"]},
        )  # fmt: skip
        os.close(side)
        self.main, self.said = main, ""

    def until(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.said:
            ready, _, _ = select.select([self.main], [], [], max(0.0, end - time.monotonic()))
            assert ready, self.said
            self.said += os.read(self.main, 4096).decode()

    def write(self, data: bytes) -> None:
        self.said = ""
        os.write(self.main, data)

    def interrupt(self) -> None:
        """As a person does: again if nothing happens, for a signal between prompt and reading is lost."""
        end = time.monotonic() + PATIENCE
        ready: list[int] = []
        while not ready and time.monotonic() < end:
            os.killpg(self.process.pid, signal.SIGINT)
            ready, _, _ = select.select([self.main], [], [], 8)

    def ended(self) -> int:
        status = self.process.wait(PATIENCE)
        os.close(self.main)
        return status


@pytest.mark.parametrize("way", ["end", "interrupt", "quit"])
def test_leaving_a_terminal_keeps_the_record(way: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "intervals", "--no-sound")
    terminal.until("> ")
    terminal.write(b"nonsense\n")
    terminal.until("is no interval")
    terminal.until("> ")
    terminal.write(b"P5\n")
    terminal.until("2. ")
    terminal.until("> ")
    if way == "interrupt":
        terminal.interrupt()
    else:
        terminal.write(b"\x04" if way == "end" else b"quit\n")
    terminal.until("1 of 1 right")
    assert "Traceback" not in terminal.said
    assert terminal.ended() == 0
    record = tmp_path / ".libretto" / "learners" / "me.jsonl"
    assert len(record.read_text().splitlines()) == 1, "what was not understood is asked again and not counted"


def player(place: Path, status: int = 0) -> str:
    """A folder with a player that notes what it is given."""
    place.mkdir()
    file = place / "aplay"
    file.write_text(f'#!/bin/sh\nfor last; do :; done\nhead -c 4 "$last" >> {place}/heard\nexit {status}\n')
    file.chmod(file.stat().st_mode | stat.S_IEXEC)
    return f"{place}:/usr/bin:/bin"


def test_questions_are_played_where_there_is_a_player(tmp_path: Path) -> None:
    pytest.importorskip("midirenderer", reason="needs the extra audio")
    path = player(tmp_path / "bin")
    if subprocess.run(
        ["sh", "-c", "command -v ffplay mpv paplay pw-play"], env={"PATH": path}, check=False, capture_output=True
    ).stdout:
        pytest.skip("another player comes before the pretended one")
    terminal = Terminal(tmp_path, "intervals", "--count", "1", path=path)
    terminal.until("> ")
    assert "---" not in terminal.said, "what is heard is not shown"
    terminal.write(b"again\n")
    terminal.until("> ")
    terminal.write(b"show\n")
    terminal.until("-G--")
    terminal.write(b"P5\n")
    terminal.until("1 of 1 right")
    assert terminal.ended() == 0
    assert (tmp_path / "bin" / "heard").read_text() == "RIFFRIFF"


def test_a_player_that_fails_lets_the_notation_be_shown(tmp_path: Path) -> None:
    pytest.importorskip("midirenderer", reason="needs the extra audio")
    path = player(tmp_path / "bin", status=1)
    if subprocess.run(
        ["sh", "-c", "command -v ffplay mpv paplay pw-play"], env={"PATH": path}, check=False, capture_output=True
    ).stdout:
        pytest.skip("another player comes before the pretended one")
    terminal = Terminal(tmp_path, "intervals", "--count", "1", path=path)
    terminal.until("the notation is shown")
    terminal.until("-G--")
    terminal.write(b"quit\n")
    assert terminal.ended() == 0


def test_files_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    import mido

    told = train(tmp_path, "rhythms", "--count", "1", "-o", str(tmp_path / "sounds"), given="skip\n")
    (file,) = (tmp_path / "sounds").iterdir()
    assert file.name in str(told[0]["sound"])
    assert file.suffix in (".wav", ".mid")
    if file.suffix == ".mid":
        assert mido.MidiFile(file).length > 0
    else:
        assert file.read_bytes()[:4] == b"RIFF"
