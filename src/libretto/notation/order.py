"""Score order: which staff stands above which on a page. The Score itself keeps its voices as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.notation.instruments import instrument
from libretto.score import Score, Voice

__all__ = ["in_score_order", "score_order"]

_SUNG = re.compile(r"\b(melod(y|ie|ia)|lead|vocals?|vox|voice|sing(er|ing)?|song|tune|solo)\b", re.I)
_BEHIND = re.compile(r"\b(back(ing|ground)?|bkg|bg|choir|chorus|harm(ony|onies)?|guitars?|gtr|sax(ophone)?)\b", re.I)
_SINGS = re.compile(r"\b(vocals?|vox|voices?|singers?|choir|chorus|soprano|alto|tenor|baritone|mezzo)\b", re.I)
_CHOIR = re.compile(r"\s*(soprano|alto|tenor)s?\s*\d?\s*\Z", re.I)
_CHOIR_BASS = re.compile(r"\s*bass(es|us)?\s*\d?\s*\Z", re.I)
_LEADS = frozenset({*range(80, 88)} - {87})  # synthesisers made to lead; the last of them is a bass

# Programs from the top of a page to its bottom, group by group; what is not named stands with the pads.
_WOODWIND = (72, 78, 79, 73, 74, 75, 76, 77, 68, 69, 71, 70, 111, 109, 64, 65, 66, 67)
_BRASS = (60, 56, 59, 57, 58, 61, 62, 63)
_VOICES = (52, 53, 54, 85, 91)
_BOWED = (40, 110, 41, 42, 43)
_MASSED = (44, 45, 48, 49, 50, 51)
_MALLETS = (9, 10, 14, 112, 8, 13, 12, 11, 108, 114, 15)
_PLUCKED = (46, 104, 106, 107)
_REEDS = (22, 21, 23)  # harmonica, accordions: they have a line more often than chords
_KEYBOARDS = (*_REEDS, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20)
_GUITARS = (105, 24, 25, 26, 27, 28, 31, 29, 30)
_BASSES = (*range(32, 40), 87)
_TUNED_DRUMS = (47, 113, 115, 116, 117, 118, 119)
_BAND = ("lead", _WOODWIND, _BRASS, _VOICES, _BOWED, _MASSED, "others", _MALLETS, _PLUCKED, _KEYBOARDS, _GUITARS)
_BAND_ORDER = (*_BAND, _BASSES, _TUNED_DRUMS, "drums")
_ORCHESTRA = (_WOODWIND, _BRASS, _TUNED_DRUMS, "drums", _MALLETS, _PLUCKED, _KEYBOARDS, _GUITARS)
_ORCHESTRA_ORDER = (*_ORCHESTRA, "lead", _VOICES, "others", _MASSED, _BOWED, _BASSES)
_STRINGS_OF_AN_ORCHESTRA = 3  # different bowed instruments that, with winds, make an orchestra


def in_score_order(score: Score) -> Score:
    """The piece with its voices as a page shows them, from top to bottom."""
    order = score_order(score.voices)
    return score if order == list(range(len(order))) else replace(score, voices=tuple(score.voices[i] for i in order))


def score_order(voices: Sequence[Voice]) -> list[int]:
    """Where voices stand on a page, by index, from top to bottom.

    A band has its lead on top, then winds, strings, keyboards and guitars, the bass, and drums at the bottom. An
    orchestra (winds, and strings of at least three kinds) has percussion and singers above its strings. Voices of one
    instrument keep their order.

    >>> score_order([Voice("Drums", drums=True), Voice("Bass"), Voice("Flute")])
    [2, 1, 0]
    """
    choir = any(_CHOIR.match(voice.name) for voice in voices)
    instruments = [_program(voice, choir) for voice in voices]
    programs = {program for voice, program in zip(voices, instruments, strict=True) if not voice.drums}
    winds = programs & {*_WOODWIND, *_BRASS}
    orchestral = len(winds) > 1 and len(programs & set(_BOWED)) >= _STRINGS_OF_AN_ORCHESTRA
    groups = _ORCHESTRA_ORDER if orchestral else _BAND_ORDER
    sizes = [len(group) if isinstance(group, tuple) else 1 for group in groups]
    starts = {group: sum(sizes[:index]) for index, group in enumerate(groups)}
    ranks = {
        program: starts[group] + place
        for group in groups
        if isinstance(group, tuple)
        for place, program in enumerate(group)
    }

    def rank(index: int) -> tuple[int, int]:
        voice = voices[index]
        if voice.drums:
            return starts["drums"], index
        if _leads(voice) and not orchestral:
            return starts["lead"], index
        return ranks.get(instruments[index], starts["others"]), index

    return sorted(range(len(voices)), key=rank)


def _program(voice: Voice, choir: bool) -> int:
    """The instrument of a voice; whoever sings stands among the voices, whatever plays the part."""
    program = instrument(voice)
    sings = _SINGS.search(voice.name) or (choir and voice.program not in _BASSES and _CHOIR_BASS.match(voice.name))
    return _VOICES[0] if sings and program not in _WOODWIND else program


def _leads(voice: Voice) -> bool:
    """Whether a voice is the one to follow, by its name or by being a synthesiser made to lead."""
    if _BEHIND.search(voice.name):
        return False
    return bool(_SUNG.search(voice.name)) or (voice.program in _LEADS)
