"""What is said in words: briefs, corrections of what was understood, wishes, searches, replies of models and ears."""

from __future__ import annotations

import random
from functools import cache

from fuzz import good_score

from fuzzing.corpora import Call, broken, broken_text, corpus, soup
from libretto.contract import Contract
from libretto.grammar import notate
from libretto.score import Score

__all__ = ["BRIEFS", "WISHES"]

BRIEFS = (
    "A nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion and violin",
    "Bebop at 220 bpm in Bb, 32 bars AABA, tenor sax solo in the bridge, walking bass, no drums in the intro",
    "A minor-key waltz for string quartet; the cello has the tune in bars 9-16, pizzicato, then a fermata",
    "Ein langsamer Walzer in d-Moll für Klavier, 24 Takte, 3/4, mit Auftakt",
    "Une valse triste en ré mineur pour accordéon, 16 mesures, tempo 90",
    "12-bar blues in E, shuffle, 7/8 for two bars, ii-V-I turnaround, key change to F# minor at bar 9",
)
WISHES = (
    "make the bridge darker and the bass quieter in bars 5-8",
    "the melody an octave higher, but not in the second half; no drums at the end",
    "double the tempo from bar 3, add a flute, drop the piano, and repeat bars 1-2 twice",
    "transpose LEAD up a fifth in section A and thin out KIT",
    "mach die zweite Hälfte lauter und den Schluss länger",
)
_TOKENS = (
    *(word for text in (*BRIEFS, *WISHES) for word in text.split()),
    *("bars", "9-", "-9", "0", "999999999", "4/4", "99/1", "3/0", "bpm", "C#°7/Gb", "no", "not", "without", "but"),
    *("bar 2²", "bars ٣-٤", "½", "iiø", "V/V/V", "((((", "))))", "key:", "—", "...", "\u2028", "\x00", "I" * 300),
)  # fmt: skip


def _said(texts: tuple[str, ...], chance: random.Random) -> str:
    text = chance.choice(texts)
    return soup(_TOKENS, chance) if chance.random() < 0.3 else broken_text(text, chance, _TOKENS)


@cache
def _piece(seed: int) -> Score:
    return good_score(random.Random(seed))


@corpus("briefs")
def _briefs(chance: random.Random) -> Call:
    from libretto.contract import contract_from_text, contract_to_toml, describe, frame

    text = _said(BRIEFS, chance)

    def read() -> object:
        contract = Contract.from_brief(text)
        again = contract_from_text(contract_to_toml(contract))
        return describe(again), frame(contract)

    return read


@corpus("corrections")
def _corrections(chance: random.Random) -> Call:
    from libretto.contract.amending import amended

    said = [
        {"words": chance.choice(WISHES)}, {"key": "bars", "value": 16}, {"key": "key", "value": "D minor"},
        {"drop": "slow"}, {"key": "tempo_bpm", "value": [90, 100]}, {"key": "parts", "value": ["flute"]}, "in 24 bars",
        {"key": "chords", "value": ["C", "G7"]}, {"key": "meter"},
    ]  # fmt: skip
    brief, corrections = chance.choice(BRIEFS), broken(chance.sample(said, chance.randrange(1, 4)), chance)
    corrections = corrections if isinstance(corrections, list) else [corrections]
    return lambda: amended(brief, corrections)


@corpus("wishes")
def _wishes(chance: random.Random) -> Call:
    from libretto.tasks.revise.request import read_request
    from libretto.tasks.revise.wish import Wish

    text, piece = _said(WISHES, chance), _piece(chance.randrange(3))

    def read() -> object:
        return [Wish.from_dict(wish.to_dict()).text for wish in read_request(text, piece).wishes]

    return read


@corpus("replies")
def _replies(chance: random.Random) -> Call:
    from libretto.agents.model.planning import read_plan
    from libretto.agents.model.reading import read_reply, split_patches
    from libretto.agents.revise import wishes_in
    from libretto.agents.teams.abc import abc_of
    from libretto.listen.kinds import kinds
    from libretto.listen.replies import read_answer

    piece = _piece(chance.randrange(3))
    music = notate(piece, compact=chance.random() < 0.5)
    talk = chance.choice((
        f"Here it is:\n```\n{music}```\nEnjoy!", music, f"PATCH LEAD bars 2-3\n{music[80:400]}\nEND", "X:1\nK:C\nCDEF|",
        "TITLE: A\nKEY: C major\nMETER: 4/4\nTEMPO: 90\nBARS: 8\nVOICES: LEAD (flute), BASS\nFORM: A 1-4, B 5-8\n"
        "CHORDS: C | Am | F | G\n", "WISH dark more voices LEAD bars 2-3\nWISH loud less voices all bars 1",
        "Answer: 3", "note(60, 1, 2)\nbeat(1)\nFINAL ANSWER: A",
    ))  # fmt: skip
    text = talk if chance.random() < 0.1 else broken_text(talk, chance, _TOKENS)
    contract, kind = Contract(), kinds[chance.choice(list(kinds))]

    def read() -> object:
        head = read_reply(text, cut=chance.random() < 0.3)
        return (
            head, split_patches(text), read_plan(text, contract, 8), wishes_in(text, piece), abc_of(text),
            read_answer(text, kind),
        )  # fmt: skip

    return read
