"""Briefs and wishes in other languages: what is read from them, keys, and the places of words."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libretto.contract.brief import understand
from libretto.contract.tonality import find_keys
from libretto.contract.tongues import in_english, language_of
from libretto.contract.tongues.rendering import Rendered
from libretto.contract.tongues.tables import ENGLISH
from libretto.score import Note, Score, Voice
from libretto.tasks.revise.request import read_request, read_wishes

OTHERS = ("de", "es", "fr", "it", "pt")

BRIEFS = {
    "de": "Ein trauriges Walzerstück für Klavier und Geige in d-Moll, langsam, mit einem Tonartwechsel vor dem "
    "letzten Refrain",
    "es": "Un tango triste en sol menor para bandoneón, violín y contrabajo, 32 compases, lento",
    "fr": "Une valse triste en ré mineur, lente, pour piano et violon, seize mesures",
    "it": "Un brano allegro e veloce in re maggiore per flauto, chitarra e contrabbasso, ventiquattro battute",
    "pt": "Uma valsa triste em ré menor, lenta, para piano e violino, dezasseis compassos",
}


# What is read ---------------------------------------------------------------------------------------------------------


def test_the_german_example_is_read() -> None:
    brief = understand(BRIEFS["de"])
    assert (str(brief.key), str(brief.meter), brief.style, brief.mood) == ("D minor", "3/4", "waltz", ("sad",))
    assert [part.instrument for part in brief.cast.parts] == ["piano", "violin"]
    assert brief.tempo_bpm == (56.0, 76.0)
    assert "key change before the last chorus" in in_english(BRIEFS["de"]).text


def test_briefs_in_romance_languages_are_read() -> None:
    spanish = understand(BRIEFS["es"])
    assert (str(spanish.key), spanish.style, spanish.mood, spanish.bars) == ("G minor", "tango", ("sad",), 32)
    assert [part.instrument for part in spanish.cast.parts] == ["bandoneon", "violin", "double bass"]
    italian = understand(BRIEFS["it"])
    assert (str(italian.key), italian.bars, italian.mood) == ("D major", 24, ("cheerful",))
    for code in ("fr", "pt"):
        brief = understand(BRIEFS[code])
        assert (str(brief.key), brief.style, brief.bars, str(brief.meter)) == ("D minor", "waltz", 16, "3/4")
        assert [part.instrument for part in brief.cast.parts] == ["piano", "violin"]


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("im letzten Refrain", "in the last chorus"),
        ("Füge ein Cello hinzu", "Add a cello"),
        ("Nimm bitte die Trompete weg", "Remove please the trumpet"),
        ("ein Klavierstück im Dreivierteltakt", "a piano piece in the 3/4 time"),
        ("den Bass eine Oktave tiefer", "the bass down an octave"),
        ("fuer Anfaenger, ganz leise", "for beginner, very quiet"),
        ("un tono más alto", "up a whole step"),
        ("quita la batería del segundo verso", "remove the drums of the second verse"),
        ("el estribillo final", "the last chorus"),
        ("enlève la batterie dans le deuxième couplet", "remove the drums in the second verse"),
        ("de la mesure 5 à la mesure 9", "bars 5 to 9"),
        ("togli l'arpa nel ritornello finale", "remove the harp in the last chorus"),
        ("tira o violino da segunda estrofe", "remove the violin from the second verse"),
        ("vinte e quatro compassos", "twenty-four bars"),
    ],
)
def test_phrases_are_rendered(said: str, english: str) -> None:
    assert in_english(said).text == english


def test_wishes_are_read_in_other_languages() -> None:
    notes = [Note(step * 480, 480, 60) for step in range(32)]
    piece = Score.build([Voice.of("Piano", notes, 0), Voice.of("Violin", notes, 40)], bars=8)
    for said in ("Das Klavier leiser", "El piano más suave", "Le piano plus doux", "Il piano più piano"):
        wishes, unread = read_wishes(said, piece)
        assert [(wish.quality, wish.way, wish.voices) for wish in wishes] == [("loudness", -1, ("Piano",))], said
        assert all(phrase.words in said for phrase in read_request(said, piece).heard), said
        assert unread == []
    assert read_wishes("Schick mir eine Schallplatte", piece) == ([], ["Schick mir eine Schallplatte"])


def test_what_is_not_understood_is_given_back_in_its_own_words() -> None:
    brief = understand(BRIEFS["de"] + ". Soll nach Neonlicht im Nebel riechen.")
    assert "nach Neonlicht im Nebel riechen" in brief.unread
    assert understand("Traurige Ballade: langsam, für Klavier und Geige.").title == "Traurige Ballade"


def test_quotes_and_chords_stay_as_they_are() -> None:
    text = "Eine Ballade mit dem Titel „Mein letzter Walzer“ und den Akkorden Am F C G, langsam."
    assert "„Mein letzter Walzer“" in in_english(text).text
    assert "Am F C G" in in_english(text).text


# Which language it is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", OTHERS)
def test_languages_are_told_apart(code: str) -> None:
    assert language_of(BRIEFS[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a brief for cello, viola, allegro, con brio",
        "cello, viola, allegro con brio",
        "Allegro ma non troppo, in E minor",
        "La Mer: a piece for two pianos in the style of the chanson",
        "Die Walkure on kazoo, please, and make it loud",
        "tango for bandoneon and piano, con moto",
        "12345 !!! ???",
        "日本の歌",
    ],
)
def test_english_and_unknown_texts_stay(text: str) -> None:
    rendered = in_english(text)
    assert (rendered.text, rendered.language) == (text, ENGLISH)
    assert rendered.source(0, len(text)) == (0, len(text))
    assert rendered.own(text) == text


def test_known_english_briefs_stay(shared: Path) -> None:
    path = shared / "prompts" / "briefs.json"
    if not path.exists():
        pytest.skip("there are no briefs beside the checkout")
    changed = [row["name"] for row in json.loads(path.read_text()) if in_english(row["prompt"]).text != row["prompt"]]
    assert changed == []


# Keys -----------------------------------------------------------------------------------------------------------------

MAJOR = ["C", "G", "D", "A", "E", "B", "F#", "C#", "F", "Bb", "Eb", "Ab", "Db", "Gb", "Cb"]
MINOR = ["A", "E", "B", "F#", "C#", "G#", "D#", "A#", "D", "G", "C", "F", "Bb", "Eb", "Ab"]
GERMAN = {"B": "H", "Bb": "B", "Eb": "Es", "Ab": "As"}
ROMANCE = {
    "es": ("do re mi fa sol la si", "sostenido", "bemol", "mayor", "menor"),
    "fr": ("do ré mi fa sol la si", "dièse", "bémol", "majeur", "mineur"),
    "it": ("do re mi fa sol la si", "diesis", "bemolle", "maggiore", "minore"),
    "pt": ("dó ré mi fá sol lá si", "sustenido", "bemol", "maior", "menor"),
}
FRAMES = {
    "de": "ein Stück in {} für Klavier und Geige",
    "es": "una pieza en {} para piano y violín",
    "fr": "un morceau en {} pour piano et violon",
    "it": "un brano in {} per pianoforte e violino",
    "pt": "uma peça em {} para piano e violino",
}


def name_in(code: str, tonic: str, mode: str) -> str:
    """The name of a key as people write it in that language."""
    if code == "de":
        german = GERMAN.get(tonic) or tonic[0].replace("B", "H") + {"#": "is", "b": "es"}.get(tonic[1:], "")
        return f"{german}-Dur" if mode == "major" else f"{german.lower()}-Moll"
    names, sharp, flat, major, minor = ROMANCE[code]
    sign = {"#": sharp, "b": flat}.get(tonic[1:], "")
    words = (names.split()["CDEFGAB".index(tonic[0])], sign, major if mode == "major" else minor)
    return " ".join(filter(None, words))


@pytest.mark.parametrize("code", OTHERS)
def test_all_thirty_keys_are_named(code: str) -> None:
    keys = [(tonic, "major") for tonic in MAJOR] + [(tonic, "minor") for tonic in MINOR]
    for tonic, mode in keys:
        text = FRAMES[code].format(name_in(code, tonic, mode))
        assert [str(phrase.key) for phrase in find_keys(in_english(text).text)] == [f"{tonic} {mode}"], text
        plain = in_english(text.upper()).text
        assert f"{tonic} {mode}" in plain, text


# Places ---------------------------------------------------------------------------------------------------------------


def check_places(rendered: Rendered) -> None:
    """Whatever is the original's own is in its place, and every stretch comes from within the original."""
    at = 0
    for piece in rendered.pieces:
        if piece.same:
            assert rendered.original[piece.start : piece.end] == piece.text
            assert rendered.source(at, at + len(piece.text)) == (piece.start, piece.end)
        elif piece.text:
            assert rendered.source(at, at + len(piece.text)) == (piece.start, piece.end)
        at += len(piece.text)
    assert at == len(rendered.text) or not rendered.pieces
    for start, end in ((0, len(rendered.text)), (0, 1), (len(rendered.text) // 2, len(rendered.text))):
        low, high = rendered.source(start, end)
        assert 0 <= low <= high <= len(rendered.original)


SOME_WORDS = st.sampled_from(
    ["Klavier", "und", "füge", "hinzu", "langsamer", "Refrain", "schieben", "aber", "zzqxq", "«Ja»", "3/4", "Takt",
     "c''", "l'accordéon", "más", "última", "estrofa", "un", "tono", "d'un", "plus", "lent", "il", "ritornello",
     "finale", "as", "ß", "e\u0301", "-", ",", ".", "\n", "İ", "🎻", "Am F C G", "16", "fällt", "weg", "und und", "'"]
)  # fmt: skip


@given(st.lists(SOME_WORDS, max_size=30), st.sampled_from(OTHERS))
def test_places_map_back(words: list[str], code: str) -> None:
    text = BRIEFS[code] + " " + " ".join(words) + " vwzzqk."
    rendered = in_english(text)
    check_places(rendered)
    assert rendered.own("vwzzqk") == "vwzzqk"
    at = rendered.text.index("vwzzqk")
    assert text[slice(*rendered.source(at, at + 6))] == "vwzzqk"


@given(st.text(max_size=200))
def test_any_text_can_be_rendered(text: str) -> None:
    check_places(in_english(text))
    check_places(in_english("Ein Walzer für Klavier und " + text))


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_rendered_is_english(code: str) -> None:
    once = in_english(BRIEFS[code])
    assert once.language == code
    assert in_english(once.text).text == once.text


@pytest.mark.parametrize(
    "unit",
    ["füge ", "nimm der die ", "»", "«a", "fällt das ", "Klavierklavier", "und ", "a'", "3/4 Takt ", "Am F C G "],
)
def test_hostile_texts_take_no_longer_than_their_length(unit: str) -> None:
    def seconds(length: int) -> float:
        text = ("Ein Stück für das Klavier, " + unit * length)[:length]
        start = time.process_time()
        in_english(text)
        return time.process_time() - start

    in_english("Ein Stück")
    assert seconds(20_000) < 2.0
