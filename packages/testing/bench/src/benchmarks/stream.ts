import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { figure, inTurns, median, megabytes, percent, printBar, printTable, quantile, times } from '../index.ts';
import { timedPulse } from './stream/messages.ts';
import type { ServerCommand, ServerReport, WatchersCommand, WatchersReport } from './stream/messages.ts';
import { startProcess } from './stream/process.ts';

/**
 * Measures the stream of pulses beside a bare node:http server that writes the same bytes, in turns: a pulse's delay to
 * many watchers, messages a second in a flood, and the memory in use after watchers disconnect. Server and watchers
 * have processes of their own. The bar is for `--watchers 10000`, which needs as many open files (`ulimit -n 20000`).
 */
const { values } = parseArgs({
  options: { watchers: { type: 'string', default: '2000' }, pulses: { type: 'string', default: '8' } },
});
const WATCHERS = Number(values.watchers);
const PULSES = Number(values.pulses);
const FLOOD_ROUNDS = 5;
const FLOOD_WATCHERS = 1_000;
const FLOOD_MS = 1_500;
const FLOOD_WARM_UP_MS = 500;
const FLOOD_BYTES = 2_048;
const SOAK_CONNECTS = 10_000;
const P99_BAR = 1.2;
const FLOOD_BAR = 0.9;
const HEAP_BAR = 0.1;

type Kind = 'gateway' | 'bare';
const KINDS: readonly Kind[] = ['bare', 'gateway'];
const TITLES: Readonly<Record<Kind, string>> = { bare: 'bare node:http', gateway: 'stream gateway' };

async function startPair(kind: Kind) {
  const server = startProcess<ServerCommand, ServerReport>('server.ts', [kind]);
  const watchers = startProcess<WatchersCommand, WatchersReport>('watchers.ts');
  const { port } = await server.report('listening');
  return {
    server,
    watchers,
    port,
    /** The time until all are connected, in ms. */
    connect: async (count: number): Promise<number> => {
      const connected = watchers.report('connected');
      watchers.send({ do: 'connect', port, watchers: count });
      return (await connected).ms;
    },
    end: () => Promise.all([watchers.end(), server.end()]),
  };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

async function watchPulses({ server, watchers }: Pair, connectMs: number) {
  const published: number[] = [];
  server.onReport((report) => {
    if (report.is === 'published') published.push(report.id);
  });
  const measured = watchers.report('pulses');
  // Waits almost one interval more, so that the last pulse has arrived everywhere.
  watchers.send({ do: 'pulses', ms: 2_000 * PULSES - 200 });
  server.send({ do: 'pulses' });
  const { arrivals, latenciesMs, offBeatMsMax } = await measured;
  const counts = new Map(arrivals);
  // Summed over all watchers.
  const missed = published.reduce((sum, id) => sum + WATCHERS - (counts.get(id) ?? 0), 0);
  return { latenciesMs, offBeatMsMax, pulses: published.length, missed, connectMs };
}

/** Measures both servers at the same time, with pulses a second apart, so that other load affects both equally. */
async function benchPulses() {
  const pairs = { bare: await startPair('bare'), gateway: await startPair('gateway') };
  const connectMs = { bare: await pairs.bare.connect(WATCHERS), gateway: await pairs.gateway.connect(WATCHERS) };
  const bare = watchPulses(pairs.bare, connectMs.bare);
  await setTimeout(1_000);
  const gateway = watchPulses(pairs.gateway, connectMs.gateway);
  const figures = { bare: await bare, gateway: await gateway };
  await Promise.all([pairs.bare.end(), pairs.gateway.end()]);
  return figures;
}

/** The rate, and the server's CPU time for each message to each watcher. */
async function flood({ server, watchers }: Pair) {
  const lost = watchers.report('lost');
  const flooded = watchers.report('flooded');
  watchers.send({ do: 'flood', warmUpMs: FLOOD_WARM_UP_MS, ms: FLOOD_MS });
  server.send({ do: 'flood', markets: floodMarkets() });
  const { messages, seconds } = await flooded;
  const paused = server.report('paused');
  server.send({ do: 'pause' });
  const { broadcasts, cpuUs } = await paused;
  if ((await lost).watchers > 0) throw new Error('watchers were lost in the flood');
  return { rate: messages / seconds, cpuUs: cpuUs / (broadcasts * FLOOD_WATCHERS) };
}

async function benchFlood() {
  const pairs = { bare: await startPair('bare'), gateway: await startPair('gateway') };
  for (const kind of KINDS) {
    const { server, watchers, connect } = pairs[kind];
    await connect(FLOOD_WATCHERS);
    watchers.onReport((report) => {
      if (report.is === 'received') server.send({ do: 'acknowledge', received: report.slowest });
    });
  }
  const figures = await inTurns(KINDS, { rounds: FLOOD_ROUNDS }, (kind) => flood(pairs[kind]));
  await Promise.all([pairs.bare.end(), pairs.gateway.end()]);
  return figures;
}

/** The number of markets that fill a message of 2 KB. */
function floodMarkets(): number {
  let markets = 1;
  while (JSON.stringify(timedPulse(markets + 1).pulse).length < FLOOD_BYTES) markets += 1;
  return markets;
}

async function soak() {
  const { server, watchers, port, end } = await startPair('gateway');
  const heap = async (): Promise<number> => {
    const report = server.report('heap');
    server.send({ do: 'heap' });
    return (await report).bytes;
  };
  const round = async (connects: number): Promise<number> => {
    const soaked = watchers.report('soaked');
    watchers.send({ do: 'soak', port, connects });
    await soaked;
    return heap();
  };
  const before = await round(1_000);
  const after = await round(SOAK_CONNECTS);
  await end();
  return { before, after };
}

const openFiles = Number(
  (process.report.getReport() as unknown as { userLimits: { open_files: { soft: number | string } } }).userLimits
    .open_files.soft,
);
if (WATCHERS + 100 > openFiles) {
  console.error(
    `${WATCHERS} watchers need as many open files, and ${openFiles} are allowed: ulimit -n ${WATCHERS + 100}`,
  );
  process.exit(2);
}

const pulses = await benchPulses();
const bytes = JSON.stringify(timedPulse(50).pulse).length;
console.log(`A pulse of ${figure(bytes)} bytes every 2 s to ${figure(WATCHERS)} watchers:\n`);
const pulseRow = printTable(
  ['server'],
  ['pulses', 'missed', 'p50 ms', 'p99 ms', 'max ms', 'off the beat ms', 'connects/s'],
);
for (const kind of KINDS) {
  const { latenciesMs, connectMs, missed, offBeatMsMax, pulses: count } = pulses[kind];
  const latencies = [0.5, 0.99, 1].map((at) => figure(quantile(latenciesMs, at), 1));
  const connects = figure((1_000 * WATCHERS) / connectMs);
  pulseRow(TITLES[kind], figure(count), figure(missed), ...latencies, figure(offBeatMsMax, 1), connects);
}
const p99Ratio = quantile(pulses.gateway.latenciesMs, 0.99) / quantile(pulses.bare.latenciesMs, 0.99);
console.log('');
printBar('pulses missed', pulses.gateway.missed, { atMost: 0 });
printBar('p99, gateway / bare server', p99Ratio, { atMost: P99_BAR }, times);

const floods = await benchFlood();
const rates = floods.map((rounds) => median(rounds.map(({ rate }) => rate)));
console.log(
  `\nA flood of ${figure(FLOOD_BYTES)}-byte messages to ${figure(FLOOD_WATCHERS)} watchers, median of ${FLOOD_ROUNDS}:\n`,
);
const floodRow = printTable(['server'], ['messages/s', 'CPU µs a message']);
for (const [index, kind] of KINDS.entries()) {
  const cpuUs = median((floods[index] ?? []).map((round) => round.cpuUs));
  floodRow(TITLES[kind], figure(rates[index] ?? NaN), figure(cpuUs, 1));
}
const [bareRate = NaN, gatewayRate = NaN] = rates;
console.log('');
printBar('rate, gateway / bare server', gatewayRate / bareRate, { atLeast: FLOOD_BAR }, percent);

const { before, after } = await soak();
console.log(
  `\nHeap after ${figure(SOAK_CONNECTS)} connects and disconnects: ${megabytes(after)}, before ${megabytes(before)}`,
);
const show = (ratio: number): string => percent(ratio, 1);
printBar('change of the heap', Math.abs(after / before - 1), { atMost: HEAP_BAR }, show);
