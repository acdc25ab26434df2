import type { Command } from '@paper/exchange/commands';
import { createMemoryJournal, createMemoryLog, decodePublicEvent } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import { LiveBooks } from '@paper/read-models';
import type { AccountEventAnswer } from '@paper/read-models';
import { createLogger, createRetryLog } from '@paper/runtime';
import {
  base,
  keyOf,
  listMarket,
  openAccount,
  openSubAccount,
  orderFrom,
  startEpoch,
  StoredExchange,
} from '@paper/testkit';
import { expect } from 'chai';
import { AccountFeed } from '../src/account-feed.ts';
import { AccountWatch } from '../src/account-watch.ts';

type State = AccountEventAnswer['states'] extends ReadonlyMap<string, infer S> ? S : never;

const ORDERS_MAX = 200_000;
const NO_ORDERS: State = { cashUnits: 100_000_000, orders: [] };

/** The feed alone: the test gives it the pages of the journal and of the read models. */
describe("the feed of accounts' streams", () => {
  let journal: Journal;
  let exchange: StoredExchange;
  let feed: AccountFeed;
  let told: string[];
  const submit = async (...commands: Command[]): Promise<readonly StoredEvent[]> => {
    const before = exchange.head.seq;
    for (const command of commands) await exchange.submit(command);
    return journal.read(before + 1, exchange.head.seq);
  };

  beforeEach(async () => {
    journal = createMemoryJournal(createMemoryLog());
    exchange = new StoredExchange(journal);
    const books = new LiveBooks(0);
    const first = await submit(startEpoch(), openAccount('ann'), openAccount('bob'), listMarket('m'));
    for (const stored of first) books.apply(decodePublicEvent(stored));
    told = [];
    feed = new AccountFeed({
      bufferedBytesMax: 1_000,
      retries: createRetryLog(createLogger({ level: 'silent', name: 'test' })),
      onEvents: () => undefined,
      drop: ({ keyId }) => void told.push(`${keyId} is dropped`),
      onBegun: () => undefined,
      onLost: ({ keyId, sentSeq }) => void told.push(`${keyId} is returned at ${sentSeq}`),
      trace: null,
    });
    feed.begin(books);
  });

  /** A stream that has caught up; what happens to it is noted. */
  const watch = (accountId: string, scope: 'account' | 'fleet' = 'account', buffered = 0): AccountWatch => {
    const made = new AccountWatch(accountId, `${accountId}-key`, scope, exchange.head.seq);
    const note = (what: string): void => void told.push(`${made.keyId} ${what}`);
    made.opened({
      buffered,
      write: (bytes) => note(`gets ${[...bytes.toString().matchAll(/^id: (\d+)$/gm)].map(([, id]) => id).join()}`),
      drained: () => Promise.resolve(),
      end: () => note('ends'),
      cut: () => note('is cut'),
    });
    return made;
  };
  const page = (seq: number, states: Readonly<Record<string, State>>): AccountEventAnswer => ({
    ...{ events: [], upTo: seq, complete: true, seq, liveKeys: new Set() },
    fleets: new Map([['ann', ['ann']]]),
    states: new Map(Object.entries(states)),
  });
  const adopt = (of: AccountWatch, seq = exchange.head.seq): boolean =>
    feed.adopt(of, page(seq, { [of.accountId]: NO_ORDERS }));

  it('given an order and then the end of its key on one page, sends the order and ends the stream', async () => {
    adopt(watch('ann'));
    adopt(watch('bob'));
    const seq = exchange.head.seq + 1;
    const revocation = { ...base(keyOf('ann'), 'revoke'), type: 'RevokeApiKey', keyId: 'ann-key' } as const;
    feed.take(await submit(orderFrom('rest ann buy yes 10 @ 0.40'), revocation));
    expect(told.slice(0, 2)).to.deep.equal([`ann-key gets ${seq}`, 'ann-key ends']);
    expect(feed.count).to.equal(1);
  });

  it('returns the stream of a fleet, and no other, where a sub-account is opened: the read models know its fleet', async () => {
    adopt(watch('ann', 'fleet'));
    adopt(watch('bob'));
    const { seq } = exchange.head;
    const opened = await submit(orderFrom('rest ann buy yes 10 @ 0.40'), openSubAccount('ann-2'));
    feed.take(opened);
    expect(told).to.deep.equal([`ann-key gets ${seq + 1}`, `ann-key is returned at ${seq + 1}`]);
    expect(feed.count).to.equal(1);
    // A stream that caught up with the read models before the opening is not adopted after it.
    expect(adopt(watch('ann', 'fleet'), seq)).to.equal(false);
    expect(adopt(watch('ann', 'account'), seq)).to.equal(true);
  });

  it('sends a stream that it adopts what the read models lack, and knows that it did', async () => {
    const late = watch('ann');
    const { seq } = exchange.head;
    feed.take(await submit(orderFrom('rest ann buy yes 10 @ 0.40')));
    expect(adopt(late, seq)).to.equal(true);
    expect(told).to.deep.equal([`ann-key gets ${seq + 1}`]);
    expect(late.sentSeq).to.equal(exchange.head.seq);
  });

  it('drops a stream whose client does not read', async () => {
    adopt(watch('ann', 'account', 1_001));
    adopt(watch('bob', 'account', 1_000));
    const { seq } = exchange.head;
    feed.take(await submit(orderFrom('a ann buy yes 1 @ 0.40'), orderFrom('b bob buy yes 1 @ 0.40')));
    expect(told).to.deep.equal(['ann-key is dropped', `bob-key gets ${seq + 2}`]);
  });

  it('adopts no stream while it holds as many live orders as it may', () => {
    const orders = Array.from({ length: ORDERS_MAX }, (_, n) => ({ id: String(n) })) as unknown as State['orders'];
    const { seq } = exchange.head;
    const bob = watch('bob');
    expect(feed.adopt(bob, page(seq, { bob: { ...NO_ORDERS, orders } }))).to.equal(true);
    expect([feed.covers(seq), adopt(watch('ann'))]).to.deep.equal([false, false]);
    feed.leave(bob);
    expect(adopt(watch('ann'))).to.equal(true);
  });
});
