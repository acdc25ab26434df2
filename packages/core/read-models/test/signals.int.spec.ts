import type { ExchangeEvent } from '@paper/exchange/events';
import { expect } from 'chai';
import { Projection } from '../src/projection/projection.ts';
import { listRecentSignals } from '../src/models/signals/queries.ts';
import { journalEvents, listed, resting, signal, T0 } from './events.ts';
import { useReadDatabase } from './read-database.ts';

/** Two quotes whose midpoint is `mid` units. */
const quote = (name: string, mid: number, at: number): ExchangeEvent[][] => [
  [resting('a', `${name}-bid`, 'm', { side: 'buy', outcome: 'yes', priceUnits: mid - 100, quantity: 1, at })],
  [resting('b', `${name}-ask`, 'm', { side: 'buy', outcome: 'no', priceUnits: 10_000 - mid - 100, quantity: 1, at })],
];

const decisions: ExchangeEvent[][] = [
  [listed('m')],
  [signal('m', T0)],
  [signal(null, T0 + 1)],
  // Inside the minute of the first signal, at its very end.
  ...quote('in', 6000, T0 + 60_000),
  [signal('m', T0 + 60_000)],
  // After the first signal's minute, within the second's; a better bid moves the midpoint.
  [resting('a', 'better', 'm', { side: 'buy', outcome: 'yes', priceUnits: 6000, quantity: 1, at: T0 + 60_001 })],
];

describe('the probability after a signal', () => {
  const database = useReadDatabase();

  for (const batchSize of [1, 100]) {
    it(`is that after the market's last event within 60 s (batches of ${batchSize})`, async () => {
      const schema = await database().newSchema();
      const events = journalEvents(decisions);
      for (let start = 0; start < events.length; start += batchSize) {
        // Opened anew each time: what it needs from before comes from the tables.
        await (await Projection.open(database().db, schema)).project(events.slice(start, start + batchSize));
      }
      const { items } = await listRecentSignals(database().db.withSchema(schema), { limit: 10 });
      expect(items.map((item) => [item.seq, item.marketId, item.beforeHalfUnits, item.afterHalfUnits])).to.deep.equal([
        [6, 'm', 12_000, 12_100],
        [3, null, null, null],
        [2, 'm', 10_000, 12_000],
      ]);
      expect(items[2]).to.deep.include({ id: 'id-2', fairProb: 0.6, source: 'wire', publishedAt: T0 - 5000 });
    });
  }
});
