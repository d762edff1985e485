"""Feedback within the brief: what a contract leaves nobody free to change, and which advice would ask for just that.

A *limit* is something that a contract fixes and that advice could go against: its players, that there are no drums,
its speed, its chords. For every axis a table says which limits go against having more of it and which against having
less. Whoever speaks of an axis asks here first; what a limit goes against is not said, and where an axis lies as it
does because of a limit, it does not count against the piece.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from libretto.axes import axes
from libretto.gates.finding import Finding

if TYPE_CHECKING:
    from libretto.contract import Contract, Part
    from libretto.contract.instruments import Instrument

__all__ = ["AGAINST", "LIMITS", "excused_axes", "goes_against", "limits_of", "within_brief"]

_LEANS = 0.4  # a leaning as strong as this is one that the contract checks
_FEW = 3  # players; of more, some may play together while others rest
_KIT = ({35, 36}, {38, 40}, {42, 44, 46})  # keys of its kick, snare and hi-hat
_BASS = 48  # a part that reaches below this pitch can be a bass
_FOUR = 4  # beats of a bar with a backbeat
_PITCHED = ("harmony", "melody", "lines", "tonality")  # families of axes that percussion has no part in
_MIDDLE = 50  # the percentile of typical music


def _instrument(part: Part) -> Instrument:
    from libretto.contract.checks.parts import (
        instrument_of,
    )  # slow to import, and needed only where a part is asked for

    return instrument_of(part)


def _drum_parts(contract: Contract) -> list[Part]:
    return [part for part in contract.parts if part.drums]


def _pitched_parts(contract: Contract) -> list[Part]:
    return [part for part in contract.parts if not part.drums]


def _drumless(contract: Contract) -> bool:
    """Whether percussion is excluded, or players are named and none of them drums."""
    named = bool(contract.parts) and not _drum_parts(contract) and contract.drums is not True
    return contract.drums is False or named


def _kitless(contract: Contract) -> bool:
    """Whether there are no drums, or only such as have no kick, snare and hi-hat."""
    drums = _drum_parts(contract)
    kits = (set(_instrument(part).keys) for part in drums)
    return _drumless(contract) or (bool(drums) and not any(all(keys & piece for piece in _KIT) for keys in kits))


def _single_notes(contract: Contract) -> bool:
    """Whether every pitched player that was asked for plays one note at a time."""
    parts = _pitched_parts(contract)
    return bool(parts) and all(_instrument(part).polyphony == 1 for part in parts)


def _bassless(contract: Contract) -> bool:
    """Whether no player that was asked for can play a bass."""
    parts = _pitched_parts(contract)
    return bool(contract.parts) and all(_instrument(part).low >= _BASS for part in parts)


def _off_four(contract: Contract) -> bool:
    return contract.meter is not None and contract.meter.ticks != _FOUR * contract.meter.beat


#: Every limit by name: whether a contract has it.
LIMITS: Mapping[str, Callable[[Contract], bool]] = {
    "tempo": lambda contract: contract.tempo_bpm is not None,
    "bars": lambda contract: contract.bars is not None,
    "form": lambda contract: bool(contract.form),
    "key": lambda contract: contract.key is not None or bool(contract.chords),
    "major": lambda contract: contract.key is not None and not contract.key.is_minor,
    "minor": lambda contract: contract.key is not None and contract.key.is_minor,
    "chords": lambda contract: bool(contract.chords),
    "parts": lambda contract: bool(contract.parts),
    "few": lambda contract: 0 < len(contract.parts) <= _FEW,
    "alone": lambda contract: len(contract.parts) == 1 and (contract.drums is not True or contract.parts[0].drums),
    "one line": lambda contract: len(contract.parts) == 1 and _single_notes(contract) and contract.drums is not True,
    "single notes": _single_notes,
    "no bass": _bassless,
    "no drums": _drumless,
    "no kit": _kitless,
    "drums alone": lambda contract: bool(contract.parts) and not _pitched_parts(contract),
    "off four": _off_four,
    "compound": lambda contract: contract.meter is not None and contract.meter.is_compound,
    "soft": lambda contract: contract.dynamics <= -_LEANS,
    "loud": lambda contract: contract.dynamics >= _LEANS,
    "sparse": lambda contract: contract.density <= -_LEANS,
    "busy": lambda contract: contract.density >= _LEANS,
    "low": lambda contract: contract.register <= -_LEANS,
    "high": lambda contract: contract.register >= _LEANS,
    "dark": lambda contract: contract.brightness <= -_LEANS,
    "bright": lambda contract: contract.brightness >= _LEANS,
    "fade": lambda contract: contract.ending == "fade",
    "ending": lambda contract: bool(contract.ending),
}

_BOTH_CHORDS = (("chords",), ("chords",))
_BOTH_BASS = (("chords", "no bass", "one line"), ("chords", "no bass", "one line"))
_BOTH_KIT = (("no kit",), ("no kit",))
_BOTH_PARTS = (("parts",), ("parts",))
_BOTH_ALONE = (("alone",), ("alone",))
#: For every axis that a limit can speak of: what goes against more of it, and what against less.
AGAINST: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "onset_density": (("sparse",), ("busy",)),
    "triplet_share": ((), ("compound",)),
    "chromaticism": (("key", "chords"), ("chords",)),
    "distinct_pitch_classes": (("key", "chords"), ("chords",)),
    "pitch_class_entropy": _BOTH_CHORDS,
    "chord_change_rate": _BOTH_CHORDS,
    "chord_vocabulary_density": (("chords", "one line"), ("chords", "one line")),
    "root_motion_entropy": _BOTH_BASS,
    "fourth_motion_rate": _BOTH_BASS,
    "diminished_augmented_color": _BOTH_CHORDS,
    "pitch_range": (("one line", "no bass"), ()),
    "voice_count": _BOTH_PARTS,
    "mean_simultaneity": (("single notes", "sparse", "drums alone"), ("drums alone",)),
    "maximum_chord_width": (("single notes", "drums alone"), ("drums alone",)),
    "active_voice_density": (("few", "alone", "sparse"), ("alone", "busy")),
    "sections_per_100_bars": (("form",), ("form",)),
    "tempo": (("tempo",), ("tempo",)),
    "swing": (("compound",), ("compound",)),
    "percussion_share": (("no drums", "sparse"), ("no drums", "drums alone")),
    "percussion_variety": _BOTH_KIT,
    "hat_density": (("no kit", "sparse"), ("no kit", "busy")),
    "backbeat": (("no kit", "off four"), ("no kit", "off four")),
    "kick_on_beat": _BOTH_KIT,
    "bass_register": (("low", "no bass", "one line"), ("high", "no bass", "one line")),
    "bass_step_ratio": (("no bass", "one line"), ("no bass", "one line")),
    "whole_tone_root_motion": _BOTH_CHORDS,
    "primary_bass_share": _BOTH_CHORDS,
    "minor_leaning": (("major", "chords", "bright"), ("minor", "chords", "dark")),
    "major_chord_share": (("chords", "dark"), ("chords", "bright")),
    "chord_size": (("chords", "one line"), ("chords", "one line")),
    "parts_together": (("few", "alone"), ("alone",)),
    "comping_on_beat": (("one line", "drums alone"), ("one line", "drums alone")),
    "resting_parts": _BOTH_ALONE,
    "loudness_drift": (("soft",), ("fade",)),
    "edge": (("parts", "dark"), ("parts", "bright")),
    "acoustic_share": _BOTH_PARTS,
    "guitar_share": _BOTH_PARTS,
    "piano_share": _BOTH_PARTS,
    "wind_share": _BOTH_PARTS,
    "horn_and_organ_share": _BOTH_PARTS,
    "section_share": _BOTH_PARTS,
    "sustained_share": _BOTH_PARTS,
    "timbre_variety": _BOTH_PARTS,
}

# What a gate advises in place of its usual words where a limit goes against these.
_REWORDED: Mapping[tuple[str, str], str] = {
    ("originality", "chords"): "write these bars anew over the same chords: other melody notes, another rhythm",
    ("originality", "drums alone"): "write these bars anew: other strokes, another rhythm",
    ("order", "drums alone"): "give every drum a figure of its own, and let it repeat what it has said",
    ("length", "form"): "keep the order of the sections, and change how long they are",
    ("length", "bars"): "write exactly as many bars as were asked for",
}


def limits_of(contract: Contract | None) -> frozenset[str]:
    """The limits that a contract has; none where there is no contract.

    >>> from libretto.contract import Contract
    >>> sorted(limits_of(Contract.from_brief("A tune for solo flute at 96 bpm over 16 bars.")))
    ['alone', 'bars', 'few', 'no bass', 'no drums', 'no kit', 'one line', 'parts', 'single notes', 'tempo']
    """
    if contract is None:
        return frozenset()
    return frozenset(name for name, holds in LIMITS.items() if holds(contract))


def goes_against(limits: frozenset[str], axis: str, wanted: int) -> bool:
    """Whether more (1) or less (-1) of an axis is what one of these limits excludes."""
    if "drums alone" in limits and axis in axes and axes[axis].family in _PITCHED:
        return True
    more, less = AGAINST.get(axis, ((), ()))
    return not limits.isdisjoint(more if wanted > 0 else less if wanted < 0 else ())


def excused_axes(contract: Contract | None, percentiles: Mapping[str, int]) -> frozenset[str]:
    """The axes that may lie where they do: to bring them to the middle would go against the contract."""
    limits = limits_of(contract)
    return frozenset(
        name for name, percent in percentiles.items() if goes_against(limits, name, 1 if percent < _MIDDLE else -1)
    )


def within_brief(finding: Finding, limits: frozenset[str]) -> Finding | None:
    """The finding in words that no limit goes against; None where there are none."""
    if finding.axis:
        return None if goes_against(limits, finding.axis, finding.wanted) else finding
    advice = [words for (gate, limit), words in _REWORDED.items() if gate == finding.gate and limit in limits]
    return replace(finding, advice=advice[-1]) if advice else finding
