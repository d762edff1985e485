"""What concert and film briefs say: who leads which section, tunes that go round, orchestras, voices, closes."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house import compose_score


def asks(text: str) -> set[str]:
    return {ask.text for ask in Contract.from_brief(text).asks}


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("The middle section is led by the cello.", {"lead: Cello, middle"}),
        ("The second theme should be led by the cello.", {"lead: Cello, B"}),
        ("The cello sings the second theme.", {"lead: Cello, B"}),
        ("It slows down for a soft passage on the cello.", {"lead: Cello, contrast", "tempo change: slower, contrast"}),
        ("The cello plays the chords in the middle section.", set()),
        ("The flute leads at the beginning and the cello takes over when the sun rises.",
         {"lead: Flute, start", "lead: Cello, second half"}),
        ("The flute introduces a calm theme, the cello takes it up.",
         {"lead: Flute, first half", "lead: Cello, second half"}),
        ("Finish with the cello taking the theme.", {"lead: Cello, last quarter"}),
    ],
)  # fmt: skip
def test_sections_have_leaders(words: str, expected: set[str]) -> None:
    said = asks(f"A piece in G major for flute, cello and piano. {words}")
    assert {one for one in said if one.startswith(("lead", "tempo"))} == expected


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("The four converse as equals, passing short motifs from one to another.", 2),
        ("The theme is passed around the four instruments.", 4),
        ("The tune wanders from voice to voice.", 4),
        ("All sections are of equal length.", 0),
    ],
)
def test_a_tune_goes_round(words: str, size: int) -> None:
    said = asks(f"A string quartet in G major. {words}")
    assert ({f"lead: Viola, turns 3 of 4 in {size}"} <= said) == bool(size)
    assert any(one.startswith("lead") for one in said) == bool(size)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("with a brief shadow of minor", "key change: minor, 4 bars in second half"),
        ("with a minor-key middle section", "key change: minor, middle"),
        ("with a touch of blues", ""),
    ],
)
def test_glimpses_of_another_mode(words: str, expected: str) -> None:
    said = {one for one in asks(f"A quartet in G major {words}.") if one.startswith("key change")}
    assert said == ({expected} if expected else set())


@pytest.mark.parametrize(
    ("text", "there", "missing"),
    [
        ("A theme for full orchestra with strings, horns and timpani.", "Flute", "Strings #2"),
        ("Begin with solo cello, then an oboe, and finally the full orchestra swells.", "Trombone", ""),
        ("A concerto for two violins, string orchestra and harpsichord. The full orchestra begins.", "", "Trombone"),
        ("A scherzo for orchestra. Bassoon and flute chase each other.", "Bassoon", ""),
        ("A fugue for organ. The subject enters in the middle voice.", "Organ", "Voice"),
        ("For violin, cello and piano. The two string instruments sing together.", "Cello", "Strings"),
        ("For SATB choir. The men's voices begin, the women's voices answer.", "Soprano", "Men's Voices"),
        ("For piano and string quartet. The first violin leads.", "Viola", ""),
        ("For violin and cello. The second part is slow with the cello singing.", "Cello", "Voice"),
    ],
)
def test_who_plays(text: str, there: str, missing: str) -> None:
    there = there or names(text)[0]
    assert there in names(text)
    assert missing not in names(text)


def test_an_amen_is_two_held_chords() -> None:
    contract = Contract.from_brief("A hymn in F major for SATB choir, 16 bars. It closes with a grand Amen.")
    score = compose_score(contract, 0)
    assert contract.ending == "plagal"
    assert [chords[-1] for chords in score.chords[-2:]] == ["Bb", "F"]
    last = score.table[score.table["bar"] >= score.bars - 2]
    assert set(last["duration"].tolist()) == {score.bar_lines[1] - score.bar_lines[0]}


def test_low_brass_is_low() -> None:
    contract = Contract.from_brief(
        "A menacing film cue in C minor, 16 bars, for low brass and timpani. Low brass leads."
    )
    score = compose_score(contract, 0)
    heights = [voice.array["pitch"].mean() for voice in score.voices if voice.name.startswith("Low Brass")]
    assert max(heights) < 66


@pytest.mark.parametrize(
    ("text", "meter"),
    [
        ("A Romantic chamber piece for violin and cello. Masked figures move through a ballroom.", "3/4"),
        ("An elegant baroque court dance in G major for violin and cello.", "3/4"),
        ("Masquerade: a classical piece in A minor for string quartet.", "3/4"),
        ("The Last Ball: for violin and piano, at a grand ball where strangers dance.", "3/4"),
        ("A classical gavotte for string quartet in a candlelit ballroom.", "4/4"),
        ("A classical polka for string quartet in a candlelit ballroom.", None),
        ("A swinging big band number for a crowded ballroom.", None),
        ("A classical piece about a crystal ball for solo piano.", None),
        ("A ballroom in 5/4 for string quartet, classical.", "5/4"),
    ],
)
def test_a_ball_is_danced_in_three(text: str, meter: str | None) -> None:
    told = Contract.from_brief(text).meter
    assert (str(told) if told else None) == meter


@pytest.mark.parametrize(
    ("text", "meter"),
    [
        ("A circus piece in A minor for calliope and tuba with a lopsided, circus-like rhythm.", "7/8"),
        ("A clown tune with a limping rhythm for clarinet, bassoon and piano.", "7/8"),
        ("A whimsical piece in D minor for bassoon; the rhythm should feel off-kilter.", "7/8"),
        ("A folk dance with a limping meter for fiddle and accordion.", "7/8"),
        ("A creepy carousel waltz in D minor with a lopsided rhythm for organ.", "3/4"),
        ("A circus song in 5/4 with a limping rhythm for accordion.", "5/4"),
        ("A goblin march with a limping rhythm for bassoon and tuba.", None),
        ("A hip hop track with an off-kilter beat.", None),
        ("A jazz trio with a lopsided groove.", None),
        ("A circus piece with no lopsided rhythm for accordion.", None),
        ("A film piece for strings, calm, with an off-kilter rhythm in the bridge.", None),
        ("A lopsided melody over a steady beat for clarinet and piano.", None),
    ],
)
def test_what_limps_goes_in_seven(text: str, meter: str | None) -> None:
    told = Contract.from_brief(text).meter
    assert (str(told) if told else None) == meter


def test_a_limping_rhythm_does_not_run_down() -> None:
    kinds = {(ask.kind, ask.what) for ask in Contract.from_brief("A clown tune with a limping rhythm, piano.").asks}
    assert ("tempo_change", "running down") not in kinds


def test_few_strings_dance_in_their_own_registers() -> None:
    text = "A masquerade in F# minor for violin, viola and cello, classical, 32 bars, F#m-A-E-Bm."
    score = compose_score(Contract.from_brief(text), 0)
    violin, viola, cello = (voice.array["pitch"].mean() for voice in score.voices)
    assert violin - viola > 5
    assert viola - cello > 10
    two = compose_score(Contract.from_brief("A waltz in D minor for violin and cello, Dm-Gm-A7-Dm, 24 bars."), 0)
    low = next(voice for voice in two.voices if voice.name == "Cello").array
    assert {0, 1, 2} <= {int(onset % two.meter.ticks // 40320) for onset in low["onset"]}


@pytest.mark.parametrize(
    ("text", "slow", "low"),
    [
        ("A minimalist piece for two pianos whose cells slowly shift and overlap.", False, False),
        ("A minimalist piece for two pianos. It moves slowly.", True, False),
        ("A romance for cello and piano. The cello carries the melody with deep yearning.", False, False),
        ("A piece for cello and piano. The cello plays a deep melody.", False, True),
    ],
)
def test_what_changes_slowly_or_is_felt_deeply_is_neither_slow_nor_low(text: str, slow: bool, low: bool) -> None:
    tempo = Contract.from_brief(text).tempo_bpm
    assert (tempo is not None and tempo[1] < 80) == slow
    assert any(ask.startswith("register: low") for ask in asks(text)) == low


def test_two_violins_chase_each_other() -> None:
    text = "A baroque concerto in D minor for two violins and harpsichord, 24 bars, Dm-Gm-A-Dm. They chase each other."
    score = compose_score(Contract.from_brief(text), 0)
    half = score.bar_lines[1] // 2
    first, second = (
        {(int(note["onset"]), int(note["pitch"]) % 12) for note in voice.array if note["onset"] < 6 * half}
        for voice in score.voices[:2]
    )
    assert len({(onset + half, pitch) for onset, pitch in first} & second) >= len(second) // 2


def test_the_strings_of_an_orchestra_lead_its_waltz() -> None:
    leads = [
        part.name for part in Contract.from_brief("A waltz in C major for orchestra.").parts if part.role == "lead"
    ]
    brass = Contract.from_brief("A waltz in C major for orchestra, with bright trumpets.").parts
    assert leads == ["Strings"]
    assert "Strings" not in [part.name for part in brass if part.role == "lead"]


def test_a_ground_is_no_player() -> None:
    assert names("A passacaglia in C minor for organ built on a repeating bass line.") == ["Organ"]
    assert "Bass" in names("An underground techno track with drums and a repeating bass line.")
