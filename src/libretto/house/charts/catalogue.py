"""The charts that there are, and which of them suits a brief."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from libretto.contract import Contract
from libretto.contract.character import mood_kin
from libretto.contract.form import chorus_forms
from libretto.contract.framing import form_of, sizes_of
from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.house.charts.alone import SINGERS, TUNE, breathes_alone, for_so_many, is_for_as_many
from libretto.house.charts.calling import callers, words_said, worth_of_call
from libretto.house.charts.chart import Chart, read_chart
from libretto.house.charts.contrary import contrariness, is_of_old
from libretto.house.charts.rebarring import paired, rebarred
from libretto.house.charts.speeds import is_at_speed, is_away
from libretto.house.compose.titles import TAKES
from libretto.house.core.style import Style, load_style, style_names, unnamed_style
from libretto.registry import named_files, plugin_folders
from libretto.score import Meter

__all__ = ["chart_files", "charts", "charts_of", "in_two", "suited_chart"]

_SUFFIX = ".toml"
_FEWEST, _MOST = 4, 256  # bars of pieces that are played from a chart
_FEW = 4  # charts that a brief has to choose from
_LEAST = 3  # at least, however far the next one is: another seed is another piece
# What it counts that a chart has the speed, instruments, moods.
_SPEED, _BAND, _MOOD = 2.0, 1.5, 0.75
_KIN = 0.5  # of a mood, where only words of the same meaning are there: cozy, warm
_ELSEWHERE = 1.0  # what it takes off that who is asked to lead has an instrument for which other parts were written
_AGAINST_BEAT = 4.0  # and that it has no four beats, where drums are told a backbeat
_STRANGE = 1.25  # what it takes off that it is in another meter than the style usually is, and nobody asked for that
_MEANT = 2  # words that ask for a chart in such a meter
_WRITTEN_SO = 5.0  # that a chart was written as the fugue or the canon that is asked for
_WHOLE_DUO, _DUO = 6.5, 2  # that two who have a line each are the whole band of a chart
_OFF = 9.0  # and what it takes off that it is never played so slow or so fast
_NEARLY, _FAR = 1.0, 4.0  # how much less near than the nearest charts are that take turns with it, and that stand in
_FARTHEST = 8.0  # and that stand in where there are no others
_ANTIQUITY = "ancient"  # what charts know that are of antiquity
_ODD = (5, 7, 9, 11)  # beats of meters that nobody means without a word
_STYLES, _NAMES = re.compile(r"^styles = \[([^\]\n]*)\]", re.M), re.compile(r'"([^"]+)"')


def chart_files() -> Iterator[tuple[str, Traversable]]:
    """Every chart with its file: our own, then those of packages with an entry point of the group `libretto.charts`."""
    return named_files(_SUFFIX, _own_folder(), *plugin_folders("libretto.charts"))


def _own_folder() -> Traversable:
    """Where our own charts lie."""
    return files("libretto.house").joinpath("charts", "charts")


@cache
def _shipped() -> frozenset[str]:
    """The names of our own charts, all of which the tests check: it takes as long as reading them."""
    return frozenset(name for name, _ in named_files(_SUFFIX, _own_folder()))


@cache
def _texts() -> dict[str, str]:
    """The text of every chart, in order of their names."""
    read = dict(reversed(list(chart_files())))
    return {name: read[name].read_text(encoding="utf-8") for name in sorted(read)}


@cache
def _chart(name: str) -> Chart:
    """A chart by its name; reading one takes longer than finding that it is of another style."""
    return read_chart(name, _texts()[name], checked=name not in _shipped())


def charts() -> tuple[Chart, ...]:
    """All charts, in order of their names."""
    return tuple(map(_chart, _texts()))


def charts_of(styles: frozenset[str]) -> tuple[Chart, ...]:
    """The charts that know one of some styles, in order of their names; no others are read."""
    return tuple(_chart(name) for name, known in _styles_told().items() if known is None or known & styles)


@cache
def _styles_told() -> dict[str, frozenset[str] | None]:
    """The styles that every chart says it knows; None where that is not written on one line."""
    lines = {name: _STYLES.search(text) for name, text in _texts().items()}
    return {name: frozenset(_NAMES.findall(line[1])) if line else None for name, line in lines.items()}


def suited_chart(contract: Contract, style: Style, bars: int, seed: int) -> tuple[Chart, int] | None:
    """A chart for a brief (of its style, in its meter, at its speed, nearest its words, band and mood), and how often
    seeds before had it: then the tunes begin on other tones and sections have each other's accompaniment. Another
    take of a piece has a chart that is as near, or the same one once more. None where a brief asks for a form that
    charts do not know, or there is no chart."""
    if not _FEWEST <= bars <= _MOST:
        return None
    near: list[Chart] = []
    for names in _kin(style, contract):
        near += [chart for chart in _in_turn(contract, style, names, bars) if chart not in near]
        if near and (len(near) >= _LEAST or not breathes_alone(contract)):
            break
    if not near:
        return None
    turn, take = seed % TAKES, seed // TAKES
    chart = near[turn % len(near)]
    alike = _as_near(chart, near, contract, style) if take else [chart]
    return alike[take % len(alike)], turn // len(near) + take // len(alike)


def _as_near(first: Chart, charts: Sequence[Chart], contract: Contract, style: Style) -> list[Chart]:
    """A chart, then those of some that are no less near to a brief, or hardly: another take is of the same scene."""
    said = words_said(contract)
    least = _nearness(first, contract, style, said) - _NEARLY
    near = [chart for chart in charts if chart != first and _nearness(chart, contract, style, said) > least]
    return [first, *near]


def _kin(style: Style, contract: Contract) -> Iterator[frozenset[str]]:
    """Styles whose charts are tried one after the other: the style itself, and where a meter is asked for its sister
    for that, then all of its genre, and any at all where it is not the style's own meter; for a wind or a voice alone
    tunes of any style go before others."""
    unnamed = not (contract.style or contract.genre)  # the charts of every other piece without a style are near, too
    if breathes_alone(contract):
        yield frozenset((style.name, *((TUNE,) if unnamed else ())))
        yield frozenset((TUNE,))
    old = (_ANTIQUITY,) if is_of_old(contract) else ()
    yield frozenset((style.name, *old, *((unnamed_style((), False),) if unnamed else ())))
    if contract.meter is not None:
        yield frozenset((dict(style.data.get("sisters", {})).get(str(contract.meter), ""),))
        yield frozenset(name for name in style_names() if load_style(name).genre == style.genre)
        if contract.meter != style.meter:
            yield frozenset(style_names())


def _in_turn(contract: Contract, style: Style, names: frozenset[str], bars: int) -> list[Chart]:
    """The charts that seeds take in turn: those that are nearly as near to a brief as the nearest, by its words, speed,
    band and mood; others that would be near but for the words where these are few."""
    said = words_said(contract)
    nearness = {chart: _nearness(chart, contract, style, said) for chart in _playable(contract, names, bars)}
    free = not contract.parts
    ranked = sorted(
        nearness,
        key=lambda chart: (-nearness[chart], free and _is_sung(chart), _leader_after(chart, contract), chart.name),
    )
    if not ranked:
        return []
    near = [chart for chart in ranked if nearness[chart] > nearness[ranked[0]] - _NEARLY]
    wordless = {chart: _nearness(chart, contract, style, frozenset(style.name.split("_"))) for chart in ranked}
    first = ranked[0].styles[0]
    kin = [chart for chart in ranked if chart not in near and (first in chart.styles or not said & {first})]
    far = {chart: wordless[ranked[0]] - wordless[chart] for chart in kin}
    others = sorted((chart for chart in far if far[chart] < _FARTHEST), key=lambda chart: far[chart] >= _FAR)
    turns = [*near, *others[: max(0, _FEW - len(near))]]
    return list(dict.fromkeys((*turns, *ranked[:_LEAST]))) if len(turns) < _LEAST else turns


def _is_sung(chart: Chart) -> bool:
    """Whether the tune of a chart was written for a voice first of all: where nobody is named, others go before it."""
    return bool(SINGERS & set(chart.wants.get("lead", ())[:1]))


def _leader_after(chart: Chart, contract: Contract) -> int:
    """How many instruments the tune of a chart was rather written for than for that of who is asked to lead others."""
    leads = [part.program for part in contract.parts if part.role == "lead"][:1]
    wants = chart.wants.get("lead", ())
    several = len(contract.parts) > 1
    return wants.index(leads[0]) if several and leads and leads[0] in wants else _FEW


def _nearness(chart: Chart, contract: Contract, style: Style, said: frozenset[str]) -> float:
    """How near a chart is to a brief: its style first, then the brief's words, speed, instruments and mood."""
    moods = len(set(contract.mood) & set(chart.mood)) or _KIN * bool(mood_kin(contract.mood) & mood_kin(chart.mood))
    strange = contract.meter is None and chart.meter != style.meter
    return (
        worth_of_call(chart, contract, style, said, _written_for_one(chart, contract))
        + _SPEED * (not is_away(chart, contract))
        - _OFF * (not is_at_speed(chart, contract))
        + _BAND * _suits_band(chart, contract)
        + _MOOD * min(2, moods)
        - _ELSEWHERE * _seats_leader_elsewhere(chart, contract)
        - _STRANGE * (strange and len(callers(chart, contract, style, said)) < _MEANT)
        - _AGAINST_BEAT * (strange and _in_rows(contract))
        + _WRITTEN_SO * any(ask.kind == "texture" and ask.what in chart.words for ask in contract.asks)
        + _WHOLE_DUO * (chart.lines == _DUO)
        - contrariness(chart, contract)
    )


def _in_rows(contract: Contract) -> bool:
    """Whether drums are told to stress every other beat: a backbeat has four."""
    return any((ask.kind, ask.what) == ("drums", "backbeat") for ask in contract.asks)


def _suits_band(chart: Chart, contract: Contract) -> float:
    """The share of the players asked for by name whose instruments the chart was written for."""
    programs = [part.program for part in contract.parts if part.program is not None and not part.drums]
    return sum(program in chart.programs for program in programs) / len(programs) if programs else 0.0


def _written_for_one(chart: Chart, contract: Contract) -> bool:
    """Whether the only player whom a brief names has the instrument for which the tune was written first of all."""
    programs = {part.program for part in contract.parts if not part.drums}
    return len(contract.parts) == 1 and programs == set(chart.wants.get("lead", ())[:1])


def _seats_leader_elsewhere(chart: Chart, contract: Contract) -> bool:
    """Whether who is asked to lead has an instrument for which another part was written, and not the tune."""
    leads = {part.program for part in contract.parts if part.role == "lead" and part.program is not None}
    return bool(leads & chart.programs) and not leads & set(chart.wants.get("lead", ()))


def _playable(contract: Contract, names: frozenset[str], bars: int) -> list[Chart]:
    """The charts that know one of some styles and can be played as a brief asks; for one or two who have a line each
    those for so many."""
    known = _known(contract, names)
    said = words_said(contract)
    fits = [chart for chart in known if is_at_speed(chart, contract) or said & set(chart.words)] or known
    formed = _formed(fits, contract, bars)
    return for_so_many(formed, [chart for chart in formed if is_at_speed(chart, contract)], contract)


def _known(contract: Contract, names: frozenset[str]) -> list[Chart]:
    """The charts that know one of some styles and can be played as a brief asks, in its own way of counting."""
    there = [chart for chart in charts_of(names) if names.intersection(chart.styles)]
    for in_meter in (rebarred, paired):  # bars that are joined where nobody wrote any so long
        known = [chart for chart in (in_meter(chart, contract.meter) for chart in there)
                 if _can_be_played(chart, contract)]  # fmt: skip
        if known:
            return known
    return []


def _formed(fits: list[Chart], contract: Contract, bars: int) -> list[Chart]:
    """The charts that have the form of a brief; any where it names none, or one whose chords go round."""
    form = form_of(contract.form, contract.asks, contract.bars)
    formed = [chart for chart in fits if _has_form(chart, contract, form, bars)]
    free = not contract.form or contract.form[0] in chorus_forms()  # sections by another name, or its chords go round
    return formed or (fits if free else [])


def _can_be_played(chart: Chart, contract: Contract) -> bool:
    """Whether a chart has the meter and mode of a brief and is for as many lines."""
    return is_for_as_many(chart, contract) and _in_meter_and_mode(chart, contract)


def _has_form(chart: Chart, contract: Contract, form: Sequence[str], bars: int) -> bool:
    """Whether a chart has the sections that a brief asks for: a form of that name and length, or each section that its
    wishes speak of where it has chords of its own."""
    if contract.form:
        sizes = sizes_of(contract.form, contract.asks)
        whole = not sizes and (chart.form_of(contract.form, bars) or chart.halved(contract.form, bars))
        return bool(whole or chart.pieced(contract.form, bars, sizes))
    kinds = {scene.kind for scene in chart.scenes.values()}
    told = {section_kind(ask.where) for ask in contract.asks} & set(SECTION_KINDS)
    return (
        not form or bool(contract.chords) or bool(chart.form_of(form, bars)) or (bool(contract.bars) and told <= kinds)
    )


def in_two(asked: Meter, own: Meter) -> bool:
    """Whether a meter of four quarters may be counted in two halves, as was asked."""
    return (asked.beats, asked.unit) == (2, 2) and (own.beats, own.unit) == (4, 4)


def _in_meter_and_mode(chart: Chart, contract: Contract) -> bool:
    """Whether a chart can be played in the meter and the mode that a brief asks for; in fives and sevens only where
    that, or one of the chart's words, is said."""
    if contract.meter is not None and contract.meter != chart.meter and not in_two(contract.meter, chart.meter):
        return False
    if contract.meter is None and chart.meter.beats in _ODD and not words_said(contract) & set(chart.words):
        return False
    return contract.key is None or ("minor" if contract.key.is_minor else "major") in chart.modes
