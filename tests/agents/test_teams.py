"""Teams: declared in one file, played by one model; what can be counted is counted, and nobody is asked for nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.teams import load_team, team_names
from libretto.agents.teams.abc import abc_of
from libretto.agents.teams.duties import is_approval
from libretto.agents.teams.team import parse_team
from libretto.errors import LibrettoError
from libretto.models.ledger import Budget
from libretto.tasks import compose_task

BRIEF = "A nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion, violin and upright bass."


def play(team: str, notation: str = "grammar", client: str = "scripted", **more: object):  # type: ignore[no-untyped-def]
    setup = Setup(team=team, notation=notation, **more)  # type: ignore[arg-type]
    return composer(client, 1, setup)


@pytest.mark.parametrize("notation", ["grammar", "abc"])
@pytest.mark.parametrize("team", team_names())
def test_every_team_composes_in_both_notations(team: str, notation: str) -> None:
    run = run_task(compose_task(BRIEF), play(team, notation), rounds=2, seed=1)
    assert run.score is not None
    assert run.score.bars == 16
    assert [voice.name for voice in run.score.voices] == ["Accordion", "Violin", "Upright Bass"]
    assert run.passed, run.best.feedback
    assert run.cost.tokens_out > 0


def test_roles_write_their_own_voices_and_no_others() -> None:
    notes = run_task(compose_task(BRIEF), play("composerx"), rounds=1).best.draft.notes
    wrote = notes["wrote"]
    assert any(line.startswith("melody:") and line.endswith("of Accordion") for line in wrote)
    assert any(line.startswith("harmony:") and line.endswith("of Violin, Upright Bass") for line in wrote)
    assert notes["team"] == "composerx"


def test_a_team_asks_nobody_for_nothing() -> None:
    notes = run_task(compose_task(BRIEF), play("cocomposer"), rounds=1).best.draft.notes
    assert any("nothing to correct" in line for line in notes["saved"])


def test_a_faulty_model_is_asked_again_and_the_run_ends() -> None:
    run = run_task(compose_task(BRIEF), play("composerx", client="scripted:house+faults"), rounds=2, seed=1)
    assert run.score is not None
    assert run.score.bars == 16


def test_a_budget_ends_a_team_with_what_stands(tmp_path: Path) -> None:
    run = run_task(
        compose_task(BRIEF), play("composerx", budget=Budget(tokens=9_000)), rounds=3, folder=tmp_path / "run"
    )
    assert "budget" in run.stopped
    assert run.rounds
    assert run.cost.tokens_in + run.cost.tokens_out <= 16_000


def test_a_replayed_team_is_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run_task(compose_task(BRIEF), play("cocomposer"), rounds=2, seed=1, folder=one)
    run_task(compose_task(BRIEF), play("cocomposer", replay=str(one)), rounds=2, seed=1, folder=two)
    mine, its = ({p.relative_to(f): p.read_bytes() for p in sorted(f.rglob("*")) if p.is_file()} for f in (one, two))
    assert mine == its


@pytest.mark.slow
@pytest.mark.parametrize("team", ["composerx", "cocomposer"])
def test_all_twenty_published_prompts(team: str, shared: Path) -> None:
    """The prompts of the published table, from end to end: a piece that can be read, and a receipt, of every one."""
    text = next((shared / "seeds").glob("002*.txt")).read_text(encoding="utf-8")
    table = text[text.index("Table 8: Twenty user input prompts") :]
    prompts = [found[1].strip() for found in re.finditer(r"^\d+\t(.*)$", table, re.MULTILINE)][:20]
    assert len(prompts) == 20
    for prompt in prompts:
        run = run_task(compose_task(prompt, bars=16, original=False), play(team), rounds=1, seed=1)
        assert run.score is not None, prompt
        assert run.score.bars == 16
        assert run.best.receipt is not None


def test_a_team_file_says_what_is_wrong_with_it() -> None:
    with pytest.raises(LibrettoError, match="no team"):
        load_team("nobody")
    for text, wrong in (
        ("no head", "TOML"),
        ("+++\nopening = ['a']\n[[role]]\nname = 'a'\ndoes = 'sing'\n+++\n## a\nx", "can do"),
        ("+++\nopening = ['b']\n[[role]]\nname = 'a'\ndoes = 'piece'\n+++\n## a\nx", "not in it"),
        ("+++\nopening = ['a']\n[[role]]\nname = 'a'\ndoes = 'piece'\n+++\n", "no section"),
    ):
        with pytest.raises(LibrettoError, match=wrong):
            parse_team(text)


def test_a_team_composes_and_does_nothing_else() -> None:
    from libretto.tasks import drill_task

    with pytest.raises(LibrettoError, match="single agent"):
        play("composerx").draft(drill_task("major-scale"))


def test_tunes_are_found_in_talk() -> None:
    tune = "X:1\nT:A\nM:4/4\nL:1/8\nK:C\nCDEF GABc|\n"
    assert abc_of(f"Here you are:\n```abc\n{tune}```\nEnjoy!") == tune
    assert abc_of("I cannot help with that.") == ""
    assert is_approval("APPROVED")
    assert not is_approval("Not APPROVED yet:\n- melody, bars 1-4: breathe")


def test_the_recipe_for_a_team_works(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "adding.md").read_text(encoding="utf-8")
    found = re.search(r"^````team\n(.*?)^````", page, re.DOTALL | re.MULTILINE)
    assert found
    (tmp_path / "duo.md").write_text(found[1])
    run = run_task(
        compose_task("A waltz in G major over 16 bars for violin and piano."), play(str(tmp_path / "duo.md")), rounds=1
    )
    assert run.score is not None
    wrote = run.best.draft.notes["wrote"]
    assert [line.partition(":")[0] for line in wrote][:2] == ["tune", "ground"]
