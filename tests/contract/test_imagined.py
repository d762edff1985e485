"""Who is only imagined does not play; who sings beside a choir does."""

from __future__ import annotations

import pytest

from libretto import Contract


def _players(brief: str) -> list[str]:
    return [part.instrument for part in Contract.from_brief(brief).parts]


@pytest.mark.parametrize(
    "said",
    [
        "Leave space so that a rapper could perform over it.",
        "Leave plenty of room for a vocalist.",
        "It is something for an MC to freestyle over.",
        "It should sound as though a distant choir were singing.",
        "The piano shimmers like church bells at dawn.",
        "The piano imitates bagpipes and distant drums.",
        "The cello recalls the sound of a harmonica and an accordion at a fair.",
        "Think of a marching band passing by.",
        "Write it the way a choir would sing.",
    ],
)
def test_who_is_likened_to_or_left_room_for_does_not_play(said: str) -> None:
    assert _players(f"A slow piece for cello and piano. {said}") == ["cello", "piano"]


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        ("Instruments like the sitar and tabla carry the piece.", ["sitar", "tabla"]),
        ("We'd like a clarinet to lead over soft piano chords.", ["clarinet", "piano"]),
        ("A storm that evokes the sea with piano and cello.", ["piano", "cello"]),
        ("Piano and bass. A singer could join for the chorus.", ["piano", "bass", "voice"]),
        ("The piano rings like a bell and a flute answers.", ["piano", "flute"]),
    ],
)
def test_who_is_asked_for_beside_such_words_plays(brief: str, players: list[str]) -> None:
    assert _players(brief) == players


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        ("Kora, djembe and a male voice singing wordless phrases.", ["kora", "djembe", "voice"]),
        ("Guitar and a soprano singing above it.", ["guitar", "soprano"]),
        ("Piano and a choir. A soulful lead singer calls and the choir responds.", ["piano", "choir", "voice"]),
        ("Ukulele, guitar and a group of friends singing.", ["ukulele", "guitar", "choir"]),
        ("Pedal steel, bass and a husky female lead.", ["pedal steel", "bass", "voice"]),
        ("Solo violin over harp; muted strings breathe.", ["violin", "harp", "strings"]),
        ("Two oboes, bassoon and harpsichord. The bassoon plays the bass.", ["oboe", "oboe", "bassoon", "harpsichord"]),
        ("Fiddle and drunken singers. A single hoarse voice starts.", ["fiddle", "choir", "voice"]),
        ("Singing bowls, flute and bells. The bowls ring.", ["singing bowl", "flute", "bells"]),
        ("A song for baritone and piano.", ["baritone voice", "piano"]),
        ("A reese bass growls, strings add panic, and a choir pad rises.", ["synth bass", "strings", "choir pad"]),
        ("A slow sine lead drifts over a pad.", ["synth lead", "synth pad"]),
        ("The violin provides a warm lead over piano chords.", ["violin", "piano"]),
        (
            "Two guitars and violin. Rhythm guitar strums, lead guitar sings.",
            ["guitar", "guitar", "violin"],
        ),
        ("Strings shimmer like stars, a flute like moonlight.", ["strings", "flute"]),
        ("Cellos surge like waves, violins whip up runs.", ["cello", "violin"]),
        ("Alto sax sings, bass walks, brushes swish.", ["alto sax", "bass", "drums"]),
        (
            "Uilleann pipes, whistle and harp. The harp ripples, pipes answer.",
            ["uilleann pipes", "tin whistle", "harp"],
        ),
        ("Alphorn, yodeler and accordion.", ["french horn", "voice", "accordion"]),
        (
            "Harmonium and a duet between a male and a female singer. Singers trade lines.",
            ["reed organ", "voice", "voice"],
        ),
        ("A woman sings to a guitar.", ["voice", "guitar"]),
        ("Piano, bass and a female singer; the female vocal soars.", ["piano", "bass", "voice"]),
        ("A gentle DX7 electric piano over 16 bars.", ["fm electric piano"]),
        ("Organ alone, a fugue; the subject enters in the alto, then soprano.", ["organ"]),
        ("Shamisen, a retro synth bass and drums.", ["shamisen", "synth bass", "drums"]),
        ("Reggae with a one-drop beat, deep bass and organ.", ["drums", "bass", "organ"]),
        ("Lead guitar sings, second guitar strums, bass walks.", ["electric guitar", "guitar", "bass"]),
        ("Rhythm guitar, bass and a soaring lead guitar.", ["clean guitar", "bass", "electric guitar"]),
        ("Pulse wave one leads, the triangle wave handles the bass.", ["square lead", "triangle wave"]),
        ("A hymn for choir and organ, the vocal lines moving slowly.", ["choir", "organ"]),
        ("Piano and a horn section of two trumpets and a trombone.", ["piano", "trumpet", "trumpet", "trombone"]),
        ("Piano alone; after four bars bass and drums join.", ["piano", "bass", "drums"]),
        ("Pulse wave one leads and the noise channel provides percussion.", ["square lead", "drum machine"]),
    ],
)
def test_singers_sections_and_counts(brief: str, players: list[str]) -> None:
    assert _players(brief) == players


def test_who_is_listed_after_instruments_like_another_plays() -> None:
    brief = "Instruments like the slide guitar and low strings should set the tempo to slow."
    assert _players(brief) == ["slide guitar", "low strings"]
    assert _players("A piece for cello and piano. Its instruments should sound like a distant brass band.") == [
        "cello",
        "piano",
    ]
