"""Whole runs with a vendor that misbehaves, dies or is killed with us: nothing is lost and nothing is paid twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from vendors import KEY, VendorServer

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.models import vendor
from libretto.models.ledger import Budget
from libretto.models.vendor import Patience, Vendor
from libretto.tasks import Run, compose_task

SHORT = "A calm waltz in C major over 16 bars for piano and cello."
LONG = "A calm song in C major over 48 bars for piano, flute and bass."
#: Behaviours after which no reply comes, and the word that says why the run stopped.
DEADLY = {
    "hanging": "in time", "error": "HTTP 500", "rate": "rate limit", "rate-late": "3600", "key": "key",
    "malformed": "no reply", "empty": "nothing", "wrong-type": "no reply", "huge": "bytes",
    "bad-request": "rejects", "no-such-model": "404",
}  # fmt: skip
#: Behaviours that give a text, of use or not.
ODD = ["cut", "cut-in-a-token", "cut-quietly", "hanging-midway", "endless", "length", "refusal", "wrong-language",
       "prose", "fences", "zero-based", "slow", "unstreamed"]  # fmt: skip


def slow(*behaviours: str) -> list[Any]:
    """Further behaviours of the same kind, for the long run."""
    return [pytest.param(behaviour, marks=pytest.mark.slow) for behaviour in behaviours]


@pytest.fixture(autouse=True)
def quickly(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    between = 1.5 if "hanging" in request.node.name else 30.0
    monkeypatch.setattr(vendor, "Patience", lambda: Patience(between=between, total=90.0, tries=2, backoff=0.001))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@cache
def known(brief: str, folder: str) -> dict[str, str]:
    """What the pretend model answers to each request of a run, by the last words said to it; else the piece."""
    run_task(compose_task(brief), composer("scripted:house"), rounds=2, folder=folder, improve=True)
    replies = {}
    for path in sorted((Path(folder) / "calls").glob("r*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        replies[data["messages"][-1]["text"]] = data["reply"]["text"]
    return replies | {"": (Path(folder) / "best.libretto").read_text(encoding="utf-8")}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Callable[[dict[str, Any]], str]]:
    folders = {brief: str(tmp_path_factory.mktemp("known") / "run") for brief in (SHORT, LONG)}

    def of(brief: str) -> Callable[[dict[str, Any]], str]:
        replies = known(brief, folders[brief])
        return lambda asked: replies.get(last_words(asked), replies[""])

    return of


def last_words(asked: dict[str, Any]) -> str:
    content = asked["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(each["text"] for each in content)


def go(
    brief: str, server: VendorServer, folder: Path, *, protocol: str = "openai", rounds: int = 2, **more: Any
) -> Run:
    """A run of so many rounds, whether or not the first draft passes."""
    setup = Setup(base_url=server.base_url(protocol), **more)
    who = composer(f"{protocol}:test", setup=setup)
    return run_task(compose_task(brief), who, rounds=rounds, folder=folder, improve=True)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def check_the_folder(run: Run, folder: Path) -> None:
    """What there is to be had of a run is in its folder, and no key."""
    there = files(folder)
    assert not any(KEY.encode() in data for data in there.values())
    for number, each in enumerate(run.rounds, 1):
        assert there[f"round-{number}.libretto"].decode() == each.draft.text
    if run.rounds and run.score is not None:
        assert there["best.libretto"].decode() == run.best.draft.text
    else:
        assert "best.libretto" not in there


def check_the_replay(brief: str, server: VendorServer, folder: Path, again: Path, **more: Any) -> None:
    asked = len(server.requests)
    go(brief, server, again, replay=str(folder), **more)
    assert files(again) == files(folder)
    assert len(server.requests) == asked


@pytest.mark.parametrize("behaviour", [*sorted(DEADLY)[:3], *slow(*sorted(DEADLY)[3:])])
def test_a_vendor_that_fails_in_the_second_round_leaves_the_first(
    behaviour: str, tmp_path: Path, answers: Callable[[str], Any]
) -> None:
    with VendorServer(["fine", behaviour], answers(SHORT)) as server:
        run = go(SHORT, server, tmp_path / "run")
        assert DEADLY[behaviour] in run.stopped
        assert run.best.score is not None
        assert run.best.score.bars == 16
        check_the_folder(run, tmp_path / "run")
        check_the_replay(SHORT, server, tmp_path / "run", tmp_path / "again")


@pytest.mark.parametrize("behaviour", [*ODD[:3], *slow(*ODD[3:])])
def test_an_odd_second_reply_is_read_or_left_and_the_first_draft_stays(
    behaviour: str, tmp_path: Path, answers: Callable[[str], Any]
) -> None:
    with VendorServer(["fine", behaviour], answers(SHORT)) as server:
        run = go(SHORT, server, tmp_path / "run")
        assert run.rounds
        assert run.best.score is not None
        assert run.best.score.bars == 16
        check_the_folder(run, tmp_path / "run")
        check_the_replay(SHORT, server, tmp_path / "run", tmp_path / "again")


@pytest.mark.parametrize(
    "behaviour", ["cut", "endless", "refusal", *slow("wrong-language", "fences", "zero-based", "empty", "key")]
)
def test_a_vendor_that_misbehaves_from_the_first_word(
    behaviour: str, tmp_path: Path, answers: Callable[[str], Any]
) -> None:
    with VendorServer([behaviour], answers(SHORT)) as server:
        run = go(SHORT, server, tmp_path / "run", rounds=1)
        assert run.rounds or run.stopped
        assert len(server.requests) <= 24
        check_the_folder(run, tmp_path / "run")
        check_the_replay(SHORT, server, tmp_path / "run", tmp_path / "again", rounds=1)


@pytest.mark.parametrize("behaviour", ["error", "cut", "hanging"])
def test_sections_that_stand_are_kept_where_a_later_one_fails(
    behaviour: str, tmp_path: Path, answers: Callable[[str], Any]
) -> None:
    with VendorServer(["fine", "fine", "fine", behaviour], answers(LONG)) as server:
        run = go(LONG, server, tmp_path / "run", protocol="anthropic", rounds=1)
        assert run.best.score is not None
        assert run.best.score.bars >= 24
        check_the_folder(run, tmp_path / "run")
        check_the_replay(LONG, server, tmp_path / "run", tmp_path / "again", protocol="anthropic", rounds=1)
        server.behaviours = ["fine"]
        later = go(LONG, server, tmp_path / "run", protocol="anthropic", rounds=2)
        assert later.best.score is not None
        assert later.best.score.bars == 48


def test_a_run_killed_at_any_call_goes_on_and_pays_for_nothing_twice(
    tmp_path: Path, answers: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with VendorServer(["fine"], answers(LONG)) as server:
        whole = go(LONG, server, tmp_path / "whole", rounds=1)
        calls = len(server.requests)
    assert calls >= 4
    ask = Vendor.ask
    for last in range(1, calls + 1):
        exception = (KeyboardInterrupt, SystemExit)[last % 2]
        turns = iter(range(1, 1_000))

        def killed(
            self: Vendor, *args: Any, at: int = last, kind: Any = exception, turns: Any = turns, **more: Any
        ) -> Any:
            if next(turns) == at:
                raise kind
            return ask(self, *args, **more)

        with VendorServer(["fine"], answers(LONG)) as server:
            monkeypatch.setattr(Vendor, "ask", killed)
            with pytest.raises(exception):
                go(LONG, server, tmp_path / f"killed-{last}", rounds=1)
            monkeypatch.setattr(Vendor, "ask", ask)
            assert len(server.requests) == last - 1
            run = go(LONG, server, tmp_path / f"killed-{last}", rounds=1)
            assert len(server.requests) == calls
        assert run.best.draft.text == whole.best.draft.text


CODE = """
import sys
from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.tasks import compose_task
brief, url, folder = sys.argv[1:]
run_task(compose_task(brief), composer("openai:test", setup=Setup(base_url=url)), rounds=1, folder=folder)
"""


def test_a_process_that_is_killed_goes_on_and_pays_for_nothing_twice(
    tmp_path: Path, answers: Callable[[str], Any]
) -> None:
    folder = tmp_path / "run"
    with VendorServer(["fine", "fine", "hanging"], answers(LONG)) as server:
        command = [sys.executable, "-c", CODE, LONG, server.base_url("openai"), str(folder)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
        assert server.asked(3, seconds=120)
        process.send_signal(signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
        recorded = len(list((folder / "calls").glob("r1-*.json")))
        assert recorded == 2
        server.behaviours = ["fine"]
        run = go(LONG, server, folder, rounds=1)
        paid = Counter(json.dumps(each["messages"]) for each in server.requests)
        assert sorted(paid.values(), reverse=True) == [2] + [1] * (len(paid) - 1)  # the one nobody got an answer to
    assert run.best.score is not None
    assert run.best.score.bars == 48
    check_the_folder(run, folder)


def test_a_budget_ends_a_run_with_what_there_is(tmp_path: Path, answers: Callable[[str], Any]) -> None:
    with VendorServer(["fine"], answers(LONG)) as server:
        run = go(LONG, server, tmp_path / "run", rounds=1, budget=Budget(tokens=9_000))
        assert "budget" in run.stopped
        assert run.cost.tokens_in + run.cost.tokens_out <= 9_000 + 2_000  # at most what a server sends beyond a limit
        assert run.best.score is not None
        check_the_replay(LONG, server, tmp_path / "run", tmp_path / "again", rounds=1, budget=Budget(tokens=9_000))
