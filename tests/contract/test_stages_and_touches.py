"""Pieces told in stages, sections set apart, and two ways to play by turns."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def asked(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        (
            "Start softly with a solo cello, gradually add strings and horns, build to a climax with timpani.",
            {"enter: Strings, entry 2 of 2", "enter: Horns, entry 2 of 2", "enter: Timpani, last third"},
        ),
        (
            "Begin with timpani and low brass, then let the strings erupt. It should rage before fading to a calm end.",
            {"only: Timpani + Low Brass, start", "enter: Strings, second half"},
        ),
        (
            "Open with the music box alone, let the tuba join after four bars, and have the organ burst in.",
            {"enter: Tuba, from bar 5", "enter: Organ, from bar 9"},
        ),
        ("Begin calm with a flute over gentle strings.", {"only: Flute + Strings, start"}),
        ("For guitar and drums. Bring the beat in after four bars.", {"enter: drums, from bar 5"}),
        (
            "A horn melody over strings, with a short contrasting section, quiet with harp and celesta.",
            {"only: Harp + Celesta, contrast", "dynamics: soft, contrast"},
        ),
        ("For horn and strings. Add harp and celesta in the bridge.", {"silent: Harp, outside bridge"}),
        ("For piano, bass and drums. Include a breakdown with only piano.", {"only: Piano, break"}),
        (
            "A string quartet that alternates between pizzicato and legato passages.",
            {"articulation: pizzicato, turns 1 of 2 in 4", "articulation: legato, turns 2 of 2 in 4"},
        ),
        (
            "For violin and piano. The violin moves from staccato phrases to long legato lines.",
            {"articulation: staccato, Violin, first half", "articulation: legato, Violin, second half"},
        ),
        (
            "For pad and piano. The pad swells and recedes like the tide.",
            {"dynamics: growing, Pad, turns 1 of 2 in 2", "dynamics: fading, Pad, turns 2 of 2 in 2"},
        ),
        ("For piano and cello. Let the first notes fade in from nothing.", {"dynamics: growing, start"}),
        ("For flute and harp. The melody becomes more ornamented each time it returns.", {"density: florid, melody"}),
        ("For strings and piano. Everything stops before a last quiet chord.", {"silent: 1 bars before last 1 bars"}),
        (
            "A ballad for voice, piano and drums. It starts with piano and voice, the full band joins in the chorus.",
            {"enter: Drums, chorus"},
        ),
        (
            "For flute, harp and strings. The flute plays the tune once, then the strings repeat it.",
            {"lead: Flute, first half", "lead: Strings, second half"},
        ),
        ("For voice and drums. Each verse is a little louder than the last.", {"steps: louder, verse"}),
    ],
)
def test_what_is_told_in_stages_and_by_turns(words: str, asks: set[str]) -> None:
    assert asks <= set(asked(words))


@pytest.mark.parametrize(
    ("words", "no"),
    [
        ("For flute and harp. The flute opens with a call, and the harp plays soft chords.", "enter"),
        ("For violin and piano. The melody rises and falls in gentle lines.", "dynamics"),
        ("For strings and voice. It alternates quiet verses and loud choruses.", "articulation"),
        ("For trumpet, piano and bass. The trumpet plays the melody first, then the piano takes a solo.", "only"),
        ("For flute and harp. The flute melody grows more ornamented with each repetition.", "dynamics"),
        ("For guitar, bass and drums. Drop the drums out in the middle, and let it fade out at the end.", "leave"),
        ("For piano and cello. Let the opening fade in slowly.", "tempo change"),
        ("For a horn section with bass, where the trumpet leads.", "only"),
    ],
)
def test_what_only_sounds_like_it(words: str, no: str) -> None:
    assert not [ask for ask in asked(words) if ask.startswith(no)]


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("It ends with one loud bang.", "big"),
        ("Finish with a gunshot.", "abrupt"),
        ("Include sudden stops.", ""),
        ("It suddenly stops.", "abrupt"),
        ("It has abrupt changes of mood.", ""),
    ],
)
def test_endings(words: str, ending: str) -> None:
    assert Contract.from_brief(f"A march for brass and snare. {words}").ending == ending
