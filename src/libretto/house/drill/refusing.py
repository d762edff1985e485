"""Why a drill cannot be written, and what could be."""

from __future__ import annotations

from libretto.contract.instruments import instrument_of_program
from libretto.house.drill.keys import moved_example
from libretto.house.drill.models import fits
from libretto.score import Key
from libretto.tasks.drill.checks import notes_at_once
from libretto.tasks.drill.task import DrillTask

__all__ = ["refusal"]

_MOST_BARS = 32  # the most that is offered where others do not go
_MOST_KEYS = 3
_METERS = ("4/4", "3/4", "2/4", "6/8", "2/2", "12/8", "9/8", "5/4", "7/8", "5/8", "3/2", "4/2")


def refusal(task: DrillTask) -> str:
    """What does not go together, and what would."""
    name, title = task.concept.key, task.concept.title
    own = task.example
    if own.voices[0].drums and not fits(name):
        return f"{title} is played on a drum kit; drills are for one voice that plays pitches"
    key = _key_text(task)
    meter = str(task.meter) if task.meter else ""
    if meter and not fits(name, meter):
        return f"{title} does not go into {meter}; it goes into {', '.join(_good_meters(name))}"
    if task.mode and not fits(name, "", key):
        return _wrong_key(task, key)
    if task.bars is not None and not fits(name, meter, key, task.bars):
        good = [count for count in range(2, _MOST_BARS + 1) if fits(name, meter, key, count)]
        return f"{title} does not fill {task.bars} bars; it fills {_runs(good) or own.bars}"
    return _no_room(task)


def _wrong_key(task: DrillTask, key: str) -> str:
    """Which mode, or which keys of the mode that was asked, a concept goes into."""
    name, title = task.concept.key, task.concept.title
    others = [str(Key(tonic, task.mode)) for tonic in range(-4, 5) if fits(name, "", str(Key(tonic, task.mode)))]
    if others:
        return f"{title} cannot be written in {key} here; it goes into {', '.join(others[:_MOST_KEYS])}"
    return (
        f"{title} does not go into a {task.mode} key; try {' or '.join(_good_modes(name) or [task.example.key.mode])}"
    )


def _no_room(task: DrillTask) -> str:
    """Why a concept does not lie on an instrument or in a range."""
    title, sheet = task.concept.title, moved_example(task)
    player = instrument_of_program(sheet.program or 0)
    needs = notes_at_once(task.example)
    if needs > player.polyphony:
        alone = f"{'an' if player.name[0] in 'aeiou' else 'a'} {player.name} plays {player.polyphony}"
        return f"{title} has {needs} notes at once, {alone}, and without the others it is not heard"
    low, high = sheet.span
    if task.low is not None or task.high is not None:
        return f"{title} needs a range of about {high - low} semitones; ask for a wider one"
    where = f" on the {player.name}" if task.instrument else ""
    return f"no drill on {title.lower()}{where} keeps every clause so; try another key or level"


def _good_meters(name: str) -> list[str]:
    return [meter for meter in _METERS if fits(name, meter)]


def _good_modes(name: str) -> list[str]:
    return [mode for mode in ("major", "minor") if fits(name, "", f"C {mode}")]


def _key_text(task: DrillTask) -> str:
    if task.tonic is None:
        return ""
    return str(Key(task.tonic, task.mode)) if task.mode else str(Key(task.tonic)).split()[0]


def _runs(numbers: list[int]) -> str:
    from libretto.corpus.overlap import runs_of

    return ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in runs_of(numbers))
