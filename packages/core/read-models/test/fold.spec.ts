import type { Phase } from '@paper/exchange/vocabulary';
import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { createFold } from '../src/models/index.ts';
import { MarketFold } from '../src/models/markets/market-fold.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, resting, signal, T0 } from './events.ts';

describe('the state of a projection', () => {
  it('has the markets that have not ended, and no others', async () => {
    const simulated = new SimulatedJournal({ seed: 6 });
    await simulated.run(2000);
    const fold = createFold();
    for (const event of (await simulated.journal.read(1, simulated.head.seq)).map(decode)) fold.apply(event);
    fold.planBatch('s');
    const all = [...simulated.state.markets.values()];
    expect(all.map(({ phase }) => phase)).to.include.members(['active', 'resolved', 'void']);
    expect([...fold.rows.markets.live.keys()]).to.have.members(
      all.filter(({ phase }) => phase !== 'resolved' && phase !== 'void').map(({ id }) => id),
    );
  });

  it('calls the probability of a signal interpolated where no quote, trade or outcome stands behind it', () => {
    const fold = createFold();
    const offer = { side: 'buy', outcome: 'no', priceUnits: 4000, quantity: 5 } as const;
    const fill = { taker: 'a', takerOrder: 'o4', maker: 'b', makerOrder: 'o3', makerRemaining: 0, quantity: 5 };
    const decisions = [
      [listed('m')],
      [signal('m', T0)],
      [resting('b', 'o1', 'm', { side: 'buy', outcome: 'yes', priceUnits: 5900, quantity: 5 })],
      [resting('b', 'o3', 'm', offer)],
      [signal('m', T0 + 1)],
      [listed('n')],
      [resting('b', 'o3', 'n', offer)],
      [signal('n', T0 + 2)],
      marketBuyMeetsNoBid({ ...fill, marketId: 'n', yesPriceUnits: 6000 }),
      [signal('n', T0 + 3)],
      [listed('o')],
      [{ at: T0, marketId: 'o', poolUnits: 0, priceUnits: 5000, reason: 'test', type: 'MarketVoided' as const }],
      [signal('o', T0 + 4)],
    ];
    for (const event of journalEvents(decisions)) fold.apply(event);
    expect([...fold.rows.signals.rows.added].map(({ interpolated }) => interpolated)).to.deep.equal([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('gives a market the status of its phase, and pending for what the API has no status for', () => {
    const market = new MarketFold('m', 5000, { companySlug: 'acme', ticker: 'ACM', title: 'Will m?' });
    const statusIn = (phase: Phase): string => {
      market.phase = phase;
      return market.figures().status;
    };
    const phases = ['scheduled', 'active', 'paused', 'closed', 'settling', 'resolved', 'void'] as const;
    expect(phases.filter((phase) => statusIn(phase) !== 'pending')).to.deep.equal(['active', 'resolved']);
    expect(['active' as const, 'resolved' as const].map(statusIn)).to.deep.equal(['active', 'resolved']);
  });
});
