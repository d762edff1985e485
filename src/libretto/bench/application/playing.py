"""Play the cases of table 3, row by row, resumable and on all cores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import fmean

from libretto.agents.loop import tally
from libretto.bench.application import CaseData, OutcomeData, rows
from libretto.bench.application.published import PAPER_ROWS, with_gates
from libretto.bench.application.table import Applied, Table
from libretto.errors import LibrettoError, MissingExtra
from libretto.formats import read_bytes
from libretto.gates.paper import check_gates

__all__ = ["bench_applications", "expected_applications", "row_names"]

_TRIED = 2  # cases of a row by which the others are expected
_LONGEST_REASON = 300  # characters
_MONEY_DIGITS = 6
#: The modules that register rows; a new row's module is named here and nowhere else.
_MODULES = ("composing", "application.cases")


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
    gates: str = "ours",
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Table:
    """Play the cases of the rows with a composer; with a folder, finished cases are kept there and not played again.

    By the published gates (``paper``) the rows are those for which there are some.
    """
    applied = []
    usual = names if check_gates(gates) == "ours" else names or PAPER_ROWS
    for name in _asked(usual):
        row = rows[name]
        cases = with_gates(name, list(row.cases(music))[:limit], gates)
        applied.append(Applied(name, row, _played(name, cases, composer, rounds, folder, jobs, step, gates)))
    return Table(composer, rounds, tuple(applied), gates)


def _asked(names: Sequence[str]) -> Sequence[str]:
    known = row_names()
    for name in names:
        if name not in known:
            raise LibrettoError(f"there is no application {name!r}; there are {', '.join(known)}")
    return names or known


def _played(
    name: str,
    cases: Sequence[CaseData],
    composer: str,
    rounds: int,
    folder: str | os.PathLike[str] | None,
    jobs: int,
    step: Callable[[int, int], None],
    gates: str = "ours",
) -> tuple[OutcomeData, ...]:
    kind = "" if gates == "ours" else "-paper"
    path = Path(folder) / f"{name}{kind}.jsonl" if folder is not None else None
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


def _play(name: str, composer: str, rounds: int, case: CaseData) -> OutcomeData:
    row_names()
    with tally() as costs:
        try:
            made = rows[name].play(case, composer, rounds)
        except (MissingExtra, KeyboardInterrupt):
            raise
        except (
            LibrettoError
        ) as error:  # a model that is gone, a case that cannot be asked: counted, and the bench goes on
            why = " ".join(str(error).split())[:_LONGEST_REASON]
            made = {"single": False, "passed": False, "failed": ["no answer"], "why": why}
    tokens = [sum(cost.tokens_in for cost in costs), sum(cost.tokens_out for cost in costs)]
    money = sum(cost.money for cost in costs)
    return made | ({"tokens": tokens, "money": round(money, _MONEY_DIGITS)} if any(tokens) else {})


def expected_applications(
    names: Sequence[str] = (), music: str | None = None, limit: int | None = None, rounds: int = 3
) -> dict[str, tuple[int, int, int]]:
    """For each row its cases, and the tokens in and out that one is expected to take: as a pretend model takes them."""
    expected = {}
    for name in _asked(names):
        cases = list(rows[name].cases(music))[:limit]
        tried = [_play(name, "scripted", rounds, case).get("tokens", (0, 0)) for case in cases[:_TRIED]]
        sent, back = (round(fmean(tokens[i] for tokens in tried)) if tried else 0 for i in (0, 1))
        expected[name] = (len(cases), sent, back)
    return expected


def _kept(path: Path, composer: str, rounds: int) -> dict[str, OutcomeData]:
    """The cases of a composer that were finished before; a line that was cut off is played again."""
    kept: dict[str, OutcomeData] = {}
    if not path.is_file():
        return kept
    for line in read_bytes(path).decode("utf-8", "replace").splitlines():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if not isinstance(data, dict) or not {"case", "single", "passed"} <= data.keys():
            continue
        if (data.pop("composer", None), data.pop("rounds_asked", None)) == (composer, rounds):
            kept[str(data["case"])] = data
    return kept
