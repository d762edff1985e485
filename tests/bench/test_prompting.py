"""Prompts in numbers: of the published sizes, different from each other, and about music."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.bench.prompting import ALIKE, likeness, make_prompts, why_not
from libretto.bench.teaming import briefs_from
from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.models.client import client_named
from libretto.models.ledger import Ledger


def longest(one: list[str], other: list[str]) -> int:
    """The length of the longest common subsequence, by the table of the textbook."""
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            rows[i + 1][j + 1] = rows[i][j] + 1 if a == b else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


def test_likeness_is_rouge_l() -> None:
    briefs = [brief.lower().split() for brief in briefs_from()[:8]]
    for one, other in combinations(briefs, 2):
        assert likeness(one, other) == pytest.approx(2 * longest(one, other) / (len(one) + len(other)))
    assert likeness(briefs[0], briefs[0]) == 1.0


def test_the_larger_published_number_can_be_had() -> None:
    made = make_prompts(163, briefs_from())
    texts = [str(row["prompt"]) for row in made.prompts]
    assert len(texts) == len(set(texts)) == 163
    assert not any(why_not(text) for text in texts)
    words = [text.lower().split() for text in texts]
    assert max(likeness(one, other) for one, other in combinations(words[:60], 2)) < ALIKE + 0.1
    full = [row for row in made.prompts if {"key", "chords", "bars", "tempo"} <= set(row["attributes"])]  # type: ignore[call-overload]
    assert len(full) > 150  # nearly all say what they were made to say, as a contract reads them
    assert make_prompts(163, briefs_from()).prompts == made.prompts
    assert make_prompts(20, briefs_from(), seed=1).prompts != made.prompts[:20]


def test_the_smaller_one_is_half_abridged_and_a_model_can_write_it(tmp_path: Path) -> None:
    ledger = Ledger(client_named("scripted"))
    ledger.keep_in(tmp_path)
    made = make_prompts(20, briefs_from(), ledger=ledger, abridged=10)
    assert [row["abridged"] for row in made.prompts] == [False] * 10 + [True] * 10
    assert {row["source"] for row in made.prompts} == {"model"}
    assert not any("key" in row["attributes"] for row in made.prompts[10:])  # type: ignore[operator]
    calls = [json.loads(path.read_text()) for path in sorted((tmp_path / "calls").glob("*.json"))]
    assert sum(brief.partition(":")[0] in json.dumps(calls[0]) for brief in briefs_from()) == 6


def test_what_is_no_brief_is_left_out() -> None:
    assert why_not("Too short.") == "too short or too long"
    assert "instruments" in why_not("Blue Hour: a slow jazz ballad in C minor with lyrics about the sea and a singer.")
    assert why_not("How long should bread of plain flour be left in a warm oven?") == "asks for too little"
    assert why_not(briefs_from()[0]) == ""


def test_a_model_that_repeats_itself_is_not_asked_for_ever(tmp_path: Path) -> None:
    (tmp_path / "replies.txt").write_text("Same: a slow waltz in C major over 16 bars for piano.\n" * 3)
    ledger = Ledger(client_named(f"scripted:{tmp_path / 'replies.txt'}"))
    with pytest.raises(LibrettoError, match="only 1 of 5"):
        make_prompts(5, briefs_from(), ledger=ledger)


def test_the_command_writes_what_the_bench_reads(tmp_path: Path) -> None:
    target = tmp_path / "prompts.json"
    said = CliRunner().invoke(app, ["prompts", "make", "-n", "6", "-o", str(target)])
    assert said.exit_code == 0, said.output
    assert len(briefs_from(str(target))) == 6
    again = CliRunner().invoke(app, ["prompts", "make", "-n", "6", "-o", str(target)])
    assert "exists" in str(again.exception)
