import { createState, evolve } from '@paper/exchange';
import type { State } from '@paper/exchange';
import { Restoration, snapshot, TABLE_ROWS_MAX } from '@paper/exchange/snapshot';
import { expect } from 'chai';
import fc from 'fast-check';
import type { RememberedKey } from '../../src/state/packed-keys.ts';

/** Makes scopes of which some repeat, in the order of their bytes and out of that order. */
const scopeNumbered = (n: number): string => `account-${(n * 7_919) % 101}\n${n}`;

function restored(state: State): State {
  const restoration = new Restoration();
  for (const table of snapshot(state)) restoration.add(structuredClone(table));
  return restoration.end();
}

/** Everything that can be observed of a window: its keys in their order, and the result of every possible look-up. */
function told({ idempotency }: State, scopes: readonly string[]) {
  const names = scopes.flatMap((scope) => [null, 0, 1].map((index) => ({ index, scope })));
  const found = names.map((name) => idempotency.find(name)).map((key) => key && plain(key));
  const otherwise = names.map((name) => idempotency.usedOtherwise(name));
  return { found, oldestFirst: [...idempotency.oldestFirst()].map(plain), otherwise, size: idempotency.size };
}

const plain = ({ at, fingerprint, index, scope, seq }: RememberedKey): RememberedKey => ({
  at,
  fingerprint,
  index,
  scope,
  seq,
});

/** Stores a key under a scope, for the fleet that the scope names. */
function remember({ idempotency }: State, scope: string, at: number, n: number, index: number | null = null): void {
  const name = scope.slice(0, scope.indexOf('\n'));
  idempotency.remember({ index: Infinity, name }, { index, scope }, `fingerprint ${n}`, at, n);
}

describe('a window of Idempotency-Keys', () => {
  const step = fc.record({
    kind: fc.constantFrom('remember' as const, 'remember' as const, 'remember' as const, 'restore' as const),
    elapsedMs: fc.nat(10),
    entriesMax: fc.constantFrom(1, 5, 40, 1_000),
    index: fc.constantFrom(null, null, 0, 1),
    isFair: fc.boolean(),
    // A value above 0 repeats a key that was used before.
    back: fc.constantFrom(0, 0, 0, 1, 7),
  });

  it('goes on after a restart, from a snapshot at any moment, as if there had been none', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const whole = createState();
        let restarted = createState();
        const scopes = ['', 'account-0\n', ...steps.map((_, n) => scopeNumbered(n)), '~'];
        let at = 0;
        for (const [n, { back, elapsedMs, entriesMax, index, isFair, kind }] of steps.entries()) {
          at += elapsedMs;
          if (kind === 'restore') restarted = restored(restarted);
          for (const state of [whole, restarted]) {
            if (kind === 'remember') remember(state, scopeNumbered(n - back), at, n, index);
            state.idempotency.evict(at, 100, entriesMax, isFair);
          }
          expect(told(restarted, scopes)).to.deep.equal(told(whole, scopes));
        }
      }),
      { seed: 24, numRuns: 100 },
    );
  }).timeout(20_000);

  it('has them in more than one table of a snapshot', () => {
    const state = createState();
    const scopes: string[] = [];
    for (let n = 0; n < 2 * TABLE_ROWS_MAX + 10; n += 1) {
      scopes.push(scopeNumbered(n));
      remember(state, scopeNumbered(n), n, n);
    }
    const again = restored(state);
    const some = scopes.filter((_, n) => n % 11 === 0);
    expect(told(again, some)).to.deep.equal(told(state, some));
    for (const each of [state, again]) each.idempotency.evict(TABLE_ROWS_MAX + 5, 0, 1_000_000, true);
    expect(again.idempotency.size).to.equal(TABLE_ROWS_MAX + 5);
    expect(told(again, some)).to.deep.equal(told(state, some));
  }).timeout(20_000);

  it('is emptied by time alone, too, and filled again', () => {
    const state = createState();
    remember(state, 'a\nk', 1, 1);
    const again = restored(state);
    again.settings = { ...again.settings, idempotencyWindowMs: 10 };
    evolve(again, { accountId: 'x', at: 12, nameDigest: '', startingBalanceUnits: 1, type: 'AccountOpened' }, null);
    expect(again.idempotency.size).to.equal(0);
    const key = { index: null, scope: 'a\nk' };
    expect(again.idempotency.find(key)).to.equal(null);
    remember(again, 'a\nk', 12, 2);
    expect(again.idempotency.find(key)).to.deep.include({ fingerprint: 'fingerprint 2', seq: 2 });
  });

  it('forgets by itself the same as a list in which all is counted anew, across a change of the rules', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const state = createState();
        let list: { at: number; fleet: string; name: string; n: number }[] = [];
        let at = 0;
        for (const [n, { back, elapsedMs, entriesMax, index, isFair }] of steps.entries()) {
          at += elapsedMs;
          const scope = scopeNumbered(n - back);
          const [fleet, name] = [scope.slice(0, scope.indexOf('\n')), `${scope} ${String(index)}`];
          remember(state, scope, at, n, index);
          list = [...list.filter((entry) => entry.name !== name), { at, fleet, n, name }];
          state.idempotency.evict(at, 100, entriesMax, isFair);
          list = list.filter((entry) => entry.at >= at - 100);
          while (list.length > entriesMax) {
            const held = (one: string): number => list.filter((entry) => entry.fleet === one).length;
            const most = Math.max(...list.map((entry) => held(entry.fleet)));
            const [first] = list
              .map((entry) => entry.fleet)
              .filter((one) => held(one) === most)
              .sort();
            const goes = list.find((entry) => !isFair || entry.fleet === first);
            list = list.filter((entry) => entry !== goes);
          }
          expect([...state.idempotency.oldestFirst()].map(({ seq }) => seq)).to.deep.equal(
            list.map((entry) => entry.n),
          );
        }
      }),
      { seed: 25, numRuns: 60 },
    );
  }).timeout(20_000);
});
