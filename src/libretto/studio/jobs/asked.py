"""What a job is asked: the piece and its version, who is to compose, and how that tells how far it is."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.studio.asking import asked_number, asked_text, asked_whole
from libretto.studio.jobs import Bench
from libretto.workspace import is_handle, is_name, split_handle
from libretto.workspace.versions import MOST_VERSIONS

if TYPE_CHECKING:
    from libretto.verbs import How

__all__ = ["MOST_SEED", "author_of", "composer_of", "how_of", "piece_of", "song_or_genre"]

#: The largest seed.
MOST_SEED = 1_000_000
_LONGEST_COMPOSER = 120
_SHOWN = 40  # characters of a wrong name that an error repeats
_BY_HAND = "relay"  # it asks a person at a terminal, and there is none
_OFTEN = 0.3  # seconds between two lines about what a model writes
_MOST_MONEY = 1_000.0


def piece_of(bench: Bench, arguments: dict[str, Any]) -> tuple[str, int, Score]:
    """The piece that a job is about: its name, the version that the page knew, and the music."""
    name, number = split_handle(asked_text(arguments, "piece"))
    if arguments.get("base") is not None:
        number = asked_whole(arguments, "base", 1, MOST_VERSIONS)
    version = bench.workspace.version(name, number)
    return name, version.number, bench.workspace.score(name, version.number)


def song_or_genre(bench: Bench, words: str) -> Score | str:
    """A piece of the workspace by its handle, or else the name of a genre."""
    from libretto.contract import GENRES

    genre = "_".join(words.lower().replace("/", " ").replace("&", " ").split())
    if genre in GENRES:
        return genre
    if not is_handle(words) and not is_name(words):
        raise LibrettoError(f"there is no piece and no genre {words[:_SHOWN]!r}; the genres are {', '.join(GENRES)}")
    name, number = split_handle(words)
    if not bench.workspace.log(name):
        raise LibrettoError(f"there is no piece and no genre {name!r}; the genres are {', '.join(GENRES)}")
    return bench.workspace.score(name, number)


def composer_of(arguments: dict[str, Any]) -> str:
    """Who composes: the house, or a model by its vendor and name."""
    return asked_text(arguments, "composer", _LONGEST_COMPOSER, "") or "house"


def author_of(arguments: dict[str, Any]) -> str:
    """Who asked."""
    return asked_text(arguments, "author", default="you")


def how_of(bench: Bench, arguments: dict[str, Any], rounds: int, take: int = 0) -> How:
    """How something is to be composed: by whom, within what budget, which take; a model is heard while it writes."""
    from libretto.agents.composer import Setup
    from libretto.house.compose.titles import TAKES
    from libretto.models.ledger import Budget

    composer = composer_of(arguments)
    money = arguments.get("budget")
    budget = Budget(money=asked_number(arguments, "budget", 0, _MOST_MONEY) if money is not None else None)
    writing, count, last = "", 0, 0.0

    def heard(purpose: str, text: str) -> None:
        nonlocal writing, count, last
        if purpose == "sent":  # a line about a request, and no piece of a reply
            writing, count, last = "", 0, monotonic()
            bench.report(text, None)
            return
        writing, count = purpose, len(text) + (count if purpose == writing else 0)
        if monotonic() - last > _OFTEN:
            last = monotonic()
            bench.report(f"{purpose}: {count:,} characters so far", None)

    if composer.partition(":")[0] == _BY_HAND:
        raise LibrettoError("a relay speaks through a terminal; the studio composes with the house or a model")
    start = asked_whole(arguments, "seed", 0, MOST_SEED, 0)
    return {
        "composer": composer,
        "rounds": rounds,
        "seed": start + take * TAKES,
        "setup": Setup(budget=budget, heard=heard),
    }
