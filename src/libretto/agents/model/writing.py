"""Writing bars: ask for some, take what can be read where it stands, ask for the rest, at most so often."""

from __future__ import annotations

from libretto.agents.model.canvas import Canvas
from libretto.agents.model.desk import MOST_REPAIRS, REPLY_TOKENS, Desk, page, repair_text
from libretto.agents.model.plan import PiecePlan
from libretto.agents.model.reading import read_reply, spans_in_words
from libretto.agents.session import Asked
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.grammar.lines import parse_grid
from libretto.models.client import Message, Reply
from libretto.models.cost import tokens_of
from libretto.score import QUARTER, Meter, Score, without_controls
from libretto.score.paper import on_paper
from libretto.tasks import Round

__all__ = ["PLANNED_TOKENS", "bar_tokens", "sections_of", "take_reply", "write_bars"]

#: So many tokens of a reply are planned for; the rest is room for what takes more than expected.
PLANNED_TOKENS = int(REPLY_TOKENS * 0.7)
_MOST_ASKED, _LEAST_ASKED = 16, 4  # bars at once
_PHRASE = 4  # bars; portions are whole phrases where they can be
_HEAD_TOKENS, _VOICE_TOKENS, _DRUM_TOKENS = 8, 55, 90  # of a bar, by the rule of ``tokens_of``
_MOST_PIECES = 8  # replies that a section may come in
_SHOWN = 10_000  # characters of what is written that are shown whole
_OPENING, _RECENT = 8, 16  # bars that are shown of a longer piece
_LEAST_SHOWN = 4  # bars, however long they are
_ON_THE_PAGE = 64  # bars of a song that the task's own page shows


def bar_tokens(voices: int, drums: bool) -> int:
    """How many tokens a bar is expected to have, by the rule of ``tokens_of``."""
    return _HEAD_TOKENS + _VOICE_TOKENS * voices + (_DRUM_TOKENS if drums else 0)


def sections_of(first: int, last: int, tokens: int, starts: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """Bars in the portions they are asked for: 16 at most, small enough for a reply, along the form if there is one.

    >>> sections_of(1, 40, 200, (1, 9, 25))
    [(1, 8), (9, 24), (25, 40)]
    """
    most = max(_LEAST_ASKED, min(_MOST_ASKED, PLANNED_TOKENS // max(1, tokens)))
    most = most // _PHRASE * _PHRASE or most
    edges = [edge for edge in starts if first < edge <= last]
    portions, at = [], first
    while at <= last:
        end = min(at + most - 1, last)
        if end < last:
            near = [edge for edge in edges if at + _LEAST_ASKED <= edge <= end + 1]
            end = near[-1] - 1 if near and near[-1] - at >= most // 2 else end
        portions.append((at, end))
        at = end + 1
    return portions


def write_bars(
    desk: Desk, canvas: Canvas, first: int, last: int, plan: PiecePlan | None = None, shown: tuple[Round, ...] = ()
) -> bool:
    """Have some bars written; whether any came of it. What could not be read after two repairs stays empty."""
    history: tuple[Message, ...] = ()
    repairs = pieces = 0
    problems: list[str] = []
    while todo := canvas.missing(first, last):
        span = spans_in_words(todo)
        if problems:
            text = repair_text(problems, f"bars {span}")
            purpose = f"bars {span}, repair {repairs}"
        else:
            history = ()
            text = desk.page(shown, _request(canvas, todo, plan))
            purpose = f"bars {span}"
        reply = desk.ask(purpose, text, _asked(canvas, todo, again=bool(problems)), history=history)
        problems = take_reply(desk, canvas, reply, todo)
        left = canvas.missing(first, last)
        pieces += 1
        if reply.is_cut and len(left) < len(todo) and pieces < _MOST_PIECES:
            problems = []  # it ran out of room: the rest is asked for as usual
            continue
        if not left:
            break
        repairs += 1
        if repairs > MOST_REPAIRS:
            desk.note("unwritten", f"bars {spans_in_words(left)}")
            break
        desk.note_repair(f"bars {spans_in_words(left)}", problems)
        history = desk.again(history[0].text if history else text, reply)
    return len(canvas.missing(first, last)) < last - first + 1


def take_reply(desk: Desk, canvas: Canvas, reply: Reply, todo: list[int]) -> list[str]:
    """Take what a reply holds into a canvas; what is wrong with it."""
    read = read_reply(reply.text, canvas.head, cut=reply.is_cut)
    before = len(canvas.repairs)
    problems = canvas.take(read, todo)
    desk.note("lenient", *read.repairs, *canvas.repairs[before:])
    if reply.is_cut and not read.bars:
        problems = ["it was cut off before its first bar was whole: write fewer notes"]
    return problems


def _asked(canvas: Canvas, todo: list[int], *, again: bool) -> Asked:
    """What is asked as data: bars, or their repair."""
    asked = Asked(kind="bars", bars=(todo[0], todo[-1]), voices=canvas.writes, header="\n".join(canvas.head))
    if again:
        asked["kind"], asked["again"] = "repair", "bars"
    if canvas.base is not None:
        asked["base"] = canvas.base
    return asked


def _request(canvas: Canvas, todo: list[int], plan: PiecePlan | None) -> str:
    names = "" if canvas.base is None else f" for {', '.join(canvas.writes)} and no other voice"
    head = plan.text if plan is not None else "\n".join(canvas.head)
    given = ""
    if canvas.base is not None:
        given = "Voices that are silent in a bar are left out. What the other voices play stays as it is."
        if todo[-1] - canvas.first >= _ON_THE_PAGE:
            given += f"\n\nWhat they play in these bars:\n\n```\n{_others(canvas.base, todo)}\n```"
    return page(
        "bars",
        plan=f"```\n{head.strip()}\n```",
        written=_written(canvas, todo[0]),
        bars=spans_in_words(todo),
        slots=_slots(canvas.head),
        first=str(todo[0]),
        last=str(todo[-1]),
        voices=names,
        given=given,
    )


def _slots(head: tuple[str, ...]) -> str:
    """How a bar is counted, in words; nothing where the header cannot be read."""
    fields = dict(part.strip().split(": ", 1) for line in head for part in line.split(" | ") if ": " in part)
    try:
        meter, grid = Meter.parse(fields["METER"]), parse_grid(fields["GRID"])
    except (KeyError, LibrettoError):
        return ""
    if meter.ticks % grid.slot:
        return ""
    beat = f", a quarter note {QUARTER // grid.slot}" if QUARTER % grid.slot == 0 else ""
    return f"A bar of {meter} on the grid of the header has {meter.ticks // grid.slot} slots{beat}."


def _others(song: Score, todo: list[int]) -> str:
    """What stands in the bars that are to be written."""
    lines = notate(without_controls(on_paper(song))).rstrip("\n").split("\n")
    starts = {int(line[1:].split(" ", 1)[0]): index for index, line in enumerate(lines) if line.startswith("@")}
    return "\n".join(lines[starts[todo[0]] : starts.get(todo[-1] + 1, len(lines))])


def _written(canvas: Canvas, until: int) -> str:
    """What stands before a bar: all of it, or how it begins and what comes just before."""
    blocks = "\n".join([*canvas.before, *(canvas.bar(number) for number in range(canvas.first, until))]).split("\n@")
    if canvas.base is not None and not canvas.bars:
        return ""
    bars = [block if not index else f"@{block}" for index, block in enumerate(blocks) if block.strip()]
    if not bars:
        return "Nothing is written yet."
    if sum(map(len, bars)) > _SHOWN and len(bars) > _OPENING + _RECENT:
        left = len(bars) - _OPENING - _RECENT
        bars = [*bars[:_OPENING], f"% {left} bars are not shown here", *bars[-_RECENT:]]
    text = "\n".join(bars)
    while tokens_of(text) > _SHOWN and len(bars) > _LEAST_SHOWN:
        bars = bars[-(len(bars) // 2) :]
        text = "\n".join(bars)
    return f"What is written:\n\n```\n{text}\n```"
