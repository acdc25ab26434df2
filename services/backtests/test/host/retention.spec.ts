import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS, iso } from '@paper/contracts/units';
import { expect } from 'chai';
import type { BacktestManager } from '../../src/host/manager.ts';
import { callerOf, managedFolder } from './managed.ts';

describe('what stays of ended backtests', () => {
  let files: ReturnType<typeof managedFolder>;
  let manager: BacktestManager;
  beforeEach(() => (files = managedFolder()));
  afterEach(async () => {
    await manager.stop();
    files.remove();
  });

  /** Leaves what the service has stored of an ended one. */
  const ended = (id: string, fleet: string, daysAgo: number, bytes: number): void => {
    const folder = path.join(files.folder, id);
    mkdirSync(folder, { recursive: true });
    const endedAt = iso(Date.now() - daysAgo * DAY_MS);
    const stored = {
      ...{ id, fleet, idempotency: null, database: null, tape: 'made-news', state: 'ended', why: null, clock: null },
      ...{ eventsDone: 1, events: 1, participants: [], createdAt: endedAt, endedAt },
    };
    writeFileSync(path.join(folder, 'service.json'), JSON.stringify(stored));
    writeFileSync(path.join(folder, 'journal.ndjson'), Buffer.alloc(bytes));
  };
  /** Those of a fleet that are left once the service has started with these limits, the newest first. */
  const left = (fleet: string, limits: { readonly bytes: number; readonly fleetBytes: number }): readonly string[] => {
    manager = files.manager({ limits: { atOnce: 1, days: 7, ...limits } });
    manager.open('http://localhost:4000');
    return manager.list(callerOf(fleet)).map(({ id }) => id);
  };

  it('goes after seven days, with its files', () => {
    ended('young', 'ann', 6.9, 10);
    ended('old', 'ann', 7.1, 10);
    expect(left('ann', { bytes: 1e6, fleetBytes: 1e6 })).to.deep.equal(['young']);
    expect(existsSync(path.join(files.folder, 'old'))).to.equal(false);
    expect(() => manager.journalOf(callerOf('ann'), 'old')).to.throw('No backtest of yours has this id');
  });

  it('goes where a fleet has too much, its oldest first, and nothing of another', () => {
    for (const [id, daysAgo] of [
      ['first', 3],
      ['second', 2],
      ['third', 1],
    ] as const) {
      ended(id, 'ann', daysAgo, 4_000);
    }
    ended('other', 'bob', 4, 4_000);
    expect(left('ann', { bytes: 1e6, fleetBytes: 10_000 })).to.deep.equal(['third', 'second']);
    expect(manager.list(callerOf('bob')).map(({ id }) => id)).to.deep.equal(['other']);
  });

  it('goes where all of them have too much, the oldest of all first', () => {
    ended('of-ann', 'ann', 2, 4_000);
    ended('of-bob', 'bob', 3, 4_000);
    ended('newest', 'bob', 1, 4_000);
    expect(left('bob', { bytes: 10_000, fleetBytes: 1e6 })).to.deep.equal(['newest']);
    expect(manager.list(callerOf('ann')).map(({ id }) => id)).to.deep.equal(['of-ann']);
  });
});
