"""Pieces arranged after model pieces: figures over other chords, who does what, sections, and what is shared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import accumulate
from statistics import mean

import numpy as np
import pytest
from sampled import slowly

from libretto import notate
from libretto.contract import Contract
from libretto.corpus import Index, overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.edits.relative import moved, root_move
from libretto.house import Plan, compose_score, make_plan
from libretto.house.repertoire.catalogue import load_piece, piece_names
from libretto.house.repertoire.layout import lay_out, sections_of
from libretto.house.repertoire.piece import Piece
from libretto.score import Key, Score, parse_chord

SCALE = frozenset(Key.parse("C major").classes)
LABELS = ("C", "Am", "G7", "Dm7", "Fmaj7", "Bdim", "E7", "Cmaj9", "Gsus4", "F#m7b5")
FORMS = (("verse", "chorus"), ("intro", "verse", "chorus", "verse", "chorus", "outro"), tuple("AABA"), ("A",) * 11)


def over(pitch: int, old: str, new: str) -> int:
    """A pitch over one chord, moved to another."""
    one, other = parse_chord(old), parse_chord(new)
    assert one is not None
    assert other is not None
    return moved(pitch, one, SCALE, other, SCALE, root_move(one, other, 0))


@pytest.mark.parametrize(
    ("pitch", "old", "new", "wanted"),
    [
        (64, "C", "F", 69),  # a third stays a third
        (64, "C", "Am", 60),  # and is minor over a minor chord
        (60, "Am", "C", 64),
        (67, "C", "Bdim", 65),  # a fifth is flat where the chord's is
        (62, "C", "G", 57),  # a step of the scale between chord tones stays one
        (77, "G7", "Cmaj9", 83),  # a seventh is the new chord's
    ],
)
def test_a_degree_stays_what_it_is(pitch: int, old: str, new: str, wanted: int) -> None:
    assert over(pitch, old, new) == wanted


@pytest.mark.parametrize("new", ["C", "Am", "F", "Bdim", "Gsus4"])
@pytest.mark.parametrize("old", LABELS)
def test_chord_tones_of_any_chord_are_chord_tones_of_a_triad(old: str, new: str) -> None:
    one, other = parse_chord(old), parse_chord(new)
    assert one is not None
    assert other is not None
    for pitch in range(48, 84):
        if pitch % 12 in one.classes:
            assert over(pitch, old, new) % 12 in other.classes


@pytest.mark.parametrize("label", LABELS)
def test_over_the_same_chord_nothing_changes(label: str) -> None:
    chord = parse_chord(label)
    assert chord is not None
    assert [over(pitch, label, label) for pitch in range(40, 80) if pitch % 12 in chord.classes] == [
        pitch for pitch in range(40, 80) if pitch % 12 in chord.classes
    ]


BANDS = (
    "A reggae song in G major for saxophone lead, organ, electric guitar, bass and drums over 32 bars",
    "A chanson in C major for accordion, violin and upright bass over 24 bars",
    "A string quartet in D minor over 32 bars",
    "A jazz piece for trumpet, piano, upright bass and drums over 40 bars",
    "A folk tune for flute, mandolin, guitar and cello over 32 bars in 3/4",
    "A film score for french horn, strings, harp and timpani over 36 bars",
)


@cache
def planned(brief: str) -> tuple[Contract, Plan, Score]:
    """A brief with its plan and its piece."""
    contract = Contract.from_brief(brief)
    return contract, make_plan(contract, 2), compose_score(contract, 2)


@pytest.mark.parametrize("brief", BANDS)
def test_whoever_is_named_plays_in_most_sections(brief: str) -> None:
    contract, plan, score = planned(brief)
    ticks = plan.meter.ticks
    for part in contract.parts:
        onsets = score.voice(part.name).array["onset"]
        heard = [
            bool(((onsets >= section.first * ticks) & (onsets < section.end * ticks)).any())
            for section in plan.sections
        ]
        assert mean(heard) >= 0.7, (part.name, heard)


@pytest.mark.parametrize("brief", [BANDS[0], *slowly(*BANDS[1:])])
def test_who_is_asked_to_lead_leads(brief: str) -> None:
    contract, plan, _ = planned(re.sub(r"over \d+ bars", "over 300 bars", brief))  # too long for a chart
    asked = {part.name for part in contract.parts if part.role == "lead"}
    leaders = [
        {name for name, mine in plan.duties.items() if any(duty.role == "lead" for duty in mine[number])}
        for number in range(len(plan.stretches))
    ]
    led = [names for names in leaders if names]
    assert mean(bool(names & asked) for names in led) >= 0.7


@pytest.mark.parametrize("brief", ["A nocturne for solo piano over 24 bars", "A pop song for voice and piano, 24 bars"])
def test_the_left_hand_has_the_bass(brief: str) -> None:
    _, plan, score = planned(brief)
    piano = score.voice("Piano").array
    low = set((piano["onset"][piano["pitch"] < 52] // plan.meter.ticks).tolist())
    assert len(low) >= 0.6 * plan.bars


@pytest.mark.parametrize("brief", [BANDS[1], BANDS[2], BANDS[4]])
def test_who_bows_does_not_strum(brief: str) -> None:
    _, _, score = planned(brief)
    for voice in score.voices:
        if voice.program in (40, 41, 42):
            _, struck = np.unique(voice.array["onset"], return_counts=True)
            assert struck.max() <= 2, voice.name
            assert (struck > 1).mean() < 0.2, voice.name


def openings(style: str) -> list[tuple[str, set[tuple[int, int]]]]:
    """Of every section with a tune: its letter, and the places and tones with which the tune begins."""
    contract = Contract(style=style, bars=300)  # too long for a chart
    plan, score = make_plan(contract, 0), compose_score(contract, 0)
    ticks, found = plan.meter.ticks, []
    for number, stretch in enumerate(plan.stretches):
        leads = [name for name, mine in plan.duties.items() if any(duty.role == "lead" for duty in mine[number])]
        if not leads or stretch.goes_on or stretch.section.kind == "solo":
            continue
        tops: dict[int, int] = {}
        for note in score.voice(leads[0]).notes:
            place = note.onset - stretch.section.first * ticks
            if 0 <= place < 2 * ticks:
                tops[place] = max(tops.get(place, 0), note.pitch)
        found.append((stretch.section.letter, {(place, pitch % 12) for place, pitch in tops.items()}))
    return found


def shares(heard: list[tuple[str, set[tuple[int, int]]]], *, returns: bool) -> list[float]:
    """What the openings of sections share with earlier ones: of the same letter, or of others."""
    return [
        len(notes & before) / max(1, len(notes | before))
        for number, (letter, notes) in enumerate(heard)
        for known, before in heard[:number]
        if (letter == known) == returns
    ]


def written(piece: Piece) -> list[tuple[str, set[tuple[int, int]]]]:
    """The openings of a model piece."""
    ticks, heard = piece.meter.ticks, []
    for scene in piece.scenes:
        for lead in scene.who("lead")[:1] if scene.kind != "solo" else ():
            onsets = [(note.onset - scene.first * ticks, note.pitch) for note in piece.score.voice(lead).notes]
            tops: dict[int, int] = {}
            for place, pitch in onsets:
                if 0 <= place < 2 * ticks:
                    tops[place] = max(tops.get(place, 0), pitch)
            heard.append((scene.letter, {(place, pitch % 12) for place, pitch in tops.items()}))
    return heard


@pytest.mark.slow
def test_a_tune_that_returns_is_known_again_as_in_model_pieces() -> None:
    styles = ("electronic_dance", "pop_rock", "celtic", "reggae", "trance", "hymn")
    ours = [openings(style) for style in styles]
    models = [share for name in piece_names()[::6] for share in shares(written(load_piece(name)), returns=True)]
    assert mean(share for heard in ours for share in shares(heard, returns=True)) >= 0.8 * mean(models)
    assert mean(share for heard in ours for share in shares(heard, returns=False)) < 0.2


MODELS = piece_names()[::12]


@pytest.mark.parametrize("name", MODELS)
def test_sections_fill_exactly_the_bars_that_are_asked_for(name: str) -> None:
    piece = load_piece(name)
    pieces = [piece, *_others(piece)]
    for bars in range(1, 121):
        for form in ((), *(FORMS if name in MODELS[:2] else ())):
            stretches = lay_out(pieces, bars, form, 1)
            sizes = [stretch.section.bars for stretch in stretches]
            assert sum(sizes) == bars
            assert min(sizes) >= 1
            assert [stretch.section.first for stretch in stretches] == [0, *accumulate(sizes)][:-1]
            assert all(len(stretch.bars) == stretch.section.bars for stretch in stretches)
            if form and bars >= len(form):
                assert len(sections_of(stretches)) == len(form)


def _others(piece: Piece) -> list[Piece]:
    held = (load_piece(name) for name in MODELS if name != piece.name)
    return [other for other in held if other.meter == piece.meter][:3]


@pytest.mark.parametrize(
    "name", [name for name in MODELS if not any(s.bars % 4 for s in load_piece(name).scenes[1:-1])]
)
@pytest.mark.parametrize("bars", [16, 32, 48, 64, 96])
def test_sections_are_whole_phrases(name: str, bars: int) -> None:
    piece = load_piece(name)
    sections = sections_of(lay_out([piece, *_others(piece)], bars, (), 1))
    odd = [section for section in sections if section.bars % 4]
    assert len(odd) <= 2  # an intro and an ending may be shorter
    assert min(section.bars for section in sections[1:-1] or sections) >= 2


@cache
def models() -> Index:
    """All model pieces, to look for what a piece shares with them."""
    names = piece_names()
    return join_tracks([track_piece(load_piece(name).score) for name in names], list(names))


@pytest.mark.parametrize("style", ["reggae", *slowly("celtic", "bossa", "synthwave", "hymn"), "tango"])
@pytest.mark.parametrize("seed", [0, *slowly(1)])
def test_no_piece_is_a_model_in_disguise(style: str, seed: int) -> None:
    shared = overlap(compose_score(Contract(style=style, bars=32), seed), models())
    assert shared is not None
    assert shared.score <= 0.4, shared


@pytest.mark.parametrize("style", ["pop_rock", "swing", "baroque", "trance"])
def test_two_seeds_make_two_pieces(style: str) -> None:
    one, other = (compose_score(Contract(style=style, bars=32), seed) for seed in (0, 1))
    shared = overlap(one, join_tracks([track_piece(other)], ["other"]))
    assert shared is not None
    assert shared.score < 0.3


def test_the_same_seed_is_the_same_piece_in_another_process() -> None:
    code = (
        "from libretto import notate; from libretto.contract import Contract; from libretto.house import compose_score;"
        "import sys; sys.stdout.reconfigure(encoding='utf-8');"
        "print(notate(compose_score(Contract(style='samba', bars=16), 3)), end='')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == notate(compose_score(Contract(style="samba", bars=16), 3))
