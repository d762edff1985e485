"""The house composer in the loop: a draft at 0 on every knob, then the knobs as the findings ask, or another take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.house.compose.composer import compose_score
from libretto.house.compose.titles import TAKES
from libretto.house.core.controls import Controls, leaning, steer
from libretto.models.cost import Cost
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks import Draft, Round, Task
from libretto.tasks.rounds import best_of

__all__ = ["House", "Made", "Writer", "knobs", "take_of", "writers"]

#: A piece, or a piece and what its writer says of how it came about.
Made = Score | tuple[Score, Mapping[str, Any]]
Writer = Callable[[Task, int, Controls], Made]
#: How the house answers each kind of task: from the task, a seed and the controls to a piece.
writers: Registry[Writer] = Registry("writer")
#: The knobs that the writer of a kind of task answers; all where it is not said.
knobs: Registry[tuple[str, ...]] = Registry("knobs of a writer")


@writers.register("compose")
def _compose(task: Task, seed: int, controls: Controls) -> Score:
    return compose_score(task.contract, seed, controls)


knobs.register("compose")(
    (
        "density", "lengths", "harmonic_rhythm", "color", "leaps", "variation", "melody_register", "touch", "swing",
        "tempo",
    )
)  # fmt: skip


def take_of(seed: int) -> int:
    """Which take of the loop a writer's seed belongs to: 0 for a first draft.

    >>> take_of(3), take_of(3 + 2 * 1_000_003)
    (0, 2)
    """
    return max(0, seed) // TAKES


def _no_clock() -> float:
    return 0.0


class House:
    """The built-in composer: no model, no network; the same seed gives the same bytes.

    ``clock`` tells the seconds by which a draft's cost is measured; without one a draft costs nothing.
    """

    name = "house"

    def __init__(self, seed: int = 0, clock: Callable[[], float] = _no_clock) -> None:
        self.seed = seed
        self.clock = clock

    def draft(self, task: Task) -> Draft:
        """A first draft, as the style has it, with a lean towards its listener's taste."""
        return self._take(task, leaning(Controls(), task.taste), 0)

    def revise(self, task: Task, rounds: Sequence[Round]) -> Draft:
        """The best draft so far, steered by what was found in it; another take where no knob answers that."""
        best = best_of(rounds)
        before = Controls(**best.draft.notes.get("controls", {}))
        findings = best.verdict.findings if best.verdict else ()
        controls = steer(before, findings, knobs.get(task.kind))
        tried = [(past.draft.notes.get("controls", {}), past.draft.notes.get("take", 0)) for past in rounds]
        take = int(best.draft.notes.get("take", 0))
        if controls == before or any(not finding.axis for finding in findings):
            take += 1
        while (controls.to_dict(), take) in tried:
            take += 1
        return self._take(task, controls, take)

    def _take(self, task: Task, controls: Controls, take: int) -> Draft:
        start = self.clock()
        if task.kind not in writers:
            raise LibrettoError(
                f"the house composer does not know the task {task.kind!r}; it knows {', '.join(writers)}"
            )
        made = writers[task.kind](task, self.seed + take * TAKES, controls)
        score, said = made if isinstance(made, tuple) else (made, {})
        seconds = round(self.clock() - start, 3)
        return Draft(notate(score), {"controls": controls.to_dict(), "take": take, **said}, Cost(seconds=seconds))
