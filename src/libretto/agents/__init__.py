"""Composers and the one loop that runs every task with any of them."""

from libretto.agents.composer import Composer, composer, composers
from libretto.agents.loop import compose, run_task
from libretto.agents.session import Session, start_run, submit_draft
from libretto.registry import load_all

__all__ = ["Composer", "Session", "compose", "composer", "composers", "run_task", "start_run", "submit_draft"]

for _room in ("models", "agents.model", "agents.scripted", "agents.teams"):  # who answers, and who composes with them
    load_all(f"libretto.{_room}")
