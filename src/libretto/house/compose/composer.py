"""The house composer: a contract, a seed and controls in; a Score out. Nothing else decides anything.

Endings are meant: the last bar is one chord, struck together and held, as the style closes.
"""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.arrange.arranging import arranged
from libretto.house.compose.band import CHORDAL, EFFECT, Player
from libretto.house.compose.comping import write_chords
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import moved_key
from libretto.house.compose.melody import write_tune
from libretto.house.compose.performing import audible, performed
from libretto.house.compose.plan import Plan, make_plan
from libretto.house.compose.rhythm import write_bass, write_drums, write_percussion
from libretto.house.compose.voices import must_ground, write_alone, write_counter, write_grounded
from libretto.house.core.controls import Controls
from libretto.house.core.patterns import DRUM_KEYS, Sketch
from libretto.house.core.tones import pitches_of
from libretto.house.core.voicing import voice
from libretto.score import QUARTER, Key, Score, Voice
from libretto.score.time import micros_of_bpm

__all__ = ["close", "compose_score", "score_of_plan", "tempo_map", "write_effect"]

_TWO_HANDS = 6  # notes at once from which on one player can have tune and chords
_QUIET = ("intro", "break", "build", "vamp")  # sections without a tune
_AS_FULL = 0.05  # of energy: sections that are about as full as the fullest


def compose_score(contract: Contract, seed: int = 0, controls: Controls | None = None) -> Score:
    """A whole piece that keeps a contract; the same bytes for the same contract, seed and controls."""
    return score_of_plan(make_plan(contract, seed, controls))


def score_of_plan(plan: Plan) -> Score:
    """The piece of a plan."""
    if plan.stretches:
        parts = arranged(plan)
    else:
        parts = audible(plan, _written(plan))
        parts = {player.name: close(plan, player, parts[player.name]) for player in plan.players}
    voices = []
    for player in plan.players:
        notes = performed(plan, player, parts[player.name])
        voices.append(Voice.of(player.name, notes, player.program, player.drums))
    ticks = plan.meter.ticks
    return Score.build(
        [voice for voice in voices if len(voice.array)] or voices,
        bars=plan.bars,
        meters=[(0, plan.meter)],
        keys=_keys(plan),
        tempos=[(tick, micros_of_bpm(bpm)) for tick, bpm in tempo_map(plan)],
        sections=[(section.first * ticks, section.name) for section in plan.sections],
        chords=plan.chords,
        title=plan.title,
    )


def _keys(plan: Plan) -> list[tuple[int, Key]]:
    """The key, and the one the piece is lifted into where it stays there to the end."""
    shift, keys = plan.sections[-1].shift, [(0, plan.key)]
    lifted = [section for section in plan.sections if section.shift != shift]
    if shift and lifted:
        keys.append((lifted[-1].end * plan.meter.ticks, moved_key(plan.key, shift)))
    return keys


def _written(plan: Plan) -> dict[str, list[Sketch]]:
    """What every player hands in: the tune first, since others listen to it."""
    parts: dict[str, list[Sketch]] = {}
    leads = [player for player in plan.players if player.role == "lead"]
    for number, player in enumerate(leads):
        mine = _led(plan, number, len(leads), player)
        whole = player.alone or (player.polyphony >= _TWO_HANDS and not any(map(_chordal, plan.players)))
        parts[player.name] = write_alone(plan, player, mine) if whole else write_tune(plan, player, mine)
    tune = sorted(note for part in parts.values() for note in part)
    second: list[Sketch] = []
    for player in plan.players:
        if player.role == "counter":
            parts[player.name] = write_counter(plan, player, _played(plan, player), tune, second)
            second = sorted(second + parts[player.name])
        elif player.role != "lead":
            parts[player.name] = _accompaniment(plan, player, tune)
    return parts


def _chordal(player: Player) -> bool:
    return player.role in CHORDAL


def _accompaniment(plan: Plan, player: Player, tune: list[Sketch]) -> list[Sketch]:
    """The part of who plays neither the tune nor a line of its own."""
    sections = _played(plan, player)
    if player.role == "drums":
        return write_drums(plan, player, sections)
    if player.role == "percussion":
        return write_percussion(plan, player, sections)
    if player.role in ("bass", "riff"):
        return write_bass(plan, player, sections)
    if player.role == EFFECT:
        return write_effect(plan, player)
    heights = sorted(note.pitch for note in tune)
    ceiling = heights[len(heights) // 4] + 1 if heights else None
    first = next((other.name for other in plan.players if _chordal(other)), "")
    if player.name == first and must_ground(plan, player):
        return write_grounded(plan, player, sections, ceiling)
    return write_chords(plan, player, sections, ceiling)


def _led(plan: Plan, number: int, leads: int, player: Player) -> list[Section]:
    """The sections in which a lead leads: they take turns; intros and breaks have no tune where others play."""
    few = player.alone or plan.bare or len(plan.players) <= 2 or len(plan.sections) < 3
    few = few or all(other.role in ("lead", "counter") for other in plan.players)
    if few:
        sung = list(plan.sections)
    else:
        sung = [section for section in plan.sections if section.kind not in _QUIET]
        sung = [section for section in sung if section.energy >= player.above] or sung
    return sung[number::leads]


def _played(plan: Plan, player: Player) -> list[Section]:
    """The sections in which a player plays: those with the energy it is there for; every player plays somewhere."""
    everyone = player.role != "percussion" and plan.style.setting("ending", "everyone", True)
    played = [
        section
        for section in plan.sections
        if player.above <= section.energy <= player.seat.below or (section.last and everyone)
    ]
    if not played or all(section.last for section in played):
        most = max(section.energy for section in plan.sections)
        played = [section for section in plan.sections if section.energy >= most - _AS_FULL]
    return played


_MEANT, _STRUCK, _CRASHED = 2, 4, 6  # accents
_HOME, _BELOW = 5, 3  # semitones: where a bass is at home above its lowest note, and how far below itself it ends
_CLEAR = 3  # semitones between the last note of a tune and the chord under it
_REGISTER = (50, 76)  # of chords whose chair names none
_LOWEST_ALONE, _LOWEST_ROOT, _DEEP = 36, 40, 48  # who plays as deep as C3 can have the root, down to E2
_BROADER = (0.94, 0.86, 0.74)  # the tempo of a ritard, by half bars
_EVERY, _LASTS, _SOFTER = 8, 4, -18  # bars from sound to sound, bars that it lasts, and its accent
_MIDDLE = 60


def close(plan: Plan, player: Player, notes: list[Sketch]) -> list[Sketch]:
    """A part with the last bar of the piece replaced by what the ending asks of it."""
    start = (plan.bars - 1) * plan.meter.ticks
    kept = [
        note if note.onset + note.duration <= start else note._replace(duration=max(1, start - note.onset))
        for note in notes
        if note.onset < start
    ]
    if not kept and not player.alone and player.role not in ("lead", "bass"):
        return kept
    held = plan.meter.ticks if plan.ending not in ("button", "stop") else min(plan.meter.ticks, QUARTER)
    return kept + _last(plan, player, kept, start, held)


def _last(plan: Plan, player: Player, kept: list[Sketch], start: int, held: int) -> list[Sketch]:
    """What a player strikes in the last bar, by what the part is."""
    if player.drums:
        return _last_strokes(plan, player, kept, start)
    if player.role == "bass":
        return [Sketch(start, held, _last_bass(plan, player, kept), _MEANT)]
    if player.role in ("lead", "counter", "riff") or player.polyphony == 1:
        return _last_of_line(plan, player, kept, start, held)
    return [Sketch(start, held, pitch, 0) for pitch in _last_chord(plan, player)]


def _last_strokes(plan: Plan, player: Player, kept: list[Sketch], start: int) -> list[Sketch]:
    """The last stroke of a kit, or of the lowest drum of hand percussion."""
    if player.role == "percussion":
        keys = sorted({note.pitch for note in kept})[:1]
        return [Sketch(start, QUARTER // 2, key, _STRUCK) for key in keys]
    return [
        Sketch(start, QUARTER, DRUM_KEYS[drum], _CRASHED)
        for drum in plan.style.setting("ending", "drums", ["kick", "crash"])
    ]


def _last_bass(plan: Plan, player: Player, kept: list[Sketch]) -> int:
    """The last root, a little below where the bass has played."""
    lows = sorted(note.pitch for note in kept) or [player.low + _HOME]
    middle = lows[len(lows) // 2] - _BELOW
    roots = _of_tone(plan.chords_of(plan.bars - 1)[-1].root, player)
    return min(roots, key=lambda pitch: (abs(pitch - middle), pitch))


def _last_of_line(plan: Plan, player: Player, kept: list[Sketch], start: int, held: int) -> list[Sketch]:
    """The last note of a line, the tonic for who leads, near where it was; who is alone plays the chord under it."""
    chord = plan.chords_of(plan.bars - 1)[-1]
    late = [note.pitch for note in kept if note.onset >= start - plan.meter.ticks] or [note.pitch for note in kept]
    before = (max(late) if player.alone else kept[-1].pitch) if kept else (player.low + player.high) // 2
    tonic = (plan.key.tonic_class + plan.sections[-1].shift) % 12
    tones = {tonic} if player.role == "lead" else set(chord.chord.classes)
    choices = [pitch for tone in tones for pitch in _of_tone(tone, player)]
    top = min(choices, key=lambda pitch: (abs(pitch - before), pitch))
    notes = [Sketch(start, held, top, _MEANT)]
    if player.alone and player.polyphony >= 3:
        low = max(player.low, _LOWEST_ALONE)
        under = voice(chord, low, min(top - _CLEAR, low + 2 * 12), min(4, player.polyphony - 1), "rooted")
        notes += [Sketch(start, held, pitch, -_STRUCK) for pitch in under if pitch <= top - _CLEAR]
    return notes


def _last_chord(plan: Plan, player: Player) -> tuple[int, ...]:
    """The last chord of who plays chords, with its root where nobody else has it."""
    chord = plan.chords_of(plan.bars - 1)[-1]
    low, high = player.seat.register or _REGISTER
    low, high = max(player.low, low), min(player.high, high)
    size = max(1, min(player.polyphony, player.seat.size or 4))
    if not plan.has_bass and player.polyphony >= 4 and player.bottom <= _DEEP:
        return voice(chord, max(player.bottom, _LOWEST_ROOT), high, max(3, size), "rooted")
    return voice(chord, low, high, size, player.seat.voicing or "close")


def _of_tone(tone: int, player: Player) -> list[int]:
    """The pitches of a tone that a player has; the lowest of all where there are none."""
    return pitches_of(tone, player.low, player.high) or [player.low]


def tempo_map(plan: Plan) -> list[tuple[int, float]]:
    """Ticks and quarter notes a minute: steady, and slower into a ritard at the end."""
    changes = [(0, plan.tempo)]
    if plan.ending == "ritard" and plan.bars >= 4:
        start = (plan.bars - 2) * plan.meter.ticks
        half = plan.meter.ticks // 2
        for step, factor in enumerate(_BROADER):
            changes.append((start + step * half, round(plan.tempo * factor, 1)))
    return changes


def write_effect(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one."""
    ticks = plan.meter.ticks
    tonic = plan.key.tonic_class
    pitch = min(range(player.low, player.high + 1), key=lambda pitch: (pitch % 12 != tonic, abs(pitch - _MIDDLE)))
    notes = []
    for section in plan.sections:
        for bar in range(section.first, section.end, _EVERY):
            lasts = min(_LASTS, section.end - bar)
            notes.append(Sketch(bar * ticks, lasts * ticks, pitch, _SOFTER))
    return notes
