"""Changes of tempo beside the tempo of a piece: half and double of it, and what is slow or fast where it is not."""

from __future__ import annotations

import re
from dataclasses import replace

from libretto.contract.asks import Ask, share_of
from libretto.contract.character import style_named
from libretto.contract.heard import Notes
from libretto.contract.words import words_of

__all__ = ["beside_tempo", "of_manner", "on_the_floor", "slow_end", "weighs"]

_TIMES = {"half tempo": 0.5, "double tempo": 2.0}
_SLOWER, _FASTER = ("slow", "slower"), ("fast", "faster")
_PLAINLY = re.compile(  # words for what is slow, or fast, and not only more so than before
    r"\b(?:slow(?:ly)?(?! down)|half[- ](?:speed|tempo)|crawling|lumbering|plodding|"
    r"adagio|lento|largo|unhurried\w*|fast|quick|rapid|presto|vivace|allegro|furious|fren\w+|"
    r"frantic)\b",
    re.I,
)
_BY_DEGREES = re.compile(  # what is not there at once
    r"\bspeed(?:s|ing)? (?:it |things )?up|\baccelerat\w+|\bquicken\w*|\bpick(?:s|ing)? up|\brac(?:es?|ing)\b|"
    r"\brush(?:es|ing)?\b|\bslow(?:s|ing)? (?:right |it )?down\b|\b(?:gets?|getting|grows?|growing|becom\w+) "
    r"(?:[a-z]+ ){0,2}(?:faster|quicker|slower)",
    re.I,
)
_NEAR_THE_END = ("end", "until end", "outro", "last quarter", "last third")
_CLOSING_BARS = re.compile(r"last \d+ bars")
_CONTRASTS = ("middle", "bridge", "B", "break", "breakdown")  # sections that slow down as a whole
_DOWN = re.compile(r"\bslow(?:s|ing|ed)? (?:right |all the way )?down\b|\bmuch slower\b", re.I)
_SLOW, _FAST = 66.0, 144.0  # quarters a minute, about, of what is called slow, or fast
_SLOWEST, _SLOW_ENOUGH = 0.45, 0.82  # shares of a tempo
_LEAST = 1.3  # how much faster a piece becomes
_FAST_ENOUGH, _FASTEST = 1.2, 2.0
_MEDIUM = 104.0  # quarters a minute where nothing tells a tempo
_WEIGHS = re.compile(  # moods that drag
    r"\b(?:brood(?:ing|s)?|(?:world-?\s?)?wear(?:y|ily|iness)|sludg[ey]y?|doom(?:y|-laden)|heavy[- ]hearted(?:ly)?|"
    r"(?:weary |aching )longing|dragging|downtrodden|burdened|exhaust(?:ed|ion)|dejected|plodding|trudging)\b",
    re.I,
)
_HURRIES = re.compile(
    r"\b(?:fast|quick|up-?tempo|upbeat|energetic|driving|urgent|racing|frantic|furious|danceable|lively|brisk|"
    r"high[- ]energy|propulsive|galloping|relentless)\b",
    re.I,
)
_THIRD = 3  # of the speeds of a style
_ONE_SPEED = 1.12  # how much faster the fastest of a style is than its slowest for which floors have one speed
_UNDER, _OVER = 0.9, 1.08  # of its slowest and its fastest, where it is to be slow or fast
_LAZY = 92  # quarters a minute that only words for something slow stay below


def weighs(text: str) -> bool:
    """Whether the moods of a text drag, and nothing in it hurries.

    >>> weighs("a brooding, weary song"), weighs("a brooding, driving song"), weighs("a world-weary blues")
    (True, False, True)
    """
    return _WEIGHS.search(text) is not None and _HURRIES.search(text) is None


def of_manner(said: str, notes: Notes) -> tuple[float, float] | None:
    """The speed of music in a manner of the concert hall, where that is all that a word says: a romantic tune for a
    koto."""
    words = (word for word in sorted(words_of("manners of the concert hall")) if re.search(rf"\b{word}\b", said, re.I))
    style = next(filter(None, map(style_named, words)), None)
    if style is None:
        return None
    low, high = style.tempo
    notes.assumed.append(f"No tempo is named; what is {style.name} is usually played at {low}-{high}.")
    return float(low), float(high)


def on_the_floor(
    band: tuple[float, float], usual: tuple[int, int], own: tuple[int, int] | None = None
) -> tuple[float, float]:
    """A tempo that words ask for, in a style that floors dance at one speed: slow and fast are beside that, so that a
    slow house track is no ballad and drum and bass at a medium tempo is at its own. The kind of it that is named may
    have a speed of its ``own``.

    >>> on_the_floor((132, 216), (120, 128)), on_the_floor((96, 120), (168, 178)), on_the_floor((56, 76), (112, 132))
    ((128, 138), (168, 173), (56, 76))
    """
    (low, high), (slowest, fastest) = band, usual
    if fastest > slowest * _ONE_SPEED or (slowest <= low and high <= fastest):
        return band
    own = own or usual
    if own != usual and low <= own[0] and own[1] <= high:
        return own
    if high < _LAZY:
        return round(slowest * _UNDER), slowest
    if low >= slowest:
        return own[1], round(own[1] * _OVER)
    return (slowest, (slowest + fastest) // 2) if high < slowest * _UNDER else band


def slow_end(low: int, high: int) -> tuple[int, int]:
    """The slowest of the speeds of a style."""
    return low, low + (high - low) // _THIRD


def beside_tempo(ask: Ask, tempo: tuple[float, float] | None) -> Ask:
    """A change of tempo in quarters a minute, or as a share of the tempo; what is only slower or faster stays so.

    >>> beside_tempo(Ask("tempo_change", "slower", "", "intro", "a slow intro"), (120, 140)).what
    'x0.51'
    """
    if ask.kind != "tempo_change":
        return ask
    if ask.what in _TIMES:
        return _in_numbers(ask, tempo)
    usual = sum(tempo) / 2 if tempo else _MEDIUM
    told = re.search(r"\d", ask.words) is not None  # in numbers
    if ask.what.startswith("to x") and tempo and usual > _SLOW * _FAST_ENOUGH and not told:
        return replace(ask, what=_from_there(ask, usual))
    gradual = _little_by_little(ask)
    if gradual is not None:
        return gradual
    plainly = bool(_PLAINLY.search(ask.words)) or (ask.where in _CONTRASTS and bool(_DOWN.search(ask.words)))
    if ask.what in _SLOWER:
        share = min(_SLOW_ENOUGH, max(_SLOWEST, _SLOW / usual))
        return replace(ask, what=f"x{share:.2f}" if plainly and share < _SLOW_ENOUGH else "slower")
    if ask.what in _FASTER:
        share = max(_FAST_ENOUGH, min(_FASTEST, _FAST / usual))
        return replace(ask, what=f"x{share:.2f}" if plainly and share > _FAST_ENOUGH else "faster")
    return ask


def _from_there(ask: Ask, usual: float) -> str:
    """How much faster what is told to become so from slow on becomes, where the piece is told not to be slow."""
    share = share_of(ask.what) or 1.0
    return f"to x{max(_LEAST, share * _SLOW / usual):.2f}" if share > _LEAST else ask.what


def _little_by_little(ask: Ask) -> Ask | None:
    """A change of tempo that comes by degrees: what speeds up towards the end does so all through its second half.

    >>> _little_by_little(Ask("tempo_change", "faster", "", "end", "speed up toward the end")).text
    'tempo change: accelerando, second half'
    """
    if ask.what not in ("faster", "slower") or not _BY_DEGREES.search(ask.words):
        return None
    what = "accelerando" if ask.what == "faster" else "ritardando"
    if _CLOSING_BARS.fullmatch(ask.where):
        return replace(ask, what=what)
    return (
        replace(ask, what=what, where="second half") if what == "accelerando" and ask.where in _NEAR_THE_END else None
    )


def _in_numbers(ask: Ask, tempo: tuple[float, float] | None) -> Ask:
    """Half and double the tempo in quarters a minute, where the tempo is known."""
    factor = _TIMES[ask.what]
    if tempo is None:
        return replace(ask, what="slower" if factor < 1 else "faster")
    return replace(ask, what=f"{round(sum(tempo) / 2 * factor)}")
