"""Contracts for measuring receipts: rich ones written by hand, and random ones with one to four asks."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from libretto.contract import Contract
from libretto.contract.asks import Ask

__all__ = ["RICH", "random_contract"]

_SONG = ("verse", "chorus", "verse", "chorus", "bridge", "chorus")
_POP = "A pop song for piano, saxophone, electric guitar, bass and drums in C major at 100 bpm."
_JAZZ = "A jazz tune for saxophone, piano, double bass and drums in F major at 120 bpm."
_SOLO = "A calm piece for solo piano in D minor, 24 bars, at 80 bpm."
_FOUR = "A piece for string quartet in G major, 32 bars, at 96 bpm."
_FOLK = "A folk song for flute, acoustic guitar, cello in E minor at 90 bpm."
_SOFT = "A soft, gentle piece for solo piano in D minor, 24 bars, at 72 bpm."
_CHORDS = "A pop tune for violin, piano and bass over Am F C G in A minor, 32 bars, at 100 bpm."


def _made(brief: str, *asks: Ask, form: tuple[str, ...] = (), **fields: str) -> Contract:
    return replace(Contract.from_brief(brief), asks=asks, form=form, **fields)  # type: ignore[arg-type]


#: Contracts that between them ask for everything that can be asked for.
RICH: tuple[Contract, ...] = (
    _made(_POP, Ask("solo", who="Saxophone", where="bridge"), Ask("key_change", "+2", where="from last chorus"),
          Ask("dynamics", "growing", where="verse 1"), form=_SONG),
    _made(_POP, Ask("meter_change", "5/4", where="bridge"), Ask("silent", who="drums", where="verse 1"),
          Ask("tempo_change", "faster", where="last chorus"), form=_SONG),
    _made(_POP, Ask("enter", who="Saxophone", where="chorus"), Ask("section_bars", "6", where="bridge"),
          Ask("role", "arpeggio", who="Piano", where="bridge"), form=_SONG),
    _made(_POP, Ask("leave", who="drums", where="bridge"), Ask("only", who="Piano", where="chorus 2"),
          Ask("lead", who="Electric Guitar", where="verse"), form=_SONG),
    _made(_POP, Ask("drums", "four on the floor", where="chorus"), Ask("drums", "half time", where="bridge"),
          Ask("role", "pad", who="Electric Guitar", where="verse"), form=_SONG),
    _made(_POP, Ask("drums", "backbeat"), Ask("tempo_change", "ritardando", where="end"),
          Ask("dynamics", "soft", where="bridge"), form=_SONG),
    _made(_JAZZ, Ask("drums", "brushes"), Ask("role", "walking", who="Double Bass"), Ask("feel", "swing"),
          Ask("solo", who="Piano", where="solo"), form=("head", "solo", "head")),
    _made(_JAZZ, Ask("texture", "call and response", where="A"), Ask("feel", "straight"),
          form=("A", "A", "B", "A")),
    _made(_FOUR, Ask("texture", "canon", where="first half"), Ask("voices", "4"), ending="soft"),
    _made(_FOUR, Ask("texture", "fugue"), Ask("voices", "4")),
    _made(_FOUR, Ask("texture", "pedal", where="first half"), Ask("density", "sparse", where="second half"),
          Ask("without", "flute"), ending="held"),
    _made(_FOUR, Ask("texture", "unison", where="first half"), Ask("texture", "homophony", where="second half")),
    _made(_FOUR, Ask("texture", "ostinato"), Ask("register", "high", who="Violin")),
    _made(_FOLK, Ask("key_change", "major", where="B"), Ask("role", "chords", who="Acoustic Guitar"),
          form=("A", "A", "B", "A"), dedication="Mia"),
    _made(_FOLK, Ask("texture", "counterpoint"), Ask("articulation", "legato", who="Cello"), title="The Ferry"),
    _made(_SOLO, Ask("difficulty", "beginner"), Ask("articulation", "staccato", where="second half")),
    _made(_SOLO, Ask("range", "C4-G4"), Ask("dynamics", "fading", where="second half"), dedication="Tom"),
    _made(_SOLO, Ask("texture", "arpeggio"), Ask("register", "low", where="second half"), ending="open"),
    _made(_SOLO, Ask("density", "busy"), Ask("tempo_change", "60", where="second half")),
    _made(_SOLO, Ask("feel", "syncopated"), scale="dorian"),
    _made(_SOFT, scale="hijaz", ending="ritard"),
    _made(_FOLK, ending="abrupt", scale="minor pentatonic"),
    _made(_CHORDS, title="Four Doors"),
)  # fmt: skip

_BRIEFS = (_POP, _JAZZ, _FOUR, _FOLK, _SOLO)
_NAMES = {
    _POP: ("Piano", "Saxophone", "Electric Guitar"), _JAZZ: ("Saxophone", "Piano"), _FOUR: ("Violin", "Viola"),
    _FOLK: ("Flute", "Cello"), _SOLO: ("Piano",),
}  # fmt: skip
_PLACES = ("verse 1", "chorus", "bridge", "last chorus", "verse 2")


def random_contract(seed: int) -> Contract:
    """A contract with one to four asks that do not contradict each other."""
    chance = Random(seed)
    brief = chance.choice(_BRIEFS)
    song = chance.random() < 1 / 2 and brief != _SOLO
    places = _PLACES if song else ("first half", "second half", "end")
    who = chance.choice(_NAMES[brief])
    place, other = chance.sample(places, 2)
    drums = "drums" in brief
    pool = [
        Ask("key_change", chance.choice(("+2", "+1", "-3", "+5")), where=place),
        Ask("dynamics", chance.choice(("soft", "loud", "growing", "fading")), where=other),
        Ask("tempo_change", chance.choice(("faster", "slower", "ritardando")), where=other),
        Ask("articulation", chance.choice(("staccato", "legato")), who=who),
        Ask("register", chance.choice(("low", "high")), who=who, where=place),
        Ask("density", chance.choice(("sparse", "busy")), where=place),
        Ask("meter_change", chance.choice(("3/4", "5/4")), where=place),
    ]
    if brief != _SOLO:
        pool += [
            Ask("solo", who=who, where=place),
            Ask("lead", who=who, where=other),
            Ask("silent", who=_NAMES[brief][-1], where=place),
            Ask("only", who=who, where=place),
        ]
    if drums:
        pool += [
            Ask("drums", chance.choice(("four on the floor", "half time", "backbeat", "brushes"))),
            Ask("silent", who="drums", where=place),
            Ask("role", "walking", who="bass"),
            Ask("leave", who="drums", where=place if place not in ("verse 1", "first half") else "second half"),
        ]
    else:
        pool += [Ask("texture", chance.choice(("canon", "pedal", "arpeggio", "ostinato", "unison", "counterpoint")))]
    asks: list[Ask] = []
    for ask in chance.sample(pool, chance.randint(1, 4)):
        if not any(_against(ask, old) for old in asks):
            asks.append(ask)
    return _made(brief, *asks, form=_SONG if song else ())


#: Kinds that may not meet in one piece, because the one takes away what the other asks for.
_APART = (
    ("silent", "solo"), ("silent", "lead"), ("silent", "only"), ("only", "solo"), ("only", "lead"), ("solo", "lead"),
    ("drums", "silent"), ("drums", "leave"), ("drums", "only"), ("leave", "silent"), ("leave", "only"),
    ("texture", "solo"), ("texture", "lead"), ("texture", "silent"), ("texture", "only"), ("texture", "density"),
    ("texture", "articulation"), ("role", "density"), ("role", "only"), ("silent", "register"), ("silent", "density"),
    ("only", "density"), ("only", "register"),
)  # fmt: skip


def _against(one: Ask, two: Ask) -> bool:
    pair = {one.kind, two.kind}
    return one.kind == two.kind or any(pair == set(kinds) for kinds in _APART)
