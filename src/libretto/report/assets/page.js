// The page of a piece: a roll on a canvas, a cursor over roll and score, findings that show their bars.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("piece").textContent);
  const audio = document.getElementById("audio");
  const find = (id) => document.getElementById(id);
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const box = find("roll"), canvas = find("canvas"), clock = find("clock"), slider = find("slider"), play = find("play");
  const ROW = 5, TOP = 34, DRUM = 9, LEAST = 60;
  let silent = 0, started = 0, zoom = 1, marked = [], last = null;

  const pitched = data.notes.filter((n) => !data.voices[n[0]].drums);
  const low = Math.min(...pitched.map((n) => n[3]), 72) - 2, high = Math.max(...pitched.map((n) => n[3]), 60) + 2;
  const keys = [...new Set(data.notes.filter((n) => data.voices[n[0]].drums).map((n) => n[3]))].sort((a, b) => b - a);
  const height = TOP + (high - low + 1) * ROW + (keys.length ? keys.length * DRUM + 8 : 0) + 4;
  const perSecond = () => Math.max(LEAST, (box.clientWidth - 2) / Math.max(1, data.seconds)) * zoom;
  const x = (seconds) => Math.min(32000 / Math.max(1, data.seconds), perSecond()) * seconds;
  const barAt = (seconds) => { let i = 0; while (i + 1 < data.bars.length && data.bars[i + 1][1] <= seconds + 1e-6) i += 1; return i; };

  function draw() {
    const ratio = window.devicePixelRatio || 1, width = Math.ceil(x(data.seconds)) + 2;
    const scale = Math.min(ratio, 32000 / width);
    canvas.width = width * scale; canvas.height = height * scale;
    canvas.style.width = width + "px"; canvas.style.height = height + "px";
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    for (const [first, final] of marked) {
      const from = data.bars.find((b) => b[0] === first), to = data.bars.find((b) => b[0] === final + 1);
      if (!from) continue;
      pen.fillStyle = style("--mark");
      pen.fillRect(x(from[1]), 0, x(to ? to[1] : data.seconds) - x(from[1]), height);
    }
    let shown = -99;
    for (const [number, at, chord] of data.bars) {
      pen.fillStyle = style("--grid"); pen.fillRect(x(at), 0, 1, height);
      if (x(at) - shown > 34) {
        shown = x(at);
        pen.fillStyle = style("--soft"); pen.fillText(String(number), x(at) + 3, 11);
        pen.fillStyle = style("--ink"); pen.fillText(chord, x(at) + 3, 24);
      }
    }
    pen.fillStyle = style("--accent");
    for (const [at, name] of data.sections) { pen.fillRect(x(at), 0, 2, height); pen.fillText(name, x(at) + 22, 11); }
    for (const [voice, at, length, pitch, velocity] of data.notes) {
      const part = data.voices[voice];
      pen.fillStyle = part.colour; pen.globalAlpha = 0.35 + 0.65 * velocity / 127;
      if (part.drums) {
        pen.fillRect(x(at), TOP + (high - low + 1) * ROW + 8 + keys.indexOf(pitch) * DRUM, 3, DRUM - 2);
      } else {
        pen.fillRect(x(at), TOP + (high - pitch) * ROW, Math.max(2, x(at + length) - x(at) - 1), ROW - 1);
      }
    }
    pen.globalAlpha = 1;
  }

  const now = () => (audio ? audio.currentTime : started ? (performance.now() - started) / 1000 : silent);
  const time = (s) => Math.floor(s / 60) + ":" + String(Math.floor(s % 60)).padStart(2, "0");

  function show(follow) {
    const seconds = Math.min(now(), data.seconds), bar = data.bars[barAt(seconds)];
    find("cursor").style.transform = "translateX(" + x(seconds) + "px)";
    clock.textContent = "bar " + (bar ? bar[0] : 0) + " · " + time(seconds) + " / " + time(data.seconds);
    slider.value = String(seconds); slider.setAttribute("aria-valuetext", clock.textContent);
    if (follow && (x(seconds) < box.scrollLeft || x(seconds) > box.scrollLeft + box.clientWidth * 0.85)) box.scrollLeft = x(seconds) - 60;
    const measure = data.measures.length ? data.measures[barAt(seconds)] : null;
    if (measure !== last) {
      if (last && find(last)) find(last).classList.remove("now");
      if (measure && find(measure)) {
        find(measure).classList.add("now");
        if (follow) {
          const pages = find("pages"), there = find(measure).getBoundingClientRect(), here = pages.getBoundingClientRect();
          if (there.top < here.top || there.bottom > here.bottom) pages.scrollTop += there.top - here.top - 20;
        }
      }
      last = measure;
    }
  }

  function seek(seconds) {
    const to = Math.max(0, Math.min(data.seconds, seconds));
    if (audio) audio.currentTime = to; else { silent = to; if (started) started = performance.now() - to * 1000; }
    show(true);
  }
  const playing = () => (audio ? !audio.paused : started > 0);
  function tick() {
    show(true);
    if (!audio && now() >= data.seconds) stop();
    if (playing()) requestAnimationFrame(tick);
  }
  function stop() { if (audio) audio.pause(); else { silent = Math.min(now(), data.seconds); started = 0; } play.textContent = "Play"; }
  function start() {
    if (now() >= data.seconds - 0.05) seek(0);
    if (audio) audio.play(); else started = performance.now() - silent * 1000;
    play.textContent = "Pause";
    requestAnimationFrame(tick);
  }

  play.addEventListener("click", () => (playing() ? stop() : start()));
  if (audio) audio.addEventListener("ended", stop);
  slider.max = String(data.seconds);
  slider.addEventListener("input", () => seek(Number(slider.value)));
  canvas.addEventListener("click", (event) => seek(event.offsetX / Math.max(1e-9, x(1))));
  for (const button of document.querySelectorAll("[data-bars]")) {
    button.addEventListener("click", () => {
      marked = JSON.parse(button.dataset.bars);
      draw();
      const bar = data.bars.find((b) => b[0] === marked[0][0]);
      if (bar) { seek(bar[1]); box.scrollLeft = x(bar[1]) - 60; box.scrollIntoView({ block: "center" }); }
    });
  }
  find("closer").addEventListener("click", () => { zoom = Math.min(8, zoom * 1.5); draw(); show(true); });
  find("wider").addEventListener("click", () => { zoom = Math.max(0.1, zoom / 1.5); draw(); show(true); });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, summary, a") || event.ctrlKey || event.metaKey || event.altKey) return;
    const bar = barAt(now());
    if (event.key === " " && event.target !== play && !event.target.closest("button")) { event.preventDefault(); play.click(); }
    if (event.key === "ArrowRight" && data.bars[bar + 1]) seek(data.bars[bar + 1][1]);
    if (event.key === "ArrowLeft") seek(data.bars[Math.max(0, bar - (now() - data.bars[bar][1] < 0.3 ? 1 : 0))][1]);
    if (event.key === "Home") seek(0);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("resize", () => { draw(); show(false); });
  draw();
  show(false);
  document.body.dataset.ready = "yes";
})();
