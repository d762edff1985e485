"""Accompany: one part of a song is missing, or one more is wanted; write it from the rest.

Where the voice is there it is taken out and nobody sees it again before the final grade. A part passes that is what its
role asks for, stays with the notes of the song, and is no doubling of another part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from libretto.contract import Contract, Receipt
from libretto.contract.check import Check
from libretto.contract.instruments import instrument_named
from libretto.errors import LibrettoError
from libretto.gates import Finding, Outcome, Verdict
from libretto.gates.case import check_genre
from libretto.knowledge import Concept, Exemplar
from libretto.score import Score, Voice, hear_chords, outside_digest
from libretto.score.edit import regrid
from libretto.tasks.fill.gap import LEAST_BARS, put_into
from libretto.tasks.fill.material import only
from libretto.tasks.fill.role_fit import (
    ASPECTS,
    ROLES,
    Rest,
    aspects,
    doubling,
    is_role_name,
    load_role_gauges,
    role_of,
)
from libretto.tasks.fill.song_page import cited_gate, ideas_for, song_in_words, stretch_text
from libretto.tasks.task import AnswerShape, Task

__all__ = ["AccompanyTask", "accompany_task"]

_SHOWN = 64  # bars that a composer reads on the page

_PROGRAMS = {"bass": 33, "drums": 0, "guitar": 25, "keys": 0, "lead": 73, "strings": 48}
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
_INVERTED = ("chord tones", "home tones", "together", "with the groove", "repetition")


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
        voices = tuple(each for each in self.context.voices if each.name != self.voice)
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
        return answer, "the whole song was handed in"

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
        text = stretch_text(self.context, numbers[0], min(numbers[-1], numbers[0] + _SHOWN - 1))
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
        wrong = () if same else (Finding("outside", "Something else was changed", advice, 50.0),)
        outcomes = {"outside": Outcome(1.0 if same else -1.0, note, wrong)}
        if same:
            outcomes |= self._music(score.voice(self.voice))
            cited = cited_gate(only(score, (self.voice,)), self.shown, score.first_bar)
            outcomes |= {"citation": cited} if cited is not None else {}
        found = [finding for outcome in outcomes.values() for finding in outcome.findings]
        ranked = sorted(found, key=lambda each: (-each.weight, each.gate, each.axis))
        keep = f"Do not touch anything but {self.voice}."
        return Verdict(self.cloud, self.genre, f"{self.role} part", outcomes, tuple(ranked[:8]), {}, keep)

    def _music(self, part: Voice) -> dict[str, Outcome]:
        gauge = load_role_gauges()[self.role]
        if not len(part.array):
            silent = Finding("sounding", "The part is silent", "write something for it", 40.0, voice=part.name)
            return {"sounding": Outcome(-1.0, "the part is silent", (silent,))}
        row = aspects(part, self.rest)
        fit = gauge.fit(row)
        margin = (fit - gauge.floor) / (1 + abs(gauge.floor))
        words = f"{'like' if margin >= 0 else 'unlike'} real {self.role} parts: {fit:.1f}, they have {gauge.floor:.1f}"
        found = {"role": Outcome(margin, words, () if margin >= 0 else self._findings(row))}
        if not part.drums:
            home = float(row[ASPECTS.index("home tones")])
            lost = Finding("key", "It leaves the notes of the song", "stay in the key", 8.0, "chromaticism", wanted=-1)
            note = f"{home:.2f} of its notes are at home in the song, real parts have {gauge.home:.2f}"
            found["key"] = Outcome(home - gauge.home, note, () if home >= gauge.home else (lost,))
            share, other = doubling(part, self.rest.score)
            same = Finding("doubling", f"It doubles {other}", "write a part of its own", 15.0, voice=part.name)
            note = f"{share:.2f} of it is doubled by {other or 'nobody'}; up to {gauge.doubled:.2f} is usual"
            found["doubling"] = Outcome(gauge.doubled - share, note, () if share <= gauge.doubled else (same,))
        return found

    def _findings(self, row: Any) -> tuple[Finding, ...]:
        gauge = load_role_gauges()[self.role]
        away = gauge.away(row)
        size = len(ASPECTS)
        pull = away * gauge.weights[:size] + np.abs(away) * gauge.weights[size:]
        found = []
        for index in np.argsort(pull, kind="stable")[:3].tolist():
            if pull[index] >= 0:
                break
            more, less, axis = _WORDS[ASPECTS[index]]
            wanted = -1 if away[index] > 0 else 1
            if ASPECTS[index] in _INVERTED:
                wanted = -wanted
            heard = more if away[index] > 0 else less
            advice = f"write it as a {self.role} part usually goes"
            found.append(Finding("role", heard, advice, 5 - float(pull[index]), axis, (), self.voice, "", wanted))
        return tuple(found)

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        return {**super().asked(), "voice": self.voice, "role": self.role, "outside": self.digest}

    def receipt(self, score: Score) -> Receipt:
        """What must hold of any answer: all else as it was, with the proof."""
        same = self.same_outside(score)
        told = f"{'identical' if same else 'changed'}, sha256 {self.digest[:16]}"
        return Receipt(score.title, (Check("outside", same, told),))


def _program_of(name: str) -> int | None:
    """The program of the instrument that a new voice is named for; None where it is named for none."""
    found = instrument_named(name)
    return found.program if found is not None else None


def accompany_task(
    song: Score, voice: str, role: str | None = None, program: int | None = None, genre: str | None = None
) -> AccompanyTask:
    """The task of writing one part from the rest: the voice of that name anew, or a new one where there is none.

    The role is bass, drums, guitar, keys, lead or strings; that of the instrument or the name where it is left out.
    """
    if role is not None and role not in ROLES:
        raise LibrettoError(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    if song.bars < LEAST_BARS:
        raise LibrettoError(f"a song of {song.bars} bars is too short to go by; {LEAST_BARS} are needed")
    if not voice.strip():
        raise LibrettoError("say which voice to write: one of the song's, or the name of a new one")
    if program is not None and not 0 <= program <= 127:
        raise LibrettoError(f"program {program} is not one of General MIDI, 0 to 127")
    check_genre("default", genre)
    name = next((each.name for each in song.voices if each.name.casefold() == voice.strip().casefold()), "")
    if name:
        old = song.voice(name)
        chosen = role or role_of(old)
        fresh = Voice(name, old.program if program is None else program, chosen == "drums")
        voices = tuple(fresh if each.name == name else each for each in song.voices)
    else:
        name = voice.strip()
        program = _program_of(name) if program is None and role is None and not is_role_name(name) else program
        if program is None and role is None and not is_role_name(name):
            there = ", ".join(each.name for each in song.voices)
            raise LibrettoError(
                f"there is no voice {name!r} (there are {there}); for a new one say its --role or --program"
            )
        chosen = role or role_of(Voice(name, program))
        fresh = Voice(name, _PROGRAMS[chosen] if program is None else program, chosen == "drums")
        voices = (*song.voices, fresh)
    rest = [each for each in voices if each.name != name and len(each.array)]
    if not rest:
        raise LibrettoError(f"there is nothing beside {name} to go by")
    if chosen != "drums" and all(each.drums for each in rest):
        raise LibrettoError(f"beside {name} there is only percussion: no chords to go by")
    bare = replace(song, voices=voices, grids=regrid(voices, song.bar_lines, song.grids, np.ones(song.bars, np.bool_)))
    context = replace(bare, chords=hear_chords(bare))
    words = f"Write the {chosen} part {name}"
    return AccompanyTask("accompany", words, Contract(), genre or "", context=context, voice=name, role=chosen)
