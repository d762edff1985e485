"""Keys: in which key a piece stands for which none is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.character import find_moods
from libretto.house.charts.chart import Chart
from libretto.house.core.dice import dice, weighted
from libretto.house.core.style import Style
from libretto.score import Key
from libretto.score.pitch import letter_name

__all__ = ["as_it_closes", "on_a_drone", "own_key"]

_A_DRONE = "drone"
_DOMINANT = "V7"  # as charts write it
_MARKED = 0.4  # a leaning this strong decides the mode
_SURE = 0.5  # and so does what moods say of the mode, where they are neither bright nor dark
_FLATS = 4  # or sharps of a minor key, at most, where a style says only what its major keys are
# Pipes with a drone, banjo, fiddle, tin whistle and dulcimer: tonics of their open strings and holes.
_OPEN = {105: ("G", "D", "A", "C"), **dict.fromkeys((15, 78, 109, 110), ("D", "G", "A"))}
_DRONED = {109: "mixolydian"}  # who has a scale of its own over a drone
_PLAIN = frozenset(  # moods of music that cadences in major or minor, and of what is too dark for a bright sixth
    ("romantic", "sentimental", "sweet", "brooding", "ominous", "menacing", "sinister", "suspenseful", "eerie")
)
_EERIE = frozenset(  # moods that decide the mode whatever bright one stands beside them: eerie yet playful
    ("eerie", "creepy", "spooky", "sinister", "ominous", "menacing", "macabre", "foreboding", "nightmarish")
)
_TONICS = ("C", "G", "D", "A", "F", "Bb", "Eb", "E")


def on_a_drone(contract: Contract) -> Contract:
    """A contract whose whole piece lies over a drone, and that names no chords, with the chord of its tonic all
    through."""
    held = any((ask.kind, ask.what, ask.where) == ("texture", "pedal", "") and _A_DRONE in ask.words.lower()
               for ask in contract.asks)  # fmt: skip
    if not held or contract.chords or contract.key is None or any(ask.kind == "chords" for ask in contract.asks):
        return contract
    tonic = letter_name(contract.key.tonic)
    return replace(contract, chords=(f"{tonic}m" if contract.key.is_minor else tonic,))


def as_it_closes(keyed: Contract, contract: Contract, chart: Chart) -> Contract:
    """A contract whose key was found by the style, not asked for, in plain major or minor where a chart of its own
    chords closes by dominant sevenths: a polka over the minor fifth of a mode loses its cadences."""
    key = keyed.key
    if key is None or contract.key or contract.scale or contract.chords or key.mode in ("major", "minor"):
        return keyed
    mode = "minor" if key.is_minor else "major"
    own = [scene.changes[mode] for scene in chart.scenes.values() if scene.changes.get(mode)]
    closing = [bars for bars in own if any(chord.startswith(_DOMINANT) for bar in bars for chord in bar.split("+"))]
    plain = bool(own) and 2 * len(closing) >= len(own)
    return replace(keyed, key=_readable(Key(key.tonic, mode))) if plain else keyed


def own_key(style: Style, contract: Contract, seed: int) -> Key:
    """The key of a piece for which none is asked: as its moods lean, else as the style likes."""
    modes = _modes(style, contract)
    mood = _leaning(contract)
    if contract.mood and abs(mood) >= _MARKED:
        fitting = {mode: weight for mode, weight in modes.items() if Key(0, mode).is_minor == (mood < 0)}
        modes = fitting or {"minor" if mood < 0 else "major": 1}
    weights = [weight * (1 + (mood if mode == "major" else -mood)) + 1e-6 for mode, weight in modes.items()]
    mode = weighted(list(modes), weights, seed, "mode")
    tonics: Sequence[str] = _lying_well(style.data.get("tonics", _TONICS), contract)
    if Key(0, mode).is_minor:
        plain = [name for name in tonics if abs(Key(Key.parse(name).tonic, mode).signature) <= _FLATS]
        tonics = style.data.get("tonics_minor", plain or tonics)
    tonic = Key.parse(tonics[dice(seed, "tonic").randrange(len(tonics))])
    return _readable(Key(tonic.tonic, mode))


def _modes(style: Style, contract: Contract) -> dict[str, float]:
    """How likely each mode of a style is; of some moods major and minor alone, and for pipes their own."""
    modes = dict(style.data.get("modes", {"major": 1}))
    piped = next((_DRONED[part.program] for part in contract.parts if part.program in _DRONED), "")
    if piped in modes:
        return {piped: 1.0}
    plain = {mode: weight for mode, weight in modes.items() if mode in ("major", "minor")}
    return plain if plain and _PLAIN.intersection(contract.mood) else modes


def _lying_well(tonics: Sequence[str], contract: Contract) -> Sequence[str]:
    """Those tonics that lie well for who leads, where its instrument has few keys: of its own, if none of them does."""
    leads = [part.program for part in contract.parts if part.role == "lead" and part.program in _OPEN]
    own = _OPEN.get(leads[0] or 0, ()) if leads else tonics
    return [name for name in tonics if name in own] or list(own)


def _leaning(contract: Contract) -> float:
    """How far moods lean towards major or, below nought, minor: by how bright they are, else by what they say of the
    mode."""
    if _EERIE.intersection(contract.mood):
        return -1.0
    said = find_moods(", ".join(contract.mood))[1].mode
    return contract.brightness if abs(contract.brightness) >= _MARKED or abs(said) < _SURE else said


def _readable(key: Key) -> Key:
    """The same key, spelled with fewer accidentals where it has more than six."""
    tonic = key.tonic + (12 if key.signature < -6 else -12 if key.signature > 6 else 0)
    return Key(tonic, key.mode)
