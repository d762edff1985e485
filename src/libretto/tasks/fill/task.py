"""Fill: some bars of a song, or of some of its voices, are missing; write them so that they belong.

Extend: a song goes on, begins earlier, or is opened in the middle, for so many bars. The song with empty bars in it is
a gap to fill and is judged as one, against the song's own windows.

The task holds the song without them. Nothing that was there is kept: only ``grade_fill`` compares, afterwards, with the
song itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from libretto.contract import Contract, Receipt
from libretto.contract.checks.check import Check
from libretto.errors import LibrettoError
from libretto.gates import Finding, Outcome, Verdict
from libretto.gates.case import check_genre
from libretto.knowledge import Concept, Exemplar
from libretto.notation.grids import on_grid, restored
from libretto.score import Score, outside_digest, take_bars
from libretto.tasks.fill.blind import anonymous, part_names
from libretto.tasks.fill.ending import ending_of
from libretto.tasks.fill.gap import LEAST_BARS, MOST_BARS, bars_of, emptied, named_voices, opened, put_into, span_of
from libretto.tasks.fill.gates import context_gate, fit_gate, originality_gate, own_songs, seams_gate, sounding_gate
from libretto.tasks.fill.likeness import KINDS, Surroundings, load_yardstick, surroundings
from libretto.tasks.fill.material import only
from libretto.tasks.fill.published import paper_outcomes
from libretto.tasks.fill.song_page import cited_gate, ideas_for, song_in_words, stretch_text
from libretto.tasks.kinds import read_song, task_kind, whole_number
from libretto.tasks.task import WEIGHTS, AnswerShape, Task, rank_findings

__all__ = ["FillTask", "extend_task", "fill_task"]

_AROUND = 8  # bars on each side that a composer reads
_MORE = 8  # bars by which a song is extended where nobody says by how many


@dataclass(frozen=True, eq=False)
class FillTask(Task):
    """A song with a gap: ``context`` is the song without it, ``first`` and ``last`` are its bars by number.

    ``blind`` says that the song was made anonymous (``libretto.tasks.fill.blind``). ``other`` is how many other takes
    there are already, which this one should not be like.
    """

    context: Score = field(default_factory=lambda: Score.build([]), repr=False)
    first: int = 1
    last: int = 1
    voices: tuple[str, ...] = ()
    blind: bool = False
    other: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """The bars of the gap as indices."""
        return self.first - self.context.first_bar, self.last - self.context.first_bar

    @property
    def whole(self) -> bool:
        """Whether every voice is emptied."""
        return len(self.voices) == len(self.context.voices)

    @cached_property
    def digest(self) -> str:
        """The fingerprint of everything outside the gap."""
        return self.outside(self.context)

    def outside(self, score: Score) -> str:
        """The fingerprint of everything outside the gap in some version of the song."""
        return outside_digest(score, self.voices, self.first, self.last, chords=True)

    @cached_property
    def around(self) -> Surroundings:
        """The song's other windows."""
        return surroundings(self.context, self.voices, *self.span, cloud=self.cloud, genre=self.genre)

    @cached_property
    def itself(self) -> tuple[int, ...]:
        """The songs of the index that are this song."""
        return own_songs(self.context, self.cloud) if self.original else ()

    def same_outside(self, score: Score) -> bool:
        """Whether an answer has the song's bars and voices, and everything outside the gap is as it was."""
        names = [voice.name for voice in self.context.voices]
        alike = score.numbers == self.context.numbers and [voice.name for voice in score.voices] == names
        return alike and self.outside(score) == self.digest

    def completed(self, answer: Score) -> tuple[Score, str]:
        """The whole song of an answer that is either the whole song or the bars of the gap alone.

        What it has from the page stands in the song as it was played, and not as the page writes it down.
        """
        if answer.bars == self.last - self.first + 1:
            answer = put_into(self.context, answer, self.voices, self.first, self.last)
            words = f"bars {self.first}-{self.last} alone were handed in and put into the song"
        else:
            words = "the whole song was handed in"
        first, last = self.span
        gap = self.context.bar_lines[first], self.context.bar_lines[last + 1]
        return restored(self.context, answer, self.grid, gap), words

    def given(self) -> tuple[Score, dict[str, str]] | None:
        """The song without what is hidden; nothing where it is extended, for then nothing is hidden."""
        return (self.context, {"blind": "no"} if self.blind else {}) if self.kind == "fill" else None

    def shape(self) -> AnswerShape:
        """The gap, in the voices that are asked for; chord labels too where every voice is."""
        drums = sum(voice.drums for voice in self.context.voices if voice.name in self.voices)
        return AnswerShape(
            self.first, self.last, self.voices, self.context, labels=self.whole,
            pitched=len(self.voices) - drums, drums=bool(drums), at_once=True,
        )  # fmt: skip

    def context_text(self) -> str:
        """The song in words, the bars around the gap as they are written, and the gap with what still plays in it."""
        page = on_grid(self.context, self.grid)
        around = [
            ("Before it", stretch_text(page, self.first - _AROUND, self.first - 1)),
            ("The gap, to be filled", stretch_text(page, self.first, self.last)),
            ("After it", stretch_text(page, self.last + 1, self.last + _AROUND)),
        ]
        parts = [f"### {title}\n\n{text}" for title, text in around if text]
        asked = f"Write bars {self.first}-{self.last}"
        asked += " of every voice." if self.whole else f" of {', '.join(self.voices)}; the other voices stay."
        return "\n\n".join([asked, song_in_words(self.context), *parts])

    def exhibits(self) -> list[Concept | Exemplar]:
        """Ideas for where the gap lies: an opening, an ending, or a passage that leads on; and an excerpt."""
        first, last = self.span
        place = "opening introduction" if first == 0 else "transition phrase development"
        if last == self.context.bars - 1:
            place = "ending cadence"
        return ideas_for(place, self.context, self.genre)

    def judge(self, score: Score) -> Verdict:
        """What the gates say of a whole song with the gap filled."""
        outcomes: dict[str, Outcome] = {"length": _length(self, score)}
        if outcomes["length"].passed:
            outcomes["outside"] = _outside(self, score)
        if all(outcome.passed for outcome in outcomes.values()):
            outcomes |= self._music(score)
        keep = f"Do not touch anything outside bars {self.first}-{self.last}"
        keep += "." if self.whole else f" of {', '.join(self.voices)}."
        kind = f"region of {self.last - self.first + 1} bars"
        return Verdict(self.cloud, self.genre, kind, outcomes, rank_findings(outcomes), {}, keep)

    def _music(self, score: Score) -> dict[str, Outcome]:
        if self.gates != "ours":
            return paper_outcomes(score, self.context, self.voices, self.span, self.shown, self.gates)
        yard, kind = load_yardstick(), KINDS.index("all" if self.whole else "some")
        outcomes: dict[str, Outcome | None] = {
            "sounding": sounding_gate(score, self.context, self.voices, self.span),
            "fit": fit_gate(score, self.around, yard, kind),
            "context": context_gate(score, self.around, yard, kind),
            "seams": seams_gate(score, self.around, yard, kind),
        }
        if self.original:
            outcomes["originality"] = originality_gate(score, self.around, yard, kind, self.cloud, self.itself)
        if self.shown.keys:
            part = only(take_bars(score, self.first, self.last), self.voices)
            outcomes["citation"] = cited_gate(part, self.shown, self.first)
        return {name: outcome for name, outcome in outcomes.items() if outcome is not None}

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        place = {"first": self.first, "last": self.last, "voices": list(self.voices), "outside": self.digest}
        return {**super().asked(), **place}

    def receipt(self, score: Score) -> Receipt:
        """What must hold of any answer: length, and everything else as it was, with the proof."""
        same = self.same_outside(score)
        written = f"{_bars(range(self.first, self.last + 1))} written"
        checks = (
            Check("bars", score.numbers == self.context.numbers, f"{score.bars} bars, {self.context.bars} asked"),
            Check("outside", same, f"{written}, else {'identical' if same else 'changed'}, sha256 {self.digest[:16]}"),
        )
        return Receipt(score.title, checks)


def _length(task: FillTask, score: Score) -> Outcome:
    if score.bars == task.context.bars:
        return Outcome(1.0, f"{score.bars} bars")
    heard = f"The piece has {score.bars} bars, the song has {task.context.bars}"
    advice = f"hand in the whole song with bars {task.first}-{task.last} filled"
    return Outcome(-1.0, heard, (Finding("length", heard, advice, WEIGHTS["length"]),))


def _outside(task: FillTask, score: Score) -> Outcome:
    if task.same_outside(score):
        return Outcome(1.0, f"everything outside is identical, sha256 {task.digest[:16]}")
    heard = "Something outside the gap was changed"
    advice = f"change nothing but bars {task.first}-{task.last} of {', '.join(task.voices)}"
    return Outcome(-1.0, heard, (Finding("outside", heard, advice, WEIGHTS["outside"]),))


def fill_task(
    song: Score,
    first: int,
    last: int,
    voices: Sequence[str] | str | None = None,
    genre: str | None = None,
    *,
    original: bool = True,
    blind: bool = False,
) -> FillTask:
    """The task of writing those bars (by number, both ends included) of those voices anew; all where none are named.

    A ``blind`` one shows nothing that tells which song it is: its parts have no names, and what is written is put into
    the song itself by ``libretto.tasks.fill.blind.named_back``.
    """
    if blind:
        own = part_names(song, first, last, voices)
        wanted = named_voices(song, voices)
        song = anonymous(song, first, last, voices)
        voices = [part for part, name in own.items() if name in wanted]
        if not voices:
            raise LibrettoError("none of these voices plays outside the gap, so there is nothing to go by")
    span = span_of(song, first, last)
    names = named_voices(song, voices)
    if not any(len(voice.array) for voice in song.voices):
        raise LibrettoError("the song has no notes")
    check_genre("default", genre)
    context = emptied(song, names, span)
    if not len(context.table):
        raise LibrettoError("there is no music outside the gap to go by")
    words = (f"Fill bars {first}-{last}" if first < last else f"Fill bar {first}") + (
        "" if len(names) == len(song.voices) else f" of {', '.join(names)}"
    )
    if not any(len(voice.array) for voice in context.voices if voice.name in names):
        raise LibrettoError(f"{', '.join(names)} play nowhere else in the song; use accompany to write a new part")
    return _checked(
        FillTask(
            "fill", words, Contract(), genre or "", original=original,
            context=context, first=first, last=last, voices=names, blind=blind,
        )
    )  # fmt: skip


def extend_task(
    song: Score, bars: int = _MORE, at: str | int = "end", genre: str | None = None, *, original: bool = True
) -> FillTask:
    """The task of continuing a song (``end``), of leading into it (``start``), or of inserting bars before one.

    A song that is continued keeps its ending for the end: the new bars come before it.
    """
    if not 1 <= bars <= MOST_BARS:
        raise LibrettoError(f"{bars} bars cannot be added; from 1 to {MOST_BARS} can")
    if song.bars < LEAST_BARS:
        raise LibrettoError(f"a song of {song.bars} bars is too short to go by; {LEAST_BARS} are needed")
    if not len(song.table):
        raise LibrettoError("the song has no notes")
    check_genre("default", genre)
    ending = ending_of(song) if at == "end" else None
    context, first = opened(song, bars, at if ending is None else song.numbers[ending])
    words = {"end": "Continue the song", "start": "Lead into the song"}.get(str(at), f"Insert before bar {at}")
    words += f", {bars} bars" + (", after its upbeat" if at == "start" and context.first_bar == 0 else "")
    if ending is not None:
        old, new = song.numbers[ending:], context.numbers[ending + bars :]
        words += f": its ending, {_bars(old)}, is taken off and stands after them as {_bars(new)}"
    names = tuple(voice.name for voice in song.voices)
    return _checked(
        FillTask(
            "extend", words, Contract(), genre or "", original=original,
            context=context, first=first, last=first + bars - 1, voices=names,
        )
    )  # fmt: skip


def _bars(numbers: range) -> str:
    return f"bar {numbers[0]}" if len(numbers) == 1 else f"bars {numbers[0]}-{numbers[-1]}"


def _checked(task: FillTask) -> FillTask:
    """The same task; a song with too little music around the gap is refused now, not when an answer is judged."""
    surroundings(task.context, task.voices, *task.span, cloud=task.cloud, genre=task.genre)
    return task


@task_kind("fill", "bars", "voices", "genre", "blind")
def _fill_from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    if not options.get("bars"):
        raise LibrettoError("say which bars to fill: bars, such as 33-40")
    names = options["voices"].split(",") if options.get("voices") else None
    blind = options.get("blind", "no") == "yes"
    song, bars = read_song("fill", arguments), bars_of(options["bars"])
    return fill_task(song, *bars, names, options.get("genre"), blind=blind)


@task_kind("extend", "bars", "at", "genre")
def _extend_from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    bars, at = whole_number(options, "bars", _MORE), options.get("at", "end")
    return extend_task(read_song("extend", arguments), bars, at, options.get("genre"))
