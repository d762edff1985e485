"""What listeners said, counted: preference matrices, shares with exact intervals, strengths, agreement."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from libretto.bench.study.answers import Answer, answers_in, read_key
from libretto.bench.study.figures import Strength, alpha, bradley_terry, chance, exact_share

__all__ = ["Agreement", "Preferences", "Shares", "StudyReport", "report_study", "study_lines"]

_TITLES = {
    "ab": "Preference (AB)",
    "match": "Best match to the prompt",
    "turing": "Perceived as human (Turing test)",
    "rating": "Good cases",
}


@dataclass(frozen=True)
class Preferences:
    """Pairs: ``wins[a][b]`` is how often a was preferred to b."""

    systems: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    strengths: tuple[Strength, ...]


@dataclass(frozen=True)
class Shares:
    """How many of how many judgements of each system were the good one."""

    counts: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Agreement:
    """How far listeners agree: questions with two answers or more, the share of pairs that agree, and alpha."""

    questions: int
    share: float
    alpha: float | None


@dataclass(frozen=True)
class StudyReport:
    """Everything that was counted, test by test."""

    study: str
    listeners: int
    answers: int
    preferences: dict[str, Preferences] = field(default_factory=dict)
    shares: dict[str, Shares] = field(default_factory=dict)
    agreement: dict[str, Agreement] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, with the intervals of every share."""
        data = asdict(self)
        for test, shares in self.shares.items():
            data["shares"][test] = {
                name: {"of": count, "were": hits, **exact_share(hits, count).to_dict()}
                for name, (hits, count) in shares.counts.items()
            }
        return data


def report_study(key: str | os.PathLike[str], paths: Iterable[str | os.PathLike[str]]) -> StudyReport:
    """The report of a study: its key, and files of answers or folders of them."""
    whole = read_key(key)
    answers = answers_in(whole, paths)
    made = StudyReport(str(whole["study"]), len({answer.listener for answer in answers}), len(answers))
    for test in _TITLES:
        mine = [answer for answer in answers if answer.test == test]
        if not mine:
            continue
        if test in ("ab", "match"):
            made.preferences[test] = _preferences(mine)
        if test != "ab":
            made.shares[test] = _shares(test, mine)
        agreement = _agreement(mine)
        if agreement is not None:
            made.agreement[test] = agreement
    return made


def _preferences(answers: Sequence[Answer]) -> Preferences:
    """Whoever is chosen is preferred to each of the others that were heard with it."""
    systems = tuple(dict.fromkeys(name for answer in answers for name, _ in answer.samples))
    place = {name: index for index, name in enumerate(systems)}
    wins = [[0] * len(systems) for _ in systems]
    for answer in answers:
        winner = answer.samples[answer.chosen][0]
        for index, (name, _) in enumerate(answer.samples):
            if index != answer.chosen:
                wins[place[winner]][place[name]] += 1
    return Preferences(systems, tuple(map(tuple, wins)), tuple(bradley_terry(systems, wins)))


def _shares(test: str, answers: Sequence[Answer]) -> Shares:
    counts: dict[str, tuple[int, int]] = {}
    for answer in answers:
        for index, (name, _) in enumerate(answer.samples):
            hit = answer.chosen == index if test == "match" else answer.words[index] in ("human", "good")
            hits, count = counts.get(name, (0, 0))
            counts[name] = (hits + hit, count + 1)
    return Shares(counts)


def _agreement(answers: Sequence[Answer]) -> Agreement | None:
    """Agreement on the questions that several were asked; each sample of a Turing trial is a question of its own."""
    said: dict[tuple[str, int], list[str]] = defaultdict(list)
    for answer in answers:
        for index, word in enumerate(answer.words or (str(answer.chosen),)):
            said[answer.trial, index].append(word)
    units = [unit for unit in said.values() if len(unit) > 1]
    pairs = [a == b for unit in units for a, b in combinations(unit, 2)]
    return Agreement(len(units), sum(pairs) / len(pairs), alpha(units)) if pairs else None


def study_lines(report: StudyReport) -> list[str]:
    """The report as Markdown."""
    lines = [f"# Study {report.study}", "", f"{report.listeners} listeners, {report.answers} answers.", ""]
    for test, title in _TITLES.items():
        if test not in report.preferences and test not in report.shares:
            continue
        lines += [f"## {title}", ""]
        if test in report.shares:
            lines += _share_lines(report.shares[test])
        if test in report.preferences:
            lines += _matrix_lines(report.preferences[test])
        agreement = report.agreement.get(test)
        if agreement is None:
            lines += ["Agreement: no question was answered by two listeners.", ""]
        else:
            value = "not defined, all answers are the same" if agreement.alpha is None else f"{agreement.alpha:.2f}"
            of = f"{agreement.questions} questions that several answered"
            lines += [f"Agreement: {agreement.share:.0%} of pairs, Krippendorff's alpha {value} ({of}).", ""]
    lines.append("Shares are with exact (Clopper-Pearson) 95% intervals, p by the exact binomial test against even.")
    return lines


def _share_lines(shares: Shares) -> list[str]:
    lines = ["| system | share [95%] | of |", "|---|---|---|"]
    for name, (hits, count) in shares.counts.items():
        estimate = exact_share(hits, count)
        lines.append(f"| {name} | {estimate.value:.1%} [{estimate.low:.1%}-{estimate.high:.1%}] | {hits}/{count} |")
    return [*lines, ""]


def _matrix_lines(table: Preferences) -> list[str]:
    """The matrix (row over column), each pair with its interval, and the strengths."""
    lines = ["| row over column | " + " | ".join(table.systems) + " |", "|---" * (len(table.systems) + 1) + "|"]
    for a, name in enumerate(table.systems):
        cells = []
        for b in range(len(table.systems)):
            met = table.wins[a][b] + table.wins[b][a]
            cells.append(f"{table.wins[a][b] / met:.2f}" if met else "-")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "| pair | preferred [95%] | of | p |", "|---|---|---|---|"]
    for a, b in combinations(range(len(table.systems)), 2):
        won, met = table.wins[a][b], table.wins[a][b] + table.wins[b][a]
        if met:
            names = f"{table.systems[a]} over {table.systems[b]}"
            lines.append(f"| {names} | {exact_share(won, met)} | {won}/{met} | {chance(won, met):.3f} |")
    lines += ["", "| Bradley-Terry | strength (log-odds) [95%] |", "|---|---|"]
    lines += [f"| {row.name} | {row.value:+.2f} [{row.low:+.2f} to {row.high:+.2f}] |" for row in table.strengths]
    return [*lines, ""]
