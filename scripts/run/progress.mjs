import { subscribe } from 'node:diagnostics_channel';

/** What is quicker than this is not spoken of. */
const QUIET_MS = 1_000;
const FRAME_MS = 200;
/** Where nobody watches a line change, another line is written this often. */
const LINE_MS = 10_000;

/** Programs say here what they wait for while they start: `{ step }`, null when they are ready. */
const CHANNEL = 'paper.start';

/**
 * Shows that something goes on, and for how long: on a terminal as a line that changes and goes away, else as plain lines.
 * It shows nothing of what is over within a second. `detail` says how far it is, or nothing.
 */
export function startProgress(what, { detail = () => '', stream = process.stderr } = {}) {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const text = () => [`${what} … ${seconds()} s`, detail()].filter(Boolean).join(', ');
  const live = stream.isTTY === true;
  const draw = () => stream.write(live ? `\r${text().slice(0, (stream.columns ?? 80) - 1)}\u001b[K` : `${text()}\n`);
  let shown = false;
  let timer = setTimeout(() => {
    shown = true;
    draw();
    timer = setInterval(draw, live ? FRAME_MS : LINE_MS).unref();
  }, QUIET_MS).unref();
  const clear = () => {
    clearTimeout(timer);
    if (shown && live) stream.write('\r\u001b[K');
    shown = false;
  };
  process.once('exit', clear);
  return {
    done() {
      process.off('exit', clear);
      clear();
    },
  };
}

/** Shows what the program of this process says that it waits for. `first`: what it does until it says anything. */
export function showSteps(first) {
  let current = startProgress(first);
  subscribe(CHANNEL, ({ step }) => {
    current?.done();
    current = step === null ? null : startProgress(step);
  });
}
