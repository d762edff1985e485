"""What is heard of a voice that does not go with the others, and a move that mends it, in a musician's words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from libretto.score import spell
from libretto.score.facts import Facts
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.score.table import Ints

__all__ = ["off_beat_words", "off_pitch_words", "wrong_notes_words"]

_MOVES = {"1": ("a semitone too high", "down a semitone"), "11": ("a semitone too low", "up a semitone"),
          "6": ("a tritone away from where it belongs", "by a tritone")}  # fmt: skip
_MOST_NAMED = 4  # notes in one sentence


def off_pitch_words(row: Mapping[str, float]) -> tuple[str, str]:
    """A voice whose pitches contradict the others: which move would mend it, where one would."""
    gains = {move: row[f"interval gain {move}"] + row[f"key gain {move}"] for move in _MOVES}
    move = max(gains, key=lambda one: (gains[one], one))
    if gains[move] > 0:
        off, mend = _MOVES[move]
        return f"sounds {off} against what the others play", f"move it {mend}, or check its key or transposition"
    return (
        "contradicts the harmony of the others",
        "let its long notes and downbeats be notes of the chord that the others sound",
    )


def off_beat_words(row: Mapping[str, float]) -> tuple[str, str]:
    """A voice whose time contradicts the others."""
    earlier = row["together earlier"] + row["with pitches earlier"]
    later = row["together later"] + row["with pitches later"]
    if max(earlier, later) <= 0:
        return "plays beside the pulse of the others", "let its accents meet those of the bass or the drums"
    late = earlier >= later
    return (
        f"comes half a beat too {'late' if late else 'early'} against the others",
        f"move it half a beat {'earlier' if late else 'later'}, or let its accents meet theirs",
    )


def wrong_notes_words(facts: Facts, notes: Ints) -> tuple[str, str]:
    """Several notes of a voice that contradict what sounds with them, the worst named."""
    named = sorted(notes[:_MOST_NAMED].tolist())
    places = ", ".join(_named(facts, note) for note in named)
    more = f" and {len(notes) - len(named)} more" if len(notes) > len(named) else ""
    if not named:
        return "has wrong notes here and there", "compare its long notes with the chords under them"
    return f"has notes that contradict the others: {places}{more}", "try the neighbouring note of the chord or scale"


def _named(facts: Facts, note: int) -> str:
    pitch = int(facts.pitch[note])
    bar, beat = place(facts.score, int(facts.onset[note]))
    return f"{pitch_name(pitch, int(spell(np.array([pitch]), facts.score.key)[0]))} in bar {bar} beat {beat:.3g}"
