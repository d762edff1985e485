"""Run folders: everything a run was asked and did, in plain files, written whole or not at all.

::

    run.json            what was asked: brief, composer, seed, version
    contract.toml       the contract
    round-1.libretto    every draft as it was handed in
    round-1.json        what was said of it, and what it cost
    given.libretto      the music that an answer is written into, where there is one
    shown.json          the music that the composer was shown and must not repeat, where there is any
    begun.libretto      the draft of an earlier run that it goes on from, where it does
    best.libretto       the best draft, once the run is over; where a draft was put into given music, the whole; not
                        there where no draft could be read

A round is there when its ``.json`` is: the draft is written first. Nothing that is there is ever written again; a
draft that was changed by hand afterwards is noticed, not overwritten.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from libretto.contract import Contract, contract_to_toml
from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.formats.files import is_leftover
from libretto.grammar import notate, parse
from libretto.knowledge import Exemplar, Shown, find_concept
from libretto.models.cost import Cost
from libretto.tasks import Draft, Round, Run, Task, compose_task, make_again

__all__ = ["BEGUN", "Recorded", "RunFolder", "free_folder", "read_asked", "recorded_run", "unlike_recorded"]

_MOST = 1_000
_LARGEST = 1e15  # of what is counted: tokens, dollars, seconds
_KIND = "libretto run 1"
_SHOWN = "shown.json"
BEGUN = "begun.libretto"  #: the draft that a run was begun with, where there was one before


class RunFolder:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        task: Task,
        composer: str,
        seed: int,
        files: Mapping[str, bytes] = MappingProxyType({}),
        *,
        settings: Mapping[str, Any] | None = None,
    ) -> RunFolder:
        """The folder of this very run: a new one with those files, or the one it was begun in; another's is refused."""
        folder = cls(Path(path))
        asked = _asked(task, composer, seed) | ({"settings": dict(settings)} if settings else {})
        known = folder.path / "run.json"
        if known.is_file():
            if _json(known) != asked:
                raise LibrettoError(f"{folder.path} holds another run; choose another folder, or remove it")
            return folder
        first = {**_first_files(task), **files}
        if not _is_free(folder.path, first):
            raise LibrettoError(f"{folder.path} is not empty and holds no run; choose another folder")
        folder.path.mkdir(parents=True, exist_ok=True)
        for name, data in first.items():
            write_bytes(data, folder.path / name, force=True)
        write_bytes(_dump(asked), known)
        return folder

    def drafts(self) -> Iterator[Draft]:
        """The drafts of the rounds that are finished, in order."""
        for number in range(1, _MOST):
            told, text = self._files(number)
            if not told.is_file() or not text.is_file():
                return
            data, music = _json(told), read_bytes(text).decode("utf-8", "replace")
            if data.get("sha256") != _digest(music):
                raise LibrettoError(f"{text} was changed after it was judged; move it away to go on with this run")
            cost, notes = data.get("cost", {}), data.get("notes", {})
            if not isinstance(notes, dict) or not isinstance(cost, dict) or not all(map(_is_number, cost.values())):
                raise LibrettoError(f"{told} is not what a run writes: notes and cost; move it away to go on")
            yield Draft(music, notes, Cost(**{name: cost[name] for name in Cost().to_dict() if name in cost}))

    def keep(self, round: Round) -> None:
        """Put a round into the folder: the draft first, then what was said of it."""
        told, text = self._files(round.number)
        write_bytes(round.draft.text.encode(), text, force=True)
        write_bytes(_dump({**round.to_dict(), "sha256": _digest(round.draft.text)}), told, force=True)

    def finish(self, run: Run) -> None:
        """Put the best draft beside the rounds, and say which one it is; one changed by hand is left alone."""
        best, summary = self.path / "best.libretto", self.path / "summary.json"
        if best.is_file() and summary.is_file():
            there = _digest(read_bytes(best).decode("utf-8", "replace"))
            if there != _json(summary).get("sha256"):
                return
        text = run.best.draft.text
        if run.best.score is not None and run.best.handed_in:
            text = notate(run.best.score)
        if run.best.score is not None:  # else there is no piece; what was answered is in its round
            write_bytes(text.encode(), best, force=True)
        data = {"best": run.best.number, "passed": run.passed, "rounds": len(run.rounds), "cost": run.cost.to_dict()}
        data |= {"stopped": run.stopped} if run.stopped else {}
        write_bytes(_dump({**data, "sha256": _digest(text)}), summary, force=True)

    def keep_shown(self, shown: Shown) -> None:
        """Remember what the composer was shown, with all that was remembered before."""
        known = self.shown()
        count = len(known.concepts) + len(known.excerpts)
        known.add(*shown.concepts, *shown.excerpts)
        if len(known.concepts) + len(known.excerpts) > count:
            write_bytes(_dump(_told(known)), self.path / _SHOWN, force=True)

    def shown(self) -> Shown:
        """What the composer of this run was shown, as far as it was remembered."""
        shown, path = Shown(), self.path / _SHOWN
        if not path.is_file():
            return shown
        data = _json(path)
        try:
            shown.add(*(find_concept(str(key)) for key in data["concepts"]))
            for row in data["excerpts"]:
                first, last = row["bars"]
                shown.add(Exemplar(row["name"], row["source"], (int(first), int(last)), parse(row["text"])))
        except (KeyError, TypeError, ValueError, LibrettoError) as error:
            raise LibrettoError(f"{path} is not what a run writes: {' '.join(str(error).split())}") from None
        return shown

    def _files(self, number: int) -> tuple[Path, Path]:
        return self.path / f"round-{number}.json", self.path / f"round-{number}.libretto"


def free_folder(base: Path, task: Task, composer: str, seed: int) -> Path:
    """A folder for a run: that one, or with a number after its name where another run or something else lies there.

    A run that was begun before is found again.
    """
    asked = json.loads(json.dumps(_asked(task, composer, seed)))
    for number in range(1, _MOST):
        path = base if number == 1 else base.with_name(f"{base.name}-{number}")
        if _is_free(path, _first_files(task)):
            return path
        known = path / "run.json"
        if known.is_file() and {name: value for name, value in _json(known).items() if name != "settings"} == asked:
            return path
    raise LibrettoError(f"{base} and {_MOST - 2} folders after it are taken; choose another with -o")


def _first_files(task: Task) -> dict[str, bytes]:
    """What is in the folder of every run before it is said what the run was asked."""
    return {"contract.toml": contract_to_toml(task.contract).encode()}


def _is_free(path: Path, files: Mapping[str, bytes]) -> bool:
    """Whether a run may begin in a place: nothing is there, or what a run that was cut off at once left of itself."""
    if not path.exists():
        return True
    there = [entry for entry in path.iterdir() if not is_leftover(entry)] if path.is_dir() else [path]
    return all(entry.is_file() and files.get(entry.name) == read_bytes(entry) for entry in there)


def _told(shown: Shown) -> dict[str, Any]:
    excerpts = [
        {"name": one.name, "source": one.source, "bars": list(one.bars), "text": notate(one.score)}
        for one in shown.excerpts
    ]
    return {"concepts": [concept.key for concept in shown.concepts], "excerpts": excerpts}


def read_asked(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the run in a folder was asked, as plain data."""
    known = Path(path) / "run.json"
    if not known.is_file():
        raise LibrettoError(f"{path} holds no run; start one by a task")
    asked = _json(known)
    if asked.get("kind") != _KIND:
        raise LibrettoError(f"{path} holds a run that this version does not read")
    return asked


def _asked(task: Task, composer: str, seed: int) -> dict[str, Any]:
    return {"kind": _KIND, **task.asked(), "composer": composer, "seed": seed}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and -_LARGEST < value < _LARGEST


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _dump(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(read_bytes(path))
    except ValueError as error:
        raise LibrettoError(f"{path} is not what a run writes: {error}") from None
    if not isinstance(data, dict):
        raise LibrettoError(f"{path} is not what a run writes")
    return data


_USUAL_ROUNDS = 3
_NOT_SETTINGS = {"kind", "composer", "seed", "settings"}


@dataclass(frozen=True)
class Recorded:
    """What a run was: its task, who composed it and how, how many rounds it took, and whether past one that passed."""

    task: Task
    composer: str
    seed: int
    settings: dict[str, Any]
    rounds: int
    improve: bool = False


def recorded_run(folder: str | os.PathLike[str]) -> Recorded:
    """What the run in a folder was asked, made again with what was shown; refused where that cannot be done."""
    asked = read_asked(folder)
    if isinstance(asked.get("made"), dict):
        task = make_again(asked["made"])
    elif asked.get("task") == "compose" and isinstance(asked.get("contract"), dict):
        contract = Contract.from_dict(asked["contract"])
        task = compose_task(str(asked.get("brief", "")), contract=contract, genre=str(asked.get("genre") or "") or None)
        if isinstance(asked.get("taste"), dict):
            task = replace(task, taste=asked["taste"])
        task = task.switched(str(asked.get("gates", "ours")), asked.get("retrieval", True) is not False)
    else:
        raise LibrettoError(f"{folder} does not say what its task was made from; give the same arguments with --replay")
    known = {name: value for name, value in asked.items() if name not in _NOT_SETTINGS}
    if json.loads(json.dumps(task.asked())) != known:
        raise LibrettoError(f"the task of {folder} cannot be made again by this version")
    settings, seed = asked.get("settings"), asked.get("seed", 0)
    if type(seed) is not int:
        raise LibrettoError(f"{folder}/run.json is not what a run writes: the seed is no whole number")
    rounds = _rounds(Path(folder))
    return Recorded(
        replace(task, shown=RunFolder(Path(folder)).shown()), str(asked.get("composer", "")), seed,
        dict(settings) if isinstance(settings, dict) else {}, rounds, _went_on(Path(folder), rounds),
    )  # fmt: skip


def unlike_recorded(folder: str | os.PathLike[str], run: Run) -> list[int]:
    """The rounds of a replay that are other music than the run in that folder had: replies there were changed since.

    What the folder does not tell of its rounds is not compared.
    """
    told = {round.number: Path(folder) / f"round-{round.number}.json" for round in run.rounds}
    known = {number: _json(path).get("sha256") for number, path in told.items() if path.is_file()}
    return [one.number for one in run.rounds if known.get(one.number) not in (None, _digest(one.draft.text))]


def _went_on(folder: Path, rounds: int) -> bool:
    """Whether a run went on after a draft had passed."""
    told = (folder / f"round-{number}.json" for number in range(1, rounds))
    return any(_json(path).get("passed") is True for path in told if path.is_file())


def _rounds(folder: Path) -> int:
    try:
        return min(max(1, int(json.loads(read_bytes(folder / "summary.json"))["rounds"])), _MOST)
    except (LibrettoError, OSError, OverflowError, ValueError, KeyError, TypeError):
        return _USUAL_ROUNDS
