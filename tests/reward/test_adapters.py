"""The shapes that trainers call: TRL's reward functions and the tasks of verifiers."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from pieces import NIGHT_BUS

from libretto import LibrettoError
from libretto.reward import reward_of
from libretto.reward.trl import reward_function
from libretto.reward.verifiers import BRIEFS, music_taskset, prompt_of, score_reply


def test_a_reward_function_takes_what_trl_hands_over() -> None:
    give = reward_function()
    texts = [NIGHT_BUS, "no music"]
    plain = give(prompts=["a", "b"], completions=texts, completion_ids=[[1], [2]], trainer_state=None)
    talked = give(
        prompts=[[{"role": "user", "content": "a"}]] * 2,
        completions=[[{"role": "assistant", "content": f"Here:\n```\n{text}\n```"}] for text in texts],
    )
    assert plain == talked == [reward_of(text).value for text in texts]
    assert give.__name__ == "libretto_reward"
    assert reward_function(part="parses")(prompts=["a", "b"], completions=texts) == [1.0, 0.0]


def test_a_column_of_briefs_is_what_was_asked() -> None:
    briefs = ["A funk tune in G minor, 16 bars", "A waltz in E major, 40 bars"]
    kept, broken = reward_function(part="clauses")(prompts=["", ""], completions=[NIGHT_BUS] * 2, brief=briefs)
    assert kept > broken


def test_briefs_are_rewarded_alike_in_other_processes() -> None:
    briefs = ["A funk tune in G minor, 16 bars", "A waltz in E major, 40 bars"] * 8
    one, several = reward_function(), reward_function(jobs=2)
    assert several(completions=[NIGHT_BUS] * 16, brief=briefs) == one(completions=[NIGHT_BUS] * 16, brief=briefs)


@pytest.mark.parametrize(
    "completion",
    [
        [{"role": "assistant", "content": [{"type": "text", "text": NIGHT_BUS}]}],
        [{"role": "assistant", "content": f"```\nPlan: a vamp, then a bridge\n```\nNow:\n```\n{NIGHT_BUS}\n```"}],
        f"```\nKEY: C major\nVOICES: A\n@1 [C]\n  A: C4@1>4\n```\nBetter:\n```\n{NIGHT_BUS}\n```\n",
    ],
)
def test_the_piece_is_taken_out_of_what_stands_around_it(completion: Any) -> None:
    assert reward_function()(completions=[completion]) == [reward_of(NIGHT_BUS).value]


def test_what_cannot_be_rewarded_is_said_in_a_line() -> None:
    with pytest.raises(LibrettoError, match="clauses"):
        reward_function(part="nope")
    with pytest.raises(LibrettoError, match="1 briefs for 2 completions"):
        reward_function()(completions=[NIGHT_BUS] * 2, brief=["A waltz"])


def test_a_piece_may_be_its_prompt_and_what_follows() -> None:
    head, rest = NIGHT_BUS[:200], NIGHT_BUS[200:]
    give = reward_function(joined=True)
    assert give(prompts=[head], completions=[rest]) == [reward_of(NIGHT_BUS).value]


def test_a_reply_is_scored_by_its_brief() -> None:
    reply = f"Of course!\n```\n{NIGHT_BUS}```\nEnjoy."
    assert score_reply(reply) == reward_of(NIGHT_BUS)
    assert score_reply(reply, BRIEFS[0]).parts["clauses"] < 1.0
    assert BRIEFS[0] in prompt_of(BRIEFS[0])
    assert len(prompt_of(BRIEFS[0], grammar=False)) < 300


def test_without_verifiers_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", None)
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)
    from libretto.reward import verifiers

    verifiers.taskset_type.cache_clear()
    with pytest.raises(LibrettoError, match=r"libretto\[verifiers\]"):
        music_taskset()


@pytest.mark.slow
def test_verifiers_scores_a_trace() -> None:
    vf: Any = pytest.importorskip("verifiers.v1", reason="needs the extra verifiers")
    import asyncio

    taskset = music_taskset(["A funk tune in G minor, 16 bars"])
    task = next(iter(taskset))
    trace = vf.Trace(
        task=vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
        agent=vf.AgentInfo(config=vf.AgentConfig(), name="test", trainable=False),
        root_reply=NIGHT_BUS,
    )
    asyncio.run(task.score(trace))
    wanted = score_reply(NIGHT_BUS, "A funk tune in G minor, 16 bars")
    assert trace.reward == pytest.approx(wanted.value)
    assert trace.metrics["ordering"] == pytest.approx(wanted.parts["ordering"])


@pytest.mark.slow
def test_trl_trains_a_step_with_it(tmp_path: Any) -> None:
    trl: Any = pytest.importorskip("trl", reason="needs the extra trl")
    from datasets import Dataset
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = {chr(code): code - 32 for code in range(32, 127)} | {"\n": 95, "<pad>": 96, "<eos>": 97, "<unk>": 98}
    inner = Tokenizer(WordLevel(words, unk_token="<unk>"))
    inner.pre_tokenizer = Split("", "isolated")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )
    config = GPT2Config(
        vocab_size=99, n_embd=16, n_layer=1, n_head=2, n_positions=256, bos_token_id=97, eos_token_id=97
    )
    seen: list[list[float]] = []
    give = reward_function()

    def counted(**columns: Any) -> list[float]:
        seen.append(give(**columns))
        return seen[-1]

    trainer = trl.GRPOTrainer(
        model=GPT2LMHeadModel(config),
        reward_funcs=counted,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=1,
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=16,
            use_cpu=True,
            bf16=False,
            report_to=[],
        ),
        train_dataset=Dataset.from_dict({"prompt": ["Compose. "] * 4}),
        processing_class=tokenizer,
    )
    trainer.train()
    assert seen
    assert all(-1.0 <= value <= 1.0 for row in seen for value in row)
