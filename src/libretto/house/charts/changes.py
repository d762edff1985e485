"""The chords of a chart where a brief has none: those written for its sections, else the style's progressions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.contract.checks.where import spans_of_ask
from libretto.house.charts.chart import Scene
from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of_style
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import asked_chords, closed_chords, numeral_label, plan_chords, steered_chords
from libretto.house.core.controls import Controls
from libretto.house.core.style import Style
from libretto.score import Key, Score, parse_chord

__all__ = ["chords_by_place", "closed_strains", "laid_over", "own_chords", "read_in"]

_OPEN = "open"  # how a piece ends that goes back to its beginning
_STRAIN = "strain"  # a kind of section that comes to an end of its own
_STRAINS, _SESSION, _TWICE = "strains", "session", 2  # habits of dances; how often each strain is played
_HOME = frozenset(("I", "i", "I6", "i6"))
_MAJOR_HOME = "I"  # how a style closes that has a mode of minor seconds and thirds on a major chord
_FIFTH = 7  # semitones
_VAMP = 2  # chords that go to and fro
_BRIDGES = ("bridge", "trio", "interlude", "solo")  # kinds of sections that leave the chords of others, likeliest first
_SHARE, _ROUNDS = 0.3, 5  # of a piece, at most; and how often its chords would come round at least
_FLOATS, _FAST, _SLOWLY = "floats", 120, 2  # a manner, quarters a minute, and bars of a chord under it
_ROUND = 4  # chords of a round whose last two share a bar at the end


def own_chords(
    passages: Sequence[Passage],
    sections: Sequence[Section],
    key: Key,
    style: Style,
    seed: int,
    controls: Controls,
    turn: int = 0,
) -> list[tuple[str, ...]]:
    """The chords of every bar. When a chart comes again sections of its middle have each other's."""
    mode = "minor" if key.is_minor else "major"
    lent = _lent(passages, mode, turn)
    there = read_in(key, style)
    bars: list[tuple[str, ...]] = []
    for passage in passages:
        bars += _written(passage, there, lent.get(passage.scene) if passage is not passages[-1] else None)
    if not all(bars):
        bars = [
            own or usual for own, usual in zip(bars, plan_chords(style, key, sections, seed, Controls()), strict=True)
        ]
    return closed_chords(steered_chords(bars, seed, controls), key, style)


def read_in(key: Key, style: Style) -> Key:
    """The key in which the numerals of a chart are read: where a style closes the Phrygian mode on a major chord, that
    is the fifth of a minor key, to which its cadence goes down: Am, G, F, E."""
    closes = dict(style.data.get("ending", {})).get(key.mode) == _MAJOR_HOME
    return Key(key.tonic - 1, "minor") if closes and key.is_minor else key


def _lent(passages: Sequence[Passage], mode: str, turn: int) -> dict[Scene, Scene]:
    """Whose chords the sections of the middle have: those of the one so many places further that is as long."""
    middle = list(dict.fromkeys(passage.scene for passage in passages[1:-1] if passage.scene.changes.get(mode)))
    alike = {scene: [other for other in middle if other.bars == scene.bars] for scene in middle}
    return {scene: others[(others.index(scene) + turn) % len(others)] for scene, others in alike.items()}


def chords_by_place(
    contract: Contract, bones: Score, passages: Sequence[Passage], key: Key, style: Style
) -> list[tuple[str, ...]]:
    """The chords that were asked for, round and round; sections that have others begin with the first of theirs, and so
    does what comes after them. Where no length was told one section of the middle has those it was written over."""
    owned = [ask for ask in contract.asks if ask.kind == "chords"]
    loops = contract.ending == _OPEN  # back to the beginning, and home there
    apart = None if owned or loops else _contrast(contract, passages, key)
    if not owned and not loops and apart is None:
        return asked_chords(contract.chords, bones.bars, key, style)
    by_bar = _rounds(contract, bones, owned, apart)
    made: list[tuple[str, ...]] = []
    for labels, run in groupby(by_bar):
        size = len(list(run))
        if not labels and apart is not None:
            made += _written(apart, key)
            continue
        made += [(labels[bar % len(labels)],) for bar in range(size)]
        if len(made) == len(by_bar) and not loops:
            made[-size:] = asked_chords(labels, max(size, len(labels)), key, style)[-size:]
    return made


def _barred(what: str, bars: int, key: Key, style: Style) -> list[tuple[str, ...]]:
    """Bars of several chords each, round and round; the last comes home."""
    told = [tuple(bar.split()) for bar in what.split("|")]
    made = [told[bar % len(told)] for bar in range(bars)]
    made[-1] = asked_chords([label for bar in told for label in bar], bars, key, style)[-1][-1:]
    return made


def _rounds(contract: Contract, bones: Score, owned: Sequence[Ask], apart: Passage | None) -> list[tuple[str, ...]]:
    """The chords that go round in every bar; none in a section ``apart``."""
    by_bar = [contract.chords] * bones.bars
    for ask in owned:
        for first, last in () if not ask.where else spans_of_ask(ask, bones):
            by_bar[first - 1 : last] = [tuple(ask.what.split())] * (last - first + 1)
    if apart is not None:
        by_bar[apart.first : apart.first + apart.bars] = [()] * apart.bars
    return by_bar


def _contrast(contract: Contract, passages: Sequence[Passage], key: Key) -> Passage | None:
    """The section of a piece that leaves the chords which were asked for, a bridge by kind, where a brief told no
    length for them to fill and they would go round and round; two chords are a vamp, and all there are."""
    total = sum(passage.bars for passage in passages)
    vamps = len({*contract.chords}) <= _VAMP
    if contract.bars is not None or vamps or len(contract.chords) * _ROUNDS > total:
        return None
    able = [
        passage
        for passage in passages[1:-1]
        if passage.scene.kind in _BRIDGES and passage.bars <= _SHARE * total and all(_written(passage, key))
    ]
    others = [passage for passage in able if not {*contract.chords}.issuperset(sum(_written(passage, key), ()))]
    return min(others, key=lambda passage: _BRIDGES.index(passage.scene.kind), default=None)


def _written(passage: Passage, key: Key, lender: Scene | None = None) -> list[tuple[str, ...]]:
    """The chords over which a section, or who lends it others, was written; nothing for bars that have none."""
    mode = "minor" if key.is_minor else "major"
    bars = ((lender or passage.scene).change(mode, passage.skipped + bar) for bar in range(passage.bars))
    return [tuple(numeral_label(numeral, key) for numeral in bar.split("+")) if bar else () for bar in bars]


def laid_over(
    contract: Contract, bones: Score, passages: Sequence[Passage], key: Key, style: Style
) -> list[tuple[str, ...]]:
    """The chords that were asked for, strains closed at home; as they are where a piece goes back to its beginning."""
    told = [ask for ask in contract.asks if ask.kind == "chords"]
    if told and not any(ask.where for ask in told):
        return _barred(told[0].what, bones.bars, key, style)
    if (slow := _slow(contract, bones.bars)) > 1:
        rounds = asked_chords(contract.chords, bones.bars // slow, key, style)
        return [labels for bar in rounds for labels in _stretched(bar, slow)]
    asked = chords_by_place(contract, bones, passages, key, style)
    if contract.ending == _OPEN:
        return asked
    return closed_strains(asked, passages, key, contract.chords, dance=_in_strains(contract, style))


def _in_strains(contract: Contract, style: Style) -> bool:
    """Whether a piece is a dance whose strains all come home: tunes of sessions, and in styles of dances those in which
    every strain is told to come twice."""
    habits = habits_of_style(style.name)
    if _SESSION in habits and not contract.form:
        return True
    runs = [len(list(run)) for _, run in groupby(contract.form)]
    return bool({_STRAINS, _SESSION} & habits) and len(runs) > 1 and all(run == _TWICE for run in runs)


def _slow(contract: Contract, bars: int) -> int:
    """How many bars each chord that was asked for lasts: two where somebody is to float at half the speed of others
    that are fast, and the chords come round often enough in whole rounds."""
    floats = any((ask.kind, ask.what) == ("manner", _FLOATS) for ask in contract.asks)
    fast = contract.tempo_bpm is not None and min(contract.tempo_bpm) >= _FAST
    size = _SLOWLY * len(contract.chords)
    told = any(ask.kind == "chords" for ask in contract.asks)
    return _SLOWLY if floats and fast and not told and bars % size == 0 and bars >= _SLOWLY * size else 1


def _stretched(labels: tuple[str, ...], times: int) -> list[tuple[str, ...]]:
    """A bar of chords over so many bars: one chord in all of them, several shared out."""
    if len(labels) == times:
        return [(label,) for label in labels]
    return [labels] * times


def closed_strains(
    bars: Sequence[tuple[str, ...]],
    passages: Sequence[Passage],
    key: Key,
    asked: Sequence[str] = (),
    *,
    dance: bool = False,
) -> list[tuple[str, ...]]:
    """The chords that were asked for, round and round, with every strain whose tune closes at home closing there, and
    in a ``dance`` every such section: the chord that leads home moves up into the bar before. So does the last, where
    its own chords do: nothing of the last round of what was ``asked`` is left out."""
    made = list(bars)
    mode = "minor" if key.is_minor else "major"
    home = _rooted(bars, key.tonic_class) or numeral_label("i" if key.is_minor else "I", key)
    leads = _rooted(bars, (key.tonic_class + _FIFTH) % 12)
    if _hurries(passages[-1], mode) and len(asked) == _ROUND and leads == asked[-1] and made[-2] == (leads,):
        made[-_ROUND:] = [(asked[0],), (asked[1],), (asked[2], leads), made[-1]]
    for passage in passages[:-1]:
        end = passage.first + passage.bars
        closes = bool(leads) and _closes_at_home(passage, mode, dance=dance)
        if closes and len(made[end - 1]) == len(made[end - 2]) == 1 and made[end - 1] != (home,):
            before = made[end - 2][0]
            made[end - 2 : end] = [(before, leads) if before not in (leads, home) else (leads,), (home,)]
    return made


def _closes_at_home(passage: Passage, mode: str, *, dance: bool) -> bool:
    """Whether a passage is a strain of several bars, as all are in a dance, whose own last chord is at home."""
    closes = passage.scene.change(mode, passage.skipped + passage.bars - 1) in _HOME
    whole = passage.scene.kind == _STRAIN or (dance and passage.skipped + passage.bars == passage.scene.bars)
    return whole and closes and passage.bars > 1


def _hurries(final: Passage, mode: str) -> bool:
    """Whether the last strain of a chart has two chords in the bar before its last."""
    told = final.scene.kind == _STRAIN and final.bars > _ROUND
    return told and "+" in final.scene.change(mode, final.skipped + final.bars - 2)


def _rooted(bars: Sequence[tuple[str, ...]], root: int) -> str:
    """The first chord on a root; empty where there is none."""
    labels = (label for labels in bars for label in labels)
    return next((one for one in labels if (chord := parse_chord(one)) is not None and chord.root_class == root), "")
