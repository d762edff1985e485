"""Finders: what reads the asks of a brief, one file or table for each way of saying things."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from libretto.contract.asks import Ask
from libretto.contract.finders import (
    adding,
    arcs,
    becoming,
    belonging,
    between,
    breaking,
    calls,
    calming,
    canons,
    changes,
    contrasts,
    crashes,
    creeping,
    cued,
    doubling,
    duets,
    elliptic,
    faltering,
    fermatas,
    filters,
    gathering,
    glissandi,
    guests,
    handing,
    hands,
    harmonies,
    journeys,
    keeping,
    keyplan,
    kits,
    last_chords,
    layers,
    measures,
    moving,
    murmuring,
    names,
    numbered,
    opening,
    passing,
    peaks,
    pictures,
    piling,
    quarrels,
    ranks,
    rapping,
    reprises,
    returning,
    rolls,
    rounds,
    scattering,
    series,
    shouting,
    silences,
    singing,
    solos,
    sparkling,
    speaking,
    stages,
    steps,
    stoptime,
    strains,
    subjects,
    swapping,
    telling,
    tempers,
    ticking,
    touches,
    trades,
    tunes,
    uniting,
    vamping,
    waiting,
    waning,
)
from libretto.contract.finders.drones import with_drones
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.finders.wholes import COMING, WHOLES, of_calm
from libretto.contract.heard import Heard

__all__ = [
    "Finding",
    "Place",
    "Player",
    "Scene",
    "adding",
    "arcs",
    "becoming",
    "belonging",
    "between",
    "breaking",
    "calls",
    "calming",
    "canons",
    "changes",
    "contrasts",
    "crashes",
    "creeping",
    "cued",
    "doubling",
    "duets",
    "elliptic",
    "faltering",
    "fermatas",
    "filters",
    "finders",
    "gathering",
    "glissandi",
    "guests",
    "handing",
    "hands",
    "harmonies",
    "journeys",
    "keeping",
    "keyplan",
    "kits",
    "last_chords",
    "layers",
    "listen",
    "measures",
    "moving",
    "murmuring",
    "names",
    "numbered",
    "opening",
    "passing",
    "peaks",
    "pictures",
    "piling",
    "quarrels",
    "ranks",
    "rapping",
    "reprises",
    "returning",
    "rolls",
    "rounds",
    "scattering",
    "series",
    "shouting",
    "silences",
    "singing",
    "solos",
    "sparkling",
    "speaking",
    "stages",
    "steps",
    "stoptime",
    "strains",
    "subjects",
    "swapping",
    "telling",
    "tempers",
    "ticking",
    "touches",
    "trades",
    "tunes",
    "uniting",
    "vamping",
    "waiting",
    "waning",
]

T = TypeVar("T")
_LEADS, _LAYERS, _BETWEEN = ("lead", "solo", "only"), "layers: ", "between lines"  # the first: who has the tune
_MOODS, _CALMED, _WITHIN = "moods of places", "calming", ("only", "enter", "density")  # the last: what layers are


def listen(scene: Scene) -> list[Finding]:
    """Everything that the finders make of a brief, by where it stands."""
    by_name = _calmed({name: list(finders[name](scene)) for name in finders})
    by_name[_MOODS] = _without(by_name[_MOODS], _is_told, by_name["cued"])
    by_name["layers"] = _without(by_name["layers"], _of_kit, by_name["kits"])
    by_name["added"] = _unless_staged(by_name["added"], by_name["stages"])
    findings = [finding for found in by_name.values() for finding in found]
    grown = [one.heard for one in findings if one.ask and one.ask.what.startswith(_LAYERS)]
    findings = _without(findings, _part_of, grown)
    turns = [one for name in ("trades", "rounds", "uniting", "meter changes") for one in by_name[name]]
    findings = _without(findings, _of_turns, turns)
    findings = _besides(findings, by_name["tunes"])
    for told, rule in WHOLES:
        wholes = [one for name in told for one in by_name[name]]
        findings = [one for one in findings if one in wholes or one in _without([one], rule, wholes)]
    findings = with_drones(_with_their_ornaments(_with_soloists(findings)), scene.roles)
    findings = _placed_once(findings, [*by_name["stages"], *by_name["added"]])
    return sorted(findings, key=lambda finding: (finding.heard.start, finding.heard.kind, finding.heard.value))


def _calmed(by_name: dict[str, list[Finding]]) -> dict[str, list[Finding]]:
    """What was found, of tempo and loudness nothing but the whole where a piece grows fast and comes to rest."""
    return {name: _without(found, of_calm, by_name[_CALMED]) for name, found in by_name.items()}


def _with_soloists(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, those who alone play in a place with who has a solo there: ``a sax solo with just the bass``."""
    solos = {(ask.where, ask.who): None for ask in _asks_of(findings) if ask.kind == "solo" and ask.who and ask.where}
    return [replace(one, ask=_beside_soloist(one.ask, list(solos))) if one.ask else one for one in findings]


def _beside_soloist(ask: Ask, solos: Sequence[tuple[str, str]]) -> Ask:
    """An ask that some alone play in a place, with the soloists of that place."""
    if ask.kind != "only" or not ask.who:
        return ask
    names = ask.who.split(" + ")
    return replace(
        ask, who=" + ".join([*(who for where, who in solos if where == ask.where and who not in names), *names])
    )


def _with_their_ornaments(findings: list[Finding]) -> list[Finding]:
    """What was found; ornaments told right after who plays between the lines are that one's: ``answers in her pauses
    with trills``."""
    told = [(one.heard.end, one.ask.who) for one in findings if one.ask and one.ask.what == _BETWEEN]
    made = []
    for one in findings:
        who = next((name for end, name in told if 0 <= one.heard.start - end <= 1), "")
        bare = one.ask is not None and one.ask.kind == "density" and not one.ask.who
        made.append(replace(one, ask=replace(one.ask, who=who)) if who and bare and one.ask else one)
    return made


def _unless_staged(added: list[Finding], stages: Sequence[Finding]) -> list[Finding]:
    """Who is added one by one; nobody where stages tell of them, and of more who come in."""
    staged, told = ({one.ask.who for one in found if one.ask} for found in (stages, added))
    return [] if told < staged else added


def _placed_once(findings: list[Finding], staged: Sequence[Finding]) -> list[Finding]:
    """What was found, without the stages at which somebody comes in of whom it is told elsewhere."""
    stages = _asks_of(staged)
    rows = {ask.who for ask in stages if ask.where.startswith("entry")}
    if len({ask.where for ask in stages}) > 1:  # who comes next comes after others
        findings = [one for one in findings if one in staged or not _comes_sometime(one.ask, rows)]
    others = [one for one in findings if one not in staged]
    placed = _placed_in(_asks_of(others))
    return [one for one in findings if one in others or (one.ask and one.ask.who not in placed)]


def _asks_of(findings: Sequence[Finding]) -> list[Ask]:
    """What is asked by what was found."""
    return [one.ask for one in findings if one.ask]


def _comes_sometime(ask: Ask | None, names: set[str]) -> bool:
    """Whether it is only asked that one of some comes in after the start."""
    return ask is not None and (ask.kind, ask.where) == ("enter", "after start") and ask.who in names


def _placed_in(asks: Sequence[Ask]) -> set[str]:
    """Of whom asks say when they come."""
    return {ask.who for ask in asks if ask.kind in COMING and not _at_last(ask)}


def _at_last(ask: Ask) -> bool:
    """Whether an ask says when somebody goes, or who is there in the end, and nothing of when it comes."""
    return ask.kind == "leave" or (ask.kind == "only" and ask.where in ("end", "outro"))


def _without(findings: list[Finding], rule: Callable[[Finding, T], bool], wholes: Sequence[T]) -> list[Finding]:
    """What was found, without what a rule says is no more than a part of something else."""
    return [one for one in findings if not any(rule(one, whole) for whole in wholes)]


def _of_kit(finding: Finding, whole: Finding) -> bool:
    """Whether layers of a kit are those of which it is told in which bars they come in."""
    return finding.heard.start < whole.heard.end and whole.heard.start < finding.heard.end


def _part_of(finding: Finding, whole: Heard) -> bool:
    """Whether words say no more than that drums come in layer by layer."""
    heard, ask = finding.heard, finding.ask
    again = heard.kind == "dynamics" and ask is not None and ask.who == "drums"
    return (heard.kind in _WITHIN or again) and heard.start < whole.end and whole.start < heard.end


def _besides(findings: list[Finding], tunes: Sequence[Finding]) -> list[Finding]:
    """What was found, without that somebody has the tune of whom more is told of it."""
    known = {one.ask.who for one in findings if one.ask and one.ask.kind in _LEADS and one not in tunes}
    return [one for one in findings if one not in tunes or not one.ask or one.ask.who not in known]


def _of_turns(finding: Finding, whole: Finding) -> bool:
    """Whether words say in general what players trade, or of one that it has a solo of those which several have."""
    ask = finding.ask
    talk = ask is not None and ask.what == "call and response"
    solo = ask is not None and ask.kind in ("solo", "only") and not ask.where.startswith("turns ")
    solo = solo and "round" in whole.heard.value
    return (talk or solo) and finding.heard.start < whole.heard.end and whole.heard.start < finding.heard.end


def _is_told(finding: Finding, cue: Finding) -> bool:
    """Whether words for a mood say no more than that somebody is loud or soft there."""
    there = finding.ask and cue.ask and finding.ask.where == cue.ask.where and cue.heard.kind == "dynamics"
    return bool(there) and finding.heard.start < cue.heard.end and cue.heard.start < finding.heard.end
