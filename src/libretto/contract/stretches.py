"""Stretches: the bars of a piece that a place means, as ``contract.places`` names them."""

from __future__ import annotations

import re

from libretto.contract.blocks import BY_TURNS, by_turns, in_phrases
from libretto.contract.places import section_kind
from libretto.contract.sharing import traded_bars, turn_of
from libretto.score.model import Score

__all__ = ["bars_of_place", "sections_of_score"]

_EDGE = 4  # bars of a beginning or an ending, and no more than a quarter of the piece
_MOST_PLACES = 16
_SECOND = 2  # chorus
_CHORUS = 12  # bars of a chorus of the blues
_TO_THE_END = ("second half", "last third", "last quarter", "drop")  # after which nothing comes, or all of it
_EDGES = {"intro": "start", "outro": "end"}  # where a piece without such a section has as much as that
_ALSO = {  # what a section may be called in a piece whose sections have other names
    "chorus": ("refrain", "theme", "head", "strain", "drop"), "verse": ("theme", "head", "strain"),
    "head": ("theme", "verse", "A"), "theme": ("head", "verse", "A"), "bridge": ("B", "interlude", "solo"),
    "trio": ("bridge", "B", "interlude", "solo"), "interlude": ("bridge", "B", "solo"),
    "break": ("bridge", "interlude", "B"),
}  # fmt: skip


def sections_of_score(score: Score) -> tuple[tuple[str, int, int], ...]:
    """The sections of a piece: kind, first and last bar by number."""
    ends = [tick for tick, _ in score.sections[1:]] + [score.ticks]
    rows = []
    for (tick, label), end in zip(score.sections, ends, strict=False):
        inside = [n for n, line in zip(score.numbers, score.bar_lines, strict=False) if tick <= line < end]
        if inside:
            rows.append((section_kind(label), inside[0], inside[-1]))
    return tuple(rows)


def bars_of_place(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The stretches of bars, by number and with both ends, that a place means in a piece; none where it is not there.

    >>> from libretto.score import Voice
    >>> piece = Score.build([Voice.of("Flute", (), 73)], bars=16)
    >>> bars_of_place("from second half", piece), bars_of_place("last chorus", piece)
    (((9, 16),), ())
    """
    low, high = score.numbers[0], score.numbers[-1]
    if not place:
        return ((low, high),)
    if " + " in place:
        return tuple(span for part in place.split(" + ")[:_MOST_PLACES] for span in bars_of_place(part, score))
    how, _, rest = place.partition(" ")
    relative = _just_before(rest, score) if how == "before" and rest else _relative(place, score)
    if relative is not None:
        return relative
    if how in ("from", "after", "until") and rest:
        how = "from" if how == "after" and rest in _TO_THE_END else how
        return _beside(how, bars_of_place(rest, score), low, high)
    return _numbered(place, low, high) or _edge(place, low, high) or _by_section(place, score)


def _beside(how: str, spans: tuple[tuple[int, int], ...], low: int, high: int) -> tuple[tuple[int, int], ...]:
    """The bars from where some stretches begin, after their end, or until they begin; none where there are none."""
    if not spans:
        return ()
    first, last = spans[0][0], spans[-1][1]
    span = {"from": (first, high), "after": (last + 1, high), "until": (low, first - 1)}[how]
    return (span,) if span[0] <= span[1] else ()


def _by_section(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of a place that is a section, by its own name or as much as that by another."""
    named = _sections(place, score) or _chorus(place, score) or _counted_verse(place, score)
    return named or _edge(_EDGES.get(place, ""), score.numbers[0], score.numbers[-1])


def _relative(place: str, score: Score) -> tuple[tuple[int, int], ...] | None:
    """The bars of a place that is told by others, or by how often something came; None where it is no such place."""
    low, high = score.numbers[0], score.numbers[-1]
    if place.startswith("outside "):
        return _beyond(place[8:].split(" or "), score)
    between = re.fullmatch(r"from (.+) until (.+)", place)
    if between:
        one, two = bars_of_place(between[1], score), bars_of_place(between[2], score)
        return ((one[0][0], two[0][0] - 1),) if one and two and one[0][0] < two[0][0] else ()
    if counted := re.fullmatch(r"(\d+) bars (before|in|closing) (.+)", place):
        spans = _on_phrases(counted[3], score)
        if counted.group(2, 3) == ("in", "middle") and spans:  # as much before as after, where it is long
            spans = ((min(spans[0][0], low + (score.bars - int(counted[1])) // 2 // _EDGE * _EDGE), high),)
        return _some_bars(int(counted[1]), counted[2], spans, low)
    traded = re.fullmatch(r"turns (\d+) of (\d+) in (\d+)(?: of (.+))?", place)
    if traded:
        spans = bars_of_place(traded[4] or "", score)
        return traded_bars(int(traded[1]), int(traded[2]), int(traded[3]), spans)
    turns = re.fullmatch(r"(entry|exit|round|part) (\d+) of (\d+)", place)
    if turns:
        rows = sections_of_score(score)
        return turn_of(turns[1], int(turns[2]), int(turns[3]), low, high, rows)
    if place in BY_TURNS:
        return by_turns(place, [first for _, first, _ in sections_of_score(score)], low, high)
    return _repeated(place, score)


def _beyond(places: list[str], score: Score) -> tuple[tuple[int, int], ...]:
    """All bars but those of some places; none where these are not there."""
    spans = [span for one in places for span in bars_of_place(one, score)]
    inside = {bar for first, last in spans for bar in range(first, last + 1)}
    return _runs([bar for bar in score.numbers if bar not in inside]) if inside else ()


def _some_bars(count: int, how: str, spans: tuple[tuple[int, int], ...], low: int) -> tuple[tuple[int, int], ...]:
    """So many bars before each of some stretches, or from the beginning of the first on, or at its end."""
    if not spans:
        return ()
    if how == "in":
        return ((spans[0][0], min(spans[0][1], spans[0][0] + count - 1)),)
    if how == "closing":
        return ((max(spans[0]) - count + 1, max(spans[0])),)
    made = ((max(low, first - count), first - 1) for first, _ in spans)
    return tuple(span for span in made if span[0] <= span[1])


def _on_phrases(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of a place; those of a middle, or of what is left of a piece, from where a phrase begins."""
    spans, low = bars_of_place(place, score), score.numbers[0]
    if place not in ("middle", "second half", "last third", "last quarter") or not spans:
        return spans
    first, last = spans[0]
    first = max(first, low + score.bars // 3) if place == "middle" else first  # near the middle of it
    phrase = low + -(-(first - low) // _EDGE) * _EDGE
    last = min(score.numbers[-1], low - 1 + -(-(last - low + 1) // _EDGE) * _EDGE)
    return ((phrase, last),) if phrase <= last else spans


def _repeated(place: str, score: Score) -> tuple[tuple[int, int], ...] | None:
    """The bars of what comes again and again; None where a place is nothing of the kind."""
    low, high = score.numbers[0], score.numbers[-1]
    if place == "section ends":
        return tuple((last, last) for _, _, last in sections_of_score(score)) or ((high, high),)
    if place == "phrase ends":
        return tuple((bar, bar) for bar in range(low + _EDGE - 1, high + 1, _EDGE))
    if place == "contrast":
        likely = (_by_section(name, score) for name in ("bridge", "interlude", "break"))
        return next((spans[:1] for spans in likely if spans), ()) or _on_phrases("middle", score)
    if place == "later":
        return ((low + max(1, (high - low + 1) // 4 // _EDGE * _EDGE or 1), high),)
    return _again(place, score) if place in ("second time", "last time") else None


def _again(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The sections that were there before, or the last of them; the second half, or the end, where none was."""
    low, high, rows = score.numbers[0], score.numbers[-1], sections_of_score(score)
    again = [row for number, row in enumerate(rows) if row[0] in [kind for kind, _, _ in rows[:number]]]
    if place == "last time":
        return tuple((first, last) for _, first, last in again[-1:]) or _edge("end", low, high)
    return tuple((first, last) for _, first, last in again) or _edge("second half", low, high)


def _runs(bars: list[int]) -> tuple[tuple[int, int], ...]:
    """Bars as stretches."""
    firsts = [bar for bar in bars if bar - 1 not in set(bars)]
    lasts = [bar for bar in bars if bar + 1 not in set(bars)]
    return tuple(zip(firsts, lasts, strict=True))


def _just_before(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The section that ends where a place begins; a few bars where no section does."""
    spans = bars_of_place(place, score)
    if not spans or spans[0][0] <= score.numbers[0]:
        return ()
    last = spans[0][0] - 1
    first = next(
        (start for _, start, end in sections_of_score(score) if end == last), max(score.numbers[0], last - _EDGE + 1)
    )
    return ((first, last),)


def _numbered(place: str, low: int, high: int) -> tuple[tuple[int, int], ...]:
    bars = re.fullmatch(r"bars? (\d+)(?:-(\d+))?", place)
    if bars:
        first, last = int(bars[1]), int(bars[2] or bars[1])
        return ((first, last),) if low <= first <= last <= high else ()
    edge = re.fullmatch(r"(first|last) (\d+) bars", place)
    if not edge:
        return ()
    count = min(int(edge[2]), high - low + 1)
    return ((low, low + count - 1),) if edge[1] == "first" else ((high - count + 1, high),)


def _edge(place: str, low: int, high: int) -> tuple[tuple[int, int], ...]:
    bars = high - low + 1
    some, half, third = max(1, min(_EDGE, bars // 4)), bars // 2, bars // 3
    inner = third if bars % _EDGE or third < _EDGE else third // _EDGE * _EDGE  # in whole phrases
    table = {
        "start": (low, low + some - 1),
        "end": (high - some + 1, high),
        "middle": (low + inner, high - inner),
        "first half": (low, low + half - 1),
        "second half": (low + half, high),
        "first quarter": (low, low + (bars // 4 // _EDGE * _EDGE or bars // 4) - 1),
        "last quarter": (high + 1 - in_phrases(bars - bars * 3 // 4, bars), high),
        "first third": (low, low + in_phrases(third, bars) - 1),
        "last third": (high + 1 - in_phrases(bars - bars * 2 // 3, bars), high),
    }
    span = table.get(place)
    return (span,) if span and span[0] <= span[1] else ()


def _sections(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    named = re.fullmatch(r"(?:(last) )?(.+?)(?: (\d+))?", place)
    if not named:
        return ()
    spans = [(first, last) for kind, first, last in sections_of_score(score) if kind == named[2]]
    if named[1]:
        again = len(spans) != 1 or spans[0] != _without_intro(score)[0][1:]
        return tuple(spans[-1:]) if again else tuple((first, score.numbers[-1]) for _, first, _ in _last_round(score))
    number = int(named[3]) if named[3] else 0
    return tuple(spans[number - 1 : number]) if number else tuple(spans)


def _chorus(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of a chorus of twelve bars, counted, where a piece has no sections that are called so; else those of
    sections that are as much as that by another name."""
    kinds = {kind for kind, _, _ in sections_of_score(score)}
    letter = re.fullmatch(r"(?:last )?([A-H]|strain)(?: \d)?", place)
    if letter and (letter[1] == "strain" or not any(re.fullmatch("[A-H]", kind) for kind in kinds)):
        return _strain(letter[1], score)
    named = re.fullmatch(r"(last )?([a-z-]+)( \d)?", place)
    if named is None or not kinds:
        return ()
    if named[2] == "chorus" and (named[1] or named[3]):
        return _nth_chorus(named, named[2] in kinds, score)
    if named[2] in kinds:
        return ()
    likely = [kind for kind in _ALSO.get(named[2], ()) if kind in kinds]
    return _by_another_name(_contrasts(likely, score) if named[2] == "chorus" else likely, named, score)


def _contrasts(likely: list[str], score: Score) -> list[str]:
    """Kinds of sections that may be a chorus: not what a piece begins with, where it has others."""
    rows = [kind for kind, _, _ in sections_of_score(score) if kind not in ("intro", "outro", "tag")]
    others = [kind for kind in dict.fromkeys(rows) if kind != rows[0]]
    return [kind for kind in likely if kind in others] or others or likely


def _nth_chorus(named: re.Match[str], told: bool, score: Score) -> tuple[tuple[int, int], ...]:
    """A chorus that is counted and not there as such: of twelve bars, the last time round, or the second half where
    one section is ``told`` to be a chorus."""
    if not score.bars % _CHORUS and (named[3] or not told):
        return _twelve_bars(int(named[3]) if named[3] else score.bars // _CHORUS, score)
    if named[1]:  # the last time round, to the end
        return () if told else tuple((first, score.numbers[-1]) for _, first, last in _last_round(score))
    if told:
        return _edge("second half", score.numbers[0], score.numbers[-1]) if int(named[3]) == _SECOND else ()
    kinds = {kind for kind, _, _ in sections_of_score(score)}
    return _by_another_name([kind for kind in _ALSO["chorus"] if kind in kinds], named, score)


def _counted_verse(place: str, score: Score) -> tuple[tuple[int, int], ...]:
    """A verse that is counted, where a piece has fewer that are called so: the nth of its sections."""
    nth = re.fullmatch(r"(?:verse|theme|head) (\d)", place)
    rows = [row for row in sections_of_score(score) if row[0] not in ("intro", "outro")]
    if place.endswith("variation") or place.startswith("variation"):  # the theme is none
        rows = rows[-1:] if place.startswith("last") else rows[int(place.split()[-1]) :][:1]
        return tuple((first, last) for _, first, last in rows)
    return tuple((first, last) for _, first, last in rows[int(nth[1]) - 1 : int(nth[1])]) if nth else ()


def _strain(letter: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The sections of the nth kind that a piece has, for a strain of one whose sections have no letters, the nth
    section where all are of one kind; or those of the last."""
    rows = _without_intro(score)
    kinds = list(dict.fromkeys(kind for kind, _, _ in rows))
    if len(kinds) == 1 and letter != "strain":
        return tuple((first, last) for _, first, last in rows["ABCDEFGH".index(letter) :][:1])
    nth = [*kinds, *[""] * len("ABCDEFGH")]["ABCDEFGH".index(letter)] if letter != "strain" else rows[-1][0]
    return tuple((first, last) for kind, first, last in rows if kind == nth)


def _without_intro(score: Score) -> list[tuple[str, int, int]]:
    """The sections of a piece after its introduction."""
    return [row for row in sections_of_score(score) if row[0] != "intro"]


def _by_another_name(kinds: list[str], named: re.Match[str], score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of the first of some kinds of sections that a piece has, counted as the place that was named."""
    likely = (f"{named[1] or ''}{kind}{named[3] or ''}" for kind in kinds)
    return next((spans for name in likely if (spans := _sections(name, score))), ())


def _twelve_bars(number: int, score: Score) -> tuple[tuple[int, int], ...]:
    """A chorus of twelve bars, counted from the start; none where the piece ends before."""
    first = score.numbers[0] + _CHORUS * (number - 1)
    return ((first, first + _CHORUS - 1),) if first + _CHORUS - 1 <= score.numbers[-1] else ()


def _last_round(score: Score) -> tuple[tuple[str, int, int], ...]:
    """The last section that is no tag, and long enough for a round."""
    rows = [row for row in sections_of_score(score) if row[2] - row[1] + 1 > _EDGE // 2]
    return tuple(rows[-1:])
