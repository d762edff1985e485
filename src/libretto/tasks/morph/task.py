"""Morph: a piece that begins like one song or genre, ends like another, and gets there step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from libretto.axes import axes
from libretto.contract import GENRES, Contract
from libretto.corpus import load_cloud, load_index
from libretto.errors import LibrettoError, UnknownGenre
from libretto.gates import MOST_FINDINGS, Outcome, Verdict, judge
from libretto.knowledge import Concept, Exemplar, exemplars, retrieve
from libretto.knowledge.exemplars import typical_stretch
from libretto.score import Score, take_bars
from libretto.score.table import Floats
from libretto.tasks.kinds import song_or_genre, task_kind, whole_number
from libretto.tasks.morph.gates import BY_WINDOW, middle_gate, travel_gates, window_gates
from libretto.tasks.morph.genre_roads import genre_road, load_genres, trust_in_words
from libretto.tasks.morph.road import Curve, End, Road, lay_road, rows_of_genre, rows_of_windows, song_end, windows_of
from libretto.tasks.task import Task

__all__ = ["COMPONENTS", "MorphTask", "morph_task"]

#: What may travel alone: families of axes that a passage of a few bars tells.
COMPONENTS = ("rhythm", "harmony", "melody", "texture", "form")

_SHOWN_BARS = 8  # of each end that is a song
_MOST_NAMES = 400  # characters of the names of a song's parts
_LEAST_BARS, _MOST_BARS, _LEAST_END = 24, 400, 8  # of a morph, and of a song at one of its ends
_USUAL_BARS = 54


@dataclass(frozen=True, eq=False)
class MorphTask(Task):
    """A morph to be made: from one song or genre to another over so many bars.

    Where a ``component`` is named (a family of axes, such as harmony), only that travels: the road is laid and the
    progress measured on its axes alone, whatever the others do.
    """

    source: Score | str = ""
    target: Score | str = ""
    names: tuple[str, str] = ("the source", "the target")
    bars: int = _USUAL_BARS
    component: str = ""
    _ends: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def road(self) -> Road:
        """The road from source to target, laid once."""
        if "road" not in self._ends:
            self._ends["road"] = self._laid()
        road: Road = self._ends["road"]
        return road

    @property
    def trust(self) -> str:
        """How far a road between genres can be trusted, in a sentence; empty where an end is a song."""
        genres = self._genres
        return trust_in_words(*genres, load_cloud(self.cloud)) if genres else ""

    @property
    def _genres(self) -> tuple[str, str] | None:
        """The genres at both ends, where both are genres and all of them travels."""
        source, target = self.source, self.target
        both = not self.component and isinstance(source, str) and isinstance(target, str)
        return (str(source), str(target)) if both else None

    def _laid(self) -> Road:
        """The road: between genres by windows of real songs where these tell them apart, else by what the ends are."""
        genres = self._genres
        if genres and load_genres().knows(*genres, load_cloud(self.cloud)):
            return genre_road(*genres, self.names)
        return lay_road(self._end(0), self._end(1))

    def _end(self, number: int) -> End:
        given, name, cloud = (self.source, self.target)[number], self.names[number], load_cloud(self.cloud)
        if isinstance(given, str):
            return End(name, self._heard(rows_of_genre(given, cloud)))
        first, last = windows_of(self.bars)[0]
        end = song_end(given, name, last - first + 1, cloud)
        return replace(end, rows=self._heard(end.rows))

    def _heard(self, rows: Floats) -> Floats:
        """Rows of normal scores with every axis in the middle that does not travel."""
        if not self.component:
            return rows
        mine = [axes[name].family == self.component for name in load_cloud(self.cloud).axes]
        return np.where(mine, rows, 0.0)

    def curve(self, score: Score) -> Curve:
        """How an answer travels, window by window."""
        return self._curve(score, rows_of_windows(score, windows_of(score.bars), load_cloud(self.cloud)))

    def _curve(self, score: Score, every: Floats) -> Curve:
        rows = self._heard(every)
        progress = np.clip(self.road.progress(rows), 0.0, 1.0)
        near, far = self.road.likeness(rows)
        return Curve(_spans_of(score), *(tuple(map(float, values)) for values in (progress, near, far)))

    def judge(self, score: Score) -> Verdict:
        """What the gates say of a morph: those for all music, then how it travels and whether its middle is its own."""
        general = judge(
            score,
            None,
            cloud=self.cloud,
            length=self.length,
            original=self.original,
            cited=[
                shown for shown in self.shown.cited if shown[0] not in self.names
            ],  # the ends are given, not examples
            contract=self.contract,
        )
        outcomes = {name: outcome for name, outcome in general.outcomes.items() if name not in BY_WINDOW}
        if len(windows_of(score.bars)) > 1:
            outcomes |= self._travelling(score)
        findings = sorted(
            (finding for outcome in outcomes.values() for finding in outcome.findings),
            key=lambda finding: (-finding.weight, finding.gate, finding.axis, finding.bars),
        )
        return Verdict(
            general.cloud,
            "",
            f"morph of {score.bars} bars",
            outcomes,
            tuple(findings[:MOST_FINDINGS]),
            general.genres,
            general.keep,
        )

    def _travelling(self, score: Score) -> dict[str, Outcome]:
        """What can be said of a piece that has several windows."""
        cloud = load_cloud(self.cloud)
        rows = self._heard(rows_of_windows(score, windows_of(score.bars), cloud))
        songs = [(name, end) for name, end in self._named_ends() if isinstance(end, Score)]
        return {
            **window_gates(score, _spans_of(score), cloud),
            **travel_gates(self.road, self._curve(score, rows), rows, cloud.axes, self.names),
            "middle": middle_gate(score, songs, load_index(self.cloud) if self.original else None, cloud),
        }

    def _named_ends(self) -> list[tuple[str, Score | str]]:
        """Source and target, each with what it is called."""
        return list(zip(self.names, (self.source, self.target), strict=True))

    def context_text(self) -> str:
        """The two ends in words: what they are, and of songs key, meter, speed and parts."""
        said = []
        for name, end in self._named_ends():
            if isinstance(end, str):
                said.append(f"the genre {name}")
                continue
            voices = ", ".join(voice.name for voice in end.voices if len(voice.array))[:_MOST_NAMES]
            said.append(f"{name}: {end.key}, {end.meter}, {round(end.bpm)} a minute, {end.bars} bars; parts: {voices}")
        only = f"\n\nWhat travels is the {self.component}; all else may stay as it is." if self.component else ""
        return f"The source is {said[0]}.\n\nThe target is {said[1]}.{only}"

    def exhibits(self) -> list[Concept | Exemplar]:
        """A typical passage of a song, or the idioms of a genre, from both ends."""
        shown: list[Concept | Exemplar] = []
        for name, end in self._named_ends():
            if isinstance(end, str):
                ideas = retrieve(genre=end, base="composing", limit=3)
                shown += [*ideas, *exemplars(end, limit=1, skip=[idea.title for idea in ideas])]
            else:
                first = typical_stretch(end, _SHOWN_BARS)
                span = end.numbers[first], end.numbers[min(first + _SHOWN_BARS, end.bars) - 1]
                shown.append(Exemplar(name, name, span, take_bars(end, *span)))
        return shown

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data; songs by their digests."""
        ends = {
            side: end.digest if isinstance(end, Score) else end
            for side, end in (("source", self.source), ("target", self.target))
        }
        only = {"component": self.component} if self.component else {}
        return super().asked() | ends | {"names": list(self.names), "bars": self.bars} | only


def _spans_of(score: Score) -> tuple[tuple[int, int], ...]:
    """The windows of a piece, first and last bar by number."""
    return tuple((score.numbers[first], score.numbers[last]) for first, last in windows_of(score.bars))


def _name_of(end: Score | str, fallback: str) -> str:
    return end.replace("_", " ") if isinstance(end, str) else end.title or fallback


def _check_end(song: Score | str, name: str) -> None:
    """Refuse a genre that there is not, and a song that cannot be an end: too short, silent, or percussion alone."""
    if isinstance(song, str):
        if song not in GENRES:
            raise UnknownGenre(song, GENRES)
        return
    if not len(song.table):
        raise LibrettoError(f"{name} has no notes and cannot be an end of a morph")
    if song.bars < _LEAST_END:
        raise LibrettoError(f"{name} has {song.bars} bars; an end of a morph needs {_LEAST_END}")
    if all(voice.drums or not len(voice.array) for voice in song.voices):
        raise LibrettoError(f"{name} is percussion alone; a morph needs chords or a tune at both ends")


def morph_task(
    source: Score | str,
    target: Score | str,
    bars: int = _USUAL_BARS,
    *,
    names: tuple[str, str] | None = None,
    cloud: str = "default",
    original: bool = True,
    component: str = "",
) -> MorphTask:
    """The task of going from one song or genre to another in so many bars; of one component alone where it is named."""
    if component and component not in COMPONENTS:
        raise LibrettoError(f"there is no component {component[:40]!r}; there are {', '.join(COMPONENTS)}")
    if not _LEAST_BARS <= bars <= _MOST_BARS:
        raise LibrettoError(f"bars: a morph has from {_LEAST_BARS} to {_MOST_BARS} bars, not {bars}")
    called = names or (_name_of(source, "the source"), _name_of(target, "the target"))
    for end, name in zip((source, target), called, strict=True):
        _check_end(end, name)
    if isinstance(source, str) and source == target:
        raise LibrettoError("source and target are the same genre; choose another target")
    return MorphTask(
        "morph",
        f"From {called[0]} to {called[1]} in {bars} bars{f', {component} alone' if component else ''}",
        Contract(title=f"From {called[0]} to {called[1]}"[:120], bars=bars),
        cloud=cloud,
        length=(bars, bars),
        original=original,
        source=source,
        target=target,
        names=called,
        bars=bars,
        component=component,
    )


@task_kind("morph", "bars", "component")
def _from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    if len(arguments) != 2:
        raise LibrettoError("a morph takes two songs or genres: the source and the target")
    (source, one), (target, two) = map(song_or_genre, arguments)
    bars, component = whole_number(options, "bars", _USUAL_BARS), options.get("component", "")
    return morph_task(source, target, bars, names=(one, two), component=component)
