"""What a brief may ask for, clause by clause, and the words that would go against each: written apart from the code."""

from __future__ import annotations

from dataclasses import dataclass, replace

from libretto.contract import Contract
from libretto.score import Key, Meter

__all__ = ["ASKED", "Asked", "brief"]

DRUMS = r"\bdrum|\bkick|\bsnare|hi-hat|\bkit\b|cymbal|(?<!leave )percussion"
FURTHER = r"(?<!its )(?<!every )(?<!such an )\binstruments?\b|add a part|leave out|bring in (?!new chords)|guitar"
PLAYERS = (
    FURTHER + r"|give (?:more|less) to|give parts|take lines|single players|piano|\bhorn|saxophone|organ|brass|flutes|"
    r"\bpad\b|choir"
)
COLOUR = r"borrow|outside the key(?! that nothing)|have not been used"
PROGRESSION = COLOUR + r"|change chords|stay on chords|new chords|chords already|order of chords|bass move|falling " \
    r"fifths|diminished|plain major|whole tones|subdominant|other degrees|major chords|minor chords|sevenths|triads|" \
    r"fewer different notes|over more notes"  # fmt: skip
KIT = r"\bkick|\bsnare|hi-hat|\bkit\b"


@dataclass(frozen=True)
class Asked:
    """A contract, the fields of it that are asked, and the words that would go against them."""

    contract: Contract
    fields: tuple[str, ...]
    excluded: str


def brief(text: str) -> Contract:
    """A contract from words, without what only its mood suggests."""
    return replace(Contract.from_brief(text), tempo_bpm=None, density=0.0, brightness=0.0, dynamics=0.0, register=0.0)


ASKED = {
    "no drums": Asked(Contract(drums=False), ("drums",), DRUMS),
    "drums": Asked(Contract(drums=True), ("drums",), r"leave percussion out"),
    "a cappella": Asked(brief("An a cappella piece for SATB choir."), ("parts",), f"{DRUMS}|{PLAYERS}|play chords"),
    "solo flute": Asked(
        brief("A piece for solo flute."),
        ("parts", "drums"),
        f"{DRUMS}|{PLAYERS}|more parts|parts (?:rest|play on|strike|answer)|play chords|chord out|the bass|voicings|"
        "accompaniment",
    ),
    "solo piano": Asked(
        brief("A piece for solo piano."),
        ("parts", "drums"),
        f"{DRUMS}|{FURTHER}|more parts|parts (?:rest|play on|strike|answer)",
    ),
    "saxophone and piano": Asked(
        brief("A piece for saxophone and piano."), ("parts",), f"{DRUMS}|{PLAYERS}|more parts"
    ),
    "violins": Asked(brief("A duo for two violins."), ("parts",), f"{DRUMS}|{PLAYERS}|the bass"),
    "kora and djembe": Asked(brief("A piece for kora and djembe."), ("parts", "drums"), f"{KIT}|{PLAYERS}"),
    "djembe alone": Asked(
        Contract(parts=brief("A piece for kora and djembe.").parts[1:], drums=True),
        ("parts",),
        f"{KIT}|{PLAYERS}|drums do less|harmony of its bar|\\bmelody\\b|\\bchord|\\bbass\\b|\\bkey\\b",
    ),
    "tempo": Asked(Contract(tempo_bpm=(90.0, 100.0)), ("tempo_bpm",), r"faster|slower"),
    "bars": Asked(Contract(bars=16), ("bars",), r"add phrases|take out"),
    "form": Asked(Contract(form=("A", "B", "A")), ("form",), r"sections run|mark sections off|add phrases|take out"),
    "major": Asked(Contract(key=Key.parse("C major")), ("key",), f"{COLOUR}|lowered third"),
    "minor": Asked(Contract(key=Key.parse("A minor")), ("key",), f"{COLOUR}|raised third"),
    "chords": Asked(Contract(chords=("Dm7", "G7", "Cmaj7")), ("chords",), PROGRESSION),
    "waltz": Asked(Contract(meter=Meter(3, 4)), ("meter",), r"two and four"),
    "jig": Asked(Contract(meter=Meter(6, 8)), ("meter",), r"two and four|straighten|delay the off-beat|notes straight"),
    "soft": Asked(Contract(dynamics=-0.8), ("dynamics",), r"loud passages|strongly"),
    "loud": Asked(Contract(dynamics=0.8), ("dynamics",), r"softly"),
    "sparse": Asked(
        Contract(density=-0.8), ("density",), r"play more often|more parts|smaller values|more to do|play chords"
    ),
    "busy": Asked(Contract(density=0.8), ("density",), r"more room|let parts rest\.|larger values"),
    "low": Asked(Contract(register=-0.8), ("register",), r"lift the bass"),
    "high": Asked(Contract(register=0.8), ("register",), r"lower the bass"),
    "dark": Asked(Contract(brightness=-0.8), ("brightness",), r"brighter|more major|raised third"),
    "bright": Asked(Contract(brightness=0.8), ("brightness",), r"mellower|more minor|lowered third"),
    "fade": Asked(Contract(ending="fade"), ("ending",), r"at one level|close on the tonic|come home"),
    "open ending": Asked(Contract(ending="open"), ("ending",), r"close on the tonic|come home"),
    "ritard": Asked(Contract(ending="ritard"), ("ending",), r"close on the tonic"),
}
