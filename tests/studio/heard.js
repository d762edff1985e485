// Listening to the page from inside: what the sound card would get, second by second on its own clock.
async () => {
  const { player } = await import("/page/js/player.js");
  const { heardMoment } = await import("/page/js/player_clock.js");
  const { store, change } = await import("/page/js/store.js");
  const SIZE = 32768;
  const AT_ONCE = 0.004; // seconds
  const moment = () => heardMoment(player.synth.context);
  const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const load = async (name, side = "a") => {
    const piece = await (await fetch(`/api/pieces/${name}`)).json();
    await player.load(`/api/pieces/${name}/performance.mid`, piece, side);
    return piece;
  };

  // Everything that is heard while `during` runs: { start, rate, samples }.
  const record = async (during) => {
    await player.prepare();
    const { context, gain } = player.synth;
    await context.resume();
    const ear = new AnalyserNode(context, { fftSize: SIZE });
    gain.connect(ear);
    const buffer = new Float32Array(SIZE);
    const rate = context.sampleRate;
    const start = context.currentTime;
    let until = start;
    const samples = [];
    const take = () => {
      let now = context.currentTime;
      ear.getFloatTimeDomainData(buffer);
      // On a busy machine the sound goes on between the two: then the clock does not belong to the samples.
      for (let tries = 0; tries < 20 && context.currentTime - now > AT_ONCE; tries++) {
        now = context.currentTime;
        ear.getFloatTimeDomainData(buffer);
      }
      const due = Math.round((now - until) * rate);
      const fresh = Math.min(SIZE, due);
      for (let missed = fresh; missed < due; missed++) samples.push(0); // the page was held up for longer than is kept
      for (let place = SIZE - fresh; place < SIZE; place++) samples.push(buffer[place]);
      until += due / rate;
    };
    const timer = setInterval(take, 60);
    await during();
    await sleep(0.1);
    clearInterval(timer);
    take();
    ear.disconnect();
    return { start, rate, samples };
  };

  // When something begins after silence: moments of the clock.
  const onsets = ({ start, rate, samples }, loud = 0.02, silence = 0.12) => {
    const moments = [];
    let last = -Infinity;
    samples.forEach((sample, place) => {
      if (Math.abs(sample) <= loud) return;
      if ((place - last) / rate > silence) moments.push(start + place / rate);
      last = place;
    });
    return moments;
  };

  // The level of each hundredth of a second.
  const levels = ({ rate, samples }) => {
    const size = Math.round(rate / 100);
    const list = [];
    for (let place = 0; place + size <= samples.length; place += size) {
      let sum = 0;
      for (let one = place; one < place + size; one++) sum += samples[one] ** 2;
      list.push(Math.sqrt(sum / size));
    }
    return list;
  };
  window.heard = { player, store, change, moment, sleep, load, record, onsets, levels };
}
