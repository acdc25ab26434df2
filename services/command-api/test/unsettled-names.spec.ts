import { ApiError } from '@paper/contracts';
import { createFaultyJournal, type Fault } from '@paper/journal';
import { expect } from 'chai';
import { DisplayNames } from '../src/names/display-names.ts';
import { createMemoryNames, type KeptName } from '../src/names/memory-names.ts';
import type { NameStore } from '../src/names/name-store.ts';
import { SWEEP_EVERY_MS, UnsettledNames } from '../src/names/unsettled-names.ts';
import { codeOf, gate, openAccount, serving, type TestDesk, type TestDeskOptions } from './desk-of-one.ts';
import { turn, until } from './fake-clock.ts';

const LONGER_THAN_A_COMMAND_WAITS_MS = 6_000;

interface NamesDesk extends TestDesk {
  readonly rows: Map<string, KeptName>;
  readonly names: DisplayNames;
  /** Stores the name and opens its account; the code of the answer. */
  readonly open: (name: string) => Promise<string>;
  /** A sweep's time passes. */
  readonly swept: () => Promise<void>;
}

/** A writer that serves, with its display names, and a way to break their table. */
async function namesDesk(options: TestDeskOptions, broken: Partial<NameStore> = {}): Promise<NamesDesk> {
  const desk = await serving([], options);
  const rows = new Map<string, KeptName>();
  const observer = { noted: () => undefined };
  const store: NameStore = { ...createMemoryNames(rows), ...broken };
  const unsettled = new UnsettledNames({
    clock: desk.clock,
    durableSeq: () => desk.writer.status().journalSeq,
    observer,
    state: () => desk.writer.state,
    store: createMemoryNames(rows),
  });
  const names = new DisplayNames({ observer, publicName: () => Promise.resolve(null), store, unsettled });
  return {
    ...desk,
    names,
    open: async (name) => {
      const kept = await names.keepOne(name);
      return codeOf(names.open(kept, () => desk.submit(openAccount(kept.accountId))));
    },
    rows,
    swept: async () => {
      desk.clock.advance(SWEEP_EVERY_MS);
      for (let turns = 0; turns < 10; turns += 1) await turn();
    },
  };
}

const shown = (rows: Map<string, KeptName>): readonly unknown[] =>
  [...rows.values()].map(({ name, pending }) => [name, pending ? 'pending' : 'settled']);

describe('a display name whose command ended with 503', () => {
  it('is deleted while the process lives on, where the command was never decided', async () => {
    const held = gate();
    const desk = await namesDesk({ capacity: 1, journal: held.journal });
    held.hold();
    const first = desk.open('Ann');
    await until('the first is appended', () => held.waiting() === 1);
    // Nothing may be staged beside it, so the second one waits for its turn, and no longer than a command waits.
    expect(await desk.open('Bob')).to.equal('unavailable');
    expect(shown(desk.rows)).to.deep.equal([
      ['Ann', 'pending'],
      ['Bob', 'pending'],
    ]);
    await desk.swept();
    expect(await first).to.equal('unavailable');
    expect(shown(desk.rows), 'Ann is being opened').to.deep.equal([['Ann', 'pending']]);
    held.release();
  });

  it('stays while its event may still be stored, and is settled once that is durable', async () => {
    const held = gate();
    const desk = await namesDesk({ journal: held.journal });
    held.hold();
    const opening = desk.open('Ann');
    await until('the event is appended', () => held.waiting() === 1);
    desk.clock.advance(LONGER_THAN_A_COMMAND_WAITS_MS);
    expect(await opening).to.equal('unavailable');
    for (let sweeps = 0; sweeps < 5; sweeps += 1) await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'pending']]);
    held.release();
    const { size } = desk.writer.state!.accounts;
    await until('the event is durable', () => desk.writer.status().journalSeq === desk.writer.state?.seq);
    expect(size).to.equal(1);
    await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'settled']]);
  });

  it('is deleted where the journal refused its event after all', async () => {
    let fault: Promise<Fault | null> | null = null;
    let refuse: (fault: Fault | null) => void = () => undefined;
    const desk = await namesDesk({ journal: (inner) => createFaultyJournal(inner, () => fault) });
    fault = new Promise((resolve) => (refuse = resolve));
    const opening = desk.open('Ann');
    await until('it is decided', () => desk.writer.state?.accounts.size === 1);
    desk.clock.advance(LONGER_THAN_A_COMMAND_WAITS_MS);
    expect(await opening).to.equal('unavailable');
    // It was found opened once, which its memory took back.
    await desk.swept();
    fault = null;
    refuse('refused');
    await until('the journal was read again', () => desk.writer.state?.accounts.size === 0);
    await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([]);
  });

  it('is left alone while the exchange is not known', async () => {
    const desk = await namesDesk({});
    const kept = await desk.names.keepOne('Ann');
    const refused = () => Promise.reject(new ApiError('unavailable', 'another leads'));
    expect(await codeOf(desk.names.open(kept, refused))).to.equal('unavailable');
    desk.writer.fence(new Error('another writer'));
    await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'pending']]);
  });
});

describe('a display name that the table did not settle or delete', () => {
  const down = () => Promise.reject(new Error('no database'));

  it('is settled by a later sweep', async () => {
    const desk = await namesDesk({}, { settle: down });
    expect(await desk.open('Ann')).to.equal('ok');
    await turn();
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'pending']]);
    await desk.swept();
    await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'settled']]);
  });

  it('is deleted by a later sweep, also where nobody knows whether it was stored', async () => {
    const desk: NamesDesk = await namesDesk(
      {},
      {
        keep: async (names) => {
          await createMemoryNames(desk.rows).keep(names);
          throw new Error('the connection broke');
        },
      },
    );
    expect(await codeOf(desk.open('Ann'))).to.equal('unavailable');
    expect(shown(desk.rows)).to.deep.equal([['Ann', 'pending']]);
    await desk.swept();
    expect(shown(desk.rows)).to.deep.equal([]);
  });
});
