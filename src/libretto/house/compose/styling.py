"""Which style a piece is in: what a brief names, paints or leaves to who plays, to the meter and to chance."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.character import styles
from libretto.contract.lands import is_of_a_land
from libretto.contract.pictures import pictured_styles
from libretto.house.compose.speed import too_far
from libretto.house.core.dice import dice
from libretto.house.core.style import Style, load_style, style_names, unnamed_style

__all__ = ["by_players", "in_meter", "of_genre", "style_of"]

_STYLED = "style: "  # how a line of what was heard begins
_EFFECTS = 120  # from here on programs are birds and waves, which say nothing of the style
_OTHERS = 0.6  # how often a genre is taken as one of its styles


def style_of(contract: Contract) -> Style:
    """The style a contract asks for: by its style word, else by its genre, by what it paints, or by who plays."""
    names = style_names()
    for wanted in (contract.style, contract.genre, *pictured_styles(contract.heard, bool(contract.parts))):
        if wanted in names:
            return load_style(wanted)
    programs = [part.program for part in contract.parts if part.program is not None and part.program < _EFFECTS]
    kit = any(part.instrument == "drums" for part in contract.parts)
    return load_style(unnamed_style(programs, any(part.drums for part in contract.parts), kit))


def in_meter(style: Style, contract: Contract, seed: int) -> Style:
    """The style, or the sister that it names for an instrument or for a meter: a folk waltz is not a folk song with a
    beat cut off, and who has an oud wants its scale."""
    played = {part.instrument for part in contract.parts}
    for sister, known in dict(style.data.get("known_by", {})).items():
        if played & set(known):
            return load_style(sister)
    sisters = dict(style.data.get("sisters", {}))
    if contract.meter is None:
        named = dict(style.data.get("at_times", {}))
        for sister, chance in named.items():
            if too_far(load_style(sister), contract.tempo_bpm):
                continue
            if dice(seed, "sister", sister).random() < float(chance):
                return load_style(sister)
        return style
    wanted = sisters.get(str(contract.meter))
    return load_style(wanted) if wanted and contract.meter != style.meter else style


def of_genre(contract: Contract, seed: int) -> Style:
    """The style of a contract; where it names a genre alone, now the genre's own style and now one of those it has."""
    style = style_of(contract)
    if contract.style or contract.genre != style.name or contract.meter is not None:
        return style
    others = [
        name
        for name, known in sorted(styles().items())
        if known.belongs and known.genre == contract.genre and name in style_names()
        and not too_far(load_style(name), contract.tempo_bpm)
        and load_style(name).meter == style.meter
    ]  # fmt: skip
    source = dice(seed, "style of genre")
    return load_style(source.choice(others)) if others and source.random() < _OTHERS else style


def by_players(style: Style, contract: Contract) -> Style:
    """The style, or that of a part of the world where the style is at home anywhere, or nobody named it or a land, and
    at least half of the players have instruments from there, one of them for tunes."""
    told = [line.partition('("')[2].removesuffix('")') for line in contract.heard if line.startswith(_STYLED)]
    if any(map(is_of_a_land, told)):
        return style
    named = style if contract.style or contract.genre else load_style(unnamed_style((), False))
    home = dict(named.data.get("places", {})).get(named.name)
    tunes = {part.instrument for part in contract.parts if not part.drums}
    played = {part.instrument for part in contract.parts}
    for sister, known in dict(load_style(home).data.get("known_by", {})).items() if home else ():
        theirs = played & set(known)
        if tunes & theirs and len(theirs) * 2 >= len(tunes | theirs):
            return load_style(sister)
    return style
