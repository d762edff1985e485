"""Every concept drilled once, and what a teacher would not print of that: ``python -m lab.drills OUT``.

For each concept of theory that is not written as a study: whether it is refused although nobody asked for anything,
clauses it breaks (the promise in half of the bars among them), labels that its notes deny, notes that its instrument
does not have, bars without notes, and monotony: more than half of the bars the same, or more than half of the notes one
pitch. Rows go to OUT as they are made, so that it can be stopped and go on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.drill.drilling import broken_clauses, write_drill
from libretto.house.drill.studying import studied
from libretto.knowledge import all_concepts
from libretto.score import Score
from libretto.tasks.drill.checks import checks_of
from libretto.tasks.drill.promises import contradicted
from libretto.tasks.drill.task import drill_task

__all__ = ["doubt_of", "faults_of", "main"]

_MONOTONOUS = 0.5  # of the bars, or of the notes
_BASE = "theory/"


def faults_of(score: Score) -> list[str]:
    """What a teacher would not print of a drill, whatever it is about."""
    voice = score.voices[0]
    own, pitches = instrument_of_program(voice.program or 0), score.table["pitch"].tolist()
    if not pitches:
        return ["no notes"]
    bars: list[list[tuple[int, int]]] = [[] for _ in range(score.bars)]
    for row in score.table:
        bars[score.bar_at(int(row["onset"]))].append((int(row["position"]), int(row["pitch"])))
    faults = []
    if min(pitches) < own.low or max(pitches) > own.high:
        faults.append(f"range {min(pitches)}-{max(pitches)} of {own.low}-{own.high}")
    if any(not bar for bar in bars):
        faults.append("bars without notes")
    if Counter(map(tuple, bars)).most_common(1)[0][1] > _MONOTONOUS * score.bars:
        faults.append("one bar again and again")
    if Counter(pitches).most_common(1)[0][1] > _MONOTONOUS * len(pitches):
        faults.append("one pitch again and again")
    if contradicted(score):
        faults.append("a label that the notes deny")
    return faults


def _row(name: str, key: str = "", level: int | None = None) -> dict[str, Any]:
    """One concept in a key, at a level: as a study, refused, or written, with what is wrong with it."""
    where: dict[str, Any] = {"concept": name, "key": key, "level": level}
    try:
        task = drill_task(name, key=key, level=level)
        if studied(task, 0) is not None:
            return where | {"way": "study", "faults": []}
        made = write_drill(task, 0, Controls())
    except LibrettoError as error:
        return where | {"way": "refused", "faults": [str(error)]}
    score, told = made if isinstance(made, tuple) else (made, {})
    broken = [f"{check.clause}: {check.evidence}" for check, _ in checks_of(task, score) if check.passed is False]
    return where | {"way": "example", "faults": broken + faults_of(score), "likeness": told.get("overlap")}


def doubt_of(name: str, key: str = "", level: int | None = None) -> dict[str, Any]:
    """One concept in a key, at a level, before anything is written anew: a study, or what its best model breaks.

    A drill that is written from a model keeps what the model keeps; so only those in doubt need to be written.
    """
    where: dict[str, Any] = {"concept": name, "key": key, "level": level}
    try:
        broken = broken_clauses(drill_task(name, key=key, level=level))
    except LibrettoError as error:
        return where | {"way": "refused", "faults": [str(error)]}
    return where | {"way": "refused" if broken is None else "kept" if not broken else "doubt", "faults": broken or []}


def main(arguments: Sequence[str] | None = None) -> None:
    """Drill what is not in OUT yet, then say what fails."""
    parser = argparse.ArgumentParser(prog="lab.drills", description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="at most so many drills more")
    parser.add_argument("--keys", default="", help="tonics such as D,Bb (left out: the concept's own key)")
    parser.add_argument("--levels", default="", help="levels such as 1,2,3 (left out: the concept's own level)")
    parser.add_argument("--doubt", action="store_true", help="write nothing anew: only say what the models break")
    parser.add_argument("--only", type=Path, help="a file of a sweep: only what is in doubt or refused there")
    given = parser.parse_args(arguments)
    rows = _kept(given.output)
    known = {_place(row) for row in rows}
    wanted = (
        [_place(row) for row in _kept(given.only) if row["way"] in ("doubt", "refused")]
        if given.only
        else [
            (name, key, level)
            for name in all_concepts()
            if name.startswith(_BASE)
            for key in given.keys.split(",")
            for level in ([int(level) for level in given.levels.split(",")] if given.levels else [None])
        ]
    )
    with given.output.open("a", encoding="utf-8") as kept:
        for place in [place for place in wanted if place not in known][: given.most]:
            row = doubt_of(*place) if given.doubt else _row(*place)
            rows.append(row)
            kept.write(json.dumps(row) + "\n")
            kept.flush()
    _say(rows)


def _kept(path: Path) -> list[dict[str, Any]]:
    """The rows of a sweep."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def _place(row: dict[str, Any]) -> tuple[str, str, int | None]:
    """Which concept a row is about, in which key and at which level."""
    return row["concept"], row.get("key", ""), row.get("level")


def _say(rows: Sequence[dict[str, Any]]) -> None:
    """How many were made in which way, and every fault."""
    ways = Counter(row["way"] for row in rows)
    print(f"{len(rows)} drills: {', '.join(f'{count} {way}' for way, count in sorted(ways.items()))}")
    for row in rows:
        if row["faults"]:
            where = " ".join(str(word) for word in _place(row) if word)
            print(f"{where}: {'; '.join(row['faults'])}")


if __name__ == "__main__":
    main()
