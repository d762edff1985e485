"""What speaks against a chart: moods that are the other way round, and nobody who drums where a street dances."""

from __future__ import annotations

from functools import cache

from libretto.contract import Contract
from libretto.contract.character import find_moods
from libretto.contract.lands import land_names
from libretto.house.charts.calling import kinds_named, words_said
from libretto.house.charts.chart import Chart
from libretto.house.core.style import style_names

__all__ = ["contrariness", "is_feast", "is_of_old"]

_CONTRARY = 5.5  # what it counts that a chart is glad and the brief sad, or drives where that rests, or the other way
_TOUCH, _STILL = 0.15, 0.3  # how far apart they lean, at least: between glad and sad, between driving and at rest
_DRUMLESS = 6.0  # what it counts that nobody drums at a feast
_FOREIGN = 1.5  # that it is known for a land that nothing calls for, where fewer than half of the players are at home
_ABROAD = 5.0  # that it is of a land first of all where a brief names neither a style nor a land
_UNCALLED = 2.5  # that it is of a scene that nothing calls for, in no mood that is asked for
_MODERN = 10.0  # that it is of a land as that is now, or of another one, where a brief is of antiquity
_OLD = frozenset(  # words for times and lands of antiquity
    ("ancient greece", "ancient greek", "ancient greeks", "ancient rome", "ancient roman", "ancient romans",
     "ancient babylon", "ancient egypt", "ancient egyptian", "ancient mesopotamia", "antiquity", "babylonian",
     "hellenic", "homeric", "sparta", "spartan", "spartans", "trojan")
)  # fmt: skip
_OF_OLD = _OLD | {"ancient", "pharaoh", "pharaohs"}  # and of charts that go with them
_SOLITARY = 1.5  # that it was written for keys alone, where a band without any plays
_SETTLES = 2.5  # that it settles down after its height, where a brief hurries on to the end
_BAND, _CALM = 3, 0.45  # players who are one, and the energy up to which a last section is calm
_KEYS = frozenset(range(8))  # programs of pianos and the like
_HALF = 0.5
_FEAST = "purpose: feast"  # how a line of what was heard begins
_BEATS = ("drums", "percussion")


def contrariness(chart: Chart, contract: Contract) -> float:
    """What it takes off a chart that it is the contrary of what a brief wants."""
    sad = _glad(contract.mood) * _glad(chart.mood) < -_TOUCH
    shared = bool(set(contract.mood) & set(chart.mood))  # a chart of many moods
    still = not shared and _drive(contract.mood) * _drive(chart.mood) < -_STILL
    drumless = is_feast(contract) and not (
        any(role in _BEATS for _, role, _ in chart.band) or _is_named(chart, contract)
    )
    foreign = _ABROAD if _is_abroad(chart, contract) else _FOREIGN * _is_foreign(chart, contract)
    return (
        _CONTRARY * (sad + still)
        + _DRUMLESS * drumless
        + foreign
        + _UNCALLED * (not shared and _is_scene(chart, contract))
        + _MODERN * _is_modern(chart, contract)
        + _SOLITARY * _is_for_keys_alone(chart, contract)
        + _SETTLES * _settles(chart, contract)
    )


def _is_named(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is of the kind of band that a brief names, which knows how it feasts: mariachi have no drums."""
    return bool(kinds_named(contract) & set(chart.words)) and bool(contract.parts)


def _is_scene(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is of a scene or a kind that is no style by itself (witches at a cauldron), and no word calls for
    it: an old carousel is no Halloween."""
    return chart.styles[0] not in style_names() and not set(chart.words) & words_said(contract)


def _is_abroad(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is of a land first of all, and a brief without a style names none: a picture alone, fireflies or
    an evening, calls nobody abroad."""
    named = contract.style or contract.genre or words_said(contract) & land_names()
    return chart.styles[0] in land_names() and not named


def _is_modern(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is of a land, and not as it was of old, and a brief is of antiquity: a taverna is no temple."""
    own, said = {*chart.words, *chart.mood}, words_said(contract)
    landed = chart.styles[0] in land_names() or bool(land_names() & said & set(chart.words))
    return landed and is_of_old(contract) and not own & _OF_OLD


def _is_for_keys_alone(chart: Chart, contract: Contract) -> bool:
    """Whether a chart was written for one who plays keys, and several others play, none of them keys."""
    programs = [part.program for part in contract.parts if part.program is not None and not part.drums]
    alone = len(chart.band) == 1 and chart.band[0][2] in _KEYS
    return alone and len(programs) >= _BAND and not _KEYS.intersection(programs)


def _settles(chart: Chart, contract: Contract) -> bool:
    """Whether a chart comes to rest at its end, and a brief gets faster until its own."""
    hurries = any((ask.kind, ask.what, ask.where) == ("tempo_change", "accelerando", "") for ask in contract.asks)
    last = {names[-1] for names in chart.forms.values() if names} if hurries else set()
    return any(chart.scenes[name].energy < _CALM for name in last if name in chart.scenes)


def is_of_old(contract: Contract) -> bool:
    """Whether a brief is of antiquity."""
    return bool(_OLD & words_said(contract))


def _is_foreign(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is known for a land, no word calls for it, and it was not written for the players: no csardas for
    a song of no land."""
    programs = [part.program for part in contract.parts if part.program is not None and not part.drums]
    at_home = sum(program in chart.programs for program in programs) >= _HALF * len(programs) and bool(programs)
    words = frozenset(chart.words)
    own = chart.styles[0] == contract.style and contract.style in land_names()
    return bool(words & land_names()) and not (own or at_home or words & words_said(contract))


def is_feast(contract: Contract) -> bool:
    """Whether a brief is of a festival, a parade or another dance in the street, and does not rule drums out."""
    return contract.drums is not False and any(line.startswith(_FEAST) for line in contract.heard)


@cache
def _glad(moods: tuple[str, ...]) -> float:
    """How much moods lean towards major or, below nought, minor."""
    return find_moods(", ".join(moods))[1].mode


@cache
def _drive(moods: tuple[str, ...]) -> float:
    """How much moods lean towards what is fast and loud or, below nought, slow and soft."""
    leanings = find_moods(", ".join(moods))[1]
    return leanings.tempo + leanings.dynamics
