"""Revising: the findings and the bars concerned are shown, patches come back, and everything else stays identical."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from libretto.agents.model.canvas import Canvas, blocks_of
from libretto.agents.model.desk import MOST_REPAIRS, Desk, page
from libretto.agents.model.reading import PatchText, ReadReply, read_reply, spans_in_words, split_patches, voices_meant
from libretto.agents.model.shape import tokens_a_bar
from libretto.agents.model.writing import sections_of, write_bars
from libretto.agents.session import Asked
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.models.client import Reply
from libretto.score import Score, outside_digest
from libretto.score.paper import on_paper
from libretto.tasks import AnswerShape, Round

__all__ = ["concerned", "revise_draft"]

_SHOWN = 14_000  # characters of music that are shown
_AROUND = 1  # bars shown on each side of those concerned
_MOST_BARS = 48
_MOST_UNWRITTEN = 5  # problems that are noted where nothing more is asked for
_PROOF = 16  # signs of a digest that are enough to tell two apart
_HEADER_LINES = 4  # a header has no more: title, fields, voices
_UNREADABLE = "there are no bars under it that can be read"


def concerned(best: Round, shape: AnswerShape, piece: Score) -> list[int]:
    """The bars that the findings are about, with a little around them; all that may change where none are named."""
    allowed = _allowed(piece, shape)
    named: list[int] = []
    verdict = best.verdict
    said = [*(one.bars for one in verdict.findings), *(one.bars for one in verdict.weakest)] if verdict else []
    for spans in said:
        for first, last in spans:
            named += [number for number in range(first - _AROUND, last + _AROUND + 1) if number in allowed]
    if not named:
        return list(allowed)
    return sorted(list(dict.fromkeys(named))[:_MOST_BARS])  # the worst findings come first


def _allowed(piece: Score, shape: AnswerShape) -> range:
    """The bars that can change."""
    return range(shape.first, shape.last + 1) if shape.base is not None else piece.numbers


def revise_draft(desk: Desk, shape: AnswerShape, best: Round, piece: Score) -> Iterator[Score]:
    """The best draft's piece, better by every patch that could be read: the piece after each answer."""
    numbers = concerned(best, shape, piece)
    rounds = (best,) if not desk.rounds or desk.rounds[-1].number == best.number else (best, desk.rounds[-1])
    text = desk.page(rounds, _request(piece, shape, numbers))
    asked = Asked(kind="revise", base=piece, bars=(numbers[0], numbers[-1]), voices=shape.writes)
    problems: list[str] = []
    for attempt in desk.attempts("revision", text, asked, "those patches"):
        piece, problems = _applied(desk, shape, piece, attempt.reply)
        yield piece
        if not problems:
            return
        if attempt.number < MOST_REPAIRS:
            desk.note_repair("patches", problems)
        asked["base"], attempt.problems = piece, problems
    desk.note("unwritten", *problems[:_MOST_UNWRITTEN])


def _applied(desk: Desk, shape: AnswerShape, piece: Score, reply: Reply) -> tuple[Score, list[str]]:
    """A piece with everything in an answer that can be applied to it; and what cannot."""
    patches, repairs = split_patches(reply.text)
    desk.note("lenient", *repairs)
    if not patches:
        read = read_reply(reply.text, _head(piece), cut=reply.is_cut)
        if read.whole:
            return _whole(desk, shape, piece, read)
        if not read.bars:
            return piece, ["there is no patch in your answer: a line PATCH bars 9-10 voices LEAD, then those bars"]
        numbers = [bar.number for bar in read.bars]
        patches = [PatchText(min(numbers), max(numbers), "", reply.text)]
        desk.note("lenient", "bars without a line PATCH are read as a patch")
    problems: list[str] = []
    for index, patch in enumerate(patches):
        cut = reply.is_cut and index == len(patches) - 1
        piece, wrong = _patched(desk, shape, piece, patch, cut)
        problems += wrong
    return piece, problems


def _patched(desk: Desk, shape: AnswerShape, piece: Score, patch: PatchText, cut: bool) -> tuple[Score, list[str]]:
    """A piece with a patch in it, and what of the patch cannot be read; the piece itself where none of it can."""
    read = read_reply(patch.text, _head(piece), cut=cut)
    desk.note("lenient", *read.repairs)
    where = f"PATCH bars {patch.first}-{patch.last}"
    try:
        first, last = _span(patch, _allowed(piece, shape))
        voices = _voices(patch, read, shape.writes or tuple(voice.name for voice in piece.voices))
    except LibrettoError as error:
        return piece, [f"{where}: {error}"]
    written = sorted({bar.number for bar in read.bars})
    wanted = [number for number in written if first <= number <= last] or list(range(first, last + 1))
    canvas = Canvas.over(piece, first, last, voices, labels=shape.labels)
    wrong = canvas.take(read, wanted)
    desk.note("lenient", *canvas.repairs)
    if not canvas.bars:
        return piece, wrong or [f"{where}: {_UNREADABLE}"]
    try:
        made, patches = canvas.patched()
    except LibrettoError as error:
        return piece, [f"{where}: {error}"]
    for put in patches:
        proof = outside_digest(piece, put.voices, put.first, put.last, chords=True)[:_PROOF]
        desk.note("patches", {"bars": [put.first, put.last], "voices": list(put.voices), "outside": proof})
    return made, wrong


def _span(patch: PatchText, allowed: range) -> tuple[int, int]:
    """The bars of a patch that can change, first and last; refused where none can."""
    if patch.first > patch.last or not any(patch.first <= number <= patch.last for number in allowed):
        raise LibrettoError(f"only bars {allowed[0]}-{allowed[-1]} can change")
    return max(patch.first, allowed[0]), min(patch.last, allowed[-1])


def _voices(patch: PatchText, read: ReadReply, known: Sequence[str]) -> list[str]:
    """The voices that a patch names, or else those that have lines in it; refused where there are none."""
    named, unknown = voices_meant(patch.names, known)
    if unknown:
        raise LibrettoError(f"there is no voice {unknown[0]!r}; the voices are {', '.join(known)}")
    said = {line.rpartition(": ")[0] for bar in read.bars for line in bar.lines}
    voices = named or [name for name in known if name in said]
    if not read.bars or not voices:
        raise LibrettoError(_UNREADABLE)
    return voices


def _whole(desk: Desk, shape: AnswerShape, piece: Score, read: ReadReply) -> tuple[Score, list[str]]:
    """A whole piece in place of patches: the new one, or of a song only what may change in it."""
    if shape.base is not None:
        canvas = Canvas.over(piece, shape.first, shape.last, shape.writes, labels=shape.labels)
        problems = canvas.take(read, canvas.missing())
        desk.note("lenient", *read.repairs, "the whole song was answered; only what may change is taken from it")
        return (canvas.score if canvas.bars else piece), problems
    canvas = Canvas.of(read, shape.last)
    problems = canvas.take(read, canvas.missing())
    desk.note("lenient", *read.repairs, *canvas.repairs)
    if not canvas.bars:
        return piece, problems
    if missing := canvas.missing():  # what did not fit, or could not be read
        for low, high in sections_of(missing[0], missing[-1], tokens_a_bar(shape)):
            if not write_bars(desk, canvas, low, high):
                break
    if canvas.missing():
        desk.note("unwritten", f"bars {spans_in_words(canvas.missing())} of a new piece; the draft before it stays")
        return piece, []
    desk.note("patches", "the whole piece was written anew")
    return canvas.score, []


def _head(piece: Score) -> list[str]:
    """The lines of a piece's header."""
    written = on_paper(piece)
    lines = notate(replace(written, voices=tuple(voice.with_notes([]) for voice in written.voices))).split("\n")
    return [line for line in lines[:_HEADER_LINES] if line and not line.startswith("@")]


def _request(piece: Score, shape: AnswerShape, numbers: Sequence[int]) -> str:
    """What patches are asked for with: the bars concerned, the chords of all, and what can change."""
    head, blocks = blocks_of(piece)
    shown = _shown(blocks, numbers)
    music = "\n".join("\n".join(blocks[number]) for number in shown)
    allowed = _allowed(piece, shape)
    scope = f"Bars {allowed[0]}-{allowed[-1]} can change."
    if shape.writes:
        scope = f"Only bars {allowed[0]}-{allowed[-1]} of {', '.join(shape.writes)} can change."
    form = whole = ""
    if shape.base is None:
        chords = " | ".join(" ".join(piece.chords[piece.index_of(number)]) for number in piece.numbers)
        form = f"The chords of all bars:\n\n{chords}"
        whole = "If nearly everything must change, answer with the whole piece instead."
    return page(
        "revise",
        head="```\n" + "\n".join(head) + "\n```",
        form=form,
        music=f"Bars {spans_in_words(shown)}:\n\n```\n{music}\n```",
        scope=scope,
        whole=whole,
    )


def _shown(blocks: dict[int, list[str]], numbers: Sequence[int]) -> list[int]:
    """The bars of those concerned that there is room for, one at least."""
    shown: list[int] = []
    size = 0
    for number in numbers:
        length = len("\n".join(blocks[number]))
        if size + length > _SHOWN and shown:
            break
        shown, size = [*shown, number], size + length
    return shown
