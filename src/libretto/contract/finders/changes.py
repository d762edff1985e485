"""Chords that a part of a piece has of its own: ``Am G F E, and F C Dm A in the chorus``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Place, Scene, finders
from libretto.contract.places import find_places
from libretto.contract.progression import Progression, find_progressions
from libretto.score.keys import Key

__all__ = ["changes_of_sections", "chords_by_bar"]

_AFTER = re.compile(r",?\s(?:(?:is |are )?(?:used |played |heard )?"
                    r"(?:for|in|on|during|under|as|at|through|over|towards?|near|to)\s)?"
                    r"(?:the\s|every\s|each\s|all\s|both\s|a\s|its\s)?(?:[a-z]+\s)?\Z")  # fmt: skip
_FOR = re.compile(r",?\s(?:is |are )?(?:used |played |heard )?(?:for|in|on|during|under|through|towards?|near)\s")
_NEXT = re.compile(
    r"\bthe\s(?P<nth>second|other|next|latter)(?:\s(?:one|half|part|section|strain|theme|tune|eight|period))?\b"
    r"[^.;!?]{0,40}\Z|"
    r",\s(?:and\s)?(?P<then>then)\s(?:in)?(?:to\s)?an?\s[^.;!?]{0,40}\Z"
)
_STRAIN = re.compile(r"\b(?:strain|a part|a section|part a|section a)\b")
_ON = re.compile(r"s?\s?(?::|\b(?:on|over|goes|moves|uses|using|is|has)\b)")
_AND = re.compile(r"\s?(?:and|,)\s(?:the\s)?")
_STOP = re.compile(r"[.;!?]")
_OPENS = ("verse", "first half", "A", "start", "head", "theme", "exposition")  # where a piece has the chords of it all
_TWO_A_BAR = re.compile(
    r"\b(?:two|2) (?:chords )?(?:per|a|to a|to the|in each|each|every|to each) (?:bar|measure)\b|"
    r"\b(?:chang\w+|mov\w+|switch\w*) (?:chords? )?(?:every|on each|each|by the) "
    r"(?:half[- ](?:bar|measure|note)|(?:two|2) beats|second beat)\b|"
    r"\b(?:twice|two times) (?:a|per|every|each) (?:bar|measure)\b|\bhalf[- ]bar chords\b|"
    r"\b(?:two|2) beats (?:each|per chord|for each chord|apiece)\b|"
    r"\b(?:chords|harmon(?:y|ies)) (?:chang\w*|mov\w*|shift\w*) in half[- ]notes\b|\bhalf[- ]note chords\b"
)
_AROUND = 60  # characters before a progression, and after it, that may say where it stands
_FEWEST = 2  # progressions of which one is for a part


@finders.register("changes of sections")
def changes_of_sections(scene: Scene) -> Iterator[Finding]:
    """Progressions after the main one that have a place; the main one is that of a verse, else the first."""
    runs = find_progressions(scene.text)
    if len(runs) < _FEWEST:
        return
    places = [_place(scene, runs, number) for number in range(len(runs))]
    places = _respectively(scene, places)
    main = next((at for at, place in enumerate(places) if place is None or place.text in _OPENS), 0)
    for at, (run, place) in enumerate(zip(runs, places, strict=True)):
        if at == main or place is None:
            continue
        chords = run.in_key(scene.key or Key(0))
        place = place._replace(text=f"last {len(chords)} bars") if place.text == "end" else place
        labels = " ".join(chords)
        start, end = min(run.start, place.start), max(run.end, place.end)
        if any(start <= other.start < end for other in runs if other is not run):
            start, end = run.start, run.end
        ask = Ask("chords", labels, "", place.text, scene.text[start:end].strip()[:200])
        yield scene.finding("chords", f"{labels} at {place.text}", start, end, ask)


@finders.register("chords by bar")
def chords_by_bar(scene: Scene) -> Iterator[Finding]:
    """The chords of a piece bar by bar, where some have several: told by bar lines, or as so many a bar."""
    runs = find_progressions(scene.text)
    main = next((run for run in runs if run.labels), runs[0] if runs else None)
    told = _TWO_A_BAR.search(scene.low)
    if main is None:
        return
    labels = main.in_key(scene.key or Key(0))
    bars = _by_lines(scene.text[main.start : main.end], labels) if main.labels else ()
    if told and not bars and len(labels) % _FEWEST == 0:
        bars = tuple(" ".join(labels[at : at + _FEWEST]) for at in range(0, len(labels), _FEWEST))
    if bars:
        start, end = told.span() if told else (main.start, main.end)
        ask = Ask("chords", " | ".join(bars), words=scene.text[start:end].strip()[:200])
        yield scene.finding("bars of chords", ask.what, start, end, ask)


def _by_lines(words: str, labels: Sequence[str]) -> tuple[str, ...]:
    """The chords between bar lines; none where every bar has one, or words do not say all of them."""
    bars = [bar.split() for bar in re.sub(r"[-–—,]", " ", words).split("|")]
    whole = [label for bar in bars for label in bar] == list(labels)
    return tuple(" ".join(bar) for bar in bars if bar) if whole and 1 < max(map(len, bars)) < len(labels) else ()


def _behind(scene: Scene, told: Sequence[Place], run: Progression, last: int) -> Place | None:
    """The place that is said right after a progression."""
    behind = [one for one in told if run.end <= one.start < min(last, run.end + _AROUND)]
    there = behind and _FOR.match(scene.low, run.end) and _AFTER.fullmatch(scene.low[run.end : behind[0].start])
    return behind[0] if there else None


def _place(scene: Scene, runs: Sequence[Progression], number: int) -> Place | None:
    """Where a progression stands: the place said right after it, else the last one said before it in its sentence."""
    run, told = runs[number], _told(scene)
    first = runs[number - 1].end if number else 0
    last = runs[number + 1].start if number + 1 < len(runs) else len(scene.low)
    behind = _behind(scene, told, run, last)
    if behind is not None:
        return behind
    ahead = [one for one in told if first <= one.start and one.end <= run.start]
    ahead = [one for one in ahead if not _taken(scene, one, runs[number - 1] if number else None)]
    if ahead and run.start - ahead[-1].end < _AROUND and not _STOP.search(scene.low, ahead[-1].end, run.start):
        return ahead[-1]
    return _counterpart(scene, run, first)


def _respectively(scene: Scene, places: list[Place | None]) -> list[Place | None]:
    """The places of two progressions that are told before both: ``verse and chorus on G-D-Em-C and C-G-D-G``."""
    last = places[0]
    if last is None or any(places[1:]) or len(places) != _FEWEST:
        return places
    first = next((one for one in _told(scene) if _AND.fullmatch(scene.low[one.end : last.start])), None)
    return [first, last] if first else places


def _told(scene: Scene) -> list[Place]:
    """The places of a text, with those that only chords after them make places: ``trio on Bb F7``."""
    shy = [Place(one.value, "", one.start, one.end) for one in find_places(scene.text) if _ON.match(scene.low, one.end)]
    fresh = [one for one in shy if not any(two.start < one.end and one.start < two.end for two in scene.places)]
    return sorted((*scene.places, *fresh), key=lambda place: place.start)


def _taken(scene: Scene, place: Place, before: Progression | None) -> bool:
    """Whether a place belongs to the progression that it follows."""
    return before is not None and bool(
        _FOR.match(scene.low, before.end) and _AFTER.fullmatch(scene.low[before.end : place.start])
    )


def _counterpart(scene: Scene, run: Progression, first: int) -> Place | None:
    """The second part, where only that is said: ``the first part goes D G A D, the second Bm G D A``."""
    match = _NEXT.search(scene.low, first, run.start)
    if match is None:
        return None
    where = "B" if _STRAIN.search(scene.low, 0, run.start) else "second half"
    return Place(where, "", match.start(), match.end("nth" if match["nth"] else "then"))
