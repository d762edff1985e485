"""Long pieces from a chart: which form they have, who plays their solos, and the keys to which they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.checks import clauses
from libretto.contract.form import chorus_forms
from libretto.contract.framing import form_of, sections_named, sizes_of
from libretto.contract.places import section_kind
from libretto.contract.verses import is_strophic
from libretto.edits.keys import transposed
from libretto.house.charts.chart import Chart
from libretto.house.charts.da_capo import brought_back
from libretto.house.charts.form import Passage, laid_out, names_of_form
from libretto.house.charts.longer.laying import LongForm, laid_long, rehearsed
from libretto.house.compose.band import Player
from libretto.house.compose.colours import with_colours
from libretto.house.compose.seating import charted_band, expects_a_band
from libretto.house.core.style import Style
from libretto.score import Score

__all__ = ["USUAL_LENGTH", "at_length", "band_of", "in_other_keys", "without_soloists"]

#: Bars up to which a chart is played as it was written.
USUAL_LENGTH = 72


def at_length(
    contract: Contract,
    chart: Chart,
    style: Style,
    laid: tuple[tuple[Passage, ...], Sequence[str]],
    seed: int,
    turn: int,
    *,
    drummed: bool,
) -> LongForm:
    """A piece from a chart: as it was ``laid`` out, with its names; a long one by a plan of its style, or in the form
    that was asked for, with what comes again varied."""
    comes_back = is_strophic(contract.form) or any(ask.kind == "reprise" for ask in contract.asks)
    passages, named = brought_back(*laid) if comes_back else laid
    bars = sum(passage.bars for passage in passages)
    if bars <= USUAL_LENGTH:
        return LongForm(chart, passages, tuple(named))
    rounds = contract.form and contract.form[0] in chorus_forms()
    if contract.form and not rounds:
        made = rehearsed(chart, style, passages, seed, drummed=drummed)
        return LongForm(made.chart, made.passages, tuple(named), made.solos, made.others)
    made = laid_long(chart, style, bars, seed, turn, contract.form if rounds else (), drummed=drummed)
    sizes = sizes_of(told := form_of((), contract.asks, contract.bars), contract.asks)
    there = {section_kind(name) for name in made.names}
    if not sizes and set(sections_named(contract.asks)) <= there:
        return made
    if not chart.pieced(told, bars, sizes):
        return made
    done = rehearsed(chart, style, laid_out(chart, bars, told, turn, sizes), seed, drummed=drummed)
    return LongForm(done.chart, done.passages, names_of_form(chart, bars, told, sizes), done.solos, done.others)


def without_soloists(contract: Contract, bars: int) -> Contract:
    """A contract for a long piece whose band is left open, where nobody is named but for a solo: that is no band."""
    soloists = {ask.who for ask in contract.asks if ask.kind == "solo"}
    guests = bool(contract.parts) and {part.name for part in contract.parts} <= soloists
    return replace(contract, parts=()) if guests and bars > USUAL_LENGTH and expects_a_band(contract) else contract


def band_of(contract: Contract, chart: Chart, bars: int) -> list[Player]:
    """Who plays a piece from a chart: those asked for, or the whole band of a long one that has guests."""
    free = without_soloists(contract, bars)
    band = with_colours(charted_band(free, chart), free, chart)
    named = {part.name for part in contract.parts}
    for guest in charted_band(contract, chart) if free is not contract else ():
        mine = [place for place, one in enumerate(band) if guest.name.lower() in one.name.lower()]
        for place in mine:
            one = band[place]
            band[place] = replace(one, high=min(one.high, guest.high), top=min(one.top, guest.top))
        if guest.name in named and not mine:
            band.append(replace(guest, role="counter"))
    return band


def in_other_keys(score: Score, keys: Sequence[tuple[range, int]], contract: Contract) -> Score:
    """A long piece with some of its bars in another key, as far as that keeps what was asked of its key."""
    free = not (contract.chords or contract.scale or any(ask.kind == "key_change" for ask in contract.asks))
    made = score
    for bars, semitones in keys if free else ():
        moved = transposed(made, semitones, [(bars.start + made.first_bar, bars.stop - 1 + made.first_bar)])
        made = moved if clauses["key"](contract, moved).passed is not False else made
    return made
