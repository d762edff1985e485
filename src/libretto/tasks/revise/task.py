"""Revise: a piece, what somebody wants changed in it, and everything else as it was.

An answer passes where every wish is granted so that an ear notices, nothing outside the wishes' voices and bars was
touched, and no gate that the piece passed before fails now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from libretto.contract import Contract, Receipt
from libretto.contract.check import Check
from libretto.errors import LibrettoError
from libretto.gates import MOST_FINDINGS, Finding, Outcome, Verdict
from libretto.grammar import notate
from libretto.score import Score
from libretto.tasks.revise.qualities import granted
from libretto.tasks.revise.wish import Wish
from libretto.tasks.task import AnswerShape, Task

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
        found = [finding for outcome in outcomes.values() for finding in outcome.findings]
        ranked = sorted(found, key=lambda each: (-each.weight, each.gate, each.axis))[:MOST_FINDINGS]
        keep = "Change only this: " + "; ".join(wish.text for wish in self.wishes) + "."
        return Verdict(self.cloud, self.genre, verdict.kind, outcomes, tuple(ranked), verdict.genres, keep)

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
        return f"## The wishes\n\n{wishes}\n\n## The piece as it is\n\n```\n{notate(self.base).strip()}\n```"


def _length(base: Score, score: Score) -> Outcome:
    if score.bar_lines == base.bar_lines and [v.name for v in score.voices] == [v.name for v in base.voices]:
        return Outcome(1.0, f"{score.bars} bars")
    heard = f"The revision has {score.bars} bars and {len(score.voices)} voices, not {base.bars} and {len(base.voices)}"
    return Outcome(-1.0, heard, (Finding("length", heard, "keep its bars and voices", 60.0),))


def strayed(task: RevisionTask, score: Score) -> list[str]:
    """What was changed that no wish speaks of, in words."""
    found = []
    kinds = {wish.quality for wish in task.wishes}
    if score.meters != task.base.meters or score.sections != task.base.sections:
        found.append("meters or sections")
    if score.keys != task.base.keys and not kinds & {"key", "mood"}:
        found.append("the key")
    if score.tempos != task.base.tempos and not kinds & {"speed", "mood"}:
        found.append("the tempo")
    for old, new in zip(task.base.voices, score.voices, strict=True):
        spans = [
            (task.base.bar_lines[task.base.index_of(w.first)], task.base.bar_lines[task.base.index_of(w.last) + 1])
            for w in task.wishes
            if not w.voices or old.name in w.voices
        ]
        if (old.program, old.drums) != (new.program, new.drums) and "instrument" not in kinds:
            found.append(f"the instrument of {old.name}")
        if not np.array_equal(_without(old.array, spans), _without(new.array, spans)):
            found.append(f"{old.name} outside the bars named")
    return found


def _without(notes: Any, spans: Sequence[tuple[int, int]]) -> Any:
    kept = np.ones(len(notes), dtype=np.bool_)
    for start, end in spans:
        kept &= (notes["onset"] < start) | (notes["onset"] >= end)
    return notes[kept]


def _outside(task: RevisionTask, score: Score) -> Outcome:
    stray = strayed(task, score)
    if not stray:
        return Outcome(1.0, "everything else is as it was")
    heard = f"Something that nobody spoke of was changed: {', '.join(stray[:3])}"
    return Outcome(-1.0, heard, (Finding("outside", heard, "give it back as it was", 50.0),))


def _wishes(task: RevisionTask, score: Score) -> Outcome:
    rows = [(wish, *granted(task.base, score, wish)) for wish in task.wishes]
    failed = [row for row in rows if not row[1]]
    note = f"{len(rows) - len(failed)} of {len(rows)} granted"
    findings = tuple(
        Finding(
            "wishes", f"Not there yet: {wish.text} ({heard})", "go further the same way", 40.0,
            bars=((wish.first, wish.last),), wanted=wish.way,
        )
        for wish, _, heard in failed
    )  # fmt: skip
    return Outcome(-len(failed) / max(1, len(rows)) if failed else 1.0, note, findings)


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
    contract = came_from.contract if came_from else Contract()
    kinds = {wish.quality for wish in wishes}
    contract = _released(contract, kinds)
    length = came_from.length if came_from else None
    return RevisionTask(
        "revise", words or "; ".join(wish.text for wish in wishes), contract,
        genre or (came_from.genre if came_from else ""), length=length,
        original=came_from.original if came_from else False,
        base=base, wishes=tuple(wishes), came_from=came_from,
    )  # fmt: skip


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
