"""The published teams as they are described: who speaks in which order, what each is told, and what each hands on."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.teams import load_team, team_names
from libretto.agents.teams.abc import abc_of
from libretto.agents.teams.wording import worded
from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.formats.abc.timing import tune_timing
from libretto.tasks import compose_task

BRIEF = "Old Quay: a nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion, violin and upright bass."
#: What stands in our grammar and in no ABC.
GRAMMAR = re.compile(r"prog=|GRID:|VOICES:|METER:|@\d+\s|PATCH|grammar|\[drums\]", re.IGNORECASE)


def calls(team: str, folder: Path, client: str = "scripted", **more: str) -> list[dict[str, object]]:
    """Every call of one draft in ABC: purpose, system, page, reply."""
    setup = Setup(team=team, notation="abc", **more)  # type: ignore[arg-type]
    run_task(compose_task(BRIEF), composer(client, 1, setup), rounds=1, seed=1, folder=folder)
    rows = []
    for path in sorted((folder / "calls").glob("*.json")):
        data = json.loads(path.read_text())
        texts = {message["role"]: message["text"] for message in data["messages"]}
        rows.append({"purpose": data["purpose"], "system": texts["system"], "page": texts["user"],
                     "reply": data["reply"]["text"]})  # fmt: skip
    return rows


def speakers(rows: list[dict[str, object]]) -> list[str]:
    return [str(row["purpose"]).partition(":")[0] for row in rows if not str(row["purpose"]).startswith("manager")]


def test_composerx_is_a_group_chat_of_twelve_rounds(tmp_path: Path) -> None:
    """Six roles and a client; a manager chooses every speaker; reviews until the arrangement closes the work."""
    team = load_team("composerx")
    assert list(team.roles) == ["leader", "melody", "harmony", "instrument", "reviewer", "arrangement"]
    assert (team.speakers, team.rounds) == ("chosen", 12)
    rows = calls("composerx", tmp_path / "quick")
    assert speakers(rows) == [
        "leader",
        "melody",
        "harmony",
        "instrument",
        "reviewer",
        "arrangement",
    ]  # approved at once
    assert sum(str(row["purpose"]).startswith("manager") for row in rows) == 6
    manager = next(row for row in rows if str(row["purpose"]).startswith("manager"))
    assert BRIEF in str(manager["page"])
    assert all(name in str(manager["page"]) for name in team.roles)
    # A manager who names nobody, tunes that can be read, and a reviewer who is never content.
    tune = {"text": "```\nX:1\nT:a\nM:4/4\nL:1/4\nK:C\nC D E F|G2 C2|\n```\n- and breathe"}
    script = [{"text": "nobody in particular"}, tune] * 10 + [tune]
    (tmp_path / "replies.json").write_text(json.dumps(script))
    long = calls("composerx", tmp_path / "long", f"scripted:{tmp_path / 'replies.json'}")
    order = ["leader", "melody", "harmony", "instrument", "reviewer", "melody", "harmony", "instrument", "reviewer"]
    assert speakers(long) == [*order, "melody", "arrangement"]  # with the client's message twelve


def test_composerx_roles_read_and_write_what_is_described(tmp_path: Path) -> None:
    rows = {str(row["purpose"]).partition(":")[0]: row for row in calls("composerx", tmp_path)}
    leader = str(rows["leader"]["page"])
    assert "melody, harmony and instrument" in leader
    assert "Old Quay" in leader
    for name, voices in (("melody", 1), ("harmony", 3), ("instrument", 3), ("arrangement", 3)):
        tune = abc_of(str(rows[name]["reply"]))
        assert len(formats["abc"].decode(tune.encode()).voices) == voices, name
    examples = {name: _examples(str(rows[name]["system"])) for name in ("melody", "harmony", "instrument")}
    assert [len(formats["abc"].decode(examples[name][0]).voices) for name in examples] == [1, 3, 3]
    assert b"%%MIDI program" in examples["instrument"][0]
    assert b"%%MIDI program" not in examples["harmony"][0]
    assert abc_of(str(rows["melody"]["reply"])).strip() in str(rows["harmony"]["page"])
    for word in ("melodic structure", "harmony and counterpoint", "rhythm", "instrumentation", "form"):
        assert word in str(rows["reviewer"]["system"]).lower()


def test_cocomposer_goes_round(tmp_path: Path) -> None:
    """Leader, melody, accompaniment, revision, review; then the same again by the review, and MIDI programs."""
    script = [{"text": "- melody, bars 1-2: breathe"} if n % 5 in (0, 4) else {"text": _TWO} for n in range(10)]
    (tmp_path / "replies.json").write_text(json.dumps(script))
    rows = calls("cocomposer", tmp_path / "run", f"scripted:{tmp_path / 'replies.json'}")
    once = ["leader", "melody", "accompaniment", "revision", "review"]
    assert speakers(rows) == [*once, *once]
    pages = [str(row["page"]) for row in rows]
    assert "melody and accompaniment" in pages[0]
    assert "breathe" in pages[5]  # the leader reads the review
    assert "breathe" in pages[6]
    for row in rows[1:4]:
        assert "no other words" in str(row["system"])
    assert all(b"%%MIDI program" in text for row in rows[1:3] for text in _examples(str(row["system"])))
    for word in ("melodic structure", "harmony and counterpoint", "rhythmic", "instruments and timbre", "form"):
        assert word in str(rows[4]["system"]).lower()


_TWO = """```
X:1
T:Uneven
M:4/4
L:1/4
K:C
V:1
C D E F|G A B c d|c B A|G2 C2|
V:2
C,4|C,4|G,,4|C,4|
```"""


def test_the_reviser_is_told_which_bars_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "replies.json").write_text(json.dumps([{"text": _TWO}]))
    rows = calls("cocomposer", tmp_path / "run", f"scripted:{tmp_path / 'replies.json'}")
    told = [
        str(row["page"]) for row in rows if "bar 2 (voice 1) has 5 beats and the meter 4/4 wants 4" in str(row["page"])
    ]
    assert told
    assert all("bar 3 (voice 1) has 3 beats" in page for page in told)
    assert {str(row["purpose"]) for row in rows if str(row["page"]) in told} == {"revision: music"}


def test_the_four_single_agents(tmp_path: Path) -> None:
    """The bare prompt; the same with advice; three calls; and pairs of prompts and ABC."""
    plain, role, icl = (calls(f"single-{name}", tmp_path / name) for name in ("plain", "role", "icl"))
    for rows in (plain, role, icl):
        assert [row["page"] for row in rows] == [BRIEF]
        assert rows[0]["purpose"] == "composer: music"
    assert not _examples(str(plain[0]["system"]))
    assert len(str(plain[0]["system"])) < len(str(role[0]["system"]))
    assert all(word in str(role[0]["system"]) for word in ("phrases", "rest", "thirds", "syncopation"))
    pairs = re.findall(r"^Request: (.+?)\n```\n(.+?)```", str(icl[0]["system"]), re.MULTILINE | re.DOTALL)
    assert len(pairs) >= 3
    for prompt, tune in pairs:
        score, asked = formats["abc"].decode(tune.encode()), compose_task(prompt).contract
        assert score.title == asked.title
        assert (score.bars, score.key) == (asked.bars, asked.key)
    steps = calls("single-cot", tmp_path / "cot")
    assert speakers(steps) == ["settings", "chords", "composer"]
    assert "no notes" in str(steps[0]["system"])
    assert "sixteen" in str(steps[1]["system"])
    for before, after in pairwise(steps):
        assert str(before["reply"]).strip() in str(after["page"])


@pytest.mark.parametrize("team", team_names())
def test_with_abc_every_page_is_about_abc(team: str, tmp_path: Path) -> None:
    for row in calls(team, tmp_path):
        for text in (str(row["system"]), str(row["page"])):
            assert not GRAMMAR.search(text), (row["purpose"], GRAMMAR.search(text))


@pytest.mark.parametrize("team", team_names())
def test_examples_in_abc_can_be_read_and_every_bar_is_filled(team: str) -> None:
    for role in load_team(team).roles.values():
        for tune in _examples(role.abc):
            assert formats["abc"].decode(tune).bars >= 4
            assert tune_timing(tune).lines == ()


def _examples(text: str) -> list[bytes]:
    return [found[1].encode() for found in re.finditer(r"^```\n(X:.+?)^```", text, re.MULTILINE | re.DOTALL)]


def test_prompts_of_a_users_own_are_sent_as_they_are(tmp_path: Path) -> None:
    words = tmp_path / "words" / "cocomposer"
    words.mkdir(parents=True)
    (words / "melody.txt").write_text("You are MY melody agent.\nABC only.\n")
    (words / "leader.md").write_text("You lead MY band.")
    rows = calls("cocomposer", tmp_path / "run", prompts=str(tmp_path / "words"))
    systems = {str(row["purpose"]).partition(":")[0]: row["system"] for row in rows}
    assert systems["melody"] == "You are MY melody agent.\nABC only."
    assert systems["leader"] == "You lead MY band."
    assert "correct errors" in str(systems["revision"])
    (words / "tune.md").write_text("x")
    with pytest.raises(LibrettoError, match="'tune' is no role"):
        worded(load_team("cocomposer"), tmp_path / "words")
    with pytest.raises(LibrettoError, match="no folder"):
        worded(load_team("cocomposer"), tmp_path / "nowhere")
