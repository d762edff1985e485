"""Sound in the page: what is heard is what the cursor shows; loops, jumps, muting and two versions without a gap."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.sound.soundfont import find_soundfont
from libretto.workspace import Workspace
from tests.studio_browser import Tab, browsing, serving

HEARD = (Path(__file__).parent / "heard.js").read_text(encoding="utf-8")
#: How far the cursor may be from the sound, in seconds.
NEAR = 0.05
#: Dry strokes, far from each other, over changes of tempo and a repeat.
STROKES = """TITLE: Strokes
KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th (adaptive) | BARS: 6
VOICES: BLOCK[drums], BELL[prog=115]
@1 [-]
  BLOCK: C#5@1>1^110 C#5@9>1^110
  BELL : -
@2 [-] (tempo:90) (|:)
  BLOCK: C#5@4>1^110 C#5@11>1^110
@3 [-] (:|)
  BLOCK: C#5@1>1^110 C#5@7>1^110
@4 [-] (tempo:150)
  BLOCK: C#5@1>1^110 C#5@9>1^110
@5 [-]
  BLOCK: C#5@3>1^110 C#5@13>1^110
@6 [-] (tempo:70)
  BLOCK: C#5@1>1^110 C#5@10>1^110
"""
#: Organs that never stop, one low and one high.
HELD = """TITLE: Held
KEY: C major | METER: 4/4 | TEMPO: 60 | GRID: 16th | BARS: 4
VOICES: LOW[prog=19], HIGH[prog=19]
@1 [-]
  LOW : {low}@1>16^100
  HIGH: {high}@1>16^100
@2 = @1
@3-4 = @1-2
"""


def _fill(folder: Path) -> None:
    texts = {"strokes": STROKES, "held": HELD.format(low="C3", high="C4"), "other": HELD.format(low="D3", high="F4")}
    for name, text in texts.items():
        Workspace(folder).save(name, parse(text), author="test", time="2026-01-01T00:00:00Z", message="made")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The studio's page over a few pieces, with ears."""
    try:
        find_soundfont()
    except LibrettoError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("studio")
    with browsing() as browser, serving(folder, _fill) as studio:
        page = Tab(browser.new_context(), f"{studio.address}#strokes")
        page.until("player.loaded")
        page.page.evaluate(HEARD)
        yield page.page
        page.check()


def test_the_cursor_is_where_the_sound_is(tab: Any) -> None:
    told = tab.evaluate(
        """async () => {
          const { player, load, record, onsets, sleep } = heard;
          const piece = await load("strokes");
          const lags = [];
          const sound = await record(async () => {
            await player.play(0);
            const { context } = player.synth;
            while (player.playing && player.second() < piece.seconds - 0.3) {
              const [now, second] = [context.currentTime, player.second()];
              lags.push([second, player.second(now - context.outputLatency)]);
              await sleep(0.05);
            }
          });
          const moments = onsets(sound).map((moment) => [moment, player.tick(moment)]);
          player.stop();
          return { moments, lags, piece };
        }"""
    )
    piece, quarter = told["piece"], told["piece"]["quarter"]
    bars = [bar["tick"] for bar in piece["bars"]]
    tempi = [120, 90, 90, 150, 150, 70]
    played = [0, 1, 2, 1, 2, 3, 4, 5]  # bars in the order of play
    strokes = [
        tick for bar in played for tick in piece["notes"]["onset"] if bars[bar] <= tick < [*bars, piece["end"]][bar + 1]
    ]
    assert len(told["moments"]) == len(strokes)
    for (_, tick), stroke in zip(told["moments"], strokes, strict=True):
        bar = max(index for index, start in enumerate(bars) if start <= stroke)
        assert abs(tick - stroke) / quarter * 60 / tempi[bar] < NEAR
    # What is shown at a moment is what left the synthesiser as long ago as the way to the ear takes.
    late = [abs(shown - reckoned) for shown, reckoned in told["lags"]]
    assert max(late[3:]) < NEAR


def test_a_loop_goes_round_without_a_gap(tab: Any) -> None:
    told = tab.evaluate(
        """async () => {
          const { player, load, record, onsets, sleep } = heard;
          const piece = await load("strokes");
          player.loop(0, piece.bars[1].tick);
          const ticks = [];
          const sound = await record(async () => {
            await player.play(0);
            for (let turn = 0; turn < 70; turn++) { await sleep(0.1); ticks.push(player.tick()); }
          });
          player.loop(null);
          player.stop();
          return { moments: onsets(sound), ticks, end: piece.bars[1].tick };
        }"""
    )
    gaps = [later - earlier for earlier, later in zip(told["moments"], told["moments"][1:], strict=False)]
    assert len(gaps) >= 5
    assert max(abs(gap - 1.0) for gap in gaps) < 0.03  # two strokes a bar of two seconds
    assert all(0 <= tick < told["end"] for tick in told["ticks"])


def test_two_versions_follow_each_other_at_the_same_place(tab: Any) -> None:
    told = tab.evaluate(
        """async () => {
          const { player, load, record, levels, sleep, moment } = heard;
          await load("held");
          await load("other", "b");
          const places = [];
          const sound = await record(async () => {
            await player.play(0);
            await sleep(1.5);
            for (const side of ["b", "a", "b"]) {
              const before = player.second();
              const asked = moment(); // by the card's clock, which stands still while a busy machine makes no sound
              player.switchTo(side);
              await sleep(0.5);
              places.push(player.second() - before - (moment() - asked));
            }
          });
          player.unload("b");
          player.stop();
          return { levels: levels(sound).slice(60), places, side: player.side };
        }"""
    )
    middle = sorted(told["levels"])[len(told["levels"]) // 2]
    assert middle > 0.005
    quiet = [level < middle * 0.1 for level in told["levels"][:-20]]
    assert not any(one and other and third for one, other, third in zip(quiet, quiet[1:], quiet[2:], strict=False))
    assert max(abs(drift) for drift in told["places"]) < NEAR
    assert told["side"] == "a"


def test_a_muted_voice_is_silent_at_once_and_a_solo_silences_the_rest(tab: Any) -> None:
    told = tab.evaluate(
        """async () => {
          const { player, load, record, levels, sleep, change } = heard;
          await load("held");
          const level = async () => Math.max(...levels(await record(() => sleep(0.3))).slice(5));
          await player.play(0);
          await sleep(0.5);
          const both = await level();
          change({ mute: new Set([0, 1]) });
          await sleep(1.2); // the room dies away
          const none = await level();
          change({ mute: new Set(), solo: new Set([1]) });
          await sleep(0.2);
          const one = await level();
          change({ solo: new Set() });
          player.stop();
          await sleep(1.5);
          return { both, none, one, after: await level() };
        }"""
    )
    assert told["both"] > 0.01
    assert told["none"] < told["both"] * 0.05
    assert told["one"] > told["both"] * 0.1
    assert told["after"] < told["both"] * 0.05


def test_a_jump_leaves_nothing_of_the_old_place(tab: Any) -> None:
    told = tab.evaluate(
        """async () => {
          const { player, load, record, onsets, sleep } = heard;
          const piece = await load("strokes");
          const from = piece.bars[4].tick + piece.quarter * 2.7; // just before a stroke, which is posted ahead
          const to = piece.bars[0].tick + piece.quarter * 0.5; // far from one
          const sound = await record(async () => {
            await player.play(from);
            player.seek(to);
            await sleep(0.6);
            player.pause();
          });
          return onsets(sound).length;
        }"""
    )
    assert told == 0
