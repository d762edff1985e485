"""Morph: a piece that begins like one song or genre, ends like another, and gets there step by step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from libretto.contract import GENRES, Contract
from libretto.corpus import load_cloud, load_index, overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.errors import LibrettoError
from libretto.gates import EXACT_CEILING, MOST_FINDINGS, Outcome, Verdict, case_of, gates, judge
from libretto.knowledge import Concept, Exemplar, exemplars, retrieve
from libretto.knowledge.exemplars import typical_stretch
from libretto.score import Score, take_bars
from libretto.tasks.morph.road import End, Floats, Road, lay_road, rows_of_genre, rows_of_windows, song_end, windows_of
from libretto.tasks.morph.words import about_copy, about_dip, about_end, about_fade, about_jump, about_start
from libretto.tasks.task import Task

__all__ = ["MOST_STEP", "Curve", "MorphTask", "morph_task"]

#: No two neighbouring windows may lie further apart than this, as a share of the way.
MOST_STEP = 0.40
_BY_WINDOW = ("degeneracy", "order")
_SHOWN_BARS = 8
_LEAST_BARS, _MOST_BARS, _LEAST_END = 24, 400, 8


@dataclass(frozen=True)
class Curve:
    """How a piece travels, window by window: its bars, progress (0 to 1), and how like each end it is."""

    spans: tuple[tuple[int, int], ...]
    progress: tuple[float, ...]
    like_source: tuple[float, ...]
    like_target: tuple[float, ...]

    @property
    def steps(self) -> tuple[float, ...]:
        """How far each window has come since the one before."""
        return tuple(later - earlier for earlier, later in pairwise(self.progress))

    @property
    def lines(self) -> tuple[str, ...]:
        """The curve for a terminal, one window a line."""
        rows = zip(self.spans, self.progress, self.like_source, self.like_target, strict=True)
        return tuple(
            f"bars {first:>3}-{last:<3} {value:4.2f} |{'#' * round(30 * value):<30}| like A {near:.2f}, B {far:.2f}"
            for (first, last), value, near, far in rows
        )

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data."""
        return {
            "windows": [list(span) for span in self.spans],
            "progress": [round(each, 4) for each in self.progress],
            "like_source": [round(each, 4) for each in self.like_source],
            "like_target": [round(each, 4) for each in self.like_target],
        }


@dataclass(frozen=True, eq=False)
class MorphTask(Task):
    """A morph to be made: from one song or genre to another over so many bars."""

    source: Score | str = ""
    target: Score | str = ""
    names: tuple[str, str] = ("the source", "the target")
    bars: int = 54
    _ends: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def road(self) -> Road:
        """The road from source to target, laid once."""
        if "road" not in self._ends:
            self._ends["road"] = lay_road(self._end(0), self._end(1))
        found: Road = self._ends["road"]
        return found

    def _end(self, number: int) -> End:
        given, name, cloud = (self.source, self.target)[number], self.names[number], load_cloud(self.cloud)
        if isinstance(given, str):
            return End(name, rows_of_genre(given, cloud))
        first, last = windows_of(self.bars)[0]
        return song_end(given, name, last - first + 1, cloud)

    def curve(self, score: Score) -> Curve:
        """How an answer travels, window by window."""
        spans = windows_of(score.bars)
        rows = rows_of_windows(score, spans, load_cloud(self.cloud))
        progress = np.clip(self.road.progress(rows), 0.0, 1.0)
        near, far = self.road.likeness(rows)
        numbers = tuple((score.numbers[first], score.numbers[last]) for first, last in spans)
        return Curve(numbers, *(tuple(map(float, each)) for each in (progress, near, far)))

    def judge(self, score: Score) -> Verdict:
        """What the gates say of a morph: those for all music, then how it travels and whether its middle is its own."""
        general = judge(
            score,
            None,
            cloud=self.cloud,
            length=self.length,
            original=self.original,
            cited=self.shown.cited,
            contract=self.contract,
        )
        outcomes = {name: each for name, each in general.outcomes.items() if name not in _BY_WINDOW}
        spans = windows_of(score.bars)
        if len(spans) > 1:
            rows = rows_of_windows(score, spans, load_cloud(self.cloud))
            outcomes |= self._by_window(score) | self._travel(score, rows)
            outcomes["middle"] = self._middle(score)
        findings = sorted(
            (finding for outcome in outcomes.values() for finding in outcome.findings),
            key=lambda each: (-each.weight, each.gate, each.axis, each.bars),
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

    def _by_window(self, score: Score) -> dict[str, Outcome]:
        """The gates for music in one key and manner, window by window; one may miss, as in real songs."""
        cloud, found = load_cloud(self.cloud), {}
        cases = [case_of(take_bars(score, *span), cloud, region=True) for span in self._numbers(score)]
        for name in _BY_WINDOW:
            each = [
                (outcome, span)
                for case, span in zip(cases, self._numbers(score), strict=True)
                if (outcome := gates[name](case))
            ]
            if len(each) > 1:
                outcome, span = sorted(each, key=lambda pair: pair[0].margin)[1]
                start = span[0] - score.first_bar
                findings = tuple(
                    replace(finding, bars=tuple((a + start, b + start) for a, b in finding.bars) or (span,))
                    for finding in outcome.findings
                )
                found[name] = Outcome(outcome.margin, f"{outcome.note} (bars {span[0]}-{span[1]})", findings)
        return found

    @staticmethod
    def _numbers(score: Score) -> list[tuple[int, int]]:
        return [(score.numbers[first], score.numbers[last]) for first, last in windows_of(score.bars)]

    def _travel(self, score: Score, rows: Floats) -> dict[str, Outcome]:
        road, curve = self.road, self.curve(score)
        axes, spans = load_cloud(self.cloud).axes, curve.spans
        first, last = curve.progress[0], curve.progress[-1]
        steps = curve.steps
        out = {
            "start": Outcome(
                road.start - first,
                f"the beginning reads {first:.2f} of the way; {road.start:.2f} is the most of {self.names[0]}",
                about_start(road, rows[0], axes, spans[0], self.names[0]) if first > road.start else (),
            ),
            "end": Outcome(
                last - road.end,
                f"the ending reads {last:.2f} of the way; {road.end:.2f} is the least of {self.names[1]}",
                about_end(road, rows[-1], axes, spans[-1], self.names[1]) if last < road.end else (),
            ),
        }
        way = np.diff(np.clip(curve.progress, road.start, road.end))  # beyond the limits is the end itself
        back = int(np.argmin(way))
        note = f"the largest step back is {max(0.0, -float(way[back])):.2f}; {road.dip:.2f} is nothing"
        turned = bool(way[back] < -road.dip)
        out["direction"] = Outcome(
            float(way[back]) + road.dip,
            note,
            about_dip(road, rows[back], rows[back + 1], axes, spans[back + 1]) if turned else (),
        )
        leap = max(range(len(steps)), key=lambda each: (steps[each], -each))
        out["steps"] = Outcome(
            MOST_STEP - steps[leap],
            f"the largest step is {max(0.0, steps[leap]):.2f}; {MOST_STEP:.2f} is the most",
            about_jump(road, rows[leap], rows[leap + 1], axes, spans[leap], spans[leap + 1])
            if steps[leap] > MOST_STEP
            else (),
        )
        out["crossfade"] = _crossfade(curve, self.names)
        return out

    def _middle(self, score: Score) -> Outcome:
        """The middle third is found neither in the two ends nor in any song of the corpus."""
        first, last = score.bars // 3, score.bars - score.bars // 3 - 1
        part = take_bars(score, score.numbers[first], score.numbers[last])
        songs = [
            (name, each)
            for name, each in zip(self.names, (self.source, self.target), strict=True)
            if isinstance(each, Score)
        ]
        found: list[tuple[float, float, str]] = []
        if songs:
            own = overlap(part, join_tracks([track_piece(song) for _, song in songs], [name for name, _ in songs]))
            found += [(own.score, EXACT_CEILING, own.name)] if own is not None else []
        index = load_index(self.cloud) if self.original else None
        other = overlap(part, index) if index is not None else None
        if other is not None:
            ceiling = case_of(part, load_cloud(self.cloud)).ceiling
            found.append((other.score, ceiling, other.name or "a real song"))
        if not found:
            return Outcome(1.0, "there is nothing to compare the middle with")
        most, ceiling, name = max(found, key=lambda each: each[0] / each[1])
        margin = (ceiling - most) / ceiling
        span = (score.numbers[first], score.numbers[last])
        note = f"{most:.2f} of the middle is found in {name} beyond chance; {ceiling:.2f} is too much"
        return Outcome(margin if margin > 0 else min(margin, -1e-9), note, () if margin > 0 else about_copy(name, span))

    def context_text(self) -> str:
        """The two ends in words: what they are, and of songs key, meter, speed and parts."""
        said = []
        for name, each in zip(self.names, (self.source, self.target), strict=True):
            if isinstance(each, str):
                said.append(f"the genre {name}")
                continue
            voices = ", ".join(voice.name for voice in each.voices if len(voice.array))
            speed = round(60e6 / each.tempos[0][1])
            said.append(f"{name}: {each.key}, {each.meter}, {speed} a minute, {each.bars} bars; parts: {voices[:400]}")
        return f"The source is {said[0]}.\n\nThe target is {said[1]}."

    def exhibits(self) -> list[Concept | Exemplar]:
        """A typical passage of a song, or the idioms of a genre, from both ends."""
        found: list[Concept | Exemplar] = []
        for name, each in zip(self.names, (self.source, self.target), strict=True):
            if isinstance(each, str):
                ideas = retrieve(genre=each, base="composing", limit=3)
                found += [*ideas, *exemplars(each, limit=1, skip=[idea.title for idea in ideas])]
            else:
                first = typical_stretch(each, _SHOWN_BARS)
                span = each.numbers[first], each.numbers[min(first + _SHOWN_BARS, each.bars) - 1]
                found.append(Exemplar(name, name, span, take_bars(each, *span)))
        return found

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data; songs by their digests."""
        given = {
            side: each.digest if isinstance(each, Score) else each
            for side, each in (("source", self.source), ("target", self.target))
        }
        return super().asked() | given | {"names": list(self.names), "bars": self.bars}


def _crossfade(curve: Curve, names: tuple[str, str]) -> Outcome:
    """Likeness to the source falls while likeness to the target rises, from the first third to the last."""
    part = max(1, len(curve.spans) // 3)
    near = [float(np.mean(curve.like_source[:part])), float(np.mean(curve.like_source[-part:]))]
    far = [float(np.mean(curve.like_target[:part])), float(np.mean(curve.like_target[-part:]))]
    margin = min(near[0] - near[1], far[1] - far[0], near[0] - far[0], far[1] - near[1])
    note = f"like the source {near[0]:.2f} to {near[1]:.2f}, like the target {far[0]:.2f} to {far[1]:.2f}"
    return Outcome(margin, note, about_fade(curve.spans, names) if margin < 0 else ())


def _check_end(song: Score, name: str) -> None:
    """Refuse a song that cannot be an end of a morph: too short, silent, or percussion alone."""
    if not len(song.table):
        raise LibrettoError(f"{name} has no notes and cannot be an end of a morph")
    if song.bars < _LEAST_END:
        raise LibrettoError(f"{name} has {song.bars} bars; an end of a morph needs {_LEAST_END}")
    if all(voice.drums or not len(voice.array) for voice in song.voices):
        raise LibrettoError(f"{name} is percussion alone; a morph needs chords or a tune at both ends")


def morph_task(
    source: Score | str,
    target: Score | str,
    bars: int = 54,
    *,
    names: tuple[str, str] | None = None,
    cloud: str = "default",
    original: bool = True,
) -> MorphTask:
    """The task of going from one song or genre to another in so many bars."""
    if not _LEAST_BARS <= bars <= _MOST_BARS:
        raise LibrettoError(f"bars: a morph has from {_LEAST_BARS} to {_MOST_BARS} bars, not {bars}")
    called = []
    for number, each in enumerate((source, target)):
        if isinstance(each, str) and each not in GENRES:
            raise LibrettoError(f"there is no genre {each!r}; there are {', '.join(GENRES)}")
        word = each.replace("_", " ") if isinstance(each, str) else each.title or ("the source", "the target")[number]
        called.append(names[number] if names else word)
        if isinstance(each, Score):
            _check_end(each, called[-1])
    if isinstance(source, str) and source == target:
        raise LibrettoError("source and target are the same genre; choose another target")
    pair = (called[0], called[1])
    return MorphTask(
        "morph",
        f"From {pair[0]} to {pair[1]} in {bars} bars",
        Contract(title=f"From {pair[0]} to {pair[1]}"[:120], bars=bars),
        cloud=cloud,
        length=(bars, bars),
        original=original,
        source=source,
        target=target,
        names=pair,
        bars=bars,
    )
