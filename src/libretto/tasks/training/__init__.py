"""Ear training: questions as data, answers compared and explained, the next question chosen by what went wrong."""

from libretto.tasks.training.course import Course
from libretto.tasks.training.item import Item, Kind, Reply, Skill, item_of, kinds, make_item, reply_to

__all__ = ["Course", "Item", "Kind", "Reply", "Skill", "item_of", "kinds", "make_item", "reply_to"]
