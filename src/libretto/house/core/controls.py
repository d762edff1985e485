"""Controls: the few named knobs by which findings steer the house composer, and nothing else does.

Every knob is 0 as the style has it; 1 is much more and -1 much less. A finding about an axis turns the knobs that its
row in ``_KNOBS`` names; what the rounds did to them is part of the run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from libretto.gates import Finding
from libretto.tasks.revise.wish import qualities

__all__ = ["Controls", "leaning", "steer"]


@dataclass(frozen=True)
class Controls:
    """How far each knob is turned."""

    density: float = 0.0  # notes a bar
    offbeats: float = 0.0  # syncopation of all parts
    lengths: float = 0.0  # how long notes are held
    harmonic_rhythm: float = 0.0  # chords a bar
    color: float = 0.0  # sevenths, borrowed and chromatic chords
    leaps: float = 0.0  # leaps against steps in the melody
    variation: float = 0.0  # change against repetition
    melody_register: float = 0.0
    bass_register: float = 0.0
    layers: float = 0.0  # parts playing at once
    size: float = 0.0  # notes in a chord
    touch: float = 0.0  # unevenness of loudness
    drums: float = 0.0  # how busy the drums are
    swing: float = 0.0
    tempo: float = 0.0
    departure: float = 0.0  # how long a morph stays with its source
    arrival: float = 0.0  # how long it stays with its target
    joining: float = 0.0  # how much bars that are written into a song must go over into it

    def to_dict(self) -> dict[str, float]:
        """The knobs that are turned."""
        return {name: round(value, 3) for name, value in asdict(self).items() if value}

    def turned(self, name: str, amount: float) -> Controls:
        """The same with one knob turned, never beyond much more or much less."""
        value = max(-1.0, min(1.0, getattr(self, name) + amount))
        return replace(self, **{name: value})


#: Which knobs raise an axis, and how strongly.
_KNOBS: dict[str, tuple[tuple[str, float], ...]] = {
    "syncopation_rate": (("offbeats", 1),),
    "onset_density": (("density", 1), ("layers", 0.5)),
    "onset_position_entropy": (("offbeats", 0.7), ("variation", 0.5)),
    "duration_cv": (("lengths", 0.6), ("variation", 0.3)),
    "mean_duration": (("lengths", 1), ("density", -0.3)),
    "density_variability": (("variation", 0.7),),
    "chromaticism": (("color", 1),),
    "distinct_pitch_classes": (("color", 0.7),),
    "pitch_class_entropy": (("color", 0.7),),
    "chord_change_rate": (("harmonic_rhythm", 0.8), ("density", 0.3)),
    "chord_vocabulary_density": (("harmonic_rhythm", 0.5), ("color", 0.6), ("variation", 0.4)),
    "root_motion_entropy": (("color", 0.4), ("variation", 0.5)),
    "diminished_augmented_color": (("color", 1),),
    "pitch_range": (("melody_register", 0.6), ("bass_register", -0.6)),
    "step_ratio": (("leaps", -1),),
    "interval_entropy": (("leaps", 0.8),),
    "leap_ratio": (("leaps", 1),),
    "melody_voice_range": (("leaps", 0.6), ("melody_register", 0.3)),
    "melody_note_length": (("lengths", 0.5), ("density", -0.8)),
    "voice_count": (("layers", 1),),
    "active_voice_density": (("layers", 1),),
    "parts_together": (("layers", 0.7), ("offbeats", -0.4)),
    "resting_parts": (("layers", -1),),
    "mean_simultaneity": (("size", 1),),
    "maximum_chord_width": (("size", 0.8),),
    "chord_size": (("size", 0.6), ("color", 0.6)),
    "self_similarity": (("variation", -1),),
    "novelty_rate": (("variation", 1),),
    "distinct_bar_fraction": (("variation", 1),),
    "sections_per_100_bars": (("variation", 0.5),),
    "within_song_variation": (("variation", 0.8),),
    "two_bar_return": (("variation", -1),),
    "rhythm_vocabulary": (("variation", 0.6), ("offbeats", 0.4)),
    "tempo": (("tempo", 1),),
    "swing": (("swing", 1),),
    "percussion_share": (("drums", 1), ("layers", -0.3)),
    "percussion_variety": (("drums", 0.5), ("variation", 0.5)),
    "hat_density": (("drums", 1),),
    "kick_on_beat": (("offbeats", -0.6),),
    "comping_on_beat": (("offbeats", -1),),
    "bass_register": (("bass_register", 1),),
    "bass_step_ratio": (("leaps", -0.6),),
    "touch_variety": (("touch", 1),),
    "beat_accent": (("touch", 0.6),),
    "loudness_drift": (("touch", 0.7),),
    "minor_leaning": (("color", 0.3),),
}
#: Which knobs answer what a gate finds, whatever axis it is about.
_BY_GATE: dict[str, tuple[tuple[str, float], ...]] = {
    "start": (("departure", 1),),
    "end": (("arrival", 1),),
    "seams": (("joining", 1),),
}
_TURN, _FADING = 0.5, 0.8


def steer(controls: Controls, findings: Sequence[Finding], knobs: Collection[str] | None = None) -> Controls:
    """Turn the knobs as findings ask: the first one most, each further one less; only those named where some are."""
    amount = _TURN
    for finding in findings:
        answers = _BY_GATE.get(finding.gate)
        wanted = finding.wanted if answers is None else 1
        turned = [knob for knob in answers or _KNOBS.get(finding.axis, ()) if knobs is None or knob[0] in knobs]
        for name, strength in turned:
            controls = controls.turned(name, amount * strength * wanted)
        if turned:
            amount *= _FADING
    return controls


#: Which knobs lean towards a quality that a listener usually wants more of, beside those that the quality names itself.
_LEANS = {
    "speed": {"tempo": 1.0},
    "height": {"melody_register": 1.0},
    "length": {"lengths": 1.0},
    "busy": {"density": 1.0},
}
_LEAN = 0.3


def leaning(controls: Controls, taste: Mapping[str, int]) -> Controls:
    """The knobs turned a little towards a taste: qualities of which more (1) or less (-1) is usually wanted."""
    for name, way in sorted(taste.items()):
        knobs = _LEANS.get(name) or (qualities()[name].knobs if name in qualities() else {})
        for knob, strength in knobs.items():
            controls = controls.turned(knob, _LEAN * strength * way)
    return controls
