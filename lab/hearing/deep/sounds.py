"""Single sounds to teach with: strokes of kits and notes of instruments, from soundfonts, Hydrogen kits and patches.

Every sound is kept at 22,050 Hz as whole numbers of 16 bits, its peak near full scale; how loud it is in its kit or
instrument is said beside it. Sources are folders and files of whoever teaches; nothing of them is shipped.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from lab.hearing.material import Played
from lab.hearing.sounding import RATE, by_font
from libretto.errors import LibrettoError
from libretto.score.table import Singles
from libretto.sound.encode import resampled

__all__ = [
    "GROUPS",
    "Sound",
    "font_kit",
    "font_notes",
    "group_of",
    "hydrogen_kit",
    "loose_kit",
    "patch_kit",
    "patch_notes",
]

#: Kinds of strokes, in the order of their numbers, and the keys of the percussion map that are of each kind.
GROUPS: dict[str, tuple[int, ...]] = {
    "kick": (35, 36), "snare": (38, 40), "stick": (37,), "clap": (39,), "closed": (42,), "pedal": (44,), "open": (46,),
    "crash": (49, 57, 52, 55), "ride": (51, 59), "bell": (53,), "tom low": (41, 43), "tom": (45, 47),
    "tom high": (48, 50),
    "tambourine": (54,), "cowbell": (56, 67, 68), "hand": (60, 61, 62, 63, 64, 65, 66, 78, 79), "shaker": (69, 70, 82),
    "block": (75, 76, 77, 31, 73, 74), "ring": (58, 71, 72, 80, 81, 83, 84),
}  # fmt: skip
_NAMES = (
    (r"ride.?bell|ride-cup|^bell$|paiste bell", "bell"), (r"crash|china|splash|cymbal", "crash"), (r"ride", "ride"),
    (r"stick|rim ?click|click", "stick"), (r"clap|snap", "clap"), (r"snare|rimshot|^sn_|cajon slap", "snare"),
    (r"pedal|hat 1 pd", "pedal"), (r"open|ohh|hat.* op\b|semi|free|swish", "open"), (r"hh|hat", "closed"),
    (r"kick|bass ?drum|^bd_|thump|drum_bass", "kick"), (r"floor|tom.?lo", "tom low"), (r"tom.?hi|tom 1", "tom high"),
    (r"tom", "tom"), (r"tambourine", "tambourine"), (r"cowbell|agogo", "cowbell"), (r"maraca|shaker", "shaker"),
    (r"clave|wood|block", "block"), (r"conga|bongo|djembe|sangban|dununba|kenkeni|tabla", "hand"),
    (r"glass|triangle", "ring"),
)  # fmt: skip
_SILENT = 1e-3
_LONGEST = {"crash": 1.0, "ride": 0.9, "open": 0.8, "bell": 0.8, "ring": 0.6}  # seconds of a stroke that are kept
_USUAL = 0.5
_FADE = 0.05  # seconds
_FAINT = 0.003  # of the peak: what comes after is cut off
_MOST_LAYERS = 3
_SPACING = 1.2  # seconds from one stroke of a font to the next
_HELD = 1.7  # seconds that a note of an instrument is held
_PAT_HEAD, _PAT_SAMPLE = 239, 96  # bytes of a patch before its sounds, and before the samples of each


class Sound(NamedTuple):
    """A sound: who plays it, which kind of stroke or which pitch it is, how loud it is there, and its samples."""

    player: str
    what: float
    gain: float
    samples: np.ndarray


def group_of(key: int) -> int | None:
    """The number of the kind of stroke that a key of the percussion map is, None for none."""
    return next((number for number, keys in enumerate(GROUPS.values()) if key in keys), None)


def _sound(player: str, what: float, samples: Singles, longest: float, scale: float = 1.0) -> Sound | None:
    """A sound cut where it has died away, with the silence before it taken off."""
    peak = float(np.abs(samples).max(initial=0.0))
    if peak < _SILENT * scale:
        return None
    loud = np.flatnonzero(np.abs(samples) > 0.02 * peak)
    begin = max(0, int(loud[0]) - 20)
    rows = samples[begin : begin + int(longest * RATE)]
    last = int(np.flatnonzero(np.abs(rows) > _FAINT * peak)[-1]) + 1
    rows = rows[: max(last, 400)].astype(np.float64)
    fade = min(len(rows), int(_FADE * RATE))
    rows[-fade:] *= np.linspace(1, 0, fade)
    return Sound(player, what, peak, np.round(rows / peak * 32000).astype(np.int16))


def _levelled(sounds: Sequence[Sound | None]) -> list[Sound]:
    """The sounds of one player, the loudest of which is one."""
    kept = [sound for sound in sounds if sound is not None]
    loudest = max((sound.gain for sound in kept), default=1.0)
    return [sound._replace(gain=sound.gain / loudest) for sound in kept]


def _length(group: int) -> float:
    return _LONGEST.get(list(GROUPS)[group], _USUAL)


def font_kit(font: Path, program: int, louds: Sequence[int] = (60, 115)) -> list[Sound]:
    """The strokes of one kit of a soundfont."""
    keys = [key for group in GROUPS.values() for key in group[:2]]
    strokes = [(key, loud) for key in keys for loud in louds]
    notes = [
        Played(place * _SPACING, place * _SPACING + 0.4, key, loud, program, True)
        for place, (key, loud) in enumerate(strokes)
    ]
    sound = by_font(notes, font)
    player, sounds = f"{font.stem} {program}", []
    for place, (key, _) in enumerate(strokes):
        group = group_of(key)
        piece = sound[int(place * _SPACING * RATE) : int((place + 1) * _SPACING * RATE)]
        sounds.append(_sound(player, float(group or 0), piece, _length(group or 0), float(np.abs(sound).max())))
    return _levelled(sounds)


def _named(name: str) -> int | None:
    low = name.lower()
    return next((list(GROUPS).index(group) for sign, group in _NAMES if re.search(sign, low)), None)


def _read(path: Path) -> Singles | None:
    import soundfile

    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (OSError, soundfile.LibsndfileError):
        return None
    return resampled(np.ascontiguousarray(samples.mean(axis=1)), rate, RATE, extra="listen")


def hydrogen_kit(folder: Path) -> list[Sound]:
    """The strokes of a kit of the drum machine Hydrogen: of each drum up to three layers."""
    text = (folder / "drumkit.xml").read_text(encoding="utf-8", errors="replace")
    root = ElementTree.fromstring(re.sub(r'xmlns(:\w+)?="[^"]*"|xsi:\w+="[^"]*"', "", text))
    sounds: list[Sound | None] = []
    for drum in root.iter("instrument"):
        group = _named(drum.findtext("name") or "")
        files = [layer.findtext("filename") for layer in drum.iter("layer")] or [drum.findtext("filename")]
        places = sorted({round(place) for place in np.linspace(0, len(files) - 1, min(_MOST_LAYERS, len(files)))})
        for place in places if group is not None else []:
            samples = _read(folder / str(files[place]))
            if samples is not None and len(samples):
                sounds.append(_sound(folder.name, float(group or 0), samples, _length(group or 0)))
    return _levelled(sounds)


def loose_kit(folder: Path, wanted: str) -> list[Sound]:
    """Strokes from a folder of sounds whose names say what they are."""
    sounds = []
    for path in sorted(folder.glob("*.flac")):
        group = _named(path.stem) if re.match(wanted, path.stem) else None
        samples = _read(path) if group is not None else None
        if samples is not None:
            sounds.append(_sound(folder.name, float(group or 0), samples, _length(group or 0)))
    return _levelled(sounds)


def font_notes(font: Path, program: int, pitches: Sequence[int], loud: int = 100) -> list[Sound]:
    """Notes of an instrument of a soundfont, held for a while."""
    space = _HELD + 0.6
    notes = [
        Played(place * space, place * space + _HELD, pitch, loud, program, False) for place, pitch in enumerate(pitches)
    ]
    try:
        sound = by_font(notes, font)
    except LibrettoError:
        return []
    pieces = [sound[int(place * space * RATE) : int((place * space + _HELD) * RATE)] for place in range(len(pitches))]
    return _levelled(
        [_whole(f"{font.stem} {program}", pitch, piece, sound) for pitch, piece in zip(pitches, pieces, strict=True)]
    )


def _whole(player: str, pitch: float, piece: Singles, beside: Singles) -> Sound | None:
    """A note from its very start, however slowly it begins."""
    peak = float(np.abs(piece).max(initial=0.0))
    if peak < _SILENT * float(np.abs(beside).max(initial=1.0)):
        return None
    return Sound(player, pitch, peak, np.round(piece / peak * 32000).astype(np.int16))


def _patched(path: Path) -> Iterator[tuple[float, Singles, int, int]]:
    """The sounds of a patch: pitch, samples at 22,050 Hz, and between which of them it goes round."""
    data = path.read_bytes()
    at = _PAT_HEAD
    while at + _PAT_SAMPLE <= len(data):
        size, begin, end, rate = struct.unpack_from("<IIIH", data, at + 8)
        (root,) = struct.unpack_from("<I", data, at + 30)
        mode = data[at + 55]
        raw = data[at + _PAT_SAMPLE : at + _PAT_SAMPLE + size]
        at += _PAT_SAMPLE + size
        wide = bool(mode & 1)
        samples = np.frombuffer(raw[: len(raw) // 2 * 2] if wide else raw, dtype="<i2" if wide else "i1").astype(
            np.float32
        )
        if mode & 2:
            samples = samples - (32768.0 if wide else 128.0)
        if not len(samples) or not rate or not root:
            continue
        by = RATE / rate / (2 if wide else 1)
        pitch = 69 + 12 * float(np.log2(root / 1000 / 440))
        scaled = resampled(samples / (32768.0 if wide else 128.0), rate, RATE, extra="listen")
        turns = (int(begin * by), int(end * by)) if mode & 4 else (0, 0)
        yield pitch, scaled, *turns


def patch_kit(folder: Path) -> list[Sound]:
    """The strokes of a folder of patches named by their keys."""
    sounds = []
    for path in sorted(folder.glob("*.pat")):
        group = group_of(int(path.stem[:3]))
        for _, samples, _, _ in _patched(path) if group is not None else ():
            sounds.append(_sound(folder.parent.name, float(group or 0), samples, _length(group or 0)))
    return _levelled(sounds)


def patch_notes(path: Path, most: int = 6) -> list[Sound]:
    """Notes of an instrument that is a patch, held by going round in them."""
    every = list(_patched(path))
    places = sorted({round(place) for place in np.linspace(0, len(every) - 1, min(most, len(every)))})
    sounds = []
    for pitch, samples, begin, end in (every[place] for place in places):
        rows = samples
        while begin < end <= len(samples) and len(rows) < _HELD * RATE and end - begin > 2:
            rows = np.concatenate((rows[: max(end, len(rows))], samples[begin:end]))
        rows = rows[: int(_HELD * RATE)]
        sounds.append(_whole(f"{path.parent.parent.name} {path.stem}", pitch, rows, rows))
    return _levelled(sounds)
