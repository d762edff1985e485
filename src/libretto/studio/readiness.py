"""Getting ready: what a worker loads before anybody asks, so that the first answer is as quick as the later ones."""

from __future__ import annotations

from collections.abc import Callable

from libretto.errors import LibrettoError

__all__ = ["get_ready"]

_SHORT = "A calm piece in C major for piano, 8 bars."


def get_ready(is_wanted: Callable[[], bool]) -> None:
    """Load what composing, judging and filling need, in that order; stop where somebody asks for something."""
    for step in (_composing, _judging, _filling):
        if is_wanted():
            return
        try:
            step()
        except LibrettoError:
            continue  # what is missing is said when it is asked for


def _composing() -> None:
    from libretto.agents.loop import compose

    compose(_SHORT, rounds=1)


def _judging() -> None:
    from libretto.agents.appraising import judge_alone
    from libretto.agents.loop import compose

    score = compose(_SHORT, rounds=1).score
    if score is not None:
        judge_alone(score)


def _filling() -> None:
    from libretto.agents.loop import compose
    from libretto.verbs import fill

    score = compose(_SHORT, rounds=1).score
    if score is not None:
        fill(score, 3, 4, rounds=1)
