"""What a region that does not fit its song is told: in a musician's words, with bars, voice and what to change."""

from __future__ import annotations

import numpy as np

from libretto.axes import axes
from libretto.gates import Finding
from libretto.gates.locate import Locator
from libretto.score import Score, take_bars
from libretto.tasks.fill.likeness import Surroundings, Yardstick
from libretto.tasks.fill.material import OWN, Material

__all__ = ["fit_findings"]

_MOST = 4
_WORDS = {
    "amount": ("The parts do not play as much as they do around it", "let each part play about as much as elsewhere"),
    "register": ("Some parts lie higher or lower than they do elsewhere", "bring each part back to its own register"),
    "lengths": ("The notes are held otherwise than elsewhere", "hold notes as long as each part does elsewhere"),
    "loudness": ("It is louder or softer than the bars around", "play each part as loud as elsewhere"),
    "places": ("The notes fall on other places of the bar than elsewhere", "take up the rhythms of the song"),
    "pitches": ("Parts play notes that they play nowhere else", "stay with the notes that each part uses"),
    "intervals": ("The lines take intervals that are rare elsewhere", "lead the lines as the song does"),
    "tones": ("Other notes of the scale are heard than elsewhere", "stay in the key and the chords of the song"),
    "chords": ("The chords cannot be heard clearly", "let the parts agree on one chord at a time"),
    "players": ("Other parts play than around it", "use the parts that the song uses here"),
    "agreement": ("The part does not agree with the chords of the others", "play what fits their chords"),
    "genre": ("It sounds like another kind of music than the rest", "take up rhythm, chords and sounds of the song"),
}
_ABOUT = {"intervals": ("leap_ratio", -1), "tones": ("chromaticism", -1), "chords": ("chromaticism", -1),
          "agreement": ("chromaticism", -1)}  # fmt: skip


def fit_findings(
    score: Score, around: Surroundings, region: Material, yard: Yardstick, kind: int
) -> tuple[Finding, ...]:
    """The few things that set a region apart from its song most."""
    signed, features = around.signed(region, yard), around.features(region, yard)
    pull = (features - yard.middle[kind]) * yard.weights[kind]
    first, last = (bar + score.first_bar for bar in around.gap)
    locator = Locator(take_bars(score, first, last))
    found = []
    for index in np.argsort(pull, kind="stable")[:_MOST].tolist():
        if pull[index] >= 0:
            break
        weight = 5.0 - float(pull[index])
        if index < len(yard.axes):
            found.append(_about_axis(yard.axes[index], float(signed[index]), weight, locator, first))
        else:
            found.append(_about_own(OWN[index - len(yard.axes)], weight, around, region, (first, last)))
    return tuple(found)


def _about_axis(name: str, away: float, weight: float, locator: Locator, first: int) -> Finding:
    axis, wanted = axes[name], -1 if away > 0 else 1
    bars, voice = locator.find(name, wanted)
    shift = first - locator.score.first_bar
    heard = f"{axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than elsewhere in this song"
    spans = tuple((a + shift, b + shift) for a, b in bars) or ((first, first + locator.score.bars - 1),)
    return Finding("fit", heard, axis.more if wanted > 0 else axis.less, weight, name, spans, voice, "", wanted)


def _about_own(name: str, weight: float, around: Surroundings, region: Material, gap: tuple[int, int]) -> Finding:
    heard, advice = _WORDS[name]
    axis, wanted = _ABOUT.get(name, ("", 0))
    usual = np.mean([each.amount for each in around.materials], axis=0)
    if name == "amount":
        axis, wanted = "onset_density", 1 if region.amount.sum() < usual.sum() else -1
    elif name == "players":
        axis, wanted = "active_voice_density", 1 if (region.amount > 0).sum() < (usual > 0).sum() else -1
    elif name == "lengths":
        mean = np.mean([(each.lengths * each.amount).sum() for each in around.materials])
        axis, wanted = "mean_duration", 1 if (region.lengths * region.amount).sum() < mean else -1
    voice = ""
    if name in ("amount", "register") and len(around.voices) > 1:
        both = (region.amount > 0) & (usual > 0)
        apart = np.abs(np.log2((region.amount + 0.5) / (usual + 0.5)))
        if name == "register":
            apart = np.abs(region.register - np.max([each.register for each in around.materials], axis=0)) * both
        names = [each.name for each in around.context.voices if each.name in around.voices]
        voice = names[int(np.argmax(apart))]
    return Finding("fit", heard, advice, weight, axis, (gap,), voice, "", wanted)
