"""Our own ear as one that answers trials: what is heard of each clip, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from libretto.errors import LibrettoError, MissingExtra
from libretto.hearing.audio import Clip, load_clip
from libretto.hearing.reading import Reading
from libretto.listen.confidence import confidence
from libretto.listen.ears import Ear, Heard, Question, ears, takes_no_model
from libretto.listen.kinds import Kind
from libretto.listen.manifest import ClipFile
from libretto.listen.together import heard_together

__all__ = ["LocalEar", "paired", "readers"]

_PAIR, _PAIRED = 2, ("drums",)  # lines of two clips that are heard at once


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
        try:
            if trial.kind.clips == _PAIR and functor in _PAIRED:
                readings = paired(trial.kind, [load_clip(clip.path) for clip in trial.clips])
            else:
                readings = self._alone(trial.kind, functor, trial.clips)
        except MissingExtra:
            raise
        except LibrettoError as error:
            return Heard(" ".join(str(error).split()), failure="error")
        lines = question.form.write([reading.values for reading in readings])
        return Heard(lines, confidence=confidence(trial.kind, readings))

    def _alone(self, kind: Kind, functor: str, clips: Sequence[ClipFile]) -> list[Reading]:
        """Each clip heard once, then those of a trial held against each other."""
        for clip in clips:
            key = functor, clip.digest
            if key not in self._known:
                self._known[key] = self._readers[functor](load_clip(clip.path))
        return heard_together(kind, [self._known[functor, clip.digest] for clip in clips])


def paired(kind: Kind, clips: Sequence[Clip]) -> list[Reading]:
    """What is heard of the clips of a trial: two drum patterns at once, all others each by itself and then together."""
    if len(clips) == _PAIR and kind.functor in _PAIRED:
        from libretto.hearing.drumming import read_drum_pair

        first, second = clips
        return read_drum_pair(first, second)
    read = readers()[kind.functor]
    return heard_together(kind, [read(clip) for clip in clips])


def readers() -> dict[str, Callable[[Clip], Reading]]:
    """How each line is heard, by its name."""
    from libretto.hearing.changes import read_harmony
    from libretto.hearing.chord import read_chord
    from libretto.hearing.counting import read_beats
    from libretto.hearing.drumming import read_drums
    from libretto.hearing.melody import read_melody
    from libretto.hearing.players import read_players
    from libretto.hearing.rhythm import read_rhythm, read_tempo

    return {
        "beats": read_beats,
        "chord": read_chord,
        "drums": read_drums,
        "harmony": read_harmony,
        "melody": read_melody,
        "players": read_players,
        "rhythm": read_rhythm,
        "tempo": read_tempo,
    }


@ears.register("local")
def _make_local(rest: str, condition: str) -> Ear:
    takes_no_model("local", rest)
    return LocalEar()
