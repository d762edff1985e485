"""Accompany: one part of a song is missing, or one more is wanted; write it from the rest.

Where the voice is there it is taken out and nobody sees it again before the final grade. A part passes that is what its
role asks for, stays with the notes of the song, and is no doubling of another part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from libretto.contract import Contract, Receipt
from libretto.contract.checks.check import Check
from libretto.errors import LibrettoError
from libretto.gates import Finding, Outcome, Verdict
from libretto.gates.case import check_genre
from libretto.knowledge import Concept, Exemplar
from libretto.notation.grids import on_grid, restored
from libretto.score import Score, Voice, hear_chords, outside_digest
from libretto.score.edit import regrid
from libretto.score.table import Floats
from libretto.tasks.fill.gap import LEAST_BARS, put_into
from libretto.tasks.fill.material import only
from libretto.tasks.fill.newcomers import newcomer
from libretto.tasks.fill.roles import (
    ASPECTS,
    ROLES,
    Rest,
    RoleGauge,
    aspects,
    doubling,
    load_role_gauges,
    role_of,
)
from libretto.tasks.fill.song_page import cited_gate, ideas_for, song_in_words, stretch_text
from libretto.tasks.kinds import read_song, task_kind, whole_number
from libretto.tasks.task import WEIGHTS, AnswerShape, Task, rank_findings

__all__ = ["AccompanyTask", "accompany_task", "part_gates"]

_SHOWN = 64  # bars that a composer reads on the page
_LAST_PROGRAM = 127  # of General MIDI


@dataclass(frozen=True, eq=False)
class AccompanyTask(Task):
    """A song in which one voice is silent: ``context`` has it, without a note; ``role`` is what it should be."""

    context: Score = field(default_factory=lambda: Score.build([]), repr=False)
    voice: str = ""
    role: str = "keys"

    def outside(self, score: Score) -> str:
        """The fingerprint of everything but the voice."""
        numbers = self.context.numbers
        return outside_digest(score, (self.voice,), numbers[0], numbers[-1], chords=True)

    @cached_property
    def digest(self) -> str:
        """The fingerprint of everything but the voice, as it was given."""
        return self.outside(self.context)

    @cached_property
    def rest(self) -> Rest:
        """The other voices, read."""
        voices = tuple(voice for voice in self.context.voices if voice.name != self.voice)
        return Rest.of(replace(self.context, voices=voices))

    def same_outside(self, score: Score) -> bool:
        """Whether an answer has the song's bars and voices, and all other voices are as they were."""
        names = [voice.name for voice in self.context.voices]
        alike = score.numbers == self.context.numbers and [voice.name for voice in score.voices] == names
        return alike and self.outside(score) == self.digest

    def completed(self, answer: Score) -> tuple[Score, str]:
        """The whole song of an answer that is either the whole song or the voice alone."""
        playing = [voice.name for voice in answer.voices if len(voice.array)]
        if playing == [self.voice] and answer.bars == self.context.bars:
            numbers = self.context.numbers
            alone = replace(answer, voices=(answer.voice(self.voice),), first_bar=self.context.first_bar)
            made = put_into(self.context, alone, (self.voice,), numbers[0], numbers[-1])
            return replace(made, chords=self.context.chords), f"{self.voice} alone was handed in and put into the song"
        return restored(self.context, answer, self.grid), "the whole song was handed in"

    def given(self) -> tuple[Score, dict[str, str]] | None:
        """The song without the voice."""
        return self.context, {"role": self.role, "program": str(self.context.voice(self.voice).program or 0)}

    def shape(self) -> AnswerShape:
        """The voice alone, from the first bar of the song to the last."""
        numbers, drums = self.context.numbers, self.context.voice(self.voice).drums
        return AnswerShape(
            numbers[0], numbers[-1], (self.voice,), self.context, labels=False,
            pitched=0 if drums else 1, drums=drums, at_once=True,
        )  # fmt: skip

    def context_text(self) -> str:
        """The song in words, and as it is written without the voice."""
        numbers = self.context.numbers
        asked = f"Write {self.voice}, a {self.role} part, for bars {numbers[0]}-{numbers[-1]}."
        text = stretch_text(on_grid(self.context, self.grid), numbers[0], min(numbers[-1], numbers[0] + _SHOWN - 1))
        more = "" if len(numbers) <= _SHOWN else f"\n\nThe song goes on to bar {numbers[-1]}."
        return "\n\n".join([asked, song_in_words(self.context), text + more])

    def exhibits(self) -> list[Concept | Exemplar]:
        """Ideas for a part of that role, and an excerpt."""
        return ideas_for(f"{self.role} part accompaniment", self.context, self.genre)

    def judge(self, score: Score) -> Verdict:
        """What the gates say of the song with the new part."""
        same = self.same_outside(score)
        note = f"everything else is identical, sha256 {self.digest[:16]}" if same else "something else was changed"
        advice = f"change nothing but {self.voice}"
        wrong = () if same else (Finding("outside", "Something else was changed", advice, WEIGHTS["outside"]),)
        outcomes = {"outside": Outcome(1.0 if same else -1.0, note, wrong)}
        if same:
            outcomes |= part_gates(score.voice(self.voice), self.role, self.rest)
            cited = cited_gate(only(score, (self.voice,)), self.shown, score.first_bar)
            outcomes |= {"citation": cited} if cited is not None else {}
        keep = f"Do not touch anything but {self.voice}."
        return Verdict(self.cloud, self.genre, f"{self.role} part", outcomes, rank_findings(outcomes), {}, keep)

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        return {**super().asked(), "voice": self.voice, "role": self.role, "outside": self.digest}

    def receipt(self, score: Score) -> Receipt:
        """What must hold of any answer: all else as it was, with the proof."""
        same = self.same_outside(score)
        told = f"{'identical' if same else 'changed'}, sha256 {self.digest[:16]}"
        return Receipt(score.title, (Check("outside", same, told),))


def accompany_task(
    song: Score, voice: str, role: str | None = None, program: int | None = None, genre: str | None = None
) -> AccompanyTask:
    """The task of writing one part from the rest: the voice of that name anew, or a new one where there is none.

    The role is bass, drums, guitar, keys, lead or strings; that of the instrument or the name where it is left out.
    """
    _check(song, voice.strip(), role, program)
    check_genre("default", genre)
    part, chosen = _part_to_write(song, voice.strip(), role, program)
    others = [other for other in song.voices if other.name != part.name and len(other.array)]
    if not others:
        raise LibrettoError(f"there is nothing beside {part.name} to go by")
    if chosen != "drums" and all(other.drums for other in others):
        raise LibrettoError(f"beside {part.name} there is only percussion: no chords to go by")
    context = _with_part(song, part)
    words = f"Write the {chosen} part {part.name}"
    return AccompanyTask("accompany", words, Contract(), genre or "", context=context, voice=part.name, role=chosen)


def _check(song: Score, voice: str, role: str | None, program: int | None) -> None:
    """Refuse a role, a song, a name or a program with which there is no part to write."""
    if role is not None and role not in ROLES:
        raise LibrettoError(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    if song.bars < LEAST_BARS:
        raise LibrettoError(f"a song of {song.bars} bars is too short to go by; {LEAST_BARS} are needed")
    if not voice:
        raise LibrettoError("say which voice to write: one of the song's, or the name of a new one")
    if program is not None and not 0 <= program <= _LAST_PROGRAM:
        raise LibrettoError(f"program {program} is not one of General MIDI, 0 to {_LAST_PROGRAM}")


def _part_to_write(song: Score, name: str, role: str | None, program: int | None) -> tuple[Voice, str]:
    """The voice to be written, without a note, and its role: the song's of that name in any case, or a new one."""
    old = next((voice for voice in song.voices if voice.name.casefold() == name.casefold()), None)
    if old is not None:
        chosen = role or role_of(old)
        return Voice(old.name, old.program if program is None else program, chosen == "drums"), chosen
    made = newcomer(name, role, program, song.voices)
    if made is None:
        there = ", ".join(voice.name for voice in song.voices)
        raise LibrettoError(
            f"there is no voice {name!r} (there are {there}); for a new one say its --role or --program"
        )
    return made


def _with_part(song: Score, part: Voice) -> Score:
    """The song with a voice in place of its own, and its chords heard anew; or with one more, over its own chords."""
    others = tuple(voice for voice in song.voices if voice.name != part.name)
    if len(others) == len(song.voices):
        return replace(song, voices=(*others, part))
    voices = tuple(part if voice.name == part.name else voice for voice in song.voices)
    grids = regrid(voices, song.bar_lines, song.grids, np.ones(song.bars, np.bool_))
    bare = replace(song, voices=voices, grids=grids)
    return replace(bare, chords=hear_chords(bare))


@task_kind("accompany", "voice", "role", "program", "genre")
def _from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    if not options.get("voice"):
        raise LibrettoError("say which voice to write: voice, such as Bass")
    program = whole_number(options, "program", 0) if options.get("program") else None
    song = read_song("accompany", arguments)
    return accompany_task(song, options["voice"], options.get("role"), program, options.get("genre"))


#: What is said of each aspect where there is too much and too little of it, and the axis by which it is steered.
_WORDS = {
    "height": ("It lies higher than such a part does", "It lies lower than such a part does", "bass_register"),
    "reach": ("It ranges too widely", "It hardly moves", "leap_ratio"),
    "amount": ("It plays too many notes for such a part", "It plays too little for such a part", "onset_density"),
    "presence": ("It never rests", "It is silent too long", "active_voice_density"),
    "chord tones": ("It only ever plays the chord", "It clashes with the chords on the beats", "chromaticism"),
    "home tones": ("It never leaves the scale", "It leaves the notes of the song", "chromaticism"),
    "together": ("It is always struck with the others", "It is seldom struck with the others", "syncopation_rate"),
    "with the groove": ("It only follows the groove", "It does not go with the groove", "syncopation_rate"),
    "fullness": ("Its chords are too full", "It is too thin for such a part", "mean_simultaneity"),
    "length": ("Its notes are held too long", "Its notes are too short", "mean_duration"),
    "off the beat": ("It is off the beat too much", "It is on the beat too much", "syncopation_rate"),
    "repetition": ("Its rhythm hardly changes", "Its rhythm never settles", "distinct_bar_fraction"),
    "roots": ("It plays too many roots", "It does not play enough roots", ""),
    "low drums": ("The bass drum plays too much", "There is too little bass drum", "percussion_share"),
    "backbeat": ("The snare is on the backbeat only", "The snare is not on the backbeat", "backbeat"),
}
#: Aspects of which more means less of what their axis measures.
_INVERTED = ("chord tones", "home tones", "together", "with the groove", "repetition")


_MOST = 3  # findings about the role at once


def part_gates(part: Voice, role: str, rest: Rest) -> dict[str, Outcome]:
    """How a part stands beside the rest of its song: its role, and where it has pitches its key and its own notes."""
    if not len(part.array):
        silent = Finding(
            "sounding", "The part is silent", "write something for it", WEIGHTS["sounding"], voice=part.name
        )
        return {"sounding": Outcome(-1.0, "the part is silent", (silent,))}
    gauge, row = load_role_gauges()[role], aspects(part, rest)
    outcomes = {"role": _role_gate(part, role, gauge, row)}
    if not part.drums:
        outcomes["key"] = _key_gate(gauge, float(row[ASPECTS.index("home tones")]))
        outcomes["doubling"] = _doubling_gate(part, rest, gauge)
    return outcomes


def _role_gate(part: Voice, role: str, gauge: RoleGauge, row: Floats) -> Outcome:
    fit = gauge.fit(row)
    margin = (fit - gauge.floor) / (1 + abs(gauge.floor))
    words = f"{'like' if margin >= 0 else 'unlike'} real {role} parts: {fit:.1f}, they have {gauge.floor:.1f}"
    return Outcome(margin, words, () if margin >= 0 else _role_findings(part, role, gauge, row))


def _key_gate(gauge: RoleGauge, home: float) -> Outcome:
    lost = Finding(
        "key", "It leaves the notes of the song", "stay in the key", WEIGHTS["key"], "chromaticism", wanted=-1
    )
    note = f"{home:.2f} of its notes are at home in the song, real parts have {gauge.home:.2f}"
    return Outcome(home - gauge.home, note, () if home >= gauge.home else (lost,))


def _doubling_gate(part: Voice, rest: Rest, gauge: RoleGauge) -> Outcome:
    share, other = doubling(part, rest.score)
    same = Finding("doubling", f"It doubles {other}", "write a part of its own", WEIGHTS["doubling"], voice=part.name)
    note = f"{share:.2f} of it is doubled by {other or 'nobody'}; up to {gauge.doubled:.2f} is usual"
    return Outcome(gauge.doubled - share, note, () if share <= gauge.doubled else (same,))


def _role_findings(part: Voice, role: str, gauge: RoleGauge, row: Floats) -> tuple[Finding, ...]:
    """What sets a part apart most from real ones of its role."""
    away, pull = gauge.away(row), gauge.pull(row)
    findings = []
    for index in np.argsort(pull, kind="stable")[:_MOST].tolist():
        if pull[index] >= 0:
            break
        more, less, axis = _WORDS[ASPECTS[index]]
        wanted = -1 if away[index] > 0 else 1
        if ASPECTS[index] in _INVERTED:
            wanted = -wanted
        heard = more if away[index] > 0 else less
        advice = f"write it as a {role} part usually goes"
        weight = WEIGHTS["role"] - float(pull[index])
        findings.append(Finding("role", heard, advice, weight, axis, (), part.name, "", wanted))
    return tuple(findings)
