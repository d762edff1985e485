"""Bands as they were told to play: between the kicks, drum breaks, cymbals that grow to a beat, tunes that soar."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER, Score


def piece(brief: str) -> Score:
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    assert not receipt(contract, score).failed
    return score


def voice(score: Score, name: str) -> list[tuple[int, int, int]]:
    notes = next(one for one in score.voices if one.name == name).array
    return [(int(note["onset"]), int(note["duration"]), int(note["pitch"])) for note in notes]


def test_a_bass_keeps_between_the_kicks() -> None:
    score = piece(
        "A deep house track in F minor over 32 bars, Fm9, Dbmaj7, Bbm7, C7, for electric piano, synth bass and drum "
        "machine. The bass rolls in the gaps between the kicks, the electric piano plays syncopated stabs."
    )
    onsets = [onset % QUARTER for onset, _, _ in voice(score, "Synth Bass")]
    assert sum(place != 0 for place in onsets) >= 0.8 * len(onsets)
    places = Counter(onset % (4 * QUARTER) for onset, _, _ in voice(score, "Electric Piano"))
    assert sum(place % (QUARTER // 2) != 0 for place in places) >= 2, "not on every plain off-beat"


def test_a_guitar_scratches_ninths_without_their_roots() -> None:
    score = piece(
        "A disco track in E minor over 16 bars, Em9, A13, Cmaj7, B7, for rhythm guitar, bass, strings and drums. "
        "The rhythm guitar should scratch out crisp sixteenth notes."
    )
    chords: dict[int, set[int]] = {}
    for onset, _, pitch in voice(score, "Rhythm Guitar"):
        chords.setdefault(onset, set()).add(pitch)
    assert len(chords) >= 10 * 12, "ten strokes a bar and more, most of the time"
    assert all(len(chord) > 1 for chord in chords.values())
    em9 = {pitch % 12 for onset, chord in chords.items() if onset < 4 * QUARTER for pitch in chord}
    assert em9 == {7, 11, 2, 6}, "third, fifth, seventh and ninth: the bass has the root"


def test_drums_are_alone_in_their_break_and_the_tune_is_picked_fast() -> None:
    score = piece(
        "A surf rock instrumental in E minor at 168 BPM, 32 bars, Em, D, C, B7, for lead guitar, rhythm guitar, bass "
        "and drums. The lead guitar plays a tremolo-picked melody, the drums take a four-bar tom solo in the middle."
    )
    silent = [
        bar
        for bar in range(32)
        if not any(score.bar_at(onset) == bar for name in ("Lead Guitar", "Bass") for onset, _, _ in voice(score, name))
    ]
    assert silent == list(range(12, 16))
    tune = voice(score, "Lead Guitar")
    again = sum(one[2] == two[2] and two[0] - one[0] == QUARTER // 4 for one, two in pairwise(tune))
    assert again >= len(tune) / 5


def test_cymbals_grow_to_a_beat_and_one_guitar_is_left() -> None:
    brief = (
        "A post-rock piece in 5/4 in D minor, slow, 24 bars over Dm, Bb, F, C, for two electric guitars, bass guitar "
        "and drums. A clean guitar starts alone, the drums build from cymbal washes to a full, pounding beat. End by "
        "falling back to the lone guitar."
    )
    score = piece(brief)
    plan = make_plan(Contract.from_brief(brief), 0)
    assert plan.chart is not None
    assert str(plan.chart.meter) == "5/4"
    strokes = Counter(score.bar_at(onset) for onset, _, key in voice(score, "Drums") if key in (36, 38))
    first = min(score.bar_at(onset) for onset, _, _ in voice(score, "Drums"))
    assert not strokes[first]
    assert max(strokes.values()) >= 8
    assert {
        one.name for one in score.voices if any(score.bar_at(note[0]) >= 22 for note in voice(score, one.name))
    } == {"Clean Guitar"}


def test_a_voice_is_moved_by_phrases() -> None:
    score = piece(
        "A pop ballad in A flat major, Ab, Fm, Db, Eb over 24 bars, for female voice, piano and cello. The voice "
        "begins low and hushed and soars in the final eight bars."
    )
    late = [note for note in voice(score, "Voice") if score.bar_at(note[0]) >= 16]
    leaps = sum(abs(one[2] - two[2]) > 9 for one, two in pairwise(late))
    assert leaps <= 1


def test_bells_play_no_chords_beside_a_line() -> None:
    score = piece(
        "A children's song in F major, in 2/4, 16 bars over F, Dm, Gm, C7, for glockenspiel, recorder and tuba. The "
        "recorder has the tune in the first eight bars and the glockenspiel takes it over in the second eight."
    )
    together = Counter(onset for onset, _, _ in voice(score, "Glockenspiel"))
    assert max(together.values()) <= 2


def test_a_warm_synthesizer_holds_chords_below_its_own_tune() -> None:
    score = piece(
        "An ambient track in Ab major over 32 bars, Abmaj7, Fm7, Dbmaj7, Eb, for a warm synthesizer and soft bells."
    )
    held: dict[int, set[int]] = {}
    for onset, duration, pitch in voice(score, "Synthesizer"):
        if duration >= 3 * QUARTER:
            held.setdefault(onset // (4 * QUARTER), set()).add(pitch)
    assert sum(len(chord) >= 3 for chord in held.values()) >= 24


def test_a_guitar_strums_on_while_the_organ_has_its_solo() -> None:
    score = piece(
        "A progressive rock piece in C sharp minor in 7/8 over 28 bars, C#m, B, F#, A, for electric guitar, organ, "
        "bass and drums: the guitar states an angular riff, the organ shadows it before breaking into a solo."
    )
    ticks = 7 * QUARTER // 2
    bars = {onset // ticks for onset, _, _ in voice(score, "Electric Guitar")}
    assert bars >= set(range(16, 24)), "in every bar of the solo"
