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

from libretto.contract import Contract, Receipt
from libretto.contract.checks.check import Check
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates import Finding, Outcome, Verdict
from libretto.grammar import notate
from libretto.notation.grids import on_grid, restored
from libretto.score import Score, without_controls
from libretto.tasks.kinds import task_kind
from libretto.tasks.revise import doing  # noqa: F401  (registers the kinds of change)
from libretto.tasks.revise.change import changes
from libretto.tasks.revise.framing import Frame, frame_of, reframed
from libretto.tasks.revise.names import as_before
from libretto.tasks.revise.outside import strayed_from, touches_of
from libretto.tasks.revise.qualities import granted
from libretto.tasks.revise.request import read_request
from libretto.tasks.revise.wish import Wish
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
    unread: tuple[str, ...] = ()  # what of the words was not understood
    weighs: ClassVar[bool] = False  # what nobody wished for is to stay, however much better it could be

    @cached_property
    def frame(self) -> Frame:
        """The piece with its bars where the wishes want them, and where each came from."""
        return frame_of(self.base, self.wishes)

    @cached_property
    def steps(self) -> tuple[Wish, ...]:
        """The wishes that leave bars where they are, in the bars of the frame."""
        return reframed(self.base, self.frame, self.wishes)

    def granted(self, score: Score, wish: Wish) -> tuple[bool, str]:
        """Whether a wish is granted in an answer whose bars are those of the frame, and what was heard."""
        placed = changes[wish.quality].placed if wish.quality in changes else None
        if placed is not None:
            return placed(self.base, self.frame.origin, wish)
        spans = self.frame.spans_of(self.base, wish.where)
        if not spans:
            return False, "those bars are gone"
        return granted(self.frame.score, as_before(score, self.base, self.steps), wish.at(spans))

    @cached_property
    def _before(self) -> Verdict:
        return super().judge(self.base)

    def judge(self, score: Score) -> Verdict:
        """What became of the wishes, of what is outside them, and of the gates that the piece passed before."""
        outcomes = {"length": _length(self, score)}
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
        if score.bar_lines != self.frame.score.bar_lines:
            return Receipt(score.title, (Check("bars", False, f"{score.bars} bars, {self.frame.score.bars} asked"),))
        checks = [Check(wish.text, *self.granted(score, wish)) for wish in self.wishes]
        stray = strayed(self, score)
        checks.append(Check("outside", not stray, _identical(self, score) if not stray else f"changed: {stray[0]}"))
        return Receipt(score.title, tuple(checks))

    def shape(self) -> AnswerShape:
        """The voices and bars of which the wishes speak, from the first to the last of them."""
        base, names = self.frame.score, tuple(voice.name for voice in self.frame.score.voices)
        written = [wish for wish in self.steps if "notes" in touches_of(wish)] or list(self.steps)
        spoken_of = {name for wish in written for name in wish.voices or names}
        first = min((wish.first for wish in written), default=base.numbers[0])
        last = max((wish.last for wish in written), default=base.numbers[-1])
        writes = tuple(name for name in names if name in spoken_of)
        return AnswerShape(first, last, writes, base, pitched=len(writes), drums=False, at_once=True)

    def context_text(self) -> str:
        """The piece as it is, and the wishes one by one."""
        wishes = "\n".join(f"- {wish.text}" for wish in self.wishes)
        text = notate(without_controls(on_grid(self.frame.score, self.grid))).strip()
        return f"## The wishes\n\n{wishes}\n\n## The piece as it is\n\n```\n{text}\n```"

    def completed(self, answer: Score) -> tuple[Score, str]:
        """The revision, with what it has from the page as it was played."""
        return restored(self.frame.score, answer, self.grid), ""


def _length(task: RevisionTask, score: Score) -> Outcome:
    wanted = task.frame.score
    if score.bar_lines == wanted.bar_lines:
        return Outcome(1.0, f"{score.bars} bars")
    heard = f"The revision has {score.bars} bars, not {wanted.bars}, or bars of other lengths"
    return Outcome(-1.0, heard, (Finding("length", heard, "keep its bars", WEIGHTS["length"]),))


def strayed(task: RevisionTask, score: Score) -> list[str]:
    """What was changed that no wish speaks of, in words."""
    return strayed_from(task.base, as_before(score, task.base, task.steps), task.frame.origin, task.steps)


def _identical(task: RevisionTask, score: Score) -> str:
    """What was compared and is as it was."""
    origin, base = task.frame.origin, task.base
    if origin == tuple(range(base.bars)):
        return "identical"
    gone = base.bars - len({bar for bar in origin if bar is not None})
    return f"identical: all {score.bars} bars held against those they came from; {gone} of {base.bars} left out"


def _outside(task: RevisionTask, score: Score) -> Outcome:
    stray = strayed(task, score)
    if not stray:
        return Outcome(1.0, "everything else is as it was")
    heard = f"Something that nobody spoke of was changed: {', '.join(stray[:3])}"
    return Outcome(-1.0, heard, (Finding("outside", heard, "give it back as it was", WEIGHTS["outside"]),))


def _wishes(task: RevisionTask, score: Score) -> Outcome:
    failed = []
    for wish in task.wishes:
        passed, heard = task.granted(score, wish)
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
        _check_wish(wish, base)
    origin = came_from or Task("revise", "", Contract(), original=False)
    kinds = {wish.quality for wish in wishes}
    return RevisionTask(
        "revise",
        words or "; ".join(wish.text for wish in wishes),
        _released(origin.contract, kinds),
        genre or origin.genre,
        length=None if kinds & set(_BAR_KINDS) else origin.length,
        original=origin.original,
        base=base,
        wishes=tuple(wishes),
        came_from=came_from,
    )


def _check_wish(wish: Wish, base: Score) -> None:
    """Refuse a wish that speaks of voices or bars that the piece does not have, or of nobody's part."""
    if wish.quality in _OF_NAMED and not wish.voices:
        names = ", ".join(voice.name for voice in base.voices)
        raise LibrettoError(f"say whose part is meant by {wish.text!r}; there are {names}")
    for name in wish.voices:
        base.voice(name)
    for number in (wish.first, wish.last, *(end for span in wish.spans for end in span)):
        base.index_of(number)


#: Changes of parts that are named, never of everybody at once.
_OF_NAMED = ("double", "handed", "harmony", "instrument", "remove")
_BAR_KINDS = ("repeat", "cut", "exchange", "move", "start", "lengthen", "shorten")
_PARTS: dict[str, Any] = {"parts": (), "drums": None}
_BARS: dict[str, Any] = {"bars": None, "form": (), "chords": ()}
_TEMPO: dict[str, Any] = {"tempo_bpm": None}
_CHORDS: dict[str, Any] = {"chords": ()}
_DYNAMICS: dict[str, Any] = {"dynamics": 0.0}
#: What a wish for a quality or a change takes the place of in a contract.
_RELEASED: dict[str, dict[str, Any]] = {
    "mood": {"key": None, "chords": (), "tempo_bpm": None, "brightness": 0.0, "mood": ()},
    "key": {"key": None, "chords": ()},
    "mode": {"key": None, "chords": (), "mood": ()},
    "busy": {"density": 0.0},
    "fullness": {"density": 0.0},
    "height": {"register": 0.0},
    "octave": {"register": 0.0},
    "ending": {"ending": ""},
    "title": {"title": ""},
    **dict.fromkeys(("instrument", "remove", "add", "harmony", "double", "mute"), _PARTS),
    **dict.fromkeys(_BAR_KINDS, _BARS),
    **dict.fromkeys(("speed", "tempo", "ritardando", "accelerando"), _TEMPO),
    **dict.fromkeys(("color", "sevenths", "jazz", "plain"), _CHORDS),
    **dict.fromkeys(("loudness", "crescendo", "diminuendo"), _DYNAMICS),
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
    request = read_request(words, piece)
    if not request.wishes:
        raise LibrettoError(f"nothing was understood in {words!r}; say for example 'a darker bridge'")
    task = revise_task(piece, request.wishes, words=words, genre=options.get("genre"))
    return replace(task, unread=tuple(request.unread))
