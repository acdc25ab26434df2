import { createState, evolve, Restoration, snapshot, TABLE_ROWS_MAX, type State } from '@paper/exchange';
import { expect } from 'chai';
import fc from 'fast-check';

/** Scopes of which some come again, in the order of their bytes and out of it. */
const scopeNumbered = (n: number): string => `account-${(n * 7_919) % 101}\n${n}`;

function restored(state: State): State {
  const restoration = new Restoration();
  for (const table of snapshot(state)) restoration.add(structuredClone(table));
  return restoration.end();
}

/** All that a window tells: what it remembers, in which order, and what it finds of everything that it could. */
function told({ idempotency }: State, scopes: readonly string[]) {
  const plain = ({ scope, fingerprint, at, seq }: { scope: string; fingerprint: string; at: number; seq: number }) => ({
    at,
    fingerprint,
    scope,
    seq,
  });
  const found = scopes.map((scope) => idempotency.find(scope)).map((key) => key && plain(key));
  return { found, oldestFirst: [...idempotency.oldestFirst()].map(plain), size: idempotency.size };
}

describe('a window of Idempotency-Keys', () => {
  const step = fc.record({
    kind: fc.constantFrom('remember' as const, 'remember' as const, 'remember' as const, 'restore' as const),
    elapsedMs: fc.nat(10),
    entriesMax: fc.constantFrom(1, 5, 40, 1_000),
  });

  it('goes on after a restart, from a snapshot at any moment, as if there had been none', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const whole = createState();
        let restarted = createState();
        const scopes = ['', 'account-0\n', ...steps.map((_, n) => scopeNumbered(n)), '~'];
        let at = 0;
        for (const [n, { kind, elapsedMs, entriesMax }] of steps.entries()) {
          at += elapsedMs;
          if (kind === 'restore') restarted = restored(restarted);
          for (const { idempotency } of [whole, restarted]) {
            if (kind === 'remember') idempotency.remember(scopeNumbered(n), `fingerprint ${n}`, at, n);
            idempotency.evict(at, 100, entriesMax);
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
      state.idempotency.remember(scopeNumbered(n), `fingerprint ${n}`, n, n);
    }
    const again = restored(state);
    expect(told(again, scopes)).to.deep.equal(told(state, scopes));
    for (const each of [state, again]) each.idempotency.evict(TABLE_ROWS_MAX + 5, 0, 1_000_000);
    expect(again.idempotency.size).to.equal(TABLE_ROWS_MAX + 5);
    expect(told(again, scopes)).to.deep.equal(told(state, scopes));
  }).timeout(20_000);

  it('is emptied by time alone, too, and filled again', () => {
    const state = createState();
    state.idempotency.remember('a\nk', 'first', 1, 1);
    const again = restored(state);
    again.settings = { ...again.settings, idempotencyWindowMs: 10 };
    evolve(again, { accountId: 'x', at: 12, nameDigest: '', startingBalanceUnits: 1, type: 'AccountOpened' }, null);
    expect(again.idempotency.size).to.equal(0);
    expect(again.idempotency.find('a\nk')).to.equal(null);
    again.idempotency.remember('a\nk', 'second', 12, 2);
    expect(again.idempotency.find('a\nk')).to.deep.include({ fingerprint: 'second', seq: 2 });
  });
});
