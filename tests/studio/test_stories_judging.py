"""Stories of judging and learning: from a finding to its mending; a drill played on a MIDI keyboard and graded."""

from __future__ import annotations

import base64
import io
import wave as wavefile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studio_browser import WIDE, Studio, Tab, serving

from libretto import read
from libretto.edits.doing import do_edits
from libretto.score import Score
from libretto.workspace import Workspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
TIME = "2026-01-01T00:00:00Z"

#: A MIDI keyboard that a test plays: window.keyboard.play(status, pitch, velocity, milliseconds).
KEYBOARD = """
const input = { name: "a keyboard of the test", state: "connected", onmidimessage: null };
navigator.requestMIDIAccess = async () => ({ inputs: new Map([["1", input]]), onstatechange: null });
window.keyboard = {
    play: (status, pitch, velocity, timeStamp) =>
        input.onmidimessage?.({ data: new Uint8Array([status, pitch, velocity]), timeStamp }),
};
"""


def out_of_key() -> Score:
    """The example with its bass a semitone too high in four bars, which nobody would leave so."""
    step = {"op": "transpose", "semitones": 1, "first": 5, "last": 8, "voices": ["BASS"]}
    return do_edits(read(EXAMPLE), [step])[0]


def fill_workspace(folder: Path) -> None:
    Workspace(folder).save("wrong", out_of_key(), author="you", time=TIME, message="with a wrong bass")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Studio]:
    with serving(tmp_path_factory.mktemp("judging"), fill_workspace) as started:
        yield started


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    made = chromium.new_context(viewport=WIDE)
    made.add_init_script(KEYBOARD)
    yield made
    made.close()


def test_a_finding_is_shown_played_and_mended(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address + "#wrong")
    tab.opened("wrong")
    tab.page.click("#drawer-judge")
    tab.page.click("#judge")
    tab.page.wait_for_selector("#findings .finding", timeout=60_000)
    finding = tab.page.locator("#findings .finding").first
    finding.locator("button").first.click()
    tab.until("store.playing && store.selection !== null")
    start = tab.known("store.piece.bars[store.selection.first].tick")
    assert tab.known("player.tick()") >= start
    # it stops by itself where the bars end
    tab.until("!store.playing", 60)
    end = tab.known("(store.piece.bars[store.selection.last + 1]?.tick ?? store.piece.end) + store.piece.quarter / 2")
    assert start <= tab.known("player.tick()") <= end
    # the measures came with the findings
    assert tab.page.locator("#measures .measure").count() > 20
    assert tab.page.locator("#measures .radar").count() == 1

    finding.locator("text='Do this'").click()
    tab.page.wait_for_selector("#takes article", timeout=120_000)
    tab.page.click("#takes article:nth-of-type(1) >> text='Keep'")
    tab.until("store.piece.version === 2")
    tab.check()


def play(tab: Tab, notes: list[tuple[float, int, float]]) -> None:
    """Play notes (seconds, pitch, seconds long) on the test's keyboard, each with its own moment."""
    tab.page.evaluate(
        """(notes) => {
            const begin = performance.now();
            const events = notes.flatMap(([at, pitch, long]) => [[at, 0x90, pitch, 90], [at + long, 0x80, pitch, 0]]);
            events.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
            for (const [at, status, pitch, loud] of events) keyboard.play(status, pitch, loud, begin + 1000 * at);
        }""",
        notes,
    )


def written(tab: Tab) -> list[tuple[float, int, float]]:
    """The notes of the open piece in seconds, by the page's own clock."""
    rows = tab.known(
        """(({ onset, pitch, duration }) => onset.map((tick, id) => {
            const [from, to] = [secondsAt(store.piece, tick), secondsAt(store.piece, tick + duration[id])];
            return [from, pitch[id], to - from];
        }))(store.piece.notes)"""
    )
    return [(at, pitch, long) for at, pitch, long in rows]


def perform(tab: Tab, notes: list[tuple[float, int, float]]) -> int:
    """Play a drill with the keyboard, have it graded, and give the score."""
    tab.page.click("#drill-go")
    tab.page.wait_for_selector("#drill-count:not(:empty)")
    play(tab, notes)
    tab.page.click("#drill-go")
    tab.page.wait_for_selector("#grade-score", timeout=60_000)
    return int(tab.page.inner_text("#grade-score"))


def test_a_drill_is_graded_from_a_midi_keyboard(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    tab.page.click("#drawer-learn")
    tab.page.fill("#concept-find", "harmonic minor")
    tab.page.wait_for_selector("#concept option", state="attached")
    tab.page.select_option("#lesson-key", "E")
    tab.page.select_option("#lesson-level", "1")
    tab.page.click("#write-drill")
    tab.page.wait_for_selector("#drill-go", timeout=60_000)
    tab.until("store.piece?.key === 'E minor'")
    tab.page.check("input[name=way][value=midi]")
    tab.page.wait_for_selector("#drill-device >> text=a keyboard of the test")
    notes = written(tab)
    assert len(notes) > 10

    assert perform(tab, notes) == 100
    assert tab.page.locator("#graded .wrong").count() == 0

    # one wrong note, and it is found in its own bar alone
    middle = len(notes) // 2
    wrong = [(at, pitch + (1 if index == middle else 0), long) for index, (at, pitch, long) in enumerate(notes)]
    assert perform(tab, wrong) < 100
    bar = tab.known(
        f"""store.piece.bars.filter((bar) => bar.tick <= store.piece.notes.onset[{middle}]).at(-1).number"""
    )
    assert [one.get_attribute("data-bar") for one in tab.page.locator("#graded .wrong").all()] == [str(bar)]
    tab.check()


def test_the_computer_keyboard_plays_and_does_nothing_else(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    tab.page.click("#drawer-learn")
    tab.page.wait_for_selector("#concept option", state="attached")
    tab.page.click("#write-drill")
    tab.page.wait_for_selector("#drill-go", timeout=60_000)
    version = tab.opened()["version"]
    tab.page.click("#drill-go")
    tab.page.wait_for_selector("#drill-count:not(:empty)")
    for key in "qnzm":  # keys that are also commands of the roll and the transport
        tab.page.keyboard.down(key)
        tab.page.wait_for_selector(".piano .down")
        tab.page.keyboard.up(key)
    tab.page.wait_for_selector(".piano .down", state="detached")
    tab.page.click("#drill-go")
    tab.page.wait_for_selector("#grade-score", timeout=60_000)
    assert tab.known("store.piece.version") == version
    assert tab.known("player.clicking") is False
    tab.check()


def test_a_take_goes_on_when_its_drill_is_read_again(studio: Studio, context: Any) -> None:
    tab = Tab(context, studio.address)
    tab.page.click("#drawer-learn")
    tab.page.wait_for_selector("#concept option", state="attached")
    tab.page.click("#write-drill")
    tab.page.wait_for_selector("#drill-go", timeout=60_000)
    tab.opened()
    tab.page.click("#drill-go")
    tab.page.wait_for_selector("#drill-count:not(:empty)")
    tab.page.evaluate(
        """async () => {
            const { openPiece } = await import("/page/js/app.js");
            const { store } = await import("/page/js/store.js");
            await openPiece(store.piece.name);
        }"""
    )
    assert tab.page.inner_text("#drill-go") == "Stop and grade"
    tab.page.click("#drill-go")
    tab.check()


def test_the_microphone_gives_a_wave_file(studio: Studio, context: Any) -> None:
    context.grant_permissions(["microphone"])
    tab = Tab(context, studio.address)
    wave = tab.page.evaluate(
        """async () => {
            const { base64, record } = await import("/page/js/microphone.js");
            const recording = await record();
            await new Promise((resolve) => setTimeout(resolve, 1200));
            return base64(await recording.stop());
        }"""
    )
    with wavefile.open(io.BytesIO(base64.b64decode(wave))) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 22050)
        assert sound.getnframes() > 0.5 * sound.getframerate()
        samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2")
    assert np.abs(samples).max() > 1_000  # the browser's own test tone
    tab.check()
