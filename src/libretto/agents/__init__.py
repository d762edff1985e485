"""Composers and the one loop that runs every task with any of them."""

from importlib import import_module

from libretto.agents.composer import Composer, composer, composers
from libretto.agents.loop import compose, run_task
from libretto.agents.session import Session
from libretto.agents.submit import start_run, submit_draft

for _client in ("agents.scripted.client", "models.relay", "models.vendor"):  # they register who answers
    import_module(f"libretto.{_client}")

__all__ = ["Composer", "Session", "compose", "composer", "composers", "run_task", "start_run", "submit_draft"]
