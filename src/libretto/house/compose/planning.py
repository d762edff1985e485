"""Planning: what a brief leaves open is decided, from style and key to who plays what where."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.framing import bars_of_form, form_of, sections_named, sizes_of
from libretto.contract.scales import key_in_scale
from libretto.house.charts.absence import standing_in
from libretto.house.charts.changes import laid_over, own_chords, read_in
from libretto.house.charts.chart import Chart
from libretto.house.charts.closing import brought_home
from libretto.house.charts.form import (
    Passage,
    joined,
    laid_out,
    left_open,
    names_of_form,
    ordered,
    sections_of_chart,
    softly_closed,
)
from libretto.house.charts.habits import idioms_of
from libretto.house.charts.leading import with_tunes, without_tunes
from libretto.house.charts.letters import of_kind
from libretto.house.charts.longer.laying import LongForm
from libretto.house.charts.longer.soloists import solo_leads
from libretto.house.charts.reprise import goes_round, paired, plays_twice
from libretto.house.charts.soloing import with_solos
from libretto.house.charts.trading import with_trades
from libretto.house.compose.abroad import suited_at_home
from libretto.house.compose.asking import (
    absent_of,
    droned_of,
    leads_of,
    skeleton,
    solos_of,
    traded_of,
    tuneless_of,
    unison_of,
)
from libretto.house.compose.band import Player
from libretto.house.compose.changing import on_beats
from libretto.house.compose.colours import colours_away
from libretto.house.compose.keys import as_it_closes, on_a_drone, own_key
from libretto.house.compose.leanings import height_of_tune, leaning_beyond_moods
from libretto.house.compose.lengths import USUAL_LENGTH, at_length, band_of, without_soloists
from libretto.house.compose.loudness import calmed, loudness_of
from libretto.house.compose.manners import backing_of, manners_of
from libretto.house.compose.modelled import blues_of, model
from libretto.house.compose.pacing import ending_in_time, is_steady
from libretto.house.compose.plan import Plan
from libretto.house.compose.scaling import scaled_chords, steps_in_key
from libretto.house.compose.seating import expects_a_band
from libretto.house.compose.sections import of_chairs
from libretto.house.compose.speed import chart_tempo, haste_of, paced, swing_of, tempo_of, usual_speed
from libretto.house.compose.styling import by_players, in_meter, of_genre, style_of
from libretto.house.compose.titles import title_of
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.style import Style
from libretto.house.repertoire.layout import sections_of
from libretto.score import QUARTER, Score

__all__ = ["charted_plan", "make_plan", "style_of"]

_USUAL_BARS = (92, 108)
_SHORTEST = 45  # seconds that a piece of no told length lasts at least
_SUNG = ("verse", "chorus")
_INNER = frozenset(("bridge", "solo", "break", "interlude"))  # sections that make no form by themselves
_CHARTED_BARS, _FREE_BARS = 32, 48  # of a piece over chords that were asked for, and over others
_LONGEST_SHORT = 64  # of a piece in bars of two quarters, which are soon over; more of shorter ones
_HUSHED = 0.25  # a leaning this strong towards what is soft decides how a piece ends
_BUSY, _OPEN = 0.6, "open"  # how much fuller a busy piece is; how a piece ends that goes back to its beginning
_LIFTS = (0, 2, -1, 1)  # degrees by which a chart's tunes are moved when it comes again


def make_plan(contract: Contract, seed: int, controls: Controls | None = None) -> Plan:
    """Decide everything but the notes."""
    style, knobs = by_players(of_genre(contract, seed), contract), controls or Controls()
    if set(contract.form) <= _INNER:  # a piece is more than its bridge and a solo
        contract = replace(contract, form=())
    usual = _CHARTED_BARS if contract.chords else _FREE_BARS
    told = contract.bars or bars_of_form(form_of(contract.form, contract.asks, None), contract.asks)
    bars = told or usual
    keyed = on_a_drone(contract if contract.key else replace(contract, key=own_key(style, contract, seed)))
    suited = suited_at_home(without_soloists(keyed, bars), style, bars, seed)
    if suited is not None:
        own = _own_length(suited[0], usual, contract)
        bars = own if not told or _is_there(contract, suited[0], own) else told
        keyed = as_it_closes(keyed, contract, suited[0])
        return charted_plan(keyed, style, suited[0], bars, seed, knobs, suited[1])
    style = in_meter(style, contract, seed)
    key = key_in_scale(contract.key or own_key(style, contract, seed), contract.scale)
    meter = contract.meter or style.meter
    form = form_of(contract.form, contract.asks, contract.bars)
    bars = contract.bars or bars_of_form(form, contract.asks) or _usual_bars(seed)
    tempo = tempo_of(style, contract.tempo_bpm, seed, knobs)
    steps = steps_in_key(contract.scale)
    after = model(contract, style, key, meter, tempo, bars, seed, knobs, expects_a_band(contract))
    main = after.stretches[0].piece
    return Plan(
        seed=seed,
        style=style,
        title=title_of(contract, style, key, seed),
        key=key,
        meter=meter,
        tempo=tempo,
        swing=swing_of(main.swing, meter, knobs),
        sections=sections_of(after.stretches),
        chords=scaled_chords(after.chords, key, steps) if not contract.chords else after.chords,
        players=after.players,
        ending=ending_in_time(contract, after.ending, steady=is_steady(contract, after.players)),
        loudness=int(style.setting("touch", "loudness", 84) + 26 * contract.dynamics),
        controls=knobs,
        density=contract.density,
        register=contract.register,
        swung_sixteenths=main.swung_sixteenths,
        stretches=after.stretches,
        duties=after.duties,
        sources=after.sources,
        hosted=after.hosted,
        steps=steps,
    )


def _usual_bars(seed: int) -> int:
    """How many bars a piece after models has where no length was told."""
    return dice(seed, "bars").randrange(_USUAL_BARS[0] // 4, _USUAL_BARS[1] // 4 + 1) * 4


def _own_length(chart: Chart, usual: int, contract: Contract) -> int:
    """How many bars of a chart are played where no length was told: the longest of its forms in which no section comes
    twice, if that lasts long enough; one alone is brief."""
    usual = usual if chart.lines != 1 else _CHARTED_BARS
    low, high = chart.speeds(contract.tempo_bpm) if contract.tempo_bpm else chart.tempo
    quarters = _SHORTEST * min((low + high) / 2, chart.tempo[1]) / 60
    longest = usual if (short := 2 * QUARTER / chart.meter.ticks) < 1 else min(2 * usual, int(_LONGEST_SHORT * short))
    lasting = [
        bars
        for bars, form in chart.forms.items()
        if bars <= longest and len(set(form)) == len(form) and bars * chart.meter.ticks >= quarters * QUARTER
    ]
    return max(lasting, default=usual)


def _is_there(contract: Contract, chart: Chart, bars: int) -> bool:
    """Whether a chart, over so many bars, has all sections that the asks of a brief speak of, which leaves form
    and length open: then it is played as it was written; where verses and choruses are spoken of it is a song."""
    named = set(sections_named(contract.asks))
    told = contract.form or contract.bars or sizes_of(form_of((), contract.asks, None), contract.asks)
    if not named or told:
        return False
    if of_kind(chart.scenes, _SUNG[0]) == of_kind(chart.scenes, _SUNG[1]):  # a tune that goes round has no verse
        named -= set(_SUNG)
    return named <= {passage.scene.kind for passage in laid_out(chart, bars)} - set(_SUNG)


def charted_plan(
    contract: Contract, style: Style, chart: Chart, bars: int, seed: int, knobs: Controls, turn: int = 0
) -> Plan:
    """A plan of a piece that is played from a chart; another ``turn`` makes another piece of it."""
    key = key_in_scale(contract.key or own_key(style, contract, seed), contract.scale)
    form, players = _laid(contract, style, chart, bars, seed, turn)
    chart, passages, named = form.chart, calmed(form.passages, contract), form.names
    bars = sum(passage.bars for passage in passages)
    speeds = contract.tempo_bpm or usual_speed(chart, style)
    tempo = chart_tempo(chart, speeds, seed, knobs, haste_of(contract), in_quarters=contract.dotted)
    steady, steps = is_steady(contract, players), steps_in_key(contract.scale)
    sections = paced(sections_of_chart(passages, named), contract, tempo, steady=steady)
    bones = skeleton([(section.first, section.name) for section in joined(sections)], bars)
    names = [player.name for player in players]
    absent = of_chairs(absent_of(contract, bones, names), players)
    asked = {**solo_leads(players, chart.wants, form.solos, form.others), **leads_of(contract, bones, names)}
    leads = standing_in(players, chart.wants, passages, asked, absent)
    tuneless = tuneless_of(contract, bones)
    if tuneless:
        leads = {**_leads_elsewhere(players, tuneless, bars), **leads}
    passages = with_tunes(passages, unison_of(contract, bones) | leads)
    passages = without_tunes(passages, tuneless | droned_of(contract, bones, leads), chart.units)
    passages = with_trades(passages, traded_of(contract, bones), chart.units)
    passages = _with_solos(contract, chart, bones, players, passages)
    formed = not contract.chords and chart.form_of(contract.form, bars)
    blues = None if formed else blues_of(contract, key, bars)
    if blues or contract.chords:
        chords = tuple(blues or laid_over(contract, bones, passages, key, style))
    else:
        own = own_chords(passages, sections, key, style, seed, knobs, turn)
        chords = tuple(own) if read_in(key, style) != key else scaled_chords(own, key, steps)
    return Plan(
        seed=seed,
        style=style,
        title=title_of(contract, style, key, seed),
        key=key,
        meter=chart.meter,
        tempo=tempo,
        swing=swing_of(chart.swing, chart.meter, knobs),
        sections=joined(sections),
        chords=on_beats(chords, chart.meter),
        players=tuple(players),
        ending=ending_in_time(contract, _own_ending(chart, contract), steady=steady),
        loudness=loudness_of(style, passages, contract.dynamics),
        controls=knobs,
        density=leaning_beyond_moods(contract, "density") + _asked_density(contract),
        register=contract.register,
        height=height_of_tune(contract),
        swung_sixteenths=chart.swung_sixteenths,
        steps=steps,
        chart=chart,
        passages=passages,
        manners=of_chairs({**idioms_of(contract.parts, style.name), **manners_of(contract, players)}, players),
        leads=leads,
        absent=absent,
        backing=backing_of(contract, players),
        resting=colours_away(contract, chart, players, passages),
        repeats=plays_twice(contract),
        goes_round=goes_round(contract),
        lift=_LIFTS[turn % len(_LIFTS)] if chart.liftable else 0,
        keys=form.keys,
        steady=steady,
        paired=paired(contract),
        extended=bars > USUAL_LENGTH,
    )


def _laid(
    contract: Contract, style: Style, chart: Chart, bars: int, seed: int, turn: int
) -> tuple[LongForm, list[Player]]:
    """The sections of a piece from a chart, as long as it is, and who plays them."""
    laid = _passages(contract, chart, bars, turn)
    players = band_of(contract, chart, sum(passage.bars for passage in laid[0]))
    drummed = any(player.drums for player in players)
    form = at_length(contract, chart, style, laid, seed, turn, drummed=drummed)
    closed = _closed(contract, chart, form.passages) if form.played_long else form.passages
    return replace(form, passages=closed if contract.ending == _OPEN else brought_home(chart, closed)), players


def _leads_elsewhere(players: Sequence[Player], tuneless: Collection[int], bars: int) -> dict[int, str]:
    """Who leads has the tune in all bars but those without one."""
    leader = next((player.name for player in players if player.role == "lead"), players[0].name)
    return {bar: leader for bar in range(bars) if bar not in tuneless}


def _with_solos(
    contract: Contract, chart: Chart, bones: Score, players: Sequence[Player], passages: tuple[Passage, ...]
) -> tuple[Passage, ...]:
    """The passages with the solos that are asked for, where somebody drums below them."""
    if not any(player.drums for player in players):
        return passages
    pitched = [player.name for player in players if not player.drums]
    return tuple(with_solos(passages, solos_of(contract, bones, pitched), chart.meter, chart.units))


def _asked_density(contract: Contract) -> float:
    """What it says that a whole piece is to be sparse or busy."""
    asked = [ask.what for ask in contract.asks if ask.kind == "density" and not (ask.who or ask.where)]
    return _BUSY * (("busy" in asked) - ("sparse" in asked))


def _own_ending(chart: Chart, contract: Contract) -> str:
    """How a chart ends; what gets faster and faster does not slow down, and what is hushed or fades is not cut off."""
    faster = any(ask.what in ("accelerando", "slow to fast") or ask.what.startswith("to x") for ask in contract.asks)
    fades = any(ask.kind == "dynamics" and ask.what == "fading" and not ask.who for ask in contract.asks)
    cut_off = chart.ending == "button" and (fades or _is_hushed(contract))
    return "hold" if cut_off or (faster and chart.ending == "ritard") else chart.ending


def _passages(contract: Contract, chart: Chart, bars: int, turn: int) -> tuple[tuple[Passage, ...], Sequence[str]]:
    """The sections of a chart and what they are called: in the order that asks speak of, where a brief leaves form and
    length open."""
    free = not contract.form and contract.bars is None and not _is_there(contract, chart, bars)
    told = form_of((), contract.asks, None) if free else ()
    told_sizes = sizes_of(told, contract.asks)
    if told_sizes and chart.pieced(told, bars, told_sizes):
        return laid_out(chart, bars, told, turn, told_sizes), names_of_form(chart, bars, told, told_sizes)
    as_told = ordered(chart, told, bars) if told else None
    if as_told is not None and sum(passage.bars for passage in as_told[0]) <= USUAL_LENGTH:
        return as_told
    sizes = sizes_of(contract.form, contract.asks)
    passages = _closed(contract, chart, laid_out(chart, bars, contract.form, turn, sizes))
    return passages, names_of_form(chart, bars, contract.form, sizes)


def _closed(contract: Contract, chart: Chart, passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """The sections of a chart with the end that a brief asks for."""
    passages = left_open(chart, passages) if contract.ending == _OPEN else passages
    return softly_closed(passages) if _is_hushed(contract) else passages


def _is_hushed(contract: Contract) -> bool:
    """Whether a brief is soft on the whole and says nothing of how its loudness changes: it ends as softly."""
    return contract.dynamics <= -_HUSHED and not any(ask.kind == "dynamics" for ask in contract.asks)
