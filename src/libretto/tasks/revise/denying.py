"""What a clause says is not to be done: "don't add drums", "no crescendo", "it should not be louder".

Nothing of that is ever done; it is given back. "Not so loud" and "not loud enough" are wishes, and so is what somebody
misses ("it doesn't swing").
"""

from __future__ import annotations

from libretto.tasks.revise.clause import Clause
from libretto.tasks.revise.cues import Cue
from libretto.tasks.revise.wish import qualities

__all__ = ["without_denied"]

_DENIALS = frozenset(
    ("don't", "dont", "not", "never", "shouldn't", "mustn't", "won't", "wouldn't", "needn't", "avoid", "nor")
)
#: Cues that leave somebody out ("no drums"), and deny what follows where that is nobody ("no crescendo").
_LEFT_OUT = ("no", "without", "no more", "don't want", "do not want", "don't need", "do not need")
#: Before "not": how something is, and not how it should be.
_STATED = frozenset(
    ("is", "it's", "its", "are", "they're", "that's", "was", "were", "does", "did", "sounds", "sound", "feels", "feel",
     "seems", "can", "could", "has", "have", "why", "if", "or")
)  # fmt: skip
_SPEAKERS = frozenset(("i", "we", "you"))  # "I don't hear": said of how it is, but for what they want
_WISHED = frozenset(("want", "like", "need", "think", "wish"))
#: Between a denial and what it is about: it is too much or too little of it, or it is not denied at all.
_MEASURED = frozenset(
    ("so", "as", "too", "that", "very", "quite", "really", "particularly", "overly", "enough", "afraid", "hesitate",
     "forget", "mind", "only", "just", "sure", "much", "many")
)  # fmt: skip
_LATER = frozenset(("until", "till", "before"))  # who is silent until then, but for who is not there
_REACH = 6  # words after a denial that may belong to it
_LESS = ("less", "fewer")
_ABOUT_PARTS = ("keep", "remove", "mute", "add", "instrument")


def without_denied(clause: Clause) -> bool:
    """Leave out the cues of what a clause denies; whether nothing is left that it asks for."""
    cues = [cue for cue in clause.cues if cue.kind != "keep" and not _is_a_name(clause, cue)]
    denied = [at for at in range(clause.first, clause.stop) if _denies(clause, at, cues)]
    if not denied:
        return False
    clause.cues = [cue for cue in clause.cues if cue.words[-1] < denied[0]]
    return not clause.cues


def _is_a_name(clause: Clause, cue: Cue) -> bool:
    """Whether the words of a cue only name somebody or a place: a double bass, the quiet part."""
    start, end = clause.words[cue.words[0]].start, clause.words[cue.words[-1]].end
    spans = [*((who.start, who.end) for who in clause.who), *((place.start, place.end) for place in clause.places)]
    return any(first <= start and end <= last for first, last in spans)


def _denies(clause: Clause, at: int, cues: list[Cue]) -> bool:
    """Whether a word denies what comes after it."""
    holder = next((cue for cue in cues if at in cue.words), None)
    following = next((cue for cue in cues if cue.words[0] > (holder.words[-1] if holder else at)), None)
    if following is None or following.words[0] - at > _REACH or _is_measured(clause, at, following):
        return False
    if holder is not None:
        return at == holder.words[0] and _leaves_nobody_out(clause, holder, following)
    word = clause.words[at].text
    if word in _LESS:
        kinds = (*qualities(), *_ABOUT_PARTS)
        return following.words[0] == at + 1 and following.kind not in kinds
    return word in _DENIALS and not _is_stated(clause, at)


def _is_measured(clause: Clause, at: int, cue: Cue) -> bool:
    """Whether it is only too much or too little of something that is denied, or until when."""
    around = {clause.words[index].text for index in range(at + 1, min(clause.stop, cue.words[-1] + 2))}
    later = bool(around & _LATER) and any(who.names for who in clause.who)
    return later or bool(around & _MEASURED)


def _leaves_nobody_out(clause: Clause, cue: Cue, following: Cue) -> bool:
    """Whether "no" or "without" stands before what is done, and before nobody who plays."""
    if cue.kind != "remove" or " ".join(clause.words[index].text for index in cue.words) not in _LEFT_OUT:
        return False
    start, end = clause.words[cue.words[-1]].end, clause.words[following.words[0]].start
    return following.kind != "remove" and not any(start <= who.start < end for who in clause.who)


def _is_stated(clause: Clause, at: int) -> bool:
    """Whether "not" says how something is: "it is not loud", "I do not hear the bass"."""
    before = [word for word in reversed(clause.before(at, 2)) if word != "do"]
    following = clause.words[at + 1].text if at + 1 < clause.stop else ""
    return bool(before) and (before[0] in _STATED or (before[0] in _SPEAKERS and following not in _WISHED))
