"""The head of a piece: title, key, tempo, meter, sections, chord labels; and who plays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from libretto.contract.instruments import instrument_named
from libretto.edits.keys import rekeyed
from libretto.edits.operations.step import (
    Done,
    Step,
    bars_of,
    flag_of,
    list_of,
    number_of,
    operation,
    text_of,
    voice_names,
)
from libretto.edits.parts import without
from libretto.edits.spans import rechanged, stretches
from libretto.edits.tempo import paced
from libretto.errors import LibrettoError
from libretto.score import Key, Meter, Score, Voice, add_voice, is_chord
from libretto.score.bar_lists import spans_text
from libretto.score.chords import NO_CHORD
from libretto.score.general_midi import PROGRAMS
from libretto.score.pitch import HIGHEST
from libretto.score.scope import Scope
from libretto.score.voice import is_legal_name

__all__: list[str] = []

_SLOWEST, _FASTEST = 10, 400  # quarter notes a minute that one may set
_LONGEST_NAME, _LONGEST_TITLE, _SHOWN = 80, 300, 40  # characters
_MOST_CHORDS = 16  # in a bar
_SECTION = re.compile(r"\s*(\d{1,6})\s*:(.*)\Z", re.DOTALL)


@operation("title", "title", '{"op":"title","title":"Dusk"}')
def _title(score: Score, step: Step) -> Done:
    """What the piece is called."""
    said = text_of(step, "title", most=_LONGEST_TITLE)
    title = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())
    return Done(replace(score, title=title), Scope(head=("title",)), f"called {title}" if title else "without a title")


@operation("tempo", "bpm bars", '{"op":"tempo","bpm":92}')
def _tempo(score: Score, step: Step) -> Done:
    """Quarter notes a minute, of the whole piece or of some bars."""
    bpm, spans = number_of(step, "bpm", _SLOWEST, _FASTEST), bars_of(score, step)
    made = paced(score, bpm, spans)
    return Done(made, Scope(bars=spans, head=("tempos",)), f"bars {spans_text(spans)} at {bpm:g} BPM")


@operation("key", "key bars transpose", '{"op":"key","key":"D minor"}')
def _key(score: Score, step: Step) -> Done:
    """The key that is written, of the whole piece or of some bars; transpose=true moves notes and labels there, too."""
    key, spans = Key.parse(text_of(step, "key", most=_LONGEST_NAME)), bars_of(score, step)
    where = f"bars {spans_text(spans)} in {key}"
    if flag_of(step, "transpose"):
        names = tuple(voice.name for voice in score.voices)
        return Done(rekeyed(score, key, spans), Scope(names, spans, True, ("keys",)), f"{where}, with their notes")
    keys = rechanged(score.keys, stretches(score, spans), score.ticks, lambda _: key)
    plain = tuple(change for at, change in enumerate(keys) if not at or keys[at - 1][1] != change[1])
    return Done(replace(score, keys=plain), Scope(bars=spans, head=("keys",)), where)


@operation("meter", "meter bars", '{"op":"meter","meter":"6/8"}')
def _meter(score: Score, step: Step) -> Done:
    """The meter, where that is safe: bars keep their length (3/4 and 6/8), or the piece has no notes yet."""
    meter, spans = Meter.parse(text_of(step, "meter", most=_LONGEST_NAME)), bars_of(score, step)
    inside = [score.index_of(number) for first, last in spans for number in range(first, last + 1)]
    lines = score.bar_lines
    scope, told = Scope(bars=spans, head=("meters",)), f"bars {spans_text(spans)} in {meter}"
    if all(lines[bar + 1] - lines[bar] == meter.ticks for bar in inside):
        meters = rechanged(score.meters, stretches(score, spans), score.ticks, lambda _: meter)
        plain = tuple(change for at, change in enumerate(meters) if not at or meters[at - 1][1] != change[1])
        return Done(replace(score, meters=plain), scope, told)
    if len(score.table) or any(voice.marks or len(voice.controls) for voice in score.voices) or score.marks:
        raise LibrettoError(
            f"meter: bars of {meter} are longer or shorter than those with notes; write the whole text, from KEY: on"
        )
    return Done(_reshaped(score, meter, set(inside)), scope, told)


def _reshaped(score: Score, meter: Meter, inside: set[int]) -> Score:
    """An empty piece with other bars."""
    meters = [meter if bar in inside else score.meter_at(score.bar_lines[bar]) for bar in range(score.bars)]
    lines = [0]
    for bar in range(score.bars):
        own = score.bar_lines[bar + 1] - score.bar_lines[bar]
        lines.append(lines[-1] + (meter.ticks if bar in inside else own))
    there = dict(zip(score.bar_lines, lines, strict=True))
    changes = [tick for tick, _ in (*score.keys, *score.tempos, *score.sections)]
    if not set(changes) <= set(there):
        raise LibrettoError("meter: a key or a tempo begins inside a bar; write the whole text, from KEY: on")
    return Score.build(
        score.voices,
        bar_lines=lines,
        meters=[(lines[bar], own) for bar, own in enumerate(meters) if not bar or meters[bar - 1] != own],
        keys=[(there[tick], key) for tick, key in score.keys],
        tempos=[(there[tick], micros) for tick, micros in score.tempos],
        sections=[(there[tick], name) for tick, name in score.sections],
        chords=score.chords,
        title=score.title,
        first_bar=score.first_bar,
    )


@operation("sections", "at", '{"op":"sections","at":{"1":"Intro","5":"Verse","13":"Chorus"}}')
def _sections(score: Score, step: Step) -> Done:
    """Sections by the bars in which they begin; an empty name takes one away."""
    asked = _named(step)
    bars = tuple((number, number) for number in sorted(asked))
    kept = dict(score.sections)
    for number, name in asked.items():
        tick = score.bar_lines[score.index_of(number)]
        kept.pop(tick, None)
        kept |= {tick: name} if name else {}
    told = "; ".join(f"bar {number}: {name or 'no section'}" for number, name in sorted(asked.items()))
    return Done(replace(score, sections=tuple(sorted(kept.items()))), Scope(bars=bars, head=("sections",)), told)


def _named(step: Step) -> dict[int, str]:
    """Names of sections by bar numbers: a mapping, or a text such as ``1:Intro, 5:Verse``."""
    given = step.get("at")
    if isinstance(given, Mapping):
        rows = [f"{number}:{name}" for number, name in given.items()]
    else:
        rows = [str(row) for row in list_of(step, "at")]
    asked = {}
    for row in rows:
        read = _SECTION.match(row)
        if read is None:
            raise LibrettoError(f'sections: at has bars and names, such as {{"1": "Intro"}}, not {row[:_SHOWN]!r}')
        asked[int(read[1])] = " ".join(read[2].split())[:_LONGEST_NAME]
    return asked


@operation("chords", "bars chords", '{"op":"chords","bars":"1-8","chords":["Dm","Gm | A7","Dm","A7"]}')
def _chords(score: Score, step: Step) -> Done:
    """Chord labels, one entry a bar ("Dm", or "Gm | A7" for two in a bar), again and again where there is room."""
    spans = bars_of(score, step)
    entries = [str(entry).split("|") for entry in list_of(step, "chords")]
    labels = [tuple(label.strip() for label in entry) for entry in entries]
    for bar in labels:
        wrong = [label for label in bar if label != NO_CHORD and not is_chord(label)]
        if wrong or len(bar) > _MOST_CHORDS:
            raise LibrettoError(f"chords: {(wrong or [' '.join(bar)])[0][:_SHOWN]!r} is no chord; write Gm7, F/A or -")
    numbers = [number for first, last in spans for number in range(first, last + 1)]
    if len(numbers) % len(labels):
        raise LibrettoError(f"chords: {len(labels)} entries do not fill {len(numbers)} bars; bars says which are meant")
    made = list(score.chords)
    for at, number in enumerate(numbers):
        made[score.index_of(number)] = labels[at % len(labels)]
    return Done(score.with_chords(made), Scope(bars=spans, chords=True), f"chords of bars {spans_text(spans)}")


@operation("program", "voices program", '{"op":"program","voices":"Strings","program":49}')
def _program(score: Score, step: Step) -> Done:
    """The sound of voices: a General MIDI program (49), or an instrument by its name."""
    names = voice_names(score, {**step, "voices": list_of(step, "voices")})
    program = _program_of(step)
    for name in names:
        if score.voice(name).drums:
            raise LibrettoError(f"program: {name} is percussion and has a kit, not a program")
    voices = tuple(replace(voice, program=program) if voice.name in names else voice for voice in score.voices)
    told = f"{', '.join(names)}: program {program} ({PROGRAMS[program]})"
    return Done(replace(score, voices=voices), Scope(programs=names), told)


def _program_of(step: Step, default: int | None = None) -> int:
    """A program by its number or by the name of a sound or an instrument."""
    said = text_of(step, "program", "" if default is None else str(default), _LONGEST_NAME)
    if said.isascii() and said.isdigit() and int(said) <= HIGHEST:
        return int(said)
    sounds = [name.lower() for name in PROGRAMS]
    player = instrument_named(said)
    if said.lower() in sounds:
        return sounds.index(said.lower())
    if player is None or player.program is None:
        raise LibrettoError(f"{step['op']}: program is a number from 0 to 127 or an instrument, not {said[:_SHOWN]!r}")
    return player.program


@operation("add_voice", "name program drums", '{"op":"add_voice","name":"Strings","program":48}')
def _add_voice(score: Score, step: Step) -> Done:
    """One more voice, silent as yet: a name, and a program or drums=true."""
    name, drums = text_of(step, "name", most=_LONGEST_NAME), flag_of(step, "drums")
    if not is_legal_name(name) or name.casefold() in {voice.name.casefold() for voice in score.voices}:
        raise LibrettoError(f"add_voice: {name[:_SHOWN]!r} is taken, or has commas, brackets or line breaks in it")
    program = None if drums else _program_of(step, 0)
    return Done(add_voice(score, Voice.of(name, (), program, drums)), Scope(whole=(name,)), f"with {name}")


@operation("remove_voice", "voices", '{"op":"remove_voice","voices":"Piano #2"}')
def _remove_voice(score: Score, step: Step) -> Done:
    """The piece without some voices."""
    names = voice_names(score, {**step, "voices": list_of(step, "voices")})
    return Done(without(score, names), Scope(whole=names), f"without {', '.join(names)}")


@operation("rename", "voices name", '{"op":"rename","voices":"Piano #2","name":"Keys"}')
def _rename(score: Score, step: Step) -> Done:
    """A voice by another name."""
    names = voice_names(score, {**step, "voices": list_of(step, "voices")})
    name = text_of(step, "name", most=_LONGEST_NAME)
    taken = {voice.name.casefold() for voice in score.voices if voice.name not in names}
    if len(names) != 1 or not is_legal_name(name) or name.casefold() in taken:
        raise LibrettoError("rename: one voice, and a name that is free and has no commas, brackets or line breaks")
    voices = tuple(replace(voice, name=name) if voice.name == names[0] else voice for voice in score.voices)
    return Done(replace(score, voices=voices), Scope(whole=(names[0], name)), f"{names[0]} is called {name}")
