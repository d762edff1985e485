"""Groove: pulse, swing, and what the drums do.

Percussion takes part here. An axis about a drum does not apply where that drum is silent.
"""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import KEYS, entropy, near, over
from libretto.axes.views import View
from libretto.score import QUARTER
from libretto.score.table import Bools, Floats

__all__ = [
    "backbeat",
    "hat_density",
    "kick_on_beat",
    "percussion_share",
    "percussion_variety",
    "rhythm_vocabulary",
    "swing",
    "tempo",
]

_LONGEST_GAP = 96  # twelfths of a quarter note: two bars of 4/4
# Where in the beat a note is late, as in a shuffle (about two thirds), and where it is straight (about a half).
_LATE, _STRAIGHT = (0.6, 0.72), (0.44, 0.56)
_A_MINUTE = 60  # seconds


@axis(
    "groove",
    unit="quarter notes a minute",
    meaning="How fast the beat goes.",
    more="go faster",
    less="go slower",
)
def tempo(view: View) -> Floats:
    """Quarter notes over minutes, from the first bar to the last."""
    return over(_A_MINUTE * view.sum(view.piece.bar_lengths) / QUARTER, view.sum(view.piece.bar_seconds))


@axis(
    "groove",
    unit="share of off-beats",
    meaning="How much the notes between the beats come late, as in a shuffle.",
    more="delay the off-beat notes to the last third of the beat",
    less="play the off-beat notes straight",
)
def swing(view: View) -> Floats:
    """Of the onsets near the middle or the last third of a beat, drums included, the share near the last third."""
    piece, kit = view.piece, view.piece.kit
    beat = np.concatenate([piece.onset_position, kit.position]) % QUARTER / QUARTER
    bar = np.concatenate([piece.onset_bar, kit.bar])
    late = (beat > _LATE[0]) & (beat < _LATE[1])
    straight = (beat >= _STRAIGHT[0]) & (beat <= _STRAIGHT[1])
    return over(view.total(bar, late), view.total(bar, late | straight))


@axis(
    "groove",
    unit="bits",
    meaning="How many different note spacings the parts use.",
    more="mix long and short spacings between notes",
    less="let parts keep to one even spacing",
)
def rhythm_vocabulary(view: View) -> Floats:
    """The information in the time from one onset of a voice to its next, in twelfths of a quarter note."""
    piece, columns, (onset, group) = view.piece, _LONGEST_GAP + 1, view.every_onset
    time, voice = piece.onset_time[onset], piece.onset_voice[onset]
    gap = np.rint((time[1:] - time[:-1]) * 12 / QUARTER).astype(np.int64)
    real = (voice[1:] == voice[:-1]) & (group[1:] == group[:-1]) & (gap > 0) & (gap <= _LONGEST_GAP)
    counts = np.bincount(group[1:][real] * columns + gap[real], minlength=columns * view.groups)
    spread = counts.reshape(view.groups, columns).astype(np.float64)
    kinds = np.count_nonzero(spread, axis=1)
    return np.asarray(entropy(spread) * np.log2(np.maximum(kinds, 1)))


@axis(
    "groove",
    unit="share of notes",
    meaning="How much of all that is struck is percussion.",
    more="give the drums more to do",
    less="let the drums do less",
)
def percussion_share(view: View) -> Floats:
    """Strokes on percussion over all notes, pitched ones included."""
    strokes = view.total(view.piece.kit.bar)
    return over(strokes, strokes + view.notes)


@axis(
    "groove",
    unit="0 to 1",
    meaning="How evenly the drummer uses the drums and cymbals in play.",
    more="spread the strokes over more of the kit",
    less="lean on fewer drums",
)
def percussion_variety(view: View) -> Floats:
    """The entropy of strokes over percussion instruments."""
    return entropy(view.table(view.piece.kit.bar, view.piece.kit.key, KEYS))


@axis(
    "groove",
    unit="strokes a bar",
    meaning="How busy the hi-hat is.",
    more="play the hi-hat in smaller values",
    less="play the hi-hat in larger values",
)
def hat_density(view: View) -> Floats:
    """Strokes on the hi-hat, over the bars in which percussion plays."""
    kit = view.piece.kit
    playing = np.bincount(kit.bar, minlength=view.piece.bars) > 0
    return over(view.total(kit.bar, kit.kind("hat")), view.sum(playing))


@axis(
    "groove",
    unit="share of snare strokes",
    meaning="How firmly the snare stays on two and four.",
    more="put the snare on beats two and four",
    less="play the snare elsewhere than on two and four",
)
def backbeat(view: View) -> Floats:
    """The share of snare strokes, rims and claps included, on the even beats of the bar."""
    even = np.rint(view.piece.kit.position / QUARTER).astype(np.int64) % 2 == 1
    return _share_of("snare", near(view.piece.kit.position, QUARTER) & even, view)


@axis(
    "groove",
    unit="share of kick strokes",
    meaning="How much of the bass drum falls on the beat.",
    more="put the kick on the beats",
    less="push the kick off the beats",
)
def kick_on_beat(view: View) -> Floats:
    """The share of kick strokes on a quarter-note beat."""
    return _share_of("kick", near(view.piece.kit.position, QUARTER), view)


def _share_of(kind: str, which: Bools, view: View) -> Floats:
    """The share of a drum's strokes that are such."""
    kit = view.piece.kit
    mine = kit.kind(kind)
    return over(view.total(kit.bar, mine & which), view.total(kit.bar, mine))
