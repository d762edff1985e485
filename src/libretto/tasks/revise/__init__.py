"""Revise: what a person wants changed, read from words, granted in some bars, the rest as it was."""

from libretto.tasks.revise.request import Phrase, Request, read_request, read_wishes
from libretto.tasks.revise.task import RevisionTask, revise_task
from libretto.tasks.revise.wish import Wish, kinds, qualities

__all__ = [
    "Phrase",
    "Request",
    "RevisionTask",
    "Wish",
    "kinds",
    "qualities",
    "read_request",
    "read_wishes",
    "revise_task",
]
