"""What a brief of a few words paints: a rainy day, a boss fight, a cat that sneaks through the house."""

from __future__ import annotations

from collections.abc import Iterator

from libretto.contract.character import find_style, is_denied
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.pictures import KIND, moods_beside, picture_phrases
from libretto.contract.words import tokens_of

__all__ = ["pictures"]

_FEW = 26  # words; a longer brief says what it wants and tells its story besides


@finders.register("pictures")
def pictures(scene: Scene) -> Iterator[Finding]:
    """The pictures of a short brief, names of instruments left out; of one word only where no style is named."""
    tokens = tokens_of(scene.text)
    if len(tokens) > _FEW:
        return
    styled = find_style(scene.text, 0, [(one.start, one.end) for one in scene.players])[0] is not None
    for phrase in picture_phrases().find(scene.low):
        if (styled and phrase.first == phrase.last) or is_denied(scene.low, phrase.start):
            continue
        if any(one.start < phrase.end and phrase.start < one.end for one in scene.players if not one.weak):
            continue
        moods = moods_beside(phrase.value, scene.text)
        sentence = f"{phrase.value.capitalize()}: taken to mean {moods}." if moods else ""
        yield scene.finding(KIND, phrase.value, phrase.start, phrase.end, None, sentence)
