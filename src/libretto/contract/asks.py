"""Asks: what a brief wants beyond its plain fields, one value each: what, whose, where, and the words that said it.

The kinds are listed here with what their values look like; for each there is a reader (from words), a way in which the
house does it, and a clause that checks it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from libretto.errors import ContractError

__all__ = ["ASK_KINDS", "STEEL", "Ask", "share_of"]

#: Every kind of ask, with what ``what`` holds for it. ``who`` is a part's name, or melody, bass, drums, chords, or
#: empty for everybody; ``where`` is a place as in ``contract.places``.
ASK_KINDS: Mapping[str, str] = {
    "key_change": "a key ('F major'), an interval in semitones ('+2'), or 'major' or 'minor'",
    "chords": "the labels of chords that a place has of its own ('F C Dm A'); without a place those of the piece, bar "
    "by bar where some have several ('C Am | Dm G7')",
    "last_chord": "the label of the chord that the piece closes on",
    "meter_change": "a meter ('5/4')",
    "tempo_change": "'faster', 'slower', 'ritardando', 'accelerando', 'running down' (as a spring does), 'in waves', "
    "'slow to fast', 'slow to fast to calm' (up to somewhat after the middle, and down again), "
    "quarters a minute ('96'), or a share of the tempo ('x0.6'), with 'to ' before it where it is "
    "reached little by little, 'from ' where it goes back from it so",
    "reprise": "nothing, or 'frame' for a call alone: what was first comes back there, and the piece ends with it",
    "section_bars": "how many bars the section has that ``where`` names",
    "steps": "what each of the sections that ``where`` names has beside the one before: a share of its tempo "
    "('x1.05'), semitones ('+1'), or louder, softer",
    "lead": "nothing: who has the tune there",
    "solo": "nothing: who plays the solo there",
    "role": "what a part does: arpeggio, comping, pad, bass, walking, free, counter, drone, riff, ostinato, chords, "
    "silent",
    "doubling": "who is doubled: a part or 'melody', with ' above' or ' below' for another octave, or ' in thirds'",
    "manner": "how a part is played: sustained, floats, growls, eighths, sixteenths, rolls, chops, off-beats, "
    "riff, gaps, stabs, bubble, montuno, tumbao, tremolo, strums, scratch, pulse, gallop, beats, downbeats, two-beat, "
    "octaves, slap, ripples, flows, wide, tolls, creep, cries, whistles, steady, melodic",
    "texture": "canon, fugue, unison, call and response, pedal, ostinato, counterpoint, homophony, arpeggio, solo, "
    "hesitant, spaced; 'own chords': held under one's own tune; "
    "'power chords': root and fifth, low; 'harmonized': a tune in two parts; "
    "'section 3': a section of one instrument in so many parts; 'long "
    "ends': phrases end on long notes; 'between lines': who plays while the tune rests or holds a note; 'cycles': "
    "patterns of different lengths against each other, with their lengths in eighths ('cycles 3 5 7'); 'spoken': "
    "as one speaks, over held chords; 'murmur', 'murmur growing': who rocks softly below a "
    "tune, and quickens; 'fermatas': all wait on the last chord of a phrase; "
    "'wrong notes': a tune that comes back with one more of them each time",
    "strokes": "how many times in a row all who play strike together",
    "enter": "nothing: who is silent before that place and plays from it on",
    "leave": "nothing: who plays before that place and is silent from it on",
    "silent": "nothing: who is silent there; 'stop': who breaks off after the first beat; 'crash': who strikes once "
    "together and breaks off",
    "only": "nothing: who alone plays there",
    "dynamics": "soft, loud, growing, fading, quieter, louder",
    "density": "sparse, seldom or busy; 'scattered': short notes, here and there; 'pauses': a tune that rests between "
    "phrases; 'echoes': ends of phrases that come back softer; 'ornate': one with trills; "
    "'florid': one that is adorned the more the longer it goes on; 'room': who has the tune leaves room for words",
    "register": "low or high; 'rising': a line that climbs from its beginning to its end; 'shouting': high and loud; "
    "'one peak': a line that reaches its highest note once, late, after it came near it; "
    "'soaring': above the tune of another",
    "feel": "swing, straight, syncopated, laid back; irregular: accents in groups that shift; '2+2+3': how "
    "uneven bars are grouped",
    "articulation": "staccato, legato, pizzicato, glissandi (runs through a scale) or slides (who bends notes, or "
    "glides into them); 'filter sweeps': a filter that opens and closes, 'filter opens': once",
    "difficulty": "beginner, intermediate or advanced",
    "range": "pitches ('C4-G4'), an interval that no hand exceeds ('span 12'), or in which a part stays ('compass 7')",
    "voices": "how many parts there are",
    "without": "an instrument that does not play",
    "drums": "how the drums are played: brushes, whisper, train, four on the floor, backbeat, claps, ride, light "
    "cymbals, rim, toms, one drop, quick hats, open hats, two and four (what one drum strikes), twice (as fast), "
    "busier (strokes between the strokes), "
    "half time, double time, double kick, roll, crash or fill (what is struck in a place), or 'layers: ' and what "
    "comes in one after the other ('layers: kick, hats, claps'; 'layers: kick 1, hats 5' with their bars)",
}
#: Instruments that slide into their notes by nature, so that nobody has to ask for it.
STEEL = frozenset(("slide guitar", "pedal steel", "theremin"))
_LONGEST = 200  # characters of any of the texts
_FIELDS = ("kind", "what", "who", "where", "words")


@dataclass(frozen=True, slots=True)
class Ask:
    """Something a brief asks for in a place or of a part."""

    kind: str
    what: str = ""
    who: str = ""
    where: str = ""
    words: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ASK_KINDS:
            raise ContractError(f"asks: {self.kind[:40]!r} is not one of {', '.join(ASK_KINDS)}")

    @property
    def text(self) -> str:
        """The ask in a line: ``solo: Saxophone, bridge``."""
        told = ", ".join(part for part in (self.what, self.who, self.where) if part)
        return f"{self.kind.replace('_', ' ')}: {told}"

    def to_dict(self) -> dict[str, str]:
        """The ask as plain data, without what it leaves open."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_dict(cls, data: Any) -> Ask:
        """An ask from plain data; one line says what is wrong with it."""
        if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
            raise ContractError(f"asks: expected a table with a kind, found {str(data)[:40]!r}")
        for name, value in data.items():
            if name not in _FIELDS or not isinstance(value, str) or len(value) > _LONGEST:
                raise ContractError(f"asks: {str(name)[:40]!r} is not one of {', '.join(_FIELDS)} with a short text")
        return cls(**{name: data.get(name, "") for name in _FIELDS})


_SHARE = re.compile(r"(?:to |from )?x(\d(?:\.\d{1,2})?)")


def share_of(what: str) -> float | None:
    """The share of a tempo that a change of it tells; None where it tells none.

    >>> share_of("x0.6"), share_of("to x1.75"), share_of("faster")
    (0.6, 1.75, None)
    """
    match = _SHARE.fullmatch(what)
    return float(match[1]) if match and float(match[1]) else None
