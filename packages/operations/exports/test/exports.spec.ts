import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { PublicJournalEvent } from '@paper/journal';
import type { Command } from '@paper/exchange/commands';
import { HOUR_MS } from '@paper/contracts/units';
import {
  createRandom,
  listMarket,
  openAccount,
  orderFrom,
  SCENARIO_AT,
  SimulatedJournal,
  startEpoch,
  StoredExchange,
} from '@paper/testkit';
import type { Row } from '../src/columns.ts';
import { exportJournal, FORMATS, TABLE_NAMES } from '../src/index.ts';
import type { ExportOptions, Format, Manifest } from '../src/index.ts';
import { Duck, DUCK_TYPES } from './duck.ts';
import {
  eventsOf,
  expectedAccounts,
  expectedCandles,
  expectedChanges,
  expectedOrders,
  expectedSettlements,
  expectedSignals,
  expectedTrades,
  expectedWorth,
  timelinesOf,
} from './expected-rows.ts';
import type { Timelines } from './expected-rows.ts';

const COMMANDS = 1_500;

/** A Python with pandas: Debian's package is for its own Python. */
const PYTHON = '/usr/bin/python3';

describe('an export', function () {
  this.timeout(60_000);
  let simulated: SimulatedJournal;
  let events: readonly PublicJournalEvent[];
  let timelines: Timelines;
  let folder: string;
  let duck: Duck;
  const made = new Map<Format, Manifest>();

  const at = (...names: readonly string[]): string => path.join(folder, ...names);
  const run = (out: string, options: Partial<ExportOptions> = {}): Promise<Manifest> =>
    exportJournal({
      accountId: null,
      format: 'csv',
      fromMs: null,
      journal: simulated.journal,
      marketId: null,
      out: at(out),
      shard: 'main',
      signal: new AbortController().signal,
      tables: TABLE_NAMES,
      toMs: null,
      ...options,
    });

  before(async () => {
    simulated = new SimulatedJournal({ seed: 18 });
    await simulated.run(COMMANDS);
    events = await eventsOf(simulated.journal);
    timelines = await timelinesOf(simulated.journal, events);
    folder = mkdtempSync(path.join(tmpdir(), 'paper-exports-'));
    duck = await Duck.open();
    for (const format of FORMATS) made.set(format, await run(format, { format }));
  });
  after(() => {
    duck.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The rows of a table as DuckDB reads them: times in ms, every value as text. */
  async function read(format: Format, name: string, out: string = format): Promise<readonly unknown[]> {
    const manifest = JSON.parse(readFileSync(at(out, 'manifest.json'), 'utf8')) as Manifest;
    const columns = manifest.tables[name]?.columns ?? [];
    const shown = columns.map((column) => (column.type === 'timestamp' ? `epoch_ms(${column.name})` : column.name));
    const select = columns.map((column, index) => `${shown[index]}::varchar as ${column.name}`).join(', ');
    return duck.rows(`select ${select} from ${duck.table(at(out), name, format, columns)}`);
  }

  const asText = (rows: readonly Row[]): readonly unknown[] =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? null : String(cell)])),
    );

  for (const format of FORMATS) {
    describe(`as ${format}, read by DuckDB`, () => {
      it('has the accounts, signals, trades, orders and settlements of the journal', async () => {
        const expected = {
          accounts: expectedAccounts(events),
          signals: expectedSignals(events),
          trades: expectedTrades(events),
          orders: expectedOrders(events),
          settlements: expectedSettlements(events),
        };
        for (const [name, rows] of Object.entries(expected)) {
          expect(rows, name).to.have.length.above(5);
          expect(await read(format, name), name).to.deep.equal(asText(rows));
        }
      });

      it("has the candles of the auditor's quotes and trades", async () => {
        const rows = expectedCandles(timelines);
        expect(rows).to.have.length.above(20);
        expect(await read(format, 'candles')).to.deep.equal(asText(rows));
      });

      it("has the worth of accounts in the auditor's fold, at the end of each hour in which they changed", async () => {
        const rows = (await read(format, 'equity')) as readonly Readonly<Record<string, string>>[];
        expect(rows.map((row) => `${row['seq']} ${row['account_id']}`).sort()).to.deep.equal(expectedChanges(events));
        const random = createRandom(3);
        for (let sample = 0; sample < 5; sample += 1) {
          const row = rows[random.int(0, rows.length - 1)] ?? {};
          const worth = await expectedWorth(simulated.journal, timelines, row['account_id'] ?? '', Number(row['seq']));
          const equity = 2 * worth.cash_units + worth.positions_half_units;
          expect(row).to.include(asText([{ ...worth, equity_half_units: equity }])[0]);
        }
      });

      it('has a manifest with the head of the journal, and the hash, rows and columns of each file', async () => {
        const manifest = JSON.parse(readFileSync(at(format, 'manifest.json'), 'utf8')) as Manifest;
        expect(manifest).to.deep.equal(made.get(format));
        const { hash, seq } = simulated.head;
        expect(manifest.journal).to.include({ headHash: hash, headSeq: seq, shard: 'main' });
        expect(manifest.through).to.include({ hash, seq });
        const names = Object.values(manifest.tables).map(({ file }) => file);
        expect(readdirSync(at(format)).sort()).to.deep.equal([...names, 'manifest.json'].sort());
        for (const [name, { bytes, columns, file, rows, sha256 }] of Object.entries(manifest.tables)) {
          const content = readFileSync(at(format, file));
          expect({ bytes, sha256 }).to.deep.equal({
            bytes: content.length,
            sha256: createHash('sha256').update(content).digest('hex'),
          });
          const [count] = await duck.rows(`select count(*)::int as n from ${duck.table(at(format), name, format)}`);
          expect(count).to.deep.equal({ n: rows });
          const described = await duck.rows(`describe select * from ${duck.table(at(format), name, format)}`);
          expect(described.map((column) => column['column_name'])).to.deep.equal(columns.map((column) => column.name));
        }
      });
    });
  }

  it('has exact types in Parquet: whole numbers of 64 bits, times in UTC', async () => {
    for (const [name, { columns }] of Object.entries(made.get('parquet')?.tables ?? {})) {
      const described = await duck.rows(`describe select * from ${duck.table(at('parquet'), name, 'parquet')}`);
      expect(described.map((column) => [column['column_name'], column['column_type']])).to.deep.equal(
        columns.map((column) => [column.name, DUCK_TYPES[column.type]]),
      );
    }
  });

  it('has in Parquet which columns are required, their units, and the journal that it shows', async () => {
    const { columns = [] } = made.get('parquet')?.tables['trades'] ?? {};
    const file = at('parquet', 'trades.parquet');
    const schema = await duck.rows(`select name, repetition_type from parquet_schema('${file}') where name <> 'root'`);
    expect(schema).to.deep.equal(
      columns.map(({ name, nullable }) => ({ name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' })),
    );
    const facts = await duck.rows(
      `select decode(key) as key, decode(value) as value from parquet_kv_metadata('${file}')`,
    );
    const metadata = Object.fromEntries(facts.map(({ key, value }) => [String(key), String(value)]));
    const { hash, seq } = simulated.head;
    expect(metadata).to.include({ 'paper_trading.head_seq': String(seq), 'paper_trading.through_hash': hash });
    expect(JSON.parse(metadata['paper_trading.units'] ?? '')).to.include({
      quantity_shares: 'shares',
      yes_price_units: 'units',
    });
  });

  it('rebuilds every book, order by order, from the order events', async () => {
    const rows = (await read('csv', 'order_events')) as readonly Readonly<Record<string, string | null>>[];
    const resting = new Map<string, number>();
    for (const { order_id: id, resting_shares: shares } of rows) {
      if (typeof shares === 'string') resting.set(String(id), Number(shares));
    }
    const fills = rows.filter(({ change }) => change === 'filled');
    expect(fills.map(({ resting_shares: shares }) => shares === null)).to.deep.equal(
      expectedTrades(events).flatMap(() => [false, true]),
    );
    const open = expectedOrders(events).filter(({ status }) => status === 'open' || status === 'partial');
    expect(open).to.have.length.above(5);
    const left = (order: Row): number => Number(order['quantity_shares']) - Number(order['filled_shares']);
    expect(Object.fromEntries([...resting].filter(([, shares]) => shares > 0))).to.deep.equal(
      Object.fromEntries(open.map((order) => [order['id'], left(order)])),
    );
    expect(Object.keys(rows[0] ?? {})).not.to.include.members(['client_order_id', 'key_id']);
  });

  it('has each market once, as its listing, amendments and end leave it', async () => {
    const rows = (await read('csv', 'markets')) as readonly Readonly<Record<string, string | null>>[];
    const listed = events.filter(({ event }) => event.type === 'MarketListed');
    expect(rows.map((row) => Number(row['listed_seq'])).sort((a, b) => a - b)).to.deep.equal(
      listed.map(({ seq }) => seq),
    );
    for (const row of rows) {
      const own = events.flatMap(({ event }) =>
        'marketId' in event && event.marketId === row['id'] ? [event as Readonly<Record<string, unknown>>] : [],
      );
      const last = (key: string) => own.findLast((event) => key in event)?.[key];
      const decided = own.find(({ type }) => type === 'MarketResolved' || type === 'MarketVoided');
      const volume = own
        .filter(({ type }) => type === 'OrderFilled')
        .reduce((sum, fill) => sum + Number(fill['quantity']), 0);
      expect(row).to.include({
        title: last('title'),
        closes_at: String(last('closesAt')),
        volume_shares: String(volume),
        decided_at: decided === undefined ? null : String(decided['at']),
        resolved_outcome: decided?.['outcome'] ?? null,
      });
    }
    expect(new Set(rows.map(({ phase }) => phase))).to.include.members(['resolved']);
  });

  it('has a row of equity for each hour in which an account changed, and none for any other hour', async () => {
    const exchange = new StoredExchange();
    const submitAt = async (hour: number, ...commands: readonly Command[]): Promise<void> => {
      for (const command of commands) await exchange.submit({ ...command, at: SCENARIO_AT + hour * HOUR_MS });
    };
    await submitAt(
      0,
      startEpoch(),
      openAccount('ann'),
      openAccount('bob'),
      openAccount('cat'),
      listMarket('m', { closesAt: 4_000_000_000_000 }),
    );
    await submitAt(1, orderFrom('a ann buy yes 5 @ 0.40'), orderFrom('b bob buy no 3 @ 0.60'));
    await submitAt(2, orderFrom('c cat buy yes 1 @ 0.20'));
    await submitAt(4, orderFrom('d cat buy no 2 @ 0.60'));
    await run('hours', { journal: exchange.journal, tables: ['equity'] });
    const rows = (await read('csv', 'equity', 'hours')) as readonly Readonly<Record<string, string>>[];
    const hours = rows.map((row) => [row['account_id'], (Number(row['as_of']) - SCENARIO_AT) / HOUR_MS]);
    expect(hours).to.deep.equal([
      ...['ann', 'bob', 'cat'].map((account) => [account, 0]),
      ...['ann', 'bob'].map((account) => [account, 1]),
      ...['ann', 'cat'].map((account) => [account, 4]),
    ]);
    expect(rows.map((row) => `${row['seq']} ${row['account_id']}`).sort()).to.deep.equal(
      expectedChanges(await eventsOf(exchange.journal)),
    );
  });

  it('has only the tables that are named', async () => {
    await run('some', { tables: ['trades', 'equity'] });
    expect(readdirSync(at('some')).sort()).to.deep.equal(['equity.csv', 'manifest.json', 'trades.csv']);
  });

  it('is the same bytes each time', async () => {
    await run('again', { format: 'parquet' });
    for (const file of readdirSync(at('parquet'))) {
      expect(readFileSync(at('again', file)).equals(readFileSync(at('parquet', file))), file).to.equal(true);
    }
  });

  it('has only rows of one market, account and time, as the exchange was then', async () => {
    const trades = expectedTrades(events);
    const { market_id: marketId, taker_account_id: accountId } = trades[Math.floor(trades.length / 2)] ?? {};
    // The time of a row that belongs to the part, as its first.
    const first = trades.find(
      (row) =>
        row['market_id'] === marketId &&
        row['taker_account_id'] === accountId &&
        Number(row['seq']) > events.length / 8,
    );
    const fromMs = Number(first?.['traded_at']);
    const toMs = events[Math.floor((events.length * 7) / 8)]?.event.at ?? 0;
    const selection = { accountId: String(accountId), fromMs, marketId: String(marketId), toMs };
    const manifest = await run('part', selection);
    const until = events.filter(({ event }) => event.at < toMs);
    expect(manifest.through.seq).to.equal(until.at(-1)?.seq);
    const isSelected = (row: Readonly<Record<string, unknown>>): boolean =>
      row['market_id'] === marketId &&
      [row['account_id'], row['taker_account_id'], row['maker_account_id']].includes(accountId) &&
      Number(row['traded_at'] ?? row['settled_at'] ?? row['placed_at']) >= fromMs;
    for (const [name, rows] of Object.entries({
      trades: expectedTrades(until),
      orders: expectedOrders(until),
      settlements: expectedSettlements(until),
    })) {
      expect(await read('csv', name, 'part'), name).to.deep.equal(asText(rows.filter(isSelected)));
    }
    // The last minute is not over.
    const isWhole = (row: Readonly<Record<string, unknown>>): boolean => Number(row['start']) + 60_000 <= toMs;
    const candles = (await read('csv', 'candles', 'part')) as readonly Readonly<Record<string, unknown>>[];
    const expected = expectedCandles(timelines).filter(
      (row) => row['market_id'] === marketId && Number(row['start']) >= fromMs && isWhole(row),
    );
    expect(expected).to.have.length.above(0);
    expect(candles.filter(isWhole)).to.deep.equal(asText(expected));
  });

  for (const format of ['csv', 'ndjson'] as const) {
    it(`is read by pandas as ${format}`, function () {
      if (!hasPandas()) this.skip();
      const call = { csv: 'read_csv(f)', ndjson: 'read_json(f, lines=True)' }[format];
      const program = `import json, pandas, sys
f = sys.argv[1]
t = pandas.${call}
print(json.dumps([len(t), int((t.yes_price_units * t.quantity_shares).sum()), str(t.yes_price_units.dtype)]))`;
      const file = at(format, `trades.${format}`);
      const answer = JSON.parse(execFileSync(PYTHON, ['-c', program, file], { encoding: 'utf8' })) as unknown;
      const trades = expectedTrades(events);
      const notional = trades.reduce(
        (sum, row) => sum + Number(row['yes_price_units']) * Number(row['quantity_shares']),
        0,
      );
      expect(answer).to.deep.equal([trades.length, notional, 'int64']);
    });
  }

  it('of Parquet by pandas is not tested: Debian has neither pyarrow nor fastparquet for it');

  describe('that cannot be made', () => {
    const failed = async (out: string, options: Partial<ExportOptions>): Promise<string> => {
      const before = readdirSync(folder);
      const message = await run(out, options).then(
        () => 'nothing failed',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      // Neither the folder nor a partial one is there.
      expect(readdirSync(folder)).to.deep.equal(before);
      return message;
    };

    it('is refused where the folder is not empty, or is a file', async () => {
      expect(await failed('csv', {})).to.equal(`${at('csv')} is not empty: --out takes a folder, new or empty.`);
      writeFileSync(at('file'), '');
      expect(await failed('file', {})).to.equal(`${at('file')} is a file: --out takes a folder, new or empty.`);
      expect(await failed('file/below', {})).to.match(/is no folder|is a file/);
    });

    it('is refused for a market, account or time that is not in the journal', async () => {
      expect(await failed('out', { marketId: 'none' })).to.match(
        /^No market has the id none at sequence \d+ .*--market/,
      );
      expect(await failed('out', { accountId: 'none' })).to.match(/^No account has the id none .*--account/);
      expect(await failed('out', { toMs: 1 })).to.equal('The journal has no event before --to.');
      const empty = new SimulatedJournal({ seed: 1 });
      expect(await failed('out', { journal: empty.journal })).to.match(/^The journal of shard main has no events/);
    });

    it('leaves nothing when it is interrupted, or the journal fails', async () => {
      const stopping = new AbortController();
      const onProgress = (): void => stopping.abort(new Error('interrupted'));
      expect(await failed('out', { onProgress, signal: stopping.signal })).to.equal('interrupted');
      const { journal } = simulated;
      const broken = {
        head: () => journal.head(),
        read: (from: number, limit: number) =>
          from === 1 ? journal.read(from, limit) : Promise.reject(new Error('the connection was lost')),
      };
      expect(await failed('out', { journal: broken })).to.equal('the connection was lost');
    });

    it('leaves nothing where the journal was changed', async () => {
      const { journal } = simulated;
      const changed = {
        head: () => journal.head(),
        read: async (from: number, limit: number) =>
          (await journal.read(from, limit)).map((event) =>
            event.seq === 700 ? { ...event, publicText: event.publicText.replace('"seq":700', '"seq":700.0') } : event,
          ),
      };
      expect(await failed('out', { journal: changed })).to.match(
        /^the journal is broken at sequence 700: its hash is /,
      );
    });

    it('says that the disk is full', async function () {
      const disk = at('small-disk');
      mkdirSync(disk);
      if (!mountSmallDisk(disk)) this.skip();
      try {
        const message = await run('small-disk/out', {}).catch((error: unknown) => (error as Error).message);
        expect(message).to.equal(
          `No space is left on the disk of ${disk}/out. The incomplete export was removed: free space, or choose another --out.`,
        );
        expect(readdirSync(disk)).to.deep.equal([]);
      } finally {
        execFileSync('umount', [disk]);
      }
    });
  });

  it('goes into a folder that is there and empty', async () => {
    mkdirSync(at('there'));
    await run('there');
    expect(existsSync(at('there', 'manifest.json'))).to.equal(true);
  });
});

function hasPandas(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pandas") is None)']);
    return true;
  } catch {
    return false;
  }
}

/** Mounts 64 KiB, as root on Linux; gives whether it could. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
