"""The form of a chart at any length: sections in order, longer by going round again, shorter by leaving bars out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from libretto.house.charts.chart import Chart, Scene
from libretto.house.charts.letters import ON, ONCE, of_kind, repeated
from libretto.house.charts.signs import sounds
from libretto.house.compose.form import Section

__all__ = [
    "ONCE",
    "Passage",
    "another_backing",
    "joined",
    "laid_out",
    "left_open",
    "names_of_form",
    "ordered",
    "sections_of_chart",
    "softly_closed",
]

_PHRASE = 4  # bars
_FAR_FEWER = 0.75  # of the bars that a form usually has
_CLOSES = ("outro", "tag")
_DROP = "drop"
_OF_THEIR_OWN = ("build", _DROP)  # kinds of sections that neither lend nor borrow an accompaniment
_BACKING = ("third", "chords", "pad", "bass", "drums", "percussion")
_OPENING, _LATE = "theme", ("outro", "tag")  # what the first section is called that closes longer pieces
_CHORUS, _LOUDER = "chorus", 6  # what is the loudest when it comes for the last time, and by how many velocities
_SINKS = 8  # velocities by which a soft close is softer than the piece
_THINNER = 0.2  # energy that a section which lends its accompaniment may have less
_RISE = 0.05  # energy that a section gains when it comes again


@dataclass(frozen=True)
class Passage:
    """A section of a chart in its place: the first bar, how many bars of it are played, from which on, and how often it
    was heard before."""

    scene: Scene
    first: int
    bars: int
    skipped: int
    before: int
    backing: Scene | None = None  # the section whose accompaniment is played under it, where that is another

    def bar(self, part: str, number: int) -> str:
        """What a part plays in a bar of the passage."""
        scene = self.backing if self.backing is not None and part in _BACKING else self.scene
        return scene.bar(part, self.skipped + number)


def laid_out(
    chart: Chart, bars: int, asked: Sequence[str] = (), turn: int = 0, told: Mapping[int, int] | None = None
) -> tuple[Passage, ...]:
    """The sections of a chart over so many bars, in the form asked for where the chart has it; at another ``turn`` they
    have each other's accompaniment."""
    named = () if told else chart.form_of(asked, bars)
    if pairs := repeated(chart.scenes, named, asked) if named else ():
        cuts = [(one.skipped, one.bars) for one in pairs]
        return _turned(_placed(chart, [one.name for one in pairs], cuts), chart, turn)
    if named:
        return _turned(_placed(chart, named, [(0, chart.scenes[name].bars) for name in named]), chart, turn)
    halved = () if told else chart.halved(asked, bars)
    if halved:
        return _turned(_placed(chart, halved, _halves(chart, halved, asked)), chart, turn)
    pieces = chart.pieced(asked, bars, told or {})
    if pieces:
        cut = [(one.skipped, one.bars) for one in pieces]
        made = _turned(_placed(chart, [one.name for one in pieces], cut), chart, turn)
        return _crowned(made, [one.label.removesuffix(ON) for one in pieces])
    return _turned(_in_any_length(chart, bars), chart, turn)


def _crowned(passages: tuple[Passage, ...], labels: Sequence[str]) -> tuple[Passage, ...]:
    """The same passages, a last chorus the loudest of all, with the close that belongs to it."""
    last = labels[-1]
    tail = next((at for at in range(len(labels)) if set(labels[at:]) == {last}), 0)
    if last != _CHORUS or last not in labels[:tail] or len(labels) != len(passages):
        return passages
    loud = _LOUDER + max(level for passage in passages for level in passage.scene.levels)
    crowned = (replace(one, scene=replace(one.scene, levels=(loud, loud))) for one in passages[tail:])
    return (*passages[:tail], *crowned)


def _in_any_length(chart: Chart, bars: int) -> tuple[Passage, ...]:
    """The longest form of a chart that fits, longer by going round again, shorter by leaving bars out."""
    lengths = sorted(chart.forms)
    fitting = [length for length in lengths if length <= bars]
    chosen = chart.forms[fitting[-1] if fitting else lengths[0]]
    order = _longer(chart, list(chosen), bars) if fitting else list(chosen)
    cuts = [(0, chart.scenes[name].bars) for name in order]
    over = sum(size for _, size in cuts) - bars
    for place in range(len(cuts)):  # what is too long loses its beginning: an introduction first, the end last
        if over <= 0:
            break
        gone = min(over, cuts[place][1])
        if place == len(cuts) - 1:
            cuts[place] = (cuts[place][0] + gone, cuts[place][1] - gone)
        else:
            cuts[place] = (0, cuts[place][1] - gone)
        over -= gone
    return _placed(chart, order, cuts)


def names_of_form(chart: Chart, bars: int, asked: Sequence[str], told: Mapping[int, int]) -> tuple[str, ...]:
    """What the sections of a form are called: as asked; what goes on beyond a chart's own section says so."""
    own = () if told else chart.form_of(asked, bars)
    if own or (not told and chart.halved(asked, bars)):
        return tuple(one.label for one in repeated(chart.scenes, own, asked)) or tuple(asked)
    return tuple(one.label for one in chart.pieced(asked, bars, told)) or tuple(asked)


def left_open(chart: Chart, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The same passages with a strain of the chart's for its close, where one is as long: a piece that goes back to its
    beginning has no end. A close that comes to no rest by itself stays."""
    last = passages[-1]
    heard = [passage.scene for passage in passages[:-1]]
    strains = [scene for scene in chart.scenes.values() if scene.kind not in ONCE and scene.bars >= last.bars]
    strains = [scene for scene in strains if scene is not last.scene]
    if not strains or chart.ending == "open":
        return tuple(passages)
    scene = min(strains, key=lambda one: (heard.count(one), -one.energy))
    return (*passages[:-1], replace(last, scene=scene, skipped=scene.bars - last.bars, before=heard.count(scene)))


def softly_closed(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The same passages; where the last would end louder than the piece is on the whole it begins as loud as that and
    sinks."""
    last = passages[-1]
    bars = sum(passage.bars for passage in passages)
    mean = round(sum(sum(passage.scene.levels) / 2 * passage.bars for passage in passages) / max(1, bars))
    if last.scene.levels[1] <= mean:
        return tuple(passages)
    levels = (min(mean, last.scene.levels[0]), mean - _SINKS)
    return (*passages[:-1], replace(last, scene=replace(last.scene, levels=levels)))


def _halves(chart: Chart, order: Sequence[str], asked: Sequence[str]) -> list[tuple[int, int]]:
    """Which half of each section is played: the first, and the second where the same letter comes again or the piece
    ends."""
    sizes = [chart.scenes[name].bars // 2 for name in order]
    again = [place > 0 and asked[place - 1] == letter for place, letter in enumerate(asked)]
    return [
        (size * (late or place == len(sizes) - 1), size)
        for place, (size, late) in enumerate(zip(sizes, again, strict=True))
    ]


def ordered(chart: Chart, kinds: Sequence[str], bars: int) -> tuple[tuple[Passage, ...], tuple[str, ...]] | None:
    """The sections of a chart in an order of kinds, each by the section of that kind or the nearest to it, and their
    names; None where it has none of some kind. It closes with the chart's own close, and sections go round twice where
    there are far fewer than so many ``bars``."""
    close = next(iter(chart.forms.values()))[-1]
    ends = chart.scenes[close].kind in _CLOSES
    wanted = [*kinds, *(() if kinds[-1] in _CLOSES else ("outro",))] if ends else list(kinds)
    order = [
        close if ends and place == len(wanted) - 1 else of_kind(chart.scenes, kind) for place, kind in enumerate(wanted)
    ]
    if not all(order):
        return None
    names = [_next_time(chart, order, place) for place in range(len(order))]
    short = sum(chart.scenes[name].bars for name in names) < _FAR_FEWER * bars
    rounds = [
        1 + (_brief(chart.scenes[name], kind) or (short and chart.scenes[name].kind not in ONCE))
        for name, kind in zip(names, wanted, strict=True)
    ]
    cuts = [(0, chart.scenes[name].bars * times) for name, times in zip(names, rounds, strict=True)]
    return _turned(_placed(chart, names, cuts), chart, 0), tuple(wanted)


def _next_time(chart: Chart, order: Sequence[str], place: int) -> str:
    """A section of an order; of a drop that comes again the next one that a chart has, the last time its last."""
    name = order[place]
    others = [other for other, scene in chart.scenes.items() if _same_drop(scene, chart.scenes[name])]
    heard = order[:place].count(name)
    if not heard or not others:
        return name
    return others[-1] if name not in order[place + 1 :] else others[min(heard, len(others) - 1)]


def _brief(scene: Scene, kind: str) -> bool:
    """Whether a section is a drop that is over after a phrase: it goes round twice."""
    return kind == _DROP and scene.bars <= _PHRASE


def _same_drop(scene: Scene, other: Scene) -> bool:
    """Whether two sections are drops of one length."""
    return scene.kind == other.kind == _DROP and scene.bars == other.bars


def _turned(passages: tuple[Passage, ...], chart: Chart, turn: int) -> tuple[Passage, ...]:
    """The same passages, those of the middle with the accompaniment of the section that is so many places further, and
    further still when they come again; not the last, nor those whose tune who accompanies may have, nor builds and
    drops, which are what their accompaniment is."""
    middle = [scene for scene in chart.scenes.values() if scene.kind not in (*ONCE, *_OF_THEIR_OWN)]
    return tuple(
        replace(passage, backing=another_backing(passage, middle, turn + passage.before))
        if (turn or passage.before) and passage.scene in middle and passage is not passages[-1]
        and (passage.scene.tune == "lead" or (not turn and passage.scene.tune == "second"))
        else passage
        for passage in passages
    )  # fmt: skip


def another_backing(passage: Passage, middle: Sequence[Scene], places: int) -> Scene | None:
    """The section so many places further, of those whose accompaniment may stand for a passage's: a verse never has
    that of a chorus, nor a chorus that of a verse, and nobody that of a section that is much thinner, or counts in."""
    own = passage.scene
    other = {"verse": "chorus", "chorus": "verse"}.get(own.kind)
    able = [scene for scene in middle if scene is own or (scene.kind != other and _carries(scene, own))]
    if len(able) == 1:
        return None
    return able[(able.index(own) + (places % len(able) or 1)) % len(able)]  # never its own


def _carries(scene: Scene, own: Scene) -> bool:
    """Whether the accompaniment of one section is full enough for another, and has a bass from its first bar on where
    that has."""
    starts = [sounds(one.bar("bass", 0)) for one in (scene, own)]
    return scene.energy >= own.energy - _THINNER and starts[0] >= starts[1]


def _longer(chart: Chart, order: list[str], bars: int) -> list[str]:
    """The same order with sections of its middle once more before the last ones, until there are bars enough."""
    again = [name for name in order if chart.scenes[name].kind not in ONCE]
    again = again or [name for name, scene in chart.scenes.items() if scene.kind not in ONCE] or order[:1]
    total, turn = sum(chart.scenes[name].bars for name in order), 0
    end = next((place for place, name in enumerate(order) if place and chart.scenes[name].kind in ("outro", "tag")), -1)
    at = max(0, (end if end > 0 else len(order) - 1) - 1)
    while total < bars:
        name = again[turn % len(again)]
        order.insert(at, name)
        total += chart.scenes[name].bars
        turn, at = turn + 1, at + 1
    return order


def _placed(chart: Chart, order: Sequence[str], cuts: Sequence[tuple[int, int]]) -> tuple[Passage, ...]:
    made, first = [], 0
    heard: dict[str, int] = {}
    for name, (skipped, size) in zip(order, cuts, strict=True):
        if size > 0:
            made.append(Passage(chart.scenes[name], first, size, skipped, heard.get(name, 0)))
            heard[name] = heard.get(name, 0) + 1
            first += size
    return tuple(made)


def joined(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The same sections, each with what goes on in it beyond a chart's own section."""
    made: list[Section] = []
    for section in sections:
        if made and ON in section.name:
            made[-1] = replace(made[-1], bars=made[-1].bars + section.bars, last=section.last)
        else:
            made.append(section)
    return tuple(made)


def sections_of_chart(passages: Sequence[Passage], asked: Sequence[str] = ()) -> tuple[Section, ...]:
    """The same sections as a plan has them, with the names asked for where there are as many."""
    letters: dict[str, str] = {}
    names: dict[str, int] = {}
    made = []
    for place, passage in enumerate(passages):
        scene = passage.scene
        named = asked[place] if len(asked) == len(passages) else ""
        letter = named[:1] or letters.setdefault(scene.kind, chr(ord("A") + min(25, len(letters))))
        title = named or (_OPENING if place == 0 and scene.kind in _LATE else scene.kind).title()
        names[title] = names.get(title, 0) + 1
        made.append(
            Section(
                name=title if names[title] == 1 else f"{title} {names[title]}",
                kind=scene.kind,
                letter=letter,
                bars=passage.bars,
                energy=min(1.0, scene.energy + _RISE * passage.before),
                first=passage.first,
                before=passage.before,
                last=passage is passages[-1],
                pace=scene.pace,
            )
        )
    return tuple(made)
