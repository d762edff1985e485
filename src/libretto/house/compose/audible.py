"""The last look before playing: every chord can be heard, its root and its third, in somebody's part.

Where one is missing, a chord player adds it to a chord already there; else a line bends a weak note to it; else a long
note is divided. Nothing is touched where nothing is missing.
"""

from __future__ import annotations

from bisect import bisect_left

from libretto.house.compose.band import CHORDAL, Player
from libretto.house.compose.plan import Harmony, Plan
from libretto.house.core.sketch import Sketch
from libretto.score import QUARTER

__all__ = ["audible"]

_BEND = 5  # a note is bent no further than a fourth
_ORDER = {"comping": 0, "arpeggio": 1, "pad": 2, "stabs": 3, "lead": 5, "counter": 4, "riff": 6, "bass": 7}

Parts = dict[str, list[Sketch]]


def audible(plan: Plan, parts: Parts) -> Parts:
    """The same parts, with what is missing of a chord put where it fits best."""
    players = sorted((each for each in plan.players if not each.drums), key=lambda each: _ORDER.get(each.role, 8))
    made = {player.name: sorted(parts[player.name]) for player in players}
    for harmony in plan.harmony[:-1]:
        for tone in _missing(harmony, made):
            for player in players:
                changed = _with(tone, harmony, player, made[player.name])
                if changed is not None:
                    made[player.name] = changed
                    break
    return parts | made


def _within(notes: list[Sketch], harmony: Harmony) -> list[int]:
    """The places of the notes that begin while a chord holds."""
    first = bisect_left(notes, (harmony.start,))
    last = bisect_left(notes, (harmony.end,))
    return list(range(first, last))


def _missing(harmony: Harmony, made: Parts) -> list[int]:
    """Which of root and third nobody plays while a chord holds."""
    heard = set()
    for notes in made.values():
        for index in range(
            max(0, bisect_left(notes, (harmony.start - 8 * QUARTER,))), bisect_left(notes, (harmony.end,))
        ):
            if notes[index].onset + notes[index].duration > harmony.start:
                heard.add(notes[index].pitch % 12)
    return [tone for tone in ((harmony.root + harmony.third) % 12, harmony.root) if tone not in heard]


def _with(tone: int, harmony: Harmony, player: Player, notes: list[Sketch]) -> list[Sketch] | None:
    """A part that plays the tone while the chord holds; None where it cannot without harm."""
    places = _within(notes, harmony)
    if not places:
        return None
    if player.role in CHORDAL or player.alone:
        added = _added(tone, player, notes, places)
        if added is not None:
            return sorted([*notes, added])
    if player.role == "bass":
        return None
    return _bent(tone, harmony, player, notes, places) or _divided(tone, player, notes, places)


def _added(tone: int, player: Player, notes: list[Sketch], places: list[int]) -> Sketch | None:
    """A note more in a chord that has room for it: within a tenth of its lowest note and below its highest."""
    for index in places:
        struck = [note for note in notes if note.onset == notes[index].onset]
        sounding = sum(1 for note in notes if note.onset <= notes[index].onset < note.onset + note.duration)
        if sounding >= player.polyphony:
            continue
        low, high = min(note.pitch for note in struck), max(note.pitch for note in struck)
        bottom, top = max(player.low, high - 16), min(player.high, low + 16)
        taken = {note.pitch for note in struck}
        choices = [pitch for pitch in range(bottom, top + 1) if pitch % 12 == tone and pitch not in taken]
        below = [pitch for pitch in choices if pitch < high and (pitch >= 48 or pitch < low - 4)]
        if below or choices:
            pitch = max(below) if below else min(choices)
            return Sketch(notes[index].onset, notes[index].duration, pitch, notes[index].accent - 4)
    return None


def _bent(tone: int, harmony: Harmony, player: Player, notes: list[Sketch], places: list[int]) -> list[Sketch] | None:
    """The part with its weakest note moved to the tone, if one lies near and is not needed itself."""
    needed = {harmony.root, (harmony.root + harmony.third) % 12}
    alone = {
        index
        for index in places
        if notes[index].pitch % 12 in needed
        and sum(notes[other].pitch % 12 == notes[index].pitch % 12 for other in places) < 2
    }
    best: tuple[int, int, int] | None = None
    for index in places:
        if index in alone:
            continue
        choices = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == tone]
        near = min(choices, key=lambda pitch: abs(pitch - notes[index].pitch), default=None)
        if near is None or abs(near - notes[index].pitch) > _BEND:
            continue
        strong = int(notes[index].onset % QUARTER == 0) + int(notes[index].duration > QUARTER)
        price = (strong * 3 + abs(near - notes[index].pitch), index, near)
        best = price if best is None or price < best else best
    if best is None:
        return None
    changed = list(notes)
    changed[best[1]] = notes[best[1]]._replace(pitch=best[2])
    return changed


def _divided(tone: int, player: Player, notes: list[Sketch], places: list[int]) -> list[Sketch] | None:
    """The part with its longest note divided, the second half on the tone."""
    longest = max(places, key=lambda index: (notes[index].duration, -index))
    note = notes[longest]
    half = note.duration // 2 // (QUARTER // 4) * (QUARTER // 4)
    choices = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == tone]
    if half < QUARTER // 4 or not choices:
        return None
    pitch = min(choices, key=lambda each: abs(each - note.pitch))
    second = Sketch(note.onset + half, note.duration - half, pitch, note.accent - 2)
    return sorted([*notes[:longest], note._replace(duration=half), second, *notes[longest + 1 :]])
