"""Sound: the right notes, all of them, within full scale, to the end, and the same every time."""

from __future__ import annotations

import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tunes import tune

from libretto.errors import MissingExtra, TooLarge, UnknownFormat
from libretto.score import QUARTER, Note, Score, Voice, transpose
from libretto.sound import KINDS, Performance, perform, render_audio, samples_of
from libretto.sound import audio as audio_module
from libretto.sound import soundfont as places
from libretto.sound.audio import mixed
from libretto.sound.encode import PEAK
from libretto.sound.mix import StageSeat

pytest.importorskip("midirenderer", reason="needs pip install 'libretto[audio]'")
soundfile = pytest.importorskip("soundfile", reason="needs pip install 'libretto[audio]'")
if places._carried() is None:
    pytest.skip("needs the soundfont of pip install 'libretto[audio]'", allow_module_level=True)

RATE = 48_000
PIANO, ORGAN, GUITAR, BASS, STRINGS, FLUTE, ALTO_SAX, SQUARE = 0, 19, 24, 33, 48, 73, 65, 80


@pytest.fixture(autouse=True)
def _the_small_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same font on every machine."""
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    monkeypatch.setattr(places, "_usual_folders", list)


def held(*names: str, program: int = PIANO, quarters: int = 4) -> Score:
    """A chord held for two seconds."""
    return Score.build([Voice.of("PART", [Note.named(name, 0, quarters * QUARTER) for name in names], program)])


def pitches_in(sound: np.ndarray, rate: int = RATE, floor: float = -24.0) -> list[int]:
    """The keys in a steady sound: semitones louder than their neighbours that are no overtone of a lower one."""
    part = sound[int(0.15 * rate) : int(1.65 * rate)].mean(axis=1)
    power = np.abs(np.fft.rfft(part * np.hanning(len(part)))) ** 2
    frequencies = np.fft.rfftfreq(len(part), 1 / rate)
    keys = 69 + 12 * np.log2(np.maximum(frequencies, 1.0) / 440)
    level = np.array([power[np.abs(keys - key) < 0.5].sum() for key in range(23, 101)])
    loud = 10 * np.log10(level / level.max() + 1e-9) > floor
    found: list[int] = []
    for at in np.flatnonzero(loud[1:-1] & (level[1:-1] > level[:-2]) & (level[1:-1] > level[2:])) + 1:
        key = 23 + int(at)
        overtones = [lower + 12 * np.log2(times) for lower in found for times in range(2, 17)]
        if not any(abs(key - overtone) < 0.6 for overtone in overtones):
            found.append(key)
    return found


@pytest.mark.parametrize(
    ("names", "program", "expected"),
    [
        (["C4"], PIANO, [60]),
        (["A4"], PIANO, [69]),
        (["E2"], PIANO, [40]),
        (["A4"], FLUTE, [69]),
        (["E2"], GUITAR, [40]),
        (["E2"], BASS, [40]),
        (["C4"], SQUARE, [60]),
        (["C4"], STRINGS, [60]),
        (["E4"], ALTO_SAX, [64]),  # a hole in the small font that we mend
        (["C4", "E4", "G4"], PIANO, [60, 64, 67]),
        (["C4", "E4", "G4"], FLUTE, [60, 64, 67]),
        (["C4", "E4", "G4"], GUITAR, [60, 64, 67]),
        (["D3", "A3", "F4"], SQUARE, [50, 57, 65]),
    ],
)
def test_exactly_the_written_notes_sound(names: list[str], program: int, expected: list[int]) -> None:
    sound, _ = samples_of(held(*names, program=program), perform=False)
    assert pitches_in(sound) == expected


@pytest.mark.parametrize("rate", [22_050, 44_100])
def test_pitch_does_not_depend_on_the_rate(rate: int) -> None:
    sound, given = samples_of(held("C4", "G4", program=FLUTE), perform=False, rate=rate)
    assert given == rate
    assert pitches_in(sound, rate) == [60, 67]


@pytest.mark.parametrize("program", [PIANO, FLUTE, GUITAR])
def test_an_octave_up_doubles_the_frequency(program: int) -> None:
    low = held("A3", program=program)
    assert pitches_in(samples_of(low, perform=False)[0]) == [57]
    assert pitches_in(samples_of(transpose(low, 12), perform=False)[0]) == [69]


def test_notes_sound_when_they_are_written() -> None:
    notes = [Note.named("C5", i * 2 * QUARTER, QUARTER // 4) for i in range(1, 5)]
    sound, _ = samples_of(Score.build([Voice.of("WOOD", notes, 115)]), perform=False)
    level = np.abs(sound).max(axis=1)
    assert level[: int(0.99 * RATE)].max() < 0.01
    for second in range(1, 5):
        first = np.flatnonzero(level[int((second - 0.5) * RATE) : int((second + 0.5) * RATE)] > 0.1)[0]
        assert abs(first / RATE - 0.5) < 0.012


def test_nothing_is_beyond_full_scale_and_the_peak_is_one_decibel_below() -> None:
    notes = [Note.named(f"{letter}{octave}", 0, QUARTER, 127) for letter in "CDEFGAB" for octave in (3, 4, 5)]
    loud = Score.build([Voice.of(f"V{i}", notes, program) for i, program in enumerate((30, 61, 81))])
    for score in (loud, tune(1, bars=2), held("C4")):
        sound, _ = samples_of(score)
        assert np.abs(sound).max() == pytest.approx(PEAK, abs=1e-4)
        assert (np.abs(sound) == np.abs(sound).max()).sum() <= 4, "clipped: many samples at the peak"


def test_the_tail_is_kept_and_then_it_is_silent() -> None:
    score = held("C4", "E4", program=STRINGS)
    sound, rate = samples_of(score, perform=False)
    end = int(score.seconds * rate)
    assert len(sound) > end + 0.2 * rate
    assert np.abs(sound[end : end + rate // 20]).max() > 0.05, "cut at the last note-off"
    windows = [np.abs(sound[at : at + rate // 10]).max() for at in range(end, len(sound), rate // 10)]
    assert all(later < 1.5 * earlier for earlier, later in pairwise(windows))
    assert np.abs(sound[-rate // 100 :]).max() < 0.002
    assert np.abs(sound[-1]).max() < 1e-4


def test_flat_dynamics_come_alive_and_exact_ones_do_not() -> None:
    notes = [Note.named("C4", i * QUARTER, QUARTER // 2) for i in range(8)]
    score = Score.build([Voice.of("PART", notes, SQUARE)])

    def levels(played: bool) -> np.ndarray:
        sound, _ = samples_of(score, perform=played)
        at = [(i * 0.5 + 0.05, i * 0.5 + 0.2) for i in range(8)]
        return np.array([np.sqrt((sound[int(a * RATE) : int(b * RATE)] ** 2).mean()) for a, b in at])

    assert levels(False).std() / levels(False).mean() < 0.02
    assert levels(True).std() / levels(True).mean() > 0.1
    assert levels(True)[0] > levels(True)[1]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_reads_back_as_what_was_played(kind: str) -> None:
    score = tune(2, bars=1)
    sound, rate = samples_of(score, rate=44_100)
    data = render_audio(score, kind, rate=44_100)
    assert data == render_audio(score, kind, rate=44_100), "the same bytes for the same seed"
    back, given = soundfile.read(BytesIO(data), dtype="float32")
    assert given == rate
    assert abs(len(back) - len(sound)) <= 4_000
    assert np.abs(back).max() < 1.0
    loudness = np.sqrt((back[: len(sound)] ** 2).mean() / (sound**2).mean())
    assert loudness == pytest.approx(1.0, abs=0.1)
    if kind in ("wav", "flac"):
        assert np.abs(back - sound).max() < 2 / 32_768


def test_another_seed_sounds_otherwise() -> None:
    score = tune(2, bars=1)
    assert render_audio(score, "wav", seed=1) != render_audio(score, "wav", seed=2)


def test_an_ogg_stream_has_a_constant_serial_number_and_true_checksums() -> None:
    data = render_audio(tune(3, bars=1), "ogg")
    serials = {data[at + 14 : at + 18] for at in range(len(data) - 4) if data[at : at + 4] == b"OggS"}
    assert serials == {b"LBRT"}
    spoiled = bytearray(data)
    spoiled[len(data) // 2] ^= 255  # the reader does check: a page whose checksum is wrong is left out
    assert len(soundfile.read(BytesIO(bytes(spoiled)))[0]) != len(soundfile.read(BytesIO(data))[0])


@pytest.mark.parametrize("count", [16, pytest.param(24, marks=pytest.mark.slow)])
def test_every_voice_of_many_is_heard(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mix is the sum of its voices, each of which sounds."""
    monkeypatch.setattr(audio_module, "loudnesses", lambda font, voices: [-24.0] * len(voices))
    monkeypatch.setattr(audio_module, "_TAIL_SECONDS", 1)
    programs = [0, 4, 11, 16, 21, 24, 32, 40, 42, 48, 52, 56, 60, 65, 71, 73] * 2
    voices = []
    for index in range(count - 1):
        pitch = 36 + 2 * index
        notes = [Note(i * QUARTER, QUARTER, pitch, 80, (pitch * 7 + 3) % 12 - 3) for i in range(2)]
        voices.append(Voice.of(f"V{index}", notes, programs[index]))
    voices.append(Voice.of("DRUMS", [Note.named("D2", i * QUARTER, QUARTER) for i in range(2)], drums=True))
    performance = Performance.exact(Score.build(voices))
    whole = mixed(performance)
    parts = [
        mixed(Performance(performance.score, performance.notes[performance.notes["voice"] == index]))
        for index in range(count)
    ]
    length = min(map(len, [whole, *parts]))
    rest = whole[:length] - sum(part[:length] for part in parts)
    assert np.sqrt((rest**2).mean() / (whole**2).mean()) < 0.02
    levels = [20 * np.log10(np.sqrt((part**2).mean() / (whole**2).mean())) for part in parts]
    assert min(levels) > -30, "a voice is lost"


def test_more_notes_than_the_synthesiser_can_play_at_once_all_sound() -> None:
    """Eighty keys of one organ: its passes add up to what each half sounds like alone."""
    notes = [Note(0, 2 * QUARTER, pitch, 60, (pitch * 7 + 3) % 12 - 3) for pitch in range(24, 104)]
    performance = Performance.exact(Score.build([Voice.of("ORGAN", notes, ORGAN)]))
    whole = mixed(performance)
    halves = sum(mixed(Performance(performance.score, performance.notes[some::4])) for some in range(4))
    assert np.sqrt(((whole - halves) ** 2).mean() / (whole**2).mean()) < 0.03


def test_what_would_clip_in_the_synthesiser_is_played_softer_and_brought_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve horns in unison are twelve times one horn."""
    monkeypatch.setattr(audio_module, "loudnesses", lambda font, voices: [-30.0] * len(voices))
    monkeypatch.setattr(audio_module, "seats", lambda voices: [StageSeat(0.0, 0.0, 0.0)] * len(voices))
    horn = [Note.named("C4", 0, 4 * QUARTER, 127)]
    performance = Performance.exact(Score.build([Voice.of(f"HORN {i}", horn, 60) for i in range(12)]))
    one, all_of_them = mixed(Performance(performance.score, performance.notes[:1])), mixed(performance)
    assert np.abs(all_of_them).max() > 1.0, "this would have clipped"
    assert np.abs(all_of_them - 12 * one).max() < 0.02 * np.abs(all_of_them).max()


def test_windows_cannot_be_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    score = Score.build([Voice.of("FLUTE", [Note.named("A4", i * QUARTER, QUARTER) for i in range(12)], FLUTE)])
    whole = mixed(perform(score), rate=44_100)
    monkeypatch.setattr(audio_module, "_WINDOW_SECONDS", 2)
    pieces = mixed(perform(score), rate=44_100)
    assert np.abs(whole - pieces).max() < 0.01 * np.abs(whole).max()


def test_bass_and_kick_are_in_the_middle_and_guitars_are_not() -> None:
    def side(voice: Voice) -> float:
        score = Score.build([Voice.of("FLUTE", [Note.named("C5", 0, QUARTER)], FLUTE), voice])
        notes = Performance.exact(score).notes
        sound = mixed(Performance(score, notes[notes["voice"] == 1]))
        left, right = (sound**2).sum(axis=0)
        return float(10 * np.log10(right / left))

    assert abs(side(Voice.of("BASS", [Note.named("E2", 0, QUARTER)], BASS))) < 0.5
    assert abs(side(Voice.of("DRUMS", [Note.named("C2", 0, QUARTER)], drums=True))) < 0.5
    assert side(Voice.of("GUITAR", [Note.named("E4", 0, QUARTER)], GUITAR)) > 2
    assert side(Voice.of("PIANO", [Note.named("E4", 0, QUARTER)], PIANO)) < -0.5


def test_a_long_piece_is_refused_and_an_empty_one_is_silence() -> None:
    long = Score.build([Voice.of("A", [Note.named("C4", 0, 601 * 4 * QUARTER)], 0)])
    with pytest.raises(TooLarge, match="minutes"):
        samples_of(long)
    sound, rate = samples_of(Score.build([], bars=2))
    assert sound.shape == (4 * rate, 2)
    assert not sound.any()
    assert soundfile.read(BytesIO(render_audio(Score.build([], bars=1))))[0].shape == (2 * rate, 2)


def test_what_cannot_be_made_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownFormat, match="wav"):
        render_audio(held("C4"), "aiff")
    with pytest.raises(UnknownFormat, match="48000"):
        samples_of(held("C4"), rate=8_000)
    monkeypatch.setitem(sys.modules, "midirenderer", None)
    with pytest.raises(MissingExtra, match=r"pip install 'libretto\[audio\]'"):
        samples_of(held("C4"))
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(MissingExtra, match=r"pip install 'libretto\[audio\]'"):
        render_audio(held("C4"))
