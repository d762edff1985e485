"""Drill: one voice that practises one concept of theory in a key, a meter, a number of bars, a range and a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import ClassVar

from libretto.contract import Contract, Receipt
from libretto.contract.checks.check import Check
from libretto.contract.instruments import Instrument, instrument_named
from libretto.errors import LibrettoError
from libretto.gates import Finding, Outcome, Verdict
from libretto.gates.originality import CITED_CEILING, found_in
from libretto.grammar import parse
from libretto.knowledge import Concept, Exemplar
from libretto.score import Key, Meter, Score
from libretto.score.pitch import parse_pitch
from libretto.tasks.drill.checks import checks_of, notes_at_once
from libretto.tasks.drill.framing import Framed, framed
from libretto.tasks.drill.meaning import Meant, meant_by
from libretto.tasks.drill.request import LEVELS, DrillRequest, drill_context
from libretto.tasks.kinds import task_kind, whole_number
from libretto.tasks.task import AnswerShape, Task

__all__ = ["CLEFS", "MOST_BARS", "DrillTask", "drill_task", "novelty_of", "parse_range"]

MOST_BARS = 64
_LEAST_BARS = 2
_SLOWEST, _FASTEST = 20, 400  # quarters a minute
#: What lies well on a staff with each clef, as pitches.
CLEFS: dict[str, tuple[int, int]] = {"treble": (57, 84), "alto": (48, 77), "tenor": (45, 72), "bass": (36, 64)}
#: In which order a teacher speaks of clauses that are not kept; of all others last.
_WEIGHTS = {"concept": 40.0, "bars": 35.0, "key": 34.0, "meter": 33.0}
_CITED_WEIGHT, _OTHER_WEIGHT = 29.0, 20.0
_SHOWN_BARS = 8  # bars that a finding names at most
_JUST_BELOW = -1e-9  # a margin of nothing is a failure here, so it is brought below 0


@dataclass(frozen=True, eq=False)
class DrillTask(DrillRequest):
    """A drill to be written, and how a teacher judges it."""

    weighs: ClassVar[bool] = False

    def shape(self) -> AnswerShape:
        """One pitched voice of so many bars."""
        return AnswerShape(1, self.bars or 0, pitched=1, drums=False, at_once=True)

    def context_text(self) -> str:
        """The concept, what was asked and the example, in Markdown."""
        return drill_context(self)

    def exhibits(self) -> list[Concept | Exemplar]:
        """The concept alone: its example is all that is shown."""
        return [self.concept]

    def receipt(self, score: Score) -> Receipt:
        """What was asked, clause by clause, against an answer."""
        return Receipt(self.concept.title, tuple(check for check, _ in checks_of(self, score)))

    def judge(self, score: Score) -> Verdict:
        """What a teacher says of an answer: each clause kept or not, the concept seen or not, new or not."""
        outcomes = {}
        for check, advice in checks_of(self, score):
            broken = () if check.passed is not False else (_finding(check, advice),)
            outcomes[check.clause] = Outcome(-1.0 if broken else 1.0, check.evidence, broken)
        outcomes["novelty"] = _novelty(novelty_of(score, self.example), self.concept)
        findings = [finding for outcome in outcomes.values() for finding in outcome.findings]
        ranked = tuple(sorted(findings, key=lambda finding: -finding.weight))
        return Verdict("", "", "drill", outcomes, ranked)


def _finding(check: Check, advice: str) -> Finding:
    weight = _WEIGHTS.get(check.clause, _OTHER_WEIGHT)
    bars = tuple((bar, bar) for bar in sorted(set(check.bars))[:_SHOWN_BARS])
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
        _CITED_WEIGHT,
    )
    return Outcome(min(margin, _JUST_BELOW), note, (finding,))


def novelty_of(score: Score, example: Score) -> float:
    """How much of the example is found in a drill beyond chance, wherever and however high: 0 is new, 1 a copy."""
    return found_in(score, example)


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

    ``contract.unread`` of the task holds what of the words it does not take up.

    >>> task = drill_task("harmonic minor", key="E", meter="4/4", bars=20, level=2)
    >>> task.concept.name, task.bars
    ('harmonic-minor-scale', 20)
    """
    if isinstance(concept, str):
        given = Framed(concept, key.strip(), meter.strip(), bars, level, clef, tempo, instrument)
        concept, key, meter, bars, level, clef, tempo, instrument = astuple(framed(concept).under(given))
    player = instrument_named(instrument) if instrument else None
    mode_of_key = _mode_named(key)
    meant = concept if isinstance(concept, Concept) else meant_by(concept, lambda one: _plays(player, one), mode_of_key)
    meant = meant if isinstance(meant, Meant) else Meant(meant, "", "", ())
    practised = meant.concept
    if practised.base != "theory":
        raise LibrettoError(
            f"{practised.key} is about composing; drills practise concepts of theory (libretto concepts --base theory)"
        )
    _check(bars, level, clef, tempo, instrument)
    key = key if key.strip() else meant.key
    home = Key.parse(key) if key.strip() else None
    low, high = _ends_of_range(low, high, clef)
    asked_meter = Meter.parse(meter) if meter.strip() else None
    return DrillTask(
        "drill",
        f"A drill on '{practised.title}'.",
        replace(Contract().merge(bars=bars, meter=asked_meter, tempo=tempo), unread=meant.unread),
        concept=practised,
        tonic=home.tonic if home else None,
        mode=mode_of_key or _mode_named(key) or meant.mode,
        meter=asked_meter,
        bars=bars,
        level=level or max(1, practised.level),
        low=low,
        high=high,
        clef=clef,
        tempo=tempo,
        instrument=instrument,
    )


def _mode_named(key: str) -> str:
    """The mode that a key is named with; empty where it is named without one, or not at all."""
    return Key.parse(key).mode if len(key.split()) > 1 or key.strip().endswith("m") else ""


def _plays(player: Instrument | None, concept: Concept) -> bool:
    """Whether an instrument has as many notes at once as the example of a concept."""
    return player is None or notes_at_once(parse(concept.example)) <= player.polyphony


def _ends_of_range(low: int | None, high: int | None, clef: str) -> tuple[int | None, int | None]:
    """The lowest and highest pitch: as asked, else what lies well with the clef, else None."""
    least, most = CLEFS[clef] if clef else (None, None)
    low, high = low if low is not None else least, high if high is not None else most
    if low is not None and high is not None and low >= high:
        raise LibrettoError("range: the lower pitch comes first, such as C2-C4")
    return low, high


def _check(bars: int | None, level: int | None, clef: str, tempo: float | None, instrument: str) -> None:
    """Refuse what no drill can have, in one line each."""
    if bars is not None and not _LEAST_BARS <= bars <= MOST_BARS:
        raise LibrettoError(f"bars: {bars} is not within {_LEAST_BARS} and {MOST_BARS}")
    if level is not None and level not in LEVELS:
        raise LibrettoError(f"level: {level} is not 1, 2 or 3")
    if clef and clef not in CLEFS:
        raise LibrettoError(f"there is no clef {clef!r}; there are {', '.join(CLEFS)}")
    if tempo is not None and not _SLOWEST <= tempo <= _FASTEST:
        raise LibrettoError(f"tempo: {tempo:g} is not within {_SLOWEST} and {_FASTEST} quarters a minute")
    player = instrument_named(instrument) if instrument else None
    if instrument and (player is None or player.percussion):
        raise LibrettoError(f"there is no instrument {instrument!r} that plays pitches")


@task_kind("drill", "key", "meter", "bars", "level", "clef", "range", "tempo", "instrument")
def _from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    name = " ".join(arguments).strip()
    if not name:
        raise LibrettoError("a drill takes a concept of theory, such as 'harmonic minor'")
    low, high = parse_range(options["range"]) if "range" in options else (None, None)
    return drill_task(
        name,
        options.get("key", ""),
        options.get("meter", ""),
        whole_number(options, "bars", 0) if "bars" in options else None,
        whole_number(options, "level", 0) if "level" in options else None,
        options.get("clef", ""),
        low,
        high,
        float(whole_number(options, "tempo", 0)) if "tempo" in options else None,
        options.get("instrument", ""),
    )
