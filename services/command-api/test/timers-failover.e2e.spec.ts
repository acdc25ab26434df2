import { createClient } from 'paper-trading-client';
import { decode, openJournal } from '@paper/journal';
import type { Journal, JournalEvent } from '@paper/journal';
import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { prepareTrading } from '@paper/testkit/exchange';
import { createContenders } from '@paper/testkit/failover';
import type { Contenders } from '@paper/testkit/failover';
import { expect } from 'chai';

const TOKEN = 'operator-of-the-timers-test';
/** Longer than it takes to place the orders, and shorter than a takeover after a kill. */
const DUE_MS = 5_000;

async function eventsOf(journal: Journal): Promise<readonly JournalEvent[]> {
  const { seq } = await journal.head();
  return (await journal.read(1, seq)).map(decode);
}

describe('timers when the leader is killed just before they are due', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let contenders: Contenders;
  let journal: Journal;

  before(async () => {
    const shard = `timers-${process.pid}`;
    database = await testDatabase();
    const env = { DATABASE_URL: database.connectionString, JOURNAL_URL: '', OPERATOR_TOKENS: `ops:${TOKEN}` };
    contenders = createContenders({ ...env, RATE_LIMITS: 'off', SHARD: shard });
    journal = await openJournal({ databaseUrl: database.connectionString, shard });
  });

  after(async () => {
    await contenders.stop();
    await journal.close();
    await database.close();
  });

  it('are decided by the next leader before any command, at or after their time', async () => {
    const first = await contenders.start();
    await contenders.leader();
    const exchange = { baseUrl: first.url, operatorToken: TOKEN };
    const [expiring = '', armed = ''] = await prepareTrading(exchange, { accounts: 2, markets: ['m'] });
    const { leader, standby } = await contenders.settled();
    const order = { marketId: 'm', outcome: 'yes', price: 0.3, quantity: 1 } as const;
    const expiresAt = new Date(Date.now() + DUE_MS);
    const bot = createClient({ baseUrl: leader.url, key: expiring });
    (
      await bot.request('placeOrders', { body: { orders: [{ ...order, expiresAt: expiresAt.toISOString() }] } })
    ).assertOk();
    const watched = createClient({ baseUrl: leader.url, key: armed });
    (await watched.request('placeOrder', { body: order })).assertOk();
    const { cancelsAt } = (await watched.request('setDeadManSwitch', { body: { seconds: DUE_MS / 1_000 } })).body;

    await leader.stop('SIGKILL');
    await contenders.leader(leader);
    const next = createClient({ baseUrl: standby.url, key: armed });
    await eventually('both orders are cancelled', async () => {
      const reasons = (await eventsOf(journal)).map(({ event }) => ('reason' in event ? event.reason : null));
      return reasons.includes('expired') && reasons.includes('dead_man_switch');
    });
    (await next.request('placeOrder', { body: order })).assertOk();

    const events = await eventsOf(journal);
    const cancels = events.filter(({ event }) => event.type === 'OrderCancelled');
    expect(cancels).to.have.length(2);
    for (const { event } of cancels) {
      const isExpiry = event.type === 'OrderCancelled' && event.reason === 'expired';
      expect(event.at).to.be.at.least(isExpiry ? expiresAt.getTime() : Date.parse(cancelsAt ?? ''));
    }
    const epochs = events.filter(({ event }) => event.type === 'WriterEpochStarted');
    expect(epochs).to.have.length(2);
  });
});
