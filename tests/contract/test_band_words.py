"""What briefs for bands say: gaps between kicks, one of two guitars, hooks, breaks, returns, second eights, loops."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


def told(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(text).asks}


def test_moods_keep_a_dance_at_its_speed() -> None:
    low, high = Contract.from_brief("A mellow late-night deep house track in F minor.").tempo_bpm or (0, 0)
    assert 118 <= low <= high <= 124
    assert Contract.from_brief("A slow deep house track.").tempo_bpm == (108, 120), "slow, for a floor"
    assert (Contract.from_brief("A mellow rock song.").tempo_bpm or (0, 0))[1] <= 90


@pytest.mark.parametrize(
    ("text", "players"),
    [
        (
            "For two electric guitars and drums. A clean guitar begins, the second guitar joins.",
            ["Clean Guitar", "Electric Guitar", "Drums"],
        ),
        ("Female voice, piano, cello and soft strings.", ["Voice", "Piano", "Cello", "Strings"]),
        ("For violin, viola and cello. The strings swell.", ["Violin", "Viola", "Cello"]),
        (
            "For organ, sub bass and drums. The drums skip without a kick on every beat.",
            ["Organ", "Sub Bass", "Drums"],
        ),
        ("For bell synth, pad and bass. The bell plays a broken pattern.", ["Bell Synth", "Pad", "Bass"]),
        ("For brass and timpani. The timpani thunders.", ["Brass", "Timpani"]),
        ("Two square-wave leads and noise drums.", ["Square Lead", "Square Lead #2", "Noise Drums"]),
        (
            "For electric piano, synth lead and bass. The electric piano plays lush stabs.",
            ["Electric Piano", "Synth Lead", "Bass"],
        ),
    ],
)
def test_who_is_told_by_another_word(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        (
            "A house track for synth bass and drums. The bass should roll in the gaps between the kicks.",
            ("manner", "gaps", "Synth Bass", ""),
        ),
        (
            "A disco track for rhythm guitar, bass and drums. The rhythm guitar scratches out crisp sixteenth notes.",
            ("manner", "scratch", "Rhythm Guitar", ""),
        ),
        (
            "A surf piece for electric guitar, bass and drums. The electric guitar plays reverb-soaked, tremolo-picked "
            "melodies.",
            ("manner", "tremolo", "Electric Guitar", ""),
        ),
        (
            "For piano, bass and drums. Begin with a piano playing a quiet, repeating figure, then let the drums grow.",
            ("texture", "ostinato", "Piano", "first half"),
        ),
        (
            "For piano, bass and drums. Start with the piano alone on a repeating figure that never stops.",
            ("texture", "ostinato", "Piano", ""),
        ),
        (
            "A house track for organ, bass and drums. The organ punches jagged stabs.",
            ("manner", "stabs", "Organ", ""),
        ),
        (
            "For synth lead, bass and drums. The lead adds a small, sparse hook that only appears in the second half.",
            ("enter", "", "Synth Lead", "second half"),
        ),
        (
            "For recorder, glockenspiel and tuba, 16 bars. The recorder has the tune in the first eight bars and the "
            "glockenspiel takes it over in the second eight.",
            ("lead", "", "Glockenspiel", "bars 9-16"),
        ),
        ("For guitar, bass and drums. At the end it strips back to just the guitar.", ("only", "", "Guitar", "end")),
        (
            "For voice and piano, 24 bars. The voice begins low and hushed and soars in the final eight bars.",
            ("register", "high", "Voice", "last 8 bars"),
        ),
        (
            "For voice and drums. The voice floats a breathy verse and leaps up an octave for the chorus.",
            ("register", "high", "Voice", "chorus"),
        ),
        (
            "For guitar, bass guitar and drums. The bass repeats one hypnotic riff from start to finish.",
            ("manner", "riff", "Bass Guitar", ""),
        ),
        (
            "For clarinet, muted trumpet and piano. The clarinet and trumpet trade two-bar phrases.",
            ("lead", "", "Muted Trumpet", "turns 2 of 2 in 2"),
        ),
        (
            "For voice and guitar, 24 bars. The guitar plays a two-bar introduction by itself.",
            ("only", "", "Guitar", "first 2 bars"),
        ),
        (
            "For synth lead, bass and drums. Start with kick and bass only for eight bars.",
            ("only", "", "Drums + Bass", "first 8 bars"),
        ),
        (
            "For synth lead, pad and drums. Drop the drums for a breakdown in bars 17 to 24.",
            ("silent", "", "Drums", "bars 17-24"),
        ),
        ("For synth and drums. The breakbeat drops at bar 5.", ("enter", "", "Drums", "bar 5")),
        (
            "For synth and drums. There is a half-time breakdown in bars 17 to 20.",
            ("drums", "half time", "drums", "bars 17-20"),
        ),
        (
            "For guitar and drums. The drums build from cymbal washes to a full, pounding beat.",
            ("drums", "layers: hats, kick, claps", "Drums", ""),
        ),
    ],
)
def test_what_players_of_a_band_are_told(text: str, ask: tuple[str, str, str, str]) -> None:
    assert ask in told(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("For guitar and drums. The drums take a four-bar solo break in the middle.", "enter"),
        ("For guitar and drums. The drums take a break in the middle before the tune returns.", "enter"),
        ("For voice and organ. The voice starts almost spoken and rises to a cry in the last chorus.", "enter"),
        ("For two guitars and bass. The lead guitar plays a tremolo-picked melody.", "role"),
        ("For synth and drums. There is a half-time breakdown in bars 17 to 20.", "tempo_change"),
    ],
)
def test_what_is_not_told(text: str, kind: str) -> None:
    assert not {ask for ask in told(text) if ask[0] == kind}


def test_a_singer_who_drones_still_leads() -> None:
    brief = "Male vocal, distorted guitar and drums. The guitar grinds a riff, the voice drones on two or three notes."
    assert {part.name: part.role for part in Contract.from_brief(brief).parts}["Voice"] == "lead"


def test_a_hook_is_a_tune_and_a_loop_an_open_end() -> None:
    assert all("chorus" not in ask[3] for ask in told("For synth lead and bass. The lead carries a catchy hook."))
    assert Contract.from_brief("A chiptune theme that can loop seamlessly.").ending == "open"


def test_a_handclapping_backbeat_is_clapped() -> None:
    for words in ("the drums carry the handclapping backbeat", "drums with a backbeat of hand claps"):
        contract = Contract.from_brief(f"A gospel piece in C major for choir, organ and drums, {words}.")
        assert [ask.what for ask in contract.asks if ask.kind == "drums"] == ["claps"]


@pytest.mark.parametrize(
    ("brief", "names"),
    [
        ("A piece for saxophone quartet, soprano, alto, tenor and baritone, in B flat major", 4),
        ("A fugue for recorder consort: soprano, alto, tenor, bass", 4),
        ("A piece for soprano and saxophone quartet", 5),
    ],
)
def test_the_sizes_of_a_quartet_are_no_singers_beside_it(brief: str, names: int) -> None:
    parts = Contract.from_brief(brief).parts
    assert len(parts) == names
    assert (
        sum(part.instrument in ("soprano", "alto voice", "tenor voice", "baritone voice") for part in parts)
        == names - 4
    )
