"""What a request asks, as data: the one place that says what ``Request.asked`` may hold.

A model reads the messages; a client that is a program reads this. Nothing here is part of what a request is.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from libretto.score import Score
from libretto.tasks import Round, Task

__all__ = ["Asked", "AskedKind"]

AskedKind = Literal["plan", "piece", "bars", "repair", "revise", "role", "review"]


class Asked(TypedDict, total=False):
    """What is asked of whoever answers; every field may be missing.

    ``kind``: ``plan`` (the plan of a piece), ``piece`` (a whole piece in one go), ``bars`` (some bars of a piece),
    ``repair`` (what could not be read, again), ``revise`` (patches, or the piece anew), ``role`` and ``review``
    (teams: some voices of some bars; what is to be changed).
    """

    kind: AskedKind
    #: What a repair repeats: the kind of the request that was answered badly.
    again: AskedKind
    task: Task
    brief: str
    #: The bars to write, by number, both ends included.
    bars: tuple[int, int]
    #: The voices to write; all of the piece where there are none.
    voices: tuple[str, ...]
    notation: str
    #: The header of the piece in writing.
    header: str
    #: The piece that is revised or written into.
    base: Score
    rounds: tuple[Round, ...]
    #: What a member of a team is asked to be.
    role: str
    #: The number of the call in its run, from 1; the ledger adds it.
    call: int
