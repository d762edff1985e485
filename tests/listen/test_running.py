"""Suites heard by ears: what models see, what is kept, and that nothing is paid for twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from listening import small_suite, write_suite

from libretto.errors import LibrettoError, MissingExtra, ModelError
from libretto.listen import ListeningPlan, ModelEar, Scripted, Suite, ear, ears, run_suite, score
from libretto.listen.ears import Question, tokens_for
from libretto.listen.prompting import form_of
from libretto.listen.running import ListeningRun, messages_of
from libretto.listen.tables import load_run
from libretto.models.client import Message, Reply, Request


class Paid:
    """A model that counts what it is asked, and may stop in the middle."""

    name = "paid"

    def __init__(self, reply: str = "nonsense", stop: int = 10_000) -> None:
        self.reply, self.stop, self.calls = reply, stop, 0

    def ask(self, request: Request, **more: Any) -> Reply:
        if self.calls == self.stop:
            raise KeyboardInterrupt
        self.calls += 1
        return Reply(self.reply, "paid", "stop", 100, 10, 0.01, 0.5)


def test_the_oracle_is_right_wherever_the_truth_is_known(tmp_path: Path) -> None:
    run = run_suite(small_suite(tmp_path), "oracle", baselines=())
    found = score(run.outcomes)
    assert {name: (each.right, each.trials) for name, each in found.items() if each.trials} == {
        "chord_quality_4": (1, 1),
        "contour": (1, 1),
        "syncopation_pair": (1, 1),
        "syncopation_score": (2, 2),
        "transposition": (1, 1),
    }
    assert (found["chord_quality_2"].trials, found["chord_quality_2"].skipped) == (0, 1)


def test_an_oracle_shows_a_table_that_contradicts_itself(tmp_path: Path) -> None:
    paths = write_suite(tmp_path, change={"q5": {"answer": "A"}})
    from libretto.listen import read_manifest

    found = score(run_suite(read_manifest(*paths), "oracle", baselines=()).outcomes)
    assert found["chord_quality_4"].right == 0


def test_the_constant_ear_gives_the_first_choice(tmp_path: Path) -> None:
    for condition in ("logiclm", "cot", "standalone"):  # no model: the conditions are one
        run = run_suite(small_suite(tmp_path), "constant", ListeningPlan(condition), baselines=())
        assert [each.given for each in run.outcomes] == ["major", "A", "Arch", "1", "A", "A", "yes"]


def test_a_model_sees_nothing_that_gives_answers_away(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    model = Scripted(["nothing"])
    run_suite(suite, ModelEar("scripted", model), baselines=())
    text = json.dumps([[message.to_dict() for message in asked.messages] for asked in model.asked])
    for word in ("Sync1_A", "M9_Em", "Aminor", ".wav", *(f"q{number}" for number in range(1, 9))):
        assert word not in text
    played = [sound for asked in model.asked for message in asked.messages for sound in message.audio]
    assert all(sound[:4] == b"RIFF" for sound in played)
    assert len([1 for asked in model.asked if len(asked.messages) > 1]) == 7  # the rest are repairs, which play nothing


def test_few_shot_trials_come_with_their_lines(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    plan = ListeningPlan(tasks=("chord_quality_4",)).check(suite)
    trial = plan.order(suite, "chord_quality_4")[0]
    messages = messages_of(trial, plan, plan.shots(suite, "chord_quality_4"))
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[2].text.endswith("[60, 64, 67])")
    plan = ListeningPlan("standalone", tasks=("chord_quality_4",))
    assert messages_of(trial, plan, plan.shots(suite, "chord_quality_4"))[2].text == "Final Answer: A"
    assert len(messages_of(trial, plan, ListeningPlan(few_shot=0).shots(suite, "chord_quality_4"))) == 2


@pytest.mark.parametrize("stop", [0, 3, 8, 20])  # before anything, between trials, within repairs, at the last call
def test_a_killed_run_goes_on_and_never_pays_twice(tmp_path: Path, stop: int) -> None:
    suite = small_suite(tmp_path)
    whole = Paid()
    expected = run_suite(suite, ModelEar("m:x", whole), folder=tmp_path / "whole", baselines=())
    assert whole.calls == 7 * 3
    folder, first = tmp_path / "run", Paid(stop=stop)
    with pytest.raises(KeyboardInterrupt):
        run_suite(suite, ModelEar("m:x", first), folder=folder, baselines=())
    assert not (folder / "results.json").exists()
    with pytest.raises(LibrettoError, match="not over"):
        load_run(folder)
    with (folder / "calls.jsonl").open("ab") as file:
        file.write(b'{"trial": "q1", "te')  # half a line
    second = Paid()
    run = run_suite(suite, ModelEar("m:x", second), folder=folder, baselines=())
    assert first.calls + second.calls == whole.calls
    assert run == expected == load_run(folder)
    for name in ("run.json", "calls.jsonl", "results.json"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    third = Paid()
    assert run_suite(suite, ModelEar("m:x", third), folder=folder, baselines=()) == run
    assert third.calls == 0
    records = [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]
    assert len(records) == 21
    assert {each["purpose"] for each in records} == {"first", "repair"}
    assert sum(each["cost"]["money"] for each in records) == pytest.approx(0.21)
    assert sum(each.money for each in score(run.outcomes).values()) == pytest.approx(0.21)


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    suite, folder = small_suite(tmp_path), tmp_path / "run"
    run_suite(suite, "constant", folder=folder, baselines=())
    with pytest.raises(LibrettoError, match="another run"):
        run_suite(suite, "constant", ListeningPlan(seed=1), folder=folder, baselines=())
    with pytest.raises(LibrettoError, match="another run"):
        run_suite(suite, "oracle", folder=folder, baselines=())
    with pytest.raises(LibrettoError, match="holds no run"):
        run_suite(suite, "oracle", folder=tmp_path, baselines=())
    (folder / "calls.jsonl").write_text("nonsense\n")
    with pytest.raises(LibrettoError, match="line 1"):
        run_suite(suite, "constant", folder=folder, baselines=())
    (folder / "results.json").write_text("[]")
    with pytest.raises(LibrettoError, match="damaged"):
        load_run(folder)


def test_failed_calls_are_counted_and_asked_again_only_on_request(tmp_path: Path) -> None:
    class Broken:
        name = "broken"
        asked = 0

        def ask(self, request: Request, **more: Any) -> Reply:
            self.asked += 1
            raise (TimeoutError("too late"), RuntimeError("no\nnetwork"))[self.asked % 2]

    suite, folder, broken = small_suite(tmp_path), tmp_path / "run", Broken()
    run = run_suite(suite, ModelEar("m:x", broken), folder=folder, baselines=())
    found = score(run.outcomes)
    assert broken.asked == 7
    assert sum(each.failures["timeout"] + each.failures["error"] for each in found.values()) == 7
    assert sum(each.right for each in found.values()) == 0
    run_suite(suite, ModelEar("m:x", broken), folder=folder, baselines=())
    assert broken.asked == 7
    again = Paid()
    run = run_suite(suite, ModelEar("m:x", again), folder=folder, baselines=(), retry_failed=True)
    assert again.calls == 21
    assert {each.status for each in run.outcomes} == {"unparsed"}
    later = Paid()
    run_suite(suite, ModelEar("m:x", later), folder=folder, baselines=(), retry_failed=True)
    assert later.calls == 0


def run_order(plan: ListeningPlan, suite: Suite) -> list[str]:
    return [trial.id for trial in plan.order(suite, "syncopation_score")]


def test_order_is_the_seed_s_and_limits_hold(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    one, two = (run_suite(suite, "constant", ListeningPlan(seed=3), baselines=()) for _ in range(2))
    assert one == two
    orders = {tuple(run_order(ListeningPlan(seed=seed), suite)) for seed in range(8)}
    assert len(orders) == 2
    assert len(run_suite(suite, "constant", ListeningPlan(limit=1), baselines=()).outcomes) == 6
    for plan, words in (
        (ListeningPlan("guessing"), "condition"),
        (ListeningPlan(limit=0), "at least one"),
        (ListeningPlan(tasks=("smell",)), "no listening task"),
        (ListeningPlan(few_shot=99), "few-shot"),
    ):
        with pytest.raises(LibrettoError, match=words):
            run_suite(suite, "constant", plan, baselines=())


def test_a_task_without_trials_is_said(tmp_path: Path) -> None:
    from listening import ROWS

    from libretto.listen import read_manifest

    suite = read_manifest(*write_suite(tmp_path, ROWS[:2]))
    with pytest.raises(LibrettoError, match="has no trials of contour"):
        run_suite(suite, "constant", ListeningPlan(tasks=("contour",)))


def test_ears_by_name(tmp_path: Path) -> None:
    assert {"constant", "local", "oracle", "scripted"} <= set(ears)
    for name, words in (
        ("gold", "no ear"),
        ("constant:x", "no model"),
        ("oracle:x", "no model"),
        ("scripted", "which replies"),
        (":x", "no ear"),
        ("x:", "no ear"),
    ):
        with pytest.raises(LibrettoError, match=words):
            ear(name)
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(LibrettoError, match="not a string"):
        ear(f"scripted:{tmp_path / 'bad.jsonl'}")
    (tmp_path / "bad.jsonl").write_text("nonsense\n")
    with pytest.raises(LibrettoError, match="one JSON string a line"):
        ear(f"scripted:{tmp_path / 'bad.jsonl'}")


def test_plain_answers_of_a_model(tmp_path: Path) -> None:
    suite, plan = small_suite(tmp_path), ListeningPlan("cot", tasks=("syncopation_score",))
    first = plan.order(suite, "syncopation_score")[0].answer
    model = Scripted([f"So.\nFinal Answer: {first}", "I will not say."])
    run = run_suite(suite, ModelEar("scripted", model), plan, baselines=())
    found = score(run.outcomes)["syncopation_score"]
    assert (found.trials, found.right, found.parse_errors, found.calls) == (2, 1, 1, 2)
    assert found.tolerant is found.paper_right is None


def test_a_run_is_data_and_back(tmp_path: Path) -> None:
    run = run_suite(small_suite(tmp_path), "constant", baselines=("oracle",))
    assert set(run.baselines) == {"constant", "oracle"}
    assert ListeningRun.from_dict(json.loads(json.dumps(run.to_dict()))) == run


class Moody:
    """A model in one of many moods."""

    name = "moody"

    def __init__(self, mood: Reply | Exception) -> None:
        self.mood = mood

    def ask(self, request: Request, **more: Any) -> Reply:
        if isinstance(self.mood, Exception):
            raise self.mood
        return self.mood


@pytest.mark.parametrize(
    ("mood", "failure", "refusals"),
    [
        (ModelError("timeout", "late"), "timeout", 0),
        (ModelError("refused", "no"), "refused", 1),
        (ModelError("network", "gone"), "error", 0),
        (ModelError("empty", "the reply has no text"), "error", 0),
        (ZeroDivisionError("anything"), "error", 0),
        (TimeoutError("too late"), "timeout", 0),
        (Reply("", finish="refused"), "refused", 1),
    ],
)
def test_moods_of_a_model_are_counted(tmp_path: Path, mood: Reply | Exception, failure: str, refusals: int) -> None:
    run = run_suite(
        small_suite(tmp_path), ModelEar("m:x", Moody(mood)), ListeningPlan(tasks=("contour",)), baselines=()
    )
    found = score(run.outcomes)["contour"]
    assert (found.failures[failure], sum(found.failures.values()), found.refusals) == (1, 1, refusals)


def test_what_no_call_can_mend_ends_the_run(tmp_path: Path) -> None:
    for mood in (ModelError("key", "no key"), MissingExtra("hearing", "llm")):
        with pytest.raises(type(mood)):
            run_suite(small_suite(tmp_path), ModelEar("m:x", Moody(mood)), baselines=())


def test_an_unknown_price_is_not_called_nothing(tmp_path: Path) -> None:
    run = run_suite(
        small_suite(tmp_path),
        ModelEar("m:x", Moody(Reply("nonsense", tokens_in=7))),
        ListeningPlan(tasks=("contour",)),
        baselines=(),
    )
    found = score(run.outcomes)["contour"]
    assert (found.calls, found.unpriced, found.tokens_in) == (3, 3, 21)


def test_a_client_is_asked_for_lines_and_for_thoughts(tmp_path: Path) -> None:
    suite, model = small_suite(tmp_path), Scripted(["nothing"])
    question = Question(suite.trials[0], form_of(suite.trials[0].kind, "t1"), (Message("user", "Listen.", (b"RIFF",)),))
    ModelEar("m:x", model).hear(question)
    ModelEar("m:x", model, tokens_for("cot")).hear(question)
    assert [request.messages for request in model.asked] == [question.messages] * 2
    assert [(request.limit, request.temperature, request.call) for request in model.asked] == [
        (256, 0.0, 1),
        (2_048, 0.0, 1),
    ]
    with pytest.raises(LibrettoError, match="there are anthropic:NAME"):
        ear("nobody:there")


@pytest.mark.shared
def test_the_benchmark_s_table_is_read_and_its_oracle_is_right(shared: Path) -> None:
    from libretto.listen import read_manifest

    suite = read_manifest(shared / "muse" / "manifest.csv", shared / "muse" / "audio")
    found = score(run_suite(suite, "oracle", baselines=()).outcomes)
    for task in ("syncopation_score", "syncopation_pair"):
        assert found[task].trials > 0
        assert found[task].right == found[task].trials


@pytest.mark.shared
def test_the_local_ear_hears_the_benchmark(shared: Path) -> None:
    pytest.importorskip("libretto.hearing", reason="the local ear is not here")
    pytest.importorskip("soundfile")
    from libretto.listen import read_manifest

    suite = read_manifest(shared / "muse" / "manifest.csv", shared / "muse" / "audio")
    run = run_suite(suite, "local", ListeningPlan(tasks=("syncopation_score",), limit=3), baselines=())
    assert [each.status for each in run.outcomes] == ["answered"] * 3


def test_the_oracle_is_right_in_a_suite_of_our_own(tmp_path: Path) -> None:
    making = pytest.importorskip("libretto.listen.making", reason="suites are not made here")
    pytest.importorskip("midirenderer")
    pytest.importorskip("soundfile")
    from libretto.listen import read_manifest

    manifest = making.make_suite(tmp_path / "made", trials=1)
    found = score(run_suite(read_manifest(manifest, tmp_path / "made" / "audio"), "oracle", baselines=()).outcomes)
    assert set(found) == set(making.makers)
    assert all((each.right, each.trials) == (1, 1) for each in found.values())
