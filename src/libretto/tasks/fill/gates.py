"""The gates of a fill: each takes a task's surroundings and an answer and says how the answer stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from libretto.corpus import load_cloud, load_index, overlap
from libretto.gates import Finding, Outcome
from libretto.gates.originality import transposition_in_words
from libretto.score import Score, take_bars
from libretto.tasks.fill.likeness import Surroundings, Yardstick
from libretto.tasks.fill.material import only
from libretto.tasks.fill.reprise import reprise
from libretto.tasks.fill.seams import CHANGES, hardest_seam
from libretto.tasks.fill.words import fit_findings

__all__ = ["context_gate", "fit_gate", "originality_gate", "own_songs", "seams_gate", "sounding_gate"]

_ITSELF = 0.6  # so much of a song in another one, and the two are versions of one
_ENOUGH = 12  # notes; fewer are found anywhere
_SILENT = 0.25
_TELLING = 0.999  # where real regions are found whole in other songs, nothing can be told


def sounding_gate(score: Score, context: Score, voices: Sequence[str], span: tuple[int, int]) -> Outcome:
    """The bars of a gap are not empty: no more than a quarter of them is silent where the song is not."""
    mine = only(score, voices)
    heard = np.bincount(mine.table["bar"], minlength=score.bars)[span[0] : span[1] + 1] > 0
    allowed = int(_SILENT * len(heard)) if len(voices) == len(score.voices) else len(heard) - 1
    silent = int((~heard).sum())
    note = f"{int(heard.sum())} of {len(heard)} bars sound"
    if silent <= allowed:
        return Outcome((allowed - silent) / len(heard), note)
    bars = tuple((int(i) + span[0] + score.first_bar,) * 2 for i in np.flatnonzero(~heard)[:4])
    finding = Finding("sounding", "There are silent bars", "write something in every bar", 40.0, "", bars)
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
    found = reprise(only(score, around.voices), first, last)
    at = kind, yard.length(last - first + 1)
    own, moved = around.reprise
    ceilings = min(1.0, own + float(yard.reprises[at])), min(1.0, moved + float(yard.moves[at]))
    margins = ceilings[0] - found.share, ceilings[1] - found.moved
    note = (
        f"{found.share:.2f} of it is heard elsewhere in the song, {found.moved:.2f} at another pitch; "
        f"up to {ceilings[0]:.2f} and {ceilings[1]:.2f} would be usual here"
    )
    if min(margins) >= 0:
        return Outcome(min(margins), note)
    transposed = margins[1] < margins[0]
    shift = found.moved_shift if transposed else found.shift
    low = max(0, first + shift) + score.first_bar
    high = min(score.bars - 1, last + shift) + score.first_bar
    how = f", {transposition_in_words(-found.semitones)}" if transposed else ""
    finding = Finding(
        "context",
        f"It repeats bars {low}-{high} of the song{how}, which hardly repeats itself elsewhere",
        "keep the manner and write other notes: another turn of the tune, other voicings",
        20.0,
        bars=((first + score.first_bar, last + score.first_bar),),
    )
    vary = Finding("context", "Too much is the same as before", "vary it", 6.0, "self_similarity", wanted=-1)
    return Outcome(min(margins), note, (finding, vary))


def seams_gate(score: Score, around: Surroundings, yard: Yardstick, kind: int) -> Outcome:
    """Both ends of a region go over into the song no harder than nearly all real regions do."""
    first, last = around.gap
    hard, which, line = hardest_seam(score, around.voices, around.gap)
    most = float(yard.jolts[kind, yard.length(last - first + 1)])
    margin = (most - hard) / max(most, 1e-6)
    where = line + score.first_bar
    note = f"the harder seam is after bar {where}: {hard:.1f}, real regions have at most {most:.1f}"
    if margin >= 0:
        return Outcome(margin, note)
    finding = Finding(
        "seams",
        f"The music does not go over smoothly: too much changes in {CHANGES[which]}",
        "lead from one side to the other: take up what plays before the bar line, or prepare what follows",
        12.0,
        bars=((where, where + 1),),
    )
    return Outcome(margin, note, (finding,))


def own_songs(context: Score, cloud: str) -> tuple[int, ...]:
    """The songs of a cloud's index that are this very song, or versions of it."""
    index = load_index(cloud)
    if index is None:
        return ()
    return tuple(found.song for found in index.nearest(context, 8) if found.score >= _ITSELF)


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
    found = overlap(mine, index, without)
    if found is None:
        return None
    note = f"{found.score:.2f} of it is found in one other song beyond chance; up to {ceiling:.2f} is usual"
    margin = ceiling - found.score
    if margin >= 0:
        return Outcome(margin, note)
    shift = first - mine.first_bar
    genre = load_cloud(cloud).genres[found.song].replace("_", " ")
    finding = Finding(
        "originality",
        f"It follows a real song ({genre}) note by note, {transposition_in_words(found.transposition)}",
        "write these bars anew: other notes, another rhythm, another order of chords",
        30.0,
        bars=tuple((a + shift, b + shift) for a, b in found.bars),
    )
    return Outcome(margin, note, (finding,))
