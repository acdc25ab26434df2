import { expect } from 'chai';
import { createState, decide, evolve } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode, encodeDecision, EMPTY_HEAD } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { base, createRandom, listMarket, openAccount, OPERATOR, orderFrom, SCENARIO_AT, SYSTEM } from '@paper/testkit';
import { Findings, GivenUp } from '../src/findings.ts';
import type { FindingKind } from '../src/findings.ts';
import { Judge } from '../src/judge.ts';
import { keyName, listingName } from '../src/client-request.ts';
import type { Acknowledged, ClientRequest } from '../src/client-request.ts';

const random = createRandom(1);

/** An exchange whose journal a test can damage. */
class Exchange {
  readonly state = createState();
  events: StoredEvent[] = [];

  get journal(): Pick<Journal, 'head' | 'read'> {
    return {
      head: () => Promise.resolve(this.head),
      read: (fromSeq, limit) => Promise.resolve(this.events.slice(fromSeq - 1, fromSeq - 1 + limit)),
    };
  }

  get head(): Head {
    const last = this.events.at(-1);
    return last === undefined ? EMPTY_HEAD : { hash: last.hash, seq: last.seq };
  }

  /** Decides a command and stores its events. */
  does(command: Command): readonly ExchangeEvent[] {
    const decision = decide(this.state, command);
    if (decision.kind !== 'accepted') throw new Error(`${command.type} is ${decision.kind}`);
    for (const [index, event] of decision.events.entries()) evolve(this.state, event, index === 0 ? command : null);
    this.stores(command, decision.events);
    return decision.events;
  }

  /** Stores events that were never decided. */
  stores(asked: Command, events: readonly ExchangeEvent[]): void {
    const id = random.uuid(1);
    const command = { ...asked, causationId: id, correlationId: id, id };
    this.events.push(...encodeDecision({ command, events, head: this.head, salt: random.hex(32) }).stored);
  }
}

const requestOf = (key: string | null, names: readonly string[], more: Partial<ClientRequest> = {}): ClientRequest => ({
  token: 't',
  method: 'POST',
  path: '/api/orders',
  body: {},
  key,
  names,
  ...more,
});

/** A client with true answers to three commands: an order, its cancel, and a listing in a batch. */
async function play() {
  const findings = new Findings();
  const judge = new Judge(findings);
  const exchange = new Exchange();
  exchange.does(openAccount('house'));
  exchange.does(listMarket('m'));
  await judge.begin(exchange.journal);

  const keyed = (key: string, command: Command): readonly ExchangeEvent[] =>
    exchange.does({ ...command, idempotency: { fingerprint: 'f', key } });
  const account = requestOf('a', [keyName('a')], { path: '/api/operator/accounts' });
  judge.sent(account);
  keyed('a', openAccount('ann'));
  const order = requestOf('o', [keyName('o')]);
  judge.sent(order);
  const [placed] = keyed('o', orderFrom('o1 ann buy yes 10 @ 0.55'));
  const placedAt = exchange.head;
  const cancel = requestOf('c', [keyName('c')], { method: 'DELETE', path: '/api/orders/o1' });
  judge.sent(cancel);
  keyed('c', { ...base(orderFrom('c ann buy yes 1 @ 0.5').by), type: 'CancelOrder', orderId: 'o1' });
  const cancelledAt = exchange.head;
  const batch = requestOf(null, [listingName('n')], { path: '/api/operator/batch' });
  judge.sent(batch);
  const listed = exchange.does(listMarket('n'));
  const listedAt = exchange.head;

  const answer = {
    id: 'o1',
    createdAt: new Date(placed?.at ?? 0).toISOString(),
    filledQty: 0,
    marketId: 'm',
    outcome: 'yes',
    quantity: 10,
    side: 'buy',
    status: 'open',
    userId: 'ann',
  };
  const told = {
    order: { request: order, body: answer, ...placedAt },
    cancel: { request: cancel, body: { ok: true }, ...cancelledAt },
    batch: { request: batch, body: { results: [{ ok: true }] }, ...listedAt },
  };
  return { exchange, findings, judge, keyed, listed, told };
}

type Played = Awaited<ReturnType<typeof play>>;

async function judged({ exchange, findings, judge, told }: Played, tell: readonly Acknowledged[]) {
  for (const each of [told.order, told.cancel, told.batch, ...tell]) judge.answered(each);
  await judge.readOn(exchange.journal);
  return findings.all.map(({ kind }) => kind);
}

/** Faults that the judge must find: each changes the journal, or adds an answer. */
const SABOTAGES: readonly (readonly [
  what: string,
  sabotage: (played: Played) => readonly Acknowledged[],
  kind: FindingKind,
])[] = [
  [
    'an order that was acknowledged and is not there',
    ({ judge, told }) => {
      const request = requestOf('gone', [keyName('gone')]);
      judge.sent(request);
      return [{ ...told.order, request }];
    },
    'lost',
  ],
  ['an answer from behind the end of the journal', ({ told }) => [{ ...told.order, seq: 1_000 }], 'lost'],
  [
    'a cancel that was acknowledged before it was stored',
    ({ exchange, told }) => [{ ...told.cancel, hash: exchange.events[0]?.hash ?? '', seq: 1 }],
    'lost',
  ],
  [
    'a listing of a batch that is not there',
    ({ told }) => [{ ...told.batch, request: requestOf(null, [listingName('x')]) }],
    'lost',
  ],
  [
    'a command that no client sent',
    ({ keyed }) => (keyed('nobody', orderFrom('o2 ann buy yes 1 @ 0.2')), []),
    'notSent',
  ],
  [
    'a market that no operator listed',
    ({ exchange }) => (exchange.does({ ...listMarket('x'), category: 'test' }), []),
    'notSent',
  ],
  ['an order that was refused', ({ judge }) => (judge.refused(keyName('o')), []), 'notSent'],
  [
    'a listing that was carried out twice',
    ({ exchange, listed }) => (exchange.stores(listMarket('n'), listed), []),
    'twice',
  ],
  [
    'time that goes back',
    ({ exchange }) => {
      const approve = { ...base(OPERATOR), type: 'ApproveAccount', accountId: 'house' } as const;
      exchange.stores(approve, [{ accountId: 'house', at: -1, type: 'AccountApproved' }]);
      return [];
    },
    'wrongAnswer',
  ],
  [
    'an answer that tells another fill',
    ({ told }) => [{ ...told.order, body: { ...told.order.body, filledQty: 3 } }],
    'wrongAnswer',
  ],
  ['a cancel that was done and is denied', ({ told }) => [{ ...told.cancel, body: { ok: false } }], 'wrongAnswer'],
  ['a receipt of another journal', ({ told }) => [{ ...told.order, hash: 'f'.repeat(64) }], 'wrongReceipt'],
];

describe('the judge of chaos', () => {
  it('finds no fault in a true journal, and counts its decisions by sender', async () => {
    const played = await play();
    played.exchange.does({ ...base(SYSTEM), at: 2 * SCENARIO_AT, type: 'CloseMarket', marketId: 'm' });
    played.exchange.does({ ...base(OPERATOR), type: 'ApproveAccount', accountId: 'house' });
    expect(await judged(played, [])).to.deep.equal([]);
    expect(played.judge.senders).to.deep.equal({ clients: 4, house: 3, service: 1 });
    expect(played.judge.acknowledged).to.equal(3);
  });

  it('takes an account that the service opens late, as on a slow machine, for its own', async () => {
    const played = await play();
    const idempotency = { fingerprint: 'f', key: 'standalone-demo-trader-8' };
    played.exchange.does({ ...openAccount('hugo'), idempotency });
    played.exchange.does({ ...base(OPERATOR), type: 'ApproveAccount', accountId: 'hugo' });
    expect(await judged(played, [])).to.deep.equal([]);
  });

  it('takes a market that the service lists late, as on a slow machine, for its own', async () => {
    const played = await play();
    played.exchange.does({ ...listMarket('apple-services-record-2027'), category: 'fundamentals' });
    played.exchange.does({ ...base(OPERATOR), type: 'PauseMarket', marketId: 'apple-services-record-2027' });
    expect(await judged(played, [])).to.deep.equal([]);
  });

  for (const [what, sabotage, kind] of SABOTAGES) {
    it(`finds ${what}`, async () => {
      const played = await play();
      expect(await judged(played, sabotage(played))).to.deep.equal([kind]);
    });
  }

  it('takes a run that was given up without a finding for one that has not held', () => {
    const findings = new Findings();
    findings.endedBy(new GivenUp('life 1 does not start'));
    findings.endedBy(new GivenUp('after that'));
    expect(findings.all.map(({ text }) => text)).to.deep.equal(['GivenUp: life 1 does not start']);
  });

  it('finds a time that was not yet', async () => {
    const played = await play();
    await judged(played, []);
    const { exchange, findings, judge } = played;
    const latestMs = Math.max(...exchange.events.map((stored) => decode(stored).event.at));
    judge.checkTime(latestMs);
    expect(findings.all).to.deep.equal([]);
    judge.checkTime(latestMs - 1);
    expect(findings.all.map(({ kind }) => kind)).to.deep.equal(['wrongAnswer']);
  });

  it('finds that what it has read was changed', async () => {
    const played = await play();
    await judged(played, []);
    const { exchange, judge } = played;
    exchange.events = exchange.events.slice(0, -1);
    const error: unknown = await judge.readOn(exchange.journal).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('now nothing is there');
  });
});
