"""Drill: one voice that practises one concept of theory in a key, a meter, a number of bars, a range and a level."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from libretto.contract import Contract, Receipt
from libretto.contract.check import Check
from libretto.contract.instruments import instrument_named
from libretto.errors import LibrettoError
from libretto.gates import Finding, Outcome, Verdict
from libretto.gates.originality import CITED_CEILING, most_cited
from libretto.grammar import parse
from libretto.knowledge import Concept, Exemplar, find_concept
from libretto.score import Key, Meter, Score
from libretto.score.pitch import parse_pitch
from libretto.tasks.drill.level import LEVELS, Demands, demands_of
from libretto.tasks.task import AnswerShape, Task

__all__ = ["CLEFS", "MOST_BARS", "DrillTask", "drill_task", "novelty_of", "parse_range"]

MOST_BARS = 64
#: What lies well on a staff with each clef, as pitches.
CLEFS: dict[str, tuple[int, int]] = {"treble": (57, 84), "alto": (48, 77), "tenor": (45, 72), "bass": (36, 64)}


@dataclass(frozen=True, eq=False)
class DrillTask(Task):
    """A drill to be written: the concept, the key as asked (a mode only where one was named), meter, bars and so on.

    What was not asked is empty: the writer then does as the concept's own example does.
    """

    concept: Concept = field(default_factory=lambda: find_concept("major-scale"), repr=False)
    tonic: int | None = None
    mode: str = ""
    meter: Meter | None = None
    bars: int | None = None
    level: int = 1
    low: int | None = None
    high: int | None = None
    clef: str = ""
    tempo: float | None = None
    instrument: str = ""

    @cached_property
    def example(self) -> Score:
        """What the learner is shown."""
        return parse(self.concept.example)

    @cached_property
    def limits(self) -> Demands:
        """The most a drill may ask of the player: the level's, or what the concept needs."""
        return LEVELS[self.level].most(demands_of(self.example))

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data: two tasks are the same where this is."""
        asked = {
            "task": self.kind,
            "concept": self.concept.key,
            "tonic": self.tonic,
            "mode": self.mode,
            "meter": str(self.meter) if self.meter else "",
            "bars": self.bars,
            "level": self.level,
            "low": self.low,
            "high": self.high,
            "tempo": self.tempo,
            "instrument": self.instrument,
        }
        return asked | ({"made": dict(self.made)} if self.made else {})

    def shape(self) -> AnswerShape:
        """One pitched voice of so many bars."""
        return AnswerShape(1, self.bars or 0, pitched=1, drums=False, at_once=True)

    def context_text(self) -> str:
        """The concept, what was asked and the example, in Markdown."""
        from libretto.tasks.drill.words import drill_context

        return drill_context(self)

    def exhibits(self) -> list[Concept | Exemplar]:
        """The concept alone: its example is all that is shown."""
        return [self.concept]

    def receipt(self, score: Score) -> Receipt:
        """What was asked, clause by clause, against an answer."""
        from libretto.tasks.drill.checks import checks_of

        return Receipt(self.concept.title, tuple(check for check, _ in checks_of(self, score)))

    def judge(self, score: Score) -> Verdict:
        """What a teacher says of an answer: each clause kept or not, the concept seen or not, new or not."""
        from libretto.tasks.drill.checks import checks_of

        outcomes, findings = {}, []
        for check, advice in checks_of(self, score):
            found = () if check.passed is not False else (_finding(check, advice),)
            findings += list(found)
            outcomes[check.clause] = Outcome(-1.0 if found else 1.0, check.evidence, found)
        share = novelty_of(score, self.example)
        outcomes["novelty"] = _novelty(share, self.concept)
        findings += list(outcomes["novelty"].findings)
        ranked = tuple(sorted(findings, key=lambda each: -each.weight))
        return Verdict("", "", "drill", outcomes, ranked)


def _finding(check: Check, advice: str) -> Finding:
    weight = {"concept": 40.0, "bars": 35.0, "key": 34.0, "meter": 33.0}.get(check.clause, 20.0)
    bars = tuple((bar, bar) for bar in sorted(set(check.bars))[:8])
    return Finding("drill", check.evidence, advice, weight, bars=bars, clause=check.clause)


def _novelty(share: float, concept: Concept) -> Outcome:
    note = f"{share:.2f} of the example is found in it; {CITED_CEILING:.2f} is too much"
    margin = (CITED_CEILING - share) / CITED_CEILING
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "citation",
        f"It repeats the example of '{concept.title}'",
        "keep the idea and write other notes: another contour, another rhythm",
        29.0,
    )
    return Outcome(min(margin, -1e-9), note, (finding,))


def novelty_of(score: Score, example: Score) -> float:
    """How much of the example is found in a drill beyond chance, wherever and however high: 0 is new, 1 a copy."""
    found = most_cited(score, [("the example", example)])
    return found[1].score if found else 0.0


def parse_range(text: str) -> tuple[int, int]:
    """Read ``C2-C4`` as two pitches."""
    low, dash, high = text.strip().partition("-")
    one, two = parse_pitch(low.strip()), parse_pitch(high.strip())
    if not dash or one is None or two is None or one[0] >= two[0]:
        raise LibrettoError(f"range: {text.strip()!r} is not two pitches, the lower first, such as C2-C4")
    return one[0], two[0]


def drill_task(
    concept: str | Concept,
    key: str = "",
    meter: str = "",
    bars: int | None = None,
    level: int | None = None,
    clef: str = "",
    low: int | None = None,
    high: int | None = None,
    tempo: float | None = None,
    instrument: str = "",
) -> DrillTask:
    """The task of writing a drill on a concept of theory; what is left out is as the concept's example has it.

    >>> task = drill_task("harmonic minor", key="E", meter="4/4", bars=20, level=2)
    >>> task.concept.name, task.bars
    ('harmonic-minor-scale', 20)
    """
    found = concept if isinstance(concept, Concept) else _found(concept)
    if found.base != "theory":
        raise LibrettoError(
            f"{found.key} is about composing; drills practise concepts of theory (libretto concepts --base theory)"
        )
    if bars is not None and not 2 <= bars <= MOST_BARS:
        raise LibrettoError(f"bars: {bars} is not within 2 and {MOST_BARS}")
    if level is not None and level not in LEVELS:
        raise LibrettoError(f"level: {level} is not 1, 2 or 3")
    if clef and clef not in CLEFS:
        raise LibrettoError(f"there is no clef {clef!r}; there are {', '.join(CLEFS)}")
    if tempo is not None and not 20 <= tempo <= 400:
        raise LibrettoError(f"tempo: {tempo:g} is not within 20 and 400 quarters a minute")
    if instrument and (instrument_named(instrument) is None or instrument_named(instrument).percussion):  # type: ignore[union-attr]
        raise LibrettoError(f"there is no instrument {instrument!r} that plays pitches")
    given = Key.parse(key) if key.strip() else None
    named = len(key.split()) > 1 or key.strip().endswith("m")
    least, most = CLEFS[clef] if clef else (None, None)
    low, high = low if low is not None else least, high if high is not None else most
    if low is not None and high is not None and low >= high:
        raise LibrettoError("range: the lower pitch comes first, such as C2-C4")
    asked = Meter.parse(meter) if meter.strip() else None
    contract = Contract().merge(bars=bars, meter=asked, tempo=tempo)
    words = f"A drill on '{found.title}'."
    return DrillTask(
        "drill",
        words,
        contract,
        concept=found,
        tonic=given.tonic if given else None,
        mode=given.mode if given and named else "",
        meter=asked,
        bars=bars,
        level=level or max(1, found.level),
        low=low,
        high=high,
        clef=clef,
        tempo=tempo,
        instrument=instrument,
    )


def _found(name: str) -> Concept:
    """The theory concept of that name; a name that only lacks its last word is understood."""
    from libretto.knowledge import all_concepts

    wanted = "-".join(name.lower().replace("'", "").split())
    theory = {each.name: each for each in all_concepts().values() if each.base == "theory"}
    if wanted in theory:
        return theory[wanted]
    longer = sorted(each for each in theory if each.startswith(f"{wanted}-"))
    if len(longer) == 1 or f"{wanted}-scale" in longer or f"{wanted}-mode" in longer:
        preferred = [each for each in (f"{wanted}-scale", f"{wanted}-mode") if each in longer]
        return theory[(preferred or longer)[0]]
    titled = [each for each in theory.values() if each.title.lower() == name.strip().lower()]
    return titled[0] if titled else find_concept(name)
