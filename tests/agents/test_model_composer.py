"""The model composer: any task, in sections, by patches; no bar lost, no call made twice, the same bytes again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.model import ModelComposer
from libretto.agents.scripted.answers import bars_text
from libretto.agents.scripted.client import HouseScript, faults
from libretto.errors import LibrettoError, ModelError
from libretto.grammar import notate, parse
from libretto.house import compose_score
from libretto.models.client import Reply, Request
from libretto.models.ledger import Budget, Ledger
from libretto.models.relay import ReplyScript
from libretto.score import Score, outside_digest, without_controls
from libretto.score.paper import on_paper
from libretto.tasks import (
    Task,
    accompany_task,
    compose_task,
    drill_task,
    extend_task,
    fill_task,
)

SHORT = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."
LONG = "A pop song in E minor over 24 bars with bass and flute."


@pytest.fixture(scope="module")
def task() -> Task:
    return compose_task(LONG, original=False)


@pytest.fixture(scope="module")
def short() -> Task:
    return compose_task(SHORT, original=False)


@pytest.fixture(scope="module")
def song() -> Score:
    return compose_score(compose_task("A pop song in C major over 24 bars with bass, piano and flute.").contract, 3)


def over(client: object, **setup: object) -> ModelComposer:
    made = Setup(**setup)  # type: ignore[arg-type]
    return ModelComposer(Ledger(client, budget=made.budget, heard=made.heard), "scripted:test", made)  # type: ignore[arg-type]


class Counting:
    """Hands requests on, counts them, and stops at one where told to."""

    def __init__(
        self, client: object, stop_at: int = 0, error: Callable[[], BaseException] = KeyboardInterrupt
    ) -> None:
        self.client, self.stop_at, self.error, self.name = client, stop_at, error, "counting"
        self.asked: list[str] = []

    def ask(self, request: Request, *, timeout_seconds: float | None = None, heard: object = None) -> Reply:
        self.asked.append(request.purpose)
        if len(self.asked) == self.stop_at:
            raise self.error()
        return self.client.ask(request)  # type: ignore[attr-defined, no-any-return]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_short_piece_comes_in_one_go_and_is_the_models_own(short: Task) -> None:
    said: list[tuple[str, str]] = []
    client = Counting(HouseScript())
    run = run_task(short, over(client, heard=lambda purpose, text: said.append((purpose, text))), rounds=1)
    assert client.asked == ["the piece"]
    assert run.score is not None
    assert run.score.digest == compose_score(short.contract, 0).digest
    assert any(purpose == "sent" and "tokens sent" in text for purpose, text in said)
    assert run.cost.tokens_in > 1_000


def test_a_long_piece_comes_by_a_plan_and_in_sections() -> None:
    task = compose_task("A funky pop song in E minor over 64 bars with drums, bass and saxophone.", original=False)
    client = Counting(HouseScript())
    run = run_task(task, over(client), rounds=1)
    assert client.asked[0] == "plan"
    assert len(client.asked) >= 5
    assert run.score is not None
    house = on_paper(compose_score(task.contract, 0))
    assert run.score.digest == without_controls(house).digest  # bends are no part of what models read and write
    notes = run.best.draft.notes
    assert notes["sections"][0][0] == 1
    assert notes["sections"][-1][1] == 64
    assert "FORM:" in notes["plan"]
    assert "repairs" not in notes


@pytest.mark.parametrize("fault", [*faults, "faults"])
def test_every_kind_of_fault_ends_in_the_whole_piece(task: Task, fault: str) -> None:
    client = Counting(HouseScript(fault=fault))
    run = run_task(task, over(client), rounds=1)
    assert run.score is not None
    assert run.score.digest == on_paper(compose_score(task.contract, 0)).digest
    assert len(client.asked) <= 9


@pytest.mark.parametrize("fault", [*faults])
def test_every_kind_of_fault_in_one_go_ends_well(short: Task, fault: str) -> None:
    run = run_task(short, over(HouseScript(fault=fault, at=1)), rounds=1)
    assert run.score is not None
    assert run.score.bars == 8
    if fault not in ("bare",):  # without its header the instrument is not known
        assert run.score.digest == compose_score(short.contract, 0).digest


@pytest.mark.parametrize(
    "text", ["", "No.", "I cannot do that.", "{}", "X:1\nK:C\nCDEF|", "@1 [C]\nLEAD: H9@1>4", "\x00" * 50]
)
def test_a_model_that_never_says_anything_of_use_costs_few_calls_and_ends_well(
    task: Task, short: Task, text: str
) -> None:
    for each, most in ((task, 6), (short, 3)):
        client = Counting(ReplyScript([(text, "stop")]))
        run = run_task(each, over(client), rounds=1)
        assert len(client.asked) <= most
        assert len(run.rounds) == 1
        assert not run.passed


def test_a_cut_off_reply_keeps_its_bars_and_the_rest_is_asked_for(task: Task) -> None:
    client = Counting(HouseScript(fault="cut", at=2))
    run_task(task, over(client), rounds=1)
    assert len(client.asked) == 4
    first, more = client.asked[1], client.asked[2]
    assert first.startswith("bars 1-")
    end = first.partition("-")[2]
    assert more.startswith("bars ")
    assert more.endswith(f"-{end}")
    assert more != first


def test_only_the_bars_that_cannot_be_read_are_asked_for_again(task: Task) -> None:
    client = Counting(HouseScript(fault="tokens", at=2))
    run = run_task(task, over(client), rounds=1)
    assert client.asked[2] == "bars 1, repair 1"
    assert "H" in run.best.draft.notes["repairs"][0]


def wrong_key(task: Task) -> Task:
    """The same task judged as what it is not, so that there is something to revise."""
    return Task("compose", task.brief, task.contract, "metal", original=False)


def test_a_revision_by_patches_leaves_the_rest_identical(task: Task) -> None:
    base = compose_score(task.contract, 0)
    other = bars_text(compose_score(task.contract, 7), 9, 10, ("Bass",), grids=True)
    patch = f"Here you are:\n```\nPATCH bars 9-10 voices bass\n{other}```"
    client = ReplyScript([(notate(base), "stop"), (patch, "stop")])
    composed = over(client)
    rounds = run_task(wrong_key(task), _Given(composed, base), rounds=2).rounds
    before, after = rounds[0].score, rounds[1].score
    assert before is not None
    assert after is not None
    assert after.digest != before.digest
    scope = (("Bass",), 9, 10)
    assert outside_digest(before, *scope, chords=True) == outside_digest(after, *scope, chords=True)
    assert rounds[1].draft.notes["patches"][0]["bars"] == [9, 10]


class _Given:
    """Hands in a given piece first and lets another composer revise it."""

    name = "given"

    def __init__(self, inner: ModelComposer, piece: Score) -> None:
        self.inner, self.piece = inner, piece

    def draft(self, task: Task) -> object:
        from libretto.tasks import Draft

        self.inner.ledger.begin(1)
        self.inner.ledger.ask([])  # the first reply of the script
        return Draft(notate(self.piece))

    def revise(self, task: Task, rounds: object) -> object:
        return self.inner.revise(task, rounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "changes"),
    [
        ("PATCH bars 9-10 voices TUBA\n@9 [C]\n  Bass: C2@1>4\n", False),
        ("PATCH bars 900-910 voices Bass\n@900 [C]\n  Bass: C2@1>4\n", False),
        ("PATCH bars 9 voices Bass\n@9 [C]\n  Bass: H2@1>4\n", False),
        ("I would not change anything.", False),
        ("@9 [Em]\n  Bass: E2@1>16\n", True),
        ("**PATCH** bars 9 to 9, voices: Bass\n@9 [Em]\n  Bass: E2@1>16\n", True),
        ("PATCH bars 9-9 voices Bass\n@1 [Em]\n  Bass: E2@1>16\n", True),
    ],
)
def test_patches_are_read_leniently_and_never_touch_more(task: Task, answer: str, changes: bool) -> None:
    base = compose_score(task.contract, 0)
    client = ReplyScript([("", "stop"), (answer, "stop")])
    rounds = run_task(wrong_key(task), _Given(over(client), base), rounds=2).rounds  # type: ignore[arg-type]
    after = rounds[1].score
    assert after is not None
    assert (after.digest != base.digest) is changes
    assert outside_digest(base, ("Bass",), 9, 9, chords=True) == outside_digest(after, ("Bass",), 9, 9, chords=True)


def test_a_whole_piece_is_accepted_in_place_of_patches(task: Task) -> None:
    base, other = compose_score(task.contract, 0), compose_score(task.contract, 5)
    client = ReplyScript([("", "stop"), (f"```\n{notate(other)}```", "stop")])
    rounds = run_task(wrong_key(task), _Given(over(client), base), rounds=2).rounds  # type: ignore[arg-type]
    assert rounds[1].score is not None
    assert rounds[1].score.digest == other.digest


def test_a_whole_piece_that_does_not_fit_is_asked_for_to_its_end(task: Task) -> None:
    base = compose_score(task.contract, 0)
    pieces = (without_controls(compose_score(task.contract, seed)) for seed in range(1, 9))
    other = next(piece for piece in pieces if len(piece.tempos) == 1)  # bars alone say nothing of a slowing end
    text = notate(other)
    client = ReplyScript([("", "stop"), (text[: len(text) // 2], "length"), (bars_text(other, 1, 24), "stop")])
    rounds = run_task(wrong_key(task), _Given(over(client), base), rounds=2).rounds  # type: ignore[arg-type]
    assert rounds[1].score is not None
    assert rounds[1].score.digest == other.digest


def test_it_writes_into_songs_and_nothing_else_changes(song: Score) -> None:
    for each in (
        fill_task(song, 9, 12, original=False),
        fill_task(song, 9, 12, ["Bass"], original=False),
        extend_task(song, 4, original=False),
        accompany_task(song, "Bass"),
    ):
        run = run_task(each, composer("scripted:house+faults"), rounds=2)
        assert run.score is not None
        assert each.same_outside(run.score)
        assert len(run.score.table) > len(each.context.table)


def test_it_writes_drills() -> None:
    run = run_task(drill_task("harmonic minor", key="E", bars=8), composer("scripted:house+prose"), rounds=1)
    assert run.passed


def test_a_replay_is_the_same_bytes_without_a_model(task: Task, tmp_path: Path) -> None:
    hard = wrong_key(task)
    run_task(hard, composer("scripted:house+faults"), rounds=3, folder=tmp_path / "one")
    again = composer("scripted:house+faults", setup=Setup(replay=str(tmp_path / "one")))
    run_task(hard, again, rounds=3, folder=tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    other = composer("nobody:here", setup=Setup(replay=str(tmp_path / "one")))
    assert isinstance(other, ModelComposer)


def test_a_run_that_was_killed_at_any_call_goes_on_and_pays_for_none_twice(task: Task, tmp_path: Path) -> None:
    hard = wrong_key(task)
    whole = Counting(HouseScript(fault="faults"))
    run_task(hard, over(whole), rounds=2, folder=tmp_path / "whole")
    assert len(whole.asked) >= 4
    for stop in range(1, len(whole.asked) + 1):
        folder = tmp_path / f"cut-{stop}"
        with pytest.raises(KeyboardInterrupt):
            run_task(hard, over(Counting(HouseScript(fault="faults"), stop)), rounds=2, folder=folder)
        rest = Counting(HouseScript(fault="faults"))
        run_task(hard, over(rest), rounds=2, folder=folder)
        assert rest.asked == whole.asked[stop - 1 :]
        assert files(folder) == files(tmp_path / "whole")


def test_a_model_that_is_gone_leaves_the_bars_so_far_and_the_next_round_goes_on(task: Task, tmp_path: Path) -> None:
    gone = Counting(HouseScript(), 3, lambda: ModelError("network", "the network is gone"))
    run = run_task(task, over(gone), rounds=3, folder=tmp_path)
    assert run.stopped == "the network is gone"
    assert run.score is not None
    kept = run.score.bars
    assert 0 < kept < 24
    back = Counting(HouseScript())
    run = run_task(task, over(back), rounds=3, folder=tmp_path)
    assert back.asked[0] == f"bars {kept + 1}-24"
    assert run.score is not None
    assert run.score.digest == on_paper(compose_score(task.contract, 0)).digest


def test_a_budget_ends_a_run_with_what_there_is(task: Task) -> None:
    run = run_task(task, over(HouseScript(), budget=Budget(tokens=12_000)), rounds=3)
    assert "budget" in run.stopped
    assert run.score is not None
    assert 0 < run.score.bars < 24
    none = run_task(task, over(HouseScript(), budget=Budget(tokens=100)), rounds=3)
    assert not none.rounds
    with pytest.raises(LibrettoError, match="nothing was written"):
        _ = none.best


def test_unknown_names_are_one_clear_line() -> None:
    for name, words in (
        ("nobody", "there are house, "),
        ("nobody:model", "there is no composer"),
        ("scripted:/no/such/file", "no file of replies"),
        ("scripted:house+nothing", "there is no fault"),
        ("house:model", "takes no model"),
    ):
        with pytest.raises(LibrettoError, match=words):
            composer(name)
    with pytest.raises(LibrettoError, match="notation"):
        composer("scripted", setup=Setup(notation="abc"))


def test_texts_that_were_accepted_parse_as_they_stand(task: Task) -> None:
    run = run_task(task, composer("scripted"), rounds=1)
    assert notate(parse(run.best.draft.text)) == run.best.draft.text


def test_every_page_says_what_it_is_for() -> None:
    from importlib.resources import files as resources

    from libretto.agents.model.desk import page_names

    assert {"bars", "piece", "plan", "repair", "revise", "system"} <= set(page_names())
    for name in page_names():
        text = resources("libretto.agents").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
        assert text.startswith("<!-- Purpose: ")


def test_the_grammar_is_sent_once_and_nothing_asks_for_two_answers(task: Task) -> None:
    seen: list[Request] = []

    class Watching(HouseScript):
        def ask(self, request: Request, **more: object) -> Reply:
            seen.append(request)
            return super().ask(request)

    run_task(wrong_key(task), over(Watching()), rounds=2)
    for request in seen:
        whole = "\n".join(message.text for message in request.messages)
        assert whole.count("# Writing music in the Libretto grammar") == 1
        assert whole.count("## What to answer now") <= 1
        assert "Answer with the whole piece in the grammar and nothing else" not in whole
    assert [request.asked["call"] for request in seen] == list(range(1, len(seen) + 1))


def test_every_kind_of_task_that_is_given_music_says_what_is_written_into_it() -> None:
    """A kind that holds a piece and says nothing of the shape of its answer would be asked for a whole piece."""
    kinds = [kind for kind in Task.__subclasses__() if any(field.type == "Score" for field in fields(kind))]
    assert len(kinds) >= 3
    for kind in kinds:
        assert kind.shape is not Task.shape, f"{kind.__name__} holds music and does not say its shape"
