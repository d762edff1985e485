// Runs beside the synthesiser, before it: keeps its clock on that of the sound card.
//
// The synthesiser counts time from when it was made, and its first block may be asked for much later: messages with a
// moment would come that much late, and the cursor would run ahead of the sound. So every block begins by telling it
// what time it is.

const register = globalThis.registerProcessor;

globalThis.registerProcessor = (name, Processor) =>
  register(
    name,
    class extends Processor {
      process(inputs, outputs, parameters) {
        const engine = this.core?.synthesizer?.synthCore;
        if (engine) engine.currentTime = globalThis.currentTime;
        return super.process(inputs, outputs, parameters);
      }
    },
  );
