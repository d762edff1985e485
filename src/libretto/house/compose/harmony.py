"""Harmony: the chords of every bar, from the brief's progression or the style's, with cadences where sections close."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from libretto.contract.degrees import read_degree
from libretto.errors import LibrettoError
from libretto.house.compose.form import Section
from libretto.house.core.controls import Controls
from libretto.house.core.dice import Dice, dice
from libretto.house.core.style import Style
from libretto.score import Key, parse_chord
from libretto.score.pitch import letter_name

__all__ = ["asked_chords", "closed_chords", "numeral_label", "plan_chords", "steered_chords"]

Bars = list[tuple[str, ...]]
_MINOR_THIRD = 3  # semitones
#: How far a degree is spelled from its root, in fifths.
_FIFTHS_TO_DEGREE = {"2": 2, "3": 4, "4": -1, "5": 1, "7": -2}
_FIFTHS_TO_MINOR_THIRD = -3
#: Chords that may stand for each other.
_SAME_FUNCTION = {
    "I": ("vi", "iii"), "vi": ("I", "IV"), "IV": ("ii",), "ii": ("IV",), "iii": ("vi",), "Imaj7": ("iii7", "vi7"),
    "vi7": ("Imaj7", "iii7"), "ii7": ("IVmaj7",), "IVmaj7": ("ii7",), "i": ("VI",), "iv": ("VI",), "VI": ("iv",),
    "VII": ("v", "III"), "III": ("VII", "i"), "i7": ("VImaj7",), "iv7": ("VImaj7",),
}  # fmt: skip


def _tonic_chord(key: Key, style: Style) -> str:
    """The chord of the tonic as a piece in that style closes on it."""
    mode = "minor" if key.is_minor else "major"
    wanted = style.setting("ending", key.mode, "") or style.setting("ending", mode, "")
    numeral = wanted or ("i" if key.is_minor else "I")
    return numeral_label(numeral, key)


def plan_chords(style: Style, key: Key, sections: Sequence[Section], seed: int, controls: Controls) -> Bars:
    """The chords of every bar by the style's progressions; the last bar is the tonic's."""
    bars = _of_style(style, key, sections, seed, controls)
    return closed_chords(bars, key, style)


#: Which degrees lead home best, in semitones above the tonic.
_LEADING = (7, 11, 10, 5, 2, 1, 8, 4, 9, 3, 6)
#: Those that lead home when they stand last, and which degrees prepare them best.
_HOMEWARD = (5, 7, 10, 11, 1)
_DRAWN = (7, 10, 11)  # that need no more than half a bar for it
_FALLING = (1, 5, 8)  # nor do these, where there is no dominant
_PREPARING = (5, 2, 8, 9, 10, 3, 4, 7, 11, 1, 6)
_DOMINANT, _CADENCE = 7, 3  # semitones; chords of a cadence


def asked_chords(asked: Sequence[str], total: int, key: Key, style: Style) -> Bars:
    """The progression that was asked for, round and round; where it does not come home by itself its last round does:
    its last two chords share a bar before the tonic, or where the round is cut short, or has a dominant in its middle,
    the chord among them that leads home best goes before it."""
    bars = _cycle(asked, total)
    tonic = key.tonic_class
    roots = {label: chord.root_class for label in asked if (chord := parse_chord(label)) is not None}
    if roots.get(bars[-1][-1]) == tonic:
        bars[-1] = (_grounded(bars[-1][-1], roots),)
        return bars
    home = next((label for label, root in roots.items() if root == tonic), None)
    home = _grounded(home, roots) if home else _tonic_chord(key, style)
    bars[-1] = (home,)
    if _drawn(asked, roots, tonic) and len(asked) >= _CADENCE and total >= len(asked) and not total % len(asked):
        bars[-2] = tuple(asked[-2:])
        return bars
    before = _leading(asked, roots, tonic)
    if total > 1 and before and roots.get(bars[-2][-1]) != roots.get(before):
        bars[-2] = (before,)
        _prepared(bars, asked, before, roots, tonic)
    return bars


def _grounded(home: str, roots: Mapping[str, int]) -> str:
    """A chord on which a piece comes to an end, with its root in the bass: the one among those asked for that has it
    there, else without what was asked for under it."""
    chords = {label: parse_chord(label) for label in (home, *(one for one in roots if roots[one] == roots[home]))}
    firm = (label for label, chord in chords.items() if chord is not None and chord.bass_class == chord.root_class)
    return next(firm, home.rpartition("/")[0])


def _leading(asked: Sequence[str], roots: Mapping[str, int], tonic: int) -> str:
    """The chord that leads home best among those asked for: a dominant with its leading note, else the last if it leads
    home at all, else the nearest to one; empty where there is no other than the tonic."""
    others = [label for label, root in roots.items() if root != tonic]
    strong = _strong(roots, tonic)
    last = asked[-1] if asked[-1] in others and (roots[asked[-1]] - tonic) % 12 in _HOMEWARD else ""
    if strong or last:
        return strong[0] if strong else last
    return min(others, key=lambda label: _LEADING.index((roots[label] - tonic) % 12), default="")


def _drawn(asked: Sequence[str], roots: Mapping[str, int], tonic: int) -> bool:
    """Whether the last chord of a round leads home from half a bar."""
    leads = (roots.get(asked[-1], tonic) - tonic) % 12
    return leads in _DRAWN or (leads in _FALLING and not _strong(roots, tonic))


def _strong(roots: Mapping[str, int], tonic: int) -> list[str]:
    """The dominants with their leading notes."""
    return [label for label, root in roots.items() if (root - tonic) % 12 == _DOMINANT and _is_major(label)]


def _prepared(bars: Bars, asked: Sequence[str], before: str, roots: Mapping[str, int], tonic: int) -> None:
    """The bar before the last two has what goes there in the progression, or what prepares the chord that leads home,
    and not that chord itself."""
    if len(bars) < _CADENCE or len(bars[-3]) > 1 or len(asked) < _CADENCE:
        return
    ahead = asked[asked.index(before) - 1]
    others = [label for label in roots if roots[label] not in (tonic, roots[before])]
    if ahead in others:
        bars[-3] = (ahead,)
    elif roots.get(bars[-3][-1]) == roots[before] and others:
        bars[-3] = (min(others, key=lambda label: _PREPARING.index((roots[label] - tonic) % 12)),)


def _is_major(label: str) -> bool:
    """Whether a chord has a major third."""
    chord = parse_chord(label)
    return chord is not None and (chord.root_class + 4) % 12 in chord.classes


def _cycle(asked: Sequence[str], total: int) -> Bars:
    """The progression as asked, a chord a bar, round and round; several a bar where there are more chords than bars."""
    size = -(-len(asked) // total)
    if size > 1:
        groups = [tuple(asked[at : at + size]) for at in range(0, len(asked), size)]
        return [groups[bar % len(groups)] for bar in range(total)]
    return [(asked[bar % len(asked)],) for bar in range(total)]


def _of_style(style: Style, key: Key, sections: Sequence[Section], seed: int, controls: Controls) -> Bars:
    table = style.data["harmony"]
    mode = key.mode if key.mode in table else "minor" if key.is_minor else "major"
    bars: Bars = []
    for index, section in enumerate(sections):
        own = key.mode if key.mode in table else mode
        choices = _progressions(table, own, section.letter, section.kind)
        source = dice(seed, "progression", section.letter)
        chosen = choices[source.randrange(len(choices))]
        if source.random() < float(style.setting("harmony", "walks", 0.9)):
            chosen = _rewalked(chosen, _moves_of(_all_progressions(table, own)), source)
        numerals = _substituted([tuple(bar.split("+")) for bar in chosen.split()], style, section.letter, seed)
        follows = sections[index + 1] if index + 1 < len(sections) else None
        filled = [numerals[bar % len(numerals)] for bar in range(section.bars)]
        if follows is not None and section.bars % len(numerals):
            filled[-1] = tuple(style.setting("harmony", "turn", "V7").split("+"))
        bars += [tuple(numeral_label(numeral, key) for numeral in bar) for bar in filled]
    return steered_chords(bars, seed, controls)


def steered_chords(bars: Bars, seed: int, controls: Controls) -> Bars:
    """The same chords, changing slower or quicker and coloured as the knobs ask."""
    quicker = _quicker(bars, controls)
    return [tuple(_colored(label, controls, seed, number) for label in bar) for number, bar in enumerate(quicker)]


def _substituted(numerals: list[tuple[str, ...]], style: Style, letter: str, seed: int) -> list[tuple[str, ...]]:
    """The progression with a chord here and there replaced by one of the same function; its ends stay."""
    free = float(style.setting("harmony", "free", 0.3))
    made = list(numerals)
    for place in range(1, len(made) - 1):
        others = _SAME_FUNCTION.get(made[place][0]) if len(made[place]) == 1 else None
        source = dice(seed, "substitute", letter, place)
        leads = "/" in made[place - 1][-1] or made[place - 1][-1].startswith(("V7", "bII", "vii"))
        if others and not leads and source.random() < free:  # what was led to is not taken away
            other = source.choice(others)
            if (other,) not in (made[place - 1], made[place + 1]):
                made[place] = (other,)
    return made


def _all_progressions(table: dict[str, object], mode: str) -> list[str]:
    """Every progression of a mode."""
    named = table.get(mode) or table.get("major") or table.get("minor")
    return [progression for row in named.values() for progression in row] if isinstance(named, dict) else []


def _progressions(table: dict[str, object], mode: str, letter: str, kind: str) -> list[str]:
    """The progressions for a section: by mode and kind, by mode and letter, else any of the mode."""
    named = table.get(mode) or table.get("major") or table.get("minor")
    if not isinstance(named, dict) or not named:
        raise LibrettoError("a style's harmony has a table [harmony.major] or [harmony.minor]")
    return list(named.get(kind) or named.get(letter) or next(iter(named.values())))


def numeral_label(numeral: str, key: Key) -> str:
    """The chord that a Roman numeral stands for in a key; ``I/3`` has its third in the bass."""
    bass = ""
    if "/" in numeral and numeral.split("/")[1].isdigit():  # I/3: the third in the bass
        numeral, degree = numeral.split("/")
        bass = degree
    read = read_degree(numeral)
    if read is None:
        raise LibrettoError(f"{numeral!r} is not a Roman numeral")
    label = read.label(key)
    return f"{label}/{letter_name(_bass_note(label, bass))}" if bass else label


def _bass_note(label: str, degree: str) -> int:
    """The spelling of a degree above the root of a chord; its own third where it has a minor one, else a major one."""
    chord = parse_chord(label)
    if chord is None:
        raise LibrettoError(f"{label!r} is not a chord, so nothing of it can be in the bass")
    minor = degree == "3" and _MINOR_THIRD in chord.intervals
    return chord.root + (_FIFTHS_TO_MINOR_THIRD if minor else _FIFTHS_TO_DEGREE[degree])


def _quicker(bars: Sequence[tuple[str, ...]], controls: Controls) -> list[tuple[str, ...]]:
    """Slower or quicker changes: chords held over two bars, or two bars' chords in one before a close."""
    made = list(bars)
    if controls.harmonic_rhythm <= -0.4:
        for place in range(1, len(made) - 1, 2):
            made[place] = made[place - 1][-1:]
    elif controls.harmonic_rhythm >= 0.4:
        for place in range(2, len(made) - 1, 4):
            if len(made[place]) == 1 and made[place] != made[place + 1]:
                made[place] = (made[place][0], made[place + 1][0])
    return made


def _colored(label: str, controls: Controls, seed: int, bar: int) -> str:
    """A chord with a seventh or ninth more, or without, as the control asks."""
    chord = parse_chord(label)
    if chord is None or "/" in label:
        return label
    root = label[: len(label) - len(chord.quality)] if chord.quality else label
    chance = dice(seed, "color", bar, label).random()
    if controls.color > 0 and chance < controls.color:
        return root + {"": "6" if chance < 0.15 else "maj7", "m": "m7", "7": "9", "m7": "m9", "maj7": "maj9"}.get(
            chord.quality, chord.quality
        )
    if controls.color < 0 and chance < -controls.color:
        return root + {"maj7": "", "m7": "m", "9": "7", "m9": "m7", "maj9": "maj7", "6": "", "7b9": "7"}.get(
            chord.quality, chord.quality
        )
    return label


def closed_chords(bars: Bars, key: Key, style: Style) -> Bars:
    """The same, closing on the tonic: what the last bar held moves into the bar before."""
    tonic = key.tonic_class
    last = parse_chord(bars[-1][-1])
    if last is not None and last.root_class == tonic:
        bars[-1] = bars[-1][-1:]
        return bars
    if len(bars) > 1:
        before = bars[-2][0]
        bars[-2] = (before, bars[-1][0]) if before != bars[-1][0] else (before,)
    bars[-1] = (_tonic_chord(key, style),)
    return bars


Moves = Mapping[str, Mapping[str, int]]
_SHORTEST, _LONGEST = 4, 10


def _moves_of(progressions: Iterable[str]) -> dict[str, Counter[str]]:
    """How often each bar is followed by each other bar, over all progressions."""
    moves: dict[str, Counter[str]] = defaultdict(Counter)
    for progression in progressions:
        for bar, after in pairwise(progression.split()):
            moves[bar][after] += 1
    return dict(moves)


def _rewalked(progression: str, moves: Moves, source: Dice) -> str:
    """Another progression of the same length with the same first and last bar; the same one where there is no other."""
    bars = progression.split()
    size = len(bars)
    if not _SHORTEST <= size <= _LONGEST:
        return progression
    reach = _reach(bars[-1], moves, size)
    walk = [bars[0]]
    for place in range(1, size - 1):
        choices = {
            bar: count
            for bar, count in moves.get(walk[-1], {}).items()
            if bar in reach[size - 1 - place] and not (bar == walk[-1] and len(walk) > 1 and walk[-2] == bar)
        }
        if not choices:
            return progression
        names = sorted(choices)
        walk.append(source.choices(names, [choices[name] for name in names])[0])
    return " ".join([*walk, bars[-1]])


def _reach(last: str, moves: Moves, size: int) -> list[set[str]]:
    """For every number of steps the bars from which the last one can be reached in exactly so many."""
    reach = [{last}]
    for _ in range(size):
        reach.append({bar for bar, after in moves.items() if set(after) & reach[-1]})
    return reach
