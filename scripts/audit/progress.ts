import cliProgress from 'cli-progress';

/** Progress of a long fold on standard error: a bar on a terminal, else a line from time to time. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 10_000;

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

export function showProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const startedMs = performance.now();
  const rate = (done: number): number => Math.round((done * 1000) / Math.max(1, performance.now() - startedMs));
  return stream.isTTY ? bar(stream, rate) : lines(stream, rate, startedMs);
}

function bar(stream: NodeJS.WriteStream, rate: (done: number) => number): Progress {
  const shown = new cliProgress.SingleBar({
    stream,
    format: '{bar} {percentage}% | {value}/{total} events | {rate} events/s | {eta_formatted} left',
    clearOnComplete: true,
  });
  shown.start(0, 0, { rate: 0 });
  return {
    update: (done, total) => {
      shown.setTotal(total);
      shown.update(done, { rate: rate(done) });
    },
    stop: () => shown.stop(),
  };
}

function lines(stream: NodeJS.WriteStream, rate: (done: number) => number, startedMs: number): Progress {
  let toldMs = startedMs;
  return {
    update: (done, total) => {
      if (performance.now() - toldMs < LINE_EVERY_MS) return;
      toldMs = performance.now();
      stream.write(`${count(done)} of ${count(total)} events, ${count(rate(done))} events/s\n`);
    },
    stop: () => undefined,
  };
}
