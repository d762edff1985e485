"""The gates of a fill: each takes a task's surroundings and an answer and says how the answer stands.

What a region that does not fit is told is in a musician's words, with bars, voice and what to change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from libretto.axes import axes
from libretto.corpus import load_cloud, load_index, overlap
from libretto.gates import Finding, Outcome
from libretto.gates.locate import Locator
from libretto.gates.originality import transposition_in_words
from libretto.score import Score, take_bars
from libretto.tasks.fill.likeness import KINDS, Surroundings, Yardstick, load_yardstick
from libretto.tasks.fill.material import OWN, Material, only
from libretto.tasks.fill.ties import CHANGES, hardest_seam, reprise
from libretto.tasks.task import WEIGHTS

__all__ = [
    "context_gate",
    "fit_findings",
    "fit_gate",
    "most_repeated",
    "originality_gate",
    "own_songs",
    "seams_gate",
    "sounding_gate",
]

# What passes is measured on real regions (``Yardstick``). These are no such measures but say what can be judged at all;
# they are set by hand.
_ITSELF = 0.6  # so much of a song in another one, and the two are versions of one
_NEAREST = 8  # songs of the index that are looked at for being the same
_ENOUGH = 12  # notes; fewer are found anywhere
_SILENT = 0.25  # of the bars of a gap in every voice; in some voices one sounding bar is enough
_TELLING = 0.999  # where real regions are found whole in other songs, nothing can be told
_SHOWN_BARS = 4  # silent bars that are named
_NOT_NOTHING = 1e-6
_MOST = 4  # findings about the fit
#: What is heard of a region that differs in each of ``OWN``, and what to do.
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
#: The axis by which some of them are steered, and which way.
_ABOUT = {"intervals": ("leap_ratio", -1), "tones": ("chromaticism", -1), "chords": ("chromaticism", -1),
          "agreement": ("chromaticism", -1)}  # fmt: skip


def sounding_gate(score: Score, context: Score, voices: Sequence[str], span: tuple[int, int]) -> Outcome:
    """The bars of a gap are not empty: no more than a quarter of them is silent where the song is not."""
    mine = only(score, voices)
    heard = np.bincount(mine.table["bar"], minlength=score.bars)[span[0] : span[1] + 1] > 0
    allowed = int(_SILENT * len(heard)) if len(voices) == len(score.voices) else len(heard) - 1
    silent = int((~heard).sum())
    note = f"{int(heard.sum())} of {len(heard)} bars sound"
    if silent <= allowed:
        return Outcome((allowed - silent) / len(heard), note)
    bars = tuple((int(i) + span[0] + score.first_bar,) * 2 for i in np.flatnonzero(~heard)[:_SHOWN_BARS])
    finding = Finding(
        "sounding", "There are silent bars", "write something in every bar", WEIGHTS["sounding"], "", bars
    )
    return Outcome((allowed - silent) / len(heard), note, (finding,))


def fit_gate(score: Score, around: Surroundings, yard: Yardstick, kind: int) -> Outcome:
    """A region differs no more from its song's other windows than most real regions do."""
    region = around.of(score)
    if not region.amount.any():
        return Outcome(-1.0, "nothing is played")
    floor = float(yard.floors[kind, yard.length(around.gap[1] - around.gap[0] + 1)])
    likeness = float((around.features(region, yard) - yard.middle[kind]) @ yard.weights[kind])
    margin = (likeness - floor) / (1.0 + abs(floor))
    words = "fits" if margin >= 0 else "does not fit"
    note = f"{words} the song: likeness {likeness:.1f}, real regions have at least {floor:.1f}"
    return Outcome(margin, note, () if margin >= 0 else fit_findings(score, around, region, yard, kind))


def context_gate(score: Score, around: Surroundings, yard: Yardstick, kind: int) -> Outcome:
    """A region repeats its song, as it is or transposed, no more beyond what the song's other bars do than nearly all
    real regions."""
    first, last = around.gap
    again = reprise(only(score, around.voices), first, last)
    at = kind, yard.length(last - first + 1)
    own, moved = around.reprise
    ceilings = min(1.0, own + float(yard.reprises[at])), min(1.0, moved + float(yard.moves[at]))
    margins = ceilings[0] - again.share, ceilings[1] - again.moved
    note = (
        f"{again.share:.2f} of it is heard elsewhere in the song, {again.moved:.2f} at another pitch; "
        f"up to {ceilings[0]:.2f} and {ceilings[1]:.2f} would be usual here"
    )
    if min(margins) >= 0:
        return Outcome(min(margins), note)
    transposed = margins[1] < margins[0]
    shift = again.moved_shift if transposed else again.shift
    low = max(0, first + shift) + score.first_bar
    high = min(score.bars - 1, last + shift) + score.first_bar
    how = f", {transposition_in_words(-again.semitones)}" if transposed else ""
    finding = Finding(
        "context",
        f"It repeats bars {low}-{high} of the song{how} more closely than its own bars repeat each other",
        "keep the manner and write other notes: another turn of the tune, other voicings",
        WEIGHTS["context"],
        bars=((first + score.first_bar, last + score.first_bar),),
    )
    vary = Finding(
        "context", "Too much is the same as before", "vary it", WEIGHTS["variety"], "self_similarity", wanted=-1
    )
    return Outcome(min(margins), note, (finding, vary))


def most_repeated(around: Surroundings) -> float:
    """How much of a region may repeat its song as it is before ``context_gate`` refuses it."""
    yard, kind = load_yardstick(), KINDS.index("all" if len(around.voices) == len(around.context.voices) else "some")
    first, last = around.gap
    return min(1.0, around.reprise[0] + float(yard.reprises[kind, yard.length(last - first + 1)]))


def seams_gate(score: Score, around: Surroundings, yard: Yardstick, kind: int) -> Outcome:
    """Both ends of a region go over into the song no harder than nearly all real regions do."""
    first, last = around.gap
    hard, which, line = hardest_seam(score, around.voices, around.gap)
    most = float(yard.jolts[kind, yard.length(last - first + 1)])
    margin = (most - hard) / max(most, _NOT_NOTHING)
    where = line + score.first_bar
    note = f"the harder seam is after bar {where}: {hard:.1f}, real regions have at most {most:.1f}"
    if margin >= 0:
        return Outcome(margin, note)
    finding = Finding(
        "seams",
        f"The music does not go over smoothly: too much changes in {CHANGES[which]}",
        "lead from one side to the other: take up what plays before the bar line, or prepare what follows",
        WEIGHTS["seams"],
        bars=((where, where + 1),),
    )
    return Outcome(margin, note, (finding,))


def own_songs(context: Score, cloud: str) -> tuple[int, ...]:
    """The songs of a cloud's index that are this very song, or versions of it."""
    index = load_index(cloud)
    if index is None:
        return ()
    return tuple(near.song for near in index.nearest(context, _NEAREST) if near.score >= _ITSELF)


def originality_gate(
    score: Score, around: Surroundings, yard: Yardstick, kind: int, cloud: str, without: Collection[int]
) -> Outcome | None:
    """No more of a region is found in one other song than nearly all real regions share with one."""
    index = load_index(cloud)
    first, last = (bar + score.first_bar for bar in around.gap)
    mine = only(take_bars(score, first, last), around.voices)
    notes = sum(len(voice.array) for voice in mine.voices if not voice.drums)
    ceiling = float(yard.copies[kind, yard.length(last - first + 1)])
    if index is None or notes < _ENOUGH or ceiling > _TELLING:
        return None
    shared = overlap(mine, index, without)
    if shared is None:
        return None
    note = f"{shared.score:.2f} of it is found in one other song beyond chance; up to {ceiling:.2f} is usual"
    margin = ceiling - shared.score
    if margin >= 0:
        return Outcome(margin, note)
    shift = first - mine.first_bar
    genre = load_cloud(cloud).genres[shared.song].replace("_", " ")
    finding = Finding(
        "originality",
        f"It follows a real song ({genre}) note by note, {transposition_in_words(shared.transposition)}",
        "write these bars anew: other notes, another rhythm, another order of chords",
        WEIGHTS["originality"],
        bars=tuple((a + shift, b + shift) for a, b in shared.bars),
    )
    return Outcome(margin, note, (finding,))


def fit_findings(
    score: Score, around: Surroundings, region: Material, yard: Yardstick, kind: int
) -> tuple[Finding, ...]:
    """The few things that set a region apart from its song most."""
    signed, features = around.signed(region, yard), around.features(region, yard)
    pull = (features - yard.middle[kind]) * yard.weights[kind]
    first, last = (bar + score.first_bar for bar in around.gap)
    locator = Locator(take_bars(score, first, last))
    findings = []
    for index in np.argsort(pull, kind="stable")[:_MOST].tolist():
        if pull[index] >= 0:
            break
        weight = WEIGHTS["fit"] - float(pull[index])
        if index < len(yard.axes):
            findings.append(_about_axis(yard.axes[index], float(signed[index]), weight, locator, first))
        else:
            findings.append(_about_own(OWN[index - len(yard.axes)], weight, around, region, (first, last)))
    return tuple(findings)


def _about_axis(name: str, away: float, weight: float, locator: Locator, first: int) -> Finding:
    axis, wanted = axes[name], -1 if away > 0 else 1
    bars, voice = locator.find(name, wanted)
    shift = first - locator.score.first_bar
    heard = f"{axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than elsewhere in this song"
    spans = tuple((a + shift, b + shift) for a, b in bars) or ((first, first + locator.score.bars - 1),)
    return Finding("fit", heard, axis.more if wanted > 0 else axis.less, weight, name, spans, voice, "", wanted)


def _about_own(name: str, weight: float, around: Surroundings, region: Material, gap: tuple[int, int]) -> Finding:
    heard, advice = _WORDS[name]
    axis, wanted = _way_back(name, around, region)
    voice = _strangest_voice(name, around, region) if name in ("amount", "register") and len(around.voices) > 1 else ""
    return Finding("fit", heard, advice, weight, axis, (gap,), voice, "", wanted)


def _way_back(name: str, around: Surroundings, region: Material) -> tuple[str, int]:
    """The axis by which a region is brought nearer to its song, and whether there should be more (1) or less (-1)."""
    usual = np.mean([window.amount for window in around.materials], axis=0)
    if name == "amount":
        return "onset_density", 1 if region.amount.sum() < usual.sum() else -1
    if name == "players":
        return "active_voice_density", 1 if (region.amount > 0).sum() < (usual > 0).sum() else -1
    if name == "lengths":
        mean = np.mean([(window.lengths * window.amount).sum() for window in around.materials])
        return "mean_duration", 1 if (region.lengths * region.amount).sum() < mean else -1
    return _ABOUT.get(name, ("", 0))


def _strangest_voice(name: str, around: Surroundings, region: Material) -> str:
    """The voice that plays least as it does elsewhere, in how much or in how high."""
    usual = np.mean([window.amount for window in around.materials], axis=0)
    if name == "register":
        both = (region.amount > 0) & (usual > 0)
        apart = np.abs(region.register - np.max([window.register for window in around.materials], axis=0)) * both
    else:
        apart = np.abs(np.log2((region.amount + 0.5) / (usual + 0.5)))
    names = [voice.name for voice in around.context.voices if voice.name in around.voices]
    return names[int(np.argmax(apart))]
