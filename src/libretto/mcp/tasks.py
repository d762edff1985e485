"""The tools of tasks: task, submit; and the songs that tasks are made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.mcp.answers import voices_told
from libretto.mcp.asked import RUNS, round_told, run_folder
from libretto.mcp.desk import LONGEST_HANDLE, Answer, Desk, bounded, say, tools
from libretto.mcp.pieces import MOST_TEXT
from libretto.score import Score
from libretto.tasks import RevisionTask, Task
from libretto.workspace import check_name, handle, inside, is_handle, name_for, split_handle

__all__ = ["MOST_WORDS", "handing_in", "words_of"]

#: The longest argument of a task, in characters.
MOST_WORDS = 8_000
_MOST_PAGE, _MOST_PATH, _SHOWN_PATH, _LONGEST_KIND, _LONGEST_NAME = 12_000, 1_000, 80, 80, 40  # characters
_MOST_ARGUMENTS = 20
_GRAMMAR = re.compile(r"^## How to write it\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def words_of(desk: Desk, words: Sequence[str]) -> list[str]:
    """The words of a task as it takes them: handles become files of their versions, files must lie in the workspace."""
    return [_word(desk, bounded(word, MOST_WORDS, "an argument")) for word in words]


def _word(desk: Desk, word: str) -> str:
    if is_handle(word):
        return str(_song(desk, *split_handle(word)))
    if len(word) >= _MOST_PATH or "\n" in word or "\0" in word:
        return word
    if _is_file(desk.workspace.root / word):
        place = inside(desk.workspace.root, word)
        return str(place) if place.suffix else word
    if _is_file(Path(word)):
        raise LibrettoError(f"{word[:_SHOWN_PATH]!r} is not inside the workspace; name a file in {desk.workspace.root}")
    return word


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _song(desk: Desk, name: str, number: int | None) -> Path:
    """A version as a file that never changes."""
    version = desk.workspace.version(name, number)
    path = desk.workspace.folder / "songs" / f"{name}-{version.number}.libretto"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(desk.workspace.text(name, version.number).encode(), path, force=True)
    return path


def handing_in() -> str:
    """What the page of a task ends with where drafts are handed in by tools."""
    page = files("libretto.mcp").joinpath("handing_in.md").read_text(encoding="utf-8")
    return page.partition("\n")[2].strip()


@tools.register("task")
def _task(desk: Desk, kind: str, arguments: list[str], options: dict[str, Any] | None = None, run: str = "") -> Answer:
    """Start a run of a task: kind compose (arguments: [brief], options: genre, bars, key, tempo, meter), morph ([song
    or genre, song or genre], bars) or another of guide(topic="tasks"). A song is a handle such as waltz@3, or a file
    in the workspace. Answers with the page to read, and a piece to write into, with its voices and sections; hand in
    with submit."""
    from libretto.agents import start_run
    from libretto.contract import contract_to_toml, frame
    from libretto.tasks import make_prompt, make_task

    say("making the task")
    chosen = options or {}
    if max(len(arguments), len(chosen)) > _MOST_ARGUMENTS:
        raise LibrettoError(f"a task has at most {_MOST_ARGUMENTS} arguments and {_MOST_ARGUMENTS} options")
    settings = dict(zip(chosen, words_of(desk, [str(value) for value in chosen.values()]), strict=True))
    made = make_task(bounded(kind, _LONGEST_KIND, "kind"), words_of(desk, arguments), settings)
    name = check_name(run) if run else _fresh(desk, name_for(kind)[:_LONGEST_NAME])
    start_run(made, run_folder(desk, name), handing_in())
    page = make_prompt(made, answer=handing_in())
    short = _GRAMMAR.sub("", page)
    context = getattr(made, "context", None)
    log = desk.workspace.log(name)
    if not log:
        begun = context if isinstance(context, Score) else frame(made.contract)
        about = {"run": name}
        if begun is not context:
            about |= {"brief": made.brief, "genre": made.genre, "contract": contract_to_toml(made.contract)}
        desk.workspace.save(name, begun, author="task", time=desk.now(), message=made.brief, base=0, about=about)
    data: dict[str, Any] = {"run": name, "brief": made.brief, "piece": handle(name, len(log) or 1), **_read(made)}
    data |= _frame(desk.workspace.score(name))
    cut = {"cut": f"the whole page is {RUNS}/{name}/prompt.md"} if len(short) > _MOST_PAGE else {}
    return {**data, "page": short[:_MOST_PAGE], **cut}


def _frame(score: Score) -> dict[str, Any]:
    """The piece that is written into: its bars, its sections by the bars in which they begin, and its voices."""
    told: dict[str, Any] = {"bars": score.bars}
    if score.sections:
        told["sections"] = {str(score.numbers[score.bar_at(tick)]): name for tick, name in score.sections}
    return told | {"voices": voices_told(score)}


def _read(made: Task) -> dict[str, list[str]]:
    """What of the words was understood and assumed, and word for word what was not."""
    contract = made.contract
    told = {"understood": contract.heard, "assumed": contract.assumed, "not_understood": contract.unread}
    if isinstance(made, RevisionTask):
        told = {"understood": tuple(wish.text for wish in made.wishes), "not_understood": made.unread}
    return {name: list(lines) for name, lines in told.items() if lines}


def _fresh(desk: Desk, name: str) -> str:
    """A name that no piece and no run has."""
    number = 1
    while desk.workspace.log(f"{name}-{number}") or (desk.workspace.root / RUNS / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"


@tools.register("submit")
def _submit(desk: Desk, run: str, piece: str = "", text: str = "") -> Answer:
    """Hand in a draft of a run, a handle or a text; answers whether it passes and what to change. The best is kept."""
    from libretto.agents import submit_draft

    if bool(piece) == bool(text):
        raise LibrettoError("hand in a piece (a handle) or a text, one of them")
    if piece:
        name, number = split_handle(bounded(piece, LONGEST_HANDLE, "piece"))
        text = desk.workspace.text(name, number)
    say("judging")
    done = submit_draft(run_folder(desk, run), bounded(text, MOST_TEXT, "text"), desk.shown)
    last = done.rounds[-1]
    told: Answer = {"run": run, "round": last.number, **round_told(last)}
    file = {"file": f"{RUNS}/{run}/best.libretto"} if done.score is not None else {}
    return told | {"best": done.best.number, "best_passed": done.passed} | file
