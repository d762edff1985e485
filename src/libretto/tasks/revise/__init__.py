"""Revise: what a person wants changed, read from words, granted in some bars, the rest as it was."""

from libretto.tasks.revise.task import RevisionTask, revise_task
from libretto.tasks.revise.wish import Wish, qualities
from libretto.tasks.revise.words import read_wishes

__all__ = ["RevisionTask", "Wish", "qualities", "read_wishes", "revise_task"]
