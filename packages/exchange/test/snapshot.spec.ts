import {
  createState,
  decide,
  evolve,
  Restoration,
  snapshot,
  type Command,
  type Decision,
  type ExchangeEvent,
  type SnapshotLine,
  type State,
} from '@paper/exchange';
import { createWorkload, type Workload } from '@paper/testkit/workload';
import { expect } from 'chai';
import fc from 'fast-check';
import { differences } from './same-graph.ts';

/** As it is stored and read back. */
const stored = (state: State): SnapshotLine[] => JSON.parse(JSON.stringify([...snapshot(state)])) as SnapshotLine[];

function restore(lines: readonly SnapshotLine[]): State {
  const restoration = new Restoration();
  for (const line of lines) restoration.add(line);
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
        const workload = createWorkload({ seed });
        const state = createState();
        run(workload, state, before);
        const restored = restore(stored(state));
        run(workload, state, 250, [restored]);
        expect(stored(restored)).to.deep.equal(stored(state));
      }),
      { seed: 21, numRuns: 40 },
    );
  }).timeout(30_000);

  it('carries every field of every object of a state', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const state = stateAfter(seed, 900);
      expect(differences(state, restore(stored(state)))).to.deep.equal([]);
    }
  }).timeout(30_000);

  it('is taken of states in which each kind of line, and each phase, run and mark stands', () => {
    const seen = new Set<string>();
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const workload = createWorkload({ seed });
      const state = createState();
      for (let pieces = 0; pieces < 60; pieces += 1) {
        run(workload, state, 15);
        for (const line of snapshot(state)) note(seen, line);
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

describe('what cannot be restored', () => {
  const lines = stored(stateAfter(3, 300));
  const at = (kind: SnapshotLine[0]): number => lines.findIndex(([each]) => each === kind);
  const without = (index: number): SnapshotLine[] => lines.filter((_, each) => each !== index);
  const changed = (index: number, line: unknown): SnapshotLine[] =>
    lines.map((each, n) => (n === index ? (line as SnapshotLine) : each));

  const cases: readonly (readonly [what: string, lines: () => SnapshotLine[], message: RegExp])[] = [
    ['nothing', () => [], /^the snapshot is cut off after 0 lines$/],
    ['a snapshot without its end', () => lines.slice(0, -1), /^the snapshot is cut off after \d+ lines$/],
    ['one without its first line', () => lines.slice(1), /^line 1 of a snapshot cannot be of the kind account$/],
    ['two in one', () => [...lines, ...lines], /^line \d+ of a snapshot cannot be of the kind state$/],
    ['lines after the end', () => [...lines, ['run', 'x']], /^line \d+ of a snapshot cannot be of the kind run$/],
    ['one with a line less', () => without(at('idempotency')), /^the snapshot had \d+ lines before its last, here are/],
    ['one of another version', () => changed(0, ['state', { version: 0 }]), /is of version 0, this program reads/],
    ['an order of no market', () => [lines[0]!, lines[at('order')]!], /names the market of an order, which does not/],
    ['a key of no account', () => [lines[0]!, lines[at('key')]!], /names account 0, which does not stand in it$/],
    ['a kind that there is not', () => changed(1, ['mystery']), /^a snapshot has no line of the kind mystery$/],
  ];
  for (const [what, given, message] of cases) {
    it(`is ${what}`, () => {
      expect(() => restore(given())).to.throw(message);
    });
  }
});

/** What a line shows that others of its kind do not. */
function note(seen: Set<string>, line: SnapshotLine): void {
  seen.add(line[0]);
  if (line[0] === 'market') {
    seen.add(`market ${line[1].phase}`);
    if (line[1].run !== null) seen.add(`run of ${line[1].run.kind}`);
    if (line[1].settledUpTo > 0) seen.add('market partly settled');
    if (line[1].closeIndex > 0) seen.add('market closes later');
  }
  if (line[0] === 'key') seen.add(line[5] ? 'key revoked' : 'key live');
  if (line[0] === 'account') seen.add(line[5] === null ? 'account primary' : 'account sub');
  if (line[0] === 'place' && line[8]) seen.add('place settled');
  if (line[0] === 'place' && line[6] + line[7] > 0) seen.add('place reserved');
}

const EXPECTED = [
  'account',
  'account primary',
  'account sub',
  'end',
  'idempotency',
  'key',
  'key live',
  'key revoked',
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
