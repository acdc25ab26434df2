import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from '@paper/runtime';
import { eventStoreAt } from '../servers/eventstoredb.ts';
import { OLDEST_POSTGRES } from '../servers/postgres.ts';
import { isLongSuiteLeftOut } from '../long-test.ts';
import { startStandalone } from './standalone.ts';
import type { RunningExchange } from './running-exchange.ts';
import { startServices } from './services.ts';
import type { ServicesOptions } from './services.ts';

interface Wiring {
  /** The reason why the wiring cannot be started on this machine; null if it can. */
  readonly missing: () => string | null;
  /** Starts an exchange. A wiring of separate services starts these numbers of processes. */
  readonly start: (count?: ServicesOptions['count']) => Promise<RunningExchange>;
}

const WIRINGS: Readonly<Record<string, Wiring>> = {
  standalone: { missing: () => null, start: () => startStandalone() },
  services: {
    missing: () => missingServer('postgres'),
    start: (count) => startServices({ journal: 'postgres', asRoles: true, count }),
  },
  eventstoredb: {
    missing: () => missingServer('eventstoredb'),
    start: (count) => startServices({ journal: 'eventstoredb', asRoles: true, count }),
  },
};

type ExchangeSuite = (this: Mocha.Suite, start: () => Promise<RunningExchange>) => void;

const shared = new Map<string, Promise<RunningExchange>>();

/** A suite that runs on every wiring of PAPER_WIRING (`standalone,services`; default `standalone`). */
export function describeExchange(title: string, suite: ExchangeSuite): void {
  onEachWiring(title, suite, forOneSuite);
}

/** Like `describeExchange`, for a client of the API: on other wirings than the first only with LONG_TESTS=1. */
export function describeClientOfExchange(title: string, suite: ExchangeSuite): void {
  onEachWiring(title, onOthersInLongRuns(suite), forOneSuite);
}

/**
 * Like `describeExchange`, for suites that tolerate the trading of other suites: all suites of a test run share one
 * exchange, with an mcp process. Their specs are in folders `shared-exchange`, which `npm test` runs as one item.
 */
export function describeSharedExchange(title: string, suite: ExchangeSuite): void {
  onEachWiring(title, suite, (name, { start }) => async () => {
    const exchange = shared.get(name) ?? start({ mcp: 1 });
    shared.set(name, exchange);
    return { ...(await exchange), stop: () => Promise.resolve(0) };
  });
  // A hook of the root suite, so it runs after all suites. The first of several stops all shared exchanges.
  after('the shared exchanges end', stopShared);
}

/** Like `describeSharedExchange`, with the wirings of `describeClientOfExchange`. */
export function describeSharedClientOfExchange(title: string, suite: ExchangeSuite): void {
  describeSharedExchange(title, onOthersInLongRuns(suite));
}

function onOthersInLongRuns(suite: ExchangeSuite): ExchangeSuite {
  const [first] = chosenNames();
  return function (start) {
    if (!this.title.endsWith(`(${first})`) && isLongSuiteLeftOut()) return;
    suite.call(this, start);
  };
}

async function stopShared(): Promise<void> {
  const exchanges = await Promise.allSettled(shared.values());
  shared.clear();
  for (const exchange of exchanges) if (exchange.status === 'fulfilled') await exchange.value.stop();
}

const forOneSuite =
  (_name: string, { start }: Wiring) =>
  (): Promise<RunningExchange> =>
    start();

function onEachWiring(
  title: string,
  suite: ExchangeSuite,
  starting: (name: string, wiring: Wiring) => () => Promise<RunningExchange>,
): void {
  for (const name of chosenNames()) {
    const wiring = WIRINGS[name];
    if (wiring === undefined) throw new Error(`PAPER_WIRING: ${name} is none of ${Object.keys(WIRINGS).join(', ')}`);
    describe(`${title} (${name})`, function () {
      const missing = wiring.missing();
      if (missing === null) suite.call(this, starting(name, wiring));
      else itNeeds(missing, name !== 'eventstoredb');
    });
  }
}

/** A suite about separate services, which starts them itself with a journal of this kind. */
export function describeServices(
  title: string,
  journal: ServicesOptions['journal'],
  suite: (this: Mocha.Suite) => void,
): void {
  describe(title, function () {
    const missing = missingServer(journal);
    if (missing === null) suite.call(this);
    else itNeeds(missing, journal !== 'eventstoredb');
  });
}

/** A suite about the oldest supported Postgres (`OLDEST_POSTGRES`). */
export function describeOldestPostgres(title: string, suite: (this: Mocha.Suite) => void): void {
  describe(title, function () {
    if (existsSync(path.join(OLDEST_POSTGRES, 'postgres'))) suite.call(this);
    else itNeeds(`${OLDEST_POSTGRES}: Debian's package postgresql-15`, true);
  });
}

/** The server that separate services need and that is missing; null if none is missing. */
export function missingServer(journal: ServicesOptions['journal']): string | null {
  if (!isInstalled('haproxy')) return 'haproxy on PATH';
  const redis = process.env['REDIS_URL'] ?? '';
  if (redis === '' && !isInstalled('redis-server')) return 'a Redis server: REDIS_URL, or redis-server on PATH';
  if (journal === 'postgres' || eventStoreAt().toShare) return null;
  return 'an EventStoreDB: JOURNAL_URL, or eventstored on PATH';
}

/** Replaces tests that lack a server: they are skipped by name, or failed with REQUIRE_SERVERS=1. */
function itNeeds(missing: string, canBeRequired: boolean): void {
  it(`needs ${missing}`, function () {
    if (canBeRequired && process.env['REQUIRE_SERVERS'] === '1') throw new Error(`there is no ${missing}`);
    this.skip();
  });
}

function chosenNames(): string[] {
  const given = process.env['PAPER_WIRING'] ?? '';
  return (given === '' ? 'standalone' : given).split(',').map((name) => name.trim());
}
