import path from 'node:path';
import { parseArgs } from 'node:util';
import { eventually } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { createClient } from 'paper-trading-client';
import type { Api } from 'paper-trading-client';
import {
  closedLoop,
  figure,
  httpRequest,
  HttpConnection,
  median,
  printBar,
  printTable,
  quantile,
  Traders,
} from '../index.ts';
import type { Load } from '../index.ts';

/**
 * Measures backtests of one standalone over HTTP: a start; advances of one participant that reads nothing else; how
 * fast a tape is played if nobody trades; and live orders beside two backtests at full speed, in turns with orders alone.
 * GOLD_DIR holds recorded windows (docs/trade/tapes.md); without it an invented tape is played. `--seconds 3` is quicker.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } });
const SECONDS = Number(values.seconds);
const STARTS = 5;
const START_BAR_MS = 2_500;
const ADVANCES_BAR = 500;
const PACE_BAR = 50;
const RATE_BAR = 0.8;
const P99_BAR = 2;
const CLIENTS = 16;
const ROUNDS = 3;
const TAPES_MS = 120_000;
const windowsDir = path.join(process.env['GOLD_DIR'] ?? '', 'events');
const TAPE = 'made-news';
const two = (value: number): string => figure(value, 2);

interface Started {
  readonly id: string;
  readonly base: string;
  readonly key: string;
  readonly clock: string;
}

const hasWindows = process.env['GOLD_DIR'] !== undefined;
const service = await startStandalone({ env: hasWindows ? { TAPES_DIR: windowsDir } : {} });
try {
  const traders = await Traders.open(service, { accounts: CLIENTS, markets: ['live'] });
  const { port } = traders;
  const client = createClient({ baseUrl: service.baseUrl, key: traders.key(0) });
  const start = async (tape: string): Promise<Started> => {
    const { baseUrl, clock, id, participants } = (await client.request('startBacktest', { body: { tape } })).body;
    return { base: new URL(baseUrl).pathname, clock: clock ?? '', id, key: participants[0]?.apiKey ?? '' };
  };
  const end = async ({ id }: Started): Promise<void> => {
    (await client.request('deleteBacktest', { params: { id } })).assertOk();
  };
  const advance = (one: Started, body: object): string =>
    httpRequest('POST', `${one.base}/api/clock/advance`, { body, key: one.key });

  /** Lets the clock run for at most 25 s; true at the end. */
  const playOn = async (own: HttpConnection, one: Started): Promise<boolean> => {
    return (JSON.parse(await sent(own, advance(one, { wake: [] }))) as { readonly ended: boolean }).ended;
  };

  const tapes = await listTapes(async () => (await client.request('listTapes', {})).body.tapes);
  console.log(`tapes ${tapes.map(({ id }) => id).join(', ')}; ${SECONDS} s a measurement; node ${process.version}\n`);

  const startMs: number[] = [];
  for (let round = 0; round <= STARTS; round += 1) {
    const begunMs = performance.now();
    const started = await start(TAPE);
    // The first round does not count: it compiles, and reads files that later rounds find in memory.
    if (round > 0) startMs.push(performance.now() - begunMs);
    await end(started);
  }

  const walked = await start(TAPE);
  const firstMs = Date.parse(walked.clock);
  const walk = await closedLoop({ clients: 1, ms: 1_000 * SECONDS, port }, async (own, n) => {
    const until = new Date(firstMs + 100 * (n + 1)).toISOString();
    const text = await sent(own, advance(walked, { until, wake: [] }));
    if (!text.includes(`"now":"${until}"`)) throw new Error(text.slice(0, 300));
  });
  await end(walked);

  const row = printTable(['tape'], ['events', 'minutes', 'seconds', 'times real time', 'events a second']);
  const paces: number[] = [];
  for (const tape of tapes) {
    const started = await start(tape.id);
    // The service closes connections that rest.
    const connection = await HttpConnection.open(port);
    const begunMs = performance.now();
    for (let ended = false; !ended;) ended = await playOn(connection, started);
    const tookMs = performance.now() - begunMs;
    const spanMs = Date.parse(tape.to) - Date.parse(tape.from);
    paces.push(spanMs / tookMs);
    const perSecond = (1_000 * tape.events) / tookMs;
    row(
      tape.id,
      tape.events,
      figure(spanMs / 60_000, 1),
      figure(tookMs / 1_000, 1),
      ...[spanMs / tookMs, perSecond].map((value) => figure(value)),
    );
    connection.close();
    await end(started);
  }
  console.log('');

  const orders = (): Promise<Load> =>
    closedLoop({ clients: CLIENTS, ms: 1_000 * SECONDS, port }, async (own, n) => {
      await sent(own, traders.crossingRequest(n));
    });
  await orders();
  const ordersBesideTwo = async (): Promise<Load> => {
    const running = [await start(TAPE), await start(TAPE)];
    let isOver = false;
    const playing = running.map(async (one) => {
      const own = await HttpConnection.open(port);
      let current = one;
      while (!isOver) {
        if (!(await playOn(own, current))) continue;
        await end(current);
        current = await start(TAPE);
      }
      own.close();
      await end(current);
    });
    const load = await orders();
    isOver = true;
    await Promise.all(playing);
    return load;
  };
  const roundRow = printTable(['round'], ['orders a second', 'beside two', 'p99 ms', 'beside two']);
  const [rates, p99s]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const loads = [await orders(), await ordersBesideTwo()];
    const [alone = 0, beside = 0] = loads.map(({ perSecond }) => perSecond);
    const [aloneP99 = 0, besideP99 = 0] = loads.map(({ latenciesMs }) => quantile(latenciesMs, 0.99));
    rates.push(beside / alone);
    p99s.push(besideP99 / aloneP99);
    roundRow(round, figure(alone), figure(beside), figure(aloneP99, 1), figure(besideP99, 1));
  }
  console.log('');

  printBar('a start, median', median(startMs), { atMost: START_BAR_MS }, (ms) => `${figure(ms)} ms`);
  printBar('advances a second', walk.perSecond, { atLeast: ADVANCES_BAR }, figure);
  printBar('times real time, slowest tape', Math.min(...paces), { atLeast: PACE_BAR }, figure);
  printBar('rate of live orders beside two, of alone', median(rates), { atLeast: RATE_BAR }, two);
  printBar('their p99 beside two, of alone', median(p99s), { atMost: P99_BAR }, two);
} finally {
  await service.stop();
}

/** The body of an answer. @throws Error unless it is a 200 */
async function sent(connection: HttpConnection, request: string): Promise<string> {
  const { status, text } = await connection.send(request);
  if (status !== 200) throw new Error(`${request.split('\r\n', 1)[0]}: ${status} ${text().slice(0, 300)}`);
  return text();
}

/** Picks the smallest, the middle and the largest window, or the invented tape. Waits until new tapes were read. */
async function listTapes(list: () => Promise<readonly Api.Tape[]>): Promise<readonly Api.Tape[]> {
  const areRead = (): Promise<boolean> => list().then(() => true);
  const limit = { withinMs: TAPES_MS, everyMs: 500, isNotYet: () => true };
  await eventually('tapes that are read', areRead, limit);
  const tapes = await list();
  const recorded = tapes.filter(({ id }) => id !== TAPE).sort((a, b) => a.events - b.events);
  if (recorded.length === 0) return tapes;
  return [0, Math.floor(recorded.length / 2), recorded.length - 1].flatMap((index) => recorded[index] ?? []);
}
