"""Topics of sound: notes that rub, chords that lead on, instruments in their places, loudness that follows the line."""

from __future__ import annotations

import numpy as np

from libretto.merit.dynamics import rough_bars
from libretto.merit.habits import TRAITS
from libretto.merit.harmony import chord_states, fit_by_bar, rubs_by_bar
from libretto.merit.heard import Line
from libretto.merit.parts import oddness
from libretto.merit.topic import Point, Reading, Topic, best_stretch
from libretto.score.table import Floats, Ints, distinct

__all__ = ["TOPICS"]

_PHRASE = 4  # bars
_FLAT = 1.0  # a spread of velocities below this is no dynamics
_CLEAN = 0.02  # the share of rubbing time below which a bar is clean
_ROUGH = 6.0  # velocities from note to note that are heard as a jolt
_AWAY = 1.5  # spreads beyond which a part is out of place
_HOME = 1.0  # spreads within which a part is played as its instrument is


def _rubbing(reading: Reading) -> Point | None:
    heard, facts = reading.heard, reading.heard.facts
    if not facts.count:
        return None
    bars, voices = rubs_by_bar(heard)
    worst = np.argsort(-bars, kind="stable")[:3]
    worst = worst[bars[worst] > _CLEAN]
    if len(worst) and len(facts.pairs[0]):
        voice = int(np.nanargmax(voices)) if not np.isnan(voices).all() and np.nanmax(voices) > 0 else None
        if voice is None:
            text = "{bars}: notes a semitone apart sound together; move the one that is held to a note of the chord"
        else:
            text = "{voice}, {bars}: a semitone rubs against the other parts; move or shorten the notes that are held"
        return reading.point("harmony", np.sort(worst).tolist(), voice, text)
    around = fit_by_bar(heard)
    if np.isnan(around).all():
        return None
    bar = int(np.nanargmin(around))
    text = "{bars}: out of the harmony on both sides; lead in and out by common notes and steps"
    return reading.point("harmony", [bar], None, text)


def _clean(reading: Reading) -> Point | None:
    heard = reading.heard
    if not len(heard.facts.pairs[0]):
        return None
    bars, _ = rubs_by_bar(heard)
    sounding = np.bincount(heard.facts.bar[heard.facts.pairs[1]], minlength=heard.bars) > 0
    good = sounding & (bars <= _CLEAN)
    if good.sum() < _PHRASE:
        return None
    first, last = best_stretch(np.where(good, 1.0, -1.0), 2 * _PHRASE)
    text = "{bars}: the parts sound clean together; keep those voicings"
    return reading.point("harmony", [bar for bar in range(first, last + 1) if good[bar]], None, text)


def _lifts(reading: Reading) -> tuple[Ints, Floats]:
    """Bars in which a new chord comes, and how well the one before leads to it, beside how usual it is anyway."""
    states = chord_states(reading.heard)[::2]
    changes = np.flatnonzero((states[:-1] >= 0) & (states[1:] >= 0) & (states[:-1] != states[1:]))
    lift = reading.habits.follows[states[changes], states[changes + 1]] - reading.habits.chord[states[changes + 1]]
    return changes + 1, lift


def _aimless(reading: Reading) -> Point | None:
    bars, lift = _lifts(reading)
    if not len(bars):
        sounding = np.flatnonzero(reading.heard.roots[::2] >= 0)
        if len(sounding) < _PHRASE:
            return None
        text = (
            "{bars}: one chord throughout; colour it, move its bass, or leave it at the end of a phrase and come home"
        )
        return reading.point("chord succession", sounding.tolist(), None, text)
    worst = int(bars[np.argmin(lift)])
    here, there = reading.heard.names[worst - 1], reading.heard.names[worst]
    if here == there:
        return None
    text = f"{{bars}}: {there} comes abruptly after {here}; lead to it by a step in the bass or a note held over"
    return reading.point("chord succession", [worst - 1, worst], None, text)


def _leading(reading: Reading) -> Point | None:
    bars, lift = _lifts(reading)
    if not len(bars) or lift.max() <= 0:
        return None
    best = int(bars[np.argmax(lift)])
    here, there = reading.heard.names[best - 1], reading.heard.names[best]
    text = f"{{bars}}: {here} leads well into {there}; keep that step"
    return reading.point("chord succession", [best - 1, best], None, text)


_ODD = {
    "height": ("is higher than such an instrument usually plays", "is lower than such an instrument usually plays"),
    "low": ("", "goes below where such an instrument is at home"),
    "high": ("goes above where such an instrument is at home", ""),
    "thickness": ("plays thicker chords than such an instrument does", "plays thinner than such an instrument does"),
    "length": ("holds its notes longer than such an instrument does", "clips its notes, unlike such an instrument"),
    "busyness": ("plays more notes than such an instrument does", "plays fewer notes than such an instrument does"),
}
_MEND = {
    "height": "move it by an octave, or exchange parts with a neighbour",
    "low": "move its lowest stretches to the register that speaks best",
    "high": "move its highest stretches to the register that speaks best",
    "thickness": "voice it as it lies in the hand, and leave the rest to others",
    "length": "use the touch of the instrument: its own attacks and lengths",
    "busyness": "give it the figures of the instrument",
}


def _misplaced(reading: Reading) -> Point | None:
    voices, off = oddness(reading.heard, reading.habits)
    if not voices:
        return None
    off = np.where([[not _ODD[name][0] for name in TRAITS]] & (off > 0), 0.0, off)
    off = np.where([[not _ODD[name][1] for name in TRAITS]] & (off < 0), 0.0, off)
    row = int(np.argmax((off**2).mean(axis=1)))
    trait = int(np.argmax(np.abs(off[row])))
    if abs(off[row, trait]) < _AWAY:
        return None
    name, voice = TRAITS[trait], voices[row]
    facts = reading.heard.facts
    mine = facts.voice == voice
    rank = np.bincount(facts.bar[mine], minlength=reading.heard.bars).astype(np.float64)
    if name in ("height", "low", "high"):
        pitch = np.bincount(facts.bar[mine], facts.pitch[mine], minlength=reading.heard.bars)
        mean = np.divide(pitch, rank, out=np.full(len(rank), np.nan), where=rank > 0)
        rank = np.nan_to_num((mean - np.nanmean(mean)) * np.sign(off[row, trait]) + 1)
    first, last = best_stretch(rank, 2 * _PHRASE)
    bars = [bar for bar in range(first, last + 1) if (facts.bar[mine] == bar).any()]
    text = f"{{voice}}, {{bars}}: the part {_ODD[name][int(off[row, trait] < 0)]}; {_MEND[name]}"
    return reading.point("instruments", bars, voice, text) if bars else None


def _at_home(reading: Reading) -> Point | None:
    voices, off = oddness(reading.heard, reading.habits)
    if not voices:
        return None
    far = np.sqrt((off**2).mean(axis=1))
    row = int(np.argmin(far))
    if far[row] > _HOME:
        return None
    mine = reading.heard.facts.voice == voices[row]
    bars = distinct(reading.heard.facts.bar[mine]).tolist()
    text = "{voice}, {bars}: the part suits its instrument; keep its register and touch"
    return reading.point("instruments", bars, voices[row], text)


def _uneven(reading: Reading) -> Point | None:
    heard, best = reading.heard, None
    flat = [line for line in heard.lines if line.velocity.std() < _FLAT]
    for line in heard.lines:
        jolt = float(np.abs(np.diff(line.velocity)).mean())
        if jolt >= _ROUGH and (best is None or jolt > best[0]):
            best = jolt, line
    if best is not None and len(flat) < len(heard.lines):
        line = best[1]
        first, last = best_stretch(rough_bars(line, heard.bars), _PHRASE)
        text = "{voice}, {bars}: loudness jumps from note to note; let it grow to the goal of a phrase and ease off"
        return reading.point("loudness", range(first, last + 1), line, text)
    if not flat:
        return None
    lead = next((line for line in flat if line is heard.lead), flat[0])
    text = (
        "{voice}, {bars}: every note is as loud as the next; lean on the first beat, grow towards the peak, end softer"
    )
    return reading.point("loudness", distinct(lead.bar).tolist(), lead, text)


def _phrased(reading: Reading) -> Point | None:
    best: tuple[float, Line] | None = None
    for line in reading.heard.lines:
        loud = line.velocity.astype(np.float64)
        if loud.std() < 2 * _FLAT:
            continue
        centred = (loud - loud.mean()) / loud.std()
        follows = float((centred[1:] * centred[:-1]).mean())
        if follows > 0 and (best is None or follows > best[0]):
            best = follows, line
    if best is None:
        return None
    smooth = -rough_bars(best[1], reading.heard.bars)
    smooth[np.bincount(best[1].bar, minlength=reading.heard.bars) < 2] = -127
    first, last = best_stretch(smooth, _PHRASE)
    return reading.point(
        "loudness", range(first, last + 1), best[1], "{voice}, {bars}: loudness follows the line; keep that"
    )


#: What is said of sound.
TOPICS = (
    Topic("harmony", ("harmony.",), _rubbing, _clean),
    Topic(
        "chord succession",
        ("harmony.chord_", "harmony.fifths", "harmony.far_roots", "harmony.axis_root_", "harmony.axis_fourth_"),
        _aimless,
        _leading,
    ),
    Topic("instruments", ("parts.",), _misplaced, _at_home),
    Topic("loudness", ("dynamics.",), _uneven, _phrased),
)
