"""Table 3: every application with the published figures beside ours, case by case, resumable and on all cores."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

from libretto.agents.loop import tally
from libretto.bench.application import Case, Outcome, Row, rows
from libretto.corpus.intervals import wilson
from libretto.errors import LibrettoError, MissingExtra
from libretto.formats import read_bytes

__all__ = ["Applied", "Table", "applications_lines", "bench_applications", "expected_applications", "row_names"]

_TRIED = 2  # cases of a row by which the others are expected
#: The modules that register rows; a new row's module is named here and nowhere else.
_MODULES = ("composing", "retrieval", "fill_rows", "morphing")


@dataclass(frozen=True)
class Applied:
    """What became of one row."""

    name: str
    row: Row
    outcomes: tuple[Outcome, ...]

    @property
    def single(self) -> int:
        """How many pass with the first draft."""
        return sum(bool(each["single"]) for each in self.outcomes)

    @property
    def passed(self) -> int:
        """How many pass within the rounds."""
        return sum(bool(each["passed"]) for each in self.outcomes)

    @property
    def improved(self) -> int:
        """In how many cases the best round stands better with the gates than the first."""
        pairs = [each.get("margin", ()) for each in self.outcomes]
        return sum(len(pair) == 2 and None not in pair and pair[1] > pair[0] for pair in pairs)

    @property
    def groups(self) -> dict[str, tuple[Outcome, ...]]:
        """The cases by where they lie, where they say so."""
        found: dict[str, list[Outcome]] = {}
        for each in self.outcomes:
            if each.get("group"):
                found.setdefault(str(each["group"]), []).append(each)
        return {name: tuple(each) for name, each in found.items()} if len(found) > 1 else {}

    @property
    def figures(self) -> dict[str, float]:
        """The means of what the cases measured beside, in the order in which they name it."""
        names = list(dict.fromkeys(name for each in self.outcomes for name in each.get("figures", {})))
        return {
            name: fmean(each["figures"][name] for each in self.outcomes if name in each.get("figures", {}))
            for name in names
        }

    @property
    def met(self) -> bool:
        """Whether enough of them do; nothing played is nothing missed."""
        return not self.outcomes or self.passed >= self.row.mark * len(self.outcomes)


@dataclass(frozen=True)
class Table:
    """Table 3 as measured here."""

    composer: str
    rounds: int
    applied: tuple[Applied, ...]

    @property
    def spent(self) -> tuple[int, int, float]:
        """Tokens in, tokens out and money of all cases, as far as they are known."""
        every = [each for applied in self.applied for each in applied.outcomes]
        tokens = [each.get("tokens", (0, 0)) for each in every]
        return sum(t[0] for t in tokens), sum(t[1] for t in tokens), sum(each.get("money", 0.0) for each in every)

    @property
    def passed(self) -> bool:
        """Whether every row meets its mark."""
        return all(each.met for each in self.applied)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "composer": self.composer,
            "rounds": self.rounds,
            "passed": self.passed,
            "rows": [
                {
                    "row": each.name,
                    "title": each.row.title,
                    "published_single": each.row.single,
                    "published": each.row.result,
                    "cases": len(each.outcomes),
                    "single": each.single,
                    "pass": each.passed,
                    "labels": list(each.row.labels),
                    "improved": each.improved,
                    "figures": {name: round(value, 4) for name, value in each.figures.items()},
                    "mark": each.row.mark,
                    "met": each.met,
                    "outcomes": list(each.outcomes),
                }
                for each in self.applied
            ],
        }


def row_names() -> tuple[str, ...]:
    """Every row that there is."""
    for module in _MODULES:
        import_module(f"libretto.bench.{module}")
    return tuple(rows)


def bench_applications(
    composer: str = "house",
    *,
    names: Sequence[str] = (),
    music: str | None = None,
    limit: int | None = None,
    rounds: int = 3,
    folder: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Table:
    """Play the cases of the rows with a composer; with a folder, finished cases are kept there and not played again."""
    found = []
    for name in _asked(names):
        row = rows[name]
        cases = list(row.cases(music))[:limit]
        found.append(Applied(name, row, _played(name, cases, composer, rounds, folder, jobs, step)))
    return Table(composer, rounds, tuple(found))


def _asked(names: Sequence[str]) -> Sequence[str]:
    known = row_names()
    for name in names:
        if name not in known:
            raise LibrettoError(f"there is no application {name!r}; there are {', '.join(known)}")
    return names or known


def _played(
    name: str,
    cases: Sequence[Case],
    composer: str,
    rounds: int,
    folder: str | os.PathLike[str] | None,
    jobs: int,
    step: Callable[[int, int], None],
) -> tuple[Outcome, ...]:
    path = Path(folder) / f"{name}.jsonl" if folder is not None else None
    kept = _kept(path, composer, rounds) if path else {}
    left = [case for case in cases if case["case"] not in kept]
    step(len(cases) - len(left), len(cases))
    if left:
        with ProcessPoolExecutor(jobs or None) as pool:
            waiting = {pool.submit(partial(_play, name, composer, rounds), dict(case)): case["case"] for case in left}
            for done, future in enumerate(as_completed(waiting), start=len(cases) - len(left) + 1):
                made = {"case": waiting[future], **future.result()}
                kept[made["case"]] = made
                if path:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    line = json.dumps({"composer": composer, "rounds_asked": rounds, **made}, ensure_ascii=True)
                    with open(path, "a", encoding="utf-8") as file:
                        file.write(line + "\n")
                step(done, len(cases))
    return tuple(kept[case["case"]] for case in cases)


def _play(name: str, composer: str, rounds: int, case: Case) -> Outcome:
    row_names()
    with tally() as costs:
        try:
            made = rows[name].play(case, composer, rounds)
        except (MissingExtra, KeyboardInterrupt):
            raise
        except (
            LibrettoError
        ) as error:  # a model that is gone, a case that cannot be asked: counted, and the bench goes on
            made = {
                "single": False,
                "passed": False,
                "failed": ["no answer"],
                "why": " ".join(str(error).split())[:300],
            }
    tokens = [sum(each.tokens_in for each in costs), sum(each.tokens_out for each in costs)]
    money = sum(each.money for each in costs)
    return made | ({"tokens": tokens, "money": round(money, 6)} if any(tokens) else {})


def expected_applications(
    names: Sequence[str] = (), music: str | None = None, limit: int | None = None, rounds: int = 3
) -> dict[str, tuple[int, int, int]]:
    """For each row its cases, and the tokens in and out that one is expected to take: as a pretend model takes them."""
    found = {}
    for name in _asked(names):
        cases = list(rows[name].cases(music))[:limit]
        tried = [_play(name, "scripted", rounds, case).get("tokens", (0, 0)) for case in cases[:_TRIED]]
        sizes = [round(fmean(each[i] for each in tried)) if tried else 0 for i in (0, 1)]
        found[name] = (len(cases), sizes[0], sizes[1])
    return found


def _kept(path: Path, composer: str, rounds: int) -> dict[str, Outcome]:
    """The cases of a composer that were finished before; a line that was cut off is played again."""
    found: dict[str, Outcome] = {}
    if not path.is_file():
        return found
    for line in read_bytes(path).decode("utf-8", "replace").splitlines():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if not isinstance(data, dict) or not {"case", "single", "passed"} <= data.keys():
            continue
        if (data.pop("composer", None), data.pop("rounds_asked", None)) == (composer, rounds):
            found[str(data["case"])] = data
    return found


def applications_lines(table: Table) -> list[str]:
    """The table for a terminal: published and ours side by side, then what failed."""
    lines = [f"Table 3, {table.composer}, up to {table.rounds} rounds"]
    for each in table.applied:
        total = len(each.outcomes)
        lines.append(f"{each.row.title}")
        one, two = each.row.labels
        lines.append(f"  published  {one} {each.row.single:<22} {two} {each.row.result}")
        if not total:
            lines.append("  ours       needs --music FOLDER")
            continue
        rates = [f"{count}/{total} {wilson(count / total, total).percent}" for count in (each.single, each.passed)]
        missed = "" if each.met else f"  MISSED (mark {each.row.mark:.0%})"
        lines.append(f"  ours       {one} {rates[0]:<22} {two} {rates[1]}{missed}")
        for name, mine in each.groups.items():
            single, passed = (sum(bool(case[what]) for case in mine) for what in ("single", "passed"))
            lines.append(f"    {name:<22} {one} {single}/{len(mine)}, {two} {passed}/{len(mine)}")
        if each.row.labels == Row.labels and any("margin" in case for case in each.outcomes):
            lines.append(f"  loop       {each.improved}/{total} improve on their first round")
        lines += [f"  {name:<48} {value:.2f}" for name, value in each.figures.items()]
        lines += [f"  {each.row.about}"] if each.row.about else []
        failed = Counter(gate for outcome in each.outcomes for gate in outcome.get("failed", ()))
        if failed:
            lines.append("  fails      " + ", ".join(f"{name} {count}" for name, count in failed.most_common()))
        lines += [f"  because    {why}" for why in dict.fromkeys(o["why"] for o in each.outcomes if o.get("why"))][:5]
    if any(table.spent[:2]):
        sent, back, money = table.spent
        lines.append(f"spent: {sent:,} tokens in, {back:,} out, ${money:.4f} where prices are known")
    return lines
