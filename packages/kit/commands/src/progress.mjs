import { subscribe } from 'node:diagnostics_channel';

/** Steps that take less time than this are not shown. */
const QUIET_MS = 1_000;
const FRAME_MS = 200;
/** The interval of progress lines when the output is no terminal. */
const LINE_MS = 10_000;

/** The channel on which a starting program reports its step and progress: `{ step, detail }`; null when it is ready. */
const CHANNEL = 'paper.start';

/** Shows a step that takes longer than a second: on a terminal as a line that is updated and removed, else as lines. */
export function startProgress(what, { detail = () => '', stream = process.stderr } = {}) {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const text = () => [`${what} … ${seconds()} s`, detail()].filter(Boolean).join(', ');
  const live = stream.isTTY === true;
  // A terminal of unknown size has 0 columns.
  const draw = () => stream.write(live ? `\r${text().slice(0, (stream.columns || 80) - 1)}\u001b[K` : `${text()}\n`);
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

/** Shows the steps that this process's program reports. `first` is shown before its first report. */
export function showSteps(first) {
  let [shown, detail] = [first, ''];
  let current = startProgress(first);
  subscribe(CHANNEL, ({ step, detail: further = '' }) => {
    detail = further;
    if (step === shown) return;
    current?.done();
    shown = step;
    current = step === null ? null : startProgress(step, { detail: () => detail });
  });
}
