"""A question put to a person in a terminal, or to a file of answers: heard or shown, answered, explained, kept."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.tasks.training import Course, Item, Reply
    from libretto.workspace import Workspace

__all__ = ["Sounds", "Talk"]

_AGAIN, _SHOW, _SKIP, _QUIT = ("", "again"), ("show",), ("skip",), ("quit", "exit")


class Sounds:
    """How questions are heard: played where this machine can, else written to a folder; or not at all."""

    def __init__(self, wanted: bool, aloud: bool, output: str | None, folder: Path) -> None:
        self.wanted = wanted
        self.folder = Path(output) if output else folder
        self.kept = output is not None
        self.player = self._player() if wanted and aloud else None

    @staticmethod
    def _player() -> tuple[str, ...] | None:
        from importlib.util import find_spec

        from libretto.sound.audio import find_player

        return find_player() if find_spec("midirenderer") is not None else None

    def hear(self, item: Item, number: int) -> str:
        """Let a question sound, once; a line that says where its file lies, or why there is none, where it did not."""
        from libretto.cli.waiting import waiting

        if not self.wanted:
            return ""
        said = ""
        if self.kept or self.player is None:
            said = f"it is in {self._written(item, number)}"
        if self.player is None:
            return said
        from libretto.renderings import Options, render
        from libretto.sound.audio import play_sound

        try:
            with waiting("making the sound"):
                wav = render(item.played, "wav", Options())
            play_sound(wav, self.player)
        except LibrettoError as error:
            self.player, self.wanted = None, self.kept
            return f"{error}; from here on the notation is shown"
        return said

    def _written(self, item: Item, number: int) -> Path:
        """The question as a file: WAV where sound can be made, else MIDI."""
        from libretto.cli.waiting import waiting
        from libretto.formats import write, write_bytes
        from libretto.renderings import Options, render

        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{number:02d}-{item.kind}.wav"
        try:
            with waiting("making the sound"):
                write_bytes(render(item.played, "wav", Options()), path, force=True)
        except LibrettoError:  # the extra or the font is not there
            path = path.with_suffix(".mid")
            write(item.played, path, force=True)
        return path


class Talk:
    """Questions and answers, one after the other; answers come from a person, or from lines that are given."""

    def __init__(
        self,
        course: Course,
        workspace: Workspace | None,
        learner: str,
        sounds: Sounds,
        lines: list[str] | None,
        json: bool,
    ) -> None:
        self.course, self.workspace, self.learner, self.sounds = course, workspace, learner, sounds
        self.lines = lines
        self.json = json
        self.asked = self.right = 0
        self.score = 0

    def begin(self) -> None:
        """Say where the record is."""
        if self.workspace is not None and not self.json:
            from libretto.workspace.learners import learner_file

            typer.echo(f"record: {learner_file(self.workspace, self.learner)}", err=True)

    def ask(self) -> bool:
        """One question; False where nobody answers any more."""
        item = self.course.next_item()
        number = self.asked + 1
        if self.json:
            self._out(item.to_dict() | {"number": number, **self._sounded(item, number)})
        else:
            typer.echo(f"\n{number}. {item.given} {item.question}")
            if item.choices:
                typer.echo(f"   {', '.join(item.choices)}")
            self._present(item, number)
        reply = self._answer(item, number)
        if reply is None:
            return False
        self.asked += 1
        self.right += reply.right
        self.score += reply.score
        self._tell(item, reply)
        return True

    def _sounded(self, item: Item, number: int) -> dict[str, Any]:
        told = self.sounds.hear(item, number)
        return {"sound": told} if told else {"notation": item.notation()}

    def _present(self, item: Item, number: int) -> None:
        """Let it sound, else show it."""
        told = self.sounds.hear(item, number)
        if told:
            typer.echo(f"   {told}")
        if not self.sounds.wanted:
            self._show(item.notation())

    @staticmethod
    def _show(rows: list[str]) -> None:
        for row in rows:
            typer.echo(f"   {row}")

    def _answer(self, item: Item, number: int) -> Reply | None:
        """What a person, or the next line, says to a question; None for the end."""
        while True:
            if self.lines is not None:
                if not self.lines:
                    return None
                line = self.lines.pop(0)
            else:
                line = input("> ")
            word = line.strip().casefold()
            if word in _QUIT:
                return None
            if word in _SKIP:
                return self._keep(*self.course.give_up(item, self._now()))
            if self.lines is None and word in (*_AGAIN, *_SHOW):
                if word in _SHOW:
                    self._show(item.notation())
                else:
                    self._present(item, number)
                continue
            try:
                return self._keep(*self.course.take(item, line, self._now(), strict=self.lines is not None))
            except LibrettoError as error:
                typer.echo(f"   {error}", err=True)

    @staticmethod
    def _now() -> str:
        from libretto.workspace.versions import now

        return now()

    def _keep(self, reply: Reply, answer: Any) -> Reply:
        if self.workspace is not None:
            from libretto.workspace.learners import add_answer

            add_answer(self.workspace, self.learner, answer)
        return reply

    def _tell(self, item: Item, reply: Reply) -> None:
        if self.json:
            self._out(reply.to_dict() | {"item": item.name, "solution": item.to_dict(solved=True)})
            return
        for line in reply.lines:
            typer.echo(f"   {line}")
        if not reply.right:
            from libretto.tasks.training.staff import drawn

            self._show(["", "heard:", *item.notation(names=True)])
            if reply.answered is not None:
                self._show(["yours:", *drawn(reply.answered, rhythm=item.kind == "rhythms", names=True)])

    def end(self) -> None:
        """How it went."""
        score = round(self.score / self.asked) if self.asked else 0
        if self.json:
            self._out({"asked": self.asked, "right": self.right, "score": score, "standing": self.course.standing()})
            return
        if not self.asked:
            typer.echo("\nnothing was answered")
            return
        typer.echo(f"\n{self.right} of {self.asked} right; {score} of 100")
        weak = [row for kind in self.course.standing() for row in kind["skills"] if row["strength"] < 1]
        for row in weak[:3]:
            typer.echo(f"  comes back soon: {row['words']} ({row['right']} of {row['asked']} right)")

    def _out(self, data: dict[str, Any]) -> None:
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        sys.stdout.flush()
