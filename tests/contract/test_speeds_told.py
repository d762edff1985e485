"""How the speed of a piece moves: what grows faster by degrees, what is slow before the rest, what is only a story."""

import pytest

from libretto.contract import read_brief

_BAND = "A Balkan dance for trumpet, accordion and tuba. "


def _changes(brief: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.where) for ask in read_brief(brief).asks if ask.kind == "tempo_change"]


@pytest.mark.parametrize(
    ("words", "what", "where"),
    [
        (
            "Speed up toward the end so that it feels like the whole village has joined the dance.",
            "accelerando",
            "second half",
        ),
        ("It speeds up near the end.", "accelerando", "second half"),
        ("Gradually increase the tempo so that by the end everyone is whirling.", "accelerando", ""),
        ("The pulse quickens with every bar until it breaks off.", "accelerando", ""),
        ("The tempo should begin moderate and gradually quicken.", "accelerando", ""),
        ("The pace starts at a walk, then picks up little by little.", "accelerando", ""),
        ("Slow down gradually over the last four bars.", "ritardando", "last 4 bars"),
        ("Start with a free and unhurried introduction for the accordion.", "x0.65", "intro"),
    ],
)
def test_what_changes_by_degrees_is_read_so(words: str, what: str, where: str) -> None:
    assert (what, where) in _changes(_BAND + words)


@pytest.mark.parametrize(
    "words",
    [
        "It ends fast.",
        "The accordion holds steadily quickening chords.",
        "The boy ran faster than the wind over the hills of his village that morning.",
        "The trumpet plays fast runs toward the end.",
    ],
)
def test_what_is_fast_at_once_or_in_a_story_does_not_grow_faster(words: str) -> None:
    assert not any(what == "accelerando" for what, _ in _changes(_BAND + words))


def test_a_slow_part_before_a_fast_one_is_no_slow_piece() -> None:
    brief = (
        "A Hungarian csardas for violin and cimbalom. First a slow, free lassan, then a fast friska that accelerates."
    )
    contract = read_brief(brief)
    assert contract.tempo_bpm is not None
    assert contract.tempo_bpm[0] >= 120
    assert _changes(brief) == [("x0.45", "first third"), ("accelerando", "second half")]


def test_what_starts_slowly_and_comes_to_a_halt_goes_there_and_back() -> None:
    brief = "A train piece for orchestra: it starts slowly, picks up speed to a thrilling gallop, and slows to a halt."
    whats = [(what.partition(" ")[0], where) for what, where in _changes(brief)]
    assert whats == [("to", "until last quarter"), ("from", "last quarter")]


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("It moves from a restrained opening theme to an impassioned middle and back again.", {"soft", "loud"}),
        ("The tension rises bar by bar.", {"growing"}),
        ("There is a sudden hush in the middle.", {"soft"}),
        ("A hush of snow lies over the village.", set()),
    ],
)
def test_how_loud_stages_are(words: str, asks: set[str]) -> None:
    told = read_brief(f"A piece for violin, cello and piano. {words}").asks
    assert {ask.what for ask in told if ask.kind == "dynamics"} == asks


def test_a_line_that_begins_low_and_climbs_is_not_low() -> None:
    brief = "An elegy for cello and piano. The melody begins deep in the cello's low register and climbs gradually."
    registers = [ask.what for ask in read_brief(brief).asks if ask.kind == "register"]
    assert registers == ["rising"]


def test_what_is_moderate_and_becomes_spirited_is_a_third_faster() -> None:
    brief = "A Greek piece with a moderate tempo for bouzouki. It builds from a slow sway toward a spirited dance."
    assert _changes(brief) == [("to x1.30", "")]


def test_a_flexible_tempo_is_given_and_taken() -> None:
    asks = read_brief("A theme for piano. Keep the tempo slow and flexible, and end quietly.").asks
    assert ("feel", "rubato") in [(ask.kind, ask.what) for ask in asks]


@pytest.mark.parametrize(
    ("brief", "dotted"),
    [
        ("A piece in 6/8 at dotted quarter = 60 for flute and harp.", True),
        ("A piece in 6/8 at 90 for flute and harp.", False),
    ],
)
def test_a_tempo_told_in_dotted_quarters_is_known_to_be(brief: str, dotted: bool) -> None:
    contract = read_brief(brief)
    assert contract.dotted is dotted
    assert contract.tempo_bpm == (90, 90)
