"""A run set beside one by another team, or a single agent, that may spend as many tokens; and both in figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from libretto.agents.composer import Setup, composer
from libretto.agents.loop import run_task
from libretto.agents.teams.abc import tune_figures
from libretto.formats import formats
from libretto.tasks import Run, compose_task

__all__ = ["MOST_ROUNDS", "Entry", "comparison_table", "entry_of", "expected_tokens", "run_beside", "tokens_beside"]

#: Rounds of whoever works beside at most, as long as the tokens last.
MOST_ROUNDS = 6
_LEAST_TOKENS = 1_000  # that whoever works beside may spend
_DIGITS_OF_MONEY, _DIGITS_OF_SECONDS = 4, 1


@dataclass(frozen=True)
class Entry:
    """What became of one brief in one pair of hands.

    ``once`` is one-time success: the first draft could be read, and no reply was asked for again. The length of the
    piece as ABC is in characters; faults are bars that do not fill the meter, and voices that are out of step.
    """

    brief: int
    hands: str
    read: bool
    passed: bool
    kept: int
    clauses: int
    calls_rounds: int
    tokens: int
    money: float
    seconds: float
    stopped: str
    once: bool = False
    abc_length: int = 0
    bar_faults: int = 0
    alignment_faults: int = 0


def tokens_beside(run: Run) -> int:
    """How many tokens whoever works beside a run may spend: as many as the run took."""
    return max(_LEAST_TOKENS, run.cost.tokens)


def run_beside(run: Run, hands: str, other: str, play: Callable[[int, int], Run]) -> list[Entry]:
    """A run and the same task by another team or agent, both in figures.

    ``hands`` and ``other`` say whose they are; ``play`` runs the task with so many tokens and rounds at most.
    """
    spent = tokens_beside(run)
    single = play(spent, MOST_ROUNDS)
    return [entry_of(1, hands, run), entry_of(1, f"{other} with {spent:,} tokens", single)]


def expected_tokens(
    briefs: Iterable[str], teams: Sequence[str], *, rounds: int = 2, notation: str = "grammar"
) -> dict[str, tuple[int, int]]:
    """Tokens in and out a piece that each team is expected to take: what a pretend model takes, by the stated rule."""
    tokens = {}
    for team in teams:
        setup = Setup(team=team, notation=notation)
        costs = [
            run_task(compose_task(brief, original=False), composer("scripted", 0, setup), rounds=rounds).cost
            for brief in briefs
        ]
        tokens[team] = (round(fmean(cost.tokens_in for cost in costs)), round(fmean(cost.tokens_out for cost in costs)))
    return tokens


def entry_of(number: int, hands: str, run: Run) -> Entry:
    """What became of a brief in somebody's hands, in figures."""
    read = bool(run.rounds) and run.score is not None
    checks = run.best.receipt.checks if read and run.best.receipt else ()
    return Entry(
        brief=number,
        hands=hands,
        read=read,
        passed=read and run.passed,
        kept=sum(check.passed is True for check in checks),
        clauses=sum(check.passed is not None for check in checks),
        calls_rounds=len(run.rounds),
        tokens=run.cost.tokens,
        money=round(run.cost.money, _DIGITS_OF_MONEY),
        seconds=round(run.cost.seconds, _DIGITS_OF_SECONDS),
        stopped=run.stopped,
        once=_once(run),
        **_abc_figures(run),
    )


def _once(run: Run) -> bool:
    """Whether the first draft could be read with no reply asked for again."""
    first = run.rounds[0] if run.rounds else None
    return first is not None and first.score is not None and not first.draft.notes.get("repairs")


def _abc_figures(run: Run) -> dict[str, int]:
    """The piece as ABC in figures: of the tune that the team wrote, else of ours."""
    if not run.rounds or run.score is None:
        return {}
    known = run.best.draft.notes.get("abc")
    return tune_figures(str(known).encode() if known else formats["abc"].encode(run.score))


def comparison_table(entries: Sequence[Entry]) -> str:
    """The comparison as Markdown: one line a pair of hands."""
    lines = [
        "| who | pieces | at once | read | pass every gate | clauses kept | ABC length | bar faults | out of step |"
        " tokens a piece | money | seconds a piece |",
        "|---" * 12 + "|",
    ]
    for hands in dict.fromkeys(entry.hands for entry in entries):
        mine = [entry for entry in entries if entry.hands == hands]
        kept, clauses = sum(entry.kept for entry in mine), sum(entry.clauses for entry in mine)
        share = f"{kept}/{clauses}" if clauses else "-"
        once, read, passed = (sum(getattr(entry, name) for entry in mine) for name in ("once", "read", "passed"))
        lengths = [entry.abc_length for entry in mine if entry.read]
        lines.append(
            f"| {hands} | {len(mine)} | {once / len(mine):.1%} | {read} | {passed} | {share} | "
            f"{fmean(lengths) if lengths else 0:,.1f} | {sum(entry.bar_faults for entry in mine)} | "
            f"{sum(entry.alignment_faults for entry in mine)} | "
            f"{fmean(entry.tokens for entry in mine):,.0f} | ${sum(entry.money for entry in mine):.2f} | "
            f"{fmean(entry.seconds for entry in mine):.1f} |"
        )
    return "\n".join(lines)
