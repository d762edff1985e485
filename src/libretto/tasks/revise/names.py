"""Voices that are called after their instrument, when they are given to another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.instruments import instrument_named
from libretto.score import Score
from libretto.score.voice import unique_name
from libretto.tasks.revise.wish import Wish

__all__ = ["as_before", "renamed"]


def renamed(score: Score, wishes: Sequence[Wish]) -> Score:
    """The piece with every voice that was given to another instrument called after it, if it was after the old one."""
    for wish in wishes:
        for name in wish.voices if wish.quality == "instrument" else ():
            if instrument_named(name) is not None and any(voice.name == name for voice in score.voices):
                taken = {voice.name for voice in score.voices if voice.name != name}
                score = _called(score, name, unique_name(wish.target.title(), taken))
    return score


def as_before(score: Score, base: Score, wishes: Sequence[Wish]) -> Score:
    """The piece with such voices called as they were, so that each can be held against what it was."""
    known = {voice.name for voice in base.voices}
    for wish in wishes:
        player = instrument_named(wish.target) if wish.quality == "instrument" else None
        for name in wish.voices if player is not None else ():
            if any(voice.name == name for voice in score.voices):
                continue
            new = [v.name for v in score.voices if v.name not in known and player and v.program in player.programs]
            score = _called(score, new[0], name) if new else score
    return score


def _called(score: Score, name: str, new: str) -> Score:
    return replace(score, voices=tuple(replace(v, name=new) if v.name == name else v for v in score.voices))
