"""Our own ear as one that answers trials: what is heard of each clip, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable

from libretto.errors import LibrettoError, MissingExtra
from libretto.hearing.audio import Clip, load_clip
from libretto.hearing.reading import Reading
from libretto.listen.confidence import confidence
from libretto.listen.ears import Ear, Heard, Question, ears, takes_no_model
from libretto.listen.together import heard_together

__all__ = ["LocalEar", "readers"]


class LocalEar:
    """The ear that hears by itself, without a model and without a network."""

    name = "local"
    model = False

    def __init__(self) -> None:
        self._readers = readers()
        self._known: dict[tuple[str, str], Reading] = {}

    def hear(self, question: Question) -> Heard:
        """What is heard in each clip; a clip that cannot be read is an error of this trial alone."""
        functor, trial = question.form.functor, question.trial
        for clip in trial.clips:
            key = functor, clip.digest
            if key not in self._known:
                try:
                    self._known[key] = self._readers[functor](load_clip(clip.path))
                except MissingExtra:
                    raise
                except LibrettoError as error:
                    return Heard(" ".join(str(error).split()), failure="error")
        readings = heard_together(trial.kind, [self._known[functor, clip.digest] for clip in trial.clips])
        lines = question.form.write([reading.values for reading in readings])
        return Heard(lines, confidence=confidence(trial.kind, readings))


def readers() -> dict[str, Callable[[Clip], Reading]]:
    """How each line is heard, by its name."""
    from libretto.hearing.changes import read_harmony
    from libretto.hearing.chord import read_chord
    from libretto.hearing.counting import read_beats
    from libretto.hearing.melody import read_melody
    from libretto.hearing.rhythm import read_drums, read_rhythm, read_tempo

    return {
        "beats": read_beats,
        "chord": read_chord,
        "drums": read_drums,
        "harmony": read_harmony,
        "melody": read_melody,
        "rhythm": read_rhythm,
        "tempo": read_tempo,
    }


@ears.register("local")
def _make_local(rest: str, condition: str) -> Ear:
    takes_no_model("local", rest)
    return LocalEar()
