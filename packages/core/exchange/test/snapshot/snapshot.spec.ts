import { createState, decide, evolve } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { Restoration, snapshot, textsOf, TABLE_ROWS_MAX } from '@paper/exchange/snapshot';
import type { MarketFields, SnapshotTable } from '@paper/exchange/snapshot';
import { createWorkload, IS_LONG_RUN } from '@paper/testkit';
import type { Workload } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { TextColumn } from '../../src/state/packed.ts';
import { differences } from './same-graph.ts';

/** Copies the snapshot, so that it shares nothing with the state. */
const stored = (state: State): SnapshotTable[] => structuredClone([...snapshot(state)]);

function restore(tables: readonly SnapshotTable[]): State {
  const restoration = new Restoration();
  for (const table of tables) restoration.add(table);
  return restoration.end();
}

function apply(state: State, events: readonly ExchangeEvent[], command: Command): void {
  for (const [index, event] of events.entries()) evolve(state, event, index === 0 ? command : null);
}

/** Decides the workload's next commands; `alongside` are states that have to decide the same. */
function run(workload: Workload, state: State, count: number, alongside: readonly State[] = []): void {
  for (let n = 0; n < count; n += 1) {
    const command = workload.next();
    const decision: Decision = decide(state, command);
    for (const other of alongside) expect(decide(other, command)).to.deep.equal(decision);
    if (decision.kind === 'accepted') {
      for (const each of [state, ...alongside]) apply(each, decision.events, command);
    }
    workload.observe(command, decision);
  }
}

function stateAfter(seed: number, commands: number): State {
  const state = createState();
  run(createWorkload({ seed }), state, commands);
  return state;
}

describe('a snapshot', () => {
  it('restores to a state that decides the same ever after, and whose snapshot is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 700 }), (seed, before) => {
        // Every third seed includes an upgrade of the rules, half of them after the snapshot.
        const upgrade = { rulesVersion: 1, upgradeAfter: before + (seed % 2 === 0 ? 100 : -100) };
        const workload = createWorkload({ byPrimaries: true, seed, ...(seed % 3 === 0 ? upgrade : {}) });
        const state = createState();
        run(workload, state, before);
        const restored = restore(stored(state));
        run(workload, state, 250, [restored]);
        expect(stored(restored)).to.deep.equal(stored(state));
      }),
      { seed: 21, numRuns: IS_LONG_RUN ? 40 : 15 },
    );
  }).timeout(30_000);

  it('carries every field of every object of a state', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const state = stateAfter(seed, 900);
      const restored = restore(stored(state));
      expect(differences(state, restored)).to.deep.equal([]);
      expect([...restored.idempotency.oldestFirst()]).to.deep.equal([...state.idempotency.oldestFirst()]);
      const ended = [...state.clientOrderIds.ended.oldestFirst()];
      expect([...restored.clientOrderIds.ended.oldestFirst()]).to.deep.equal(ended);
    }
  }).timeout(30_000);

  it('is taken of states in which each kind of row, and each phase, run and mark stands', () => {
    const seen = new Set<string>();
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const workload = createWorkload({ seed });
      const state = createState();
      for (let pieces = 0; pieces < 60; pieces += 1) {
        run(workload, state, 15);
        for (const table of snapshot(state)) note(seen, table);
      }
    }
    expect([...seen].sort()).to.deep.equal(EXPECTED);
  }).timeout(30_000);

  it('is refused within a decision', () => {
    const workload = createWorkload({ seed: 1 });
    const state = createState();
    for (;;) {
      const command = workload.next();
      const decision = decide(state, command);
      workload.observe(command, decision);
      if (decision.kind !== 'accepted') continue;
      const [first, second] = decision.events;
      if (first?.type === 'OrderPlaced' && second?.type === 'OrderFilled') {
        evolve(state, first, command);
        expect(() => [...snapshot(state)]).to.throw(`a snapshot after event ${state.seq} would be within a decision`);
        return;
      }
      apply(state, decision.events, command);
    }
  });
});

describe('a snapshot of more than a table of a kind', () => {
  it('numbers accounts, markets and positions over all of them', () => {
    const accounts = TABLE_ROWS_MAX + 2;
    const state = createState();
    const open = (id: string, primaryAccountId: string | null): void => {
      const base = { accountId: id, at: 1, nameDigest: 'd1'.repeat(32), startingBalanceUnits: 1_000 };
      const event =
        primaryAccountId === null
          ? ({ ...base, type: 'AccountOpened' } as const)
          : ({ ...base, permissions: [], primaryAccountId, type: 'SubAccountOpened' } as const);
      evolve(state, event, null);
    };
    for (let n = 0; n < accounts; n += 1) open(`account ${n}`, null);
    open('sub', `account ${accounts - 1}`);
    const tables = stored(state);
    expect(tables.map(({ kind, rows }) => `${kind} ${rows}`)).to.deep.equal([
      'state 1',
      `account ${TABLE_ROWS_MAX}`,
      'account 3',
      'end 1',
    ]);
    expect(differences(state, restore(tables))).to.deep.equal([]);
  });
});

describe('what cannot be restored', () => {
  const tables = stored(stateAfter(4, 600));
  const of = (kind: SnapshotTable['kind']): SnapshotTable => tables.find((each) => each.kind === kind)!;
  const without = (kind: SnapshotTable['kind']): SnapshotTable[] => tables.filter((each) => each.kind !== kind);
  const changed = (kind: SnapshotTable['kind'], change: object): SnapshotTable[] =>
    tables.map((each) => (each.kind === kind ? { ...each, ...change } : each));
  const twice = (kind: SnapshotTable['kind']): SnapshotTable[] => {
    const rows = Float64Array.of(tables.slice(0, -1).reduce((sum, table) => sum + table.rows, of(kind).rows));
    return [...without('end'), of(kind), { kind: 'end', rows: 1, columns: { rows } }];
  };
  const ofVersion0 = { columns: { json: textsOf(['{"version":0}']) } };
  const unnamed = { columns: { ...of('key').columns, id: textsOf([]) } };

  const cases: readonly (readonly [what: string, tables: () => SnapshotTable[], message: RegExp])[] = [
    ['nothing', () => [], /^the snapshot is cut off after 0 rows$/],
    ['a snapshot without its end', () => without('end'), /^the snapshot is cut off after \d+ rows$/],
    [
      'one without its first table',
      () => without('state'),
      /^after 0 rows of a snapshot there cannot be one of the kind/,
    ],
    [
      'two in one',
      () => [...tables, ...tables],
      /^after \d+ rows of a snapshot there cannot be one of the kind state$/,
    ],
    ['rows after the end', () => [...tables, of('signal')], /^after \d+ rows of a snapshot there cannot be one of/],
    ['one with a table less', () => without('idempotency'), /^the snapshot had \d+ rows before its last, here are/],
    ['one of another version', () => changed('state', ofVersion0), /is of version 0, this program reads version 9$/],
    ['an order of no market', () => [of('state'), of('order')], /names market \d+, which does not stand in it$/],
    [
      'an order without a position',
      () => without('place'),
      /names position \d+ of market .+, which does not stand in it$/,
    ],
    ['a key of no account', () => [of('state'), of('key')], /names account \d+, which does not stand in it$/],
    ['a column without its end', () => changed('key', unnamed), /^a column of the snapshot ends before row 0$/],
    ['one of its tables twice', () => twice('idempotency'), /^a table of Idempotency-Keys that is not the last has/],
    [
      'a kind that there is not',
      () => changed('key', { kind: 'mystery' }),
      /^a snapshot has no rows of the kind mystery$/,
    ],
  ];
  for (const [what, given, message] of cases) {
    it(`is ${what}`, () => {
      expect(() => restore(given())).to.throw(message);
    });
  }
});

describe('a column of texts', () => {
  it('has no row before its first or after its last', () => {
    const column = new TextColumn(textsOf(['a', 'bc']));
    expect([column.at(0), column.at(1)]).to.deep.equal(['a', 'bc']);
    for (const row of [-1, 2]) expect(() => column.at(row)).to.throw(`a column of the snapshot ends before row ${row}`);
  });
});

/** Records which features this table has, to see that the tests cover all of them. */
function note(seen: Set<string>, { kind, rows, columns }: SnapshotTable): void {
  seen.add(kind);
  if (kind === 'market') {
    const json = new TextColumn(columns.json);
    for (let row = 0; row < rows; row += 1) {
      const market = JSON.parse(json.at(row)) as MarketFields;
      seen.add(`market ${market.phase}`);
      if (market.run !== null) seen.add(`run of ${market.run.kind}`);
      if (market.settledUpTo > 0) seen.add('market partly settled');
      if (market.timerIndex > 0) seen.add('market closes later');
    }
  }
  if (kind === 'key') {
    for (const at of columns.revokedAt) seen.add(at < 0 ? 'key live' : 'key revoked');
    const mandates = new TextColumn(columns.mandate);
    for (let row = 0; row < rows; row += 1) seen.add(mandates.at(row) === '' ? 'key without limits' : 'key limited');
    if (columns.spentUnits.some((units) => units > 0)) seen.add('key has spent');
  }
  if (kind === 'account') {
    for (const each of columns.primary) seen.add(each < 0 ? 'account primary' : 'account sub');
    if (columns.timerIndex.some((index) => index >= 0)) seen.add('account with an armed switch');
  }
  if (kind === 'order') {
    const ids = new TextColumn(columns.clientOrderId);
    for (let row = 0; row < rows; row += 1) if (ids.at(row) !== '') seen.add('order with a clientOrderId');
    if (columns.timerIndex.some((index) => index > 0)) seen.add('order expires later');
    if (columns.postOnly.includes(1)) seen.add('order post-only');
  }
  if (kind === 'place' && columns.settled.includes(1)) seen.add('place settled');
  if (kind === 'place' && columns.yesReserved.some((each) => each > 0)) seen.add('place reserved');
}

const EXPECTED = [
  'account',
  'account primary',
  'account sub',
  'account with an armed switch',
  'client_order',
  'end',
  'idempotency',
  'key',
  'key has spent',
  'key limited',
  'key live',
  'key revoked',
  'key without limits',
  'market',
  'market active',
  'market closed',
  'market closes later',
  'market partly settled',
  'market paused',
  'market resolved',
  'market scheduled',
  'market settling',
  'market void',
  'order',
  'order expires later',
  'order post-only',
  'order with a clientOrderId',
  'place',
  'place reserved',
  'place settled',
  'run',
  'run of close',
  'run of resolve',
  'run of void',
  'signal',
  'state',
];
