"""The tool for teaching: the next question of ear training with its sound, and an answer taken and explained."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.mcp.desk import Answer, Desk, bounded, say, tools
from libretto.workspace import inside
from libretto.workspace.learners import add_answer, learner_file

if TYPE_CHECKING:
    from libretto.tasks.training import Course, Item

__all__: list[str] = []

_FOLDER = "training"
_WAV, _MIDI, _NOTATION = "wav", "mid", "notation"
_LONGEST_ITEM, _LONGEST_LEARNER, _LONGEST_KIND, _MOST_KINDS = 120, 60, 40, 20
_NAMED = 10  # digits of a question's digest: a file must not be called by its answer


@tools.register("train")
def _train(
    desk: Desk,
    learner: str = "me",
    kinds: list[str] | None = None,
    level: int = 0,
    item: str = "",
    answer: str = "",
    skip: bool = False,
    sound: str = "wav",
    seed: int = 0,
) -> Answer:
    """Teach a learner's ear. Without item: the next question (kinds: intervals, chords, progressions, rhythms,
    melodies; level 1-3), with its sound as a file in the workspace (wav or mid) or as notation. Then, with its item
    and the learner's answer as they said it (or skip=true): what it was and why, kept in their record, and the next
    question. Do not tell a learner the item: it names the answer."""
    from libretto.tasks.training.course import course_of

    if sound not in (_WAV, _MIDI, _NOTATION):
        raise LibrettoError(f"sound is {_WAV}, {_MIDI} or {_NOTATION}")
    if not item and (answer or skip):
        raise LibrettoError("say which item is answered: train() without an answer gives the next one")
    who = bounded(learner, _LONGEST_LEARNER, "learner")
    names = [bounded(name, _LONGEST_KIND, "a kind") for name in (kinds or [])[:_MOST_KINDS]]
    course = course_of(desk.workspace, who, names, level or None, seed)
    told = _taken(desk, who, course, bounded(item, _LONGEST_ITEM, "item"), answer, skip) if item else {}
    return told | {"next": _question(desk, course.next_item(), sound), "standing": _standing(course)}


def _taken(desk: Desk, learner: str, course: Course, name: str, answer: str, skip: bool) -> Answer:
    """An answer compared, explained and kept; one that was kept already is only explained."""
    from libretto.tasks.training import item_of
    from libretto.tasks.training.staff import drawn

    item = item_of(name)
    again = course.asked(item.kind) > item.number
    if skip:
        reply, kept = course.give_up(item, desk.now())
    else:
        reply, kept = course.take(item, answer, desk.now())
    if again:
        course.answers.pop()
    else:
        add_answer(desk.workspace, learner, kept)
    told: dict[str, Any] = {"item": item.name, "answer": item.answer} | reply.to_dict()
    told["notation"] = item.notation(names=True)
    if reply.answered is not None:
        told["answered"] = drawn(reply.answered, rhythm=item.kind == "rhythms", names=True)
    record = str(learner_file(desk.workspace, learner).relative_to(desk.workspace.root))
    told |= {"kept": not again, "record": record}
    return told | ({"note": "this question was answered before; the record keeps the first answer"} if again else {})


def _question(desk: Desk, item: Item, sound: str) -> Answer:
    """A question as data, with the file that sounds, or drawn."""
    told: dict[str, Any] = item.to_dict()
    if sound == _NOTATION:
        return told | {"notation": item.notation()}
    return told | {"sound": _sounded(desk, item, sound)}


def _sounded(desk: Desk, item: Item, sound: str) -> str:
    """The file of a question: WAV where sound can be made and is wanted, else MIDI."""
    from libretto.formats.midi import MIDI
    from libretto.renderings import Options, render

    stem = f"{_FOLDER}/{item.kind}-{sha256(item.name.encode()).hexdigest()[:_NAMED]}"
    data, suffix = b"", _MIDI
    if sound == _WAV:
        say("making the sound")
        try:
            data, suffix = render(item.played, _WAV, Options()), _WAV
        except LibrettoError:  # the extra or the font is not there
            data = b""
    path = f"{stem}.{suffix}"
    place = inside(desk.workspace.root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(data or MIDI.encode(item.played), place, force=True)
    return path


def _standing(course: Course) -> dict[str, Any]:
    """How each kind stands: its level, and how many of the questions were right; only kinds that were asked."""
    rows = course.standing()
    return {
        row["kind"]: {
            "level": row["level"],
            "asked": sum(skill["asked"] for skill in row["skills"]),
            "right": sum(skill["right"] for skill in row["skills"]),
            "weakest": row["skills"][0]["words"],
        }
        for row in rows
        if row["skills"]
    }
