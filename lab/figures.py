"""Figures about the code: size, circles, long files, tangled functions, bare numbers, worn-out names.

``python -m lab.figures [FOLDER] [--worst N]`` prints one line a figure, and with ``--worst`` the places. A *bare
number* is a number inside a function other than -1 to 4, a half and 12 (the octave) that is no index, no default, no
argument by keyword and no named constant: one that a reader has to guess the reason of. Complexity counts decisions:
branches, loops, handlers, comprehensions' ifs, conditional expressions and the terms of and/or.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

__all__ = ["bare_numbers", "circles", "complexity", "functions", "import_graph"]

_PLAIN = {0, 1, 2, 3, 4, 12, -1, 0.5}  # counting, and the octave
_WORN = ("found", "each")
_LONG, _TANGLED = 300, 15
_DECISIONS = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case, ast.Assert)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function of a module, methods and inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def complexity(function: Function) -> int:
    """One more than the decisions of a function; inner functions count for it."""
    count = 1
    for node in ast.walk(function):
        if isinstance(node, _DECISIONS):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


def bare_numbers(tree: ast.AST) -> list[int]:
    """The lines of numbers that have no name: see the module."""
    lines = []
    for function in functions(tree):
        excused = {id(inner) for node in [*function.args.defaults, *function.args.kw_defaults] if node is not None
                   for inner in ast.walk(node)}  # fmt: skip
        for inner in functions(function):
            if inner is not function:
                excused |= {id(node) for node in ast.walk(inner)}
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript):
                excused |= {id(part) for part in ast.walk(node.slice)}
            if isinstance(node, ast.keyword):  # it has a name there
                excused.add(id(node.value))
        for node in ast.walk(function):
            if (isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in _PLAIN
                    and id(node) not in excused):  # fmt: skip
                lines.append(node.lineno)
    return lines


def import_graph(source: Path) -> dict[str, set[str]]:
    """Which module imports which, imports inside functions and for types included."""
    names = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: dict[str, set[str]] = {name: set() for name in names}
    for name, path in names.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted = [f"{node.module}.{alias.name}" for alias in node.names]
                graph[name] |= {target if target in names else node.module for target in wanted}
            elif isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names}
        graph[name] = {target for target in graph[name] if target in names and target != name}
    return graph


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, directly or around corners."""
    order: list[str] = []
    seen: set[str] = set()
    for start in graph:
        stack = [(start, iter(sorted(graph[start])))] if start not in seen else []
        seen.add(start)
        while stack:
            name, rest = stack[-1]
            step = next((target for target in rest if target not in seen), None)
            if step is None:
                order.append(stack.pop()[0])
            else:
                seen.add(step)
                stack.append((step, iter(sorted(graph[step]))))
    back: dict[str, set[str]] = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets:
            back[target].add(name)
    groups, placed = [], set()
    for start in reversed(order):
        if start in placed:
            continue
        group, todo = [], [start]
        placed.add(start)
        while todo:
            name = todo.pop()
            group.append(name)
            new = back[name] - placed
            placed |= new
            todo += sorted(new)
        if len(group) > 1:
            groups.append(sorted(group))
    return groups


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="src/libretto", type=Path)
    parser.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    source: Path = options.folder
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    every = [(path, function) for path, tree in trees.items() for function in functions(tree)]
    lengths = [(function.end_lineno or 0) - function.lineno + 1 for _, function in every]
    tangled = sorted(((complexity(function), f"{path}:{function.lineno} {function.name}") for path, function in every),
                     reverse=True)  # fmt: skip
    long = [(len(text.splitlines()), str(path)) for path, text in texts.items() if len(text.splitlines()) > _LONG]
    bare = {path: len(bare_numbers(tree)) for path, tree in trees.items()}
    worn = Counter(
        node.id
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in _WORN
    )
    asserts = sum(isinstance(node, ast.Assert) for tree in trees.values() for node in ast.walk(tree))
    around = circles(import_graph(source))
    lines = sum(len(text.splitlines()) for text in texts.values())
    print(f"files {len(texts)}, lines {lines}, over {_LONG} lines {len(long)}")
    print(f"functions {len(every)}, median length {median(lengths):g}, complexity over {_TANGLED}: "
          f"{sum(count > _TANGLED for count, _ in tangled)}")  # fmt: skip
    print(f"bare numbers {sum(bare.values())}, asserts {asserts}, bound as {dict(worn)}, circles {len(around)}")
    for group in around:
        print("  circle:", ", ".join(group))
    for size, place in sorted(long, reverse=True):
        print(f"  long: {place} {size}")
    for count, place in tangled[: options.worst]:
        print(f"  tangled: {place} {count}")
    for path in sorted(bare, key=lambda path: -bare[path])[: options.worst]:
        print(f"  bare numbers: {path} {bare[path]}")


if __name__ == "__main__":
    main()
