"""A task: what is to be made and how it is judged; composers and loops know nothing more of it.

Other kinds of task are subclasses that hold what they are given and judge in their own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from libretto.errors import LibrettoError
from libretto.gates import MOST_FINDINGS, Finding, Outcome, Verdict, judge
from libretto.gates.paper import check_gates, songs_of
from libretto.gates.paper_judge import judge_paper
from libretto.knowledge import Concept, Exemplar, Shown, exemplars, retrieve
from libretto.score import Score

if TYPE_CHECKING:
    from libretto.contract import Contract, Receipt

__all__ = ["WEIGHTS", "AnswerShape", "Task", "rank_findings"]

#: How much a finding of each gate matters. No measure but an order, set by hand, in which a composer is told what to
#: mend: first what keeps an answer from being judged at all (length, outside), then what is missing or taken from
#: elsewhere, then how it goes with the rest, last its manner, which the strength of the finding itself is added to.
WEIGHTS: Mapping[str, float] = {
    "length": 60.0,
    "outside": 50.0,
    "sounding": 40.0,
    "wishes": 40.0,
    "originality": 30.0,
    "middle": 30.0,
    "start": 28.0,
    "end": 28.0,
    "steps": 26.0,
    "direction": 25.0,
    "crossfade": 24.0,
    "context": 20.0,
    "doubling": 15.0,
    "seams": 12.0,
    "key": 8.0,
    "variety": 6.0,
    "fit": 5.0,
    "role": 5.0,
}

_CONCEPTS, _EXCERPTS, _EXCERPT_BARS = 6, 2, 8  # what a page shows: ideas, excerpts, and bars of an excerpt
_USUAL_VOICES = 4  # pitched voices of a piece for which nobody said who plays


@dataclass(frozen=True)
class AnswerShape:
    """What an answer writes: bars ``first`` to ``last`` by number (``last`` 0 where the composer decides).

    ``base`` is the music that is written into, and ``writes`` are its voices that are written; without a base a piece
    of its own is wanted. ``labels`` says whether chord labels may change in those bars. ``pitched`` and ``drums`` say
    who plays in a bar of the answer, so that its length can be told before it is there. ``at_once`` is true where an
    answer is always short enough to be written in one go; otherwise its bars and voices decide.
    """

    first: int
    last: int
    writes: tuple[str, ...] = ()
    base: Score | None = field(default=None, repr=False)
    labels: bool = True
    pitched: int = _USUAL_VOICES
    drums: bool = True
    at_once: bool = False


def rank_findings(outcomes: Mapping[str, Outcome]) -> tuple[Finding, ...]:
    """The findings of all gates that matter most, the weightiest first."""
    findings = [finding for outcome in outcomes.values() for finding in outcome.findings]
    ranked = sorted(findings, key=lambda finding: (-finding.weight, finding.gate, finding.axis))
    return tuple(ranked[:MOST_FINDINGS])


@dataclass(frozen=True, eq=False)
class Task:
    """Something to make: its kind, the brief in words, the contract, the genre to be judged by, and what was shown.

    ``made`` are the words it was made from, where it was made from words: with them it can be made again. Without
    ``retrieval`` its page shows no concepts and no excerpts. ``taste`` says of which qualities its listener usually
    wants more (1) or less (-1); nothing is judged by it. ``grid`` is how its page writes played music down. ``gates``
    are those it is judged by: ``ours``, or ``paper`` (``libretto.gates.paper``) where the kind has such.
    """

    kind: str
    brief: str
    contract: Contract
    genre: str = ""
    cloud: str = "default"
    length: tuple[int, int] | None = None
    shown: Shown = field(default_factory=Shown, repr=False)
    original: bool = True
    retrieval: bool = True
    made: Mapping[str, Any] = field(default_factory=dict, repr=False)
    taste: Mapping[str, int] = field(default_factory=dict, repr=False)
    grid: str = "paper"
    gates: str = "ours"
    #: Whether one answer that passes may be better music than another.
    weighs: ClassVar[bool] = True
    #: The kinds of task that the published gates are printed for.
    on_paper: ClassVar[tuple[str, ...]] = ("compose", "fill")

    def switched(self, gates: str = "ours", retrieval: bool = True) -> Self:
        """The same task judged by other gates, or whose page shows neither concepts nor excerpts."""
        if check_gates(gates) != "ours" and self.kind not in self.on_paper:
            raise LibrettoError(f"the paper has no gates for {self.kind}; it has some for {', '.join(self.on_paper)}")
        options = {**({"gates": gates} if gates != "ours" else {}), **({} if retrieval else {"retrieval": "no"})}
        made = {**self.made, "options": {**self.made["options"], **options}} if self.made and options else self.made
        return replace(self, gates=gates, retrieval=retrieval, made=made)

    def judge(self, score: Score) -> Verdict:
        """What the gates say of an answer to this task."""
        if self.gates != "ours":
            cited, songs = self.shown.cited, songs_of(self.gates)
            return judge_paper(score, self.genre, cited=cited, songs=songs, length=self.length)
        return judge(
            score,
            self.genre or None,
            cloud=self.cloud,
            length=self.length,
            original=self.original,
            cited=self.shown.cited,
            contract=self.contract,
        )

    def completed(self, answer: Score) -> tuple[Score, str]:
        """The piece that is judged for an answer, and what was handed in, in words; here the answer itself."""
        return answer, ""

    def given(self) -> tuple[Score, dict[str, str]] | None:
        """The music an answer is written into, without what is hidden, and options that make this very task from it;
        None where nothing is hidden."""
        return None

    def shape(self) -> AnswerShape:
        """Which bars and voices an answer writes, into what; here a whole piece for the voices of the contract."""
        parts, drums = self.contract.parts, self.contract.drums
        return AnswerShape(
            first=1,
            last=self.contract.bars or 0,
            pitched=sum(1 for part in parts if not part.drums) or _USUAL_VOICES,
            drums=drums is not False and (not parts or any(part.drums for part in parts) or bool(drums)),
        )

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data: two tasks are the same where this is."""
        asked: dict[str, Any] = {
            "task": self.kind,
            "brief": self.brief,
            "genre": self.genre,
            "cloud": self.cloud,
            "contract": self.contract.to_dict(),
        }
        asked |= {"taste": dict(self.taste)} if self.taste else {}
        asked |= {"gates": self.gates} if self.gates != "ours" else {}
        asked |= {} if self.retrieval else {"retrieval": False}
        return asked | ({"made": dict(self.made)} if self.made else {})

    def context_text(self) -> str:
        """What the composer is given beside the brief, in Markdown; nothing here."""
        return ""

    def exhibits(self) -> list[Concept | Exemplar]:
        """The concepts and excerpts that a composer is shown: by what is asked, then by the genre."""
        ideas = retrieve(self.brief, self.genre or None, base="composing", limit=_CONCEPTS)
        titles = [idea.title for idea in ideas]
        meter = self.contract.meter
        heard = (
            exemplars(self.genre, meter=meter, limit=_EXCERPTS, bars=_EXCERPT_BARS, skip=titles) if self.genre else []
        )
        return [*ideas, *heard]

    def receipt(self, score: Score) -> Receipt:
        """What was asked, clause by clause, against an answer."""
        from libretto.contract import receipt

        return receipt(self.contract, score)
