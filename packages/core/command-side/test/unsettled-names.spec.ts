import { Unavailable } from '@paper/contracts';
import { expect } from 'chai';
import { DisplayNames } from '../src/names/display-names.ts';
import { ForgottenNames } from '../src/names/forgotten-names.ts';
import { createMemoryNames } from '@paper/names';
import type { MemoryName, NameStore } from '@paper/names';
import { SWEEP_EVERY_MS, UnsettledNames } from '../src/names/unsettled-names.ts';
import { codeOf, gate, openAccount, serving } from './writer-harness.ts';
import type { WriterHarness, WriterHarnessOptions } from './writer-harness.ts';
import { createFaultyJournal, turn, until } from '@paper/testkit';
import type { Fault } from '@paper/testkit';

const LONGER_THAN_A_COMMAND_WAITS_MS = 6_000;

interface NamesHarness extends WriterHarness {
  readonly rows: Map<string, MemoryName>;
  readonly names: DisplayNames;
  /** Stores the name and opens its account; returns the code of the answer. */
  readonly open: (name: string) => Promise<string>;
  /** A sweep's time passes. */
  readonly swept: () => Promise<void>;
}

/** A writer that serves, with its display names, and a way to break their table. */
async function namesHarness(options: WriterHarnessOptions, broken: Partial<NameStore> = {}): Promise<NamesHarness> {
  const harness = await serving([], options);
  const rows = new Map<string, MemoryName>();
  const observer = { noted: () => undefined };
  const store: NameStore = { ...createMemoryNames(rows), ...broken };
  const unsettled = new UnsettledNames({
    clock: harness.clock,
    durableSeq: () => harness.writer.status().journalSeq,
    observer,
    state: () => harness.writer.state,
    store: createMemoryNames(rows),
  });
  const names = new DisplayNames({
    forgotten: new ForgottenNames({ clock: harness.clock, observer, store }),
    observer,
    publicName: () => Promise.resolve(null),
    store,
    unsettled,
  });
  return {
    ...harness,
    names,
    open: async (name) => {
      const stored = await names.storeOne(name);
      return codeOf(names.open(stored, () => harness.submit(openAccount(stored.accountId))));
    },
    rows,
    swept: async () => {
      harness.clock.advance(SWEEP_EVERY_MS);
      for (let turns = 0; turns < 10; turns += 1) await turn();
    },
  };
}

const shown = (rows: Map<string, MemoryName>): readonly unknown[] =>
  [...rows.values()].map(({ name, pending }) => [name, pending ? 'pending' : 'settled']);

describe('a display name whose command ended with 503', () => {
  it('is deleted while the process lives on, where the command was never decided', async () => {
    const held = gate();
    const harness = await namesHarness({ capacity: 1, journal: held.journal });
    held.hold();
    const first = harness.open('Ann');
    await until('the first is appended', () => held.waiting() === 1);
    // No other decision may be staged with this one, so the second request waits for its turn until its time limit.
    expect(await harness.open('Bob')).to.equal('unavailable');
    expect(shown(harness.rows)).to.deep.equal([
      ['Ann', 'pending'],
      ['Bob', 'pending'],
    ]);
    await harness.swept();
    expect(await first).to.equal('unavailable');
    expect(shown(harness.rows), 'Ann is being opened').to.deep.equal([['Ann', 'pending']]);
    held.release();
  });

  it('stays while its event may still be stored, and is settled once that is durable', async () => {
    const held = gate();
    const harness = await namesHarness({ journal: held.journal });
    held.hold();
    const opening = harness.open('Ann');
    await until('the event is appended', () => held.waiting() === 1);
    harness.clock.advance(LONGER_THAN_A_COMMAND_WAITS_MS);
    expect(await opening).to.equal('unavailable');
    for (let sweeps = 0; sweeps < 5; sweeps += 1) await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'pending']]);
    held.release();
    const { size } = harness.writer.state!.accounts;
    await until('the event is durable', () => harness.writer.status().journalSeq === harness.writer.state?.seq);
    expect(size).to.equal(1);
    await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'settled']]);
  });

  it('is deleted where the journal refused its event after all', async () => {
    let fault: Promise<Fault | null> | null = null;
    let refuse: (fault: Fault | null) => void = () => undefined;
    const harness = await namesHarness({ journal: (inner) => createFaultyJournal(inner, () => fault) });
    fault = new Promise((resolve) => (refuse = resolve));
    const opening = harness.open('Ann');
    await until('it is decided', () => harness.writer.state?.accounts.size === 1);
    harness.clock.advance(LONGER_THAN_A_COMMAND_WAITS_MS);
    expect(await opening).to.equal('unavailable');
    // A sweep found the account opened; the reloaded state no longer has it.
    await harness.swept();
    fault = null;
    refuse('refused');
    await until('the journal was read again', () => harness.writer.state?.accounts.size === 0);
    await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([]);
  });

  it('of an account that is renamed is deleted where it was refused, and settled once it is durable', async () => {
    const held = gate();
    const harness = await namesHarness({ journal: held.journal });
    await harness.open('Ann');
    const [ann] = harness.rows.values();
    const former = { accountId: ann!.accountId, digest: '' };
    const rename = async (name: string) => {
      const stored = await harness.names.storeNext(former, name);
      const { nameDigest } = stored;
      const by = { accountId: former.accountId, keyId: `${former.accountId}-key`, kind: 'key' } as const;
      return codeOf(harness.names.open(stored, () => harness.submit({ by, nameDigest, type: 'RenameAccount' })));
    };
    held.hold();
    const renaming = rename('Anne');
    await until('the event is appended', () => held.waiting() === 1);
    harness.clock.advance(LONGER_THAN_A_COMMAND_WAITS_MS);
    expect(await renaming).to.equal('unavailable');
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([
      ['Ann', 'settled'],
      ['Anne', 'pending'],
    ]);
    held.release();
    await until('the event is durable', () => harness.writer.status().journalSeq === harness.writer.state?.seq);
    await harness.swept();
    expect(await rename('Anna')).to.equal('limit_reached');
    await turn();
    expect(shown(harness.rows)).to.deep.equal([
      ['Ann', 'settled'],
      ['Anne', 'settled'],
    ]);
  });

  it('is left alone while the exchange is not known', async () => {
    const harness = await namesHarness({});
    const stored = await harness.names.storeOne('Ann');
    const refused = () => Promise.reject(new Unavailable('another leads'));
    expect(await codeOf(harness.names.open(stored, refused))).to.equal('unavailable');
    harness.writer.fence(new Error('another writer'));
    await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'pending']]);
  });
});

describe('a display name that the table did not settle or delete', () => {
  const down = () => Promise.reject(new Error('no database'));

  it('is settled by a later sweep', async () => {
    const harness = await namesHarness({}, { settle: down });
    expect(await harness.open('Ann')).to.equal('ok');
    await turn();
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'pending']]);
    await harness.swept();
    await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'settled']]);
  });

  it('is deleted by a later sweep, also where it is not known whether it was stored', async () => {
    const harness: NamesHarness = await namesHarness(
      {},
      {
        store: async (names) => {
          await createMemoryNames(harness.rows).store(names);
          throw new Error('the connection broke');
        },
      },
    );
    expect(await codeOf(harness.open('Ann'))).to.equal('unavailable');
    expect(shown(harness.rows)).to.deep.equal([['Ann', 'pending']]);
    await harness.swept();
    expect(shown(harness.rows)).to.deep.equal([]);
  });
});
