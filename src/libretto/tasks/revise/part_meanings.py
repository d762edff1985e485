"""What a clause asks of parts and sections: what stays, who is swapped, doubled or added, how it is played."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.tasks.revise.clause import Asked, Clause, flat, words_at
from libretto.tasks.revise.cues import Cue
from libretto.tasks.revise.scope import Who
from libretto.tasks.revise.section_meanings import (
    exchange_meaning,
    length_meaning,
    move_meaning,
    repeat_meaning,
    start_meaning,
)
from libretto.tasks.revise.silence_meanings import only_meaning, remove_meaning
from libretto.tasks.revise.wish import qualities

__all__ = ["keep_meaning", "part_meanings"]

Meaning = Callable[[Clause], list[Asked]]
_KEPT = (
    ("chords", re.compile(r"\b(?:chords?|harmon(?:y|ies)|chord progression|changes)\b", re.I)),
    ("key", re.compile(r"\b(?:key|tonality)\b", re.I)),
    ("tempo", re.compile(r"\b(?:tempo|speed|pace)\b", re.I)),
)
_NO_VOICES = ("chords", "everything else", "key", "rhythm", "tempo")
#: To keep or stay may also go with how something is to be: "stays quiet", "keep it simple", "leave the chord held".
_STAYING = ("keep", "keeps", "stay", "stays", "remain", "remains", "leave", "let")
_TURNED = re.compile(r"\b(?:instead|than|place)\b")  # the new one is named first
_LOWER = re.compile(r"lower|down|below|under", re.I)
_BESIDES = {"add", "another", "add in", "include", "stack", "layer"}
_RHYTHM = re.compile(r"\brhythm\b", re.I)
_OCTAVE = re.compile(r"\b(?:an?\s+)?octave\s+(?:up|down|higher|lower|above|below|under)|octaves?\b", re.I)
_ONWARD = ("from", "to", "into", "at", "after", "away", "on", "with")  # straight to the bridge is no feel
_ELSE = re.compile(r"\b(?:everything else|the rest|all else)\b", re.I)
_REST_IS = re.compile(
    r"\b(?:everything else|the rest|all else|the others?)\b[^.;,]*\b(?:same|alone|unchanged|untouched|equal|"
    r"as (?:it|they|is)|fine|stays?|keep|remain)", re.I
)  # fmt: skip


def keep_meaning(clause: Clause) -> list[Asked]:
    """What is to stay as it is."""
    cues = clause.has("keep")
    if clause.search(_REST_IS):
        clause.who = []
        whole = tuple(range(clause.first, clause.stop))
        return [Asked("keep", target="everything else", words=whole, who=[], value="everything else")]
    if cues and _stays_like(clause, cues):
        return []
    voices = [who for who in clause.who if not who.excluded or len(clause.who) == 1]
    target = _kept(clause, voices) if cues else ""
    if not target:
        return []
    plain = [] if target in _NO_VOICES else [Who(who.names, who.label, who.start, who.end) for who in voices]
    return [Asked("keep", target=target, words=tuple(range(clause.first, clause.stop)), who=plain, value=target)]


def _stays_like(clause: Clause, cues: list[Cue]) -> bool:
    """Whether a clause says how something is to stay, which is a wish: after whom or what, "quiet", "straight"."""
    if any(words_at(clause, cue.words) not in _STAYING for cue in cues):
        return False
    ends = [*(who.end for who in clause.who), *(place.end for place in clause.places)]
    named = min(ends, default=clause.words[cues[0].words[-1]].end)
    like = [
        cue for cue in clause.has(*qualities(), "straight", "swing", "laid_back", "voicing", "mute") if not cue.detail
    ]
    if any(clause.words[cue.words[0]].start >= named for cue in like) or clause.has("ending"):
        clause.take(flat(cues))
        return True
    return False


def _kept(clause: Clause, voices: list[Who]) -> str:
    """What stays: the rhythm of a part, chords, key or tempo, everything else, a part, or a place."""
    named = _rhythm_kept(clause, voices) or _frame_kept(clause, voices)
    if named:
        return named
    if clause.search(_ELSE) or any(who.label == "accompaniment" for who in voices):
        return "everything else"
    if voices:
        return voices[0].label
    return clause.places[0].value if clause.places else ""


def _rhythm_kept(clause: Clause, voices: list[Who]) -> str:
    """The rhythm that stays, of one part or of all; empty where none is spoken of."""
    if not clause.search(_RHYTHM):
        return ""
    if any(len(who.names) == 1 for who in voices):
        return "melody rhythm"
    return "" if _parts_in(voices) else "rhythm"


def _frame_kept(clause: Clause, voices: list[Who]) -> str:
    """Chords, key or tempo that stay; empty where none is spoken of, or parts are."""
    if _parts_in(voices):
        return ""
    return next((name for name, pattern in _KEPT if clause.search(pattern)), "")


def _parts_in(voices: list[Who]) -> list[Who]:
    """Those of the named who are parts, and not the chords by another name."""
    return [who for who in voices if who.label not in ("chords", "harmony")]


def _swap(clause: Clause) -> list[Asked]:
    cues = clause.has("instrument")
    pair = _old_and_new(clause, any(_TURNED.search(words_at(clause, cue.words)) for cue in cues)) if cues else None
    if pair is None:
        return []
    old, wanted = pair
    clause.take(flat(cues))
    clause.take_cues("add", "remove")
    value = f"swap {old.names[0].lower()} to {wanted}"
    return [Asked("instrument", target=wanted, words=flat(cues), who=[old], value=value)]


def _old_and_new(clause: Clause, backwards: bool) -> tuple[Who, str] | None:
    """Who gives way in a swap, and to which instrument: one that does not play yet, else the last or first named."""
    players = [who for who in clause.who if who.instrument is not None and who.instrument.program is not None]
    absent = [who for who in players if not who.names]
    new = (absent or (players[:1] if backwards else players[-1:]))[:1]
    old = [who for who in clause.who if len(who.names) == 1 and who not in new]
    if not new or not old or new[0].instrument is None:
        return None
    return old[0], new[0].instrument.name


def _double(clause: Clause) -> list[Asked]:
    cues = clause.has("double")
    old = [who for who in clause.who if len(who.names) == 1]
    if not cues or not old:
        return []
    later = [who for who in old if who.start > clause.words[cues[0].words[0]].start]
    leader = (later or old)[0]
    target = _doubling(clause, leader)
    words = (*flat(cues), *clause.take_cues("add", "instrument"))
    clause.take(words)
    told = f"double {leader.names[0].lower()}" + (f" with {target}" if target[0] not in "+-" else "")
    return [Asked("double", target=target, words=words, who=[leader], value=told)]


def _doubling(clause: Clause, leader: Who) -> str:
    """Who goes with a part: an instrument, or itself so many semitones away."""
    octave = clause.search(_OCTAVE)
    if octave:
        clause.take_between(octave.start(), octave.end())
    others = [who for who in clause.who if who is not leader and who.instrument is not None and not who.excluded]
    players = [who.instrument for who in sorted(others, key=lambda who: bool(who.names)) if who.instrument is not None]
    if players and players[0].program is not None:
        return players[0].name
    away = 0 if not octave else -12 if _LOWER.search(octave[0]) else 12
    return f"{away:+d}"


def _add(clause: Clause) -> list[Asked]:
    """Instruments that come: who does not play yet, or who is said to come besides."""
    cues = clause.has("add")
    if not cues or clause.has(*qualities()):
        return []
    new = [(who.instrument.name, who.names) for who in clause.who if who.instrument is not None and not who.excluded]
    names = [name for name, voices in new if not voices]
    if not names and {words_at(clause, cue.words) for cue in cues} & _BESIDES:
        names = [name for name, _ in new]
    clause.take(flat(cues) if names else ())
    return [Asked("add", target=name, words=flat(cues), who=[], value=f"add {name}") for name in names]


def _plain(clause: Clause) -> list[Asked]:
    """Feel, voicing and colour: one cue says it all."""
    asked: list[Asked] = []
    names = {"jazz": "reharmonise jazz", "plain": "plainer chords", "laid_back": "laid back"}
    for cue in clause.has("straight", "swing", "laid_back", "voicing", "sevenths", "jazz", "plain"):
        after = clause.words[cue.words[-1] + 1].text if cue.words[-1] + 1 < clause.stop else ""
        if set(cue.words) & clause.used or (cue.kind == "straight" and after in _ONWARD):
            continue
        if asked:
            clause.take(cue.words if cue.kind == asked[0].kind else ())
            continue
        clause.take(cue.words)
        clause.take(
            [
                word
                for other in clause.has("add", "syncopation", "color")
                for word in other.words
                if other.kind == "add" or set(other.words) & set(cue.words)
            ]
        )
        value = f"voicing {cue.detail}" if cue.kind == "voicing" else names.get(cue.kind, cue.kind)
        asked.append(Asked(cue.kind, target=cue.detail, words=cue.words, value=value))
    return asked


part_meanings: tuple[Meaning, ...] = (
    exchange_meaning, _double, _swap, start_meaning, move_meaning, length_meaning, repeat_meaning, _plain,
    remove_meaning, only_meaning, _add,
)  # fmt: skip
