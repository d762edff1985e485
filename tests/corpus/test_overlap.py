"""Originality: copies are found however they are moved, unrelated music is not, and a sketch gives no notes away."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from libretto import nearest, overlap, read
from libretto.corpus import Index, Sketch, Tracks
from libretto.corpus.overlap import phases_of, runs_of, starts_of
from libretto.corpus.sketch import BUCKETS, FILLED, PLACES, REMAINDERS, join_sketches, sketch_piece
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.errors import FormatError
from libretto.score import QUARTER, Meter, Note, Score, Voice, take_bars

SCALE = (0, 2, 4, 5, 7, 9, 11)
Mover = Callable[[Score], Score]


def song(seed: int, bars: int = 32, played: bool = False) -> Score:
    """Three parts over a random progression; ``played`` is a little off the grid."""
    rng = random.Random(seed)
    voices: list[list[Note]] = [[], [], []]
    degree = 7
    for bar in range(bars):
        root = rng.choice((0, 3, 4, 5))
        for slot in range(16):
            start = bar * 4 * QUARTER + slot * QUARTER // 4
            start += rng.randint(-QUARTER // 40, QUARTER // 40) if played else 0
            if slot % 4 == 0 or rng.random() < 0.3:
                degree = max(0, min(16, degree + rng.choice((-2, -1, 1, 2))))
                voices[0].append(note(max(0, start), 60 + pitch(degree)))
            if slot % 8 in (0, 6):
                voices[1] += [note(max(0, start), 48 + pitch(root + third)) for third in (0, 2, 4)]
            if slot % 4 == 0 and rng.random() < 0.8:
                voices[2].append(note(max(0, start), 36 + pitch(root)))
    return Score.build([Voice.of(f"V{index}", set(part), program=index) for index, part in enumerate(voices)])


def pitch(degree: int) -> int:
    return 12 * (degree // 7) + SCALE[degree % 7]


def note(onset: int, key: int, length: int = QUARTER // 4) -> Note:
    return Note(onset, length, key, 80, (key * 7 + 5) % 12 - 5)


def moved(score: Score, semitones: int, ticks: int, change: float = 0.0) -> Score:
    """A copy in another key, later, with some of its notes changed, half of those in time too."""
    rng = random.Random(1)
    voices = []
    for voice in score.voices:
        notes = []
        for each in voice.notes:
            key, start = each.pitch + semitones, each.onset + ticks
            if rng.random() < change:
                key = rng.randint(36, 96)
                start = max(0, start + rng.choice((0, 0, -2, -1, 1, 2)) * QUARTER // 2)
            notes.append(note(start, key))
        voices.append(Voice.of(voice.name, set(notes), voice.program))
    return Score.build(voices)


def exact(songs: list[Score]) -> Tracks:
    return join_tracks([track_piece(each) for each in songs], [f"song {n}" for n in range(len(songs))])


def sketched(songs: list[Score]) -> Sketch:
    return join_sketches([sketch_piece(each) for each in songs])


SONGS = [song(seed, played=seed % 3 == 0) for seed in range(12)]
INDEXES = {"exact": exact(SONGS), "sketch": sketched(SONGS)}
MOVES = [
    (0, 0),
    (2, 0),
    (-11, QUARTER),
    (12, QUARTER // 3),
    (5, round(0.37 * QUARTER)),
    (-7, QUARTER // 8),
    (1, 12_345),
]


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize(("semitones", "ticks"), MOVES)
def test_a_copy_is_found_in_any_key_and_shifted(kind: str, semitones: int, ticks: int) -> None:
    for number in (0, 4):
        found = overlap(moved(SONGS[number], semitones, ticks), INDEXES[kind])
        assert found is not None
        assert found.song == number
        assert found.share >= 0.95
        assert found.score >= 0.75, "at most a fifth is put down to chance"
        assert (found.transposition - semitones) % (1000 if kind == "exact" else REMAINDERS) == 0
        assert found.bars


@pytest.mark.parametrize("kind", INDEXES)
def test_a_copy_with_three_notes_in_ten_changed_is_found(kind: str) -> None:
    for number in range(6):
        found = overlap(moved(SONGS[number], 3, QUARTER // 2, change=0.3), INDEXES[kind])
        assert found is not None
        assert found.song == number
        assert 0.6 <= found.share < 0.95
        assert 0.45 <= found.score < 0.8


@pytest.mark.parametrize("kind", INDEXES)
def test_unrelated_music_shares_little(kind: str) -> None:
    scores = [INDEXES[kind].nearest(SONGS[number], 1, [number])[0].score for number in range(len(SONGS))]
    assert np.quantile(scores, 0.9) < 0.45
    assert max(scores) < 0.6


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("change", [0.0, 0.3, 0.9])
def test_what_is_shared_is_what_chance_gives_and_what_is_beyond(kind: str, change: float) -> None:
    for found in nearest(moved(SONGS[2], 1, 0, change=change), INDEXES[kind], 12):
        assert found.share == pytest.approx(found.chance + found.score, abs=1e-9)
        assert found.matched == found.expected + found.beyond
        assert found.matched == pytest.approx(found.share * found.notes, abs=1)
        assert found.expected == pytest.approx(found.chance * found.notes, abs=1)
        assert 0 <= found.chance <= 0.2
        told = found.to_dict()
        assert told["matched"] == told["expected"] + told["beyond"]


def test_passages_stand_side_by_side() -> None:
    part = moved(take_bars(SONGS[5], 9, 16), 4, 0)
    found = overlap(part, INDEXES["exact"])
    assert found is not None
    assert [(passage.bar, passage.song_bar) for passage in found.passages] == [(n, n + 8) for n in range(1, 9)]
    again = overlap(take_bars(SONGS[5], 9, 16), INDEXES["exact"])
    assert again is not None
    assert all(passage.ours == passage.theirs for passage in again.passages)
    assert found.passages[0].theirs == again.passages[0].theirs != found.passages[0].ours
    sketchy = overlap(part, INDEXES["sketch"])
    assert sketchy is not None
    assert sketchy.estimated
    assert sketchy.passages[0].ours == found.passages[0].ours
    assert {passage.theirs for passage in sketchy.passages} == {""}


def test_counts_are_those_of_the_plain_way_for_pieces_longer_and_shorter_than_songs() -> None:
    """Every displacement at which two thirds of the shorter lie over the longer, every turn, song by song."""
    from libretto.corpus.buckets import BUCKET
    from libretto.corpus.spectra import Spectra

    rng = np.random.default_rng(5)
    songs = [rng.random((length, BUCKETS)) < 0.6 for length in (0, 1, 7, 40, 41, 90, 200)]
    for beats in (1, 3, 30, 64):
        count = 4 * beats
        beat, place = rng.integers(0, beats, count), rng.integers(0, PLACES, count)
        beat[-1], beat[0], rest = beats - 1, 0, rng.integers(0, REMAINDERS, count)
        share, where, turn = Spectra(songs, BUCKET, 64).best(beat, place, rest)
        for number, filled in enumerate(songs):
            short = min(len(filled), beats)
            least = max(1, short - short // 3)
            plain = []
            for start in range(least - beats, len(filled) - least + 1):
                there = beat + start
                inside = (there >= 0) & (there < len(filled))
                caught = filled[there[inside]].sum() / BUCKETS
                for turned in range(REMAINDERS):
                    hits = filled[there[inside], BUCKET[place, (rest + turned) % REMAINDERS][inside]].sum()
                    plain.append(((hits - caught) / max(count - caught, 0.05 * count), start, turned))
            if plain:
                assert share[number] == pytest.approx(max(plain)[0], abs=1e-6)
                same = [one for one in plain if one[1:] == (where[number], turn[number])]
                assert same[0][0] == pytest.approx(share[number], abs=1e-6)
            else:
                assert share[number] == 0


def test_exact_evidence_names_song_bars_and_shift() -> None:
    part = take_bars(SONGS[5], 9, 16)
    found = overlap(moved(part, 4, 0), INDEXES["exact"])
    assert found is not None
    assert (found.name, found.transposition, found.shift_beats) == ("song 5", 4, -32.0)
    assert found.bars == ((1, 8),)
    assert found.song_bars == ((9, 16),)
    assert found.matched == found.notes == len(starts_of(part, doubles=True).onset)


@pytest.mark.parametrize("kind", INDEXES)
def test_the_search_is_exhaustive(kind: str) -> None:
    """The best of all songs, shifts and transpositions, counted in the plainest way."""
    if kind == "exact":
        query = moved(SONGS[7], 2, QUARTER, change=0.6)
        found = overlap(query, INDEXES[kind])
        assert found is not None
        assert found.share >= plain_share(query, SONGS[7]) - 1e-9
        assert found.song == max(range(12), key=lambda n: plain_share(query, SONGS[n]))
    else:
        for number in (1, 2):
            query = take_bars(moved(SONGS[number], 5, 0, change=0.5), 1, 8)
            found = overlap(query, INDEXES[kind])
            assert found is not None
            assert found.share == pytest.approx(max(plain_sketch(query, other) for other in range(12)), abs=0.02)


def plain_share(query: Score, other: Score) -> float:
    """Every pair of notes votes for a shift and a transposition."""
    mine, theirs = starts_of(query, doubles=True), starts_of(other)
    shift = theirs.onset[None, :] - mine.onset[:, None]
    votes = np.unique(shift * 256 + (theirs.pitch[None, :] - mine.pitch[:, None]), return_counts=True)
    return float(votes[1].max() / len(mine.onset))


def plain_sketch(query: Score, number: int) -> float:
    """The share beyond what the beats catch by being full, tried shift by shift."""
    from libretto.corpus.buckets import BITS, BUCKET, cells_of

    line = starts_of(query, doubles=True)
    filled = (INDEXES["sketch"].beats[number][:, None] & BITS) > 0  # type: ignore[attr-defined]
    best = 0.0
    for phase in phases_of(line.onset, 0.5, 3):
        beat, place = cells_of(line.onset, phase)
        room = len(filled) + int(np.abs(beat).max())
        silent = np.zeros((room, filled.shape[1]), dtype=np.bool_)
        laid = np.concatenate([silent, filled, silent])
        there = beat[None, :] + np.arange(-len(filled), len(filled))[:, None] + room
        caught = laid.mean(axis=1)[there].sum(axis=1)
        for turn in range(REMAINDERS):
            bucket = BUCKET[place, (line.pitch + turn) % REMAINDERS]
            hits = laid[there, bucket[None, :]].sum(axis=1)
            best = max(best, float(((hits - caught) / np.maximum(len(beat) - caught, 0.05 * len(beat))).max()))
    return best


@pytest.mark.parametrize("kind", INDEXES)
def test_an_index_survives_its_bytes_and_damage_is_an_error(kind: str) -> None:
    index = INDEXES[kind]
    data = index.to_bytes()
    again: Index = type(index).from_bytes(data)
    assert again.to_bytes() == data
    assert overlap(SONGS[3], again) is not None
    for damaged in (b"", data[:20], data[:-1], data + b"x", b"X" + data[1:]):
        with pytest.raises(FormatError):
            type(index).from_bytes(damaged)


@pytest.mark.parametrize("kind", INDEXES)
def test_what_is_hardly_music_gets_an_answer(kind: str) -> None:
    index = INDEXES[kind]
    drums = Score.build([Voice.of("D", [note(0, 36)], drums=True)])
    assert overlap(drums, index) is None
    assert overlap(Score.build([], bars=4), index) is None
    one = overlap(Score.build([Voice.of("A", [note(0, 60)])]), index)
    assert one is not None
    assert one.notes == 1
    assert nearest(song(99, bars=400), index, 2)[0].score < 1
    assert len(nearest(SONGS[0], index, 3)) == 3


def test_what_was_asked_last_is_remembered_and_changes_no_answer() -> None:
    index, piece, other = sketched(SONGS), moved(SONGS[3], 4, QUARTER), moved(SONGS[7], -2, 0)
    in_three = Score.build(piece.voices, meters=[(0, Meter(3, 4))])
    index.nearest(SONGS[0])  # the first question is answered in a way of its own
    for asked in (piece, piece, in_three, piece, other, piece):
        assert index.nearest(asked, 4) == sketched(SONGS).nearest(asked, 4)
        assert index.nearest(asked, 1, {3}) == sketched(SONGS).nearest(asked, 1, {3})
    assert index.nearest(in_three)[0].passages != index.nearest(piece)[0].passages


def test_an_index_asked_for_the_same_piece_again_does_not_search(monkeypatch: pytest.MonkeyPatch) -> None:
    index = sketched(SONGS)
    nearest_one = index.nearest(SONGS[5], 1)
    monkeypatch.setattr(Sketch, "_laid", None)
    assert index.nearest(SONGS[5], 3)[:1] == nearest_one
    with pytest.raises(TypeError):
        index.nearest(SONGS[6])


def test_runs() -> None:
    assert runs_of([1, 2, 3, 5, 8, 9]) == ((1, 3), (5, 5), (8, 9))


# One way


def tune(seed: int, beats: int = 96) -> list[tuple[int, int]]:
    """A singable single line: places in sixteenths and pitches, mostly by step in one scale."""
    rng = random.Random(seed)
    degree, notes = 7, []
    for beat in range(beats):
        for place in rng.choice(((0,), (0,), (0, 2), (0, 2, 3), (2,))):
            degree = max(0, min(14, degree + rng.choice((-1, -1, 1, 1, 0, 2, -2))))
            notes.append((beat * 4 + place, 60 + pitch(degree)))
    return notes


def as_score(notes: list[tuple[int, int]]) -> Score:
    return Score.build([Voice.of("A", [note(place * QUARTER // 4, key) for place, key in notes])])


def test_pieces_without_a_note_in_common_have_the_same_sketch() -> None:
    notes = tune(1)
    rng = random.Random(2)
    other = [(place, key + rng.choice((-REMAINDERS, REMAINDERS))) for place, key in notes]
    assert not set(notes) & set(other)
    assert sketch_piece(as_score(notes)) == sketch_piece(as_score(other))


def test_most_of_what_is_filled_is_false_in_a_single_line() -> None:
    data = sketch_piece(as_score(tune(3)))
    bits = np.frombuffer(data[8:], "<u4")
    filled = np.array([bin(int(beat)).count("1") for beat in bits if beat])
    assert filled.min() >= FILLED
    true = len(tune(3)) / len(filled)
    assert true < FILLED / 8
    assert PLACES * REMAINDERS * (128 / REMAINDERS) / BUCKETS >= 16  # notes to a bucket


def test_a_tune_cannot_be_read_back() -> None:
    """The best path through what the sketch allows, by how melodies move, finds hardly more than a guess does."""
    right = guessed = total = 0
    for seed in range(6):
        notes = tune(seed + 10)
        bits = np.frombuffer(sketch_piece(as_score(notes))[8:], "<u4")
        right += hits(notes, decoded(notes, bits))
        guessed += hits(notes, decoded(notes, None))
        total += len(notes)
    assert right / total < 0.35, "even knowing where every note starts"
    assert guessed / total > 0.05


def hits(notes: list[tuple[int, int]], keys: list[int]) -> int:
    return sum(key == guess for (_, key), guess in zip(notes, keys, strict=True))


def decoded(notes: list[tuple[int, int]], bits: np.ndarray | None) -> list[int]:  # type: ignore[type-arg]
    """The likeliest pitches, told where the notes start and which scale they are in; Viterbi over steps."""
    from libretto.corpus.buckets import BUCKET

    keys = [60 + pitch(degree) for degree in range(15)]
    step = np.array([[-abs(a - b) * 0.8 - (a == b) * 0.5 for b in range(15)] for a in range(15)])
    cost, back = np.zeros(15), []
    for place, _ in notes:
        allowed = np.zeros(15)
        if bits is not None:
            buckets = [int(BUCKET[place % 4, key % REMAINDERS]) for key in keys]
            allowed = np.array([0.0 if int(bits[place // 4]) >> bucket & 1 else -50.0 for bucket in buckets])
        paths = cost[:, None] + step
        back.append(paths.argmax(axis=0))
        cost = paths.max(axis=0) + allowed
    at = int(cost.argmax())
    path = [at]
    for previous in back[:0:-1]:
        at = int(previous[at])
        path.append(at)
    return [keys[each] for each in reversed(path)]


@pytest.mark.slow
def test_real_songs_are_found_in_the_shipped_index(shared: Path) -> None:
    from libretto import load_index

    index = load_index("default")
    assert index is not None
    files = sorted((shared / "corpus" / "midi").rglob("*.mid"))[::97]
    for path in files:
        score = read(path)
        found = overlap(score, index)
        assert found is not None
        assert found.share >= 0.95, path
        assert len(nearest(score, index, 2)) == 2


def test_places_of_the_beat_are_found_whatever_notes_are_doubled_and_move_with_them() -> None:
    rng = np.random.default_rng(3)
    onset = np.sort(rng.integers(0, 40, 300)) * QUARTER // 2 + rng.integers(0, 900, 300)
    phases = phases_of(onset, 0.3, 3)
    assert len(phases) > 1
    assert phases_of(np.repeat(onset, 3), 0.3, 3) == phases
    moved = phases_of(onset + 8 * 420, 0.3, 3)  # eight ninety-sixths of a beat
    assert [(phase - 8 * 420) % QUARTER for phase in moved] == phases
