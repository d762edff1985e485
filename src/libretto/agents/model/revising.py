"""Revising: the findings and the bars concerned are shown, patches come back, and everything else stays identical."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from libretto.agents.asked import Asked
from libretto.agents.model.canvas import Canvas
from libretto.agents.model.desk import MOST_REPAIRS, Desk, is_cut
from libretto.agents.model.pages import page, repair_text
from libretto.agents.model.patches import PatchText, split_patches, voices_meant
from libretto.agents.model.reading import Read, read_reply, spans_in_words
from libretto.agents.model.shape import Shape
from libretto.agents.model.writing import sections_of, write_bars
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.models.client import Message, Reply
from libretto.score import Score, outside_digest
from libretto.tasks import Round

__all__ = ["concerned", "revise_draft"]

_SHOWN = 14_000  # characters of music that are shown
_AROUND = 1  # bars shown on each side of those concerned
_MOST_BARS = 48


def concerned(best: Round, shape: Shape) -> list[int]:
    """The bars that the findings are about, with a little around them; all that may change where none are named."""
    assert best.score is not None
    allowed = _allowed(best.score, shape)
    found: list[int] = []
    for finding in best.verdict.findings if best.verdict else ():
        for first, last in finding.bars:
            found += [each for each in range(first - _AROUND, last + _AROUND + 1) if each in allowed]
    numbers = sorted(set(found)) if found else list(allowed)
    if len(set(found)) > _MOST_BARS:  # the worst findings come first
        numbers = sorted(set(list(dict.fromkeys(found))[:_MOST_BARS]))
    return numbers


def _allowed(piece: Score, shape: Shape) -> range:
    return range(shape.first, shape.last + 1) if shape.base is not None else piece.numbers


def revise_draft(desk: Desk, shape: Shape, best: Round) -> Iterator[Score]:
    """The best draft, better by every patch that could be read: the piece after each answer."""
    assert best.score is not None
    piece = best.score
    numbers = concerned(best, shape)
    rounds = (best,) if not desk.rounds or desk.rounds[-1].number == best.number else (best, desk.rounds[-1])
    text = desk.page(rounds, _request(piece, shape, numbers))
    history: tuple[Message, ...] = ()
    problems: list[str] = []
    for attempt in range(MOST_REPAIRS + 1):
        told = repair_text(problems, "those patches") if attempt else text
        asked = Asked(
            kind="repair" if attempt else "revise", base=piece, bars=(numbers[0], numbers[-1]), voices=shape.writes
        )
        if attempt:
            asked["again"] = "revise"
        purpose = f"revision{f', repair {attempt}' if attempt else ''}"
        reply = desk.ask(purpose, told, asked, history=history)
        piece, problems = _applied(desk, shape, piece, reply)
        yield piece
        if not problems:
            return
        if attempt < MOST_REPAIRS:
            desk.note("repairs", f"patches: {'; '.join(problems[:3])}")
            history = desk.again(text, reply)
    desk.note("unwritten", *problems[:5])


def _applied(desk: Desk, shape: Shape, piece: Score, reply: Reply) -> tuple[Score, list[str]]:
    """A piece with everything in an answer that can be applied to it; and what cannot."""
    patches, repairs = split_patches(reply.text)
    desk.note("lenient", *repairs)
    if not patches:
        read = read_reply(reply.text, _head(piece), cut=is_cut(reply))
        if read.whole:
            return _whole(desk, shape, piece, read)
        if not read.bars:
            return piece, ["there is no patch in your answer: a line PATCH bars 9-10 voices LEAD, then those bars"]
        numbers = [bar.number for bar in read.bars]
        patches = [PatchText(min(numbers), max(numbers), "", reply.text)]
        desk.note("lenient", "bars without a line PATCH are read as a patch")
    problems: list[str] = []
    for index, patch in enumerate(patches):
        cut = is_cut(reply) and index == len(patches) - 1
        piece, wrong = _patched(desk, shape, piece, patch, cut)
        problems += wrong
    return piece, problems


def _patched(desk: Desk, shape: Shape, piece: Score, patch: PatchText, cut: bool) -> tuple[Score, list[str]]:
    read = read_reply(patch.text, _head(piece), cut=cut)
    desk.note("lenient", *read.repairs)
    allowed = _allowed(piece, shape)
    where = f"PATCH bars {patch.first}-{patch.last}"
    if patch.first > patch.last or not any(patch.first <= number <= patch.last for number in allowed):
        return piece, [f"{where}: only bars {allowed[0]}-{allowed[-1]} can change"]
    known = shape.writes or tuple(voice.name for voice in piece.voices)
    named, unknown = voices_meant(patch.names, known)
    if unknown:
        return piece, [f"{where}: there is no voice {unknown[0]!r}; the voices are {', '.join(known)}"]
    said = {line.rpartition(": ")[0] for bar in read.bars for line in bar.lines}
    voices = named or [name for name in known if name in said]
    if not read.bars or not voices:
        return piece, [f"{where}: there are no bars under it that can be read"]
    first, last = max(patch.first, allowed[0]), min(patch.last, allowed[-1])
    written = sorted({bar.number for bar in read.bars})
    wanted = [number for number in written if first <= number <= last] or list(range(first, last + 1))
    canvas = Canvas.over(piece, first, last, voices, labels=shape.labels)
    wrong = canvas.take(read, wanted)
    desk.note("lenient", *canvas.repairs)
    if not canvas.bars:
        return piece, wrong or [f"{where}: there are no bars under it that can be read"]
    try:
        made, patches = canvas.patched()
    except LibrettoError as error:
        return piece, [f"{where}: {error}"]
    for each in patches:
        proof = outside_digest(piece, each.voices, each.first, each.last, chords=True)
        desk.note("patches", {"bars": [each.first, each.last], "voices": list(each.voices), "outside": proof[:16]})
    return made, wrong


def _whole(desk: Desk, shape: Shape, piece: Score, read: Read) -> tuple[Score, list[str]]:
    """A whole piece in place of patches: the new one, or of a song only what may change in it."""
    if shape.base is not None:
        canvas = Canvas.over(piece, shape.first, shape.last, shape.writes, labels=shape.labels)
        problems = canvas.take(read, canvas.missing())
        desk.note("lenient", *read.repairs, "the whole song was answered; only what may change is taken from it")
        return (canvas.score if canvas.bars else piece), problems
    numbers = [bar.number for bar in read.bars]
    first = 0 if numbers[0] == 0 and not (shape.last and numbers == list(range(shape.last))) else 1
    canvas = Canvas(read.head, first, shape.last or min(max(numbers), first + len(numbers) + 7))
    problems = canvas.take(read, canvas.missing())
    desk.note("lenient", *read.repairs, *canvas.repairs)
    if not canvas.bars:
        return piece, problems
    if missing := canvas.missing():  # what did not fit, or could not be read
        for low, high in sections_of(missing[0], missing[-1], shape.tokens):
            if not write_bars(desk, canvas, low, high):
                break
    if canvas.missing():
        desk.note("unwritten", f"bars {spans_in_words(canvas.missing())} of a new piece; the draft before it stays")
        return piece, []
    desk.note("patches", "the whole piece was written anew")
    return canvas.score, []


def _head(piece: Score) -> list[str]:
    lines = notate(replace(piece, voices=tuple(voice.with_notes([]) for voice in piece.voices))).split("\n")
    return [line for line in lines[:4] if line and not line.startswith("@")]


def _request(piece: Score, shape: Shape, numbers: list[int]) -> str:
    lines = notate(piece, compact=False).rstrip("\n").split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith("@"))
    blocks: list[list[str]] = []
    for line in lines[start:]:
        if line.startswith("@"):
            blocks.append([])
        blocks[-1].append(line)
    by_number = dict(zip(piece.numbers, blocks, strict=True))
    shown: list[int] = []
    size = 0
    for number in numbers:
        block = "\n".join(by_number[number])
        if size + len(block) > _SHOWN and shown:
            break
        shown, size = [*shown, number], size + len(block)
    music = "\n".join("\n".join(by_number[number]) for number in shown)
    allowed = _allowed(piece, shape)
    scope = f"Bars {allowed[0]}-{allowed[-1]} can change."
    if shape.writes:
        scope = f"Only bars {allowed[0]}-{allowed[-1]} of {', '.join(shape.writes)} can change."
    chords = " | ".join(" ".join(piece.chords[piece.index_of(number)]) for number in piece.numbers)
    form = "" if shape.base is not None else f"The chords of all bars:\n\n{chords}"
    whole = "" if shape.base is not None else "If nearly everything must change, answer with the whole piece instead."
    return page(
        "revise",
        head="```\n" + "\n".join(lines[:start]) + "\n```",
        form=form,
        music=f"Bars {spans_in_words(shown)}:\n\n```\n{music}\n```",
        scope=scope,
        whole=whole,
    )
