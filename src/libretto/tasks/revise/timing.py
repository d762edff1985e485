"""How it is heard that tempo, loudness, feel or the ending changed: measured before and after, whoever did it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.edits.endings import last_start
from libretto.edits.feel import swing_share
from libretto.edits.spans import Notes, starts_in, stretches
from libretto.score import QUARTER, Score
from libretto.tasks.revise.checking import notes_of
from libretto.tasks.revise.wish import Wish

__all__ = ["ended", "late", "paced", "pacing", "swelled", "swinging"]

_HEARD = 5  # steps of 127 that an ear notices
_FAINT = 22  # of 127: hardly to be heard
_SLOWER = 0.93  # of the tempo: what is heard as slower
_NEAR_BPM = 1.0
_GRID = QUARTER // 4  # sixteenths: how late a start is is told against the nearest
_LATER = QUARTER // 48  # how much later starts have to come on the average
_SWUNG, _EVEN = 0.8, 0.2  # shares of second eighths that are late


def _bpm(score: Score, wish: Wish) -> list[float]:
    """The tempo at every bar of a wish, and at the middle of its last one."""
    bars = [score.index_of(number) for one, two in wish.where for number in range(one, two + 1)]
    ticks = [score.bar_lines[bar] for bar in bars]
    return [score.bpm_at(tick) for tick in (*ticks, score.bar_lines[bars[-1] + 1] - 1)]


def paced(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Every bar has that tempo."""
    tempi = _bpm(after, wish)
    fine = all(abs(bpm - float(wish.target)) < _NEAR_BPM for bpm in tempi)
    return fine, f"{min(tempi):.0f}-{max(tempi):.0f} quarters a minute"


def pacing(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Every stretch gets slower, or faster, bar by bar."""
    fine, heard = True, []
    for span in wish.where:
        tempi = _bpm(after, wish.at([span]))
        slower = wish.quality == "ritardando"
        steps = np.diff(tempi)
        steady = bool((steps <= 0).all() if slower else (steps >= 0).all())
        far = tempi[-1] <= tempi[0] * _SLOWER if slower else tempi[0] <= tempi[-1] * _SLOWER
        fine &= steady and far
        heard.append(f"from {tempi[0]:.0f} to {tempi[-1]:.0f} quarters a minute")
    return fine, "; ".join(heard)


def swelled(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The second half of every stretch is louder, or softer, against the first than it was."""
    fine, heard = True, ""
    way = 1 if wish.quality == "crescendo" else -1
    for start, end in stretches(after, wish.where):
        rises = []
        for score in (before, after):
            notes = notes_of(score, wish, drums=True)
            one, two = (
                notes["velocity"][starts_in(notes, [span])]
                for span in ((start, (start + end) // 2), ((start + end) // 2, end))
            )
            rises.append(float(two.mean() - one.mean()) if len(one) and len(two) else 0.0)
        fine &= (rises[1] - rises[0]) * way >= _HEARD
        heard = f"the second half is {rises[1]:+.0f} louder than the first, {rises[0]:+.0f} before"
    return fine, heard


def swinging(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Nearly all second eighths are late, or nearly none."""
    share = swing_share(after, wish.voices, wish.where)
    if share is None:
        return False, "there are no pairs of eighths there"
    fine = share >= _SWUNG if wish.quality == "swing" else share <= _EVEN
    return fine, f"{share:.0%} of the second eighths are swung"


def late(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """Starts lie later against the nearest sixteenth than they did, on the average, by as much as is felt."""
    lags = [_lag(score, wish) for score in (before, after)]
    if lags[0] is None or lags[1] is None:
        return False, "nothing sounds there"
    later = lags[1] - lags[0]
    return later >= _LATER, f"{later / QUARTER:.3f} of a quarter later than before, on the average"


def _lag(score: Score, wish: Wish) -> float | None:
    """How many ticks starts lie behind the nearest sixteenth, on the average; less than none where they are early."""
    onset = notes_of(score, wish, drums=True)["onset"].astype(np.int64)
    if not len(onset):
        return None
    lines = np.asarray(score.bar_lines)
    place = (onset - lines[np.searchsorted(lines, onset, side="right") - 1] + _GRID // 2) % _GRID - _GRID // 2
    return float(place.mean())


def ended(before: Score, after: Score, wish: Wish) -> tuple[bool, str]:
    """The last chord is longer, or short and cut off, or hardly to be heard."""
    rings = [_ring(score) for score in (before, after)]
    if wish.target == "held":
        return rings[1] > rings[0], f"the last chord lasts {rings[1]:.1f} quarters, {rings[0]:.1f} before"
    if wish.target == "sudden":
        line = after.bar_lines[after.bar_at(last_start(after))]
        late = [v.name for v in after.voices if (v.array["onset"] >= line + QUARTER).any()]
        return rings[1] <= 1 and not late, f"the last chord lasts {rings[1]:.1f} quarters, {rings[0]:.1f} before"
    soft = [_last_loudness(score) for score in (before, after)]
    fine = soft[1] <= soft[0] - 2 * _HEARD or soft[1] <= _FAINT
    return fine, f"the last bar is played at {soft[1]:.0f} of 127, {soft[0]:.0f} before"


def _ring(score: Score) -> float:
    """How long what starts last rings, in quarters."""
    last = last_start(score)
    rows: Sequence[Notes] = [v.array[v.array["onset"] == last] for v in score.voices if not v.drums]
    return max((float(row["duration"].max()) / QUARTER for row in rows if len(row)), default=0.0)


def _last_loudness(score: Score) -> float:
    table = score.table
    return float(table["velocity"][table["bar"] == table["bar"].max(initial=0)].mean()) if len(table) else 0.0
