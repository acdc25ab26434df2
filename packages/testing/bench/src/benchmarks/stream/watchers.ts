import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { nowUs } from './messages.ts';
import type { WatchersCommand, WatchersReport } from './messages.ts';

/** The sockets that connect at a time. One process has all watchers, with as little work for a message as possible. */
const CONNECTING = 200;
/** The most watchers of one source address, which has about 28,000 ports. */
const WATCHERS_PER_ADDRESS = 20_000;
const REPORT_EVERY_MS = 2;
const END = Buffer.from('\n\n');
const PULSE_MS = 2_000;

interface Watcher {
  readonly socket: Socket;
  text: string;
  messages: number;
  lastMs: number;
}

const report = (message: WatchersReport): void => {
  // The parent may have ended when the last report is sent.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};
const request = `GET /api/stream HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`;

let watchers: Watcher[] = [];
let lost = 0;
let recording: { arrivals: Map<number, number>; latenciesMs: number[]; offBeatMsMax: number } | null = null;

function open(port: number, index: number): Promise<Socket> {
  const address = Math.floor(index / WATCHERS_PER_ADDRESS);
  // With a source address the kernel searches for a free port, which takes longer the more ports are in use.
  const from = address === 0 ? {} : { localAddress: `127.0.0.${1 + address}` };
  const socket = connect({ port, host: '127.0.0.1', ...from });
  socket.write(request);
  return once(socket, 'data').then(([first]: Buffer[]) => {
    if (first === undefined || !first.includes('200 OK')) throw new Error(`refused: ${String(first)}`);
    return socket;
  });
}

/** Records the time of each message once its last byte has arrived. */
function record(watcher: Watcher, chunk: Buffer): void {
  watcher.text += chunk.toString('latin1');
  for (let end = watcher.text.indexOf('\n\n'); end >= 0; end = watcher.text.indexOf('\n\n')) {
    const atUs = nowUs();
    const id = Number(/id: (\d+)\n/.exec(watcher.text.slice(0, end))?.[1]);
    watcher.text = watcher.text.slice(end + 2);
    watcher.messages += 1;
    if (recording === null) continue;
    recording.arrivals.set(id, (recording.arrivals.get(id) ?? 0) + 1);
    recording.latenciesMs.push((atUs - id) / 1_000);
    const offBeat = Math.abs(atUs / 1_000 - watcher.lastMs - PULSE_MS);
    if (watcher.lastMs > 0) recording.offBeatMsMax = Math.max(recording.offBeatMsMax, offBeat);
    watcher.lastMs = atUs / 1_000;
  }
}

/** Counts messages. A message ends with an empty line, and contains none. */
function count(watcher: Watcher, chunk: Buffer): void {
  if (watcher.text === '\n' && chunk[0] === 10) watcher.messages += 1;
  for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, at + 2)) watcher.messages += 1;
  watcher.text = chunk.at(-1) === 10 && chunk.at(-2) !== 10 ? '\n' : '';
}

async function connectAll(port: number, wanted: number): Promise<void> {
  const begunMs = performance.now();
  watchers = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < wanted) {
      const socket = await open(port, next++);
      const watcher: Watcher = { socket, text: '', messages: 0, lastMs: 0 };
      watchers.push(watcher);
      socket.on('data', (chunk: Buffer) => onData(watcher, chunk));
      socket.on('error', () => undefined);
      socket.on('close', () => (lost += 1));
    }
  };
  await Promise.all(Array.from({ length: CONNECTING }, worker));
  report({ is: 'connected', ms: performance.now() - begunMs });
}

let onData: (watcher: Watcher, chunk: Buffer) => void = record;

function watchPulses(ms: number): void {
  recording = { arrivals: new Map(), latenciesMs: [], offBeatMsMax: 0 };
  for (const watcher of watchers) watcher.lastMs = 0;
  setTimeout(() => {
    if (recording === null) return;
    const { arrivals, latenciesMs, offBeatMsMax } = recording;
    recording = null;
    report({ is: 'lost', watchers: lost });
    report({ is: 'pulses', arrivals: [...arrivals], latenciesMs, offBeatMsMax });
  }, ms);
}

let acknowledging = false;

function watchFlood(warmUpMs: number, ms: number): void {
  onData = count;
  if (!acknowledging) acknowledge();
  const total = (): number => watchers.reduce((sum, { messages }) => sum + messages, 0);
  setTimeout(() => {
    const begun = { messages: total(), ms: performance.now() };
    setTimeout(() => {
      const messages = total() - begun.messages;
      report({ is: 'lost', watchers: lost });
      report({ is: 'flooded', messages, seconds: (performance.now() - begun.ms) / 1_000 });
    }, ms);
  }, warmUpMs);
}

/** Reports the slowest watcher's count at intervals, from the first flood on. */
function acknowledge(): void {
  acknowledging = true;
  for (const watcher of watchers) Object.assign(watcher, { text: '', messages: 0 });
  let reported = 0;
  setInterval(() => {
    const slowest = watchers.reduce((least, { messages }) => Math.min(least, messages), Infinity);
    if (slowest !== reported) report({ is: 'received', slowest });
    reported = slowest;
  }, REPORT_EVERY_MS);
}

/** Connects and disconnects, alternately with and without closing the connection properly. */
async function soak(port: number, connects: number): Promise<void> {
  let left = connects;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const socket = await open(port, 0);
      const closed = once(socket, 'close');
      if (left % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
      await closed;
    }
  };
  await Promise.all(Array.from({ length: CONNECTING }, worker));
  report({ is: 'soaked' });
}

process.on('message', (command: WatchersCommand) => {
  if (command.do === 'connect') void connectAll(command.port, command.watchers);
  else if (command.do === 'pulses') watchPulses(command.ms);
  else if (command.do === 'flood') watchFlood(command.warmUpMs, command.ms);
  else void soak(command.port, command.connects);
});
process.on('disconnect', () => process.exit());
