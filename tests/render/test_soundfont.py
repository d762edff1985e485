"""Soundfonts: which one is chosen, what is wrong with one, and how its holes are mended."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from libretto.errors import FormatError, LibrettoError
from libretto.sound import check_soundfont, find_soundfont
from libretto.sound import soundfont as places
from libretto.sound.check import pitch_heard
from libretto.sound.sf2 import prepared, read_font

ALTO_SAX, BARITONE_SAX = 65, 67


@pytest.fixture
def default() -> Path:
    pytest.importorskip("midirenderer", reason="needs pip install 'libretto[audio]'")
    found = places._carried()
    if found is None:
        pytest.skip("needs the soundfont of pip install 'libretto[audio]'")
    return found


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without settings, system fonts or the wheel's."""
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    monkeypatch.delenv("LIBRETTO_SOUNDFONT", raising=False)
    monkeypatch.setattr(places, "_usual_folders", lambda: [tmp_path / "system"])
    monkeypatch.setattr(places, "_carried", lambda: None)
    (tmp_path / "system").mkdir()
    return tmp_path


def font_at(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"RIFF")
    return path


def test_what_is_asked_for_comes_first_and_the_wheel_last(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LibrettoError, match=r"pip install 'libretto\[audio\]'.*config\.toml"):
        find_soundfont()
    wheel = font_at(bare / "TimGM6mb.sf2")
    monkeypatch.setattr(places, "_carried", lambda: wheel)
    assert find_soundfont() == (wheel, "comes with pretty_midi")
    font_at(bare / "system" / "unknown.sf2")
    font_at(bare / "system" / "MuseScore_General.sf3")
    assert find_soundfont().path == wheel
    fluid = font_at(bare / "system" / "FluidR3_GM.sf2")
    assert find_soundfont() == (fluid, "found on this system")
    better = font_at(bare / "system" / "GeneralUser GS.sf2")
    assert find_soundfont().path == better
    mine = font_at(bare / "mine.sf2")
    (bare / "config.toml").write_text('soundfont = "mine.sf2"\n', encoding="utf-8")
    assert find_soundfont().path == mine
    assert "config.toml" in find_soundfont().why
    chosen = font_at(bare / "chosen.sf2")
    monkeypatch.setenv("LIBRETTO_SOUNDFONT", str(chosen))
    assert find_soundfont() == (chosen, "set in $LIBRETTO_SOUNDFONT")
    assert find_soundfont(fluid) == (fluid, "asked for")
    fonts = [font.path for font in places.soundfont_places(fluid)]
    assert fonts[:3] == [fluid, chosen, mine]
    assert better in fonts[3:]
    monkeypatch.setenv("LIBRETTO_SOUNDFONT", str(bare / "gone.sf2"))
    with pytest.raises(FormatError, match=r"LIBRETTO_SOUNDFONT"):
        find_soundfont()


def test_installed_packages_bring_fonts(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = font_at(bare / "bells" / "bells.sf2")
    (bare / "bells" / "LICENSE").write_text("free")
    monkeypatch.setattr(places, "plugin_folders", lambda group: (bare / "bells",))
    assert find_soundfont() == (brought, "comes with bells")


def test_bad_settings_are_said_and_not_passed_over(bare: Path) -> None:
    with pytest.raises(FormatError, match="no soundfont"):
        find_soundfont(bare / "nothing.sf2")
    for text, said in (
        ('soundfont = "no.sf2"', "no.sf2"),
        ("soundfont = 3", "quotes"),
        ("soundfont = ", "cannot read"),
    ):
        (bare / "config.toml").write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=said):
            find_soundfont()


def test_the_wheel_is_found_without_importing_it(default: Path) -> None:
    import subprocess
    import sys

    code = "from libretto.sound import *; import sys; find_soundfont(); print('pretty_midi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_default_font_passes_quickly(default: Path) -> None:
    start = time.process_time()
    assert check_soundfont(default) == []
    assert time.process_time() - start < 3


def test_a_font_out_of_tune_is_found_out(default: Path, tmp_path: Path) -> None:
    """Move the pitch of some samples by two semitones."""
    font = read_font(default)
    data, start = bytearray(font.data), font.starts[b"shdr"]
    for index in range(len(font.tables[b"shdr"]) - 1):
        data[start + 46 * index + 40] = max(0, data[start + 46 * index + 40] - 2)
    (tmp_path / "odd.sf2").write_bytes(data)
    problems = check_soundfont(tmp_path / "odd.sf2")
    assert any("2.0 semitones too high" in problem for problem in problems)


def test_missing_instruments_and_drums_are_found_out(default: Path, tmp_path: Path) -> None:
    font = read_font(default)
    data, start = bytearray(font.data), font.starts[b"phdr"]
    for index, head in enumerate(font.tables[b"phdr"][:-1]):
        if head["bank"] == 128 or head["program"] == 73:
            data[start + 38 * index + 22] = 5  # to another bank
            data[start + 38 * index + 23] = 0
    (tmp_path / "thin.sf2").write_bytes(data)
    problems = check_soundfont(tmp_path / "thin.sf2")
    assert "1 of the 128 instruments are missing: Flute" in problems
    assert "there is no drum kit (bank 128)" in problems


@pytest.mark.parametrize("seed", range(6))
def test_damaged_fonts_are_one_line_each(default: Path, tmp_path: Path, seed: int) -> None:
    from random import Random

    dice, data = Random(seed), bytearray(default.read_bytes())
    if seed % 3 == 0:
        del data[dice.randrange(len(data)) :]
    else:
        for _ in range(40):  # the tables are at the end
            data[dice.randrange(len(data) - 200_000, len(data))] = dice.randrange(256)
    (tmp_path / "bad.sf2").write_bytes(data)
    for problem in check_soundfont(tmp_path / "bad.sf2"):
        assert "\n" not in problem


def test_what_is_no_soundfont_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.sf2").write_text("not a font", encoding="utf-8")
    (tmp_path / "new.sf3").write_bytes(b"RIFF\x04\0\0\0sfbk")
    assert "not a SoundFont 2" in check_soundfont(tmp_path / "text.sf2")[0]
    assert "SoundFont 3" in check_soundfont(tmp_path / "new.sf3")[0]
    assert "cannot read" in check_soundfont(tmp_path / "none.sf2")[0]
    assert "cannot read" in check_soundfont(tmp_path)[0]


def test_holes_are_mended_and_nothing_else_changes(default: Path, tmp_path: Path) -> None:
    font = read_font(default)
    assert font.layers(0, ALTO_SAX)[64] == 0, "this font has a hole at E4"
    data = prepared(font, {(0, ALTO_SAX): range(128), (0, BARITONE_SAX): [90]})
    assert len(data) == len(font.data)
    dry = prepared(font, {(0, 0): range(30, 100)})
    assert np.count_nonzero(np.frombuffer(data, "u1") != np.frombuffer(dry, "u1")) <= 6
    assert dry[: font.starts[b"pgen"]] == font.data[: font.starts[b"pgen"]]
    (tmp_path / "whole.sf2").write_bytes(data)
    whole = read_font(tmp_path / "whole.sf2")
    assert (whole.layers(0, ALTO_SAX) == 1).all()
    assert whole.layers(0, BARITONE_SAX)[90] == 1
    for program in (0, 40, 73):
        assert (whole.layers(0, program) == font.layers(0, program)).all()


@pytest.mark.parametrize("frequency", [41.2, 110.0, 440.0, 1_760.0])
def test_pitch_is_the_period_and_not_the_loudest_overtone(frequency: float) -> None:
    moments = np.arange(20_000) / 48_000
    weak = sum(weight * np.sin(2 * np.pi * frequency * (n + 1) * moments) for n, weight in enumerate((0.3, 1.0, 0.3)))
    heard = pitch_heard(np.asarray(weak), 48_000)
    assert heard == pytest.approx(69 + 12 * np.log2(frequency / 440), abs=0.1)
    assert pitch_heard(np.zeros(20_000), 48_000) is None
    assert pitch_heard(np.random.default_rng(1).normal(size=20_000), 48_000) is None
