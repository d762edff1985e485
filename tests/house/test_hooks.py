"""Where nobody has the tune, keys have the hook above their chords where the music is full."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score


def test_an_organ_that_has_only_chords_plays_the_hook_in_the_chorus() -> None:
    contract = Contract.from_brief(
        "A warm deep house piece in C minor, Cm7, Fm7, Abmaj7, Gm7 over 32 bars, for electronic drums, synth bass and "
        "organ. The organ adds off-beat chords."
    )
    score = compose_score(contract, 0)
    organ = next(voice.array for voice in score.voices if voice.name == "Organ")
    names = {score.bar_at(tick): name for tick, name in score.sections}
    top = {name.split()[0]: 0 for name in names.values()}
    for row in organ:
        start = max(bar for bar in names if bar <= score.bar_at(int(row["onset"])))
        kind = names[start].split()[0]
        top[kind] = max(top[kind], int(row["pitch"]))
    assert top["Chorus"] >= top["Verse"] + 7
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []
