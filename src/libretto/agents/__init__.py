"""Composers and the one loop that runs every task with any of them."""

from typing import TYPE_CHECKING

from libretto.models.client import clients
from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.agents.composer import Composer, composer, composers
    from libretto.agents.loop import compose, run_task
    from libretto.agents.session import Session, start_run, submit_draft

__all__ = ["Composer", "Session", "compose", "composer", "composers", "run_task", "start_run", "submit_draft"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "composer": "Composer composer composers",
        "loop": "compose run_task",
        "session": "Session start_run submit_draft",
    },
)

clients.also_in("libretto.agents.scripted")  # scripts answer as clients do
