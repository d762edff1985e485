"""Better and worse: a number that orders drafts of one task, and what is weakest and strongest, with bars and voice."""

from libretto.merit.topic import Point
from libretto.merit.weigh import Merit, merit_of

__all__ = ["Merit", "Point", "merit_of"]
