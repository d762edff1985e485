"""Forty plain questions, written before the retriever was tuned: the first three answers fit for at least 36."""
# ruff: noqa: E501  (a table reads better with one line a question)

from __future__ import annotations

from pathlib import Path

from libretto.knowledge import all_concepts, retrieve

#: For every question what would answer it, in the judgement of a musician who looked at the names alone.
FITTING = {
    "make the bass less boring in funk": "octave-bass ghost-note-bass bass-fills-in-the-gaps the-one anticipating-bass chromatic-approach-bass kick-and-bass-locked",
    "sadder ending": "minor-iv-ending minor-plagal-cadence picardy-third-ending fade-by-thinning morendo open-ending-on-the-major-seventh suspended-last-chord aeolian-cadence-mode",
    "my drums sound like a machine": "ghost-notes-on-the-snare fill-in-the-fourth-bar open-hat-on-the-last-off-beat swung-sixteenths hand-percussion-layer ghost-notes ride-in-the-chorus",
    "the verse and the chorus sound the same": "thinning-for-the-verse chorus-in-a-higher-register pad-under-the-chorus half-time-chorus ride-in-the-chorus cross-stick-verse pre-chorus-lift layered-entry bridge-with-new-harmony verse-chorus-bridge",
    "how do I get from the verse into the chorus": "pre-chorus-lift fill-in-the-fourth-bar turnaround-bar run-into-the-downbeat dynamic-build snare-roll-build drop-out-bar crash-on-the-section-start chorus-in-a-higher-register",
    "I want it to swing": "swung-ride swing-eighths blues-shuffle shuffle swung-sixteenths walking-bass",
    "make it sound more latin": "clave montuno tumbao cascara bossa-guitar coro-y-pregon son-clave-three-two son-clave-two-three",
    "the chords are too plain": "extended-chords secondary-dominants modal-mixture borrowed-minor-four tritone-substitution ninth-chord-vamp drop-two-voicings open-suspended-chords add-nine-chord ninth-chord major-seventh-chord",
    "my melody wanders and nobody can hum it": "motif-and-sequence motif-repetition hook-with-a-twist period-phrase motive-and-phrase melodic-riff sentence-form question-and-answer",
    "dreamy floating chords": "open-suspended-chords lydian-mode lydian-vamp extended-chords major-seventh-chord sus-two-chord add-nine-chord pad-under-the-chorus quartal-voicing open-ending-on-the-major-seventh major-ninth-chord sus-four-chord",
    "heavier guitars": "palm-muted-chug ringing-power-chords gallop-riff tritone-riff semitone-riff half-time-breakdown twin-guitar-thirds power-chord",
    "a beat you can dance to in a club": "four-on-the-floor off-beat-bass sixteenth-hats layering-in-even-steps drop-after-the-break",
    "relaxed jamaican feel": "one-drop skank organ-bubble bass-that-leaves-holes steppers-beat double-skank",
    "the piano left hand is too heavy": "shell-voicings open-low-close-high rootless-two-five-one alberti-bass arpeggiated-comping shell-voicing rootless-voicing broken-chord-accompaniment open-voicing",
    "how do jazz pianists accompany a soloist": "rootless-two-five-one shell-voicings off-beat-comping drop-two-voicings rootless-voicing shell-voicing electric-piano-off-beats",
    "walking from chord to chord in the bass": "walking-bass chromatic-approach-bass slash-bass-descent stepwise-bass-descent stepwise-bass-ascent gospel-walk-up",
    "tension before the drop": "snare-roll-build drop-after-the-break drop-out-bar dynamic-build run-into-the-downbeat dominant-pedal",
    "make the strings sound epic": "string-ostinato growing-layers pulsing-low-strings horn-theme-over-pedal chromatic-mediant-lift doubling-in-octaves string-and-horn-answers",
    "how to end a song without fading out": "button-ending tag-ending ritard-and-final-chord tonic-pedal-ending sixth-chord-ending plagal-amen ritardando-at-the-end suspended-last-chord picardy-third-ending codetta",
    "bluesy notes in the melody": "blue-thirds blue-note blues-scale-minor blues-scale-major",
    "accompaniment for a slow waltz": "waltz-accompaniment arpeggiated-comping oom-pah-accompaniment broken-chord-accompaniment",
    "a drum fill before the new section": "fill-in-the-fourth-bar crash-on-the-section-start snare-roll-build run-into-the-downbeat",
    "the song needs a lift at the last chorus": "last-chorus-up modulation-up-a-step chorus-in-a-higher-register pre-chorus-lift half-time-chorus pad-under-the-chorus ride-in-the-chorus chromatic-mediant-lift",
    "hip hop drums with space": "boom-bap-beat clap-on-the-backbeat sixteenth-hats-on-a-slow-beat drop-out-bar two-bar-sample-loop",
    "country strumming": "acoustic-strumming boom-chick train-beat fingerpicking root-five-bass",
    "question and answer between singer and band": "call-and-response-with-the-band call-and-response-in-the-band coro-y-pregon blues-call-and-response call-and-response question-and-answer string-and-horn-answers",
    "the harmony never goes anywhere": "secondary-dominants falling-fifth-sequence bridge-with-new-harmony circle-of-fifths quickening-harmonic-rhythm modulation-to-the-dominant turnaround-bar modal-mixture chromatic-mediant-lift one-four-five-one two-five-one-major half-cadence",
    "spooky scale": "octatonic-half-whole octatonic-whole-half whole-tone-scale locrian-mode hungarian-minor-scale phrygian-mode double-harmonic-scale tritone-scale harmonic-minor-scale diminished-arpeggio",
    "spanish sounding scale": "phrygian-dominant phrygian-mode andalusian-progression phrygian-tetrachord andalusian-half-cadence phrygian-vamp phrygian-second",
    "how does a minor key get its pull back home": "harmonic-minor-scale leading-tone leading-tone-resolution leading-tone-cadence two-five-one-minor melodic-minor-scale perfect-authentic-cadence",
    "rhythm that goes against the beat": "syncopated-tie syncopated-chain off-beats-only three-against-four hemiola off-beat-entry accented-off-beats off-beat-comping tresillo off-beat-phrase-starts rhythmic-anticipation off-beat-bass",
    "counting in seven": "seven-eight seven-eight-long-first mixed-meter",
    "two melodies at the same time": "counter-melody-in-long-notes countermelody-entry compound-melody note-against-note two-against-one contrary-motion string-quartet-exchange imitation-in-one-line",
    "a surprise chord instead of the tonic": "deceptive-cadence evaded-cadence deceptive-turn",
    "notes that lean on the beat and resolve": "appoggiatura appoggiatura-cadence sigh-figure melodic-suspension accented-passing-tone suspension-four-three suspension-chain four-to-three-resolution",
    "get louder little by little": "crescendo dynamic-build growing-layers hairpin layered-entry swell-on-a-repeated-note",
    "short detached notes": "staccato mixed-articulation portato button-ending",
    "repeat a tune a step higher": "tonal-sequence-rising real-sequence motif-and-sequence last-chorus-up modulation-up-a-step sequential-development",
    "church ending amen": "plagal-amen plagal-cadence minor-plagal-cadence",
    "fast picking pattern for banjo or guitar": "banjo-roll fingerpicking arpeggiated-clean-guitar",
}  # fmt: skip
LEAST = 36


def _queries() -> list[str]:
    text = (Path(__file__).parent / "queries.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_list_is_whole_and_names_what_exists() -> None:
    assert _queries() == list(FITTING)
    assert len(FITTING) == 40
    names = {concept.name for concept in all_concepts().values()}
    for fitting in FITTING.values():
        assert set(fitting.split()) <= names, set(fitting.split()) - names


def test_plain_questions_find_fitting_concepts_among_the_first_three() -> None:
    missed = {}
    for query, fitting in FITTING.items():
        found = [concept.name for concept in retrieve(query, limit=3)]
        if not set(found) & set(fitting.split()):
            missed[query] = found
    assert len(FITTING) - len(missed) >= LEAST, missed
