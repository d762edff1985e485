"""How it is heard that a change was made: each measures the piece before and after, whoever made the change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.instruments import instrument_named
from libretto.edits.parts import top_line
from libretto.edits.spans import Notes, bars_in, chord_line, starts_in, stretches
from libretto.score import Key, Score, Voice
from libretto.score.table import Ints
from libretto.tasks.revise.scope import tune_of
from libretto.tasks.revise.wish import Wish

__all__ = [
    "added",
    "handed_over",
    "in_key",
    "in_mode",
    "inside",
    "moved_octaves",
    "named",
    "new_voices",
    "notes_of",
    "nothing",
    "on_instrument",
    "played_with",
    "richer",
    "second_voice",
    "silent",
    "spread",
    "without",
]

_MOST = 0.9  # of the notes that have to agree; a few are outside a range or a scale
_NEARLY = 0.6  # of the notes of a new part that belong to the chords
_OCTAVE, _FAR = 12, 6  # semitones: what counts as moved by octaves
_RAISED = (9, 11)  # semitones above a minor tonic: the sixth and seventh degrees that are raised
_SECOND = range(3, 17)  # semitones between a tune and its second voice


def inside(score: Score, voice: Voice, wish: Wish) -> Notes:
    """The notes of a voice that start in a wish's bars."""
    return np.asarray(voice.array[starts_in(voice.array, stretches(score, wish.where))])


def _meant(score: Score, wish: Wish, drums: bool = False) -> list[Voice]:
    return [v for v in score.voices if (not wish.voices or v.name in wish.voices) and (drums or not v.drums)]


def notes_of(score: Score, wish: Wish, drums: bool = False) -> Notes:
    """The notes of a wish's voices in its bars."""
    rows = [inside(score, voice, wish) for voice in _meant(score, wish, drums)]
    return np.concatenate(rows) if rows else score.table[:0]


def new_voices(before: Score, after: Score) -> list[Voice]:
    """The voices that were not there before."""
    known = {voice.name for voice in before.voices}
    return [voice for voice in after.voices if voice.name not in known]


def _classes(notes: Notes) -> Ints:
    return np.bincount(notes["pitch"].astype(np.int64) % 12, minlength=12)


def in_key(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Every bar has its key, and the pitch classes of its voices are those of before, moved by as much."""
    tick = after.bar_lines[after.index_of(wish.where[0][0])]
    old, new = before.key_at(tick), after.key_at(tick)
    named = wish.target[:1] not in ("+", "-")
    shift = (new.tonic_class - old.tonic_class) % 12 if named or not wish.voices else int(wish.target) % 12
    if named and (new.tonic_class, new.is_minor) != (
        Key.parse(wish.target).tonic_class,
        Key.parse(wish.target).is_minor,
    ):
        return False, f"the key is {new}"
    if not named and shift != int(wish.target) % 12:
        return False, f"from {old} to {new}"
    if new.is_minor != old.is_minor:
        shares = [_in_scale(score, wish, key) for score, key in ((before, old), (after, new))]
        return shares[1] >= min(
            _MOST, shares[0]
        ), f"from {old} to {new}; {shares[1]:.0%} of the notes are in that scale"
    wrong = [voice.name for voice in _meant(before, wish) if not _moved_by(before, after, voice, wish, shift)]
    return not wrong, f"from {old} to {new}" + (f"; not {', '.join(wrong)}" if wrong else "")


def _in_scale(score: Score, wish: Wish, key: Key) -> float:
    """The share of the notes of a wish that belong to a key, with the raised degrees of a minor one."""
    notes = notes_of(score, wish)
    raised = [(key.tonic_class + up) % 12 for up in _RAISED] if key.is_minor else []
    return float(np.isin(notes["pitch"] % 12, [*key.classes, *raised]).mean()) if len(notes) else 0.0


def _moved_by(before: Score, after: Score, voice: Voice, wish: Wish, shift: int) -> bool:
    """Whether the pitch classes of a voice are those of before, moved by no other interval better than by that one."""
    there = [other for other in after.voices if other.name == voice.name]
    one, two = inside(before, voice, wish), inside(after, there[0], wish) if there else voice.array[:0]
    if not len(one) or not len(two):
        return True
    ways = [float(np.minimum(np.roll(_classes(one), way), _classes(two)).sum()) for way in range(12)]
    return ways[shift] >= max(ways)


def in_mode(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The key says so, and the scale of that mode holds more of the notes than before, or nearly all."""
    tick = after.bar_lines[after.index_of(wish.where[0][0])]
    key, wanted = after.key_at(tick), Key(before.key_at(tick).tonic, wish.target)
    old, new = notes_of(before, wish), notes_of(after, wish)
    if not len(new):
        return False, "nothing sounds there"
    was, share = (float(np.isin(notes["pitch"] % 12, wanted.classes).mean()) for notes in (old, new))
    fine = key.mode == wish.target and (share > was or share >= _MOST)
    return fine, f"{key}; {share:.0%} of the notes are in that scale, {was:.0%} before"


def on_instrument(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The voices have one of the instrument's programs."""
    wanted = instrument_named(wish.target)
    fine = wanted is not None and all(after.voice(name).program in wanted.programs for name in wish.voices)
    return fine, f"{', '.join(wish.voices)} {'is' if fine else 'is not'} played on {wish.target}"


def without(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The voices are not there any more, and all others are."""
    names = [voice.name for voice in after.voices]
    still = [name for name in wish.voices if name in names]
    return not still, f"there are {', '.join(names)}"


def silent(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Nothing of those voices starts in those bars."""
    count = len(notes_of(after, wish, drums=True))
    return not count, f"{count or 'no'} notes of {', '.join(wish.voices)} there"


def added(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """A new voice of that instrument plays there and nowhere else; what it plays belongs to the chords."""
    wanted = instrument_named(wish.target)
    if wanted is None:
        return False, f"there is no {wish.target}"
    mine = [v for v in new_voices(before, after) if (v.drums if wanted.percussion else v.program in wanted.programs)]
    if not mine:
        return False, f"there is no voice of {wish.target} that was not there before"
    notes = inside(after, mine[0], wish.__class__(wish.quality, first=wish.first, last=wish.last, spans=wish.spans))
    if not len(notes) or len(notes) < len(mine[0].array):
        return False, f"{mine[0].name} plays {len(notes)} notes there and {len(mine[0].array) - len(notes)} elsewhere"
    if mine[0].drums:
        return True, f"{mine[0].name}: {len(notes)} strokes"
    share = _in_chords(after, notes)
    return share >= _NEARLY, f"{mine[0].name}: {len(notes)} notes, {share:.0%} of them in the chords"


def _in_chords(score: Score, notes: Notes) -> float:
    """The share of the notes that are tones of the chord under them, of those that have one."""
    line, hits = chord_line(score), []
    for tick, pitch in zip(notes["onset"].tolist(), notes["pitch"].tolist(), strict=True):
        here = [chord for start, end, chord in line[score.bar_at(tick)] if start <= tick < end]
        if here:
            hits.append(pitch % 12 in here[0].classes)
    return float(np.mean(hits)) if hits else 1.0


def second_voice(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """A new voice goes with the tune, note for note, on the side that was asked for."""
    leader = top_line(inside(before, before.voice(wish.voices[0]), wish))
    way = 1 if wish.target.endswith("above") else -1
    tune = dict(zip(leader["onset"].tolist(), leader["pitch"].astype(np.int64).tolist(), strict=True))
    best, called = 0.0, ""
    for voice in new_voices(before, after):
        notes = voice.array
        apart = [
            (pitch - tune[tick]) * way
            for tick, pitch in zip(notes["onset"].tolist(), notes["pitch"].astype(np.int64).tolist(), strict=True)
            if tick in tune
        ]
        share = sum(by in _SECOND for by in apart) / max(1, len(notes), len(tune))
        if share > best:
            best, called = share, voice.name
    return best >= _MOST, f"{called or 'nobody'} goes with {best:.0%} of the notes of {wish.voices[0]}"


def played_with(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """A new voice plays what the old one plays, in whichever octave."""
    leader = inside(before, before.voice(wish.voices[0]), wish)
    wanted = set(zip(leader["onset"].tolist(), (leader["pitch"] % 12).tolist(), strict=True))
    player = instrument_named(wish.target)
    for voice in new_voices(before, after):
        notes = set(zip(voice.array["onset"].tolist(), (voice.array["pitch"] % 12).tolist(), strict=True))
        if notes == wanted and (player is None or voice.program in player.programs):
            return True, f"{voice.name} plays the {len(leader)} notes of {wish.voices[0]}"
    return False, f"nobody plays what {wish.voices[0]} plays"


def handed_over(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """A voice that was there plays what another one played, in whichever octave, and that one is silent."""
    given, taken = inside(before, before.voice(wish.voices[0]), wish), inside(after, after.voice(wish.target), wish)
    wanted, plays = (
        set(zip(rows["onset"].tolist(), (rows["pitch"] % 12).tolist(), strict=True)) for rows in (given, taken)
    )
    left = len(inside(after, after.voice(wish.voices[0]), wish))
    return not left and wanted <= plays, f"{wish.target} plays the {len(given)} notes of {wish.voices[0]}"


def moved_octaves(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The notes lie octaves higher or lower on the whole."""
    old, new = notes_of(before, wish), notes_of(after, wish)
    if not len(old) or not len(new):
        return False, "nothing sounds there"
    by, way = float(new["pitch"].mean() - old["pitch"].mean()), int(wish.target)
    fine = by * way > 0 and abs(by) >= _FAR + _OCTAVE * (abs(way) - 1)
    return fine, f"{by:+.1f} semitones on the average"


def spread(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Chords span more, or less, than they did; or are as close as chords can be, within an octave each."""
    wide, widest = [], 0
    for score in (before, after):
        reach = []
        for voice in _meant(score, wish):
            notes = inside(score, voice, wish)
            for onset in np.unique(notes["onset"]):
                pitches = notes["pitch"][notes["onset"] == onset]
                if len(pitches) > 1:
                    reach.append(int(pitches.max()) - int(pitches.min()))
        wide.append(float(np.mean(reach)) if reach else 0.0)
        widest = max(reach, default=_OCTAVE)
    if wish.target == "close" and widest < _OCTAVE and wide[1] <= wide[0]:
        return True, f"every chord lies within an octave; they span {wide[1]:.1f} semitones, {wide[0]:.1f} before"
    fine = wide[1] > wide[0] + 1 if wish.target == "open" else wide[1] < wide[0] - 1
    return fine, f"chords span {wide[1]:.1f} semitones, {wide[0]:.1f} before"


def richer(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """More, or fewer, chords sound with a seventh, and the tune's own notes are as they were."""
    shares = [_sevenths(score, wish) for score in (before, after)]
    fine = shares[1] < shares[0] if wish.quality == "plain" else shares[1] > shares[0]
    return fine, f"{shares[1]:.0%} of the chords have a seventh, {shares[0]:.0%} before"


def _sevenths(score: Score, wish: Wish) -> float:
    """The share of the chords in a wish's bars, of those its voices play, that have the seventh over their label.

    Where nobody plays but the tune, the labels are all that there is of chords.
    """
    line, names, alone, hits = chord_line(score), _meant(score, wish), _is_tune_alone(score), []
    bars = np.flatnonzero(bars_in(score, wish.where)).tolist()
    for start, end, chord in (row for bar in bars for row in line[bar]):
        tones = chord.classes if alone else _struck(names, start, end)
        if tones or not wish.voices:
            hits.append(bool(tones & {(chord.root_class + 10) % 12, (chord.root_class + 11) % 12}))
    return float(np.mean(hits)) if hits else 0.0


def _is_tune_alone(score: Score) -> bool:
    """Whether nobody plays pitches but the tune."""
    tune = tune_of(score)
    return not any(len(voice.array) for voice in score.voices if not voice.drums and voice.name != tune)


def _struck(voices: Sequence[Voice], start: int, end: int) -> frozenset[int]:
    """The pitch classes that some voices strike between two ticks."""
    rows = (voice.array["pitch"][starts_in(voice.array, [(start, end)])] for voice in voices)
    return frozenset(int(pitch) % 12 for row in rows for pitch in row)


def named(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The piece is called that."""
    return after.title == wish.target, f"the title is {after.title or 'none'}"


def nothing(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Nothing to hear: what comes back or goes on is compared as a whole."""
    return True, "the piece before the last change" if wish.quality == "undo" else "as said before"
