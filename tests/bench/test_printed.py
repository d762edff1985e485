"""What stands as published is printed: every such figure of the benches, against a table of what is printed where."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The figures of the Libretto paper that may be called published, by where they are printed.
PRINTED: dict[str, tuple[str, ...]] = {
    "table 1, pitch and voice": ("18", "57,885", "11", "0.019%", "1:1"),
    "table 1, timing fidelity": ("0", "3.1"),
    "table 1, timing readability": ("5", "98", "28", "70", "131"),
    "table 1, edit locality": ("1005", "335", "1176"),
    "table 1, abstractions": ("21%",),
    "table 1, axis construction": ("35", "29"),
    "table 1, axis independence": ("0.16", "12/406", "0.77"),
    "table 1, genre signal": ("255", "0.384", "8"),
    "table 2, degeneracy": ("3.4", "3", "7", "4–6"),
    "table 2, genre fit": ("10–29%",),
    "table 2, copy risk": ("90", "0.29", "0.30"),
    "table 2, novelty": ("0.065", "0.127", "0.50"),
    "table 3, gap filling": ("6/51", "12%", "20/51", "39%", "33/51"),
    "table 3, full pieces, loop": ("10/16", "62%", "15/16", "94%"),
    "table 3, full pieces, retrieval": ("2/8", "25%", "6/8", "75%"),
    "table 3, drills": ("7/8", "6/8"),
    "table 3, morphing": ("11/21",),
}
#: Figures that are a quotient of two printed ones.
QUOTIENTS = {"0.71": (70, 98), "1.34": (131, 98), "10.3": (1005, 98), "3.4": (335, 98), "12.0": (1176, 98)}
#: Calls that take published figures, and which of their arguments these are.
TAKERS = {"Entry": (2,), "AuditRow": (2,), "Application": (1, 2), "_row": (2,), "_none": (3,), "_all": (3,)}
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*%?")
CALLED_PUBLISHED = re.compile(r"[Pp]ublished:? (\d+(?:[.,:/]\d+)*%?(?: and \d+%| of \d+)?)")
ELSEWHERE = ("not printed", "not said")


def plain(text: str) -> str:
    """The same figures in one spelling: 12 of 406 is 12/406."""
    return re.sub(r"(\d) of (\d)", r"\1/\2", text)


def allowed() -> set[str]:
    """Every figure that may be called published; the ends of a range each."""
    figures = {figure for row in PRINTED.values() for figure in row}
    return figures | {part for figure in figures for part in NUMBER.findall(figure)} | set(QUOTIENTS)


def strangers(text: str) -> list[str]:
    """The figures of a text that are printed nowhere, in whole or part by part."""
    known = allowed()
    return [
        figure
        for figure in NUMBER.findall(plain(text))
        if figure not in known and not set(re.split("[/:]", figure)) <= known
    ]


def published_texts() -> Iterator[tuple[str, str]]:
    """Every text that a table of the benches shows as published, and where it stands."""
    for path in sorted((ROOT / "src" / "libretto" / "bench").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for index in TAKERS.get(node.func.id, ()):
                    if index < len(node.args) and isinstance(text := node.args[index], ast.Constant):
                        yield f"{path.name}:{text.lineno}", str(text.value)
            if path.name == "axes.py" and isinstance(node, ast.Call) and ast.unparse(node.func) == "_Figure":
                yield from ((f"{path.name}:{node.lineno}", ast.literal_eval(text)) for text in node.args[2:4])


def test_every_published_figure_of_a_bench_is_printed() -> None:
    texts = list(published_texts())
    assert len(texts) > 40, "the tables are made in another way; look where their published figures come from"
    wrong = {where: text for where, text in texts if not text.startswith(ELSEWHERE) and strangers(text)}
    assert not wrong


def test_what_is_called_published_in_words_is_printed() -> None:
    pages = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.py")]
    said = [(path.name, figure) for path in pages for figure in CALLED_PUBLISHED.findall(path.read_text("utf-8"))]
    assert said
    assert not [(name, figure) for name, figure in said if strangers(figure)]


@pytest.mark.parametrize("text", ["0.437", "14 to 34%", "12 of 50", "816 ms"])
def test_a_figure_from_elsewhere_is_found_out(text: str) -> None:
    assert strangers(text)


def test_the_table_is_what_the_paper_says(shared: Path) -> None:
    papers = [path.read_text(encoding="utf-8") for path in sorted((shared / "seeds").glob("00[13]_*.txt"))]
    if not papers:
        pytest.skip("needs the papers beside the checkout")
    for where, figures in PRINTED.items():
        for figure in figures:
            whole = re.compile(rf"(?<![\d.,]){re.escape(figure)}(?!\d|[.,]\d)")
            assert any(whole.search(paper) for paper in papers), f"{where}: {figure}"


def test_quotients_are_of_printed_figures() -> None:
    for figure, (above, below) in QUOTIENTS.items():
        assert {str(above), str(below)} <= allowed()
        assert f"{above / below:.{len(figure.split('.')[1])}f}" == figure
