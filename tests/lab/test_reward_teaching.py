"""The grammar's tokens come back as they were; and, slowly, the whole lesson in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.reward.pairs import main as write_pairs
from lab.reward.tokens import END, Vocabulary, prompt_length, split

NIGHT_BUS = (Path(__file__).parents[2] / "examples" / "night_bus.libretto").read_text(encoding="utf-8")


def test_tokens_joined_are_the_text() -> None:
    assert "".join(split(NIGHT_BUS)) == NIGHT_BUS
    text = (
        "KEY: D major | METER: 6/8 | TEMPO: 120 | GRID: 8th | BARS: 1\nVOICES: Tune[prog=73]\n@1 [D]\n  Tune: D5@1>2\n"
    )
    tokens = split(text)
    words = Vocabulary.of([tokens])
    assert words.decode([*words.encode(tokens), words.numbers[END], 5]) == text
    assert "".join(tokens[: prompt_length(tokens)]) == text[: text.index("@1")]


def test_pairs_are_neutral_and_the_key_lies_apart(tmp_path: Path) -> None:
    samples = tmp_path / "samples.json"
    samples.write_text(json.dumps([{"before": NIGHT_BUS, "after": NIGHT_BUS}, {"before": "no", "after": NIGHT_BUS}]))
    write_pairs([str(samples), "-o", str(tmp_path / "out")])
    assert sorted(path.name for path in (tmp_path / "out" / "pairs").iterdir()) == ["001A.abc", "001B.abc"]
    assert set(json.loads((tmp_path / "out" / "key.json").read_text())["001"]) == {"A", "B", "drawn"}
    assert "Night Bus" not in (tmp_path / "out" / "pairs" / "001A.abc").read_text()


@pytest.mark.slow
@pytest.mark.shared
def test_the_whole_lesson_in_small(shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch")
    from lab.reward.data import main as make
    from lab.reward.teach import main as teach

    make([str(shared), "-o", str(tmp_path / "lessons.npz"), "--house", "1", "--tunes", "20"])
    teach(
        ["--data", str(tmp_path / "lessons.npz"), "--out", str(tmp_path), "--minutes", "1.5", "--tiny", "--jobs", "1"]
    )
    report = json.loads((tmp_path / "report.json").read_text())
    curves = json.loads((tmp_path / "curves.json").read_text())
    assert curves["written"][-1]["aside"] <= curves["written"][0]["aside"]
    assert report["steps_tuned"] >= 1
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")
    assert len(json.loads((tmp_path / "samples.json").read_text())) == report["before"]["texts"]
