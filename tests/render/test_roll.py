"""Piano rolls: every note is drawn where it belongs, text stays text, and size stays sensible from 4 bars to 300."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import scores

from libretto import parse, read
from libretto.errors import LibrettoError, ScoreError, TooLarge
from libretto.roll import Mark, morph_curve, roll_pair, roll_png, roll_svg, roll_triptych
from libretto.roll.draw import HUES, MANNERS, fitted, style_sheet, text_width
from libretto.score import QUARTER, Note, Score, Voice, take_bars

PIECES = sorted((Path(__file__).parent / "pieces").glob("*.libretto"))
SVG = "{http://www.w3.org/2000/svg}"
SHAPE = re.compile(r"M[^M]+z")
HOSTILE = "<script>alert('x')</script> & \"Co\""
TUNE = parse(
    "TITLE: Two Bars\nKEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 2\nVOICES: A[prog=73], D[drums]\n"
    "@1 [C] (section:Verse)\n  A: C5@1>2 E5@3>2^120 G5@5>4\n  D: C2@1>1 D2@5>1\n"
    "@2 [F | G7]\n  A: F5@1>4 B4@5>4\n  D: C2@1>1\n"
)


def long_piece(bars: int, voices: int = 3) -> Score:
    notes = [Note.named("CDEFGAB"[at % 7] + "4", at * QUARTER, QUARTER) for at in range(4 * bars)]
    return Score.build([Voice.of(f"V{index}", notes) for index in range(voices)])


def shapes(svg: str, kind: str) -> list[str]:
    """The rectangles drawn in a class, legend left out."""
    root = ElementTree.fromstring(svg)
    paths = [path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("class") == kind]
    return [shape for path in paths for shape in SHAPE.findall(path)]


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def size(svg: str) -> tuple[float, float]:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("path", PIECES, ids=lambda path: path.stem)
def test_every_note_is_drawn(path: Path) -> None:
    score = read(path)
    svg = roll_svg(score, theme="light")
    for index, voice in enumerate(score.voices):
        drawn = len(shapes(svg, f"v{index}"))
        # A note that rings into the next system is drawn in both; a stroke is drawn once.
        assert drawn == len(voice.notes) if voice.drums else drawn >= len(voice.notes)
    assert {voice.name for voice in score.voices} <= set(texts(svg))


@settings(max_examples=60)
@given(scores(irregular=True))
def test_any_piece_is_a_well_formed_roll(score: Score) -> None:
    svg = roll_svg(score)
    assert ElementTree.fromstring(svg).get("role") == "img"
    assert sum(len(shapes(svg, f"v{index}")) for index in range(3)) >= len(score.table)
    assert svg == roll_svg(score)


def test_time_goes_right_and_pitch_goes_up() -> None:
    places = [tuple(map(float, re.findall(r"-?[\d.]+", shape)[:2])) for shape in shapes(roll_svg(TUNE), "v0")]
    by_time = sorted(places)
    assert len({y for _, y in places}) == 5
    assert len(by_time) == 5
    c5, e5, g5 = by_time[:3]
    assert c5[1] > e5[1] > g5[1]
    assert e5[0] - c5[0] == pytest.approx((g5[0] - c5[0]) / 2, abs=0.2)


def test_what_stands_over_the_notes() -> None:
    shown = texts(roll_svg(TUNE))
    assert {"Two Bars", "Verse", "C", "F", "G7", "1", "2", "kick", "snare", "C5"} <= set(shown)
    assert "G7" not in texts(roll_svg(TUNE, chords=False))


def test_loud_notes_are_darker() -> None:
    opacities = re.findall(r'class="v0" opacity="([\d.]+)"', roll_svg(TUNE))
    assert opacities == ["0.8"]
    assert len(re.findall(r'<path class="v0" d=', roll_svg(TUNE))) == 1  # the one at 120


def test_bars_keep_their_numbers() -> None:
    score = long_piece(40)
    shown = texts(roll_svg(score, bars=(17, 20), findings=[(18, 19, "busy")]))
    assert {"17", "18", "19", "20", "bars 18-19: busy"} <= set(shown)
    assert "1" in shown  # the number of the finding
    assert "2" not in shown


def test_findings_are_bands_with_words() -> None:
    svg = roll_svg(TUNE, findings=[Mark(1, 1, "thin"), (2, 2, HOSTILE)])
    assert svg.count('class="find"') == 2
    assert {"bar 1: thin", f"bar 2: {HOSTILE}"} <= set(texts(svg))
    outside = roll_svg(TUNE, findings=[(40, 50, "elsewhere")])
    assert 'class="find"' not in outside


def test_sizes_are_sensible() -> None:
    short, middle, long = (size(roll_svg(long_piece(bars))) for bars in (4, 32, 300))
    assert short[0] == middle[0] == long[0] == 1080
    assert short[1] < 400
    assert middle[1] < 1300
    assert long[1] < 3500
    with pytest.raises(TooLarge, match=r"draw some of them, such as bars 1-256"):
        roll_svg(long_piece(6_000, voices=1))


def test_the_last_bar_does_not_stand_alone() -> None:
    svg = roll_svg(long_piece(33), theme="light")
    assert max(map(int, filter(str.isdigit, texts(svg)))) == 33
    assert size(svg)[1] == pytest.approx(size(roll_svg(long_piece(32)))[1])


def test_a_note_that_rings_over_systems_is_cut_at_their_ends() -> None:
    score = Score.build([Voice.of("X", [Note.named("C4", 0, 48 * QUARTER)])], bars=12)
    drawn = shapes(roll_svg(score), "v0")
    assert len(drawn) == 3
    for shape in drawn:
        x, width = float(shape[1:].split(" ")[0]), float(re.findall(r"h([\d.]+)", shape)[0])
        assert x + width <= 1080 - 12


def test_twenty_four_voices_look_different() -> None:
    sheet = style_sheet("light")
    rules = re.findall(r"\.lr-light \.v\d+\{([^}]*)\}", sheet)
    assert len(rules) == len(set(rules)) == HUES * MANNERS == 24
    svg = roll_svg(long_piece(1, voices=25))
    assert {f"v{index}" for index in range(24)} <= set(re.findall(r'<path class="(v\d+)"', svg))
    assert len(shapes(svg, "v0")) == 8  # the 25th voice looks like the first again


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_stand_out_from_the_paper(theme: str) -> None:
    sheet = style_sheet(theme)  # type: ignore[arg-type]
    paper = re.search(r"\.paper\{fill:(#\w{6})", sheet)
    assert paper
    for hue in range(HUES):
        found = re.search(rf"\.v{hue}\{{fill:(#\w{{6}})", sheet)
        assert found
        assert contrast(found[1], paper[1]) >= 3
    ink = re.search(r" text\{fill:(#\w{6})", sheet)
    assert ink
    assert contrast(ink[1], paper[1]) > 12


#: What people without one kind of cone see, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lab(colour: str, vision: str) -> np.ndarray:
    """A colour in CIELAB as such eyes see it."""
    part = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(VISIONS[vision]) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = to_xyz @ seen / np.array([0.9505, 1.0, 1.089])
    f = [np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hues_are_told_apart_by_all_eyes(theme: str, vision: str) -> None:
    sheet = style_sheet(theme)  # type: ignore[arg-type]
    hues = [re.findall(rf"\.v{hue}\{{fill:(#\w{{6}})", sheet)[0] for hue in range(HUES)]
    assert min(float(np.linalg.norm(lab(a, vision) - lab(b, vision))) for a, b in combinations(hues, 2)) >= 20


def test_themes() -> None:
    auto, dark = roll_svg(TUNE), roll_svg(TUNE, theme="dark")
    assert "prefers-color-scheme:dark" in auto
    assert "var(--lr-ink)" in auto
    assert "var(" not in dark


def test_those_who_do_not_see_it_are_told() -> None:
    root = ElementTree.fromstring(roll_svg(TUNE, findings=[(1, 2, "thin")]))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert title.text == "Piano roll of Two Bars"
    assert "thin" in (desc.text or "")
    assert "C major, 4/4" in (desc.text or "")


def test_hostile_text_stays_text() -> None:
    voices = tuple(replace(voice, name=f"{HOSTILE} {index}") for index, voice in enumerate(TUNE.voices))
    hostile = replace(TUNE, title=HOSTILE, voices=voices, sections=((0, "</style><b>"),))
    for svg in (
        roll_svg(hostile),
        roll_pair(hostile, TUNE, title=HOSTILE),
        roll_triptych(hostile, hostile, hostile, captions=[HOSTILE] * 3, names=[HOSTILE] * 3),
        morph_curve([0, 1], source=HOSTILE, target=HOSTILE, title=HOSTILE),
    ):
        root = ElementTree.fromstring(svg)
        assert not list(root.iter(f"{SVG}script"))
        assert not list(root.iter(f"{SVG}b"))
        assert any(text.startswith("<script>") for text in texts(svg))


# --- comparing ---


def test_a_pair_shows_what_came_and_went() -> None:
    lead = TUNE.voices[0]
    changed = lead.with_notes([lead.notes[0]._replace(pitch=74, spelling=2), *lead.notes[1:]])
    after = replace(TUNE, voices=(changed, TUNE.voices[1]))
    svg = roll_pair(TUNE, after, theme="light")
    assert [len(shapes(svg, kind)) for kind in ("kept", "removed", "added")] == [7, 1, 1]
    assert "7 notes kept, 1 notes removed, 1 notes added" in texts(svg)
    same = roll_pair(TUNE, TUNE)
    assert [len(shapes(same, kind)) for kind in ("kept", "removed", "added")] == [8, 0, 0]
    part = roll_pair(TUNE, after, bars=(2, 2))
    assert [len(shapes(part, kind)) for kind in ("kept", "removed", "added")] == [3, 0, 0]


def test_a_pair_of_different_lengths_and_voices() -> None:
    longer = long_piece(4, voices=1)
    svg = roll_pair(longer, TUNE)
    assert len(shapes(svg, "removed")) == 16
    assert len(shapes(svg, "added")) == 8
    assert {"3", "4"} <= set(texts(svg))


def test_a_triptych_has_one_scale() -> None:
    score = long_piece(12)
    context, fill, answer = (take_bars(score, *bars) for bars in ((1, 4), (5, 8), (5, 8)))
    svg = roll_triptych(context, fill, answer, captions=("bars 1-4", "copy risk 0.25", "held out"), numbers=(1, 5, 5))
    widths = {re.findall(r"h([\d.]+)", shape)[0] for shape in shapes(svg, "v0")}
    assert len(widths) == 1
    assert {"Context", "Fill", "Answer", "copy risk 0.25", "5", "8"} <= set(texts(svg))
    rights = [float(shape[1:].split(" ")[0]) for shape in shapes(svg, "v0")]
    assert max(rights) < 1080
    with pytest.raises(ScoreError, match="three"):
        roll_triptych(context, fill, answer, names=("a", "b"))


def test_a_curve_names_its_steepest_step() -> None:
    values = [0.22, 0.42, 0.49, 0.61, 0.62, 0.62, 1.0]
    svg = morph_curve(values, source="electronic", target="folk", bars=range(1, 50, 8), ceiling=0.4)
    assert "from 0.22 to 1.00; largest step 0.38 (within 0.4)" in texts(svg)
    assert {"0 is electronic", "1 is folk", "0.49", "49"} <= set(texts(svg))
    assert "above 0.3" in morph_curve(values, ceiling=0.3)
    both = morph_curve(values, near_source=values[::-1], near_target=values)
    assert both.count('class="side') == 2
    assert morph_curve([0.5] * 500).count("<circle") == 500


@pytest.mark.parametrize(
    ("values", "more"),
    [
        ([], {}),
        ([0.5], {}),
        ([0, 2], {}),
        ([0, float("nan")], {}),
        ([0, 1], {"bars": [1]}),
        ([0, 1], {"near_source": [0]}),
    ],
)
def test_a_curve_that_cannot_be_is_refused(values: list[float], more: dict[str, list[int]]) -> None:
    with pytest.raises(ScoreError):
        morph_curve(values, **more)  # type: ignore[arg-type]


# --- pictures and letters ---


def test_a_picture_in_either_theme() -> None:
    pytest.importorskip("typst", reason="the rasteriser is an optional dependency")
    light, dark = (roll_png(roll_svg(TUNE), theme=theme, dpi=48) for theme in ("light", "dark"))  # type: ignore[arg-type]
    assert light.startswith(b"\x89PNG")
    assert light != dark
    assert dark == roll_png(roll_svg(TUNE, theme="dark"), dpi=48)
    assert int.from_bytes(light[16:20], "big") == 540
    with pytest.raises(LibrettoError):
        roll_png("<svg/>")


def test_a_missing_rasteriser_names_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(LibrettoError, match=re.escape("pip install 'libretto[notation]'")):
        roll_png(roll_svg(TUNE))


def test_text_is_cut_to_its_room() -> None:
    assert fitted("Chorus", 100) == "Chorus"
    assert fitted("A very long name of a section", 60).endswith("…")
    assert text_width(fitted("A very long name of a section", 60)) <= 64
    assert fitted("Chorus", 2) == ""


@pytest.mark.parametrize(
    "score",
    [
        Score.build([], bars=2),
        Score.build([Voice.of("D", [Note.named("C2", 0, QUARTER)], drums=True)]),
        Score.build([Voice.of("X", [Note(0, 400 * QUARTER, 0, 1, 0), Note(0, 1, 127, 127, 1)])]),
    ],
    ids=["nobody", "drums alone", "extremes"],
)
def test_strange_pieces_have_rolls(score: Score) -> None:
    svg = roll_svg(score)
    ElementTree.fromstring(svg)
    assert "nan" not in svg
