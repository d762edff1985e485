"""Charts for one alone, or for two who have a line each: who they are for, and when they go before those of a band."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract import Contract
from libretto.contract.instruments import instrument_named
from libretto.house.charts.calling import kinds_named, words_said
from libretto.house.charts.chart import Chart

__all__ = ["BOWED", "BREATHING", "SINGERS", "TUNE", "breathes_alone", "for_so_many", "is_for_as_many"]

#: Programs of voices.
SINGERS = frozenset((52, 53, 54, 85))
#: Programs of who has one note at a time, and breathes: voices, winds, a harmonica.
BREATHING = SINGERS | frozenset((22, *range(56, 61), *range(64, 80), 111))
#: What charts for a wind or a voice alone name among their styles that go before those of bands of other styles.
TUNE = "tune"
#: Programs of strings that are bowed.
BOWED = frozenset((*range(40, 44), 110))
_LINES = frozenset((*range(40, 44), *range(56, 61), *range(64, 80), 110, 111))  # bowed strings, brass and winds
_BANDED = frozenset(("groove", "grooves", "beat", "beats", "band"))  # words of what nobody plays alone
_UNSAID = frozenset(("solo", "alone", "unaccompanied", "lone", "single"))  # words that say no more than how many play


def is_for_as_many(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is for any band, or for as many lines as a brief has players; one for somebody alone was written
    for a line, or for the instrument of that player."""
    if not chart.lines or _only_leads(contract):
        return not chart.lines
    if _written_for(chart, contract):
        return True
    lines = _lines(contract)
    first = chart.wants.get("lead", ())[:1]
    return chart.lines == lines and (lines > 1 or not first or first[0] in _LINES | BREATHING)


def for_so_many(formed: list[Chart], at_speed: list[Chart], contract: Contract) -> list[Chart]:
    """Of some charts those for one alone where one is; none of them where a groove is asked for, or words call for
    others. What was written for who breathes goes before what was written for strings where one breathes, and after it
    where one bows, unless its own words are said."""
    together = [chart for chart in formed if not chart.lines]
    if words_said(contract) & _BANDED:
        return together or formed
    said = _kinds_said(contract)
    alone = _for_family([chart for chart in at_speed if chart.lines], said, contract)
    called = contract.drums is not False and any(said & set(chart.words) for chart in together)
    return ([] if called and not breathes_alone(contract) else alone) or formed


def _for_family(alone: list[Chart], said: frozenset[str], contract: Contract) -> list[Chart]:
    """Of charts for one alone those for who breathes or bows, where one of them plays; all where none is."""
    if breathes_alone(contract):
        return _own(alone, BREATHING, said, contract) or alone
    return (_own(alone, BOWED, said, contract) if _bows_alone(contract) else alone) or alone


def _own(alone: Sequence[Chart], family: frozenset[int], said: frozenset[str], contract: Contract) -> list[Chart]:
    """Of charts for one alone those that were written for somebody of a family first of all, then others that know the
    instrument and whose kind is said: a line for strings leaps to basses of its own, which a wind does only where the
    style wants that."""
    own = [chart for chart in alone if family.intersection(chart.wants.get("lead", ())[:1])]
    program, named = contract.parts[0].program, kinds_named(contract)
    known = [chart for chart in alone if chart not in own and program in chart.wants.get("lead", ())]
    kinds = [chart for chart in known if said & set(chart.words) & (said if _is_of_style(chart, contract) else named)]
    return [*own, *kinds]


def _is_of_style(chart: Chart, contract: Contract) -> bool:
    """Whether a chart was written in the style of a brief."""
    return chart.styles[0] == contract.style


def _bows_alone(contract: Contract) -> bool:
    """Whether one bowed string plays, and nobody else."""
    return len(contract.parts) == 1 and contract.parts[0].program in BOWED and not contract.open


def _kinds_said(contract: Contract) -> frozenset[str]:
    """The words of a brief but for those that say who plays, how many, the style and the mood."""
    seated = {word for part in contract.parts for word in (*part.instrument.split(), part.instrument)}
    return words_said(contract) - seated - _UNSAID - {*contract.mood, *contract.style.split("_")}


def breathes_alone(contract: Contract) -> bool:
    """Whether one wind or one voice plays, and nobody else; a choir is many voices."""
    programs = [part.program for part in contract.parts]
    if len(programs) != 1 or programs[0] not in BREATHING or contract.open:
        return False
    known = instrument_named(contract.parts[0].instrument)
    return known is None or known.polyphony == 1


def _lines(contract: Contract) -> int:
    """How many players a brief asks for, where the instruments of all of them play one line; else none."""
    if breathes_alone(contract):
        return 1
    return len(contract.parts) if all(part.program in _LINES for part in contract.parts) else 0


def _only_leads(contract: Contract) -> bool:
    """Whether the only one who is named leads others who are not."""
    told = any(ask.kind == "lead" for ask in contract.asks) or any(part.role == "lead" for part in contract.parts)
    return len(contract.parts) == 1 and contract.open and told


def _written_for(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is for one alone, and the only player has an instrument for which it was written."""
    programs = [part.program for part in contract.parts]
    return chart.lines == 1 and len(programs) == 1 and programs[0] in chart.wants.get("lead", ())
