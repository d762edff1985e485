"""The page of the public names, made from the code: ``python -m lab.api > docs/api.md``."""

from __future__ import annotations

import inspect

import libretto

__all__ = ["api_as_markdown"]

_HEAD = """# The names of libretto

Everything below is imported from `libretto` itself and loaded when it is first used. What composes returns a `Run`:
`run.score` is the best piece, `run.passed` whether it passed every gate, `run.rounds` every draft with its verdict.
`**how` is `composer="house"` (who writes), `rounds=3` (the most drafts), `seed=0`, and `setup` for models.

This page is made from the code by `python -m lab.api`; a test compares.
"""


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return f"**{parameter.name}"
    text = f"{parameter.name}: {parameter.annotation}"
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text} = {'...' if callable(parameter.default) else repr(parameter.default)}"


def _signature(name: str, thing: object) -> str:
    """How a function is called; a class by its name alone."""
    if isinstance(thing, type) or not callable(thing):
        return name
    signature = inspect.signature(thing)
    words, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        words.append(_parameter(parameter))
    return f"{name}({', '.join(words)}) -> {signature.return_annotation}"


def _about(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def api_as_markdown() -> str:
    """Every public name with its signature and the first paragraph of what it says of itself."""
    blocks = [_HEAD]
    for name in libretto.__all__:
        thing = getattr(libretto, name)
        blocks.append(f"## {name}\n\n```text\n{_signature(name, thing)}\n```\n\n{_about(thing)}\n")
    return "\n".join(blocks)


if __name__ == "__main__":
    print(api_as_markdown(), end="")
