"""Sections: horns of a band play in parts, everybody joins in the tune of a session, violins keep to their strings."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.score import Score


def _played(brief: str) -> Score:
    return compose_score(Contract.from_brief(brief), 0)


def _notes(score: Score, name: str) -> set[tuple[int, int]]:
    return {(note.onset, note.pitch) for note in score.voice(name).notes}


def test_horns_of_a_big_band_play_in_parts() -> None:
    band = "A swinging big band chart in F major with saxophones, trumpets, trombones, piano, bass and drums, 32 bars"
    score = _played(band)
    horns = [voice.name for voice in score.voices if voice.program in (56, 57, 66)]
    assert len(horns) == 6
    for one, other in combinations(horns, 2):
        shared = _notes(score, one) & _notes(score, other)
        assert len(shared) <= 0.1 * min(len(_notes(score, one)), len(_notes(score, other))), (one, other)


def test_two_horns_of_a_quintet_keep_their_unison() -> None:
    score = _played("A hard bop tune for trumpet, tenor saxophone, piano, bass and drums in C minor, 32 bars")
    assert {"Trumpet", "Tenor Saxophone"} <= {voice.name for voice in score.voices}


def test_a_fiddle_joins_in_the_tune_of_a_session() -> None:
    jig = "A Celtic session: uilleann pipes, fiddle, tin whistle, bouzouki and bodhran play a jig in D major, 32 bars"
    score = _played(jig)
    pipes, fiddle = _notes(score, "Uilleann Pipes"), _notes(score, "Fiddle")
    first = min(onset for onset, _ in fiddle)
    assert first > 0  # it lets the others begin
    assert len({onset for onset, _ in fiddle} & {onset for onset, _ in pipes}) >= 0.7 * len(fiddle)


def test_violins_of_a_string_orchestra_lie_above_its_cellos() -> None:
    score = _played("A nocturne for French horn and string orchestra in F major, adagio, 24 bars")
    violins = [note.pitch for note in score.voice("String Orchestra").notes]
    cellos = [note.pitch for note in score.voice("String Orchestra (Cellos)").notes]
    assert min(violins) >= 55
    assert sum(cellos) / len(cellos) < sum(violins) / len(violins)


def test_a_clarinet_lies_above_the_horn_with_which_it_shares_a_line() -> None:
    quintet = "A playful scherzo for woodwind quintet (flute, oboe, clarinet, bassoon and horn) in F major, 32 bars"
    score = _played(quintet)
    means = [
        np.mean([note.pitch for note in score.voice(name).notes]) for name in ("Clarinet", "French Horn", "Bassoon")
    ]
    assert means == sorted(means, reverse=True)


def test_a_piano_lies_above_a_deep_tune_and_strings_above_a_singer_whose_piano_has_the_chords() -> None:
    sonata = _played(
        "A lyrical piece for solo cello and piano in A minor, andante, 24 bars, the cello sings throughout"
    )
    cello = np.mean([note.pitch for note in sonata.voice("Solo Cello").notes])
    right = [note.pitch for note in sonata.voice("Piano").notes if note.pitch >= 52]
    assert np.mean(right) > cello
    soul = "A smooth soul ballad for voice, electric piano, guitar, bass, drums and strings in E flat major, 32 bars"
    ballad = _played(soul)
    shared = _notes(ballad, "Strings") & _notes(ballad, "Electric Piano")
    assert len(shared) <= 0.2 * len(_notes(ballad, "Strings"))


def test_a_consort_of_recorders_goes_down_to_a_bass() -> None:
    score = _played("A Renaissance pavane for recorder consort: soprano, alto, tenor and bass recorders, in G minor")
    means = [np.mean([note.pitch for note in voice.notes]) for voice in score.voices if voice.program == 74]
    assert len(means) == 4
    assert means == sorted(means, reverse=True)


def test_a_cello_that_has_the_bass_of_a_quartet_stays_near_the_others() -> None:
    score = _played("A lively first movement for string quartet in D major, 32 bars, classical style")
    means = [np.mean([note.pitch for note in voice.notes]) for voice in score.voices]
    assert means == sorted(means, reverse=True)
    assert means[2] - means[3] < 16


def test_an_accordion_that_accompanies_lies_below_those_who_have_lines() -> None:
    score = _played("A klezmer freylekhs for clarinet, violin, accordion, tuba and drums in D minor, 32 bars")
    means = {voice.name: np.mean([note.pitch for note in voice.notes]) for voice in score.voices if not voice.drums}
    assert means["Tuba"] < means["Accordion"] < means["Violin"] < means["Clarinet"]


def test_brass_of_an_orchestra_rests_where_it_is_quiet_and_fills_the_tenor_where_not() -> None:
    orchestra = "flute, clarinet, French horn, trumpet, trombone, strings, double bass, timpani and choir"
    score = _played(f"An epic cinematic piece in D minor, slow, Dm C Bb A over 28 bars, for {orchestra}")
    trombone = score.voice("Trombone").notes
    bar = score.meter.ticks
    assert len({note.onset // bar for note in trombone}) < score.bars
    assert 45 <= np.mean([note.pitch for note in trombone]) <= 58


def test_a_second_trumpet_that_has_a_line_of_its_own_keeps_it() -> None:
    swing = (
        "An electro swing piece in G minor, 16 bars, with a brass section of two trumpets and trombone, bass and drums"
    )
    score = _played(swing)
    horns = [voice for voice in score.voices if voice.program in (56, 57)]
    for one, other in combinations(horns, 2):
        shared = _notes(score, one.name) & _notes(score, other.name)
        assert len(shared) <= 0.1 * min(len(one.notes), len(other.notes))


def test_a_horn_section_beside_a_singer_holds_and_answers_in_three_parts() -> None:
    soul = "A swaying sixties soul ballad in D major for singer, horn section, organ, bass and drums, 24 bars"
    score = _played(soul)
    horns = [voice for voice in score.voices if voice.program in (56, 57, 66)]
    assert len(horns) == 3
    struck: dict[int, list[int]] = {}
    for voice in horns:
        for note in voice.notes:
            struck.setdefault(note.onset, []).append(note.pitch % 12)
    three = [classes for classes in struck.values() if len(classes) == 3]
    assert len(three) > 0.5 * len(struck)
    assert sum(len(set(classes)) == 3 for classes in three) >= 0.8 * len(three)


def test_a_concertina_joins_in_the_tune_of_a_session_in_turn_with_chords() -> None:
    jig = "A fast Irish jig in D mixolydian, D-C-G-D over 32 bars, for fiddle, concertina and bodhran."
    score = compose_score(Contract.from_brief(jig), seed=0)
    fiddle, reeds = (score.voice(name).array for name in ("Fiddle", "Concertina"))
    ticks = score.meters[0][1].ticks
    tunes = [
        set(zip(notes["onset"].tolist(), (notes["pitch"] % 12).tolist(), strict=True)) for notes in (fiddle, reeds)
    ]
    joined = [
        bar for bar in range(score.bars)
        if len({one for one in tunes[0] & tunes[1] if one[0] // ticks == bar}) >= 3
    ]  # fmt: skip
    held = {bar for bar in range(score.bars) if (reeds["duration"][reeds["onset"] // ticks == bar] >= ticks).any()}
    assert len(joined) >= 12
    assert not held & set(joined)
    assert min(held) == 0  # it waits for the second time
