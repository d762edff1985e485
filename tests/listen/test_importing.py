"""Published file names become a table of trials: chords by table S1, levels of syncopation, pairs of melodies."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from listening import small_suite, write_clip
from typer.testing import CliRunner

from libretto.cli.app import app
from libretto.errors import LibrettoError
from libretto.listen import ListeningPlan, ModelEar, Scripted, read_manifest, run_suite
from libretto.listen.ears import GREEDY, Decoding
from libretto.listen.importing import import_suite
from libretto.listen.published import PAIRS, name_says

#: Table S1 of the supplement, row by row: root, then diminished, dominant, major, minor.
TABLE_S1 = """
Ab 1 2 3 4
A 5 6 7 8
Bb 9 10 11 12
B 13 14 15 16
C 17 18 19 20
Db 21 22 23 24
D 25 26 27 28
Eb 29 30 31 32
E 33 34 35 36
F 37 38 39 40
Gb 41 42 43 44
G 45 46 47 48
"""
LETTERS = {"diminished": "D", "dominant": "C", "major": "A", "minor": "B"}


def rows_of(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.decode(), newline="")))


def clips(folder: Path, *names: str) -> Path:
    for name in names:
        write_clip(folder / name)
    return folder


def published(folder: Path) -> Path:
    """Silent clips with the names of the whole benchmark: 48 chords, 20 loops, its melodies."""
    tunes = sorted({name for pair in PAIRS for name in pair} | {"M11_CMaj", "M11_EMaj", "M12_FMaj"})
    return clips(
        folder,
        *(f"Chords/{number}.wav" for number in range(1, 49)),
        *(f"{level}_{letter}.wav" for level in ("NoSync", "Sync1", "Sync2", "Sync3", "Sync4") for letter in "ABCD"),
        *(f"{name}_120{'_3_4' if 'm' in name[3:] else ''}_Piano.wav" for name in tunes),
        "M1_Odd_EbMaj_90.wav",
    )


def test_chords_are_what_table_s1_says() -> None:
    for line in TABLE_S1.split("\n")[1:-1]:
        root, *numbers = line.split()
        for number, quality in zip(numbers, LETTERS, strict=True):
            said = name_says(number)
            assert said is not None
            assert (said.answer, said.note) == (LETTERS[quality], f"{root} {quality}")
    assert name_says("0") is name_says("49") is name_says("007") is None


@pytest.mark.parametrize(
    ("stem", "task", "answer"),
    [
        ("NoSync_A", "syncopation_score", "A"),
        ("Sync2_B", "syncopation_score", "C"),
        ("Sync4_C", "syncopation_score", "E"),
        ("M1_EbMaj_90", "transposition", ""),
        ("M9_Em_200_3_4_Piano", "transposition", ""),
        ("Aminor_Guitar_120", "chord_quality_2", "minor"),
        ("CMaj_Scale_Arch", "contour", "Arch"),
        ("GbMaj_Arp_Desc_Piano", "contour", "Desc"),
    ],
)
def test_names_say_task_and_answer(stem: str, task: str, answer: str) -> None:
    said = name_says(stem)
    assert said is not None
    assert (said.task, said.answer) == (task, answer)


def test_a_wrong_label_is_corrected_unless_kept() -> None:
    right, kept = name_says("Sync3_A"), name_says("Sync3_A", as_named=True)
    assert right is not None
    assert kept is not None
    assert (right.answer, kept.answer) == ("E", "D")


def test_the_whole_benchmark_has_its_pairs_and_examples(tmp_path: Path) -> None:
    made = import_suite(published(tmp_path / "audio"))
    assert made.pairs == "published"
    assert {task: tuple(roles.values()) for task, roles in made.counts.items()} == {
        "chord_quality_4": (44, 4),
        "syncopation_score": (18, 2),
        "transposition": (20, 2),
    }
    rows = rows_of(made.table)
    shown = [row for row in rows if row["role"] == "fewshot"]
    assert sorted(row["answer"] for row in shown if row["task"] == "chord_quality_4") == ["A", "B", "C", "D"]
    pairs = [row for row in rows if row["task"] == "transposition" and row["role"] == "test"]
    assert sum(row["answer"] == "yes" for row in pairs) == 10
    for row in pairs:
        one, two = (row[name].split("_")[0] for name in ("audio_1", "audio_2"))
        assert (row["answer"] == "yes") == (one == two)
    (tmp_path / "manifest.csv").write_bytes(made.table)
    suite = read_manifest(tmp_path / "manifest.csv", tmp_path / "audio")  # refuses what is shown and tested
    assert len(suite.trials) == len(rows)
    assert list(made.left_out) == ["M1_Odd_EbMaj_90.wav"]


def test_part_of_it_is_paired_by_rule_and_the_same_twice(tmp_path: Path) -> None:
    names = ("M1_EbMaj_90.wav", "M1_GMaj_90.wav", "M3_DbMaj_78.wav", "M3_GbMaj_78.wav", "M5_Bm_100.wav")
    folder = clips(tmp_path, *names)
    made = import_suite(folder, tasks=["transposition"])
    assert made.pairs == "by rule"
    assert sorted(row["answer"] for row in rows_of(made.table)) == ["no", "no", "yes", "yes"]
    assert made.left_out == {"M5_Bm_100.wav": "a melody without a partner"}
    assert import_suite(folder, tasks=["transposition"]).table == made.table


def test_what_cannot_be_imported_is_one_line(tmp_path: Path) -> None:
    for folder, tasks, said in (
        (tmp_path / "nowhere", ["contour"], "not a folder"),
        (clips(tmp_path / "none", "song.wav"), ["contour"], "no clips with published names"),
        (clips(tmp_path / "twice", "a/1.wav", "b/1.flac"), ["chord_quality_4"], "have one name"),
        (tmp_path, ["syncopation_pair"], "no published file names"),
    ):
        with pytest.raises(LibrettoError, match=said) as caught:
            import_suite(folder, tasks=tasks)
        assert "\n" not in str(caught.value)


def test_the_command_writes_a_table_that_runs(tmp_path: Path) -> None:
    audio, table = published(tmp_path / "audio"), tmp_path / "manifest.csv"
    said = CliRunner().invoke(app, ["listen", "import", str(audio), "-o", str(table)])
    assert said.exit_code == 0, said.output
    assert "transposition: 20 to test, 2 as examples, pairs published" in said.output
    heard = CliRunner().invoke(
        app, ["listen", "run", "--manifest", str(table), "--audio", str(audio), "--ear", "constant", "--no-baselines"]
    )
    assert heard.exit_code == 0, heard.output
    assert "constant     10 of 20, 50.0%" in heard.output


@pytest.mark.shared
def test_published_clips_beside_the_checkout_get_the_answers_of_their_table(shared: Path) -> None:
    if not (shared / "muse" / "manifest.csv").is_file():
        pytest.skip("needs the published clips beside the checkout")
    tasks = ("chord_quality_2", "chord_quality_4", "contour", "syncopation_score")
    known = {
        (row["task"], row["audio_1"]): row["answer"]
        for row in rows_of((shared / "muse" / "manifest.csv").read_bytes())
        if row["task"] in tasks
    }
    made = rows_of(import_suite(shared / "muse" / "audio", tasks=tasks).table)
    assert {(row["task"], row["audio_1"]): row["answer"] for row in made} == known


def turned(folder: Path, task: str, replies: list[str], **how: object) -> tuple[dict[str, object], Scripted]:
    client = Scripted(replies)
    plan = ListeningPlan(tasks=(task,), limit=1, answer_turn=True, few_shot=0, **how)  # type: ignore[arg-type]
    run = run_suite(small_suite(folder), ModelEar("maker:x", client), plan, baselines=())
    return run.outcomes[0].to_dict(), client


def test_after_the_solver_the_model_answers(tmp_path: Path) -> None:
    from libretto.listen.prompting import opaque

    line = f"chord({opaque('q5', 0)}, [60, 63, 66])"
    outcome, client = turned(tmp_path, "chord_quality_4", [line, "Final Answer: A"])
    assert (outcome["given"], outcome["solved"], outcome["right"], outcome["calls"]) == ("A", "D", False, 2)
    first, second = client.asked
    assert second.messages[: len(first.messages)] == first.messages  # one conversation, audio and all
    assert second.messages[-2].text == line
    assert "0, 3, 6 above the lowest note: D" in second.messages[-1].text
    assert "what it says and give the answer" in first.messages[0].text


def test_the_answer_turn_wants_the_bare_sentence(tmp_path: Path) -> None:
    from libretto.listen.prompting import opaque

    name = opaque("q4", 0)
    lines = f"melody({name}_1, [60, 62])\nmelody({name}_2, [63, 65])"
    said, client = turned(tmp_path / "a", "transposition", [lines, "Yes, these are the same melody."])
    assert (said["given"], said["solved"]) == ("yes", "yes")
    assert "Final Answer" not in client.asked[1].messages[-1].text
    said, _ = turned(tmp_path / "b", "transposition", [lines, "Final Answer: Yes, these are the same melody."])
    assert (said["status"], said["last_fault"], said["solved"]) == ("unparsed", "structural", "yes")


def test_a_count_without_a_class_is_told_and_left_to_the_model(tmp_path: Path) -> None:
    from libretto.listen.prompting import opaque

    plan = ListeningPlan(tasks=("syncopation_score",), answer_turn=True)
    trial = plan.order(small_suite(tmp_path / "look"), "syncopation_score")[0].id
    line = f"rhythm({opaque(trial, 0)}, [1, 2, 4, 6])"
    said, client = turned(tmp_path, "syncopation_score", [line, line, "Final Answer: B"])
    assert (said["given"], said["solved"], said["turned"]) == ("B", None, True)
    assert "It says: 3 off-beats." in client.asked[-1].messages[-1].text


def test_decoding_reaches_the_client_and_mending_is_greedy(tmp_path: Path) -> None:
    from libretto.listen.prompting import opaque

    line = f"chord({opaque('q5', 0)}, [60, 63, 66])"
    how = Decoding(1.0, 0.95, 40, 512)
    _, client = turned(tmp_path, "chord_quality_4", ["no idea", line, "Final Answer: D"], decoding=how)
    settings = [(ask.temperature, ask.top_p, ask.top_k, ask.limit) for ask in client.asked]
    assert settings == [(1.0, 0.95, 40, 512), (0.0, 1.0, 1, 256), (1.0, 0.95, 40, 512)]
    assert GREEDY.tokens == 256


@pytest.mark.parametrize("bad", [Decoding(temperature=3), Decoding(top_p=0), Decoding(top_k=0), Decoding(tokens=0)])
def test_settings_that_cannot_be_are_refused(tmp_path: Path, bad: Decoding) -> None:
    with pytest.raises(LibrettoError, match="is not"):
        ListeningPlan(decoding=bad).check(small_suite(tmp_path))


def test_an_answer_turn_needs_lines(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="take logiclm"):
        ListeningPlan("cot", answer_turn=True).check(small_suite(tmp_path))
