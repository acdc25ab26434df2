import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInProcessPulse, createPulseMaker } from '@paper/pulse';
import type { PulseMessage } from '@paper/pulse';
import { createApp, createOperators, startServer } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import { StreamGateway } from '@paper/stream-gateway';
import { memoryInUse } from '../../index.ts';
import { timedPulse } from './messages.ts';
import type { ServerCommand, ServerReport } from './messages.ts';

/** The server under test, in a separate process: the gateway as services run it, or a bare node:http server. */
interface Contestant {
  readonly port: number;
  startPulses(): void;
  publish(message: PulseMessage): void;
}

const PULSE_MARKETS = 50;
/** The number of concurrent broadcasts in a flood: as many as socket buffers hold. */
const WINDOW = 24;
const report = (message: ServerReport): void => {
  // The parent may have ended when the last report is sent.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

function nextPulse(): PulseMessage {
  const message = timedPulse(PULSE_MARKETS);
  report({ is: 'published', id: message.seq });
  return message;
}

async function gateway(): Promise<Contestant> {
  const channel = createInProcessPulse();
  const logger = createLogger({ name: 'bench', level: 'silent' });
  const metrics = createMetrics();
  const take = () => Promise.resolve(timedPulse(PULSE_MARKETS));
  const streams = new StreamGateway({
    authenticate: () => Promise.resolve(null),
    channel,
    gapMs: 0,
    logger,
    metrics,
    snapshots: { mostActive: take, of: take },
    watchersMax: 100_000,
  });
  streams.start();
  const maker = createPulseMaker({
    channel,
    onError: (error) => {
      throw error;
    },
    snapshots: { mostActive: () => Promise.resolve(nextPulse()) },
  });
  const app = createApp({ logger, metrics, operators: createOperators([]), rateLimiter: null, routes: streams.routes });
  const { port } = await startServer(app, { host: '127.0.0.1', port: 0 });
  return { port, startPulses: () => maker.start(), publish: (message) => void channel.publish(message) };
}

/** The simplest server: it writes the same bytes to each answer of a set. */
async function bare(): Promise<Contestant> {
  const watchers = new Set<ServerResponse>();
  const bytesOf = ({ seq, pulse }: PulseMessage) => Buffer.from(`id: ${seq}\ndata: ${JSON.stringify(pulse)}\n\n`);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    response.write(Buffer.concat([Buffer.from('retry: 2000\n'), bytesOf(timedPulse(PULSE_MARKETS))]));
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publish = (message: PulseMessage): void => {
    const bytes = bytesOf(message);
    for (const response of watchers) response.write(bytes);
  };
  return {
    port: (server.address() as AddressInfo).port,
    publish,
    startPulses() {
      publish(nextPulse());
      setInterval(() => publish(nextPulse()), 2_000);
    },
  };
}

/** Sends messages as fast as the slowest watcher reads, and never more than buffers hold. */
class Flood {
  #sent = 0;
  #received = 0;
  #markets = 0;
  #sending = false;
  #begun = { cpu: process.cpuUsage(), sent: 0 };

  constructor(private readonly publish: (message: PulseMessage) => void) {}

  start(markets: number): void {
    this.#markets = markets;
    this.#begun = { cpu: process.cpuUsage(), sent: this.#sent };
    this.#send();
  }

  pause(): void {
    this.#markets = 0;
    const { user, system } = process.cpuUsage(this.#begun.cpu);
    report({ is: 'paused', broadcasts: this.#sent - this.#begun.sent, cpuUs: user + system });
  }

  acknowledge(received: number): void {
    this.#received = received;
    if (!this.#sending) this.#send();
  }

  #send(): void {
    this.#sending = this.#markets > 0 && this.#sent - this.#received < WINDOW;
    if (!this.#sending) return;
    this.publish(timedPulse(this.#markets));
    this.#sent += 1;
    setImmediate(() => this.#send());
  }
}

const contestant = await (process.argv[2] === 'gateway' ? gateway() : bare());
const flood = new Flood((message) => contestant.publish(message));
process.on('message', (command: ServerCommand) => {
  if (command.do === 'pulses') contestant.startPulses();
  else if (command.do === 'flood') flood.start(command.markets);
  else if (command.do === 'pause') flood.pause();
  else if (command.do === 'acknowledge') flood.acknowledge(command.received);
  else report({ is: 'heap', bytes: memoryInUse().heap });
});
process.on('disconnect', () => process.exit());
report({ is: 'listening', port: contestant.port });
