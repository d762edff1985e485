"""The house composer: a contract, a seed and controls in; a Score out. Nothing else decides anything."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.compose.band import CHORDAL, EFFECT, Player
from libretto.house.compose.comping import write_chords
from libretto.house.compose.counter import write_counter
from libretto.house.compose.ending import close, tempo_map, write_effect
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import moved_key
from libretto.house.compose.melody import write_tune
from libretto.house.compose.performing import audible, performed
from libretto.house.compose.plan import Plan, make_plan
from libretto.house.compose.rhythm import write_bass, write_drums, write_percussion
from libretto.house.compose.solo import must_ground, write_alone, write_grounded
from libretto.house.core.controls import Controls
from libretto.house.core.patterns import Sketch
from libretto.score import Key, Score, Voice
from libretto.score.time import micros_of_bpm

__all__ = ["compose_score", "score_of_plan"]

_TWO_HANDS = 6  # notes at once from which on one player can have tune and chords
_QUIET = ("intro", "break", "build", "vamp")  # sections without a tune
_AS_FULL = 0.05  # of energy: sections that are about as full as the fullest


def compose_score(contract: Contract, seed: int = 0, controls: Controls | None = None) -> Score:
    """A whole piece that keeps a contract; the same bytes for the same contract, seed and controls."""
    return score_of_plan(make_plan(contract, seed, controls))


def score_of_plan(plan: Plan) -> Score:
    """The piece of a plan."""
    parts = audible(plan, _written(plan))
    voices = []
    for player in plan.players:
        notes = performed(plan, player, close(plan, player, parts[player.name]))
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
