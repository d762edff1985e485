"""``python -m lab.receipts``: what receipts lose of damaged pieces, and whether whole pieces keep everything."""

from __future__ import annotations

import sys
from collections import defaultdict

from lab.receipts.contracts import RICH, random_contract
from lab.receipts.damages import damaged_ask, kind_of
from lab.receipts.fields import FIELDS
from libretto.contract import Contract, receipt
from libretto.errors import LibrettoError
from libretto.house.compose.composer import compose_score
from libretto.score import Score

_SEEDS = 3
_RANDOM = 200


def _lost(contract: Contract, score: Score) -> list[str]:
    return [check.clause for check in receipt(contract, score).failed]


def _damages(contract: Contract, score: Score) -> list[tuple[str, str, Score]]:
    """The piece damaged in every way there is: kind, the clause that should be lost, and the damaged piece."""
    made = []
    for ask in contract.asks:
        hurt = damaged_ask(ask, contract, score)
        if hurt is not None and hurt != score:
            made.append((kind_of(ask), ask.text, hurt))
    for clause, work in FIELDS.items():
        hurt = work(contract, score)
        if hurt is not None and hurt != score:
            made.append((clause, clause, hurt))
    return made


def damage(seeds: int) -> tuple[int, int]:
    """Print kinds, hits and false losses; give hits and tries."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for number, contract in enumerate(RICH):
        for seed in range(seeds):
            score = compose_score(contract, seed)
            before = _lost(contract, score)
            if before:
                print(f"contract {number} seed {seed}: loses {before} undamaged")
            for kind, clause, hurt in _damages(contract, score):
                lost = [name for name in _lost(contract, hurt) if name not in before]
                hits[kind].append(lost == [clause])
                if lost != [clause]:
                    print(f"contract {number} seed {seed}, {kind}: loses {lost}")
    for kind, told in sorted(hits.items()):
        print(f"{kind:<28} {sum(told)}/{len(told)}")
    good, tries = sum(map(sum, hits.values())), sum(map(len, hits.values()))
    print(f"{len(hits)} kinds of damage over {len(RICH) * seeds} pieces: {good} of {tries} lose exactly their clause")
    return good, tries


def whole(count: int) -> tuple[int, int]:
    """Print how many clauses whole pieces keep; give kept and asked."""
    kept = asked = 0
    for seed in range(count):
        contract = random_contract(seed)
        try:
            checks = receipt(contract, compose_score(contract, seed)).checks
        except LibrettoError as error:
            print(f"random {seed}: {error}")
            continue
        told = [check for check in checks if check.passed is not None]
        kept, asked = kept + sum(bool(check.passed) for check in told), asked + len(told)
        for check in told:
            if not check.passed:
                print(f"random {seed} {[ask.text for ask in contract.asks]}: {check.clause}: {check.evidence}")
    print(f"{count} random contracts: {kept} of {asked} clauses kept ({kept / max(1, asked):.1%})")
    return kept, asked


if __name__ == "__main__":
    seeds, count = (int(number) for number in (sys.argv[1:] + [str(_SEEDS), str(_RANDOM)][len(sys.argv) - 1 :])[:2])
    damage(seeds)
    whole(count)
