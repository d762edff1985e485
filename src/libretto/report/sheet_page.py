"""Lessons as a page for the browser: title, instruction, staff, sound and questions; the answers are another page.

The page is one file that asks nothing of any server: staves are drawn in it, and the sound is made by the browser from
the notes that are written into it.
"""

from __future__ import annotations

import json
from html import escape

from libretto.report.sheets import Sheet, drawings_of
from libretto.score import Score
from libretto.score.played import played

__all__ = ["ANSWERS_PAGE", "LESSON_PAGE", "answers_html", "lesson_html"]

LESSON_PAGE, ANSWERS_PAGE = "lesson.html", "answers.html"
_DIGITS = 4  # of a second
_STYLE = (
    "body{font:16px/1.5 serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}"
    "svg{width:100%;height:auto}button{font:inherit;margin-right:.5rem}section{margin:2.5rem 0}"
    "input{font:inherit;width:100%;border:0;border-bottom:1px solid #555}@media print{button,nav{display:none}}"
)
_PLAYER = """
let context = null, sounding = [];
function stop() { for (const tone of sounding) { try { tone.stop(); } catch (error) { } } sounding = []; }
function play(number, pace) {
  stop();
  context = context || new AudioContext();
  const begin = context.currentTime + 0.1;
  for (const [start, length, pitch] of MUSIC[number]) {
    const tone = context.createOscillator(), loud = context.createGain();
    const from = begin + start / pace, to = from + length / pace;
    tone.type = "triangle";
    tone.frequency.value = 440 * 2 ** ((pitch - 69) / 12);
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.25, from + 0.01);
    loud.gain.exponentialRampToValueAtTime(0.05, Math.max(to - 0.02, from + 0.02));
    loud.gain.linearRampToValueAtTime(0, Math.max(to, from + 0.04));
    tone.connect(loud).connect(context.destination);
    tone.start(from);
    tone.stop(to + 0.1);
    sounding.push(tone);
  }
}
for (const button of document.querySelectorAll("button[data-drill]"))
  button.onclick = () => button.dataset.pace === "0" ? stop() : play(+button.dataset.drill, +button.dataset.pace);
"""


def _music(score: Score) -> list[list[float]]:
    """When each note sounds, for how long, in seconds, and its pitch."""
    whole = played(score)
    table = whole.table
    starts, ends = whole.seconds_at(table["onset"]), whole.seconds_at(table["onset"] + table["duration"])
    rows = zip(starts.tolist(), ends.tolist(), table["pitch"].tolist(), strict=True)
    return sorted([round(start, _DIGITS), round(end - start, _DIGITS), pitch] for start, end, pitch in rows)


def lesson_html(sheet: Sheet, *, link: bool = True) -> str:
    """The page for the learner; with ``link`` it leads to the answers."""
    rows = []
    for number, exercise in enumerate(sheet.exercises):
        buttons = "".join(
            f'<button data-drill="{number}" data-pace="{pace}">{word}</button>'
            for word, pace in (("Play", 1), ("Slowly", 0.7), ("Stop", 0))
        )
        asked = "".join(
            f"<li><label>{escape(ask)} <input autocomplete='off'></label></li>" for ask, _ in exercise.questions
        )
        staff = "".join(drawings_of(exercise, prefix=f"d{number}-"))
        rows.append(
            f"<section><h2>{escape(exercise.heading)}</h2><p>{escape(exercise.instruction)}</p>{staff}"
            f'<p>{buttons}</p><ol type="a">{asked}</ol></section>'
        )
    music = json.dumps([_music(exercise.score) for exercise in sheet.exercises])
    leads = f'<nav><a href="{ANSWERS_PAGE}">Answers</a></nav>' if link else ""
    return _page(sheet, "".join(rows) + leads, f"const MUSIC = {music};{_PLAYER}")


def answers_html(sheet: Sheet) -> str:
    """The page with the answers."""
    rows = []
    for exercise in sheet.exercises:
        told = "".join(f"<li>{escape(ask)} <b>{escape(answer)}</b></li>" for ask, answer in exercise.questions)
        rows.append(f'<section><h2>{escape(exercise.heading)}</h2><ol type="a">{told}</ol></section>')
    return _page(sheet, "".join(rows) + f'<nav><a href="{LESSON_PAGE}">The lesson</a></nav>', "", "Answers. ")


def _page(sheet: Sheet, body: str, script: str, before: str = "") -> str:
    title = escape(before + sheet.title)
    whom = f"<p>{escape(sheet.whom)}</p>" if sheet.whom else ""
    end = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"</head><body><h1>{title}</h1>{whom}{body}{end}</body></html>\n"
    )
