"""An environment for ``verifiers``: briefs as tasks, the reward as their score, its parts as metrics.

The library's environments are a taskset (data, and how a reply is scored) and a harness (who replies). This is the
taskset: ``music_taskset(briefs)`` gives one that is ready, and a package that names ``taskset_type()`` in its
``__all__`` can be found by the library's own commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar import primer
from libretto.reward.trl import text_of
from libretto.reward.weighing import Reward, Terms, reward_of

__all__ = ["BRIEFS", "music_taskset", "prompt_of", "score_reply", "taskset_type"]

#: What is asked where nobody says what to ask.
BRIEFS = (
    "A reel for solo violin in D major, 16 bars",
    "A waltz for flute and guitar in A minor, 16 bars",
    "A hymn for four voices in G major, 16 bars",
)


def prompt_of(brief: str, *, grammar: bool = True) -> str:
    """What a model is asked: the brief, and how to write it down unless it knows."""
    ask = f"Compose this and answer with the text alone, in the Libretto grammar: {brief}"
    return f"{primer()}\n\n{ask}" if grammar else ask


def score_reply(reply: str, brief: str = "", terms: Terms | None = None) -> Reward:
    """The reward of a model's reply to a brief."""
    terms = terms or Terms()
    asked = Contract.from_brief(brief) if brief else terms.contract
    return reward_of(text_of(reply), Terms(asked, terms.memory, terms.shown, terms.genre, terms.depth))


@lru_cache(maxsize=1)
def taskset_type() -> type[Any]:
    """The class of tasksets, made when it is first asked for, since the library need not be installed."""
    try:
        import verifiers.v1 as vf
    except ModuleNotFoundError:
        raise LibrettoError("the environment needs verifiers: pip install 'libretto[verifiers]'") from None

    class MusicData(vf.TaskData):  # type: ignore[misc]
        """A brief beside what every task has."""

        brief: str = ""

    class MusicConfig(vf.TasksetConfig):  # type: ignore[misc]
        """Which briefs are asked, and whether the grammar is explained."""

        briefs: tuple[str, ...] = BRIEFS
        grammar: bool = True

    class MusicTask(vf.Task[MusicData]):  # type: ignore[misc]
        """One brief: the reply is read, and rewarded."""

        @vf.reward  # type: ignore[untyped-decorator]
        async def music(self, trace: Any) -> float:
            """The value of the reply."""
            return score_reply(trace.last_reply, self.data.brief).value

        @vf.metric  # type: ignore[untyped-decorator]
        async def parts(self, trace: Any) -> dict[str, float]:
            """Its parts, each by name."""
            return dict(score_reply(trace.last_reply, self.data.brief).parts)

    class MusicTaskset(vf.Taskset[MusicTask, MusicConfig]):  # type: ignore[misc]
        """Briefs as tasks."""

        def load(self) -> Iterable[MusicTask]:
            """A task for each brief."""
            for brief in self.config.briefs:
                prompt = prompt_of(brief, grammar=self.config.grammar)
                yield MusicTask(MusicData(prompt=prompt, brief=brief, name=brief), self.config.task)

    MusicTaskset.config_type = MusicConfig
    return MusicTaskset


def music_taskset(briefs: Sequence[str] = BRIEFS, *, grammar: bool = True) -> Any:
    """A taskset of briefs, ready to be run by any harness of the library."""
    kind = taskset_type()
    return kind(kind.config_type(briefs=tuple(briefs), grammar=grammar))
