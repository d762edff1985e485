"""Pages: a Score set as music by verovio, with a map from time to place for a cursor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from libretto.engraving.drum_staves import has_drums_under_new_keys, with_no_signs_over_drums
from libretto.engraving.lettering import with_fitting_names
from libretto.engraving.raster import flat_text
from libretto.engraving.rests import with_long_rests
from libretto.errors import FormatError, MissingExtra, TooLarge
from libretto.formats.musicxml.write import encode
from libretto.notation.copying import copied, swing_of
from libretto.notation.instruments import take_voices
from libretto.notation.legible import legible
from libretto.notation.order import in_score_order
from libretto.notation.sheet import A4, Paper, SheetStyle, may_condense
from libretto.score import QUARTER, Score
from libretto.score.edit import take_bars

__all__ = ["MAX_PAGES", "Engraving", "Moment", "set_music"]

MAX_PAGES = 200  #: what is longer is refused: nobody looks at it, and it would take minutes
_MOST_NOTES = 60_000
_MOST_BARS = 24_000  # of all staves together: more than fit on so many pages
_FEW_PAGES, _TIGHTER = 4, 0.93
_FEW_SYSTEMS = 2  # of a page, up to which one more is a gain worth smaller staves
_READABLE = 3.6  # millimetres of the smallest staff that one would choose for more systems on a page
_TIGHTEST = 0.75  # and of the height it would have otherwise
_NEARLY = 0.94  # what of the share reckoned is taken, since systems differ
_STAFF_LINE = re.compile(r'<path d="M-?\d+ (\d+) L-?\d+ \1"')
_VIEW = re.compile(r'(viewBox="0 0 \d+ )\d+')
_DRAWN = 10  # times as fine as the page is measured, drawings are
_UNIT = 9.0  # verovio's half staff space, in tenths of a millimetre, on the page sizes it calls 2100 x 2970
_STAFF_SPACES = 8
_NUMBER = re.compile(r"bar(\d+)\Z")
_GHOST = "ghost"  # ids of what keeps the first staff begin so; they are no notes of the piece
_DATE = re.compile(r' isodate="[^"]*"')
_FIRST_STAFF = re.compile(r'<staff [^>]*\bn="1"[^>]*>.*?</staff>', re.DOTALL)
_LAYER = re.compile(r"<layer [^>]*>")
_UNSEEN = 'grace="unacc" visible="false" stem.visible="false" dur="64" loc="4" vel="1"'
_SOME_BARS = 64  # how many a message proposes to take


class Moment(NamedTuple):
    """A moment of the music: when it sounds, where it stands, and the ids of what starts there.

    ``page`` counts from 1; ``bar`` is the number as printed; ``measure`` and ``notes`` are ids in that page's SVG.
    """

    seconds: float
    quarter: float
    page: int
    bar: int
    measure: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Engraving:
    """A piece on pages, each an SVG that scales, and its moments in order of time; ``height`` is that of the paper."""

    pages: tuple[str, ...]
    moments: tuple[Moment, ...]
    title: str = ""
    height: int = 0

    @property
    def sheets(self) -> tuple[str, ...]:
        """The pages as high as the paper, also where they end below their last system."""
        return tuple(_as_high(page, self.height) for page in self.pages)


def _as_high(page: str, height: int) -> str:
    """A page of another height; nothing in it moves."""
    heights = iter((height, height * _DRAWN))  # of the page, and of the drawing in it
    return _VIEW.sub(lambda view: f"{view[1]}{next(heights)}", page, count=2)


def set_music(
    score: Score,
    *,
    voices: Sequence[str] = (),
    written: bool | None = None,
    exact: bool = False,
    chords: bool = True,
    bars: tuple[int, int] | None = None,
    paper: Paper = A4,
    cropped: bool = False,
    page: int | None = None,
    timed: bool = True,
    prefix: str = "",
    quiet: bool = True,
) -> Engraving:
    """The piece set as music: the lead on top, drums at the bottom.

    ``voices`` takes those voices alone, as parts for their players: at written pitch unless ``written`` says
    otherwise, with long rests counted. ``written`` puts transposing instruments at the pitch their players read.
    ``chords`` shows the piece's chord labels, also where a reader of MIDI only heard them. ``exact`` keeps every
    length to the tick, where otherwise played music is rounded for reading. ``bars`` takes those bars only, under
    their own numbers. ``cropped`` ends a page below its last system. ``page`` draws that page alone; moments are left
    out where ``timed`` is off, which is quicker. ``prefix`` keeps the ids of several pieces apart in one document.
    ``quiet`` switches the engraver's own complaints off.
    """
    later = 0
    if voices:
        score = take_voices(score, voices)
    if bars is not None:
        taken = take_bars(score, *bars)
        later = bars[0] - taken.first_bar
        score = taken
    if len(score.table) > _MOST_NOTES or score.bars * len(score.voices) > _MOST_BARS:
        raise TooLarge(_too_long(f"{len(score.table):,} notes in {len(score.voices)} voices", score))
    shown = in_score_order(score if exact else _for_the_eye(score))
    written = bool(voices) if written is None else written
    style = SheetStyle(engraved=True, written=written, chords=chords, prefix=prefix, later=later)
    document = with_fitting_names(encode(shown, style).decode())
    if len(shown.voices) == 1 and voices:
        document = with_long_rests(document)
    condensed = may_condense(shown)
    toolkit = _toolkit(document, paper, condensed, cropped, quiet)
    count = toolkit.getPageCount()
    if count > 1 and paper.staff is None:
        staff = paper.staff_for(_staves(document))
        for share in _tighter_staves(toolkit, count, paper, staff):
            tighter = _toolkit(document, replace(paper, staff=share * staff), condensed, cropped, quiet)
            if tighter.getPageCount() < count:
                toolkit, count = tighter, tighter.getPageCount()
                break
    if count > MAX_PAGES:
        raise TooLarge(_too_long(f"{count} pages", score))
    if page is not None and not 1 <= page <= count:
        raise FormatError(f"there is no page {page}; the pages are 1-{count}")
    wanted = range(1, count + 1) if page is None else (page,)
    pages = tuple(_page(toolkit.renderToSVG(number), score.title) for number in wanted)
    height = int(toolkit.getOptions()["pageHeight"])
    return Engraving(pages, _moments(toolkit, shown, prefix) if timed else (), score.title, height)


def _tighter_staves(toolkit: Any, count: int, paper: Paper, staff: float) -> list[float]:
    """Shares of a staff's height that may save pages, the larger first.

    A last page with a bar or two on it: a little smaller will do. A page with room left for most of another system:
    small enough for that, where it can still be read.
    """
    shares = [_TIGHTER] if count <= _FEW_PAGES else []
    page = toolkit.renderToSVG(2 if count > 2 else 1)  # the first of all has a title
    systems = page.count('class="system"')
    bottoms = [int(y) for y in _STAFF_LINE.findall(page)]
    if systems and bottoms:
        filled = max(bottoms) / ((paper.height - 2 * paper.margin) * _larger(staff) * _DRAWN)
        share = _NEARLY * systems / ((systems + 1) * filled)
        if _TIGHTEST <= share < 1 and share * staff >= _READABLE and systems <= _FEW_SYSTEMS:
            shares.append(share)
    return sorted(shares, reverse=True)


def _too_long(size: str, score: Score) -> str:
    first = score.numbers[0]
    return (
        f"the piece has {size}, and {MAX_PAGES} pages are the limit; engrave some of its {score.bars} bars, "
        f"such as bars {first}-{min(first + _SOME_BARS - 1, score.numbers[-1])}"
    )


def _toolkit(document: str, paper: Paper, condensed: bool, cropped: bool, quiet: bool) -> Any:
    """The engraver with the piece in it; ``condensed`` leaves staves out of the systems in which they are silent."""
    try:
        import verovio
    except ImportError:
        raise MissingExtra("engraving", "notation") from None
    verovio.enableLog(verovio.LOG_OFF if quiet else verovio.LOG_WARNING)
    options = _options(paper, _staves(document), cropped)
    if condensed or has_drums_under_new_keys(document):  # only the engraver's own format can ask for it
        reader = verovio.toolkit()
        reader.setOptions({"breaks": "none", "xmlIdChecksum": True})
        if not reader.loadData(document):
            raise FormatError("the engraver could not read the piece")
        dateless = _DATE.sub("", reader.getMEI())  # ids are made from the document: the hour must not be in it
        document = with_no_signs_over_drums(dateless)
        if condensed:
            document = _with_silent_staves_left_out(document)
            options |= {"condense": "encoded", "condenseTempoPages": True}
    toolkit = verovio.toolkit()
    toolkit.setOptions(options)
    if not toolkit.loadData(document):
        raise FormatError("the engraver could not read the piece")
    return toolkit


def _with_silent_staves_left_out(mei: str) -> str:
    """The document with silent staves to be left out, all but the first: chord symbols and sections stand over it.

    The engraver knows no way to keep a staff but a note in it; so a silent bar of the first staff gets an unseen grace
    note, whose id begins with ``_GHOST``.
    """
    count = 0

    def keep(staff: re.Match[str]) -> str:
        nonlocal count
        if "<note " in staff[0]:
            return staff[0]
        count += 1
        return _LAYER.sub(lambda layer: f'{layer[0]}<note xml:id="{_GHOST}{count}" {_UNSEEN}/>', staff[0], count=1)

    return _FIRST_STAFF.sub(keep, mei).replace("<scoreDef ", '<scoreDef optimize="true" ', 1)


def _for_the_eye(score: Score) -> Score:
    """The piece rounded as a player reads it; where it swings, in plain eighths under a word that says so."""
    return copied(score) if swing_of(score) is not None else legible(score)


def _larger(staff: float) -> float:
    """How much larger than life a page is set: the engraver's staff has one size, so a smaller one is a larger page."""
    return _UNIT * _STAFF_SPACES / staff


def _options(paper: Paper, staves: int, cropped: bool) -> dict[str, Any]:
    larger = _larger(paper.staff_for(staves))
    sides = ("pageMarginLeft", "pageMarginRight", "pageMarginTop", "pageMarginBottom")
    return {
        "pageWidth": round(paper.width * larger),
        "pageHeight": round(paper.height * larger),
        **dict.fromkeys(sides, round(paper.margin * larger)),
        "adjustPageHeight": cropped,
        "defaultBottomMargin": 1.5,  # keeps metronome marks off the notes
        "footer": "none",
        "shrinkToFit": True,
        "smuflTextFont": "none",
        "spacingStaff": 10,
        "spacingSystem": 6,
        "svgRemoveXlink": True,
        "svgViewBox": True,
        "systemDivider": "none",
        "xmlIdChecksum": True,
    }


def _staves(document: str) -> int:
    """How many staves a system has."""
    grand = sum(int(staves) - 1 for staves in re.findall(r"<staves>(\d+)</staves>", document))
    return document.count("<score-part ") + grand


def _page(svg: str, title: str) -> str:
    """A page whose ink has the colour of the text around it, with flat text and a name for those who cannot see it."""
    svg = flat_text(svg)
    svg = svg.replace(
        '<svg class="definition-scale" color="black"', '<svg class="definition-scale" fill="currentColor"', 1
    )
    named = f"Sheet music of {title}" if title else "Sheet music"
    return svg.replace("<svg ", f'<svg role="img" aria-label={quoteattr(named)} ', 1)


def _moments(toolkit: Any, score: Score, prefix: str) -> tuple[Moment, ...]:
    """The engraver's own map from time to ids, timed by the tempi of the Score."""
    entries = toolkit.renderToTimemap({"includeMeasures": True})
    ticks = np.array([round(entry["qstamp"] * QUARTER) for entry in entries], dtype=np.int64)
    seconds = score.seconds_at(ticks).tolist() if len(ticks) else []
    moments = []
    page, bar, measure = 1, score.first_bar, ""
    for entry, when in zip(entries, seconds, strict=True):
        if "measureOn" in entry:
            measure = entry["measureOn"]
            page = max(1, toolkit.getPageWithElement(measure))
            number = _NUMBER.search(measure.removeprefix(prefix))
            bar = int(number[1]) if number else bar
        notes = tuple(note for note in entry.get("on", ()) if not note.startswith(_GHOST))
        if notes or "measureOn" in entry:
            moments.append(Moment(when, float(entry["qstamp"]), page, bar, measure, notes))
    return tuple(moments)
