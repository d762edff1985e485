"""Revise: a piece, what somebody wants changed in it, and everything else as it was.

An answer passes where every wish is granted so that an ear notices, nothing outside the wishes' voices and bars was
touched, and no gate that the piece passed before fails now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from libretto.contract import Contract, Receipt
from libretto.contract.checks.check import Check
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates import Finding, Outcome, Verdict
from libretto.grammar import notate
from libretto.notation.grids import on_grid, restored
from libretto.score import Score, without_controls
from libretto.tasks.kinds import task_kind
from libretto.tasks.revise.qualities import granted
from libretto.tasks.revise.wish import Wish
from libretto.tasks.revise.words import read_wishes
from libretto.tasks.task import WEIGHTS, AnswerShape, Task, rank_findings

__all__ = ["RevisionTask", "revise_task", "strayed"]


@dataclass(frozen=True, eq=False)
class RevisionTask(Task):
    """A piece and the wishes for it; ``came_from`` is the task that it answered, if any."""

    base: Score = field(default_factory=lambda: Score.build([]), repr=False)
    wishes: tuple[Wish, ...] = ()
    came_from: Task | None = field(default=None, repr=False)
    controls: dict[str, float] = field(default_factory=dict, repr=False)
    first_seed: int = 0
    house: bool = False
    weighs: ClassVar[bool] = False  # what nobody wished for is to stay, however much better it could be

    @cached_property
    def _before(self) -> Verdict:
        return super().judge(self.base)

    def judge(self, score: Score) -> Verdict:
        """What became of the wishes, of what is outside them, and of the gates that the piece passed before."""
        outcomes = {"length": _length(self.base, score)}
        if outcomes["length"].passed:
            outcomes |= {"outside": _outside(self, score), "wishes": _wishes(self, score)}
        verdict = super().judge(score)
        for name, outcome in verdict.outcomes.items():
            before = self._before.outcomes.get(name)
            if name not in outcomes and before is not None and before.passed:
                outcomes[name] = outcome
        keep = "Change only this: " + "; ".join(wish.text for wish in self.wishes) + "."
        return Verdict(self.cloud, self.genre, verdict.kind, outcomes, rank_findings(outcomes), verdict.genres, keep)

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        return {**super().asked(), "base": self.base.digest, "wishes": [wish.to_dict() for wish in self.wishes]}

    def receipt(self, score: Score) -> Receipt:
        """Wish by wish, and whether anything else was touched."""
        if score.numbers != self.base.numbers:
            return Receipt(score.title, (Check("bars", False, f"{score.bars} bars, {self.base.bars} asked"),))
        checks = [Check(wish.text, *granted(self.base, score, wish)) for wish in self.wishes]
        stray = strayed(self, score)
        checks.append(Check("outside", not stray, "identical" if not stray else f"changed: {stray[0]}"))
        return Receipt(score.title, tuple(checks))

    def shape(self) -> AnswerShape:
        """The voices and bars of which the wishes speak, from the first to the last of them."""
        names = tuple(voice.name for voice in self.base.voices)
        spoken_of = {name for wish in self.wishes for name in wish.voices or names}
        first, last = min(wish.first for wish in self.wishes), max(wish.last for wish in self.wishes)
        writes = tuple(name for name in names if name in spoken_of)
        return AnswerShape(first, last, writes, self.base, pitched=len(writes), drums=False, at_once=True)

    def context_text(self) -> str:
        """The piece as it is, and the wishes one by one."""
        wishes = "\n".join(f"- {wish.text}" for wish in self.wishes)
        text = notate(without_controls(on_grid(self.base, self.grid))).strip()
        return f"## The wishes\n\n{wishes}\n\n## The piece as it is\n\n```\n{text}\n```"

    def completed(self, answer: Score) -> tuple[Score, str]:
        """The revision, with what it has from the page as it was played."""
        return restored(self.base, answer, self.grid), ""


def _length(base: Score, score: Score) -> Outcome:
    if score.bar_lines == base.bar_lines and [v.name for v in score.voices] == [v.name for v in base.voices]:
        return Outcome(1.0, f"{score.bars} bars")
    heard = f"The revision has {score.bars} bars and {len(score.voices)} voices, not {base.bars} and {len(base.voices)}"
    return Outcome(-1.0, heard, (Finding("length", heard, "keep its bars and voices", WEIGHTS["length"]),))


def strayed(task: RevisionTask, score: Score) -> list[str]:
    """What was changed that no wish speaks of, in words."""
    base, kinds = task.base, {wish.quality for wish in task.wishes}
    changed = []
    if score.meters != base.meters or score.sections != base.sections:
        changed.append("meters or sections")
    if score.keys != base.keys and not kinds & {"key", "mood"}:
        changed.append("the key")
    if score.tempos != base.tempos and not kinds & {"speed", "mood"}:
        changed.append("the tempo")
    for old, new in zip(base.voices, score.voices, strict=True):
        if (old.program, old.drums) != (new.program, new.drums) and "instrument" not in kinds:
            changed.append(f"the instrument of {old.name}")
        spans = _ticks_wished(task, old.name)
        if not np.array_equal(_without(old.array, spans), _without(new.array, spans)):
            changed.append(f"{old.name} outside the bars named")
    return changed


def _ticks_wished(task: RevisionTask, voice: str) -> list[tuple[int, int]]:
    """The stretches of a voice, in ticks, of which wishes speak."""
    lines, index_of = task.base.bar_lines, task.base.index_of
    mine = [wish for wish in task.wishes if not wish.voices or voice in wish.voices]
    return [(lines[index_of(wish.first)], lines[index_of(wish.last) + 1]) for wish in mine]


def _without(notes: NDArray[Any], spans: Sequence[tuple[int, int]]) -> NDArray[Any]:
    """The notes that start in none of those stretches."""
    kept = np.ones(len(notes), dtype=np.bool_)
    for start, end in spans:
        kept &= (notes["onset"] < start) | (notes["onset"] >= end)
    return notes[kept]


def _outside(task: RevisionTask, score: Score) -> Outcome:
    stray = strayed(task, score)
    if not stray:
        return Outcome(1.0, "everything else is as it was")
    heard = f"Something that nobody spoke of was changed: {', '.join(stray[:3])}"
    return Outcome(-1.0, heard, (Finding("outside", heard, "give it back as it was", WEIGHTS["outside"]),))


def _wishes(task: RevisionTask, score: Score) -> Outcome:
    failed = []
    for wish in task.wishes:
        passed, heard = granted(task.base, score, wish)
        if not passed:
            failed.append(
                Finding(
                    "wishes", f"Not there yet: {wish.text} ({heard})", "go further the same way", WEIGHTS["wishes"],
                    bars=((wish.first, wish.last),), wanted=wish.way,
                )
            )  # fmt: skip
    count = len(task.wishes)
    note = f"{count - len(failed)} of {count} granted"
    return Outcome(-len(failed) / max(1, count) if failed else 1.0, note, tuple(failed))


def revise_task(
    base: Score, wishes: Sequence[Wish], *, came_from: Task | None = None, words: str = "", genre: str | None = None
) -> RevisionTask:
    """The task of changing a piece as wished; what the wishes change is let go from the contract it answered."""
    if not wishes:
        raise LibrettoError("there is nothing to revise; say what should change, such as 'a darker bridge'")
    if not len(base.table):
        raise LibrettoError("the piece has no notes")
    for wish in wishes:
        for name in wish.voices:
            base.voice(name)
        base.index_of(wish.first), base.index_of(wish.last)
    origin = came_from or Task("revise", "", Contract(), original=False)
    return RevisionTask(
        "revise",
        words or "; ".join(wish.text for wish in wishes),
        _released(origin.contract, {wish.quality for wish in wishes}),
        genre or origin.genre,
        length=origin.length,
        original=origin.original,
        base=base,
        wishes=tuple(wishes),
        came_from=came_from,
    )


#: What a wish for a quality takes the place of in a contract.
_RELEASED: dict[str, dict[str, Any]] = {
    "mood": {"key": None, "chords": (), "tempo_bpm": None, "brightness": 0.0, "mood": ()},
    "key": {"key": None, "chords": ()},
    "speed": {"tempo_bpm": None},
    "instrument": {"parts": ()},
    "busy": {"density": 0.0},
    "fullness": {"density": 0.0},
    "height": {"register": 0.0},
    "loudness": {"dynamics": 0.0},
    "color": {"chords": ()},
}


def _released(contract: Contract, kinds: set[str]) -> Contract:
    for kind in sorted(kinds):
        contract = replace(contract, **_RELEASED.get(kind, {}))
    return contract


@task_kind("revise", "genre")
def _from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    if len(arguments) < 2 or not Path(arguments[0]).is_file():
        raise LibrettoError("a revision takes a piece and what should change in it, in words")
    piece, words = read(arguments[0]), " ".join(arguments[1:])
    wishes, unread = read_wishes(words, piece)
    if unread and not wishes:
        raise LibrettoError(f"nothing was understood in {words!r}; say for example 'a darker bridge'")
    return revise_task(piece, wishes, words=words, genre=options.get("genre"))
