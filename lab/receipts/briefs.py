"""What is claimed is done: labelled briefs read, composed, and held against their receipts, clause by clause.

``python -m lab.receipts.briefs SEEDS FILE...`` prints every clause that is not kept, and the share of those that are.
A file is a list of briefs with an ``id`` and a ``text``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from libretto.contract import Check, Contract, receipt
from libretto.errors import LibrettoError
from libretto.house.compose.composer import compose_score

__all__ = ["briefs_of", "checks_of", "main"]


def briefs_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The briefs of files: their names and texts."""
    for path in paths:
        for row in json.loads(path.read_text(encoding="utf-8")):
            yield row["id"], row["text"]


def checks_of(text: str, seed: int) -> list[Check]:
    """Every clause that a brief asks for, as the piece of a seed keeps it; none where a brief is refused."""
    try:
        contract = Contract.from_brief(text)
    except LibrettoError:
        return []
    return [check for check in receipt(contract, compose_score(contract, seed)).checks if check.passed is not None]


def main(seeds: int, paths: Iterable[Path]) -> int:
    """Print what is not kept, by brief and by kind of clause."""
    asked, lost = Counter[str](), Counter[str]()
    for name, text in briefs_of(paths):
        for seed in range(seeds):
            for check in checks_of(text, seed):
                kind = check.clause.split(":")[0]
                asked[kind] += 1
                if not check.passed:
                    lost[kind] += 1
                    print(f"{name} seed {seed}  {check.clause}: {check.evidence}", flush=True)
    for kind in sorted(lost):
        print(f"{kind}: {lost[kind]} of {asked[kind]} not kept")
    whole = max(1, asked.total())
    print(f"{whole - lost.total()} of {whole} clauses kept ({(whole - lost.total()) / whole:.1%})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), [Path(name) for name in sys.argv[2:]]))
