"""Rhythm: when notes start and how long they last."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import TEN_THOUSAND, entropy, over, scatter
from libretto.axes.views import View
from libretto.score import QUARTER
from libretto.score.table import Floats

__all__ = [
    "density_variability",
    "duration_cv",
    "mean_duration",
    "onset_density",
    "onset_position_entropy",
    "syncopation_rate",
    "triplet_share",
]


@axis(
    "rhythm",
    unit="share of onsets",
    meaning="How much of the playing starts off the beat.",
    more="push notes ahead of or behind the beat",
    less="place more notes on the beat",
)
def syncopation_rate(view: View) -> Floats:
    """The share of onsets that do not fall on a quarter-note beat counted from the bar line."""
    piece = view.piece
    off = piece.of_cell_onsets(piece.onset_position % QUARTER != 0)
    return over(view.total(piece.cell_bar, off), view.onsets)


@axis(
    "rhythm",
    unit="onsets a bar",
    meaning="How busy a bar is, all parts together.",
    more="let parts play more often",
    less="leave more room between notes",
)
def onset_density(view: View) -> Floats:
    """Onsets a sounding bar."""
    return over(view.onsets, view.count)


@axis(
    "rhythm",
    unit="share of bars",
    meaning="How many bars are written in triplets.",
    more="swing or use triplet figures",
    less="straighten triplet figures",
)
def triplet_share(view: View) -> Floats:
    """The share of bars, silent ones too, that are written on a triplet grid."""
    return over(view.sum(view.piece.triplets), view.bars)


@axis(
    "rhythm",
    unit="0 to 1",
    meaning="How evenly notes are spread over the places of the bar.",
    more="use places of the bar that are empty so far",
    less="gather notes on fewer places of the bar",
)
def onset_position_entropy(view: View) -> Floats:
    """The entropy of notes over the sixteenth places of the bar."""
    places = np.rint(view.piece.position / (QUARTER / 4)).astype(np.int64)
    columns = view.piece.largest(places) + 1
    return entropy(view.table(view.piece.bar, places, int(columns.max())), columns[view.song])


@axis(
    "rhythm",
    unit="ratio",
    meaning="How much note lengths differ from each other.",
    more="set long notes against short ones",
    less="bring note lengths closer together",
)
def duration_cv(view: View) -> Floats:
    """The standard deviation of note lengths over their mean."""
    piece, total = view.piece, view.voice_lengths.sum(axis=1)
    squares = view.total(piece.cell_bar, piece.of_cells(piece.lengths**2))
    return over(np.sqrt(scatter(view.notes, total, squares)), total)


@axis(
    "rhythm",
    unit="quarter notes",
    meaning="How long a note lasts on average.",
    more="hold notes longer",
    less="play shorter notes",
)
def mean_duration(view: View) -> Floats:
    """The mean length of notes."""
    return over(view.voice_lengths.sum(axis=1), view.notes) / TEN_THOUSAND


@axis(
    "rhythm",
    unit="ratio",
    meaning="How much fuller some bars are than others.",
    more="let thin bars follow full ones",
    less="even out how full the bars are",
)
def density_variability(view: View) -> Floats:
    """The standard deviation of notes a sounding bar over their mean."""
    squares = view.sum(view.piece.notes_by_bar**2)
    return over(np.sqrt(scatter(view.count, view.notes, squares)), view.notes)
