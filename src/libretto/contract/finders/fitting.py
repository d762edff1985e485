"""What cannot be said of somebody: chords of who has one note at a time, an entry of one drum of a kit."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.contract.asks import STEEL
from libretto.contract.claims import without_others
from libretto.contract.finders.cues import BEATEN, MANNER, Row
from libretto.contract.finders.scene import Player, Scene
from libretto.contract.instruments import instrument_named

__all__ = ["unfit"]

_PITCHED = ("walking", "arpeggio", "pad", "counter", "drone", "comping")  # roles of who has pitches
_CHORDAL, _CHORD = ("comping", "chords"), 2  # what takes several notes at once, and how many at least
_STRUMMED = ("strums", "scratch", "rolls")
_SYNTH_BASSES = frozenset(("synth bass", "acid bass"))
_CRIES = frozenset(("cries", "whistles"))
_RIFF = "riff"  # a manner of basses
_DRUMMED = ("two and four", "roll", "fill", "twice", "busier")
_OF_BASSES = frozenset(("steady", "melodic"))
_HOLDING = frozenset(("synth", "strings", "voices", "organ", "free reeds"))  # families whose chords last
_NO_PLAYERS = frozenset((("role", "melody"), ("role", "chords"), ("lead", "chords")))
_OF_CHORDS = {"chords": ("arpeggio", "comping", "pad")}  # what chords may be said to be
_BECOMES = re.compile(
    r"[^.;!?]{0,90}\b(?:becom|turn|grow|bloom|blossom|unfold|open)\w* (?:out )?(?:in)?(?:to )?(?:an?|the)\b"
)
_BY_TURNS = re.compile(
    r"\balternat\w*\b[^.;]{0,40}\b(?:pizz\w*|pluck\w*|staccato|short|spiky|detached)\b|"
    r"\b(?:pizz\w*|pluck\w*|staccato|short|spiky|detached)\b[^.;]{0,40}\b(?:by turns|in turn|alternat\w+)\b"
)
_A_LINE = re.compile(r"\s(?:should |will |must )?(?:[a-z]+\s){1,2}(?:an?|the|its)\s(?:[a-z-]+,?\s){0,3}line\b")
_AT_FIRST = re.compile(r"start|intro|bars 1-\d+|first (?:\d+ bars|half|third|quarter)")
_SENTENCE = re.compile(r"[.;!?]")
_RUNS = re.compile(r"\b(?:fast|quick|rapid|running|virtuosic),? (?:[a-z-]+,? )?runs\b")
_STROKES = frozenset(
    {
        "gallop",
        "chops",
        "off-beats",
        "strums",
        "two-beat",
        "downbeats",
        "scratch",
        "bubble",
        "beats",
        "pulse",
        "eighths",
    }
)
_KEPT = frozenset({"pulse", "beats", "downbeats", "tolls", "gallop"})  # by one drum, too
_AND_A = re.compile(r"\b(?:pulse|beat) and (?:an?|the) (?:[a-z-]+,? ){0,2}\Z")
_COMES = frozenset({"enter", "leave", "only", "silent"})
_OF_A_KIT = re.compile(r"(?:hi-?\s?hats?|hats?|kicks?|kick drum|snares?|claps?|cymbals?|rides?|rimshots?|toms?)\Z")


def unfit(scene: Scene, row: Row, player: Player) -> bool:
    """Whether a row of the table of cues cannot be meant of somebody."""
    return any(rule(scene, row, player) for rule in _RULES)


def _what_is_played(scene: Scene, row: Row, player: Player) -> bool:
    """A tune or chords are nobody who plays."""
    return (row.kind, player.name) in _NO_PLAYERS and row.what not in _OF_CHORDS.get(player.name, ())


def _underneath(scene: Scene, row: Row, player: Player) -> bool:
    """What lies underneath is a bass; a tune of long notes is a tune."""
    return (row.kind, row.what) == ("role", "pad") and scene.roles.get(player.name) in ("bass", "lead")


def _by_name(scene: Scene, row: Row, player: Player) -> bool:
    """Who is called pads plays as pads do: that is no ask."""
    own = instrument_named(player.name) if (row.kind, row.what) == ("role", "pad") else None
    return own is not None and own.role == "pad" and own.family == "synth"


def _slides_anyway(scene: Scene, row: Row, player: Player) -> bool:
    """Who plays with a slide by nature need not be asked to."""
    own = instrument_named(player.name) if row.what == "slides" else None
    return own is not None and own.name in STEEL


def _one_at_a_time(scene: Scene, row: Row, player: Player) -> bool:
    """Who has one note at a time strikes no chords."""
    own = instrument_named(player.name) if row.kind == "role" and row.what in _CHORDAL else None
    return own is not None and own.polyphony < _CHORD and not own.percussion


def _above_them(scene: Scene, row: Row, player: Player) -> bool:
    """Who has one note at a time and drifts over arpeggios leaves them to others."""
    own = instrument_named(player.name) if (row.kind, row.what) == ("role", "arpeggio") else None
    said = _SENTENCE.split(scene.low[player.end :])[0]
    return own is not None and own.polyphony < _CHORD and without_others(said) != said


def _of_a_bass(scene: Scene, row: Row, player: Player) -> bool:
    """A bass strikes no chords, and strums none: it has the low half of an oom-pah."""
    chords = (row.kind == "role" and row.what in _CHORDAL) or (row.kind == MANNER and row.what in _STRUMMED)
    chords = chords or row.what == "power chords"
    return chords and scene.roles.get(player.name) == "bass"


def _low_line(scene: Scene, row: Row, player: Player) -> bool:
    """A melodic line of a bass is its bass."""
    return row.kind == "lead" and scene.roles.get(player.name) == "bass" and row.where == "" and _is_line(scene, player)


def _is_line(scene: Scene, player: Player) -> bool:
    """Whether somebody is said to play a line."""
    return bool(_A_LINE.match(scene.low, player.end))


def _of_the_others(scene: Scene, row: Row, player: Player) -> bool:
    """Of several who have tunes and strokes the first has the tunes."""
    if row.kind != MANNER or row.what not in _STROKES or scene.roles.get(player.name) != "lead":
        return False
    told = [one for one in scene.players if (one.start, one.end) == (player.start, player.end)]
    return any(one.others for one in told)


def _hardly_moves(scene: Scene, row: Row, player: Player) -> bool:
    """A tune that drones hardly moves; who drones in a place at the beginning has its tune elsewhere."""
    still = (row.kind, row.what) in (("role", "drone"), ("texture", "pedal"))
    opens = row.kind == "role" and _AT_FIRST.fullmatch(row.where)
    return still and not opens and scene.roles.get(player.name) == "lead" and not _holds_besides(scene, player)


def _holds_besides(scene: Scene, player: Player) -> bool:
    """Whether who has the tune can hold a tone under it that is not its own drone: who has several strings or keys."""
    own = instrument_named(player.name)
    return own is not None and own.polyphony > _CHORD and own.family not in ("winds", "free reeds")


def _riff_of_its_own(scene: Scene, row: Row, player: Player) -> bool:
    """Who has the tune plays its own figure."""
    return (row.kind, row.what) == (MANNER, _RIFF) and scene.roles.get(player.name) != "bass"


def _runs_now_and_then(scene: Scene, row: Row, player: Player) -> bool:
    """Who accompanies with quick runs besides has chords, and does not run all the time."""
    if (row.kind, row.what) != (MANNER, "sixteenths") or scene.roles.get(player.name) != "comping":
        return False
    return bool(_RUNS.search(_SENTENCE.split(scene.low[player.end :])[0]))


def _floats_alone(scene: Scene, row: Row, player: Player) -> bool:
    """Who has one note at a time floats with a tune; of chords those float that somebody can hold."""
    own = instrument_named(player.name) if (row.kind, row.what) == (MANNER, "floats") else None
    return own is not None and (own.polyphony <= _CHORD or own.family not in _HOLDING)


def _growls_elsewhere(scene: Scene, row: Row, player: Player) -> bool:
    """Only a bass that somebody plays on a synthesizer lies in wait behind the kick."""
    own = instrument_named(player.name) if (row.kind, row.what) == (MANNER, "growls") else None
    low = scene.roles.get(player.name) == "bass"
    return (row.kind, row.what) == (MANNER, "growls") and not (low and own is not None and own.name in _SYNTH_BASSES)


def _of_steel(scene: Scene, row: Row, player: Player) -> bool:
    """Only who slides along the strings cries and whistles: others have tunes that do."""
    own = instrument_named(player.name) if row.kind == MANNER and row.what in _CRIES else None
    return row.kind == MANNER and row.what in _CRIES and (own is None or own.name not in STEEL)


def _no_train(scene: Scene, row: Row, player: Player) -> bool:
    """Drums run like a train: of others that is a picture."""
    return (row.kind, row.what) == ("drums", "train") and scene.roles.get(player.name, player.name) not in BEATEN


def _becomes_a_tune(scene: Scene, row: Row, player: Player) -> bool:
    """Who leads, and holds tones that become a tune, does not hold them all through."""
    if (row.kind, row.what, scene.roles.get(player.name)) != (MANNER, "sustained", "lead"):
        return False
    return bool(_BECOMES.match(scene.low, player.end))


def _holds_by_turns(scene: Scene, row: Row, player: Player) -> bool:
    """Who plucks and holds by turns does not hold all through."""
    said = _SENTENCE.split(scene.low[player.end :])[0]
    return (row.kind, row.what) == (MANNER, "sustained") and bool(_BY_TURNS.search(said))


def _has_no_pitches(scene: Scene, row: Row, player: Player) -> bool:
    """Manners and most roles are of who has pitches; one drum may keep a pulse."""
    if row.kind == MANNER and row.what in _KEPT and scene.roles.get(player.name) == "percussion":
        return False
    pitched = row.kind == MANNER or (row.kind == "role" and row.what in _PITCHED)
    return pitched and scene.roles.get(player.name, player.name) in BEATEN


def _of_strokes(scene: Scene, row: Row, player: Player) -> bool:
    """How many strokes drums have is theirs to choose: sparse blows are a picture."""
    return row.kind == "density" and scene.roles.get(player.name) in BEATEN


def _goes_on(scene: Scene, row: Row, player: Player) -> bool:
    """Who accompanies goes on where a tune rests between phrases."""
    under = scene.roles.get(player.name, "lead") not in ("lead", "counter")
    return (row.kind, row.what) == ("density", "pauses") and under and len(scene.roles) > 1


def _gallops_itself(scene: Scene, row: Row, player: Player) -> bool:
    """A tune that gallops is a lively one: strokes are of who accompanies."""
    return (row.kind, row.what) == (MANNER, "gallop") and scene.roles.get(player.name) == "lead"


def _beside_a_pulse(scene: Scene, row: Row, player: Player) -> bool:
    """Who is named beside a pulse is not who plays it: ``with a steady pulse and a bright guitar``."""
    return row.kind == MANNER and row.what in _KEPT and bool(_AND_A.search(scene.low[: player.start]))


def _one_drum(scene: Scene, row: Row, player: Player) -> bool:
    """Hats that come in are no drummer who comes in."""
    words = scene.low[player.start : player.end].strip().removeprefix("the ")
    rests = player.weak and player.name == "drums" and row.kind in ("leave", "silent")
    called = {scene.low[one.start : one.end] for one in scene.players if one.name == player.name}
    kit = row.kind in _COMES and scene.roles.get(player.name) == "drums" and len(called) > 1  # and not only so
    return (kit or rests) and bool(_OF_A_KIT.fullmatch(words))


def _has_no_tune(scene: Scene, row: Row, player: Player) -> bool:
    """Drums that take over with somebody leave the tune to that one."""
    if row.kind != "lead" or scene.roles.get(player.name) not in BEATEN:
        return False
    clause = scene.clause(player.start)
    near = [one for one in scene.players if clause.start <= one.start < clause.end and one.name and not one.weak]
    return any(scene.roles.get(one.name) not in BEATEN for one in near)


def _of_drums(scene: Scene, row: Row, player: Player) -> bool:
    """Drums lie neither high nor low, and what hangs over a beat is not heard of them."""
    asked = row.kind == "register" or (row.kind, row.what) == ("feel", "syncopated")
    return asked and scene.roles.get(player.name) in BEATEN


def _own_bass(scene: Scene, row: Row, player: Player) -> bool:
    """Only a bass is steady or melodic as basses are: of others such words say less, or something else."""
    return row.kind == MANNER and row.what in _OF_BASSES and scene.roles.get(player.name) != "bass"


def _of_one_drum(scene: Scene, row: Row, player: Player) -> bool:
    """Only who drums rolls, fills and hurries so, and one drum alone has the weak beats for its own."""
    if row.kind != "drums" or row.what not in _DRUMMED:
        return False
    role = scene.roles.get(player.name)
    return role != "percussion" if row.what == _DRUMMED[0] else role not in BEATEN


_RULES: tuple[Callable[[Scene, Row, Player], bool], ...] = (
    _what_is_played, _underneath, _by_name, _one_at_a_time, _above_them, _of_a_bass, _hardly_moves, _riff_of_its_own,
    _low_line, _of_the_others, _becomes_a_tune, _holds_by_turns, _has_no_pitches, _of_strokes, _goes_on, _one_drum,
    _of_drums, _has_no_tune, _slides_anyway, _beside_a_pulse, _floats_alone, _growls_elsewhere, _of_steel, _no_train,
    _gallops_itself,
    _own_bass, _of_one_drum, _runs_now_and_then,
)  # fmt: skip
